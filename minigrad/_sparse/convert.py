"""From one layout to another: what ``to_sparse`` and its kin do."""

import math

import numpy as np

from .._base import device as devices
from .._base.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided
from .._core.tensor import wrap
from .arrays import INDEX, Compressed, Coo, refusal
from .node import record
from .parts import (
    blank_like,
    coalesce,
    in_coordinates,
    is_sparse,
    kept,
    plain_array,
    sparse,
    to_coo,
    to_dense,
    values_at,
)

#: The names by which PyTorch's errors call layouts, and its nodes call conversions.
LAYOUT_NAMES = {
    strided: "Strided", sparse_coo: "Sparse", sparse_csr: "SparseCsr", sparse_csc: "SparseCsc", sparse_bsr: "SparseBsr", sparse_bsc: "SparseBsc",
}  # fmt: skip
COMPRESSED = (sparse_csr, sparse_csc, sparse_bsr, sparse_bsc)
IN_BLOCKS = (sparse_bsr, sparse_bsc)


def to_sparse(self, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """Convert to a sparse tensor; of a dense one, the non-zero elements are kept.

    ``sparse_dim`` is the number of dimensions that have indices (by default all); the others stay dense. Or ``layout`` names the layout
    (``sparse_coo``), with ``blocksize`` for block layouts, and ``dense_dim`` for compressed ones.

    >>> import minigrad
    >>> minigrad.tensor([[0., 2.], [3., 0.]]).to_sparse()
    tensor(indices=tensor([[0, 1],
                           [1, 0]]),
           values=tensor([2., 3.]),
           size=(2, 2), nnz=2, layout=torch.sparse_coo)
    """
    if sparse_dim.__class__ is devices.layout:
        sparse_dim, layout = None, sparse_dim
    if layout in COMPRESSED:
        return to_compressed(self, layout, blocksize, dense_dim, name="ToSparseBackward1")
    if layout is strided:
        return to_dense(self) if is_sparse(self) else self
    if blocksize is not None:
        raise RuntimeError(
            f"to_sparse: conversion from {LAYOUT_NAMES[self.layout]} to {LAYOUT_NAMES[sparse_coo]} does not use the specified blocksize argument"
        )
    if is_sparse(self):
        if self.layout is sparse_coo and sparse_dim not in (None, self._array.sparse_dim):
            raise RuntimeError(
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not supported"
            )
        if self.layout is not sparse_coo and sparse_dim not in (None, 2):
            raise RuntimeError(
                f"sparse_compressed_to_sparse: conversion from {LAYOUT_NAMES[self.layout]} to Sparse with sparse_dim argument !=2 is not supported"
            )
        return _to_coo(self, "ToSparseBackward1" if sparse_dim is None else "ToSparseBackward0")
    name = "ToSparseBackward1" if sparse_dim is None else "ToSparseBackward0"
    if dense_dim is not None:
        sparse_dim = self.ndim - dense_dim
    return _of_dense(self, self.ndim if sparse_dim is None else sparse_dim, name)


def _to_coo(x, name="ToSparseBackward1"):
    """As ``to_coo``, with a gradient that is converted back as it arrives."""
    if x.layout is sparse_coo:
        return x
    like = x.detach()
    places = in_coordinates(x._array)
    return record(name, sparse(places), (x,), lambda g, needs: (to_layout_of(g, like),))


def _of_dense(x, sparse_dim, name="ToSparseBackward0"):
    if not 0 <= sparse_dim <= x.ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{x.ndim}] range, but {sparse_dim} is given"
        )
    if not sparse_dim and x.ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0, but {sparse_dim} is given"
        )
    array = np.asarray(plain_array(x, "to_sparse"))
    if not x.ndim:
        indices = np.empty((0, int(array != 0)), INDEX)
    else:
        mask = (array != 0).any(tuple(range(sparse_dim, array.ndim)))
        indices = np.stack(np.nonzero(mask)).astype(INDEX, copy=False)
    places = Coo(
        indices, np.empty((indices.shape[1], *array.shape[sparse_dim:]), array.dtype), array.shape, True
    )
    return _of_dense_at(places, x, name)


def _of_dense_at(places, x, name):
    """The elements of a dense tensor at ``places``; its gradient has all that a sparse one keeps, at other places too."""
    out = sparse(places.holding(values_at(x.detach(), places)._array))
    return record(name, out, (x,), lambda g, needs: (to_dense(g) if is_sparse(g) else g,))


def to_compressed(x, layout, blocksize=None, dense_dim=None, index=INDEX, name=None):
    """``x``, dense or sparse, in a compressed layout, recorded by a node called ``name``, with indices of the dtype ``index``, or that of its own."""
    if is_sparse(x) and x.layout is not sparse_coo:
        index = x._array.bounds.dtype
    found = _compressed(x, layout, blocksize, dense_dim, name or node_name(layout))
    array = found._array
    if array.bounds.dtype != index:
        array.bounds, array.along = array.bounds.astype(index), array.along.astype(index)
    return found


