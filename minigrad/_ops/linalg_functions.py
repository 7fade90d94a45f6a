"""Determinants, powers and the exponential of matrices, products of many."""

import math

import numpy as np

from .._arrays import lapack
from .._arrays.kernels import linalg as kernels
from .._base.composites import composite
from .._base.dtypes import c_name
from .._base.errors import integer, shape_text
from .._core.families import General, op
from .._core.out import write_out, write_out_same
from .._core.tensor import Tensor
from .._core.wrapped import elements
from .batches import leading
from .choose import where
from .create import empty_like, eye
from .dims import named_tuple
from .linalg_checks import check_float, check_kernel, check_matrix, check_square
from .linalg_solvers import inv_ex_of, inverse_of
from .matmul import matmul, mm

__all__ = ["logdet", "matrix_exp"]
METHODS = "logdet matrix_exp"


# Determinants ------------------------------------------------------------------------------------------------------------------


def _check_determinant(x, name):
    check_matrix(x, name)
    check_square(x, name + ": ")
    if x.dtype.kind not in "fcV":
        check_float(x, name)


class LinalgDetBackward0(General):
    """z = det A;   gradient g · conj of the cofactors, exact for singular matrices and to any order."""
    out_dtype = "result"
    batch = leading()
    public = "linalg_det"
    operands, names = "x", {"x": "A"}
    def forward(x):
        _check_determinant(x, "linalg.det")
        check_kernel(x, "lu_cpu")
        return kernels.det(x)
    def vjp(xp, g, x): return g[..., None, None] * cofactors(x)
    def fused(g, x):   return g[..., None, None] * kernels.cofactors(x)
_det = op(LinalgDetBackward0)


class Around(General):
    """Matrices to add to x so that what is computed of them has no singular one: (..., n, n) -> (..., roots, n, n); see the kernel."""
    batch, public = leading(), "around"
    operands = "x"
    def forward(x): return np.moveaxis(kernels.around(x), 0, -3)
_around = op(Around)


def cofactors(x):
    """The derivative of the determinant of a tensor, to any order.

    Near a singular matrix it is the mean of those of determinants around it, which have inverses: see the kernel ``around``.
    """
    if kernels.around(elements(x)) is None:
        return _det(x)[..., None, None] * inverse_of(x).mT
    y = x.unsqueeze(-3) + _around(x.detach())
    z = (_det(y)[..., None, None] * inverse_of(y).mT).mean(-3)
    return z.real if z.is_complex() and not x.is_complex() else z


def det(A, *, out=None):
    """Return the determinants of square matrices ``(..., n, n) -> (...)``.

    >>> import minigrad
    >>> minigrad.linalg.det(minigrad.tensor([[1., 2.], [3., 5.]])).round(decimals=4)
    tensor(-1.)
    """
    return _det(A) if out is None else _det.into(out, A)


class LinalgSlogdetBackward0(General):
    """det A = sign · e^z;   gradient (g_z + i Im(g_sign conj sign)) A⁻ᴴ; not finite where A is singular."""
    batch = leading()
    public, conjugates = "linalg_slogdet", False
    operands, results, names = "x", "sign z", {"x": "A"}
    def forward(x):
        _check_determinant(x, "linalg.slogdet")
        check_float(x, "linalg.slogdet")
        sign, z = lapack.slogdet(x)
        return np.asarray(sign), np.asarray(z)
    def vjp(xp, g, x, sign):
        gs, gz = g
        if gs is not None and xp.iscomplex(x):
            c = xp.imag(gs * xp.conj(sign)) * 1j
            gz = c if gz is None else gz + c
        if gz is None: return None
        return gz[..., None, None] * xp.adjoint(xp.inv(x))
_slogdet = op(LinalgSlogdetBackward0)


@composite
def slogdet(A, *, out=None):
    """Return the sign (or phase) of the determinants of square matrices, and the logarithms of their magnitudes.

    >>> import minigrad
    >>> minigrad.linalg.slogdet(minigrad.eye(2)).logabsdet
    tensor(0.)
    """
    return named_tuple("linalg_slogdet", _slogdet(A)) if out is None else _slogdet.into(out, A)


@composite
def logdet(input):
    """Return the logarithm of the determinant: nan where it is negative, -inf where it is zero.

    ``input`` is (..., n, n), the result (...).

    >>> import minigrad
    >>> minigrad.logdet(minigrad.eye(2))
    tensor(0.)
    """
    if isinstance(input, Tensor):
        _check_determinant(input._array, "logdet")
    sign, z = _slogdet(input)
    return sign.log() + z if sign.is_complex() else where(sign == -1, math.nan, z)


# Powers and the exponential ------------------------------------------------------------------------------------------------------


