"""Several trials."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _activation, arange, binomial, no_grad
from . import constraints
from ._binary_forms import BinaryForms, enumerated
from .distribution import _NO_PARTS, Distribution

__all__ = ["Binomial"]

logsigmoid: Any = _activation.logsigmoid


class Binomial(BinaryForms, Distribution):
    """The binomial distribution: the number of successes in ``total_count`` trials of probability ``probs``, or of log odds ``logits``.

    >>> import minigrad
    >>> tosses = minigrad.distributions.Binomial(4, minigrad.tensor([0.5]))
    >>> tosses.log_prob(minigrad.tensor([2.])).exp()
    tensor([0.3750])
    """

    total_count: Any

    arg_constraints: Any = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(
        self,
        total_count: Tensor | int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        (self.total_count,) = self._keep_form(probs, logits, total_count)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Binomial, batch_shape, _instance, f"total_count {self._forms}")

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The integers from 0 to ``total_count``."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        """``n p``."""
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        """``⌊(n + 1) p⌋``, at most n."""
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        """``n p (1 - p)``."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw counts, in the dtype of the parameter."""
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log (n over k) + k log p + (n - k) log (1 - p)``."""
        if self._validate_args:
            self._validate_sample(value)
        ways = (
            (self.total_count + 1).lgamma() - (value + 1).lgamma() - (self.total_count - value + 1).lgamma()
        )
        return ways + value * self.logits + self.total_count * logsigmoid(-self.logits)

    def entropy(self) -> Tensor:
        """Return the entropy, summed over all counts; raise NotImplementedError unless ``total_count`` is the same in the whole batch."""
        log_prob = self.log_prob(self._counts("entropy"))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return 0, 1, ... ``total_count``; raise NotImplementedError unless it is the same in the whole batch."""
        return enumerated(self._counts("enumerate_support").flatten(), self._batch_shape, expand)

    def _counts(self, wanted):
        most = int(self.total_count.max())
        if self.total_count.min() != most:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{wanted}`.")
        values = arange(1 + most, dtype=self._param.dtype, device=self._param.device)
        return enumerated(values, self._batch_shape, expand=False)
