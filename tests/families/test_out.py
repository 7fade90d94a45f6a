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


@pytest.mark.parametrize("op", ["exp", "add", "softmax", "diag", "cummax"])
def test_the_warning_names_the_line_that_gave_out(op):
    x = minigrad.ones(2, 2)
    operands = {"add": (x, x), "softmax": (x, 0), "cummax": (x, 0)}.get(op, (x,))
    out = (
        (minigrad.zeros(7), minigrad.zeros(7, dtype=minigrad.int64)) if op == "cummax" else minigrad.zeros(7)
    )
    with pytest.warns(UserWarning, match="An output with one or more elements was resized") as warned:
        getattr(minigrad, op)(*operands, out=out)
    assert {warning.filename for warning in warned} == {__file__}


@pytest.mark.parametrize(
    ("op", "operands"),
    [
        ("softmax", (0,)),
        ("sum", ()),
        ("cumsum", (0,)),
        ("kron", (minigrad.ones(2),)),
        ("max", ()),
        ("diff", ()),
    ],
)
def test_what_is_no_tensor_is_refused(op, operands):
    for out in (3, "text", (minigrad.zeros(2),)):
        name = type(out).__name__
        with pytest.raises(TypeError, match=rf"^{op}\(\): argument 'out' must be Tensor, not {name}"):
            getattr(minigrad, op)(minigrad.ones(2), *operands, out=out)


@pytest.mark.parametrize(("op", "operands"), [("softmax", (0,)), ("max", ()), ("msort", ()), ("amax", (0,))])
def test_of_another_dtype_than_the_result_is_refused(op, operands):
    out = minigrad.zeros(0, dtype=minigrad.float64)
    with pytest.raises(
        RuntimeError, match="^Expected out tensor to have dtype float, but got double instead"
    ):
        getattr(minigrad, op)(minigrad.ones(2), *operands, out=out)


def test_gradients_are_refused_where_there_are_any():
    x = minigrad.ones(2, requires_grad=True)
    for call in (
        minigrad.exp,
        minigrad.msort,
        minigrad.kron,
        lambda x, *rest, out: minigrad.stack([x], out=out),
    ):
        operands = (x, x) if call is minigrad.kron else (x,)
        with pytest.raises(
            RuntimeError, match="functions with out=... arguments don't support automatic diff"
        ):
            call(*operands, out=minigrad.zeros(0))
    assert minigrad.histc(x, 2, 0, 2, out=minigrad.zeros(0)).tolist() == [0, 2]
    assert minigrad.argmax(x, out=minigrad.zeros(0, dtype=minigrad.int64)).item() == 0
