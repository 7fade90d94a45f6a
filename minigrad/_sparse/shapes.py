"""Other shapes and parts: transposes, selections, joins, masks."""

import numpy as np

from .._base.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided
from .._base.errors import axis
from .._core.tensor import Tensor, wrap
from .._ops.create import zeros
from .arrays import INDEX, Compressed, Coo, refusal
from .construct import empty
from .parts import is_sparse, kept, of_values, sparse, to_coo, values_at

_TURNED = {sparse_csr: sparse_csc, sparse_csc: sparse_csr, sparse_bsr: sparse_bsc, sparse_bsc: sparse_bsr}


def transpose(input, dim0, dim1):
    """The tensor with two dimensions exchanged: both sparse, or both dense."""
    return _exchanged(input, dim0, dim1, "TransposeBackward0")


def _exchanged(input, dim0, dim1, name):
    x, array = input, input._array
    n = array.ndim
    a, b = axis(dim0, n), axis(dim1, n)
    if a == b or not n:
        return x
    shape = list(array.shape)
    shape[a], shape[b] = shape[b], shape[a]
    if array.__class__ is Compressed:
        first = array.batch_dim
        if {a, b} != {first, first + 1}:
            raise RuntimeError(
                "transpose(): can only transpose the two sparse dimensions of a compressed sparse tensor"
            )
        values = kept(x)
        if array.in_blocks:
            values = values.transpose(first + 1, first + 2)
        places = Compressed(_TURNED[array.layout], array.bounds, array.along, values._array, tuple(shape))
        return of_values(places, values, name)
    sparse_dim = array.sparse_dim
    if (a < sparse_dim) is not (b < sparse_dim):
        raise RuntimeError("transpose(): can't transpose between sparse and dense dimensions")
    values, indices = kept(x), array.indices
    if a < sparse_dim:
        order = list(range(sparse_dim))
        order[a], order[b] = b, a
        indices = indices[order]
    else:
        values = values.transpose(a - sparse_dim + 1, b - sparse_dim + 1)
    ordered = array.coalesced and (a >= sparse_dim or array.nnz < 2)
    return of_values(Coo(indices, values._array, tuple(shape), ordered), values, name)


def t(input):
    """The transpose of a matrix."""
    if input.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {input._array.sparse_dim} sparse and {input._array.dense_dim} dense dimensions"
        )
    return input if input.ndim < 2 else _exchanged(input, 0, 1, "TBackward0")


def turned(x):
    return _exchanged(x, 0, 1, "PermuteBackward0") if x.ndim == 2 else permute(x, tuple(range(x.ndim))[::-1])


def movedim(input, source, destination):
    """The tensor with the dimensions ``source`` at ``destination``, the others in their order."""
    n = input._array.ndim
    sources, places = (
        [axis(d, n) for d in ((x,) if isinstance(x, int) else x)] for x in (source, destination)
    )
    order = [d for d in range(n) if d not in sources]
    for place, d in sorted(zip(places, sources)):
        order.insert(place, d)
    return permute(input, order)


def permute(input, *dims):
    """The tensor with its dimensions in another order: sparse ones among themselves, dense ones too."""
    array = input._array
    dims = dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims
    n = array.ndim
    if len(dims) != n:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {n} "
            f"is not equal to len(dims) = {len(dims)}"
        )
    dims = [axis(d, n) for d in dims]
    if sorted(dims) != list(range(n)):
        raise RuntimeError("permute(sparse_coo): repeated dims are not allowed")
    if array.__class__ is Compressed:
        if dims == list(range(n)):
            return input
        first = array.batch_dim
        order = list(range(n))
        order[first : first + 2] = [first + 1, first]
        if dims == order:
            return transpose(input, first, first + 1)
        raise refusal("permute", array)
    sparse_dim = array.sparse_dim
    if any(d >= sparse_dim for d in dims[:sparse_dim]):
        raise RuntimeError("permute(): sparse and dense dimensions cannot be exchanged")
    values = kept(input)
    if dims[sparse_dim:] != list(range(sparse_dim, n)):
        values = values.permute(0, *[d - sparse_dim + 1 for d in dims[sparse_dim:]])
    same = dims[:sparse_dim] == list(range(sparse_dim))
    places = Coo(
        array.indices[dims[:sparse_dim]],
        values._array,
        tuple([array.shape[d] for d in dims]),
        array.coalesced and same,
    )
    return of_values(places, values, "PermuteBackward0")


