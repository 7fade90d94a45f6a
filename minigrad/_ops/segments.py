"""Reductions of consecutive segments of a dimension."""

import math

import numpy as np

from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis as axis_within
from .._base.errors import not_a_tensor
from .._core.tensor import Tensor, wrap
from .choose import where
from .create import full
from .parts import narrow
from .scatter import scatter_reduce
from .shape import expand, reshape

__all__ = ["_segment_reduce", "segment_reduce"]

#: What PyTorch calls a reduction -> that of ``scatter_reduce``, and what is left of no element.
_REDUCTIONS = {
    "sum": ("sum", 0.0), "mean": ("sum", math.nan), "prod": ("prod", 1.0), "max": ("amax", -math.inf), "min": ("amin", math.inf),
}  # fmt: skip


def _lengths(lengths, offsets, data, axis, unsafe):
    """How many elements there are before the first segment, and in each, for every row of the dimensions before ``axis``."""
    given = offsets if lengths is None else lengths
    if not isinstance(given, Tensor):
        raise not_a_tensor("segment_reduce", "offsets" if lengths is None else "lengths", 3, given)
    if given.dtype.is_floating_point or given.dtype.is_complex:
        raise NotImplementedError(f"\"_segment_reduce_lengths_cpu_kernel1\" not implemented for '{dtype_name(given)}'")
    if axis != given.ndim - 1:
        raise RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of lengths but got {axis}.")
    if given.is_meta:  # whatever they are, the shape is the same
        counts = np.zeros((*given.shape[:-1], given.shape[-1] - (lengths is None)), np.int64)
        return np.zeros(counts.shape[:-1], np.int64), counts
    if lengths is None:
        places = offsets._array
        return places[..., 0], np.diff(places, axis=-1)
    counts = lengths._array
    if not unsafe:
        if counts.size and counts.min() < 0:
            raise RuntimeError("lengths contains negative value!")
        if not (counts.sum(-1) == data.shape[axis]).all():
            raise RuntimeError(
                "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe."
            )
    return np.zeros(counts.shape[:-1], counts.dtype), counts


def _segments(first, counts, size):
    """Which segment each element of a row is in; those in none are in one more, the last."""
    places = np.full((*counts.shape[:-1], size), counts.shape[-1])
    for row in np.ndindex(*counts.shape[:-1]):
        own = np.repeat(np.arange(counts.shape[-1]), counts[row])
        places[row][first[row] : first[row] + len(own)] = own
    return places


@composite
def segment_reduce(
    data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None
):
    """Reduce consecutive segments of dimension ``axis``: the "sum", "mean", "max", "min" or "prod" of each.

    ``lengths`` has how many elements each segment has, or ``offsets`` where each begins and the last one ends; the dimensions before ``axis`` are
    those of ``data``. Reductions start with ``initial``, which is what an empty segment gives: by default 0, nan, -inf, inf and 1. ``unsafe`` allows
    lengths that do not add up to the size of the dimension. Raises NotImplementedError for integers, RuntimeError for what does not fit.

    >>> import minigrad
    >>> minigrad.segment_reduce(minigrad.tensor([1., 2., 3.]), "sum", lengths=minigrad.tensor([2, 0, 1]))
    tensor([3., 0., 3.])
    """
    if not isinstance(data, Tensor):
        raise not_a_tensor("segment_reduce", "data", 1, data)
    if reduce not in _REDUCTIONS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    axis = axis_within(axis, data.ndim)
    first, counts = _lengths(lengths, offsets, data, axis, unsafe)
    if not data.is_floating_point():
        raise NotImplementedError(f"\"_segment_reduce_cpu\" not implemented for '{dtype_name(data)}'")
    operation, nothing = _REDUCTIONS[reduce]
    start = nothing if initial is None else initial
    wide = (1,) * (data.ndim - axis - 1)
    segments = wrap(_segments(first, counts, data.shape[axis])).to(data.device)
    segments = expand(reshape(segments, (*segments.shape, *wide)), data.shape)
    shape = list(data.shape)
    shape[axis] = counts.shape[-1] + 1
    begun = full(shape, 0.0 if reduce == "mean" and initial is None else start, dtype=data.dtype, device=data.device)
    least = reduce in ("max", "min")  # what they begin with has no part in their gradient
    found = scatter_reduce(begun, axis, segments, data, operation, include_self=not least)
    found = narrow(found, axis, 0, counts.shape[-1])
    if least and initial is not None:
        found = where(found < initial if reduce == "max" else found > initial, initial, found)
    if reduce == "mean":
        number = wrap(counts.reshape(*counts.shape, *wide).astype(data.dtype.np)).to(data.device)
        found = where(number > 0, found / where(number > 0, number, 1), found if initial is not None else math.nan)
    return found


_segment_reduce = segment_reduce
