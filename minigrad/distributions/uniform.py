"""All alike."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, rand
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["Uniform"]


class Uniform(Distribution):
    """The uniform distribution on [low, high).

    >>> import minigrad
    >>> span = minigrad.distributions.Uniform(minigrad.tensor([0.]), minigrad.tensor([4.]))
    >>> span.mean, span.log_prob(minigrad.tensor([1.])), span.cdf(minigrad.tensor([1.]))
    (tensor([2.]), tensor([-1.3863]), tensor([0.2500]))
    """

    low: Any
    high: Any

    has_rsample = True

    def __init__(self, low: Tensor | float, high: Tensor | float, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    @property
    def arg_constraints(self) -> Any:
        """``low`` must be less than ``high``."""
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """The numbers from ``low`` to ``high``."""
        return constraints.interval(self.low, self.high)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Uniform, batch_shape, _instance, "low high")

    def _width(self):
        return self.high - self.low

    @property
    def mean(self) -> Tensor:
        """The middle of the interval."""
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        """Always nan: the mode is undefined."""
        return math.nan * self.high

    @property
    def stddev(self) -> Tensor:
        """``(high - low) / √12``."""
        return self._width() / math.sqrt(12)

    @property
    def variance(self) -> Tensor:
        """``(high - low)² / 12``."""
        return self._width().square() / 12

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``low + u * (high - low)``."""
        shape = self._extended_shape(sample_shape)
        return self.low + rand(shape, dtype=self.low.dtype, device=self.low.device) * self._width()

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-log(high - low)``; minus infinity outside."""
        if self._validate_args:
            self._validate_sample(value)
        inside = (self.low <= value) & (value < self.high)
        return inside.type_as(self.low).log() - self._width().log()

    def cdf(self, value: Any) -> Tensor:
        """Return the fraction of the interval below ``value``."""
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / self._width()).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Tensor:
        """Compute ``low + u * (high - low)``."""
        return value * self._width() + self.low

    def entropy(self) -> Tensor:
        """Compute ``log(high - low)``."""
        return self._width().log()
