"""One of several."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, arange, broadcast_tensors, finfo, full, multinomial
from . import constraints
from ._binary_forms import check_one_form, enumerated
from .distribution import _NO_PARTS, Distribution
from .utils import lazy_property, logits_to_probs, probs_to_logits

__all__ = ["Categorical"]


class Categorical(Distribution):
    """The categorical distribution: an index of the last dimension of ``probs``, (..., n), or of ``logits``.

    ``probs`` need not sum to 1, nor the exponentials of ``logits``.

    >>> import minigrad
    >>> die = minigrad.distributions.Categorical(minigrad.tensor([1., 1., 2.]))
    >>> die.probs, die.log_prob(minigrad.tensor(2))
    (tensor([0.2500, 0.2500, 0.5000]), tensor(-0.6931))
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        check_one_form(probs, logits)
        given: Any
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self._param = self.logits = given - given.logsumexp(dim=-1, keepdim=True)
        else:
            self._param = self.probs = probs / probs.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Categorical, batch_shape, _instance, "probs logits _param", "_num_events")

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The integers from 0 to n - 1."""
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def probs(self) -> Any:
        """The probabilities, whose sum is 1."""
        return logits_to_probs(self.logits)

    @lazy_property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return probs_to_logits(self.probs)

    @property
    def param_shape(self) -> Size:
        """The shape of ``probs`` and ``logits``."""
        return self._param.size()

    @property
    def mean(self) -> Tensor:
        """Always nan: categories have no mean."""
        return full(self._batch_shape, math.nan, dtype=self.probs.dtype, device=self.probs.device)

    variance = mean

    @property
    def mode(self) -> Tensor:
        """The most probable index."""
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw indices, of dtype int64."""
        number = Size(sample_shape).numel()
        rows = multinomial(self.probs.reshape(-1, self._num_events), number, True)
        return rows.T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the probability of each index."""
        if self._validate_args:
            self._validate_sample(value)
        index, log_probs = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_probs.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        """Compute ``-Σ p log p``."""
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)  # 0 log 0 is 0
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return 0, 1, ... n - 1."""
        return enumerated(arange(self._num_events, device=self._param.device), self._batch_shape, expand)
