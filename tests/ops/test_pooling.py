"""Pooling at its awkward points: ties and nans, infinite norms, random places, layouts, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad._arrays.kernels import pooling as kernels

F = torch.nn.functional
rng = np.random.default_rng(0)


def test_integer_means_are_rounded_towards_zero():
    assert F.avg_pool1d(torch.tensor([[-3, -4, 3, 4]]), 2).tolist() == [[-3, 3]]


def test_ties_and_nan():
    """The first of equals gets the gradient; a nan wins its window."""
    x = torch.tensor([[1.0, 1.0, math.nan, 5.0]], requires_grad=True)
    z, indices = F.max_pool1d(x, 2, return_indices=True)
    assert z[0, 0] == 1 and z[0, 1].isnan()
    assert indices.tolist() == [[0, 2]]
    z.nansum().backward()
    assert x.grad.tolist() == [[1, 0, 0, 0]]
    z, indices = F.adaptive_max_pool1d(x.detach(), 2, return_indices=True)
    assert indices.tolist() == [[0, 2]]


def test_minus_infinity_is_not_the_border():
    z, indices = F.max_pool1d(torch.full((1, 4), -math.inf), 2, 2, 1, return_indices=True)
    assert z.isinf().all() and indices.tolist() == [[0, 1, 3]]


def test_infinite_norms():
    x = torch.tensor([[[1.0, -4.0], [2.0, 3.0]]])
    assert F.lp_pool2d(x, math.inf, 2).item() == 4
    assert F.lp_pool2d(x, -math.inf, 2).item() == 1


def test_random_places_are_those_of_the_generator():
    x = torch.arange(36.0).reshape(1, 6, 6)
    torch.manual_seed(3)
    first = F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5))
    torch.manual_seed(3)
    assert torch.equal(first, F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5)))
    torch.manual_seed(3)
    samples = torch.rand(1, 1, 2)
    assert torch.equal(first, F.fractional_max_pool2d(x, 2, 3, _random_samples=samples))


def test_channels_last():
    x = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
    for z in (*F.max_pool2d(x, 2, return_indices=True), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 4)):
        assert z.stride() == (48, 1, 12, 3)


def test_names_and_saved_values():
    x = torch.randn(1, 2, 4, 4, requires_grad=True)
    z, indices = F.max_pool2d(x, 2, return_indices=True)
    assert z.grad_fn.name() == "MaxPool2DWithIndicesBackward0" and not indices.requires_grad
    assert torch.equal(z.grad_fn._saved_result1, indices) and z.grad_fn._saved_stride == ()
    assert F.avg_pool3d(x, 2).grad_fn.name() == "AvgPool3DBackward0"
    assert F.max_pool1d(x[0], 2).grad_fn.name() == "SqueezeBackward1"
    assert F.max_pool2d.__name__ == "max_pool2d"


IMAGE = torch.zeros(2, 3, 8, 8)
REFUSED = [
    (lambda: F.max_pool2d(IMAGE, 20), RuntimeError, "Given input size: (3x8x8). Calculated output size: (3x0x0). Output size is too"),
    (lambda: F.max_pool2d(IMAGE, 2, padding=2), RuntimeError, "pad should be at most half of effective kernel size, but got pad=2"),
    (lambda: F.max_pool2d(IMAGE, 2, 0), RuntimeError, "stride should not be zero"),
    (lambda: F.max_pool2d(IMAGE, (2, 2, 2)), RuntimeError, "kernel_size must either be a single int, or a tuple of two ints"),
    (lambda: F.max_pool2d(IMAGE.bool(), 2), NotImplementedError, "\"max_pool2d\" not implemented for 'Bool'"),
    (lambda: F.max_pool1d(IMAGE[0], 20), RuntimeError, "max_pool1d() Invalid computed output size: 0"),
    (lambda: F.avg_pool2d(IMAGE, 2, divisor_override=0), RuntimeError, "divisor must be not zero"),
    (lambda: F.avg_pool2d(IMAGE.int(), 2), NotImplementedError, "\"avg_pool2d\" not implemented for 'Int'"),
    (lambda: F.adaptive_avg_pool2d(IMAGE, -1), RuntimeError, "must be greater than or equal to 0 but received {-1, -1}"),
    (lambda: F.fractional_max_pool2d(IMAGE, 2), ValueError, "requires specifying either an output_size or an output_ratio"),
    (lambda: F.max_unpool2d(IMAGE, IMAGE.int(), 2), RuntimeError, "elements in indices should be type int64 but got: Int"),
    (lambda: F.max_unpool2d(IMAGE, IMAGE.long() + 999, 2), RuntimeError, "Found an invalid max index: 999"),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, words", REFUSED)
def test_refused(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)


@pytest.mark.torch
@pytest.mark.parametrize("dims", [2, 3])
def test_random_places_as_torch(dims):
    theirs = pytest.importorskip("torch")
    x = rng.normal(size=(2, 3, 7, 9, 8)[: dims + 2]).astype(np.float32)
    found = []
    for library in (theirs, torch):
        library.manual_seed(7)
        pool = getattr(library.nn.functional, f"fractional_max_pool{dims}d")
        found.append([t.numpy() for t in pool(library.tensor(x), 2, 3, return_indices=True)])
    for expected, got in zip(*found):
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("kernel, stride, padding", [(2, 2, 0), (3, 2, 1)])
def test_many_images_are_pooled_as_each_alone(kernel, stride, padding):
    x = np.random.default_rng(1).integers(0, 9, (3, 2, 40, 40)).astype(np.float32)
    x[1, 0, 7, 8] = np.nan
    values, indices = F.max_pool2d(torch.tensor(x), kernel, stride, padding, return_indices=True)
    for i, j in np.ndindex(3, 2):
        alone = F.max_pool2d(
            torch.tensor(x[i : i + 1, j : j + 1]), kernel, stride, padding, return_indices=True
        )
        np.testing.assert_array_equal(values[i, j].numpy(), alone[0][0, 0].numpy())
        np.testing.assert_array_equal(indices[i, j].numpy(), alone[1][0, 0].numpy())


POOLS = [
    lambda x, both: F.max_pool1d(x, 3, 2, 1, return_indices=both),
    lambda x, both: F.max_pool2d(x, 3, 2, 1, return_indices=both),
    lambda x, both: F.max_pool2d(x, 2, ceil_mode=True, return_indices=both),
    lambda x, both: F.max_pool3d(x, 2, dilation=2, return_indices=both),
    lambda x, both: F.adaptive_max_pool2d(x, 3, return_indices=both),
    lambda x, both: F.adaptive_max_pool2d(x, 4, return_indices=both),
    lambda x, both: F.adaptive_max_pool3d(x, 3, return_indices=both),
]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_values_are_the_same_whether_indices_are_asked_for(pool, dtype):
    axes = 3 if pool in (POOLS[3], POOLS[6]) else 1 if pool is POOLS[0] else 2
    x = torch.tensor(rng.normal(size=(2, 3, *[9] * axes))).to(dtype)
    x[0, 1] = -torch.inf
    x[1, 2, 3] = torch.nan
    expected = pool(x, True)[0]
    for mode in (torch.no_grad, torch.inference_mode, torch.enable_grad):
        with mode():
            z = pool(x, False)
            assert z.is_inference() == (mode is torch.inference_mode)
            assert torch.equal(z.nan_to_num(1e9), expected.nan_to_num(1e9)) and z.dtype == dtype
    leaf = x.clone().requires_grad_()
    z = pool(leaf, False)
    assert z.requires_grad and torch.equal(z.detach().nan_to_num(1e9), expected.nan_to_num(1e9))
    assert torch.equal(
        torch.vmap(lambda x: pool(x, False))(x[None])[0].nan_to_num(1e9), expected.nan_to_num(1e9)
    )


@pytest.mark.parametrize("pool", [*POOLS[1:3], POOLS[4]])
def test_no_indices_are_computed_where_nothing_is_recorded(pool, monkeypatch):
    x = torch.tensor(rng.normal(size=(2, 3, 9, 9)), requires_grad=True)
    expected = pool(x, False).detach()
    monkeypatch.setattr(kernels, "_which", None)
    monkeypatch.setattr(kernels, "_FEW", 0)
    with torch.no_grad():
        assert pool(x, False).equal(expected)
    assert pool(x.detach(), False).equal(expected)
    with pytest.raises(TypeError):
        pool(x, False)


@pytest.mark.parametrize("pool", POOLS[:2])
def test_errors_are_the_same_without_indices(pool):
    x = (
        torch.ones(2, 3, 9, 9, dtype=torch.complex64)
        if pool is POOLS[1]
        else torch.ones(2, 3, 9, dtype=torch.bool)
    )
    words = []
    for both in (False, True):
        with pytest.raises(NotImplementedError) as raised:
            pool(x, both)
        words.append(str(raised.value))
    assert words[0] == words[1]
