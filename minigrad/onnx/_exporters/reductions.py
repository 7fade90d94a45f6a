"""Sums, means, extremes and norms."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import axes_of, axis_of, refuse, result_dtype
from ._registry import exporter


def _count(input, axes):
    """How many elements are reduced to one: a number or a size."""
    count: Any = 1
    for axis in range(len(input.shape)) if axes is None else axes:
        count = count * input.shape[axis]
    return count


@exporter("sum", "nansum")
def sum_(g: Builder, input: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    if g.operator == "aten::nansum":
        input = g.where(g.op("IsNaN", input, dtype=dtypes.bool_), 0, input)
    return g.reduce("ReduceSum", g.cast(input, result_dtype(g)), axes_of(input, dim), keepdim)


@exporter("mean")
def mean(g: Builder, input: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    return g.reduce("ReduceMean", g.cast(input, result_dtype(g)), axes_of(input, dim), keepdim)


@exporter("nanmean")
def nanmean(g: Builder, input: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    missing = g.op("IsNaN", input, dtype=dtypes.bool_)
    axes = axes_of(input, dim)
    total = g.reduce("ReduceSum", g.where(missing, 0, input), axes, keepdim)
    count = g.reduce("ReduceSum", g.cast(g.op("Not", missing), input.dtype), axes, keepdim)
    return g.op("Div", total, count)


@exporter("dist")
def dist(g: Builder, input: Value, other: Value, p: Any = 2) -> Value:
    return vector_norm(g, g.op("Sub", input, other), p, None, False)


@exporter("prod")
def prod(g: Builder, input: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    return g.reduce("ReduceProd", g.cast(input, result_dtype(g)), axes_of(input, dim), keepdim)


@exporter("logsumexp")
def logsumexp(g: Builder, input: Value, dim: Any, keepdim: bool = False) -> Value:
    """With the largest taken out, so that nothing overflows."""
    axes = axes_of(input, dim)
    most = g.reduce("ReduceMax", input, axes, True)
    finite = g.op("Not", g.op("IsInf", most, dtype=dtypes.bool_))
    most = g.where(finite, most, 0)
    total = g.op("Log", g.reduce("ReduceSum", g.op("Exp", g.op("Sub", input, most)), axes, True))
    found = g.op("Add", total, most)
    return found if keepdim else g.squeeze(found, *(axes or range(len(input.shape))))


def _extreme(g, kind, arg, input, dim, keepdim):
    as_numbers = g.cast(input, dtypes.int32) if input.dtype is dtypes.bool_ else input
    if dim is None:
        return g.cast(g.reduce(kind, as_numbers), input.dtype)
    if not input.shape:
        return input, g.constant(0, dtypes.int64)
    axis = axis_of(input, dim)
    values = g.cast(g.reduce(kind, as_numbers, [axis], keepdim), input.dtype)
    places = g.op(arg, as_numbers, axis=axis, keepdims=int(keepdim), dtype=dtypes.int64)
    return values, places


@exporter("max")
def max_(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Any:
    from .arithmetic import maximum

    if isinstance(dim, Value):
        return maximum(g, input, dim)
    return _extreme(g, "ReduceMax", "ArgMax", input, dim, keepdim)


@exporter("min")
def min_(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Any:
    from .arithmetic import minimum

    if isinstance(dim, Value):
        return minimum(g, input, dim)
    return _extreme(g, "ReduceMin", "ArgMin", input, dim, keepdim)


def _several(g, kind, input, dim, keepdim):
    numbers = g.cast(input, dtypes.int32) if input.dtype is dtypes.bool_ else input
    return g.cast(g.reduce(kind, numbers, axes_of(input, dim), keepdim), input.dtype)


@exporter("amax")
def amax(g: Builder, input: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return _several(g, "ReduceMax", input, dim, keepdim)


@exporter("amin")
def amin(g: Builder, input: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return _several(g, "ReduceMin", input, dim, keepdim)


@exporter("aminmax")
def aminmax(g: Builder, input: Value, *, dim: Any = None, keepdim: bool = False) -> Any:
    return _several(g, "ReduceMin", input, dim, keepdim), _several(g, "ReduceMax", input, dim, keepdim)


def _arg(g, kind, input, dim, keepdim):
    if input.dtype is dtypes.bool_:
        input = Value(g.cast(input, dtypes.int32).name, dtypes.int32, input.shape)
    if dim is None or not input.shape:
        flat = g.op("Reshape", input, g.ints([-1]))
        place = g.op(kind, flat, axis=0, keepdims=0, dtype=dtypes.int64)
        return g.op("Reshape", place, g.ints([1] * len(input.shape))) if keepdim else place
    return g.op(kind, input, axis=axis_of(input, dim), keepdims=int(keepdim), dtype=dtypes.int64)


@exporter("argmax")
def argmax(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Value:
    return _arg(g, "ArgMax", input, dim, keepdim)


@exporter("argmin")
def argmin(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Value:
    return _arg(g, "ArgMin", input, dim, keepdim)


@exporter("all")
def all_(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Value:
    numbers = g.cast(g.cast(input, dtypes.bool_), dtypes.int32)
    return g.cast(g.reduce("ReduceMin", numbers, axes_of(input, dim), keepdim), dtypes.bool_)


@exporter("any")
def any_(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Value:
    numbers = g.cast(g.cast(input, dtypes.bool_), dtypes.int32)
    return g.cast(g.reduce("ReduceMax", numbers, axes_of(input, dim), keepdim), dtypes.bool_)


@exporter("count_nonzero")
def count_nonzero(g: Builder, input: Value, dim: Any = None) -> Value:
    numbers = g.cast(g.cast(input, dtypes.bool_), dtypes.int64)
    return g.reduce("ReduceSum", numbers, axes_of(input, dim), False)


# Spread ------------------------------------------------------------------------------------------------------------------


def _variance(g, input, dim, unbiased, correction, keepdim):
    if isinstance(dim, bool):  # var(unbiased) of everything
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    axes = axes_of(input, dim)
    middle = g.reduce("ReduceMean", input, axes, True)
    gap = g.op("Sub", input, middle)
    total = g.reduce("ReduceSum", g.op("Mul", gap, gap), axes, keepdim)
    left = _count(input, axes) - correction
    found = g.op("Div", total, g.constant(left, input.dtype))
    return found, (
        middle if keepdim or not input.shape else g.squeeze(middle, *(axes or range(len(input.shape))))
    )


@exporter("var")
def var(
    g: Builder,
    input: Value,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Value:
    return _variance(g, input, dim, unbiased, correction, keepdim)[0]


@exporter("std")
def std(
    g: Builder,
    input: Value,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Value:
    return g.op("Sqrt", _variance(g, input, dim, unbiased, correction, keepdim)[0])


@exporter("var_mean")
def var_mean(
    g: Builder,
    input: Value,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    return _variance(g, input, dim, unbiased, correction, keepdim)


@exporter("std_mean")
def std_mean(
    g: Builder,
    input: Value,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    spread, middle = _variance(g, input, dim, unbiased, correction, keepdim)
    return g.op("Sqrt", spread), middle


# Norms -------------------------------------------------------------------------------------------------------------------


def vector_norm(g: Builder, x: Value, order: Any, axes: Any, keepdim: bool) -> Value:
    """The norm of vectors: of order 1, 2, infinity or any other number."""
    if order == 2:
        return g.reduce("ReduceL2", x, axes, keepdim)
    size = g.op("Abs", x)
    if order == 1:
        return g.reduce("ReduceSum", size, axes, keepdim)
    if order in (math.inf, -math.inf):
        return g.reduce("ReduceMax" if order > 0 else "ReduceMin", size, axes, keepdim)
    if order == 0:
        return g.reduce("ReduceSum", g.cast(g.cast(x, dtypes.bool_), x.dtype), axes, keepdim)
    total = g.reduce("ReduceSum", g.op("Pow", size, float(order)), axes, keepdim)
    return g.op("Pow", total, 1 / order)


@exporter("norm")
def norm(
    g: Builder, input: Value, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Value:
    if p is None or p == "fro":
        p = 2
    if isinstance(p, str):
        raise refuse(f"norm with p={p!r}")
    return vector_norm(g, g.cast(input, result_dtype(g)), p, axes_of(input, dim), keepdim)


@exporter("linalg_vector_norm")
def linalg_vector_norm(
    g: Builder, x: Value, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    return vector_norm(g, g.cast(x, result_dtype(g)), ord, axes_of(x, dim), keepdim)


@exporter("linalg_norm")
def linalg_norm(
    g: Builder, A: Value, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    x, axes = g.cast(A, result_dtype(g)), axes_of(A, dim)
    matrix = len(axes) == 2 if axes is not None else len(A.shape) == 2 and ord is not None
    if matrix and ord not in (None, "fro"):
        raise refuse(f"linalg.norm of matrices with ord={ord!r}")
    return vector_norm(g, x, 2 if ord in (None, "fro") else ord, axes, keepdim)
