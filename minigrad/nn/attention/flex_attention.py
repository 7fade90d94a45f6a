"""Attention whose scores a function changes, and whose mask a function says: ``flex_attention``, ``create_block_mask``.

It is computed plainly: all scores are made, functions run under ``vmap``, and autograd differentiates what there is.
"""

import inspect
import math
import warnings
from typing import Any, NamedTuple, TypedDict

from ... import _api
from ..._api import Tensor, _attention, _Device, _lazy
from ._block_mask import (
    DEFAULT_BLOCK_SIZE,
    WHOLE,
    BlockMask,
    noop_mask,
    sliced_mask_mod,
    to_dense_blocks,
    to_lists,
    write_order,
)
from ._checks import check_heads, check_inputs

__all__ = [
    "BlockMask",
    "flex_attention",
    "AuxOutput",
    "AuxRequest",
    "FlexKernelOptions",
    "create_block_mask",
    "create_mask",
    "or_masks",
    "and_masks",
    "noop_mask",
]
_DEFAULT_SPARSE_BLOCK_SIZE = DEFAULT_BLOCK_SIZE
_BACKENDS = ("AUTO", "TRITON", "FLASH", "TRITON_DECODE")
_warned = False


class FlexKernelOptions(TypedDict, total=False):
    """Options for GPU kernels, such as block sizes; accepted, and without effect here.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import FlexKernelOptions, flex_attention
    >>> x = minigrad.ones(1, 1, 2, 4)
    >>> flex_attention(x, x, x, kernel_options=FlexKernelOptions(BLOCK_M=64)).shape
    torch.Size([1, 1, 2, 4])
    """

    num_warps: int
    num_stages: int
    BLOCK_M: int
    BLOCK_N: int
    BLOCK_M1: int
    BLOCK_N1: int
    BLOCK_M2: int
    BLOCK_N2: int
    PRESCALE_QK: bool
    ROWS_GUARANTEED_SAFE: bool
    BLOCKS_ARE_CONTIGUOUS: bool
    WRITE_DQ: bool
    FORCE_USE_FLEX_ATTENTION: bool
    USE_TMA: bool
    kpack: int
    matrix_instr_nonkdim: int
    waves_per_eu: int
    BACKEND: str


class AuxRequest(NamedTuple):
    """What ``flex_attention`` should return besides its output: the logsumexp of the scores (``lse``), the maximum scores.

    >>> import minigrad
    >>> minigrad.nn.attention.flex_attention.AuxRequest(lse=True)
    AuxRequest(lse=True, max_scores=False)
    """

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """The outputs that an ``AuxRequest`` selects, of shape (batch, heads, queries), or None.

    >>> import minigrad
    >>> minigrad.nn.attention.flex_attention.AuxOutput()
    AuxOutput(lse=None, max_scores=None)
    """

    lse: Any = None
    max_scores: Any = None


def _parameters_without_default(function):
    parameters = inspect.signature(function).parameters.values()
    count = sum(p.default is p.empty and p.kind is not p.VAR_KEYWORD for p in parameters)
    if count not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {count}")
    return count


def _over_indices(function, *first):
    """``function`` of a batch, head, query and key, for all of their indices: of whole tensors, ``first`` of them of all four."""
    for place in (3, 2, 1, 0):
        in_dims = (0,) * len(first) + tuple(0 if i == place else None for i in range(4))
        function = _api._vmap(function, in_dims)
    return function


def _call_over(function, shape, *first):
    return _over_indices(function, *first)(*first, *map(_api.arange, shape))


def create_mask(
    mod_fn: Any, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int, device: _Device | None = None
) -> Tensor:
    """Create a boolean mask (B, H, Q_LEN, KV_LEN) from a function of batch, head, query and key; None for B or H means 1.

    A function of a score and these four indices is taken to allow every position whose score it does not set to minus infinity. Raises
    AssertionError for other functions.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import create_mask
    >>> create_mask(lambda b, h, q, kv: q >= kv, None, None, 2, 3)
    tensor([[[[ True, False, False],
              [ True,  True, False]]]])
    """
    shape = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    if _parameters_without_default(mod_fn) == 4:
        return _call_over(mod_fn, shape)
    return ~_api.isneginf(_call_over(mod_fn, shape, _api.zeros(shape, device=device)))


