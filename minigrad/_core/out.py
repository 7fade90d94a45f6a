"""``out=``: results written into tensors that are there already.

A function that a family makes carries ``into``: ``_softmax.into(out, input, dim)`` is ``_softmax(input, dim)``, written into ``out``.  A function that calls several ops says
``write_out(out, function, ...)``.  So ``out=`` is a matter of one line, which costs nothing where none is given:

    return _softmax(input, dim) if out is None else _softmax.into(out, input, dim)
"""

import warnings

import numpy as np

from .._arrays.rounding import fitted
from .._arrays.unresolved import resolved, seen_as, stored
from .._base import dtypes, return_types
from .._base.callers import level_of_user
from .._base.dtypes import c_name
from .._base.errors import shape_text, type_name
from . import late
from .modes import thread_state
from .overriding import ask_operands, operand_met
from .storage import INFERENCE, check_overlap
from .tensor import Tensor, as_class, bump, inference_write, is_blank


def into(call, out, *args):
    """Write what ``call(*args)`` returns into ``out``: a tensor, or a tuple of them for an op of several results; returns ``out``.

    ``call`` is the function of an op (``named`` makes this its method), which says what is asked of ``out``: ``out_dtype``, and whether it has a gradient at all.
    """
    cls = call.op
    if out.__class__ is not Tensor and operand_met(out):
        return ask_operands(call, args, {"out": out})
    operands = args[0] if cls.variadic else args[: cls.plan.arity]
    name = call.__name__
    if len(cls.plan.results) > 1:
        return _fill_several(out, name, operands, call, args, {})
    if cls.out_dtype == "refused":
        raise TypeError(f"{name}() got an unexpected keyword argument 'out'")
    check_out(out, name, operands, cls.never_recorded or any(cls.plan.formulas))
    if cls.out_dtype == "operand":
        check_operand_dtype(out, operands[0])
    result = call(*args)
    if cls.out_dtype == "result":
        check_result_dtype(out, result)
    return fill_out(out, result, name)


def write_out(out, function, /, *args, named=None, **kwargs):
    """Write ``function(*args, **kwargs)`` into ``out``, which is returned; errors call the function by its name, or ``named``.

    Raises TypeError unless ``out`` is a tensor, and RuntimeError if a gradient is wanted, or for a result of a dtype that ``out`` can't hold.
    """
    if out.__class__ is not Tensor and operand_met(out):
        return ask_operands(function, args, {**kwargs, "out": out})
    name = named or function.__name__.lstrip("_")
    check_out(out, name, (*args, *kwargs.values()))
    return fill_out(out, function(*args, **kwargs), name)


def write_out_same(out, function, /, *args, named=None, **kwargs):
    """Like ``write_out``, for functions whose ``out`` has to have the result's dtype."""
    name = named or function.__name__.lstrip("_")
    check_out(out, name, (*args, *kwargs.values()))
    result = function(*args, **kwargs)
    check_result_dtype(out, result)
    return fill_out(out, result, name)


def write_outs(out, function, /, *args, named=None, same=True, **kwargs):
    """Like ``write_out_same``, for a tuple of results and one of tensors; returns that under the results' names, if they have any.

    Unless they have to be the ``same``, dtypes are only to hold those of the results.
    """
    name = named or function.__name__.lstrip("_")
    return _fill_several(out, name, (*args, *kwargs.values()), function, args, kwargs, same)


def write_result(out, result, name):
    """Like ``write_out``, for a result that is there already."""
    check_out(out, name, (result,))
    return fill_out(out, result, name)


def check_operand_dtype(out, x):
    """Raise RuntimeError unless ``out`` has the dtype of the operand ``x``: what the ops ask for that compute in no other."""
    if not isinstance(x, Tensor):
        return  # which the op itself refuses
    wanted = dtypes.from_numpy_dtype(x._array.dtype)
    if wanted.category == dtypes.COMPLEX and isinstance(out, Tensor) and not out.is_complex():
        return  # the absolute value, or PyTorch's other words for what cannot be written
    if isinstance(out, Tensor) and out.dtype is not wanted:
        found, expected = dtypes.scalar_type_name(out.dtype), dtypes.scalar_type_name(wanted)
        raise RuntimeError(f"Found dtype {found} but expected {expected}")


