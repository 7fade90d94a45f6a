"""Lifetimes."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, ones_like
from . import constraints
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .utils import broadcast_all, euler_constant

__all__ = ["Weibull"]


class Weibull(TransformedDistribution):
    """The Weibull distribution: a number exceeds x with probability ``exp(-(x / scale) ** concentration)``.

    >>> import minigrad
    >>> lives = minigrad.distributions.Weibull(minigrad.tensor([2.]), minigrad.tensor([1.]))
    >>> lives.mean, lives.cdf(minigrad.tensor([2.]))
    (tensor([2.]), tensor([0.6321]))
    """

    scale: Any
    concentration: Any
    concentration_reciprocal: Any

    arg_constraints: Any = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(
        self, scale: Tensor | float, concentration: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self._transform(Exponential(ones_like(self.scale), validate_args=validate_args), validate_args)

    def _transform(self, base, validate_args):
        """``scale * e ** (1 / concentration)`` for e of the base, an exponential distribution of rate 1."""
        self.concentration_reciprocal = self.concentration.reciprocal()
        transforms = [
            PowerTransform(exponent=self.concentration_reciprocal),
            AffineTransform(loc=0, scale=self.scale),
        ]
        TransformedDistribution.__init__(self, base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        new = self._get_checked_instance(Weibull, _instance)
        new.scale = self.scale.expand(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        new._transform(self.base_dist.expand(batch_shape), validate_args=False)
        new._validate_args = self._validate_args
        return new

    def _moment(self, n):
        """``E (x / scale) ** n = Γ(1 + n / concentration)``."""
        return (1 + n * self.concentration_reciprocal).lgamma().exp()

    @property
    def mean(self) -> Tensor:
        """``scale * Γ(1 + 1 / k)``, where k is the concentration."""
        return self.scale * self._moment(1)

    @property
    def mode(self) -> Tensor:
        """``scale * (1 - 1 / k) ** (1 / k)``."""
        k = self.concentration
        return self.scale * ((k - 1) / k) ** k.reciprocal()

    @property
    def variance(self) -> Tensor:
        """``scale² (Γ(1 + 2 / k) - Γ(1 + 1 / k)²)``."""
        return self.scale.square() * (self._moment(2) - self._moment(1).square())

    def entropy(self) -> Tensor:
        """Compute ``γ (1 - 1 / k) + log(scale / k) + 1``."""
        reciprocal = self.concentration_reciprocal
        return euler_constant * (1 - reciprocal) + (self.scale * reciprocal).log() + 1
