"""Trials that gradients pass."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _activation, rand
from . import constraints
from ._binary_forms import BinaryForms
from .distribution import _NO_PARTS, Distribution
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform
from .utils import broadcast_all, clamp_probs

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]

logsigmoid: Any = _activation.logsigmoid


class LogitRelaxedBernoulli(BinaryForms, Distribution):
    """The distribution of the logits of ``RelaxedBernoulli``: ``(logits + log(u / (1 - u))) / temperature`` for uniform u. [Maddison, Mnih &
    Teh 2017, appendix B]

    ``temperature`` is a tensor.

    >>> import minigrad
    >>> from minigrad.distributions.relaxed_bernoulli import LogitRelaxedBernoulli
    >>> LogitRelaxedBernoulli(minigrad.tensor(1.), logits=minigrad.zeros(1)).log_prob(minigrad.zeros(1))
    tensor([-1.3863])
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.real

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | int | float | bool | None = None,
        logits: Tensor | int | float | bool | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._keep_form(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters, but for the temperature, are expanded to ``batch_shape``."""
        return self._expanded(LogitRelaxedBernoulli, batch_shape, _instance, self._forms, "temperature")

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers with gradients for the parameter and the temperature."""
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(rand(shape, dtype=probs.dtype, device=probs.device))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log t + d - 2 log(1 + exp(d))`` with ``d = logits - t x``."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        d = logits - value * self.temperature
        return self.temperature.log() + logsigmoid(d) + logsigmoid(-d)


class RelaxedBernoulli(TransformedDistribution):
    """The relaxed Bernoulli distribution on (0, 1): the lower ``temperature``, the closer its values are to 0 and 1.

    At temperature 0 it is ``Bernoulli(probs, logits)``.

    >>> import minigrad
    >>> p = minigrad.tensor([0.3], requires_grad=True)
    >>> minigrad.distributions.RelaxedBernoulli(minigrad.tensor(0.5), p).rsample().backward()
    >>> bool(p.grad > 0)
    True
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | int | float | bool | None = None,
        logits: Tensor | int | float | bool | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters, but for the temperature, are expanded to ``batch_shape``."""
        return super().expand(batch_shape, _instance=self._get_checked_instance(RelaxedBernoulli, _instance))

    @property
    def temperature(self) -> Tensor:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The log odds."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self.base_dist.probs
