"""Where PyTorch contradicts itself: here every way of taking a derivative gives the same, and the limit.

Each row is of a point at which PyTorch's reverse mode, forward mode and second derivatives disagree, or are nan
or missing in one of the modes; ``docs/differences.md`` lists them.
"""

from math import pi, sqrt

import numpy as np
import pytest

import minigrad
from tests.numerics import table
from tests.numerics.table import elementwise, row

SINGULAR, ZERO = [[1.0, 2], [2, 4]], [[0.0, 0], [0, 0]]
RANK_1 = [[1.0, 2, 3], [2, 4, 6], [3, 6, 9]]
RANK_2 = [[1.0, 2, 3], [2, 4, 6], [0, 0, 1]]
NONE_3, NONE_4 = np.zeros((3, 3)), np.zeros((4, 4))

FIRST = [
    elementwise("torch.fmax(x, y)", [1], x=[1.0], y=[1.0], dx=[1], dy=[0]),
    elementwise("torch.fmin(x, y)", [1], x=[1.0], y=[1.0], dx=[1], dy=[0]),
    elementwise("torch.atan2(x, y)", [0], x=[0.0], y=[0.0], dx=[0], dy=[0]),
    elementwise("torch.xlogy(x, y.detach())", [0], x=[0.0], y=[0.0], dx=[0]),
    row("linalg.det(x)", x=SINGULAR, dx=[[4, -2], [-2, 1]]),
    row("torch.det(x)", x=RANK_2, dx=[[4, -2, 0], [-2, 1, 0], [0, 0, 0]]),
    row("torch.cdist(x, y)", [[0]], x=[[1.0, 2]], y=[[1.0, 2]], dx=[[0, 0]], dy=[[0, 0]]),
    row("torch.cdist(x, y)", [[5]], x=[[0.0, 0]], y=[[3.0, 4]], dx=[[-0.6, -0.8]], dy=[[0.6, 0.8]]),
    elementwise("torch.copysign(x, y)", [-0.0], x=[0.0], y=[-1.0], dx=[0], dy=[0]),
    row("torch.dist(x, y)", 0, x=[1.0, 2], y=[1.0, 2], dx=[0, 0], dy=[0, 0]),
    row("F.normalize(x, dim=0)", [0, 0], x=[0.0, 0], dx=[1e12, 1e12]),
    row("F.cosine_similarity(x, y, dim=0)", 0, x=[0.0, 0], y=[1.0, 2],
        dx=[1e8 / sqrt(5), 2e8 / sqrt(5)], dy=[0, 0]),
]  # fmt: skip


def minors(matrix):
    """The Hessian of the determinant: for elements of two rows and columns, a signed determinant of the rest."""
    n = len(matrix)
    hessian = np.zeros((n, n, n, n))
    for i, j, k, m in np.ndindex(hessian.shape):
        if i != k and j != m:
            rest = np.delete(np.delete(np.array(matrix), (i, k), 0), (j, m), 1)
            sign = (-1) ** (i + j + k + m) * (-1) ** ((k > i) + (m > j))
            hessian[i, j, k, m] = sign * (np.linalg.det(rest) if rest.size else 1)
    return hessian.reshape(n * n, n * n)


# A row's value is the Hessian of its sum.
AGREED = [
    row("x.prod()", [[0, 0, 0, 0], [0, 0, 0, 6], [0, 0, 0, 0], [0, 6, 0, 0]], x=[2.0, 0, 3, 0]),
    row("torch.fmax(x, y)", np.zeros((2, 2)), x=[1.0], y=[1.0]),
    *[row(f"linalg.vector_norm(x, {p})", np.zeros((2, 2)), x=[0.0, 0]) for p in (1, "inf")],
]
SMOOTH = [
    *[row("linalg.det(x)", minors(matrix), x=matrix) for matrix in (SINGULAR, ZERO, RANK_1, RANK_2)],
    row("x.cumprod(0)", [[0, 16, 0, 0], [16, 0, 10, 6], [0, 10, 0, 0], [0, 6, 0, 0]], x=[2.0, 0, 3, 4]),
    row("x.cumprod(0)", [[0, 4, 0, 0], [4, 0, 2, 6], [0, 2, 0, 0], [0, 6, 0, 0]], x=[2.0, 0, 3, 0]),
    row("x.sinc()", [[-(pi**2) / 3]], x=[0.0]),
    row("F.normalize(x, dim=0)", np.zeros((2, 2)), x=[0.0, 0]),
]
KINKS = [
    *[row(f"linalg.vector_norm(x, {p})", np.zeros((2, 2)), x=[0.0, 0]) for p in (2, 3)],
    row("x.norm()", np.zeros((2, 2)), x=[0.0, 0]),
    row("x.std()", NONE_3, x=[2.0, 2, 2]),
    row("x.std(correction=0)", NONE_3, x=[2.0, 2, 2]),
    row("torch.copysign(x, y)", np.zeros((2, 2)), x=[0.0], y=[-1.0]),
    row("torch.atan2(x, y)", np.zeros((2, 2)), x=[0.0], y=[0.0]),
    row("torch.dist(x, y)", NONE_4, x=[1.0, 2], y=[1.0, 2]),
    row("torch.cdist(x, y)", NONE_4, x=[[1.0, 2]], y=[[1.0, 2]]),
    row("F.pdist(x)", NONE_4, x=[[1.0, 2], [1, 2]]),
    row("F.cosine_similarity(x, y, dim=0)",
        np.block([[np.zeros((2, 2)), np.array([[4, -2], [-2, 1]]) * 1e8 / sqrt(125)],
                  [np.array([[4, -2], [-2, 1]]) * 1e8 / sqrt(125), np.zeros((2, 2))]]),
        x=[0.0, 0], y=[1.0, 2]),
]  # fmt: skip


