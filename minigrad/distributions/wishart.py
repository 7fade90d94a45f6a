"""Covariances of samples."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

from .._api import (
    Size,
    Tensor,
    _is_any_true,
    _linalg_functions,
    arange,
    broadcast_shapes,
    cholesky_solve,
    diag_embed,
    einsum,
    eye,
    finfo,
    mvlgamma,
    randn,
    tensor,
    where,
)
from . import constraints
from .chi2 import Chi2
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .multivariate_normal import _factor, _half_log_det, _one_matrix
from .utils import NUMBERS, lazy_property, vec_to_tril_matrix

__all__ = ["Wishart"]

_LOG_2 = math.log(2)


class Wishart(ExponentialFamily):
    """The Wishart distribution: that of ``Σ xᵢ xᵢᵀ`` for ``df`` normal vectors of mean 0, with a covariance V given as in MultivariateNormal.

    ``df``, a number or a tensor, need not be an integer, but must exceed ``p - 1`` for (..., p, p) matrices: otherwise raises ValueError.
    Below p it warns that samples may be singular.

    >>> import minigrad
    >>> scatter = minigrad.distributions.Wishart(4., covariance_matrix=minigrad.eye(2))
    >>> scatter.mean, scatter.log_prob(4 * minigrad.eye(2))
    (tensor([[4., 0.],
            [0., 4.]]), tensor(-5.8379))
    """

    df: Any

    support: Any = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        df: Tensor | int | float | bool,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        name, matrix = _one_matrix(
            covariance_matrix=covariance_matrix, precision_matrix=precision_matrix, scale_tril=scale_tril
        )
        if name is None:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch dimensions"
            )
        if isinstance(df, NUMBERS):
            batch_shape = matrix.shape[:-2]
            self.df = tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        p = matrix.shape[-1]
        if _is_any_true(self.df <= p - 1):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {p - 1}.")
        if _is_any_true(self.df < p):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        setattr(self, name, matrix.expand(*batch_shape, -1, -1))
        super().__init__(batch_shape, matrix.shape[-2:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor(name, matrix)
        degrees = self.df.unsqueeze(-1) - arange(p, dtype=matrix.dtype, device=matrix.device)
        self._dist_chi2 = Chi2(degrees.expand(*batch_shape, -1))

    @property
    def arg_constraints(self) -> Any:
        """``df`` must exceed ``p - 1``; the matrices are as in MultivariateNormal."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``; the factor is shared."""
        return self._expanded(
            Wishart,
            batch_shape,
            _instance,
            "df covariance_matrix precision_matrix scale_tril _dist_chi2",
            "_unbroadcasted_scale_tril",
        )

    def _matrix(self, value):
        return value.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Any:
        """The Cholesky factor L of V, ``V = L Lᵀ``: lower triangular, with a positive diagonal."""
        return self._matrix(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The matrix V."""
        factor = self._unbroadcasted_scale_tril
        return self._matrix(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of V."""
        factor = self._unbroadcasted_scale_tril
        identity = eye(self._event_shape[-1], dtype=factor.dtype, device=factor.device)
        return self._matrix(cholesky_solve(identity, factor))

    @property
    def mean(self) -> Tensor:
        """``df V``."""
        return self.df[..., None, None] * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        """``(df - p - 1) V``; nan where that is not positive."""
        factor = self.df - self._event_shape[-1] - 1
        return where(factor > 0, factor, math.nan)[..., None, None] * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        """``df (Vᵢⱼ² + Vᵢᵢ Vⱼⱼ)``."""
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        products = einsum("...i,...j->...ij", diagonal, diagonal)
        return self.df[..., None, None] * (covariance.square() + products)

    def _bartlett_sampling(self, sample_shape=_NO_PARTS):
        """``L A Aᵀ Lᵀ``: A is lower triangular, of chi numbers on the diagonal and normal ones below.   [Bartlett 1933]"""
        chi = self._dist_chi2.rsample(sample_shape).sqrt()
        diagonal = diag_embed(chi.clamp(min=finfo(chi.dtype).eps))
        p = self._event_shape[-1]
        below = randn((*chi.shape[:-1], p * (p - 1) // 2), dtype=chi.dtype, device=chi.device)
        factor = self._unbroadcasted_scale_tril @ (diagonal + vec_to_tril_matrix(below, diag=-1))
        return factor @ factor.mT

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS, max_try_correction: Any = None) -> Tensor:
        """Draw positive definite matrices; one that is singular because of rounding is drawn again, at most ``max_try_correction`` times (10)."""
        sample_shape = Size(sample_shape)
        self._bartlett_sampling(sample_shape)  # PyTorch draws twice: its first draws count as singular
        sample = self._bartlett_sampling(sample_shape)
        for tried in range(10 if max_try_correction is None else max_try_correction):
            singular = ~self.support.check(sample)
            if not _is_any_true(singular):
                break
            if not tried:
                warnings.warn("Singular sample detected.", stacklevel=2)
            sample = where(singular[..., None, None], self._bartlett_sampling(sample_shape), sample)
        return sample

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``(n - p - 1) / 2 log det X - tr(V⁻¹ X) / 2 - n (p log 2 / 2 + log det L) - log Γₚ(n / 2)``, n being ``df``."""
        if self._validate_args:
            self._validate_sample(value)
        n, p, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        trace = cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(-1)
        log_det = _linalg_functions.slogdet(value)[1]
        normalizer = n * (p * _LOG_2 / 2 + _half_log_det(factor)) + mvlgamma(n / 2, p)
        return (n - p - 1) / 2 * log_det - trace / 2 - normalizer

    def entropy(self) -> Tensor:
        """Compute ``(p + 1) (p log 2 / 2 + log det L) + log Γₚ(n / 2) - (n - p - 1) / 2 ψₚ(n / 2) + n p / 2``, ψₚ being the derivative of ``log Γₚ``."""
        n, p = self.df, self._event_shape[-1]
        spread = (p + 1) * (p * _LOG_2 / 2 + _half_log_det(self._unbroadcasted_scale_tril))
        slope = (n.unsqueeze(-1) / 2 - arange(p, dtype=n.dtype, device=n.device) / 2).digamma().sum(-1)
        return spread + mvlgamma(n / 2, p) - (n - p - 1) / 2 * slope + n * p / 2

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (_LOG_2 * p - _linalg_functions.slogdet(-2 * x)[1]) + mvlgamma(half, p)