def check_result_dtype(out, result):
    """Raise RuntimeError unless ``out`` has the dtype of ``result``."""
    if isinstance(out, Tensor) and out.dtype is not result.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {c_name(result.dtype)}, but got {c_name(out.dtype)} instead"
        )


def check_out(out, name, operands, differentiable=True):
    """Raise unless ``out`` is a tensor and no gradient is wanted, which only an op that has none may overlook."""
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(out)}")
    if out._wrapped:
        raise out._no_out(name)
    wanted = out.requires_grad or any(isinstance(x, Tensor) and x.requires_grad for x in operands)
    if wanted and differentiable and thread_state.recording and not thread_state.inference:
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )


def _fill_several(out, name, operands, function, args, kwargs, same=True):
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"{name}(): argument 'out' must be tuple of Tensors, not {type_name(out)}")
    count = len(function.op.plan.results) if hasattr(function, "op") else len(out)
    if len(out) != count:
        raise TypeError(f"expected tuple of {count} elements but got {len(out)}")
    if out:
        check_out(out[0], name, operands)
    results = tuple(function(*args, **kwargs))
    if len(out) != len(results):
        raise TypeError(f"expected tuple of {len(results)} elements but got {len(out)}")
    for part, result in zip(out, results) if same else ():
        check_result_dtype(part, result)
    filled = []
    for nr, (part, result) in enumerate(zip(out, results)):
        if nr:
            check_out(part, name, ())
        filled.append(fill_out(part, result, name))
    kind = getattr(return_types, name + "_out") if name in return_types.FIELDS else tuple
    return tuple.__new__(kind, filled)


def fill_out(out, result, name):
    """Write tensor ``result`` into ``out``, which takes on its shape; returns ``out``, as ``result``'s subclass of Tensor if it is not of that."""
    if result._wrapped:
        raise result._no_out(name)
    if result is out:  # what the form for sparse tensors has written
        return out
    if out.__class__ is not Tensor and getattr(out, "_is_sparse", False):
        raise late.sparse().refusal(f"{name}.out", out._array)
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(out)}")
    if out._storage is INFERENCE and not thread_state.inference:
        raise inference_write()
    if thread_state.before_write is not None:
        thread_state.before_write(out)
    check_overlap(out)
    if not dtypes.can_cast(result.dtype, out.dtype):
        raise RuntimeError(
            f"result type {dtypes.scalar_type_name(result.dtype)} can't be cast to the desired output type "
            f"{dtypes.scalar_type_name(out.dtype)}"
        )
    shape = result._array.shape
    if out._array.shape != shape:
        if out._array.size:
            warnings.warn(
                f"An output with one or more elements was resized since it had shape {shape_text(out._array.shape)}, which "
                f"does not match the required output shape {shape_text(shape)}. Resizing it is deprecated: give an `out` of "
                "the right shape, or empty it first with out.resize_(0).",
                stacklevel=level_of_user(),
            )
        blank = is_blank(out._array)
        memory = stored(out._array)
        out._array = seen_as(
            out._array, type(memory)(shape, memory.dtype) if blank else np.empty(shape, memory.dtype)
        )
    if is_blank(result._array) is not is_blank(out._array):
        raise RuntimeError(
            f"Attempting to copy from device {result.device} to device {out.device}, but cross-device copies are not allowed!"
        )
    out._array[...] = (
        result._array if is_blank(out._array) else fitted(resolved(result._array), out._array.dtype)
    )
    bump(out)
    return out_as(out, result.__class__)


def out_as(out, cls):
    """``out``, or, where ``cls`` is a subclass that it is not of, the same tensor as an object of that."""
    return out if isinstance(out, cls) else as_class(out, cls)
