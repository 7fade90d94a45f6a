"""Window functions: values by their formulas, symmetry, periods, dtypes, errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch

windows = torch.signal.windows
ROOT = ["bartlett", "blackman", "hamming", "hann", "kaiser"]
OPTIONS = {"general_cosine": {"a": [0.46, 0.23, 0.31]}}


def made(name, *args, **options):
    return getattr(windows, name)(*args, **OPTIONS.get(name, {}), **options)


@pytest.mark.parametrize("name", ROOT)
def test_numpy_agrees(name):
    for n in (1, 2, 5, 12):
        expected = getattr(np, "hanning" if name == "hann" else name)(
            *((n, 12.0) if name == "kaiser" else (n,))
        )
        symmetric = getattr(torch, name + "_window")(n, periodic=False, dtype=torch.float64)
        np.testing.assert_allclose(symmetric.numpy(), expected, atol=1e-14)
        np.testing.assert_allclose(made(name, n, dtype=torch.float64).numpy(), expected, atol=1e-13)


@pytest.mark.parametrize("name", windows.__all__)
@given(st.integers(2, 40))
@settings(max_examples=20, deadline=None)
def test_symmetric_and_periodic(name, n):
    w = made(name, n, dtype=torch.float64).numpy()
    np.testing.assert_allclose(w, w[::-1], atol=1e-12)
    longer = made(name, n + 1, dtype=torch.float64).numpy()
    np.testing.assert_allclose(made(name, n, sym=False, dtype=torch.float64).numpy(), longer[:-1], atol=1e-12)
    if name in ROOT:
        periodic = getattr(torch, name + "_window")(n, dtype=torch.float64).numpy()
        np.testing.assert_allclose(periodic, longer[:-1], atol=1e-12)


def test_parameters():
    np.testing.assert_allclose(
        torch.hamming_window(4, True, 0.6, 0.3).numpy(), [0.3, 0.6, 0.9, 0.6], atol=1e-6
    )
    n = np.arange(5)
    np.testing.assert_allclose(windows.gaussian(5, std=2.0).numpy(), np.exp(-((n - 2) ** 2) / 8), rtol=1e-6)
    np.testing.assert_allclose(windows.exponential(5, tau=2.0).numpy(), np.exp(-np.abs(n - 2) / 2), rtol=1e-6)
    got = windows.exponential(5, center=1, sym=False).numpy()
    np.testing.assert_allclose(got, np.exp(-np.abs(n - 1)), rtol=1e-6)
    np.testing.assert_allclose(windows.cosine(5).numpy(), np.sin(np.pi / 5 * (n + 0.5)), rtol=1e-6)
    np.testing.assert_allclose(torch.kaiser_window(5, False, 5.0).numpy(), np.kaiser(5, 5.0), rtol=1e-5)
    np.testing.assert_allclose(windows.kaiser(5, beta=0.0).numpy(), np.ones(5))


@pytest.mark.parametrize("name", ROOT)
def test_forms_at_the_root(name):
    window = getattr(torch, name + "_window")
    assert window(0).shape == (0,) and window(1).tolist() == [1]
    assert window(3).dtype is torch.float32 and window(3, dtype=torch.float16).dtype is torch.float16
    assert window(3, requires_grad=True).is_leaf
    with pytest.raises(
        RuntimeError, match=f"{name}_window requires non-negative window_length, got window_length=-1"
    ):
        window(-1)
    with pytest.raises(
        RuntimeError,
        match=rf"{name}_window expects floating point dtypes, got: TensorOptions\(dtype=long int",
    ):
        window(3, dtype=torch.int64)
    with pytest.raises(TypeError, match=r"argument 'window_length' \(position 1\) must be int, not float"):
        window(3.5)


@pytest.mark.parametrize("name", windows.__all__)
def test_forms(name):
    assert made(name, 0).shape == (0,) and made(name, 1).tolist() == [1]
    assert made(name, 4).dtype is torch.float32 and made(name, 4, requires_grad=True).requires_grad
    with pytest.raises(ValueError, match="requires non-negative window length, got M=-1"):
        made(name, -1)
    with pytest.raises(ValueError, match="expects float32 or float64 dtypes, got: torch.float16"):
        made(name, 3, dtype=torch.float16)


def test_errors():
    for call, kind, words in (
        (lambda: windows.exponential(5, center=2), ValueError, "Center must be None for symmetric windows"),
        (lambda: windows.exponential(5, tau=-1), ValueError, "Tau must be positive, got: -1 instead."),
        (
            lambda: windows.gaussian(5, std=0.0),
            ValueError,
            "Standard deviation must be positive, got: 0.0 instead.",
        ),
        (lambda: windows.kaiser(5, beta=-1), ValueError, "beta must be non-negative, got: -1 instead."),
        (lambda: windows.general_cosine(5, a=[]), ValueError, "Coefficients cannot be empty"),
        (lambda: windows.general_cosine(5, a=3), TypeError, "Coefficients must be a list/tuple"),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert str(caught.value) == words


@pytest.mark.torch
@pytest.mark.parametrize("name", windows.__all__)
def test_torch_agrees(name):
    theirs = pytest.importorskip("torch")
    for n in (2, 7):
        for sym in (True, False):
            expected = getattr(theirs.signal.windows, name)(n, sym=sym, **OPTIONS.get(name, {})).numpy()
            np.testing.assert_allclose(made(name, n, sym=sym).numpy(), expected, rtol=1e-4, atol=2e-6)
