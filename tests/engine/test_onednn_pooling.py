"""Largest elements of windows by oneDNN against those by NumPy: the very values and places."""

import itertools

import numpy as np
import pytest

import minigrad
import minigrad.nn.functional as F
from minigrad._arrays.kernels import pooling


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def same(pairs):
    for fast, slow in zip(*pairs):
        assert fast.dtype == slow.dtype
        np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("kernel, stride, padding, dilation, ceil_mode", [
    (2, 2, 0, 1, False), (3, 2, 1, 1, False), (2, 1, 0, 2, False), (3, 2, 1, 1, True), (2, 3, 0, 1, True), (3, 1, 1, 2, False), (5, 2, 2, 1, True),
])  # fmt: skip
@pytest.mark.parametrize("lead", [(2, 3), (2, 17), (4,)])
def test_values_and_places(both, axes, kernel, stride, padding, dilation, ceil_mode, lead):
    x = random(*lead, *(11, 9, 8)[:axes])
    rest = [(n,) * axes for n in (kernel, stride, padding, dilation)]
    same(both(lambda: pooling.max_pool(x, *rest, ceil_mode)))


def test_of_equal_elements_the_first(both):
    x = np.random.default_rng(0).integers(0, 3, (3, 5, 12, 12)).astype(np.float32)
    for kernel, stride in itertools.product((2, 3), (1, 2)):
        same(both(lambda: pooling.max_pool(x, (kernel,) * 2, (stride,) * 2, (1, 1), (1, 1), False)))


def test_more_places_than_a_byte_counts(both):
    x = random(2, 3, 40, 40)
    same(both(lambda: pooling.max_pool(x, (17, 17), (7, 7), (0, 0), (1, 1), False)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, np.finfo(np.float32).min, -0.0])
@pytest.mark.parametrize("padding", [0, 1])
def test_special_values(onednn, value, padding):
    from minigrad import backends

    x = random(2, 3, 8, 8)
    x[0, 1, 2:6, 2:6] = value
    x[1, 2, 0, 0] = value
    x[1, 0] = -np.inf
    rest = (2, 2), (2, 2), (padding, padding), (1, 1), False
    fast = pooling.max_pool(x, *rest)
    with backends.mkldnn.flags(enabled=False):
        slow = pooling.max_pool(x, *rest)
    same((fast, slow))


def test_empty_and_other_arrays_are_for_numpy(onednn):
    rest = (2, 2), (2, 2), (0, 0), (1, 1), False
    assert pooling.max_pool(random(0, 3, 4, 4), *rest)[0].shape == (0, 3, 2, 2)
    assert pooling.max_pool(random(1, 3, 4, 4).astype(np.float64), *rest)[0].dtype == np.float64
    assert onednn.served == 0


def test_layouts(both):
    x = random(2, 3, 6, 8)
    rest = (2, 2), (2, 2), (0, 0), (1, 1), False
    for like in (
        x[..., ::-1],
        x.transpose(0, 1, 3, 2),
        np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
    ):
        pair = both(lambda: pooling.max_pool(like, *rest))
        same(pair)
        assert [a.strides for a in pair[0]] == [a.strides for a in pair[1]]


def test_gradients(both):
    x = minigrad.tensor(random(2, 3, 9, 9), requires_grad=True)

    def gradients():
        z, places = F.max_pool2d(x, 3, 2, 1, return_indices=True)
        first = minigrad.autograd.grad(z.square().sum(), x, create_graph=True)[0]
        second = minigrad.autograd.grad(first.square().sum(), x)[0]
        return [t.detach().numpy() for t in (z, places, first, second)]

    same(both(gradients))


@pytest.mark.parametrize("kernel, stride, padding", [(2, 2, 0), (3, 2, 1), (17, 5, 3)])
def test_values_without_places(both, kernel, stride, padding):
    x, rest = random(2, 3, 40, 40), [(n, n) for n in (kernel, stride, padding, 1)]
    fast, slow = both(lambda: pooling.max_pool(x, *rest, False, False))
    assert fast[1] is slow[1] is None
    same((fast[:1], slow[:1]))
