"""Arithmetic that rounds once, against exact fractions; the C library's functions, against Python's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad._arrays import rounding

SINGLES = st.floats(-(2.0**60), 2.0**60, width=32, allow_subnormal=False).filter(
    lambda x: x == 0 or abs(x) > 2.0**-60
)
DOUBLES = st.floats(-(2.0**200), 2.0**200, allow_subnormal=False).filter(
    lambda x: x == 0 or abs(x) > 2.0**-200
)


def rounded_to_single(value):
    """The float32 number nearest to a fraction, ties to even."""
    if value == 0:
        return np.float32(0)
    near = np.float32(float(value))
    candidates = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    return min(candidates, key=lambda c: (abs(Fraction(float(c)) - value), int(c.view(np.uint32)) & 1))


@given(SINGLES, SINGLES, SINGLES)
def test_fma32_rounds_once(x, y, z):
    expected = rounded_to_single(Fraction(x) * Fraction(y) + Fraction(z))
    assert rounding.fma32(np.float32([x]), np.float32(y), np.float32(z))[0] == expected


@pytest.mark.parametrize("unit, z", [(2.0**-24, 1.0 + 2.0**-23), (-(2.0**-25), 1.0 - 2.0**-24)])
def test_fma32_is_right_where_rounding_twice_is_wrong(unit, z):
    x, y = np.float32([unit * (1 + 2.0**-23)]), np.float32(1 - 2.0**-23)  # the product is unit * (1 - 2**-46)
    twice = np.float32(float(x[0]) * float(y) + z)  # 2**-46 is lost, and what is left lies midway
    once = rounded_to_single(Fraction(float(x[0])) * Fraction(float(y)) + Fraction(z))
    assert once == np.float32(z) != twice
    assert rounding.fma32(x, y, np.float32(z))[0] == once


@given(DOUBLES, DOUBLES, DOUBLES)
def test_fma64_rounds_once(x, y, z):
    expected = float(Fraction(x) * Fraction(y) + Fraction(z))
    assert rounding.fma64(np.array([x]), y, z)[0] == expected


def test_fma64_differs_from_two_steps():
    x, y = np.random.default_rng(0).random((2, 1000))
    once = np.array([rounding.fma64(x[k : k + 1], y[k], 0.3)[0] for k in range(1000)])
    exact = [float(Fraction(a) * Fraction(b) + Fraction(0.3)) for a, b in zip(x.tolist(), y.tolist())]
    assert once.tolist() == exact
    assert (once != x * y + 0.3).any()


@pytest.mark.parametrize(
    "y, z", [(1.0, 0.5), (2.0, 0.0), (0.0, 1.0), (math.inf, 1.0), (1e-300, 1.0), (1e300, 2.0)]
)
def test_fma64_at_special_factors(y, z):
    x = np.array([0.25, -0.75])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(rounding.fma64(x, y, z), x * y + z)


@pytest.mark.parametrize("name", ["log", "log1p", "exp", "sin", "cos", "tan"])
def test_libm_is_the_function_that_math_calls(name):
    u = np.random.default_rng(1).random(20_000)
    x = rounding._DOMAINS[name](u)
    for size in (0, 1, 2, 4095, 4096, 4097, 20_000):
        part = x[:size]
        expected = [getattr(math, name)(value) for value in part.tolist()]
        assert rounding.libm(name)(part).tolist() == expected


@pytest.mark.parametrize("name", ["log", "tan"])
def test_libm_by_element_is_the_last_resort(name, monkeypatch):
    # no vectorised candidate agrees with the C library: every number goes through the math module
    scalar, ufunc = getattr(math, name), getattr(np, name)
    monkeypatch.setattr(rounding, "interleaved", lambda ufunc: lambda x: ufunc(x) + 1.0)
    monkeypatch.setattr(np, name, lambda x, **kwargs: ufunc(x, **kwargs) * (1 + 2.0**-40))
    function = rounding.libm.__wrapped__(name)
    x = np.array([0.25, 0.5, 0.75])
    assert function(x).tolist() == [scalar(value) for value in x.tolist()]


def test_libm_takes_the_ends_of_the_domain():
    with np.errstate(divide="ignore"):
        assert rounding.libm("log")(np.array([0.0, 1.0])).tolist() == [-math.inf, 0.0]
        by_element = rounding._by_element(np.log, math.log)
        assert by_element(np.array([0.0, 1.0])).tolist() == [-math.inf, 0.0]
    assert rounding.libm("log1p")(np.array([-0.0])).tolist() == [0.0]
