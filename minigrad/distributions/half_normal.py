"""Sizes of normal numbers."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, zeros_like
from . import constraints
from ._half import Half
from .normal import Normal

__all__ = ["HalfNormal"]


class HalfNormal(Half):
    """The half-normal distribution: that of ``|x|`` for a normal number x of mean 0 and standard deviation ``scale``.

    >>> import minigrad
    >>> sizes = minigrad.distributions.HalfNormal(minigrad.tensor([1.]))
    >>> sizes.mean, sizes.cdf(minigrad.tensor([1.]))
    (tensor([0.7979]), tensor([0.6827]))
    """

    arg_constraints: Any = {"scale": constraints.positive}
    _symmetric = Normal

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return super().expand(batch_shape, _instance=self._get_checked_instance(HalfNormal, _instance))

    @property
    def mean(self) -> Tensor:
        """``√(2 / π) * scale``."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.scale)

    @property
    def variance(self) -> Tensor:
        """``(1 - 2 / π) * scale²``."""
        return self.scale.square() * (1 - 2 / math.pi)