def need(torch, mode, modes):
    if mode not in modes and not table.has_transforms(torch):
        pytest.skip("there is no forward mode and no vmap")


@pytest.mark.parametrize("mode", table.ALL_MODES)
@pytest.mark.parametrize("a_row", FIRST, ids=repr)
def test_first_derivatives_agree(a_row, mode):
    need(minigrad, mode, table.MODES)
    function, operands = table.function_of(minigrad, a_row), table.operands_of(minigrad, a_row, "float64")
    grads = table.ALL_MODES[mode](minigrad, function, operands, None, a_row.elementwise)
    for name, grad in zip(a_row.operands, grads):
        if name in a_row.grads:
            np.testing.assert_allclose(grad.numpy(), a_row.grads[name], rtol=1e-9, atol=1e-12, err_msg=name)


def hessian(torch, a_row, mode):
    way = {**table.HESSIANS, **table.HESSIANS_BY_TRANSFORMS}[mode]
    return way(torch, table.function_of(torch, a_row), table.operands_of(torch, a_row, "float64"))


@pytest.mark.parametrize("mode", [*table.HESSIANS, *table.HESSIANS_BY_TRANSFORMS])
@pytest.mark.parametrize("a_row", AGREED + SMOOTH + KINKS, ids=repr)
def test_second_derivatives_agree(a_row, mode):
    need(minigrad, mode, table.HESSIANS)
    np.testing.assert_allclose(hessian(minigrad, a_row, mode), a_row.value, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("a_row", SMOOTH, ids=repr)
def test_second_derivatives_are_the_limit(a_row):
    function, operands = table.function_of(minigrad, a_row), table.operands_of(minigrad, a_row, "float64")
    step = 1e-13 if "normalize" in a_row.code else 1e-6  # x / max(|x|, 1e-12) is linear that close to 0 only
    found = table.differences_of_gradients(minigrad, function, operands, step)
    np.testing.assert_allclose(found, a_row.value, rtol=1e-6, atol=1e-6)


# PyTorch ------------------------------------------------------------------------------------------------------


def moved(a_row):
    """The row's function near by, where nothing is peculiar."""
    values = {name: np.array(value) for name, value in a_row.operands.items()}
    near = {
        name: value + 0.1 * np.cos(np.arange(value.size)).reshape(value.shape) + 0.3 * (name == "y")
        for name, value in values.items()
    }
    return row(a_row.code, elementwise=a_row.elementwise, **near)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("mode", table.ALL_MODES)
@pytest.mark.parametrize("a_row", FIRST, ids=repr)
def test_the_ways_are_right_where_torch_agrees_with_itself(a_row, mode):
    torch = pytest.importorskip("torch")
    if "cdist" in a_row.code and "forward" in mode:
        pytest.skip("PyTorch has no forward mode of cdist")
    near = moved(a_row)
    function, operands = table.function_of(torch, near), table.operands_of(torch, near, "float64")
    grads = table.ALL_MODES[mode](torch, function, operands, None, near.elementwise)
    expected = table.reverse(
        minigrad,
        table.function_of(minigrad, near),
        table.operands_of(minigrad, near, "float64"),
        None,
        near.elementwise,
    )
    for grad, wanted in zip(grads, expected):
        found = 0 if grad is None else grad.numpy(force=True)
        np.testing.assert_allclose(found, 0 if wanted is None else wanted.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("a_row", SMOOTH + KINKS, ids=repr)
def test_torch_still_contradicts_itself(a_row):
    torch = pytest.importorskip("torch")

    def agrees(mode):
        try:
            return np.allclose(hessian(torch, a_row, mode), a_row.value, rtol=1e-6, atol=1e-6)
        except (NotImplementedError, RuntimeError):
            return False

    assert not all(agrees(mode) for mode in (*table.HESSIANS, *table.HESSIANS_BY_TRANSFORMS))
