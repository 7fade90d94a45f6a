"""``assert_allclose``, the older form of ``assert_close``."""

import pytest

import minigrad
from tests.messages import first_sentence

CASES = {
    "lists": ([1.0, 2.0], [1.0, 2.0001], {}),
    "within the tolerance of float32": (1.0, 1.00009, {}),
    "beyond it": (1.0, 1.00012, {}),
    "half": ("float16", 1.0005, {}),
    "bfloat16": ("bfloat16", 1.01, {}),
    "double": ("float64", 1.000009, {}),
    "double beyond": ("float64", 1.00002, {}),
    "complex": ("complex64", 1.000001, {}),
    "other dtype": ("float64", 1, {}),
    "nans": ([float("nan")], [float("nan")], {}),
    "nans that differ": ([float("nan")], [float("nan")], {"equal_nan": False}),
    "tolerances": (1.0, 2.0, {"rtol": 0.5, "atol": 0.0}),
    "one tolerance": (1.0, 1.0, {"rtol": 0.5}),
    "a message": (1.0, 2.0, {"msg": "mine"}),
    "an empty message": (1.0, 2.0, {"msg": ""}),
    "shapes": ([1.0], [[1.0]], {}),
    "integers": ([1, 2], [1, 3], {}),
    "a number that becomes an integer": ([1, 2], [1.4, 2.4], {}),
}


def outcome(lib, actual, expected, options):
    if isinstance(actual, str):
        actual, expected = lib.ones((), dtype=getattr(lib, actual)), lib.tensor(expected)
    with pytest.warns(FutureWarning) as seen:
        try:
            result = lib.testing.assert_allclose(actual, expected, **options)
        except Exception as error:
            result = type(error), str(error)
    return result, [first_sentence(str(w.message)) for w in seen if w.filename == __file__]


def test_wider_tolerances_than_of_assert_close():
    assert outcome(minigrad, [1.0], [1.00005], {})[0] is None
    with pytest.raises(AssertionError):
        minigrad.testing.assert_close(minigrad.tensor([1.0]), minigrad.tensor([1.00005]))


@pytest.mark.torch
@pytest.mark.parametrize("name", CASES)
def test_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    assert outcome(minigrad, *CASES[name]) == outcome(torch, *CASES[name])
