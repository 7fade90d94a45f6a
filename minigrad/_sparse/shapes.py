"""Other shapes and parts: transposes, selections, joins, masks."""

import numpy as np

from .._base import device as devices
from .._base.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided
from .._base.errors import axis
from .._core.tensor import Tensor, wrap
from .._ops.create import full_like, zeros
from .arrays import INDEX, Compressed, Coo, refusal
from .construct import empty
from .convert import LAYOUT_NAMES
from .node import alias, as_one, record
from .on_meta import emptied
from .parts import coalesce, is_sparse, kept, masked, of_values, raw, sparse, to_coo
from .tensors import replace

_TURNED = {sparse_csr: sparse_csc, sparse_csc: sparse_csr, sparse_bsr: sparse_bsc, sparse_bsc: sparse_bsr}


def transpose(input, dim0, dim1):
    """The tensor with two dimensions exchanged: both sparse, or both dense."""
    return _exchanged(input, dim0, dim1, "TransposeBackward0")


def _exchanged(input, dim0, dim1, name):
    x, array = input, input._array
    n = array.ndim
    a, b = axis(dim0, n), axis(dim1, n)
    if a == b or not n:
        return _same(x, name)
    shape = list(array.shape)
    shape[a], shape[b] = shape[b], shape[a]
    if array.__class__ is Compressed:
        first = array.batch_dim
        if {a, b} != {first, first + 1}:
            kinds = [("Batch", "Sparse", "Dense")[(d >= first) + (d >= first + 2)] for d in (a, b)]
            raise RuntimeError(
                f"transpose(): can only transpose dimensions of the same type (Batch, Sparse, Dense), got {a}({kinds[0]}) and {b}({kinds[1]})"
                if kinds[0] != kinds[1]
                else f"transpose(): dimensions {a} and {b} of a compressed sparse tensor are not both sparse"
            )
        values = raw(x)
        if array.in_blocks:
            values = values.transpose(first + 1, first + 2)
        places = Compressed(_TURNED[array.layout], array.bounds, array.along, values._array, tuple(shape))
        return _turned_back(places, x, a, b, name)
    sparse_dim = array.sparse_dim
    if (a < sparse_dim) is not (b < sparse_dim):
        raise RuntimeError(
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {sparse_dim}, d0: {a}, d1: {b}"
        )
    values, indices = raw(x), array.indices
    if a < sparse_dim:
        order = list(range(sparse_dim))
        order[a], order[b] = b, a
        indices = indices[order]
    else:
        values = values.transpose(a - sparse_dim + 1, b - sparse_dim + 1)
    ordered = array.coalesced and (a >= sparse_dim or array.nnz < 2)
    return _turned_back(Coo(indices, values._array, tuple(shape), ordered), x, a, b, name)


def _turned_back(places, x, a, b, name):
    """The tensor over ``places``, which has the dimensions ``a`` and ``b`` of ``x`` exchanged."""

    def formula(g, needs):
        if is_sparse(g):
            return (_exchanged(g, a, b, name),)
        return (g.t() if name[:2] == "TB" else g.transpose(a, b),)

    return record(name, sparse(places), (x,), formula)


def _same(x, name):
    """``x`` as another tensor, of whose gradient the same is made."""
    return record(name, alias(x.detach()), (x,), lambda g, needs: (_same(g, name),))


def t(input):
    """The transpose of a matrix."""
    _check_matrix("t", input._array)
    return _same(input, "TBackward0") if input.ndim < 2 else _exchanged(input, 0, 1, "TBackward0")


def _check_matrix(name, array):
    if array.__class__ is Coo and (array.sparse_dim > 2 or array.dense_dim):
        raise RuntimeError(
            f"{name}() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {array.sparse_dim} sparse and {array.dense_dim} dense dimensions"
        )
    if array.ndim > 2:
        raise RuntimeError(f"{name}() expects a tensor with <= 2 dimensions, but self is {array.ndim}D")


def transpose_(self, dim0, dim1):
    """Exchange two dimensions in place."""
    return _exchange_(self, dim0, dim1, "transpose_")


def t_(self):
    """Transpose a matrix in place."""
    _check_matrix("t_", self._array)
    return _exchange_(self, 0, 1, "t_") if self.ndim > 1 else replace(self, _same(self, "TBackward1"))


def _exchange_(x, dim0, dim1, name):
    if x._array.__class__ is Compressed:
        raise RuntimeError(
            f"torch.transpose_: in-place transposition is not supported for {LAYOUT_NAMES[x.layout]} layout"
        )
    return replace(x, _exchanged(x, dim0, dim1, name[:-1].capitalize() + "Backward1"))