def _compressed(x, layout, blocksize, dense_dim, node):
    name = f"to_sparse_{LAYOUT_NAMES[layout][6:].lower()}"
    in_blocks = layout in IN_BLOCKS
    if in_blocks and blocksize is None:
        raise RuntimeError(
            f"{name}: conversion from {LAYOUT_NAMES[x.layout]} to {LAYOUT_NAMES[layout]} requires blocksize argument"
        )
    if blocksize is not None and not in_blocks:
        raise RuntimeError(
            f"to_sparse: conversion from {LAYOUT_NAMES[x.layout]} to {LAYOUT_NAMES[layout]} does not use the specified blocksize argument"
        )
    if in_blocks:
        blocksize = (blocksize,) * 2 if isinstance(blocksize, int) else tuple(blocksize)
        if len(blocksize) != 2 or min(blocksize) < 1:
            raise RuntimeError(
                f"{name}: blocksize needs to be a tuple of two positive integers, but got {list(blocksize)}"
            )
    if is_sparse(x):
        if x.layout is layout and (not in_blocks or x._array.block == blocksize):
            return x
        if dense_dim not in (None, x._array.dense_dim):
            raise RuntimeError(
                f"{name}: conversion of a sparse tensor takes no other number of dense dimensions than its own, {x._array.dense_dim}"
            )
        dense_dim = x._array.dense_dim
        if x.layout is sparse_coo and x._array.sparse_dim != 2:
            raise RuntimeError(
                f"{name}: conversion from Sparse to {LAYOUT_NAMES[layout]} for input tensors with sparse_dim()!=2 is not supported"
            )
        like = x.detach()
        if like._array.is_meta:
            found = _turned_on_meta(like._array, layout, blocksize)
        elif like.layout is not sparse_coo and like._array.batch_dim:
            there = to_dense(sparse(like._array.holding(np.ones(like._array.values.shape, bool))))._array
            found = _dense_to_compressed(
                to_dense(like), layout, blocksize or (1, 1), dense_dim, node_name(layout), there
            )
        elif in_blocks:
            found = _coo_to_blocks(coalesce(to_coo(like)), layout, blocksize)
        else:
            found = _coo_to_compressed(coalesce(to_coo(like)), layout)
        return record(node, found, (x,), lambda g, needs: (_converted_back(g, like),))
    return _dense_to_compressed(x, layout, blocksize or (1, 1), dense_dim or 0, node)


def _turned_on_meta(array, layout, block):
    """What a tensor on ``meta`` whose rows are compressed is with compressed columns, or the other way round."""
    if (
        array.__class__ is Coo
        or array.in_blocks is not (layout in IN_BLOCKS)
        or array.block != (block or (1, 1))
    ):
        raise refusal(f"to_sparse_{LAYOUT_NAMES[layout][6:].lower()}", array)
    i = 0 if layout in (sparse_csr, sparse_bsr) else 1
    outer = array.shape[array.batch_dim + i] // array.block[i]
    bounds = blank_like(array.bounds, (*array.bounds.shape[:-1], outer + 1))
    return sparse(Compressed(layout, bounds, array.along, array.values, array.shape))


def _converted_back(g, like):
    """The gradient of a sparse tensor that was converted to another layout: a dense one has no dense dimensions in coordinates."""
    if like.layout is sparse_coo and not is_sparse(g):
        return _of_dense(g, g.ndim)
    return to_layout_of(g, like)


def node_name(layout):
    """What PyTorch calls the node of a conversion to a compressed layout."""
    return f"ToSparse{LAYOUT_NAMES[layout][6:]}Backward0"


def bounds_of(outer, count):
    """Where each of ``count`` rows begins and ends, of the rows' indices in order."""
    bounds = np.zeros(count + 1, INDEX)
    np.cumsum(np.bincount(outer, minlength=count), out=bounds[1:])
    return bounds


def _coo_to_compressed(x, layout):
    array = x._array
    of_rows = layout is sparse_csr
    outer, along = array.indices if of_rows else array.indices[::-1]
    values = kept(x)
    if not of_rows:
        order = np.argsort(outer, kind="stable")
        outer, along, values = outer[order], along[order], values[wrap(order)]
    bounds = bounds_of(outer, array.shape[0 if of_rows else 1])
    return sparse(Compressed(layout, bounds, np.ascontiguousarray(along), values._array, array.shape))


