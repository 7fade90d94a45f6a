"""Linear algebra: derivatives at the corners: singular matrices, equal values, phases, what has none."""

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad import linalg
from tests.numeric import check_gradients

SHIFT = 2 * np.eye(3)


def normal(*shape, seed=0, complex=False):
    rng = np.random.default_rng((seed, *shape))
    x = rng.normal(size=shape)
    return x + 1j * rng.normal(size=shape) if complex else x


SQUARE, STACK, TALL, WIDE = (3, 3), (2, 3, 3), (4, 2), (2, 4)


def operand(shape, complex, seed=1):
    x = normal(*shape, seed=seed, complex=complex)
    return x + SHIFT if shape[-2:] == SQUARE else x


@pytest.mark.parametrize("driver", ["gels", "gelsd", "gelss"])
def test_least_squares_with_residuals(driver):
    for complex in (False, True):
        for b in ((4, 3), (4,)):
            check_gradients(
                lambda a, b: linalg.lstsq(a, b, driver=driver)[:2],
                normal(*TALL, complex=complex),
                normal(*b, complex=complex),
            )
        check_gradients(
            lambda a, b: linalg.lstsq(a, b, driver=driver)[0],
            normal(*WIDE, complex=complex),
            normal(2, 3, complex=complex),
        )


# The determinant of singular matrices ------------------------------------------------------------------------------------

SINGULAR = {
    "rank 2": np.array([[1.0, 2, 3], [2, 4, 6], [1, 1, 1]]), "rank 1": np.outer([1.0, 2, 3], [1, 1, 2]),
    "zero": np.zeros((3, 3)), "zero 2x2": np.zeros((2, 2)), "zero 1x1": np.zeros((1, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("complex", [False, True], ids=["real", "complex"])
def test_det_of_singular_matrices_to_third_order(name, complex):
    x = SINGULAR[name] * (1 + 0.5j if complex else 1)
    check_gradients(linalg.det, x, order=3, eps=1e-4, atol=1e-5)


def test_det_of_singular_and_regular_matrices_in_one_stack():
    check_gradients(linalg.det, np.stack([operand(SQUARE, False), *list(SINGULAR.values())[:3]]), eps=1e-5)


def test_det_of_a_singular_matrix_has_its_cofactors_as_gradient_in_all_modes():
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0]], requires_grad=True)
    for create_graph in (False, True):
        (g,) = torch.autograd.grad(linalg.det(x), x, create_graph=create_graph)
        np.testing.assert_allclose(g.detach().numpy(), [[4, -2], [-2, 1]], atol=1e-5)


# Corners -------------------------------------------------------------------------------------------------------------------


def gradient(function, x):
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(function(x).sum(), x)
    return g.numpy()


def test_cholesky_reads_one_triangle_and_has_a_symmetric_gradient():
    x = [[2.0, 9.0], [1.0, 2.0]]
    z = linalg.cholesky(torch.tensor(x, dtype=torch.float64)).numpy()
    np.testing.assert_allclose(z @ z.T, [[2, 1], [1, 2]])
    g = gradient(linalg.cholesky, x)
    np.testing.assert_allclose(g, g.T, rtol=1e-12)


def test_equal_values_have_a_gradient_and_their_vectors_none():
    one = np.eye(3)
    np.testing.assert_allclose(gradient(linalg.eigvalsh, one), one)
    np.testing.assert_allclose(gradient(linalg.svdvals, one), one)
    with np.errstate(all="ignore"):
        assert np.isnan(gradient(lambda x: linalg.eigh(x)[1], one)).any()
        assert np.isnan(gradient(lambda x: linalg.svd(x)[0], one)).any()


def test_nuclear_norm_of_zero():
    np.testing.assert_array_equal(
        np.abs(gradient(lambda x: linalg.matrix_norm(x, "nuc"), np.zeros((2, 2)))), np.eye(2)
    )


def test_slogdet_of_a_singular_matrix():
    x = torch.tensor([[1.0, 2.0], [2.0, 4.0]], requires_grad=True)
    z = linalg.slogdet(x).logabsdet
    assert z.item() == -math.inf
    z.backward()
    assert not torch.isfinite(x.grad).any()


@pytest.mark.parametrize("ord", [2, 1, 3, math.inf])
def test_vector_norm_at_zero(ord):
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(linalg.vector_norm(x, ord), x, create_graph=True)
    assert not g.detach().numpy().any()
    if g.requires_grad:
        (h,) = torch.autograd.grad(g.sum(), x)
        assert not h.numpy().any()


@pytest.mark.parametrize("name", ["eigh", "eig", "svd"])
def test_losses_that_depend_on_a_phase_are_refused(name):
    x = torch.tensor(normal(3, 3, complex=True))
    x = (x + x.mH).requires_grad_()
    with pytest.raises(RuntimeError, match="ill-defined"):
        getattr(linalg, name)(x)[-1].real.sum().backward()


def test_what_has_no_derivative_says_so():
    x = torch.tensor(normal(4, 2), requires_grad=True)
    with pytest.raises(RuntimeError, match="not differentiable when mode='complete' and nrows > ncols"):
        linalg.qr(x, "complete")[0].sum().backward()
    with pytest.raises(RuntimeError, match="not computed when mode='r'"):
        linalg.qr(x, "r")[1].sum().backward()
    with pytest.raises(NotImplementedError, match="'geqrf' is not implemented"):
        torch.geqrf(x)[0].sum().backward()
    with pytest.raises(RuntimeError, match="linalg_ldl_factor_ex is not implemented"):
        linalg.ldl_factor(x.T @ x)[0].sum().backward()
    assert not linalg.matrix_rank(x).requires_grad
