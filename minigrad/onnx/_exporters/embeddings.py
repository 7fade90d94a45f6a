"""Rows of tables."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ..errors import UnsupportedOperatorError
from ._common import refuse
from ._registry import exporter


@exporter("embedding")
def embedding(
    g: Builder,
    input: Value,
    weight: Value,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Value:
    if max_norm is not None:
        raise refuse("embedding with max_norm", "changes its weight, which ONNX cannot")
    return g.op("Gather", weight, input, axis=0)


@exporter("embedding_bag")
def embedding_bag(
    g: Builder,
    input: Value,
    weight: Value,
    offsets: Value | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Value:
    if max_norm is not None:
        raise refuse("embedding_bag with max_norm", "changes its weight, which ONNX cannot")
    rank = len(input.shape)
    if offsets is not None and include_last_offset:  # what comes after the last is in no bag
        end = g.slice(offsets, 0, -1, 2**62)
        offsets = g.slice(offsets, 0, 0, -1)
        ends = g.ints([0]), g.cast(end, dtypes.int64), g.ints([0])
        input = g.op("Slice", input, *ends)
        if per_sample_weights is not None:
            per_sample_weights = g.op("Slice", per_sample_weights, *ends)
    rows = g.op("Gather", weight, input, axis=0)
    padding = None
    if padding_idx is not None:
        padding = g.op(
            "Equal", input, g.constant(padding_idx % weight.shape[0], input.dtype), dtype=dtypes.bool_
        )
        rows = g.where(g.unsqueeze(padding, rank), -math.inf if mode == "max" else 0, rows)
    if per_sample_weights is not None:
        rows = g.op("Mul", rows, g.unsqueeze(per_sample_weights, rank))
    shares = g.op("Expand", g.constant(1, weight.dtype), g.shape_of(input))
    if padding is not None:
        shares = g.where(padding, 0, shares)
    if offsets is None:
        found = g.reduce("ReduceMax" if mode == "max" else "ReduceSum", rows, [1], False)
        counts = g.reduce("ReduceSum", shares, [1], False)
    else:
        if mode == "max" and g.opset < 18:
            raise UnsupportedOperatorError(g.operator, g.opset, 18)
        bags = _bags(g, input, offsets)
        start = -math.inf if mode == "max" else 0
        shape = g.op("Concat", g.shape_of(offsets), g.ints(weight.shape[1:]), axis=0)
        kind = "max" if mode == "max" else "add"
        found = g.op(
            "ScatterND", g.op("Expand", g.constant(start, weight.dtype), shape), bags, rows, reduction=kind
        )
        nothing = g.op("Expand", g.constant(0, weight.dtype), g.shape_of(offsets))
        counts = g.op("ScatterND", nothing, bags, shares, reduction="add")
    counts = g.unsqueeze(counts, 1)
    if mode == "mean":
        return g.op("Div", found, g.op("Max", counts, 1))
    if mode == "max":  # of nothing: 0
        return g.where(g.op("Greater", counts, 0, dtype=dtypes.bool_), found, 0)
    return found


def _bags(g, input, offsets):
    """For each index the number of its bag, as a column: how many bags begin until there, without the first."""
    count = g.op("Size", input, dtype=dtypes.int64)
    places = g.op("Range", g.constant(0, dtypes.int64), count, g.constant(1, dtypes.int64))
    begun = g.op(
        "GreaterOrEqual",
        g.unsqueeze(places, 1),
        g.unsqueeze(g.cast(offsets, dtypes.int64), 0),
        dtype=dtypes.bool_,
    )
    number = g.reduce("ReduceSum", g.cast(begun, dtypes.int64), [1], True)
    return g.op("Sub", number, 1)
