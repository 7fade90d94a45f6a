"""Products of matrices of which one is sparse, or both."""

import math

import numpy as np

from .._base.device import sparse_coo, sparse_csr
from .._core.tensor import Tensor, wrap
from . import kernels
from .arrays import INDEX, Compressed, Coo, coalesced, refusal
from .convert import LAYOUT_NAMES, to_sparse_csr
from .node import is_leaf_end, record
from .parts import coalesce, is_sparse, kept, of_values, sparse, to_coo, to_dense, values_at
from .pointwise import add, mul


class Matrix:
    """Where the elements of a sparse matrix are, read as ``Rows``, and of its transpose: each is found once."""

    __slots__ = ("places", "row", "column", "_rows", "_columns")

    def __init__(self, places):
        self.places = places
        if places.__class__ is Coo:
            self.row, self.column = places.indices
        else:
            self.row, self.column = places.places()
        self._rows = self._columns = None

    def rows(self):
        if self._rows is None:
            places = self.places
            if places.__class__ is Compressed and places.of_rows:
                self._rows = kernels.Rows(places.bounds, places.along, None, places.shape[0])
            else:
                self._rows = kernels.rows_of(
                    self.row, self.column, places.shape[0], places.__class__ is Coo and places.coalesced
                )
        return self._rows

    def columns(self):
        if self._columns is None:
            places = self.places
            if places.__class__ is Compressed and not places.of_rows:
                self._columns = kernels.Rows(places.bounds, places.along, None, places.shape[1])
            else:
                self._columns = kernels.rows_of(self.column, self.row, places.shape[1], False)
        return self._columns


def _array(x):
    return np.asarray(x.resolve_conj().resolve_neg()._array)


def times(matrix, values, dense, transposed=False, name="MmBackward0"):
    """The product of the matrix with ``values`` at the places of ``matrix``, a ``Matrix``, or of its transpose, and ``dense`` (n, m): the values are a tensor too."""
    columns = matrix.places.shape[0 if transposed else 1]
    if values._wrapped or dense._wrapped:
        into, at = (matrix.column, matrix.row) if transposed else (matrix.row, matrix.column)
        terms = values.unsqueeze(1) * dense.index_select(0, wrap(at))
        return terms.new_zeros(matrix.places.shape[1 if transposed else 0], dense.shape[1]).index_add(
            0, wrap(into), terms
        )
    found = kernels.times(
        matrix.columns() if transposed else matrix.rows(), _array(values), _array(dense), columns
    )

    def formula(g, needs, values, dense):
        to_values = to_dense_one = None
        if needs[0]:
            ends = (dense.conj(), g) if transposed else (g, dense.conj())
            to_values = sampled(matrix, *ends)
        if needs[1]:
            to_dense_one = times(matrix, values.conj(), g, not transposed)
        return to_values, to_dense_one

    return record(name, wrap(found), (values, dense), formula, values, dense)


def sampled(matrix, a, b):
    """The elements of ``a @ b.t()`` at the places of ``matrix``: for each, the product of a row of ``a`` (rows, d) and one of ``b`` (columns, d)."""
    if a._wrapped or b._wrapped:
        return (a.index_select(0, wrap(matrix.row)) * b.index_select(0, wrap(matrix.column))).sum(1)
    found = kernels.sampled(matrix.row, matrix.column, _array(a), _array(b))

    def formula(g, needs, a, b):
        to_a = times(matrix, g, b.conj()) if needs[0] else None
        return to_a, times(matrix, g, a.conj(), True) if needs[1] else None

    return record("SampledBackward0", wrap(found), (a, b), formula, a, b)


def _ready(x):
    """``x``, or the same in another layout or coalesced, where its elements could not be taken one by one."""
    array = x._array
    if array.__class__ is Compressed and array.in_blocks:
        x = to_coo(x)
    if array.__class__ is Coo and not array.coalesced and x.requires_grad:
        x = coalesce(x)
    return x


def _check(name, x, y, need):
    for i, t in enumerate((x, y)):
        if t._array.ndim != 2:
            raise RuntimeError(
                f"{name}: Expected matrices, but the {('first', 'second')[i]} operand has {t._array.ndim} dimensions"
            )
    if x._array.shape[1] != y._array.shape[0]:
        sizes = [f"{a}x{b}" for a, b in (x._array.shape, y._array.shape)]
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({sizes[0]} and {sizes[1]})")
    for t in (x, y):
        if is_sparse(t) and t._array.dense_dim:
            raise RuntimeError(
                f"{name}: a sparse matrix has two sparse dimensions, but one here has {t._array.ndim - t._array.dense_dim}, and {t._array.dense_dim} dense"
            )
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"{name}: expected both operands to have the same dtype, but got {x.dtype} and {y.dtype}"
        )


