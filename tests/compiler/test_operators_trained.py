"""Every operator of the table in a compiled function that is called in grad mode, with other numbers in each call: results and gradients have the bits of eager ones."""

import pytest

import minigrad as torch
from minigrad._capture import compiled as engine
from minigrad._capture.kept_state import KeptState
from tests.capture.test_operators import compare, exactly, one_of, operand
from tests.operators import table


def check(row, data):
    call = row.example(data)
    body = call.function

    def function(*xs):
        outs = [x.clone() if isinstance(x, torch.Tensor) else x for x in body(*xs)]
        return [x * 1 if isinstance(x, torch.Tensor) and x.requires_grad else x for x in outs]

    def arguments(number):
        xs = [operand(o, number).tensor() for o in call.operands]
        return [x.requires_grad_() if row.order and x.dtype.is_floating_point else x for x in xs]

    compiled = torch.compile(function)
    for number in range(6):
        found = []
        for run in (function, compiled):
            torch.manual_seed(number)
            xs = arguments(number)
            outs = run(*xs)
            moving = [x for x in outs if isinstance(x, torch.Tensor) and x.requires_grad]
            leaves = [x for x in xs if x.requires_grad]
            gs = [
                torch.rand_like(x) if number != 4 else torch.ones((), dtype=x.dtype).expand(x.shape)
                for x in moving
            ]
            grads = torch.autograd.grad(moving, leaves, gs, allow_unused=True) if moving else ()
            found.append([exactly(x) for x in torch.utils._pytree.tree_leaves((outs, grads))])
        assert found[0] == found[1], number
    return compiled._engine


@pytest.fixture(autouse=True)
def every_function(monkeypatch):
    """Let functions be replayed that are short, and that have at hand what the table has: arrays, which do not change here."""
    monkeypatch.setattr(engine, "_SHORT_WITH_HISTORY", 0)
    nothing = property(lambda state: None, lambda state, what: None)
    monkeypatch.setattr(KeptState, "unknown", nothing, raising=False)


@table.every(lambda row: row.order and one_of(15, row))
def test_operators(row):
    compare(row, check)


@pytest.mark.slow
@table.every(lambda row: row.order and not one_of(15, row))
def test_the_other_operators(row):
    compare(row, check)
