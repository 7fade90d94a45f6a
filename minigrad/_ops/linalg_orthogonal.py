"""Orthogonal factors: QR decompositions, and products of Householder reflections."""


import numpy as np

from .._arrays import lapack
from .._arrays.kernels import linalg as kernels
from .._base.dtypes import dtype_name
from .._base.errors import type_name
from .._core.families import General, op
from .._core.out import write_result
from .batches import leading
from .dims import named_tuple
from .linalg_checks import check_float, check_kernel, check_matrix, hermitian_from_upper

__all__ = ["geqrf", "orgqr", "ormqr"]
METHODS = "geqrf orgqr ormqr"


# QR --------------------------------------------------------------------------------------------------------------------------


def qr_gradient(xp, gq, gr, q, r):
    """The gradient through A = Q R of full rank.

    m >= n: (G_q - Q H) R⁻ᴴ, where H is Hermitian with the upper triangle of Qᴴ G_q - G_r Rᴴ.  m < n: the columns beyond the first m
    are Q times R's, the first m are a square QR.  [Walter and Lehmann 2018, sections 2 and 3; complex: Im of H's diagonal is 0]
    """
    m, n = q.shape[-2], r.shape[-1]
    rest = None
    if m < n:
        r, beside = r[..., :, :m], r[..., :, m:]
        if gr is not None:
            gr, rest = gr[..., :, :m], gr[..., :, m:]
            d = q @ (beside @ xp.adjoint(rest))
            gq = d if gq is None else gq + d
            rest = q @ rest
    h = None
    if gq is not None: h = xp.adjoint(q) @ gq
    if gr is not None:
        d = gr @ xp.adjoint(r)
        h = -d if h is None else h - d
    z = -(q @ hermitian_from_upper(xp, h))
    if gq is not None: z = z + gq
    z = xp.solve_triangular(xp.adjoint(r), z, False, False)
    if m < n:
        if rest is None: rest = xp.zeros((*z.shape[:-1], n - m), z)
        z = xp.concat((z, rest), z.ndim - 1)
    return z


class LinalgQrBackward0(General):
    """A = Q R: (m, n) -> (m, k), (k, n) with k = min(m, n), or m with mode "complete";   ``qr_gradient``."""
    batch = leading()
    public, conjugates = "linalg_qr", False
    operands, results, names = "x", "q r", {"x": "A", "q": "Q", "r": "R"}
    def forward(x, mode):
        check_matrix(x, "linalg.qr")
        check_float(x, "linalg.qr", "geqrf_cpu")
        if mode not in ("reduced", "complete", "r"):
            raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'")
        if mode == "r": return np.empty(0, x.dtype), kernels.columns(lapack.qr(x, "r"))
        q, r = lapack.qr(x, mode)
        return kernels.columns(q), kernels.columns(r)
    def vjp(xp, g, q, r, mode):
        if mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
                "mode='reduced') if you are going to differentiate through linalg.qr."
            )
        if mode == "complete" and q.shape[-1] > r.shape[-1]:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
        return qr_gradient(xp, *g, q, r)
_qr = op(LinalgQrBackward0)


def qr(A, mode="reduced", *, out=None):
    """Factorise ``A = Q R``, with orthonormal columns in Q and an upper triangle R; ``mode`` is "reduced", "complete" or "r" (R only).

    >>> import minigrad
    >>> minigrad.linalg.qr(minigrad.tensor([[3.], [4.]])).R
    tensor([[-5.]])
    """
    return named_tuple("linalg_qr", _qr(A, mode)) if out is None else _qr.into(out, A, mode)


def _no_geqrf_derivative(xp, g):
    raise NotImplementedError("the derivative for 'geqrf' is not implemented.")


class GeqrfBackward0(General):
    """R, and below it the vectors of the reflections whose product is Q, and their factors τ; no derivative, as in PyTorch."""
    batch = leading()
    operands, results = "x", "a tau"
    def forward(x):
        if x.ndim < 2: raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
        check_kernel(x, "geqrf_cpu")
        h, tau = lapack.qr(x, "raw")
        return kernels.columns(h.mT), tau
    vjp = _no_geqrf_derivative
_geqrf = op(GeqrfBackward0)


def geqrf(input, *, out=None):
    """Return R with the vectors of Householder reflections below it, and their factors, as ``linalg.householder_product`` takes them.

    >>> import minigrad
    >>> minigrad.geqrf(minigrad.tensor([[3.], [4.]])).a
    tensor([[-5.0000],
            [ 0.5000]])
    """
    if out is not None:
        if not isinstance(out, (tuple, list)):
            raise TypeError(f"geqrf(): argument 'out' must be tuple of Tensors, not {type_name(out)}")
        a, tau = _geqrf(input)
        return named_tuple("geqrf_out", (write_result(out[0], a, "geqrf"), write_result(out[1], tau, "geqrf")))
    return named_tuple("geqrf", _geqrf(input))


