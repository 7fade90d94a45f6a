"""Mixtures."""

from collections.abc import Sequence
from typing import Any

from .._api import Size, Tensor, gather, log_softmax, logsumexp, no_grad
from . import constraints
from .categorical import Categorical
from .distribution import _NO_PARTS, Distribution

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture of the distributions along the last batch dimension of ``component_distribution``, with the weights of
    ``mixture_distribution``, a Categorical.

    Raises ValueError for distributions that do not fit.

    >>> import minigrad
    >>> from minigrad.distributions import Categorical, MixtureSameFamily, Normal
    >>> mixture = MixtureSameFamily(Categorical(minigrad.ones(2)), Normal(minigrad.tensor([-1., 1.]), 1.))
    >>> mixture.mean, mixture.variance, mixture.log_prob(minigrad.tensor(0.))
    (tensor(0.), tensor(2.), tensor(-1.4189))
    """

    arg_constraints: Any = {}
    has_rsample = False

    def __init__(
        self,
        mixture_distribution: Any,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of torch.distributions.Distribution"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        mixed, batch_shape = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(1 != n != m != 1 for n, m in zip(reversed(mixed), reversed(batch_shape))):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({mixed}) is not compatible with "
                f"`component_distribution.batch_shape`({batch_shape})"
            )
        self._num_component = mixture_distribution.logits.shape[-1]
        components = component_distribution.batch_shape[-1]
        if self._num_component != components:
            raise ValueError(
                f"`mixture_distribution component` ({self._num_component}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({components})"
            )
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return the same of an expanded mixture of expanded components."""
        new = self._expanded(
            MixtureSameFamily,
            batch_shape,
            _instance,
            "_component_distribution",
            "_num_component _event_ndims",
        )
        new._mixture_distribution = self._mixture_distribution.expand(Size(batch_shape))
        return new

    @constraints.dependent_property
    def support(self) -> Any:
        """The values that the components allow."""
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Any:
        """The distribution that chooses a component."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components."""
        return self._component_distribution

    def _weighted(self, values):
        """The mean over the components of a value of each."""
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        return (probs * values).sum(-1 - self._event_ndims)

    @property
    def mean(self) -> Tensor:
        """The mean of the components' means."""
        return self._weighted(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        """The mean of the components' variances plus the variance of their means."""
        components = self.component_distribution
        deviations = components.mean - self._pad(self.mean)
        return self._weighted(components.variance) + self._weighted(deviations.square())

    def cdf(self, x: Any) -> Tensor:
        """Return the weighted mean of the components' distribution functions."""
        return (self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, x: Any) -> Tensor:
        """Compute ``log Σ pᵢ exp(log_probᵢ(x))``."""
        if self._validate_args:
            self._validate_sample(x)
        log_probs = self.component_distribution.log_prob(self._pad(x))
        return logsumexp(log_probs + log_softmax(self.mixture_distribution.logits, dim=-1), dim=-1)

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Choose a component, and draw a value from it."""
        with no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            along = len(sample_shape) + len(self.batch_shape)
            chosen = chosen.reshape(*chosen.shape, *[1] * (1 + self._event_ndims))
            chosen = chosen.expand(*[-1] * along, 1, *self.event_shape)
            return gather(values, along, chosen).squeeze(along)

    def _pad(self, x):
        """``x`` with a dimension for the components."""
        return x.unsqueeze(-1 - self._event_ndims)

    def _pad_mixture_dimensions(self, x):
        """Probabilities of the choice with the dimensions that the components' values have."""
        mixed = len(self.mixture_distribution.batch_shape)
        missing = 0 if mixed == 1 else len(self.batch_shape) - mixed
        return x.reshape(*x.shape[:-1], *[1] * missing, x.shape[-1], *[1] * self._event_ndims)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
