"""In-place forms: what a leaf that requires grad is spared.  What they write is checked in ``test_table.py``."""

import pytest

import minigrad
from tests.operators import rows
from tests.operators.draws import Operand
from tests.operators.table import every


@every(lambda row: isinstance(row, rows.Row) and row.in_place and row.order)
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
