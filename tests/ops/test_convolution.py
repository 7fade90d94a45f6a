"""Convolutions at their awkward points: the paths of the kernels, layouts, dtypes, what is saved and refused."""

import itertools
import tracemalloc

import numpy as np
import pytest

import minigrad as torch
from minigrad._arrays.kernels import columns
from minigrad._arrays.kernels import convolution as kernels
from minigrad._base import pool
from tests.numeric import check_gradients

F = torch.nn.functional
rng = np.random.default_rng(0)


def looped(x, w, b, stride, padding, dilation, groups):
    """The convolution by its definition, one product at a time."""
    n = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *[(p, p) for p in padding]])
    out = [(x.shape[2 + i] - dilation[i] * (w.shape[2 + i] - 1) - 1) // stride[i] + 1 for i in range(n)]
    z = np.zeros((x.shape[0], w.shape[0], *out), np.result_type(x, w))
    group, per_group = w.shape[1], w.shape[0] // groups
    for image, filter_, place in itertools.product(range(x.shape[0]), range(w.shape[0]), np.ndindex(*out)):
        first = filter_ // per_group * group
        for channel, tap in itertools.product(range(group), np.ndindex(*w.shape[2:])):
            at = tuple(p * s + t * d for p, s, t, d in zip(place, stride, tap, dilation))
            z[(image, filter_, *place)] += x[(image, first + channel, *at)] * w[(filter_, channel, *tap)]
    return z if b is None else z + b.reshape(-1, *[1] * n)


def test_output_padding_beyond_the_stride():
    """It may be anything below the dilation, too: the image before has elements that no product reaches."""
    x, w = rng.normal(size=(1, 1, 3)), rng.normal(size=(1, 1, 2))
    check_gradients(lambda x, w: F.conv_transpose1d(x, w, None, 1, 0, 3, dilation=4), x, w)


@pytest.mark.parametrize(
    "shape, weight, groups", [((2, 40, 6, 6), (8, 40, 3, 3), 1), ((2, 4, 6, 6), (8, 1, 3, 3), 4)]
)
@pytest.mark.parametrize("stride", [1, 2])
def test_the_paths_of_the_kernels_agree_with_the_definition(shape, weight, groups, stride):
    """Many channels (a product for each row of the kernel) and one channel per filter (sums of shifted images)."""
    x, w = rng.normal(size=shape), rng.normal(size=weight)
    numbers = (stride, stride), (1, 1), (1, 1), groups
    z = looped(x, w, None, *numbers)
    np.testing.assert_allclose(kernels.conv(x, w, *numbers), z, atol=1e-10)
    g = rng.normal(size=z.shape)
    inner = (g * z).sum()
    back = kernels.conv_input(g, w, x.shape[2:], *numbers)
    np.testing.assert_allclose((back * x).sum(), inner, rtol=1e-9)
    back = kernels.conv_weight(g, x, w.shape[2:], *numbers)
    np.testing.assert_allclose((back * w).sum(), inner, rtol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
@pytest.mark.parametrize(
    "shape, weight, groups",
    [
        ((2, 40, 6, 6), (8, 40, 3, 3), 1),
        ((2, 4, 6, 6), (8, 1, 3, 3), 4),
        ((2, 4, 9), (8, 1, 3), 4),
        ((2, 0, 6, 6), (4, 0, 3, 3), 1),
    ],
)
@pytest.mark.parametrize("stride", [1, 2])
def test_a_bias_is_added_on_all_paths(shape, weight, groups, stride, dtype):
    x, w, b = [(8 * rng.normal(size=size)).astype(dtype) for size in (shape, weight, weight[:1])]
    n = len(shape) - 2
    numbers = (stride,) * n, (1,) * n, (1,) * n, groups
    z = kernels.conv(x, w, *numbers, b)
    assert z.dtype == dtype
    np.testing.assert_allclose(z, looped(x, w, b, *numbers), rtol=1e-4, atol=1e-3)
    space = kernels.transposed_space(z.shape[2:], weight[2:], *numbers[:2], (0,) * n, numbers[2])
    more = np.arange(shape[1]).astype(dtype)
    back = kernels.convolve(z, w, *numbers[:3], True, (0,) * n, groups, more)
    expected = kernels.conv_input(z, w, space, *numbers) + more.reshape(-1, *[1] * n)
    np.testing.assert_allclose(back, expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype, large", [("float16", 2048.0), ("bfloat16", 256.0)])
@pytest.mark.parametrize("transposed", [False, True])
def test_half_precision_is_rounded_after_the_bias(dtype, large, transposed):
    """Between ``large`` and the next number lies the sum, from which the bias leads to the next."""
    dtype = getattr(torch, dtype)
    x, b = torch.tensor([large, 1.0], dtype=dtype).reshape(1, 2, 1), torch.tensor([0.25], dtype=dtype)
    w = torch.ones(2, 1, 1, dtype=dtype)
    z = F.conv_transpose1d(x, w, b) if transposed else F.conv1d(x, w.transpose(0, 1), b)
    assert z.item() == large + 2


@pytest.mark.parametrize("filters, groups", [(4, 1), (4, 2), (4, 4), (8, 4)])
@pytest.mark.parametrize(
    "space, kernel, padding, dilation",
    [
        ((5, 6), (3, 5), (0, 2), (1, 1)),
        ((4, 3), (2, 7), (1, 3), (1, 1)),  # wider than the image
        ((6, 7), (3, 3), (2, 2), (2, 2)),
        ((4, 5, 6), (2, 3, 3), (0, 1, 1), (1, 1, 1)),
        ((3, 4, 5), (1, 3, 1), (0, 2, 0), (1, 2, 1)),
        ((4, 5), (3, 4), (2, 3), (1, 1)),  # the result is wider
        ((2, 3, 4), (2, 3, 3), (0, 2, 1), (1, 1, 1)),
    ],
)
def test_results_as_wide_as_the_image(space, kernel, padding, dilation, filters, groups, monkeypatch):
    """What a place of the kernel sees is one run of elements then, but not beyond the ends of rows, where there may be anything."""
    monkeypatch.setattr(columns, "_FEW", 0)
    numbers = (1,) * len(space), padding, dilation, groups
    x, w = rng.normal(size=(3, 4, *space)), rng.normal(size=(filters, 4 // groups, *kernel))
    z, back, slope, g = gradients(x, w, *numbers)
    assert kernels.in_runs(x.shape, z.shape[2:], kernel, numbers[0], [(p, p) for p in padding], dilation)
    np.testing.assert_allclose(z, looped(x, w, None, *numbers), atol=1e-10)
    np.testing.assert_allclose([(back * x).sum(), (slope * w).sum()], (g * z).sum(), rtol=1e-9)
    x[1, 2, 1, ..., -1], x[2, 0, 1, ..., 0] = np.inf, np.nan
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(kernels.conv(x, w, *numbers), looped(x, w, None, *numbers), atol=1e-10)


def test_steps_beyond_the_image():
    """An axis of one element may have any stride in memory."""
    x, w = rng.normal(size=(5, 3, 1, 1)), rng.normal(size=(4, 3, 1, 1))
    z, back, slope, g = gradients(x, w, (3, 2), (0, 0), (1, 1), 1)
    np.testing.assert_allclose(z, looped(x, w, None, (3, 2), (0, 0), (1, 1), 1), atol=1e-12)
    np.testing.assert_allclose([(back * x).sum(), (slope * w).sum()], (g * z).sum(), rtol=1e-9)


def test_rounds_of_a_few_images(monkeypatch):
    x, w = rng.normal(size=(5, 3, 6, 6)), rng.normal(size=(2, 3, 3, 3))
    whole = kernels.conv(x, w, (1, 1), (1, 1), (1, 1), 1)
    back = kernels.conv_weight(whole, x, (3, 3), (1, 1), (1, 1), (1, 1), 1)
    monkeypatch.setattr(kernels, "_ROUND", 1)
    monkeypatch.setattr(kernels, "_LARGE", 1)  # and of a few rows
    np.testing.assert_allclose(kernels.conv(x, w, (1, 1), (1, 1), (1, 1), 1), whole, atol=1e-12)
    np.testing.assert_allclose(
        kernels.conv_weight(whole, x, (3, 3), (1, 1), (1, 1), (1, 1), 1), back, atol=1e-10
    )


@pytest.mark.parametrize(
    "shape, filters, groups", [((9, 6, 24, 24), 8, 1), ((9, 6, 24, 24), 6, 6), ((2, 3, 30), 4, 1)]
)
@pytest.mark.parametrize("stride, padding", [(1, 1), (2, 0)])
def test_same_bits_on_any_number_of_threads(shape, filters, groups, stride, padding, monkeypatch):
    monkeypatch.setattr(kernels, "_ROUND_ALONE", 1)
    n, before = len(shape) - 2, pool.count()
    x, w, b = [
        rng.normal(size=size).astype("f")
        for size in (shape, (filters, shape[1] // groups, *[3] * n), (filters,))
    ]
    found = []
    try:
        for threads in (1, 2, 3):
            pool.set_count(threads)
            found.append(gradients(x, w, (stride,) * n, (padding,) * n, (1,) * n, groups, b))
    finally:
        pool.set_count(before)
    for others in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], others))


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(
    "kernel, stride, dilation, padding",
    [((4, 3), (2, 2), (1, 1), (1, 0)), ((2, 5), (3, 2), (2, 3), (2, 1)), ((1, 3), (4, 1), (1, 2), (0, 3))],
)
def test_steps_of_transposed_convolutions(kernel, stride, dilation, padding, groups, monkeypatch):
    """Places of an image by their remainders by the steps: some of them no place of the kernel leads to."""
    g, w = rng.normal(size=(3, 4, 5, 6)), rng.normal(size=(4, 4, *kernel))
    numbers = stride, padding, dilation, groups
    space = kernels.transposed_space(g.shape[2:], kernel, stride, padding, (1, 0), dilation)
    monkeypatch.setattr(kernels, "_PER_FILTER", 0)
    found = kernels.conv_input(g, w, space, *numbers)
    x = rng.normal(size=found.shape)
    np.testing.assert_allclose((found * x).sum(), (g * looped(x, w, None, *numbers)).sum(), rtol=1e-9)
    monkeypatch.setattr(kernels, "_PER_FILTER", np.inf)  # columns, added one place after the other
    np.testing.assert_allclose(kernels.conv_input(g, w, space, *numbers), found, atol=1e-12)


def test_same_and_valid():
    x, w = torch.arange(4.0).reshape(1, 1, 4), torch.ones(1, 1, 3)
    assert F.conv1d(x, w, padding="same").flatten().tolist() == [1, 3, 6, 5]
    assert F.conv1d(x, w, padding="valid").flatten().tolist() == [3, 6]
    with pytest.warns(UserWarning, match="zero-padded copy"):
        z = F.conv1d(x, torch.ones(1, 1, 2), padding="same")
    assert z.flatten().tolist() == [1, 3, 5, 3]  # the odd place is behind


def test_unbatched():
    x, w = torch.randn(3, 5, 5, requires_grad=True), torch.randn(2, 3, 3, 3)
    z = F.conv2d(x, w)
    assert z.shape == (2, 3, 3)
    assert torch.equal(z, F.conv2d(x[None], w)[0])
    assert z.grad_fn.name() == "SqueezeBackward1"


def test_channels_last():
    x = torch.randn(2, 3, 6, 6).to(memory_format=torch.channels_last)
    z = F.conv2d(x, torch.randn(4, 3, 3, 3))
    assert z.stride() == (64, 1, 16, 4)


@pytest.mark.parametrize("dtype, tolerance", [(torch.float16, 2e-2), (torch.float32, 1e-5)])
def test_dtypes(dtype, tolerance):
    x, w = rng.normal(size=(1, 2, 6)), rng.normal(size=(2, 2, 3))
    z = F.conv1d(torch.tensor(x, dtype=dtype), torch.tensor(w, dtype=dtype))
    assert z.dtype is dtype
    np.testing.assert_allclose(z.numpy(), looped(x, w, None, (1,), (0,), (1,), 1), atol=tolerance)


def test_the_gradient_of_the_bias_is_summed_in_single_precision():
    b = torch.zeros(1, dtype=torch.float16, requires_grad=True)
    x, w = torch.zeros(1, 1, 5000, dtype=torch.float16), torch.zeros(1, 1, 1, dtype=torch.float16)
    (grad,) = torch.autograd.grad(F.conv1d(x, w, b), b, torch.full((1, 1, 5000), 1.001, dtype=torch.float16))
    assert grad.item() == float(np.float16(5000 * float(np.float16(1.001))))


def test_what_the_node_saves():
    x, w = torch.randn(1, 2, 5, requires_grad=True), torch.randn(3, 2, 3)
    node = F.conv1d(x, w, torch.randn(3), stride=2, padding=1).grad_fn
    assert node.name() == "ConvolutionBackward0"
    assert (node._saved_stride, node._saved_padding, node._saved_transposed) == ((2,), (1,), False)
    assert node._saved_weight is w and node._saved_bias_sym_sizes_opt == (3,)


def image(*shape):
    return torch.zeros(*shape)


REFUSED = [
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 2, 3, 3)), "expected input[2, 3, 8, 8] to have 2 channels, but got 3"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), stride=0), "non-positive stride is not supported"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), padding=-1), "negative padding is not supported"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), dilation=0), "non-positive dilation is not supported"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 1, 3, 3), groups=3), "divisible by 3 at dimension 0"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), image(3)), "expected bias to be 1-dimensional with 4 elements"),
    (lambda: F.conv2d(image(8, 8), image(4, 3, 3, 3)), "Expected 3D (unbatched) or 4D (batched) input to conv2d"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 9, 9)), "Kernel size can't be greater than actual input size"),
    (lambda: F.conv2d(image(2, 3, 8, 8).double(), image(4, 3, 3, 3)), "expected scalar type Double but found Float"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), padding="foo"), "Invalid padding string: 'foo'"),
    (lambda: F.conv2d(image(2, 3, 8, 8), image(4, 3, 3, 3), padding="same", stride=2), "not supported for strided"),
    (lambda: F.conv_transpose2d(image(2, 3, 8, 8), image(3, 4, 3, 3), output_padding=1), "output padding must be smaller"),
]  # fmt: skip


