"""Triangular factors: Cholesky, LU and LDLᵀ decompositions, and what is solved with them."""


import numpy as np

from .._arrays.kernels import linalg as kernels
from .._base.dtypes import dtype_name
from .._base.errors import broadcast_shapes
from .._core.families import General, op
from .._core.out import write_out_same, write_outs
from .batches import leading
from .dims import named_tuple
from .linalg_checks import (
    NOT_POSITIVE,
    ZERO_PIVOT,
    check_float,
    check_int32,
    check_kernel,
    check_matrix,
    check_old_system,
    check_same,
    check_square,
    check_system,
    check_two,
    no_kernel,
    report,
)

__all__ = ["cholesky_inverse", "cholesky_solve", "lu_unpack"]
METHODS = "cholesky_inverse cholesky_solve"


# Cholesky ----------------------------------------------------------------------------------------------------------------------


def cholesky_gradient(xp, g, z, upper):
    """The gradient through A = L Lᴴ: ½ L⁻ᴴ (Φ + Φᴴ) L⁻¹, where Φ is the lower triangle of Lᴴ G, half its diagonal.  [Murray 2016, eq. 10]"""
    if upper:
        g, z = xp.adjoint(g), xp.adjoint(z)
    p = xp.tril(xp.adjoint(z) @ g, -1)
    d = xp.real(xp.diagonal(xp.adjoint(z) @ g, 0, -2, -1))
    p = (p + xp.adjoint(p) + xp.diag_embed(d)) * 0.5
    return xp.solve_triangular(z, xp.solve_triangular(xp.adjoint(z), p, True), False, False)


def triangle(x, upper):
    """``(factor, info)`` of arrays, in memory as LAPACK leaves it."""
    z, info = kernels.cholesky(kernels.adjoint(x) if upper else x)
    return kernels.columns(kernels.adjoint(z) if upper else z), info


class LinalgCholeskyExBackward0(General):
    """A = Z Zᴴ, or Zᴴ Z with ``upper``; only one triangle of A is read, the gradient is Hermitian: ``cholesky_gradient``."""
    batch = leading()
    public, conjugates = "linalg_cholesky", False
    operands, results, nondiff, names = "x", "z info", (1,), {"x": "input", "z": "L"}
    def forward(x, upper, name):
        check_matrix(x, "linalg.cholesky")
        check_square(x, "linalg.cholesky: ")
        check_float(x, "linalg.cholesky", "cholesky_cpu")
        z, info = triangle(x, upper)
        if name is not None: report(info, name, NOT_POSITIVE)
        return z, info
    def vjp(xp, g, z, upper): return cholesky_gradient(xp, g, z, upper)
_cholesky_ex = op(LinalgCholeskyExBackward0)


class CholeskyBackward0(General):
    """Like ``LinalgCholeskyExBackward0``, for ``torch.cholesky``."""
    out_dtype = "result"
    batch = leading()
    conjugates = False
    def forward(x, upper):
        check_matrix(x, "cholesky")
        if not x.size: return np.zeros_like(x)
        check_square(x, "cholesky: ")
        check_kernel(x, "cholesky_cpu")
        z, info = triangle(x, upper)
        report(info, "cholesky", NOT_POSITIVE)
        return z
    def vjp(xp, g, z, upper): return cholesky_gradient(xp, g, z, upper)
_cholesky = op(CholeskyBackward0)


