"""Linear algebra of singular matrices and of equal eigenvalues."""

from math import inf, nan

import numpy as np
import pytest

import minigrad
from tests.numerics.table import MODES, checks_of, row

I, ZERO, SINGULAR = [[1.0, 0], [0, 1]], [[0.0, 0], [0, 0]], [[1.0, 2], [2, 4]]

ROWS = [
    row("linalg.det(x)", 0, x=ZERO, dx=ZERO),
    row("linalg.slogdet(x)[1]", -inf, x=SINGULAR),
    row("linalg.inv(x)", x=SINGULAR, raises=(RuntimeError, r"The diagonal element 2 is zero")),
    row("linalg.cholesky(x)", x=[[1.0, 2], [2, 1]], raises=(RuntimeError, r"the leading minor of order 2 is not")),
    row("linalg.cholesky(x)", [[2**0.5, 0], [0.5**0.5, 1.5**0.5]], x=[[2.0, 9], [1, 2]]),
    row("linalg.eigvalsh(x)", [1, 1], x=I, dx=I),
    row("linalg.svdvals(x)", [1, 1], x=I, dx=I),
    row("linalg.eigh(x)[1]", x=I, dx=[[nan, nan], [nan, nan]]),
    row("linalg.svd(x)[0]", x=I, dx=[[nan, nan], [nan, nan]]),
]  # fmt: skip

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)


def gradient_of_cholesky(torch):
    x = torch.tensor([[2.0, 9], [1, 2]], dtype=torch.float64, requires_grad=True)
    return torch.autograd.grad(torch.linalg.cholesky(x).sum(), x)[0].numpy()


def test_the_gradient_of_cholesky_is_symmetric():
    grad = gradient_of_cholesky(minigrad)
    np.testing.assert_allclose(grad, grad.T)
    assert grad[0, 1] != 0


@pytest.mark.torch
def test_the_gradient_of_cholesky_is_pytorch_s():
    theirs = gradient_of_cholesky(pytest.importorskip("torch"))
    np.testing.assert_allclose(gradient_of_cholesky(minigrad), theirs)


@pytest.mark.parametrize("mode", MODES)
def test_the_gradient_of_slogdet_of_a_singular_matrix_is_not_finite(mode):
    x = minigrad.tensor(SINGULAR, requires_grad=True)
    grad = MODES[mode](minigrad, lambda x: (minigrad.linalg.slogdet(x)[1],), [x], None, False)[0]
    assert not minigrad.isfinite(grad).all()


@pytest.mark.parametrize("call, matrix", [("inv", SINGULAR), ("cholesky", [[1.0, 2], [2, 1]])])
def test_a_refusal_is_a_linalg_error(call, matrix):
    with pytest.raises(minigrad.linalg.LinAlgError):
        getattr(minigrad.linalg, call)(minigrad.tensor(matrix))