def adjoint(input):
    """The conjugate of the tensor with its last two dimensions exchanged."""
    if input.ndim == 1:
        raise RuntimeError("tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor.")
    found = transpose(input, -2, -1) if input.ndim else input
    if not found.is_complex():
        return found
    return record(
        "ConjPhysicalBackward0",
        sparse(found._array.holding(raw(found).conj().resolve_conj()._array)),
        (found,),
        lambda g, needs: (g.conj(),),
    )


def turned(x):
    """The tensor with its dimensions in the opposite order."""
    return permute(x, tuple(range(x.ndim))[::-1])


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
            return _same(input, "PermuteBackward0")
        first = array.batch_dim
        order = list(range(n))
        order[first : first + 2] = [first + 1, first]
        if dims == order:
            return _exchanged(input, first, first + 1, "PermuteBackward0")
        raise refusal("permute", array)
    sparse_dim = array.sparse_dim
    if any(d >= sparse_dim for d in dims[:sparse_dim]):
        raise RuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed.Only transpositions within sparse and dense dimensions are supported."
        )
    values = raw(input)
    if dims[sparse_dim:] != list(range(sparse_dim, n)):
        values = values.permute(0, *[d - sparse_dim + 1 for d in dims[sparse_dim:]])
    same = dims[:sparse_dim] == list(range(sparse_dim))
    places = Coo(array.indices[dims[:sparse_dim]], values._array, tuple([array.shape[d] for d in dims]))
    places.coalesced = array.coalesced and same
    back = np.argsort(dims).tolist()
    return record("PermuteBackward0", sparse(places), (input,), lambda g, needs: (g.permute(back),))


def unsqueeze(input, dim):
    """The tensor with one more dimension, of size 1."""
    array = input._array
    if array.__class__ is not Coo:
        raise refusal("unsqueeze", array)
    dim = axis(dim, array.ndim + 1)
    return as_one("UnsqueezeBackward0", lambda x: _unsqueezed(x, dim), (input,), lambda g, x: g.squeeze(dim))


def _unsqueezed(x, dim):
    array = x._array
    shape = (*array.shape[:dim], 1, *array.shape[dim:])
    if dim <= array.sparse_dim:
        indices = np.insert(array.indices, dim, 0, axis=0)
        return of_values(Coo(indices, array.values, shape), kept(x))
    values = kept(x).unsqueeze(dim - array.sparse_dim + 1)
    return of_values(Coo(array.indices, values._array, shape), values)


def _only_coo(name, x):
    if x._array.__class__ is not Coo:
        raise refusal(name, x._array)
    return x._array


def index_select(input, dim, index):
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
    of_dense = lambda g, x: g.new_zeros(array.shape).index_add(dim, wrap(at.astype(INDEX)), g)
    return as_one("IndexSelectBackward0", lambda x: _chosen(x, dim, at), (input,), of_dense)


def _chosen(input, dim, at):
    array = input._array
    shape = (*array.shape[:dim], len(at), *array.shape[dim + 1 :])
    if dim >= array.sparse_dim:
        values = kept(input).index_select(dim - array.sparse_dim + 1, wrap(at.astype(INDEX)))
        return of_values(Coo(array.indices, values._array, shape), values)
    order = np.argsort(array.indices[dim], kind="stable")
    ordered = array.indices[dim][order]
    first, last = np.searchsorted(ordered, at, "left"), np.searchsorted(ordered, at, "right")
    counts = last - first
    chosen = order[
        np.concatenate([np.arange(a, b) for a, b in zip(first, last)] or [np.empty(0, INDEX)]).astype(INDEX)
    ]
    indices = array.indices.take(chosen, 1)
    indices[dim] = np.repeat(np.arange(len(at)), counts)
    values = kept(input)[wrap(chosen)]
    return of_values(Coo(indices, values._array, shape), values)


def select(input, dim, index, name="SelectBackward0"):
    """The part of the tensor at one place of a dimension, which it has no longer; dense, where no sparse dimension is left."""
    shape = input._array.shape
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = axis(dim, len(shape))
    index, size = int(index), shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} at dimension {dim}"
        )
    index %= size
    take = _select_of_coo if input._array.__class__ is Coo else _select_of_compressed
    return as_one(name, lambda x: take(x, dim, index), (input,), lambda g, x: _put_back(g, shape, dim, index))


def _put_back(g, shape, dim, index):
    """The gradient of a dense part of a tensor of size ``shape``."""
    whole = g.new_zeros(shape)
    whole.select(dim, index).copy_(g.detach())
    return record("SelectBackwardBackward0", whole, (g,), lambda again, needs: (again.select(dim, index),))