@pytest.mark.parametrize("call, words", REFUSED)
def test_refused(call, words):
    with pytest.raises(RuntimeError) as raised:
        call()
    assert words in str(raised.value)


def gradients(x, w, stride, padding, dilation, groups, b=None):
    """The convolution, and its gradients for a fixed uneven one of the result."""
    z = kernels.conv(x, w, stride, padding, dilation, groups, b)
    g = np.cos(np.arange(z.size)).reshape(z.shape).astype(z.dtype)
    back = kernels.conv_input(g, w, x.shape[2:], stride, padding, dilation, groups)
    return z, back, kernels.conv_weight(g, x, w.shape[2:], stride, padding, dilation, groups), g


@pytest.mark.parametrize("step, pad, apart", [(1, 0, 1), (1, 0, 2), (2, 1, 1), (3, 2, 1)])
@pytest.mark.parametrize("space", [(11,), (13, 14), (10, 9, 9)])
def test_gradients_of_many_images(space, step, pad, apart):
    """What is quickest for many images with short rows agrees with what is quickest for few."""
    n = len(space)
    x, w = rng.normal(size=(17, 3, *space)), rng.normal(size=(4, 3, *[4] * n))
    numbers = (step,) * n, (pad,) * n, (apart,) * n, 1
    _, back, slope, g = gradients(x, w, *numbers)
    total = 0
    for image in range(len(x)):
        part = slice(image, image + 1)
        alone = kernels.conv_input(g[part], w, space, *numbers)
        np.testing.assert_allclose(back[part], alone, rtol=1e-9, atol=1e-9)
        total = total + kernels.conv_weight(g[part], x[part], w.shape[2:], *numbers)
    np.testing.assert_allclose(slope, total, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("channels", [1, 10])
@pytest.mark.parametrize("step, apart", [(1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("space, batch", [((7, 6), 3), ((40, 41), 3), ((3000,), 2)])
def test_gradients_of_groups(space, batch, step, apart, channels):
    """Groups are convolutions side by side: of one channel each, and of more than are unfolded along the first axis."""
    n, groups = len(space), 3
    x = rng.normal(size=(batch, groups * channels, *space))
    w = rng.normal(size=(2 * groups, channels, *[3] * n))
    numbers = (step,) * n, (1,) * n, (apart,) * n
    whole = gradients(x, w, *numbers, groups)
    for i in range(groups):
        images, filters = slice(i * channels, (i + 1) * channels), slice(2 * i, 2 * i + 2)
        x_, w_, g = x[:, images], w[filters], whole[3][:, filters]
        z = kernels.conv(x_, w_, *numbers, 1)
        back = kernels.conv_input(g, w_, space, *numbers, 1)
        slope = kernels.conv_weight(g, x_, w.shape[2:], *numbers, 1)
        for found, expected in zip(
            (whole[0][:, filters], whole[1][:, images], whole[2][filters]), (z, back, slope)
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_what_gradients_of_a_batch_take_of_memory(monkeypatch):
    x = np.ones((64, 6, 14, 14), np.float32)
    w, g = np.ones((16, 6, 5, 5), np.float32), np.ones((64, 16, 10, 10), np.float32)
    monkeypatch.setattr(pool, "_count", 1)
    # NumPy's buffers make some 50 kB between its versions. With longer columns at once these were 2.4 and 1.6 MB.
    for gradient, limit in (
        (lambda: kernels.conv_input(g, w, (14, 14), (1, 1), (0, 0), (1, 1), 1), 1_700_000),
        (lambda: kernels.conv_weight(g, x, (5, 5), (1, 1), (0, 0), (1, 1), 1), 1_000_000),
    ):
        with torch.backends.mkldnn.flags(enabled=False):
            gradient()
            tracemalloc.start()
            gradient()
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert most < limit