def cholesky(input, *, upper=False, out=None):
    """Compute the Cholesky factor of Hermitian positive definite matrices: the lower L with ``A = L Lᴴ``, or with ``upper`` the U with
    ``A = Uᴴ U``.

    Only one triangle of A is read. Raises LinAlgError for a matrix that is not positive definite.

    >>> import minigrad
    >>> minigrad.linalg.cholesky(minigrad.tensor([[4., 2.], [2., 5.]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    if out is not None:
        return write_out_same(out, cholesky, input, upper=upper, named="linalg_cholesky")
    return _cholesky_ex(input, upper, "linalg.cholesky")[0]


def cholesky_ex(input, *, upper=False, check_errors=False, out=None):
    """Compute ``linalg.cholesky`` without an error: also return, for each matrix, 0 or the order of its first minor that is not positive.

    >>> import minigrad
    >>> minigrad.linalg.cholesky_ex(-minigrad.eye(2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, cholesky_ex, input, upper=upper, check_errors=check_errors, named="linalg_cholesky_ex")
    return named_tuple("linalg_cholesky_ex", _cholesky_ex(input, upper, "linalg.cholesky_ex" if check_errors else None))


class CholeskySolveBackward0(General):
    """Z = A⁻¹ B for A = L Lᴴ (Uᴴ U);   B: A⁻¹ G =: H, L: -(H Zᴴ + Z Hᴴ) L, all of it, as PyTorch's."""
    batch = leading(2, 2)
    conjugates = False
    operands, names = "x y", {"x": "self", "y": "input2"}
    def forward(x, y, upper):
        for a, name in ((x, "b"), (y, "u")):
            if a.ndim < 2:
                raise RuntimeError(f"{name} should have at least 2 dimensions, but has {a.ndim} dimensions instead")
        check_old_system(x, y, "cholesky_solve")
        check_kernel(y, "cholesky_solve_cpu")
        broadcast_shapes((x.shape[:-2], y.shape[:-2]))
        return kernels.columns(solved(kernels, x, y, upper))
    def vjp_x(xp, g, y, x_shape, upper): return xp.sum_to(solved(xp, g, y, upper), x_shape)
    def vjp_y(xp, g, y, z, y_shape, upper):
        h = solved(xp, g, y, upper) @ xp.adjoint(z)
        h = h + xp.adjoint(h)
        return xp.sum_to(-(y @ h if upper else h @ y), y_shape)
_cholesky_solve = op(CholeskySolveBackward0)


def solved(xp, b, factor, upper):
    """A⁻¹ B by two triangular systems."""
    h = xp.adjoint(factor)
    lower, other = (h, factor) if upper else (factor, h)
    return xp.solve_triangular(other, xp.solve_triangular(lower, b, False), True)


def cholesky_solve(input, input2, upper=False, *, out=None):
    """Solve ``A X = input`` for ``A = L Lᴴ``, or ``Lᴴ L`` with ``upper``, where L is ``input2``.

    ``input`` is (..., n, k), ``input2`` (..., n, n); floating and complex dtypes.

    >>> import minigrad
    >>> minigrad.cholesky_solve(minigrad.tensor([[8.]]), minigrad.tensor([[2.]]))
    tensor([[2.]])
    """
    if out is None:
        return _cholesky_solve(input, input2, upper)
    return _cholesky_solve.into(out, input, input2, upper)


def _inverse_as_lapack(x, upper):
    """(L Lᴴ)⁻¹ for an L that is no factor, since its diagonal is not real: the inverse's counts as real where it is squared, but for its last element once."""
    w = kernels.solve_triangular(kernels.adjoint(x) if upper else x, kernels.eye(x.shape[-1], x), False)
    places = np.arange(x.shape[-1])
    last = w[..., -1, -1].copy()
    w[..., places, places] = w[..., places, places].real
    z = kernels.adjoint(w) @ w
    z[..., -1, -1] = last.real * (last.conj() if upper else last)
    return z


class CholeskyInverseBackward0(General):
    """Z = (L Lᴴ)⁻¹ ((Uᴴ U)⁻¹);   gradient -Z (G + Gᴴ) Z L (-U Z (G + Gᴴ) Z)."""
    batch = leading()
    conjugates = False
    def forward(x, upper):
        check_matrix(x, "cholesky_inverse")
        check_square(x, "cholesky_inverse: ")
        check_kernel(x, "cholesky_inverse_out_cpu")
        if x.dtype.kind == "c" and np.diagonal(x, 0, -2, -1).imag.any(): return kernels.columns(_inverse_as_lapack(x, upper))
        return kernels.columns(solved(kernels, kernels.eye(x.shape[-1], x), x, upper))
    def vjp(xp, g, x, z, upper):
        h = z @ (g + xp.adjoint(g)) @ z
        return -(x @ h if upper else h @ x)
_cholesky_inverse = op(CholeskyInverseBackward0)


def cholesky_inverse(input, upper=False, *, out=None):
    """Return the inverse of ``L Lᴴ``, or of ``Lᴴ L`` with ``upper``, where L is ``input``.

    ``input`` is (..., n, n), of a floating or complex dtype, as is the result.

    >>> import minigrad
    >>> minigrad.cholesky_inverse(minigrad.tensor([[2.]]))
    tensor([[0.2500]])
    """
    if out is None:
        return _cholesky_inverse(input, upper)
    return _cholesky_inverse.into(out, input, upper)


# LU ------------------------------------------------------------------------------------------------------------------------------


def lu_gradient(xp, gl, gu, p, l, u):
    """The gradient through A = P L U; ``gl`` or ``gu`` may be None.

    Square: P L⁻ᴴ (the strict lower triangle of Lᴴ Gₗ + the upper of Gᵤ Uᴴ) U⁻ᴴ.  Rows (columns) beyond the square are Aᵢ U⁻¹ (L⁻¹ Aᵢ):
    their gradients are taken through that.  [derived as in Walter and Lehmann 2010, section 4.2]
    """
    m, n = l.shape[-2], u.shape[-1]
    k = min(m, n)
    rest = None
    if m > n:
        l, below = l[..., :k, :], l[..., k:, :]
        if gl is not None:
            gl, rest = gl[..., :k, :], gl[..., k:, :]
            rest = xp.solve_triangular(xp.adjoint(u), rest, False, False)
            d = xp.adjoint(below) @ rest
            gu = -d if gu is None else gu - d
    elif m < n:
        u, beside = u[..., :, :k], u[..., :, k:]
        if gu is not None:
            gu, rest = gu[..., :, :k], gu[..., :, k:]
            rest = xp.solve_triangular(xp.adjoint(l), rest, True, True, True)
            d = rest @ xp.adjoint(beside)
            gl = -d if gl is None else gl - d
    inner = None
    if gl is not None: inner = xp.tril(xp.adjoint(l) @ gl, -1)
    if gu is not None:
        d = xp.triu(gu @ xp.adjoint(u), 0)
        inner = d if inner is None else inner + d
    z = xp.solve_triangular(xp.adjoint(u), xp.solve_triangular(xp.adjoint(l), inner, True, True, True), False, False)
    if m != n:
        if rest is None: rest = xp.zeros((*z.shape[:-2], m - k, n) if m > n else (*z.shape[:-2], m, n - k), z)
        z = xp.concat((z, rest), z.ndim - (2 if m > n else 1))
    return p @ z


class LinalgLuBackward0(General):
    """A = P L U: (m, n) -> (m, m), (m, k), (k, n) with k = min(m, n);   ``lu_gradient``."""
    batch = leading()
    public, conjugates = "linalg_lu", False
    operands, results, nondiff, names = "x", "p l u", (0,), {"x": "A", "p": "P", "l": "L", "u": "U"}
    def forward(x):
        check_two(x, "linalg.lu")
        check_kernel(x, "lu_cpu")
        factors, pivots, _ = kernels.lu(x)
        l, u = kernels.unpack(np.ascontiguousarray(factors))
        return kernels.permutation_matrix(pivots, x.shape[-2], x), l, u
    def vjp(xp, g, p, l, u): return lu_gradient(xp, g[1], g[2], p, l, u)
_lu = op(LinalgLuBackward0)


class Permutation(General):
    """P with A = P L U, for the rows that were exchanged."""
    operands, batch, public = "x", leading(), "permutation"
    def forward(x, m, dtype): return kernels.permutation_matrix(x, m, np.empty(0, dtype))
_permutation = op(Permutation)


def permutation_matrix(pivots, m, like):
    """P with A = P L U, in the dtype of ``like``: what formulas ask for."""
    return _permutation(pivots, m, like._array.dtype)


def check_pivot(pivot):
    """Raise RuntimeError for a factorisation without pivoting."""
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def lu(A, *, pivot=True, out=None):
    """Factorise ``A = P L U``: a permutation, a lower triangle with ones on its diagonal, an upper triangle.

    A is (..., m, n), P (..., m, m), L (..., m, k), U (..., k, n), k the smaller of m and n.

    >>> import minigrad
    >>> minigrad.linalg.lu(minigrad.tensor([[1., 2.], [2., 6.]])).U
    tensor([[ 2.,  6.],
            [ 0., -1.]])
    """
    check_pivot(pivot)
    return named_tuple("linalg_lu", _lu(A)) if out is None else _lu.into(out, A)


class LinalgLuFactorExBackward0(General):
    """Like ``LinalgLuBackward0``, L and U in one array, the exchanged rows for P."""
    batch = leading()
    public, conjugates = "linalg_lu_factor", False
    operands, results, nondiff = "x", "z pivots info", (1, 2)
    names = {"x": "A", "z": "LU"}
    def forward(x, pivot, name):
        check_two(x, "torch.lu_factor")
        check_kernel(x, "lu_cpu")
        check_pivot(pivot)
        z, pivots, info = kernels.lu(x)
        if name is not None: report(info, name, ZERO_PIVOT, RuntimeError)
        return z, pivots, info
    def vjp(xp, g, z, pivots):
        m, n = z.shape[-2:]
        k = min(m, n)
        l, u = xp.unit_lower(z[..., :, :k]), xp.triu(z[..., :k, :], 0)
        return lu_gradient(xp, g[..., :, :k], g[..., :k, :], xp.permutation_matrix(pivots, m, z), l, u)
_lu_factor_ex = op(LinalgLuFactorExBackward0)


def lu_factor(A, *, pivot=True, out=None):
    """Return L and U in one array, without L's ones, and the row exchanges, counted from 1; raise RuntimeError for a zero pivot.

    >>> import minigrad
    >>> minigrad.linalg.lu_factor(minigrad.tensor([[1., 2.], [2., 6.]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, lu_factor, A, pivot=pivot, named="linalg_lu_factor")
    return named_tuple("linalg_lu_factor", _lu_factor_ex(A, pivot, "torch.linalg.lu_factor")[:2])


def lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    """Compute ``linalg.lu_factor`` without an error: also return, for each matrix, 0 or the first zero on U's diagonal.

    >>> import minigrad
    >>> minigrad.linalg.lu_factor_ex(minigrad.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, lu_factor_ex, A, pivot=pivot, check_errors=check_errors, named="linalg_lu_factor_ex")
    return named_tuple("linalg_lu_factor_ex", _lu_factor_ex(A, pivot, "torch.linalg.lu_factor_ex" if check_errors else None))


class LuUnpackBackward0(General):
    """P, L and U from both in one array and the exchanged rows; g goes back to the triangles it came from."""
    batch = leading()
    public, conjugates = "lu_unpack", False
    operands, results, nondiff, names = "x pivots", "p l u", (0,), {"x": "LU_data"}
    def forward(x, pivots, data, permutation):
        check_two(x, "torch.lu_unpack")
        none = np.empty(0, x.dtype)
        p, l, u = none, none, none
        if permutation:
            check_int32(
                pivots,
                "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype. Pass them as "
                "torch.linalg.lu_factor returns them."
            )
            m = x.shape[-2]
            if not pivots.ndim or (pivots.size and (pivots.min() < 1 or pivots.max() > m)):
                raise RuntimeError(
                    "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of "
                    "lu_factor?"
                )
            p = kernels.permutation_matrix(pivots, m, x)
        if data: l, u = kernels.unpack(np.ascontiguousarray(x))
        return p, l, u
    def vjp_x(xp, g, x_shape):
        _, l, u = g
        z = None
        if l is not None: z = xp.padded(xp.tril(l, -1), x_shape)
        if u is not None:
            d = xp.padded(xp.triu(u, 0), x_shape)
            z = d if z is None else z + d
        return z
_lu_unpack = op(LuUnpackBackward0)


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True, *, out=None):
    """Return P, L and U from the result of ``linalg.lu_factor``; parts that are not requested are empty.

    >>> import minigrad
    >>> minigrad.lu_unpack(*minigrad.linalg.lu_factor(minigrad.tensor([[1., 2.], [2., 6.]]))).P
    tensor([[0., 1.],
            [1., 0.]])
    """
    if out is not None:
        return _lu_unpack.into(out, LU_data, LU_pivots, unpack_data, unpack_pivots)
    return named_tuple("lu_unpack", _lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots))


