"""Gathering and scattering at their awkward points: ties and zeros in reductions, repeated indices, large arrays, memory."""

import numpy as np
import pytest

import minigrad as torch
from tests.numeric import check_gradients

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 1, (3, 4, 5))
ALONG = RNG.integers(0, 4, (3, 6, 5))


def test_ties_and_zeros_in_reductions():
    x = torch.tensor([5.0, 1.0], requires_grad=True)
    src = torch.tensor([5.0, 5.0, 1.0], requires_grad=True)
    i = torch.tensor([0, 0, 1])
    x.scatter_reduce(0, i, src, "amax").sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [1 / 3, 1 / 2], rtol=1e-6)
    np.testing.assert_allclose(src.grad.numpy(), [1 / 3, 1 / 3, 1 / 2], rtol=1e-6)
    src.grad = None
    x.scatter_reduce(0, i, src, "amax", include_self=False).sum().backward()
    np.testing.assert_allclose(src.grad.numpy(), [1 / 2, 1 / 2, 1], rtol=1e-6)
    two, zero = torch.tensor([2.0], requires_grad=True), torch.tensor([0.0, 3.0], requires_grad=True)
    z = two.scatter_reduce(0, torch.tensor([0, 0]), zero, "prod")
    z.sum().backward()
    assert z.tolist() == [0] and two.grad.tolist() == [0] and zero.grad.tolist() == [6, 0]
    zeros = np.array([0.0, 0.0, 3.0])
    check_gradients(
        lambda x, y: x.scatter_reduce(0, torch.tensor([0, 0, 0]), y, "prod"), np.array([2.0]), zeros
    )


def test_old_reductions_of_scatter():
    x, i = torch.tensor([2.0, 3.0]), torch.tensor([1])
    assert x.scatter(0, i, 5.0, reduce="add").tolist() == [2, 8]
    assert x.scatter(0, i, 5.0, reduce="multiply").tolist() == [2, 15]
    with pytest.warns(
        UserWarning, match="The reduce argument of torch.scatter with Tensor src is deprecated"
    ):
        assert x.scatter_(0, i, torch.tensor([5.0]), reduce="add") is x
    assert x.tolist() == [2, 8]


# Dtypes, repeated indices, memory ------------------------------------------------------------------------------------------------------


def test_repeated_indices_sum_their_gradients():
    x = torch.ones(2, requires_grad=True)
    i = torch.tensor([0, 0, 1])
    for pick in (lambda: x.gather(0, i), lambda: x.index_select(0, i), lambda: x[i], lambda: x.take(i)):
        x.grad = None
        pick().sum().backward()
        assert x.grad.tolist() == [2, 1]


def test_a_large_gather_is_exact():
    rng = np.random.default_rng(2)
    index = rng.integers(0, 50, (400, 30))
    x, g = (
        rng.integers(-3, 4, (400, 50)).astype(np.float32),
        rng.integers(-3, 4, (400, 30)).astype(np.float32),
    )
    leaf = torch.tensor(x, requires_grad=True)
    z = leaf.gather(1, torch.tensor(index))
    np.testing.assert_array_equal(z.detach().numpy(), np.take_along_axis(x, index, 1))
    (found,) = torch.autograd.grad(z, leaf, torch.tensor(g))
    expected = np.zeros_like(x)
    np.add.at(expected, (np.arange(400)[:, None], index), g)
    np.testing.assert_array_equal(found.numpy(), expected)


def test_nothing_is_kept_of_a_tensor_whose_values_the_gradient_does_not_need():
    x = torch.tensor(X, requires_grad=True) * 1
    z = (
        x.gather(1, torch.tensor(ALONG)).sum()
        + x.index_select(0, torch.tensor([0])).sum()
        + x.take(torch.tensor([0])).sum()
    )
    x.mul_(2)  # PyTorch refuses the backward pass of these three
    z.backward()


# Errors, recorded from PyTorch -----------------------------------------------------------------------------------------------------


def zeros(*size):
    return torch.zeros(*size, dtype=torch.int64)
