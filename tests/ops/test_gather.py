"""Picking and setting along a dimension: values against NumPy, gradients of two orders with repeated indices, reductions, errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

RNG = np.random.default_rng(0)
X, Y = RNG.uniform(0.2, 1, (3, 4, 5)), RNG.uniform(0.2, 1, (3, 4, 5))
ALONG = RNG.integers(0, 4, (3, 6, 5))
SMALL = RNG.integers(0, 4, (2, 3, 4))
INDEX = torch.tensor([0, 3, 0])
ONCE = torch.tensor([2, 0, 1])


def along(index, dim):
    """The NumPy key of the elements at ``index`` along ``dim``."""
    return tuple(index if d == dim else grid for d, grid in enumerate(np.indices(index.shape, sparse=True)))


@pytest.mark.parametrize(
    "index", [ALONG, SMALL, ALONG[:, :1], ALONG[:0]], ids=["more", "smaller", "one", "none"]
)
def test_gather_and_scatter(index):
    i, key = torch.tensor(index), along(index, 1)
    x = torch.tensor(X)
    np.testing.assert_array_equal(x.gather(1, i).numpy(), X[key])
    np.testing.assert_array_equal(
        x.permute(2, 1, 0).gather(1, i.permute(2, 1, 0)).numpy(), X[key].transpose(2, 1, 0)
    )
    src = RNG.uniform(-1, 1, index.shape)
    added = X.copy()
    np.add.at(added, key, src)
    np.testing.assert_allclose(x.scatter_add(1, i, torch.tensor(src)).numpy(), added)
    check_gradients(lambda x: x.gather(1, i).sin(), X)
    check_gradients(lambda x, y: x.scatter_add(1, i, y).sin(), X, src)
    check_gradients(lambda x: x.scatter(1, i, 2.0).sin(), X)
    check_gradients(lambda x, y: (x * 2).scatter_add_(1, i, y), X, src, order=1)


def test_scatter_of_a_source():
    index = (
        np.stack([np.argsort(RNG.uniform(size=4)) for _ in range(15)])
        .reshape(3, 5, 4)
        .transpose(0, 2, 1)[:2, :, :3]
        .copy()
    )
    i, src = torch.tensor(index), Y[:2, :, :3]
    expected = X.copy()
    expected[along(index, 1)] = src
    np.testing.assert_array_equal(torch.tensor(X).scatter(1, i, torch.tensor(src)).numpy(), expected)
    check_gradients(lambda x, y: x.scatter(1, i, y).sin(), X, src)
    check_gradients(lambda x, y: x.scatter(1, i, y), X, Y)  # a source larger than the index
    check_gradients(lambda x, y: (x * 2).scatter_(1, i, y).sin(), X, src, order=1)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
def test_scatter_reduce(reduce, include_self):
    i = torch.tensor(ALONG)
    src = RNG.uniform(0.2, 1, ALONG.shape)
    expected = X.copy()
    for a, _, c in np.ndindex(3, 1, 5):
        for b in range(4):
            values = src[a, ALONG[a, :, c] == b, c].tolist()
            if values:
                values += [X[a, b, c]] * include_self
                expected[a, b, c] = {
                    "sum": np.sum,
                    "prod": np.prod,
                    "mean": np.mean,
                    "amax": np.max,
                    "amin": np.min,
                }[reduce](values)
    z = torch.tensor(X).scatter_reduce(1, i, torch.tensor(src), reduce, include_self=include_self)
    np.testing.assert_allclose(z.numpy(), expected)
    check_gradients(lambda x, y: x.scatter_reduce(1, i, y, reduce, include_self=include_self).sin(), X, src)
    check_gradients(
        lambda x, y: (x * 2).scatter_reduce_(1, i, y, reduce, include_self=include_self), X, src, order=1
    )


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


def test_take_along_dim():
    i = np.argsort(X, 1)
    np.testing.assert_array_equal(
        torch.take_along_dim(torch.tensor(X), torch.tensor(i), 1).numpy(), np.take_along_axis(X, i, 1)
    )
    np.testing.assert_array_equal(
        torch.take_along_dim(torch.tensor(X), torch.tensor(i)).numpy(), X.reshape(-1)[i.reshape(-1)]
    )
    check_gradients(lambda x: torch.take_along_dim(x, torch.tensor([[[-1], [0]]]), 1).sin(), X)
    check_gradients(lambda x: torch.take_along_dim(x, torch.tensor([3, 3]), None), X)


# Slices ------------------------------------------------------------------------------------------------------------------------------


def test_index_select():
    np.testing.assert_array_equal(torch.tensor(X).index_select(1, INDEX).numpy(), X[:, [0, 3, 0]])
    for dim in (0, 1, -1):
        check_gradients(lambda x: x.index_select(dim, torch.tensor([0, 2, 0])).sin(), X)
    check_gradients(lambda x: x.index_select(0, torch.tensor(0)), np.array(2.0))


def test_index_add():
    expected = X.copy()
    np.add.at(expected, (slice(None), [0, 3, 0]), 2 * Y[:, :3])
    np.testing.assert_allclose(
        torch.tensor(X).index_add(1, INDEX, torch.tensor(Y[:, :3]), alpha=2).numpy(), expected
    )
    check_gradients(lambda x, y: x.index_add(1, INDEX, y, alpha=2).sin(), X, Y[:, :3])
    check_gradients(lambda x, y: (x * 2).index_add_(1, INDEX, y).sin(), X, Y[:, :3], order=1)
    check_gradients(
        lambda x, y: (x * 2).permute(2, 1, 0).index_add_(1, INDEX, y),
        X,
        Y[:, :3].transpose(2, 1, 0).copy(),
        order=1,
    )


def test_index_copy_and_index_fill():
    expected = X.copy()
    expected[:, [2, 0, 1]] = Y[:, :3]
    np.testing.assert_array_equal(
        torch.tensor(X).index_copy(1, ONCE, torch.tensor(Y[:, :3])).numpy(), expected
    )
    check_gradients(lambda x, y: x.index_copy(1, ONCE, y).sin(), X, Y[:, :3])
    check_gradients(lambda x, y: (x * 2).index_copy_(1, ONCE, y), X, Y[:, :3], order=1)
    expected[:, [0, 3]] = 7
    np.testing.assert_array_equal(
        torch.tensor(expected).index_fill(1, torch.tensor([0, -1]), 7).numpy(), expected
    )
    check_gradients(lambda x: x.index_fill(1, INDEX, 7.0).sin(), X)
    check_gradients(lambda x, v: x.index_fill(1, INDEX, v).sin(), X, np.array(0.5))
    check_gradients(lambda x, v: (x * 2).index_fill_(1, INDEX, v), X, np.array(0.5), order=1)


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin"])
def test_index_reduce(reduce, include_self):
    src = torch.tensor(Y[:, :3])
    whole = INDEX[None, :, None].expand(3, 3, 5)
    z = torch.tensor(X).index_reduce(1, INDEX, src, reduce, include_self=include_self)
    assert torch.equal(z, torch.tensor(X).scatter_reduce(1, whole, src, reduce, include_self=include_self))
    check_gradients(
        lambda x, y: x.index_reduce(1, INDEX, y, reduce, include_self=include_self).sin(), X, Y[:, :3]
    )
    check_gradients(
        lambda x, y: (x * 2).index_reduce_(1, INDEX, y, reduce, include_self=include_self),
        X,
        Y[:, :3],
        order=1,
    )


# A part replaced ---------------------------------------------------------------------------------------------------------------------


def test_parts_replaced():
    check_gradients(lambda x, y: torch.select_scatter(x, y, 1, -1).sin(), X, Y[:, 0])
    check_gradients(lambda x, y: torch.slice_scatter(x, y, 2, 1, 5, 2).sin(), X, Y[..., :2])
    check_gradients(lambda x, y: torch.diagonal_scatter(x, y, 1, 0, 2).sin(), X, Y[0, :, :3])
    check_gradients(lambda x, y: torch.as_strided_scatter(x, y, (2, 2), (5, 1), 3).sin(), X, Y[0, :2, :2])
    z = torch.select_scatter(torch.tensor(X), torch.tensor(Y[:, 0]), 1, -1)
    np.testing.assert_array_equal(z[:, -1].numpy(), Y[:, 0])
    np.testing.assert_array_equal(z[:, :-1].numpy(), X[:, :-1])


# Dtypes, repeated indices, memory ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.int32, torch.complex64, torch.bool])
def test_dtypes_are_kept(dtype):
    x = torch.tensor([1, 0, 1]).to(dtype)
    i = torch.tensor([0, 0, 2])
    assert (
        x.index_select(0, i).dtype
        is x.gather(0, i).dtype
        is x.index_add(0, i, x).dtype
        is x.scatter_add(0, i, x).dtype
        is dtype
    )
    assert x.scatter_add(0, i, x).tolist() == ([True, False, True] if dtype is torch.bool else [2, 0, 2])


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


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.data())
def test_scatter_add_is_the_adjoint_of_gather(shape, data):
    dim = data.draw(st.integers(0, len(shape) - 1))
    sizes = [data.draw(st.integers(0, n if d != dim else 7)) for d, n in enumerate(shape)]
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    index = torch.tensor(rng.integers(0, shape[dim], sizes))
    x, y = torch.tensor(rng.uniform(-1, 1, shape)), torch.tensor(rng.uniform(-1, 1, sizes))
    one = (x.gather(dim, index) * y).sum()
    other = (x * torch.zeros(shape, dtype=torch.float64).scatter_add(dim, index, y)).sum()
    np.testing.assert_allclose(one.item(), other.item(), rtol=1e-12, atol=1e-12)


# Errors, recorded from PyTorch -----------------------------------------------------------------------------------------------------

A = torch.zeros(2, 3, 4)


def zeros(*size):
    return torch.zeros(*size, dtype=torch.int64)


ERRORS = [
    (lambda: A.gather(0, zeros(3, 4)), RuntimeError, "Index tensor must have the same number of dimensions as input tensor"),
    (
        lambda: A.gather(0, zeros(3, 4, 4)), RuntimeError,
        "Size does not match at dimension 1 expected index [3, 4, 4] to be no larger than self [2, 3, 4] apart from dimension 0",
    ),
    (lambda: A.gather(0, zeros(1, 3, 4) + 2), RuntimeError, "index 2 is out of bounds for dimension 0 with size 2"),
    (lambda: A.gather(0, zeros(1, 3, 4) - 1), RuntimeError, "index -1 is out of bounds for dimension 0 with size 2"),
    (lambda: A.gather(0, torch.zeros(1, 3, 4)), RuntimeError, "gather(): Expected dtype int32/int64 for index"),
    (
        lambda: A.scatter(0, zeros(3, 3, 4), A), RuntimeError,
        "Expected index [3, 3, 4] to be no larger than self [2, 3, 4] apart from dimension 0 and to be no larger size than src [2, 3, 4]",
    ),
    (lambda: A.scatter(0, zeros(1, 3, 4), A.double()), RuntimeError, "scatter(): Expected self.dtype to be equal to src.dtype"),
    (lambda: A.index_select(0, torch.tensor([2])), IndexError, "index out of range in self"),
    (lambda: A.index_select(0, zeros(1, 1)), IndexError, "index_select(): Index is supposed to be a vector"),
    (
        lambda: A.index_add(0, torch.tensor([0]), A), RuntimeError,
        "index_add_(): Number of indices (1) should be equal to source.size(dim): (2), for dim: 0",
    ),
    (
        lambda: A.index_add(0, torch.tensor([0, 1]), A.double()), RuntimeError,
        "index_add_(): self (Float) and source (Double) must have the same scalar type",
    ),
    (
        lambda: A.index_copy(0, torch.tensor([0]), torch.zeros(1, 3, 5)), RuntimeError,
        "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: 3 4 at dimension 0 and source "
        "slice shape: 3 5 at dimension 0.",
    ),
    (lambda: A.index_fill(0, torch.tensor([2]), 1.0), IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
    (
        lambda: torch.select_scatter(A, A, 0, 0), RuntimeError,
        "expected src to have a size equal to the slice of self. src size = [2, 3, 4], slice size = [3, 4]",
    ),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, message", ERRORS)
def test_errors_are_pytorchs(call, kind, message):
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == message
