"""What stands in the place of an array while a step is noted gives no element away: whatever reads one, anywhere in the library, is noted or refused."""

import array
import copy
import ctypes
import math
import operator
import pickle
import struct

import numpy as np
import pytest

import minigrad as torch
from minigrad._arrays.traced import Leak, Traced
from minigrad._capture.program import Program

#: What says how an array lies in memory, and nothing of its elements.
ABOUT = {
    *("shape", "dtype", "strides", "ndim", "size", "itemsize", "nbytes", "flags", "base"),
    *("__len__", "__class__", "__doc__", "__repr__", "__str__", "__sizeof__", "__dir__", "__format__", "__hash__", "__init__", "__new__"),
    *("__getattribute__", "__setattr__", "__delattr__", "__init_subclass__", "__subclasshook__", "__class_getitem__", "__array_priority__", "setflags"),
}  # fmt: skip
ARGUMENTS = {
    **dict.fromkeys(("reshape", "view", "astype"), ((4,), (np.int32,), (np.float64,))),
    "reshape": ((4,),),
    "view": (np.int32,),
    "astype": (np.float64,),
    "take": ([0],),
    "repeat": (2,),
    "clip": (0, 1),
    "swapaxes": (0, 1),
    "dot": (np.ones((2, 2), np.float32),),
    "searchsorted": (0.5,),
    "fill": (1.0,),
    "choose": ([np.ones(2)],),
    "compress": ([True],),
    "__getitem__": (0,),
    "__setitem__": (0, 1.0),
    "__contains__": (1.0,),
    "__deepcopy__": ({},),
    "__array_ufunc__": (np.exp, "__call__"),
    "__array_function__": (np.sum, (Traced,), (), {}),
}
OPERANDS = {"__pow__": 2, "__rpow__": 2}
READING = {
    "bool": bool, "int": int, "float": float, "complex": complex, "index": operator.index, "in": lambda x: 1.0 in x, "max": max, "sorted": sorted, "set": set, "dict": lambda x: {x: 1},
    "math": math.sqrt, "isnan": math.isnan, "format": lambda x: f"{x:.3f}", "percent": lambda x: operator.mod("%d", x), "range": range, "pack": lambda x: struct.pack("f", x),
    "memoryview": memoryview, "bytes": bytes, "bytearray": bytearray, "array": lambda x: array.array("f", x), "ctypes": lambda x: (ctypes.c_float * 2)(*x), "pickle": pickle.dumps,
    "asarray": np.asarray, "numpy array": np.array, "frombuffer": np.frombuffer, "fromiter": lambda x: np.fromiter(x, np.float32), "float32": np.float32, "full": lambda x: np.full(2, x),
    "write": lambda x: operator.setitem(np.zeros((2, 2), np.float32), ..., x), "item of an array": lambda x: operator.setitem(np.zeros(2), 0, x), "out": lambda x: np.exp(x, out=np.zeros((2, 2), np.float32)),
    "array_equal": lambda x: np.array_equal(x, x), "allclose": lambda x: np.allclose(x, x), "nonzero": np.nonzero, "unique": np.unique, "mask": lambda x: x[x > 0], "where": np.where,
    "branch on a sum": lambda x: 1 if x.sum() else 0, "index of an array": lambda x: np.zeros(4)[x.astype(np.int64)], "slice": lambda x: [1, 2, 3][: x[0]], "list index": lambda x: [1, 2, 3][x[0]],
    "from_dlpack": np.from_dlpack, "ascontiguousarray": np.ascontiguousarray, "array2string": np.array2string, "tofile": lambda x: x.tofile("/dev/null"), "save": lambda x: np.save("/dev/null", x),
    "round to int": lambda x: round(x[0, 0]).bit_length(), "memory": lambda x: x.data, "interface": lambda x: x.__array_interface__, "pointer": lambda x: x.ctypes.data, "tensor": lambda x: torch.tensor(x),
}  # fmt: skip


def traced():
    program = Program()
    return program.trace(np.array([[0.5, 1.5], [2.5, 3.5]], np.float32))


def is_safe(result):
    """Whether there is nothing in a result but what is noted."""
    if isinstance(result, (tuple, list)):
        return all(map(is_safe, result))
    return result is None or result is NotImplemented or isinstance(result, Traced)


@pytest.mark.parametrize("name", sorted({*dir(np.ndarray)} - ABOUT))
def test_attributes_of_arrays_give_no_element_away(name):
    x = traced()
    try:
        value = getattr(x, name)
    except (AttributeError, Leak):
        return  # it has none, or refuses
    if not callable(value):
        assert is_safe(value), name
        return
    arguments = ARGUMENTS.get(name, ())
    if not arguments and name.startswith("__") and hasattr(operator, name):
        arguments = (
            ()
            if name in ("__neg__", "__pos__", "__abs__", "__invert__", "__index__")
            else (OPERANDS.get(name, x),)
        )
    try:
        result = value(*arguments)
    except (Leak, TypeError, ValueError):
        return
    assert is_safe(list(result) if name == "__iter__" else result), name


@pytest.mark.parametrize("name", READING)
def test_reading_elements_is_refused(name):
    try:
        result = READING[name](traced())
    except (Leak, TypeError, AttributeError, ValueError, BufferError, struct.error):
        return
    assert is_safe(result), result


def test_copies_are_noted():
    x = traced()
    for copied in (copy.copy(x), copy.deepcopy(x)):
        assert isinstance(copied, Traced)
    assert len(x.program.steps) == 2
    assert "0.5" not in repr(x) + str(x) + format(x)
