"""Reductions over no, one and several dimensions: sums, products, means, extremes, counts, truth."""

import pytest

import minigrad


def test_prod_fills_out_along_a_dimension_only():
    out = minigrad.zeros(())
    x = minigrad.tensor([2.0, 3.0])
    assert minigrad.prod(x, 0, out=out) is out
    assert out.item() == 6
    with pytest.raises(TypeError, match=r"got \(Tensor, out=Tensor\), but expected one of"):
        minigrad.prod(x, out=out)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_complex_numbers_have_no_order(name, shape):
    z = minigrad.ones(shape, dtype=minigrad.complex64)
    with pytest.raises(RuntimeError, match=rf"{name}\(\): does not support complex input"):
        getattr(minigrad, name)(z, 0)
