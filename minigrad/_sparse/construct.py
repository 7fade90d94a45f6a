"""Making sparse tensors of indices and values, and what must hold of these."""

import numpy as np

from .._base import device as devices
from .._base import dtypes
from .._base.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr
from .._base.errors import type_name
from .._core.tensor import Tensor
from .._ops.from_data import as_tensor, tensor
from . import invariants
from .arrays import INDEX, Compressed, Coo
from .convert import COMPRESSED, IN_BLOCKS
from .node import record
from .on_meta import emptied, of_parts
from .parts import plain_array, sparse, values_at


def _indices(data, dtype=INDEX):
    """The array of indices, in ``dtype``, or in their own one for None."""
    found = data.detach() if isinstance(data, Tensor) else as_tensor(data)
    array = np.asarray(plain_array(found, "indices of a sparse tensor"))
    return array if dtype is None else array.astype(dtype, copy=False)


def _values(data, dtype):
    return (
        as_tensor(data, dtype=dtype)
        if isinstance(data, Tensor) or dtype is None
        else tensor(data, dtype=dtype)
    )


def _check_place(device, pin_memory):
    if device is not None:
        devices.check(device)
    if pin_memory:
        raise RuntimeError("only dense CPU tensors can be pinned")


def _is_on_meta(device, *values):
    """Whether a sparse tensor of these parts is to be on ``meta``."""
    return (device is not None and devices.is_meta(device)) or any(
        getattr(x, "is_meta", False) for x in values
    )


def _check_devices(device, indices, values):
    """Raise for tensors that are on two devices, and for one on ``meta`` that is to be on the CPU."""
    names = ["Meta" if x.is_meta else "CPU" for x in (indices, values) if isinstance(x, Tensor)]
    if device is None and len(set(names)) > 1:
        raise RuntimeError(f"backend of indices ({names[0]}) must match backend of values ({names[1]})")
    if "Meta" in names and device is not None and not devices.is_meta(device):
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")


def _finished(name, places, values, requires_grad):
    """The tensor over ``places``, which holds the array of ``values``: with their history, or a leaf."""
    out = sparse(places)
    out = record(name, out, (values,), lambda g, needs: (values_at(g, places),))
    if requires_grad:
        out = out.detach() if out._node is not None else out
        out.requires_grad_()
    return out


def sparse_coo_tensor(
    indices, values=None, size=None, *, dtype=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None, is_coalesced=None
):  # fmt: skip
    """Make a sparse tensor in coordinate format: ``values`` (n, *dense dimensions) at ``indices`` (sparse dimensions, n), zeros elsewhere.

    If an index occurs more than once, its values are summed. ``sparse_coo_tensor(size)`` is empty; without ``size``, it is the smallest
    that holds all indices. Gradients go to ``values``. Raises RuntimeError for indices out of range, unless ``check_invariants=False``,
    and for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3., 4., 5.], (2, 3)).to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 5.]])
    """
    _check_place(device, pin_memory)
    if values is None and size is None:
        found = empty(tuple(indices), dtype or dtypes.get_default_dtype(), requires_grad)
        return emptied(found) if device is not None and devices.is_meta(device) else found
    if values.__class__ is tuple and size is None:
        raise TypeError(
            "sparse_coo_tensor(): values must be a tensor or a list of numbers, not a tuple of sizes"
        )
    _check_devices(device, indices, values)
    if _is_on_meta(device, indices, values):
        return of_parts(sparse_coo, [indices], values, size, dtype, requires_grad, is_coalesced)
    index, kept = _indices(indices), _values(values, dtype)
    if kept.ndim == 0:
        kept = kept.expand(1)
    if index.ndim != 2:
        if size is not None and index.ndim == 1:
            raise RuntimeError(
                f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {len(index)}, dense_dim = {kept.ndim - 1}"
            )
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(index.shape)}")
    if size is None:
        size = _least_size(index, kept)
    size = tuple([int(n) for n in size])
    invariants.check_form_of_coo(index, kept, size)
    flag = bool(is_coalesced)
    if check_invariants is not False and invariants.asked(check_invariants):
        invariants.check_coo(index, size)
        if flag:
            invariants.check_order_of_coo(index, size)
    places = Coo(index, plain_array(kept, "sparse_coo_tensor"), size, flag)
    return _finished("SparseCooTensorWithDimsAndTensorsBackward0", places, kept, requires_grad)


