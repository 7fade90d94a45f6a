"""Ratios of variances."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, finfo, where
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .gamma import Gamma
from .utils import broadcast_all

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The F distribution: the ratio of two mean squares, of ``df1`` and of ``df2`` standard normal numbers.

    >>> import minigrad
    >>> minigrad.distributions.FisherSnedecor(3., minigrad.tensor([2., 4.])).mean
    tensor([nan, 2.])
    """

    df1: Any
    df2: Any

    arg_constraints: Any = {"df1": constraints.positive, "df2": constraints.positive}
    support: Any = constraints.positive
    has_rsample = True

    def __init__(self, df1: Tensor | float, df2: Tensor | float, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(FisherSnedecor, batch_shape, _instance, "df1 df2 _gamma1 _gamma2")

    @property
    def mean(self) -> Tensor:
        """``d2 / (d2 - 2)``; nan for ``d2 <= 2``."""
        d2 = where(self.df2 > 2, self.df2, math.nan)
        return d2 / (d2 - 2)

    @property
    def mode(self) -> Tensor:
        """``(d1 - 2) d2 / (d1 (d2 + 2))``; nan for ``d1 <= 2``."""
        d1 = where(self.df1 > 2, self.df1, math.nan)
        return (d1 - 2) / d1 * self.df2 / (self.df2 + 2)

    @property
    def variance(self) -> Tensor:
        """``2 d2² (d1 + d2 - 2) / (d1 (d2 - 2)² (d2 - 4))``; nan for ``d2 <= 4``."""
        d1, d2 = self.df1, where(self.df2 > 4, self.df2, math.nan)
        return 2 * d2.square() * (d1 + d2 - 2) / (d1 * (d2 - 2).square() * (d2 - 4))

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw ratios of gamma-distributed numbers, with gradients."""
        above, below = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        tiny = finfo(below.dtype).tiny
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density: with ``r = d1 x / d2``, that of ``r ** (d1 / 2) * (1 + r) ** -((d1 + d2) / 2) / (x B(d1 / 2, d2 / 2))``."""
        if self._validate_args:
            self._validate_sample(value)
        a, b, ratio = self.df1 / 2, self.df2 / 2, self.df1 / self.df2
        log_beta = a.lgamma() + b.lgamma() - (a + b).lgamma()
        return a * ratio.log() + (a - 1) * value.log() - (a + b) * (ratio * value).log1p() - log_beta
