"""Packed sequences: padded ones for ONNX's recurrent layers, and their lengths."""

from typing import Any, NamedTuple

from ..._base import dtypes
from .._builder import Builder, Value
from ._registry import exporter


class Padded(NamedTuple):
    """What is in a packed sequence: a value (T, N, ...), the lengths (N,) as int64, and (T, N) which steps are within them."""

    steps: Value
    lengths: Value
    within: Value


def _counted(g, count):
    """The numbers below another, as a vector."""
    return g.op("Range", g.constant(0, dtypes.int64), count, g.constant(1, dtypes.int64))


def _within(g, count, lengths):
    steps = g.unsqueeze(_counted(g, count), 1)
    return g.op("Less", steps, g.unsqueeze(lengths, 0), dtype=dtypes.bool_)


def pack(g: Builder, padded: Padded) -> Value:
    """The steps within the lengths one after another; that they were padded is remembered."""
    rest = padded.steps.shape[2:]
    flat = g.op("Reshape", padded.steps, g.ints([-1, *rest]))
    data = g.op("Compress", flat, g.op("Reshape", padded.within, g.ints([-1])), axis=0)
    g.packed[data.name] = padded
    return data


def unpack(g: Builder, data: Value, batch_sizes: Value) -> Padded:
    """What was packed; steps beyond the lengths are 0 if it was not packed by this graph."""
    if data.name in g.packed:
        return g.packed[data.name]
    known = g.packed.get(batch_sizes.name)
    if known is None:
        each = _counted(g, g.op("Gather", batch_sizes, g.constant(0, dtypes.int64), axis=0))
        longer = g.op("Greater", g.unsqueeze(batch_sizes, 1), g.unsqueeze(each, 0), dtype=dtypes.bool_)
        lengths = g.reduce("ReduceSum", g.cast(longer, dtypes.int64), [0], False)
        within = longer
    else:
        lengths, within = known.lengths, known.within
    flat = g.op("Reshape", within, g.ints([-1]))
    places = g.transpose(g.op("NonZero", flat, dtype=dtypes.int64), [1, 0])
    rest = data.shape[1:]
    shape = g.op("Concat", g.shape_of(flat), *([g.ints(rest)] if rest else []), axis=0)
    filled = g.op("ScatterND", g.op("Expand", g.constant(0, data.dtype), shape), places, data)
    sizes = g.op("Concat", g.shape_of(within), *([g.ints(rest)] if rest else []), axis=0)
    steps = Value(g.op("Reshape", filled, sizes).name, data.dtype, (None, None, *rest))
    return Padded(steps, lengths, within)


@exporter("_pack_padded_sequence")
def pack_padded_sequence(g: Builder, input: Value, lengths: Value, batch_first: bool) -> Any:
    steps = input
    if batch_first:
        order = [1, 0, *range(2, len(input.shape))]
        steps = Value(g.transpose(input, order).name, input.dtype, tuple(input.shape[i] for i in order))
    lengths = g.cast(lengths, dtypes.int64)
    longest = g.reduce("ReduceMax", lengths, [0], True)
    cut = g.op("Slice", steps, g.ints([0]), longest, g.ints([0]))
    steps = Value(cut.name, steps.dtype, (None, *steps.shape[1:]))
    within = _within(g, g.squeeze(longest, 0), lengths)
    padded = Padded(steps, lengths, within)
    batch_sizes = g.reduce("ReduceSum", g.cast(within, dtypes.int64), [1], False)
    g.packed[batch_sizes.name] = padded
    return pack(g, padded), batch_sizes


@exporter("_pad_packed_sequence")
def pad_packed_sequence(
    g: Builder, data: Value, batch_sizes: Value, batch_first: bool, padding_value: float, total_length: Any
) -> Any:
    steps, lengths, within = unpack(g, data, batch_sizes)
    rank = len(data.shape) + 1
    seen = g.unsqueeze(within, *range(2, rank)) if rank > 2 else within
    found = g.where(seen, steps, padding_value)
    longest = batch_sizes.shape[0]
    if total_length != longest:
        missing = g.op("Sub", g.constant(total_length, dtypes.int64), g.constant(longest, dtypes.int64))
        pads = g.ints([*[0] * rank, missing, *[0] * (rank - 1)])
        found = g.op("Pad", found, pads, g.constant(padding_value, data.dtype))
    if batch_first:
        found = g.transpose(found, [1, 0, *range(2, rank)])
    return found, lengths
