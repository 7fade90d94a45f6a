"""Parts of a batch as one value."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from .._api import Tensor
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import _sum_rightmost

__all__ = ["Independent"]

D = TypeVar("D", bound=Distribution)


class Independent(Distribution, Generic[D]):
    """Treats the last ``reinterpreted_batch_ndims`` dimensions of the batch of ``base_distribution`` as dimensions of a value, summing
    log-probabilities.

    Raises ValueError if the batch has fewer dimensions.

    >>> import minigrad
    >>> from minigrad.distributions import Independent, Normal
    >>> vectors = Independent(Normal(minigrad.zeros(2, 3), 1.), 1)
    >>> vectors.batch_shape, vectors.event_shape, vectors.log_prob(minigrad.zeros(3))
    (torch.Size([2]), torch.Size([3]), tensor([-2.7568, -2.7568]))
    """

    arg_constraints: Any = {}

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        batch_shape = base_distribution.batch_shape
        kept = len(batch_shape) - reinterpreted_batch_ndims
        if kept < 0:
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch_shape)}"
            )
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        event_shape = batch_shape[kept:] + base_distribution.event_shape
        super().__init__(batch_shape[:kept], event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return the same of an expanded base."""
        return self._expanded(Independent, batch_shape, _instance, "base_dist", "reinterpreted_batch_ndims")

    @property
    def has_rsample(self) -> bool:
        """Whether the base distribution has ``rsample``."""
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> bool:
        """Whether the base distribution has ``enumerate_support``, if no batch dimension is reinterpreted."""
        return not self.reinterpreted_batch_ndims > 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> Any:
        """The support of the base distribution, for all parts together."""
        inner = self.base_dist.support
        if not self.reinterpreted_batch_ndims:
            return inner
        return constraints.independent(inner, self.reinterpreted_batch_ndims)

    @property
    def mean(self) -> Tensor:
        """The mean of the base distribution."""
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        """The mode of the base distribution."""
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        """The variance of the base distribution."""
        return self.base_dist.variance

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw values of the base distribution."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw values of the base distribution, with gradients."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Tensor:
        """Return the sum of the log-probabilities of the parts."""
        return _sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        """Return the sum of the entropies of the parts."""
        return _sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return the values of the base distribution; raise NotImplementedError if a batch dimension is reinterpreted."""
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"
