"""``out=``: filled with the operator's result in its own layout, resized if it is empty, refused where gradients are wanted."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import rows
from tests.families.draws import few
from tests.families.rows import every
from tests.families.tables import ROWS

WITH_OUT = [row for row in ROWS if row.out]


@every(WITH_OUT)
@few
@given(st.data())
def test_is_filled_with_the_result(row, data):
    rows.check_out(row, data)


@pytest.mark.torch
@every(WITH_OUT)
@few
@given(st.data())
def test_takes_the_dtypes_that_torch_takes(row, data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's about imaginary parts
        rows.check_out_torch(row, data)


@pytest.mark.parametrize("op", ["exp", "add", "sum", "cumsum"])
def test_of_another_shape_is_resized_with_a_warning(op):
    x, out = minigrad.ones(2, 3), minigrad.zeros(7)
    operands = {"add": (x, x), "sum": (x, 0), "cumsum": (x, 0)}.get(op, (x,))
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        assert getattr(minigrad, op)(*operands, out=out) is out
    assert minigrad.equal(out, getattr(minigrad, op)(*operands))


@pytest.mark.parametrize("op", ["exp", "add", "div"])
def test_a_result_is_not_cast_down(op):
    x, out = minigrad.ones(2), minigrad.zeros(2, dtype=minigrad.int64)
    operands = (x, x) if op in ("add", "div") else (x,)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        getattr(minigrad, op)(*operands, out=out)
    assert not out.any()