def _coo_to_blocks(x, layout, block):
    array = x._array
    _check_blocks(array.shape[:2], block)
    of_rows = layout is sparse_bsr
    tall, wide = (n // b for n, b in zip(array.shape, block))
    row, column = array.indices
    height, width = block
    key = (row // height) * wide + column // width if of_rows else (column // width) * tall + row // height
    unique, which = np.unique(key, return_inverse=True)
    outer, along = np.divmod(unique, max(wide if of_rows else tall, 1))
    values = kept(x)
    index = tuple([wrap(np.ascontiguousarray(i)) for i in (which.ravel(), row % height, column % width)])
    blocks = values.new_zeros((len(unique), *block, *array.values.shape[1:])).index_put(index, values)
    places = Compressed(
        layout, bounds_of(outer, tall if of_rows else wide), along, blocks._array, array.shape
    )
    return sparse(places)


def _check_blocks(sizes, block):
    if any(n % b for n, b in zip(sizes, block)):
        raise RuntimeError(
            f"tensor sparse size {tuple(sizes)} must be divisible by given blocksize {tuple(block)}".replace(
                "(", "["
            ).replace(")", "]")
        )


def _dense_to_compressed(x, layout, block, dense_dim, name, there=None):
    """A dense tensor in a compressed layout; ``there`` (the same size) says which elements are kept: by default those that are not zero."""
    batch_dim = x.ndim - 2 - dense_dim
    if batch_dim < 0:
        raise RuntimeError(
            f"to_sparse_{LAYOUT_NAMES[layout][6:].lower()}: number of dense dimensions (dense_dim={dense_dim}) must be less or equal to the tensor dimension"
            f" minus two, of a tensor of {x.ndim} dimensions"
        )
    array = np.asarray(plain_array(x, f"to_{str(layout)[6:]}"))
    batch, (rows, columns) = array.shape[:batch_dim], array.shape[batch_dim : batch_dim + 2]
    _check_blocks((rows, columns), block)
    height, width = block
    tall, wide = rows // height, columns // width
    count = math.prod(batch)
    mask = (
        (array != 0 if there is None else there)
        .reshape(count, tall, height, wide, width, math.prod(array.shape[batch_dim + 2 :]))
        .any((2, 4, 5))
    )
    of_rows = layout in (sparse_csr, sparse_bsr)
    if not of_rows:
        mask = mask.swapaxes(1, 2)
    outer = mask.shape[1]
    counts = mask.reshape(count, -1).sum(1)
    if count and (counts != counts[0]).any():
        raise RuntimeError("Expect the same number of specified elements per batch.")
    nnz = int(counts[0]) if count else 0
    along = np.nonzero(mask)[2].reshape(*batch, nnz).astype(INDEX)
    bounds = np.zeros((count, outer + 1), INDEX)
    np.cumsum(mask.sum(2), axis=1, out=bounds[:, 1:])
    in_blocks = layout in IN_BLOCKS
    form = (*batch, nnz, *(block if in_blocks else ()), *array.shape[batch_dim + 2 :])
    places = Compressed(
        layout, bounds.reshape(*batch, outer + 1), along, np.empty(form, array.dtype), array.shape
    )
    return _of_dense_at(places, x, name)


def to_layout_of(x, like, index=INDEX):
    """``x``, dense or sparse, in the layout of the sparse tensor ``like``, with indices of the dtype ``index``: what a gradient is converted to, which PyTorch's nodes do not name by layouts."""
    if like.layout is sparse_coo:
        return _to_coo(x) if is_sparse(x) else _of_dense(x, like._array.sparse_dim)
    block = like._array.block if like._array.in_blocks else None
    return to_compressed(x, like.layout, block, like._array.dense_dim, index, "ToSparseBackward1")


def as_form_of(x, like):
    """``x``, dense or sparse, in the layout of the sparse tensor ``like``, with indices of its dtype."""
    return to_layout_of(x, like, INDEX if like.layout is sparse_coo else like._array.bounds.dtype)


def _compressing(layout):
    name = f"to_sparse_{LAYOUT_NAMES[layout][6:].lower()}"

    def in_blocks(self, blocksize, dense_dim=None):
        return to_compressed(self, layout, blocksize, dense_dim)

    def by_element(self, dense_dim=None):
        return to_compressed(self, layout, None, dense_dim)

    convert = in_blocks if layout in IN_BLOCKS else by_element
    convert.__name__ = convert.__qualname__ = name
    block = ", in blocks of ``blocksize``" if layout in IN_BLOCKS else ""
    argument = "(1, 2)" if layout in IN_BLOCKS else ""
    convert.__doc__ = f"""Convert to the sparse layout ``{str(layout)[6:]}``{block}; of a dense tensor, the last ``dense_dim`` dimensions stay dense.

    >>> import minigrad
    >>> minigrad.tensor([[0., 2.], [3., 4.]]).{name}({argument})._nnz()
    {2 if layout in IN_BLOCKS else 3}
    """
    return convert


to_sparse_csr, to_sparse_csc, to_sparse_bsr, to_sparse_bsc = map(_compressing, COMPRESSED)
