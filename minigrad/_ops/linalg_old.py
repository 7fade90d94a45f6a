"""Linear algebra under the names it had before ``linalg``: the same with other names of arguments, deprecated forms, and functions that PyTorch has taken out."""

import warnings

from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.errors import integer, not_a_tensor, type_name
from .._core.out import write_out, write_outs
from .._core.tensor import Tensor
from .create import zeros
from .dims import named_tuple
from .linalg_factors import _cholesky, _lu_factor_ex
from .linalg_factors import lu_solve as _linalg_lu_solve
from .linalg_functions import det as _linalg_det
from .linalg_functions import matrix_power as _linalg_matrix_power
from .linalg_functions import slogdet as _linalg_slogdet
from .linalg_norms import matrix_norm, vector_norm
from .linalg_orthogonal import _qr
from .linalg_spectral import _svd, values_of
from .sizes import ints

__all__ = [
    "cholesky", "det", "eig", "frobenius_norm", "lstsq", "lu", "lu_solve", "matrix_power", "matrix_rank", "nuclear_norm", "qr", "slogdet",
    "solve", "svd", "symeig",
]
METHODS = "cholesky det eig lstsq lu=lu_method lu_solve matrix_power qr slogdet solve svd symeig"


# The same ---------------------------------------------------------------------------------------------------------------------


@composite
def det(input):
    """Return the determinants of square matrices ``(..., n, n) -> (...)``, as ``linalg.det``.

    >>> import minigrad
    >>> minigrad.det(minigrad.tensor([[2., 0.], [0., 3.]]))
    tensor(6.)
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("det", "input", 1, input)
    return _linalg_det(input)


@composite
def slogdet(input, *, out=None):
    """Return the sign (phase) of the determinants of square matrices, and the logarithms of their magnitudes, as ``linalg.slogdet``.

    >>> import minigrad
    >>> minigrad.slogdet(minigrad.eye(2)).logabsdet
    tensor(0.)
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("slogdet", "input", 1, input)
    return named_tuple("slogdet" if out is None else "slogdet_out", _linalg_slogdet(input, out=out))


