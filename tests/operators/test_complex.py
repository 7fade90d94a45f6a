"""Complex numbers: their parts, conjugates, angles, and how they are put together."""

import numpy as np
from hypothesis import assume, given
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


@few
@given(st.data())
def test_conjugates_and_negatives_are_views(data):
    x = data.draw(draws.operands(dtypes=NUMBERS)).tensor()
    assume(x.dtype is not minigrad.bool)
    conjugate, negative = x.conj(), x._neg_view()
    assert conjugate.is_conj() is x.is_complex() and not conjugate.is_neg() and not x.is_conj()
    assert (
        negative.is_neg()
        and not negative.is_conj()
        and negative.data_ptr() == conjugate.data_ptr() == x.data_ptr()
    )
    np.testing.assert_array_equal(conjugate.resolve_conj().numpy(), x.numpy().conj())
    np.testing.assert_array_equal(negative.resolve_neg().numpy(), -x.numpy())
