"""Operators of ONNX in programs: they compute as a model does, and an export writes each as one node."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from .. import _api
from .._api import Tensor
from .._base import dtypes as _dtypes
from ..overrides import wrap_torch_function
from ._element_types import dtype_of
from ._importers import attention as _computed

__all__ = ["aten_decompositions", "attention", "rotary_embedding", "symbolic", "symbolic_multi_out"]


def aten_decompositions() -> dict[Any, Callable[..., Any]]:
    """The functions of this module that are made of other operators, each with one that calls these.

    >>> import minigrad
    >>> len(minigrad.onnx.ops.aten_decompositions())
    2
    """
    return {attention: _attention, rotary_embedding: _rotated}


def _dtype(wish):
    if isinstance(wish, _api.dtype):
        return wish
    if isinstance(wish, int):
        return dtype_of(wish)
    raise RuntimeError(f"Unsupported dtype: {wish}")


def _check(attrs):
    for name, value in (attrs or {}).items():
        parts = value if isinstance(value, (list, tuple)) else [value]
        if not all(isinstance(x, (int, float, str)) for x in parts):
            raise ValueError(f"Unsupported attribute type for {name}: {type(value)}")


@wrap_torch_function(lambda domain_op, inputs, *args, **kwargs: [x for x in inputs if x is not None])
def symbolic(
    domain_op: str,
    /,
    inputs: Sequence[Tensor | None],
    attrs: dict[str, Any] | None = None,
    *,
    dtype: Any,
    shape: Sequence[int],
    version: int | None = None,
    metadata_props: dict[str, str] | None = None,
) -> Tensor:
    """Stand for any operator of ONNX: zeros of ``shape`` and ``dtype`` here, the node ``domain::operator`` in an exported model.

    ``attrs`` are numbers, texts, and lists of these; ``dtype`` may be the number of an element type of ONNX. ``version`` is that of the domain's operators. Raises RuntimeError for a
    dtype that is none, ValueError for an attribute of another kind.

    >>> import minigrad
    >>> minigrad.onnx.ops.symbolic("mine::Twice", (minigrad.ones(2),), dtype=minigrad.float32, shape=(2,))
    tensor([0., 0.])
    """
    _check(attrs)
    return _api.zeros(tuple(shape), dtype=_dtype(dtype))


@wrap_torch_function(lambda domain_op, inputs, *args, **kwargs: [x for x in inputs if x is not None])
def symbolic_multi_out(
    domain_op: str,
    /,
    inputs: Sequence[Tensor | None],
    attrs: dict[str, Any] | None = None,
    *,
    dtypes: Sequence[Any],
    shapes: Sequence[Sequence[int]],
    version: int | None = None,
    metadata_props: dict[str, str] | None = None,
) -> Sequence[Tensor]:
    """Same as ``symbolic``, for an operator with as many outputs as there are ``dtypes`` and ``shapes``: a list of tensors.

    Raises RuntimeError where there are not equally many of both.

    >>> import minigrad
    >>> minigrad.onnx.ops.symbolic_multi_out("mine::Parts", (), dtypes=(1, 7), shapes=((1,), (2,)))
    [tensor([0.]), tensor([0, 0])]
    """
    if len(shapes) != len(dtypes):
        raise RuntimeError(f"Number of shapes ({len(shapes)}) must match number of dtypes ({len(dtypes)})")
    _check(attrs)
    return [_api.zeros(tuple(shape), dtype=_dtype(dtype)) for shape, dtype in zip(shapes, dtypes)]


@wrap_torch_function(lambda X, cos_cache, sin_cache, *args, **kwargs: (X, cos_cache, sin_cache))
def rotary_embedding(
    X: Tensor,
    cos_cache: Tensor,
    sin_cache: Tensor,
    position_ids: Tensor | None = None,
    *,
    interleaved: bool = False,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Tensor:
    """Rotate pairs of numbers of each head by the angles of their positions: ONNX's ``RotaryEmbedding``, of opset 23.

    ``X`` is (batch, heads, steps, size), or (batch, steps, heads * size) with ``num_heads``; the caches are (positions, half the size) with ``position_ids`` (batch, steps), else
    (batch, steps, half the size). Only the first ``rotary_embedding_dim`` numbers are rotated, if it is not 0; pairs are neighbours if ``interleaved``, else numbers of both halves.

    >>> import minigrad
    >>> x, zeros = minigrad.tensor([[[1.0, 2.0]]]), minigrad.zeros(1, 1, 1)
    >>> minigrad.onnx.ops.rotary_embedding(x, zeros, zeros + 1, num_heads=1)
    tensor([[[-2.,  1.]]])
    """
    return _rotated(
        X,
        cos_cache,
        sin_cache,
        position_ids,
        interleaved=interleaved,
        num_heads=num_heads,
        rotary_embedding_dim=rotary_embedding_dim,
    )


def _rotated(
    X, cos_cache, sin_cache, position_ids=None, *, interleaved=False, num_heads=0, rotary_embedding_dim=0
):
    if X.dim() == 3 and not num_heads:
        raise RuntimeError(
            f"num_heads must be provided for 3D inputs. Received input tensor with shape {X.shape}"
        )
    return _computed.RotaryEmbedding(
        X,
        cos_cache,
        sin_cache,
        position_ids,
        interleaved=interleaved,
        num_heads=num_heads,
        rotary_embedding_dim=rotary_embedding_dim,
    )


@wrap_torch_function(lambda Q, K, V, *args, **kwargs: (Q, K, V))
def attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    attn_mask: Tensor | None = None,
    past_key: Tensor | None = None,
    past_value: Tensor | None = None,
    *,
    is_causal: bool = False,
    kv_num_heads: int = 0,
    q_num_heads: int = 0,
    qk_matmul_output_mode: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attention as ONNX's ``Attention`` of opset 23: the output, all keys, all values, and the scores.

    ``Q``, ``K`` and ``V`` are (batch, heads, steps, size), or (batch, steps, heads * size) with ``q_num_heads`` and ``kv_num_heads``; several heads of queries may share one of keys. The past
    keys and values come before the others. ``attn_mask`` is added to the scores, or says where a query may look. ``qk_matmul_output_mode`` says which scores are returned: the products (0), with the mask (1),
    within ``softcap`` (2), or the weights (3).

    >>> import minigrad
    >>> x = minigrad.ones(1, 2, 3, 4)
    >>> [list(each.shape) for each in minigrad.onnx.ops.attention(x, x, x)]
    [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 3]]
    """
    return _attention(
        Q,
        K,
        V,
        attn_mask,
        past_key,
        past_value,
        is_causal=is_causal,
        kv_num_heads=kv_num_heads,
        q_num_heads=q_num_heads,
        qk_matmul_output_mode=qk_matmul_output_mode,
        scale=scale,
        softcap=softcap,
        softmax_precision=softmax_precision,
    )


