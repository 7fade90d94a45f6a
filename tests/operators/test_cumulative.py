"""Running sums, products and extremes, differences and integrals along one dimension."""

import pytest

import minigrad


@pytest.mark.parametrize("function", ["trapezoid", "cumulative_trapezoid"])
def test_integrals_of_no_samples_and_of_bools(function):
    integrate = getattr(minigrad, function)
    empty = minigrad.ones(0, 2, dtype=minigrad.uint8)
    assert integrate(empty, dim=0).shape == ((2,) if function == "trapezoid" else (0, 2))
    assert not integrate(empty, dim=0).any()
    for y, x, names in [(bool, None, "`y`"), (bool, float, "`x` or `y`"), (float, bool, "`x` or `y`")]:
        samples, places = (k and minigrad.ones(3, dtype=getattr(minigrad, k.__name__)) for k in (y, x))
        with pytest.raises(
            RuntimeError, match=f"{function}: received a bool input for {names}, but bool is not supported"
        ):
            integrate(samples, places)


def test_gradient_refuses_uint8():
    with pytest.raises(RuntimeError, match="does not support uint8"):
        minigrad.gradient(minigrad.ones(3, dtype=minigrad.uint8))
