"""Comparisons, logic, bits, kinds of numbers, nearness at their awkward points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import minigrad as torch

inf, nan = float("inf"), float("nan")
LONG = {"ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}


@pytest.mark.parametrize("short, long", LONG.items())
def test_long_names_are_the_same_functions(short, long):
    assert getattr(torch, short) is getattr(torch, long)
    assert getattr(torch.Tensor, short + "_") is getattr(torch.Tensor, long + "_")


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge"])
def test_complex_numbers_have_no_order(name):
    z = torch.tensor([1j])
    for call in (
        lambda: getattr(torch, name)(z, z),
        lambda: getattr(z, name)(1),
        lambda: getattr(z.clone(), name + "_")(z),
    ):
        with pytest.raises(NotImplementedError, match=f"\"{name}_cpu\" not implemented for 'ComplexFloat'"):
            call()


def test_equality_with_foreign_things_is_python_s():
    x = torch.ones(2)
    assert (x == "a") is False and (x != None) is True and (x == [1, 1]) is False  # noqa: E711
    with pytest.raises(TypeError, match="'<' not supported"):
        x < "a"
    assert (x == np.ones(2)).tolist() == [True, True]


def test_in_place_comparisons_keep_the_dtype():
    x = torch.tensor([1.0, 2.0])
    assert x.eq_(1) is x and x.tolist() == [1.0, 0.0] and x.dtype is torch.float32
    i = torch.tensor([1, 2])
    assert i.lt_(1.5).tolist() == [1, 0]
    assert torch.tensor([1, 0]).logical_and_(torch.tensor([0.5, 1])).tolist() == [1, 0]


# Logic and bits --------------------------------------------------------------------------------------------------------------


def test_bits_of_bool_are_logic():
    a, b = torch.tensor([True, True, False]), torch.tensor([True, False, False])
    assert (a & b).tolist() == [True, False, False] and (a | b).tolist() == [True, True, False]
    assert (a ^ b).tolist() == [False, True, False] and (~a).tolist() == [False, False, True]


def test_shifts_beyond_the_width():
    x = torch.tensor([3, -3])
    assert (x << 1).tolist() == [6, -6] and (x << 65).tolist() == [0, 0] and (x << -1).tolist() == [0, 0]
    assert (x >> 1).tolist() == [1, -2] and (x >> 65).tolist() == [0, -1] and (2 << x[:1]).tolist() == [16]
    x <<= 2
    x >>= 1
    assert x.tolist() == [6, -6]


def test_in_place_bits():
    x = torch.tensor([5, 6])
    x &= 4
    x |= 1
    x ^= 7
    assert x.tolist() == [2, 2] and x._version == 3


@pytest.mark.parametrize(
    "expression, error, message",
    [
        ("f & f", NotImplementedError, "\"bitwise_and_cpu\" not implemented for 'Float'"),
        ("f << 1", NotImplementedError, "\"lshift_cpu\" not implemented for 'Float'"),
        ("b << b", NotImplementedError, "\"lshift_cpu\" not implemented for 'Bool'"),
        ("~f", TypeError, "only implemented on integer and Boolean-type tensors"),
        ("torch.gcd(f, f)", NotImplementedError, "\"gcd_cpu\" not implemented for 'Float'"),
        ("torch.gcd(i, 2)", TypeError, r"gcd\(\): argument 'other' \(position 2\) must be Tensor, not int"),
        ("torch.logical_and(f, 2)", TypeError, "must be Tensor, not int"),
        ("torch.bitwise_and(1, 2)", TypeError, "Tensor"),
        ("torch.eq(2, f)", TypeError, "invalid combination of arguments - got \\(int, Tensor\\)"),
        ("b.bitwise_and_(i)", RuntimeError, "result type Long can't be cast to the desired output type Bool"),
        ("torch.isposinf(z)", RuntimeError, "isposinf does not support complex inputs"),
        ("torch.signbit(z)", NotImplementedError, "signbit is not implemented for complex tensors"),
        ("torch.isclose(f, i)", RuntimeError, "Float did not match Long"),
        ("torch.isclose(f, f, rtol=-1)", RuntimeError, "rtol must be greater than or equal to zero, but got -1"),
        ("torch.equal(f, 2)", TypeError, r"equal\(\): argument 'other' \(position 2\) must be Tensor, not int"),
        ("torch.is_nonzero(f)", RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
        ("torch.isneginf(f, out=torch.empty(2))", RuntimeError, "isneginf does not support non-boolean outputs"),
    ],
)  # fmt: skip
def test_errors_in_pytorch_s_words(expression, error, message):
    scope = {
        "torch": torch, "b": torch.tensor([True, False]), "i": torch.tensor([1, 2]), "f": torch.tensor([1.0, 2.0]),
        "z": torch.tensor([1j, 2]),
    }  # fmt: skip
    with pytest.raises(error, match=message):
        eval(expression, scope)


# Kinds of numbers, nearness ----------------------------------------------------------------------------------------------------


@given(
    npst.arrays(np.float64, 6, elements=st.floats(-1e3, 1e3)),
    st.floats(0, 0.1),
    st.floats(0, 0.1),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_isclose_is_numpy_s(x, rtol, atol, equal_nan):
    x[0], y = nan, x * (1 + 0.05)
    out = torch.isclose(torch.tensor(x), torch.tensor(y), rtol, atol, equal_nan)
    np.testing.assert_array_equal(out.numpy(), np.isclose(x, y, rtol, atol, equal_nan))
    assert torch.allclose(torch.tensor(x), torch.tensor(y), rtol, atol, equal_nan) is bool(out.all())


def test_isclose_of_infinities_and_integers():
    a = torch.tensor([inf, -inf, inf])
    assert torch.isclose(a, torch.tensor([inf, inf, 1.0])).tolist() == [True, False, False]
    assert torch.isclose(torch.tensor([1, 2**60]), torch.tensor([1, 2**60 + 1])).all()


def test_equal():
    assert torch.equal(torch.tensor([1, 2]), torch.tensor([1.0, 2.0]))
    assert not torch.equal(torch.tensor([1]), torch.tensor([1, 1]))
    assert not torch.equal(torch.tensor([nan]), torch.tensor([nan]))


@pytest.mark.parametrize(
    "name", ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "gcd", "lcm"]
)
def test_operators_without_a_derivative_write_into_no_tensor_that_requires_grad(name):
    x, out = torch.tensor([6, 4]), torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        getattr(torch, name)(x, x, out=out)
    with torch.no_grad():
        assert getattr(torch, name)(x, x, out=out) is out


def test_bitwise_not_tells_of_an_out_that_requires_grad_before_its_dtype():
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.bitwise_not(torch.tensor([6]), out=torch.ones(1, requires_grad=True))
