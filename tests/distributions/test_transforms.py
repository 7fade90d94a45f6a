"""Transforms undo what they do, stretch volumes by what they say, and give what PyTorch's give."""

import gc
import math
import pickle
import weakref

import numpy as np
import pytest

import minigrad
from minigrad import distributions
from minigrad.distributions import biject_to, constraints, transform_to

VECTOR = [[0.3, -1.2, 2.0, 0.1], [1.0, 0.0, -0.5, 0.4]]
NUMBERS, POSITIVE = [[-1.3, 0.0, 2.2, 0.7]], [[0.4, 1.0, 2.5, 7.0]]
MATRICES = [[[0.4, 0.9], [-0.3, 1.1]], [[0.0, 1.0], [2.0, -1.0]]]

#: name -> (the transform of (distributions, tensor), x)
TRANSFORMS = {
    "abs": (lambda d, t: d.AbsTransform(), POSITIVE),
    "affine": (lambda d, t: d.AffineTransform(1.5, -2.0), NUMBERS),
    "affine tensors": (lambda d, t: d.AffineTransform(t([1.0, 2.0, 3.0, 4.0]), t([[0.5], [-2.0]])), VECTOR),
    "affine vectors": (lambda d, t: d.AffineTransform(1.0, t([1.0, 2.0, 3.0, 4.0]), event_dim=1), VECTOR),
    "affine vectors by a number": (lambda d, t: d.AffineTransform(1.0, 3.0, event_dim=1), VECTOR),
    "cat": (lambda d, t: d.CatTransform([d.ExpTransform(), d.AffineTransform(1.0, 2.0)], dim=1, lengths=[1, 3]), VECTOR),
    "cat of vectors": (lambda d, t: d.CatTransform([d.ExpTransform(), d.identity_transform], dim=0, lengths=[1, 1]), VECTOR),
    "cat with values": (lambda d, t: d.CatTransform([d.IndependentTransform(d.ExpTransform(), 1), d.IndependentTransform(d.SigmoidTransform(), 1)], dim=-1, lengths=[1, 3]), VECTOR),
    "compose": (lambda d, t: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.TanhTransform(), d.AffineTransform(t([1.0, 2.0, 3.0, 4.0]), 3.0)]), NUMBERS),
    "compose of vectors": (lambda d, t: d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.StickBreakingTransform(), d.ExpTransform()]), VECTOR),
    "correlations": (lambda d, t: d.CorrCholeskyTransform(), [[0.3, -0.5, 0.8], [0.0, 1.0, -1.0]]),
    "cdf": (lambda d, t: d.CumulativeDistributionTransform(d.Normal(1.0, t(2.0))), NUMBERS),
    "exp": (lambda d, t: d.ExpTransform(), NUMBERS),
    "identity": (lambda d, t: d.identity_transform, NUMBERS),
    "independent": (lambda d, t: d.IndependentTransform(d.ExpTransform(), 1), VECTOR),
    "inverse": (lambda d, t: d.ExpTransform().inv, POSITIVE),
    "inverse of several": (lambda d, t: d.ComposeTransform([d.ExpTransform(), d.AffineTransform(0.0, 2.0)]).inv, POSITIVE),
    "lower": (lambda d, t: d.LowerCholeskyTransform(), MATRICES),
    "positive definite": (lambda d, t: d.PositiveDefiniteTransform(), MATRICES),
    "power": (lambda d, t: d.PowerTransform(t([2.0, -1.0, 0.5, 3.0])), POSITIVE),
    "power number": (lambda d, t: d.PowerTransform(-2.0), POSITIVE),
    "reshape": (lambda d, t: d.ReshapeTransform((4,), (2, 2)), VECTOR),
    "sigmoid": (lambda d, t: d.SigmoidTransform(), NUMBERS),
    "softmax": (lambda d, t: d.SoftmaxTransform(), VECTOR),
    "softplus": (lambda d, t: d.SoftplusTransform(), NUMBERS),
    "stack": (lambda d, t: d.StackTransform([d.ExpTransform(), d.AffineTransform(1.0, 2.0)], dim=0), VECTOR),
    "sticks": (lambda d, t: d.StickBreakingTransform(), VECTOR),
    "tanh": (lambda d, t: d.TanhTransform(), NUMBERS),
}  # fmt: skip
PROJECTING = {"softmax", "lower", "positive definite"}  # several x have one y


