"""Kullback-Leibler divergences: of a family's own distributions (``_kl_families.py``), between families (``_kl_between.py``), and users' own."""

from . import _kl_between as _kl_between
from ._kl_families import (
    _kl_bernoulli_bernoulli,
    _kl_beta_beta,
    _kl_binomial_binomial,
    _kl_categorical_categorical,
    _kl_cauchy_cauchy,
    _kl_continuous_bernoulli_continuous_bernoulli,
    _kl_dirichlet_dirichlet,
    _kl_expfamily_expfamily,
    _kl_exponential_exponential,
    _kl_gamma_gamma,
    _kl_geometric_geometric,
    _kl_gumbel_gumbel,
    _kl_halfnormal_halfnormal,
    _kl_independent_independent,
    _kl_laplace_laplace,
    _kl_lowrankmultivariatenormal_lowrankmultivariatenormal,
    _kl_lowrankmultivariatenormal_multivariatenormal,
    _kl_multivariatenormal_lowrankmultivariatenormal,
    _kl_multivariatenormal_multivariatenormal,
    _kl_normal_normal,
    _kl_onehotcategorical_onehotcategorical,
    _kl_pareto_pareto,
    _kl_poisson_poisson,
    _kl_transformed_transformed,
    _kl_uniform_uniform,
)
from ._kl_registry import _KL_MEMOIZE, _KL_REGISTRY, _dispatch_kl, kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]
