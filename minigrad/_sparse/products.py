"""Products of matrices of which one is sparse, or both."""

import math

import numpy as np

from .._base import dtypes
from .._base.argument_kinds import explained_by
from .._base.device import sparse_coo, sparse_csr
from .._base.dtypes import scalar_type_name
from .._core.tensor import Tensor, wrap
from .._ops.join import cat
from . import kernels
from .arrays import INDEX, Compressed, Coo, coalesced, refusal
from .convert import LAYOUT_NAMES, to_sparse_csr
from .into import write
from .node import as_one, record, takes_sparse
from .parts import coalesce, is_sparse, kept, masked, of_values, raw, sparse, to_coo, to_dense, values_at
from .pointwise import add, conjugated, mul, scaled


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


def _check(name, x, y, at_places=False):
    """The dtype of the product of two matrices: see ``_common_dtype``."""
    for i, t in enumerate((x, y)):
        if t._array.ndim != 2:
            raise RuntimeError(f"mat{i + 1} must be a matrix, got {t._array.ndim}-D tensor")
        if is_sparse(t) and t._array.dense_dim:
            raise RuntimeError(
                f"{name}: matrices expected, got {t._array.sparse_dim}D tensor with {t._array.dense_dim} dense dimensions"
            )
    if x._array.shape[1] != y._array.shape[0]:
        sizes = [f"{a}x{b}" for a, b in (x._array.shape, y._array.shape)]
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({sizes[0]} and {sizes[1]})")
    return _common_dtype(x, y, at_places)


def _common_dtype(x, y, at_places=False):
    """The dtype of the product of two factors of which one is sparse, or both.  Raises RuntimeError if theirs differ, unless a sparse one has no elements."""
    if x.dtype is y.dtype:
        if x.dtype is dtypes.bool_:
            raise NotImplementedError("\"addmm_sparse_dense\" not implemented for 'Bool'")
        return x.dtype
    sparse_one, other = (x, y) if is_sparse(x) else (y, x)
    by_coordinates = sparse_coo in (x.layout, y.layout)
    if is_sparse(other):
        if by_coordinates:
            names = scalar_type_name(x.dtype), scalar_type_name(y.dtype)
            raise RuntimeError(f"mat1 dtype {names[0]} does not match mat2 dtype {names[1]}")
        expected, found = y, x
    elif by_coordinates:
        expected, found = sparse_one, other
    else:
        expected, found = (other, sparse_one) if at_places else (x, y)
    if all(raw(t)._array.size for t in (x, y) if is_sparse(t)):
        raise RuntimeError(
            f"expected scalar type {scalar_type_name(expected.dtype)} but found {scalar_type_name(found.dtype)}"
        )
    return other.dtype if by_coordinates else expected.dtype


def _record(name, result, factors, formula, added=False):
    """Record ``result`` as the product of two factors, whose gradients ``formula`` has: each is given its factor's dtype.

    ``added``: by a node that leads to what was added to it as well, which is no tensor here: PyTorch adds zeros there, which have no gradient.
    """

    def gradients(g, needs, *factors):
        found = formula(g, needs[1:] if added else needs, *factors)
        found = [h if h is None or h.dtype is x.dtype else h.to(x.dtype) for h, x in zip(found, factors)]
        return [None, *found] if added else found

    return record(name, result, (None, *factors) if added else factors, gradients, *factors)


def _of_dtype(x, dtype):
    """``x`` without history, in that dtype."""
    x = x.detach()
    return x if x.dtype is dtype else x.to(dtype)


def _product(x, y):
    """The product of a sparse matrix and a dense one, or of a dense one and a sparse one, without history."""
    if not is_sparse(x):
        return _product(y.transpose(0, 1), x.transpose(0, 1)).transpose(0, 1).contiguous()
    x = _ready(x)
    return times(Matrix(x._array), raw(x), y)


def _adjoint(x):
    return conjugated(x).t()


