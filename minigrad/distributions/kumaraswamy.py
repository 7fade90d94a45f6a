"""Numbers between 0 and 1 whose distribution function is simple."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, full_like, where
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import broadcast_all, euler_constant

__all__ = ["Kumaraswamy"]


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on [0, 1], of distribution function ``1 - (1 - x ** a) ** b``.

    a is ``concentration1`` and b ``concentration0``.

    >>> import minigrad
    >>> shares = minigrad.distributions.Kumaraswamy(minigrad.tensor([2.]), minigrad.tensor([2.]))
    >>> shares.mean, shares.cdf(minigrad.tensor([0.5]))
    (tensor([0.5333]), tensor([0.4375]))
    """

    concentration1: Any
    concentration0: Any

    arg_constraints: Any = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration1, self.concentration0 = a, b = broadcast_all(concentration1, concentration0)
        base = Uniform(full_like(b, 0), full_like(b, 1), validate_args=validate_args)
        # x = (1 - u ** (1 / b)) ** (1 / a)
        transforms = [
            PowerTransform(exponent=b.reciprocal()),
            AffineTransform(loc=1.0, scale=-1.0),
            PowerTransform(exponent=a.reciprocal()),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        new = self._get_checked_instance(Kumaraswamy, _instance)
        new.concentration1 = self.concentration1.expand(batch_shape)
        new.concentration0 = self.concentration0.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    def _moment(self, n):
        """``E x ** n = b B(1 + n / a, b)``."""
        a, b = 1 + n / self.concentration1, self.concentration0
        return b * (a.lgamma() + b.lgamma() - (a + b).lgamma()).exp()

    @property
    def mean(self) -> Tensor:
        """``b B(1 + 1 / a, b)``."""
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        """``((a - 1) / (a b - 1)) ** (1 / a)``; nan where a parameter is below 1."""
        a, b = self.concentration1, self.concentration0
        return where((a < 1) | (b < 1), math.nan, ((a - 1) / (a * b - 1)) ** a.reciprocal())

    @property
    def variance(self) -> Tensor:
        """``b B(1 + 2 / a, b) - mean²``."""
        return self._moment(2) - self.mean.square()

    def entropy(self) -> Tensor:
        """Compute ``(1 - 1 / b) + (1 - 1 / a) H(b) - log a b`` with the harmonic number ``H(b) = ψ(b + 1) + γ``."""
        a, b = self.concentration1, self.concentration0
        harmonic = (b + 1).digamma() + euler_constant
        return (1 - b.reciprocal()) + (1 - a.reciprocal()) * harmonic - a.log() - b.log()
