"""What every row of the table earns: ``table/`` says of each operator what its operands may be and what it computes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.operators import transforms
from tests.operators.draws import few
from tests.operators.table import every

has_gradient = lambda row: row.order > 0
#: That a loop stands in for a rule is what tests/func/test_rules.py is about.
loops = pytest.mark.filterwarnings("ignore:There is a performance drop")


@every(lambda row: row.has_reference)
@few
@given(data=st.data())
def test_values(row, data):
    """Values and dtypes are those of the reference, under each of the operator's names."""
    row.check_values(data)


@every(has_gradient)
@few
@given(data=st.data())
def test_gradients(row, data):
    """Gradients of both orders are those of central differences, whatever layout the operands are in."""
    row.check_gradients(data)


@every(lambda row: not row.draws_layouts)
@few
@given(data=st.data())
def test_layout_does_not_matter(row, data):
    row.check_layouts(data)


@pytest.mark.torch
@every(lambda row: row.torch)
@few
@given(data=st.data())
def test_as_in_torch(row, data):
    """PyTorch gives the same values, dtypes, strides and gradients, and refuses the same operands."""
    row.check_torch(data)


@every(lambda row: row.in_place)
@few
@given(data=st.data())
def test_in_place(row, data):
    """``op_`` writes what ``op`` returns, bases see it, and gradients are those of a copy put together."""
    row.check_in_place(data)


@every(lambda row: row.takes_out)
@few
@given(data=st.data())
def test_out(row, data):
    """``out=`` is filled with what the operator returns, resized if it is empty, and refused where gradients are wanted."""
    row.check_out(data)


@loops
@every()
@few
@given(data=st.data())
def test_batches(row, data):
    """``vmap`` does what a loop over the samples does, whichever operands have a batch, at whichever dim."""
    transforms.check_batches(data, row.example(data))


@loops
@every(has_gradient)
@few
@given(data=st.data())
def test_gradients_of_batches(row, data):
    """Gradients of each sample, of both orders, and those of a batch as a whole, are those of the loop."""
    transforms.check_gradients_of_batches(data, row.example(data), row.order)


@loops
@every(has_gradient)
@few
@given(data=st.data())
def test_tangents(row, data):
    """Forward mode agrees with the gradient (the dot-product identity), and that of a batch with each sample's."""
    transforms.check_tangents(data, row.example(data))
