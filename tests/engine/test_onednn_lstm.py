"""Layers of long short-term memory by oneDNN against those by NumPy."""

import copy

import numpy as np
import pytest

import minigrad
from minigrad import backends, nn
from minigrad._arrays.kernels import recurrent

ALL = (True,) * 7


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def operands(steps, n, features, size, bias=True):
    biases = [random(4 * size, seed=4), random(4 * size, seed=5)] if bias else [None, None]
    weights = [random(4 * size, features, seed=2), random(4 * size, size, seed=3)]
    return [
        random(steps, n, features),
        *[w / 4 for w in weights],
        *biases,
        random(n, size, seed=6),
        random(n, size, seed=7),
    ]


def close(a, b):
    assert (a is None) == (b is None)
    if a is not None:
        scale = np.abs(b[np.isfinite(b)]).max(initial=1)
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5 * scale)


SIZES = [(1, 1, 1, 1), (5, 3, 4, 6), (7, 2, 17, 16), (4, 20, 3, 33)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_values_and_gradients(both, sizes, bias, reverse):
    given = operands(*sizes, bias)
    fast, slow = both(lambda: recurrent.lstm(*given, reverse))
    for a, b in zip(fast[:3], slow[:3]):
        assert a.shape == b.shape and a.dtype == b.dtype
        close(a, b)
    x, w_ih, w_hh, _, _, h, c = given
    g, gh, gc = random(*fast[0].shape, seed=8), random(*h.shape, seed=9), random(*h.shape, seed=10)
    for slopes in ((g, gh, gc), (g, None, None), (None, gh, None), (None, None, gc)):
        expected = recurrent.lstm_backward(*slopes, ALL, x, w_ih, w_hh, h, c, slow[0], *slow[3:], reverse)
        found, again = both(
            lambda: recurrent.lstm_backward(*slopes, ALL, x, w_ih, w_hh, h, c, fast[0], *fast[3:], reverse)
        )
        for a, b, e in zip(found, again, expected):  # by oneDNN; by NumPy from what oneDNN kept; all by NumPy
            assert a.shape == e.shape
            close(a, e)
            close(b, e)
    needs = (True, False, True, False, True, False, True)
    found = recurrent.lstm_backward(g, None, None, needs, x, w_ih, w_hh, h, c, fast[0], *fast[3:], reverse)
    assert [v is not None for v in found] == list(needs)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", range(7))
def test_special_values(both, value, place):
    given = operands(4, 3, 5, 6)
    given[place].reshape(-1)[7 % given[place].size] = value
    with np.errstate(all="ignore"):
        for a, b in zip(*(found[:3] for found in both(lambda: recurrent.lstm(*given, False)))):
            close(a, b)


@pytest.mark.parametrize(
    "options", [{}, {"bidirectional": True}, {"num_layers": 2, "bias": False}, {"batch_first": True}], ids=str
)
def test_modules(both, options):
    net = nn.LSTM(5, 8, **options)
    x = minigrad.randn(3, 4, 5)

    def step():
        own, given = copy.deepcopy(net), x.clone().requires_grad_()
        z, (h, c) = own(given)
        (z.square().sum() + h.sum() + (c * c).sum()).backward()
        return [z, h, c, given.grad, *[p.grad for p in own.parameters()]]

    for a, b in zip(*both(step)):
        close(a.detach().numpy(), b.detach().numpy())


def test_second_gradients(both):
    given = [minigrad.tensor(a, requires_grad=True) for a in operands(3, 2, 4, 5)]

    def gradients():
        z, h, c = minigrad.lstm(
            given[0], (given[5][None], given[6][None]), given[1:5], True, 1, 0.0, True, False, False
        )
        first = minigrad.autograd.grad(z.square().sum() + h.sum() + c.sum(), given, create_graph=True)
        return minigrad.autograd.grad(sum(g.square().sum() for g in first), given)

    for a, b in zip(*both(gradients)):
        close(a.numpy(), b.numpy())


def test_switched_off_between_forward_and_backward(onednn):
    net = nn.LSTM(5, 8)
    x = minigrad.randn(3, 4, 5)
    net(x)[0].sum().backward()
    expected = [p.grad.clone() for p in net.parameters()]
    assert onednn.served == 2
    net.zero_grad()
    z = net(x)[0].sum()
    with backends.mkldnn.flags(enabled=False):
        z.backward()
    for p, g in zip(net.parameters(), expected):
        close(p.grad.numpy(), g.numpy())


def test_empty_and_other_arrays_are_for_numpy(onednn):
    for given in (
        operands(3, 0, 3, 4),
        [a.astype(np.float64) for a in operands(3, 2, 3, 4)],
    ):
        assert recurrent.lstm(*given, False)[0].shape == (*given[0].shape[:2], 4)
    assert onednn.served == 0
