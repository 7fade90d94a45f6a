"""Sums, softmax and what else goes over elements."""

import math
from collections.abc import Sequence

import numpy as np

from .._base import dtypes
from .._base.argument_kinds import explained_by
from .._base.errors import axis
from .._core.tensor import Tensor, wrap
from .arrays import INDEX, Compressed, Coo, keys_of, refusal
from .convert import LAYOUT_NAMES, as_form_of
from .node import as_one, record
from .parts import coalesce, is_sparse, kept, of_values, to_coo
from .shapes import unsqueeze


def _dims(dim, ndim):
    dims = (dim,) if hasattr(dim, "__index__") else tuple(dim)
    return sorted({axis(d, ndim) for d in dims})


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum of all elements, a dense tensor; or over some dimensions, a sparse one."""
    x = input
    if dtype is not None and dtype.__class__ is not dtypes.dtype:  # as the function that was called keeps it
        dtype = dtypes.from_numpy_dtype(dtype)
    if dim is not None and dim != () and dim != []:
        dims, shape, own = _dims(dim, x._array.ndim), x._array.shape, x.dtype

        def of_dense(g, x):
            for d in () if keepdim else dims:
                g = g.unsqueeze(d)
            return g.expand(shape).to(own)

        return as_one("SumBackward1", lambda x: _sums_along(x, dims, keepdim, dtype), (x,), of_dense)
    values = kept(x.detach())
    total = values.sum(dtype=dtype)
    shape = x._array.shape
    total = total.reshape((1,) * len(shape)) if keepdim else total
    own = x.dtype
    return record(
        "SumBackward0",
        total,
        (x,),
        lambda g, needs: ((g.reshape(()) if keepdim else g).expand(shape).to(own),),
    )


def _sums_along(x, dims, keepdim, dtype):
    array = x._array
    if array.__class__ is Compressed:
        if array.in_blocks or array.batch_dim:
            raise RuntimeError(
                f"Currently the only compressed sparse format supported for sum.dim_IntList is CSR, but got layout {LAYOUT_NAMES[x.layout]}"
                + (" with batch dimensions" if array.batch_dim else "")
            )
        if not keepdim:
            raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
        found = _sums_along(to_coo(x), dims, True, dtype)
        return as_form_of(coalesce(found) if is_sparse(found) else found, x)
    found = _sum_over(x, dims, dtype, False)
    for d in dims if keepdim and x.ndim else ():
        found = unsqueeze(found, d) if is_sparse(found) else found.unsqueeze(d)
    return found


@explained_by("_sparse_sum")
def sparse_sum(
    input: Tensor, dim: int | Sequence[int] | None = None, dtype: dtypes.dtype | None = None
) -> Tensor:
    """Sum the elements of a sparse tensor: all, or over the dimensions ``dim``.

    Over ``dim``, the result is sparse, or dense if no sparse dimension is left; over none at all, it is ``input``. The gradient has the sparsity of ``input``.

    >>> import minigrad
    >>> x = minigrad.tensor([[0., 2.], [3., 4.]]).to_sparse()
    >>> minigrad.sparse.sum(x)
    tensor(9.)
    >>> minigrad.sparse.sum(x, 0).to_dense()
    tensor([3., 6.])
    """
    if dtype is not None:
        dtypes.known("_sparse_sum", dtype)
    if isinstance(dim, bool):
        raise TypeError("dim must be int, not bool")
    if dim is None:
        if not is_sparse(input) or input._array.__class__ is not Coo:
            raise RuntimeError(
                f"coalesce expected sparse coordinate tensor layout but got {LAYOUT_NAMES[input.layout]}"
            )
        return kept(coalesce(input)).sum(dtype=dtype)
    if dtype is not None and is_sparse(input):
        input = input.to(dtype)
    return as_one("SparseSumBackward0", lambda x: _sum_over(x, dim, dtype, True), (input,))


def _sum_over(x, dim, dtype, of_sparse):
    """The sum over dimensions.  ``of_sparse``: as ``sparse.sum`` does it, which keeps the dtype where elements only move."""
    if x._array.__class__ is not Coo:
        raise refusal("_sparse_sum", x._array)
    array = x._array
    dims = _dims(dim, array.ndim)
    if not array.ndim:
        dims = []
    sparse_dim = array.sparse_dim
    left = [d for d in range(sparse_dim) if d not in dims]
    only_moved = left and of_sparse and all(d < sparse_dim for d in dims)
    if dtype is None and x.dtype.category < dtypes.FLOATING and not only_moved:
        dtype = dtypes.int64
    if left or x.dtype is not dtypes.bool_:  # else each of the elements at one place counts
        x = coalesce(x)
        array = x._array
    values = kept(x) if dtype is None else kept(x).to(dtype)
    dense = [d - sparse_dim + 1 for d in dims if d >= sparse_dim]
    if dense:
        values = values.sum(dense)
    if not left:
        return values.sum(0)
    shape = tuple([n for d, n in enumerate(array.shape) if d not in dims])
    ordered = len(left) == sparse_dim
    indices = array.indices if ordered else array.indices[left]
    return coalesce(of_values(Coo(indices, values._array, shape, ordered), values))


def _groups(array, dim):
    """(which group each element is in, of those that differ in the dimension ``dim`` alone; how many there are)."""
    others = [d for d in range(array.sparse_dim) if d != dim]
    if not others:
        return np.zeros(array.nnz, INDEX), 1 if array.nnz else 0
    keys = keys_of(array.indices[others], [array.shape[d] for d in others])
    unique, which = np.unique(keys, return_inverse=True)
    return which.ravel().astype(INDEX), len(unique)


def _softmax(x, dim, dtype, logarithm, name):
    if isinstance(dtype, bool):  # as whether halves become floats, which they never do here
        if dtype:
            raise RuntimeError(
                f"{'log_' if logarithm else ''}softmax: with half to float conversion is not supported on cpu"
            )
        dtype = None
    if dtype is not None and is_sparse(x) and x._array.__class__ is Coo:
        x = x.to(dtype)
    return as_one(name, lambda x: _softmax_of(x, dim, logarithm), (x,))


def _softmax_of(x, dim, logarithm):
    if x._array.__class__ is not Coo:
        raise refusal(f"_sparse_{'log_' if logarithm else ''}softmax", x._array)
    dim = axis(dim, x.ndim)
    x = coalesce(x)
    array = x._array
    values = kept(x)
    if x.numel() and values.dtype.category != dtypes.FLOATING:
        raise NotImplementedError(
            f"\"{'log_' if logarithm else ''}softmax\" not implemented for '{dtypes.scalar_type_name(values.dtype)}'"
        )
    if dim >= array.sparse_dim:
        at = dim - array.sparse_dim + 1
        found = values.log_softmax(at) if logarithm else values.softmax(at)
        return of_values(array, found)
    which, count = _groups(array, dim)
    if not array.nnz:
        return of_values(array, values)
    highest = np.full((count, *array.values.shape[1:]), -math.inf, values._array.dtype)
    np.maximum.at(highest, which, values._array)
    shift, place = (
        wrap(np.where(np.isfinite(highest), highest, 0)[which].astype(highest.dtype, copy=False)),
        wrap(which),
    )
    shifted = values - shift
    raised = shifted.exp()
    total = raised.new_zeros(highest.shape).index_add(0, place, raised)
    found = shifted - total.log()[place] if logarithm else raised / total[place]
    return of_values(array, found)


@explained_by("_sparse_softmax", axis="dim")
def sparse_softmax(input: Tensor, dim: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """Compute the softmax over ``dim``, where missing elements count as minus infinity; the sparsity is kept.

    >>> import minigrad
    >>> x = minigrad.tensor([[0., 2.], [3., 3.]]).to_sparse()
    >>> minigrad.sparse.softmax(x, 1).to_dense()
    tensor([[0.0000, 1.0000],
            [0.5000, 0.5000]])
    """
    return _softmax(input, dim, dtype, False, "SparseSoftmaxBackward0")


@explained_by("_sparse_log_softmax", axis="dim")
def sparse_log_softmax(input: Tensor, dim: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """Compute the logarithm of ``sparse.softmax`` over ``dim``: a sparse tensor of the same shape.

    >>> import minigrad
    >>> x = minigrad.tensor([[0., 2.], [3., 3.]]).to_sparse()
    >>> minigrad.sparse.log_softmax(x, 1).values()
    tensor([ 0.0000, -0.6931, -0.6931])
    """
    return _softmax(input, dim, dtype, True, "SparseLogSoftmaxBackward0")


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """The norm of all elements."""
    if keepdim:
        raise RuntimeError("norm_sparse currently does not support keepdim=True")
    if dim is not None and dim != () and dim != [] and len(_dims(dim, input.ndim)) != input.ndim:
        raise RuntimeError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all dimensions of the input"
        )
    power = 2 if p in ("fro", None) else p

    def compute(x):
        x = coalesce(x) if x._array.__class__ is Coo else x
        values = kept(x) if dtype is None else kept(x).to(dtype)
        if values.dtype.category < dtypes.FLOATING:
            raise RuntimeError(
                f"norm(): input dtype should be either floating point or complex. Got {dtypes.scalar_type_name(values.dtype)} instead."
            )
        return values.reshape(-1).norm(power)

    return as_one("NormBackward1", compute, (input,))


def any(input, dim=None, keepdim=False):
    """Whether any element is true."""
    if dim is not None:
        raise refusal("any.dim", input._array)
    return kept(input.detach()).any()
