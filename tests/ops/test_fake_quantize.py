"""Fake quantisation: what its rows do not say; ``native_dropout``, whose draws PyTorch's are."""

import numpy as np
import pytest

import minigrad

torch = pytest.importorskip("torch")
CASES = {
    "numbers": lambda m, x: m.fake_quantize_per_tensor_affine(x, 0.1, 2, -10, 20),
    "tensors": lambda m, x: m.fake_quantize_per_tensor_affine(x, m.tensor([0.1]), m.tensor([2]), -10, 20),
    "channels": lambda m, x: m.fake_quantize_per_channel_affine(
        x, m.tensor([0.1, 0.02]), m.tensor([0, 1], dtype=m.int32), 0, -10, 20
    ),
    "floating zero points": lambda m, x: m.fake_quantize_per_channel_affine(
        x, m.tensor([0.1, 0.3, 0.01]), m.tensor([0.4, 1.7, 30.0]), 1, -10, 20
    ),
}


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients_are_pytorchs_in_the_last_bit(case, dtype):
    values = np.random.default_rng(0).normal(size=(2, 3)).tolist()
    found = []
    for m in (minigrad, torch):
        x = m.tensor(values, dtype=getattr(m, dtype), requires_grad=True)
        z = CASES[case](m, x)
        z.sum().backward()
        found.append((z.tolist(), x.grad.tolist(), z.grad_fn.name(), str(z.dtype)))
    assert found[0] == found[1]


@pytest.mark.parametrize("case", ["numbers", "tensors", "channels"])
def test_gradients_pass_where_nothing_was_clamped(case):
    x = minigrad.tensor([[0.1, 0.2, -9.0], [9.0, 0.05, 0.1]], requires_grad=True)
    (3 * CASES[case](minigrad, x)).sum().backward()
    assert x.grad.tolist() == [[3, 3, 0], [0, 3, 3]]


@pytest.mark.torch
@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.fake_quantize_per_tensor_affine(x, 0.1, 0, 20, -10),
        lambda m, x: m.fake_quantize_per_tensor_affine(x, 0.1, 50, -10, 20),
        lambda m, x: m.fake_quantize_per_tensor_affine(x.int(), 0.1, 0, -10, 20),
        lambda m, x: m.fake_quantize_per_tensor_affine(x, m.tensor([0.1], requires_grad=True), m.tensor([0]), -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(2, dtype=m.int64), 0, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2).double(), m.zeros(2).int(), 0, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(3).int(), 0, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2, 1), m.zeros(2).int(), 0, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(2).int(), 1, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(2).int(), -2, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(2).int(), 5, -10, 20),
        lambda m, x: m.fake_quantize_per_channel_affine(x, m.ones(2), m.zeros(2).int() + 50, 0, -10, 20),
        lambda m, x: m.native_dropout(x, 1.5, True),
        lambda m, x: m.native_dropout(x.int(), 0.5, True),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(call):
    found = []
    for m in (minigrad, torch):
        with pytest.raises(Exception) as error:
            call(m, m.ones(2, 3))
        found.append((type(error.value).__name__, str(error.value).splitlines()[0]))
    assert found[0] == found[1]


@pytest.mark.torch
@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("p", [0.0, 0.4, 1.0])
def test_native_dropout_keeps_what_pytorch_keeps(p, train):
    found = []
    for m in (minigrad, torch):
        m.manual_seed(0)
        x = m.linspace(-1, 2, 40, dtype=m.float64).reshape(5, 8).requires_grad_()
        z, mask = m.native_dropout(x, p, train)
        z.pow(2).sum().backward()
        found.append((z.tolist(), mask.tolist(), x.grad.tolist(), z.grad_fn.name(), mask.requires_grad))
    assert found[0] == found[1]


def test_native_dropout_on_meta_has_shapes_alone():
    z, mask = minigrad.native_dropout(minigrad.ones(2, 3, device="meta"), 0.5, True)
    assert z.device.type == mask.device.type == "meta" and mask.dtype is minigrad.bool


def test_without_a_word_native_dropout_trains():
    x = minigrad.ones(50, requires_grad=True)
    z, mask = minigrad.native_dropout(x, 0.75, None)
    z.sum().backward()
    assert 0 < mask.sum() < 50
    assert z.tolist() == x.grad.tolist() == (4.0 * mask).tolist()
