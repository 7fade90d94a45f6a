"""Attention of sequences of several lengths that lie one behind the other: ``varlen_attn``."""

import itertools
import math
from typing import Any, NamedTuple

from ... import _api
from ..._api import Tensor, _lazy
from .. import functional as _F
from ._checks import check_heads, check_inputs

__all__ = ["varlen_attn", "varlen_attn_out", "AuxRequest"]


class AuxRequest(NamedTuple):
    """What ``varlen_attn`` should return besides its output: the logsumexp of the scores (``lse``).

    >>> import minigrad
    >>> minigrad.nn.attention.varlen.AuxRequest()
    AuxRequest(lse=False)
    """

    lse: bool = False


def varlen_attn(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seq_q: Tensor,
    cu_seq_k: Tensor | None,
    max_q: int,
    max_k: int,
    *,
    return_aux: Any = None,
    scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    enable_gqa: bool = False,
    seqused_k: Tensor | None = None,
    block_table: Tensor | None = None,
    num_splits: int | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Compute attention within each of several concatenated sequences: (all queries, heads, E), (all keys, heads, E), (all keys, heads, D)
    -> (all queries, heads, D).

    ``cu_seq_q`` and ``cu_seq_k`` hold the positions where the sequences begin, and where the last one ends. ``max_q`` and ``max_k``, the
    greatest lengths, and ``num_splits`` matter to GPUs only. A query attends to ``window_size`` keys before and after its own position,
    with -1 for all: (-1, 0) is causal; positions are counted from the ends of the sequences. ``seqused_k`` says how many keys of each
    sequence are used. With ``block_table`` (sequences, pages), key and value are pages (pages, of keys, heads, E), and the table says
    which pages belong to a sequence. ``return_aux`` asks for ``lse`` (heads, all queries) as well. Raises ValueError for heads that do
    not fit.

    >>> import minigrad
    >>> from minigrad.nn.attention.varlen import varlen_attn
    >>> x = minigrad.tensor([[[0.0]], [[3.0]], [[5.0]]])
    >>> places = minigrad.tensor([0, 2, 3])
    >>> varlen_attn(minigrad.zeros(3, 1, 1), x, x, places, places, 2, 2).flatten()
    tensor([1.5000, 1.5000, 5.0000])
    """
    check_inputs(query, key, value)
    check_heads(query.size(1), key.size(-2), enable_gqa)
    if len(window_size) != 2:
        raise ValueError(f"window_size must have length 2, got {len(window_size)}")
    if block_table is not None and seqused_k is None:
        raise ValueError("block_table requires seqused_k")
    scale = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    ends = cu_seq_q.tolist()
    outputs, sums = [], []
    for i, (begin, end) in enumerate(itertools.pairwise(ends)):
        q = query[begin:end].transpose(0, 1)
        k, v = (_keys(x, i, cu_seq_k, seqused_k, block_table).transpose(0, 1) for x in (key, value))
        if q.size(0) != k.size(0):
            k, v = (x.repeat_interleave(q.size(0) // k.size(0), 0) for x in (k, v))
        allowed = _window(q.size(1), k.size(1), *window_size)
        outputs.append(_F.scaled_dot_product_attention(q, k, v, allowed, scale=scale).transpose(0, 1))
        if return_aux is not None and return_aux.lse:
            scores = q.float() @ k.float().mT * scale
            sums.append(
                (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).logsumexp(-1)
            )
    found = _api.cat(outputs)
    return (found, _api.cat(sums, 1)) if sums else found


def varlen_attn_out(
    out: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seq_q: Tensor,
    cu_seq_k: Tensor | None,
    max_q: int,
    max_k: int,
    *,
    return_aux: Any = None,
    **options: Any,
) -> Tensor | tuple[Tensor, Tensor]:
    """Compute ``varlen_attn`` into ``out`` (all queries, heads, D), and return it; the options are the same.

    >>> import minigrad
    >>> from minigrad.nn.attention.varlen import varlen_attn_out
    >>> x, places = minigrad.ones(3, 1, 2), minigrad.tensor([0, 3])
    >>> varlen_attn_out(minigrad.empty(3, 1, 2), x, x, x, places, places, 3, 3)[0]
    tensor([[1., 1.]])
    """
    found = varlen_attn(query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, return_aux=return_aux, **options)
    if isinstance(found, tuple):
        return out.copy_(found[0]), found[1]
    return out.copy_(found)


def _keys(tensor, i, places, used, pages):
    """The keys or values of sequence ``i``."""
    if pages is not None:
        found = tensor[pages[i].long()].flatten(0, 1)
    else:
        found = tensor[int(places[i]) : int(places[i + 1])]
    return found if used is None else found[: int(used[i])]


def _window(queries, keys, before, after):
    """Which keys a query looks at, of bool (queries, keys); None for all."""
    if before < 0 and after < 0:
        return None
    distance = _api.arange(keys) - (_api.arange(queries)[:, None] + keys - queries)
    allowed = _api.ones(queries, keys, dtype=_api._dtypes.bool_)
    if before >= 0:
        allowed = allowed & (distance >= -before)
    return allowed & (distance <= after) if after >= 0 else allowed


_lazy.publish_all(globals())
