"""Pooling against loops over windows, and gradients to second order."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

F = torch.nn.functional
rng = np.random.default_rng(0)
MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
AVG = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def size_of(n, k, s, p, d, ceil_mode):
    """The number of windows along an axis."""
    exact = (n + 2 * p - d * (k - 1) - 1) / s
    size = (math.ceil(exact) if ceil_mode else math.floor(exact)) + 1
    return size - 1 if ceil_mode and (size - 1) * s >= n + p else size


def windows(space, kernel, stride, padding, dilation, ceil_mode):
    """For each window its place, and the places of the image that it shows."""
    sizes = [size_of(*numbers, ceil_mode) for numbers in zip(space, kernel, stride, padding, dilation)]
    for place in np.ndindex(*sizes):
        axes = [
            [i * s - p + j * d for j in range(k) if 0 <= i * s - p + j * d < n]
            for i, n, k, s, p, d in zip(place, space, kernel, stride, padding, dilation)
        ]
        yield place, list(itertools.product(*axes))


@st.composite
def pools(draw, most=3, dilated=True):
    """An image and the numbers of a pooling that has windows."""
    n = draw(st.integers(1, most))
    kernel = tuple(draw(st.integers(1, 3)) for _ in range(n))
    stride = tuple(draw(st.integers(1, 3)) for _ in range(n))
    padding = tuple(draw(st.integers(0, k // 2)) for k in kernel)
    dilation = tuple(draw(st.integers(1, 2)) if dilated else 1 for _ in range(n))
    space = [d * (k - 1) + 1 + draw(st.integers(0, 3)) for k, d in zip(kernel, dilation)]
    lead = [2, 2] if draw(st.booleans()) else [2]
    numbers = np.random.default_rng(draw(st.integers(0, 99)))
    x = numbers.permutation(math.prod(lead + space)).reshape(*lead, *space).astype(float)
    return x, kernel, stride, padding, dilation, draw(st.booleans())


@settings(max_examples=60, deadline=None)
@given(pools())
def test_largest_elements_and_their_places(case):
    x, kernel, stride, padding, dilation, ceil_mode = case
    n = len(kernel)
    z, indices = MAX[n](torch.tensor(x), kernel, stride, padding, dilation, ceil_mode, return_indices=True)
    for place, seen in windows(x.shape[-n:], kernel, stride, padding, dilation, ceil_mode):
        values = np.stack([x[(..., *at)] for at in seen], -1)
        np.testing.assert_array_equal(z.numpy()[(..., *place)], values.max(-1))
        flat = np.array([np.ravel_multi_index(at, x.shape[-n:]) for at in seen])
        np.testing.assert_array_equal(indices.numpy()[(..., *place)], flat[values.argmax(-1)])
    assert math.prod(z.shape[-n:]) == len(
        list(windows(x.shape[-n:], kernel, stride, padding, dilation, ceil_mode))
    )


@settings(max_examples=60, deadline=None)
@given(pools(dilated=False), st.booleans())
def test_means(case, include_pad):
    x, kernel, stride, padding, dilation, ceil_mode = case
    n = len(kernel)
    z = AVG[n](torch.tensor(x), kernel, stride, padding, ceil_mode, include_pad)
    for place, seen in windows(x.shape[-n:], kernel, stride, padding, dilation, ceil_mode):
        total = sum(x[(..., *at)] for at in seen)
        count = len(seen)
        if include_pad:
            count = math.prod(
                min(i * s - p + k, m + p) - (i * s - p)
                for i, k, s, p, m in zip(place, kernel, stride, padding, x.shape[-n:])
            )
        np.testing.assert_allclose(z.numpy()[(..., *place)], total / count)


def test_divisor_override():
    x = torch.arange(16.0).reshape(1, 4, 4)
    assert torch.equal(F.avg_pool2d(x, 2, divisor_override=1), F.avg_pool2d(x, 2) * 4)
    check_gradients(lambda x: F.avg_pool2d(x**2, 2, divisor_override=3), rng.normal(size=(1, 4, 4)))


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


def test_integers():
    z = torch.max_pool2d(torch.tensor([[[-5, -3], [-9, -4]]]), 2, 1, 1)
    assert z.tolist() == [[[-5, -3, -3], [-5, -3, -3], [-9, -4, -4]]]


@pytest.mark.parametrize("n, m", [(6, 3), (7, 3), (3, 7), (5, 5), (5, 1)])
def test_parts(n, m):
    x = rng.normal(size=(2, 3, n))
    mean, (largest, places) = (
        F.adaptive_avg_pool1d(torch.tensor(x), m),
        torch.adaptive_max_pool1d(torch.tensor(x), m),
    )
    for i in range(m):
        part = slice(i * n // m, -(-(i + 1) * n // m))
        np.testing.assert_allclose(mean.numpy()[..., i], x[..., part].mean(-1))
        np.testing.assert_array_equal(largest.numpy()[..., i], x[..., part].max(-1))
        np.testing.assert_array_equal(places.numpy()[..., i], x[..., part].argmax(-1) + part.start)
    check_gradients(lambda x: F.adaptive_avg_pool1d(x * x, m), x)
    check_gradients(lambda x: F.adaptive_max_pool1d(x * x, m), x)


@pytest.mark.parametrize("size", [2, (3, 2), (None, 2), 1])
def test_parts_of_images(size):
    x = rng.normal(size=(2, 5, 4))
    check_gradients(lambda x: F.adaptive_avg_pool2d(x * x, size), x)
    check_gradients(lambda x: F.adaptive_max_pool2d(x * x, size), x)


def test_parts_of_an_unbatched_volume_to_second_order():
    check_gradients(lambda x: F.adaptive_avg_pool3d(x * x, (2, 1, 3)), rng.normal(size=(1, 3, 2, 4)))


@pytest.mark.parametrize("p", [1.0, 2, 3.0])
def test_norms(p):
    x = rng.uniform(0.5, 2, (1, 4, 4))
    z = F.lp_pool2d(torch.tensor(x), p, 2)
    expected = (x.reshape(1, 2, 2, 2, 2) ** p).sum((2, 4)) ** (1 / p)
    np.testing.assert_allclose(z.numpy(), expected)
    check_gradients(lambda x: F.lp_pool2d(x, p, 2), x)


def test_infinite_norms():
    x = torch.tensor([[[1.0, -4.0], [2.0, 3.0]]])
    assert F.lp_pool2d(x, math.inf, 2).item() == 4
    assert F.lp_pool2d(x, -math.inf, 2).item() == 1


def test_windows_at_random_places():
    x = torch.tensor(rng.normal(size=(2, 3, 9, 8)))
    samples = torch.tensor(rng.uniform(size=(2, 3, 2)))
    z, places = F.fractional_max_pool2d(x, 2, (4, 3), return_indices=True, _random_samples=samples)
    assert z.shape == (2, 3, 4, 3)
    picked = np.take_along_axis(x.numpy().reshape(2, 3, 72), places.numpy().reshape(2, 3, 12), 2)
    np.testing.assert_array_equal(picked.reshape(z.shape), z.numpy())
    check_gradients(lambda x: F.fractional_max_pool2d(x * x, 2, (4, 3), _random_samples=samples), x.numpy())


def test_random_places_are_those_of_the_generator():
    x = torch.arange(36.0).reshape(1, 6, 6)
    torch.manual_seed(3)
    first = F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5))
    torch.manual_seed(3)
    assert torch.equal(first, F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5)))
    torch.manual_seed(3)
    samples = torch.rand(1, 1, 2)
    assert torch.equal(first, F.fractional_max_pool2d(x, 2, 3, _random_samples=samples))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_back_to_the_places(n):
    x = torch.tensor(rng.normal(size=(2, *[4] * n)))
    z, places = MAX[n](x, 2, return_indices=True)
    unpool = {1: F.max_unpool1d, 2: F.max_unpool2d, 3: F.max_unpool3d}[n]
    back = unpool(z, places, 2)
    assert back.shape == x.shape
    assert torch.equal(MAX[n](back.abs(), 2), z.abs())
    assert ((back == x) | (back == 0)).all()
    check_gradients(lambda z: unpool(z * z, places, 2), z.numpy())


def test_empty_batches():
    x = torch.zeros(0, 3, 8, 8, requires_grad=True)
    for pool in (
        lambda x: F.max_pool2d(x, 2),
        lambda x: F.avg_pool2d(x, 2),
        lambda x: F.adaptive_max_pool2d(x, 3),
    ):
        z = pool(x)
        assert z.shape[:2] == (0, 3)
        z.sum().backward()
    assert x.grad.shape == x.shape


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
    (
        lambda: F.max_pool2d(IMAGE, 20),
        RuntimeError,
        "Given input size: (3x8x8). Calculated output size: (3x0x0). Output size is too",
    ),
    (
        lambda: F.max_pool2d(IMAGE, 2, padding=2),
        RuntimeError,
        "pad should be at most half of effective kernel size, but got pad=2",
    ),
    (lambda: F.max_pool2d(IMAGE, 2, 0), RuntimeError, "stride should not be zero"),
    (
        lambda: F.max_pool2d(IMAGE, (2, 2, 2)),
        RuntimeError,
        "kernel_size must either be a single int, or a tuple of two ints",
    ),
    (lambda: F.max_pool2d(IMAGE.bool(), 2), NotImplementedError, "\"max_pool2d\" not implemented for 'Bool'"),
    (lambda: F.max_pool1d(IMAGE[0], 20), RuntimeError, "max_pool1d() Invalid computed output size: 0"),
    (lambda: F.avg_pool2d(IMAGE, 2, divisor_override=0), RuntimeError, "divisor must be not zero"),
    (lambda: F.avg_pool2d(IMAGE.int(), 2), NotImplementedError, "\"avg_pool2d\" not implemented for 'Int'"),
    (
        lambda: F.adaptive_avg_pool2d(IMAGE, -1),
        RuntimeError,
        "must be greater than or equal to 0 but received {-1, -1}",
    ),
    (
        lambda: F.fractional_max_pool2d(IMAGE, 2),
        ValueError,
        "requires specifying either an output_size or an output_ratio",
    ),
    (
        lambda: F.max_unpool2d(IMAGE, IMAGE.int(), 2),
        RuntimeError,
        "elements in indices should be type int64 but got: Int",
    ),
    (lambda: F.max_unpool2d(IMAGE, IMAGE.long() + 999, 2), RuntimeError, "Found an invalid max index: 999"),
]


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
