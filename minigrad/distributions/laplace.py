"""Two exponential tails."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _random_new, finfo
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["Laplace"]


class Laplace(Distribution):
    """The Laplace distribution, of density ``exp(-|x - loc| / scale) / (2 scale)``.

    >>> import minigrad
    >>> errors = minigrad.distributions.Laplace(0., minigrad.tensor([1.]))
    >>> errors.variance, errors.log_prob(minigrad.tensor([1.]))
    (tensor([2.]), tensor([-1.6931]))
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
        return self._expanded(Laplace, batch_shape, _instance, "loc scale")

    @property
    def mean(self) -> Tensor:
        """``loc``."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """``2 scale²``."""
        return 2 * self.scale.square()

    @property
    def stddev(self) -> Tensor:
        """``√2 scale``."""
        return math.sqrt(2) * self.scale

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Compute ``loc ± scale * log(1 - |u|)`` for u uniform between -1 and 1."""
        dtype = self.loc.dtype
        u = _random_new.uniform(self._extended_shape(sample_shape), dtype, finfo(dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``-|x - loc| / scale - log(2 scale)``."""
        if self._validate_args:
            self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value: Any) -> Tensor:
        """Compute ``exp(z) / 2`` below ``loc``, ``1 - exp(-z) / 2`` above."""
        if self._validate_args:
            self._validate_sample(value)
        distance = value - self.loc
        return 0.5 - 0.5 * distance.sign() * (-distance.abs() / self.scale).expm1()

    def icdf(self, value: Any) -> Tensor:
        """Return the number whose ``cdf`` is ``value``."""
        off = value - 0.5
        return self.loc - self.scale * off.sign() * (-2 * off.abs()).log1p()

    def entropy(self) -> Tensor:
        """Compute ``1 + log(2 scale)``."""
        return 1 + (2 * self.scale).log()
