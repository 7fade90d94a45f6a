"""What every row of the table earns without PyTorch: integrals, sums and draws agree with what a distribution says of itself."""

import io
import json
import math
import pickle

import numpy as np
import pytest

import minigrad as torch
from minigrad import distributions
from minigrad.distributions import constraints
from tests.distributions.grids import grid, has_grid, integral, unchecked, whole_numbers
from tests.distributions.record import PATH, draws
from tests.distributions.table import ROWS
from tests.numeric import check_gradients

RECORDED = json.loads(PATH.read_text())


def made(row, requires_grad=False):
    return row.built(torch, distributions, "float64", requires_grad)[0]


def of_parameters(row):
    """A function of the row's parameters that makes the distribution, and the parameters."""
    _, parameters = row.built(torch, distributions)

    def make(*given):
        given = iter(given)
        return row.make(distributions, lambda values: next(given))

    return make, parameters


def attempt(compute):
    """The result, or None if the distribution has no such thing."""
    try:
        return compute()
    except NotImplementedError:
        return None


def close(got, want, rtol=1e-6, atol=1e-6):
    np.testing.assert_allclose(got.detach().numpy(), want.detach().numpy(), rtol=rtol, atol=atol)


CONTINUOUS = [row for row in ROWS if has_grid(made(row))]
COUNTS = [row for row in ROWS if made(row).event_shape == () and made(row).support.is_discrete]
PARAMETRIC = [row for row in ROWS if of_parameters(row)[1]]


# Draws -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_draws_are_those_recorded_from_pytorch(row):
    rtol = 1e-5 if "number" in row.name else 1e-7
    np.testing.assert_allclose(draws(torch, distributions, row), RECORDED[row.name], rtol=rtol, atol=1e-7)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_moments_are_those_of_draws(row):
    """Within six standard errors, which the draws tell themselves."""
    d = made(row)
    mean, variance = attempt(lambda: d.mean), attempt(lambda: d.variance)
    if mean is None or "VonMises" in row.name or "Categorical" in row.name.split()[0][:11]:
        pytest.skip("has no moments of numbers")
    x = d.sample((3000,))
    fourth = (x - x.mean(0)).pow(4).mean(0)
    for want, got, error in (
        (mean, x.mean(0), x.var(0)),
        (variance, x.var(0), fourth - x.var(0).square()),
    ):
        finite = want.isfinite() & (attempt(lambda: d.variance).isfinite())
        heavy = fourth.sqrt() > 20 * x.var(0)  # tails so heavy that the error is not known
        allowed = 6 * (error / 3000).sqrt() + 1e-6
        wrong = finite & ~heavy & ((want - got).abs() > allowed)
        assert not wrong.any(), (want, got)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_draws_lie_in_the_support_and_have_the_shape(row):
    d = made(row)
    x = d.sample((2, 3))
    assert x.shape == (2, 3, *d.batch_shape, *d.event_shape)
    assert d.support.check(x).all()
    assert d.log_prob(x).shape == (2, 3, *d.batch_shape)
    assert d.sample().shape == d.batch_shape + d.event_shape
    assert not made(row, requires_grad=True).sample().requires_grad


# Densities ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", CONTINUOUS, ids=str)
def test_densities_integrate_to_moments_and_entropies(row):
    d = unchecked(made(row))
    close(integral(d, torch.ones_like), torch.ones(d.batch_shape).double(), rtol=3e-4)  # for kinks
    entropy = attempt(d.entropy)
    if entropy is not None:
        close(integral(d, lambda x: -d.log_prob(x)), entropy, rtol=1e-3, atol=1e-4)
    mean, variance = attempt(lambda: d.mean), attempt(lambda: d.variance)
    if mean is None:
        return
    known = mean.isfinite() & variance.isfinite()
    close(torch.where(known, integral(d, lambda x: x) - mean, 0.0), torch.zeros_like(mean), atol=4e-4)
    around = integral(d, lambda x: (x - mean).square())
    close(torch.where(known, around / variance, 1.0), torch.ones_like(mean), atol=2e-3)


def test_angles_fill_a_circle():
    d = distributions.VonMises(torch.tensor([-1.5, 0.0]), torch.tensor([0.5, 5.0]))
    x = torch.linspace(-math.pi, math.pi, 721)[:-1].reshape(-1, 1)
    p = d.log_prob(x).exp() * (2 * math.pi / 720)
    close(p.sum(0), torch.ones(2), rtol=1e-5)
    close(1 - (p * (x - d.mean).cos()).sum(0), d.variance, rtol=1e-4)


