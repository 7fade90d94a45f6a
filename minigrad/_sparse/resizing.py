"""Other sizes in place: of tensors in coordinates, and of those in compressed rows."""

import math

import numpy as np

from .._base.device import sparse_csr
from .arrays import INDEX, Compressed, Coo, refusal
from .convert import LAYOUT_NAMES
from .node import record
from .parts import is_sparse, sparse
from .tensors import replace

_ADVICE = (
    "\nYou could try the following options:\n"
    "1. If you need an empty sparse tensor of this size, call `x = torch.sparse_coo_tensor(size)`.\n"
    "2. If you need to resize this tensor, keep the number of sparse and of dense dimensions, and let none of them shrink."
)


def sparse_resize_(self, size, sparse_dim, dense_dim):
    """Resize a sparse tensor in place, to a size that holds all its elements unless it has none.

    The values keep their order: where dense dimensions grow, those of the first elements come first, and zeros last.
    Raises RuntimeError for a tensor with elements if a dimension shrinks, or if the number of sparse or dense dimensions changes.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse().sparse_resize_((3, 2), 2, 0).shape
    torch.Size([3, 2])
    """
    array = _coo(self, "sparse_resize_")
    size = _checked(size, sparse_dim, dense_dim)
    if not array.nnz:
        return _resized(self, _emptied(array, size, sparse_dim), "sparse_resize_")
    _check_growth(array, size, sparse_dim, dense_dim)
    values = _first_of(array.values, (array.nnz, *size[sparse_dim:]))
    return _resized(self, Coo(array.indices, values, size, array.coalesced), "sparse_resize_")


def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
    """Resize a sparse tensor in place and remove all its elements.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse().sparse_resize_and_clear_((3, 2), 2, 0)._nnz()
    0
    """
    array = _coo(self, "sparse_resize_and_clear_")
    size = _checked(size, sparse_dim, dense_dim)
    return _resized(self, _emptied(array, size, sparse_dim), "sparse_resize_and_clear_")


def resize_as_sparse_(self, the_template):
    """Resize a sparse tensor in place to the size of another; in a compressed layout, to the number of its elements, too.

    >>> import minigrad
    >>> x = minigrad.eye(2).to_sparse()
    >>> x.resize_as_sparse_(minigrad.eye(3).to_sparse()).shape
    torch.Size([3, 3])
    """
    if not (is_sparse(self) and is_sparse(the_template)):
        raise RuntimeError("resize_as_sparse_: both tensors must be sparse")
    array, like = self._array, the_template._array
    if array.__class__ is Coo is like.__class__:
        if (array.shape, array.sparse_dim) == (like.shape, like.sparse_dim):
            return _resized(self, array, "resize_as_sparse_", the_template)
        size = _checked(like.shape, like.sparse_dim, like.dense_dim)
        if not array.nnz:
            found = _emptied(array, size, like.sparse_dim)
        else:
            _check_growth(array, size, like.sparse_dim, like.dense_dim)
            values = _first_of(array.values, (array.nnz, *size[like.sparse_dim :]))
            found = Coo(array.indices, values, size, array.coalesced)
        return _resized(self, found, "resize_as_sparse_", the_template)
    for name, x in (("self", array), ("src", like)):
        if x.__class__ is Coo:
            raise RuntimeError(
                f"resize_as_sparse_compressed_: {name}  expected sparse compressed tensor layout but got Sparse"
            )
    if array.layout is not like.layout:
        raise RuntimeError(
            "resize_as_sparse_compressed_tensor_: self and src must have the same layout, but got: "
            f"self ({LAYOUT_NAMES[array.layout]}) and source ({LAYOUT_NAMES[like.layout]})"
        )
    places = array if array.shape == like.shape and array.along.shape == like.along.shape else like
    bounds, along = (x.astype(array.bounds.dtype) for x in (places.bounds, places.along))
    values = _first_of(array.values, like.values.shape)
    found = Compressed(array.layout, bounds, along, values, like.shape)
    return _resized(self, found, "resize_as_sparse_", the_template)


