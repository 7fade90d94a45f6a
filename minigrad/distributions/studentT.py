"""Means of few."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, where
from . import constraints
from .chi2 import Chi2
from .distribution import _NO_PARTS, Distribution
from .utils import _standard_normal, broadcast_all

__all__ = ["StudentT"]


class StudentT(Distribution):
    """Student's t distribution: that of ``loc + scale * x / √(c / df)`` for a standard normal number x and c from ``Chi2(df)``.

    >>> import minigrad
    >>> errors = minigrad.distributions.StudentT(minigrad.tensor([1., 3.]))
    >>> errors.variance, errors.log_prob(minigrad.zeros(2))
    (tensor([nan, 3.]), tensor([-1.1447, -1.0009]))
    """

    df: Any
    loc: Any
    scale: Any

    arg_constraints: Any = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support: Any = constraints.real
    has_rsample = True

    def __init__(
        self,
        df: Tensor | float,
        loc: Tensor | float = 0.0,
        scale: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(StudentT, batch_shape, _instance, "df loc scale _chi2")

    @property
    def mean(self) -> Tensor:
        """``loc``; nan for ``df <= 1``."""
        return where(self.df > 1, self.loc, math.nan)

    @property
    def mode(self) -> Tensor:
        """``loc``."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """``scale² df / (df - 2)``; infinite for ``1 < df <= 2``, nan for ``df <= 1``."""
        df = where(self.df > 2, self.df, 3.0)  # which is not used
        finite = self.scale.square() * df / (df - 2)
        return where(self.df > 2, finite, where(self.df > 1, math.inf, math.nan).to(finite.dtype))

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers with gradients for all three parameters."""
        shape = self._extended_shape(sample_shape)
        x = _standard_normal(shape, dtype=self.df.dtype, device=self.df.device)
        return self.loc + self.scale * (x * (self._chi2.rsample(sample_shape) / self.df).rsqrt())

    def _log_beta(self):
        """``log B(df / 2, 1 / 2)``."""
        return (self.df / 2).lgamma() + math.lgamma(0.5) - ((self.df + 1) / 2).lgamma()

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-(df + 1) / 2 * log(1 + z² / df) - log(scale √df B(df / 2, 1 / 2))``."""
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        normalizer = self.scale.log() + 0.5 * self.df.log() + self._log_beta()
        return -0.5 * (self.df + 1) * (z.square() / self.df).log1p() - normalizer

    def entropy(self) -> Tensor:
        """Compute ``(df + 1) / 2 * (ψ((df + 1) / 2) - ψ(df / 2)) + log(scale √df B(df / 2, 1 / 2))``."""
        half = (self.df + 1) / 2
        slope = half.digamma() - (self.df / 2).digamma()
        return self.scale.log() + half * slope + 0.5 * self.df.log() + self._log_beta()
