"""Indexing, gathering and scattering."""

import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Size, Value
from ..errors import UnsupportedOperatorError
from ._common import axis_of, refuse, result_shape
from ._registry import exporter
from .shapes import numel


def _full(index, rank):
    """An index as a list with one entry for each dimension, and None where one is inserted."""
    items = [*index] if isinstance(index, tuple) else [index]
    taken = sum(
        len(x.shape) if _is_mask(x) else 0 if x is None or x is Ellipsis or isinstance(x, bool) else 1
        for x in items
    )
    if not any(x is Ellipsis for x in items):
        items.append(Ellipsis)
    place = next(i for i, x in enumerate(items) if x is Ellipsis)
    return [*items[:place], *[slice(None)] * (rank - taken), *items[place + 1 :]]


def _is_mask(x):
    return isinstance(x, Value) and x.dtype in (dtypes.bool_, dtypes.uint8)


def _as_value(g, x):
    if isinstance(x, list):
        return g.constant(_api.tensor(x))
    return x


@exporter("getitem")
def getitem(g: Builder, input: Value, index: Any) -> Value:
    items = _full(
        tuple([_as_value(g, x) for x in index]) if isinstance(index, tuple) else _as_value(g, index),
        len(input.shape),
    )
    x = input
    starts, stops, axes, steps = [], [], [], []
    axis = 0
    for item in items:
        if item is None:
            continue
        if isinstance(item, slice) and (item.start, item.stop, item.step) != (None, None, None):
            starts.append(0 if item.start is None else item.start)
            stops.append(2**62 if item.stop is None else item.stop)
            steps.append(1 if item.step is None else item.step)
            axes.append(axis)
        axis += len(item.shape) if _is_mask(item) else 1
    if axes:
        x = g.op("Slice", x, g.ints(starts), g.ints(stops), g.ints(axes), g.ints(steps))
    kept: list[
        Any
    ] = []  # for each dimension that is left: None for a new one, a value for an index, else "as it is"
    place = 0
    for item in items:
        if item is None:
            x = g.unsqueeze(x, place)
            kept.append(None)
        elif isinstance(item, bool):
            raise refuse("True or False as an index")
        elif isinstance(item, (int, Size)):
            x = g.op("Gather", x, g.constant(item, dtypes.int64), axis=place)
            continue
        elif _is_mask(item):
            kept += _places(g, item)
            place += len(item.shape)
            continue
        elif isinstance(item, Value):
            kept.append(item)
        else:
            kept.append("as it is")
        place += 1
    advanced = [i for i, item in enumerate(kept) if isinstance(item, Value)]
    if not advanced:
        return x
    if (
        any(isinstance(item, (int, Size)) for item in items)
        and len(advanced) + sum(isinstance(i, (int, Size)) for i in items) > 1
    ):
        joined = [i for i, item in enumerate(items) if isinstance(item, (int, Size, Value))]
        if joined != [*range(joined[0], joined[-1] + 1)]:
            raise refuse("numbers and tensors as indices with slices between them")
    return _gathered(g, x, kept, advanced)


def _places(g, mask):
    """The indices of what a mask chooses, one vector for each dimension."""
    mask = g.cast(mask, dtypes.bool_)
    places = g.op("NonZero", mask, dtype=dtypes.int64)
    rank = len(mask.shape)
    parts = g.split(places, [1] * rank, 0)
    return [Value(g.squeeze(part, 0).name, dtypes.int64, (None,)) for part in parts]


def _gathered(g, x, kept, advanced):
    indices = [g.cast(kept[i], dtypes.int64) for i in advanced]
    if len(advanced) == 1:
        return g.op("Gather", x, indices[0], axis=advanced[0])
    rank = max(len(kept[i].shape) for i in advanced)
    rest = [i for i in range(len(kept)) if i not in advanced]
    front = g.transpose(x, [*advanced, *rest])
    # vectors of places, of the shape that all indices have together
    total = indices[0]
    for each in indices[1:]:
        total = g.op("Add", total, each)
    shape = g.shape_of(total)
    stacked = g.op("Concat", *[g.unsqueeze(g.op("Expand", each, shape), rank) for each in indices], axis=rank)
    found = g.op("GatherND", front, stacked)
    first = advanced[0] if advanced == [*range(advanced[0], advanced[-1] + 1)] else 0
    count = rank + len(rest)
    order = [*range(rank, rank + first), *range(rank), *range(rank + first, count)]
    return g.transpose(found, order)


def _numbered(g, x):
    """For each element of a value its number, in the value's shape."""
    if not any(isinstance(size, Size) for size in x.shape):
        return g.constant(_api.arange(numel(x.shape)).reshape(x.shape))
    count = g.op("Size", x, dtype=dtypes.int64)
    numbers = g.op("Range", g.constant(0, dtypes.int64), count, g.constant(1, dtypes.int64))
    return g.op("Reshape", numbers, g.shape_of(x))


