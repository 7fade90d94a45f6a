"""One of several, as a vector."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, arange, eye
from .._base.size import Size
from . import constraints
from .categorical import Categorical
from .distribution import _NO_PARTS, Distribution

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


def _one_hot(index, like):
    """1 at each index, else 0, in the dtype of ``like``: (...) -> (..., n)."""
    return (index.unsqueeze(-1) == arange(like.shape[-1], device=like.device)).to(like.dtype)


class OneHotCategorical(Distribution):
    """The categorical distribution by ``probs`` or ``logits``, (..., n), whose values are one-hot vectors.

    >>> import minigrad
    >>> die = minigrad.distributions.OneHotCategorical(minigrad.tensor([1., 1., 2.]))
    >>> die.mode, die.log_prob(minigrad.tensor([1., 0., 0.]))
    (tensor([0., 0., 1.]), tensor(-1.3863))
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support: Any = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        batch_shape, event_shape = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(OneHotCategorical, batch_shape, _instance, "_categorical")

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @property
    def _param(self):
        return self._categorical._param

    @property
    def probs(self) -> Tensor:
        """The probabilities, whose sum is 1."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of ``probs`` and ``logits``."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        """The probabilities."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The most probable vector."""
        return _one_hot(self._categorical.mode, self.probs)

    @property
    def variance(self) -> Tensor:
        """``p (1 - p)``."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw one-hot vectors, in the dtype of the parameter."""
        return _one_hot(self._categorical.sample(sample_shape), self.probs)

    def log_prob(self, value: Any) -> Tensor:
        """Return the log-probability of the category at which ``value`` is 1."""
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        """Compute ``-Σ p log p``."""
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return the rows of the identity matrix."""
        n = self.event_shape[0]
        values = eye(n, dtype=self._param.dtype, device=self._param.device)
        values = values.view(n, *[1] * len(self.batch_shape), n)
        return values.expand(n, *self.batch_shape, n) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A ``OneHotCategorical`` whose samples pass gradients straight through to the probabilities. [Bengio, Léonard & Courville 2013]

    >>> import minigrad
    >>> p = minigrad.tensor([0.5, 0.5], requires_grad=True)
    >>> die = minigrad.distributions.OneHotCategoricalStraightThrough(p)
    >>> (die.rsample() * minigrad.tensor([1., 3.])).sum().backward()
    >>> p.grad
    tensor([-1.,  1.])
    """

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw one-hot vectors that have the gradient of the probabilities."""
        probs = self.probs
        return self.sample(sample_shape) + (probs - probs.detach())