@pytest.mark.parametrize("row", COUNTS, ids=str)
def test_probabilities_sum_to_moments_and_entropies(row):
    d = made(row)
    x = whole_numbers(d)
    p = unchecked(d).log_prob(x).exp()
    close(p.sum(0), torch.ones(d.batch_shape).double())
    entropy = attempt(d.entropy)
    if entropy is not None:
        close(-torch.xlogy(p, p).sum(0), entropy)
    if "Categorical" not in row.name:
        close((p * x).sum(0), d.mean)
        close((p * (x - d.mean).square()).sum(0), d.variance)


@pytest.mark.parametrize("row", [row for row in ROWS if attempt(made(row).entropy) is not None], ids=str)
def test_entropies_are_means_over_draws(row):
    d = made(row)
    surprise = -d.log_prob(d.sample((2000,)))
    error = 6 * (surprise.var(0) / 2000).sqrt() + 1e-6
    assert ((surprise.mean(0) - d.entropy()).abs() < error).all(), (surprise.mean(0), d.entropy())


@pytest.mark.parametrize("row", CONTINUOUS, ids=str)
def test_distribution_functions_are_integrals_of_densities(row):
    if row.needs_scipy:
        pytest.importorskip("scipy")
    d = unchecked(made(row))
    x, log_weight = grid(d)
    cdf = attempt(lambda: d.cdf(x))
    if cdf is None:
        pytest.skip("has no cdf")
    weight = (d.log_prob(x) + log_weight).exp()
    summed = weight.cumsum(0) - weight / 2
    close(torch.where(weight > 0, cdf - summed, 0.0), torch.zeros_like(cdf), atol=2e-3)
    probabilities = torch.linspace(0.05, 0.95, 7).double().reshape(-1, *[1] * len(d.batch_shape))
    quantiles = attempt(lambda: d.icdf(probabilities))
    if quantiles is not None:
        close(d.cdf(quantiles), probabilities.expand_as(quantiles), rtol=1e-5)


# Gradients ---------------------------------------------------------------------------------------------------


MATRIX = "a matrix that is moved is not symmetric; test_torch.py compares its gradients"
#: Rows whose parameters cannot be moved a little -> why.
NOT_MOVED = {
    "Binomial": "counts are whole",
    "GeneralizedPareto": "around a concentration of 0 another formula holds",
    "LowRankMultivariateNormal": MATRIX,
    "MultivariateNormal": MATRIX,
    "OneHotCategoricalStraightThrough": "draws jump; their gradients are defined otherwise",
    "Wishart": MATRIX,
}


@pytest.mark.parametrize("row", PARAMETRIC, ids=str)
def test_gradients_of_densities(row):
    make, parameters = of_parameters(row)
    value = make(*parameters).sample()

    def log_prob(*given):
        return unchecked(make(*given)).log_prob(value)

    for p in parameters:
        p.requires_grad_()
    if not log_prob(*parameters).requires_grad:
        pytest.skip("does not depend on the parameters")
    arrays = [p.detach().numpy() for p in parameters]
    if row.name.split()[0] in NOT_MOVED:
        pytest.skip(NOT_MOVED[row.name.split()[0]])
    check_gradients(log_prob, *arrays, order=1, rtol=1e-4, atol=1e-5, directions=2)


REPARAMETRISED = [row for row in PARAMETRIC if row.exact_gradient and made(row).has_rsample]


@pytest.mark.parametrize("row", REPARAMETRISED, ids=str)
def test_gradients_of_draws(row):
    """The draws of one seed are a smooth function of the parameters."""
    make, parameters = of_parameters(row)
    if row.name.split()[0] in NOT_MOVED:
        pytest.skip(NOT_MOVED[row.name.split()[0]])

    def rsample(*given):
        torch.manual_seed(4)
        return make(*given).rsample((3,))

    check_gradients(rsample, *[p.numpy() for p in parameters], order=1, rtol=1e-4, atol=1e-5, directions=2)


# Copies ------------------------------------------------------------------------------------------------------


class Recorder(pickle.Unpickler):
    """Notes the modules that a pickle names."""

    def find_class(self, module, name):
        named.add(module)
        return super().find_class(module, name)


