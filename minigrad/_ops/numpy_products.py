"""NumPy's products, linear algebra and Fourier transforms as our own operators (``numpy_rules.py``)."""

import numpy as np

from . import einsum, join, matmul, padding, spectral
from . import linalg_factors as factors
from . import linalg_functions as functions
from . import linalg_norms as norms
from . import linalg_orthogonal as orthogonal
from . import linalg_solvers as solvers
from . import linalg_spectral as spectra
from . import linalg_vectors as vectors
from .convolution import conv1d
from .numpy_rules import common, of, tensor

__all__ = []


# Products --------------------------------------------------------------------------------------------------------------


@of(np.dot)
def dot(a, b):
    a, b = common([a, b])
    if not a.ndim or not b.ndim:
        return a * b
    return matmul.matmul(a, b) if b.ndim < 3 else einsum.tensordot(a, b, ([a.ndim - 1], [b.ndim - 2]))


@of(np.vdot)
def vdot(a, b):
    a, b = common([a, b])
    return matmul.vdot(a.reshape(-1), b.reshape(-1))


@of(np.inner)
def inner(a, b):
    return einsum.inner(*common([a, b]))


@of(np.outer, np.linalg.outer)
def outer(a, b):
    a, b = common([a, b])
    return a.reshape(-1, 1) * b.reshape(-1)


@of(np.linalg.matmul)
def linalg_matmul(x1, x2):
    return matmul.matmul(*common([x1, x2]))


@of(np.linalg.vecdot)
def vecdot(x1, x2, *, axis=-1):
    return vectors.vecdot(*common([x1, x2]), dim=axis)


@of(np.tensordot, np.linalg.tensordot)
def tensordot(a, b, axes=2):
    if not isinstance(axes, int):
        axes = [[i] if isinstance(i, int) else list(i) for i in axes]
    return einsum.tensordot(*common([a, b]), axes)


