"""The greatest of many."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, finfo, full_like, ones_like
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform
from .utils import NUMBERS, broadcast_all, euler_constant

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The Gumbel distribution, of distribution function ``exp(-exp(-z))`` with ``z = (x - loc) / scale``.

    >>> import minigrad
    >>> greatest = minigrad.distributions.Gumbel(minigrad.tensor([0.]), 1.)
    >>> greatest.mean, greatest.cdf(minigrad.tensor([0.]))
    (tensor([0.5772]), tensor([0.3679]))
    """

    loc: Any
    scale: Any

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = finfo(self.loc.dtype)
        low: Any
        high: Any
        low, high = limits.tiny, 1 - limits.eps
        if not (isinstance(loc, NUMBERS) and isinstance(scale, NUMBERS)):
            low, high = full_like(self.loc, low), full_like(self.loc, high)
        # x = loc - scale * log(-log(u))
        transforms = [
            ExpTransform().inv,
            AffineTransform(loc=0, scale=-ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(
            Uniform(low, high, validate_args=validate_args), transforms, validate_args=validate_args
        )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        new = self._get_checked_instance(Gumbel, _instance)
        new.loc, new.scale = self.loc.expand(batch_shape), self.scale.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-z - exp(-z) - log(scale)``."""
        if self._validate_args:
            self._validate_sample(value)
        minus_z = (self.loc - value) / self.scale
        return minus_z - minus_z.exp() - self.scale.log()

    @property
    def mean(self) -> Tensor:
        """``loc + γ scale``, where γ is Euler's constant."""
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        """``loc``."""
        return self.loc

    @property
    def stddev(self) -> Tensor:
        """``π / √6 * scale``."""
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Tensor:
        """``π² / 6 * scale²``."""
        return self.stddev.square()

    def entropy(self) -> Tensor:
        """Compute ``log(scale) + γ + 1``."""
        return self.scale.log() + (1 + euler_constant)
