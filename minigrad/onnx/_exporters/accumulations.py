"""What is accumulated along a dimension: sums, products, extremes."""

import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Value
from ._common import axis_of, result_dtype
from ._registry import exporter
from ._scans import scan
from .arithmetic import logaddexp
from .creation import filled


@exporter("cumsum")
def cumsum(g: Builder, input: Value, dim: int, *, dtype: Any = None) -> Value:
    x = g.cast(input, result_dtype(g))
    if not input.shape:
        return x
    return g.op("CumSum", x, g.constant(axis_of(input, dim), dtypes.int64))


def _accumulated(g, input, dim, first, combine):
    """Each element combined with what is before it."""
    if not input.shape:
        return input
    axis = axis_of(input, dim)
    shape = (*input.shape[:axis], *input.shape[axis + 1 :])

    def step(inner, states, elements):
        new = combine(inner, states[0], elements[0])
        new = Value(new.name, new.dtype, shape)
        return [new], [new]

    return scan(
        g, step, [Value(filled(g, shape, first, input.dtype).name, input.dtype, shape)], [input], axis
    )[1][0]


@exporter("cumprod")
def cumprod(g: Builder, input: Value, dim: int, *, dtype: Any = None) -> Value:
    x = Value(g.cast(input, result_dtype(g)).name, result_dtype(g), input.shape)
    return _accumulated(g, x, dim, 1, lambda g, a, b: g.op("Mul", a, b))


@exporter("logcumsumexp")
def logcumsumexp(g: Builder, input: Value, dim: int) -> Value:
    return _accumulated(g, input, dim, -math.inf, logaddexp)


def _running(g, input, dim, comparison, first):
    """The extremes so far, and where they are: at the last of several."""
    if not input.shape:
        return input, g.constant(0, dtypes.int64)
    axis = axis_of(input, dim)
    shape = (*input.shape[:axis], *input.shape[axis + 1 :])
    wide = [input.shape[i] if i == axis else 1 for i in range(len(input.shape))]
    count = g.constant(input.shape[axis], dtypes.int64)
    numbers = g.op("Range", g.constant(0, dtypes.int64), count, g.constant(1, dtypes.int64))
    numbers = Value(g.op("Reshape", numbers, g.ints(wide)).name, dtypes.int64, tuple(wide))
    places = g.op("Expand", numbers, g.shape_of(input))

    def step(inner, states, elements):
        (best, place), (element, number) = states, elements
        new = inner.op(comparison, element, best, dtype=dtypes.bool_)
        if input.dtype.is_floating_point:  # NaN stays
            new = inner.op("Or", new, inner.op("IsNaN", element, dtype=dtypes.bool_))
            kept = inner.op("IsNaN", best, dtype=dtypes.bool_)
            fresh = inner.op("Or", inner.op("Not", kept), inner.op("IsNaN", element, dtype=dtypes.bool_))
            new = inner.op("And", new, fresh)
        chosen = inner.where(new, element, best), inner.where(new, number, place)
        now = [Value(x.name, x.dtype, shape) for x in chosen]
        return now, now

    start = Value(filled(g, shape, first, input.dtype).name, input.dtype, shape)
    zeros = Value(filled(g, shape, 0, dtypes.int64).name, dtypes.int64, shape)
    sequences = [input, Value(places.name, dtypes.int64, input.shape)]
    return tuple(scan(g, step, [start, zeros], sequences, axis)[1])


def _least(dtype):
    return -math.inf if dtype.is_floating_point else _api.iinfo(dtype).min


def _most(dtype):
    return math.inf if dtype.is_floating_point else _api.iinfo(dtype).max


@exporter("cummax")
def cummax(g: Builder, input: Value, dim: int) -> Any:
    return _running(g, input, dim, "GreaterOrEqual", _least(input.dtype))


@exporter("cummin")
def cummin(g: Builder, input: Value, dim: int) -> Any:
    return _running(g, input, dim, "LessOrEqual", _most(input.dtype))