def unsqueeze(input, dim):
    """The tensor with one more dimension, of size 1."""
    array = input._array
    if array.__class__ is not Coo:
        raise refusal("unsqueeze", array)
    dim = axis(dim, array.ndim + 1)
    shape = (*array.shape[:dim], 1, *array.shape[dim:])
    if dim <= array.sparse_dim:
        indices = np.insert(array.indices, dim, 0, axis=0)
        return of_values(Coo(indices, array.values, shape), kept(input), "UnsqueezeBackward0")
    values = kept(input).unsqueeze(dim - array.sparse_dim + 1)
    return of_values(Coo(array.indices, values._array, shape, array.coalesced), values, "UnsqueezeBackward0")


def _only_coo(name, x):
    if x._array.__class__ is not Coo:
        raise refusal(name, x._array)
    return x._array


def index_select(input, dim, index, *, out=None):
    """The parts of the tensor at the places ``index`` (n) of a dimension."""
    array = _only_coo("index_select", input)
    if not array.ndim:
        raise IndexError("index_select() cannot be applied to a 0-dim tensor.")
    if index.ndim != 1 or index.dtype.name not in ("int64", "int32"):
        raise RuntimeError("index_select() argument index must be 1-D long-tensor.")
    dim = axis(dim, array.ndim)
    at = np.asarray(index._array)
    size = array.shape[dim]
    if at.size and (at.min() < -size or at.max() >= size):
        raise IndexError(
            f"index_select(): index contains {at.min() if at.min() < -size else at.max()} that is out of range for tensor of size {list(array.shape)} at dimension {dim}"
        )
    at = np.where(at < 0, at + size, at)
    shape = (*array.shape[:dim], len(at), *array.shape[dim + 1 :])
    if dim >= array.sparse_dim:
        values = kept(input).index_select(dim - array.sparse_dim + 1, wrap(at.astype(INDEX)))
        return of_values(
            Coo(array.indices, values._array, shape, array.coalesced), values, "IndexSelectBackward0"
        )
    order = np.argsort(array.indices[dim], kind="stable")
    ordered = array.indices[dim][order]
    first, last = np.searchsorted(ordered, at, "left"), np.searchsorted(ordered, at, "right")
    counts = last - first
    chosen = order[
        np.concatenate([np.arange(a, b) for a, b in zip(first, last)] or [np.empty(0, INDEX)]).astype(INDEX)
    ]
    indices = array.indices[:, chosen]
    indices[dim] = np.repeat(np.arange(len(at)), counts)
    values = kept(input)[wrap(chosen)]
    return of_values(Coo(indices, values._array, shape), values, "IndexSelectBackward0")


def select(input, dim, index):
    """The part of the tensor at one place of a dimension, which it has no longer; dense, where no sparse dimension is left."""
    if input._array.__class__ is Compressed:
        return _select_of_compressed(input, dim, index)
    array = input._array
    if not array.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = axis(dim, array.ndim)
    index, size = int(index), array.shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(array.shape)} at dimension {dim}"
        )
    index %= size
    shape = array.shape[:dim] + array.shape[dim + 1 :]
    if dim >= array.sparse_dim:
        values = kept(input).select(dim - array.sparse_dim + 1, index)
        return of_values(Coo(array.indices, values._array, shape, array.coalesced), values, "SelectBackward0")
    chosen = np.flatnonzero(array.indices[dim] == index)
    values = kept(input)[wrap(chosen)]
    if array.sparse_dim == 1:
        return values.sum(0).to(input.dtype)
    return of_values(
        Coo(np.delete(array.indices[:, chosen], dim, 0), values._array, shape, array.coalesced),
        values,
        "SelectBackward0",
    )