def create_block_mask(
    mask_mod: Any,
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: _Device | None = None,
    BLOCK_SIZE: int | tuple[int, int] = DEFAULT_BLOCK_SIZE,
    _compile: bool = False,
    separate_full_blocks: bool = True,
    compute_dq_write_order: bool = False,
    dq_kv_order: bool = True,
) -> Any:
    """Create a ``BlockMask`` from a function of batch, head, query and key that says whether the query may attend to the key.

    None for B or H means 1. ``BLOCK_SIZE`` is the size for queries and keys, or a pair. Raises AssertionError unless the function takes
    four arguments and returns bools.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import create_block_mask
    >>> document = minigrad.tensor([0] * 100 + [1] * 156)
    >>> mask = create_block_mask(lambda b, h, q, kv: document[q] == document[kv], 1, 1, 256, 256)
    >>> mask.shape, mask.sparsity()
    ((1, 1, 256, 256), 0.0)
    """
    if _parameters_without_default(mask_mod) != 4:
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    if _compile:
        warnings.warn(
            "_compile flag on create_block_mask does nothing: it is computed at once.", DeprecationWarning, 2
        )
    if not isinstance(dq_kv_order, bool):
        raise ValueError("dq_kv_order must be a bool when using create_block_mask")
    size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else (*BLOCK_SIZE,)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    if mask.dtype is not _api._dtypes.bool_:
        raise AssertionError(f"mask.dtype must be torch.bool, got {mask.dtype}")
    rows, columns = (-(-n // block) for n, block in zip((Q_LEN, KV_LEN), size))
    padded = mask.new_zeros(*mask.shape[:2], rows * size[0], columns * size[1])
    padded[..., :Q_LEN, :KV_LEN] = mask
    allowed = padded.view(*mask.shape[:2], rows, size[0], columns, size[1]).sum((3, 5))
    full = allowed == size[0] * size[1]
    partial = (allowed > 0) & ~full if separate_full_blocks else allowed > 0
    lists: Any = [*to_lists(partial), *(to_lists(full) if separate_full_blocks else (None, None))]
    found = BlockMask.from_kv_blocks(*lists, BLOCK_SIZE=size, mask_mod=mask_mod, seq_lengths=(Q_LEN, KV_LEN))  # type: ignore[misc]
    if compute_dq_write_order:
        found.dq_write_order, found.dq_write_order_full = write_order(found, dq_kv_order)
        found.dq_kv_order_spt = dq_kv_order
    return found


def or_masks(*mask_mods: Any) -> Any:
    """Return a mask function that allows what any of the given ones allows; raise RuntimeError if one is not callable.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import create_mask, or_masks
    >>> create_mask(or_masks(lambda b, h, q, kv: q > kv, lambda b, h, q, kv: q == kv), 1, 1, 1, 2)
    tensor([[[[ True, False]]]])
    """
    _check_callable(mask_mods)

    def or_mask(b, h, q_idx, kv_idx):
        allowed = b.new_zeros((), dtype=_api._dtypes.bool_)
        for mask in mask_mods:
            allowed = allowed | mask(b, h, q_idx, kv_idx)
        return allowed

    return or_mask


def and_masks(*mask_mods: Any) -> Any:
    """Return a mask function that allows what all of the given ones allow; raise RuntimeError if one is not callable.

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import and_masks, create_mask
    >>> create_mask(and_masks(lambda b, h, q, kv: q >= kv, lambda b, h, q, kv: q < kv + 2), 1, 1, 3, 2)
    tensor([[[[ True, False],
              [ True,  True],
              [False,  True]]]])
    """
    _check_callable(mask_mods)

    def and_mask(b, h, q_idx, kv_idx):
        allowed = b.new_ones((), dtype=_api._dtypes.bool_)
        for mask in mask_mods:
            allowed = allowed & mask(b, h, q_idx, kv_idx)
        return allowed

    return and_mask


def _check_callable(mask_mods):
    if not all(map(callable, mask_mods)):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Any = None,
    block_mask: Any = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: Any = None,
    *,
    return_aux: Any = None,
) -> Any:
    """Compute attention with a user-defined function of the scores: (B, H, L, E), (B, H, S, E), (B, H, S, D) -> (B, H, L, D).

    ``score_mod(score, batch, head, query, key)`` is called under ``vmap``, with the score after multiplication by ``scale`` (by default
    one over the square root of E), and returns a new score. ``block_mask``, made by ``create_block_mask``, says which keys a query
    attends to; a query that attends to none gets 0. With ``enable_gqa`` several query heads share one head of key and value. With
    ``return_aux``, an ``AuxRequest``, the result is ``(output, AuxOutput)``. Half precision is computed in float32. Raises ValueError or
    NotImplementedError for sizes that do not fit. [Dong et al. 2024]

    >>> import minigrad
    >>> from minigrad.nn.attention.flex_attention import flex_attention
    >>> x = minigrad.tensor([[[[1.0, 0.0], [0.0, 1.0]]]])
    >>> flex_attention(x, x, x, score_mod=lambda score, b, h, q, kv: score - 1000 * (q != kv))
    tensor([[[[1., 0.],
              [0., 1.]]]])
    """
    check_inputs(query, key, value, mixed_dtypes=True)
    if query.size(-1) != key.size(-1):
        raise ValueError(
            "Expect query and key/value to have the same embedding dimension "
            f"but got E={query.size(-1)} and E={key.size(-1)}."
        )
    if not query.dim() == key.dim() == value.dim() == 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    check_heads(query.size(1), key.size(1), enable_gqa)
    _check_batches(query, key, block_mask)
    if block_mask is not None:
        _check_block_mask(query, key, block_mask)
    if return_lse and return_aux is not None:
        raise ValueError(
            "Cannot specify both return_lse and return_aux. return_aux=AuxRequest(lse=True) is enough"
        )
    if return_lse:
        _warn_of_return_lse()
    _check_options(kernel_options)
    scores, value = _scores(query, key, value, score_mod, block_mask, scale)
    weights = _attention._safe_softmax(scores, -1)
    output = weights.to(query.dtype) @ value.to(query.dtype)
    lse = scores.logsumexp(-1) if return_lse or (return_aux is not None and return_aux.lse) else None
    if return_aux is not None:
        return output, AuxOutput(lse, scores.max(-1).values if return_aux.max_scores else None)
    return (output, lse) if return_lse else output


def _scores(query, key, value, score_mod, block_mask, scale):
    """The scores (B, H, L, S), changed and masked, and the value for all heads and batches of the query."""
    batch, heads = query.shape[:2]
    shared = heads // key.size(1)
    if shared > 1:
        key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    key, value = key.expand(batch, -1, -1, -1), value.expand(batch, -1, -1, -1)
    dtypes = _api._dtypes
    dtype = dtypes.float64 if query.dtype is dtypes.float64 else dtypes.float32
    scale = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query.to(dtype) @ key.to(dtype).mT * scale
    if score_mod is not None:
        scores = _call_over(score_mod, scores.shape, scores).to(dtype)
    if block_mask is not None:
        scores = scores.masked_fill(~_allowed(block_mask, scores.shape), -math.inf)
    return scores, value


def _allowed(block_mask, shape):
    """What a block mask allows, of bool: everything in full blocks, in partial ones what its function says."""
    partial = _elements(block_mask.kv_num_blocks, block_mask.kv_indices, block_mask.BLOCK_SIZE, shape)
    allowed = partial & _call_over(block_mask.mask_mod, shape)
    if block_mask.full_kv_num_blocks is None:
        return allowed
    return allowed | _elements(
        block_mask.full_kv_num_blocks, block_mask.full_kv_indices, block_mask.BLOCK_SIZE, shape
    )


def _elements(num_blocks, indices, size, shape):
    """Whether each element of the scores lies in one of the blocks."""
    dense = to_dense_blocks(num_blocks, indices, indices.shape[-1]).bool()
    rows, columns = (_api.arange(n) // block for n, block in zip(shape[-2:], size))
    return dense[..., rows, :][..., columns]


def _check_batches(query, key, block_mask):
    of_query, of_key = query.size(0), key.size(0)
    if of_query == of_key:
        return
    if block_mask is None:
        raise ValueError(
            "Expect query and key/value to have the same batch size, or non-none block_mask, "
            f"but got block_mask=None, Bq={of_query}, and Bkv={of_key}."
        )
    if block_mask.kv_num_blocks.size(0) != of_query:
        raise ValueError(
            "Expect query and key/value to have the same batch size, or block_mask and query to have the same batch size, "
            f"but got Bq={of_query}, Bkv={of_key}, B_block_mask={block_mask.kv_num_blocks.size(0)}."
        )
    if of_key != 1:
        raise RuntimeError(f"Bq and Bkv must broadcast. Got Bq={of_query} and Bkv={of_key}")


def _check_block_mask(query, key, block_mask):
    if block_mask.mask_mod is sliced_mask_mod:
        raise RuntimeError("Cannot use mask_mod from a sliced BlockMask")
    if (*block_mask.BLOCK_SIZE,) == (WHOLE, WHOLE):
        return
    wanted, found = block_mask.shape[-2:], (query.size(-2), key.size(-2))
    if found == wanted:
        return
    smaller = found[0] > wanted[0] or found[1] > wanted[1]
    advice = (
        "As the block mask was created for a smaller length than you're using it for, you need a new one."
        if smaller
        else "As the block mask was created for a larger length than you're using it for, you need a new one, or its upper left "
        "corner if that means the same: block_mask._adjust(q_len, kv_len)."
    )
    raise ValueError(
        f"block_mask was created for block_mask.shape={block_mask.shape} but got q_len={found[0]} and kv_len={found[1]}. {advice}"
    )


def _check_options(options):
    options = options or {}
    if "BACKEND" in options and options.get("FORCE_USE_FLEX_ATTENTION", False):
        raise RuntimeError(
            "BACKEND cannot be combined with legacy FORCE_USE_FLEX_ATTENTION. Use BACKEND only"
        )
    if options.get("BACKEND", "AUTO") not in _BACKENDS:
        raise ValueError(f"Invalid BACKEND value '{options['BACKEND']}'. Must be one of {_BACKENDS}")
    for name in ("OUTPUT_LOGSUMEXP", "OUTPUT_MAX"):
        if name in options:
            raise AssertionError(f"{name} must not be in kernel_options")


def _warn_of_return_lse():
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "return_lse is deprecated and will be removed in v2.10. Please use return_aux=AuxRequest(lse=True) instead.",
            FutureWarning,
            stacklevel=3,
        )


_lazy.publish("minigrad.nn.attention.flex_attention", BlockMask)
_lazy.publish_all(globals())
