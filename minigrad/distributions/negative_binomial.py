"""Successes before so many failures."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _activation, no_grad, poisson, where
from . import constraints
from ._binary_forms import BinaryForms
from .distribution import _NO_PARTS, Distribution
from .gamma import Gamma
from .utils import lazy_property

__all__ = ["NegativeBinomial"]

logsigmoid: Any = _activation.logsigmoid


class NegativeBinomial(BinaryForms, Distribution):
    """The negative binomial distribution: the number of successes of probability ``probs``, or of log odds ``logits``, before
    ``total_count`` failures.

    ``total_count`` need not be whole.

    >>> import minigrad
    >>> wins = minigrad.distributions.NegativeBinomial(2, minigrad.tensor([0.5]))
    >>> wins.mean, wins.log_prob(minigrad.tensor([1.])).exp()
    (tensor([2.]), tensor([0.2500]))
    """

    total_count: Any

    arg_constraints: Any = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support: Any = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Tensor | float,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        (self.total_count,) = self._keep_form(probs, logits, total_count)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(NegativeBinomial, batch_shape, _instance, f"total_count {self._forms}")

    @property
    def mean(self) -> Tensor:
        """``r p / (1 - p)``."""
        return self.total_count * self.logits.exp()

    @property
    def mode(self) -> Tensor:
        """``⌊(r - 1) p / (1 - p)⌋``, or 0."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        """``r p / (1 - p)²``."""
        return self.mean / (-self.logits).sigmoid()

    @lazy_property
    def _gamma(self):
        """The distribution of the rate: of Poisson numbers whose rates are gamma numbers these are."""
        rate = (-self.logits).exp()
        return Gamma(concentration=self.total_count, rate=rate, validate_args=False)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw Poisson-distributed numbers with gamma-distributed rates."""
        with no_grad():
            return poisson(self._gamma.sample(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log (Γ(r + k) / (Γ(r) k!)) + r log (1 - p) + k log p``."""
        if self._validate_args:
            self._validate_sample(value)
        r, total = self.total_count, self.total_count + value
        ways = total.lgamma() - (1.0 + value).lgamma() - r.lgamma()
        odds = r * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        return odds + where(total == 0, 0.0, ways)
