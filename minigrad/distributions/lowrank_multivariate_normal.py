"""Normal vectors whose elements vary together in a few directions only."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _linalg_factors, _linalg_solvers, broadcast_shapes, diag_embed, eye
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .multivariate_normal import _batch_mahalanobis, _batch_mv, _half_log_det
from .utils import _standard_normal, lazy_property

__all__ = ["LowRankMultivariateNormal"]


def _batch_capacitance_tril(W, D):
    """The Cholesky factor of ``I + Wᵀ D⁻¹ W``, an (m, m) matrix: (..., n, m), (..., n) -> (..., m, m)."""
    inner = (W.mT / D.unsqueeze(-2)) @ W
    return _linalg_factors.cholesky(inner + eye(W.size(-1), dtype=W.dtype, device=W.device))


def _batch_lowrank_logdet(W, D, capacitance_tril):
    """``log det(W Wᵀ + D)``, which is ``log det(I + Wᵀ D⁻¹ W) + log det D``."""
    return 2 * _half_log_det(capacitance_tril) + D.log().sum(-1)


def _batch_lowrank_mahalanobis(W, D, x, capacitance_tril):
    """``xᵀ (W Wᵀ + D)⁻¹ x``, by Woodbury's identity: (..., n) -> (...)."""
    projected = _batch_mv(W.mT / D.unsqueeze(-2), x)
    return (x.square() / D).sum(-1) - _batch_mahalanobis(capacitance_tril, projected)


class LowRankMultivariateNormal(Distribution):
    """The multivariate normal distribution of mean ``loc`` and covariance ``W Wᵀ + D``, of low rank plus a diagonal.

    W is ``cov_factor``, (..., n, m) with small m, and ``cov_diag`` the diagonal of D. Costs are those of (m, m) matrices. Raises
    ValueError for shapes that do not fit.

    >>> import minigrad
    >>> vectors = minigrad.distributions.LowRankMultivariateNormal(minigrad.zeros(2), minigrad.ones(2, 1), minigrad.ones(2))
    >>> vectors.covariance_matrix
    tensor([[2., 1.],
            [1., 2.]])
    """

    loc: Any
    cov_factor: Any
    cov_diag: Any

    arg_constraints: Any = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        event_shape = loc.shape[-1:]
        n = event_shape[0]
        if cov_factor.shape[-2] != n:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {n} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            batch_shape = broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc = loc.expand(batch_shape + event_shape)
        self.cov_factor = cov_factor.expand(batch_shape + cov_factor.shape[-2:])
        self.cov_diag = cov_diag.expand(batch_shape + event_shape)
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``; what was computed of them is shared."""
        return self._expanded(
            LowRankMultivariateNormal,
            batch_shape,
            _instance,
            "loc cov_factor cov_diag",
            "_unbroadcasted_cov_factor _unbroadcasted_cov_diag _capacitance_tril",
        )

    @property
    def mean(self) -> Tensor:
        """``loc``."""
        return self.loc

    mode = mean

    def _matrix(self, value):
        return value.expand(self._batch_shape + 2 * self._event_shape)

    @lazy_property
    def variance(self) -> Tensor:
        """The diagonal of the covariance matrix."""
        spread = self._unbroadcasted_cov_factor.square().sum(-1) + self._unbroadcasted_cov_diag
        return spread.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor of the covariance matrix: ``√D`` times that of ``I + D^(-1/2) W Wᵀ D^(-1/2)``."""
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        identity = eye(self._event_shape[0], dtype=root.dtype, device=root.device)
        return self._matrix(root * _linalg_factors.cholesky(scaled @ scaled.mT + identity))

    @lazy_property
    def covariance_matrix(self) -> Any:
        """``W Wᵀ + D``."""
        factor = self._unbroadcasted_cov_factor
        return self._matrix(factor @ factor.mT + diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self) -> Any:
        """``D⁻¹ - D⁻¹ W (I + Wᵀ D⁻¹ W)⁻¹ Wᵀ D⁻¹``."""
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        solved = _linalg_solvers.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._matrix(diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - solved.mT @ solved)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``loc + W eps + √D eta``."""
        shape = self._extended_shape(sample_shape)
        options = {"dtype": self.loc.dtype, "device": self.loc.device}
        eps = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], **options)
        eta = _standard_normal(shape, **options)
        together = _batch_mv(self._unbroadcasted_cov_factor, eps)
        return self.loc + together + self._unbroadcasted_cov_diag.sqrt() * eta

    def _log_det(self):
        return _batch_lowrank_logdet(
            self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag, self._capacitance_tril
        )

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-(n log 2π + log det Σ + dᵀ Σ⁻¹ d) / 2`` with ``d = x - loc``."""
        if self._validate_args:
            self._validate_sample(value)
        distance = _batch_lowrank_mahalanobis(
            self._unbroadcasted_cov_factor,
            self._unbroadcasted_cov_diag,
            value - self.loc,
            self._capacitance_tril,
        )
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self) -> Tensor:
        """Compute ``(n log 2π e + log det Σ) / 2``."""
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return entropy.expand(self._batch_shape)