class LinalgLuSolveBackward0(General):
    """Z = A⁻¹ B (A⁻ᴴ B with ``adjoint``; B A⁻¹, B A⁻ᴴ) for A = P L U;   as ``solve``, then from A to the triangles."""
    batch = leading(2, 1, 2)
    public, conjugates, out_dtype = "linalg_lu_solve", False, "result"
    operands, names = "x pivots y", {"x": "LU", "y": "B"}
    def forward(x, pivots, y, left, adjoint):
        name = "linalg.lu_solve"
        check_matrix(x, "torch." + name, "LU")
        check_square(x, f"torch.{name}: ")
        check_matrix(y, name, "B")
        check_int32(pivots, f"{name}: pivots should be a Tensor of scalar type torch.int32")
        check_same(x, y, name, "LU")
        check_kernel(x, "linalg_lu_solve_cpu")
        if not pivots.ndim: raise IndexError("Dimension specified as -1 but tensor has no dimensions")
        if pivots.shape[-1] != x.shape[-1]:
            raise RuntimeError(f"{name}: Number of pivots per batch should be same as the dimension of the matrix")
        if pivots.shape != x.shape[:-1]:
            raise RuntimeError(f"{name}: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
                               f"{list(pivots.shape)} instead")
        check_system(x, y, name, left)
        broadcast_shapes((y.shape[:-2], x.shape[:-2]))
        z = kernels.lu_solve(x, pivots, y, left, adjoint)
        return kernels.columns(z) if left else np.ascontiguousarray(z)
    def vjp_x(xp, g, x, pivots, z, x_shape, left, adjoint):
        h = xp.lu_solve(x, pivots, g, left, not adjoint)
        if left: h = z @ xp.adjoint(h) if adjoint else h @ xp.adjoint(z)
        else: h = xp.adjoint(h) @ z if adjoint else xp.adjoint(z) @ h
        h = xp.matrix_transpose(xp.permutation_matrix(pivots, x_shape[-1], x)) @ -xp.sum_to(h, (*h.shape[: h.ndim - len(x_shape)], *x_shape))
        h = xp.sum_to(h, x_shape)
        return xp.tril(h @ xp.adjoint(xp.triu(x, 0)), -1) + xp.triu(xp.adjoint(xp.unit_lower(x)) @ h, 0)
    def vjp_y(xp, g, x, pivots, y_shape, left, adjoint):
        return xp.sum_to(xp.lu_solve(x, pivots, g, left, not adjoint), y_shape)
