"""Masked reductions and normalizations: against the same operation on the elements that are left, gradients, dtypes, errors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

masked = torch.masked
X = np.random.default_rng(0).normal(size=(3, 4))
MASK = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]], bool)

REDUCTIONS = {
    "sum": np.sum,
    "prod": np.prod,
    "amax": np.max,
    "amin": np.min,
    "mean": np.mean,
    "logsumexp": lambda x: np.log(np.sum(np.exp(x))),
    "norm": lambda x: np.sqrt(np.sum(x * x)),
    "var": lambda x: np.var(x, ddof=1),
    "std": lambda x: np.std(x, ddof=1),
}
ALONG = {
    "median": lambda x: np.sort(x)[(len(x) - 1) // 2],
}


def call(name, x, dim=None, **options):
    return getattr(masked, name)(x, *((2.0,) if name == "norm" else ()), dim=dim, **options)


@pytest.mark.parametrize("name", REDUCTIONS)
@given(st.integers(0, 2**12 - 1))
@settings(max_examples=25, deadline=None)
def test_reductions_are_those_of_what_is_left(name, bits):
    mask = np.array([bits >> i & 1 for i in range(12)], bool).reshape(3, 4)
    mask[:, 0] = mask[:, 1] = True
    got = call(name, torch.tensor(X), 1, mask=torch.tensor(mask)).numpy()
    np.testing.assert_allclose(got, [REDUCTIONS[name](x[m]) for x, m in zip(X, mask)], rtol=1e-12)
    whole = call(name, torch.tensor(X), mask=torch.tensor(mask)).item()
    assert whole == pytest.approx(REDUCTIONS[name](X[mask]), rel=1e-12)


@pytest.mark.parametrize("name", [*REDUCTIONS, "median"])
def test_forms_of_reductions(name):
    x, mask = torch.tensor(X), torch.tensor(MASK)
    along = call(name, x, 1, mask=mask)
    kept = call(name, x, 1, keepdim=True, mask=mask)
    assert kept.shape == (3, 1) and kept.squeeze(1).equal(along)
    assert call(name, x, -1, mask=mask.to(torch.int64)).equal(along)
    everything = torch.ones(4, dtype=torch.bool)
    np.testing.assert_allclose(
        call(name, x, 1, mask=everything).numpy(), call(name, x, 1).numpy(), rtol=1e-14
    )
    if name != "median":
        assert call(name, x, (0, 1), mask=mask).shape == ()
    assert call(name, torch.tensor([1.5, -2.0]), 0, dtype=torch.float32).dtype is torch.float32
    check_gradients(lambda x: call(name, x, 1, mask=mask), X, rtol=1e-4)


def test_medians_and_places():
    x, mask = torch.tensor(X), torch.tensor(MASK)
    expected = [ALONG["median"](a[m]) for a, m in zip(X, MASK)]
    np.testing.assert_array_equal(masked.median(x, 1, mask=mask).numpy(), expected)
    for name, function, fill in (("argmax", np.argmax, -np.inf), ("argmin", np.argmin, np.inf)):
        got = getattr(masked, name)(x, 1, mask=mask)
        assert got.dtype is x.dtype
        np.testing.assert_array_equal(got.numpy(), function(np.where(MASK, X, fill), 1))
        assert getattr(masked, name)(x, 1, dtype=torch.int64, mask=mask).dtype is torch.int64


NORMALIZATIONS = {
    "cumsum": lambda x, mask: masked.cumsum(x, 1, mask=mask),
    "cumprod": lambda x, mask: masked.cumprod(x, 1, mask=mask),
    "softmax": lambda x, mask: masked.softmax(x, 1, mask=mask),
    "softmin": lambda x, mask: masked.softmin(x, 1, mask=mask),
    "normalize": lambda x, mask: masked.normalize(x, 2.0, 1, mask=mask),
}


def test_normalizations():
    x, mask = torch.tensor(X), torch.tensor(MASK)
    np.testing.assert_allclose(masked.cumsum(x, 1, mask=mask).numpy(), np.cumsum(np.where(MASK, X, 0), 1))
    np.testing.assert_allclose(masked.cumprod(x, 1, mask=mask).numpy(), np.cumprod(np.where(MASK, X, 1), 1))
    e = np.exp(X) * MASK
    np.testing.assert_allclose(masked.softmax(x, 1, mask=mask).numpy(), e / e.sum(1, keepdims=True))
    np.testing.assert_allclose(masked.log_softmax(x, 1, mask=mask).exp().numpy(), e / e.sum(1, keepdims=True))
    np.testing.assert_allclose(masked.softmin(-x, 1, mask=mask).numpy(), e / e.sum(1, keepdims=True))
    unit = masked.normalize(x, 2.0, 1, mask=mask)
    np.testing.assert_allclose(unit.norm(dim=1).numpy(), 1)
    assert (unit.numpy()[~MASK] == 0).all()
    both = masked.logaddexp(x, x, input_mask=mask)
    np.testing.assert_allclose(both.numpy(), np.where(MASK, X + math.log(2), X))


def test_where_nothing_is_left():
    x, none = torch.tensor([1.0, 2.0]), torch.tensor([False, False])
    values = {"sum": 0, "prod": 1, "amax": -math.inf, "amin": math.inf, "logsumexp": -math.inf, "norm": 0}
    for name, value in values.items():
        assert call(name, x, 0, mask=none).item() == value
    for name in ("mean", "median", "var", "std"):
        assert math.isnan(call(name, x, 0, mask=none).item())
    assert torch.isnan(masked.softmax(x, 0, mask=none)).all()


def test_integers():
    x, mask = torch.tensor([3, 1, 2], dtype=torch.int32), torch.tensor([True, True, False])
    assert masked.sum(x, mask=mask).dtype is torch.int64 and masked.sum(x, mask=mask).item() == 4
    assert masked.prod(x, mask=mask).item() == 3
    assert masked.amax(x, mask=mask).dtype is torch.int32 and masked.amin(x, mask=mask).item() == 1
    assert masked.median(x, 0, mask=mask).equal(torch.tensor(1, dtype=torch.int32))
    assert masked.var(x, mask=mask).dtype is torch.float32
    with pytest.raises(ValueError, match="masked median expects no fully masked out rows"):
        masked.median(x, 0, mask=~mask & mask)
    with pytest.raises(
        ValueError, match=r"mean\(\): Could not infer output dtype. Input dtype must be either"
    ):
        masked.mean(x, mask=mask)


def test_errors():
    x = torch.ones(2, 3)
    for call, kind, words in (
        (lambda: masked.sum(x, mask=torch.ones(1, 2, 3)), IndexError, "expected broadcastable mask"),
        (lambda: masked.sum(x, (0, 0)), RuntimeError, "dim=0 appears multiple times in the list of dims"),
        (
            lambda: masked.sum(x, 2),
            IndexError,
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        ),
        (
            lambda: masked.var(x, unbiased=True, correction=1),
            AssertionError,
            "Only one of unbiased and correction may be given",
        ),
        (lambda: masked.amax(x > 0, mask=x > 0), NotImplementedError, "identity of amax on torch.bool input"),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert words in str(caught.value)
