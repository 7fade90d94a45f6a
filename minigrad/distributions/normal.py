"""The bell curve."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, erf, erfinv, no_grad, normal
from . import constraints
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import _standard_normal, broadcast_all

__all__ = ["Normal"]

_HALF_LOG_2PI = math.log(2 * math.pi) / 2


class Normal(ExponentialFamily):
    """The normal distribution of mean ``loc`` and standard deviation ``scale``.

    >>> import minigrad
    >>> bell = minigrad.distributions.Normal(minigrad.tensor([0., 1.]), 2.)
    >>> bell.log_prob(minigrad.tensor([0., 3.])), bell.cdf(minigrad.tensor([0., 3.]))
    (tensor([-1.6121, -2.1121]), tensor([0.5000, 0.8413]))
    """

    loc: Any
    scale: Any

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Normal, batch_shape, _instance, "loc scale")

    @property
    def mean(self) -> Tensor:
        """``loc``."""
        return self.loc

    mode = mean

    @property
    def stddev(self) -> Tensor:
        """``scale``."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """``scale²``."""
        return self.stddev.square()

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers without gradients."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``loc + eps * scale``."""
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-z² / 2 - log(scale) - log(2π) / 2`` with ``z = (x - loc) / scale``."""
        if self._validate_args:
            self._validate_sample(value)
        scale = self.scale
        log_scale = math.log(scale) if isinstance(scale, (int, float)) else scale.log()
        return -((value - self.loc) ** 2) / (2 * scale**2) - log_scale - _HALF_LOG_2PI

    def cdf(self, value: Any) -> Tensor:
        """Compute ``(1 + erf(z / √2)) / 2``."""
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Any) -> Tensor:
        """Compute ``loc + scale * √2 * erfinv(2 u - 1)``."""
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        """Compute ``log(scale) + log(2π e) / 2``."""
        return 0.5 + _HALF_LOG_2PI + self.scale.log()

    @property
    def _natural_params(self):
        precision = self.scale.pow(-2)
        return self.loc * precision, -0.5 * precision

    def _log_normalizer(self, x, y):
        return -0.25 * x.square() / y + 0.5 * (-math.pi / y).log()