# Reflections -------------------------------------------------------------------------------------------------------------------


def reflect_gradients(xp, g, x, tau, c, transpose):
    """The gradients of ``x`` and ``tau`` through H₁ ⋯ Hₖ C (Hₖᴴ ⋯ H₁ᴴ C with ``transpose``), reflection by reflection.

    With Hᵢ = 1 - t v vᴴ, R what it is applied to and W the gradient of its result: t: -(vᴴ W)(Rᴴ v), v: -t̄ W Rᴴ v - t R Wᴴ v.
    """
    k = tau.shape[-1]
    vectors = xp.unit_lower(x)
    vs = [vectors[..., :, i : i + 1] for i in range(k)]
    order = list(reversed(range(k))) if transpose else list(range(k))
    ts = [xp.conj(tau[..., i, None, None]) if transpose else tau[..., i, None, None] for i in range(k)]
    inputs = {}
    z = c
    for i in reversed(order):
        inputs[i] = z
        z = z - ts[i] * (vs[i] @ (xp.adjoint(vs[i]) @ z))
    gx, gt = {}, {}
    w = g
    for i in order:
        v, t, r = vs[i], ts[i], inputs[i]
        rv, wv = xp.adjoint(r) @ v, xp.adjoint(w) @ v
        d = -(xp.adjoint(wv) @ rv)[..., 0]
        gt[i] = xp.conj(d) if transpose else d
        gx[i] = xp.tril(-(xp.conj(t) * (w @ rv) + t * (r @ wv)), -1 - i)
        w = w - xp.conj(t) * (v @ xp.adjoint(wv))
    left = [gx[i] for i in range(k)]
    if x.shape[-1] > k: left.append(xp.zeros((*x.shape[:-1], x.shape[-1] - k), x))
    return xp.concat(left, x.ndim - 1), xp.concat([gt[i] for i in range(k)], x.ndim - 2)


def _check_reflections(tau):
    """Raise IndexError for the factors of reflections that are no vector."""
    if not tau.ndim: raise IndexError("Dimension specified as -1 but tensor has no dimensions")


class LinalgHouseholderProductBackward0(General):
    """Z = the first n columns of H₁ ⋯ Hₖ, the reflections that ``geqrf`` gives;   ``reflect_gradients``."""
    batch = leading()
    public, conjugates = "linalg_householder_product", False
    operands, names = "x tau", {"x": "input"}
    def forward(x, tau):
        name = "torch.linalg.householder_product"
        if x.ndim < 2: raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
        if x.shape[-2] < x.shape[-1]: raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]")
        _check_reflections(tau)
        if x.shape[-1] < tau.shape[-1]:
            raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
        if x.ndim - tau.ndim != 1:
            raise RuntimeError(
                f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.ndim} and input.ndim is "
                f"equal to {x.ndim}"
            )
        if x.shape[:-2] != tau.shape[:-1]:
            raise RuntimeError(
                f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(tau.shape[:-1])}"
            )
        if x.dtype != tau.dtype:
            raise RuntimeError(f"{name}: tau dtype {dtype_name(tau)} does not match input dtype {dtype_name(x)}")
        check_kernel(x, "orgqr_cpu")
        return kernels.columns(kernels.reflect(x, tau, np.eye(*x.shape[-2:], dtype=x.dtype), False))
    def vjp_x(xp, g, x, tau):
        return reflect_gradients(xp, g, x, tau, xp.eye(x.shape[-2], x)[:, : x.shape[-1]], False)[0] if tau.shape[-1] else xp.zeros_like(x)
    def vjp_tau(xp, g, x, tau):
        return reflect_gradients(xp, g, x, tau, xp.eye(x.shape[-2], x)[:, : x.shape[-1]], False)[1] if tau.shape[-1] else xp.zeros_like(tau)
_householder_product = op(LinalgHouseholderProductBackward0)


def householder_product(input, tau, *, out=None):
    """Return the first n columns of a product of Householder reflections, whose vectors are below the diagonal of ``input`` (..., m, n).

    >>> import minigrad
    >>> minigrad.linalg.householder_product(*minigrad.geqrf(minigrad.tensor([[3.], [4.]])))
    tensor([[-0.6000],
            [-0.8000]])
    """
    if out is None:
        return _householder_product(input, tau)
    return _householder_product.into(out, input, tau)


