"""One trial."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, arange, bernoulli, logit, no_grad, where
from . import constraints
from ._binary_forms import BinaryForms, cross_entropy, enumerated
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Bernoulli"]


class Bernoulli(BinaryForms, ExponentialFamily):
    """The Bernoulli distribution: 1 with probability ``probs``, or with log odds ``logits``, else 0.

    >>> import minigrad
    >>> coin = minigrad.distributions.Bernoulli(minigrad.tensor([0.3]))
    >>> coin.log_prob(minigrad.tensor([1.])).exp(), coin.variance
    (tensor([0.3000]), tensor([0.2100]))
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | int | float | bool | None = None,
        logits: Tensor | int | float | bool | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._keep_form(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Bernoulli, batch_shape, _instance, self._forms)

    @property
    def mean(self) -> Tensor:
        """The probability."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The more probable of 0 and 1; nan where they are equally probable."""
        return where(self.probs == 0.5, math.nan, (self.probs > 0.5).to(self.probs))

    @property
    def variance(self) -> Tensor:
        """``p (1 - p)``."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw zeros and ones, in the dtype of the parameter."""
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        """Return ``log p`` for 1, ``log (1 - p)`` for 0."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -cross_entropy(logits, value)

    def entropy(self) -> Tensor:
        """Compute ``-p log p - (1 - p) log (1 - p)``."""
        return cross_entropy(self.logits, self.probs)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return 0 and 1."""
        values = arange(2, dtype=self._param.dtype, device=self._param.device)
        return enumerated(values, self._batch_shape, expand)

    @property
    def _natural_params(self):
        return (logit(self.probs),)

    def _log_normalizer(self, x):
        return x.exp().log1p()
