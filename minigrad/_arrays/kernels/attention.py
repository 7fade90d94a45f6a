"""Scaled dot product attention on arrays, some heads at a time, so that their weights stay in the cache; backward computes these again."""

import functools
import math

import numpy as np

from ..._base.pool import share
from ..reductions import sums

_MOST = 1 << 17  # weights at once


@functools.lru_cache(16)
def above(rows, columns):
    """Where a query may not look at a key, which comes later."""
    return ~np.tri(rows, columns, dtype=bool)


def allowed(mask, dtype):
    """A mask of bool as one to add."""
    return (
        np.where(mask, dtype.type(0), dtype.type(-np.inf))
        if mask is not None and mask.dtype.kind == "b"
        else mask
    )


def _shared(work, q, k, v, mask):
    """Call ``work`` with pieces of some heads of the operands: (where they are, (heads, L, E), (heads, S, E), (heads, S, D), the mask or None)."""
    lead, rows, columns = q.shape[:-2], q.shape[-2], k.shape[-2]
    heads = math.prod(lead)
    q, k, v = (np.ascontiguousarray(x).reshape(heads, *x.shape[-2:]) for x in (q, k, v))
    if mask is not None:
        mask = allowed(mask, q.dtype)
        shared = mask.ndim == 2 or not any(n != 1 for n in mask.shape[:-2])
        mask = (
            mask.reshape(mask.shape[-2:])
            if shared
            else np.broadcast_to(mask, (*lead, rows, columns)).reshape(heads, rows, columns)
        )
    step = max(_MOST // max(rows * columns, 1), 1)

    def some_heads(begin):
        part = slice(begin, begin + step)
        work(part, q[part], k[part], v[part], mask if mask is None or mask.ndim == 2 else mask[part])

    share(some_heads, range(0, heads, step))


def _scores(q, k, mask, causal, scale):
    scores = np.matmul(q * q.dtype.type(scale), k.mT)
    if mask is not None:
        scores += mask
    if causal:
        np.copyto(scores, -np.inf, where=above(*scores.shape[-2:]))
    return scores


def forward(q, k, v, mask, causal, scale):
    """The attention's result, and the logarithms of its sums of exponentials: (..., L, D), (..., L)."""
    dtype = q.dtype
    if dtype.itemsize == 2:
        wide = (x if x is None or x.dtype.kind == "b" else x.astype(np.float32) for x in (q, k, v, mask))
        z, lse = forward(*wide, causal, scale)
        return z.astype(dtype), lse
    heads, rows = math.prod(q.shape[:-2]), q.shape[-2]
    z, lse = np.empty((heads, rows, v.shape[-1]), dtype), np.empty((heads, rows), dtype)

    def work(part, q_, k_, v_, mask_):
        p = _scores(q_, k_, mask_, causal, scale)
        most = np.maximum.reduce(p, -1, keepdims=True, initial=-np.inf)
        most[np.isneginf(most)] = 0  # a row that may look at nothing
        p -= most
        np.exp(p, p)
        total = sums(p, 2, True)
        np.matmul(p, v_, out=z[part])
        with np.errstate(all="ignore"):
            z[part] /= np.where(total == 0, 1, total)
            lse[part] = (np.log(total) + most)[..., 0]

    _shared(work, q, k, v, mask)
    return z.reshape(*q.shape[:-1], v.shape[-1]), lse.reshape(q.shape[:-1])


def backward(g, q, k, v, mask, z, lse, causal, scale):
    """The gradients of query, key and value."""
    dtype = q.dtype
    if dtype.itemsize == 2:
        wide = (
            x if x is None or x.dtype.kind == "b" else x.astype(np.float32)
            for x in (g, q, k, v, mask, z, lse)
        )
        return [h.astype(dtype) for h in backward(*wide, causal, scale)]
    heads = math.prod(q.shape[:-2])
    g, z = (np.ascontiguousarray(x).reshape(heads, *x.shape[-2:]) for x in (g, z))
    lse = lse.reshape(heads, -1, 1)
    grads = [np.empty((heads, *x.shape[-2:]), dtype) for x in (q, k, v)]

    def work(part, q_, k_, v_, mask_):
        p = _scores(q_, k_, mask_, causal, scale)
        sums_ = lse[part]
        p -= np.where(np.isneginf(sums_), dtype.type(0), sums_)
        np.exp(p, p)
        g_ = g[part]
        np.matmul(p.mT, g_, out=grads[2][part])
        slope = np.matmul(g_, v_.mT)
        slope -= np.vecdot(g_, z[part])[..., None]
        slope *= p
        slope *= dtype.type(scale)
        np.matmul(slope, k_, out=grads[0][part])
        np.matmul(slope.mT, q_, out=grads[1][part])

    _shared(work, q, k, v, mask)
    return [h.reshape(x.shape) for h, x in zip(grads, (q, k, v))]
