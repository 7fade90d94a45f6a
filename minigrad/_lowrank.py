"""Matrices of low rank, by random products: what PyTorch keeps at this place."""

from typing import Any

from ._api import _linalg_spectral as _spectral
from ._api import pca_lowrank, svd_lowrank

__all__ = ["pca_lowrank", "svd_lowrank"]


def get_approximate_basis(A: Any, q: int, niter: int | None = 2, M: Any = None) -> Any:
    """Return a matrix (..., m, q) with orthonormal columns whose span approximates the range of ``A`` (..., m, n), less ``M`` if given.

    The method is randomised; each of ``niter`` steps of subspace iteration improves the result. [Halko et al. 2009]

    >>> import minigrad
    >>> Q = minigrad._lowrank.get_approximate_basis(minigrad.ones(3, 2), 1)
    >>> Q.abs()
    tensor([[0.5774],
            [0.5774],
            [0.5774]])
    """
    return _spectral.range_of(A if M is None else A - M, q, 2 if niter is None else niter)
