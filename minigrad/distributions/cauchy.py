"""The ratio of two normal numbers."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _random_new, full
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The Cauchy distribution, of density ``1 / (π s (1 + z²))`` with ``z = (x - loc) / s``.

    s is ``scale``, half the width at half the height.

    >>> import minigrad
    >>> minigrad.distributions.Cauchy(0., 1.).cdf(minigrad.tensor([-1., 0., 1.]))
    tensor([0.2500, 0.5000, 0.7500])
    """

    loc: Any
    scale: Any

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real
    has_rsample = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Cauchy, batch_shape, _instance, "loc scale")

    def _everywhere(self, number):
        return full(self._extended_shape(), number, dtype=self.loc.dtype, device=self.loc.device)

    @property
    def mean(self) -> Tensor:
        """Always nan: the mean is undefined."""
        return self._everywhere(math.nan)

    @property
    def mode(self) -> Tensor:
        """``loc``."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """Infinite."""
        return self._everywhere(math.inf)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``loc + scale * eps``."""
        eps = _random_new.cauchy(self._extended_shape(sample_shape), self.loc.dtype)
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density."""
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - z.square().log1p()

    def cdf(self, value: Any) -> Tensor:
        """Compute ``atan(z) / π + 1/2``."""
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value: Any) -> Tensor:
        """Compute ``loc + scale * tan(π (value - 1/2))``."""
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self) -> Tensor:
        """Compute ``log 4π s``."""
        return math.log(4 * math.pi) + self.scale.log()
