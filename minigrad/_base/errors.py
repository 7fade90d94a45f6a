"""Messages that more than one place needs, in PyTorch's words.

Each function returns an exception; the caller raises it, so that the traceback ends where the mistake was found.
"""

import math
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from .mixing import refuse_pytorch
from .publishing import publish

NO_REWARD = "differentiating stochastic functions requires providing a reward"
SECOND_BACKWARD = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)


def type_name(value: Any) -> Any:
    """How PyTorch's messages name the type of an argument; raises TypeError for a tensor of PyTorch, which has the same name as ours."""
    refuse_pytorch(value)
    cls = type(value)
    if cls.__module__ == "numpy":
        return f"numpy.{cls.__name__}"
    if hasattr(cls, "_implementation") or getattr(cls, "_is_sparse", False):  # a tensor like any other
        return "Tensor"
    return cls.__name__


def not_a_tensor(function: Callable[..., Any], argument: Any, position: Any, value: Any) -> Any:
    """A wrong argument where a Tensor is expected."""
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be Tensor, not {type_name(value)}"
    )


#: What arguments are to be that are no tensors.
_KINDS = {"dtype": "torch.dtype", "dim": "int", "generator": "torch.Generator", "device": "torch.device"}


def refuse_kind(function, arguments, error):
    """Raise TypeError if ``error`` is about an attribute that one of the arguments (name -> value) has not: it is of the wrong kind.

    A tensor that lacks an attribute is another matter.
    """
    missed = error.obj
    if hasattr(missed, "__torch_function__"):
        return
    for position, (name, value) in enumerate(arguments.items(), 1):
        is_missed = value is missed or (isinstance(value, np.ndarray) and value.dtype is missed)
        if is_missed or isinstance(
            value, ModuleType
        ):  # modules, which import names lazily, tell other objects
            kind = _KINDS.get(name, "Tensor")
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be {kind}, not {type_name(value)}"
            ) from None
        if isinstance(value, tuple | list):
            for place, element in enumerate(value):
                if element is missed:
                    raise TypeError(
                        f"expected Tensor as element {place} in argument {position - 1}, but got {type_name(element)}"
                    ) from None


def check_sizes(shape_a, shape_b):
    """Raise RuntimeError for two shapes that do not broadcast, named at the last dimension where they differ."""
    for back in range(1, min(len(shape_a), len(shape_b)) + 1):
        a, b = shape_a[-back], shape_b[-back]
        if a != b and a != 1 and b != 1:
            dim = max(len(shape_a), len(shape_b)) - back
            raise RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
            ) from None


def broadcast_shapes(shapes):
    """The shape that shapes broadcast to; raises RuntimeError where they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        so_far = ()
        for shape in shapes:
            check_sizes(so_far, shape)
            so_far = np.broadcast_shapes(so_far, shape)
        raise


def dim_out_of_range(dim, ndim):
    """An axis that a tensor of ``ndim`` dimensions does not have."""
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")


def axis(dim, ndim):
    """``dim`` counted from the front; a 0-dim tensor counts as having one axis. Raises IndexError out of range."""
    n = ndim or 1
    if -n <= dim < n:
        return dim + n if dim < 0 else dim
    raise dim_out_of_range(dim, ndim)


def integer(value, function, argument, position):
    """An argument that must be an int, as an int (of any type that has ``__index__``); raises PyTorch's TypeError, ValueError beyond 64 bits."""
    if not isinstance(value, bool) and not isinstance(value, np.ndarray):
        try:
            found = operator.index(value)
        except TypeError:
            pass
        else:
            if -(2**63) <= found < 2**63:
                return found
            raise ValueError("Overflow when unpacking long long")
    raise TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be int, not {type_name(value)}"
    ) from None


def either_name(function, dim, axis, names=("dim", "axis")):
    """An argument that goes by either of two names; raises TypeError if neither or both are given."""
    if dim is None is not axis:
        return axis
    if axis is not None:
        raise TypeError(f"{function}() got an unexpected keyword argument '{names[1]}'")
    raise TypeError(f'{function}() missing 1 required positional arguments: "{names[0]}"')


def flag(value, function, argument, position):
    """An argument that must be True or False; raises PyTorch's TypeError for anything else, also for what is merely true."""
    if value is True or value is False:
        return value
    raise TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be bool, not {type_name(value)}"
    )


def check_integer_range(value):
    """Raise PyTorch's OverflowError for an integer that neither int64 nor uint64 holds."""
    if not -(2**63) <= value < 2**64:
        raise OverflowError(
            "can't convert negative int to unsigned" if value < 0 else "int too big to convert"
        )


def shape_text(shape):
    """``[2, 3]`` for a shape, as PyTorch prints sizes in messages."""
    return "[" + ", ".join(map(str, shape)) + "]"


def too_large(error, sizes=()):
    """What to raise for an array of ``sizes`` that memory does not hold, as NumPy says by ``error``: programs that try again with less wait for RuntimeError."""
    if isinstance(error, ValueError):
        return RuntimeError(f"Storage size calculation overflowed with sizes={shape_text(sizes)}")
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    asked = "" if shape is None else f": you tried to allocate {math.prod(shape) * dtype.itemsize} bytes"
    return RuntimeError(
        f"DefaultCPUAllocator: can't allocate memory{asked}. Error code 12 (Cannot allocate memory)"
    )


class OutOfMemoryError(RuntimeError):
    """The error that PyTorch raises when an accelerator runs out of memory. minigrad never raises it; programs may catch it."""


class AcceleratorError(RuntimeError):
    """The error that PyTorch raises when an accelerator fails. minigrad never raises it; programs may catch it."""


publish("minigrad", OutOfMemoryError, AcceleratorError)
