"""Rows of a table whose gradient is sparse: it keeps the rows that were taken, whatever the size of the table."""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import embedding as kernels
from .._core.node import NOWHERE
from .._core.saved import FREED, NEVER, stale
from .._core.tensor import wrap
from .arrays import INDEX, Coo
from .node import SparseNode, record, wanted
from .parts import of_values


class EmbeddingBackward0(SparseNode):
    """z = the rows of x at ``indices``; the gradient's rows at ``padding_idx`` are left out.  It saves the indices, which nobody can write to."""

    __slots__ = ()

    def backward_towards(self, edges, xp, g, keep):
        """The gradient of the table: sparse, a row for each index."""
        edge = edges[0]
        index, shape, padding_idx = self.values
        if index is FREED:
            raise stale(FREED, NEVER)
        outs = (None,) if edge is None or edge is NOWHERE else (_gradient(xp, g, index, shape, padding_idx),)
        if not keep:
            self.values, self.versions = (FREED, None, None), (NEVER, None, None)
        return outs


def _gradient(xp, g, index, shape, padding_idx):
    raw = xp is arrays
    rows = xp.reshape(g, (-1, shape[1]) if shape[1] else (len(index), 0))
    if padding_idx >= 0:
        chosen = np.flatnonzero(index != padding_idx)
        if len(chosen) < len(index):
            index = index[chosen]
            rows = rows[chosen if raw else wrap(chosen)]
    if raw:
        found = Coo(index[None], np.asarray(rows), shape)
        found.fresh = rows is not g and found.values.base is None
        return found
    return of_values(Coo(index[None], rows._array, shape), rows, "EmbeddingSparseBackward0")


def _refuse_scale(g, needs):
    raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")


def embedding(weight, indices, padding_idx, scale_grad_by_freq):
    """As the function ``embedding``, with a sparse gradient of the table."""
    found = wrap(kernels.rows(weight._array, indices._array))
    if not wanted(weight):
        return found
    if scale_grad_by_freq:
        return record("EmbeddingBackward0", found, (weight,), _refuse_scale)
    index = indices._array.reshape(-1).astype(INDEX)
    return record(EmbeddingBackward0, found, (weight,), None, index, weight._array.shape, padding_idx)


def embedding_bag(
    call,
    weight,
    indices,
    offsets,
    scale_grad_by_freq,
    mode,
    per_sample_weights,
    include_last_offset,
    padding_idx,
):
    """As the function ``embedding_bag``, of which ``call`` is the operator, with a sparse gradient of the table: of sums and means."""
    w = per_sample_weights
    plain = [None if x is None else x.detach() for x in (weight, w)]
    results = call(
        plain[0],
        indices,
        offsets,
        plain[1],
        scale_grad_by_freq,
        mode,
        False,
        include_last_offset,
        padding_idx,
    )
    if not wanted(weight, w):
        return results
    if scale_grad_by_freq and weight.requires_grad:
        first = record("EmbeddingBagBackward0", results[0], (weight, w), _refuse_scale)
        return (first, *results[1:])
    shape = weight._array.shape
    at, bag, counts = _bags(indices._array, offsets._array, include_last_offset, padding_idx)
    index = indices._array[at].astype(INDEX)
    factors = None
    if mode == 1:
        factors = wrap((1 / np.maximum(counts, 1))[bag][:, None].astype(weight._array.dtype))

    def formula(g, needs, weight, w):
        rows = g[wrap(bag)]
        to_weight = to_w = None
        if needs[0]:
            scaled = rows if factors is None else rows * factors
            scaled = scaled if w is None else scaled * w[wrap(at)].unsqueeze(1)
            to_weight = of_values(Coo(index[None], scaled._array, shape), scaled, "EmbeddingSparseBackward0")
        if needs[1]:
            products = (rows * weight[wrap(index)]).sum(1)
            to_w = products.new_zeros(w.shape).index_add(0, wrap(at), products)
        return to_weight, to_w

    first = record("EmbeddingBagBackward0", results[0], (weight, w), formula, weight, w)
    return (first, *results[1:])


def _bags(indices, offsets, include_last_offset, padding_idx):
    """(the places of the indices that count, the bag of each, how many each bag has); what comes after the last offset is in no bag."""
    starts = offsets[:-1] if include_last_offset else offsets
    at = np.flatnonzero(indices != padding_idx)
    if include_last_offset:
        at = at[at < offsets[-1]]
    bag = np.searchsorted(starts, at, "right") - 1
    return at, bag, np.bincount(bag, minlength=len(starts))
