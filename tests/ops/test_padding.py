"""Borders around images and blocks of images, against NumPy and loops; gradients to second order."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

F = torch.nn.functional
rng = np.random.default_rng(0)
NUMPY = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@st.composite
def borders(draw):
    """An image, a border of its last axes, and the mode."""
    mode = draw(st.sampled_from(list(NUMPY)))
    n = draw(st.integers(1, 3))
    space = [draw(st.integers(2, 4)) for _ in range(n)]
    most = {"reflect": -1, "circular": 0}.get(mode, 2)
    widths = [(draw(st.integers(0, m + most)), draw(st.integers(0, m + most))) for m in space]
    lead = draw(st.sampled_from([(2,), (1, 2)]))
    x = np.random.default_rng(draw(st.integers(0, 99))).normal(size=(*lead, *space))
    return x, widths, mode


def flat(widths):
    """The widths in PyTorch's order: the last axis first."""
    return [width for pair in reversed(widths) for width in pair]


@settings(max_examples=80, deadline=None)
@given(borders())
def test_values(case):
    x, widths, mode = case
    z = F.pad(torch.tensor(x), flat(widths), mode)
    lead = [(0, 0)] * (x.ndim - len(widths))
    np.testing.assert_array_equal(z.numpy(), np.pad(x, [*lead, *widths], NUMPY[mode]))


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
    assert (
        names["reflect"] == "ReflectionPad1DBackward0" and names["replicate"] == "ReplicationPad1DBackward0"
    )
    assert F.pad(x, (-1, 1)).grad_fn._saved_pad == (2**64 - 1, 1)


@st.composite
def blocks(draw):
    """An image and the numbers of its blocks."""
    numbers = {
        name: (draw(st.integers(1, 2)), draw(st.integers(1, 3)))
        for name in ("kernel_size", "dilation", "stride")
    }
    numbers["padding"] = draw(st.integers(0, 1)), draw(st.integers(0, 2))
    space = [
        d * (k - 1) + 1 + draw(st.integers(0, 3)) for k, d in zip(numbers["kernel_size"], numbers["dilation"])
    ]
    lead = draw(st.sampled_from([(2,), (2, 2)]))
    return np.random.default_rng(draw(st.integers(0, 99))).normal(size=(*lead, *space)), numbers


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_blocks(case):
    x, numbers = case
    z = F.unfold(torch.tensor(x), **numbers).numpy()
    (k, m), (d, e), (s, t), (p, q) = (
        numbers[name] for name in ("kernel_size", "dilation", "stride", "padding")
    )
    wide = np.pad(x, [*[(0, 0)] * (x.ndim - 2), (p, p), (q, q)])
    rows = range(0, wide.shape[-2] - d * (k - 1), s)
    columns = range(0, wide.shape[-1] - e * (m - 1), t)
    expected = [
        wide[..., i : i + d * (k - 1) + 1 : d, j : j + e * (m - 1) + 1 : e] for i in rows for j in columns
    ]
    expected = np.stack([block.reshape(*x.shape[:-3], -1) for block in expected], -1)
    np.testing.assert_array_equal(z, expected)
    g = np.random.default_rng(1).normal(size=z.shape)
    back = F.fold(torch.tensor(g), x.shape[-2:], **numbers).numpy()
    np.testing.assert_allclose((back * x).sum(), (g * z).sum(), rtol=1e-9, atol=1e-9)


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
    (
        lambda: F.pad(IMAGE, [1, 1], "reflect"),
        NotImplementedError,
        "Padding size 2 is not supported for 4D input tensor.",
    ),
    (lambda: F.pad(IMAGE, [9, 1, 1, 1], "circular"), RuntimeError, "wrapping around more than once"),
    (lambda: F.pad(IMAGE, [1, 1], "foo"), NotImplementedError, "Unrecognised padding mode foo"),
    (
        lambda: F.pad(IMAGE, [1, 1], "reflect", 1.0),
        RuntimeError,
        'Padding mode "reflect" doesn\'t take in value argument',
    ),
    (
        lambda: F.pad(IMAGE.bool(), [1] * 4, "replicate"),
        NotImplementedError,
        "\"replication_pad2d\" not implemented for 'Bool'",
    ),
    (lambda: F.pad(IMAGE, (1, 1.5)), TypeError, "failed to unpack the object at pos 2"),
    (
        lambda: F.unfold(IMAGE, 20),
        RuntimeError,
        "calculated shape of the array of sliding blocks as (-11, -11)",
    ),
    (
        lambda: F.unfold(IMAGE, 2, stride=0),
        RuntimeError,
        "stride should be greater than zero, but got stride_height: 0",
    ),
    (
        lambda: F.fold(COLUMNS[:, :11], (8, 8), 2),
        RuntimeError,
        "divisible by the product of kernel_size, but got input.size(1)=11",
    ),
    (
        lambda: F.fold(COLUMNS[:, :, :9], (8, 8), 2),
        RuntimeError,
        "number of sliding blocks 7 * 7 = 49, but got input.size(2)=9.",
    ),
]


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
