"""Values and places: the few operations of which all others on sparse tensors are composed.

``kept`` gives the values of a sparse tensor as a dense one, ``of_values`` makes a sparse tensor of values, ``values_at`` looks values up, ``to_dense`` lays them out.  Each is the
other way of another, so they are differentiable to any order, and so is all that dense operators do with values between them.
"""

import functools
import math

import numpy as np

from .._base import dtypes
from .._base.device import sparse_bsr, sparse_csr
from .._core import late
from .._core.modes import thread_state
from .._core.tensor import Tensor, is_blank, new, wrap
from .arrays import INDEX, Compressed, Coo, coalesced, inside_transform, keys_of
from .node import alias, record, wanted


def dense_of(array):
    """A dense tensor without history over an array, on ``meta`` if it has no elements."""
    return late.meta().emptied(array) if is_blank(array) else wrap(array)


def blank_like(array, shape, dtype=None):
    """An array without elements, as ``array`` is, of another shape, and perhaps another dtype."""
    return dense_of(array).new_empty(shape, dtype=dtype)._array


def raw(x):
    """The values of a sparse tensor as they are now, a dense tensor without history."""
    return dense_of(x._array.values)


def is_sparse(x):
    """Whether ``x`` is a sparse tensor."""
    return isinstance(x, Tensor) and x._is_sparse


def plain_array(x, name):
    """The array of a dense tensor; raises NotImplementedError for one inside a transform, which has none."""
    if x._wrapped:
        raise inside_transform(name)
    return x.resolve_conj().resolve_neg()._array


def sparse(array):
    """A new tensor, without history, over a ``SparseArray``."""
    tensor = new(array.tensor)
    tensor._array = array
    tensor._node = None
    tensor._storage = thread_state.fresh
    return tensor


def of_values(places, values, name=None):
    """A sparse tensor with ``values``, a dense tensor, at ``places``: those of a ``SparseArray``.  ``name`` is that of the node."""
    if values._wrapped:
        raise inside_transform("a sparse tensor")
    out = sparse(places.holding(values._array))
    if not wanted(values):
        return out
    return record(name or _MADE[places.__class__], out, (values,), lambda g, needs: (values_at(g, places),))


_MADE = {
    Coo: "SparseCooTensorWithDimsAndTensorsBackward0",
    Compressed: "SparseCompressedTensorBackward0",
}


def kept(x, name="ValuesBackward0"):
    """The values of a sparse tensor, as a dense one.  Where elements at one place are to be summed, only what is linear may be done to them."""
    places = x._array
    out = dense_of(places.values)
    out._storage = x._storage
    return record(name, out, (x,), lambda g, needs: (_as_gradient(places, g),))


def _as_gradient(places, g):
    """The gradient of a sparse tensor whose values have the gradient ``g``: elements at one place have all the same one, which counts once."""
    if places.coalesced or places.nnz < 2:
        return of_values(places, g)
    keys = keys_of(places.indices, places.shape[: places.sparse_dim])
    _, first = np.unique(keys, return_index=True)
    if len(first) == len(keys):
        return of_values(places, g)
    once = Coo(places.indices.take(first, 1), places.values[first], places.shape, True)
    return of_values(once, g[wrap(first)])


def coalesce(x):
    """The tensor with its elements in order, those at one place summed; ``x`` itself if they are."""
    array = x._array
    if array.coalesced:
        return x
    return record("CoalesceBackward0", sparse(coalesced(array)), (x,), lambda g, needs: (g,))


