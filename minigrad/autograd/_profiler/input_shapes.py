"""Inputs of operators as a profile shows them: shape, strides, the name of the type, the value where it is a plain one."""

import numbers
from typing import Any, NamedTuple

import numpy as np

from ..._base.dtypes import from_numpy_dtype
from ..._core.tensor import Tensor

#: The dtype's name -> the type's name in C++.
_TYPES = {
    "float32": "float",
    "float64": "double",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "bool",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


class Input(NamedTuple):
    """One input: lists of the shape and the strides, or a pair of lists of such for a sequence of tensors."""

    shape: list[Any]
    strides: list[Any]
    type: str
    value: Any = None


def snapshot(x):
    """What ``describe`` needs of an input, to be described later: plain values, which the garbage collector leaves alone."""
    if isinstance(x, Tensor):
        x = x._array
    elif not isinstance(x, np.ndarray):
        return None, None, describe(x) if isinstance(x, (list, tuple)) else x
    return x.shape, x.strides, x.dtype


def read(shape, strides, dtype):
    """What ``describe`` says of an input, from what ``snapshot`` said of it."""
    if shape is None:
        return dtype if isinstance(dtype, Input) else describe(dtype)
    name = str(from_numpy_dtype(dtype)).rpartition(".")[2]
    itemsize = dtype.itemsize or 1
    return Input(list(shape), [s // itemsize for s in strides], _TYPES.get(name, name))


def describe(x: Any) -> Any:
    """What a profile shows of one input."""
    if isinstance(x, (Tensor, np.ndarray)):
        return read(*snapshot(x))
    if isinstance(x, (list, tuple)):
        if any(isinstance(item, Tensor) for item in x):
            parts = [describe(item) for item in x]
            return Input([p.shape for p in parts], [p.strides for p in parts], "TensorList")
        only_numbers = all(isinstance(item, (numbers.Number, np.generic)) for item in x)
        return Input([], [], "ScalarList" if only_numbers else "", list(x) if only_numbers else None)
    if isinstance(x, (bool, numbers.Number, np.generic)):
        return Input([], [], "Scalar", x.item() if isinstance(x, np.generic) else x)
    return Input([], [], "")