def write(g: Builder, x: Value, places: Value, value: Any, reduction: str | None = None) -> Value:
    """``x`` with ``value`` at these places, numbers of its elements; the value is expanded to their shape."""
    value = g.constant(value, x.dtype)
    value = g.op("Expand", value, g.shape_of(places))
    everything = g.ints([-1])
    flat, where, what = (g.op("Reshape", each, everything) for each in (x, places, value))
    made = g.op("ScatterElements", flat, where, what, axis=0, reduction=reduction)
    return g.op("Reshape", made, g.shape_of(x))


@exporter("setitem")
def setitem(g: Builder, input: Value, index: Any, value: Any) -> Value:
    if (
        _is_mask(index)
        and len(index.shape) == len(input.shape)
        and not (isinstance(value, Value) and value.shape)
    ):
        return g.op("Where", index, g.constant(value, input.dtype), input, dtype=input.dtype)
    if index is Ellipsis or (index == slice(None) and not isinstance(index, Value)):
        return g.op("Expand", g.constant(value, input.dtype), g.shape_of(input))
    numbered = Value(_numbered(g, input).name, dtypes.int64, input.shape)
    places = getitem(g, numbered, index)
    return write(g, input, places, value)


@exporter("index_put")
def index_put(g: Builder, input: Value, indices: Any, values: Value, accumulate: bool = False) -> Value:
    index = tuple([slice(None) if x is None else x for x in indices])
    numbered = Value(_numbered(g, input).name, dtypes.int64, input.shape)
    return write(g, input, getitem(g, numbered, index), values, "add" if accumulate else None)


@exporter("select")
def select(g: Builder, input: Value, dim: int, index: Any) -> Value:
    return g.op("Gather", input, g.constant(index, dtypes.int64), axis=axis_of(input, dim))


@exporter("narrow", "narrow_copy")
def narrow(g: Builder, input: Value, dim: int, start: Any, length: Any) -> Value:
    axis = axis_of(input, dim)
    return g.slice(input, axis, *bounds_of_narrow(g, input, axis, start, length))


def bounds_of_narrow(g: Builder, x: Value, axis: int, start: Any, length: Any) -> Any:
    """Where a part of a dimension starts and stops, counted from the front; ``start`` may be negative, or a tensor."""
    size = x.shape[axis]
    if isinstance(start, Value):
        start = g.cast(start, dtypes.int64)
        negative = g.op("Less", start, 0, dtype=dtypes.bool_)
        start = g.where(negative, g.op("Add", start, g.constant(size, dtypes.int64)), start)
        return start, g.op("Add", start, g.constant(length, dtypes.int64))
    if (start.values_of_runs[0] if isinstance(start, Size) else start) < 0:
        start = size + start
    return start, start + length


@exporter("select_scatter")
def select_scatter(g: Builder, input: Value, src: Value, dim: int, index: Any) -> Value:
    return setitem(g, input, (*[slice(None)] * axis_of(input, dim), index), src)