def values_at(x, places):
    """The elements of ``x``, dense or sparse, at ``places``: a dense tensor in the form of their values.  Zero where a sparse ``x`` keeps none.

    Several elements at one place count as their sum.
    """
    if places.is_meta:  # any of that form
        values, shape = kept(x) if is_sparse(x) else x, places.values.shape
        if values.shape == shape:
            return values
        return values.sum().expand(shape) if places.nnz else values.reshape(-1)[:0].reshape(shape)
    if not is_sparse(x):
        if not places.nnz:
            return x.reshape(-1)[:0].reshape(places.values.shape)
        index = tuple([wrap(np.ascontiguousarray(p, INDEX)) for p in places.places()])
        return x[index] if index else x.unsqueeze(0).expand(places.nnz, *x.shape)
    alone = x._array.__class__ is not Coo or x._array.coalesced or x._array.nnz < 2
    if alone and x._array.same_places(places):
        return kept(x)
    found = coalesce(to_coo(x))
    array = found._array
    sparse_dim = array.sparse_dim
    if places.__class__ is Coo:
        index = places.indices
    else:
        index = np.stack([np.ravel(p) for p in np.broadcast_arrays(*places.places())]).astype(INDEX)
    if len(index) != sparse_dim:
        return values_at(to_dense(x), places)
    wanted_keys = keys_of(index, array.shape[:sparse_dim])
    keys = keys_of(array.indices, array.shape[:sparse_dim])
    if not len(keys) and not places.nnz:
        return kept(found).reshape(places.values.shape)
    if not len(keys):
        return x.to_dense().new_zeros(places.values.shape)
    at = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
    there = keys[at] == wanted_keys
    values = kept(found)[wrap(at)]
    if not there.all():
        mask = there.reshape((-1,) + (1,) * (array.values.ndim - 1))
        values = values.masked_fill(wrap(~mask), 0)
    return values.reshape(places.values.shape)


def in_coordinates(array):
    """A compressed array as coordinates, in its own order."""
    if array.is_meta:
        count = array.along.size * math.prod(array.block)
        values = blank_like(array.values, (count, *array.shape[array.batch_dim + 2 :]))
        found = Coo(blank_like(array.along, (array.batch_dim + 2, count), dtypes.int64), values, array.shape)
    else:
        places = np.broadcast_arrays(*array.places())
        count = places[0].ndim
        flat = np.stack([np.ravel(p) for p in places]).astype(INDEX)
        values = array.values.reshape(flat.shape[1], *array.values.shape[count:])
        found = Coo(flat, values, array.shape)
    found.coalesced = (
        array.layout is sparse_csr
        or (array.layout is sparse_bsr and array.block[0] == 1 and not array.batch_dim)
        or array.nnz == 1
    )
    return found


def to_coo(x):
    """A sparse tensor in coordinates, in the order of its layout; ``x`` itself if it is."""
    array = x._array
    if array.__class__ is Coo:
        return x
    return record(
        "ToSparseBackward1",
        sparse(in_coordinates(array)),
        (x,),
        lambda g, needs: (of_values(array, values_at(g, array), "ToSparseBackward1"),),
    )


def masked(x, places):
    """The elements of ``x``, dense or sparse, at ``places``, as a sparse tensor."""
    places = places.with_own_places()
    values = values_at(x.detach(), places)
    was_sparse = is_sparse(x)

    def formula(g, needs):
        found = of_values(places, values_at(g, places))
        return (
            found if was_sparse and places.coalesced else coalesce(found) if was_sparse else to_dense(found),
        )

    return record("SparseMaskBackward0", sparse(places.holding(values._array)), (x,), formula)


def to_dense(x, gradient=None):
    """The dense tensor that a sparse one stands for.  ``gradient(g)`` makes the gradient of ``x``; without it, it keeps the places of ``x``."""
    if x._array.is_meta:
        array, out = x._array, blank_like(x._array.values, x._array.shape)
    else:
        array = coalesced(x._array) if x._array.__class__ is Coo else x._array
        out = _laid_out(array)
    if gradient is None:
        gradient = functools.partial(masked, places=array)
        if array.__class__ is not Coo:  # PyTorch takes the elements in coordinates, and converts
            gradient = lambda g: alias(masked(g, array), "ToSparseBackward1")
    return record("ToDenseBackward0", dense_of(out), (x,), lambda g, needs: (gradient(g),))


def _laid_out(array):
    """The dense array that a sparse one stands for, whose elements are at distinct places: they are added to zeros, so that none is a negative zero."""
    out = np.zeros(array.shape, array.values.dtype)
    places = array.places()
    if places:
        out[places] = array.values + out.dtype.type(0)
    elif array.nnz:
        out[...] = array.values[0]
    return out