_lu_solve = op(LinalgLuSolveBackward0)


def lu_solve_of(x, pivots, b, left=True, adj=False):
    """As the kernel of that name, for tensors: what formulas ask for."""
    return _lu_solve(x, pivots, b, left, adj)


def lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    """Solve ``A X = B`` (``X A = B`` unless ``left``; Aᴴ for A with ``adjoint``) with the factors from ``linalg.lu_factor``.

    The factor is (..., n, n), B (..., n, k), or (..., k, n) unless ``left``.

    >>> import minigrad
    >>> minigrad.linalg.lu_solve(*minigrad.linalg.lu_factor(minigrad.tensor([[4.]])), minigrad.tensor([[8.]]))
    tensor([[2.]])
    """
    args = LU, pivots, B, left, adjoint
    return _lu_solve(*args) if out is None else _lu_solve.into(out, *args)


# LDL -----------------------------------------------------------------------------------------------------------------------------


def _no_ldl_derivative(xp, g):
    raise RuntimeError("derivative for aten::linalg_ldl_factor_ex is not implemented")


def _no_ldl_solve_derivative(xp, g):
    raise RuntimeError("derivative for aten::linalg_ldl_solve is not implemented")


class LdlFactorNotImplemented(General):
    """A = L D Lᵀ (L D Lᴴ with ``hermitian``) with blocks of one and two; no derivative, as in PyTorch."""
    batch = leading()
    public = "linalg_ldl_factor"
    operands, results, nondiff, names = "x", "z pivots info", (1, 2), {"x": "self"}
    def forward(x, hermitian, name):
        check_matrix(x, "torch.linalg.ldl_factor_ex")
        check_square(x, "torch.linalg.ldl_factor_ex: ")
        check_float(x, "torch.linalg.ldl_factor_ex", "ldl_factor_kernel_cpu")
        z, pivots, info = kernels.ldl(x, hermitian)
        if name is not None:
            report(info, name, "The factorization could not be completed: the diagonal block {} of D is zero.", RuntimeError)
        return z, pivots, info
    vjp = _no_ldl_derivative
