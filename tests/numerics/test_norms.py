"""Norms and distances at zero, where they have no derivative."""

from math import nan, sqrt

import pytest

import minigrad
from tests.numerics.table import checks_of, row

ROWS = [
    *[row(f"linalg.vector_norm(x, {p})", 0, x=[0.0, 0], dx=[0, 0]) for p in (2, 1, 3, "inf")],
    row("linalg.vector_norm(x, inf)", 1, x=[1.0, -1, 0], dx=[0.5, -0.5, 0]),
    row("linalg.vector_norm(x, -inf)", 1, x=[1.0, -1, 2], dx=[0.5, -0.5, 0]),
    row("linalg.vector_norm(x, 0.5)", 4, x=[0.0, 4], dx=[0, 1]),
    row("linalg.vector_norm(x, 0)", 1, x=[0.0, 4]),
    row("x.pow(2).sum().sqrt()", 0, x=[0.0, 0], dx=[nan, nan]),
    row("F.normalize(x, dim=0)", [0, 0], x=[0.0, 0], dx=[1e12, 1e12]),
    row("F.cosine_similarity(x, y, dim=0)", 0, x=[0.0, 0], y=[1.0, 2],
        dx=[1e8 / sqrt(5), 2e8 / sqrt(5)], dy=[0, 0]),
    row("F.pairwise_distance(x, y)", 1e-6 * sqrt(2), x=[1.0, 2], y=[1.0, 2],
        dx=[sqrt(0.5), sqrt(0.5)], dy=[-sqrt(0.5), -sqrt(0.5)]),
    row("torch.cdist(x, y)", [[0]], x=[[1.0, 2]], y=[[1.0, 2]], dx=[[0, 0]], dy=[[0, 0]]),
    row("torch.dist(x, y)", 0, x=[1.0, 2], y=[1.0, 2], dx=[0, 0], dy=[0, 0]),
    row("linalg.matrix_norm(x, 'nuc')", 0, x=[[0.0, 0], [0, 0]], dx=[[1, 0], [0, 1]]),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)


def gradient_of_the_count(torch):
    x = torch.tensor([0.0, 4], requires_grad=True)
    return torch.autograd.grad(torch.linalg.vector_norm(x, 0), x, allow_unused=True)


def test_the_count_of_what_is_not_zero_has_no_gradient():
    assert gradient_of_the_count(minigrad) == (None,)


@pytest.mark.torch
def test_the_count_has_no_gradient_in_torch():
    assert gradient_of_the_count(pytest.importorskip("torch")) == (None,)
