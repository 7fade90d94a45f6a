"""Attention of several heads, with the projections before and after it."""

import math
import warnings
from typing import Any

from ..._api import Tensor, _attention, _level_of_user, _linear, baddbmm, bmm, cat, softmax
from ..._api import dropout as _dropout


def _expect(condition, message):
    if not condition:
        raise AssertionError(message)


def _check_dims(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Whether there is a batch; raises AssertionError for numbers of dimensions that do not fit."""
    n = query.dim()
    _expect(n in (2, 3), f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor")
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    _expect(
        key.dim() == n and value.dim() == n,
        f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D tensors "
        "respectively",
    )
    if key_padding_mask is not None:
        _expect(
            key_padding_mask.dim() == n - 1,
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found {key_padding_mask.dim()}-D "
            "tensor instead",
        )
    if attn_mask is not None:
        _expect(
            attn_mask.dim() in (2, 3),
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead",
        )
        if n == 2 and attn_mask.dim() == 3:
            expected = (num_heads, query.shape[0], key.shape[0])
            _expect(
                tuple(attn_mask.shape) == expected,
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}",
            )
    return n == 3


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """A mask of bool, true where nothing is to be seen, as one to add to the scores; others, and None, as they are."""
    if mask is None:
        return None
    floating = mask.is_floating_point()
    _expect(
        floating or mask.dtype.name == "bool",
        f"only bool and floating types of {mask_name} are supported",
    )
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=_level_of_user(),
        )
    return mask if floating else mask.new_zeros(mask.size(), dtype=target_type).masked_fill_(mask, -math.inf)


def _none_or_dtype(input):
    """The dtype of a tensor, None of None."""
    if input is None or isinstance(input, Tensor):
        return None if input is None else input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def _project(query, key, value, weight, bias):
    """Query, key and value times their parts of one weight; as few products as can be."""
    width = query.size(-1)
    if key is value and query is key:
        joint = _linear(query, weight, bias)
        return [joint[..., i * width : (i + 1) * width] for i in range(3)]
    parts = weight.split(width)
    biases = (None, None, None) if bias is None else bias.split(width)
    return [_linear(x, w, b) for x, w, b in zip((query, key, value), parts, biases)]


def _project_separately(query, key, value, weights, bias):
    width = query.size(-1)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    for name, x, w in zip(("query", "key", "value"), (query, key, value), weights):
        _expect(w is not None, f"use_separate_proj_weight is True but {name[0]}_proj_weight is None")
        expected = (width, x.size(-1))
        _expect(
            tuple(w.shape) == expected, f"expecting {name} weights shape of {expected}, but got {w.shape}"
        )
    for name, b in zip(("query", "key", "value"), biases):
        _expect(
            b is None or tuple(b.shape) == (width,),
            f"expecting {name} bias shape of {(width,)}, but got {None if b is None else b.shape}",
        )
    return [_linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]


def _check_mask(mask, batch, num_heads, rows, columns):
    """A mask with three dimensions; raises RuntimeError for other sizes."""
    expected = (rows, columns) if mask.dim() == 2 else (batch * num_heads, rows, columns)
    if tuple(mask.shape) != expected:
        raise RuntimeError(
            f"The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be {expected}."
        )
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _one_more(mask):
    """A mask with another key at the end, which all may see."""
    return None if mask is None else cat([mask, mask.new_zeros((*mask.size()[:-1], 1))], -1)


def _by_head(x, batch_heads, head_dim):
    return x.contiguous().view(x.shape[0], batch_heads, head_dim).transpose(0, 1)


def _static(x, name, batch_heads, head_dim):
    _expect(
        x.size(0) == batch_heads,
        f"expecting static_{name}.size(0) of {batch_heads}, but got {x.size(0)}",
    )
    _expect(x.size(2) == head_dim, f"expecting static_{name}.size(2) of {head_dim}, but got {x.size(2)}")
    return x


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attend with ``num_heads`` heads, with a projection before and after: ``(L, N, E), (S, N, E), (S, N, E) -> (L, N, E)`` and weights
    ``(N, L, S)``.

    N can be left out. The weights are None unless ``need_weights``, and per head unless ``average_attn_weights``. Where a boolean mask is
    true, attention is not allowed; other masks are added to the scores. Raises AssertionError or RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> x = minigrad.ones(3, 1, 4)
    >>> w, b = minigrad.eye(4).repeat(3, 1), minigrad.zeros(12)
    >>> y, weights = minigrad.nn.functional.multi_head_attention_forward(x, x, x, 4, 2, w, b, None, None, False, 0., minigrad.eye(4), minigrad.zeros(4))
    >>> y.shape, weights
    (torch.Size([3, 1, 4]), tensor([[[0.3333, 0.3333, 0.3333],
             [0.3333, 0.3333, 0.3333],
             [0.3333, 0.3333, 0.3333]]]))
    """
    batched = _check_dims(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same_key, same_value = key is query, value is key
        query = query.unsqueeze(1)
        key = query if same_key else key.unsqueeze(1)
        value = key if same_value else value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    rows, batch, width = query.shape
    key_padding_mask = _canonical_mask(
        key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    is_causal = is_causal and key_padding_mask is None and not need_weights
    if is_causal:
        attn_mask = None
    attn_mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
    _expect(
        width == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}",
    )
    head_dim, batch_heads = width // num_heads, batch * num_heads
    _expect(head_dim * num_heads == width, f"embed_dim {width} not divisible by num_heads {num_heads}")

    if use_separate_proj_weight:
        _expect(
            key.shape[:2] == value.shape[:2],
            f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}",
        )
        q, k, v = _project_separately(
            query, key, value, (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias
        )
    else:
        _expect(key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}")
        _expect(in_proj_weight is not None, "use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _project(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        attn_mask = _check_mask(attn_mask, batch, num_heads, rows, key.shape[0])

    _expect(bias_v is not None or bias_k is None, "bias_k is set but bias_v is None")
    _expect(bias_k is not None or bias_v is None, "bias_v is set but bias_k is None")
    if bias_k is not None:
        _expect(static_k is None, "bias cannot be added to static key.")
        _expect(static_v is None, "bias cannot be added to static value.")
        k, v = cat([k, bias_k.repeat(1, batch, 1)]), cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    q = _by_head(q, batch_heads, head_dim)
    k = (
        _by_head(k, batch_heads, head_dim)
        if static_k is None
        else _static(static_k, "k", batch_heads, head_dim)
    )
    v = (
        _by_head(v, batch_heads, head_dim)
        if static_v is None
        else _static(static_v, "v", batch_heads, head_dim)
    )
    if add_zero_attn:
        k, v = (cat([x, x.new_zeros((batch_heads, 1, head_dim))], 1) for x in (k, v))
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    columns = k.size(1)
    if key_padding_mask is not None:
        for d, n in enumerate((batch, columns)):
            _expect(
                key_padding_mask.shape[d] == n,
                f"Expected key_padded_mask.shape[{d}] to be {n}, but got {key_padding_mask.shape[d]}",
            )
        padding = key_padding_mask.view(batch, 1, 1, columns).expand(-1, num_heads, -1, -1)
        padding = padding.reshape(batch_heads, 1, columns)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    if not training:
        dropout_p = 0.0

    if need_weights:
        q = q * math.sqrt(1.0 / head_dim)
        scores = bmm(q, k.mT) if attn_mask is None else baddbmm(attn_mask, q, k.mT)
        weights = softmax(scores, -1)
        if dropout_p > 1.0:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {dropout_p}")
        if dropout_p > 0.0:
            weights = _dropout(weights, dropout_p, True)
        found = bmm(weights, v).transpose(0, 1)
    else:
        if attn_mask is not None:
            alone = attn_mask.size(0) == 1
            attn_mask = (
                attn_mask.unsqueeze(0)
                if alone
                else attn_mask.view(batch, num_heads, attn_mask.size(1), columns)
            )
        q, k, v = (x.reshape(batch, num_heads, x.size(1), head_dim) for x in (q, k, v))
        found = _attention.scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
        found, weights = found.permute(2, 0, 1, 3), None
    found = _linear(found.reshape(rows * batch, width), out_proj_weight, out_proj_bias)
    found = found.view(rows, batch, found.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, rows, columns)
        if average_attn_weights:
            weights = weights.mean(1)
    if not batched:
        found = found.squeeze(1)
        weights = None if weights is None else weights.squeeze(0)
    return found, weights
