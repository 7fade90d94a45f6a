"""Losses of margins, of counts and of distributions at their awkward points: kinks, variances of zero, what is refused."""

import numpy as np
import pytest

import minigrad as torch
from minigrad.nn import functional as F
from tests.numeric import check_gradients

T = torch.tensor


def rand(*shape, seed=0, low=-2.0, high=2.0):
    return np.random.default_rng([seed, *shape]).uniform(low, high, shape)


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
