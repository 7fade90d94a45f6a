"""Scaled dot product attention on arrays, some heads at a time, so that their weights stay in the cache; backward computes these again."""

import functools
import math
from itertools import product

import numpy as np

from ..._base.pool import share
from ..reductions import sums

_MOST = 1 << 17  # weights at once


@functools.lru_cache(16)
def above(rows, columns):
    """Where a query may not look at a key, which comes later."""
    return ~np.tri(rows, columns, dtype=bool)


def _added(mask, lead, dtype):
    """A mask as one to add, with axes that those of the heads, ``lead``, can be compared with."""
    if mask is None:
        return None
    if mask.dtype.kind == "b":
        mask = np.where(mask, dtype.type(0), dtype.type(-np.inf))
    return np.broadcast_to(mask, (*lead, *mask.shape[-2:])) if len(lead) > 2 else mask


def _shared(work, q, k, v, mask, *others):
    """Call ``work`` with pieces of some heads of the operands: (q, k, v, the mask or None, others), each of (batch, heads, rows, columns)."""
    batch, heads, rows = q.shape[:-1]
    columns = k.shape[-2]
    if mask is not None:
        mask = np.broadcast_to(mask, (batch, heads, rows, columns))
    most = max(_MOST // max(rows * columns, 1), 1)
    step = max(most // max(heads, 1), 1)
    most = min(most, heads)

    def some_heads(begin):
        part = slice(begin[0], begin[0] + step), slice(begin[1], begin[1] + most)
        work(*[x if x is None else x[part] for x in (q, k, v, mask, *others)])

    share(some_heads, product(range(0, batch, step), range(0, heads, most or 1)))


def _of_heads(x, axes=2):
    """``x``, which ends with so many axes besides those of the heads, with two axes for these: in the same memory, where that can be."""
    lead = x.shape[: x.ndim - axes]
    if len(lead) == 2:
        return x
    return x.reshape(math.prod(lead[:-1]), *lead[-1:] or (1,), *x.shape[x.ndim - axes :])


def _like(x, shape):
    """An empty array for what belongs to ``x``: in its order in memory, where there is a batch of heads."""
    return np.empty_like(x, shape=shape) if len(shape) == 4 else np.empty(shape, x.dtype)


@functools.lru_cache(16)
def _later(rows, columns, dtype):
    """What to add to scores so that no query looks at a key that comes later."""
    return np.where(above(rows, columns), dtype.type(-np.inf), dtype.type(0))


def _scores(q, k, mask, causal, scale):
    scores = np.matmul(q * q.dtype.type(scale), k.mT)
    if mask is not None:
        scores += mask
    if causal == "added":
        scores += _later(*scores.shape[-2:], scores.dtype)
    elif causal:
        np.copyto(scores, -np.inf, where=above(*scores.shape[-2:]))
    return scores


def _way(causal, q):
    """How the later keys are masked: a nan stays one where PyTorch, which has a fused kernel for batches of heads only, adds -inf to it."""
    return "added" if causal and q.ndim != 4 else causal


def forward(q, k, v, mask, causal, scale):
    """The attention's result, and the logarithms of its sums of exponentials: (..., L, D), (..., L)."""
    dtype = q.dtype
    if dtype.itemsize == 2:
        wide = (x if x is None or x.dtype.kind == "b" else x.astype(np.float32) for x in (q, k, v, mask))
        z, lse = forward(*wide, causal, scale)
        return z.astype(dtype), lse
    causal = _way(causal, q)
    z, lse = _like(q, (*q.shape[:-1], v.shape[-1])), np.empty(q.shape[:-1], dtype)

    def work(q, k, v, mask, z, lse):
        p = _scores(q, k, mask, causal, scale)
        most = np.maximum.reduce(p, -1, keepdims=True, initial=-np.inf)
        most[np.isneginf(most)] = 0  # a row that may look at nothing
        p -= most
        np.exp(p, p)
        total = sums(p, 3, True)
        np.matmul(p, v, out=z)
        with np.errstate(all="ignore"):
            z /= np.where(total == 0, 1, total)
            lse[...] = (np.log(total) + most)[..., 0]

    operands = (x if x is None else _of_heads(x) for x in (q, k, v, _added(mask, q.shape[:-2], dtype), z))
    _shared(work, *operands, _of_heads(lse, 1))
    return z, lse


def backward(g, q, k, v, mask, z, lse, causal, scale):
    """The gradients of query, key and value."""
    dtype = q.dtype
    if dtype.itemsize == 2:
        wide = (
            x if x is None or x.dtype.kind == "b" else x.astype(np.float32)
            for x in (g, q, k, v, mask, z, lse)
        )
        return [h.astype(dtype) for h in backward(*wide, causal, scale)]
    causal = _way(causal, q)
    grads = [_like(x, x.shape) for x in (q, k, v)]

    def work(q, k, v, mask, g, z, lse, gq, gk, gv):
        p = _scores(q, k, mask, causal, scale)
        p -= np.where(np.isneginf(lse), dtype.type(0), lse)[..., None]
        np.exp(p, p)
        if causal is True and np.isnan(lse).any():
            np.copyto(p, 0, where=above(*p.shape[-2:]))
        np.matmul(p.mT, g, out=gv)
        slope = np.matmul(g, v.mT)
        slope -= np.vecdot(g, z)[..., None]
        slope *= p
        slope *= dtype.type(scale)
        np.matmul(slope, k, out=gq)
        np.matmul(slope.mT, q, out=gk)

    operands = (x if x is None else _of_heads(x) for x in (q, k, v, _added(mask, q.shape[:-2], dtype), g, z))
    _shared(work, *operands, _of_heads(lse, 1), *[_of_heads(x) for x in grads])
    return grads
