"""Kernels of embeddings on arrays."""

import numpy as np

from ..reductions import vector_norm
from ..scatter_add import add_rows

MEAN, MAX = 1, 2


def rows(x, indices):
    """The rows of ``x`` at ``indices``; raises IndexError for what is no row, also for negative ones."""
    if indices.size and np.minimum.reduce(indices, None) < 0:
        raise IndexError("index out of range in self")
    try:
        return x.take(indices, 0)
    except IndexError:
        raise IndexError("index out of range in self") from None


def renorm(x, indices, max_norm, norm_type):
    """Scale, in place, the rows of ``x`` at ``indices`` whose norm exceeds ``max_norm`` down to that."""
    at = np.unique(indices)
    taken = rows(x, at)
    norms = vector_norm(taken, norm_type, 1, True)
    over = (norms > max_norm)[:, 0]
    x[at[over]] = taken[over] * (max_norm / (norms[over] + 1e-7)).astype(x.dtype)


def factors(indices, padding_idx, by_frequency, dtype):
    """What each index's part of the gradient is multiplied by, as a column; None for ones throughout."""
    z = (indices != padding_idx).astype(dtype) if padding_idx >= 0 else None
    if by_frequency:
        _, place, counts = np.unique(indices, return_inverse=True, return_counts=True)
        share = (1 / counts[place.reshape(indices.shape)]).astype(dtype)
        z = share if z is None else z * share
    return None if z is None else z[:, None]


def _sizes(offsets, count, include_last):
    """The number of indices in each bag."""
    if include_last:
        return np.diff(offsets)
    return np.diff(offsets, append=count)


def bags(x, indices, offsets, w, mode, include_last, padding_idx):
    """The sums, means or maxima of bags of rows; each index's bag; the bags' sizes without padding; where the maxima are."""
    sizes = _sizes(offsets, len(indices), include_last)
    bag = np.repeat(np.arange(len(sizes), dtype=indices.dtype), np.maximum(sizes, 0))
    used = indices[: len(bag)]
    taken = rows(x, indices)[: len(bag)]
    kept = used != padding_idx
    if x.itemsize == 2 and mode != MAX:
        taken = taken.astype(np.float32)
    if w is not None:
        taken = taken * w[: len(bag), None].astype(taken.dtype, copy=False)
    if not kept.all():
        taken, used, among = taken[kept], used[kept], bag[kept]
    else:
        among = bag
    counts = np.bincount(among, minlength=len(sizes)).astype(indices.dtype)
    shape = (len(sizes), x.shape[1])
    if len(bag) < len(indices):  # what comes after the last offset is in no bag
        bag = np.concatenate((bag, np.full(len(indices) - len(bag), len(sizes), bag.dtype)))
    if mode == MAX:
        z, at = _maxima(taken, used, among, shape)
        return z, bag, counts, at
    z = _sums(taken, among, counts, shape)
    z = z.astype(x.dtype, copy=False)
    if mode == MEAN:
        z /= np.maximum(counts, 1).astype(z.dtype)[:, None]
    return z, bag, counts, np.zeros(len(sizes), indices.dtype)


def _sums(taken, among, counts, shape):
    """The sums of each bag's rows, which follow each other."""
    if taken.size and (counts == counts[0]).all():
        return np.add.reduce(taken.reshape(shape[0], -1, shape[1]), 1)
    return add_rows(np.zeros(shape, taken.dtype), among, taken)


def _maxima(taken, used, among, shape):
    """The largest elements of each bag's rows, 0 for an empty bag; the indices that they come from, -1 for an empty bag."""
    z, at = np.zeros(shape, taken.dtype), np.full(shape, -1, used.dtype)
    if len(among):
        starts = np.flatnonzero(np.concatenate(([True], among[1:] != among[:-1])))
        largest = np.maximum.reduceat(taken, starts, 0)
        place = np.cumsum(np.concatenate(([False], among[1:] != among[:-1])))
        found = (taken == largest[place]) | np.isnan(taken)
        first = np.minimum.reduceat(np.where(found, np.arange(len(among))[:, None], len(among)), starts, 0)
        z[among[starts]], at[among[starts]] = largest, used[first]
    return z, at


def bag_factors(indices, bag, counts, padding_idx, by_frequency, mode, dtype):
    """What each index's part of the gradient is multiplied by, as a column."""
    z = factors(indices, padding_idx, by_frequency, dtype)
    z = np.ones((len(indices), 1), dtype) if z is None else z
    if mode == MEAN:
        z = z / np.maximum(counts, 1).astype(dtype)[np.minimum(bag, max(len(counts) - 1, 0)), None]
    z[bag >= len(counts)] = 0
    return z
