"""Shares made of normal numbers."""

from . import constraints
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import StickBreakingTransform

__all__ = ["LogisticNormal"]


class LogisticNormal(TransformedDistribution):
    """n + 1 shares, broken off one after the other by the sigmoids of n normal numbers of means ``loc`` and standard deviations ``scale``, (..., n).

    >>> import minigrad
    >>> shares = minigrad.distributions.LogisticNormal(minigrad.zeros(2), minigrad.ones(2))
    >>> shares.event_shape, shares.sample().sum()
    (torch.Size([3]), tensor(1.))
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        """A distribution whose parameters are expanded to ``batch_shape`` and n."""
        return super().expand(batch_shape, _instance=self._get_checked_instance(LogisticNormal, _instance))

    @property
    def loc(self):
        """The means of the normal numbers."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        """Their standard deviations."""
        return self.base_dist.base_dist.scale
