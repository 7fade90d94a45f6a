"""Distributions that SciPy has, too: densities, distribution functions, moments and entropies are its."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import distributions
from tests.distributions.table import ROWS

stats = pytest.importorskip("scipy.stats")


def asked(compute):
    try:
        return compute()
    except NotImplementedError:
        return None


@pytest.mark.parametrize("row", [row for row in ROWS if row.scipy is not None], ids=str)
def test_the_same_as_in_scipy(row):
    d, theirs = row.built(torch, distributions)[0], row.scipy(stats)
    x = d.sample((7,))
    array = x.numpy()
    density = theirs.logpmf if d.support.is_discrete else theirs.logpdf
    np.testing.assert_allclose(d.log_prob(x).numpy(), density(array), rtol=1e-9, atol=1e-9)
    p = torch.linspace(0.03, 0.97, 5, dtype=torch.float64).reshape(-1, 1)
    for got, want in (
        (asked(lambda: d.cdf(x)), theirs.cdf(array)),
        (asked(lambda: d.icdf(p)), theirs.ppf(p.numpy())),
        (asked(lambda: d.entropy()), theirs.entropy()),
    ):
        if got is not None:
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-6, atol=1e-9)
    for got, want in ((d.mean, theirs.mean()), (d.variance, theirs.var()), (d.stddev, theirs.std())):
        known = np.isfinite(got.numpy()) & np.isfinite(want)
        np.testing.assert_allclose(got.numpy()[known], np.asarray(want)[known], rtol=1e-9)


@pytest.mark.parametrize("parameters", [(3.0, 2), (4.5, 3)])
def test_wishart_and_normal_vectors(parameters):
    df, n = parameters
    rng = np.random.default_rng(0)
    root = rng.normal(size=(n, n))
    covariance = root @ root.T + np.eye(n)
    value = covariance * 2 + np.eye(n)
    ours = distributions.Wishart(df, covariance_matrix=torch.tensor(covariance))
    theirs = stats.wishart(df, covariance)
    np.testing.assert_allclose(ours.log_prob(torch.tensor(value)).item(), theirs.logpdf(value), rtol=1e-10)
    np.testing.assert_allclose(ours.entropy().item(), theirs.entropy(), rtol=1e-10)
    np.testing.assert_allclose(ours.variance.numpy(), theirs.var(), rtol=1e-10)
    loc = rng.normal(size=n)
    vectors = distributions.MultivariateNormal(torch.tensor(loc), torch.tensor(covariance))
    x = rng.normal(size=(4, n))
    theirs = stats.multivariate_normal(loc, covariance)
    np.testing.assert_allclose(vectors.log_prob(torch.tensor(x)).numpy(), theirs.logpdf(x), rtol=1e-10)
    np.testing.assert_allclose(vectors.entropy().item(), theirs.entropy(), rtol=1e-10)


def test_shares_and_counts():
    alpha, p = np.array([0.4, 1.0, 3.5]), np.array([0.2, 0.3, 0.5])
    shares = distributions.Dirichlet(torch.tensor(alpha))
    theirs = stats.dirichlet(alpha)
    np.testing.assert_allclose(shares.log_prob(torch.tensor(p)).item(), theirs.logpdf(p), rtol=1e-10)
    np.testing.assert_allclose(shares.entropy().item(), theirs.entropy(), rtol=1e-10)
    counts = distributions.Multinomial(6, torch.tensor(p))
    x = np.array([1.0, 2.0, 3.0])
    theirs = stats.multinomial(6, p)
    np.testing.assert_allclose(counts.log_prob(torch.tensor(x)).item(), theirs.logpmf(x), rtol=1e-10)
    np.testing.assert_allclose(counts.entropy().item(), theirs.entropy(), rtol=1e-10)


def test_angles():
    loc, k = np.array([-1.0, 2.0]), np.array([0.3, 6.0])
    ours = distributions.VonMises(torch.tensor(loc), torch.tensor(k))
    x = np.linspace(-3, 3, 5).reshape(-1, 1)
    np.testing.assert_allclose(
        ours.log_prob(torch.tensor(x)).numpy(), stats.vonmises(k, loc).logpdf(x), rtol=1e-9
    )
