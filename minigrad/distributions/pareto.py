"""Heavy tails."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor
from . import constraints
from .constraints import Constraint
from .exponential import Exponential
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform
from .utils import broadcast_all

__all__ = ["Pareto"]


class Pareto(TransformedDistribution):
    """The Pareto distribution: a number exceeds x, for x ≥ ``scale``, with probability ``(scale / x) ** alpha``.

    >>> import minigrad
    >>> towns = minigrad.distributions.Pareto(minigrad.tensor([1.]), minigrad.tensor([2.]))
    >>> towns.mean, towns.cdf(minigrad.tensor([2.]))
    (tensor([2.]), tensor([0.7500]))
    """

    scale: Any
    alpha: Any

    arg_constraints: Any = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(
        self, scale: Tensor | float, alpha: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        new = self._get_checked_instance(Pareto, _instance)
        new.scale, new.alpha = self.scale.expand(batch_shape), self.alpha.expand(batch_shape)
        return super().expand(batch_shape, _instance=new)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Constraint:
        """The numbers from ``scale`` on."""
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        """``a s / (a - 1)``; infinite for ``a <= 1``."""
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        """``scale``."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """``a s² / ((a - 1)² (a - 2))``; infinite for ``a <= 2``."""
        a = self.alpha.clamp(min=2)
        return a * self.scale.square() / ((a - 1).square() * (a - 2))

    def entropy(self) -> Tensor:
        """Compute ``log(s / a) + 1 + 1 / a``."""
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())
