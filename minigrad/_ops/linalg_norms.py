"""Norms of vectors and matrices, condition numbers."""

import math

from .._base.composites import composite
from .._base.dtypes import dtype_name, known
from .._base.errors import axis, either_name, shape_text
from .._core.out import write_out
from .._core.tensor import Tensor
from .._core.wrapped import elements
from .choose import nan_to_num, where
from .dims import as_dims
from .linalg_checks import check_float
from .linalg_solvers import inv_ex_of
from .linalg_spectral import values_of
from .moments import _vector_norm, check_norm_dtype
from .reduce import amax, amin
from .scalars import as_scalar

__all__ = []


def vector_norm(input=None, ord=2, dim=None, keepdim=False, *, dtype=None, out=None, x=None):
    """Return the norm (Σ |x|ᵒʳᵈ)^(1/ord) of all elements, or along ``dim``; ``ord`` may be 0 (counts non-zero elements) and ±inf.

    ``input`` may be called ``x``.  Raises RuntimeError for integers.

    >>> import minigrad
    >>> minigrad.linalg.vector_norm(minigrad.tensor([3., 4.]))
    tensor(5.)
    """
    if input is None or x is not None:
        input = either_name("linalg_vector_norm", input, x, ("input", "x"))
    if ord.__class__ is not float:
        ord = as_order(ord, "linalg_vector_norm", "linalg.vector_norm")
    if dtype is not None:
        dtype = known("linalg_vector_norm", dtype)
    if isinstance(input, Tensor):
        check_norm_dtype(input, dtype, "linalg.vector_norm")
    np_dtype = None if dtype is None else dtype.np
    args = input, ord, as_dims(dim), keepdim, np_dtype
    return _vector_norm(*args) if out is None else _vector_norm.into(out, *args)


def _dims(dim, ndim):
    """A pair of dimensions, counted from the front; raises RuntimeError for anything else."""
    dim = (dim,) if isinstance(dim, int) else tuple(dim)
    if len(dim) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + " ".join(map(str, dim)))
    rows, columns = (axis(d, ndim) for d in dim)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({', '.join(map(str, dim))})")
    return rows, columns


def _matrix_norm(A, ord, dim, keepdim, dtype):
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    check_norm_dtype(A, dtype, "linalg.matrix_norm")
    if isinstance(ord, str):
        if ord not in ("fro", "nuc"):
            raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    elif abs(ord) not in (1, 2, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord:g} not supported.")
    rows, columns = _dims(dim, A.ndim)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim, dtype=dtype)
    if dtype is not None:
        A = A.to(dtype)
    if ord == "nuc" or abs(ord) == 2:
        check_float(A._array, "linalg.matrix_norm")
        s = values_of(A.movedim((rows, columns), (-2, -1)))
        if ord != "nuc" and not s.shape[-1] and not A.numel():
            z = s.sum(-1)
        else:
            z = s.sum(-1) if ord == "nuc" else amax(s, -1) if ord > 0 else amin(s, -1)
        if keepdim:
            first, second = sorted((rows, columns))
            z = z.unsqueeze(first).unsqueeze(second)
        return z
    if abs(ord) == math.inf:
        rows, columns = columns, rows
    sums = vector_norm(A, 1, rows, keepdim)
    if columns > rows and not keepdim:
        columns -= 1
    if not sums.shape[columns]:
        return sums.sum(columns, keepdim)
    return amax(sums, columns, keepdim) if ord > 0 else amin(sums, columns, keepdim)


def as_order(ord, function, named):
    """The order of a norm as a real number; raises TypeError if the argument is not a number, RuntimeError for a complex one."""
    ord = as_scalar(ord, function, "ord", 2)
    if ord.__class__ is complex:
        raise RuntimeError(f"{named}: Expected a non-complex scalar as the order of norm.")
    return ord


def _number(ord, function="linalg_matrix_norm", named="linalg.matrix_norm"):
    return ord if ord is None or isinstance(ord, str) else as_order(ord, function, named)


