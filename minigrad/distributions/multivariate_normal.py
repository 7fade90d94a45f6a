"""Normal vectors."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import (
    Tensor,
    _linalg_factors,
    _linalg_solvers,
    broadcast_shapes,
    cholesky_inverse,
    eye,
    flip,
)
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import _standard_normal, lazy_property

__all__ = ["MultivariateNormal"]


def _batch_mv(bmat, bvec):
    """Products of matrices and vectors: (..., n, m), (..., m) -> (..., n)."""
    return (bmat @ bvec.unsqueeze(-1)).squeeze(-1)


def _half_log_det(factor):
    """``log det(L)``, for triangular L: (..., n, n) -> (...)."""
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _batch_mahalanobis(bL, bx):
    """``|L⁻¹ x|²``: (..., n, n), (..., n) -> (...).  Dimensions that only x has are solved for together, as columns."""
    more = bx.dim() - 1 - (bL.dim() - 2)
    if more <= 0:
        columns = _linalg_solvers.solve_triangular(bL, bx.unsqueeze(-1), upper=False)
        return columns.square().sum((-2, -1))
    columns = bx.reshape(-1, *bx.shape[more:]).movedim(0, -1)
    columns = _linalg_solvers.solve_triangular(bL, columns, upper=False)
    return columns.square().sum(-2).movedim(-1, 0).reshape(bx.shape[:-1])


def _precision_to_scale_tril(P):
    """The Cholesky factor of ``P⁻¹``: with rows and columns of P in reverse order, that of P is the transposed inverse."""
    reversed_factor = _linalg_factors.cholesky(flip(P, (-2, -1)))
    inverse = flip(reversed_factor, (-2, -1)).mT
    identity = eye(P.shape[-1], dtype=P.dtype, device=P.device)
    return _linalg_solvers.solve_triangular(inverse, identity, upper=False)


def _one_matrix(**matrices):
    """Name and value of the one that is not None; None, None if that is not one."""
    given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
    return given[0] if len(given) == 1 else (None, None)


def _factor(name, matrix):
    """The Cholesky factor of a covariance that is given by the matrix of that name."""
    if name == "scale_tril":
        return matrix
    return (
        _linalg_factors.cholesky(matrix) if name == "covariance_matrix" else _precision_to_scale_tril(matrix)
    )


class MultivariateNormal(Distribution):
    """The multivariate normal distribution of mean ``loc``, (..., n), with a covariance given by one of three (..., n, n) matrices.

    Raises ValueError unless exactly one of ``covariance_matrix``, its inverse ``precision_matrix`` and its Cholesky factor ``scale_tril``
    is given.

    >>> import minigrad
    >>> vectors = minigrad.distributions.MultivariateNormal(minigrad.zeros(2), minigrad.tensor([[4., 2.], [2., 2.]]))
    >>> vectors.scale_tril, vectors.log_prob(minigrad.zeros(2))
    (tensor([[2., 0.],
            [1., 1.]]), tensor(-2.5310))
    """

    loc: Any

    arg_constraints: Any = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = _one_matrix(
            covariance_matrix=covariance_matrix, precision_matrix=precision_matrix, scale_tril=scale_tril
        )
        if name is None:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        if matrix.dim() < 2:
            kind = " matrix" if name == "scale_tril" else ""
            raise ValueError(
                f"{name}{kind} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(*batch_shape, -1, -1))
        self.loc = loc.expand(*batch_shape, -1)
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor(name, matrix)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``; the factor is shared."""
        return self._expanded(
            MultivariateNormal,
            batch_shape,
            _instance,
            "loc covariance_matrix precision_matrix scale_tril",
            "_unbroadcasted_scale_tril",
        )

    def _matrix(self, value):
        return value.expand(self._batch_shape + 2 * self._event_shape)

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor L of the covariance, ``Σ = L Lᵀ``: lower triangular, with a positive diagonal."""
        return self._matrix(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariance matrix Σ."""
        factor = self._unbroadcasted_scale_tril
        return self._matrix(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariance matrix, ``Σ⁻¹``."""
        return self._matrix(cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def mean(self) -> Tensor:
        """``loc``."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """The diagonal of Σ."""
        spread = self._unbroadcasted_scale_tril.square().sum(-1)
        return spread.expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``loc + L eps``."""
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, eps)

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-(n log 2π + |L⁻¹ (x - loc)|²) / 2 - log det L``."""
        if self._validate_args:
            self._validate_sample(value)
        factor = self._unbroadcasted_scale_tril
        distance = _batch_mahalanobis(factor, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - _half_log_det(factor)

    def entropy(self) -> Tensor:
        """Compute ``n log(2π e) / 2 + log det L``."""
        own = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        return (own + _half_log_det(self._unbroadcasted_scale_tril)).expand(self._batch_shape)