def _gradient_at(x, g, y):
    """The gradient of a sparse factor ``x`` of which only the elements that it keeps count."""
    array = (coalesced(x._array) if x._array.__class__ is Coo else x._array).with_own_places()
    if array.__class__ is Compressed and array.in_blocks:
        return of_values(array, values_at(g @ y.mH, array), "SparseMaskBackward0")
    return of_values(array, sampled(Matrix(array), g, y.conj()), "SparseMaskBackward0")


def _in_transform(x, y, name):
    """The product inside a transform, by operations that transforms know."""
    if is_sparse(x):
        x = _ready(x)
        return times(Matrix(x._array), kept(x), y, name=name)
    return _in_transform(y.transpose(0, 1), x.transpose(0, 1), name).transpose(0, 1)


def mm(input, mat2, *, name="MmBackward0", at_places=False):
    """The product of two matrices of which one is sparse, or both; sparse if both are.  ``at_places``: gradients of sparse factors keep their places."""
    dtype = _check("mm", input, mat2, at_places)
    if is_sparse(input) and is_sparse(mat2):
        return _of_sparse(input, mat2, at_places, dtype)
    if input._wrapped or mat2._wrapped:
        return _in_transform(input, mat2, name)
    if at_places and not is_sparse(input):
        return mm(mat2.transpose(0, 1), input.transpose(0, 1), name=name, at_places=True).transpose(0, 1)

    def formula(g, needs, x, y):
        to_x = to_y = None
        if needs[0]:
            to_x = _gradient_at(x, g, y) if at_places else _mm(g, _adjoint(y))
        if needs[1]:
            to_y = _mm(_adjoint(x), g)
        return to_x, to_y

    found = _product(_of_dtype(input, dtype), _of_dtype(mat2, dtype))
    return _record(name, found, (input, mat2), formula, at_places)


def _mm(x, y):
    return mm(x, y) if is_sparse(x) or is_sparse(y) else x.mm(y)


def _of_sparse(x, y, at_places, dtype):
    a, b = (coalesce(to_coo(_of_dtype(each, dtype))) for each in (x, y))
    rows, others = Matrix(a._array).rows(), Matrix(b._array).rows()
    shape = (a._array.shape[0], b._array.shape[1])
    values, factors = _array(raw(a)), _array(raw(b))
    wide = np.float32 if values.dtype.itemsize == 2 and values.dtype.kind not in "iu" else values.dtype
    outer, inner, found = kernels.of_two(
        (rows, values.astype(wide, copy=False)), (others, factors.astype(wide, copy=False)), shape[1]
    )
    result = coalesced(Coo(np.stack([outer, inner]).astype(INDEX), found, shape))
    out = sparse(Coo(result.indices, result.values.astype(values.dtype, copy=False), shape, True))
    of_coordinates = x.layout is y.layout is sparse_coo
    name = (
        "MmBackward0"
        if not at_places
        else "SparseSparseMatmulBackward0"
        if of_coordinates
        else "SparseAddmmBackward0"
    )

    def formula(g, needs, x, y):
        to_x = _mm(g, _adjoint(y)) if needs[0] else None
        to_y = _mm(_adjoint(x), g) if needs[1] else None
        if not at_places:
            return to_x, to_y
        return (
            None if to_x is None else _at_places_of(x, to_x),
            None if to_y is None else _at_places_of(y, to_y),
        )

    result = out if of_coordinates else to_sparse_csr(out)
    return _record(name, result, (x, y), formula, at_places and not of_coordinates)


def _at_places_of(x, g):
    """Of a gradient, what the sparse tensor ``x`` keeps."""
    return masked(g, coalesced(x._array) if x._array.__class__ is Coo else x._array)


