"""Sums, products, powers, rounding, choosing at their awkward points: numbers as operands, promotion, corners, what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

inf, nan = float("inf"), float("nan")


def rand(*shape, low=-2.0, high=2.0, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape)


def grads(function, *values):
    """The result and the gradients of its sum."""
    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    out = function(*leaves)
    return out.tolist(), [g.tolist() for g in torch.autograd.grad(out.sum(), leaves)]


WITH_NUMBERS = """
x + 2; 2 + x; x - 2; 2 - x; x * 3; 3 * x; x / 2; 2 / x; x**3; x**2.5; x**-2; x**0; 2**x; x % 0.7; abs(-x); +x; torch.clamp(x, 0.5, 1.5)
x.clamp(min=1.0); x.clamp_max(1.0); x.round(decimals=1); torch.add(x, x, alpha=3); torch.sub(x, x, alpha=0.5); torch.rsub(x, 2, alpha=3)
torch.rsub(x, x * 2, alpha=3); torch.where(x > 1, x, 0.0); torch.where(x > 1, x * x, -x); torch.div(x, 0.3, rounding_mode="floor")
torch.copysign(x, -1); torch.float_power(x, 3); torch.float_power(2, x); torch.frexp(x)[0]
"""


@pytest.mark.parametrize(
    "expression", [e for line in WITH_NUMBERS.strip().splitlines() for e in line.split("; ")]
)
@pytest.mark.parametrize("shape", [(), (3,), (0,)])
def test_gradients_with_numbers(expression, shape):
    function = eval("lambda x: " + expression)
    check_gradients(function, rand(*shape, low=0.33, high=1.9), order=3, eps=1e-5, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "function", [lambda x, z: x * z, lambda x, z: x - z, lambda x, z: x / z, lambda x, z: z**x]
)
def test_gradients_of_a_real_operand_beside_a_complex_one_are_real(function):
    check_gradients(function, rand(3, low=0.5), rand(3) + 1j * rand(3, seed=1))


# Promotion -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression, dtype",
    [
        ("i + 1", "int64"), ("i + 1.5", "float32"), ("i + 1j", "complex64"), ("b + 1", "int64"), ("b + b", "bool"),
        ("i / i", "float32"), ("i // 2", "int64"), ("i ** 2", "int64"), ("i ** 2.", "float32"), ("b ** 2", "int64"),
        ("h * 1.5", "float16"), ("h * f", "float32"), ("f * d", "float64"), ("f * d0", "float32"), ("i * f0", "float32"),
        ("i8 + u8", "int16"), ("f + i", "float32"), ("f * True", "float32"), ("z * d", "complex128"), ("2 / i", "float32"),
        ("torch.where(b, 1, 2)", "int64"), ("torch.where(b, f, 2)", "float32"), ("torch.where(b, i, 2.5)", "float32"),
        ("i.clamp(0.5)", "float32"), ("i.clamp(1, 2)", "int64"), ("torch.float_power(i, 2)", "float64"),
        ("i.sqrt()", "float32"), ("torch.hypot(f, d)", "float64"), ("torch.copysign(i, f)", "float32"),
        ("f + np.ones(2)", "float64"), ("f * np.float64(2)", "float32"), ("z.abs()", "float32"),
    ],
)  # fmt: skip
def test_dtype_of_result(expression, dtype):
    scope = {
        "torch": torch, "np": np, "b": torch.tensor([True, False]), "i": torch.tensor([1, 2]), "f": torch.tensor([1.0, 2.0]),
        "d": torch.tensor([1.0, 2.0], dtype=torch.float64), "h": torch.tensor([1.0, 2.0], dtype=torch.float16),
        "d0": torch.tensor(2.0, dtype=torch.float64), "f0": torch.tensor(2.0), "z": torch.tensor([1j, 2]),
        "i8": torch.tensor([1, 2], dtype=torch.int8), "u8": torch.tensor([1, 2], dtype=torch.uint8),
    }  # fmt: skip
    assert eval(expression, scope).dtype is getattr(torch, dtype)


def test_numbers_are_not_rounded_to_half_precision_first():
    x = torch.ones(1, dtype=torch.float16) * 1000
    assert (x * 1.0009765625).item() == 1001.0  # as float16 the factor would be 1.001 and the product another
    assert (x + 0.3).item() == np.float16(np.float32(1000) + np.float32(0.3))


# Corner cases: what PyTorch gives --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function, values, out, gradient",
    [
        (torch.abs, [-0.0, 0.0, nan, -inf], [0.0, 0.0, nan, inf], [0, 0, 0, -1]),
        (torch.sign, [-2.0, 0.0, nan], [-1, 0, 0], [0, 0, 0]),
        (torch.round, [0.5, 1.5, 2.5, -0.5], [0, 2, 2, -0.0], [0, 0, 0, 0]),
        (torch.frac, [-1.5], [-0.5], [1]),
        (lambda x: x.clamp(0, 1), [-1.0, 0.0, 0.5, 1.0, 2.0, nan], [0, 0, 0.5, 1, 1, nan], [0, 1, 1, 1, 0, 0]),
        (torch.sqrt, [0.0, -1.0, -0.0], [0, nan, -0.0], [inf, nan, -inf]),
        (torch.rsqrt, [0.0, -0.0], [inf, -inf], [-inf, inf]),
        (torch.reciprocal, [0.0, -0.0], [inf, -inf], [-inf, -inf]),
        (torch.nan_to_num, [nan, inf, -inf, 1.0], [0, np.finfo(float).max, -np.finfo(float).max, 1], [0, 0, 0, 1]),
        (lambda x: x**0, [0.0, 2.0], [1, 1], [0, 0]),
        (lambda x: x**0.0, [0.0, 2.0], [1, 1], [0, 0]),
        (lambda x: x**1, [0.0], [0], [1]),
        (lambda x: x**2, [0.0], [0], [0]),
        (lambda x: x**0.5, [0.0], [0], [inf]),
        (lambda x: x**-1, [0.0], [inf], [-inf]),
        (lambda x: 0**x, [0.0, 2.0, -1.0], [1, 0, inf], [0, 0, -inf]),
        (lambda x: torch.where(x > 0, x.sqrt(), 0.0), [0.0, 4.0], [0, 2], [nan, 0.25]),
    ],
)  # fmt: skip
def test_corner_of_one_operand(function, values, out, gradient):
    got, (grad,) = grads(function, values)
    np.testing.assert_array_equal(got, out)
    np.testing.assert_array_equal(grad, gradient)


@pytest.mark.parametrize(
    "function, x, y, out, to_x, to_y",
    [
        (torch.pow, [0, 0, 0], [0, 2, -1], [1, 0, inf], [0, 0, -inf], [0, 0, -inf]),
        (torch.pow, [-2, -2, 1], [2, 0.5, nan], [4, nan, 1], [-4, nan, nan], [nan, nan, 0]),
        (torch.div, [0, 1], [0, 0], [nan, inf], [inf, inf], [nan, -inf]),
        (torch.remainder, [-5, 5, 1], [3, -3, 0], [1, -1, nan], [1, 1, 1], [2, 2, -inf]),
        (torch.fmod, [-5, 5, 1], [3, -3, 0], [-2, 2, nan], [1, 1, 1], [1, 1, -inf]),
        (lambda x, y: torch.div(x, y, rounding_mode="floor"), [-5, 1, 0], [3, 0, 0], [-2, inf, nan], [0] * 3, [0] * 3),
        (torch.hypot, [0, inf], [0, nan], [0, inf], [nan, nan], [nan, nan]),
        (torch.maximum, [1, nan], [1, 1], [1, nan], [0.5, 1], [0.5, 1]),
        (torch.minimum, [1, nan], [1, 1], [1, nan], [0.5, 1], [0.5, 1]),
        (torch.fmax, [1, nan, nan], [1, 1, nan], [1, 1, nan], [1, 0, 1], [0, 1, 0]),
        (torch.fmin, [1, nan, nan], [1, 1, nan], [1, 1, nan], [1, 0, 1], [0, 1, 0]),
        (torch.copysign, [1, 0], [-0.0, -1], [-1, -0.0], [-1, 0], [0, 0]),
        (lambda x, y: torch.lerp(x, y, 0.5), [0], [inf], [nan], [0.5], [0.5]),
    ],
)  # fmt: skip
def test_corner_of_two_operands(function, x, y, out, to_x, to_y):
    got, found = grads(function, [float(v) for v in x], [float(v) for v in y])
    np.testing.assert_array_equal(got, out)
    np.testing.assert_array_equal(found[0], to_x)
    np.testing.assert_array_equal(found[1], to_y)


def test_clamp_by_tensors_where_the_limits_cross():
    out, (x, low, high) = grads(torch.clamp, [0.0, 1.0, 5.0], [0.0, 0.0, 3.0], [1.0, 1.0, 2.0])
    assert out == [0, 1, 2]
    assert (x, low, high) == ([1, 1, 0], [0, 0, 0], [0, 0, 1])


def test_second_derivatives_at_corners_are_finite_where_they_should_be():
    for function in (lambda x: x**2, torch.abs, lambda x: x.clamp(0, 1), lambda x: torch.copysign(x, -1)):
        x = torch.zeros(1, dtype=torch.float64, requires_grad=True)
        (g,) = torch.autograd.grad(function(x), x, create_graph=True)
        again = torch.autograd.grad(g, x, allow_unused=True)[0] if g.requires_grad else None
        assert again is None or again.isfinite().all()


def test_integer_division_and_remainders():
    x = torch.tensor([-5, 5, -6])
    assert (x // 3).tolist() == [-2, 1, -2]
    assert (x % 3).tolist() == [1, 2, 0]
    assert torch.fmod(x, 3).tolist() == [-2, 2, 0]
    assert torch.div(x, 3, rounding_mode="trunc").tolist() == [-1, 1, -2]
    assert torch.pow(torch.tensor([1, -1, 2, 0]), torch.tensor(-1)).tolist() == [1, -1, 0, 0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("n", [1, 100_000])
def test_a_remainder_of_zero_has_the_sign_of_the_dividend(dtype, n):
    x = torch.tensor([-7.0, 7.0, 0.0, -0.0, -3.0], dtype=getattr(torch, dtype)).repeat(n)
    for divisor, last in ((7, 4.0), (-7, -3.0)):
        z = x % divisor
        assert z.dtype is x.dtype
        assert z[-5:].tolist() == z[:5].tolist() == [0, 0, 0, 0, last]
        assert torch.signbit(z)[-5:-1].tolist() == [True, False, False, True]


@pytest.mark.filterwarnings("ignore:This overload of")
def test_factors_before_what_they_multiply():
    """The order of arguments of 2017."""
    x, y, z = (torch.tensor([a, b], requires_grad=True) for a, b in ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)))
    for old, new in (
        (torch.add(x, 2, y), torch.add(x, y, alpha=2)), (x.sub(0.5, y), x.sub(y, alpha=0.5)),
        (x.clone().add_(2, y), x + 2 * y), (x.clone().sub_(2, y), x - 2 * y), (torch.add(x, torch.tensor(2.0), y), x + 2 * y),
        (torch.addcmul(x, 2, y, z), torch.addcmul(x, y, z, value=2)), (x.addcdiv(2, y, z), x.addcdiv(y, z, value=2)),
        (x.clone().addcmul_(-1, y, z), x - y * z), (x.clone().addcdiv_(-1, y, z), x - y / z),
    ):  # fmt: skip
        assert old.tolist() == new.tolist()
        for got, expected in zip(
            torch.autograd.grad(old.sum(), (x, y)), torch.autograd.grad(new.sum(), (x, y))
        ):
            assert torch.allclose(got, expected)
    out = torch.empty(2)
    assert torch.add(x.detach(), 3, y.detach(), out=out) is out and out.tolist() == [10, 14]
    for call in (lambda: x.add(y, 2), lambda: torch.add(x, 1, y, 2), lambda: x.addcmul(y, z, 2)):
        with pytest.raises(TypeError, match="positional arguments but"):
            call()


def test_a_factor_before_what_it_multiplies_warns_once():
    x = torch.ones(2)
    with pytest.warns(UserWarning, match="This overload of add_ is deprecated") as warned:
        x.add_(2, x).add_(2, x)
    assert len(warned) == 1


@given(st.integers(0, 6000), st.booleans(), st.sampled_from(["float32", "float64", "complex128", "int64"]))
@settings(max_examples=30, deadline=None)
def test_where_does_the_same_for_many_elements_as_for_few(n, scalar, dtype):
    rng = np.random.default_rng(n)
    mask, x, y = (
        rng.random(n) < 0.5,
        (rng.normal(size=n) * 9).astype(dtype),
        (rng.normal(size=n) * 9).astype(dtype),
    )
    y = y[:1] if scalar and n else y
    out = torch.where(torch.tensor(mask), torch.tensor(x), torch.tensor(y))
    np.testing.assert_array_equal(out.numpy(), np.where(mask, x, y))


# In place and out= -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [lambda z, y: z.mul_(y), lambda z, y: z.div_(y), lambda z, y: z.pow_(2), lambda z, y: z.lerp_(y, 0.3),
                                      lambda z, y: z.addcmul_(y, y, value=2), lambda z, y: z.clamp_(1.0, 1.5),
                                      lambda z, y: z.add_(y, alpha=3), lambda z, y: z.sub_(2), lambda z, y: z.reciprocal_()])  # fmt: skip
def test_gradients_through_writes(function):
    check_gradients(lambda x, y: function(x * 2, y), rand(2, 3, low=0.55), rand(3, low=0.5, seed=1))


@pytest.mark.parametrize("grad", [True, False])
def test_in_place_without_recording_leaves_no_history(grad):
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        x.add_(torch.ones(3, requires_grad=grad), alpha=-0.5)
        x.mul_(2)
        x.sub_(torch.ones(3))
    assert x.is_leaf and x.tolist() == [0, 0, 0] and x._version == 3


# Errors ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression, error, message",
    [
        ("b - b", RuntimeError, "Subtraction, the `-` operator, with two bool tensors is not supported"),
        ("f - b", RuntimeError, "Subtraction, the `-` operator, with a bool tensor is not supported"),
        ("1 - b", RuntimeError, "Subtraction, the `-` operator, with a bool tensor is not supported"),
        ("-b", RuntimeError, "Negation, the `-` operator, on a bool tensor is not supported"),
        ("+b", RuntimeError, "The `[+]` operator, on a bool tensor is not supported"),
        ("i ** -1", RuntimeError, "Integers to negative integer powers are not allowed."),
        ("i // 0", RuntimeError, "ZeroDivisionError"),
        ("i % 0", RuntimeError, "ZeroDivisionError"),
        ("torch.fmod(i, 0)", RuntimeError, "ZeroDivisionError"),
        ("torch.ones(3) + torch.ones(2)", RuntimeError, r"size of tensor a \(3\) must match the size of tensor b \(2\)"),
        ("i.add_(1.5)", RuntimeError, "result type Float can't be cast to the desired output type Long"),
        ("i.div_(2)", RuntimeError, "result type Float can't be cast"),
        ("f.add_(torch.ones(2, 2))", RuntimeError, r"output with shape \[2\] doesn't match the broadcast shape \[2, 2\]"),
        ("f.add_(torch.ones(3))", RuntimeError, r"size of tensor a \(2\) must match the size of tensor b \(3\)"),
        ("torch.div(f, f, rounding_mode='x')", RuntimeError, "div expected rounding_mode to be one of None, 'trunc', or 'floor'"),
        ("torch.add(i, i, alpha=1.5)", RuntimeError, "argument alpha must not be a floating point number"),
        ("torch.add(f, f, alpha=1j)", RuntimeError, "argument alpha must not be a complex number"),
        ("torch.add(i, i, alpha=1j)", RuntimeError, "argument alpha must not be a floating point number"),
        ("torch.add(i.byte(), i.byte(), alpha=300)", RuntimeError, "cannot be converted to type uint8_t without"),
        ("i.byte() ** 300", RuntimeError, "cannot be converted to type uint8_t without overflow"),
        ("True ** b", NotImplementedError, "\"pow\" not implemented for 'Bool'"),
        ("torch.floor(z)", NotImplementedError, "floor is not supported for complex inputs"),
        ("torch.ceil(z)", NotImplementedError, "ceil is not supported for complex inputs"),
        ("torch.lerp(i, i, 0.5)", NotImplementedError, "\"lerp_kernel_scalar\" not implemented for 'Long'"),
        ("torch.clamp(b, b, b)", NotImplementedError, "\"clamp_cpu\" not implemented for 'Bool'"),
        ("torch.clamp_max(z, z)", NotImplementedError, "\"minimum_cpu\" not implemented for 'ComplexFloat'"),
        ("torch.add(f, [1])", TypeError, r"add\(\): argument 'other' \(position 2\) must be Tensor, not list"),
        ("f + 'a'", TypeError, "unsupported operand"),
        ("f * None", TypeError, "unsupported operand"),
        ("f ** 'a'", TypeError, "unsupported operand"),
        ("f % []", TypeError, "unsupported operand"),
        ("torch.maximum(f, 2)", TypeError, r"maximum\(\): argument 'other' \(position 2\) must be Tensor, not int"),
        ("torch.maximum(z, z)", RuntimeError, "maximum not implemented for complex tensors"),
        ("torch.clamp(f)", RuntimeError, "At least one of 'min' or 'max' must not be None"),
        ("torch.clamp(z, 0)", RuntimeError, "clamp is not supported for complex types"),
        ("torch.where(i, f, f)", RuntimeError, "where expected condition to be a boolean tensor"),
        ("torch.where(b, i.byte(), 300)", RuntimeError, "cannot be converted to type uint8_t without overflow"),
        ("torch.sign(z)", RuntimeError, "torch.sgn instead"),
        ("torch.lerp(f, f.double(), 0.5)", RuntimeError, "expected dtype float for `end` but got dtype double"),
        ("torch.addcdiv(f, i, i)", RuntimeError, "Integer division with addcdiv is no longer supported"),
        ("torch.heaviside(f, i)", RuntimeError, "heaviside is not yet implemented for tensors with different dtypes"),
        ("torch.abs(b)", RuntimeError, "\"abs_cpu\" not implemented for 'Bool'"),
        ("torch.frac(i)", RuntimeError, "\"frac_cpu\" not implemented for 'Long'"),
        ("torch.frexp(i)", RuntimeError, "only supports floating-point dtypes"),
        ("torch.pow(2, 2)", TypeError, "invalid combination of arguments"),
        ("i.clamp_(0.5)", RuntimeError, "result type Float can't be cast"),
        ("f.float_power_(2)", RuntimeError, "requires dtype Double"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, error, message):
    scope = {
        "torch": torch, "b": torch.tensor([True, False]), "i": torch.tensor([1, 2]), "f": torch.tensor([1.0, 2.0]),
        "z": torch.tensor([1j, 2]),
    }  # fmt: skip
    with pytest.raises(error, match=message):
        eval(expression, scope)


def test_truth_values_have_one_limit():
    b, c = torch.tensor([True, False]), torch.tensor([False, False])
    assert torch.clamp(b, max=c).tolist() == [False, False]
    assert torch.clamp(c, min=b).tolist() == [True, False]


def test_a_complex_number_as_a_truth_value():
    assert torch.full((1,), 1j, dtype=torch.bool).tolist() == [True]


def test_an_uint8_condition_is_taken_with_a_warning():
    with pytest.warns(UserWarning, match="uint8 condition tensor"):
        out = torch.where(torch.tensor([1, 0], dtype=torch.uint8), 1.0, 2.0)
    assert out.tolist() == [1, 2]


def test_foreign_operands_may_answer_themselves():
    class Other:
        def __radd__(self, x):
            return "radd"

        def __rpow__(self, x):
            return "rpow"

        def __eq__(self, x):
            return "eq"

    x = torch.ones(2)
    assert x + Other() == "radd" and x ** Other() == "rpow" and (x == Other()) == "eq"


def test_numpy_arrays_are_operands_on_either_side():
    x = torch.tensor([1.0, 2.0])
    assert (x + np.ones(2)).tolist() == [2, 3] and isinstance(np.ones(2) * x, torch.Tensor)
    assert (np.float64(3) * x).tolist() == [3, 6]


@pytest.mark.parametrize("expression", ["x // y", "2 // x", "torch.heaviside(x, y)", "2 % x"])
def test_ops_without_derivative_say_so_in_backward(expression):
    names = {"torch": torch, "x": torch.ones(2, requires_grad=True), "y": torch.ones(2, requires_grad=True)}
    out = eval(expression, names)
    assert out.grad_fn.name() == "torch::autograd::NotImplemented"
    with pytest.raises(RuntimeError, match="derivative for aten::.* is not implemented"):
        out.sum().backward()
