"""Attention: by softmax, by a state that is carried along, and the rotations of positions."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from .._element_types import dtype_of


def _heads(x, count):
    """Numbers of all heads side by side, as heads before the steps: (batch, heads, steps, size)."""
    return x.reshape(*x.shape[:2], count, -1).transpose(1, 2) if x.dim() == 3 else x


def Attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    nonpad_kv_seqlen: Any = None,
    *,
    is_causal: int = 0,
    kv_num_heads: Any = None,
    left_window_size: int = -1,
    q_num_heads: Any = None,
    qk_matmul_output_mode: int = 0,
    right_window_size: int = -1,
    scale: Any = None,
    softcap: float = 0.0,
    softmax_precision: Any = None,
) -> Any:
    packed, dtype = query.dim() == 3, query.dtype
    query, key, value = _heads(query, q_num_heads), _heads(key, kv_num_heads), _heads(value, kv_num_heads)
    past = 0
    if past_key is not None:
        past = past_key.shape[2]
        key, value = mg.cat([past_key, key], 2), mg.cat([past_value, value], 2)
    present, steps, total = (key, value), query.shape[2], key.shape[2]
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    root = math.sqrt(1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    scores = mg.matmul(query * root, (key * root).transpose(-1, -2))
    stages = [scores]
    if softcap:
        scores = softcap * mg.tanh(scores / softcap)
    stages.append(scores)
    offset = past if nonpad_kv_seqlen is None else (nonpad_kv_seqlen.reshape(-1, 1, 1, 1) - steps)
    allowed = _allowed(steps, total, offset, is_causal, left_window_size, right_window_size)
    if nonpad_kv_seqlen is not None:
        allowed = allowed & (mg.arange(total) < nonpad_kv_seqlen.reshape(-1, 1, 1, 1))
    if attn_mask is not None:
        short = total - attn_mask.shape[-1]
        if short and attn_mask.shape[-1] > 1:
            allowed = allowed & (mg.arange(total) < attn_mask.shape[-1])
            attn_mask = mg.cat([attn_mask, attn_mask.new_zeros(*attn_mask.shape[:-1], short)], -1)
        if attn_mask.dtype is dtypes.bool_:
            allowed = allowed & attn_mask
        else:
            allowed = allowed & ~mg.isneginf(attn_mask)
            scores = scores + attn_mask
    scores = mg.where(allowed, scores, mg.full((), -math.inf, dtype=scores.dtype))
    stages.append(scores)
    weights = mg.softmax(
        scores, -1, dtype=None if softmax_precision is None else dtype_of(softmax_precision)
    ).to(dtype)
    weights = mg.where(allowed.any(-1, keepdim=True), weights, mg.zeros((), dtype=dtype))
    stages.append(weights)
    result = mg.matmul(weights, value)
    if packed:
        result = result.transpose(1, 2).flatten(2)
    return (result.to(dtype), *present, stages[qk_matmul_output_mode])


def _allowed(steps, total, offset, causal, left, right):
    """Which keys each query sees, by their places."""
    places, keys = mg.arange(steps).unsqueeze(1) + offset, mg.arange(total)
    allowed = mg.ones(steps, total, dtype=dtypes.bool_)
    if causal:
        allowed = allowed & (keys <= places)
    if left >= 0:
        allowed = allowed & (keys >= places - left)
    if right >= 0:
        allowed = allowed & (keys <= places + right)
    return allowed


def RotaryEmbedding(
    x: Any,
    cos_cache: Any,
    sin_cache: Any,
    position_ids: Any = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Any:
    heads = _heads(x, num_heads)
    size = rotary_embedding_dim or heads.shape[-1]
    if position_ids is not None:
        cos_cache, sin_cache = cos_cache[position_ids], sin_cache[position_ids]
    cos, sin = cos_cache.unsqueeze(1), sin_cache.unsqueeze(1)
    turned, rest = heads[..., :size], heads[..., size:]
    a, b = (turned[..., 0::2], turned[..., 1::2]) if interleaved else mg.chunk(turned, 2, -1)
    real, imaginary = cos * a - sin * b, sin * a + cos * b
    both = mg.stack([real, imaginary], -1).flatten(-2) if interleaved else mg.cat([real, imaginary], -1)
    result = mg.cat([both, rest], -1)
    return result.transpose(1, 2).reshape(x.shape) if x.dim() == 3 else result


def LinearAttention(
    query: Any,
    key: Any,
    value: Any,
    past_state: Any = None,
    decay: Any = None,
    beta: Any = None,
    *,
    chunk_size: int = 64,
    kv_num_heads: int,
    q_num_heads: int,
    scale: float = 0.0,
    update_rule: str = "gated_delta",
) -> Any:
    dtype = query.dtype
    wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
    query, key, value = (
        _heads(x.to(wide), count)
        for x, count in ((query, q_num_heads), (key, kv_num_heads), (value, kv_num_heads))
    )
    batch, heads, steps, size = key.shape
    scale = scale or 1 / math.sqrt(size)
    state = key.new_zeros(batch, heads, size, value.shape[-1]) if past_state is None else past_state.to(wide)
    gates = mg.exp(_heads(decay.to(wide), heads)) if "gated" in update_rule else None
    rates = beta.to(wide).transpose(1, 2).unsqueeze(-1) if "delta" in update_rule else None
    rows = []
    for step in range(steps):
        if gates is not None:
            state = gates[:, :, step].unsqueeze(-1) * state
        one, new = key[:, :, step].unsqueeze(-1), value[:, :, step].unsqueeze(-2)
        if rates is not None:
            new = rates[:, :, step].unsqueeze(-1) * (new - mg.matmul(one.transpose(-1, -2), state))
        state = state + one * new
        seen = state.repeat_interleave(q_num_heads // heads, 1)
        rows.append(scale * mg.matmul(query[:, :, step].unsqueeze(-2), seen).squeeze(-2))
    result = mg.stack(rows, 1).flatten(2)
    return result.to(dtype), state.to(dtype if past_state is None else past_state.dtype)
