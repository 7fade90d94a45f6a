"""Interpolation, sampling at points, and pixels moved to channels: against loops, PyTorch, and numeric gradients."""

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


# Interpolation -----------------------------------------------------------------------------------------------------------------


def looped(row, m, mode, align_corners):
    """A row of ``m`` elements, each from its place in ``row``."""
    n = len(row)
    out = []
    for i in range(m):
        if mode == "nearest":
            out.append(row[min(math.floor(i * n / m), n - 1)])
            continue
        if mode == "nearest-exact":
            out.append(row[min(math.floor((i + 0.5) * n / m), n - 1)])
            continue
        at = i * (n - 1) / max(m - 1, 1) if align_corners else (i + 0.5) * n / m - 0.5
        if mode == "linear":
            at = max(at, 0)
            k = min(int(at), n - 1)
            out.append(row[k] + (at - k) * (row[min(k + 1, n - 1)] - row[k]))
            continue
        k = math.floor(at)
        total = 0
        for j in range(k - 1, k + 3):
            d, a = abs(at - j), -0.75
            weight = (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * (d**3 - 5 * d**2 + 8 * d - 4)
            total += weight * row[min(max(j, 0), n - 1)]
        out.append(total)
    return np.array(out)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 6),
    st.integers(1, 12),
    st.sampled_from(["nearest", "nearest-exact", "linear"]),
    st.booleans(),
)
def test_rows(n, m, mode, align_corners):
    row = np.random.default_rng(n).normal(size=n)
    corners = align_corners if mode == "linear" else None
    z = F.interpolate(torch.tensor(row)[None, None], m, mode=mode, align_corners=corners)
    np.testing.assert_allclose(z.flatten().numpy(), looped(row, m, mode, align_corners), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_cubics_axis_by_axis(h, w, height, width, align_corners):
    x = np.random.default_rng(h + w).normal(size=(h, w))
    z = F.interpolate(
        torch.tensor(x)[None, None], (height, width), mode="bicubic", align_corners=align_corners
    )
    wide = np.stack([looped(row, width, "bicubic", align_corners) for row in x])
    expected = np.stack([looped(column, height, "bicubic", align_corners) for column in wide.T], 1)
    np.testing.assert_allclose(z[0, 0].numpy(), expected, atol=1e-10)


MODES = [
    ("nearest", 1), ("nearest", 2), ("nearest-exact", 2), ("area", 2), ("linear", 1), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3),
]  # fmt: skip


@pytest.mark.parametrize("mode, n", MODES)
@pytest.mark.parametrize("scale", [0.6, 1.7])
def test_gradients(mode, n, scale):
    x = rng.normal(size=(1, 2, 4, 3, 2)[: n + 2])
    check_gradients(lambda x: F.interpolate(x * x, scale_factor=scale, mode=mode), x)


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


def test_pixels_to_channels_and_back():
    x = rng.normal(size=(2, 8, 2, 3))
    z = torch.pixel_shuffle(torch.tensor(x), 2)
    for n, c, i, j in itertools.product(range(2), range(2), range(4), range(6)):
        assert z[n, c, i, j] == x[n, c * 4 + i % 2 * 2 + j % 2, i // 2, j // 2]
    np.testing.assert_array_equal(torch.pixel_unshuffle(z, 2).numpy(), x)
    check_gradients(lambda x: torch.pixel_shuffle(x * x, 2), x[:1])
    check_gradients(lambda x: torch.pixel_unshuffle(x * x, 2), rng.normal(size=(1, 2, 4)))


def test_channels_in_turn():
    x = torch.arange(6.0).reshape(1, 6, 1)
    assert torch.channel_shuffle(x, 2).flatten().tolist() == [0, 3, 1, 4, 2, 5]
    check_gradients(lambda x: torch.channel_shuffle(x * x, 3), rng.normal(size=(2, 6, 2)))


def test_copies():
    x = torch.ones(1, 4, 2, 2)
    for z in (torch.pixel_shuffle(x, 1), torch.pixel_unshuffle(x, 1), torch.channel_shuffle(x, 1)):
        z.zero_()
    assert x.sum() == 16


# Points of a grid ----------------------------------------------------------------------------------------------------------------


def sampled(image, x, y, padding, align_corners):
    """A bilinear element of an image at a point."""
    h, w = image.shape

    def place(c, n):
        at = (c + 1) / 2 * (n - 1) if align_corners else ((c + 1) * n - 1) / 2
        if padding == "reflection":
            low, span = (0, n - 1) if align_corners else (-0.5, n)
            if span:
                at = (at - low) % (2 * span)
                at = low + (2 * span - at if at > span else at)
            else:
                at = 0.0
        return at if padding == "zeros" else min(max(at, 0), n - 1)

    i, j = place(y, h), place(x, w)
    total = 0
    for a, b in itertools.product((math.floor(i), math.floor(i) + 1), (math.floor(j), math.floor(j) + 1)):
        if 0 <= a < h and 0 <= b < w:
            total += image[a, b] * (1 - abs(i - a)) * (1 - abs(j - b))
    return total


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4), st.integers(1, 4), st.sampled_from(["zeros", "border", "reflection"]), st.booleans(),
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=4),
)  # fmt: skip
def test_samples(h, w, padding, align_corners, points):
    image = np.random.default_rng(h * w).normal(size=(h, w))
    grid = torch.tensor([[points]], dtype=torch.float64)
    z = F.grid_sample(torch.tensor(image)[None, None], grid, "bilinear", padding, align_corners)
    expected = [sampled(image, x, y, padding, align_corners) for x, y in points]
    np.testing.assert_allclose(z.flatten().numpy(), expected, atol=1e-8)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align_corners", [False, True])
