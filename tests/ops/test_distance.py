"""Distances at their awkward points: many of them, vectors that are equal, what is refused."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

inf = float("inf")
ORDERS = [0.5, 1.0, 1.7, 2.0, 3.0, inf]


def rand(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape)


def norm(d, p):
    d = np.abs(d)
    return d.max(-1) if p == inf else (d != 0).sum(-1) if p == 0 else (d**p).sum(-1) ** (1 / p)


def test_many_euclidean_distances_are_products_of_matrices():
    x, y = rand(40, 50), rand(50, 50, seed=1)
    a, b = (torch.tensor(v, requires_grad=True) for v in (x, y))
    z = torch.cdist(a, b)
    np.testing.assert_allclose(z.detach().numpy(), norm(x[:, None] - y, 2), rtol=1e-10)
    d = x[:, None] - y
    got = torch.autograd.grad(z.sum(), (a, b))
    np.testing.assert_allclose(got[0].numpy(), (d / norm(d, 2)[..., None]).sum(1), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(got[1].numpy(), -(d / norm(d, 2)[..., None]).sum(0), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0, inf])
@pytest.mark.parametrize("function", [torch.cdist, torch.dist, lambda x, y, p: F.pdist(torch.cat((x, y)), p)])
def test_equal_vectors_are_at_distance_zero_with_gradient_zero_to_any_order(p, function):
    x, y = (torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True) for _ in range(2))
    z = function(x, y, p)
    grads = torch.autograd.grad(z.sum(), (x, y), create_graph=True)
    assert z.sum().item() == 0
    for g in grads:
        assert g.tolist() == [[0, 0]]
        second = torch.autograd.grad(g.sum(), (x, y), retain_graph=True, allow_unused=True)
        assert all(s is None or s.tolist() == [[0, 0]] for s in second)


@pytest.mark.parametrize("p", ORDERS)
def test_dist(p):
    x, y = rand(2, 3), rand(3, seed=1)
    np.testing.assert_allclose(
        torch.dist(torch.tensor(x), torch.tensor(y), p).item(), norm((x - y).ravel(), p)
    )
    check_gradients(lambda x, y: torch.dist(x, y, p), x, y)


def test_pairwise_distance():
    x, y = rand(2, 3), rand(2, 3, seed=1)
    z = F.pairwise_distance(torch.tensor(x), torch.tensor(y), 2.0, 0.25, True)
    np.testing.assert_allclose(z.numpy(), norm(x - y + 0.25, 2)[:, None])
    check_gradients(lambda x, y: F.pairwise_distance(x, y), x, y)
    equal = torch.ones(1, 2, dtype=torch.float64, requires_grad=True)
    g = torch.autograd.grad(F.pairwise_distance(equal, torch.ones(1, 2).double()).sum(), equal)[0]
    np.testing.assert_allclose(g.numpy(), [[0.5**0.5] * 2], rtol=1e-6)


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_cosine_similarity(dim):
    x, y = rand(2, 3), rand(1, 3, seed=1)
    z = F.cosine_similarity(torch.tensor(x), torch.tensor(y), dim)
    wide = np.broadcast_to(y, x.shape)
    expected = (x * wide).sum(dim) / (np.linalg.norm(x, axis=dim) * np.linalg.norm(wide, axis=dim))
    np.testing.assert_allclose(z.numpy(), expected)
    check_gradients(lambda x, y: torch.cosine_similarity(x, y, dim), x, y)


def test_cosine_similarity_with_zero():
    x = torch.zeros(1, 2, dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    z = F.cosine_similarity(x, y)
    gx, gy = torch.autograd.grad(z.sum(), (x, y))
    assert z.item() == 0 and gy.tolist() == [[0, 0]]
    np.testing.assert_allclose(gx.numpy(), [[4.472135955e7, 8.94427191e7]], rtol=1e-8)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda x: torch.cdist(x, x[:, :2]), RuntimeError, "X1 and X2 must have the same number of columns. X1: 3 X2: 2"),
        (lambda x: torch.cdist(x[0], x), RuntimeError, "at least 2D tensors, X1 got: 1D"),
        (lambda x: torch.cdist(x, x.long()), RuntimeError, "floating-point dtypes, X2 got: Long"),
        (lambda x: torch.cdist(x, x, -1), RuntimeError, "non-negative p"),
        (lambda x: torch.cdist(x, x, 2, "x"), ValueError, "x is not a valid value for compute_mode"),
        (lambda x: torch.cdist(torch.ones(2, 2, 3), torch.ones(3, 2, 3)), RuntimeError, "must match the size"),
        (lambda x: torch.cdist(x.half(), x.half()), NotImplementedError, "not implemented for 'Half'"),
        (lambda x: F.pdist(x[0]), RuntimeError, "pdist only supports 2D tensors, got: 1D"),
        (lambda x: torch.dist(x, torch.ones(2)), RuntimeError, "must match the size"),
        (lambda x: torch.dist(x, 1), TypeError, "argument 'other' .position 2. must be Tensor, not int"),
        (lambda x: F.cosine_similarity(x.long(), x.long()), RuntimeError, "expected common dtype to be floating point"),
        (lambda x: F.cosine_similarity(x, x, 5), IndexError, "Dimension out of range"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        call(torch.ones(4, 3))


@pytest.mark.parametrize("shapes", [((0, 3), (2, 3)), ((2, 0), (3, 0)), ((2, 0, 3), (2, 2, 3))], ids=str)
def test_nothing(shapes):
    x, y = (torch.ones(s, requires_grad=True) for s in shapes)
    z = torch.cdist(x, y)
    assert z.shape == (*shapes[0][:-1], shapes[1][-2]) and not z.any()
    z.sum().backward()
    assert x.grad.shape == x.shape


def test_cosine_similarity_saves_its_operands_themselves():
    """What was modified is named as it is, where nothing had to be expanded."""
    x = torch.ones(2, 3, requires_grad=True) * 2
    z = F.cosine_similarity(x, torch.ones(2, 3), 0)
    x.add_(1)
    with pytest.raises(RuntimeError, match="which is output 0 of Add,"):
        z.sum().backward()
