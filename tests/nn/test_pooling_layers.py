"""Pooling layers that return or take indices, choose their windows at random, or refuse their arguments."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn


@pytest.mark.parametrize("n", [1, 2, 3])
def test_unpooling_puts_maxima_back_where_they_were(n):
    x = torch.randn(2, 3, *[5] * n)
    pool = getattr(nn, f"MaxPool{n}d")(2, return_indices=True)
    unpool = getattr(nn, f"MaxUnpool{n}d")(2)
    assert repr(unpool) == f"MaxUnpool{n}d(kernel_size={(2,) * n}, stride={(2,) * n}, padding={(0,) * n})"
    maxima, indices = pool(x)
    back = unpool(maxima, indices, output_size=x.size())
    assert back.shape == x.shape
    assert unpool(*pool(back[(..., *[slice(4)] * n)])).shape == (2, 3, *[4] * n)
    kept = back != 0
    assert kept.sum() == maxima.numel() and torch.equal(back[kept], x[kept])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_adaptive_maxima_come_with_indices_on_request(n):
    x = torch.randn(2, 3, *[5] * n)
    layer = getattr(nn, f"AdaptiveMaxPool{n}d")(2, return_indices=True)
    maxima, indices = layer(x)
    assert torch.equal(x.flatten(2).gather(2, indices.flatten(2)), maxima.flatten(2))


@pytest.mark.parametrize("n", [2, 3])
def test_fractional_pooling_takes_maxima_of_windows_that_it_draws(n):
    kind = getattr(nn, f"FractionalMaxPool{n}d")
    x = torch.randn(1, 2, *[9] * n)
    torch.manual_seed(3)
    first, indices = kind(2, output_size=4, return_indices=True)(x)
    torch.manual_seed(3)
    assert torch.equal(kind(2, output_ratio=4.5 / 9)(x), first)
    assert torch.equal(x.flatten(2).gather(2, indices.flatten(2)), first.flatten(2))
    given = torch.zeros(1, 2, n)
    fixed = kind(2, output_size=4, _random_samples=given)
    assert torch.equal(fixed(x), fixed(x)) and list(fixed.state_dict()) == ["_random_samples"]


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: nn.FractionalMaxPool2d(2),
            "FractionalMaxPool2d requires specifying either an output size, or a pooling",
        ),
        (
            lambda: nn.FractionalMaxPool3d(2, 3, 0.5),
            "only one of output_size and output_ratio may be specified",
        ),
        (
            lambda: nn.FractionalMaxPool2d(2, output_ratio=(0.5, 1)),
            r"output_ratio must be between 0 and 1 \(got \(0.5, 1\)\)",
        ),
        (
            lambda: nn.FractionalMaxPool3d((1, 0, 1), 3),
            r"kernel_size must be greater than 0, but got \(1, 0, 1\)",
        ),
    ],
)
def test_settings_that_cannot_be(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_files_of_mean_pooling_without_later_settings():
    layer = nn.AvgPool3d.__new__(nn.AvgPool3d)
    layer.__setstate__({"kernel_size": 2, "stride": 2, "training": True})
    assert (layer.padding, layer.ceil_mode, layer.count_include_pad) == (0, False, True)


def test_files_of_upsampling_without_later_settings():
    layer = nn.Upsample.__new__(nn.Upsample)
    layer.__setstate__({"size": 2, "scale_factor": None, "mode": "nearest", "align_corners": None})
    assert layer.recompute_scale_factor is True


@pytest.mark.parametrize("n", [1, 2, 3])
def test_circular_padding_looks_at_the_number_of_axes(n):
    layer = getattr(nn, f"CircularPad{n}d")(1)
    with pytest.raises(ValueError, match=rf"expected {n + 1}D or {n + 2}D input \(got {n}D input\)"):
        layer(torch.ones([2] * n))


def test_shuffles_move_every_element_once():
    x = torch.arange(24.0).reshape(1, 4, 2, 3)
    for layer in (nn.ChannelShuffle(2), nn.PixelShuffle(2)):
        np.testing.assert_array_equal(np.sort(layer(x).numpy(), None), np.arange(24))
    assert torch.equal(nn.PixelUnshuffle(2)(nn.PixelShuffle(2)(x)), x)
    assert nn.ChannelShuffle(2)(x)[0, :, 0, 0].tolist() == [0, 12, 6, 18]


def test_folding_sums_what_unfolding_took_apart():
    x = torch.randn(1, 2, 3, 4)
    columns = nn.Unfold(2)(x)
    counts = nn.Fold((3, 4), 2)(torch.ones_like(columns))
    np.testing.assert_allclose(nn.Fold((3, 4), 2)(columns).numpy(), (x * counts).numpy(), rtol=1e-6)
