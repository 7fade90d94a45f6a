"""``make_tensor``: limits, dtypes, gaps."""

import pytest

import minigrad
from minigrad.testing import make_tensor

DTYPES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("name", DTYPES)
def test_values_lie_within_the_limits(name):
    dtype = getattr(minigrad, name)
    x = make_tensor(50, 2, dtype=dtype, device="cpu")
    assert x.shape == (50, 2) and x.dtype is dtype
    parts = minigrad.view_as_real(x) if dtype.is_complex else x
    low, high = (0, 1) if name == "bool" else (0, 9) if name == "uint8" else (-9, 9)
    assert bool((parts >= low).all()) and bool((parts <= high).all())
    assert len(set(parts.flatten().tolist())) > 1


@pytest.mark.parametrize("shape", [((2, 3),), (2, 3), ([2, 3],), (minigrad.Size([2, 3]),)])
def test_ways_to_write_a_shape(shape):
    assert make_tensor(*shape, dtype=minigrad.float32, device="cpu").shape == (2, 3)
    assert make_tensor((), dtype=minigrad.float32, device="cpu").shape == ()


def test_gaps_and_formats():
    x = make_tensor(3, 4, dtype=minigrad.float32, device="cpu", noncontiguous=True)
    assert x.shape == (3, 4) and x.stride() == (8, 2) and x.storage_offset() == 1
    assert make_tensor(1, dtype=minigrad.float32, device="cpu", noncontiguous=True).is_contiguous()
    x = make_tensor(2, 3, 4, 5, dtype=minigrad.float32, device="cpu", memory_format=minigrad.channels_last)
    assert x.is_contiguous(memory_format=minigrad.channels_last)
    with pytest.raises(ValueError, match="mutually exclusive"):
        make_tensor(
            2, dtype=minigrad.float32, device="cpu", noncontiguous=True, memory_format=minigrad.channels_last
        )


def test_zeros_can_be_excluded():
    x = make_tensor(100, dtype=minigrad.int64, device="cpu", low=0, high=2, exclude_zero=True)
    assert x.tolist() == [1] * 100


def test_requires_grad():
    x = make_tensor(2, dtype=minigrad.float64, device="cpu", requires_grad=True)
    assert x.requires_grad and x.is_leaf
    with pytest.raises(ValueError, match="`requires_grad=True` is not supported for boolean and integral"):
        make_tensor(2, dtype=minigrad.int64, device="cpu", requires_grad=True)


@pytest.mark.parametrize(
    "low, high, text",
    [
        (3, 2, "`low` must be less than `high`, but got 3 >= 2"),
        (float("nan"), 1, "cannot be NaN"),
        (300, 400, r"only supports \[-128, 128\)"),
    ],
)
def test_limits_that_leave_no_number(low, high, text):
    with pytest.raises(ValueError, match=text):
        make_tensor(2, dtype=minigrad.int8, device="cpu", low=low, high=high)


def test_equal_limits_warn_and_fill():
    with pytest.warns(FutureWarning, match="low==high"):
        x = make_tensor(2, dtype=minigrad.float32, device="cpu", low=1, high=1)
    assert x.tolist() == [1.0, 1.0]


def test_a_dtype_without_tensors():
    with pytest.raises(TypeError, match="'torch.float8_e5m2' is not supported by"):
        make_tensor(2, dtype=minigrad.float8_e5m2, device="cpu")


@pytest.mark.torch
@pytest.mark.parametrize(
    "options", [{}, {"low": -2, "high": 5}, {"noncontiguous": True}, {"exclude_zero": True}]
)
@pytest.mark.parametrize("name", DTYPES)
def test_the_numbers_are_pytorchs(name, options):
    torch = pytest.importorskip("torch")
    made = []
    for library in (minigrad, torch):
        library.manual_seed(5)
        x = library.testing.make_tensor(4, 7, dtype=getattr(library, name), device="cpu", **options)
        made.append((x.tolist(), x.stride()))
    assert made[0] == made[1]
