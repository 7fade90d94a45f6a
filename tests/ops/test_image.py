"""Interpolation, sampling at points, pixels moved to channels at their awkward points: filters, bytes, nans, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

F = torch.nn.functional
rng = np.random.default_rng(0)


# Interpolation -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "lanczos"])
@pytest.mark.parametrize("size", [(2, 3), (7, 9)])
def test_filtered(mode, size):
    """The weights of each element add up to one; gradients are exact."""
    x = rng.normal(size=(1, 1, 6, 5))
    ones = F.interpolate(torch.ones(1, 1, 6, 5, dtype=torch.float64), size, mode=mode, antialias=True)
    np.testing.assert_allclose(ones.numpy(), 1)
    check_gradients(lambda x: F.interpolate(x * x, size, mode=mode, antialias=True), x)


def test_wide_filters_are_matrix_products():
    x = rng.normal(size=(1, 1, 2, 60))
    z = F.interpolate(torch.tensor(x), (2, 3), mode="bilinear", antialias=True)
    middle = np.maximum(1 - abs(np.arange(60) + 0.5 - 30) / 20, 0)
    np.testing.assert_allclose(z[0, 0, :, 1].numpy(), x[0, 0] @ (middle / middle.sum()))


def test_the_scale_counts_unless_it_is_recomputed():
    x = torch.arange(5.0).reshape(1, 1, 5)
    by_scale = F.interpolate(x, scale_factor=1.5, mode="linear")
    recomputed = F.interpolate(x, scale_factor=1.5, mode="linear", recompute_scale_factor=True)
    assert by_scale.shape == recomputed.shape == (1, 1, 7)
    assert torch.equal(recomputed, F.interpolate(x, 7, mode="linear"))
    assert not torch.allclose(by_scale, recomputed)


def test_bytes_are_rounded_after_each_axis():
    x = torch.tensor([[[[0, 255], [255, 0]]]], dtype=torch.uint8)
    assert F.interpolate(x, (2, 3), mode="bilinear").flatten().tolist() == [0, 128, 255, 255, 128, 0]


def test_local():
    """What is infinite spoils its neighbours only; at the border a neighbour counts with weight nought, which makes nan."""
    z = F.interpolate(torch.tensor([[[1.0, math.inf, 2.0, 3.0]]]), 8, mode="linear").flatten()
    assert z[0].isnan() and z[1:5].isinf().all()
    assert z[5:].tolist() == [2.25, 2.75, 3.0]


def test_deprecated():
    x = torch.randn(1, 1, 2, 2)
    with pytest.warns(UserWarning, match="upsample_bilinear` is deprecated"):
        z = F.upsample_bilinear(x, scale_factor=2)
    assert torch.equal(z, F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True))
    with pytest.warns(UserWarning, match="upsample_nearest` is deprecated"):
        assert torch.equal(F.upsample_nearest(x, 4), F.interpolate(x, 4))
    with pytest.warns(UserWarning, match="upsample` is deprecated"):
        assert torch.equal(F.upsample(x, 4), F.interpolate(x, 4))


def test_what_the_node_saves():
    x = torch.randn(1, 1, 2, 3, requires_grad=True)
    node = F.interpolate(x, scale_factor=(2.0, 3.0), mode="bilinear").grad_fn
    assert node.name() == "UpsampleBilinear2DBackward0"
    assert (node._saved_scales_h, node._saved_scales_w, node._saved_output_size) == (2.0, 3.0, (4, 9))
    assert node._saved_align_corners is False


# Pixels and channels -----------------------------------------------------------------------------------------------------------


def test_copies():
    x = torch.ones(1, 4, 2, 2)
    for z in (torch.pixel_shuffle(x, 1), torch.pixel_unshuffle(x, 1), torch.channel_shuffle(x, 1)):
        z.zero_()
    assert x.sum() == 16


# Points of a grid ----------------------------------------------------------------------------------------------------------------


def test_samples_of_no_number():
    image, grid = torch.ones(1, 1, 2, 2), torch.tensor([[[[math.nan, 0.0], [math.inf, 0.0]]]])
    for mode, padding, isnan in (
        ("bilinear", "zeros", True),
        ("nearest", "zeros", False),
        ("bilinear", "border", False),
    ):
        z = F.grid_sample(image, grid, mode, padding, align_corners=True)
        assert z.isnan().all() if isnan else z.isfinite().all()


def test_default_corners_warn():
    with pytest.warns(UserWarning, match="align_corners=False since 1.3.0"):
        F.grid_sample(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 1, 2))


IMAGE, GRID = torch.zeros(2, 12, 4, 4), torch.zeros(2, 5, 6, 2)
REFUSED = [
    (lambda: F.interpolate(IMAGE), ValueError, "either size or scale_factor should be defined"),
    (lambda: F.interpolate(IMAGE, 2, 2), ValueError, "only one of size or scale_factor should be defined"),
    (lambda: F.interpolate(IMAGE, (2, 2, 2)), ValueError, "output size of (2, 2, 2)"),
    (lambda: F.interpolate(IMAGE, 2, align_corners=True), ValueError, "align_corners option can only be set with the interpolating"),
    (lambda: F.interpolate(IMAGE, 2, mode="trilinear"), NotImplementedError, "Got 4D input, but trilinear mode needs 5D input"),
    (lambda: F.interpolate(IMAGE, 2, mode="foo"), NotImplementedError, "Only 3D, 4D and 5D input Tensors supported (got 4D)"),
    (lambda: F.interpolate(IMAGE, 2, antialias=True), ValueError, "Anti-alias option is restricted to"),
    (lambda: F.interpolate(IMAGE, 0), RuntimeError, "Input and output sizes should be greater than 0, but got input (H: 4, W: 4)"),
    (lambda: F.pixel_shuffle(IMAGE, 5), RuntimeError, "input.size(-3)=12 is not divisible by 25"),
    (lambda: F.pixel_unshuffle(IMAGE, 3), RuntimeError, "expects height to be divisible by downscale_factor"),
    (lambda: F.channel_shuffle(IMAGE, 5), RuntimeError, "Got 12 channels and 5 groups."),
    (lambda: F.grid_sample(IMAGE, GRID, "foo"), ValueError, "expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: 'foo'"),
    (lambda: F.grid_sample(IMAGE, GRID[:1], align_corners=True), RuntimeError, "expected grid and input to have same batch size"),
    (lambda: F.affine_grid(torch.zeros(2, 3), (2, 1, 2, 2), True), ValueError, "Expected a batch of 2D affine matrices"),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, words", REFUSED)
def test_refused(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)


@pytest.mark.torch
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("align_corners", [False, True])
def test_bytes_as_torch(mode, antialias, align_corners):
    theirs = pytest.importorskip("torch")
    x = rng.integers(0, 256, (2, 3, 6, 6)).astype(np.uint8)
    for size in ((5, 7), (3, 4), (12, 9)):
        found = [
            library.nn.functional.interpolate(
                library.tensor(x), size, mode=mode, align_corners=align_corners, antialias=antialias
            ).numpy()
            for library in (theirs, torch)
        ]
        np.testing.assert_array_equal(found[1], found[0])
