"""Which values satisfy which constraints."""

import numpy as np
import pytest

import minigrad
from minigrad.distributions import constraints

NAN = float("nan")
LOWER = [[1.0, 0.0], [0.5, 2.0]]
SYMMETRIC = [[1.0, 2.0], [2.0, 1.0]]

#: (the constraint of a module of constraints and a function that makes tensors, values, which of them it lets pass)
CHECKS = [
    (lambda c, t: c.boolean, [0.0, 1.0, 0.5, 2.0, NAN], [True, True, False, False, False]),
    (lambda c, t: c.real, [0.0, float("inf"), NAN], [True, True, False]),
    (lambda c, t: c.positive, [0.0, 1e-30, -1.0, NAN], [False, True, False, False]),
    (lambda c, t: c.nonnegative, [0.0, -0.0, -1.0, NAN], [True, True, False, False]),
    (lambda c, t: c.positive_integer, [0.0, 1.0, 1.5, NAN], [False, True, False, False]),
    (lambda c, t: c.nonnegative_integer, [0.0, -1.0, 2.0, 0.5], [True, False, True, False]),
    (lambda c, t: c.integer_interval(1, 3), [0.0, 1.0, 3.0, 4.0, 2.5], [False, True, True, False, False]),
    (lambda c, t: c.unit_interval, [0.0, 1.0, 1.1, -0.1], [True, True, False, False]),
    (lambda c, t: c.interval(t([0.0, 5.0]), 6.0), [1.0, 1.0], [True, False]),
    (lambda c, t: c.half_open_interval(0.0, 1.0), [0.0, 1.0, 0.5], [True, False, True]),
    (lambda c, t: c.greater_than(1.0), [1.0, 2.0], [False, True]),
    (lambda c, t: c.greater_than_eq(1.0), [1.0, 0.0], [True, False]),
    (lambda c, t: c.less_than(t([1.0, 3.0])), [1.0, 2.0], [False, True]),
    (lambda c, t: c._IntegerLessThan(3), [3.0, 4.0, 2.5], [True, False, False]),
    (lambda c, t: c.one_hot, [[0.0, 1.0], [1.0, 1.0], [0.5, 0.5]], [True, False, False]),
    (lambda c, t: c.simplex, [[0.5, 0.5], [0.5, 0.6], [1.5, -0.5]], [True, False, False]),
    (lambda c, t: c.multinomial(3), [[1.0, 2.0], [2.0, 2.0], [-1.0, 2.0]], [True, False, False]),
    (lambda c, t: c.real_vector, [[0.0, 1.0], [NAN, 1.0]], [True, False]),
    (lambda c, t: c.lower_triangular, [LOWER, SYMMETRIC], [True, False]),
    (lambda c, t: c.lower_cholesky, [LOWER, [[1.0, 0.0], [0.5, -2.0]]], [True, False]),
    (lambda c, t: c.corr_cholesky, [[[1.0, 0.0], [0.6, 0.8]], LOWER], [True, False]),
    (lambda c, t: c.square, [SYMMETRIC, LOWER], [True, True]),
    (lambda c, t: c.square, [[[1.0, 2.0, 3.0]]], [False]),
    (lambda c, t: c.symmetric, [SYMMETRIC, LOWER], [True, False]),
    (lambda c, t: c.symmetric, [[[1.0, 2.0, 3.0]]], [False]),
    (lambda c, t: c.positive_semidefinite, [[[1.0, 0.0], [0.0, 0.0]], SYMMETRIC], [True, False]),
    (lambda c, t: c.positive_semidefinite, [LOWER, SYMMETRIC], [False, True]),  # not looked into: one is not symmetric
    (lambda c, t: c.positive_definite, [[[2.0, 1.0], [1.0, 2.0]], SYMMETRIC], [True, False]),
    (lambda c, t: c.positive_definite, [[[1.0, 2.0, 3.0]]], [False]),
    (lambda c, t: c.independent(c.positive, 1), [[1.0, 2.0], [1.0, -2.0]], [True, False]),
    (lambda c, t: c.independent(c.positive, 2), [[1.0, 2.0], [1.0, 2.0]], True),
    (lambda c, t: c.independent(c.positive, 0), [1.0, -2.0], [True, False]),
    (lambda c, t: c.cat([c.positive, c.boolean], 0, [1, 2]), [-1.0, 1.0, 0.5], [False, True, False]),
    (lambda c, t: c.stack([c.positive, c.boolean], 1), [[2.0, 2.0], [-1.0, 1.0]], [[True, False], [False, True]]),
    (lambda c, t: c.MixtureSameFamilyConstraint(c.positive), [1.0, -1.0], [True, False]),
    (lambda c, t: c.MixtureSameFamilyConstraint(c.greater_than(t([0.0, 3.0]))), [1.0, 4.0], [False, True]),
    (lambda c, t: c.MixtureSameFamilyConstraint(c.simplex), [[0.5, 0.5], [1.0, 1.0]], [True, False]),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CHECKS)))
def test_checks(number):
    make, values, wanted = CHECKS[number]
    got = make(constraints, minigrad.tensor).check(minigrad.tensor(values))
    assert got.tolist() == wanted
    assert got.dtype == minigrad.bool


@pytest.mark.torch
@pytest.mark.parametrize("number", range(len(CHECKS)))
def test_checks_are_pytorchs(number):
    torch = pytest.importorskip("torch")
    make, values, _ = CHECKS[number]
    theirs = make(torch.distributions.constraints, torch.tensor)
    ours = make(constraints, minigrad.tensor)
    for dtype in ("float32", "float64", "int64"):
        if dtype == "int64" and (theirs.event_dim == 2 or "nan" in str(values)):
            continue
        want = theirs.check(torch.tensor(values).to(getattr(torch, dtype)))
        got = ours.check(minigrad.tensor(values).to(getattr(minigrad, dtype)))
        np.testing.assert_array_equal(got.numpy(), want.numpy())
    assert (repr(ours), ours.event_dim, ours.is_discrete) == (
        repr(theirs),
        theirs.event_dim,
        theirs.is_discrete,
    )


def test_texts():
    assert repr(constraints.interval(0, 1)) == "Interval(lower_bound=0, upper_bound=1)"
    assert repr(constraints.dependent) == "Dependent()"
    assert repr(constraints.real_vector) == "IndependentConstraint(Real(), 1)"
    assert (
        repr(constraints.MixtureSameFamilyConstraint(constraints.real))
        == "MixtureSameFamilyConstraint(Real())"
    )


def test_parts_know_their_dimensions():
    stacked = constraints.stack([constraints.simplex, constraints.real], -2)
    assert (stacked.event_dim, stacked.is_discrete) == (2, False)
    assert constraints.stack([constraints.boolean], 0).event_dim == 0
    assert constraints.cat([constraints.simplex, constraints.boolean], -1).event_dim == 1
    assert constraints.cat([constraints.simplex, constraints.boolean], -1).is_discrete
