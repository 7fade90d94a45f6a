"""Waiting times."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _random_new, zeros_like
from . import constraints
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The exponential distribution, of density ``rate * exp(-rate * x)`` for x ≥ 0.

    >>> import minigrad
    >>> waiting = minigrad.distributions.Exponential(minigrad.tensor([2.]))
    >>> waiting.mean, waiting.cdf(minigrad.tensor([0.5]))
    (tensor([0.5000]), tensor([0.6321]))
    """

    rate: Any

    arg_constraints: Any = {"rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return self._expanded(Exponential, batch_shape, _instance, "rate")

    @property
    def mean(self) -> Tensor:
        """``1 / rate``."""
        return self.rate.reciprocal()

    stddev = mean

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.rate)

    @property
    def variance(self) -> Tensor:
        """``1 / rate²``."""
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers of rate 1, divided by the rate."""
        return _random_new.exponential(self._extended_shape(sample_shape), self.rate.dtype) / self.rate

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log(rate) - rate * x``."""
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Any) -> Tensor:
        """Compute ``1 - exp(-rate * x)``."""
        if self._validate_args:
            self._validate_sample(value)
        return 1 - (-self.rate * value).exp()

    def icdf(self, value: Any) -> Tensor:
        """Compute ``-log(1 - u) / rate``."""
        return -(-value).log1p() / self.rate

    def entropy(self) -> Tensor:
        """Compute ``1 - log(rate)``."""
        return 1.0 - self.rate.log()

    @property
    def _natural_params(self):
        return (-self.rate,)

    def _log_normalizer(self, x):
        return -(-x).log()
