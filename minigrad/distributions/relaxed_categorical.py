"""Choices that gradients pass."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, rand
from .._base.size import Size
from . import constraints
from .categorical import Categorical
from .distribution import _NO_PARTS, Distribution
from .transformed_distribution import TransformedDistribution
from .transforms import ExpTransform
from .utils import broadcast_all, clamp_probs

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(Distribution):
    """The distribution of the logarithms of ``RelaxedOneHotCategorical``: ``log_softmax((logits + Gumbel noise) / temperature)``. [Maddison,
    Mnih & Teh 2017, appendix C]

    ``temperature`` is a tensor.

    >>> import minigrad
    >>> from minigrad.distributions.relaxed_categorical import ExpRelaxedCategorical
    >>> ExpRelaxedCategorical(minigrad.tensor(1.), minigrad.ones(3)).rsample().exp().sum().round(decimals=4)
    tensor(1.)
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support: Any = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        batch_shape, event_shape = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters, but for the temperature, are expanded to ``batch_shape``."""
        return self._expanded(ExpRelaxedCategorical, batch_shape, _instance, "_categorical", "temperature")

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @property
    def param_shape(self) -> Size:
        """The shape of ``probs`` and ``logits``."""
        return self._categorical.param_shape

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities, whose sum is 1."""
        return self._categorical.probs

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw vectors with gradients for the parameter and the temperature."""
        shape = self._extended_shape(sample_shape)
        u = clamp_probs(rand(shape, dtype=self.logits.dtype, device=self.logits.device))
        scores = (self.logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log (n - 1)! + (n - 1) log t + Σ log_softmax(logits - t x)``."""
        n = self._categorical._num_events
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        scores = (logits - value * self.temperature).log_softmax(-1)
        return scores.sum(-1) + math.lgamma(n) + (n - 1) * self.temperature.log()


class RelaxedOneHotCategorical(TransformedDistribution):
    """The relaxed one-hot categorical distribution on the simplex: the lower ``temperature``, the closer its values are to one-hot vectors.

    At temperature 0 it is ``OneHotCategorical(probs, logits)``.

    >>> import minigrad
    >>> p = minigrad.tensor([0.3, 0.7], requires_grad=True)
    >>> draw = minigrad.distributions.RelaxedOneHotCategorical(minigrad.tensor(0.5), p).rsample()
    >>> draw[0].backward()
    >>> bool(p.grad[0] > 0 > p.grad[1])
    True
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters, but for the temperature, are expanded to ``batch_shape``."""
        return super().expand(
            batch_shape, _instance=self._get_checked_instance(RelaxedOneHotCategorical, _instance)
        )

    @property
    def temperature(self) -> Tensor:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities, whose sum is 1."""
        return self.base_dist.probs
