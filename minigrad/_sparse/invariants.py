"""What must hold of the indices, values and sizes of sparse tensors.

Forms that do not fit are always refused.  Whether indices are in range and in order is looked at as well, unless a call, or ``check_sparse_tensor_invariants``, says not to.
"""

import math

import numpy as np

from .._base.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from .._base.dtypes import from_numpy_dtype, scalar_type_name
from .arrays import keys_of

_checking = True
_ROWS = (sparse_csr, sparse_bsr)
_NAMES = {
    sparse_csr: ("crow_indices", "col_indices", "nrows", "ncols"),
    sparse_csc: ("ccol_indices", "row_indices", "ncols", "nrows"),
}
_NAMES |= {sparse_bsr: _NAMES[sparse_csr], sparse_bsc: _NAMES[sparse_csc]}
_COUNTED = {sparse_csr: "rows", sparse_csc: "columns", sparse_bsr: "row blocks", sparse_bsc: "column blocks"}


def asked(check_invariants):
    """Whether indices are to be looked at: the argument of a call, or the setting."""
    return _checking if check_invariants is None else check_invariants


def is_checking():
    """Whether the indices of sparse tensors are looked at when these are made."""
    return _checking


def set_checking(on):
    """Look at the indices of sparse tensors from now on, or not; returns what was set before."""
    global _checking
    was, _checking = _checking, bool(on)
    return was


def check_form_of_coo(indices, values, size):
    """Raise RuntimeError unless the forms of indices and values fit, and the size."""
    sparse_dim, dense_dim = len(indices), values.ndim - 1
    if indices.shape[1] != values.shape[0]:
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {indices.shape[1]}, nnz from values: {values.shape[0]}"
        )
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    if any(n < 0 for n in size):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {list(size)}")
    if tuple(values.shape[1:]) != size[sparse_dim:]:
        expected = [values.shape[0], *size[sparse_dim:]]
        raise RuntimeError(f"values has incorrect size, expected {expected}, got {list(values.shape)}")


def check_coo(indices, size):
    """Raise RuntimeError unless all indices are in range."""
    if not indices.size:
        return
    for dim, (low, high) in enumerate(zip(indices.min(1).tolist(), indices.max(1).tolist())):
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {dim}")
        if high >= size[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {size[dim]} but found index {high}"
            )


def check_order_of_coo(indices, size):
    """Raise RuntimeError unless indices, all in range, are in order and distinct."""
    if (np.diff(keys_of(indices, size[: len(indices)])) <= 0).any():
        raise RuntimeError("cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor")


def check_dtypes_of_compressed(layout, bounds, along):
    """Raise RuntimeError unless both kinds of indices have one dtype, int64 or int32."""
    first, second, _, _ = _NAMES[layout]
    for array in (bounds, along):
        if array.dtype.name not in ("int64", "int32"):
            found = scalar_type_name(from_numpy_dtype(array.dtype))
            raise RuntimeError(f"{first} and {second} dtype must be Int or Long, but got {found}")
    if bounds.dtype != along.dtype:
        a, b = (scalar_type_name(from_numpy_dtype(array.dtype)) for array in (bounds, along))
        raise RuntimeError(
            f"{first} and {second} must have the same dtype, but got {a} and {b}, respectively"
        )


def check_form_of_compressed(places):
    """Raise RuntimeError unless the forms of indices and values fit, and the size."""
    bounds, along, values, size = places.bounds, places.along, places.values, places.shape
    first, second, _, _ = _NAMES[places.layout]
    if not bounds.ndim or bounds.ndim != along.ndim:
        raise RuntimeError(
            f"{first} and {second} dimensionality must be equal and at least one but got {bounds.ndim} and {along.ndim}, respectively"
        )
    n = along.ndim
    if values.ndim < n + 2 * places.in_blocks:
        raise RuntimeError(
            f"values must have dimensionality > sum of batch and block dimensionalities (={n - 1} + {2 * places.in_blocks}) but got {values.ndim}"
        )
    if any(s < 0 for s in size):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {list(size)}")
    if len(size) != places.batch_dim + 2 + places.dense_dim:
        raise RuntimeError(
            f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (={places.batch_dim} + 2 + {places.dense_dim}) but got {len(size)}"
        )
    if values.shape[:n] != along.shape:
        raise RuntimeError(
            f"number of specified elements must be the same in {second} and values, but got {list(along.shape)} and {list(values.shape)}"
        )
    if bounds.shape[:-1] != along.shape[:-1] or along.shape[:-1] != size[: n - 1]:
        raise RuntimeError(
            f"all batch dimensions of {first} (={list(bounds.shape[:-1])}), {second} (={list(along.shape[:-1])}) and the size (={list(size[: n - 1])}) must be equal"
        )
    if values.shape[n + 2 * places.in_blocks :] != size[n + 1 :]:
        raise RuntimeError(
            f"values' dense dimensions {list(values.shape[n + 2 * places.in_blocks :])} must be those of the size, {list(size[n + 1 :])}"
        )
    if 0 in places.block:
        raise RuntimeError(f"blocks must not be empty, but are of size {list(places.block)}")
    for i, (s, b) in enumerate(zip(size[n - 1 : n + 1], places.block)):
        if s % b:
            raise RuntimeError(
                f"tensor shape[{n - 1 + i}] (={s}) must be divisible with blocksize[{i}] (={b}) as defined by values shape"
            )
    expected = outer_count(places) + 1
    if bounds.shape[-1] != expected:
        raise RuntimeError(
            f"{first}.shape[-1] must be equal to the number of {_COUNTED[places.layout]} + 1 (={expected}), but got {bounds.shape[-1]}"
        )


def outer_count(places):
    """How many rows of elements or blocks (or columns) there are."""
    i = 0 if places.of_rows else 1
    return places.shape[places.batch_dim + i] // places.block[i]


def check_compressed(places):
    """Raise RuntimeError unless the indices say, for each row or column, distinct places in order and in range."""
    bounds, along = places.bounds, places.along
    first, second, outer, inner = _NAMES[places.layout]
    i = 1 if places.of_rows else 0
    count = places.shape[places.batch_dim + i] // places.block[i]
    nnz = places.nnz
    if (bounds[..., 0] != 0).any():
        raise RuntimeError(f"`{first}[..., 0] == 0` is not satisfied.")
    if (bounds[..., -1] != nnz).any():
        raise RuntimeError(f"`{first}[..., -1] == nnz` is not satisfied.")
    lengths = np.diff(bounds, axis=-1)
    if (lengths < 0).any() or (lengths > count).any():
        raise RuntimeError(f"`0 <= {first}[..., 1:] - {first}[..., :-1] <= {inner}` is not satisfied.")
    if along.size and (along.min() < 0 or along.max() >= count):
        raise RuntimeError(f"`0 <= {second} < {inner}` is not satisfied.")
    if nnz > 1:
        steps = np.diff(along, axis=-1) > 0
        begins = np.zeros((math.prod(along.shape[:-1]), nnz + 1), bool)
        for mark, of_one in zip(begins, bounds.reshape(-1, bounds.shape[-1])):
            mark[of_one] = True
        if not (steps | begins[:, 1:-1].reshape(steps.shape)).all():
            raise RuntimeError(
                f"`{second}[..., {first}[..., i - 1]:{first}[..., i]] for all i = 1, ..., {outer} are sorted and distinct along the last dimension values` is not satisfied."
            )