def _select_of_compressed(x, dim, index):
    array = x._array
    dim = axis(dim, array.ndim)
    size = array.shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(array.shape)} at dimension {dim}"
        )
    index %= size
    if dim >= array.batch_dim:
        if array.batch_dim:
            raise RuntimeError(
                "matrices in batched sparse tensors are selected by their batch dimensions only"
            )
        return select(to_coo(x), dim, index)
    values = kept(x).select(dim, index)
    bounds, along = (np.take(part, index, axis=dim) for part in (array.bounds, array.along))
    shape = array.shape[:dim] + array.shape[dim + 1 :]
    return of_values(Compressed(array.layout, bounds, along, values._array, shape), values, "SelectBackward0")


def unbind(input, dim=0):
    """The parts of the tensor at all places of a dimension."""
    return tuple([select(input, dim, i) for i in range(input.shape[dim])])


def getitem(self, index):
    """``self[index]``, of integers, ``:``, ``...`` and None."""
    found, dim = self, 0
    parts = index if isinstance(index, tuple) else (index,)
    taken = sum(1 for i in parts if i is not None and i is not ...)
    for i in parts:
        if i is ...:
            dim += self._array.ndim - taken
            continue
        if i is None or (isinstance(i, slice) and i == slice(None)):
            found, dim = unsqueeze(found, dim) if i is None else found, dim + 1
            continue
        if isinstance(i, Tensor) and not i.ndim and i.dtype.name not in ("bool", "uint8"):
            i = int(i)
        if isinstance(i, bool) or not hasattr(i, "__index__"):
            raise refusal("index.Tensor" if isinstance(i, (Tensor, list)) else "as_strided", self._array)
        found = select(found, dim, i.__index__()) if is_sparse(found) else found.select(dim, i)
    return found


def setitem(self, index, value):
    """Raises TypeError."""
    raise TypeError("Cannot assign to a sparse tensor")


def narrow_copy(input, dim, start, length):
    """The part of the tensor from one place of a dimension on, copied: ``length`` places long."""
    array = _only_coo("narrow_copy", input)
    dim = axis(dim, array.ndim)
    if length < 0 or not 0 <= start <= array.shape[dim] - length:
        raise RuntimeError(
            f"start ({start}) + length ({length}) exceeds dimension size ({array.shape[dim]})."
        )
    shape = (*array.shape[:dim], length, *array.shape[dim + 1 :])
    if dim >= array.sparse_dim:
        values = kept(input).narrow_copy(dim - array.sparse_dim + 1, start, length)
        return of_values(
            Coo(array.indices, values._array, shape, array.coalesced), values, "NarrowCopyBackward0"
        )
    at = array.indices[dim]
    chosen = np.flatnonzero((at >= start) & (at < start + length))
    indices = array.indices[:, chosen]
    indices[dim] -= start
    values = kept(input)[wrap(chosen)]
    return of_values(Coo(indices, values._array, shape, array.coalesced), values, "NarrowCopyBackward0")


def _all_sparse(tensors):
    for i, x in enumerate(tensors):
        if not is_sparse(x):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {i}.")
        _only_coo("cat", x)