def _of_dense(x, y, name, masked):
    """The product of a sparse matrix and a dense one.  ``masked``: the gradient of a leaf keeps its places; otherwise it is dense, as PyTorch's."""
    if not masked and is_leaf_end(x) and not y._wrapped:
        plain = _ready(x.detach())
        values = times(Matrix(plain._array), kept(plain), y.detach())

        def formula(g, needs, x, y):
            to_x = g @ y.mH if needs[0] else None
            return to_x, mm(x.conj().transpose(0, 1), g) if needs[1] else None

        return record(name, values, (x, y), formula, x, y)
    x = _ready(x)
    return times(Matrix(x._array), kept(x), y, name=name)


def mm(input, mat2, *, out=None, name="MmBackward0", masked=False):
    """The product of two matrices of which one is sparse, or both; sparse if both are."""
    if out is not None:
        raise NotImplementedError("mm() of sparse tensors does not support out=")
    _check("mm", input, mat2, 2)
    if is_sparse(input) and is_sparse(mat2):
        return _of_sparse(input, mat2)
    if is_sparse(input):
        return _of_dense(input, mat2, name, masked)
    if not masked and is_leaf_end(mat2) and not input._wrapped:
        found = _of_dense(
            mat2.detach().transpose(0, 1), input.detach().transpose(0, 1), name, True
        ).transpose(0, 1)

        def formula(g, needs, x, y):
            to_x = mm(g, y.conj().transpose(0, 1)) if needs[0] else None
            return to_x, x.mH @ g if needs[1] else None

        return record(name, found.contiguous(), (input, mat2), formula, input, mat2)
    return _of_dense(mat2.transpose(0, 1), input.transpose(0, 1), name, True).transpose(0, 1)


def _of_sparse(x, y):
    a, b = _ready(coalesce(to_coo(x))), _ready(coalesce(to_coo(y)))
    rows, others = Matrix(a._array).rows(), Matrix(b._array).rows()
    shape = (a._array.shape[0], b._array.shape[1])
    values, factors = _array(kept(a.detach())), _array(kept(b.detach()))
    wide = np.float32 if values.dtype.itemsize == 2 and values.dtype.kind not in "iu" else values.dtype
    outer, inner, found = kernels.of_two(
        (rows, values.astype(wide, copy=False)), (others, factors.astype(wide, copy=False)), shape[1]
    )
    result = coalesced(Coo(np.stack([outer, inner]).astype(INDEX), found, shape))
    result = Coo(result.indices, result.values.astype(values.dtype, copy=False), shape, True)

    def formula(g, needs, a, b):
        to_a = to_b = None
        if needs[0]:
            to_a = _product_at(g, b.conj().transpose(0, 1), a)
        if needs[1]:
            to_b = _product_at(a.conj().transpose(0, 1), g, b)
        return to_a, to_b

    out = record("SparseSparseMatmulBackward0", sparse(result), (a, b), formula, a, b)
    return out if x.layout is y.layout is sparse_coo else to_sparse_csr(out)


def _product_at(x, y, like):
    """The elements of a product at the places of ``like``, and nowhere else: what a gradient keeps."""
    found = mm(x, y)
    return of_values(like._array, values_at(found, like._array))


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None, name="AddmmBackward0", masked=False):
    """``beta * input + alpha * (mat1 @ mat2)``."""
    if out is not None:
        raise NotImplementedError("addmm() of sparse tensors does not support out=")
    product = mm(mat1, mat2, name=name, masked=masked)
    if alpha != 1:
        product = mul(product, alpha) if is_sparse(product) else product * alpha
    if not is_sparse(input):
        if is_sparse(product):
            return add(input * beta if beta != 1 else input, product)
        result = product if beta == 0 else product + (input if beta == 1 else input * beta)
        return result
    if not is_sparse(product):
        raise RuntimeError("addmm: a sparse tensor and a product that is dense have no sparse sum")
    return product if beta == 0 else add(input if beta == 1 else mul(input, beta), product)


