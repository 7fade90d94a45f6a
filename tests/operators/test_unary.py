"""Elementwise operators of one operand: exponentials, circles, roots, rounding, signs, special functions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators.draws import FLOATS, few
from tests.operators.table.unary import ROWS

INVERSES = {"erfinv": "erf", "special.ndtri": "special.ndtr"}


@pytest.mark.parametrize("row", [row for row in ROWS if row.op in INVERSES], ids=str)
@few
@given(st.data())
def test_inverses(row, data):
    case = data.draw(row.cases(["float64"]))
    x = case.tensors()[0]
    there_and_back = row.function(op=INVERSES[row.op])(row.function()(x))
    np.testing.assert_allclose(there_and_back.numpy(), x.numpy(), rtol=1e-12)


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_to_num_ends_at_the_dtypes_own_limits(dtype):
    dtype = getattr(minigrad, dtype)
    x = minigrad.tensor([math.inf, -math.inf, math.nan], dtype=dtype)
    limits = minigrad.finfo(dtype)
    assert minigrad.nan_to_num(x).tolist() == [limits.max, limits.min, 0]
    assert minigrad.nan_to_num(x, 1, 2, 3).tolist() == [2, 3, 1]


def test_logit_refuses_complex_numbers():
    with pytest.raises(NotImplementedError, match="\"logit_cpu\" not implemented for 'ComplexFloat'"):
        minigrad.logit(minigrad.ones(2, dtype=minigrad.complex64) / 3)
