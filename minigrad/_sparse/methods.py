"""What tensors are asked about their sparse parts, and how they change layouts: methods of all tensors, dense ones too."""

from .._base.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr
from .._core.tensor import wrap
from . import parts
from .arrays import Coo, refusal
from .convert import LAYOUT_NAMES, to_layout_of
from .convert import to_sparse as to_sparse
from .convert import to_sparse_bsc as to_sparse_bsc
from .convert import to_sparse_bsr as to_sparse_bsr
from .convert import to_sparse_csc as to_sparse_csc
from .convert import to_sparse_csr as to_sparse_csr
from .parts import is_sparse, kept
from .resizing import resize_as_sparse_ as resize_as_sparse_
from .resizing import sparse_resize_ as sparse_resize_
from .resizing import sparse_resize_and_clear_ as sparse_resize_and_clear_
from .shapes import sparse_mask as sparse_mask


def _need(x, name, layouts, words):
    if x.layout not in layouts:
        raise RuntimeError(f"{name} expected sparse {words} but got {LAYOUT_NAMES[x.layout]}")
    return x._array


_COORDINATES = (sparse_coo,), "coordinate tensor layout"
_BY_ROW = (sparse_csr, sparse_bsr), "row compressed tensor layout"
_BY_COLUMN = (sparse_csc, sparse_bsc), "column compressed tensor layout"


def to_dense(self, dtype=None, *, masked_grad=None):
    """Convert a sparse tensor to a dense one; a dense one is returned itself, converted to ``dtype`` if given.

    The gradient of a sparse tensor has the same sparsity; with ``masked_grad=False`` it keeps all non-zero elements.

    >>> import minigrad
    >>> minigrad.sparse_coo_tensor([[0, 2]], [3., 4.], (3,)).to_dense()
    tensor([3., 0., 4.])
    """
    if not is_sparse(self):
        return self if dtype is None else self.to(dtype)
    if dtype is not None and dtype is not self.dtype:
        raise RuntimeError("dtype argument is not supported by sparse_to_dense")
    if masked_grad is False:
        like = self.detach()
        return parts.to_dense(self, lambda g: to_layout_of(g, like))
    return parts.to_dense(self)


def coalesce(self):
    """Return the tensor with sorted indices and the values of equal indices summed; itself if it is coalesced already.

    >>> import minigrad
    >>> minigrad.sparse_coo_tensor([[1, 0, 1]], [1., 2., 3.], (2,)).coalesce().values()
    tensor([2., 4.])
    """
    _need(self, "coalesce", *_COORDINATES)
    return parts.coalesce(self)


def is_coalesced(self):
    """Return whether a sparse tensor is known to have sorted indices without repetitions.

    >>> import minigrad
    >>> minigrad.sparse_coo_tensor([[0, 1]], [1., 2.], (2,)).is_coalesced()
    False
    """
    return _need(self, "is_coalesced", *_COORDINATES).coalesced


def indices(self):
    """Return the indices (sparse dimensions, n) of a coalesced sparse tensor.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse().indices()
    tensor([[0, 1],
            [0, 1]])
    """
    array = _need(self, "indices", *_COORDINATES)
    if not array.coalesced:
        raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
    return wrap(array.indices)


def values(self):
    """Return the values (n, *dense dimensions) of a sparse tensor; one in coordinate format must be coalesced.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse().values()
    tensor([1., 1.])
    """
    if not is_sparse(self):
        raise RuntimeError(f"values expected sparse tensor layout but got {LAYOUT_NAMES[self.layout]}")
    if not self._array.coalesced:
        raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
    return kept(self)


def _indices(self):
    """The indices of a sparse tensor, whether it is coalesced or not."""
    return wrap(_coo(self, "_indices").indices)


def _values(self):
    """The values of a sparse tensor, whether it is coalesced or not: the same memory, without history."""
    return wrap(_coo(self, "_values").values)


def _coo(x, name):
    if not is_sparse(x):
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend: it is for sparse tensors."
        )
    if x._array.__class__ is not Coo:
        raise refusal(name, x._array)
    return x._array


def _nnz(self):
    """How many elements, or blocks, a sparse tensor keeps; of each matrix in a batch."""
    if not is_sparse(self):
        raise NotImplementedError(
            "Could not run 'aten::_nnz' with arguments from the 'CPU' backend: it is for sparse tensors."
        )
    return self._array.nnz


def _to_dense(self, dtype=None, masked_grad=None):
    """As ``to_dense``, of which it is the last step."""
    if not is_sparse(self):
        raise NotImplementedError(
            "Could not run 'aten::_to_dense' with arguments from the 'CPU' backend: it is for sparse tensors."
        )
    return to_dense(self, dtype, masked_grad=masked_grad)


def _dimI(self):
    """How many sparse dimensions a tensor in coordinates has."""
    return _coo(self, "_dimI").sparse_dim


def _dimV(self):
    """How many dense dimensions a tensor in coordinates has."""
    return _coo(self, "_dimV").dense_dim


def _coalesced_(self, coalesced):
    """Let a sparse tensor count as coalesced, or not."""
    _coo(self, "_coalesced_").coalesced = bool(coalesced)
    return self


def _dims(self):
    return (self._array.sparse_dim, self._array.dense_dim) if is_sparse(self) else (0, self.ndim)


def sparse_dim(self):
    """Return the number of dimensions of a sparse tensor that have indices; 0 for a dense tensor.

    >>> import minigrad
    >>> minigrad.ones(2, 3).to_sparse(1).sparse_dim()
    1
    """
    return _dims(self)[0]


def dense_dim(self):
    """Return the number of dimensions of the values of a sparse tensor; all dimensions for a dense tensor.

    >>> import minigrad
    >>> minigrad.ones(2, 3).to_sparse(1).dense_dim()
    1
    """
    return _dims(self)[1]


def crow_indices(self):
    """Return the positions among the values where the rows of a CSR or BSR tensor begin: (rows + 1).

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse_csr().crow_indices()
    tensor([0, 1, 2])
    """
    return wrap(_need(self, "crow_indices", *_BY_ROW).bounds)


def col_indices(self):
    """Return the column of each value of a CSR or BSR tensor.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse_csr().col_indices()
    tensor([0, 1])
    """
    return wrap(_need(self, "col_indices", *_BY_ROW).along)


def ccol_indices(self):
    """Return the positions among the values where the columns of a CSC or BSC tensor begin: (columns + 1).

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse_csc().ccol_indices()
    tensor([0, 1, 2])
    """
    return wrap(_need(self, "ccol_indices", *_BY_COLUMN).bounds)


def row_indices(self):
    """Return the row of each value of a CSC or BSC tensor.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse_csc().row_indices()
    tensor([0, 1])
    """
    return wrap(_need(self, "row_indices", *_BY_COLUMN).along)


def to_sparse_coo(self):
    """Convert to a sparse tensor in coordinate format, as ``to_sparse()`` does.

    >>> import minigrad
    >>> minigrad.eye(2).to_sparse_coo().layout
    torch.sparse_coo
    """
    return to_sparse(self)
