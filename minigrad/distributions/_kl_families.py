"""Divergences of two distributions of one family."""

import math

from .._api import _activation, _linalg_solvers, cat, diag_embed, lgamma, where, xlogy
from ._kl_registry import kl_divergence, register_kl
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .exp_family import ExponentialFamily
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .lowrank_multivariate_normal import LowRankMultivariateNormal, _batch_lowrank_mahalanobis
from .multivariate_normal import MultivariateNormal, _batch_mahalanobis, _half_log_det
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .pareto import Pareto
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform
from .utils import _sum_rightmost, euler_constant

logsigmoid = _activation.logsigmoid


# Discrete ----------------------------------------------------------------------------------------------------


def _of_event(p, q, log_ratio):
    """``p log(p / q)`` of one event: 0 if p rules it out, infinite if q alone does."""
    return where(p == 0, 0.0, where(q == 0, math.inf, p * log_ratio))


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(p, q):
    success = _of_event(p.probs, q.probs, logsigmoid(p.logits) - logsigmoid(q.logits))
    failure = _of_event(1 - p.probs, 1 - q.probs, logsigmoid(-p.logits) - logsigmoid(-q.logits))
    return success + failure


@register_kl(Binomial, Binomial)
def _kl_binomial_binomial(p, q):
    """That of each trial; infinite where p has more of them.  With fewer there is no closed form."""
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    log_failure = (-p.probs).log1p() - (-q.probs).log1p()
    trials = p.total_count * (p.probs * (p.logits - q.logits) + log_failure)
    return where(p.total_count > q.total_count, math.inf, trials)


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(p, q):
    return _of_event(p.probs, q.probs, p.logits - q.logits).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl_onehotcategorical_onehotcategorical(p, q):
    return _kl_categorical_categorical(p._categorical, q._categorical)


@register_kl(Geometric, Geometric)
def _kl_geometric_geometric(p, q):
    """``-H(p) - log q₀ - E k log(1 - q₀)`` for a success of probability q₀, with ``E k = 1 / p₀ - 1`` and the logit ``log q₀ - log(1 - q₀)``."""
    return -p.entropy() - q.logits - (-q.probs).log1p() / p.probs


@register_kl(Poisson, Poisson)
def _kl_poisson_poisson(p, q):
    return xlogy(p.rate, p.rate) - xlogy(p.rate, q.rate) - (p.rate - q.rate)


# Exponential families ----------------------------------------------------------------------------------------


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p, q):
    """``F(θ_q) - F(θ_p) - <θ_q - θ_p, grad F(θ_p)>``, Bregman's divergence of the log-normaliser.   [Nielsen & Nock 2010]"""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed using Bregman divergences"
        )
    normalizer, means = p._normalizer_and_means()
    result = q._log_normalizer(*q._natural_params) - normalizer
    for own, other, mean in zip(p._natural_params, q._natural_params, means):
        result = result - _sum_rightmost((other - own) * mean, own.dim() - len(p.batch_shape))
    return result


