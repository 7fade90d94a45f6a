"""Large matrices: LAPACK itself against ``np.linalg`` and against what its factors say, in memory as LAPACK leaves it, with the same bits on any number of threads."""

import numpy as np
import pytest

import minigrad
from minigrad._arrays import lapack
from minigrad._arrays.kernels import linalg as kernels
from minigrad._base import openblas, pool

SHAPES = [(5, 5), (70, 70), (9, 4), (4, 9), (80, 66)]
TOLERANCE = {"f": 3e-4, "F": 3e-4, "d": 1e-10, "D": 1e-10}

pytestmark = pytest.mark.skipif(
    openblas.function("scipy_sgetrf_64_") is None, reason="NumPy's BLAS has no LAPACK that ctypes finds"
)


@pytest.fixture(autouse=True)
def small_matrices_are_large(monkeypatch):
    monkeypatch.setattr(lapack, "_LEAST", 2)


def drawn(shape, char, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape) + (1j * rng.normal(size=shape) if char in "FD" else 0)
    return x.astype(char)


def same(a, b, char, times=1):
    assert a.shape == b.shape and a.dtype.char in char + char.lower()
    assert np.abs(a - b).max() <= TOLERANCE[char] * times * np.abs(b).max()


def ones(x):
    return np.broadcast_to(np.eye(x.shape[-1]), (*x.shape[:-2], x.shape[-1], x.shape[-1]))


