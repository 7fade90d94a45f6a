"""``out=``: which dtypes it takes, and what it says of others.  What it is filled with is checked in ``test_table.py``."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import rows
from tests.operators.draws import few
from tests.operators.table import every


@pytest.mark.torch
@every(lambda row: isinstance(row, rows.Row) and row.out and row.torch)
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
        ("sum", (0,)),
        ("cumsum", (0,)),
        ("kron", (minigrad.ones(2),)),
        ("amax", ()),
        ("diff", ()),
    ],
)
def test_what_is_no_tensor_is_refused(op, operands):
    for out in (3, "text", (minigrad.zeros(2),)):
        name = type(out).__name__
        with pytest.raises(TypeError, match=rf"^{op}\(\): argument 'out' must be Tensor, not {name}"):
            getattr(minigrad, op)(minigrad.ones(2), *operands, out=out)


@pytest.mark.parametrize(("op", "operands"), [("softmax", (0,)), ("msort", ()), ("amax", (0,))])
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


@pytest.mark.parametrize("function, argument", [("split_copy", 3), ("split_with_sizes_copy", [3, 3])])
def test_copies_of_pieces_are_written_into_out(function, argument):
    x, outs = minigrad.arange(6.0), [minigrad.zeros(3), minigrad.zeros(3)]
    assert getattr(minigrad, function)(x, argument, out=outs) is None
    assert [out.tolist() for out in outs] == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.filterwarnings("ignore:torch.lu is deprecated")
def test_copies_of_elements_and_factors_are_written_into_out():
    x, outs = minigrad.eye(2), [minigrad.zeros(2), minigrad.zeros(2)]
    assert minigrad.unbind_copy(x, out=outs) is None
    assert [out.tolist() for out in outs] == [[1, 0], [0, 1]]
    outs = minigrad.zeros(2, 2), minigrad.zeros(2, dtype=minigrad.int32)
    assert minigrad.lu(2 * x, out=outs) is outs
    assert outs[0].tolist() == [[2, 0], [0, 2]] and outs[1].tolist() == [1, 2]
