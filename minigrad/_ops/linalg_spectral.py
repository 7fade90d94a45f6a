"""Eigenvalues and singular values, and what is made of them: pseudoinverses, ranks, approximations of low rank."""

import numpy as np

from .._arrays import lapack
from .._arrays.kernels import linalg as kernels
from .._base.dtypes import dtype_name
from .._base.errors import check_sizes
from .._core.families import General, op
from .._core.out import write_out, write_out_same
from .._core.tensor import Tensor
from .batches import leading
from .dims import named_tuple
from .linalg_checks import (
    check_float,
    check_kernel,
    check_matrix,
    check_phase,
    check_square,
    complex_dtype,
    differences,
    no_kernel,
    not_converged,
    wants_gradient,
)
from .linalg_orthogonal import qr
from .linalg_solvers import pinv_gradient
from .random import randn

__all__ = ["pca_lowrank", "pinverse", "svd_lowrank"]
METHODS = "pinverse"


# Eigenvalues -----------------------------------------------------------------------------------------------------------------


def _check_uplo(uplo):
    if not isinstance(uplo, str) or uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")


def symmetric(function, x, uplo):
    """``lapack.eigh`` or ``eigvalsh`` with PyTorch's errors."""
    check_matrix(x, "linalg.eigh")
    check_square(x, "linalg.eigh: ")
    _check_uplo(uplo)
    check_kernel(x, "linalg_eigh_cpu")
    n = x.shape[-1]
    failed = not_converged("linalg.eigh", f"is ill-conditioned or has too many repeated eigenvalues (error code: {n - (1 if function is lapack.eigh else 2)})")
    finite = np.isfinite((np.triu if uplo.upper() == "U" else np.tril)(x)).all((-2, -1))
    if not finite.all():
        if n > 2:
            raise failed
        return _small_symmetric(function, x, finite, uplo)
    try:
        return function(x, uplo.upper())
    except np.linalg.LinAlgError:
        raise failed from None


def _small_symmetric(function, x, finite, uplo):
    """As ``symmetric`` for matrices up to 2 x 2, some of which are not ``finite``: what is computed of these is nan."""
    found = function(np.where(finite[..., None, None], x, 0), uplo.upper())
    values, *vectors = found if isinstance(found, tuple) else (found,)
    if x.shape[-1] == 1:
        values = x[..., 0].real
    else:
        values = np.where(finite[..., None], values, values.dtype.type(np.nan))
        vectors = [np.where(finite[..., None, None], v, v.dtype.type(np.nan)) for v in vectors]
    return (values, *vectors) if vectors else values


class LinalgEighBackward0(General):
    """A = V diag(w) Vᴴ, w ascending;   gradient V (diag(g_w) + ½ (M - Mᴴ) / E) Vᴴ, M = Vᴴ G_v, E_ij = w_j - w_i.  [Giles 2008, 3.1]

    Equal eigenvalues have a gradient, their vectors have none: nan.
    """
    batch = leading()
    public, conjugates = "linalg_eigh", False
    operands, results, names = "x", "w v", {"x": "A", "w": "eigenvalues", "v": "eigenvectors"}
    def forward(x, uplo):
        w, v = symmetric(lapack.eigh, x, uplo)
        return w, kernels.columns(v)
    def vjp(xp, g, w, v):
        gw, gv = g
        vh = xp.adjoint(v)
        if gv is None: return (v * gw[..., None, :]) @ vh
        m = vh @ gv
        check_phase(xp.diagonal(m, 0, -2, -1), "linalg_eigh_backward", "eigenvectors")
        z = (m - xp.adjoint(m)) * 0.5 / differences(xp, w)
        if gw is not None: z = z + xp.diag_embed(gw)
        return v @ z @ vh
_eigh = op(LinalgEighBackward0)


class Eigvalsh(General):
    """The eigenvalues alone, for a matrix that needs no gradient."""
    batch = leading()
    public = "linalg_eigvalsh"
    operands, names = "x", {"x": "A"}
    def forward(x, uplo): return symmetric(lapack.eigvalsh, x, uplo)
_eigvalsh = op(Eigvalsh)


