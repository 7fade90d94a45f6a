"""Sums, products, extremes and norms over axes."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ...linalg import vector_norm
from ._values import ints


def _reduce(function, x, axes, keepdims, noop, empty=None):
    """A reduction over axes; over all of them where none are given, unless those mean that nothing is done."""
    axes = ints(axes)
    if not axes:
        if noop:
            return None
        axes = list(range(x.dim()))
    if not x.dim():
        return function(x.reshape(1), [0], False)
    axes = [axis % x.dim() for axis in axes]
    if empty is not None and any(x.shape[axis] == 0 for axis in axes):  # of no numbers
        shape = [
            1 if dim in axes else size for dim, size in enumerate(x.shape) if keepdims or dim not in axes
        ]
        return mg.full(shape, empty, dtype=x.dtype)
    return function(x, axes, bool(keepdims))


def ReduceSum(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(_sum, x, axes, keepdims, noop_with_empty_axes)
    return x if result is None else result


def ReduceMean(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(_mean, x, axes, keepdims, noop_with_empty_axes)
    return x if result is None else result


def ReduceProd(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(_product, x, axes, keepdims, noop_with_empty_axes)
    return x if result is None else result


def ReduceMax(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(mg.amax, x, axes, keepdims, noop_with_empty_axes, _extreme(x, -1))
    return x if result is None else result


def ReduceMin(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(mg.amin, x, axes, keepdims, noop_with_empty_axes, _extreme(x, 1))
    return x if result is None else result


def ReduceSumSquare(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(
        lambda x, axes, keepdim: _sum(x * x, axes, keepdim), x, axes, keepdims, noop_with_empty_axes
    )
    return x * x if result is None else result


def ReduceL1(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(
        lambda x, axes, keepdim: _sum(x.abs(), axes, keepdim), x, axes, keepdims, noop_with_empty_axes
    )
    return x.abs() if result is None else result


def ReduceL2(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(_norm, x, axes, keepdims, noop_with_empty_axes)
    return x.abs() if result is None else result


def ReduceLogSum(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(
        lambda x, axes, keepdim: mg.log(_sum(x, axes, keepdim)), x, axes, keepdims, noop_with_empty_axes
    )
    return mg.log(x) if result is None else result


def ReduceLogSumExp(x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    result = _reduce(
        mg.logsumexp, x, axes, keepdims, noop_with_empty_axes, -math.inf if x.is_floating_point() else None
    )
    return x if result is None else result


def ArgMax(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    return _place(mg.argmax, x, axis, keepdims, select_last_index)


def ArgMin(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    return _place(mg.argmin, x, axis, keepdims, select_last_index)


def _place(function, x, axis, keepdims, last):
    if last:
        return x.shape[axis] - 1 - function(mg.flip(x, [axis]), axis, keepdim=bool(keepdims))
    return function(x, axis, keepdim=bool(keepdims))


def _sum(x, axes, keepdim):
    return mg.sum(x, axes, keepdim, dtype=x.dtype)


def _mean(x, axes, keepdim):
    if x.is_floating_point():
        return mg.mean(x, axes, keepdim)
    count = math.prod(x.shape[axis] for axis in axes)
    return mg.div(_sum(x, axes, keepdim), count, rounding_mode="trunc")


def _norm(x, axes, keepdim):
    if x.is_floating_point():
        return vector_norm(x, 2, axes, keepdim)
    return mg.sqrt(_sum(x * x, axes, keepdim)).to(x.dtype)


def _product(x, axes, keepdim):
    for axis in sorted(axes, reverse=True):
        x = mg.prod(x, axis, keepdim, dtype=x.dtype)
    return x


def _extreme(x, sign):
    """What the greatest (-1) or the least (1) of no numbers is."""
    if x.is_floating_point():
        return sign * math.inf
    if x.dtype is dtypes.bool_:
        return sign > 0
    limits = mg.iinfo(x.dtype)
    return limits.max if sign > 0 else limits.min
