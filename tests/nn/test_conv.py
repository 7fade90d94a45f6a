"""Convolutions as modules: their arguments, the sizes of transposed ones, padding, gradients as functions."""

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional as F


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("padding", [(1, 2), "same"])
def test_padding_modes_pad_before_the_convolution(mode, padding):
    layer = nn.Conv2d(2, 3, (3, 4), padding=padding, padding_mode=mode)
    x = torch.randn(1, 2, 5, 6)
    sides = (2, 2, 1, 1) if padding == (1, 2) else (1, 2, 1, 1)
    expected = F.conv2d(F.pad(x, sides, mode=mode), layer.weight, layer.bias)
    np.testing.assert_array_equal(layer(x).detach().numpy(), expected.detach().numpy())


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"groups": 0}, "groups must be a positive integer"),
        ({"groups": 3}, "in_channels must be divisible by groups"),
        ({"groups": 4}, "out_channels must be divisible by groups"),
        ({"padding": "full"}, "Invalid padding string 'full', should be one of"),
        ({"padding": "same", "stride": 2}, "padding='same' is not supported for strided convolutions"),
        ({"padding_mode": "zero"}, "padding_mode must be one of .* but got padding_mode='zero'"),
    ],
)
def test_arguments_that_do_not_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        nn.Conv2d(4, 6, 3, **arguments)


def test_transposed_convolutions_pad_with_zeros_only():
    with pytest.raises(ValueError, match='Only "zeros" padding mode is supported for ConvTranspose2d'):
        nn.ConvTranspose2d(2, 2, 3, padding_mode="circular")


@pytest.mark.parametrize("size", [(9, 9), (10, 9), (10, 10)])
@pytest.mark.parametrize("before", [(), (1, 4)])
def test_output_size_chooses_among_the_sizes_that_are_possible(size, before):
    layer = nn.ConvTranspose2d(3, 4, 3, stride=2)
    assert layer(torch.ones(1, 3, 4, 4), [*before, *size]).shape == (1, 4, *size)
    assert layer(torch.ones(3, 4, 4), output_size=list(size)).shape == (4, *size)


def test_output_sizes_that_are_impossible():
    layer = nn.ConvTranspose2d(3, 4, 3, stride=2)
    x = torch.ones(1, 3, 4, 4)
    with pytest.raises(
        ValueError,
        match=r"requested an output size of \[8, 9\], but valid sizes range from \[9, 9\] to \[10, 10\]",
    ):
        layer(x, [8, 9])
    with pytest.raises(ValueError, match=r"output_size must have 2 or 4 elements \(got 1\)"):
        layer(x, [9])


def test_subclasses_of_the_common_base_give_all_arguments():
    class Square(nn.modules.conv._ConvNd):
        def __init__(self):
            super().__init__(2, 4, (3, 3), (1, 1), (0, 0), (1, 1), False, (0, 0), 1, True, "zeros")

    assert repr(Square()) == "Square(2, 4, kernel_size=(3, 3), stride=(1, 1))"


def test_files_without_a_padding_mode():
    layer = nn.Conv1d(1, 1, 1)
    state = layer.__getstate__()
    del state["padding_mode"]
    other = nn.Conv1d.__new__(nn.Conv1d)
    other.__setstate__(state)
    assert other.padding_mode == "zeros"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradients_as_functions(n):
    x = torch.randn(2, 4, *[5] * n, requires_grad=True)
    w = torch.randn(6, 2, *[3] * n, requires_grad=True)
    others = {"stride": 2, "padding": 1, "groups": 2}
    y = getattr(F, f"conv{n}d")(x, w, **others)
    g = torch.randn(y.shape)
    expected = torch.autograd.grad(y, (x, w), g)
    found = (
        getattr(nn.grad, f"conv{n}d_input")(x.shape, w, g, **others),
        getattr(nn.grad, f"conv{n}d_weight")(x, w.shape, g, **others),
    )
    for mine, other in zip(found, expected):
        assert not mine.requires_grad
        np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-4, atol=1e-5)
