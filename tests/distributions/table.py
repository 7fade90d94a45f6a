"""One row per distribution: how to make it, and what is known of it.  From these come all checks.

``make(d, t)`` makes it of ``d``, a module of distributions, and ``t``, which turns lists into tensors: its parameters.
"""

from dataclasses import dataclass
from typing import Any

LOCS, SCALES = [-1.5, 0.0, 2.0], [0.5, 1.0, 2.5]
POSITIVE, OTHERS = [0.4, 1.0, 3.5], [0.7, 2.0, 5.0]
PROBS = [0.1, 0.5, 0.8]
SHARES = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
COVARIANCE = [[2.0, 0.5, 0.3], [0.5, 1.5, -0.2], [0.3, -0.2, 1.0]]
FACTOR = [[1.4, 0.0, 0.0], [0.3, 1.2, 0.0], [0.2, -0.2, 0.9]]


@dataclass
class Row:
    """A distribution in one set of parameters."""

    name: str
    make: Any
    scipy: Any = None  # (scipy.stats) -> the same there
    needs_scipy: bool = False  # for cdf
    rounded: bool = False  # the last bits of draws are not PyTorch's: its products of matrices and functions round otherwise
    torch_differs: str = ""  # what PyTorch refuses or gets wrong; docs/differences.md says why
    exact_gradient: bool = True  # False: PyTorch's gradients of gamma and Dirichlet draws are approximations

    def __str__(self):
        return self.name

    def built(self, m, d, dtype="float64", requires_grad=False):
        """The distribution in a library ``m``, whose distributions are ``d``, and its parameters."""
        parameters = []

        def t(values):
            parameters.append(m.tensor(values, dtype=getattr(m, dtype), requires_grad=requires_grad))
            return parameters[-1]

        return self.make(d, t), parameters