def _select_of_coo(x, dim, index):
    array = x._array
    shape = array.shape[:dim] + array.shape[dim + 1 :]
    if dim >= array.sparse_dim:
        values = kept(x).select(dim - array.sparse_dim + 1, index)
        return of_values(Coo(array.indices, values._array, shape), values)
    chosen = np.flatnonzero(array.indices[dim] == index)
    values = kept(x)[wrap(chosen)]
    if array.sparse_dim == 1:
        return values.sum(0).to(x.dtype)
    return of_values(Coo(np.delete(array.indices.take(chosen, 1), dim, 0), values._array, shape), values)


def _select_of_compressed(x, dim, index):
    array = x._array
    shape = array.shape[:dim] + array.shape[dim + 1 :]
    if dim >= array.batch_dim + 2:
        values = kept(x).select(dim - array.batch_dim - 2 + array.values.ndim - array.dense_dim, index)
        return of_values(Compressed(array.layout, array.bounds, array.along, values._array, shape), values)
    if dim >= array.batch_dim:
        if array.batch_dim:
            raise RuntimeError(
                "select(): selecting sparse dimensions is not supported for batched sparse compressed tensors."
            )
        found = _select_of_coo(to_coo(x), dim, index)
        return coalesce(found) if is_sparse(found) else found
    values = kept(x).select(dim, index)
    bounds, along = (np.take(part, index, axis=dim) for part in (array.bounds, array.along))
    return of_values(Compressed(array.layout, bounds, along, values._array, shape), values)


def unbind(input, dim=0):
    """The parts of the tensor at all places of a dimension."""
    if not input.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    dim = axis(dim, input.ndim)
    return tuple([select(input, dim, i, "UnbindBackward0") for i in range(input.shape[dim])])


