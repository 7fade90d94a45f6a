"""``Coo`` and ``Compressed``: what stands in the place of a sparse tensor's array: the values that are kept, and their places.

What both are asked is the same: ``values``, an array whose first dimensions count the elements that are kept; ``places()``, the indices at which a dense array has them; and
``holding(values)``, other values at the same places.
"""

import math
from types import SimpleNamespace

import numpy as np

from .._base import device as devices
from .._core import late
from .._core.tensor import is_blank
from .scattering import add_in_order, add_rows

INDEX = np.dtype(np.int64)
_FLAGS = SimpleNamespace(c_contiguous=True, f_contiguous=True, writeable=True, forc=True)


def refusal(name, array):
    """The error for an operation that has no sparse form."""
    if not isinstance(array, SparseArray):
        return NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend. It takes sparse tensors only."
        )
    backend = ("Sparse" if array.layout is devices.sparse_coo else "SparseCsr") + (
        "Meta" if array.is_meta else "CPU"
    )
    if array.is_meta:
        return NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the '{backend}' backend. Sparse tensors on meta are made, copied, converted, transposed and summed only."
        )
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend. This operation has no form for sparse tensors: "
        "to_dense() gives a tensor that it takes."
    )


def inside_transform(name):
    """The error for an operation that has no form for a sparse tensor beside an argument of a transform, or made of one."""
    return NotImplementedError(
        f"{name}: inside vmap and forward mode, sparse tensors are only multiplied with dense ones: to_dense() gives a tensor that can be computed with"
    )


class SparseArray:
    """What both kinds have in common: the form of an array, without NumPy's functions."""

    __slots__ = ("shape", "values", "__weakref__")
    strides = ()
    base = None
    flags = _FLAGS
    __hash__ = object.__hash__
    shape: tuple[int, ...]
    values: np.ndarray

    @property
    def tensor(self):
        """The class of the tensors that have such an array."""
        return late.sparse().MetaSparseTensor if self.is_meta else late.sparse().SparseTensor

    @property
    def maker(self):
        """No gradient of a base is made of one of a view that is sparse: raises NotImplementedError."""
        raise refusal("as_strided", self)

    @property
    def is_meta(self):
        """Whether there are no elements, on the device ``meta``."""
        return is_blank(self.values)

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.values.itemsize

    @property
    def nbytes(self):
        raise RuntimeError(
            "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes of the indices and values.  "
            "If you want the size of the  equivalent dense tensor, multiply numel() by element_size()"
        )

    def copy(self, order="K"):
        """The same places with a copy of the values."""
        return self.holding(self.values.copy())

    def astype(self, dtype, order="K", copy=True):
        """The same places with the values converted."""
        return self.holding(self.values.astype(dtype, copy=copy))

    def accumulate(self, node):
        """Add this gradient to the ``.grad`` of a leaf."""
        late.sparse().accumulate(node, self)

    def __len__(self):
        return self.shape[0]

    def __array__(self, *args, **kwargs):
        raise refusal("this operator", self)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        if (
            out is not None
            and out[0] is inputs[0]
            and out[0].__class__ is np.ndarray
            and ufunc in (np.add, np.subtract)
        ):
            return add_into(out[0], inputs[1], ufunc)
        if out is not None and isinstance(out[0], SparseArray):  # who tries that adds out of place then
            raise TypeError(f"{ufunc.__name__} does not write to sparse arrays")
        if method != "__call__" or kwargs or out is not None:
            raise refusal(ufunc.__name__, self)
        return late.sparse().of_arrays(ufunc.__name__, self, inputs)

    def __array_function__(self, function, types, args, kwargs):
        if function is np.zeros_like:
            return late.sparse().of_arrays("zeros_like", self, (self,))
        raise refusal(function.__name__, self)

    def __getitem__(self, key):
        raise refusal("as_strided", self)

    def reshape(self, *shape):
        """Refused as for tensors: raises RuntimeError."""
        raise RuntimeError("reshape is not implemented for sparse tensors")

    def swapaxes(self, axis1, axis2):
        """Two axes exchanged, both sparse, or both dense."""
        return late.sparse().of_arrays("transpose", self, (self,), axis1, axis2)

    def transpose(self, axes):
        """The axes in another order, sparse ones before dense ones."""
        return late.sparse().of_arrays("permute", self, (self,), axes)

    @property
    def T(self):
        """A matrix transposed."""
        return late.sparse().of_arrays("t", self, (self,))

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        raise refusal("this operator", self)

    def __add__(self, other):
        return late.sparse().of_arrays("add", self, (self, other))

    def __radd__(self, other):
        return late.sparse().of_arrays("add", self, (other, self))

    def __sub__(self, other):
        return late.sparse().of_arrays("subtract", self, (self, other))

    def __rsub__(self, other):
        return late.sparse().of_arrays("subtract", self, (other, self))

    def __mul__(self, other):
        if getattr(other, "ndim", 1) == 0:
            return self.holding(self.values * other)
        return late.sparse().of_arrays("multiply", self, (self, other))

    __rmul__ = __mul__

    def descend(self, target, factor):
        """``target -= self * factor`` for a dense array and a number, without another array where that can be."""
        np.subtract(target, self * factor, target)

    def __truediv__(self, other):
        return late.sparse().of_arrays("divide", self, (self, other))

    def _uncompared(self, other):
        raise refusal("eq", self)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _uncompared  # type: ignore[assignment]

    def __neg__(self):
        return late.sparse().of_arrays("negative", self, (self,))