def _least_size(index, values):
    if not index.size:
        if index.shape[1]:
            return tuple(values.shape[1:])
        return (0,) * len(index) + tuple(values.shape[1:])
    low = index.min(1)
    for i, n in enumerate(low):
        if n < 0:
            raise RuntimeError(f"found negative index {n} for dim {i}")
    return (*(index.max(1) + 1).tolist(), *values.shape[1:])


def empty(size, dtype, requires_grad=False, layout=sparse_coo, blocksize=None, dense_dim=0, index=INDEX):
    """A sparse tensor that keeps no element; in a compressed layout, with ``dense_dim`` dense dimensions, and indices of the dtype ``index``."""
    size = tuple([int(n) for n in (size[0] if len(size) == 1 and not isinstance(size[0], int) else size)])
    if layout is sparse_coo:
        places = Coo(np.empty((len(size), 0), INDEX), np.empty(0, dtype.np), size)
    else:
        if layout in IN_BLOCKS and blocksize is None:
            raise RuntimeError(f"empty: expected blocksize for the layout {layout}")
        first = len(size) - 2 - dense_dim
        if first < 0:
            raise RuntimeError(
                f"torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got size {list(size)}"
            )
        batch, (rows, columns), dense = size[:first], size[first : first + 2], size[first + 2 :]
        block = blocksize if layout in IN_BLOCKS else (1, 1)
        outer = rows // block[0] if layout in (sparse_csr, sparse_bsr) else columns // block[1]
        values = np.empty((*batch, 0, *(block if layout in IN_BLOCKS else ()), *dense), dtype.np)
        places = Compressed(
            layout, np.zeros((*batch, outer + 1), index), np.empty((*batch, 0), index), values, size
        )
    out = sparse(places)
    return out.requires_grad_() if requires_grad else out


def sparse_compressed_tensor(
    compressed_indices, plain_indices, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None
):  # fmt: skip
    """Make a sparse tensor in the compressed ``layout``: row (or column) i has ``values`` and ``plain_indices`` from position
    ``compressed_indices[i]`` on.

    Raises RuntimeError for indices that violate the layout, unless ``check_invariants=False``.

    >>> import minigrad
    >>> minigrad.sparse_compressed_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.], (2, 2), layout=minigrad.sparse_csr).to_dense()
    tensor([[0., 2.],
            [3., 4.]])
    """
    if layout not in COMPRESSED:
        raise RuntimeError(
            f"sparse_compressed_tensor expected sparse compressed tensor layout but got {'none' if layout is None else 'Sparse' if layout is sparse_coo else 'Strided'}"
        )
    _check_place(device, pin_memory)
    if _is_on_meta(device, compressed_indices, plain_indices, values):
        parts = [compressed_indices, plain_indices]
        return of_parts(layout, parts, values, size, dtype, requires_grad)
    bounds, along = _indices(compressed_indices, None), _indices(plain_indices, None)
    invariants.check_dtypes_of_compressed(layout, bounds, along)
    kept = _values(values, dtype)
    if size is None:
        size = _least_compressed_size(layout, bounds, along, kept)
    size = tuple([int(n) for n in size])
    places = Compressed(layout, bounds, along, plain_array(kept, "sparse_compressed_tensor"), size)
    invariants.check_form_of_compressed(places)
    if check_invariants is not False and invariants.asked(check_invariants):
        invariants.check_compressed(places)
    return _finished("SparseCompressedTensorBackward0", places, kept, requires_grad)


def _least_compressed_size(layout, bounds, along, values):
    if not bounds.ndim or not along.ndim:
        raise RuntimeError("compressed_indices must have dimensionality >= 1 but got 0")
    outer, other = max(bounds.shape[-1] - 1, 0), int(along.max()) + 1 if along.size else 0
    n = along.ndim
    block = values.shape[n : n + 2] if layout in IN_BLOCKS else (1, 1)
    dense = values.shape[n + 2 * (layout in IN_BLOCKS) :]
    rows, columns = (outer, other) if layout in (sparse_csr, sparse_bsr) else (other, outer)
    return (*bounds.shape[:-1], rows * block[0], columns * block[1], *dense)


def _check_layout(found, wanted, name):
    if found is not None and found is not wanted:
        raise RuntimeError(
            f"{name}: the layout must be {wanted}, but got {found if isinstance(found, devices.layout) else type_name(found)}"
        )


