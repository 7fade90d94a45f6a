"""Reciprocals of gamma numbers."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, where
from . import constraints
from .gamma import Gamma
from .transformed_distribution import TransformedDistribution
from .transforms import PowerTransform

__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """The inverse gamma distribution: that of ``1 / x`` for x from ``Gamma(concentration, rate)``.

    >>> import minigrad
    >>> variances = minigrad.distributions.InverseGamma(minigrad.tensor([3.]), minigrad.tensor([4.]))
    >>> variances.mean, variances.variance
    (tensor([2.]), tensor([4.]))
    """

    arg_constraints: Any = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(
        self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None
    ) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return super().expand(batch_shape, _instance=self._get_checked_instance(InverseGamma, _instance))

    @property
    def concentration(self) -> Tensor:
        """The concentration a of the gamma distribution."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Tensor:
        """The rate b of the gamma distribution."""
        return self.base_dist.rate

    @property
    def mean(self) -> Tensor:
        """``b / (a - 1)``; infinite for ``a <= 1``."""
        a = self.concentration
        return where(a > 1, self.rate / (a - 1), math.inf)

    @property
    def mode(self) -> Tensor:
        """``b / (a + 1)``."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        """``b² / ((a - 1)² (a - 2))``; infinite for ``a <= 2``."""
        a = self.concentration
        return where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), math.inf)

    def entropy(self) -> Tensor:
        """Compute ``a + log b + log Γ(a) - (a + 1) ψ(a)``."""
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()
