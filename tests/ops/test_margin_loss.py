"""Losses of margins, of counts and of distributions: values, gradients of two orders, kinks, errors."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

REDUCTIONS = {"none": lambda v: v, "mean": np.mean, "sum": np.sum}


def rand(*shape, seed=0, low=-2.0, high=2.0):
    return np.random.default_rng([seed, *shape]).uniform(low, high, shape)


def signs(*shape, seed=5):
    return np.random.default_rng([seed, *shape]).choice([-1.0, 1.0], shape)


def cosine(x, y):
    return (x * y).sum(-1) / np.sqrt(((x * x).sum(-1) + 1e-12) * ((y * y).sum(-1) + 1e-12))


def distance(x, y):
    return np.linalg.norm(x - y + 1e-6, axis=-1)


POISSON_TARGET = np.array([[0.0, 1.0, 2.0], [3.0, 0.5, 7.0]])
STIRLING = np.where(
    POISSON_TARGET > 1,
    POISSON_TARGET * np.log(np.maximum(POISSON_TARGET, 1))
    - POISSON_TARGET
    + 0.5 * np.log(2 * np.pi * np.maximum(POISSON_TARGET, 1)),
    0,
)
VAR = rand(2, 3, seed=3, low=0.5)
Y, D, T = signs(2, 3), signs(2), torch.tensor
CASES = {
    "soft_margin": (lambda x, **k: F.soft_margin_loss(x, T(Y), **k), lambda x: np.log1p(np.exp(-x * Y)), 1),
    "hinge_embedding": (
        lambda x, **k: F.hinge_embedding_loss(x, T(Y), 0.7, **k),
        lambda x: np.where(Y == 1, x, np.maximum(0.7 - x, 0)),
        1,
    ),
    "margin_ranking": (
        lambda x, y, **k: F.margin_ranking_loss(x, y, T(Y), 0.4, **k),
        lambda x, y: np.maximum(-Y * (x - y) + 0.4, 0),
        2,
    ),
    "cosine_embedding": (
        lambda x, y, **k: F.cosine_embedding_loss(x, y, T(D), -0.9, **k),
        lambda x, y: np.where(D == 1, 1 - cosine(x, y), np.maximum(cosine(x, y) + 0.9, 0)),
        2,
    ),
    "triplet_margin": (
        lambda x, y, w, **k: F.triplet_margin_loss(x, y, w, 3.0, **k),
        lambda x, y, w: np.maximum(distance(x, y) - distance(x, w) + 3, 0),
        3,
    ),
    "triplet_margin swapped": (
        lambda x, y, w, **k: F.triplet_margin_loss(x, y, w, 3.0, swap=True, **k),
        lambda x, y, w: np.maximum(distance(x, y) - np.minimum(distance(x, w), distance(y, w)) + 3, 0),
        3,
    ),
    "triplet_margin_with_distance": (
        lambda x, y, w, **k: F.triplet_margin_with_distance_loss(
            x, y, w, distance_function=lambda a, b: ((a - b) ** 2).sum(-1), margin=9.0, **k
        ),
        lambda x, y, w: np.maximum(((x - y) ** 2).sum(-1) - ((x - w) ** 2).sum(-1) + 9, 0),
        3,
    ),
    "poisson_nll": (
        lambda x, **k: F.poisson_nll_loss(x, T(POISSON_TARGET), full=True, **k),
        lambda x: np.exp(x) - POISSON_TARGET * x + STIRLING,
        1,
    ),
    "poisson_nll of rates": (
        lambda x, **k: F.poisson_nll_loss(x + 3, T(POISSON_TARGET), False, **k),
        lambda x: x + 3 - POISSON_TARGET * np.log(x + 3 + 1e-8),
        1,
    ),
    "gaussian_nll": (
        lambda x, y, **k: F.gaussian_nll_loss(x, y, T(VAR), full=True, **k),
        lambda x, y: 0.5 * (np.log(VAR) + (x - y) ** 2 / VAR + math.log(2 * math.pi)),
        2,
    ),
    "multilabel_soft_margin": (
        lambda x, **k: F.multilabel_soft_margin_loss(x, T((Y + 1) / 2), **k),
        lambda x: np.log1p(np.exp(-x * Y)).mean(-1),
        1,
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_values_and_gradients(name, reduction):
    function, reference, count = CASES[name]
    operands = [rand(2, 3, seed=i) for i in range(count)]
    ours = function(*map(torch.tensor, operands), reduction=reduction)
    np.testing.assert_allclose(ours.numpy(), REDUCTIONS[reduction](reference(*operands)), rtol=1e-9)
    check_gradients(lambda *xs: function(*xs, reduction=reduction), *operands)


def multi_margin(x, target, p, margin, w):
    over = np.maximum(margin - x[np.arange(len(x)), target][:, None] + x, 0) ** p
    over[np.arange(len(x)), target] = 0
    return over.sum(1) / x.shape[1] * w[target]


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_multi_margin(p, reduction):
    x, target, w = rand(4, 3), np.array([0, 2, 1, 2]), rand(3, seed=1)
    ours = F.multi_margin_loss(T(x), T(target), p, 0.8, T(w), reduction=reduction)
    np.testing.assert_allclose(ours.numpy(), REDUCTIONS[reduction](multi_margin(x, target, p, 0.8, w)))
    check_gradients(lambda x: F.multi_margin_loss(x, T(target), p, 0.8, T(w), reduction=reduction), x)
    check_gradients(lambda x: F.multi_margin_loss(x, T(1), p), x[0])


def multilabel_margin(x, target):
    losses = []
    for row, labels in zip(x, target):
        labels = labels[: list(labels).index(-1)] if -1 in labels else labels
        others = [c for c in range(len(row)) if c not in labels]
        losses.append(sum(max(0, 1 - row[t] + row[c]) for t in labels for c in others) / len(row))
    return np.array(losses)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_multilabel_margin(reduction):
    x = rand(4, 4)
    target = np.array([[0, 2, -1, 1], [3, -1, 0, 0], [-1, 1, 2, 3], [1, 1, 0, 2]])
    ours = F.multilabel_margin_loss(T(x), T(target), reduction=reduction)
    np.testing.assert_allclose(ours.numpy(), REDUCTIONS[reduction](multilabel_margin(x, target)))
    check_gradients(lambda x: F.multilabel_margin_loss(x, T(target), reduction=reduction), x)
    check_gradients(lambda x: F.multilabel_margin_loss(x, T(target[0])), x[0])


def slope(loss, *leaves):
    return [g.tolist() for g in torch.autograd.grad(loss, leaves)]


def test_kinks_take_the_active_side():
    x = torch.zeros(1, requires_grad=True)
    assert slope(F.hinge_embedding_loss(x + 1, -torch.ones(1)), x) == [[-1.0]]
    assert slope(F.margin_ranking_loss(x, torch.zeros(1), torch.ones(1)), x) == [[-1.0]]


def test_a_variance_of_zero_is_raised_and_keeps_its_gradient():
    x, var = torch.zeros(1), torch.zeros(1, requires_grad=True)
    loss = F.gaussian_nll_loss(x, x, var)
    assert loss.item() == pytest.approx(-6.9078, abs=1e-4)
    assert slope(loss, var)[0][0] == pytest.approx(5e5)
    assert var.item() == 0


def test_soft_margin_loss_of_large_scores_is_finite():
    x = torch.tensor([-1000.0, 1000.0], requires_grad=True)
    loss = F.soft_margin_loss(x, torch.ones(2), reduction="none")
    assert loss.tolist() == [1000, 0] and slope(loss.sum(), x) == [[-1, 0]]


def test_functions_at_the_root_do_not_reduce_unless_told():
    x = torch.ones(2, 3)
    assert torch.hinge_embedding_loss(x, x).shape == (2, 3)
    assert torch.margin_ranking_loss(x, x, x).shape == (2, 3)
    assert torch.cosine_embedding_loss(x, x, torch.ones(2)).shape == (2,)
    assert torch.triplet_margin_loss(x, x, x, reduction=1).shape == ()


def test_linear_cross_entropy():
    x, w, b, target = rand(4, 3), rand(5, 3, seed=1), rand(5, seed=2), T([0, 4, 2, 2])

    def function(x, w, b):
        return F.linear_cross_entropy(x, w, target, linear_bias=b, ignore_index=4)

    expected = F.cross_entropy(F.linear(T(x), T(w), T(b)), target, ignore_index=4)
    assert function(T(x), T(w), T(b)).item() == pytest.approx(expected.item())
    check_gradients(function, x, w, b)
    several = F.linear_cross_entropy(T(x), T(rand(5, 2, 3)), torch.zeros(4, 2, dtype=torch.int64))
    scores = np.einsum("ne,cke->nck", x, rand(5, 2, 3))
    assert several.item() == pytest.approx(
        F.cross_entropy(T(scores), torch.zeros(4, 2, dtype=torch.int64)).item()
    )


X = torch.ones(4, 5)
CLASSES = torch.tensor([1, 2, 0, 1])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: F.multi_margin_loss(X, CLASSES[:3]), RuntimeError, r"Expected target size \[4\], but got \[3\]"),
        (lambda: F.multi_margin_loss(X, CLASSES + 4), RuntimeError, "target out of range"),
        (lambda: F.multi_margin_loss(X, CLASSES.float()), RuntimeError, "expected scalar type Long but found Float"),
        (lambda: F.multi_margin_loss(X, CLASSES, 3), ValueError, "only p == 1 and p == 2 supported"),
        (lambda: F.multi_margin_loss(X.half(), CLASSES), NotImplementedError, "not implemented for 'Half'"),
        (lambda: F.multilabel_margin_loss(X, CLASSES), RuntimeError, r"inconsistent target size: \[4\]"),
        (lambda: F.multilabel_margin_loss(X, X.long() + 9), RuntimeError, "is out of range"),
        (lambda: F.soft_margin_loss(X, torch.ones(3)), RuntimeError, "must match the size"),
        (lambda: F.soft_margin_loss(X, X.clone().requires_grad_()), RuntimeError, "not differentiable with respect to argument 'target'"),
        (lambda: F.margin_ranking_loss(X, X, X[0]), RuntimeError, "should have same dimension"),
        (lambda: F.cosine_embedding_loss(X, X, X), RuntimeError, "multi-target not supported"),
        (lambda: F.cosine_embedding_loss(X, X, torch.tensor(1)), RuntimeError, "0D target tensor expects 1D input"),
        (lambda: F.triplet_margin_loss(X, X, X, margin=0), ValueError, "margin must be greater than 0, got 0"),
        (lambda: F.triplet_margin_loss(X, X[0], X), RuntimeError, "same number of dimensions"),
        (lambda: F.gaussian_nll_loss(X, X, -X), ValueError, "negative entry"),
        (lambda: F.gaussian_nll_loss(X, X, X[0, :3]), ValueError, "incorrect size"),
        (lambda: F.poisson_nll_loss(X, X, reduction="x"), ValueError, "x is not a valid value for reduction"),
        (lambda: F.linear_cross_entropy(X, X[:, :3], CLASSES), RuntimeError, "got 5 and 3, respectively"),
        (lambda: F.nll_loss(X, CLASSES, torch.ones(5, requires_grad=True)), RuntimeError, "argument 'weight'"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
