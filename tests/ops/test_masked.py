"""Masked reductions and normalizations at their awkward points: forms, nothing that is left, integers, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

masked = torch.masked
X = np.random.default_rng(0).normal(size=(3, 4))
MASK = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]], bool)

REDUCTIONS = {
    "sum": np.sum, "prod": np.prod, "amax": np.max, "amin": np.min, "mean": np.mean,
    "logsumexp": lambda x: np.log(np.sum(np.exp(x))), "norm": lambda x: np.sqrt(np.sum(x * x)),
    "var": lambda x: np.var(x, ddof=1), "std": lambda x: np.std(x, ddof=1),
}  # fmt: skip


def call(name, x, dim=None, **options):
    return getattr(masked, name)(x, *((2.0,) if name == "norm" else ()), dim=dim, **options)


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
