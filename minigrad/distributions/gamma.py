"""Sums of waiting times."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _special, _standard_gamma, as_tensor, finfo, xlogy
from . import constraints
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Gamma"]


class Gamma(ExponentialFamily):
    """The gamma distribution, of density ``b ** a * x ** (a - 1) * exp(-b x) / Γ(a)`` for x > 0.

    a is ``concentration`` and b ``rate``; ``rsample`` has gradients for both. ``cdf`` needs SciPy.

    >>> import minigrad
    >>> times = minigrad.distributions.Gamma(minigrad.tensor([2.]), minigrad.tensor([4.]))
    >>> times.mean, times.log_prob(minigrad.tensor([0.5]))
    (tensor([0.5000]), tensor([0.0794]))
    """

    concentration: Any
    rate: Any

    arg_constraints: Any = {"concentration": constraints.positive, "rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Gamma, batch_shape, _instance, "concentration rate")

    @property
    def mean(self) -> Tensor:
        """``a / b``."""
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        """``(a - 1) / b``, or 0."""
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        """``a / b²``."""
        return self.concentration / self.rate.square()

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers of rate 1, divided by the rate; none is 0."""
        shape = self._extended_shape(sample_shape)
        value = _standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)  # the gradient is that of the quotient
        return value

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density."""
        value = as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        if self._validate_args:
            self._validate_sample(value)
        a, b = self.concentration, self.rate
        return xlogy(a, b) + xlogy(a - 1, value) - b * value - a.lgamma()

    def cdf(self, value: Any) -> Tensor:
        """Return the regularised incomplete gamma function."""
        if self._validate_args:
            self._validate_sample(value)
        return _special.igamma(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        """Compute ``a - log b + log Γ(a) + (1 - a) ψ(a)``."""
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1 - a) * a.digamma()

    @property
    def _natural_params(self):
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x, y):
        return (x + 1).lgamma() - (x + 1) * (-y).log()
