"""Linear algebra at its awkward points: matrices in blocks, singular and rectangular ones, errors in PyTorch's words."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad import linalg

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
BATCHES = st.lists(st.integers(0, 2), max_size=2).map(tuple)
SINGULAR = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
STACKED = torch.stack([torch.eye(2), SINGULAR])


def normal(*shape, dtype=np.float64, seed=0):
    rng = np.random.default_rng((seed, *shape))
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


def close(x, y, dtype=np.float64):
    x = x.numpy() if isinstance(x, torch.Tensor) else x
    y = y.numpy() if isinstance(y, torch.Tensor) else y
    tolerance = 1e-3 if np.dtype(dtype).char in "fF" else 1e-9
    np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("m, n", [(1, 1), (40, 40), (70, 33), (1, 40), (33, 70)])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_lu_of_one_matrix_and_of_several(m, n, dtype):
    """One matrix goes by panels, several go a column of each at a time: the same factors, rows and zero pivots."""
    a = normal(4, m, n, dtype=dtype)
    a[1, :, n // 2] = 0
    several = linalg.lu_factor_ex(torch.tensor(a))
    for i, matrix in enumerate(a):
        alone = linalg.lu_factor_ex(torch.tensor(matrix))
        close(alone.LU, several.LU[i])
        assert alone.pivots.tolist() == several.pivots[i].tolist()
        assert alone.info.item() == several.info[i].item() == (n // 2 + 1 if i == 1 and n // 2 < m else 0)
        p, lower, upper = torch.lu_unpack(alone.LU, alone.pivots)
        close(p @ lower @ upper, matrix)


@pytest.mark.parametrize("n", [1, 5, 33, 70])
def test_lu_in_blocks(n):
    """Columns are factorised in blocks: sizes below, at and beyond one."""
    for m in (n, n + 7, max(n - 7, 1)):
        x = torch.tensor(normal(2, m, n))
        p, l, u = linalg.lu(x)
        close(p @ l @ u, x)
        assert (np.abs(l.numpy()) <= 1).all()


def test_matrix_exp():
    close(torch.matrix_exp(torch.tensor(np.diag([0.0, 1.0, -30.0]))), np.diag(np.exp([0, 1, -30])))
    skew = torch.tensor([[0.0, -40.0], [40.0, 0.0]], dtype=torch.float64)
    close(torch.matrix_exp(skew), [[np.cos(40), -np.sin(40)], [np.sin(40), np.cos(40)]])
    x = normal(3, 4, 4)
    both = torch.matrix_exp(torch.tensor(np.concatenate([x, 50 * x])))
    close(both[:3], torch.matrix_exp(torch.tensor(x)))  # each matrix is scaled by its own norm
    assert torch.matrix_exp(torch.zeros(2, 0, 0)).shape == (2, 0, 0)


def test_pseudoinverses_and_ranks():
    a = normal(4, 2) @ normal(2, 3)
    x = torch.tensor(a)
    close(linalg.pinv(x), np.linalg.pinv(a))
    assert linalg.matrix_rank(x).item() == 2
    assert linalg.matrix_rank(x, atol=1e9).item() == 0
    h = torch.tensor(a.T @ a)
    close(linalg.pinv(h, hermitian=True), np.linalg.pinv(a.T @ a))
    assert linalg.matrix_rank(h, hermitian=True).item() == 2
    each = linalg.matrix_rank(torch.stack([h, h]), tol=torch.tensor([1e-6, 1e6]))
    assert each.tolist() == [2, 0]


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares(driver):
    a, b = normal(2, 5, 3), normal(2, 5, 2)
    found = linalg.lstsq(torch.tensor(a), torch.tensor(b), driver=driver)
    for i in range(2):
        solution, residuals, rank, s = np.linalg.lstsq(a[i], b[i], rcond=None)
        close(found.solution[i], solution)
        if driver != "gelsy":
            close(found.residuals[i], residuals)
        if driver != "gels":
            assert found.rank[i].item() == rank
        if driver in ("gelsd", "gelss"):
            close(found.singular_values[i], s)


@settings(max_examples=60, deadline=None)
@given(batch=BATCHES, n=st.integers(0, 6), dtype=st.sampled_from(DTYPES), hermitian=st.booleans())
def test_indefinite_factors_solve(batch, n, dtype, hermitian):
    a = normal(*batch, n, n, dtype=dtype)
    h = a + np.conj(a.swapaxes(-2, -1)) if hermitian else a + a.swapaxes(-2, -1)
    b = torch.tensor(normal(*batch, n, 2, dtype=dtype))
    factors = linalg.ldl_factor_ex(torch.tensor(h), hermitian=hermitian)
    x = linalg.ldl_solve(factors.LD, factors.pivots, b, hermitian=hermitian)
    if not n or (np.linalg.cond(h) < 100).all():
        close(h @ x.numpy(), b, dtype)


def test_covariances_of_weighted_observations():
    a, f, w = normal(3, 4), np.array([1, 2, 0, 3]), np.abs(normal(4))
    found = torch.cov(torch.tensor(a), fweights=torch.tensor(f), aweights=torch.tensor(w))
    close(found, np.cov(a, fweights=f, aweights=w))


def test_low_rank():
    torch.manual_seed(0)
    a = torch.tensor(normal(8, 2) @ normal(2, 5))
    for u, s, v in (torch.svd_lowrank(a, 3), torch.svd_lowrank(a.mT, 3)[::-1]):
        close(u @ s.diag() @ v.mT, a)
    u, s, v = torch.pca_lowrank(a, 3)
    close(u @ s.diag() @ v.mT, a - a.mean(0))
    with pytest.raises(ValueError, match="not greater than min"):
        torch.pca_lowrank(a, 6)


def test_results_have_names_and_info():
    assert type(linalg.svd(torch.eye(2))).__name__ == "linalg_svd"
    assert linalg.inv_ex(STACKED).info.tolist() == [0, 2]
    assert linalg.solve_ex(STACKED, torch.ones(2)).info.tolist() == [0, 2]
    assert linalg.lu_factor_ex(STACKED).info.tolist() == [0, 2]
    assert linalg.cholesky_ex(torch.stack([torch.eye(2), -torch.eye(2)])).info.tolist() == [0, 1]
    assert linalg.ldl_factor(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).pivots.tolist() == [-2, -2]


ERRORS = [
    (lambda: linalg.inv(SINGULAR), "linalg.inv: The diagonal element 2 is zero, the inversion could not be completed"),
    (lambda: linalg.inv(STACKED), r"linalg.inv: \(Batch element 1\): The diagonal element 2 is zero"),
    (lambda: linalg.solve(SINGULAR, torch.ones(2)), "torch.linalg.solve: The solver failed because the input matrix is singular."),
    (lambda: linalg.cholesky(-torch.eye(2)), "the leading minor of order 1 is not positive-definite"),
    (lambda: linalg.cholesky(torch.eye(2) * float("nan")), "the leading minor of order 1 is not positive-definite"),
    (lambda: linalg.svd(torch.eye(2) * float("nan")), "linalg.svd: The algorithm failed to converge"),
    (lambda: linalg.matrix_power(SINGULAR, -1), "linalg.inv: The diagonal element 2 is zero"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_matrices_that_do_not_allow_it(number):
    function, text = ERRORS[number]
    with pytest.raises(linalg.LinAlgError, match=text) as caught:
        function()
    assert isinstance(caught.value, RuntimeError)
    assert type(caught.value).__name__ == "_LinAlgError"


@pytest.mark.parametrize(
    "name", ["inv", "det", "slogdet", "cholesky", "eig", "eigh", "matrix_exp", "eigvals"]
)
def test_matrices_must_be_square(name):
    with pytest.raises(
        RuntimeError,
        match=f"linalg.{name}: A must be batches of square matrices, but they are 2 by 3 matrices",
    ):
        getattr(linalg, name)(torch.ones(2, 3))
    with pytest.raises(
        RuntimeError, match=f"linalg.{name}: The input tensor A must have at least 2 dimensions."
    ):
        getattr(linalg, name)(torch.ones(3))


def test_other_errors():
    cases = {
        "linalg.inv: Low precision dtypes not supported. Got Half": lambda: linalg.inv(torch.eye(2).half()),
        "linalg.solve: Expected A and B to have the same dtype": lambda: linalg.solve(
            torch.eye(2), torch.eye(2).double()
        ),
        r"Incompatible shapes of A and B for the equation AX = B \(2x2 and 3x1\)": lambda: linalg.solve(
            torch.eye(2), torch.ones(3)
        ),
        "LU without pivoting is not implemented on the CPU": lambda: linalg.lu(torch.eye(2), pivot=False),
        "linalg.matrix_norm: Order 3 not supported.": lambda: linalg.matrix_norm(torch.eye(2), 3),
        "linalg.cond got an invalid norm type: 3": lambda: linalg.cond(torch.eye(2), 3),
        "linalg.cross: inputs dimension -1 must have length 3. Got 2 and 2": lambda: linalg.cross(
            torch.eye(2), torch.eye(2)
        ),
        r"multi_dot\(\): expected at least 2 tensors but got 1": lambda: linalg.multi_dot([torch.eye(2)]),
        r"cov\(\): fweights cannot be negative": lambda: torch.cov(
            torch.eye(2), fweights=torch.tensor([1, -1])
        ),
        r"U\[2,2\] is zero": lambda: linalg.lu_factor(SINGULAR),
    }
    for text, function in cases.items():
        with pytest.raises(RuntimeError, match=text):
            function()
    with pytest.raises(TypeError, match="expected tuple of 2 elements but got 1"):
        linalg.qr(torch.eye(2), out=(torch.empty(0),))


def test_old_names_warn():
    x = torch.tensor([[4.0, 2.0], [2.0, 5.0]])
    for call in (
        lambda: torch.cholesky(x), lambda: torch.qr(x), lambda: torch.lu(x), lambda: torch.lu_solve(x, *linalg.lu_factor(x)),
        lambda: torch.triangular_solve(x, x), lambda: torch.cross(torch.ones(3), torch.ones(3)),
    ):  # fmt: skip
        with pytest.warns(UserWarning, match="deprecated"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.svd(x).V.shape == (2, 2)


@pytest.mark.torch
def test_results_lie_in_memory_as_pytorchs():
    theirs = pytest.importorskip("torch")
    a = normal(2, 3, 3)
    a = a @ a.swapaxes(-2, -1) + np.eye(3)
    for name in (
        "inv", "cholesky", "qr", "svd", "eigh", "eig", "lu", "lu_factor", "slogdet", "det", "pinv", "ldl_factor",
    ):  # fmt: skip
        x, y = getattr(linalg, name)(torch.tensor(a)), getattr(theirs.linalg, name)(theirs.tensor(a))
        x, y = (z if isinstance(z, tuple) else (z,) for z in (x, y))
        assert [p.stride() for p in x] == [p.stride() for p in y], name
        assert [p.shape for p in x] == [tuple(p.shape) for p in y], name


@pytest.mark.torch
def test_nodes_are_named_as_pytorchs():
    theirs = pytest.importorskip("torch")
    a = normal(3, 3)
    a = a @ a.T + np.eye(3)
    names = (
        "inv cholesky qr svd eigh eig lu_factor slogdet det pinv svdvals eigvals eigvalsh matrix_exp matrix_norm cond "
        "norm inv_ex cholesky_ex"
    )
    for name in names.split():
        x = getattr(linalg, name)(torch.tensor(a, requires_grad=True))
        y = getattr(theirs.linalg, name)(theirs.tensor(a, requires_grad=True))
        x, y = (z[0] if isinstance(z, tuple) else z for z in (x, y))
        assert x.grad_fn.name() == y.grad_fn.name(), name


def test_a_determinant_too_large_for_its_dtype_is_infinite():
    x = 100 * torch.eye(30)
    assert torch.linalg.det(x).item() == math.inf
    assert torch.linalg.det(x.double()).item() == pytest.approx(1e60)


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norms(ord):
    a = normal(2, 3, 4)
    close(linalg.matrix_norm(torch.tensor(a), ord), [np.linalg.norm(x, ord) for x in a])
    close(linalg.matrix_norm(torch.tensor(a), ord, (0, 2)), [np.linalg.norm(a[:, i], ord) for i in range(3)])
    assert linalg.matrix_norm(torch.tensor(a), ord, (0, 2), True).shape == (1, 3, 1)
    square = normal(2, 3, 3)
    if ord != -2:
        close(linalg.cond(torch.tensor(square), ord), np.linalg.cond(square, ord))
