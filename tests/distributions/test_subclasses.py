"""Distributions that users make of these, and the parts that libraries take from inside."""

import pytest

import minigrad as torch
from minigrad import distributions as d
from minigrad.distributions import Distribution, ExponentialFamily, constraints, utils


class Shifted(d.Normal):
    """With a constructor of its own."""

    def __init__(self, by):
        super().__init__(by, 1.0)


class Named(d.Normal):
    """Without."""

    colour = "red"


class Tracked(d.Normal):
    """With an ``expand`` that fills its own attributes."""

    def __init__(self, loc, scale, tag):
        super().__init__(loc, scale)
        self.tag = tag

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(Tracked, _instance)
        new.tag = self.tag
        return super().expand(batch_shape, _instance=new)


def test_a_constructor_needs_an_expand():
    with pytest.raises(
        NotImplementedError, match="Subclass Shifted of Normal that defines a custom __init__ method"
    ):
        Shifted(1.0).expand((2,))


def test_expanded_objects_are_of_the_subclass():
    named = Named(0.0, 1.0).expand((2,))
    assert (type(named), named.colour, named.batch_shape) == (Named, "red", (2,))
    tracked = Tracked(0.0, 1.0, "a").expand((3,))
    assert (type(tracked), tracked.tag, tracked.loc.shape) == (Tracked, "a", (3,))


class Laplacian(ExponentialFamily):
    """An exponential family of a user: the exponential distribution by its natural parameter."""

    arg_constraints = {"theta": constraints.less_than(0.0)}
    support = constraints.nonnegative
    _mean_carrier_measure = 0

    def __init__(self, theta, validate_args=None):
        self.theta = theta
        super().__init__(theta.shape, validate_args=validate_args)

    @property
    def _natural_params(self):
        return (self.theta,)

    def _log_normalizer(self, theta):
        return -(-theta).log()


def test_an_exponential_family_has_entropy_and_divergence():
    p, q = Laplacian(torch.tensor([-1.0, -2.0])), Laplacian(torch.tensor([-3.0]))
    exact_p, exact_q = d.Exponential(-p.theta), d.Exponential(-q.theta)
    assert torch.allclose(p.entropy(), exact_p.entropy())
    assert torch.allclose(d.kl_divergence(p, q), d.kl_divergence(exact_p, exact_q))
    theta = torch.tensor([-2.0], requires_grad=True)
    divergence = d.kl_divergence(Laplacian(theta), q)
    (got,) = torch.autograd.grad(divergence + Laplacian(theta).entropy(), theta)
    exact = d.kl_divergence(d.Exponential(-theta), exact_q) + d.Exponential(-theta).entropy()
    (want,) = torch.autograd.grad(exact, theta)
    assert torch.allclose(got, want)
    with pytest.raises(
        NotImplementedError, match="The cross KL-divergence between different exponential families"
    ):
        d.kl_divergence(p, exact_q)


@pytest.mark.parametrize(
    "p",
    [
        d.Bernoulli(0.3),
        d.ContinuousBernoulli(torch.tensor([0.1, 0.8])),
        d.Exponential(2.0),
        d.Gamma(2.0, 3.0),
        d.Normal(1.0, 2.0),
        d.Wishart(torch.tensor(4.0), torch.eye(2) + 0.5),
    ],
    ids=lambda p: type(p).__name__,
)
def test_entropies_of_families_are_their_general_ones(p):
    if isinstance(p, (d.Normal, d.Gamma, d.Wishart, d.ContinuousBernoulli)):
        own, general = d.kl_divergence(p, p), d.kl._kl_expfamily_expfamily(p, p)
        assert torch.allclose(own if not isinstance(p, d.Wishart) else general, general, atol=1e-4)
    if isinstance(p, (d.Bernoulli, d.Exponential)):
        assert torch.allclose(ExponentialFamily.entropy(p), p.entropy())


def test_gradients_pass_through_lazy_attributes_made_without_recording():
    logits = torch.tensor([0.5], requires_grad=True)
    coin = d.Bernoulli(logits=logits)
    with torch.no_grad():
        coin.sample()
    coin.probs.backward()
    assert logits.grad.item() == pytest.approx(0.2350, abs=1e-4)


def test_lazy_properties_of_a_class_are_properties():
    assert isinstance(d.Bernoulli.probs, property)
    assert isinstance(d.Bernoulli.probs, utils.lazy_property)


def test_a_distribution_in_a_batch_of_several_families():
    """The base of all has what a mixin of a library calls."""

    class Mixin:
        def __init__(self, *args, **kwargs):
            self.mixed = True
            super().__init__(*args, **kwargs)

        def to_event(self, n):
            return d.Independent(self, n)

    class Both(d.Normal, Mixin):
        pass

    both = Both(torch.zeros(3), 1.0)
    assert both.mixed
    assert both.to_event(1).event_shape == (3,)
    assert both.expand((2, 3)).mixed


def test_what_looks_like_a_tensor_is_let_pass():
    class Like:
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return "asked"

    assert utils._tensor_like(Like())
    assert not utils._tensor_like([1.0])


def test_private_helpers_of_libraries():
    factor = torch.tensor([[[2.0, 0.0], [1.0, 1.0]]])
    mahalanobis = d.multivariate_normal._batch_mahalanobis(factor, torch.ones(5, 1, 2))
    assert mahalanobis.shape == (5, 1)
    assert torch.allclose(mahalanobis, torch.full((5, 1), 0.5))
    assert torch.allclose(
        d.multivariate_normal._batch_mahalanobis(factor, torch.ones(2)), torch.tensor([0.5])
    )
    precision = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    lower = d.multivariate_normal._precision_to_scale_tril(precision)
    assert torch.allclose(lower @ lower.T, precision.inverse())
    assert torch.equal(lower, lower.tril())
    assert d.multivariate_normal._batch_mv(factor, torch.ones(1, 2)).tolist() == [[2, 2]]
    assert utils._sum_rightmost(torch.ones(2, 3, 4), 2).tolist() == [12, 12]
    assert utils._standard_normal((2,), torch.float64, torch.device("cpu")).dtype is torch.float64


def test_triangles_as_vectors():
    for n in (1, 2, 5):
        for diag in range(-n + 1, n):
            mat = torch.randn(3, n, n)
            vec = utils.tril_matrix_to_vec(mat, diag)
            assert torch.equal(utils.vec_to_tril_matrix(vec, diag), mat.tril(diag))


def test_the_default_of_distributions_applies_to_subclasses_that_are_silent():
    assert Distribution._validate_args is True
    assert "_validate_args" not in d.Normal(0.0, 1.0).__dict__
