"""Shares."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _sample_dirichlet, where, xlogy, zeros_like
from . import constraints
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily

__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution of vectors of shares, of density proportional to ``Π xᵢ ** (αᵢ - 1)`` on the simplex.

    ``concentration`` is α, (..., n). ``rsample`` has gradients for it.

    >>> import minigrad
    >>> shares = minigrad.distributions.Dirichlet(minigrad.tensor([1., 1., 2.]))
    >>> shares.mean, shares.log_prob(minigrad.tensor([0.25, 0.25, 0.5]))
    (tensor([0.2500, 0.2500, 0.5000]), tensor(1.0986))
    """

    arg_constraints: Any = {"concentration": constraints.independent(constraints.positive, 1)}
    support: Any = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Dirichlet, batch_shape, _instance, "concentration")

    @property
    def mean(self) -> Tensor:
        """``αᵢ / Σ α``."""
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        """``(αᵢ - 1) / Σ (α - 1)`` over the αᵢ above 1; the first corner if all are below."""
        above = (self.concentration - 1).clamp(min=0.0)
        first = zeros_like(above)
        first[..., 0] = 1
        return where((self.concentration < 1).all(-1, True), first, above / above.sum(-1, True))

    @property
    def variance(self) -> Tensor:
        """``m (1 - m) / (Σ α + 1)`` with m the mean."""
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.square() * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw vectors whose sum is 1, with gradients for the parameter."""
        return _sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density with respect to all shares but the last."""
        if self._validate_args:
            self._validate_sample(value)
        return xlogy(self.concentration - 1.0, value).sum(-1) - self._log_normalizer(self.concentration)

    def entropy(self) -> Tensor:
        """Compute ``log B(α) + (Σ α - n) ψ(Σ α) - Σ (αᵢ - 1) ψ(αᵢ)``."""
        alpha, total = self.concentration, self.concentration.sum(-1)
        terms = (total - alpha.size(-1)) * total.digamma() - ((alpha - 1.0) * alpha.digamma()).sum(-1)
        return self._log_normalizer(alpha) + terms

    @property
    def _natural_params(self):
        return (self.concentration,)

    def _log_normalizer(self, x):
        """``log B(x) = Σ log Γ(xᵢ) - log Γ(Σ x)``."""
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()