def _attention(
    Q,
    K,
    V,
    attn_mask=None,
    past_key=None,
    past_value=None,
    *,
    is_causal=False,
    kv_num_heads=0,
    q_num_heads=0,
    qk_matmul_output_mode=0,
    scale=None,
    softcap=0.0,
    softmax_precision=None,
):
    packed = Q.dim() == 3
    if packed and not (q_num_heads and kv_num_heads):
        raise RuntimeError("q_num_heads and kv_num_heads must be provided for 3D inputs")
    q, k, v = (_computed._heads(x, n) for x, n in ((Q, q_num_heads), (K, kv_num_heads), (V, kv_num_heads)))
    if past_key is not None and past_value is not None:
        k, v = _api.cat([past_key, k], 2), _api.cat([past_value, v], 2)
    present = k, v
    groups = q.shape[1] // k.shape[1]
    if groups > 1:
        k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    root = math.sqrt(1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    stages = [_api.matmul(q * root, (k * root).transpose(-1, -2))]
    scores = stages[0]
    if is_causal:
        seen = _api.ones(scores.shape[-2:], dtype=_dtypes.bool_).tril()
        scores = scores.masked_fill(~seen, -math.inf)
    if attn_mask is not None:
        masks = attn_mask.dtype is _dtypes.bool_
        scores = scores.masked_fill(~attn_mask, -math.inf) if masks else scores + attn_mask
    stages.append(scores)
    if softcap:
        scores = softcap * _api.tanh(scores / softcap)
    stages.append(scores)
    precision = None if softmax_precision is None else dtype_of(softmax_precision)
    weights = _api.softmax(scores, -1, dtype=precision).to(scores.dtype)
    stages.append(weights)
    out = _api.matmul(weights, v)
    if packed:
        out = out.transpose(1, 2).flatten(2)
    return (out, *present, stages[qk_matmul_output_mode])
