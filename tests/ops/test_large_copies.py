"""Copies of large arrays: what is transposed, and what is converted between half and single precision."""

import numpy as np
import pytest

import minigrad
from minigrad._arrays import copies
from minigrad._base import pool

SHAPES = [
    ((300, 500), (1, 0)), ((256, 512), (1, 0)), ((64, 1024), (1, 0)), ((5, 300, 200), (0, 2, 1)), ((6, 16, 40, 40), (0, 2, 3, 1)),
    ((6, 16, 40, 40), (3, 1, 0, 2)), ((700, 700), (1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "order"), SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.int8])
def test_transposed(shape, order, dtype):
    x = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    for view in (x.transpose(order), x.transpose(order)[::-1], x.transpose(order)[..., ::2]):
        z = copies.dense(view)
        assert z.flags.c_contiguous and not np.shares_memory(z, x) and np.array_equal(z, view)
    z = minigrad.tensor(x).permute(order).contiguous()
    assert np.array_equal(z.numpy(), x.transpose(order)) and z.is_contiguous()


def halves():
    bits = np.arange(1 << 16, dtype=np.uint16)
    return np.concatenate([bits, bits, bits[::-1]]).view(np.float16)


def test_each_half_as_single():
    for x in (halves(), halves()[np.isfinite(halves())]):
        found = copies.cast(x, np.dtype(np.float32))
        assert found.dtype == np.float32 and np.array_equal(
            found.view(np.int32), x.astype(np.float32).view(np.int32)
        )


@np.errstate(all="ignore")
def test_singles_as_half():
    """All halves, what lies midway between two, their neighbours, and random bits: with and without those beyond half precision."""
    exact = halves()[: 1 << 16].astype(np.float32)
    middle = ((exact[:-1].astype(np.float64) + exact[1:]) / 2).astype(np.float32)
    rng = np.random.default_rng(0)
    random = rng.integers(0, 1 << 32, 200_000, dtype=np.uint32).view(np.float32)
    x = np.concatenate(
        [exact, middle, *(np.nextafter(middle, np.float32(to)) for to in (np.inf, -np.inf)), random]
    )
    for some in (x, x[np.abs(x) < 65504], (rng.normal(size=100_000) * 1e-6).astype(np.float32)):
        found = copies.cast(some, np.dtype(np.float16))
        assert found.dtype == np.float16 and np.array_equal(
            found.view(np.int16), some.astype(np.float16).view(np.int16)
        )


def test_what_is_cast_from_tensors():
    x = minigrad.randn(300, 400, requires_grad=True)
    z = x.half()
    z.backward(minigrad.ones_like(z))
    assert np.array_equal(z.detach().numpy(), x.detach().numpy().astype(np.float16))
    assert x.grad.dtype is minigrad.float32 and bool((x.grad == 1).all())
    for other in (x.t(), x[::2, ::3], x[:, :0]):
        assert np.array_equal(other.half().detach().numpy(), other.detach().numpy().astype(np.float16))
    assert x.float() is x and x.to(minigrad.float32, copy=True) is not x
    total = minigrad.full((1 << 16,), 0.1, dtype=minigrad.float16).sum()
    assert total.dtype is minigrad.float16 and abs(float(total) - 6552) <= 4


@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, np.true_divide])
@pytest.mark.parametrize("threads", [1, 2])
def test_arithmetic_of_half_precision_has_the_bits_of_numpy(ufunc, threads):
    bits = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    rng = np.random.default_rng(0)
    finite = bits[np.isfinite(bits) & (abs(bits) < 100)]
    operands = [(rng.permuted(np.tile(a, 8)), rng.permuted(np.tile(a, 8))) for a in (bits, finite)]
    operands += [
        (x, np.asarray(value, np.float16)) for x, _ in operands for value in (3.14, 0.0, np.inf, 6e-8)
    ]
    operands += [(x.reshape(-1, 4), x[:4]) for x, _ in operands[:2]]
    before = pool.count()
    try:
        pool.set_count(threads)
        for x, y in operands:
            with np.errstate(all="ignore"):
                found, expected = copies.in_single(ufunc, x, y), ufunc(x, y)
            assert found.dtype == np.float16 and found.shape == expected.shape
            both_nan = np.isnan(found) & np.isnan(expected)
            assert ((found.view(np.uint16) == expected.view(np.uint16)) | both_nan).all()
    finally:
        pool.set_count(before)


@pytest.mark.parametrize("operator", ["add", "sub", "mul", "div"])
def test_large_tensors_of_half_precision(operator):
    x, y = (minigrad.randn(3, 1 << 17).half().requires_grad_() for _ in range(2))
    z = getattr(minigrad, operator)(x, y)
    assert z.dtype is minigrad.float16
    with minigrad.no_grad():
        assert z.equal(getattr(minigrad, operator)(x.float(), y.float()).half())
    z.backward(minigrad.ones_like(z))
    assert x.grad.dtype is y.grad.dtype is minigrad.float16