_ldl_factor = op(LdlFactorNotImplemented)


def ldl_factor(input, *, hermitian=False, out=None):
    """Factorise ``A = L D Lᵀ`` (``L D Lᴴ`` with ``hermitian``) from A's lower triangle, in LAPACK's compact form; not differentiable.

    A is (..., n, n), and so is the result, with n pivots for each matrix.

    >>> import minigrad
    >>> minigrad.linalg.ldl_factor(minigrad.tensor([[4., 2.], [2., 5.]])).LD
    tensor([[4.0000, 0.0000],
            [0.5000, 4.0000]])
    """
    if out is not None:
        return write_outs(out, ldl_factor, input, hermitian=hermitian, named="linalg_ldl_factor")
    return named_tuple("linalg_ldl_factor", _ldl_factor(input, hermitian, "torch.linalg.ldl_factor")[:2])


def ldl_factor_ex(input, *, hermitian=False, check_errors=False, out=None):
    """Compute ``linalg.ldl_factor`` without an error: also return, for each matrix, 0 or the first block of D that is zero.

    >>> import minigrad
    >>> minigrad.linalg.ldl_factor_ex(minigrad.zeros(1, 1)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, ldl_factor_ex, input, hermitian=hermitian, check_errors=check_errors, named="linalg_ldl_factor_ex")
    return named_tuple("linalg_ldl_factor_ex", _ldl_factor(input, hermitian, "torch.linalg.ldl_factor_ex" if check_errors else None))


class LdlSolveNotImplemented(General):
    """Z = A⁻¹ B from A's ``ldl_factor``; no derivative, as in PyTorch."""
    batch = leading(2, 1, 2)
    public = "linalg_ldl_solve"
    operands, names = "x pivots y", {"x": "LD", "y": "B"}
    def forward(x, pivots, y, hermitian):
        name = "torch.linalg.ldl_solve"
        check_matrix(x, name, "LD")
        check_square(x, name + ": ")
        if y.ndim < 2:
            raise IndexError(f"Dimension out of range (expected to be in range of [-1, 0], but got {-2})")
        check_old_system(y, x, name)
        if pivots.dtype.kind not in "iu":
            raise RuntimeError(f"{name}: Expected pivots to be integers. Got {dtype_name(pivots)}")
        if pivots.shape != x.shape[:-1]:
            raise RuntimeError(
                f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape {list(pivots.shape)} instead"
            )
        if x.dtype.kind not in "fc" or x.dtype.itemsize == 2: raise no_kernel("ldl_solve_kernel_cpu", x)
        return kernels.columns(kernels.ldl_solve(x, pivots, y, hermitian))
    vjp_x = _no_ldl_solve_derivative
    vjp_y = _no_ldl_solve_derivative
_ldl_solve = op(LdlSolveNotImplemented)


def ldl_solve(LD, pivots, B, *, hermitian=False, out=None):
    """Solve ``A X = B`` with the factors from ``linalg.ldl_factor``; not differentiable.

    The factor is (..., n, n), the pivots are (..., n), B (..., n, k).

    >>> import minigrad
    >>> A = minigrad.tensor([[4., 2.], [2., 5.]])
    >>> minigrad.linalg.ldl_solve(*minigrad.linalg.ldl_factor(A), minigrad.tensor([[6.], [7.]]))
    tensor([[1.],
            [1.]])
    """
    return _ldl_solve(LD, pivots, B, hermitian) if out is None else _ldl_solve.into(out, LD, pivots, B, hermitian)