@of(np.einsum)
def einsum_(*operands, optimize=False):
    if not isinstance(operands[0], str):
        xs = iter(common(operands[: len(operands) // 2 * 2 : 2]))
        return einsum.einsum(*[x if i % 2 or i + 1 == len(operands) else next(xs) for i, x in enumerate(operands)])
    return einsum.einsum(operands[0], *common(operands[1:]))


@of(np.kron)
def kron(a, b):
    return einsum.kron(*common([a, b]))


@of(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = common([a, b])
    a, b = join.broadcast_tensors(a.moveaxis(axisa, -1), b.moveaxis(axisb, -1))
    return vectors.linalg_cross(a, b).moveaxis(-1, axisc)


@of(np.linalg.cross)
def linalg_cross(x1, x2, *, axis=-1):
    return vectors.linalg_cross(*common([x1, x2]), dim=axis)


@of(np.convolve)
def convolve(a, v, mode="full"):
    return correlated(a, tensor(v).flip(0), mode)


@of(np.correlate)
def correlate(a, v, mode="valid"):
    return correlated(a, tensor(v).conj(), mode)


def correlated(a, v, mode):
    """The sums of products of ``v`` with the parts of ``a`` at each place."""
    a, v = common([a, v])
    turned = v.shape[0] > a.shape[0]
    if turned:
        a, v = v, a
    n = v.shape[0]
    before, after = {"full": (n - 1, n - 1), "same": (n // 2, (n - 1) // 2), "valid": (0, 0)}[mode]
    if turned:
        before, after = after, before
    z = conv1d(padding.pad(a, (before, after))[None, None], v[None, None])[0, 0]
    return z.flip(0) if turned else z


@of(np.cov)
def cov(m, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    m = tensor(m)
    weights = [None if w is None else tensor(w) for w in (fweights, aweights)]
    correction = (0 if bias else 1) if ddof is None else ddof
    m = m if rowvar or m.ndim < 2 else m.mT
    return vectors.cov(m, correction=correction, fweights=weights[0], aweights=weights[1])


@of(np.corrcoef)
def corrcoef(x, rowvar=True):
    x = tensor(x)
    return vectors.corrcoef(x if rowvar or x.ndim < 2 else x.mT)


# Linear algebra --------------------------------------------------------------------------------------------------------


@of(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    return norms.norm(tensor(x), ord, axis if axis is None or isinstance(axis, int) else tuple(axis), keepdims)


@of(np.linalg.vector_norm)
def vector_norm(x, *, axis=None, keepdims=False, ord=2):
    return norms.vector_norm(tensor(x), ord, axis, keepdims)


@of(np.linalg.matrix_norm)
def matrix_norm(x, *, keepdims=False, ord="fro"):
    return norms.matrix_norm(tensor(x), ord, keepdim=keepdims)


@of(np.linalg.solve)
def solve(a, b):
    a, b = common([a, b])
    if b.ndim == 1:
        return solvers.solve(a, b[:, None])[..., 0]
    return solvers.solve(a, b.reshape((1,) * (a.ndim - b.ndim) + tuple(b.shape)))


def of_one(*known, rule):
    """Rules that take one argument, the matrix."""
    of(*known)(lambda a: rule(tensor(a)))


of_one(np.linalg.inv, rule=solvers.inv)
of_one(np.linalg.det, rule=functions.det)
of_one(np.linalg.slogdet, rule=functions.slogdet)
of_one(np.linalg.eig, rule=spectra.eig)
of_one(np.linalg.eigvals, rule=spectra.eigvals)


@of(np.linalg.pinv)
def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    return spectra.pinv(tensor(a), rtol=rcond if rtol is None else rtol, hermitian=hermitian)


@of(np.linalg.cholesky)
def cholesky(a, upper=False):
    return factors.cholesky(tensor(a), upper=upper)


@of(np.linalg.qr)
def qr(a, mode="reduced"):
    z = orthogonal.qr(tensor(a), mode)
    return z.R if mode == "r" else z


@of(np.linalg.svd)
def svd(a, full_matrices=True, compute_uv=True):
    return spectra.svd(tensor(a), full_matrices) if compute_uv else spectra.svdvals(tensor(a))


@of(np.linalg.svdvals)
def svdvals(x):
    return spectra.svdvals(tensor(x))


@of(np.linalg.eigh)
def eigh(a, UPLO="L"):
    return spectra.eigh(tensor(a), UPLO)


@of(np.linalg.eigvalsh)
def eigvalsh(a, UPLO="L"):
    return spectra.eigvalsh(tensor(a), UPLO)


@of(np.linalg.matrix_power)
def matrix_power(a, n):
    return functions.matrix_power(tensor(a), n)


@of(np.linalg.matrix_rank)
def matrix_rank(A):
    return spectra.matrix_rank(tensor(A))


@of(np.linalg.cond)
def cond(x, p=None):
    return norms.cond(tensor(x), p)


@of(np.linalg.multi_dot)
def multi_dot(arrays):
    return functions.multi_dot(common(arrays))


@of(np.linalg.tensorinv)
def tensorinv(a, ind=2):
    return solvers.tensorinv(tensor(a), ind)


@of(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    return solvers.tensorsolve(*common([a, b]), axes)


# Fourier transforms ------------------------------------------------------------------------------------------------------


def transforms(name):
    """Enter the rule for one of ``np.fft``'s transforms: along one axis, or along several."""
    transform = getattr(spectral, name)
    if name.endswith(("2", "n")):
        axes = (-2, -1) if name.endswith("2") else None

        def rule(a, s=None, axes=axes, norm=None):
            return transform(tensor(a), s, axes, norm)

    else:

        def rule(a, n=None, axis=-1, norm=None):
            return transform(tensor(a), n, axis, norm)

    of(getattr(np.fft, name))(rule)


for _name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]:
    transforms(_name)


@of(np.fft.fftshift)
def fftshift(x, axes=None):
    return spectral.fftshift(tensor(x), axes)


@of(np.fft.ifftshift)
def ifftshift(x, axes=None):
    return spectral.ifftshift(tensor(x), axes)
