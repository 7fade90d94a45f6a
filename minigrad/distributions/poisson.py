"""Rare events."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, no_grad, poisson
from . import constraints
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """The Poisson distribution: counts k of probability ``rate ** k * exp(-rate) / k!``.

    >>> import minigrad
    >>> minigrad.distributions.Poisson(minigrad.tensor([2.])).log_prob(minigrad.tensor([0., 1.]))
    tensor([-2.0000, -1.3069])
    """

    rate: Any

    arg_constraints: Any = {"rate": constraints.nonnegative}
    support: Any = constraints.nonnegative_integer

    def __init__(self, rate: Tensor | int | float | bool, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return self._expanded(Poisson, batch_shape, _instance, "rate")

    @property
    def mean(self) -> Tensor:
        """``rate``."""
        return self.rate

    variance = mean

    @property
    def mode(self) -> Tensor:
        """``⌊rate⌋``."""
        return self.rate.floor()

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw counts, in the dtype of the parameter."""
        with no_grad():
            return poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``k log(rate) - rate - log k!``."""
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self):
        return (self.rate.log(),)

    def _log_normalizer(self, x):
        return x.exp()
