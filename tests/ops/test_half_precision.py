"""Operators in 16 bits: where nans stand, what is accumulated in single precision, how float64 is rounded."""

from math import nan

import numpy as np
import pytest

import minigrad

#: Code over ``b``, a bfloat16 tensor with nans, ``h``, a float16 one with a tiny element, ``e``, whose sum plus its tiny element is rounded
#: to 1 if rounded after each addition, and what it gives.
ROWS = [
    ("b.sort().values", [1, 2, 3, nan, nan]),
    ("b.sort(descending=True).values", [nan, nan, 3, 2, 1]),
    ("b.topk(2).values", [nan, nan]),
    ("b.kthvalue(2).values", 2),
    ("b.median()", nan),
    ("b.nanmedian()", 2),
    ("b.nanmedian(0).values", 2),
    ("b.unique()", [1, 2, 3, nan, nan]),
    ("b.repeat(20).topk(40, largest=False).values[-1]", 2),
    ("torch.logspace(0, 2, 4, dtype=torch.float16)", [1, 4.640625, 21.546875, 100]),
    ("torch.logspace(1, -3, 4, dtype=torch.float16)[1]", 0.4641),
    ("torch.renorm(torch.arange(4.).reshape(2, 2).bfloat16(), 2, 0, 0.5)[1]", [0.27734375, 0.416015625]),
    ("torch.tensor([float.fromhex('0x1.dd20003a4e34dp-6')], dtype=torch.float64).half()", 0.0291137695),
    ("torch.zeros(1).half().copy_(torch.tensor(float.fromhex('0x1.dd20003a4e34dp-6'), dtype=torch.float64))", 0.0291137695),
    ("torch.tensor(np.array([float.fromhex('0x1.dd20003a4e34dp-6')]), dtype=torch.float16)", 0.0291137695),
    ("F.embedding_bag(i, w, o, mode='mean')", [[2.796875]]),
    ("F.embedding_bag(i, w, o, mode='sum', per_sample_weights=w[:, 0])", [[332]]),
    ("torch.autograd.grad(torch.linalg.vector_norm(h, 0.5), h)[0][1]", 5768),
    ("torch.autograd.grad(torch.linalg.vector_norm(h, -1), h)[0][0]", 0),
    ("F.linear(e / e, e[None], e[1:])", [1.0078125]),
    ("F.linear((e / e)[None], e[None], e[1:])", [[1.0078125]]),
    ("torch.addmm(e[1:], (e / e)[None], e[:, None])", [[1.0078125]]),
    ("torch.addmv(e[1:], (e / e)[None], e)", [1.0078125]),
    ("torch.baddbmm(e[1:], (e / e)[None, None], e[None, :, None])", [[[1.0078125]]]),
    ("F.conv1d((e / e)[None, None], e[None, None], e[1:])", [[[1.0078125]]]),
    ("torch.addcmul(torch.tensor(-0.30078125).bfloat16(), *(e / e), value=0.3)", -0.00078201),
    ("torch.addcdiv(torch.tensor(-0.30078125).bfloat16(), *(e / e), value=0.3)", -0.00078201),
]  # fmt: skip


def check(torch, code, expected):
    scope = {
        "torch": torch, "np": np, "nan": nan, "F": torch.nn.functional,
        "b": torch.tensor([1.0, nan, 3, 2, nan]).bfloat16(),
        "h": torch.tensor([0.5, 1.79e-7, 3]).half().requires_grad_(),
        "e": torch.tensor([1, 2**-8]).bfloat16(),
        "w": torch.tensor([[15.875], [-8.8125], [1.296875]]).bfloat16(),
        "i": torch.tensor([0, 1, 2]), "o": torch.tensor([0]),
    }  # fmt: skip
    found = eval(code, scope)
    assert found.dtype in (torch.float16, torch.bfloat16)
    found = found.detach().double().numpy()
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=2e-4)


@pytest.mark.parametrize("code, expected", ROWS)
def test_values_in_half_precision(code, expected):
    pytest.importorskip("ml_dtypes")
    check(minigrad, code, expected)


@pytest.mark.torch
@pytest.mark.parametrize("code, expected", ROWS)
def test_values_are_what_torch_gives(code, expected):
    check(pytest.importorskip("torch"), code, expected)


def test_float64_becomes_float16_by_way_of_float32():
    wide = minigrad.rand(200_000, dtype=minigrad.float64)
    assert minigrad.equal(wide.half(), wide.float().half())
    assert not np.array_equal(wide.half().numpy(), wide.numpy().astype(np.float16))


def _ones_at_one_place(name, shape, dim, dtype, large):
    """200 ones added to tensors of ``large`` beside which a single one is rounded away."""
    size = [200 if d == dim else n for d, n in enumerate(shape)]
    x, ones = minigrad.full(shape, large, dtype=dtype), minigrad.ones(size, dtype=dtype)
    at = minigrad.zeros(200, dtype=minigrad.int64)
    if name == "index_add":
        return x.index_add(dim, at, ones).select(dim, 0), x.clone().index_add_(dim, at, ones).select(dim, 0)
    at = at.reshape([200 if d == dim else 1 for d in range(len(shape))]).expand(size)
    if name == "scatter_add":
        return x.scatter_add(dim, at, ones).select(dim, 0), x.clone().scatter_add_(dim, at, ones).select(
            dim, 0
        )
    return (x.scatter_reduce(dim, at, ones, "sum").select(dim, 0),)


@pytest.mark.parametrize("dtype, large", [(minigrad.float16, 2048.0), (minigrad.bfloat16, 256.0)])
@pytest.mark.parametrize("name", ["index_add", "scatter_add", "scatter_reduce"])
@pytest.mark.parametrize(
    "shape, dim", [((3, 4), 0), ((4, 3), 1), ((3, 40), 0), ((2, 3, 4), 2), ((3,), 0), ((2, 3, 4), 1)]
)
def test_sums_at_indices_are_rounded_where_pytorch_rounds(name, shape, dim, dtype, large):
    """Once; but after each element by ``index_add`` to vectors, and along a dimension between others."""
    each = name == "index_add" and (len(shape) == 1 or 0 < dim < len(shape) - 1)
    for found in _ones_at_one_place(name, shape, dim, dtype, large):
        assert found.dtype is dtype
        assert (found.float() == (large if each else large + 200)).all()


@pytest.mark.parametrize("dtype", [minigrad.float16, minigrad.bfloat16])
def test_sums_at_indices_have_the_same_bits_when_captured(dtype):
    x, at = minigrad.randn(3, 50).to(dtype), minigrad.tensor([0, 1, 0, 2] * 100)

    def step(y):
        return x.index_add(0, at, y).scatter_add(0, at[:, None].expand(400, 50), y)

    captured = minigrad.capture(step)
    for seed in range(3):
        y = minigrad.randn(400, 50, generator=minigrad.Generator().manual_seed(seed)).to(dtype)
        assert captured(y).equal(step(y))
