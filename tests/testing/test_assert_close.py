"""``assert_close``: what it accepts, and what it says of what it does not."""

import re

import numpy as np
import pytest

import minigrad
from minigrad.testing import assert_close

NAN = float("nan")


def message(actual, expected, **options):
    """What ``assert_close`` raises, as (type, text)."""
    with pytest.raises((AssertionError, TypeError, ValueError)) as raised:
        assert_close(actual, expected, **options)
    return raised.type.__name__, str(raised.value)


@pytest.mark.parametrize(
    "actual, expected, options",
    [
        (1, 1, {}),
        (1.0, 1.0 + 5e-8, {}),
        (np.float32(1), 1.0, {}),
        (None, None, {}),
        (True, np.True_, {}),
        (NAN, NAN, {"equal_nan": True}),
        (1 + 1j, 1 + 1j, {}),
        (1, 1.0, {"check_dtype": False}),
        ([1, (2.0, None)], (1, [2.0, None]), {}),
        (range(2), [0, 1], {}),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, {}),
        (b"ab", b"ab", {}),
        (np.ones(2), np.ones(2), {}),
        (3.0, 4.0, {"rtol": 0.25, "atol": 0.0}),
    ],
)
def test_what_is_close(actual, expected, options):
    assert_close(actual, expected, **options)


@pytest.mark.parametrize(
    "dtype, rtol", [("float16", 1e-3), ("float32", 1.3e-6), ("float64", 1e-7), ("complex64", 1.3e-6)]
)
def test_tolerances_are_those_of_the_dtype(dtype, rtol):
    x = minigrad.full((2,), 8.0, dtype=minigrad.float64).to(getattr(minigrad, dtype))
    wider = x.to(minigrad.complex128 if dtype == "complex64" else minigrad.float64)
    near = wider * (1 + 0.5 * rtol)
    assert_close(near, wider, rtol=rtol, atol=0)
    far = (wider * (1 + 8 * rtol)).to(x.dtype)
    with pytest.raises(AssertionError, match=re.escape(f"(up to {rtol} allowed)")):
        assert_close(far * (1 + 8 * rtol), x)


def test_integers_are_compared_exactly():
    assert message(
        minigrad.tensor([200], dtype=minigrad.uint8), minigrad.tensor([1], dtype=minigrad.uint8)
    ) == (
        "AssertionError",
        "Tensor-likes are not equal!\n\nMismatched elements: 1 / 1 (100.0%)\n"
        "Greatest absolute difference: 199 at index (0,)\nGreatest relative difference: 199.0 at index (0,)",
    )


def test_the_greatest_differences_are_those_of_mismatches():
    x = minigrad.tensor([[1000.0, 2.0], [3.0, 4.5]])
    y = minigrad.tensor([[1000.0005, 2.0], [3.0, 4.0]])
    _, text = message(x, y)
    assert text == (
        "Tensor-likes are not close!\n\nMismatched elements: 1 / 4 (25.0%)\n"
        "Greatest absolute difference: 0.5 at index (1, 1) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 0.125 at index (1, 1) (up to 1.3e-06 allowed)"
    )


def test_subclasses_and_what_requires_grad():
    x = minigrad.nn.Parameter(minigrad.ones(2))
    assert_close(x, minigrad.ones(2))
    assert_close(minigrad.ones(2), x * 1)
    kind, text = message(x, minigrad.ones(2), allow_subclasses=False)
    assert kind == "TypeError" and "Parameter'> and <class" in text


def test_nothing_is_recorded_and_nothing_changed():
    x = minigrad.ones(2, requires_grad=True)
    version = x._version
    assert_close(x, x.detach())
    assert x._version == version and x.is_leaf and x.grad is None


@pytest.mark.parametrize(
    "flag, x, y",
    [
        ("check_dtype", lambda: minigrad.ones(2), lambda: minigrad.ones(2, dtype=minigrad.float64)),
        ("check_stride", lambda: minigrad.ones(2, 2).t()[:1], lambda: minigrad.ones(1, 2)),
    ],
)
def test_attributes_can_be_left_out_of_the_comparison(flag, x, y):
    assert_close(x(), y(), **{flag: False})
    kind, text = message(x(), y(), **{flag: True})
    assert kind == "AssertionError" and text.startswith("The values for attribute '")


def test_a_message_of_ones_own():
    assert message([1], [2], msg="mine") == ("AssertionError", "mine")
    _, text = message([1], [2], msg=lambda m: m.splitlines()[0] + m[-8:])
    assert text == "Scalars are not equal!item [0]"
    assert message([1], [1, 2], msg="mine")[1] == "The length of the sequences mismatch: 1 != 2"


def test_keys_without_an_order():
    assert_close({1: 2, "a": 3}, {"a": 3, 1: 2})


CASES = [
    "(1, 2)", "(1.0, 2.0)", "(True, False)", "(None, 1)", "(1, 1.0)", "('a', 'a')", "({1}, {1})", "(1, T.ones(1))", "([1], T.ones(1))",
    "(T.ones(2), T.ones(3))", "(T.ones(2), T.ones(2).double())", "(T.ones(2), T.zeros(2))", "(T.tensor(1.), T.tensor(2.))",
    "([1, 2], [1, 3])", "({'a': {'b': [1, 2]}}, {'a': {'b': [1, 3]}})", "({'a': 1}, {'b': 1})", "([1], [1, 2])", "(nan, nan)", "(inf, 1.0)",
    "(T.tensor([nan, inf]), T.tensor([1., 2.]))", "(T.tensor([nan]), T.tensor([nan]))", "(T.tensor([1+1j]), T.tensor([1+2j]))",
    "(T.tensor([True]), T.tensor([False]))", "(1 + 1j, 2.0)", "([T.ones(1)], [object])", "(b'ab', b'ac')", "(np.ones(2), np.zeros(2))",
    "(T.ones(2, 3), np.ones((2, 3)))", "(T.tensor([60000.]).half(), T.tensor([-60000.]).half())", "(T.ones(2, 2).t()[:1], T.ones(1, 2))",
]  # fmt: skip
OPTIONS = ["{}", "dict(rtol=0.1)", "dict(rtol=0.1, atol=0)", "dict(check_dtype=False)", "dict(equal_nan=True, rtol=0, atol=0.)",
           "dict(msg=lambda m: 'X ' + m)", "dict(check_stride=True)"]  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("case", CASES)
def test_as_pytorch(case, options):
    torch = pytest.importorskip("torch")
    outcomes = []
    for library in (minigrad, torch):
        names = {"T": library, "np": np, "nan": NAN, "inf": float("inf")}
        actual, expected = eval(case, names)
        try:
            library.testing.assert_close(actual, expected, **eval(options))
            outcomes.append(None)
        except Exception as error:
            text = re.sub(r"'(torch|minigrad)\.Tensor'", "Tensor", str(error))
            outcomes.append((type(error).__name__, text))
    assert outcomes[0] == outcomes[1]
