"""Sorting and what is largest."""

from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import axis_of, promoted
from ._registry import exporter


def _top(g, x, count, axis, largest):
    scalar = not x.shape
    taken = g.unsqueeze(x, 0) if scalar else x
    values, places = g.op(
        "TopK",
        taken,
        g.ints([count]),
        axis=axis,
        largest=int(largest),
        sorted=1,
        outputs=2,
        dtypes=(x.dtype, dtypes.int64),
    )
    return (g.squeeze(values, 0), g.squeeze(places, 0)) if scalar else (values, places)


@exporter("topk")
def topk(g: Builder, input: Value, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    return _top(g, input, k, axis_of(input, dim), largest)


@exporter("sort", "msort")
def sort(g: Builder, input: Value, dim: int = -1, descending: bool = False, *, stable: Any = False) -> Any:
    axis = 0 if g.operator == "aten::msort" else axis_of(input, dim)
    values, places = _top(g, input, input.shape[axis] if input.shape else 1, axis, descending)
    return values if g.operator == "aten::msort" else (values, places)


@exporter("argsort")
def argsort(
    g: Builder, input: Value, dim: int = -1, descending: bool = False, *, stable: bool = False
) -> Value:
    axis = axis_of(input, dim)
    return _top(g, input, input.shape[axis] if input.shape else 1, axis, descending)[1]


@exporter("kthvalue")
def kthvalue(g: Builder, input: Value, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    return _kth(g, input, k, dim, keepdim)


def _kth(g, input, k, dim, keepdim):
    axis = axis_of(input, dim)
    found = [g.slice(part, axis, k - 1, k) for part in _top(g, input, k, axis, False)]
    return tuple(found if keepdim else [g.squeeze(part, axis) for part in found])


@exporter("median")
def median(g: Builder, input: Value, dim: Any = None, keepdim: bool = False) -> Any:
    if dim is None:
        count: Any = 1
        for size in input.shape:
            count = count * size
        flat = Value(g.op("Reshape", input, g.ints([-1])).name, input.dtype, (count,))
        return _kth(g, flat, (count + 1) // 2, 0, False)[0]
    return _kth(g, input, (input.shape[axis_of(input, dim)] + 1) // 2, dim, keepdim)


@exporter("unique", "_unique2")
def unique(
    g: Builder,
    input: Value,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    axis = None if dim is None else axis_of(input, dim)
    values, _, inverse, counts = g.op(
        "Unique",
        input,
        axis=axis,
        sorted=1,
        outputs=4,
        dtypes=(input.dtype, dtypes.int64, dtypes.int64, dtypes.int64),
    )
    if dim is None and return_inverse:
        inverse = g.op("Reshape", inverse, g.shape_of(input))
    found = [values, *[inverse] * return_inverse, *[counts] * return_counts]
    return found[0] if len(found) == 1 else tuple(found)


@exporter("searchsorted")
def searchsorted(
    g: Builder,
    sorted_sequence: Value,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: Any = None,
    sorter: Any = None,
) -> Value:
    """How many of the sequence are less, or not greater, than each; all for NaN, which is sorted last."""
    if sorter is not None:
        sorted_sequence = Value(
            g.op("GatherElements", sorted_sequence, sorter, axis=-1).name,
            sorted_sequence.dtype,
            sorted_sequence.shape,
        )
    dtype = promoted(sorted_sequence, input)
    if dtype is not sorted_sequence.dtype and not sorted_sequence.dtype.is_floating_point:
        dtype = dtypes.float64  # whole numbers stay apart
    sorted_sequence, values = (
        Value(g.cast(sorted_sequence, dtype).name, dtype, sorted_sequence.shape),
        g.constant(input, dtype),
    )
    rank = len(input.shape) if isinstance(input, Value) else 0
    upper = right or side == "right"
    row = (
        g.unsqueeze(sorted_sequence, len(sorted_sequence.shape) - 1)
        if len(sorted_sequence.shape) > 1
        else sorted_sequence
    )
    above = g.op(
        "Greater" if upper else "GreaterOrEqual",
        row,
        g.unsqueeze(values, rank) if rank or isinstance(input, Value) else values,
        dtype=dtypes.bool_,
    )
    return g.reduce("ReduceSum", g.cast(g.op("Not", above), dtypes.int64), [-1], False)


@exporter("bucketize")
def bucketize(
    g: Builder, input: Any, boundaries: Value, *, out_int32: bool = False, right: bool = False
) -> Value:
    return searchsorted(g, boundaries, input, right=right)
