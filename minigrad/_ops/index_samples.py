"""Indexing where index tensors are those of samples, inside transforms: the indexed dimensions become one, in front."""

import math

import numpy as np

from .._core.tensor import wrap
from .._core.wrapped import any_wrapped, elements
from .choose import where
from .index_slices import _index_add, _index_copy, _index_select
from .keys import _BOOL, _UINT8, SPANNED, out_of_bounds
from .permute import movedim
from .shape import expand_to

__all__ = []


def by_dim(indices):
    """The index tensor of each dimension that is indexed; a mask counts as the indices of its elements."""
    found = {}
    for d, t in enumerate(indices):
        if t is None or t is SPANNED:
            continue
        if t._array.dtype is _BOOL or t._array.dtype is _UINT8:
            if any_wrapped((t,)):
                raise RuntimeError(
                    "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing with "
                    "a boolean mask."
                )
            for k, part in enumerate(t._array.nonzero()):
                found[d + k] = wrap(part)
        else:
            found[d] = t
    return found


class Rows:
    """A tensor with its indexed dimensions as one, in front; which rows are meant; and the way back."""

    def __init__(self, x, indices):
        found = by_dim(indices)
        dims = sorted(found)
        self.order = (*dims, *[d for d in range(x.ndim) if d not in found])
        moved = x.permute(self.order)
        self.shape, k = moved.shape, len(dims)
        self.rest = self.shape[k:]
        self.rows = moved.reshape(math.prod(self.shape[:k]), *self.rest)
        at = None
        for d in dims:
            n, index = x.shape[d], found[d].long()
            values = elements(index)
            bad = (values < -n) | (values >= n)
            if bad.any():
                raise out_of_bounds(values[bad][0], d, n)
            index = where(index < 0, index + n, index)
            at = index if at is None else at * n + index
        self.places, self.at = at.shape, at.reshape(-1)
        first = dims[0] if dims[-1] - dims[0] == k - 1 else 0
        self.front = tuple(range(at.ndim))
        self.there = tuple(range(first, first + at.ndim))

    def gather(self):
        """The rows, their dimension where indexing puts it."""
        z = _index_select(self.rows, self.at, 0).reshape((*self.places, *self.rest))
        return movedim(z, self.front, self.there)

    def scatter(self, y, accumulate):
        """The whole tensor with ``y``, broadcast, in these rows, or added there."""
        shape = np.empty((*self.places, *self.rest), bool)
        y = expand_to(y, np.moveaxis(shape, self.front, self.there).shape)
        y = movedim(y, self.there, self.front).reshape(-1, *self.rest)
        z = _index_add(self.rows, self.at, y, 0, 1) if accumulate else _index_copy(self.rows, self.at, y, 0)
        back = [self.order.index(d) for d in range(len(self.order))]
        return z.reshape(self.shape).permute(back)


# Batches of tensors indexed all alike ------------------------------------------------------------------------------------------


def layout(indices):
    """``(number of dimensions the index tensors make, whether these stand in front because the indexed dimensions are apart)``."""
    places = [d for d, t in enumerate(indices) if t is not None]
    n = max([1 if indices[d]._array.dtype in (_BOOL, _UINT8) else indices[d]._array.ndim for d in places])
    return n, places[-1] - places[0] != len(places) - 1