class LinalgMatrixExpBackward0(General):
    """Z = e^A;   gradient the upper right block of exp [[Aᴴ, G], [0, Aᴴ]].  [Mathias 1996, theorem 4.5]"""
    batch = leading()
    public, conjugates = "linalg_matrix_exp", False
    def forward(x):
        check_matrix(x, "linalg.matrix_exp")
        check_square(x, "linalg.matrix_exp: ")
        if x.dtype.kind not in "fcV": check_float(x, "linalg.matrix_exp")
        return kernels.matrix_exp(x)
    def vjp(xp, g, x):
        h, n = xp.adjoint(x), x.shape[-1]
        d = x.ndim - 1
        both = xp.concat((xp.concat((h, g), d), xp.concat((xp.zeros_like(h), h), d)), d - 1)
        return xp.matrix_exp(both)[..., :n, n:]
_matrix_exp = op(LinalgMatrixExpBackward0)


@composite
def matrix_exp(input):
    """Return the matrix exponentials of square matrices, Σ Aⁿ / n!.

    >>> import minigrad
    >>> minigrad.matrix_exp(minigrad.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return _matrix_exp(input)


@composite("linalg_matrix_power")
def matrix_power(input, n, *, out=None):
    """Return the n-th power of square matrices, or of their inverses for a negative n; raise LinAlgError if they have none.

    >>> import minigrad
    >>> minigrad.linalg.matrix_power(minigrad.tensor([[1., 1.], [0., 1.]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    n = integer(n, "linalg_matrix_power", "n", 2)
    if not -(2**63) <= n < 2**63:
        raise ValueError("Overflow when unpacking long long")
    if out is not None:
        squares = n > 0 and n & (n - 1) == 0 and n != 2  # PyTorch copies what it has computed, or one factor, into out
        write = write_out if n in (0, 1) or squares else write_out_same
        return write(out, matrix_power, input, n, named="linalg_matrix_power")
    if isinstance(input, Tensor):
        check_matrix(input, "linalg.matrix_power")
        check_square(input, "linalg.matrix_power: ")
    return power(input, n)


def power(A, n):
    """By squaring."""
    if n == 0:
        return A.clone().copy_(eye(A.shape[-1], dtype=A.dtype, device=A.device)) if A.requires_grad else empty_like(A).copy_(
            eye(A.shape[-1], dtype=A.dtype, device=A.device)
        )
    if n < 0:
        A, n = inv_ex_of(A, "linalg.inv")[0], -n
    if n == 1:
        return A.clone()
    if n == 3:
        return matmul(matmul(A, A), A)
    z = None
    while n:
        if n & 1:
            z = A if z is None else matmul(z, A)
        n >>= 1
        if n:
            A = matmul(A, A)
    return z


# Products of many -------------------------------------------------------------------------------------------------------------------


@composite("linalg_multi_dot")
def multi_dot(tensors, *, out=None):
    """Multiply two or more matrices in the order that takes the fewest operations; the first and last may be vectors.

    >>> import minigrad
    >>> minigrad.linalg.multi_dot([minigrad.ones(2), minigrad.ones(2, 3), minigrad.ones(3)])
    tensor(6.)
    """
    if isinstance(tensors, Tensor) or not isinstance(tensors, (tuple, list)):
        raise TypeError(f"linalg_multi_dot(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}")
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(x).__name__}")
    return _multi_dot(tensors) if out is None else write_out(out, _multi_dot_for, out, *tensors, named="linalg_multi_dot")


def _multi_dot_for(out, *tensors):
    z = _multi_dot(tensors)
    if out.dtype is not z.dtype:
        raise RuntimeError(f"multi_dot(): expected out tensor to have dtype {c_name(z.dtype)} but got {c_name(out.dtype)}")
    return z


def _multi_dot(tensors):
    count = len(tensors)
    if count < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {count}")
    first, last = tensors[0], tensors[-1]
    for which, x in (("first", first), ("last", last)):
        if x.ndim not in (1, 2):
            raise RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {x.ndim}D")
    xs = [x.unsqueeze(0) if i == 0 and x.ndim == 1 else x.unsqueeze(-1) if i == count - 1 and x.ndim == 1 else x
          for i, x in enumerate(tensors)]
    for i, x in enumerate(xs):
        if x.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {x.ndim}D")
        if x.dtype is not first.dtype:
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {c_name(first.dtype)} and tensor {i} "
                f"{c_name(x.dtype)}"
            )
        if i and xs[i - 1].shape[1] != x.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i - 1} and {i} with shapes {shape_text(tensors[i - 1].shape)} and "
                f"{shape_text(tensors[i].shape)} cannot be multiplied"
            )
    z = mm(*xs) if count == 2 else _product(xs, _splits([*(x.shape[0] for x in xs), xs[-1].shape[1]]), 0, count - 1)
    shape = tuple(first.shape[:-1]) + (tuple(last.shape[1:]) if last.ndim == 2 else ())
    return z if z.shape == shape else z.view(shape)


def _splits(sizes):
    """Where to split the product of matrices i to j, for the fewest multiplications.  [Cormen et al., section 15.2]"""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i][j], split[i][j] = min(
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return split


def _product(xs, split, i, j):
    if i == j:
        return xs[i]
    k = split[i][j]
    return mm(_product(xs, split, i, k), _product(xs, split, k + 1, j))