class Coo(SparseArray):
    """Coordinates: ``indices`` (sparse dimensions, n), ``values`` (n, *dense dimensions).  ``coalesced``: they are in order, and no two are alike."""

    __slots__ = ("indices", "coalesced", "fresh")
    layout = devices.sparse_coo

    def __init__(self, indices, values, shape, coalesced=False):
        self.indices = indices
        self.values = values
        self.shape = shape
        self.fresh = False  # whether nobody else can hold the values
        self.coalesced = coalesced or indices.shape[1] < 2

    def with_own_places(self):
        """The array with indices that are no part of longer ones."""
        if self.indices.flags.c_contiguous:
            return self
        return Coo(np.ascontiguousarray(self.indices), self.values, self.shape, self.coalesced)

    @property
    def sparse_dim(self):
        return len(self.indices)

    @property
    def dense_dim(self):
        return len(self.shape) - len(self.indices)

    @property
    def nnz(self):
        return self.indices.shape[1]

    def holding(self, values):
        """These places with other values; of a form that may differ, which the dense dimensions follow."""
        return Coo(self.indices, values, self.shape[: self.sparse_dim] + values.shape[1:], self.coalesced)

    def descend(self, target, factor):
        rows = len(self.indices) == 1 and target.shape == self.shape
        if not (rows and add_rows(target, self.indices[0], self.values, -factor)):
            super().descend(target, factor)

    def places(self):
        """The indices of the elements in a dense array, an array for each sparse dimension."""
        return tuple(self.indices)

    def same_places(self, other):
        """Whether ``other`` surely has its elements at the same places, in the same order."""
        return other.__class__ is Coo and other.indices is self.indices


class Compressed(SparseArray):
    """Compressed rows or columns, of elements or blocks: ``bounds`` (*batch, rows + 1) says which of ``along`` (*batch, n), the indices in the other
    dimension, and of ``values`` (*batch, n, *block, *dense dimensions) belong to each row.
    """

    __slots__ = ("layout", "bounds", "along")
    sparse_dim = 2
    coalesced = True

    def __init__(self, layout, bounds, along, values, shape):
        self.layout = layout
        self.bounds = bounds
        self.along = along
        self.values = values
        self.shape = shape

    @property
    def of_rows(self):
        """Whether rows are compressed, not columns."""
        return self.layout is devices.sparse_csr or self.layout is devices.sparse_bsr

    @property
    def in_blocks(self):
        return self.layout is devices.sparse_bsr or self.layout is devices.sparse_bsc

    @property
    def batch_dim(self):
        return self.along.ndim - 1

    @property
    def block(self):
        """The size of a block; (1, 1) without blocks."""
        n = self.along.ndim
        return self.values.shape[n : n + 2] if self.in_blocks else (1, 1)

    @property
    def dense_dim(self):
        return self.values.ndim - self.along.ndim - 2 * self.in_blocks

    @property
    def nnz(self):
        return self.along.shape[-1]

    @property
    def nbytes(self):
        return self.size * self.itemsize  # as PyTorch counts, of a dense tensor of this size

    def with_own_places(self):
        """The array with indices of int64, as those that come from coordinates."""
        return self.with_indices_of(INDEX)

    def with_indices_of(self, dtype):
        """The array with indices of another dtype."""
        if self.bounds.dtype == dtype:
            return self
        bounds, along = self.bounds.astype(dtype), self.along.astype(dtype)
        return Compressed(self.layout, bounds, along, self.values, self.shape)

    def holding(self, values):
        """These places with other values."""
        return Compressed(self.layout, self.bounds, self.along, values, self.shape)

    def has_places_of(self, other):
        """Whether two arrays of one layout keep the same places."""
        return (
            self.block == other.block
            and np.array_equal(self.bounds, other.bounds)
            and np.array_equal(self.along, other.along)
        )

    def outer(self):
        """The compressed dimension's index of each element, or block: of the form of ``along``."""
        counts = np.diff(self.bounds, axis=-1)
        rows = np.arange(counts.shape[-1], dtype=INDEX)
        flat = counts.reshape(math.prod(counts.shape[:-1]), counts.shape[-1])
        return (
            np.stack([np.repeat(rows, n) for n in flat]).reshape(self.along.shape)
            if len(flat)
            else self.along
        )

    def places(self):
        """The indices of the elements in a dense array, an array for each batch and sparse dimension, which broadcast to the form of ``values``."""
        row, column = self.outer(), self.along
        if not self.of_rows:
            row, column = column, row
        batch = np.indices(self.along.shape, sparse=True)[: self.batch_dim]
        if self.in_blocks:
            height, width = self.block
            row = row[..., None, None] * height + np.arange(height)[:, None]
            column = column[..., None, None] * width + np.arange(width)
            batch = [b[..., None, None] for b in batch]
        return (*batch, row, column)

    def same_places(self, other):
        """Whether ``other`` surely has its elements at the same places, in the same order."""
        return (
            other.__class__ is Compressed
            and other.layout is self.layout
            and other.along is self.along
            and other.bounds is self.bounds
            and other.block == self.block
        )


