"""Numbers between 0 and 1 with the likelihood of a trial."""

import math
from collections.abc import Sequence
from typing import Any

from .._api import Tensor, no_grad, rand, where
from . import constraints
from ._binary_forms import BinaryForms, check_one_form, cross_entropy
from .distribution import _NO_PARTS
from .exp_family import ExponentialFamily
from .utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(BinaryForms, ExponentialFamily):
    """The continuous Bernoulli distribution on [0, 1], of density ``C p ** x * (1 - p) ** (1 - x)``.

    p is ``probs``, or has log odds ``logits``. Where p lies between the two ``lims``, around 1/2, quotients whose numerator and
    denominator both vanish there are computed by their series. [Loaiza-Ganem & Cunningham 2019, "The continuous Bernoulli", section 2]

    >>> import minigrad
    >>> pixels = minigrad.distributions.ContinuousBernoulli(minigrad.tensor([0.2]))
    >>> pixels.mean, pixels.cdf(minigrad.tensor([0.5]))
    (tensor([0.3880]), tensor([0.6667]))
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | int | float | bool | None = None,
        logits: Tensor | int | float | bool | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        check_one_form(probs, logits)
        if probs is not None:
            (probs,) = broadcast_all(probs)
            if validate_args is not None and not constraints.unit_interval.check(probs).all():
                raise ValueError("The parameter probs has invalid values")
            probs = clamp_probs(probs)
        self._keep_form(probs, logits)
        self._lims = lims
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to ``batch_shape``."""
        return self._expanded(ContinuousBernoulli, batch_shape, _instance, self._forms, "_lims")

    @lazy_property
    def probs(self) -> Any:
        """The parameter p, clamped away from 0 and 1."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    # Away from 1/2, and around it -----------------------------------------------------------------------------

    def _outside_unstable_region(self):
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut_probs(self):
        """p, but the lower limit around 1/2: what is computed there is not used, but must not be nan."""
        return where(self._outside_unstable_region(), self.probs, self._lims[0])

    def _by_region(self, quotient, series):
        """``quotient(p)``, and ``series(p - 1/2)`` around 1/2."""
        return where(self._outside_unstable_region(), quotient(self._cut_probs()), series(self.probs - 0.5))

    def _cont_bern_log_norm(self):
        """``log C``, ``C = log((1 - p) / p) / (1 - 2 p)``."""
        return self._by_region(
            lambda p: (_log_odds(p) / (2 * p - 1)).log(),
            lambda u: math.log(2) + (4 / 3 + 104 / 45 * u.square()) * u.square(),
        )

    @property
    def mean(self) -> Tensor:
        """``p / (2 p - 1) - 1 / log(p / (1 - p))``."""
        return self._by_region(
            lambda p: p / (2 * p - 1) - 1 / _log_odds(p),
            lambda u: 0.5 + (1 / 3 + 16 / 45 * u.square()) * u,
        )

    @property
    def variance(self) -> Tensor:
        """``1 / log(p / (1 - p))² - p (1 - p) / (1 - 2 p)²``."""
        return self._by_region(
            lambda p: _log_odds(p).square().reciprocal() - p * (1 - p) / (1 - 2 * p).square(),
            lambda u: 1 / 12 - (1 / 15 - 128 / 945 * u.square()) * u.square(),
        )

    # Values ---------------------------------------------------------------------------------------------------

    def sample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Draw numbers between 0 and 1."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = _NO_PARTS) -> Tensor:
        """Return the ``icdf`` of uniform numbers."""
        shape = self._extended_shape(sample_shape)
        return self.icdf(rand(shape, dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value: Any) -> Tensor:
        """Compute ``log C + x log p + (1 - x) log (1 - p)``."""
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        trial = cross_entropy(logits, value)
        return self._cont_bern_log_norm() - trial

    def cdf(self, value: Any) -> Tensor:
        """Compute ``(p ** x * (1 - p) ** (1 - x) + p - 1) / (2 p - 1)``."""
        if self._validate_args:
            self._validate_sample(value)
        p = self._cut_probs()
        below = (p**value * (1 - p) ** (1 - value) + p - 1) / (2 * p - 1)
        return where(self._outside_unstable_region(), below, value).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Tensor:
        """Compute ``log(1 + u (2 p - 1) / (1 - p)) / log(p / (1 - p))``."""
        p = self._cut_probs()
        log_failure = (-p).log1p()
        found = ((-p + value * (2.0 * p - 1.0)).log1p() - log_failure) / (p.log() - log_failure)
        return where(self._outside_unstable_region(), found, value)

    def entropy(self) -> Tensor:
        """Compute ``-log C - m log p - (1 - m) log (1 - p)`` with m the mean."""
        return -self._cont_bern_log_norm() - self.mean * _log_odds(self.probs) - (-self.probs).log1p()

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        """``log((exp(x) - 1) / x)``."""
        outside = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = where(outside, x, self._lims[0] - 0.5)
        series = x / 2 + x.pow(2) / 24 - x.pow(4) / 2880
        return where(outside, (cut.expm1() / cut).log(), series)


def _log_odds(p):
    return p.log() - (-p).log1p()
