"""Samples drawn by rejection: many at once are those of the loop, and of PyTorch."""

import functools
import math

import numpy as np
import pytest

from minigrad._arrays.random import rejection, rejection_at_once
from minigrad._arrays.random.generator import Generator

PARAMETERS = np.random.default_rng(0)


def full(value, n=3000):
    return (np.full(n, value),)


# Draws of each way: one parameter for all, or many; places of several chunks; every kind of group and state.
DRAWS = {
    "gamma of 1, whose normal numbers are often too low": (rejection.standard_gamma, full(1.0, 20_000)),
    "gamma of one large shape": (rejection.standard_gamma, full(37.5)),
    "gamma of one small shape": (rejection.standard_gamma, full(0.02)),
    "gamma of many shapes": (rejection.standard_gamma, (10 ** PARAMETERS.uniform(-2, 2, 12_000),)),
    "gamma of shapes near 1": (rejection.standard_gamma, (PARAMETERS.uniform(0.9, 1.1, 3000),)),
    "gamma of special shapes": (rejection.standard_gamma, (np.array([0.0, 2.0, np.nan, 0.5, -1.0] * 40),)),
    "gamma of an infinite shape": (rejection.standard_gamma, (np.array([np.inf, 2.0] * 70),)),
    "Poisson of a small rate": (rejection.poisson, full(3.2, 20_000)),
    "Poisson of a rate near 0": (rejection.poisson, full(1e-3)),
    "Poisson of the last small rate": (rejection.poisson, full(np.nextafter(10.0, 0.0))),
    "Poisson of the first large rate": (rejection.poisson, full(10.0, 20_000)),
    "Poisson of a very large rate": (rejection.poisson, full(1e12)),
    "Poisson of many rates": (rejection.poisson, (10 ** PARAMETERS.uniform(-1, 3, 3000),)),
    "binomial of few successes": (rejection.binomial, (*full(30.0, 20_000), *full(0.2, 20_000))),
    "binomial of few failures": (rejection.binomial, (*full(30.0), *full(0.8))),
    "binomial of broken counts": (rejection.binomial, (*full(3.5), *full(0.4))),
    "binomial of rare successes": (rejection.binomial, (*full(1e9), *full(1e-9))),
    "binomial of many successes": (rejection.binomial, (*full(100.0, 20_000), *full(0.4, 20_000))),
    "binomial of many failures": (rejection.binomial, (*full(1e6), *full(0.999))),
    "binomial of many pairs": (
        rejection.binomial,
        (PARAMETERS.integers(0, 400, 3000).astype(float), PARAMETERS.uniform(0, 1, 3000)),
    ),
    "binomial of nothing": (rejection.binomial, (*full(0.0), *full(0.5))),
    "binomial of certainty": (rejection.binomial, (*full(9.0), *full(1.0))),
    "binomial of nan": (rejection.binomial, (*full(np.nan), *full(0.3))),
}

#: Parameters of no distribution; and a rate where the last bits of log-gamma functions decide.
NOT_OF_TORCH = {
    "gamma of special shapes",
    "gamma of an infinite shape",
    "binomial of nan",
    "Poisson of a very large rate",
}


def drawn(function, parameters, before):
    """The numbers, and the state afterwards; ``before`` normal numbers are drawn first."""
    generator = Generator().manual_seed(11)
    if before:
        rejection.standard_gamma(np.full(before, 3.0), generator)
    values = function(*parameters, generator)
    return values.tobytes(), generator.state_bytes().tobytes(), generator.words32(3).tolist()


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_many_at_once_are_those_of_the_loop(name, dtype, monkeypatch):
    function, parameters = DRAWS[name]
    parameters = [values.astype(dtype) for values in parameters]
    for before in (0, 1):  # after one gamma number the second half of a pair of normal ones is kept
        found = drawn(function, parameters, before)
        with monkeypatch.context() as patch:
            patch.setattr(rejection, "_MANY", math.inf)
            assert drawn(function, parameters, before) == found


@pytest.mark.torch
@pytest.mark.parametrize("name", sorted(DRAWS.keys() - NOT_OF_TORCH))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_many_are_those_of_torch(name, dtype):
    torch = pytest.importorskip("torch")
    function, parameters = DRAWS[name]
    names = {rejection.standard_gamma: "_standard_gamma"}
    theirs = getattr(torch, names.get(function, function.__name__))
    parameters = [values.astype(dtype) for values in parameters]
    generator, other = Generator().manual_seed(5), torch.Generator().manual_seed(5)
    values = function(*parameters, generator)
    expected = theirs(*map(torch.from_numpy, parameters), generator=other).numpy()
    if dtype == "float64" and "gamma" in name:
        np.testing.assert_allclose(values, expected, rtol=1e-14)  # PyTorch fuses operations
    else:
        np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(generator.state_bytes(), other.get_state().numpy())


def test_uniform_numbers_drawn_in_vain_are_given_back():
    ends = rejection_at_once.small_poisson(3.0)
    drawn_and_left = []
    for deviation in (1.7, -60.0):  # the second one makes it draw too many
        generator, values = Generator().manual_seed(0), np.empty(1000)
        draw = functools.partial(rejection_at_once.by_stretches, mean=4.0, deviation=deviation, ends=ends)
        filled, unused = draw(generator, values)
        assert (filled == 1000) == (deviation < 0)
        values[filled:] = rejection._sample(
            generator, rejection._poisson, [3.0] * (1000 - filled), unused=unused
        )
        drawn_and_left.append((values.tobytes(), generator.state_bytes().tobytes()))
    assert drawn_and_left[0] == drawn_and_left[1]


def test_a_rate_below_zero_among_many_is_refused():
    with pytest.raises(RuntimeError, match="non-negative"):
        rejection.poisson(np.array([12.0] * 500 + [-1.0]), Generator())
    with pytest.raises(RuntimeError, match="non-negative"):
        rejection.poisson(np.full(500, -1.0), Generator())