def sparse_mm(mat1: Tensor, mat2: Tensor, reduce: str | None = None) -> Tensor:
    """Multiply two matrices, the first or both of which are sparse; the result is sparse if both are.

    The gradient of a sparse operand has the same sparsity. With ``reduce``, the products of a row are combined by "sum", "mean", "amax" or "amin".

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [3., 0.]]).to_sparse()
    >>> minigrad.sparse.mm(a, minigrad.tensor([[1.], [10.]]))
    tensor([[20.],
            [ 3.]])
    """
    if not is_sparse(mat1) and not is_sparse(mat2) and reduce is None:
        return mat1.mm(mat2)
    if reduce is not None and reduce != "sum":
        return _reduced(mat1, mat2, reduce)
    return mm(mat1, mat2, name="SparseAddmmBackward0", masked=True)


def _reduced(x, y, reduce):
    if reduce not in ("mean", "amax", "amin"):
        raise ValueError(f"reduce argument must be either sum, mean, amax or amin, got {reduce}")
    if not is_sparse(x) or is_sparse(y):
        raise RuntimeError("sparse.mm with reduce takes a sparse matrix and a dense one")
    _check("mm", x, y, 2)
    x = coalesce(to_coo(x))
    row, column = (wrap(i) for i in x._array.indices)
    terms = kept(x).unsqueeze(1) * y[column]
    zeros = y.new_zeros((x._array.shape[0], y.shape[1]))
    return zeros.index_reduce(0, row, terms, reduce, include_self=False)


def sparse_addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """Compute ``beta * mat + alpha * (mat1 @ mat2)`` for a sparse ``mat1``, whose gradient has the same sparsity.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [3., 0.]]).to_sparse()
    >>> minigrad.sparse.addmm(minigrad.ones(2, 1), a, minigrad.tensor([[1.], [10.]]))
    tensor([[21.],
            [ 4.]])
    """
    if not any(is_sparse(x) for x in (mat, mat1, mat2)):
        return mat.addmm(mat1, mat2, beta=beta, alpha=alpha)
    return addmm(mat, mat1, mat2, beta=beta, alpha=alpha, name="SparseAddmmBackward0", masked=True)


def mv(input, vec, *, out=None):
    """The product of a sparse matrix and a vector."""
    if vec.ndim != 1 or input.ndim != 2:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    return mm(input, vec.unsqueeze(1), name="MvBackward0").squeeze(1)


def bmm(input, mat2, *, out=None):
    """The products of a batch of matrices, in a sparse tensor of three dimensions, and a dense batch."""
    x, y = input, mat2
    if not is_sparse(x):
        return bmm(y.transpose(1, 2), x.transpose(1, 2)).transpose(1, 2)
    if is_sparse(y):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    if x.ndim != 3 or y.ndim != 3:
        raise RuntimeError("bmm_sparse: Tensors 'self' and 'mat2' must be 3D")
    if x.shape[0] != y.shape[0] or x.shape[2] != y.shape[1]:
        raise RuntimeError(f"bmm_sparse: the sizes {list(x.shape)} and {list(y.shape)} cannot be multiplied")
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"bmm_sparse: expected both operands to have the same dtype, but got {x.dtype} and {y.dtype}"
        )
    if is_leaf_end(x) and not y._wrapped:  # its gradient is dense, as that of a product of two matrices

        def formula(g, needs, x, y):
            to_x = g @ y.mH if needs[0] else None
            return to_x, bmm(x.conj().transpose(1, 2), g) if needs[1] else None

        return record("BmmBackward0", bmm(x.detach(), y.detach()), (x, y), formula, x, y)
    x = coalesce(to_coo(x))
    array = x._array
    if array.sparse_dim != 3:
        raise RuntimeError("bmm_sparse: Tensor 'self' must have three sparse dimensions")
    batch, rows, columns = array.shape
    at, row, column = array.indices
    diagonal = Coo(
        np.stack([at * rows + row, at * columns + column]),
        array.values,
        (batch * rows, batch * columns),
        True,
    )
    flat = times(Matrix(diagonal), kept(x), y.reshape(batch * columns, y.shape[2]), name="BmmBackward0")
    return flat.reshape(batch, rows, y.shape[2])


def matmul(input, other, *, out=None):
    """The product ``input @ other``, of which one is sparse, or both."""
    for x in (input, other):
        if not isinstance(x, Tensor):
            return NotImplemented
    dims = input.ndim, other.ndim
    if dims == (2, 2):
        return mm(input, other)
    if dims == (2, 1):
        return mv(input, other)
    if dims == (1, 2):
        return mv(other.transpose(0, 1), input)
    if dims == (3, 3):
        return bmm(input, other)
    raise RuntimeError(
        f"matmul of sparse tensors takes matrices, a matrix and a vector, or two batches, not tensors of {dims[0]} and {dims[1]} dimensions"
    )


