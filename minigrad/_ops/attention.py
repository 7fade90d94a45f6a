"""Attention: what each query finds among the keys, by the values."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import attention as kernels
from .._base import attention_kernels, dtypes
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name
from .._base.errors import not_a_tensor
from .._core.families import Fused, Reduce, op
from .._core.modes import thread_state
from .._core.tensor import Tensor, wrap
from .batches import aligned, everywhere
from .choose import where
from .create import ones
from .dims import AlongDims
from .dropout import dropout
from .join import repeat_interleave
from .matmul import matmul
from .softmax import SoftmaxBackward0, not_floating

__all__ = []


class SafeSoftmaxBackward0(AlongDims, Reduce):
    """z = eˣ / Σ eˣ along ``dim``, and 0 where all x are -inf;   gradient z (g - Σ g z)."""
    names = {"z": "result"}
    def forward(x, dim):
        if x.dtype.kind not in "fV" and x.size: raise not_floating("softmax", x, dim)
        z = arrays.contiguous(arrays.softmax(x, dim))
        if x.size: z[np.broadcast_to((x == -math.inf).all(dim, keepdims=True), x.shape)] = 0
        return z
    vjp, fused = SoftmaxBackward0.vjp, SoftmaxBackward0.fused
    event = "_safe_softmax"
_safe_softmax = op(SafeSoftmaxBackward0)


class ScaledDotProductFlashAttentionForCpuBackward0(Fused):
    """z = softmax(x yᵀ scale + mask) w, a row of nothing but -inf being 0; also the logarithms of the sums of exponentials.

    (..., L, E), (..., S, E), (..., S, D) -> (..., L, D).
    """
    autocast = "lower"
    operands, results, nondiff, optional_from = "x y w mask", "output logsumexp", (1,), 3
    names = {"x": "query", "y": "key", "w": "value", "mask": "attn_mask"}
    public = "scaled_dot_product_attention"
    _saved_dropout_p = 0.0
    def batch(call, xs, batched, params, size):
        x, y, w = everywhere(xs[:3], batched, size)
        return call(x, y, w, aligned(xs[3], batched[3], x.ndim - 1), *params)
    def forward(x, y, w, mask, is_causal, scale): return kernels.forward(x, y, w, mask, is_causal, scale)
    def vjp_x(xp, g, x, y, w, mask, output, logsumexp, is_causal, scale):
        return matmul(_slope(xp, g, x, y, w, mask, is_causal, scale), y)
    def vjp_y(xp, g, x, y, w, mask, output, logsumexp, is_causal, scale):
        return matmul(_slope(xp, g, x, y, w, mask, is_causal, scale).mT, x)
    def vjp_w(xp, g, x, y, w, mask, output, logsumexp, is_causal, scale):
        return matmul(_weights(x, y, mask, is_causal, scale).mT, g)
    def fused(g, needs, x, y, w, mask, output, logsumexp, is_causal, scale):
        return *kernels.backward(g, x, y, w, mask, output, logsumexp, is_causal, scale), None
    def mult_adds(x, y, w): return math.prod(x[:-1]) * y[-2] * (x[-1] + w[-1])
_attention = op(ScaledDotProductFlashAttentionForCpuBackward0)


def _weights(query, key, mask, is_causal, scale):
    scores = matmul(query, key.mT) * scale
    if is_causal:
        later = wrap(kernels.above(*scores.shape[-2:]))
        scores = scores.masked_fill(later, -math.inf) if scores.ndim == 4 else scores + where(later, -math.inf, 0.0).to(scores.dtype)
    if mask is not None:
        scores = scores + (where(mask, 0.0, -math.inf).to(scores.dtype) if mask.dtype.name == "bool" else mask)
    return _safe_softmax(scores, -1)


def _slope(xp, g, query, key, value, mask, is_causal, scale):
    """The gradient of the scores, times the scale, on Tensors."""
    p = _weights(query, key, mask, is_causal, scale)
    return SoftmaxBackward0.vjp(xp, matmul(g, value.mT), p, -1) * scale


def _check(query, key, value, attn_mask):
    for place, (name, x) in enumerate((("query", query), ("key", key), ("value", value)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor("scaled_dot_product_attention", name, place, x)
    if not query.dtype is key.dtype is value.dtype:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {c_name(query.dtype)} key.dtype: "
            f"{c_name(key.dtype)} and value.dtype: {c_name(value.dtype)} instead."
        )
    if query.ndim < 2 or key.ndim < 2 or value.ndim < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query.ndim} key.dim: {key.ndim} "
            f"and value.dim: {value.ndim} instead."
        )
    if attn_mask is not None and attn_mask.dtype.name != "bool" and attn_mask.dtype is not query.dtype and (
        attn_mask.dtype.name != "float32" or query.dtype.itemsize != 2
    ):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{c_name(attn_mask.dtype)} and  query.dtype: {c_name(query.dtype)} instead."
        )


def _check_causal_too(query, key, value, attn_mask, dropout_p):
    """Refuse a mask beside ``is_causal``, as PyTorch does, but for four axes and what its fused kernel takes."""
    if query.ndim != 4 or key.shape[-1] != value.shape[-1] or dropout_p or attn_mask.requires_grad:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")


def _up_to_itself(query, key, mask):
    """A mask that allows what ``mask`` allows, up to each query's own place.  It is added: where a score is nan it stays so."""
    reached = ones(query.shape[-2], key.shape[-2], dtype=dtypes.bool_).tril()
    if mask is None:
        return reached
    return mask.logical_and(reached) if mask.dtype is dtypes.bool_ else mask.masked_fill(reached.logical_not(), -math.inf)


