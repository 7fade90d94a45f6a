"""Rows of tables."""

from typing import Any

from .._builder import Builder, Value
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
    if max_norm is not None or offsets is not None or padding_idx is not None:
        raise refuse("embedding_bag with offsets, max_norm or padding_idx")
    rows = g.op("Gather", weight, input, axis=0)
    if per_sample_weights is not None:
        rows = g.op("Mul", rows, g.unsqueeze(per_sample_weights, 2))
    return g.reduce({"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax"}[mode], rows, [1], False)