def eigh(input, UPLO="L", *, out=None):
    """Return the eigenvalues, in ascending order, and eigenvectors of Hermitian matrices, of which one triangle is read: "L" or "U".

    >>> import minigrad
    >>> minigrad.linalg.eigh(minigrad.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
    return named_tuple("linalg_eigh", _eigh(input, UPLO)) if out is None else _eigh.into(out, input, UPLO)


def eigvalsh(input, UPLO="L", *, out=None):
    """Return the eigenvalues of Hermitian matrices, ascending.

    >>> import minigrad
    >>> minigrad.linalg.eigvalsh(minigrad.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
    if out is not None:
        return write_out_same(out, eigvalsh, input, UPLO, named="linalg_eigvalsh")
    return _eigh(input, UPLO)[0] if wants_gradient(input) else _eigvalsh(input, UPLO)


def eigen(function, x, name):
    """``lapack.eig`` or ``eigvals`` with PyTorch's errors, always complex."""
    check_matrix(x, name)
    check_square(x, name + ": ")
    dtype = complex_dtype(x)
    check_kernel(x, "linalg_eig_out_cpu")
    if not np.isfinite(x).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    try:
        found = function(x)
    except np.linalg.LinAlgError:
        raise not_converged("linalg.eig", "is ill-conditioned or has too many repeated eigenvalues (error code: 1)") from None
    return tuple(a.astype(dtype, copy=False) for a in found) if isinstance(found, tuple) else found.astype(dtype, copy=False)


class LinalgEigBackward0(General):
    """A V = V diag(w);   V⁻ᴴ (diag(g_w) + (M - Vᴴ V Re diag(M)) / conj E) Vᴴ, M = Vᴴ G_v, E_ij = w_j - w_i.

    [Boeddeker et al. 2017, eq. 4.77]: the columns of V have norm 1, their phases are free.
    """
    batch = leading()
    public, conjugates = "linalg_eig", False
    operands, results, names = "x", "w v", {"x": "self", "w": "eigenvalues", "v": "eigenvectors"}
    def forward(x):
        w, v = eigen(lapack.eig, x, "linalg.eig")
        return w, kernels.columns(v)
    def vjp(xp, g, w, v):
        gw, gv = g
        vh = xp.adjoint(v)
        if gv is None: return xp.solve(vh, gw[..., :, None] * vh)
        m = vh @ gv
        d = xp.diagonal(m, 0, -2, -1)
        check_phase(d, "linalg_eig_backward", "eigenvectors")
        z = (m - (vh @ v) * xp.real(d)[..., None, :]) / xp.conj(differences(xp, w))
        z = xp.off_diagonal(z)
        if gw is not None: z = z + xp.diag_embed(gw)
        return xp.solve(vh, z @ vh)
_eig = op(LinalgEigBackward0)


class Eigvals(General):
    """The eigenvalues alone, for a matrix that needs no gradient."""
    batch = leading()
    public = "linalg_eigvals"
    def forward(x): return eigen(lapack.eigvals, x, "linalg.eigvals")
_eigvals = op(Eigvals)


def _check_complex_out(out, name, result):
    if isinstance(out, Tensor) and not out.is_complex():
        which = "eigenvalues" if name[-1] == "s" or result == 0 else "eigenvectors"
        raise RuntimeError(
            f"torch.linalg.{name}: Expected {which} to be safely castable from ComplexDouble dtype, but got {which} with dtype "
            f"{dtype_name(out._array)}"
        )


def eig(input, *, out=None):
    """Return the eigenvalues and eigenvectors (columns of norm 1) of square matrices, complex, in no particular order.

    >>> import minigrad
    >>> minigrad.linalg.eig(minigrad.tensor([[0., -1.], [1., 0.]])).eigenvalues
    tensor([0.+1.j, 0.-1.j])
    """
    if out is not None:
        for i, part in enumerate(out): _check_complex_out(part, "eig", i)
        return _eig.into(out, input)
    return named_tuple("linalg_eig", _eig(input))


def eigvals(input, *, out=None):
    """Return the eigenvalues of square matrices, complex, in no particular order.

    >>> import minigrad
    >>> minigrad.linalg.eigvals(minigrad.tensor([[0., -1.], [1., 0.]]))
    tensor([0.+1.j, 0.-1.j])
    """
    if out is not None:
        _check_complex_out(out, "eigvals", 0)
        return write_out(out, eigvals, input, named="linalg_eigvals")
    return _eig(input)[0] if wants_gradient(input) else _eigvals(input)


# Singular values -----------------------------------------------------------------------------------------------------------------


def singular(x, full, compute_uv):
    """``lapack.svd`` with PyTorch's errors."""
    check_matrix(x, "linalg.svd")
    check_float(x, "linalg.svd", "linalg_svd_cpu")
    failed = not_converged("linalg.svd", "contained non-finite values")
    if not np.isfinite(x).all():
        raise failed
    try:
        if compute_uv:
            u, s, vh = lapack.svd(x, full)
            return kernels.columns(u), s, kernels.columns(vh)
        return lapack.svd(x, compute_uv=False)
    except np.linalg.LinAlgError:
        raise failed from None


class LinalgSvdBackward0(General):
    """A = U diag(S) Vᴴ;   gradient U (X + diag(g_s)) Vᴴ and the parts beside U and V.  [Townsend 2016; complex: Wan and Zhang 2019]

    X = (skew(Uᴴ G_u) S + S skew(Vᴴ G_v)) / E, skew M = M - Mᴴ, E_ij = S_j² - S_i².  Equal singular values have a gradient, their
    vectors have none: nan.  With ``full_matrices`` the vectors beyond the first k do not count, as in PyTorch.
    """
    batch = leading()
    public, conjugates = "linalg_svd", False
    operands, results, names = "x", "u s vh", {"x": "A", "u": "U", "s": "S", "vh": "Vh"}
    def forward(x, full_matrices): return singular(x, full_matrices, True)
    def vjp(xp, g, u, s, vh):
        gu, gs, gvh = g
        m, k, n = u.shape[-2], s.shape[-1], vh.shape[-1]
        if u.shape[-1] > k: u, gu = u[..., :, :k], None if gu is None else gu[..., :, :k]
        if vh.shape[-2] > k: vh, gvh = vh[..., :k, :], None if gvh is None else gvh[..., :k, :]
        if gu is None and gvh is None: return (u * gs[..., None, :]) @ vh
        uu = None if gu is None else xp.adjoint(u) @ gu
        vv = None if gvh is None else vh @ xp.adjoint(gvh)
        if xp.iscomplex(u): check_svd_phase(xp, uu, vv)
        e = differences(xp, s * s)
        z = None
        if uu is not None: z = skew(xp, uu) * s[..., None, :]
        if vv is not None:
            d = s[..., :, None] * skew(xp, vv)
            z = d if z is None else z + d
        z = z / e
        if gs is not None: z = z + xp.diag_embed(gs)
        if uu is not None and vv is not None and xp.iscomplex(u):
            z = z + xp.diag_embed(xp.diagonal(skew(xp, uu), 0, -2, -1) / (s * 2))
        if gu is not None and m > k:
            z = (u @ z + (gu - u @ uu) / s[..., None, :]) @ vh
        else:
            z = u @ z @ vh
        if gvh is not None and n > k:
            z = z + (u / s[..., None, :]) @ (gvh - (gvh @ xp.adjoint(vh)) @ vh)
        return z
_svd = op(LinalgSvdBackward0)


def skew(xp, x):
    """Twice the skew-Hermitian part."""
    return x - xp.adjoint(x)


def check_svd_phase(xp, uu, vv):
    """Raise RuntimeError for a loss that depends on the phases of the singular vectors."""
    parts = [xp.diagonal(x, 0, -2, -1) for x in (uu, vv) if x is not None]
    check_phase(parts[0] + parts[1] if len(parts) == 2 else parts[0], "svd_backward", "singular vectors")


class Svdvals(General):
    """The singular values alone, for a matrix that needs no gradient."""
    batch = leading()
    public = "linalg_svdvals"
    operands, names = "x", {"x": "A"}
    def forward(x): return singular(x, False, False)
_svdvals = op(Svdvals)


def _check_driver(driver, A):
    if driver is not None and not (isinstance(A, Tensor) and A.ndim > 1 and not A.numel()):
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )


