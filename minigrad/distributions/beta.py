"""Shares of two."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor, stack, tensor
from . import constraints
from .dirichlet import Dirichlet
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import NUMBERS, broadcast_all

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The beta distribution on [0, 1], of density ``x ** (a - 1) * (1 - x) ** (b - 1) / B(a, b)``.

    a is ``concentration1`` and b ``concentration0``. ``rsample`` has gradients for both.

    >>> import minigrad
    >>> shares = minigrad.distributions.Beta(minigrad.tensor([2.]), minigrad.tensor([6.]))
    >>> shares.mean, shares.log_prob(minigrad.tensor([0.5]))
    (tensor([0.2500]), tensor([-0.4212]))
    """

    arg_constraints: Any = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support: Any = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        if isinstance(concentration1, NUMBERS) and isinstance(concentration0, NUMBERS):
            both = tensor([float(concentration1), float(concentration0)])
        else:
            both = stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(Beta, batch_shape, _instance, "_dirichlet")

    @property
    def concentration1(self) -> Tensor:
        """The parameter a, the exponent (plus one) of x."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        """The parameter b, the exponent (plus one) of 1 - x."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Tensor:
        """``a / (a + b)``."""
        return self._dirichlet.mean[..., 0]

    @property
    def mode(self) -> Tensor:
        """``(a - 1) / (a + b - 2)`` where neither parameter is below 1."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        """``a b / ((a + b)² (a + b + 1))``."""
        return self._dirichlet.variance[..., 0]

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers between 0 and 1, with gradients for both parameters."""
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density."""
        if self._validate_args:
            self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        """Return the entropy of the two shares."""
        return self._dirichlet.entropy()

    @property
    def _natural_params(self):
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x, y):
        return x.lgamma() + y.lgamma() - (x + y).lgamma()