def resize_(self, *sizes, size=None, memory_format=None):
    """Resize matrices in compressed rows in place: rows are added without elements, or the last of those that stay takes on the rest.

    A batch may become shorter, and dense dimensions go; the first values stay.
    """
    array = self._array
    if array.__class__ is Coo:
        raise refusal("resize_", array)
    if self.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    shape = sizes if size is None else size
    shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    shape = tuple([int(n) for n in shape])
    if len(shape) < 2:
        raise RuntimeError(
            f"torch.resize_: Only batched sparse CSR matrices are supported, but got size {list(shape)}"
        )
    if shape[-1] < array.shape[-1]:
        raise RuntimeError(
            "torch.resize_: Resizing columns of sparse CSR tensors to a smaller value is not supported. "
            f"The original number of columns is {array.shape[-1]} while the requested new number of columns is {shape[-1]}."
        )
    if shape == array.shape:
        return self
    matrices, rows = math.prod(shape[:-2]), array.bounds.shape[-1] - 1
    if array.layout is not sparse_csr or matrices > math.prod(array.along.shape[:-1]):
        raise RuntimeError(
            f"torch.resize_: a tensor of size {list(array.shape)} and layout {LAYOUT_NAMES[array.layout]} cannot be resized to {list(shape)}: "
            "matrices in compressed rows can, to no more matrices"
        )
    bounds = np.full((matrices, shape[-2] + 1), array.nnz, array.bounds.dtype)
    stay = min(shape[-2], rows + 1)
    bounds[:, :stay] = array.bounds.reshape(-1, rows + 1)[:matrices, :stay]
    form = (*shape[:-2], array.nnz)
    found = Compressed(
        array.layout,
        bounds.reshape(*shape[:-2], -1),
        _first_of(array.along, form),
        _first_of(array.values, form),
        shape,
    )
    return replace(self, sparse(found))


def resize_as_(self, the_template, *, memory_format=None):
    """Resize a sparse tensor in place to the size of another."""
    if self._array.__class__ is Coo and is_sparse(the_template):
        return resize_as_sparse_(self, the_template)
    return resize_(self, the_template.shape)


def _coo(x, name):
    if not is_sparse(x) or x._array.__class__ is not Coo:
        raise refusal(name, x._array)
    return x._array


def _checked(size, sparse_dim, dense_dim):
    size = tuple([int(n) for n in size])
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    if min(sparse_dim, dense_dim, *size, 0) < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension: size {list(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    return size


def _check_growth(array, size, sparse_dim, dense_dim):
    """Raise RuntimeError unless a tensor with elements can have another size."""
    for kind, was, now in (("sparse", array.sparse_dim, sparse_dim), ("dense", array.dense_dim, dense_dim)):
        if was != now:
            raise RuntimeError(
                f"changing the number of {kind} dimensions (from {was} to {now}) on a non-empty sparse tensor is not supported.{_ADVICE}"
            )
    first, last = slice(None, sparse_dim), slice(sparse_dim, None)
    for kind, part in (("sparse", first), ("dense", last)):
        if any(n < m for n, m in zip(size[part], array.shape[part])):
            raise RuntimeError(
                f"shrinking the size of {kind} dimensions (from {list(array.shape[part])} to {list(size[part])}) on a non-empty sparse tensor is not supported.{_ADVICE}"
            )


def _emptied(array, size, sparse_dim):
    return Coo(np.empty((sparse_dim, 0), INDEX), np.empty((0, *size[sparse_dim:]), array.dtype), size)


def _first_of(values, shape):
    """An array of another shape that begins with the elements of ``values``, in their order; zeros follow."""
    flat = np.zeros(math.prod(shape), values.dtype)
    count = min(flat.size, values.size)
    flat[:count] = values.reshape(-1)[:count]
    return flat.reshape(shape)


def _resized(x, array, name, *others):
    """``x`` over ``array``; its new elements have no gradient."""
    if x.requires_grad and x.is_leaf:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")

    def formula(g, needs):
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    operands = (x, *[y for y in others if y.requires_grad])
    return replace(x, record("NotImplemented", sparse(array), operands, formula))
