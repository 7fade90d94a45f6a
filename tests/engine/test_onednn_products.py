"""Products of matrices by oneDNN against those by BLAS."""

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad._arrays import products


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def close(a, b):
    assert a.shape == b.shape and a.dtype == b.dtype
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5 * np.abs(b[np.isfinite(b)]).max(initial=1))


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch):
    monkeypatch.setattr(products, "FEW", 0)
    monkeypatch.setattr(products, "LARGE", 0)


SIZES = [(1, 1, 1), (3, 5, 7), (33, 17, 40), (1, 64, 5), (64, 1, 48), (5, 80, 1)]


@pytest.mark.parametrize("rows, inner, columns", SIZES)
def test_values(both, rows, inner, columns):
    x, y, b = random(rows, inner), random(inner, columns, seed=1), random(columns, seed=2)
    for left in (
        x,
        np.ascontiguousarray(x.T).T,
        np.repeat(x, 2, 0)[::2],
        np.repeat(x, 2, 1)[:, ::2],
        x[:, ::-1],
        np.broadcast_to(x[:1], x.shape),
    ):
        for right in (y, np.ascontiguousarray(y.T).T):
            close(*both(lambda: products.dot(left, right)))
            close(*both(lambda: products.dot_plus(left, right, b)))


@pytest.mark.parametrize("lead", [(4,), (2, 3)])
def test_stacks(both, lead):
    x, y = random(*lead, 6, 8), random(*lead, 8, 5, seed=1)
    for right in (
        y,
        np.ascontiguousarray(y.swapaxes(-1, -2)).swapaxes(-1, -2),
        np.ascontiguousarray(y.swapaxes(0, -2)).swapaxes(0, -2),
    ):
        close(*both(lambda: products.matmul(x, right)))


def test_rows_that_broadcast_are_added_by_numpy(onednn):
    x, y = random(4, 5), random(5, 6, seed=1)
    for b in (random(1), random(1, 6), random(4, 6), random(4, 1)):
        close(products.dot_plus(x, y, b), x @ y + b)
    assert onednn.served == 4  # the products


def test_what_does_not_fit_is_refused_as_ever(onednn):
    with pytest.raises(ValueError):
        products.dot(random(4, 5), random(4, 5))
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        minigrad.tensor(random(4, 5)) @ minigrad.tensor(random(4, 5))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_special_values(both, value):
    x, y, b = random(20, 18), random(18, 33, seed=1), random(33, seed=2)
    for array in (x, y, b):
        kept = array.copy()
        array.reshape(-1)[7] = value
        with np.errstate(invalid="ignore"):
            close(*both(lambda: products.dot_plus(x, y, b)))
        array[...] = kept


def test_empty_and_other_arrays_are_for_blas(onednn):
    assert products.dot(random(0, 5), random(5, 3)).shape == (0, 3)
    assert not products.dot(random(4, 0), random(0, 3)).any()
    assert products.dot(random(4, 5).astype(np.float64), random(5, 3).astype(np.float64)).dtype == np.float64
    assert products.dot(random(4, 5).astype(np.complex64), random(5, 3)).dtype == np.complex64
    assert products.dot(random(4, 5), random(5)).shape == (4,)
    assert onednn.served == 0


@pytest.mark.parametrize("shape", [(6, 5), (2, 3, 5)], ids=str)
@pytest.mark.parametrize("bias", [True, False])
def test_gradients_of_linear(both, shape, bias):
    layer, x = nn.Linear(5, 7, bias=bias), minigrad.tensor(random(*shape), requires_grad=True)
    given = [x, *layer.parameters()]

    def gradients():
        z = layer(x)
        first = minigrad.autograd.grad(z.square().sum(), given, create_graph=True)
        second = minigrad.autograd.grad(sum(g.square().sum() for g in first), given)
        return [t.detach().numpy() for t in (z, *first, *second)]

    for fast, slow in zip(*both(gradients)):
        close(fast, slow)
