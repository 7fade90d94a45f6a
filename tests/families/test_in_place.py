"""In-place forms: ``x.op_()`` on views equals ``op(x)``, bases see it, and gradients of both orders are right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import rows
from tests.families.draws import Operand, few
from tests.families.rows import every
from tests.families.tables import ROWS

IN_PLACE = [row for row in ROWS if row.in_place]


@every(IN_PLACE)
@few
@given(st.data())
def test_writes_what_the_operator_returns(row, data):
    rows.check_in_place(row, data)


@every(IN_PLACE, rows.has_gradient)
def test_a_leaf_that_requires_grad_is_not_written_to(row):
    shape = (2, 2)
    case = rows.Case([Operand(shape, domain=domain) for domain in row.domains], row.keywords, row.lead)
    if row.draw is not None:
        case.keywords = {"dim": 0, **case.keywords}
    leaf, *others = case.tensors(requires_grad=True)
    form = getattr(minigrad.Tensor, row.op + "_", None) or row.function(op=row.op + "_")
    before = leaf.detach().clone()
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"
    ):
        form(leaf, *case.lead, *others, **case.keywords)
    assert minigrad.equal(leaf, before)
