"""Counts."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, ones_like, where
from . import constraints
from .binomial import Binomial
from .categorical import Categorical
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all

__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """The multinomial distribution: how often each of n categories occurs in ``total_count`` draws, by ``probs`` or ``logits``, (..., n).

    Raises NotImplementedError for a ``total_count`` that is no int.

    >>> import minigrad
    >>> counts = minigrad.distributions.Multinomial(4, minigrad.tensor([1., 1., 2.]))
    >>> counts.mean, counts.log_prob(minigrad.tensor([1., 1., 2.])).exp()
    (tensor([1., 1., 2.]), tensor(0.1875))
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        batch_shape, event_shape = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Multinomial, batch_shape, _instance, "_categorical _binomial", "total_count")

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        """Vectors of counts whose sum is at most ``total_count``."""
        return constraints.multinomial(self.total_count)

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities, whose sum is 1."""
        return self._categorical.probs

    @property
    def param_shape(self) -> Size:
        """The shape of ``probs`` and ``logits``."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        """``total_count * p``."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        """``total_count * p (1 - p)``."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw counts, in the dtype of the parameter."""
        draws = self._categorical.sample(Size((self.total_count, *sample_shape))).movedim(0, -1)
        counts = draws.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add(-1, draws, ones_like(draws)).type_as(self.probs)

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log((Σ kᵢ)! / Π kᵢ!) + Σ kᵢ log pᵢ``."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = where((value == 0) & (logits == -math.inf), 0.0, logits)
        ways = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return ways + (logits * value).sum(-1)

    def entropy(self) -> Tensor:
        """Compute ``n H - log n! + Σ E log kᵢ!``, where H is the entropy of one draw and each kᵢ is binomial."""
        n = self.total_count
        counts = self._binomial.enumerate_support(expand=False)[1:]
        means = self._binomial.log_prob(counts).exp() * (counts + 1).lgamma()
        return n * self._categorical.entropy() - math.lgamma(n + 1) + means.sum((0, -1))