def _shapes_fit(query, key, value, mask):
    """Whether the fused kernel may be used: equal leading axes, and a mask that broadcasts to the scores."""
    lead, (rows, width) = query.shape[:-2], query.shape[-2:]
    columns = key.shape[-2]
    if key.shape != (*lead, columns, width) or value.shape[:-1] != (*lead, columns) or query.ndim < 3:
        return False
    full = (*lead, rows, columns)
    return query.numel() and key.numel() and value.numel() and (
        mask is None
        or (mask.ndim <= len(full) and mask.shape[-2:] == (rows, columns) and all(
            m in (1, n) for m, n in zip(mask.shape[::-1], full[::-1])
        ))
    )


def _no_kernel(flash):
    """The error where ``nn.attention.sdpa_kernel`` leaves no kernel, or the fused one only, which does not take the arguments."""
    if flash:
        return RuntimeError("No available kernel. Aborting execution. The fused one takes 3 axes or more, no dropout, a mask without a gradient")
    return RuntimeError(
        "No viable backend for scaled_dot_product_attention was found. "
        "This is likely due to turning off both the math kernel and the fused kernels."
    )


@composite
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """Compute ``softmax(query @ key.mT * scale + attn_mask) @ value``: (..., L, E), (..., S, E), (..., S, D) -> (..., L, D).

    A boolean mask is true where a query may attend to a key; ``is_causal`` allows keys up to the query's own position; ``scale`` is by
    default one over the square root of E. With ``enable_gqa`` several query heads share one head of key and value. Raises RuntimeError
    for sizes and dtypes that do not fit. [Vaswani et al. 2017]

    >>> import minigrad
    >>> x = minigrad.ones(1, 2, 2)
    >>> minigrad.nn.functional.scaled_dot_product_attention(x, x, x)
    tensor([[[1., 1.],
             [1., 1.]]])
    """
    if isinstance(attn_mask, Tensor) and attn_mask.__class__ is not Tensor and thread_state.overrides:
        # A mask may be a rule (nn.attention.bias) rather than numbers.
        options = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
        cls = type(attn_mask)
        found = cls.__torch_function__(scaled_dot_product_attention, (cls,), (query, key, value, attn_mask), options)
        if found is not NotImplemented:
            return found
    _check(query, key, value, attn_mask)
    if is_causal and attn_mask is not None:
        _check_causal_too(query, key, value, attn_mask, dropout_p)
    if enable_gqa:
        heads, of_key, of_value = (x.shape[-3] for x in (query, key, value))
        if heads % of_key or heads % of_value:
            raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
        key = key if of_key == heads else repeat_interleave(key, heads // of_key, -3)
        value = value if of_value == heads else repeat_interleave(value, heads // of_value, -3)
    if not query.dtype.is_floating_point and not query.dtype.is_complex:
        raise RuntimeError(f"expected scalar type Float but found {dtype_name(query)}")
    width = query.shape[-1]
    scale = (1 / math.sqrt(width) if width else 1.0) if scale is None else scale
    fixed = attn_mask is None or attn_mask.dtype.name == "bool" or not (attn_mask.requires_grad or attn_mask._wrapped)
    kernels_enabled = attention_kernels.enabled
    fused = dropout_p == 0 and fixed and query.dtype.is_floating_point and _shapes_fit(query, key, value, attn_mask)
    flash = fused and kernels_enabled["flash"]
    if is_causal and not flash:
        attn_mask, is_causal = _up_to_itself(query, key, attn_mask), False
    if flash:
        return _attention(query, key, value, attn_mask, is_causal, scale)[0]
    if not kernels_enabled["math"]:
        raise _no_kernel(kernels_enabled["flash"])
    dtype = query.dtype
    if dtype.itemsize == 2:
        query, key, value = query.float(), key.float(), value.float()
        attn_mask = attn_mask if attn_mask is None or attn_mask.dtype.name == "bool" else attn_mask.float()
    p = dropout(_weights(query, key, attn_mask, is_causal, scale), dropout_p, True)
    return matmul(p, value).to(dtype)
