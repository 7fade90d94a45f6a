"""Elementwise operators of two and three operands, which broadcast: arithmetic, powers, extremes, choices."""

import numpy as np
import pytest

import minigrad
from tests.operators.draws import INTEGERS


@pytest.mark.parametrize("dtype", INTEGERS[1:])
def test_powers_that_would_wrap_around_to_one_are_zero(dtype):
    limits = np.iinfo(dtype)
    x = minigrad.tensor([limits.max, limits.min + 1, limits.min, -1, 1, 2], dtype=getattr(minigrad, dtype))
    assert minigrad.pow(x, minigrad.full_like(x, -1)).tolist() == [0, 0, 0, -1, 1, 0]
    assert minigrad.pow(x, minigrad.full_like(x, -2)).tolist() == [0, 0, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("dtype", "value"), [("uint8", -1.5), ("uint8", 300), ("int8", 300), ("int64", 1e30), ("float32", 1j)]
)
def test_factors_that_do_not_fit_are_refused(dtype, value):
    x = minigrad.ones(2, dtype=getattr(minigrad, dtype))
    with pytest.raises(RuntimeError, match="value cannot be converted to type .* without overflow"):
        minigrad.addcmul(x, x, x, value=value)
    with pytest.raises(RuntimeError, match="value cannot be converted to type .* without overflow"):
        x.addcmul_(x, x, value=value)
    assert x.tolist() == [1, 1]


def test_factors_of_integers_are_cut_off():
    x = minigrad.ones(1, dtype=minigrad.int8)
    assert [minigrad.addcmul(x, x, x, value=v).item() for v in (2.5, -1.5, -1)] == [3, 0, 0]
