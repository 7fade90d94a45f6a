"""Directions."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, _is_all_true, _special, no_grad, rand, where, zeros_like
from . import constraints
from .distribution import _NO_PARTS, Distribution
from .utils import broadcast_all, lazy_property

__all__ = ["VonMises"]


class VonMises(Distribution):
    """The von Mises distribution of angles in radians, of density ``exp(concentration * cos(x - loc)) / (2π I₀(concentration))``.

    I₀ is a modified Bessel function.

    >>> import minigrad
    >>> winds = minigrad.distributions.VonMises(minigrad.tensor([0.]), minigrad.tensor([2.]))
    >>> winds.log_prob(minigrad.tensor([0.])), winds.variance
    (tensor([-0.6619]), tensor([0.3022]))
    """

    loc: Any
    concentration: Any

    arg_constraints: Any = {"loc": constraints.real, "concentration": constraints.positive}
    support: Any = constraints.real
    has_rsample = False

    def __init__(self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``, made by the constructor of its class."""
        loc, concentration = self.loc.expand(batch_shape), self.concentration.expand(batch_shape)
        return type(self)(loc, concentration, validate_args=self.__dict__.get("_validate_args"))

    @property
    def mean(self) -> Tensor:
        """The direction ``loc``."""
        return self.loc

    mode = mean

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance: 1 less the length of the mean of unit vectors, ``1 - I₁ / I₀``."""
        return 1 - _special.i1e(self.concentration) / _special.i0e(self.concentration)

    def log_prob(self, value: Any) -> Tensor:
        """Return the logarithm of the density."""
        if self._validate_args:
            self._validate_sample(value)
        k = self.concentration
        return k * ((value - self.loc).cos() - 1) - math.log(2 * math.pi) - _special.i0e(k).log()

    @lazy_property
    def _loc(self):
        return self.loc.double()

    @lazy_property
    def _concentration(self):
        return self.concentration.double()

    @lazy_property
    def _proposal_r(self):
        """What makes the wrapped Cauchy distribution, from which angles are proposed, as near as can be."""
        k = self._concentration
        tau = 1 + (1 + 4 * k.square()).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        return where(k < 1e-5, 1 / k + k, (1 + rho.square()) / (2 * rho))  # rho vanishes with k

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw angles between -π and π, in the dtype of ``loc``; computed in float64."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            angles = _rejection_sample(self._concentration, self._proposal_r, shape)
            return ((angles + math.pi + self._loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)


def _rejection_sample(concentration, r, shape):
    """Angles around 0.   [Best & Fisher 1979, "Efficient simulation of the von Mises distribution"]

    Each round proposes angles for all places, also those that have got theirs: these take the last one that is accepted.
    """
    angles = zeros_like(concentration).expand(shape)
    done = angles != 0
    while not _is_all_true(done):
        u1, u2, u3 = rand((3, *shape), dtype=concentration.dtype, device=concentration.device).unbind()
        z = (math.pi * u1).cos()
        f = (1 + r * z) / (r + z)
        c = concentration * (r - f)
        accepted = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
        angles = where(accepted, (u3 - 0.5).sign() * f.acos(), angles)
        done = done | accepted
    return angles