def addmm(input, mat1, mat2, *, beta=1, alpha=1, name="AddmmBackward0", at_places=False):
    """``beta * input + alpha * (mat1 @ mat2)``."""
    if not is_sparse(mat1) and not is_sparse(mat2):
        raise RuntimeError(
            f"addmm: computation on CPU is not implemented for {LAYOUT_NAMES[input.layout]} + Strided @ Strided"
        )
    if any(x._wrapped for x in (input, mat1, mat2)):
        return _sum_with_product(input, mm(mat1, mat2, at_places=at_places), beta, alpha)
    found = _sum_with_product(input.detach(), mm(mat1.detach(), mat2.detach()), beta, alpha)
    dtype, size = input.dtype, input.shape

    def formula(g, needs, x, y):
        to_x = to_y = None
        if needs[1]:
            to_x = (
                _gradient_at(x, g, y)
                if at_places and is_sparse(x) and not is_sparse(y)
                else _mm(g, _adjoint(y))
            )
        if needs[2]:
            to_y = _mm(_adjoint(x), g)
        to_input = None
        if needs[0]:
            to_input = scaled(g, beta, dtype)
            to_input = to_input if to_input.shape == size else to_input.sum_to_size(size)
        return (
            to_input,
            to_x if to_x is None else scaled(to_x, alpha, x.dtype),
            to_y if to_y is None else scaled(to_y, alpha, y.dtype),
        )

    return record(name, found, (input, mat1, mat2), formula, mat1, mat2)


def _sum_with_product(x, product, beta, alpha):
    if product.dtype.category < dtypes.FLOATING:
        beta, alpha = int(beta), int(alpha)
    if alpha != 1:
        product = mul(product, alpha) if is_sparse(product) else product * alpha
    if not is_sparse(x):
        if is_sparse(product):
            return add(x * beta if beta != 1 else x, product)
        return product if beta == 0 else product + (x if beta == 1 else x * beta)
    if not is_sparse(product):
        raise RuntimeError("addmm: a sparse tensor and a product that is dense have no sparse sum")
    return product if beta == 0 else add(x if beta == 1 else mul(x, beta), product)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    """``beta * input + alpha * (mat @ vec)``."""
    if any(x._wrapped for x in (input, mat, vec)):
        return _sum_with_product(input, mv(mat, vec), beta, alpha)
    found = _sum_with_product(input.detach(), mv(mat.detach(), vec.detach()), beta, alpha)
    dtype, size = input.dtype, input.shape

    def formula(g, needs, x, y):
        to_x, to_y = _to_matrix_and_vector(g, needs[1:], x, y)
        return (
            scaled(g, beta, dtype).sum_to_size(size) if needs[0] else None,
            to_x if to_x is None else scaled(to_x, alpha, x.dtype),
            to_y if to_y is None else scaled(to_y, alpha, y.dtype),
        )

    return record("AddmvBackward0", found, (input, mat, vec), formula, mat, vec)


@explained_by("_sparse_mm")
def sparse_mm(mat1: Tensor, mat2: Tensor, reduce: str | None = None) -> Tensor:
    """Multiply two matrices, the first or both of which are sparse; the result is sparse if both are.

    The gradient of a sparse operand has the same sparsity. With ``reduce``, the products of a row are combined by "sum", "mean", "amax" or "amin".

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [3., 0.]]).to_sparse()
    >>> minigrad.sparse.mm(a, minigrad.tensor([[1.], [10.]]))
    tensor([[20.],
            [ 3.]])
    """
    if not is_sparse(mat1) and not is_sparse(mat2):
        if reduce is not None:
            raise refusal("_sparse_mm_reduce_impl", mat1._array)
        return mat1.mm(mat2)
    if reduce is not None and (reduce != "sum" or mat1.layout is sparse_csr):
        return as_one("SparseMmReduceImplBackward0", lambda x, y: _reduced(x, y, reduce), (mat1, mat2))
    return mm(mat1, mat2, name="SparseAddmmBackward0", at_places=True)