@composite
def matrix_power(input, n, *, out=None):
    """Return the n-th power of square matrices, of their inverses for a negative n, as ``linalg.matrix_power``.

    >>> import minigrad
    >>> minigrad.matrix_power(minigrad.tensor([[1., 1.], [0., 1.]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    return _linalg_matrix_power(input, integer(n, "matrix_power", "n", 2), out=out)


# Deprecated ------------------------------------------------------------------------------------------------------------------


def cholesky(input, upper=False, *, out=None):
    """Return the result of ``linalg.cholesky``; deprecated.

    >>> import minigrad
    >>> minigrad.cholesky(minigrad.tensor([[4.]]))
    tensor([[2.]])
    """
    warnings.warn(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch release.\n"
        "Use torch.linalg.cholesky(A), and with upper=True torch.linalg.cholesky(A, upper=True).",
        stacklevel=level_of_user(),
    )
    return _cholesky(input, upper) if out is None else write_out(out, _cholesky, input, upper, named="cholesky")


def lu(A, pivot=True, get_infos=False, out=None):
    """Return the result of ``linalg.lu_factor`` (with ``get_infos``, ``linalg.lu_factor_ex``) as a plain tuple; deprecated.

    >>> import minigrad
    >>> minigrad.lu(minigrad.tensor([[2.]]))
    (tensor([[2.]]), tensor([1], dtype=torch.int32))
    """
    warnings.warn(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a "
        "future PyTorch release.\nUse torch.linalg.lu_factor(A, pivot=pivot), and with get_infos=True "
        "torch.linalg.lu_factor_ex(A, pivot=pivot).",
        stacklevel=level_of_user(),
    )
    results = _lu_factor_ex(A, pivot, None)
    results = named_tuple("linalg_lu_factor_ex", results) if get_infos else results[:2]
    if out is None:
        return results
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"argument 'out' must be tuple of Tensors, not {type_name(out)}")
    if len(out) - int(get_infos) != 2:
        raise TypeError(f"expected tuple of {2 + int(get_infos)} elements but got {len(out)}")
    for part, result in zip(out, results):
        part.resize_as_(result).copy_(result)
    return out


def lu_method(self, pivot=True, get_infos=False):
    """The same as ``torch.lu``.

    >>> import minigrad
    >>> LU, pivots = minigrad.tensor([[2., 1.], [4., 3.]]).lu()
    >>> pivots
    tensor([2, 2], dtype=torch.int32)
    """
    return lu(self, pivot, get_infos)


@composite
def lu_solve(input, LU_data, LU_pivots, *, out=None):
    """Return the result of ``linalg.lu_solve``, with the arguments in another order; deprecated.

    >>> import minigrad
    >>> minigrad.lu_solve(minigrad.tensor([[8.]]), *minigrad.linalg.lu_factor(minigrad.tensor([[4.]])))
    tensor([[2.]])
    """
    warnings.warn(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solve and will be removed in a future PyTorch release.\n"
        "Use torch.linalg.lu_solve(LU, pivots, B): the right-hand side comes last there.",
        stacklevel=level_of_user(),
    )
    return _linalg_lu_solve(LU_data, LU_pivots, input, out=out)


def qr(input, some=True, *, out=None):
    """Return the result of ``linalg.qr`` with mode "reduced", or "complete" unless ``some``; deprecated.

    >>> import minigrad
    >>> minigrad.qr(minigrad.tensor([[3.], [4.]])).R
    tensor([[-5.]])
    """
    warnings.warn(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nUse "
        "torch.linalg.qr(A), and with some=False torch.linalg.qr(A, mode='complete').",
        stacklevel=level_of_user(),
    )
    mode = "reduced" if some else "complete"
    if out is not None:
        return write_outs(out, _qr, input, mode, named="qr")
    return named_tuple("qr", _qr(input, mode))


@composite
def svd(input, some=True, compute_uv=True, *, out=None):
    """Factorise ``input = U diag(S) V.mH`` as ``linalg.svd`` does, but return V.

    ``some`` gives the reduced form; without ``compute_uv``, U and V are zeros.

    >>> import minigrad
    >>> minigrad.svd(minigrad.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
    if out is not None:
        return write_outs(out, svd, input, some, compute_uv)
    if input.ndim < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {input.ndim} dimensions instead")
    if compute_uv:
        u, s, vh = _svd(input, not some)
        return named_tuple("svd", (u, s, vh.mH))
    *batch, m, n = input.shape
    u, v = zeros(*batch, m, m, dtype=input.dtype), zeros(*batch, n, n, dtype=input.dtype).mT
    return named_tuple("svd", (u, values_of(input), v))


def frobenius_norm(input, dim, keepdim=False, *, out=None):
    """Return ``linalg.vector_norm`` with ``ord=2``, along at most two dimensions; deprecated.

    >>> import minigrad
    >>> minigrad.frobenius_norm(minigrad.tensor([[3., 4.]]), dim=(0, 1))
    tensor(5.)
    """
    warnings.warn(
        "at::frobenius_norm is deprecated and it is just left for JIT compatibility. It will be removed in a future PyTorch "
        "release. Please use `linalg.vector_norm(A, 2., dim, keepdim)` instead",
        stacklevel=level_of_user(),
    )
    dims = ints("frobenius_norm", "dim", dim if isinstance(dim, tuple | list) else (dim,))
    if len(dims) > 2:
        raise RuntimeError(f"Expected at most 2 dimensions, but got {len(dims)} dimensions instead.")
    return vector_norm(input, 2, dims, keepdim, out=out)


def nuclear_norm(input, dim=(-2, -1), keepdim=False, *, out=None):
    """Return ``linalg.matrix_norm`` with ``ord="nuc"``; deprecated.

    >>> import minigrad
    >>> minigrad.nuclear_norm(minigrad.tensor([[3., 0.], [0., 4.]]))
    tensor(7.)
    """
    warnings.warn(
        "at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be removed in a future PyTorch release. "
        "Please use `linalg.matrix_norm(A, 'nuc', dim, keepdim)` instead",
        stacklevel=level_of_user(),
    )
    if isinstance(dim, bool):
        dim, keepdim = (-2, -1), dim
    if isinstance(dim, int):
        dim = (dim, dim)
    return matrix_norm(input, "nuc", dim, keepdim, out=out)


# Taken out ---------------------------------------------------------------------------------------------------------------------

_REMOVED = "This function was deprecated since version 1.9 and is now removed."


def eig(self, eigenvectors=False, *, e=None, v=None):
    """Raise RuntimeError: removed in favour of ``linalg.eig``.

    >>> import minigrad
    >>> minigrad.eig(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
    raise RuntimeError(
        f"{_REMOVED}\nUse torch.linalg.eigvals(A), or torch.linalg.eig(A) for the eigenvectors too: both give complex "
        "tensors, where this gave two columns of real numbers."
    )


def symeig(input, eigenvectors=False, upper=True, *, out=None):
    """Raise RuntimeError: removed in favour of ``linalg.eigh``.

    >>> import minigrad
    >>> minigrad.symeig(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
    raise RuntimeError(
        f"{_REMOVED}\nUse torch.linalg.eigvalsh(A, UPLO='U'), or torch.linalg.eigh(A, UPLO='U') for the eigenvectors too: "
        "without UPLO they read the lower triangle, where this read the upper one."
    )


def matrix_rank(input, tol=None, symmetric=False, *, out=None):
    """Raise RuntimeError: removed in favour of ``linalg.matrix_rank``.

    >>> import minigrad
    >>> minigrad.matrix_rank(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
    raise RuntimeError(
        f"{_REMOVED}\nPlease use the `torch.linalg.matrix_rank` function instead, where `symmetric` is called `hermitian`."
    )


def lstsq(input, A, *, out=None):
    """Raise RuntimeError: removed in favour of ``linalg.lstsq``.

    >>> import minigrad
    >>> minigrad.lstsq(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
    raise RuntimeError(
        f"{_REMOVED} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\nUse torch.linalg.lstsq(A, B): the "
        "right-hand side comes last there, .solution has only the rows of the solution, and .residuals is a field of its "
        "own. For the QR decomposition, use torch.linalg.qr(A)."
    )


def solve(input, A, *, out=None):
    """Raise RuntimeError: removed in favour of ``linalg.solve``.

    >>> import minigrad
    >>> minigrad.solve(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
    raise RuntimeError(
        f"{_REMOVED} `torch.solve` is deprecated in favor of `torch.linalg.solve`.\nUse torch.linalg.solve(A, B): the "
        "right-hand side comes last there. For the LU factorization, use torch.linalg.lu_factor(A)."
    )