def test_gradients_of_samples(mode, padding, align_corners):
    image, grid = rng.normal(size=(1, 2, 3, 4)), rng.uniform(-1.4, 1.4, (1, 2, 2, 2))

    def sample(x, g):
        return F.grid_sample(x * x, g, mode, padding, align_corners)

    check_gradients(sample, image, grid, rtol=1e-4, atol=1e-4)


def test_gradients_of_samples_of_volumes():
    image, grid = rng.normal(size=(1, 1, 2, 3, 2)), rng.uniform(-1, 1, (1, 1, 2, 1, 3))
    check_gradients(lambda x, g: F.grid_sample(x, g, align_corners=True), image, grid, rtol=1e-4, atol=1e-4)


def test_samples_of_no_number():
    image, grid = torch.ones(1, 1, 2, 2), torch.tensor([[[[math.nan, 0.0], [math.inf, 0.0]]]])
    for mode, padding, isnan in (
        ("bilinear", "zeros", True),
        ("nearest", "zeros", False),
        ("bilinear", "border", False),
    ):
        z = F.grid_sample(image, grid, mode, padding, align_corners=True)
        assert z.isnan().all() if isnan else z.isfinite().all()


@pytest.mark.parametrize("size", [(2, 1, 3, 4), (2, 1, 2, 3, 2)])
@pytest.mark.parametrize("align_corners", [False, True])
def test_even_grids(size, align_corners):
    n = len(size) - 2
    identity = np.broadcast_to(np.eye(n, n + 1), (2, n, n + 1)).copy()
    image = torch.tensor(rng.normal(size=size))
    grid = F.affine_grid(torch.tensor(identity), size, align_corners)
    np.testing.assert_allclose(
        F.grid_sample(image, grid, align_corners=align_corners).numpy(), image.numpy(), atol=1e-9
    )
    check_gradients(lambda t: F.affine_grid(t * t, size, align_corners), identity + 0.3)


def test_default_corners_warn():
    with pytest.warns(UserWarning, match="align_corners=False since 1.3.0"):
        F.grid_sample(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 1, 2))


IMAGE, GRID = torch.zeros(2, 12, 4, 4), torch.zeros(2, 5, 6, 2)
REFUSED = [
    (lambda: F.interpolate(IMAGE), ValueError, "either size or scale_factor should be defined"),
    (lambda: F.interpolate(IMAGE, 2, 2), ValueError, "only one of size or scale_factor should be defined"),
    (lambda: F.interpolate(IMAGE, (2, 2, 2)), ValueError, "output size of (2, 2, 2)"),
    (
        lambda: F.interpolate(IMAGE, 2, align_corners=True),
        ValueError,
        "align_corners option can only be set with the interpolating",
    ),
    (
        lambda: F.interpolate(IMAGE, 2, mode="trilinear"),
        NotImplementedError,
        "Got 4D input, but trilinear mode needs 5D input",
    ),
    (
        lambda: F.interpolate(IMAGE, 2, mode="foo"),
        NotImplementedError,
        "Only 3D, 4D and 5D input Tensors supported (got 4D)",
    ),
    (lambda: F.interpolate(IMAGE, 2, antialias=True), ValueError, "Anti-alias option is restricted to"),
    (
        lambda: F.interpolate(IMAGE, 0),
        RuntimeError,
        "Input and output sizes should be greater than 0, but got input (H: 4, W: 4)",
    ),
    (lambda: F.pixel_shuffle(IMAGE, 5), RuntimeError, "input.size(-3)=12 is not divisible by 25"),
    (lambda: F.pixel_unshuffle(IMAGE, 3), RuntimeError, "expects height to be divisible by downscale_factor"),
    (lambda: F.channel_shuffle(IMAGE, 5), RuntimeError, "Got 12 channels and 5 groups."),
    (
        lambda: F.grid_sample(IMAGE, GRID, "foo"),
        ValueError,
        "expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: 'foo'",
    ),
    (
        lambda: F.grid_sample(IMAGE, GRID[:1], align_corners=True),
        RuntimeError,
        "expected grid and input to have same batch size",
    ),
    (
        lambda: F.affine_grid(torch.zeros(2, 3), (2, 1, 2, 2), True),
        ValueError,
        "Expected a batch of 2D affine matrices",
    ),
]


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


@pytest.mark.torch
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_samples_as_torch(mode, padding):
    theirs = pytest.importorskip("torch")
    x, points = rng.normal(size=(2, 3, 5, 4)), rng.uniform(-2.5, 2.5, (2, 4, 7, 2))
    found = []
    for library in (theirs, torch):
        a, grid = library.tensor(x, requires_grad=True), library.tensor(points, requires_grad=True)
        z = library.nn.functional.grid_sample(a, grid, mode, padding, align_corners=False)
        grads = library.autograd.grad((z * z).sum(), (a, grid))
        found.append([t.detach().numpy() for t in (z, *grads)])
    for expected, got in zip(*found):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
