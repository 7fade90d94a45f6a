"""Distributions of what transforms make of the values of others."""

from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, no_grad
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of ``t(x)`` for x drawn from ``base_distribution``, with density ``p(x) / |det dt/dx|`` if t is bijective.

    ``transforms`` is a Transform, or a list of them, applied in that order; raises ValueError for anything else.

    >>> import minigrad
    >>> from minigrad.distributions import AffineTransform, Normal, TanhTransform, TransformedDistribution
    >>> squashed = TransformedDistribution(Normal(0., 1.), [TanhTransform(), AffineTransform(5., 2.)])
    >>> squashed.log_prob(minigrad.tensor(5.)), squashed.cdf(minigrad.tensor(5.))
    (tensor(-1.6121), tensor(0.5000))
    """

    base_dist: Distribution

    arg_constraints: Any = {}

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all(isinstance(t, Transform) for t in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        whole = ComposeTransform(transforms)
        taken, made = whole.domain.event_dim, whole.codomain.event_dim
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_event_dim = len(base_distribution.event_shape)
        if len(base_shape) < taken:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {taken}, but got {base_shape}."
            )
        # the parameters of the transforms may have more of a batch than the base
        shape = whole.forward_shape(base_shape)
        needed = whole.inverse_shape(shape)
        if needed != base_shape:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_event_dim])
        if taken > base_event_dim:
            base_distribution = Independent(base_distribution, taken - base_event_dim)
        self.base_dist = base_distribution
        event_dim = max(made, base_event_dim + made - taken)
        if len(shape) < event_dim:
            raise AssertionError(f"forward_shape length {len(shape)} must be >= event_dim {event_dim}")
        batch_dim = len(shape) - event_dim
        super().__init__(shape[:batch_dim], shape[batch_dim:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return the distribution of the same transforms of the expanded base distribution."""
        new = self._get_checked_instance(TransformedDistribution, _instance)
        batch_shape = Size(batch_shape)
        shape = batch_shape + self.event_shape
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        new.transforms = self.transforms
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        """The codomain of the last transform."""
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:
        """Whether the base distribution has ``rsample``."""
        return self.base_dist.has_rsample

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw transformed values of the base distribution, without gradients."""
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw transformed values of the base distribution, with gradients also for the transforms' parameters."""
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, value):
        for transform in self.transforms:
            value = transform(value)
        return value

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log p(x) - log |det dt/dx|`` at the x that transforms to ``value``."""
        if self._validate_args:
            self._validate_sample(value)
        event_dim = len(self.event_shape)
        log_prob, y = 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            stretch = transform.log_abs_det_jacobian(x, y)
            log_prob = log_prob - _sum_rightmost(stretch, event_dim - transform.domain.event_dim)
            y = x
        own = self.base_dist.log_prob(y)
        return log_prob + _sum_rightmost(own, event_dim - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value):
        """``value``, or ``1 - value`` where the transforms turn the order of numbers round."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Tensor:
        """Return the ``cdf`` of the base distribution at the x that transforms to ``value``, for elementwise transforms."""
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Tensor:
        """Return the transform of the ``icdf`` of the base distribution."""
        return self._transformed(self.base_dist.icdf(self._monotonize_cdf(value)))
