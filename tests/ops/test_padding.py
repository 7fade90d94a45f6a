"""Borders around images and blocks of images at their awkward points: negative widths, layouts, names, what is refused."""

import math

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

F = torch.nn.functional
rng = np.random.default_rng(0)
NUMPY = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@pytest.mark.parametrize("mode", list(NUMPY))
@pytest.mark.parametrize("widths", [(-1, -2), (-1, 2), (2, -1)])
def test_negative_widths_cut_off(mode, widths):
    x = rng.normal(size=(1, 2, 5))
    whole = np.pad(x, [(0, 0), (0, 0), tuple(max(w, 0) for w in widths)], NUMPY[mode])
    if mode == "circular":  # what is left over wraps around
        cut = x[..., max(-widths[0], 0) : 5 - max(-widths[1], 0)]
        whole = np.pad(cut, [(0, 0), (0, 0), tuple(max(w, 0) for w in widths)], "wrap")
    else:
        whole = whole[..., max(-widths[0], 0) : whole.shape[-1] - max(-widths[1], 0)]
    np.testing.assert_array_equal(F.pad(torch.tensor(x), widths, mode).numpy(), whole)
    check_gradients(lambda x: F.pad(x * x, widths, mode), x)


def test_values_of_the_border():
    assert torch.constant_pad_nd(torch.ones(2, dtype=torch.int64), (1, 1), 7).tolist() == [7, 1, 1, 7]
    assert F.pad(torch.ones(1, dtype=torch.bool), (1, 0), value=True).tolist() == [True, True]
    assert F.pad(torch.ones(2, 2), (0, 0, 1, 0)).tolist() == [[0, 0], [1, 1], [1, 1]]
    x = torch.ones(2)
    assert F.pad(x, (0, 0)).data_ptr() != x.data_ptr()


def test_channels_last():
    x = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
    for mode in ("constant", "reflect", "replicate"):
        assert F.pad(x, (1, 1, 1, 1), mode).stride() == (300, 1, 30, 3)
    assert F.pad(x, (1, 1, 1, 1), "circular").stride() == (300, 100, 10, 1)


def test_names():
    x = torch.randn(1, 2, 4, requires_grad=True)
    names = {mode: F.pad(x, (1, 1), mode).grad_fn.name() for mode in NUMPY}
    assert names["constant"] == "ConstantPadNdBackward0"
    assert names["reflect"] == "ReflectionPad1DBackward0"
    assert names["replicate"] == "ReplicationPad1DBackward0"
    assert F.pad(x, (-1, 1)).grad_fn._saved_pad == (2**64 - 1, 1)


def test_blocks_are_copies():
    x = torch.ones(1, 2, 3, 3)
    F.unfold(x, 1).zero_()
    assert x.sum() == 18


IMAGE, COLUMNS = torch.zeros(2, 3, 8, 8), torch.zeros(2, 12, 49)
REFUSED = [
    (lambda: F.pad(IMAGE, [1]), RuntimeError, "Padding length must be divisible by 2"),
    (
        lambda: F.pad(IMAGE, [20, 1, 1, 1], "reflect"),
        RuntimeError,
        "Argument #4: Padding size should be less than the corresponding",
    ),
    (lambda: F.pad(IMAGE, [1, 1], "reflect"), NotImplementedError, "Padding size 2 is not supported for 4D input tensor."),
    (lambda: F.pad(IMAGE, [9, 1, 1, 1], "circular"), RuntimeError, "wrapping around more than once"),
    (lambda: F.pad(IMAGE, [1, 1], "foo"), NotImplementedError, "Unrecognised padding mode foo"),
    (lambda: F.pad(IMAGE, [1, 1], "reflect", 1.0), RuntimeError, 'Padding mode "reflect" doesn\'t take in value argument'),
    (lambda: F.pad(IMAGE.bool(), [1] * 4, "replicate"), NotImplementedError, "\"replication_pad2d\" not implemented for 'Bool'"),
    (lambda: F.pad(IMAGE, (1, 1.5)), TypeError, "failed to unpack the object at pos 2"),
    (lambda: F.unfold(IMAGE, 20), RuntimeError, "calculated shape of the array of sliding blocks as (-11, -11)"),
    (lambda: F.unfold(IMAGE, 2, stride=0), RuntimeError, "stride should be greater than zero, but got stride_height: 0"),
    (lambda: F.fold(COLUMNS[:, :11], (8, 8), 2), RuntimeError, "divisible by the product of kernel_size, but got input.size(1)=11"),
    (lambda: F.fold(COLUMNS[:, :, :9], (8, 8), 2), RuntimeError, "number of sliding blocks 7 * 7 = 49, but got input.size(2)=9."),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, words", REFUSED)
def test_refused(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)


def test_empty_batch():
    x = torch.zeros(0, 2, 3, requires_grad=True)
    z = F.pad(x, (1, 1), "reflect")
    assert z.shape == (0, 2, 5)
    z.sum().backward()
    assert x.grad.shape == (0, 2, 3) and math.prod(x.grad.shape) == 0