ROWS = [
    Row("Bernoulli", lambda d, t: d.Bernoulli(t(PROBS)), lambda s: s.bernoulli(PROBS)),
    Row("Bernoulli logits", lambda d, t: d.Bernoulli(logits=t(LOCS))),
    Row("Bernoulli number", lambda d, t: d.Bernoulli(0.3)),
    Row("Beta", lambda d, t: d.Beta(t(POSITIVE), t(OTHERS)), lambda s: s.beta(POSITIVE, OTHERS), exact_gradient=False),
    Row("Beta numbers", lambda d, t: d.Beta(2.0, 3.0)),
    Row("Binomial", lambda d, t: d.Binomial(5, t(PROBS)), lambda s: s.binom(5, PROBS)),
    Row("Binomial logits", lambda d, t: d.Binomial(t([3.0, 30.0, 7.0]), logits=t(LOCS))),
    Row("Categorical", lambda d, t: d.Categorical(t(SHARES))),
    Row("Categorical logits", lambda d, t: d.Categorical(logits=t([LOCS, SCALES]))),
    Row("Cauchy", lambda d, t: d.Cauchy(t(LOCS), t(SCALES)), lambda s: s.cauchy(LOCS, SCALES)),
    Row("Chi2", lambda d, t: d.Chi2(t(POSITIVE)), lambda s: s.chi2(POSITIVE), needs_scipy=True, exact_gradient=False),
    Row("ContinuousBernoulli", lambda d, t: d.ContinuousBernoulli(t([0.1, 0.4995, 0.8])), rounded=True),
    Row("ContinuousBernoulli logits", lambda d, t: d.ContinuousBernoulli(logits=t(LOCS)), rounded=True),
    Row("Dirichlet", lambda d, t: d.Dirichlet(t([POSITIVE, OTHERS])), exact_gradient=False),
    Row("Exponential", lambda d, t: d.Exponential(t(SCALES)), lambda s: s.expon(scale=[2.0, 1.0, 0.4])),
    Row("FisherSnedecor", lambda d, t: d.FisherSnedecor(t([1.0, 3.0, 8.0]), t([1.5, 5.0, 9.0])), lambda s: s.f([1.0, 3.0, 8.0], [1.5, 5.0, 9.0]), exact_gradient=False),
    Row("Gamma", lambda d, t: d.Gamma(t(POSITIVE), t(SCALES)), lambda s: s.gamma(POSITIVE, scale=[2.0, 1.0, 0.4]), needs_scipy=True, exact_gradient=False),
    Row("GeneralizedPareto", lambda d, t: d.GeneralizedPareto(t(LOCS), t(SCALES), t([-0.3, 0.0, 0.2])), lambda s: s.genpareto([-0.3, 0.0, 0.2], LOCS, SCALES), rounded=True, torch_differs="log_prob cdf"),
    Row("Geometric", lambda d, t: d.Geometric(t(PROBS)), lambda s: s.geom(PROBS, loc=-1)),
    Row("Geometric logits", lambda d, t: d.Geometric(logits=t(LOCS))),
    Row("Gumbel", lambda d, t: d.Gumbel(t(LOCS), t(SCALES)), lambda s: s.gumbel_r(LOCS, SCALES), rounded=True),
    Row("Gumbel numbers", lambda d, t: d.Gumbel(0.0, 2.0), rounded=True),
    Row("HalfCauchy", lambda d, t: d.HalfCauchy(t(SCALES)), lambda s: s.halfcauchy(scale=SCALES)),
    Row("HalfNormal", lambda d, t: d.HalfNormal(t(SCALES)), lambda s: s.halfnorm(scale=SCALES)),
    Row("Independent", lambda d, t: d.Independent(d.Normal(t([LOCS, SCALES]), 1.0), 1)),
    Row("Independent of none", lambda d, t: d.Independent(d.Bernoulli(t(PROBS)), 0)),
    Row("InverseGamma", lambda d, t: d.InverseGamma(t([0.8, 1.5, 3.5]), t(SCALES)), lambda s: s.invgamma([0.8, 1.5, 3.5], scale=SCALES), needs_scipy=True, exact_gradient=False, rounded=True),
    Row("Kumaraswamy", lambda d, t: d.Kumaraswamy(t([1.5, 2.0, 0.7]), t([2.0, 1.2, 3.0])), rounded=True, torch_differs="mode"),
    Row("LKJCholesky", lambda d, t: d.LKJCholesky(3, t([0.5, 2.0])), exact_gradient=False, rounded=True),
    Row("Laplace", lambda d, t: d.Laplace(t(LOCS), t(SCALES)), lambda s: s.laplace(LOCS, SCALES), rounded=True),
    Row("LogNormal", lambda d, t: d.LogNormal(t(LOCS), t(SCALES)), rounded=True),
    Row("LogisticNormal", lambda d, t: d.LogisticNormal(t([LOCS, SCALES]), t([SCALES, OTHERS])), rounded=True),
    Row("LowRankMultivariateNormal", lambda d, t: d.LowRankMultivariateNormal(t(LOCS), t([[1.0, 0.2], [0.5, -0.3], [-1.0, 2.0]]), t(SCALES)), rounded=True),
    Row("LowRankMultivariateNormal batch", lambda d, t: d.LowRankMultivariateNormal(t([LOCS, SCALES]), t([[1.0], [0.5], [-1.0]]), t(SCALES)), rounded=True),
    Row("MixtureSameFamily", lambda d, t: d.MixtureSameFamily(d.Categorical(t([0.2, 0.3, 0.5])), d.Normal(t(LOCS), t(SCALES)))),
    Row("MixtureSameFamily of vectors", lambda d, t: d.MixtureSameFamily(d.Categorical(t([0.4, 0.6])), d.Independent(d.Normal(t([LOCS, POSITIVE]), t([SCALES, OTHERS])), 1))),
    Row("MixtureSameFamily batch", lambda d, t: d.MixtureSameFamily(d.Categorical(t(SHARES)), d.Normal(t([LOCS, POSITIVE]), t([SCALES, OTHERS])))),
    Row("Multinomial", lambda d, t: d.Multinomial(7, t(SHARES))),
    Row("Multinomial logits", lambda d, t: d.Multinomial(4, logits=t(LOCS))),
    Row("MultivariateNormal covariance", lambda d, t: d.MultivariateNormal(t(LOCS), t(COVARIANCE)), rounded=True),
    Row("MultivariateNormal precision", lambda d, t: d.MultivariateNormal(t([LOCS, SCALES]), precision_matrix=t(COVARIANCE)), rounded=True),
    Row("MultivariateNormal factor", lambda d, t: d.MultivariateNormal(t(LOCS), scale_tril=t([FACTOR, FACTOR])), rounded=True),
    Row("NegativeBinomial", lambda d, t: d.NegativeBinomial(t([1.0, 4.5, 20.0]), t(PROBS)), rounded=True),
    Row("NegativeBinomial logits", lambda d, t: d.NegativeBinomial(3, logits=t(LOCS)), rounded=True),
    Row("Normal", lambda d, t: d.Normal(t(LOCS), t(SCALES)), lambda s: s.norm(LOCS, SCALES)),
    Row("Normal numbers", lambda d, t: d.Normal(0, 2.0)),
    Row("Normal of one shape", lambda d, t: d.Normal(t([[0.0], [1.0]]), t(SCALES))),
    Row("OneHotCategorical", lambda d, t: d.OneHotCategorical(t(SHARES))),
    Row("OneHotCategoricalStraightThrough", lambda d, t: d.OneHotCategoricalStraightThrough(t(SHARES))),
    Row("Pareto", lambda d, t: d.Pareto(t(SCALES), t([0.8, 1.5, 3.5])), lambda s: s.pareto([0.8, 1.5, 3.5], scale=SCALES), rounded=True),
    Row("Poisson", lambda d, t: d.Poisson(t([0.3, 4.0, 25.0])), lambda s: s.poisson([0.3, 4.0, 25.0])),
    Row("RelaxedBernoulli", lambda d, t: d.RelaxedBernoulli(t(0.7), t(PROBS)), rounded=True),
    Row("LogitRelaxedBernoulli", lambda d, t: d.relaxed_bernoulli.LogitRelaxedBernoulli(t(0.7), logits=t(LOCS)), rounded=True),
    Row("RelaxedOneHotCategorical", lambda d, t: d.RelaxedOneHotCategorical(t(0.7), t(SHARES)), rounded=True),
    Row("ExpRelaxedCategorical", lambda d, t: d.relaxed_categorical.ExpRelaxedCategorical(t(0.7), logits=t([LOCS, SCALES])), rounded=True),
    Row("StudentT", lambda d, t: d.StudentT(t([0.8, 1.5, 6.0]), t(LOCS), t(SCALES)), lambda s: s.t([0.8, 1.5, 6.0], LOCS, SCALES), exact_gradient=False, rounded=True),
    Row("StudentT alone", lambda d, t: d.StudentT(t(OTHERS)), exact_gradient=False, rounded=True),
    Row("TransformedDistribution", lambda d, t: d.TransformedDistribution(d.Normal(t(LOCS), t(SCALES)), [d.AffineTransform(1.0, t([2.0, -0.5, 1.0])), d.SigmoidTransform()]), rounded=True),
    Row("TransformedDistribution of vectors", lambda d, t: d.TransformedDistribution(d.Normal(t([LOCS, SCALES]), 1.0), [d.StickBreakingTransform()]), rounded=True),
    Row("Uniform", lambda d, t: d.Uniform(t([-1.0, 0.0, 2.0]), t([0.5, 1.0, 5.0])), lambda s: s.uniform([-1.0, 0.0, 2.0], [1.5, 1.0, 3.0])),
    Row("VonMises", lambda d, t: d.VonMises(t([-1.5, 0.0, 2.0]), t([0.5, 1.0, 5.0])), rounded=True),
    Row("Weibull", lambda d, t: d.Weibull(t(SCALES), t([0.8, 1.5, 3.0])), lambda s: s.weibull_min([0.8, 1.5, 3.0], scale=SCALES), rounded=True),
    Row("Wishart", lambda d, t: d.Wishart(t(5.0), t(COVARIANCE)), rounded=True, torch_differs="rsample mean mode variance stddev", exact_gradient=False),
    Row("Wishart batch", lambda d, t: d.Wishart(t([4.0, 6.5]), precision_matrix=t(COVARIANCE)), rounded=True, torch_differs="rsample mean mode variance stddev", exact_gradient=False),
    Row("Wishart factor", lambda d, t: d.Wishart(4, scale_tril=t([FACTOR, FACTOR])), rounded=True, torch_differs="rsample mean mode variance stddev", exact_gradient=False),
]  # fmt: skip