def keys_of(indices, sizes):
    """One number for each column of ``indices``, in their order."""
    if len(indices) == 1:
        return indices[0]
    if math.prod(sizes) >= 2**63:
        raise RuntimeError(
            f"the sparse dimensions {list(sizes)} have more places than a 64-bit integer counts"
        )
    key = np.zeros(indices.shape[1], INDEX)
    for index, size in zip(indices, sizes):
        key *= size
        key += index
    return key


def indices_of(keys, sizes):
    """The columns of indices, of their keys."""
    if len(sizes) == 1:
        return keys[None].copy()
    found = np.empty((len(sizes), len(keys)), INDEX)
    for i in range(len(sizes) - 1, -1, -1):
        keys, found[i] = np.divmod(keys, max(sizes[i], 1))
    return found


def coalesced(coo):
    """The same tensor with its elements in order, those at one place summed (of bool: whether any holds).  Raises nothing; an array that is coalesced is returned."""
    if coo.coalesced:
        return coo
    if coo.nnz < 2:
        return Coo(coo.indices, coo.values, coo.shape, True)
    keys = keys_of(coo.indices, coo.shape[: coo.sparse_dim])
    steps = np.diff(keys)
    if (steps > 0).all():
        return Coo(coo.indices, coo.values, coo.shape, True)
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], coo.values.take(order, 0)
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    indices = np.empty(coo.indices.shape, INDEX)[:, : len(first)]  # a part of longer ones, as the sum of two
    indices[...] = coo.indices.take(order[first], 1)
    if len(first) == len(keys):
        return Coo(indices, values, coo.shape, True)
    return Coo(indices, summed(values, first), coo.shape, True)


def places_among(keys, ordered):
    """(where each of ``keys`` stands in ``ordered``, whether it is there)."""
    if not len(ordered):
        return np.zeros(len(keys), INDEX), np.zeros(len(keys), bool)
    at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return at, ordered[at] == keys


def summed(values, first):
    """The sums of the runs of ``values`` that begin at the places ``first``; of bool: whether any holds."""
    if values.dtype == bool:
        return np.logical_or.reduceat(values, first, axis=0)
    wide = np.float32 if values.dtype.itemsize == 2 and values.dtype.kind not in "iu" else values.dtype
    counts = np.diff(first, append=len(values))
    most = counts.max()
    if values.ndim == 1 or most > _ROUNDS:
        return np.add.reduceat(values.astype(wide, copy=False), first, axis=0).astype(
            values.dtype, copy=False
        )
    out = values.take(first, 0).astype(wide, copy=False)
    for i in range(
        1, most
    ):  # quicker than a sum for each run: all their second elements, then all third ones
        longer = np.flatnonzero(counts > i)
        out[longer] += values.take(first[longer] + i, 0)
    return out.astype(values.dtype, copy=False)


_ROUNDS = 16


_SIGNS = {np.add: 1, np.subtract: -1}


def add_into(target, array, ufunc=np.add):
    """Add the elements of a sparse array to a dense one in place, or subtract them."""
    if target.shape != array.shape:
        raise RuntimeError(
            f"a sparse array of size {list(array.shape)} cannot be added to one of size {list(target.shape)} in place"
        )
    rows = array.__class__ is Coo and len(array.indices) == 1
    if rows and add_rows(target, array.indices[0], array.values, _SIGNS[ufunc]):
        return target
    if rows and not array.coalesced and array.itemsize > 2:
        _add_rows(target, array.indices[0], array.values, ufunc)
        return target
    if array.__class__ is Coo:  # of half precision, repetitions are summed in single precision first
        array = coalesced(array)
    places = array.places()
    if places:
        target[places] = ufunc(target[places], array.values)
    elif array.nnz:
        ufunc(target, array.values[0], out=target)
    return target


def _add_rows(target, keys, values, ufunc):
    """Add ``values`` to the rows of ``target`` at ``keys``, one repetition of a key after the other."""
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(keys) else order
    at = ordered[first]
    rows = target.take(at, 0)
    sign = np.positive if ufunc is np.add else np.negative
    add_in_order(rows, first, np.diff(first, append=len(keys)), lambda k: sign(values.take(order[k], 0)))
    target[at] = rows
