"""Divergences between distributions of different families: ``-H(p) - E_p log q(x)``.

What differs is the mean of q's logarithm under p.  It needs moments of p only, of a few kinds: each is stated once for each p.
"""

import math

from .._api import full_like, where, xlogy
from ._kl_registry import register_kl
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .continuous_bernoulli import ContinuousBernoulli
from .exponential import Exponential
from .gamma import Gamma
from .gumbel import Gumbel
from .laplace import Laplace
from .normal import _HALF_LOG_2PI, Normal
from .pareto import Pareto
from .poisson import Poisson
from .uniform import Uniform
from .utils import euler_constant


def _register(kinds, q, mean_log):
    """Register ``-H(p) - mean_log(p, q)`` for p of several kinds."""
    for kind in kinds:
        register_kl(kind, q)(lambda p, q: -p.entropy() - mean_log(p, q))


# Moments -----------------------------------------------------------------------------------------------------


def _mean_log_of_interval(low, high):
    """The mean of ``log x`` between two numbers: the integral is ``x log x - x``."""
    return (xlogy(high, high) - xlogy(low, low)) / (high - low) - 1


#: E log x
_MEAN_LOG = {
    Beta: lambda p: p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma(),
    Exponential: lambda p: -euler_constant - p.rate.log(),
    Pareto: lambda p: p.scale.log() + p.alpha.reciprocal(),
    Uniform: lambda p: _mean_log_of_interval(p.low, p.high),
}
#: E exp(-(x - loc) / s)
_MEAN_EXP = {
    Exponential: lambda p, loc, s: (loc / s).exp() / (1 + 1 / (p.rate * s)),
    Gamma: lambda p, loc, s: (loc / s - p.concentration * (1 / (p.rate * s)).log1p()).exp(),
    Normal: lambda p, loc, s: ((loc - p.loc) / s + (p.scale / s).square() / 2).exp(),
    Uniform: lambda p, loc, s: (
        s * (((loc - p.low) / s).exp() - ((loc - p.high) / s).exp()) / (p.high - p.low)
    ),
}


def _nearest(cls, table):
    """The entry of a table for a class, or for the first of its bases that has one."""
    return next(table[base] for base in cls.__mro__ if base in table)


# The mean of log q under p -----------------------------------------------------------------------------------


def _log_normal(p, q):
    off = p.variance + (p.mean - q.loc).square()
    return -off / (2 * q.scale.square()) - q.scale.log() - _HALF_LOG_2PI


def _log_exponential(p, q):
    return q.rate.log() - q.rate * p.mean


def _log_gamma(p, q):
    a, b = q.concentration, q.rate
    return a * b.log() - a.lgamma() + (a - 1) * _nearest(type(p), _MEAN_LOG)(p) - b * p.mean


def _log_gumbel(p, q):
    mean_exp = _nearest(type(p), _MEAN_EXP)(p, q.loc, q.scale)
    return -q.scale.log() - (p.mean - q.loc) / q.scale - mean_exp


def _log_continuous_bernoulli(p, q):
    return q._cont_bern_log_norm() + p.mean * q.logits + (-q.probs).log1p()


def _log_beta(p, q):
    a, b = q.concentration1, q.concentration0
    failures = _mean_log_of_interval(1 - p.high, 1 - p.low)
    return (a - 1) * _mean_log_of_interval(p.low, p.high) + (b - 1) * failures - q._log_normalizer(a, b)


def _log_pareto(p, q):
    a = q.alpha
    return a.log() + a * q.scale.log() - (a + 1) * _mean_log_of_interval(p.low, p.high)


def _log_laplace(p, q):
    """``E |x - m|`` of normal numbers at a distance d: ``s √(2/π) exp(-d² / 2 s²) + d erf(d / s √2)``."""
    distance, s = p.loc - q.loc, p.scale
    z = distance / (math.sqrt(2) * s)
    mean = s * math.sqrt(2 / math.pi) * (-z.square()).exp() + distance * z.erf()
    return -(2 * q.scale).log() - mean / q.scale


_register(
    [Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Pareto, Uniform], Normal, _log_normal
)
_register([Beta, ContinuousBernoulli, Gamma, Pareto], Exponential, _log_exponential)
_register([Beta, Exponential, Pareto], Gamma, _log_gamma)
_register([Exponential, Gamma, Normal, Uniform], Gumbel, _log_gumbel)
_register([Beta], ContinuousBernoulli, _log_continuous_bernoulli)
_register([Normal], Laplace, _log_laplace)


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p, q):
    """``log k!`` is 0 of both counts."""
    return -p.entropy() - p.probs * q.rate.log() + q.rate


# Infinite where p has values that q has not ------------------------------------------------------------------


def _within(p, q, low, high, mean_log):
    """``-H(p) - mean_log(p, q)`` of a uniform p, where it lies between ``low`` and ``high``."""
    return where((p.low < low) | (p.high > high), math.inf, -p.entropy() - mean_log(p, q))


@register_kl(Uniform, Beta)
def _kl_uniform_beta(p, q):
    return _within(p, q, 0, 1, _log_beta)


@register_kl(Uniform, ContinuousBernoulli)
def _kl_uniform_continuous_bernoulli(p, q):
    return _within(p, q, 0, 1, _log_continuous_bernoulli)


@register_kl(Uniform, Exponential)
def _kl_uniform_exponential(p, q):
    return _within(p, q, 0, math.inf, _log_exponential)


@register_kl(Uniform, Gamma)
def _kl_uniform_gamma(p, q):
    return _within(p, q, 0, math.inf, _log_gamma)


@register_kl(Uniform, Pareto)
def _kl_uniform_pareto(p, q):
    return _within(p, q, q.scale, math.inf, _log_pareto)


@register_kl(Beta, Uniform)
@register_kl(ContinuousBernoulli, Uniform)
def _kl_of_shares_uniform(p, q):
    """Values of p fill [0, 1]."""
    return where((q.low > 0) | (q.high < 1), math.inf, -p.entropy() + (q.high - q.low).log())


#: Always: p has values outside of what q has.
_OUTSIDE: dict[type, list[type]] = {
    Beta: [Pareto],
    ContinuousBernoulli: [Pareto],
    Exponential: [Beta, ContinuousBernoulli, Pareto, Uniform],
    Gamma: [Beta, ContinuousBernoulli, Pareto, Uniform],
    Gumbel: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Laplace: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Normal: [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform],
    Pareto: [Beta, ContinuousBernoulli, Uniform],
    Poisson: [Bernoulli, Binomial],
}


def _kl_infinity(p, q):
    return full_like(p.mean, math.inf)


for _type_p, _types in _OUTSIDE.items():
    for _type_q in _types:
        register_kl(_type_p, _type_q)(_kl_infinity)