def hspmm(mat1, mat2, *, out=None):
    """Multiply a sparse matrix by a dense one; the result is a hybrid sparse tensor of the rows that the first has.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.hspmm(a, minigrad.tensor([[1.], [10.]])).values()
    tensor([[20.]])
    """
    if not is_sparse(mat1):
        raise refusal("hspmm", mat1._array)
    x = coalesce(to_coo(mat1))
    dense = mm(x, mat2, masked=True)
    rows = np.unique(x._array.indices[0])
    places = Coo(
        rows[None], np.empty((len(rows), mat2.shape[1]), x._array.dtype), (mat1.shape[0], mat2.shape[1])
    )
    return of_values(places, dense[wrap(rows)], "HspmmBackward0")


def smm(input, mat2):
    """Multiply a sparse matrix by a dense one; the result is sparse.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.smm(a, minigrad.tensor([[1.], [10.]])).to_dense()
    tensor([[20.],
            [ 0.]])
    """
    _check_sparse(input)
    x = hspmm(input, mat2)
    array = x._array
    count, width = array.values.shape
    indices = np.stack([np.repeat(array.indices[0], width), np.tile(np.arange(width), count)])
    return of_values(Coo(indices, array.values.reshape(-1), array.shape), kept(x).reshape(-1), "SmmBackward0")


def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * (mat1 @ mat2)`` for sparse ``input`` and ``mat1``, as a sparse tensor.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.sspaddmm(a, a, minigrad.eye(2)).to_dense()
    tensor([[0., 4.],
            [0., 0.]])
    """
    _check_sparse(input, mat1)
    return add(mul(input, beta), mul(smm(mat1, mat2), alpha))


def _check_sparse(*tensors):
    if not all(is_sparse(x) for x in tensors):
        raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")


def sampled_addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: float = 1.0,
    alpha: float = 1.0,
    out: Tensor | None = None,
) -> Tensor:
    """Compute ``alpha * (mat1 @ mat2) + beta * input`` only at the elements of the sparse CSR matrix ``input``, whose sparsity the result has.

    >>> import minigrad
    >>> mask = minigrad.eye(2).to_sparse_csr()
    >>> minigrad.sparse.sampled_addmm(mask, minigrad.ones(2, 3), minigrad.ones(3, 2)).to_dense()
    tensor([[4., 0.],
            [0., 4.]])
    """
    if out is not None:
        raise NotImplementedError("sampled_addmm() does not support out=")
    if input.layout is not sparse_csr:
        raise RuntimeError(f"Expected self to have sparse csr layout, but got {LAYOUT_NAMES[input.layout]}")
    for name, x in (("mat1", mat1), ("mat2", mat2)):
        if is_sparse(x):
            raise RuntimeError(f"Expected {name} to have strided layout, but got {LAYOUT_NAMES[x.layout]}")
    array = input._array
    shape = (*mat1.shape[:-1], mat2.shape[-1])
    if mat1.shape[-1] != mat2.shape[-2] or shape != array.shape:
        raise RuntimeError(
            f"sampled_addmm: sizes {list(mat1.shape)} and {list(mat2.shape)} of the factors do not fit the size {list(array.shape)}"
        )
    if array.batch_dim:
        values = values_at(mat1 @ mat2, array)
    else:
        values = sampled(Matrix(array), mat1, mat2.transpose(0, 1))
    values = values * alpha if alpha != 1 else values
    if beta != 0:
        values = values + (kept(input) if beta == 1 else kept(input) * beta)
    return of_values(array, values, "SparseSampledAddmmBackward0")


def linear(input, weight, bias=None):
    """``input @ weight.t() + bias`` with a sparse weight."""
    flat = input
    if not is_sparse(input):
        flat = input.reshape(math.prod(input.shape[:-1]), input.shape[-1])
    if is_sparse(weight) and not is_sparse(flat):
        found = mm(weight, flat.transpose(0, 1)).transpose(0, 1)
    else:
        found = mm(flat, weight.transpose(0, 1))
    found = to_dense(found) if is_sparse(found) else found
    found = found if bias is None else found + bias
    return found.reshape(*input.shape[:-1], weight.shape[0]) if not is_sparse(input) else found
