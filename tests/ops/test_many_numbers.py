"""Operators that have a quicker way for many numbers: it gives what the way for a few gives, bit for bit."""

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0**23, -(2.0**30), 1e-40, -1e-40, 3e38, np.inf, -np.inf, np.nan]
TWO = {
    "floor_divide": torch.floor_divide, "fmod": torch.fmod, "remainder": torch.remainder,
    "where": lambda x, y: torch.where(x > y, x, y), "prelu": lambda x, y: F.prelu(x, y.abs().flatten()[:1]),
    "rem_number": lambda x, y: x % 0.3,
}  # fmt: skip
ONE = {
    "elu": F.elu, "hardshrink": F.hardshrink, "leaky_relu": lambda x: F.leaky_relu(x, 1.5),
    "masked_fill": lambda x: x.masked_fill(x > 0.3, 7.0), "rrelu": F.rrelu, "selu": F.selu, "softshrink": F.softshrink,
    "threshold": lambda x: F.threshold(x, 0.2, -3.0),
}  # fmt: skip
ROWS = 100  # so many parts of so few numbers that each goes the way for a few


def numbers(dtype, seed):
    """A matrix of numbers of all sizes, each special one among them several times: (ROWS, 140)."""
    random = np.random.default_rng(seed)
    values = random.standard_normal((ROWS, 140)) * 10.0 ** random.integers(-3, 8, (ROWS, 140))
    values[:, random.permutation(140)[: len(SPECIAL)]] = SPECIAL
    with np.errstate(over="ignore"):
        return torch.tensor(values, dtype=dtype)


def same_bits(x, y):
    ints = {torch.float16: np.uint16, torch.float32: np.uint32, torch.float64: np.uint64}[x.dtype]
    x, y = x.detach().numpy(), y.detach().numpy()
    return ((x.view(ints) == y.view(ints)) | np.isnan(x) & np.isnan(y)).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", TWO)
def test_two_operands(name, dtype):
    x, y = numbers(dtype, 1), numbers(dtype, 2)
    if name == "prelu":
        y = y[:, 30:31].nan_to_num(0.25, 0.25, 0.25).clamp(-1, 1)[:1].expand(ROWS, 1)
    whole = TWO[name](x, y)
    assert same_bits(whole, torch.stack([TWO[name](a, b) for a, b in zip(x, y)]))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", ONE)
def test_one_operand(name, dtype):
    x = numbers(dtype, 3).requires_grad_()
    rows = [row.detach().requires_grad_() for row in x]
    whole, parts = ONE[name](x), [ONE[name](row) for row in rows]
    assert same_bits(whole, torch.stack(parts))
    (slopes,) = torch.autograd.grad(whole, x, torch.ones_like(whole))
    for row, part, slope in zip(rows, parts, slopes):
        assert same_bits(slope, torch.autograd.grad(part, row, torch.ones_like(part))[0])


@pytest.mark.parametrize("loss", [F.huber_loss, F.smooth_l1_loss])
def test_losses_of_pairs(loss):
    x, y = (numbers(torch.float64, seed).nan_to_num(0, 10, -10).clamp(-3, 3) for seed in (4, 5))
    whole = loss(x, y, reduction="none")
    d = (x - y).abs()
    torch.testing.assert_close(whole, torch.from_numpy(np.where(d < 1, d * d / 2, d - 0.5)))
    assert same_bits(whole, torch.stack([loss(a, b, reduction="none") for a, b in zip(x, y)]))
