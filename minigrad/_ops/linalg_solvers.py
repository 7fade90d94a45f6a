"""Systems of equations: inverses, ``solve``, triangular systems, least squares, systems of tensors."""

import math
import warnings

import numpy as np

from .._arrays import lapack
from .._arrays import vocabulary as arrays
from .._arrays.kernels import linalg as kernels
from .._arrays.kernels.linalg import LinAlgError as LinAlgError
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis, broadcast_shapes
from .._core.families import General, op
from .._core.out import write_out, write_out_same, write_outs
from .._core.tensor import Tensor
from .batches import everywhere, leading
from .dims import named_tuple
from .linalg_checks import (
    SINGULAR,
    UNSOLVABLE,
    check_float,
    check_matrix,
    check_old_system,
    check_same,
    check_square,
    check_system,
    no_kernel,
    report,
)

__all__ = ["inverse", "triangular_solve"]
METHODS = "inverse triangular_solve"


# Inverses --------------------------------------------------------------------------------------------------------------------


class LinalgInvExBackward0(General):
    """Z = A⁻¹;   gradient -Zᴴ G Zᴴ.  [Giles 2008, section 2.2.3]"""
    autocast = "full"
    batch = leading()
    public, conjugates = "linalg_inv", False
    operands, results, nondiff, names = "x", "z info", (1,), {"x": "A", "z": "inverse"}
    def forward(x, name):
        check_matrix(x, "linalg.inv")
        check_square(x, "linalg.inv: ")
        check_float(x, "linalg.inv")
        try:
            return kernels.columns(lapack.inv(x)), np.zeros(x.shape[:-2], np.int32)
        except np.linalg.LinAlgError:
            info = kernels.lu(x)[2]
            if name is not None: report(info, name, SINGULAR)
            return kernels.columns(kernels.inv(x)), info
    def vjp(xp, g, z):
        h = xp.adjoint(z)
        return -(h @ g @ h)
    def jvp(xp, t, z): return -(z @ t @ z)
inv_ex_of = op(LinalgInvExBackward0)


def inverse_of(x):
    """The inverse of a tensor, infinities or nans where there is none: what formulas ask for."""
    return inv_ex_of(x, None)[0]


