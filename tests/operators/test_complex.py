"""Complex numbers: their parts, conjugates, angles, and how they are put together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import COMPLEX, few
from tests.operators.rows import NUMBERS


@few
@given(st.data())
def test_the_parts_are_views(data):
    z = data.draw(draws.operands(dtypes=COMPLEX)).tensor().clone()
    other = z.clone()
    z.real.add_(1)
    z.imag.mul_(2)
    np.testing.assert_array_equal(z.real.numpy(), other.real.numpy() + 1)
    np.testing.assert_array_equal(z.imag.numpy(), other.imag.numpy() * 2)
    minigrad.view_as_real(z).zero_()
    assert not z.numpy().any()


@pytest.mark.parametrize("name", ["is_conj", "is_neg"])
@few
@given(st.data())
def test_nothing_is_left_to_resolve(name, data):
    x = data.draw(draws.operands(dtypes=NUMBERS)).tensor()
    assert getattr(minigrad, name)(x.conj()) is False
    assert getattr(minigrad, name)(x) is False