def built(name, library=minigrad, module=distributions):
    make, x = TRANSFORMS[name]
    return make(module, lambda values: library.tensor(values, dtype=library.float64)), library.tensor(
        x, dtype=library.float64
    )


@pytest.mark.parametrize("name", TRANSFORMS)
def test_inverses(name):
    transform, x = built(name)
    y = transform(x)
    back = transform(transform.inv(y))
    np.testing.assert_allclose(back.numpy(), y.numpy(), rtol=1e-10)
    if name not in PROJECTING:
        np.testing.assert_allclose(transform.inv(y).expand_as(y if y.shape == x.shape else x).numpy(), x.expand_as(transform.inv(y)).numpy(), rtol=1e-9, atol=1e-12)  # fmt: skip
    assert transform.inv.inv == transform
    assert transform.forward_shape(x.shape) == y.shape
    if transform.domain.event_dim == transform.codomain.event_dim:
        assert transform.event_dim == transform.domain.event_dim


@pytest.mark.parametrize("name", TRANSFORMS)
def test_values_lie_in_the_codomain(name):
    transform, x = built(name)
    assert transform.domain.check(x).all()
    assert transform.codomain.check(transform(x)).all()
    assert transform.inv.domain.check(transform(x)).all()


#: Between as many numbers on both sides, or with shares or correlations as the last step.
VOLUMES = [n for n in TRANSFORMS if built(n)[0].bijective and n != "compose of vectors"]


@pytest.mark.parametrize("name", VOLUMES)
def test_volumes_are_stretched_by_the_jacobian(name):
    transform, x = built(name)
    y = transform(x)
    claimed = transform.log_abs_det_jacobian(x, y)
    whole = claimed.sum() * (
        y.numel() / y[0].numel() / x.shape[0] if claimed.dim() == 0 else 1
    )  # of all numbers together
    jacobian = minigrad.func.jacrev(transform)(x)
    if (
        y.shape != x.shape
    ):  # shares and correlations have a free place less: take as many as there are numbers
        x0, y0 = x[:1], transform(x[:1])
        free = minigrad.func.jacrev(lambda x: free_part(name, transform(x)))(x0)
        found = minigrad.linalg.slogdet(free.reshape(x0.numel(), x0.numel()))[1]
        if transform.forward_shape(x.shape)[:1] == x.shape[:1] and claimed.dim() == 1:
            np.testing.assert_allclose(
                transform.log_abs_det_jacobian(x0, y0).sum().item(), found.item(), rtol=1e-8
            )
        return
    found = minigrad.linalg.slogdet(jacobian.reshape(x.numel(), x.numel()))[1]
    np.testing.assert_allclose(whole.item(), found.item(), rtol=1e-8, atol=1e-12)
    other_way = transform.inv.log_abs_det_jacobian(y, x)
    np.testing.assert_allclose(other_way.numpy(), -claimed.numpy(), rtol=1e-10)


def free_part(name, y):
    """As many numbers of y as determine the rest."""
    if name == "sticks":
        return y[..., :-1]
    if name == "correlations":
        return distributions.utils.tril_matrix_to_vec(y, -1)
    return y


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_cache_gives_back_the_very_argument(name):
    if name in ("identity", "inverse", "inverse of several", "compose", "compose of vectors"):
        return
    transform, x = built(name)
    cached = transform.with_cache()
    assert cached.with_cache() is cached
    y = cached(x)
    assert cached(x) is y
    assert cached.inv(y) is x
    assert cached.inv(y.clone()) is not x
    assert cached.with_cache(0)._cache_size == 0
    assert cached == transform or type(transform).__eq__ is distributions.Transform.__eq__


def test_caches_of_parts():
    t = distributions.ComposeTransform(
        [distributions.TanhTransform(), distributions.ExpTransform()], cache_size=1
    )
    x = minigrad.full((1,), 30.0)
    assert t.inv(t(x)) is x  # where the inverse of 1 is infinite