def svd(A, full_matrices=True, *, driver=None, out=None):
    """Factorise ``A = U diag(S) Vh`` into singular values, in descending order, and vectors; ``full_matrices`` makes U and Vh square.

    >>> import minigrad
    >>> minigrad.linalg.svd(minigrad.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
    _check_driver(driver, A)
    return named_tuple("linalg_svd", _svd(A, full_matrices)) if out is None else _svd.into(out, A, full_matrices)


def values_of(A):
    """The singular values of a tensor; with a gradient if that is wanted."""
    return _svd(A, False)[1] if wants_gradient(A) else _svdvals(A)


def svdvals(A, *, driver=None, out=None):
    """Return the singular values of matrices, descending.

    >>> import minigrad
    >>> minigrad.linalg.svdvals(minigrad.tensor([[3., 0.], [0., 4.]]))
    tensor([4., 3.])
    """
    _check_driver(driver, A)
    return values_of(A) if out is None else write_out_same(out, values_of, A, named="linalg_svdvals")


# Pseudoinverses and ranks --------------------------------------------------------------------------------------------------------


def tolerance(name, function, value):
    """A tolerance as a number or an array; raises RuntimeError for a complex one."""
    if isinstance(value, Tensor):
        if value.is_complex():
            raise RuntimeError(
                f"torch.linalg.{function}: {name} tensor of complex type is not supported. Got {dtype_name(value._array)}"
            )
        return value._array
    return value


def _check_tolerances(x, atol, rtol):
    """Raise RuntimeError for tolerances of which there is not one for each matrix."""
    for each in (rtol, atol):
        if isinstance(each, np.ndarray):
            check_sizes(each.shape, x.shape[:-2])


class LinalgPinvBackward0(General):
    """Z = A⁺, singular values up to max(atol, rtol · the largest) left out;   ``pinv_gradient``."""
    batch = leading()
    public, conjugates = "linalg_pinv", False
    operands = "x"
    def forward(x, atol, rtol, hermitian):
        if x.ndim < 2 or x.dtype.kind not in "fc" or x.dtype.itemsize == 2:
            raise RuntimeError(
                f"linalg.pinv({dtype_name(x)}{{{list(x.shape)}}}): expected a tensor with 2 or more dimensions of float, double, "
                "cfloat or cdouble types"
            )
        if hermitian: check_square(x, "linalg.eigh: ")
        try:
            _check_tolerances(x, atol, rtol)
            return kernels.pinv(x, atol, rtol, hermitian)
        except np.linalg.LinAlgError:
            raise not_converged("linalg.svd", "contained non-finite values") from None
    def vjp(xp, g, x, z): return pinv_gradient(xp, g, x, z)
_pinv = op(LinalgPinvBackward0)


def pinv_of(x):
    """The pseudoinverse of a tensor: what formulas ask for."""
    return _pinv(x, None, None, False)


def _older(function, name, args, kwargs, atol, rtol, hermitian):
    """``(atol, rtol, hermitian)`` where older names for them, or places, may have been used."""
    if len(args) > 2:
        raise TypeError(f"linalg_{function}() takes from 1 to 3 positional arguments but {len(args) + 1} were given")
    old = args[0] if args else None
    if len(args) > 1: hermitian = args[1]
    for key, value in kwargs.items():
        if key != name: raise TypeError(f"linalg_{function}() got an unexpected keyword argument '{key}'")
        old = value
    if old is not None:
        old = tolerance(name, function, old)
        atol, rtol = (0.0, old) if function == "pinv" else (old, 0.0)
    atol, rtol = tolerance("atol", function, atol), tolerance("rtol", function, rtol)
    if isinstance(atol, np.ndarray) and isinstance(rtol, np.ndarray):
        check_sizes(atol.shape, rtol.shape)
    return tuple(a[..., None][..., 0] if isinstance(a, np.ndarray) else a for a in (atol, rtol)) + (hermitian,)


def pinv(input, *args, atol=None, rtol=None, hermitian=False, out=None, **kwargs):
    """Return the pseudoinverse. Singular values up to ``max(atol, rtol * the largest)`` count as zero; ``hermitian`` reads one triangle.

    ``linalg.pinv(A, rcond, hermitian)`` is an older form; tolerances may be tensors.

    >>> import minigrad
    >>> minigrad.linalg.pinv(minigrad.tensor([[2., 0.], [0., 0.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    params = _older("pinv", "rcond", args, kwargs, atol, rtol, hermitian)
    return _pinv(input, *params) if out is None else _pinv.into(out, input, *params)


def pinverse(input, rcond=1e-15):
    """Return the pseudoinverse, with singular values up to ``rcond`` times the largest as zero: see ``linalg.pinv``.

    ``input`` is (..., m, n), the result (..., n, m).

    >>> import minigrad
    >>> minigrad.pinverse(minigrad.tensor([[2.], [0.]]))
    tensor([[0.5000, 0.0000]])
    """
    return _pinv(input, 0.0, rcond, False)


class MatrixRank(General):
    """How many singular values (absolute eigenvalues with ``hermitian``) exceed max(atol, rtol · the largest)."""
    batch = leading()
    public = "linalg_matrix_rank"
    def forward(x, atol, rtol, hermitian):
        check_matrix(x, "torch.linalg.matrix_rank", "input")
        refused = x.dtype.kind not in "fc" or x.dtype.itemsize == 2
        if refused and atol is None and rtol is None:
            raise RuntimeError("This function doesn't handle types other than float and double")
        if not x.size: return np.zeros(x.shape[:-2], np.int64)
        if refused: raise no_kernel("linalg_eigh_cpu" if hermitian else "linalg_svd_cpu", x)
        s = np.abs(symmetric(lapack.eigvalsh, x, "L")) if hermitian else singular(x, False, False)
        _check_tolerances(x, atol, rtol)
        return (s > np.asarray(kernels.cutoff(x, s.max(-1), atol, rtol))[..., None]).sum(-1)
_matrix_rank = op(MatrixRank)


def matrix_rank(input, *args, atol=None, rtol=None, hermitian=False, out=None, **kwargs):
    """Return the number of singular values that exceed ``max(atol, rtol * the largest)``, as int64.

    ``linalg.matrix_rank(A, tol, hermitian)`` is an older form; tolerances may be tensors.

    >>> import minigrad
    >>> minigrad.linalg.matrix_rank(minigrad.ones(2, 2))
    tensor(1)
    """
    params = _older("matrix_rank", "tol", args, kwargs, atol, rtol, hermitian)
    if out is None:
        return _matrix_rank(input, *params)
    return _matrix_rank.into(out, input, *params)


# Low rank --------------------------------------------------------------------------------------------------------------------------


def range_of(A, q, niter):
    """An orthonormal basis of about the range of ``A``, with q columns.  [Halko et al. 2009, algorithm 4.4]"""
    n = A.shape[-1]
    Q = qr(A.matmul(randn(n, q, dtype=A.dtype))).Q
    for _ in range(niter):
        Q = qr(A.mH.matmul(Q)).Q
        Q = qr(A.matmul(Q)).Q
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    """Approximate the ``q`` largest singular values of ``A`` (less ``M`` if given), and their vectors: ``A ≈ U diag(S) V.mH``.

    The method is randomised; ``niter`` steps of subspace iteration improve the result. [Halko et al. 2009]

    >>> import minigrad
    >>> minigrad.svd_lowrank(minigrad.diag(minigrad.tensor([3., 1., 0.])), q=1, niter=9)[1]
    tensor([3.])
    """
    if M is not None:
        A = A - M.broadcast_to(A.shape)
    m, n = A.shape[-2:]
    q = 6 if q is None else q
    wide = m < n
    if wide: A = A.mH
    Q = range_of(A, min(q, m, n), niter)
    u, s, vh = svd(Q.mH.matmul(A), False)
    u, v = Q.matmul(u), vh.mH
    return (v, s, u) if wide else (u, s, v)


def pca_lowrank(A, q=None, center=True, niter=2):
    """Approximate the ``q`` largest principal components of the rows of ``A``: return ``(U, S, V)``, with the directions as columns of V.

    Raises ValueError for a ``q`` beyond ``min(m, n)`` or a negative ``niter``.

    >>> import minigrad
    >>> minigrad.pca_lowrank(minigrad.tensor([[1., 0.], [-1., 0.]]), q=1)[1]
    tensor([1.4142])
    """
    m, n = A.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if center:
        A = A - A.mean(-2, True)
    return svd_lowrank(A, q, niter)