def _reduced(x, y, reduce):
    if reduce == "prod":
        raise RuntimeError("sparse_mm_reduce: reduce type of prod has not been enabled.")
    if reduce == "sum":
        return mm(x, y, at_places=True)
    if reduce not in ("mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if not is_sparse(x) or is_sparse(y):
        raise RuntimeError("sparse.mm with reduce takes a sparse matrix and a dense one")
    _check("mm", x, y)
    x = coalesce(to_coo(x))
    row, column = (wrap(i) for i in x._array.indices)
    terms = kept(x).unsqueeze(1) * y[column]
    zeros = y.new_zeros((x._array.shape[0], y.shape[1]))
    return zeros.index_reduce(0, row, terms, reduce, include_self=False)


@explained_by("_sparse_addmm")
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
    return addmm(mat, mat1, mat2, beta=beta, alpha=alpha, name="SparseAddmmBackward0", at_places=True)


def mv(input, vec):
    """The product of a sparse matrix and a vector."""
    if vec.ndim != 1 or input.ndim != 2:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    if input.dtype is not vec.dtype and sparse_coo not in (input.layout, vec.layout):
        names = [scalar_type_name(x.dtype) for x in (vec, input, vec)]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}"
        )
    if vec._wrapped or input._wrapped or (is_sparse(vec) and is_sparse(input)):
        return mm(input, vec.unsqueeze(1)).squeeze(1)
    found = mm(input.detach(), vec.detach().unsqueeze(1)).squeeze(1)
    return _record("MvBackward0", found, (input, vec), _to_matrix_and_vector)


def _to_matrix_and_vector(g, needs, x, y):
    """The gradients of a matrix and a vector whose product has the gradient ``g``."""
    to_x = to_y = None
    if needs[0]:
        row = conjugated(y).unsqueeze(0) if is_sparse(y) else y.conj()
        to_x = g.reshape(-1, 1) * row
        if is_sparse(to_x) and not takes_sparse(x):
            to_x = to_dense(to_x)
    if needs[1]:
        to_y = mv(_adjoint(x), g) if is_sparse(x) else x.mH.mv(g)
    return to_x, to_y


def bmm(input, mat2):
    """The products of a batch of matrices, in a sparse tensor of three dimensions, and a dense batch."""
    x, y = input, mat2
    if x.ndim != 3 or y.ndim != 3:
        raise RuntimeError("bmm_sparse: Tensors 'self' and 'mat2' must be 3D")
    if not is_sparse(x):
        return bmm(y.transpose(1, 2), x.transpose(1, 2)).transpose(1, 2)
    if is_sparse(y):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    if x.shape[0] != y.shape[0] or x.shape[2] != y.shape[1]:
        raise RuntimeError(f"bmm_sparse: the sizes {list(x.shape)} and {list(y.shape)} cannot be multiplied")
    dtype = _common_dtype(x, y)
    if not y._wrapped:

        def formula(g, needs, x, y):
            to_x = g @ y.mH if needs[0] else None
            return to_x, bmm(conjugated(x).transpose(1, 2), g) if needs[1] else None

        found = _batch_product(_of_dtype(x, dtype), _of_dtype(y, dtype))
        return _record("BmmBackward0", found, (x, y), formula)
    return _batch_product(x, y)


def _batch_product(x, y):
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
    flat = times(Matrix(diagonal), kept(x), y.reshape(batch * columns, y.shape[2]))
    return flat.reshape(batch, rows, y.shape[2])


def matmul(input, other):
    """The product ``input @ other``, of which one is sparse, or both."""
    for x in (input, other):
        if not isinstance(x, Tensor):
            return NotImplemented
    dims = input.ndim, other.ndim
    if dims == (2, 2):
        return mm(input, other)
    if dims == (2, 1):
        return mv(input, other)
    if dims == (1, 2) and is_sparse(input):
        return mv(other.transpose(0, 1), input)
    if dims == (1, 2):
        return mm(input.unsqueeze(0), other).squeeze_(0)
    if dims == (3, 3):
        return bmm(input, other)
    if 0 in dims:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D"
        )
    if dims == (1, 1):
        raise refusal("dot", (input if is_sparse(input) else other)._array)
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
    if out is not None:
        return write(out, hspmm, mat1, mat2)
    if not is_sparse(mat1):
        raise refusal("hspmm", mat1._array)
    return as_one("HspmmBackward0", _rows_of_product, (mat1, mat2))


