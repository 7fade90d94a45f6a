"""New tensors, ranges, windows, random numbers, random calls: values, and the same as PyTorch, drawn numbers included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.calls import Source, attempt, evaluate, operands_in
from tests.operators.table.creation import MARKS, RANDOM

pytestmark = MARKS


@pytest.mark.parametrize("row", RANDOM, ids=str)
@draws.few
@given(data=st.data())
def test_the_same_seed_draws_the_same_numbers(row, data):
    """Whatever was drawn before, and whatever layout the operands are in."""
    arguments = row.draw(
        Source(data.draw, data.draw(st.sampled_from(["float64", "float32"])), draws.LAYOUTS[:4])
    )
    operands = operands_in(arguments)
    first, state = [
        evaluate(minigrad, row, arguments, [o.tensor() for o in operands]),
        minigrad.get_rng_state(),
    ]
    minigrad.rand(data.draw(st.integers(0, 3)))
    again = evaluate(minigrad, row, arguments, [o.tensor() for o in operands])
    for x, y in zip(first, again, strict=True):
        np.testing.assert_array_equal(x.numpy(), y.numpy())
    np.testing.assert_array_equal(minigrad.get_rng_state().numpy(), state.numpy())


@pytest.mark.torch
@pytest.mark.parametrize("row", RANDOM, ids=str)
@draws.few
@given(data=st.data())
def test_draws_what_pytorch_draws(row, data):
    torch = pytest.importorskip("torch")
    dtype = data.draw(st.sampled_from(["float64", "float32", "float16", "int64", "uint8", "complex64"]))
    arguments = row.draw(Source(data.draw, dtype, draws.LAYOUTS[:4]))
    theirs, ours = attempt(torch, row, arguments), attempt(minigrad, row, arguments)
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        assert type(ours).__name__ == type(theirs).__name__, f"PyTorch: {theirs!r}\nhere: {ours!r}"
        return
    for x, y in zip(ours, theirs, strict=True):
        assert (str(x.dtype), tuple(x.shape)) == (str(y.dtype), tuple(y.shape))
        draws.close(x.numpy(), y.numpy(), draws.tolerance(draws.name_of(x.dtype)))
    assert bytes(minigrad.get_rng_state().numpy()) == bytes(torch.get_rng_state().numpy())
