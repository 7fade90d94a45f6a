"""Sizes of numbers of the Cauchy distribution."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, full_like, zeros_like
from . import constraints
from ._half import Half
from .cauchy import Cauchy

__all__ = ["HalfCauchy"]


class HalfCauchy(Half):
    """The half-Cauchy distribution: that of ``|x|`` for x from the Cauchy distribution around 0.

    >>> import minigrad
    >>> minigrad.distributions.HalfCauchy(2.).cdf(minigrad.tensor([2.]))
    tensor([0.5000])
    """

    arg_constraints: Any = {"scale": constraints.positive}
    _symmetric = Cauchy
    _in_dtype_of_scale = True

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return super().expand(batch_shape, _instance=self._get_checked_instance(HalfCauchy, _instance))

    @property
    def mean(self) -> Tensor:
        """Infinite."""
        return full_like(self.scale, math.inf)

    @property
    def mode(self) -> Tensor:
        """0."""
        return zeros_like(self.scale)

    @property
    def variance(self) -> Tensor:
        """Infinite."""
        return self.base_dist.variance