def getitem(self, index):
    """``self[index]``, of integers, ``:``, ``...`` and None."""
    found, dim = self, 0
    parts = index if isinstance(index, tuple) else (index,)
    taken = sum(1 for i in parts if i is not None and i is not ...)
    if taken > self.ndim and all(hasattr(i, "__index__") for i in parts if i is not None and i is not ...):
        raise IndexError(
            f"too many indices for tensor of dimension {self.ndim}"
            if self.ndim
            else "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
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
        i, size = i.__index__(), found.shape[dim]
        if not -size <= i < size:
            raise IndexError(f"index {i} is out of bounds for dimension {dim} with size {size}")
        found = select(found, dim, i) if is_sparse(found) else found.select(dim, i)
    return found


def setitem(self, index, value):
    """Raises TypeError."""
    raise TypeError("Cannot assign to a sparse tensor")


def narrow_copy(input, dim, start, length):
    """The part of the tensor from one place of a dimension on, copied: ``length`` places long."""
    array = _only_coo("narrow_copy", input)
    if not array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    dim = axis(dim, array.ndim)
    if length < 0 or not 0 <= start <= array.shape[dim] - length:
        raise RuntimeError(
            f"start ({start}) + length ({length}) exceeds dimension size ({array.shape[dim]})."
        )
    of_dense = lambda g, x: g.new_zeros(array.shape).slice_scatter(g, dim, start, start + length)
    return as_one("NarrowCopyBackward0", lambda x: _narrowed(x, dim, start, length), (input,), of_dense)


def _narrowed(input, dim, start, length):
    array = input._array
    shape = (*array.shape[:dim], length, *array.shape[dim + 1 :])
    if dim >= array.sparse_dim:
        values = kept(input).narrow_copy(dim - array.sparse_dim + 1, start, length)
        return of_values(Coo(array.indices, values._array, shape, array.coalesced), values)
    at = array.indices[dim]
    chosen = np.flatnonzero((at >= start) & (at < start + length))
    indices = array.indices.take(chosen, 1)
    indices[dim] -= start
    values = kept(input)[wrap(chosen)]
    found = of_values(Coo(indices, values._array, shape), values)
    found._array.coalesced = array.coalesced
    return found


def _all_sparse(tensors):
    for i, x in enumerate(tensors):
        if not is_sparse(x):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {i}.")
        _only_coo("cat", x)


def cat(tensors, dim=0):
    """Sparse tensors one after another along a dimension."""
    tensors = tuple(tensors)
    _all_sparse(tensors)
    first = tensors[0]._array
    if not first.ndim:
        raise IndexError("zero-dimensional tensor (at position 0) cannot be concatenated")
    dim = axis(dim, first.ndim)
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
    sizes = [x._array.shape[dim] for x in tensors]
    return as_one(
        "CatBackward0",
        lambda *tensors: _joined(tensors, dim),
        tensors,
        lambda g, *tensors: g.split(sizes, dim),
    )


def _joined(tensors, dim):
    first = tensors[0]._array
    sizes = [x._array.shape for x in tensors]
    begins = np.concatenate([[0], np.cumsum([s[dim] for s in sizes])])
    shape = (*first.shape[:dim], int(begins[-1]), *first.shape[dim + 1 :])
    values = [kept(x) for x in tensors]
    indices = np.concatenate([x._array.indices for x in tensors], axis=1)
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
    return of_values(Coo(indices, joined._array, shape), joined)


def _cat(tensors, dim):
    from .._ops.join import cat as dense_cat

    return dense_cat(tensors, dim)


def stack(tensors, dim=0):
    """Sparse tensors along a new dimension."""
    tensors = tuple(tensors)
    _all_sparse(tensors)
    dim = axis(dim, tensors[0].ndim + 1)
    if any(x._array.shape != tensors[0]._array.shape for x in tensors):
        other = next(x for x in tensors if x._array.shape != tensors[0]._array.shape)
        raise RuntimeError(
            f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and {list(other.shape)} at another entry"
        )
    found = cat([unsqueeze(x.detach(), dim) for x in tensors], dim)

    def formula(g, needs):
        return [
            select(g, dim, i, "UnbindBackward0") if is_sparse(g) else g.select(dim, i)
            for i in range(len(tensors))
        ]

    return record("StackBackward0", found, tensors, formula)


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
    if self.is_meta and mask._array.__class__ is Coo:
        raise refusal("sparse_mask", emptied(mask)._array)
    return alias(self, "SparseMaskBackward0") if self is mask else masked(self, mask._array)


def is_same_size(self, other):
    """Whether two tensors have the same size."""
    return self.shape == other.shape


def _kind(array):
    """What a compressed tensor has in common with those that are made like it: see ``empty``."""
    if array.__class__ is Coo:
        return {"dense_dim": array.dense_dim}
    block = array.block if array.in_blocks else None
    return {"blocksize": block, "dense_dim": array.dense_dim, "index": array.bounds.dtype}


def zero_(self):
    """Keep no element any longer."""
    array = self._array
    if array.__class__ is Compressed:
        result = empty(array.shape, self.dtype, layout=array.layout, **_kind(array))
    else:
        result = sparse(Coo(array.indices[:, :0], array.values[:0], array.shape))
    return replace(self, record("ZeroBackward0", result, (self,), zeros_of))


def zeros_of(g, needs):
    """The gradient of what does not change with its operand, as ``g`` is: nothing is kept."""
    return (like("zeros_like", g, None, None, False) if is_sparse(g) else g.new_zeros(g.shape),)


def fill_(self, value):
    """Let all elements that a tensor in a compressed layout keeps be ``value``."""
    array = self._array
    if array.__class__ is Coo:
        raise refusal("fill_.Scalar", array)
    found = sparse(array.holding(full_like(raw(self), value)._array))
    return replace(self, record("FillBackward2", found, (self,), zeros_of))


def like(name, input, dtype, layout, requires_grad, device=None, fill=None):
    """What the function ``name`` makes like a sparse tensor: one of its size that keeps no element, one with its places, or a dense one.

    ``fill(shape, dtype)`` makes the array of the elements.
    """
    array = input._array
    dtype, layout = dtype or input.dtype, layout or input.layout
    if array.is_meta and device is None:
        device = devices.META
    on_meta = device is not None and devices.is_meta(device)
    if layout is strided:
        if on_meta:
            return zeros(input.shape, dtype=dtype, requires_grad=requires_grad, device=device)
        found = wrap(fill(array.shape, dtype.np))
        return found.requires_grad_() if requires_grad else found
    keeps_places = array.__class__ is Compressed and layout is input.layout and name != "zeros_like"
    if name not in ("zeros_like", "empty_like") and not keeps_places:
        raise refusal("fill_.Scalar", array)
    if on_meta:
        like_it = (
            input.detach()
            if layout is input.layout
            else empty(array.shape, dtype, layout=layout, **_kind(array))
        )
        found = emptied(like_it).to(dtype)
        return found.requires_grad_() if requires_grad else found
    if array.is_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    if keeps_places:
        found = sparse(array.holding(fill(array.values.shape, dtype.np)))
    elif layout is sparse_coo:
        values = np.empty((0, *array.shape[array.ndim - array.dense_dim :]), dtype.np)
        found = sparse(Coo(np.empty((array.ndim - array.dense_dim, 0), INDEX), values, array.shape))
    else:
        found = empty(array.shape, dtype, layout=layout, **_kind(array))
    return found.requires_grad_() if requires_grad else found
