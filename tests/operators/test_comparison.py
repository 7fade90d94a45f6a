"""Comparisons, truth values and kinds of numbers: results are bool and have no gradient."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import few
from tests.operators.rows import NUMBERS, Row
from tests.operators.table.comparison import TWO


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
