"""No operator, whatever stands in the place of a tensor, lets an AttributeError about its own parts reach the user."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import minigrad
from tests.operators import calls, rows
from tests.operators.table import every

WRONG = [3, "a", [1.0], np.ones(2), object()]


def one(row):
    return not getattr(row, "prepare", None) and not str(row).startswith("masked.")


@pytest.mark.filterwarnings("ignore")
@every(one)
@seed(1)
@settings(
    max_examples=1,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
@given(data=st.data())
def test_a_wrong_kind_of_operand_is_refused_in_words(row, data):
    if isinstance(row, rows.Row):
        case = data.draw(row.cases())
        operands, function = case.tensors(), row.function()

        def call(tensors):
            return function(*case.lead, *tensors, **case.keywords)

    else:
        arguments = row.arguments(data, row.dtypes)
        operands = [o.tensor() for o in calls.operands_in(arguments)]

        def call(tensors):
            return calls.evaluate(minigrad, row, arguments, tensors)

    for place in range(len(operands)):
        for wrong in WRONG:
            try:
                call([*operands[:place], wrong, *operands[place + 1 :]])
            except (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError) as error:
                assert "_array" not in str(error), error
