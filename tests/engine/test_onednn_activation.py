"""``gelu`` by oneDNN against that by NumPy."""

import numpy as np
import pytest

import minigrad
import minigrad.nn.functional as F
from minigrad import backends
from minigrad._arrays.kernels import activation


def random(*shape, seed=0):
    return 3 * np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def close(a, b):
    assert a.shape == b.shape and a.dtype == b.dtype and a.strides == b.strides
    np.testing.assert_allclose(a, b, rtol=1e-5, atol=3e-6)


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch):
    monkeypatch.setattr(activation, "_MANY", 0)


@pytest.mark.parametrize("shape", [(1,), (17,), (3, 40, 7), ()], ids=str)
def test_values_and_gradients(both, shape):
    x, g = np.array(random(*shape)), np.array(random(*shape, seed=1))
    close(*both(lambda: activation.gelu(x, "none")))
    close(*both(lambda: activation.gelu_backward(g, x, "none")))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -3e38, 1e-40, -0.0, 40, -40])
def test_special_values(onednn, value):
    x, g = random(40), random(40, seed=1)
    x[3] = value
    with np.errstate(all="ignore"):
        found = activation.gelu(x, "none"), activation.gelu_backward(g, x, "none")
        with backends.mkldnn.flags(enabled=False):
            expected = activation.gelu(x, "none"), activation.gelu_backward(g, x, "none")
    assert onednn.served == 2
    for a, b in zip(found, expected):
        close(a, b)


def test_arrays_that_are_for_numpy(onednn):
    x = random(4, 5)
    for other in (x.T, x[:, ::2], x.astype(np.float64), x.astype(np.float16), x[:0]):
        activation.gelu(other, "none")
        activation.gelu_backward(other, other, "none")
    activation.gelu(x, "tanh")  # of which oneDNN's gradient is rough where it is small
    activation.gelu_backward(np.broadcast_to(x[:1], x.shape), x, "none")
    assert onednn.served == 0


def test_second_gradients(both):
    x = minigrad.tensor(random(5, 6), requires_grad=True)

    def gradients():
        first = minigrad.autograd.grad(F.gelu(x).square().sum(), x, create_graph=True)[0]
        return first.detach().numpy(), minigrad.autograd.grad(first.square().sum(), x)[0].numpy()

    for fast, slow in zip(*both(gradients)):
        np.testing.assert_allclose(fast, slow, rtol=1e-4, atol=1e-4)
