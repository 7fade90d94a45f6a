"""Complex numbers: their parts, conjugates, angles, and how they are put together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import draws, rows
from tests.families.draws import COMPLEX, few
from tests.families.rows import NUMBERS, Row

PLAIN = {"in_place": False, "out": False}


def pairs(z):
    return np.stack([z.real, z.imag], -1)


def polar(r, angle):
    return r * np.exp(1j * angle)


ROWS = [
    Row("real", np.real, ("real",), rule="real", **PLAIN),
    Row("imag", np.imag, ("real",), rule="real", dtypes=COMPLEX, **PLAIN),
    Row("conj", np.conj, ("real",), **PLAIN),
    Row("conj_physical", np.conj, ("real",)),
    Row("resolve_conj", np.positive, ("real",), dtypes=COMPLEX, **PLAIN),
    Row("resolve_neg", np.positive, ("real",), dtypes=COMPLEX, **PLAIN),
    Row("angle", np.angle, ("nonzero",), rule="angle", in_place=False),
    Row("view_as_real", pairs, ("real",), rule="real", dtypes=COMPLEX, **PLAIN),
    # PyTorch makes complex numbers of half precision, which minigrad has not
    Row("complex", lambda x, y: x + 1j * y, ("real", "real"), rule="complex", dtypes=["float32", "float64"], differs=("float16",), in_place=False),
    Row("polar", polar, ("positive", "real"), rule="complex", dtypes=["float32", "float64"], in_place=False),
    Row("adjoint", lambda z: np.conj(np.swapaxes(z, -1, -2)), ("real",), dtypes=COMPLEX, min_dims=2, **PLAIN),
    Row("view_as_complex", lambda x: x[..., 0] + 1j * x[..., 1], ("real",), rule="complex", dtypes=["float32", "float64"], draw=rows.draw_pairs, differs=("float16",), **PLAIN),
]  # fmt: skip


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


test_values = rows.of_values(ROWS)
test_gradients = rows.of_gradients(ROWS)
test_layout_does_not_matter = rows.of_layouts(ROWS)
test_as_in_torch = rows.beside_torch(ROWS)
