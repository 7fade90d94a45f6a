"""Comparisons, truth values and kinds of numbers: results are bool and have no gradient."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import draws, rows
from tests.families.draws import FLOATS, few
from tests.families.rows import NUMBERS, REAL, Row

TWO = ("real", "real")
ANY = {"rule": "bool", "dtypes": NUMBERS, "order": 0, "values": ("apart", "ties", "extremes")}
ORDERED = {**ANY, "dtypes": REAL}
KINDS = {**ANY, "in_place": False}


def close_to(x, y):
    return np.isclose(x, y, rtol=1e-5, atol=1e-8)


# PyTorch gives a nan a sign when it makes a bfloat16 of it.
ROWS = [
    Row("eq", np.equal, TWO, **ANY),
    Row("ne", np.not_equal, TWO, **ANY, aliases=("not_equal",)),
    Row("lt", np.less, TWO, **ORDERED, aliases=("less",)),
    Row("le", np.less_equal, TWO, **ORDERED, aliases=("less_equal",)),
    Row("gt", np.greater, TWO, **ORDERED, aliases=("greater",)),
    Row("ge", np.greater_equal, TWO, **ORDERED, aliases=("greater_equal",)),
    Row("logical_and", np.logical_and, TWO, **ANY),
    Row("logical_or", np.logical_or, TWO, **ANY),
    Row("logical_xor", np.logical_xor, TWO, **ANY),
    Row("logical_not", np.logical_not, ("real",), **ANY),
    Row("isnan", np.isnan, ("real",), **KINDS, out=False),
    Row("isinf", np.isinf, ("real",), **KINDS, out=False),
    Row("isfinite", np.isfinite, ("real",), **KINDS, out=False),
    Row("isreal", np.isreal, ("real",), **KINDS, out=False),
    Row("isposinf", np.isposinf, ("real",), **{**KINDS, "dtypes": REAL}),
    Row("isneginf", np.isneginf, ("real",), **{**KINDS, "dtypes": REAL}),
    Row("signbit", np.signbit, ("real",), **{**KINDS, "dtypes": FLOATS, "differs": ("bfloat16",)}),
    Row("isclose", close_to, TWO, **{**KINDS, "dtypes": ["int64", "float64", "complex128"]}, out=False),
]


@few
@given(st.data())
def test_equal_and_allclose_sum_up_the_elements(data):
    row = Row("eq", domains=TWO, dtypes=NUMBERS)
    x, y = data.draw(row.cases(values=("ties",))).tensors()
    if x.shape == y.shape:
        assert minigrad.equal(x, y) == bool((x == y).all())
    assert minigrad.equal(x, x.clone())
    assert minigrad.allclose(x, y) == bool(minigrad.isclose(x, y).all())


@few
@given(st.data())
def test_is_nonzero_is_the_truth_of_one_element(data):
    x = data.draw(draws.operands(dtypes=draws.ALL, values=("ties", "extremes"))).tensor()
    if x.numel() == 1:
        assert minigrad.is_nonzero(x) == bool(x.numpy().ravel().astype(bool)[0])
    else:
        with pytest.raises(RuntimeError, match="Boolean value of Tensor"):
            minigrad.is_nonzero(x)


test_values = rows.of_values(ROWS)
test_layout_does_not_matter = rows.of_layouts(ROWS)
test_as_in_torch = rows.beside_torch(ROWS)
