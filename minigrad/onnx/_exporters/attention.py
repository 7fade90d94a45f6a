"""Attention."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Size, Value
from ._common import refuse
from ._registry import exporter
from .matrices import linear


def _causal(g, rows, columns):
    """A matrix that is true where a place may look at another: at itself and before."""
    ones = g.op("Expand", g.constant(1, dtypes.int32), g.ints([rows, columns]))
    return g.cast(g.op("Trilu", ones, upper=0), dtypes.bool_)


def _scores(g, query, key, scale):
    """The scaled products of each place with the others."""
    rank = len(query.shape)
    turned = g.transpose(key, [*range(rank - 2), rank - 1, rank - 2])
    return g.op("MatMul", g.op("Mul", query, scale), turned)


def _safe_softmax(g, scores):
    """The softmax of the last dimension; 0 where all scores are minus infinity, of a place that may look at none."""
    nothing = g.constant(-math.inf, scores.dtype)
    seen = g.op("Not", g.op("Equal", scores, nothing, dtype=dtypes.bool_))
    any_seen = g.cast(g.reduce("ReduceMax", g.cast(seen, dtypes.int32), [-1], True), dtypes.bool_)
    return g.where(any_seen, g.op("Softmax", scores, axis=-1), 0)


@exporter("scaled_dot_product_attention")
def scaled_dot_product_attention(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Value:
    if dropout_p:
        raise refuse("scaled_dot_product_attention with dropout")
    if enable_gqa:
        key, value = (_repeated(g, x, query.shape[-3]) for x in (key, value))
    width = query.shape[-1]
    if isinstance(width, Size):
        raise refuse("attention of a dynamic width")
    scores = _scores(g, query, key, 1 / math.sqrt(width) if scale is None else float(scale))
    nothing = g.constant(-math.inf, scores.dtype)
    if is_causal:
        scores = g.where(_causal(g, query.shape[-2], key.shape[-2]), scores, nothing)
        return g.op("MatMul", g.op("Softmax", scores, axis=-1), value)
    if attn_mask is None:
        return g.op("MatMul", g.op("Softmax", scores, axis=-1), value)
    if attn_mask.dtype is dtypes.bool_:
        attn_mask = g.op("Where", attn_mask, g.constant(0, scores.dtype), nothing, dtype=scores.dtype)
    masked = g.op("Add", scores, g.cast(attn_mask, scores.dtype))
    return g.op("MatMul", _safe_softmax(g, masked), value)


def _repeated(g, x, heads):
    """Each head as often as there are heads of the query for it."""
    times = heads // x.shape[-3]
    if times == 1:
        return x
    shape = [*x.shape[:-3], heads, *x.shape[-2:]]
    axis = len(x.shape) - 2
    counts = [1] * (len(x.shape) + 1)
    counts[axis] = times
    tiled = g.op("Tile", g.unsqueeze(x, axis), g.ints(counts))
    return Value(g.reshape(tiled, shape).name, x.dtype, tuple(shape))


@exporter("multi_head_attention_forward")
def multi_head_attention_forward(
    g: Builder,
    query: Value,
    key: Value,
    value: Value,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Value | None,
    bias_k: Value | None,
    bias_v: Value | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Value,
    out_proj_bias: Value | None,
    training: bool = True,
    key_padding_mask: Value | None = None,
    need_weights: bool = True,
    attn_mask: Value | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Value | None = None,
    k_proj_weight: Value | None = None,
    v_proj_weight: Value | None = None,
    static_k: Value | None = None,
    static_v: Value | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Any:
    if training and dropout_p:
        raise refuse("multi_head_attention_forward with dropout in training")
    if static_k is not None or static_v is not None:
        raise refuse("multi_head_attention_forward with static_k or static_v")
    alone = len(query.shape) == 2
    if alone:
        query, key, value = (
            Value(g.unsqueeze(x, 1).name, x.dtype, (x.shape[0], 1, x.shape[1])) for x in (query, key, value)
        )
    length, batch, width = query.shape
    source = key.shape[0]
    if use_separate_proj_weight:
        matrices: Any = (q_proj_weight, k_proj_weight, v_proj_weight)
    else:
        matrices = g.split(in_proj_weight, [width] * 3, 0)
    biases = (None,) * 3 if in_proj_bias is None else g.split(in_proj_bias, [width] * 3, 0)
    heads = []
    more: list[Any] = [(None, bias_k, bias_v)] if bias_k is not None else []  # rows after those of the source
    more += [(None, 0, 0)] if add_zero_attn else []
    for place, (x, weight, bias) in enumerate(zip((query, key, value), matrices, biases, strict=True)):
        projected = linear(g, x, Value(weight.name, weight.dtype, (width, width)), bias)
        rows = [
            g.op("Expand", g.constant(each[place], x.dtype), g.ints([1, batch, width]))
            for each in more
            if place
        ]
        projected = g.op("Concat", projected, *rows, axis=0) if rows else projected
        # (length, batch, width) -> (batch, heads, length, width of a head)
        apart = g.op(
            "Reshape",
            projected,
            g.ints([0, -1 if isinstance(batch, Size) else batch, num_heads, width // num_heads]),
        )
        heads.append(g.transpose(apart, [1, 2, 0, 3]))
    q, k, v = (Value(x.name, x.dtype, (None,) * 4) for x in heads)
    mask = _joined_mask(g, attn_mask, key_padding_mask, batch, num_heads, length, source, query.dtype, alone)
    if mask is not None and more:  # which all may look at
        rank = 2 if key_padding_mask is None and len(attn_mask.shape) == 2 else 4  # type: ignore[union-attr]
        mask = g.op("Pad", mask, g.ints([0] * (2 * rank - 1) + [len(more)]))
    scores = _scores(g, q, k, 1 / math.sqrt(width // num_heads))
    scores = scores if mask is None else g.op("Add", scores, mask)
    safe = mask is not None and not need_weights  # with its weights, a place that may look at none has NaN
    weights = _safe_softmax(g, scores) if safe else g.op("Softmax", scores, axis=-1)
    mixed = g.transpose(g.op("MatMul", weights, v), [2, 0, 1, 3])
    out = Value(g.op("Reshape", mixed, g.ints([0, 0, width])).name, query.dtype, (length, batch, width))
    out = linear(g, out, out_proj_weight, out_proj_bias)
    shown = None
    if need_weights:
        shown = g.reduce("ReduceMean", weights, [1], False) if average_attn_weights else weights
    if alone:
        out = g.squeeze(out, 1)
        shown = None if shown is None else g.squeeze(shown, 0)
    return out, shown


def _joined_mask(g, attn_mask, padding, batch, heads, length, source, dtype, alone):
    """The masks as one that is added to the scores, of shape (batch, heads, length, source) or one that expands to it."""
    found = None
    if attn_mask is not None:
        found = _added(g, attn_mask, dtype)
        if len(attn_mask.shape) == 3:
            found = g.reshape(found, [batch, heads, length, source])
    if padding is not None:
        each = _added(g, padding, dtype)
        each = g.unsqueeze(each, 0, 1, 2) if alone else g.unsqueeze(each, 1, 2)
        found = each if found is None else g.op("Add", found, each)
    return found


def _added(g, mask, dtype):
    """Minus infinity where a mask of bools is true; another mask as it is."""
    if mask.dtype is not dtypes.bool_:
        return g.cast(mask, dtype)
    return g.op("Where", mask, g.constant(-math.inf, dtype), g.constant(0, dtype), dtype=dtype)
