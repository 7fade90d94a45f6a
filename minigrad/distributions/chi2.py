"""Sums of squares of normal numbers."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor
from . import constraints
from .gamma import Gamma

__all__ = ["Chi2"]


class Chi2(Gamma):
    """The chi-squared distribution: the sum of the squares of ``df`` standard normal numbers, a gamma distribution of concentration
    ``df / 2`` and rate 1/2.

    >>> import minigrad
    >>> minigrad.distributions.Chi2(minigrad.tensor([3.])).variance
    tensor([6.])
    """

    arg_constraints: Any = {"df": constraints.positive}

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameter is expanded to ``batch_shape``."""
        return super().expand(batch_shape, self._get_checked_instance(Chi2, _instance))

    @property
    def df(self) -> Tensor:
        """The number of degrees of freedom."""
        return self.concentration * 2
