"""Linear algebra: first and second derivatives against central differences, real and complex, and at the corners."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad import linalg
from tests.numeric import check_gradients

SHIFT = 2 * np.eye(3)


def normal(*shape, seed=0, complex=False):
    rng = np.random.default_rng((seed, *shape))
    x = rng.normal(size=shape)
    return x + 1j * rng.normal(size=shape) if complex else x


def positive(x):
    return x @ x.mH


SQUARE, STACK, TALL, WIDE = (3, 3), (2, 3, 3), (4, 2), (2, 4)

#: name -> (function of one tensor, the shapes to try; square ones are moved away from singular ones)
ONE = {
    "inv": (linalg.inv, [SQUARE, STACK]),
    "cholesky": (lambda x: linalg.cholesky(positive(x)), [SQUARE, STACK]),
    "cholesky_upper": (lambda x: linalg.cholesky(positive(x), upper=True), [SQUARE]),
    "cholesky_inverse": (lambda x: torch.cholesky_inverse(linalg.cholesky(positive(x))), [SQUARE]),
    "cholesky_inverse_upper": (
        lambda x: torch.cholesky_inverse(linalg.cholesky(positive(x), upper=True), upper=True),
        [SQUARE],
    ),
    "det": (linalg.det, [SQUARE, STACK]),
    "slogdet": (linalg.slogdet, [SQUARE, STACK]),
    "logdet": (lambda x: torch.logdet(positive(x)), [SQUARE]),
    "matrix_exp": (lambda x: torch.matrix_exp(x / 2), [SQUARE, STACK]),
    "matrix_power": (lambda x: linalg.matrix_power(x, -3), [SQUARE]),
    "pinv": (linalg.pinv, [TALL, WIDE, SQUARE]),
    "lu": (lambda x: linalg.lu(x)[1:], [SQUARE, STACK, TALL, WIDE]),
    "lu_factor": (lambda x: linalg.lu_factor(x)[0], [SQUARE, TALL, WIDE]),
    "qr": (linalg.qr, [SQUARE, TALL, WIDE]),
    "qr_complete": (lambda x: linalg.qr(x, "complete"), [SQUARE, WIDE]),
    "eigh": (lambda x: (linalg.eigh(x + x.mH)[0], linalg.eigh(x + x.mH)[1].abs() ** 2), [SQUARE]),
    "eigvalsh": (lambda x: linalg.eigvalsh(x + x.mH), [SQUARE, STACK]),
    "eig": (lambda x: (linalg.eig(x)[0], linalg.eig(x)[1].abs() ** 2), [SQUARE]),
    "eigvals": (linalg.eigvals, [SQUARE]),
    "svd": (lambda x: phaseless(*linalg.svd(x, False)), [SQUARE, TALL, WIDE]),
    "svdvals": (linalg.svdvals, [SQUARE, TALL, WIDE]),
    "tensorinv": (lambda x: linalg.tensorinv(x.reshape(3, 1, 3), 1), [SQUARE]),
    "cov": (torch.cov, [TALL]),
    "corrcoef": (torch.corrcoef, [WIDE]),
    "vander": (linalg.vander, [(3,), (2, 3)]),
}


def phaseless(u, s, vh):
    """What does not depend on the phases of the singular vectors."""
    return u.abs() ** 2, s, vh.abs() ** 2, (u * s[..., None, :]) @ vh


def operand(shape, complex, seed=1):
    x = normal(*shape, seed=seed, complex=complex)
    return x + SHIFT if shape[-2:] == SQUARE else x


@pytest.mark.parametrize("complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_matrix(name, complex):
    function, shapes = ONE[name]
    for shape in shapes:
        check_gradients(function, operand(shape, complex))


@pytest.mark.parametrize("complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("left", [True, False])
def test_systems(left, complex):
    a = operand(STACK, complex)
    b = normal(3, 2, complex=complex) if left else normal(4, 3, complex=complex)
    check_gradients(lambda a, b: linalg.solve(a, b, left=left), a, b)
    for upper in (True, False):
        for unit in (True, False):
            check_gradients(
                lambda a, b: linalg.solve_triangular(a, b, upper=upper, left=left, unitriangular=unit), a, b
            )
    for adjoint in (True, False):
        check_gradients(
            lambda a, b: linalg.lu_solve(*linalg.lu_factor(a), b, left=left, adjoint=adjoint), a, b
        )
    if left:
        check_gradients(linalg.solve, a, normal(2, 3, complex=complex))  # vectors
        check_gradients(linalg.solve, a[0], normal(3, complex=complex))
        check_gradients(lambda a, b: torch.cholesky_solve(b, linalg.cholesky(positive(a))), a, b)


@pytest.mark.filterwarnings("ignore:torch.triangular_solve is deprecated")
@pytest.mark.parametrize("transpose", [True, False])
def test_triangular_solve(transpose):
    for complex in (False, True):
        check_gradients(
            lambda b, a: torch.triangular_solve(b, a, transpose=transpose),
            normal(3, 2, complex=complex),
            operand(SQUARE, complex),
        )


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


@pytest.mark.parametrize("complex", [False, True], ids=["real", "complex"])
def test_reflections(complex):
    for a, tau in (((4, 2), (2,)), ((4, 3), (2,)), ((2, 3, 2), (2, 2))):
        check_gradients(
            linalg.householder_product, normal(*a, complex=complex), normal(*tau, complex=complex)
        )
    for left in (True, False):
        for transpose in (True, False):
            check_gradients(
                lambda a, t, c: torch.ormqr(a, t, c, left=left, transpose=transpose),
                normal(4, 2, complex=complex),
                normal(2, complex=complex),
                normal(*((4, 3) if left else (3, 4)), complex=complex),
            )


@pytest.mark.parametrize("complex", [False, True], ids=["real", "complex"])
def test_products_and_norms(complex):
    x = normal(2, 3, complex=complex)
    check_gradients(linalg.cross, x, normal(1, 3, complex=complex))
    check_gradients(linalg.vecdot, x, normal(3, complex=complex))
    check_gradients(
        lambda *xs: linalg.multi_dot(xs), normal(4, 2, complex=complex), x, normal(3, complex=complex)
    )
    for ord in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        check_gradients(lambda x: linalg.matrix_norm(x, ord), x)
    for p in (None, "fro", "nuc", 1, -2):
        check_gradients(lambda x: linalg.cond(x, p), operand(SQUARE, complex))


# The determinant of singular matrices ------------------------------------------------------------------------------------

SINGULAR = {
    "rank 2": np.array([[1.0, 2, 3], [2, 4, 6], [1, 1, 1]]),
    "rank 1": np.outer([1.0, 2, 3], [1, 1, 2]),
    "zero": np.zeros((3, 3)),
    "zero 2x2": np.zeros((2, 2)),
    "zero 1x1": np.zeros((1, 1)),
}


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


# Empty matrices, any batch ---------------------------------------------------------------------------------------------------

BATCHES = st.lists(st.integers(0, 2), max_size=2).map(tuple)
LENGTHS = st.integers(0, 3)


@settings(max_examples=40, deadline=None)
@given(batch=BATCHES, n=LENGTHS, k=LENGTHS, complex=st.booleans())
def test_systems_of_any_size(batch, n, k, complex):
    a = normal(*batch, n, n, seed=n, complex=complex) + 3 * np.eye(n)
    b = normal(*batch, n, k, seed=k, complex=complex)
    check_gradients(linalg.solve, a, b)
    check_gradients(linalg.det, a)
    check_gradients(linalg.inv, a)
    x = linalg.solve(torch.tensor(a), torch.tensor(b)).numpy()
    np.testing.assert_allclose(a @ x, b, atol=1e-10)


@settings(max_examples=40, deadline=None)
@given(batch=BATCHES, m=LENGTHS, n=LENGTHS, complex=st.booleans())
def test_factors_of_any_size(batch, m, n, complex):
    a = normal(*batch, m, n, seed=m, complex=complex)
    check_gradients(linalg.svdvals, a, order=1)
    check_gradients(linalg.qr, a, order=1)
    check_gradients(lambda x: linalg.lu(x)[1:], a, order=1)
    check_gradients(linalg.pinv, a, order=1)