def orgqr(input, input2, *, out=None):
    """The same as ``linalg.householder_product``.

    >>> import minigrad
    >>> A = minigrad.tensor([[3., 1.], [4., 2.]])
    >>> minigrad.orgqr(*minigrad.geqrf(A))
    tensor([[-0.6000, -0.8000],
            [-0.8000,  0.6000]])
    """
    return householder_product(input, input2, out=out)


class OrmqrBackward0(General):
    """Z = Q C, Qᴴ C, C Q or C Qᴴ for the Q = H₁ ⋯ Hₖ that ``geqrf`` gives;   ``reflect_gradients``, C: with the adjoint of Q."""
    batch = leading()
    conjugates = False
    operands, names = "x tau c", {"x": "self", "tau": "input2", "c": "input3"}
    def forward(x, tau, c, left, transpose):
        _check_ormqr(x, tau, c, left)
        check_kernel(x, "ormqr_cpu")
        if left: return kernels.columns(kernels.reflect(x, tau, c, transpose))
        return kernels.columns(kernels.adjoint(kernels.reflect(x, tau, kernels.adjoint(c), not transpose)))
    def vjp_x(xp, g, x, tau, c, left, transpose):
        if not tau.shape[-1]: return xp.zeros_like(x)
        if left: return reflect_gradients(xp, g, x, tau, c, transpose)[0]
        return reflect_gradients(xp, xp.adjoint(g), x, tau, xp.adjoint(c), not transpose)[0]
    def vjp_tau(xp, g, x, tau, c, left, transpose):
        if not tau.shape[-1]: return xp.zeros_like(tau)
        if left: return reflect_gradients(xp, g, x, tau, c, transpose)[1]
        return reflect_gradients(xp, xp.adjoint(g), x, tau, xp.adjoint(c), not transpose)[1]
    def vjp_c(xp, g, x, tau, left, transpose):
        if left: return xp.reflect(x, tau, g, not transpose)
        return xp.adjoint(xp.reflect(x, tau, xp.adjoint(g), transpose))
_ormqr = op(OrmqrBackward0)


def reflected(x, tau, c, transpose):
    """As the kernel ``reflect``, for tensors: what formulas ask for."""
    return _ormqr(x, tau, c, True, transpose)


def _check_ormqr(x, tau, c, left):
    name, side = "torch.ormqr", -2 if left else -1
    if x.ndim < 2: raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if c.ndim < 2: raise RuntimeError(f"{name}: other must have at least 2 dimensions.")
    _check_reflections(tau)
    for a, n in ((tau, "tau"), (c, "other")):
        if x.dtype != a.dtype:
            raise RuntimeError(
                f"{name}: Expected input and {n} to have the same dtype, but input has dtype{dtype_name(x)} and {n} has dtype {dtype_name(a)}"
            )
    if x.ndim - tau.ndim != 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.ndim} and input.ndim is equal "
            f"to {x.ndim}"
        )
    if x.ndim != c.ndim:
        raise RuntimeError(
            f"{name}: Expected other to have the same number of dimensions as input, but got other.ndim equal to {c.ndim} and "
            f"input.ndim is equal to {x.ndim}"
        )
    if c.shape[side] < tau.shape[-1]:
        raise RuntimeError(f"{name}: other.shape[{side}] must be greater than or equal to tau.shape[-1]")
    if tau.shape[-1] > x.shape[-1] or tau.shape[-1] != min(c.shape[side], x.shape[-1]):
        raise RuntimeError(f"{name}: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")
    if c.shape[side] != x.shape[-2]:
        raise RuntimeError(f"{name}: other.shape[{side}] must be equal to input.shape[-2]")
    for a, n in ((tau.shape[:-1], "tau"), (c.shape[:-2], "other")):
        if a != x.shape[:-2]:
            raise RuntimeError(f"{name}: Expected batch dimensions of {n} to be equal to input.shape[:-2], but got {list(a)}")


def ormqr(input, input2, input3, left=True, transpose=False, *, out=None):
    """Compute ``Q @ input3``, or ``input3 @ Q`` unless ``left``, with the Q of ``geqrf`` or, if ``transpose``, its adjoint.

    ``input`` is (..., m, k), ``input2``, the factors of the reflections, (..., k), ``input3`` (..., m, n), or (..., n, m) unless ``left``.

    >>> import minigrad
    >>> minigrad.ormqr(*minigrad.geqrf(minigrad.tensor([[3.], [4.]])), minigrad.tensor([[-5.], [0.]]))
    tensor([[3.],
            [4.]])
    """
    args = input, input2, input3, left, transpose
    return _ormqr(*args) if out is None else _ormqr.into(out, *args)
