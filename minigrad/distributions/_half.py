"""Sizes of the numbers of a distribution that is symmetric around 0."""

import math
from typing import Any

from .._api import Tensor, as_tensor, where
from . import constraints
from .transformed_distribution import TransformedDistribution
from .transforms import AbsTransform


class Half(TransformedDistribution):
    """The distribution of ``|x|`` for x from ``_symmetric(0, scale)``: its density is doubled from 0 on."""

    _symmetric: Any
    _in_dtype_of_scale = (
        False  # whether densities are computed in the dtype of the scale, whatever that of the values is
    )

    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(
            self._symmetric(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args
        )

    @property
    def scale(self) -> Any:
        """The scale of the symmetric distribution."""
        return self.base_dist.scale

    def log_prob(self, value: Any) -> Tensor:
        """Return the log-density of the symmetric distribution plus ``log 2``; without validation, minus infinity below 0."""
        if self._validate_args:
            self._validate_sample(value)
        if self._in_dtype_of_scale or not isinstance(value, Tensor):
            value = as_tensor(value, dtype=self.scale.dtype, device=self.scale.device)
        return where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Any) -> Tensor:
        """``2 F(x) - 1``."""
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Any) -> Tensor:
        """Return the x at which the symmetric distribution function is ``(prob + 1) / 2``."""
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Tensor:
        """Return the entropy of the symmetric distribution less ``log 2``."""
        return self.base_dist.entropy() - math.log(2)