@register_kl(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(p, q):
    """``log B(β) - log B(α) + Σ (αᵢ - βᵢ) E log xᵢ``, where ``E log xᵢ = ψ(αᵢ) - ψ(Σ α)``."""
    alpha, beta = p.concentration, q.concentration
    mean_logs = alpha.digamma() - alpha.sum(-1, True).digamma()
    difference = q._log_normalizer(beta) - p._log_normalizer(alpha)
    return difference + ((alpha - beta) * mean_logs).sum(-1)


@register_kl(Beta, Beta)
def _kl_beta_beta(p, q):
    return _kl_dirichlet_dirichlet(p._dirichlet, q._dirichlet)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _kl_continuous_bernoulli_continuous_bernoulli(p, q):
    """``log(C_p / C_q) + m (logit p₁ - logit q₁) + log((1 - p₁) / (1 - q₁))``, m being the mean of p."""
    normalizers = p._cont_bern_log_norm() - q._cont_bern_log_norm()
    return normalizers + p.mean * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()


@register_kl(Exponential, Exponential)
def _kl_exponential_exponential(p, q):
    ratio = q.rate / p.rate
    return ratio - 1 - ratio.log()


@register_kl(Gamma, Gamma)
def _kl_gamma_gamma(p, q):
    """``(a - c) ψ(a) - log(Γ(a) / Γ(c)) + c log(b / d) + a (d / b - 1)`` for shapes a, c and rates b, d."""
    a, c, ratio = p.concentration, q.concentration, q.rate / p.rate
    return (a - c) * a.digamma() - a.lgamma() + c.lgamma() - c * ratio.log() + a * (ratio - 1)


# Of a place and a scale --------------------------------------------------------------------------------------


@register_kl(Normal, Normal)
def _kl_normal_normal(p, q):
    """``(r² - 1 - log r²) / 2 + d² / 2``: r is the ratio of the deviations, d the distance in q's."""
    squared_ratio = (p.scale / q.scale).square()
    distance = (p.loc - q.loc) / q.scale
    return 0.5 * (squared_ratio - 1 - squared_ratio.log() + distance.square())


@register_kl(HalfNormal, HalfNormal)
def _kl_halfnormal_halfnormal(p, q):
    return _kl_normal_normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _kl_laplace_laplace(p, q):
    """``E |x - loc_q| = d + s exp(-d / s)`` for p of scale s at a distance d."""
    distance = (p.loc - q.loc).abs()
    mean_distance = distance + p.scale * (-distance / p.scale).exp()
    return mean_distance / q.scale - 1 - (p.scale / q.scale).log()


@register_kl(Cauchy, Cauchy)
def _kl_cauchy_cauchy(p, q):
    """``log(((s + t)² + d²) / (4 s t))`` for scales s and t at a distance d.   [Chyzak & Nielsen 2019]"""
    spread = (p.scale + q.scale).square() + (p.loc - q.loc).square()
    return spread.log() - (4 * p.scale * q.scale).log()


@register_kl(Gumbel, Gumbel)
def _kl_gumbel_gumbel(p, q):
    """``E exp(-(x - m) / t) = exp(-d) Γ(1 + r)`` for p at a distance ``d = (loc - m) / t``, r being the ratio of the scales."""
    ratio, distance = p.scale / q.scale, (p.loc - q.loc) / q.scale
    mean_exp = (lgamma(ratio + 1) - distance).exp()
    return distance + euler_constant * (ratio - 1) - ratio.log() + mean_exp - 1


@register_kl(Pareto, Pareto)
def _kl_pareto_pareto(p, q):
    """``E log x = log s + 1 / a`` for p, from s on; infinite where q begins above."""
    ratio = q.alpha / p.alpha
    inside = q.alpha * (p.scale / q.scale).log() + ratio - 1 - ratio.log()
    return where(p.scale < q.scale, math.inf, inside)


@register_kl(Uniform, Uniform)
def _kl_uniform_uniform(p, q):
    inside = ((q.high - q.low) / (p.high - p.low)).log()
    return where((q.low > p.low) | (q.high < p.high), math.inf, inside)


# Normal vectors ----------------------------------------------------------------------------------------------


def _root(d):
    """A matrix whose product with its transpose is the covariance."""
    if isinstance(d, MultivariateNormal):
        return d._unbroadcasted_scale_tril
    factor, diagonal = d._unbroadcasted_cov_factor, diag_embed(d._unbroadcasted_cov_diag.sqrt())
    batch = (factor[..., :1] + diagonal).shape[:-1]
    return cat([factor.expand(*batch, -1), diagonal.expand(*batch, -1)], -1)


def _log_det(d):
    return (
        2 * _half_log_det(d._unbroadcasted_scale_tril) if isinstance(d, MultivariateNormal) else d._log_det()
    )


def _trace_of_quotient(p, q):
    """``tr(Σ_q⁻¹ Σ_p)``; of low rank, by Woodbury's identity."""
    root = _root(p)
    if isinstance(q, MultivariateNormal):
        solved = _linalg_solvers.solve_triangular(q._unbroadcasted_scale_tril, root, upper=False)
        return solved.square().sum((-2, -1))
    scaled = q._unbroadcasted_cov_factor.mT / q._unbroadcasted_cov_diag.unsqueeze(-2)
    scaled = _linalg_solvers.solve_triangular(q._capacitance_tril, scaled, upper=False)
    along = (root.square().sum(-1) / q._unbroadcasted_cov_diag).sum(-1)
    return along - (scaled @ root).square().sum((-2, -1))


def _mahalanobis(q, x):
    if isinstance(q, MultivariateNormal):
        return _batch_mahalanobis(q._unbroadcasted_scale_tril, x)
    return _batch_lowrank_mahalanobis(
        q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag, x, q._capacitance_tril
    )


def _kl_of_vectors(p, q, called):
    """``(log(det Σ_q / det Σ_p) + tr(Σ_q⁻¹ Σ_p) + dᵀ Σ_q⁻¹ d - n) / 2`` for means d apart."""
    if p.event_shape != q.event_shape:
        raise ValueError(f"KL-divergence between two {called} with different event shapes cannot be computed")
    distance = _mahalanobis(q, q.loc - p.loc)
    return 0.5 * (_log_det(q) - _log_det(p) + _trace_of_quotient(p, q) + distance - p.event_shape[0])


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(p, q):
    return _kl_of_vectors(p, q, "Multivariate Normals")


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(p, q):
    return _kl_of_vectors(p, q, "Low Rank Multivariate Normals")


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(p, q):
    return _kl_of_vectors(p, q, "(Low Rank) Multivariate Normals")


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(p, q):
    return _kl_of_vectors(p, q, "(Low Rank) Multivariate Normals")


# Distributions around others ---------------------------------------------------------------------------------


@register_kl(Independent, Independent)
def _kl_independent_independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("Independent distributions with different reinterpreted_batch_ndims")
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _kl_transformed_transformed(p, q):
    """That of the bases: an invertible transform changes none."""
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("TransformedDistributions of different transforms or event shapes")
    return kl_divergence(p.base_dist, q.base_dist)