def cat(tensors, dim=0, *, out=None):
    """Sparse tensors one after another along a dimension."""
    tensors = tuple(tensors)
    _all_sparse(tensors)
    first = tensors[0]._array
    dim = axis(dim, first.ndim)
    sizes = [x._array.shape for x in tensors]
    for i, x in enumerate(tensors):
        a = x._array
        if a.sparse_dim != first.sparse_dim or a.dense_dim != first.dense_dim:
            raise RuntimeError(
                "All tensors must have the same dimension ranges to concatenate: "
                f"the tensor at position {i} has dimensions {a.sparse_dim} sparse, {a.dense_dim} dense, the first {first.sparse_dim} and {first.dense_dim}"
            )
        if any(n != m for d, (n, m) in enumerate(zip(a.shape, first.shape)) if d != dim):
            raise RuntimeError(
                f"All tensors must have the same shape: {list(first.shape)} (except in the concatenating dimension), but found shape: {list(a.shape)} at position {i}"
            )
    begins = np.concatenate([[0], np.cumsum([s[dim] for s in sizes])])
    shape = (*first.shape[:dim], int(begins[-1]), *first.shape[dim + 1 :])
    values = [kept(x) for x in tensors]
    indices = np.concatenate([x._array.indices for x in tensors], axis=1)
    name = "CatBackward0"
    if dim < first.sparse_dim:
        counts = [x._array.nnz for x in tensors]
        indices[dim] += np.repeat(begins[:-1], counts)
        joined = _cat(values, 0)
    else:
        at = dim - first.sparse_dim + 1
        padded = []
        for value, begin, size in zip(values, begins, sizes):
            before, after = list(value.shape), list(value.shape)
            before[at], after[at] = int(begin), int(begins[-1] - begin - size[dim])
            padded.append(_cat([value.new_zeros(before), value, value.new_zeros(after)], at))
        joined = _cat(padded, 0)
    return of_values(Coo(indices, joined._array, shape), joined, name)


def _cat(tensors, dim):
    from .._ops.join import cat as dense_cat

    return dense_cat(tensors, dim)


def stack(tensors, dim=0, *, out=None):
    """Sparse tensors along a new dimension."""
    tensors = tuple(tensors)
    _all_sparse(tensors)
    dim = axis(dim, tensors[0].ndim + 1)
    if any(x._array.shape != tensors[0]._array.shape for x in tensors):
        other = next(x for x in tensors if x._array.shape != tensors[0]._array.shape)
        raise RuntimeError(
            f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and {list(other.shape)} at another entry"
        )
    return cat([unsqueeze(x, dim) for x in tensors], dim)


def sparse_mask(self, mask):
    """Return the elements of a dense or sparse tensor at the indices of the sparse tensor ``mask``, as a sparse tensor.

    >>> import minigrad
    >>> minigrad.tensor([[1., 2.], [3., 4.]]).sparse_mask(minigrad.eye(2).to_sparse()).values()
    tensor([1., 4.])
    """
    if not is_sparse(mask):
        raise RuntimeError("sparse_mask(): the mask must be a sparse tensor")
    if self.shape != mask.shape:
        raise RuntimeError(
            f"sparse_mask(): operands have incompatible sizes; self has size {list(self.shape)} but mask has size {list(mask.shape)}"
        )
    places = mask._array
    return of_values(places, values_at(self, places, apart=True).to(self.dtype), "SparseMaskBackward0")


def is_same_size(self, other):
    """Whether two tensors have the same size."""
    return self.shape == other.shape


def like(name, input, dtype, layout, requires_grad):
    """What the function ``name`` makes like a sparse tensor: a tensor of its size that keeps no element, or a dense one."""
    of_places = input._array.__class__ is Compressed and layout in (None, input.layout)
    if name not in ("zeros_like", "empty_like") and not (name == "ones_like" and of_places):
        raise refusal("fill_.Scalar", input._array)
    dtype, layout = dtype or input.dtype, layout or input.layout
    if layout is strided:
        return zeros(input.shape, dtype=dtype, requires_grad=requires_grad)
    array = input._array
    if name == "ones_like":
        found = sparse(array.holding(np.ones(array.values.shape, dtype.np)))
    elif layout is input.layout and array.__class__ is Compressed and name == "empty_like":
        found = sparse(array.holding(np.empty(array.values.shape, dtype.np)))
    elif layout is input.layout is sparse_coo:
        values = np.empty((0, *array.shape[array.sparse_dim :]), dtype.np)
        found = sparse(Coo(np.empty((array.sparse_dim, 0), INDEX), values, array.shape))
    else:
        block = array.block if array.__class__ is Compressed and array.in_blocks else None
        found = empty(array.shape, dtype, layout=layout, blocksize=block)
    return found.requires_grad_() if requires_grad else found