@exporter("slice_scatter")
def slice_scatter(
    g: Builder, input: Value, src: Value, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Value:
    return setitem(g, input, (*[slice(None)] * axis_of(input, dim), slice(start, end, step)), src)


@exporter("index_select")
def index_select(g: Builder, input: Value, dim: int, index: Value) -> Value:
    if not index.shape:
        index = g.unsqueeze(index, 0)
    return g.op("Gather", input, index, axis=axis_of(input, dim))


@exporter("gather")
def gather(g: Builder, input: Value, dim: int, index: Value, *, sparse_grad: bool = False) -> Value:
    if not input.shape:
        return g.op(
            "Reshape",
            g.op("GatherElements", g.unsqueeze(input, 0), g.op("Reshape", index, g.ints([-1])), axis=0),
            g.shape_of(index),
        )
    return g.op("GatherElements", input, g.cast(index, dtypes.int64), axis=axis_of(input, dim))


@exporter("take_along_dim")
def take_along_dim(g: Builder, input: Value, indices: Value, dim: Any = None) -> Value:
    if dim is None:
        return g.op(
            "GatherElements",
            g.op("Reshape", input, g.ints([-1])),
            g.op("Reshape", indices, g.ints([-1])),
            axis=0,
        )
    axis = axis_of(input, dim)
    shape = result_shape(g)
    sizes = [1 if i == axis else size for i, size in enumerate(shape)]
    indices = g.op("Expand", indices, g.ints(sizes))
    whole = [input.shape[i] if i == axis else size for i, size in enumerate(shape)]
    return g.op("GatherElements", g.op("Expand", input, g.ints(whole)), indices, axis=axis)


@exporter("take")
def take(g: Builder, input: Value, index: Value) -> Value:
    return g.op("Gather", g.op("Reshape", input, g.ints([-1])), index, axis=0)


@exporter("masked_select")
def masked_select(g: Builder, input: Value, mask: Value) -> Value:
    both = g.op("Or", mask, g.op("Expand", g.constant(False, dtypes.bool_), g.shape_of(input)))
    return g.op(
        "Compress",
        g.op("Reshape", g.op("Expand", input, g.shape_of(both)), g.ints([-1])),
        g.op("Reshape", both, g.ints([-1])),
    )


@exporter("masked_scatter")
def masked_scatter(g: Builder, input: Value, mask: Value, source: Value) -> Value:
    both = g.op("Expand", mask, g.shape_of(input))
    chosen = g.op("NonZero", g.op("Reshape", both, g.ints([-1])), dtype=dtypes.int64)
    chosen = g.squeeze(chosen, 0)
    count = g.shape_of(chosen)
    what = g.op("Slice", g.op("Reshape", source, g.ints([-1])), g.ints([0]), count, g.ints([0]))
    made = g.op("ScatterElements", g.op("Reshape", input, g.ints([-1])), chosen, what, axis=0)
    return g.op("Reshape", made, g.shape_of(input))


@exporter("nonzero", "argwhere")
def nonzero(g: Builder, input: Value, *, as_tuple: bool = False) -> Any:
    places = g.op("NonZero", input, dtype=dtypes.int64)
    if as_tuple:
        return tuple([g.squeeze(part, 0) for part in g.split(places, [1] * len(input.shape), 0)])
    return g.transpose(places, [1, 0])


@exporter("scatter")
def scatter(
    g: Builder,
    input: Value,
    dim: int,
    index: Value,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
) -> Value:
    kind = {None: None, "add": "add", "multiply": "mul"}[reduce]
    return _scattered(g, input, dim, index, value if src is None else src, kind)


@exporter("scatter_add")
def scatter_add(g: Builder, input: Value, dim: int, index: Value, src: Value) -> Value:
    return _scattered(g, input, dim, index, src, "add")


@exporter("scatter_reduce")
def scatter_reduce(
    g: Builder, input: Value, dim: int, index: Value, src: Value, reduce: str, *, include_self: bool = True
) -> Value:
    kind = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min", "mean": "add"}[reduce]
    if reduce in ("amax", "amin") and g.opset < 18:
        raise UnsupportedOperatorError(g.operator, g.opset, 18)
    if not include_self:
        input = _scattered(g, input, dim, index, _neutral(kind, input.dtype), None)
    total = _scattered(g, input, dim, index, src, kind)
    if reduce != "mean":
        return total
    ones = g.op("Expand", g.constant(1, input.dtype), g.shape_of(index))
    counts = g.op("Expand", g.constant(int(include_self), input.dtype), g.shape_of(input))
    counts = g.op("ScatterElements", counts, index, ones, axis=axis_of(input, dim), reduction="add")
    counts = g.op("Max", counts, 1)
    if input.dtype.is_floating_point:
        return g.op("Div", total, counts)
    return g.op("Div", g.op("Sub", total, g.op("Mod", total, counts)), counts)  # rounded down


def _neutral(kind, dtype):
    """What changes nothing: of a sum, a product or an extreme."""
    if kind in ("add", "mul"):
        return int(kind == "mul")
    if dtype.is_floating_point:
        return -math.inf if kind == "max" else math.inf
    limits = _api.iinfo(dtype)
    return limits.min if kind == "max" else limits.max


def _scattered(g, x, dim, index, source, kind):
    axis = axis_of(x, dim)
    if isinstance(source, Value) and source.shape:
        if source.shape != index.shape:  # only the first part of the source is used
            rank = len(index.shape)
            source = g.op("Slice", source, g.ints([0] * rank), g.ints(index.shape), g.ints(range(rank)))
    else:
        source = g.op("Expand", g.constant(source, x.dtype), g.shape_of(index))
    made = g.op("ScatterElements", x, index, g.cast(source, x.dtype), axis=axis, reduction=kind)
    return Value(made.name, x.dtype, x.shape)


def _rows(g, input, dim, index):
    """The numbers of the elements at ``index`` of a dimension."""
    numbered = Value(_numbered(g, input).name, dtypes.int64, input.shape)
    return index_select(g, numbered, dim, index)


@exporter("index_add")
def index_add(g: Builder, input: Value, dim: int, index: Value, source: Value, *, alpha: Any = 1) -> Value:
    source = source if alpha == 1 else g.op("Mul", source, alpha)
    return write(g, input, _rows(g, input, dim, index), source, "add")


@exporter("index_copy")
def index_copy(g: Builder, input: Value, dim: int, index: Value, source: Value) -> Value:
    return write(g, input, _rows(g, input, dim, index), source)


@exporter("index_fill")
def index_fill(g: Builder, input: Value, dim: int, index: Value, value: Any) -> Value:
    return write(g, input, _rows(g, input, dim, index), value)


@exporter("fill")
def fill(g: Builder, input: Value, value: Any) -> Value:
    return g.op("Expand", g.constant(value, input.dtype), g.shape_of(input))


@exporter("zero")
def zero(g: Builder, input: Value) -> Value:
    return fill(g, input, 0)


@exporter("copy")
def copy(g: Builder, input: Value, src: Any, non_blocking: bool = False) -> Value:
    return fill(g, input, src)
