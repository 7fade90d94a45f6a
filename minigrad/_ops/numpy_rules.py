"""What the rules for NumPy's functions are made with: where they are entered, and how arguments become tensors.

A rule has NumPy's names of arguments; what it does not name is refused (``numpy_protocol.py``).  It is made of methods of tensors, so that it holds for every
derivative and inside every transform.
"""

import inspect
from collections.abc import Callable

import numpy as np

from .._core.tensor import Tensor, of_array
from . import join
from .operands import as_common_tensors

__all__ = []

#: NumPy's function -> its rule.  ``rule.names`` are the arguments that it takes.
FUNCTIONS: dict[Callable, Callable] = {}


def of(*known):
    """Enter a rule for functions of NumPy's."""

    def enter(rule):
        rule.names = frozenset(inspect.signature(rule).parameters)
        FUNCTIONS.update(dict.fromkeys(known, rule))
        return rule

    return enter


def tensor(x, like=None):
    """``x``, whatever NumPy takes for an array, as a tensor; numbers take the dtype that they have beside ``like``."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, (list, tuple)) and any(isinstance(part, (Tensor, list, tuple)) for part in x):
        return join.stack(common([tensor(part) for part in x]))
    if like is not None and isinstance(x, (bool, int, float, complex)):
        return as_common_tensors(like, x)[1]
    return of_array(np.asarray(x))


def common(xs):
    """Tensors of one dtype, for what does not promote by itself."""
    xs = [tensor(x) for x in xs]
    found = np.result_type(*[x._array.dtype for x in xs])
    dtype = next((x.dtype for x in xs if x._array.dtype == found), None) or of_array(np.empty(0, found)).dtype
    return [x.to(dtype) for x in xs]


def cast(x, dtype):
    """``x`` as a tensor, of NumPy's ``dtype`` if one is given."""
    x = tensor(x)
    return x if dtype is None else x.to(of_array(np.empty(0, dtype)).dtype)


def axes_of(x, axis):
    """An axis, several, or None for all, as a tuple."""
    return tuple(range(x.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def as_one(x, axis, keepdims):
    """``(x, dim, restore)``: the axes moved together into one, and what puts the axes of a result that lost ``dim`` right."""
    axes = [a % x.ndim for a in axes_of(x, axis)] if x.ndim else []
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [1 if a in axes else n for a, n in enumerate(x.shape)]
    one = x.permute(*kept, *axes).reshape((*[x.shape[a] for a in kept], -1)) if x.ndim else x.reshape(1)
    return one, -1, (lambda z: z.reshape((*z.shape[: z.ndim - len(kept)], *shape))) if keepdims else (lambda z: z)


def flat(a, axis):
    """``(a, axis)``, where no axis means all as one."""
    a = tensor(a)
    return (a.reshape(-1), 0) if axis is None else (a, axis)
