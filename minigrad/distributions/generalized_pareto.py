"""The generalized Pareto distribution, of values above a high threshold."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _special, isclose, rand, where, zeros_like
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The generalized Pareto distribution: a number exceeds ``loc + scale * z`` with probability ``(1 + c z) ** (-1 / c)``.

    c is ``concentration``; where it is 0, the probability is ``exp(-z)``.

    >>> import minigrad
    >>> floods = minigrad.distributions.GeneralizedPareto(0., 1., minigrad.tensor([-1., 0., 1.]))
    >>> floods.cdf(minigrad.tensor([0.5]))
    tensor([0.5000, 0.3935, 0.3333])
    """

    loc: Any
    scale: Any
    concentration: Any

    arg_constraints: Any = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(GeneralizedPareto, batch_shape, _instance, "loc scale concentration")

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """The numbers from ``loc`` on, or up to ``loc - scale / c`` where c is negative."""
        end = where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)

    def _limit(self):
        """Where c counts as 0, and c with 1 in such places."""
        is_zero = isclose(self.concentration, zeros_like(self.concentration))
        return is_zero, where(is_zero, 1.0, self.concentration)

    def _checked(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return (value - self.loc) / self.scale

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Return the ``icdf`` of uniform numbers."""
        shape = self._extended_shape(sample_shape)
        return self.icdf(rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-log(scale) - (1 + 1 / c) log(1 + c z)``."""
        z = self._checked(value)
        is_zero, c = self._limit()
        return -self.scale.log() - where(is_zero, z, _special.xlog1py(1 + 1 / c, c * z))

    def log_survival_function(self, value: Any) -> Any:
        """Return the logarithm of the probability of a number greater than ``value``, which broadcasts with the parameters."""
        z = self._checked(value)
        is_zero, c = self._limit()
        return where(is_zero, -z, -(c * z).log1p() / c)

    def log_cdf(self, value: Any) -> Any:
        """Compute ``log(cdf(value))``; ``value`` broadcasts with the parameters."""
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value: Any) -> Tensor:
        """Compute ``1 - (1 + c z) ** (-1 / c)``."""
        return -self.log_survival_function(value).expm1()

    def icdf(self, value: Any) -> Tensor:
        """Compute ``loc + scale * ((1 - u) ** -c - 1) / c``."""
        is_zero, c = self._limit()
        log_above = (-value).log1p()
        power = self.loc + self.scale / c * (-c * log_above).expm1()
        return where(is_zero, self.loc - self.scale * log_above, power)

    @property
    def mean(self) -> Tensor:
        """``loc + scale / (1 - c)``; nan for ``c >= 1``."""
        c = where(self.concentration < 1, self.concentration, math.nan)
        return self.loc + self.scale / (1 - c)

    @property
    def mode(self) -> Tensor:
        """``loc``."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """``scale² / ((1 - c)² (1 - 2 c))``; nan for ``c >= 1/2``."""
        c = where(self.concentration < 0.5, self.concentration, math.nan)
        return self.scale.square() / ((1 - c).square() * (1 - 2 * c))

    def entropy(self) -> Tensor:
        """Compute ``log(scale) + c + 1``."""
        return self.scale.log() + self.concentration + 1