def _rows_of_product(mat1, mat2):
    x = coalesce(to_coo(mat1))
    dense = mm(x, mat2, at_places=True)
    rows = np.unique(x._array.indices[0])
    places = Coo(
        rows[None], np.empty((len(rows), mat2.shape[1]), x._array.dtype), (mat1.shape[0], mat2.shape[1])
    )
    return of_values(places, dense[wrap(rows)])


def smm(input, mat2):
    """Multiply a sparse matrix by a dense one; the result is sparse.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.smm(a, minigrad.tensor([[1.], [10.]])).to_dense()
    tensor([[20.],
            [ 0.]])
    """
    _check_sparse(input)
    return as_one("SmmBackward0", _sparse_product, (input, mat2))


def _sparse_product(input, mat2):
    x = _rows_of_product(input, mat2)
    array = x._array
    count, width = array.values.shape
    indices = np.stack([np.repeat(array.indices[0], width), np.tile(np.arange(width), count)])
    return of_values(Coo(indices, array.values.reshape(-1), array.shape), kept(x).reshape(-1))


def sspaddmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * (mat1 @ mat2)`` for sparse ``input`` and ``mat1``, as a sparse tensor.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.sspaddmm(a, a, minigrad.eye(2)).to_dense()
    tensor([[0., 4.],
            [0., 0.]])
    """
    if out is not None:
        return write(out, sspaddmm, input, mat1, mat2, beta=beta, alpha=alpha)
    _check_sparse(input, mat1)
    return as_one(
        "SspaddmmBackward0",
        lambda x, y, z: _joined(mul(x, beta), mul(_sparse_product(y, z), alpha)),
        (input, mat1, mat2),
    )


def _joined(x, y):
    """The sum of two sparse matrices, as the elements of both."""
    values = cat([kept(x), kept(y)])
    indices = np.concatenate([x._array.indices, y._array.indices], axis=1)
    return of_values(Coo(indices, values._array, x._array.shape), values)


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
        return write(out, sampled_addmm, input, mat1, mat2, beta=beta, alpha=alpha, same=True)
    if input.layout is sparse_coo:
        raise refusal("sparse_sampled_addmm", input._array)
    if input.layout is not sparse_csr:
        raise RuntimeError(f"Expected self to have sparse csr layout, but got {LAYOUT_NAMES[input.layout]}")
    for name, x in (("mat1", mat1), ("mat2", mat2)):
        if is_sparse(x):
            raise RuntimeError(f"Expected {name} to have strided layout, but got {LAYOUT_NAMES[x.layout]}")
    shape = (*mat1.shape[:-1], mat2.shape[-1])
    if mat1.shape[-1] != mat2.shape[-2] or shape != input._array.shape:
        raise RuntimeError(
            f"sampled_addmm: sizes {list(mat1.shape)} and {list(mat2.shape)} of the factors do not fit the size {list(input.shape)}"
        )
    return as_one(
        "SparseSampledAddmmBackward0", lambda x, y, z: _sampled_sum(x, y, z, beta, alpha), (input, mat1, mat2)
    )


def _sampled_sum(input, mat1, mat2, beta, alpha):
    array = input._array
    if array.batch_dim:
        values = values_at(mat1 @ mat2, array)
    else:
        values = sampled(Matrix(array), mat1, mat2.transpose(0, 1))
    values = values * alpha if alpha != 1 else values
    if beta != 0:
        values = values + (kept(input) if beta == 1 else kept(input) * beta)
    elif input.requires_grad:  # of which the gradient is zero where it keeps elements
        values = values + kept(input).masked_fill(wrap(np.True_), 0)
    return of_values(array.with_own_places(), values)


def linear(input, weight, bias=None):
    """``input @ weight.t() + bias`` with a sparse weight."""
    flat = input
    if not is_sparse(input):
        flat = input if input.ndim == 2 else input.reshape(math.prod(input.shape[:-1]), input.shape[-1])
    if bias is not None and input.ndim == 2:
        return addmm(bias, flat, weight.t())
    found = mm(flat, weight.t())
    found = to_dense(found) if is_sparse(found) else found
    found = found if bias is None else found + bias
    return found if found.ndim == input.ndim else found.reshape(*input.shape[:-1], weight.shape[0])