def sparse_csr_tensor(
    crow_indices, col_indices, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None
):  # fmt: skip
    """Make a sparse tensor in compressed rows (CSR): row i has ``values[crow_indices[i]:crow_indices[i + 1]]`` in the columns given by
    ``col_indices``.

    >>> import minigrad
    >>> minigrad.sparse_csr_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.]).to_dense()
    tensor([[0., 2.],
            [3., 4.]])
    """
    _check_layout(layout, sparse_csr, "sparse_csr_tensor")
    return sparse_compressed_tensor(
        crow_indices, col_indices, values, size, dtype=dtype, layout=sparse_csr, device=device, pin_memory=pin_memory, requires_grad=requires_grad,
        check_invariants=check_invariants,
    )  # fmt: skip


def sparse_csc_tensor(
    ccol_indices, row_indices, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None
):  # fmt: skip
    """Make a sparse tensor in compressed columns (CSC): column i has ``values[ccol_indices[i]:ccol_indices[i + 1]]`` in the rows given by
    ``row_indices``.

    >>> import minigrad
    >>> minigrad.sparse_csc_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.]).to_dense()
    tensor([[0., 3.],
            [2., 4.]])
    """
    _check_layout(layout, sparse_csc, "sparse_csc_tensor")
    return sparse_compressed_tensor(
        ccol_indices, row_indices, values, size, dtype=dtype, layout=sparse_csc, device=device, pin_memory=pin_memory, requires_grad=requires_grad,
        check_invariants=check_invariants,
    )  # fmt: skip


def sparse_bsr_tensor(
    crow_indices, col_indices, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None
):  # fmt: skip
    """Make a sparse tensor in compressed rows of blocks (BSR), where each ``values[k]`` is a block; see ``sparse_csr_tensor``.

    >>> import minigrad
    >>> minigrad.sparse_bsr_tensor([0, 1], [1], [[[2., 3.]]], (1, 4)).to_dense()
    tensor([[0., 0., 2., 3.]])
    """
    _check_layout(layout, sparse_bsr, "sparse_bsr_tensor")
    return sparse_compressed_tensor(
        crow_indices, col_indices, values, size, dtype=dtype, layout=sparse_bsr, device=device, pin_memory=pin_memory, requires_grad=requires_grad,
        check_invariants=check_invariants,
    )  # fmt: skip


def sparse_bsc_tensor(
    ccol_indices, row_indices, values, size=None, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, check_invariants=None
):  # fmt: skip
    """Make a sparse tensor in compressed columns of blocks (BSC), where each ``values[k]`` is a block; see ``sparse_csc_tensor``.

    >>> import minigrad
    >>> minigrad.sparse_bsc_tensor([0, 0, 1], [0], [[[2., 3.]]], (1, 4)).to_dense()
    tensor([[0., 0., 2., 3.]])
    """
    _check_layout(layout, sparse_bsc, "sparse_bsc_tensor")
    return sparse_compressed_tensor(
        ccol_indices, row_indices, values, size, dtype=dtype, layout=sparse_bsc, device=device, pin_memory=pin_memory, requires_grad=requires_grad,
        check_invariants=check_invariants,
    )  # fmt: skip


def rebuild(layout, data, check=True):
    """The sparse tensor that a file holds: of ``layout``, with its parts and its size.  What could not be one raises RuntimeError.

    Unless told to ``check`` the indices: ``check_rebuilt`` does so, once they have been read.
    """
    if layout is sparse_coo and len(data) in (3, 4):
        indices, values, size, *flag = data
        return sparse_coo_tensor(
            indices, values, size, check_invariants=check, is_coalesced=bool(flag and flag[0])
        )
    if layout in COMPRESSED and len(data) == 4:
        return sparse_compressed_tensor(*data, layout=layout, check_invariants=check)
    raise RuntimeError(
        f"the file holds a sparse tensor of layout {layout} with {len(data)} parts, which does not exist"
    )


def check_rebuilt(x):
    """Raise RuntimeError unless the indices of a tensor that ``rebuild`` made without a check are such that it could be."""
    array = x._array
    if array.__class__ is Compressed:
        return invariants.check_compressed(array)
    invariants.check_coo(array.indices, array.shape)
    if array.coalesced:
        invariants.check_order_of_coo(array.indices, array.shape)