def inv(A, *, out=None):
    """Invert square matrices ``(..., n, n)``; raise LinAlgError for a singular one.

    >>> import minigrad
    >>> minigrad.linalg.inv(minigrad.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    if out is not None:
        return write_out_same(out, inv, A, named="linalg_inv")
    return inv_ex_of(A, "linalg.inv")[0]


@composite
def inverse(input, *, out=None):
    """The same as ``linalg.inv``.

    >>> import minigrad
    >>> minigrad.inverse(minigrad.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return inv(input, out=out)


def inv_ex(A, *, check_errors=False, out=None):
    """Invert square matrices without an error: also return, for each, 0 or the index of the zero on U's diagonal.

    >>> import minigrad
    >>> minigrad.linalg.inv_ex(minigrad.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, inv_ex, A, check_errors=check_errors, named="linalg_inv_ex")
    return named_tuple("linalg_inv_ex", inv_ex_of(A, "linalg.inv_ex" if check_errors else None))


# Square systems ----------------------------------------------------------------------------------------------------------------


class LinalgSolveExBackward0(General):
    """Z = A⁻¹ B, or B A⁻¹ unless ``left``;   B: A⁻ᴴ G =: H, A: -H Zᴴ (-Zᴴ H).  A vector B is one column.  [Giles 2008, 2.3.1]"""
    public, conjugates = "linalg_solve", False
    operands, results, nondiff, names = "x y", "z info", (1,), {"x": "A", "y": "B"}
    def batch(call, xs, batched, params, size):
        x, y = everywhere(xs, batched, size)
        vector = y.ndim == 2 or (y.ndim == x.ndim - 1 and y.shape == x.shape[:-1])
        z, info = call(*as_stacks(x, y.unsqueeze(-1) if vector else y), *params)
        return (z.squeeze(-1) if vector else z), info
    def forward(x, y, left, name):
        check_matrix(x, "linalg.solve")
        check_float(x, "linalg.solve", "lu_cpu")
        check_same(x, y, "linalg.solve")
        vector = is_vector(x, y)
        if vector: y = y[..., None]
        check_system(x, y, "linalg.solve", left)
        if vector and not left:
            raise RuntimeError(
                "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. For one vector "
                "B, that is B / A.squeeze(-1)."
            )
        broadcast_shapes((y.shape[:-2], x.shape[:-2]))
        info = np.zeros(x.shape[:-2], np.int32)
        try:
            z = lapack.solve(x, y) if left else lapack.solve(x.mT, y.mT).mT
        except np.linalg.LinAlgError:
            info = kernels.lu(x)[2]
            if name is not None: report(info, name, UNSOLVABLE)
            z = kernels.solve(x, y, left)
        z = kernels.columns(z) if left else np.ascontiguousarray(z)
        return (z[..., 0] if vector else z), info
    def vjp_x(xp, g, x, z, x_shape, left):
        if z.ndim < len(x_shape):
            return xp.sum_to(-(xp.solve(xp.adjoint(x), g[..., None]) @ xp.adjoint(z[..., None])), x_shape)
        h = xp.solve(xp.adjoint(x), g, left)
        return xp.sum_to(-(h @ xp.adjoint(z) if left else xp.adjoint(z) @ h), x_shape)
    def vjp_y(xp, g, x, y_shape, left):
        if g.ndim < x.ndim:
            return xp.sum_to(xp.solve(xp.adjoint(x), g[..., None])[..., 0], y_shape)
        return xp.sum_to(xp.solve(xp.adjoint(x), g, left), y_shape)
solve_ex_of = op(LinalgSolveExBackward0)


def as_stacks(x, y):
    """Batches of matrices with as many dimensions in front: ones behind the batch where there are fewer."""
    n = max(x.ndim, y.ndim)
    return [m if m.ndim == n else m.reshape(m.shape[0], *(1,) * (n - m.ndim), *m.shape[1:]) for m in (x, y)]


def is_vector(x, y):
    """Whether ``y`` stands for vectors in a system with the matrices ``x``."""
    return y.ndim == 1 or (x.ndim - 1 == y.ndim and y.shape == x.shape[:-1])


def solve_matrices(a, b, left=True):
    """X with A X = B, or X A = B, for tensors of matrices: what formulas ask for."""
    return solve_ex_of(a, b, left, None)[0]


def solve(A, B, *, left=True, out=None):
    """Solve ``A X = B``, or ``X A = B`` unless ``left``: ``(..., n, n), (..., n, k) -> (..., n, k)``; B may be a vector.

    Raises LinAlgError for a singular matrix.

    >>> import minigrad
    >>> minigrad.linalg.solve(minigrad.tensor([[2., 0.], [0., 4.]]), minigrad.tensor([2., 2.]))
    tensor([1.0000, 0.5000])
    """
    if out is not None:
        return write_out_same(out, solve, A, B, left=left, named="linalg_solve")
    return solve_ex_of(A, B, left, "torch.linalg.solve")[0]


def solve_ex(A, B, *, left=True, check_errors=False, out=None):
    """Compute ``linalg.solve`` without an error: a singular matrix gives infinities or nan; also return, for each matrix, 0 or the zero
    element of U.

    >>> import minigrad
    >>> minigrad.linalg.solve_ex(minigrad.zeros(2, 2), minigrad.ones(2)).info
    tensor(1, dtype=torch.int32)
    """
    if out is not None:
        return write_outs(out, solve_ex, A, B, left=left, check_errors=check_errors, named="linalg_solve_ex")
    return named_tuple("linalg_solve_ex", solve_ex_of(A, B, left, "torch.linalg.solve_ex" if check_errors else None))


class LinalgSolveTriangularBackward0(General):
    """Z = T⁻¹ B, or B T⁻¹ unless ``left``, for the triangle T of A;   B: T⁻ᴴ G =: H, A: the triangle of -H Zᴴ (-Zᴴ H)."""
    batch = leading(2, 2)
    public, conjugates = "linalg_solve_triangular", False
    operands, names = "x y", {"x": "self", "y": "B"}
    def forward(x, y, upper, left, unitriangular):
        for a, argument in ((x, "A"), (y, "B")): check_matrix(a, "linalg.solve_triangular", argument)
        check_system(x, y, "linalg.solve_triangular", left)
        if x.dtype.kind not in "fc" or x.dtype.itemsize == 2: raise no_kernel("triangular_solve_cpu", x)
        broadcast_shapes((y.shape[:-2], x.shape[:-2]))
        return kernels.columns(kernels.solve_triangular(x, y, upper, left, unitriangular))
    def vjp_x(xp, g, x, z, x_shape, upper, left, unitriangular):
        h = xp.solve_triangular(xp.adjoint(x), g, not upper, left, unitriangular)
        h = -(h @ xp.adjoint(z) if left else xp.adjoint(z) @ h)
        return xp.sum_to(xp.triu(h, int(unitriangular)) if upper else xp.tril(h, -int(unitriangular)), x_shape)
    def vjp_y(xp, g, x, y_shape, upper, left, unitriangular):
        return xp.sum_to(xp.solve_triangular(xp.adjoint(x), g, not upper, left, unitriangular), y_shape)
_solve_triangular = op(LinalgSolveTriangularBackward0)


def solve_triangle(a, b, upper, left=True, unitriangular=False):
    """X with T X = B, or X T = B, for the triangle T of a tensor: what formulas ask for."""
    return _solve_triangular(a, b, upper, left, unitriangular)


def solve_triangular(input, B, *, upper, left=True, unitriangular=False, out=None):
    """Solve ``T X = B``, or ``X T = B`` unless ``left``, for the upper or lower triangle T of ``input``.

    With ``unitriangular``, the diagonal is taken as ones. Zeros on it give infinities or nan. A is (..., n, n), B (..., n, k), or (...,
    k, n) unless ``left``; batches broadcast.

    >>> import minigrad
    >>> A = minigrad.tensor([[2., 1.], [0., 4.]])
    >>> minigrad.linalg.solve_triangular(A, minigrad.tensor([[4.], [8.]]), upper=True)
    tensor([[1.],
            [2.]])
    """
    if isinstance(input, Tensor) and isinstance(B, Tensor) and input.dtype is not B.dtype and input.is_floating_point():
        B = B.to(input.dtype)
    args = input, B, bool(upper), bool(left), bool(unitriangular)
    if isinstance(out, Tensor) and isinstance(input, Tensor) and out.dtype is not input.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(input)} but found {dtype_name(out)}")
    return _solve_triangular(*args) if out is None else _solve_triangular.into(out, *args)


class TriangularSolveBackward0(General):
    """Z = op(T)⁻¹ B for the triangle T of A, transposed with ``transpose``, and a copy of A.   As ``solve_triangular``."""
    batch = leading(2, 2)
    public, conjugates = "triangular_solve", False
    operands, results, names = "y x", "z copy", {"x": "A", "y": "self", "z": "solution"}
    def forward(y, x, upper, transpose, unitriangular):
        if y.ndim < 2:
            raise RuntimeError(f"torch.triangular_solve: Expected b to have at least 2 dimensions, but it has {y.ndim} dimensions instead")
        if x.ndim < 2:
            raise RuntimeError(f"torch.triangular_solve: Expected A to have at least 2 dimensions, but it has {x.ndim} dimensions instead")
        check_old_system(y, x, "triangular_solve")
        if x.dtype.kind not in "fc" or x.dtype.itemsize == 2: raise no_kernel("triangular_solve_cpu", x)
        batch = broadcast_shapes((y.shape[:-2], x.shape[:-2]))
        t = x.mT if transpose else x
        z = kernels.solve_triangular(t, y, upper != transpose, True, unitriangular)
        copy = np.array(np.broadcast_to(x, (*batch, *x.shape[-2:])))
        return kernels.columns(z), kernels.columns(copy)
    def vjp_y(xp, g, x, y_shape, upper, transpose, unitriangular):
        g, _ = g
        if g is None: return None
        t = xp.conj(x) if transpose else xp.adjoint(x)
        return xp.sum_to(xp.solve_triangular(t, g, upper == transpose, True, unitriangular), y_shape)
    def vjp_x(xp, g, x, z, x_shape, upper, transpose, unitriangular):
        g, h = g
        if g is not None:
            t = xp.conj(x) if transpose else xp.adjoint(x)
            s = xp.solve_triangular(t, g, upper == transpose, True, unitriangular)
            s = xp.conj(z) @ -xp.matrix_transpose(s) if transpose else -s @ xp.adjoint(z)
            s = xp.triu(s, int(unitriangular)) if upper else xp.tril(s, -int(unitriangular))
            h = s if h is None else s + h
        return None if h is None else xp.sum_to(h, x_shape)
_triangular_solve = op(TriangularSolveBackward0)


def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False, *, out=None):
    """Solve ``T X = input`` for the upper (or lower) triangle T of ``A``, or its transpose; return X and a copy of ``A``.

    ``A`` is (..., n, n), ``input`` and X are (..., n, k), of one floating or complex dtype.

    >>> import minigrad
    >>> minigrad.triangular_solve(minigrad.tensor([[4.]]), minigrad.tensor([[2.]])).solution
    tensor([[2.]])
    """
    warnings.warn(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangular and will be removed in a future "
        "PyTorch release.\nUse torch.linalg.solve_triangular(A, B, upper=upper): the right-hand side comes last there, and "
        "only the solution is returned.",
        stacklevel=level_of_user(),
    )
    args = input, A, bool(upper), bool(transpose), bool(unitriangular)
    return named_tuple("triangular_solve", _triangular_solve(*args)) if out is None else _triangular_solve.into(out, *args)


# Least squares -----------------------------------------------------------------------------------------------------------------

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def least_squares(x, y, rcond, driver):
    """``(solution, residuals, rank, singular values)`` as LAPACK's drivers give them."""
    name = "torch.linalg.lstsq"
    if x.ndim < 2: raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if not y.ndim: raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if not 0 <= x.ndim - y.ndim <= 1:
        raise RuntimeError(f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1")
    vector = x.ndim - y.ndim == 1
    m, n = x.shape[-2:]
    if m != y.shape[-1 if vector else -2]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size({-1 if vector else -2})")
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype {dtype_name(x)} and other's dtype "
            f"{dtype_name(y)}"
        )
    if x.dtype.kind not in "fc" or x.dtype.itemsize == 2:
        if rcond is None:
            raise RuntimeError("This function doesn't handle types other than float and double")
        raise no_kernel("linalg_lstsq_cpu", x)
    if driver not in _DRIVERS:
        raise RuntimeError(f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    if vector: y = y[..., None]
    batch = broadcast_shapes((y.shape[:-2], x.shape[:-2]))
    real = arrays.real(x).dtype
    rank, s = np.empty(0, np.int64), np.empty(0, real)
    if not x.size:
        z = np.zeros((*batch, n, y.shape[-1]), x.dtype)
        full = n == 0
        if driver != "gels":
            rank = np.zeros(batch, np.int64)
        if driver in ("gelsd", "gelss"):
            s = np.empty((*batch, 0), real)
    elif driver == "gels":
        z, full = _full_rank_solution(x, y), True
    else:
        z, rank, s = _solution(x, y, rcond)
        full = (rank == n).all()
        rank = np.array(np.broadcast_to(rank, batch))
        if driver == "gelsy":
            s = np.empty(0, real)
        else:
            s = np.array(np.broadcast_to(s, (*batch, s.shape[-1])))
    residuals = np.empty(0, real)
    if m > n and full and driver != "gelsy":
        r = y - x @ z
        residuals = (r * r.conj()).real.sum(-2)
    z = kernels.columns(z)
    return (z[..., 0] if vector else z), residuals, rank, s


def _full_rank_solution(x, y):
    """By a QR decomposition, of x or, if it is wide, of its adjoint."""
    if x.shape[-2] >= x.shape[-1]:
        q, r = lapack.qr(x, "reduced")
        return kernels.solve_triangular(r, kernels.adjoint(q) @ y, True)
    q, r = lapack.qr(kernels.adjoint(x), "reduced")
    return q @ kernels.solve_triangular(kernels.adjoint(r), y, False)


def _solution(x, y, rcond):
    """The shortest solution, by singular values; those up to ``rcond`` times the largest count as zero."""
    u, s, vh = lapack.svd(x, False)
    if rcond is None:
        rcond = np.finfo(x.dtype).eps * max(x.shape[-2:])
    keep = s > rcond * s[..., :1]
    z = kernels.adjoint(vh) @ ((kernels.adjoint(u) @ y) * np.where(keep, 1 / np.where(keep, s, 1), 0)[..., None].astype(s.dtype))
    return z, keep.sum(-1), s


class LinalgLstsqBackward0(General):
    """Z = A⁺ B, r = Σ |A Z - B|²;   through A⁺ (see ``pinv``), and 2 (A Z - B) g for r, at whose minimum Z does not count."""
    shaped_by_values = True
    public, conjugates = "linalg_lstsq", False
    operands, results, nondiff = "x y", "z residuals rank singular_values", (2, 3)
    names = {"x": "self", "y": "b", "z": "solution"}
    def batch(call, xs, batched, params, size):
        x, y = everywhere(xs, batched, size)
        vector = y.ndim == 2 or (y.ndim == x.ndim - 1 and y.shape == x.shape[:-1])
        z, residuals, *more = call(*as_stacks(x, y.unsqueeze(-1) if vector else y), *params)
        empty = [v if v.numel() or v.ndim > 1 else v.expand(size, 0) for v in (residuals, *more)]
        return (z.squeeze(-1) if vector else z), *empty
    def forward(x, y, rcond, driver): return least_squares(x, y, rcond, driver)
    def vjp_x(xp, g, x, y, z, x_shape):
        g, h = with_residuals(g)
        if y.ndim < x.ndim: y, z, g = y[..., None], z[..., None], None if g is None else g[..., None]
        d = None
        if g is not None: d = pinv_gradient(xp, g @ xp.adjoint(y), x, xp.pinv(x))
        if h is not None:
            r = (x @ z - y) * (h[..., None, :] * 2) @ xp.adjoint(z)
            d = r if d is None else d + r
        return None if d is None else xp.sum_to(d, x_shape)
    def vjp_y(xp, g, x, y, z, y_shape):
        g, h = with_residuals(g)
        vector = y.ndim < x.ndim
        if vector: y, z, g = y[..., None], z[..., None], None if g is None else g[..., None]
        d = None
        if g is not None: d = xp.adjoint(xp.pinv(x)) @ g
        if h is not None:
            r = (y - x @ z) * (h[..., None, :] * 2)
            d = r if d is None else d + r
        if d is None: return None
        return xp.sum_to(d[..., 0] if vector else d, y_shape)
_lstsq = op(LinalgLstsqBackward0)


def with_residuals(g):
    """The gradients of the solution and of the residuals; None for residuals that were not computed."""
    g, h, *_ = g
    return g, None if h is None or not math.prod(h.shape) else h


def pinv_gradient(xp, g, x, z):
    """The gradient through Z = A⁺: -Zᴴ G Zᴴ + (1 - A Z) Gᴴ Z Zᴴ + Zᴴ Z Gᴴ (1 - Z A).  [Golub and Pereyra 1973, eq. 4.12]"""
    zh, gh = xp.adjoint(z), xp.adjoint(g)
    k, l = gh @ z @ zh, zh @ z @ gh
    return k - x @ (z @ k) + l - (l @ z) @ x - zh @ g @ zh


def lstsq(input, b, rcond=None, *, driver=None, out=None):
    """Return the X that minimises ``|A X - b|``: ``(..., m, n), (..., m, k) -> (..., n, k)``; b may be a vector.

    ``driver`` is "gels" (A of full rank), "gelsy", "gelsd" or "gelss" (any A; the shortest X). Also returns the residuals if m > n and
    all ranks are n (not for "gelsy"), the ranks, and the singular values (for "gelsd" and "gelss").

    >>> import minigrad
    >>> A = minigrad.tensor([[1., 0.], [1., 1.], [1., 2.]])
    >>> minigrad.linalg.lstsq(A, minigrad.tensor([[1.], [3.], [5.]])).solution.round(decimals=4)
    tensor([[1.],
            [2.]])
    """
    args = input, b, rcond, driver or "gelsy"
    if out is not None:
        return write_outs(out, _lstsq, *args, named="linalg_lstsq", same=False)
    return named_tuple("linalg_lstsq", _lstsq(*args))


# Tensors as matrices -----------------------------------------------------------------------------------------------------------


def tensorinv(input, ind=2, *, out=None):
    """Return the inverse with respect to ``tensordot``: the first ``ind`` dimensions are rows, the others columns.

    >>> import minigrad
    >>> minigrad.linalg.tensorinv(minigrad.eye(6).reshape(2, 3, 6)).shape
    torch.Size([6, 2, 3])
    """
    if out is not None:
        return write_out(out, tensorinv, input, ind, named="linalg_tensorinv")
    if ind <= 0: raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    if ind > input.ndim: raise RuntimeError(f"ArrayRef: invalid slice, N = {ind}; size = {input.ndim}")
    rows, cols = tuple(input.shape[:ind]), tuple(input.shape[ind:])
    n, m = math.prod(rows), math.prod(cols)
    if n != m:
        raise RuntimeError(
            f"Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got {m} != {n}"
        )
    z = inv_ex_of(input.reshape(n, m), "inv")[0]
    return z.reshape(*cols, *rows)


def tensorsolve(input, other, dims=None, *, out=None):
    """Return the X with ``tensordot(A, X, X.ndim) = other``; ``dims`` of A are moved to its end first.

    >>> import minigrad
    >>> minigrad.linalg.tensorsolve(minigrad.eye(6).reshape(2, 3, 6), minigrad.ones(2, 3))
    tensor([1., 1., 1., 1., 1., 1.])
    """
    if out is not None:
        return write_out(out, tensorsolve, input, other, dims, named="linalg_tensorsolve")
    a = input
    if dims is not None:
        moved = [axis(d, input.ndim) for d in dims]
        a = input.movedim(tuple(moved), tuple(range(input.ndim - len(moved), input.ndim)))
    shape = tuple(a.shape[other.ndim :])
    n, m = other.numel(), math.prod(shape)
    if n != m:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got "
            f"{m} != {n}"
        )
    return solve(a.reshape(n, m), other.reshape(other.numel())).reshape(shape)