@composite("linalg_matrix_norm")
def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    """Return a norm of the matrices that the two dimensions ``dim`` span: "fro", "nuc", ±1, ±2 or ±inf.

    >>> import minigrad
    >>> minigrad.linalg.matrix_norm(minigrad.tensor([[1., -2.], [3., 4.]]), 1)
    tensor(6.)
    """
    if out is not None:
        return write_out(out, _matrix_norm_for, out, input, ord, dim, keepdim, dtype, named="linalg_matrix_norm")
    return _matrix_norm(input, _number(ord), dim, keepdim, dtype)


def _matrix_norm_for(out, A, ord, dim, keepdim, dtype):
    z = _matrix_norm(A, _number(ord), dim, keepdim, dtype)
    if out.dtype is not z.dtype:
        raise RuntimeError(f"linalg.matrix_norm expected out tensor dtype {dtype_name(z)} but got: {dtype_name(out)}")
    return z


@composite("linalg_norm")
def norm(input, ord=None, dim=None, keepdim=False, *, dtype=None, out=None):
    """Return a vector norm (if ``dim`` is one dimension, ``ord`` is None, or the input is a vector) or a matrix norm.

    >>> import minigrad
    >>> minigrad.linalg.norm(minigrad.tensor([[3., 4.], [0., 0.]]))
    tensor(5.)
    """
    if dim is not None:
        dims = (dim,) if isinstance(dim, int) else tuple(dim)
        if len(dims) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {shape_text(dims)}")
    elif ord is not None and input.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {input.ndim}D."
        )
    else:
        dims = ()
    if isinstance(ord, str) or (ord is not None and (len(dims) == 2 or (dim is None and input.ndim == 2))):
        return matrix_norm(input, ord, dims or (-2, -1) if dim is None else dims, keepdim, dtype=dtype, out=out)
    return vector_norm(input, 2 if ord is None else ord, dim, keepdim, dtype=dtype, out=out)


def _cond(A, p):
    if A.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is None or p in (2, -2):
        s = values_of(A)
        if not A.numel():
            return A.new_zeros(A.shape[:-2], dtype=s.dtype)
        n = s.shape[-1] - 1
        largest, least = s.narrow(-1, 0, 1), s.narrow(-1, n, 1)
        return (least / largest if p == -2 else largest / least).squeeze(-1)
    if p not in ("fro", "nuc", 1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if A.shape[-1] != A.shape[-2]:
        shown = f"ord={p:g}" if not isinstance(p, str) else f'ord="{p}"'
        raise RuntimeError(
            f"linalg.cond({shown}): A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )
    if not A.numel():
        return A.new_zeros(A.shape[:-2], dtype=A.real.dtype if A.is_complex() else A.dtype)
    if p == "nuc":  # the singular values of the inverse are the reciprocals of A's
        s = values_of(A)
        return s.sum(-1) * (1 / s).sum(-1)
    inverse, info = inv_ex_of(A, None)
    if elements(info).any():
        inverse = where(info[..., None, None] > 0, math.inf, inverse)
    z = _matrix_norm(A, p, (-2, -1), False, None) * _matrix_norm(inverse, p, (-2, -1), False, None)
    return nan_to_num(z, math.inf, math.inf, -math.inf)


def cond(input, p=None, *, out=None):
    """Return the condition number with respect to a matrix norm: ``norm(A) * norm(A⁻¹)``; inf for singular matrices.

    ``p``: None or 2, -2 (by singular values, of any matrices), "fro", "nuc", ±1, ±inf.

    >>> import minigrad
    >>> minigrad.linalg.cond(minigrad.tensor([[4., 0.], [0., 2.]]))
    tensor(2.)
    """
    return _cond(input, _number(p, "linalg_cond", "linalg.cond")) if out is None else write_out(out, cond, input, p, named="linalg_cond")
