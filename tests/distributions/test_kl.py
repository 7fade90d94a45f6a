"""Divergences: integrals and sums of ``p log(p / q)``, by which functions they are found, and users' own."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad import distributions
from minigrad.distributions import Distribution, Normal, constraints, kl, kl_divergence, register_kl
from tests.distributions.grids import grid, has_grid, unchecked, whole_numbers
from tests.distributions.table import ROWS


def divergence(p, q):
    try:
        return kl_divergence(p, q)
    except NotImplementedError:
        return None


def made(row):
    return row.built(torch, distributions)[0]


def registered(p, q):
    return kl._dispatch_kl(type(p), type(q)) is not NotImplemented


UNIVARIATE = [row for row in ROWS if has_grid(made(row)) and "number" not in row.name]
COUNTED = [row for row in ROWS if made(row).event_shape == () and made(row).support.is_discrete]
PAIRS = [(p, q) for rows in (UNIVARIATE, COUNTED) for p in rows for q in rows if registered(made(p), made(q))]


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda row: str(row))
def test_divergences_are_integrals(first, second):
    p, q = made(first), made(second)
    found = divergence(p, q)
    if found is None:
        return
    if first in UNIVARIATE:
        x, log_weight = grid(p)
    else:
        x = whole_numbers(p, 400)
        log_weight = torch.zeros_like(x)
    p, q = unchecked(p), unchecked(q)
    inside = (
        unchecked(q).support.check(x)
        if not torch.distributions.constraints.is_dependent(q.support)
        else x == x
    )
    own = p.log_prob(x)
    try:
        other = torch.where(inside, q.log_prob(x), -float("inf"))
    except RuntimeError:
        pytest.skip("one has no density where the other has")
    weight = (own + log_weight).exp()
    mass_outside = torch.where(inside, 0.0, weight).sum(0)
    integral = torch.where((weight < 1e-300) | ~inside, 0.0, weight * (own - other)).sum(0)
    for claimed, got, outside in zip(
        *[t.expand(found.shape).flatten().tolist() for t in (found, integral, mass_outside)]
    ):
        if np.isinf(claimed):
            assert outside > 0 or got > 50 or np.isinf(got) or "Pareto" in first.name, (claimed, got)
        else:
            assert outside < 1e-6
            assert abs(claimed - got) < 2e-3 * max(1, abs(claimed)), (claimed, got)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_nothing_diverges_from_itself(row):
    found = divergence(made(row), made(row))
    if found is not None:
        np.testing.assert_allclose(found.numpy(), 0, atol=1e-8 if "number" not in row.name else 1e-5)
        assert found.shape == made(row).batch_shape


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("MultivariateNormal covariance", "LowRankMultivariateNormal"),
        ("MultivariateNormal factor", "LowRankMultivariateNormal"),
        ("LowRankMultivariateNormal", "MultivariateNormal covariance"),
        ("LowRankMultivariateNormal batch", "LowRankMultivariateNormal"),
        ("MultivariateNormal precision", "MultivariateNormal covariance"),
        ("Dirichlet", "Dirichlet"),
        ("Independent", "Independent"),
        ("Wishart batch", "Wishart"),
        ("OneHotCategorical", "OneHotCategorical"),
    ],
)
def test_divergences_of_vectors_are_means_over_draws(first, second):
    p, q = (made(next(row for row in ROWS if row.name == name)) for name in (first, second))
    if first == second and "Dirichlet" in first:
        q = distributions.Dirichlet(q.concentration + 1)
    if first == second == "Independent":
        q = distributions.Independent(Normal(torch.zeros(2, 3).double(), 2.0), 1)
    x = p.sample((4000,))
    difference = p.log_prob(x) - q.log_prob(x)
    error = 6 * (difference.var(0) / 4000).sqrt() + 1e-6
    assert ((difference.mean(0) - kl_divergence(p, q)).abs() < error).all()


def test_divergences_of_transformed_distributions_are_those_of_their_bases():
    p, q = distributions.LogNormal(0.0, 1.0), distributions.LogNormal(1.0, 2.0)
    assert kl_divergence(p, q) == kl_divergence(p.base_dist, q.base_dist)
    with pytest.raises(NotImplementedError):
        kl_divergence(p, distributions.TransformedDistribution(q.base_dist, distributions.SigmoidTransform()))


def test_event_shapes_must_agree():
    p, q = (distributions.MultivariateNormal(torch.zeros(n), torch.eye(n)) for n in (2, 3))
    with pytest.raises(ValueError, match="KL-divergence between two Multivariate Normals"):
        kl_divergence(p, q)
    with pytest.raises(NotImplementedError):
        kl_divergence(
            distributions.Independent(Normal(torch.zeros(2, 2), 1.0), 1),
            distributions.Independent(Normal(torch.zeros(2, 2), 1.0), 2),
        )


def test_impossible_events():
    p, q = torch.tensor([0.0, 1.0, 0.5]), torch.tensor([[0.5], [0.0], [1.0]])
    inf = float("inf")
    want = [[np.log(2), np.log(2), 0], [0, inf, inf], [inf, 0, inf]]
    got = kl_divergence(distributions.Bernoulli(p), distributions.Bernoulli(q))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-6, atol=1e-6)
    p, q = torch.tensor([0.0, 0.5, 0.5]), torch.tensor([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])
    got = kl_divergence(distributions.Categorical(p), distributions.Categorical(q))
    np.testing.assert_allclose(got.numpy(), [np.log(2), inf], rtol=1e-6)
    assert kl_divergence(distributions.Poisson(0.0), distributions.Poisson(2.0)) == 2


# Registering ---------------------------------------------------------------------------------------------------


class Base(Distribution):
    arg_constraints = {}
    support = constraints.real


class Left(Base):
    pass


class Right(Base):
    pass


class LeftOfLeft(Left):
    pass


@pytest.fixture
def registry():
    """What is registered within a test is forgotten after it."""
    before = dict(kl._KL_REGISTRY)
    yield
    kl._KL_REGISTRY.clear()
    kl._KL_REGISTRY.update(before)
    kl._KL_MEMOIZE.clear()


def test_the_nearest_classes_are_found(registry):
    for types in ((Base, Base), (Left, Base), (Left, Right)):
        register_kl(*types)(lambda p, q, types=types: types)
    assert kl_divergence(Right(), Right()) == (Base, Base)
    assert kl_divergence(Left(), Left()) == (Left, Base)
    assert kl_divergence(LeftOfLeft(), Right()) == (Left, Right)
    register_kl(LeftOfLeft, Right)(lambda p, q: "nearer")
    assert kl_divergence(LeftOfLeft(), Right()) == "nearer"


def test_an_ambiguous_pair_is_warned_of_once(registry):
    register_kl(Left, Base)(lambda p, q: "for p")
    register_kl(Base, Left)(lambda p, q: "for q")
    with pytest.warns(
        RuntimeWarning, match=r"Ambiguous kl_divergence\(Left, Left\). Please register_kl\(Left, Left\)"
    ):
        assert kl_divergence(Left(), Left()) == "for p"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kl_divergence(Left(), Left()) == "for p"


def test_a_users_subclass_has_the_divergence_of_its_base():
    class Mine(Normal):
        pass

    assert kl_divergence(Mine(0.0, 1.0), Normal(1.0, 1.0)) == 0.5


@pytest.mark.torch
def test_dispatch_is_pytorchs(registry):
    library = pytest.importorskip("torch")
    theirs = library.distributions.kl
    before = dict(theirs._KL_REGISTRY)

    class TheirBase(library.distributions.Distribution):
        pass

    class TheirLeft(TheirBase):
        pass

    class TheirInner(TheirLeft):
        pass

    ours = [Base, Left, LeftOfLeft]
    classes = [TheirBase, TheirLeft, TheirInner]
    places = [(0, 0), (1, 0), (0, 1), (1, 2), (2, 0)]
    try:
        for number in range(1, len(places) + 1):
            i, j = places[number - 1]
            theirs.register_kl(classes[i], classes[j])(f"{i} {j}")
            register_kl(ours[i], ours[j])(f"{i} {j}")
            for a in range(3):
                for b in range(3):
                    results = []
                    for module, kinds in ((theirs, classes), (kl, ours)):
                        with warnings.catch_warnings(record=True) as caught:
                            warnings.simplefilter("always")
                            results.append((module._dispatch_kl(kinds[a], kinds[b]), len(caught)))
                    assert results[0] == results[1], (number, a, b)
    finally:
        theirs._KL_REGISTRY.clear()
        theirs._KL_REGISTRY.update(before)
        theirs._KL_MEMOIZE.clear()
