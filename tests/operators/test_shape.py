"""Shape and views, random calls: values and derivatives, what a view shares with its base, the same as PyTorch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.calls import Source, evaluate, operands_in
from tests.operators.table.shape import VIEWS

#: Not views of the operand's values one by one, or not always.
MAY_COPY = ("reshape", "Tensor.reshape", "Tensor.reshape_as", "ravel", "flatten")
NUMBERED = [row for row in VIEWS if row.path not in ("view_as_complex", "view_as_real", "adjoint")]


@pytest.mark.parametrize("row", NUMBERED, ids=str)
@draws.few
@given(data=st.data())
def test_a_view_is_written_through(row, data):
    """What is written to a view stands in the base at the places where the view of a numbered tensor has its numbers."""
    arguments = row.draw(Source(data.draw, "int64", ["contiguous", "transposed", "strided", "offset"]))
    x, *others = [o.tensor() for o in operands_in(arguments)]
    numbers = minigrad.arange(1, x.numel() + 1).reshape(x.shape)
    x.copy_(numbers)
    for view in evaluate(minigrad, row, arguments, [x, *others]):
        if not np.shares_memory(view.numpy(), x.numpy()):
            assert view.numel() == 0 or row.path in MAY_COPY
            continue
        if has_overlap(view):
            continue
        seen = view.numpy().copy().ravel()
        version = x._version
        view.mul_(-1)
        assert x._version == version + 1
        expected = numbers.numpy() * np.where(np.isin(numbers.numpy(), seen), -1, 1)
        np.testing.assert_array_equal(x.numpy(), expected)
        view.mul_(-1)
        assert (
            view.data_ptr() == x.data_ptr() + 8 * (view.storage_offset() - x.storage_offset())
            or view.numel() == 0
        )


def has_overlap(view):
    return len(set(view.numpy().ravel().tolist())) < view.numel()