named = set()


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_pickled(row):
    d = made(row)
    value = d.sample()
    named.clear()
    copy = Recorder(io.BytesIO(pickle.dumps(d))).load()
    ours = {module for module in named if module.startswith("minigrad.distributions")}
    assert ours
    assert not [module for module in ours if "._" in module], "what is private may move"
    assert type(copy) is type(d)
    assert repr(copy) == repr(d)
    assert torch.equal(copy.log_prob(value), d.log_prob(value))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_expanded(row):
    d = made(row)
    wide = d.expand((3, *d.batch_shape))
    assert type(wide) is type(d)
    assert (wide.batch_shape, wide.event_shape) == ((3, *d.batch_shape), d.event_shape)
    value = d.sample()
    close(wide.log_prob(value), d.log_prob(value).expand(wide.batch_shape), rtol=1e-12)
    assert wide.sample((2,)).shape == (2, 3, *d.batch_shape, *d.event_shape)
    for name in ("mean", "variance", "entropy"):
        of = (lambda d: d.entropy()) if name == "entropy" else (lambda d, name=name: getattr(d, name))
        want = attempt(lambda of=of: of(d))
        if want is not None:
            close(of(wide), want.expand(of(wide).shape), rtol=1e-12)
    assert wide._validate_args == d._validate_args


# Transforms of functions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", PARAMETRIC, ids=str)
def test_batches_of_parameters(row):
    """``vmap`` over parameters is a loop over them; draws get numbers of their own, or the same."""
    make, parameters = of_parameters(row)
    value = make(*parameters).sample()
    batches = [torch.stack([p, p]) for p in parameters]
    got = torch.vmap(lambda *given: make(*given).log_prob(value))(*batches)
    want = make(*parameters).log_prob(value)
    close(got, torch.stack([want, want]), rtol=1e-10)
    drawn = torch.vmap(lambda *given: make(*given).sample((2,)), randomness="different")(*batches)
    assert drawn.shape == (2, 2, *value.shape)
    assert make(*parameters).support.check(drawn).all()
    if value.dtype.is_floating_point and not made(row).support.is_discrete:
        assert not torch.equal(drawn[0], drawn[1])


@pytest.mark.parametrize("row", PARAMETRIC, ids=str)
def test_gradients_by_func(row):
    make, parameters = of_parameters(row)
    value = make(*parameters).sample()

    def total(*given):
        return make(*given).log_prob(value).sum()

    places = tuple(range(len(parameters)))
    leaves = [p.clone().requires_grad_() for p in parameters]
    out = total(*leaves)
    if not out.requires_grad:
        pytest.skip("does not depend on the parameters")
    want = torch.autograd.grad(out, leaves, allow_unused=True)
    for g, w in zip(torch.func.grad(total, places)(*parameters), want):
        close(g, torch.zeros_like(g) if w is None else w, rtol=1e-10)


def test_the_same_numbers_for_all_samples():
    locs = torch.tensor([0.0, 10.0])
    draw = torch.vmap(lambda loc: distributions.Normal(loc, 1.0).rsample(), randomness="same")(locs)
    assert (draw[1] - draw[0]).round(decimals=4) == 10


def test_an_invalid_sample_of_a_batch_is_found():
    with pytest.raises(ValueError, match="Expected parameter scale"):
        torch.vmap(lambda s: distributions.Normal(0.0, s).variance)(torch.tensor([1.0, -1.0]))


@pytest.mark.parametrize("kind", ["Gamma", "Beta", "Dirichlet"])
def test_gradients_of_batches_of_draws(kind):
    """Each sample's gradient is that of the draw that it got."""
    alpha = torch.tensor([[0.5, 2.0], [3.0, 1.0]], dtype=torch.float64)

    def draw(a):
        if kind == "Dirichlet":
            return distributions.Dirichlet(a).rsample()[0]
        return getattr(distributions, kind)(a[0], a[1]).rsample()

    torch.manual_seed(0)
    got = torch.vmap(torch.func.grad(draw), randomness="different")(alpha)
    torch.manual_seed(0)
    want = torch.stack([torch.func.grad(draw)(a) for a in alpha])
    close(got, want, rtol=1e-10)
    torch.manual_seed(0)
    _, tangent = torch.func.jvp(draw, (alpha[0],), (torch.tensor([1.0, 0.0]).double(),))
    close(tangent, want[0, 0], rtol=1e-8)


def test_no_constraint_is_left_dependent():
    for row in ROWS:
        assert not constraints.is_dependent(made(row).support)
        assert math.isfinite(made(row).support.event_dim)