@pytest.mark.parametrize("batch", [(), (2, 1, 2)], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("char", "fdFD")
def test_factors_of_any_matrix(char, shape, batch):
    x = drawn((*batch, *shape), char)
    factors, pivots, info = kernels.lu(x)
    lower, upper = kernels.unpack(factors)
    same(kernels.permutation_matrix(pivots, shape[0], x) @ lower @ upper, x, char)
    assert pivots.dtype == info.dtype == np.int32 and not info.any() and info.shape == batch
    for mode in ("reduced", "complete"):
        q, r = lapack.qr(x, mode)
        same(q @ r, x, char)
        same(r, np.linalg.qr(x, mode)[1], char)
        same(kernels.adjoint(q) @ q, ones(q), char)
    same(lapack.qr(x, "r"), np.linalg.qr(x, "r"), char)
    for mine, numpys in zip(lapack.qr(x, "raw"), np.linalg.qr(x, "raw")):
        same(mine, numpys, char, 10)
    k = min(shape)
    x, tau = np.linalg.qr(x, "raw")
    x, tau = x.mT.astype(char), tau.astype(char)
    one = np.eye(shape[0], dtype=char)
    q = kernels.reflect(x, tau, one, False)
    same(q @ np.triu(x), drawn((*batch, *shape), char), char)
    same(kernels.reflect(x, tau, q, True), ones(q), char)
    x = drawn((*batch, *shape), char)
    for full in (False, True):
        u, s, vh = lapack.svd(x, full)
        same((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], x, char)
        same(kernels.adjoint(u) @ u, ones(u), char)
        same(vh @ kernels.adjoint(vh), ones(kernels.adjoint(vh)), char)
        same(s, np.linalg.svd(x, compute_uv=False), char)
    same(lapack.svd(x, compute_uv=False), s, char)


@pytest.mark.parametrize("batch", [(), (2, 1, 2)], ids=str)
@pytest.mark.parametrize("n", [5, 40])
@pytest.mark.parametrize("char", "fdFD")
def test_square_matrices(char, n, batch):
    x, b = drawn((*batch, n, n), char), drawn((2, n, 3), char, 1)
    wide = np.broadcast_to(b, (*batch, n, 3)) if batch else b
    same(lapack.inv(x) @ x, ones(x), char, 100)
    same(x @ kernels.solve(x, b), wide, char, 100)
    same(kernels.solve(x, kernels.adjoint(b), False) @ x, kernels.adjoint(wide), char, 100)
    factors, pivots, _ = kernels.lu(x)
    same(x @ kernels.lu_solve(factors, pivots, b), wide, char, 100)
    same(kernels.adjoint(x) @ kernels.lu_solve(factors, pivots, b, adj=True), wide, char, 100)
    w, v = lapack.eig(x)
    same(x @ v, v * w[..., None, :], char.upper(), 10)
    same(np.abs(v * v.conj()).sum(-2), np.ones(w.shape), char.upper())
    same(
        np.sort_complex(lapack.eigvals(x).round(3)),
        np.sort_complex(np.linalg.eigvals(x).round(3)),
        char.upper(),
        20,
    )
    same(lapack.det(x), np.linalg.det(x), char, 10)
    for mine, numpys in zip(lapack.slogdet(x), np.linalg.slogdet(x)):
        same(mine, numpys, char, 10)
    positive = x @ kernels.adjoint(x) / n + np.eye(n, dtype=char)
    same(lapack.cholesky(positive), np.linalg.cholesky(positive), char)
    for uplo, triangle in (("L", np.tril), ("U", np.triu)):
        w, v = lapack.eigh(triangle(positive), uplo)
        same((v * w[..., None, :]) @ kernels.adjoint(v), positive, char)
        same(lapack.eigvalsh(triangle(positive), uplo), w, char)


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("char", "dF")
def test_triangles(char, upper, unit):
    a, b = 0.1 * drawn((2, 40, 40), char) + 3 * np.eye(40, dtype=char), drawn((40, 7), char)
    for x in (a, np.ascontiguousarray(a.mT).mT, a[0], a[:, ::-1, ::-1]):
        t = (np.triu if upper else np.tril)(x)
        if unit:
            np.einsum("...ii->...i", t)[...] = 1
        z = kernels.solve_triangular(x, b, upper, True, unit)
        same(t @ z, np.broadcast_to(b, z.shape), char, 10)
        z = kernels.solve_triangular(x, b.T, upper, False, unit)
        same(z @ t, np.broadcast_to(b.T, z.shape), char, 10)


def test_what_cannot_be_solved():
    x = np.ones((40, 40))
    for function in (lapack.inv, lapack.cholesky, lambda x: lapack.solve(x, x)):
        with pytest.raises(np.linalg.LinAlgError):
            function(x - 1)
    assert kernels.lu(x)[2] == 2
    assert lapack.det(x) == 0 and lapack.slogdet(x) == (0, -np.inf)
    assert np.isinf(kernels.solve_triangular(np.triu(x, 1), x, True)).any()
    assert kernels.cholesky(np.diag(np.arange(3.0, -37, -1)))[1] == 4


def test_results_are_in_columns_and_without_the_library_the_same(monkeypatch):
    minigrad.manual_seed(0)
    x = minigrad.randn(40, 40, dtype=minigrad.float64, requires_grad=True)
    b = minigrad.randn(40, 6, dtype=minigrad.float64)

    def results():
        x.grad = None
        z = minigrad.linalg.solve(x, b)
        factor = minigrad.linalg.cholesky(x @ x.mT + minigrad.eye(40))
        lu, pivots = minigrad.linalg.lu_factor(x)
        w = minigrad.linalg.eigh(x + x.mT)[0]
        (z.sum() + factor.sum() + lu.sum() + w.square().sum() + minigrad.linalg.svd(x)[1].sum()).backward()
        return [z, factor, lu, pivots, w, minigrad.linalg.inv(x), minigrad.logdet(x @ x.mT), x.grad]

    mine = results()
    assert [y.stride() for y in mine[:3]] == [(1, 40)] * 3
    monkeypatch.setattr(lapack, "_routine", lambda name, char: None)
    assert not lapack.serves(x.detach().numpy())
    for a, c in zip(mine, results()):
        assert minigrad.allclose(a, c, rtol=1e-8, atol=1e-8) and a.dtype == c.dtype


def test_same_bits_on_any_number_of_threads():
    x, found, before = drawn((6, 70, 70), "f"), [], pool.count()
    try:
        for threads in (1, 2, 3):
            pool.set_count(threads)
            found.append(
                [
                    *kernels.lu(x),
                    lapack.inv(x),
                    lapack.solve(x, x),
                    *lapack.qr(x, "reduced"),
                    lapack.cholesky(x @ x.mT),
                ]
            )
    finally:
        pool.set_count(before)
    for others in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], others))