@pytest.mark.parametrize("name", TRANSFORMS)
def test_pickled(name):
    transform, x = built(name)
    _ = transform.inv
    copy = pickle.loads(pickle.dumps(transform))
    assert minigrad.equal(copy(x), transform(x))
    assert minigrad.equal(copy.inv(copy(x)), transform.inv(transform(x)))
    assert repr(copy) == repr(transform)
    assert type(copy).__module__ == "minigrad.distributions.transforms"


@pytest.mark.parametrize("name", TRANSFORMS)
def test_under_vmap(name):
    if "cat" in name or "stack" in name or "affine tensors" == name:
        return  # dimensions counted from the front belong to the batch
    transform, x = built(name)
    batched = minigrad.vmap(transform)(minigrad.stack([x, x]))
    np.testing.assert_allclose(batched[1].numpy(), transform(x).numpy(), rtol=1e-12)


def test_equality():
    a, b = distributions.AffineTransform, distributions.ExpTransform
    assert a(0.0, 1.0) == a(0.0, 1.0) != a(0.0, 2.0)
    assert a(minigrad.zeros(2), 1.0) == a(0.0, 1.0)
    assert b() == b() != a(0.0, 1.0)
    assert b().inv == b().inv != b()
    assert distributions.ComposeTransform([b(), b().inv]) == distributions.ComposeTransform([b(), b().inv])
    power = distributions.PowerTransform
    assert power(2.0) == power(2.0) != power(3.0)
    assert distributions.ReshapeTransform((1,), (1, 1)) != distributions.ReshapeTransform((1,), (1, 1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(b())


def test_one_scale_for_all_dimensions_of_a_value():
    x = minigrad.ones(2, 3)
    one, each = (distributions.AffineTransform(0.0, minigrad.full(n, 2.0), event_dim=1) for n in ((), (3,)))
    assert minigrad.equal(one.log_abs_det_jacobian(x, x), each.log_abs_det_jacobian(x, x))


@pytest.mark.parametrize(
    "make",
    [
        distributions.TanhTransform,
        lambda cache_size: distributions.ComposeTransform([distributions.TanhTransform()], cache_size),
    ],
)
def test_what_a_cache_holds_is_freed_with_the_transform(make):
    gc.disable()
    try:
        x = minigrad.ones(2, requires_grad=True) * 2
        t = make(cache_size=1)
        assert t.inv(t(x)) is x
        assert t.inv.inv is t or t.inv.inv == t
        gone = weakref.ref(x)
        del t, x
        assert gone() is None
    finally:
        gc.enable()


def test_signs():
    d = distributions
    assert d.ExpTransform().sign == d.ExpTransform().inv.sign == 1
    assert [d.AffineTransform(0, s).sign for s in (2, -2.0, 0)] == [1, -1, 0]
    assert d.AffineTransform(0, minigrad.tensor([1.0, -1.0])).sign.tolist() == [1, -1]
    assert d.ComposeTransform([d.AffineTransform(0, -1.0), d.PowerTransform(-1.0)]).sign == 1


def test_a_transform_of_a_user():
    class Shift(distributions.Transform):
        domain = codomain = constraints.real
        bijective = True

        def __init__(self, by, cache_size=0):
            super().__init__(cache_size)
            self.by = by

        def _call(self, x):
            return x + self.by

        def _inverse(self, y):
            return y - self.by

        def log_abs_det_jacobian(self, x, y):
            return minigrad.zeros_like(x)

    moved = distributions.TransformedDistribution(distributions.Normal(0.0, 1.0), Shift(3.0))
    assert moved.log_prob(minigrad.tensor(3.0)) == distributions.Normal(0.0, 1.0).log_prob(
        minigrad.tensor(0.0)
    )
    with pytest.raises(NotImplementedError, match="with_cache is not implemented"):
        Shift(1.0).with_cache()


# Onto constraints ----------------------------------------------------------------------------------------------

CONSTRAINTS = {
    "real": (lambda c: c.real, (3,)),
    "real vector": (lambda c: c.real_vector, (2, 3)),
    "positive": (lambda c: c.positive, (3,)),
    "nonnegative": (lambda c: c.nonnegative, (3,)),
    "above": (lambda c: c.greater_than(2.0), (3,)),
    "below": (lambda c: c.less_than(-1.0), (3,)),
    "interval": (lambda c: c.interval(-1.0, 4.0), (3,)),
    "unit interval": (lambda c: c.unit_interval, (3,)),
    "half open": (lambda c: c.half_open_interval(0.0, 3.0), (3,)),
    "simplex": (lambda c: c.simplex, (2, 3)),
    "lower": (lambda c: c.lower_cholesky, (3, 3)),
    "positive definite": (lambda c: c.positive_definite, (3, 3)),
    "semidefinite": (lambda c: c.positive_semidefinite, (3, 3)),
    "correlations": (lambda c: c.corr_cholesky, (6,)),
    "cat": (lambda c: c.cat([c.positive, c.unit_interval], 0, [1, 2]), (3,)),
    "stack": (lambda c: c.stack([c.positive, c.real], -1), (3, 2)),
    "positive vectors": (lambda c: c.independent(c.positive, 1), (2, 3)),
}


@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_transforms_onto_constraints(name, registry):
    make, shape = CONSTRAINTS[name]
    constraint = make(constraints)
    only_transform = name in ("lower", "positive definite", "semidefinite")
    if registry == "biject_to" and only_transform:
        with pytest.raises(NotImplementedError, match="Cannot transform"):
            biject_to(constraint)
        return
    transform = getattr(distributions, registry)(constraint)
    y = transform(minigrad.randn(shape, dtype=minigrad.float64))
    assert constraint.check(y).all()
    assert transform.bijective or registry == "transform_to"


def test_a_constraint_of_a_user():
    class Even(constraints.Constraint):
        def check(self, value):
            return value % 2 == 0

    with pytest.raises(NotImplementedError, match="Cannot transform Even constraints"):
        transform_to(Even())
    try:
        transform_to.register(Even, lambda constraint: distributions.AffineTransform(0, 2))
        assert transform_to(Even())(minigrad.ones(1)) == 2

        @transform_to.register(Even())
        def factory(constraint):
            return distributions.ExpTransform()

        assert transform_to(Even()) == distributions.ExpTransform()
    finally:
        del transform_to._registry[Even]


# PyTorch -------------------------------------------------------------------------------------------------------


@pytest.mark.torch
@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_same_as_pytorchs(name):
    torch = pytest.importorskip("torch")
    (theirs, x), (ours, ours_x) = built(name, torch, torch.distributions), built(name)
    y, ours_y = theirs(x), ours(ours_x)
    np.testing.assert_allclose(ours_y.numpy(), y.numpy(), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(ours.inv(ours_y).numpy(), theirs.inv(y).numpy(), rtol=1e-10, atol=1e-13)
    assert repr(ours) == repr(theirs)
    assert repr(ours.inv) == repr(theirs.inv)
    assert ours.bijective == theirs.bijective
    for end in ("domain", "codomain"):
        got, want = getattr(ours, end), getattr(theirs, end)
        assert (repr(got), got.event_dim, got.is_discrete) == (repr(want), want.event_dim, want.is_discrete)
    if theirs.bijective:
        want = theirs.log_abs_det_jacobian(x, y)
        got = ours.log_abs_det_jacobian(ours_x, ours_y)
        assert tuple(got.shape) == tuple(want.shape)
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.torch
@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_transforms_onto_constraints_are_pytorchs(name, registry):
    torch = pytest.importorskip("torch")
    make, _ = CONSTRAINTS[name]
    texts = []
    for module in (torch.distributions, distributions):
        try:
            texts.append(repr(getattr(module, registry)(make(module.constraints))))
        except NotImplementedError as refusal:
            texts.append(str(refusal))
    assert texts[0] == texts[1]


def test_the_logarithm_of_a_jacobian_far_out():
    x = minigrad.tensor([-300.0, 300.0])
    for transform in (distributions.TanhTransform(), distributions.SigmoidTransform()):
        got = transform.log_abs_det_jacobian(x, transform(x))
        factor = 2 if "Tanh" in repr(transform) else 1
        np.testing.assert_allclose(got.numpy(), -300 * factor + (factor - 1) * 2 * math.log(2), rtol=1e-5)
