"""Convolutions by oneDNN against those by NumPy."""

import itertools

import numpy as np
import pytest

import minigrad
import minigrad.nn.functional as F
from minigrad._arrays import onednn_kernels
from minigrad._arrays.kernels import convolution
from minigrad._arrays.onednn_kernels import quicker_without


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def close(a, b):
    assert a.shape == b.shape and a.dtype == b.dtype
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=2e-5 * max(float(np.abs(b).max(initial=0)), 1))


CHANNELS = [
    (1, 4, 1),
    (3, 5, 1),
    (16, 32, 1),
    (4, 4, 4),
    (6, 12, 3),
    (8, 16, 8),
]  # of the image, of the result, groups


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("channels, filters, groups", CHANNELS)
def test_values_and_gradients(both, axes, channels, filters, groups):
    space = (9, 7, 6)[:axes]
    x = random(2, channels, *space)
    for kernel, stride, padding, dilation in itertools.product((1, 2, 3), (1, 2), (0, 1, 2), (1, 2)):
        w = random(filters, channels // groups, *[kernel] * axes, seed=1)
        rest = ((stride,) * axes, (padding,) * axes, (dilation,) * axes, groups)
        z, expected = both(lambda: convolution.conv(x, w, *rest))
        close(z, expected)
        g = random(*z.shape, seed=2)
        close(*both(lambda: convolution.conv_input(g, w, space, *rest)))
        close(*both(lambda: convolution.conv_weight(g, x, w.shape[2:], *rest)))


@pytest.mark.parametrize(
    "stride, padding, output_padding, dilation", [(1, 0, 0, 1), (2, 1, 1, 1), (3, 2, 2, 2), (2, 0, 0, 3)]
)
def test_transposed(both, stride, padding, output_padding, dilation):
    x, w = random(2, 6, 5, 4), random(6, 4, 3, 3, seed=1)
    rest = [(n,) * 2 for n in (stride, padding, dilation)]
    close(*both(lambda: convolution.convolve(x, w, *rest, True, (output_padding,) * 2, 2)))


def test_different_numbers_along_the_axes(both):
    x, w = random(2, 3, 11, 8), random(4, 3, 3, 2, seed=1)
    close(*both(lambda: convolution.conv(x, w, (2, 1), (1, 0), (1, 2), 1)))


@pytest.mark.parametrize(
    "shape, weights",
    [((0, 3, 5, 5), (4, 3, 3, 3)), ((2, 3, 5, 5), (0, 3, 3, 3)), ((2, 0, 5, 5), (4, 0, 3, 3))],
)
def test_empty_arrays_are_for_numpy(onednn, shape, weights):
    z = convolution.conv(random(*shape), random(*weights), (1, 1), (0, 0), (1, 1), 1)
    assert z.shape == (shape[0], weights[0], 3, 3) and not z.any() and not onednn.served


@pytest.mark.parametrize(
    "weights, groups, served",
    [
        ((8, 8, 3, 3), 1, 3),
        ((8, 1, 3, 3), 8, 3),
        ((8, 1, 3), 8, 3),
        ((8, 1, 5), 8, 2),
        ((8, 1, 15), 8, 1),
        ((8, 1, 3, 3, 3), 8, 0),
        ((16, 1, 3, 3), 8, 0),
        ((8, 2, 3, 3), 4, 0),
        ((8, 4, 3, 3), 2, 2),
    ],
)
def test_where_numpy_is_quicker(onednn, weights, groups, served, monkeypatch):
    monkeypatch.setattr(onednn_kernels, "quicker_without", quicker_without)
    n = len(weights) - 2
    x, w, numbers = random(2, 8, *[15] * n), random(*weights), ((1,) * n, (0,) * n, (1,) * n, groups)
    z = convolution.conv(x, w, *numbers)
    convolution.conv_input(z, w, x.shape[2:], *numbers)
    convolution.conv_weight(z, x, w.shape[2:], *numbers)
    assert onednn.served == served


def test_other_dtypes_are_for_numpy(onednn):
    x, w = random(2, 3, 5, 5).astype(np.float64), random(4, 3, 3, 3).astype(np.float64)
    assert convolution.conv(x, w, (1, 1), (0, 0), (1, 1), 1).dtype == np.float64 and not onednn.served


def test_layouts(both):
    x, w = random(2, 3, 6, 7), random(4, 3, 3, 3, seed=1)
    rest = ((1, 1), (1, 1), (1, 1), 1)
    readonly = x.copy()
    readonly.flags.writeable = False
    misaligned = np.frombuffer(b" " + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(x.shape)
    assert not misaligned.flags.aligned
    expected = convolution.conv(x, w, *rest)
    for same in (
        readonly,
        misaligned,
        x[:, :, ::-1].copy()[:, :, ::-1],
        x.transpose(3, 2, 1, 0).copy().transpose(3, 2, 1, 0),
        np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
        np.repeat(x, 2, 0)[::2],
    ):
        fast, slow = both(lambda: convolution.conv(same, w, *rest))
        close(fast, expected)
        close(fast, slow)
        assert fast.strides == slow.strides
    wide = np.broadcast_to(x[:1], x.shape)
    close(*both(lambda: convolution.conv(wide, w, *rest)))


def three_of(x, w, g, groups):
    """Result, gradient of the image and of the weights of a convolution without padding, in steps of one: only what belongs to a place is summed there."""
    z, gx, gw = (np.zeros_like(a) for a in (g, x, w))
    height, width = g.shape[2:]
    group, per_group = x.shape[1] // groups, w.shape[0] // groups
    for at, i, j in itertools.product(range(groups), *map(range, w.shape[2:])):
        of_x, of_w = slice(at * group, (at + 1) * group), slice(at * per_group, (at + 1) * per_group)
        seen = x[:, of_x, i : i + height, j : j + width]
        factor = w[of_w, :, i, j]
        z[:, of_w] += np.einsum("nchw,oc->nohw", seen, factor)
        gx[:, of_x, i : i + height, j : j + width] += np.einsum("nohw,oc->nchw", g[:, of_w], factor)
        gw[of_w, :, i, j] += np.einsum("nohw,nchw->oc", g[:, of_w], seen)
    return z, gx, gw


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("channels, groups", [(1, 1), (3, 1), (16, 1), (4, 4)])
def test_special_values_go_where_they_belong(onednn, value, channels, groups):
    x, w = random(2, channels, 6, 6), random(4 * groups, channels // groups, 3, 3, seed=1)
    g = random(2, 4 * groups, 4, 4, seed=2)
    rest = ((1, 1), (0, 0), (1, 1), groups)
    for array in (x, w, g):
        kept = array.copy()
        array[1, 0, 1, 2] = value
        found = (
            convolution.conv(x, w, *rest),
            convolution.conv_input(g, w, (6, 6), *rest),
            convolution.conv_weight(g, x, (3, 3), *rest),
        )
        for fast, expected in zip(found, three_of(x, w, g, groups)):
            np.testing.assert_allclose(fast, expected, rtol=1e-4, atol=1e-4)
        array[...] = kept
    assert onednn.served >= 6


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("channels, filters, groups", CHANNELS)
def test_a_bias_is_part_of_the_convolution(both, axes, channels, filters, groups):
    x = random(2, channels, *(9, 7, 6)[:axes])
    w, b = random(filters, channels // groups, *[3] * axes, seed=1), random(filters, seed=2)
    rest = ((2,) * axes, (1,) * axes, (1,) * axes, groups)
    close(*both(lambda: convolution.conv(x, w, *rest, b)))


@pytest.mark.parametrize("wanted", ["xwb", "xw", "wb", "xb", "w"])
@pytest.mark.parametrize("shape", [(2, 4, 9), (2, 4, 9, 7), (2, 4, 5, 4, 3)])
@pytest.mark.parametrize("filters, groups", [(4, 1), (4, 4), (6, 2)])
def test_gradients_that_are_wanted_together(both, wanted, shape, filters, groups):
    x, b = random(*shape), random(filters, seed=2)
    w = random(filters, 4 // groups, *[3] * (len(shape) - 2), seed=1)
    layer = (F.conv1d, F.conv2d, F.conv3d)[len(shape) - 3]

    def gradients():
        tensors = {
            name: minigrad.tensor(a, requires_grad=name in wanted) for name, a in zip("xwb", (x, w, b))
        }
        z = layer(*tensors.values(), padding=1, groups=groups)
        z.backward(minigrad.tensor(random(*z.shape, seed=3)))
        return [tensors[name].grad.numpy() for name in wanted]

    for fast, slow in zip(*both(gradients)):
        close(fast, slow)


def test_the_gradients_of_a_convolution_are_one_operation(onednn, monkeypatch):
    x, w, b = [
        minigrad.tensor(random(*shape)).requires_grad_() for shape in [(2, 4, 6, 6), (4, 4, 3, 3), (4,)]
    ]
    F.conv2d(x, w, b).sum().backward()
    assert onednn.served == 2
    monkeypatch.setattr(
        onednn_kernels, "quicker_without", lambda direction, *shape: direction == "backward_weights"
    )
    F.conv2d(x, w, b).sum().backward()  # that of the weights is NumPy's
    assert onednn.served == 4


@pytest.mark.parametrize("dtype", [minigrad.float64, minigrad.complex64, minigrad.float16, minigrad.bfloat16])
def test_gradients_of_other_dtypes(dtype):
    torch = pytest.importorskip("torch")
    g = random(2, 4, 4, 4, seed=2)

    def gradients(library):
        kind = getattr(library, str(dtype).partition(".")[2])
        operands = [
            library.tensor(random(*shape)).to(kind).requires_grad_()
            for shape in [(2, 4, 6, 6), (4, 1, 3, 3), (4,)]
        ]
        library.nn.functional.conv2d(*operands, groups=4).backward(library.tensor(g).to(kind))
        wide = library.complex128 if kind.is_complex else library.float64
        return [x.grad.to(wide).numpy() for x in operands]

    small = dtype.itemsize == 2
    for ours, theirs in zip(gradients(minigrad), gradients(torch)):
        np.testing.assert_allclose(ours, theirs, rtol=2e-2 if small else 1e-4, atol=1e-1 if small else 1e-4)


@pytest.mark.parametrize("layer", [F.conv2d, F.conv_transpose2d])
def test_second_gradients(both, layer):
    x = minigrad.tensor(random(2, 4, 6, 6), requires_grad=True)
    w = minigrad.tensor(random(4, 4, 3, 3, seed=1), requires_grad=True)

    def gradients():
        first = minigrad.autograd.grad(
            layer(x, w, stride=2, padding=1).square().sum(), (x, w), create_graph=True
        )
        return minigrad.autograd.grad(sum(g.square().sum() for g in first), (x, w))

    for fast, slow in zip(*both(gradients)):
        close(fast.numpy(), slow.numpy())


def test_half_precision_is_rounded_once(both):
    x, w = random(2, 4, 6, 6).astype(np.float16), random(4, 4, 3, 3, seed=1).astype(np.float16)
    fast, slow = both(lambda: convolution.conv(x, w, (1, 1), (0, 0), (1, 1), 1))
    assert fast.dtype == np.float16
    np.testing.assert_allclose(fast, slow, rtol=2e-3, atol=2e-3)
