"""Exponentials, logarithms, trigonometric and hyperbolic functions: derivatives of three orders, corners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def rand(*shape, low=-2.0, high=2.0, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape)


#: name -> (NumPy's function, where it is defined)
UNARY = {
    "exp": (np.exp, {}), "exp2": (np.exp2, {}), "expm1": (np.expm1, {}),
    "log": (np.log, {"low": 0.2}), "log2": (np.log2, {"low": 0.2}), "log10": (np.log10, {"low": 0.2}),
    "log1p": (np.log1p, {"low": -0.5}),
    "sin": (np.sin, {}), "cos": (np.cos, {}), "tan": (np.tan, {"low": -1.2, "high": 1.2}),
    "asin": (np.arcsin, {"low": -0.8, "high": 0.8}), "acos": (np.arccos, {"low": -0.8, "high": 0.8}), "atan": (np.arctan, {}),
    "sinh": (np.sinh, {}), "cosh": (np.cosh, {}), "tanh": (np.tanh, {}),
    "asinh": (np.arcsinh, {}), "acosh": (np.arccosh, {"low": 1.3, "high": 3.0}),
    "atanh": (np.arctanh, {"low": -0.8, "high": 0.8}),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), {}), "logit": (lambda x: np.log(x / (1 - x)), {"low": 0.1, "high": 0.9}),
    "sinc": (np.sinc, {}), "deg2rad": (np.deg2rad, {}), "rad2deg": (np.rad2deg, {}),
}  # fmt: skip
ALIASES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_derivatives_of_three_orders(name):
    reference, domain = UNARY[name]
    x = rand(4, **domain)
    found = getattr(torch, name)(torch.tensor(x)).numpy()
    np.testing.assert_allclose(found, reference(x), rtol=1e-12, atol=1e-15)
    check_gradients(getattr(torch, name), x, order=3, eps=1e-5, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("alias, name", ALIASES.items())
def test_alias_is_the_same_function(alias, name):
    assert getattr(torch, alias) is getattr(torch, name)
    assert getattr(torch.Tensor, alias + "_") is getattr(torch.Tensor, name + "_")


def test_xlogy_with_numbers():
    check_gradients(lambda x: torch.xlogy(x, 2.5), rand(3))
    check_gradients(lambda x: torch.xlogy(2, x), rand(3, low=0.3))


def test_logit_with_eps():
    check_gradients(lambda x: torch.logit(x, 0.2), np.array([0.1, 0.3, 0.6, 0.9]))


# Corner cases: what PyTorch gives --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function, values, out, gradient",
    [
        (torch.sigmoid, [-1000.0, 1000.0], [0, 1], [0, 0]), (torch.log, [0.0, -1.0], [-inf, nan], [inf, -1]),
        (torch.log1p, [-1.0], [-inf], [inf]), (torch.asin, [1.0, 2.0], [np.pi / 2, nan], [inf, nan]),
        (torch.acos, [1.0], [0], [-inf]), (torch.acosh, [1.0], [0], [inf]), (torch.atanh, [1.0], [inf], [inf]),
        (torch.logit, [0.0, 1.0], [-inf, inf], [inf, inf]), (torch.sinc, [0.0], [1], [0]),
    ],
)  # fmt: skip
def test_corner_of_one_operand(function, values, out, gradient):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    z = function(x)
    np.testing.assert_array_equal(z.tolist(), out)
    np.testing.assert_array_equal(torch.autograd.grad(z.sum(), x)[0].tolist(), gradient)


def test_logit_with_eps_passes_the_gradient_at_its_ends():
    x = torch.tensor([0.0, 0.1, 0.5], dtype=torch.float64, requires_grad=True)
    z = torch.logit(x, 0.1)
    np.testing.assert_allclose(z.tolist(), [-2.1972245773, -2.1972245773, 0])
    np.testing.assert_allclose(torch.autograd.grad(z.sum(), x)[0].tolist(), [0, 11.1111111111, 4])


@pytest.mark.parametrize(
    "function, x, y, out, to_x, to_y",
    [
        (torch.atan2, [0.0, 0.0, -0.0, inf], [0.0, -0.0, -1.0, inf], [0, np.pi, -np.pi, np.pi / 4], [0, 0, -1, nan], [0, 0, 0, nan]),
        (torch.xlogy, [0.0, 0.0, 1.0, 0.0], [0.0, nan, 0.0, inf], [0, nan, -inf, 0], [0, nan, -inf, inf], [nan, nan, inf, 0]),
        (torch.logaddexp, [-inf, inf, inf, 0.0], [-inf, inf, -inf, 0.0], [-inf, inf, inf, np.log(2)], [nan, nan, 1, 0.5], [nan, nan, 0, 0.5]),
    ],
)  # fmt: skip
def test_corner_of_two_operands(function, x, y, out, to_x, to_y):
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = torch.tensor(y, dtype=torch.float64, requires_grad=True)
    z = function(x, y)
    np.testing.assert_allclose(z.tolist(), out)
    found = torch.autograd.grad(z.sum(), (x, y))
    np.testing.assert_array_equal(found[0].tolist(), to_x)
    np.testing.assert_array_equal(found[1].tolist(), to_y)


def test_sinc_has_exact_derivatives_of_every_order_at_and_near_zero():
    x = torch.tensor([0.0, 1e-9, 1e-3, 0.05], dtype=torch.float64, requires_grad=True)
    slopes = [torch.sinc(x)]
    for _ in range(4):
        slopes.append(torch.autograd.grad(slopes[-1].sum(), x, create_graph=True)[0])
    pi, v = np.pi, x.detach().numpy()
    second = -(pi**2) / 3 + pi**4 * v**2 / 10 - pi**6 * v**4 / 168
    third = pi**4 * v / 5 - pi**6 * v**3 / 42 + pi**8 * v**5 / 1080
    np.testing.assert_allclose(slopes[2].detach().numpy(), second, rtol=1e-6)
    np.testing.assert_allclose(slopes[3].detach().numpy(), third, rtol=1e-5, atol=1e-9)
    assert slopes[2][0].item() == -(pi**2) / 3


def test_second_derivatives_of_atan2_at_the_origin_are_finite():
    x, y = (torch.zeros(1, dtype=torch.float64, requires_grad=True) for _ in range(2))
    first = torch.autograd.grad(torch.atan2(x, y), (x, y), create_graph=True)
    second = torch.autograd.grad(sum(first), (x, y), allow_unused=True)
    assert [g.tolist() for g in first] == [[0], [0]] and all(g is None or g.tolist() == [0] for g in second)


@given(st.floats(-700, 700))
@settings(max_examples=60, deadline=None)
def test_sigmoid_is_accurate_and_symmetric(value):
    x = torch.tensor([value], dtype=torch.float64)
    z = torch.sigmoid(x)
    assert 0 <= z.item() <= 1
    np.testing.assert_allclose((z + torch.sigmoid(-x)).item(), 1, rtol=1e-15)
    np.testing.assert_allclose(torch.sigmoid(x).log().item(), -np.logaddexp(0, -value), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["deg2rad", "rad2deg"])
def test_degrees_refuse_complex_numbers(name):
    with pytest.raises(RuntimeError, match="not supported for complex"):
        getattr(torch, name)(torch.tensor([1j]))
