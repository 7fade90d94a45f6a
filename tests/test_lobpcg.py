"""``lobpcg``: extreme eigenpairs of symmetric matrices, and their gradients."""

import numpy as np
import pytest

import minigrad
from minigrad import linalg, lobpcg


def problem(seed, m, dtype="float64"):
    """A symmetric matrix and a positive definite one."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, m, m))
    return (minigrad.from_numpy(x.astype(dtype)) for x in (a @ a.T + np.eye(m), b @ b.T / m + np.eye(m)))


def expected(A, B):
    """All eigenvalues, ascending, in double precision."""
    factor = linalg.inv(linalg.cholesky(B.double()))
    return linalg.eigvalsh(factor @ A.double() @ factor.mT)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("two", [True, False])
@pytest.mark.parametrize("dtype, precision", [("float64", 1e-9), ("float32", 2e-3)])
@pytest.mark.parametrize("m, k", [(9, 3), (20, 1), (33, 6)])
def test_eigenpairs(m, k, dtype, precision, two, largest):
    A, B = problem(m, m, dtype)
    minigrad.manual_seed(0)
    E, X = lobpcg(A, k=k, B=B if two else None, largest=largest)
    values = expected(A, B if two else minigrad.eye(m))
    values = values.flip(0)[:k] if largest else values[:k]
    assert E.shape == (k,) and X.shape == (m, k) and E.dtype is X.dtype is A.dtype
    assert ((E - values).abs() <= precision * values.abs().max()).all()
    left, right = A @ X, ((B if two else minigrad.eye(m, dtype=A.dtype)) @ X) * E
    assert (left - right).norm() <= 10 * minigrad.finfo(A.dtype).eps ** 0.5 * A.norm()


@pytest.mark.torch
def test_the_search_starts_where_pytorchs_does():
    """By the same random numbers: after one step both have the same vectors."""
    import torch

    A, _ = problem(3, 12)
    found = []
    for library in (torch, minigrad):
        library.manual_seed(7)
        found.append(library.lobpcg(library.from_numpy(A.numpy().copy()), k=2, niter=2))
    assert np.allclose(found[0][0].numpy(), found[1][0].numpy())
    assert np.allclose(found[0][1].abs().numpy(), found[1][1].abs().numpy())


def test_batches_are_searched_one_by_one():
    A, B = problem(5, 12)
    E, X = lobpcg(minigrad.stack([A, 2 * A, A + B]).reshape(3, 1, 12, 12), k=2)
    assert E.shape == (3, 1, 2) and X.shape == (3, 1, 12, 2)
    for found, matrix in zip(E[:, 0], (A, 2 * A, A + B)):
        assert minigrad.allclose(found, linalg.eigvalsh(matrix).flip(0)[:2])


def test_a_start_and_a_preconditioner_save_iterations():
    A, _ = problem(11, 40)
    vectors = linalg.eigh(A)[1]
    steps = {}

    def count(name):
        return lambda search: steps.__setitem__(name, search.ivars["istep"])

    minigrad.manual_seed(0)
    lobpcg(A, k=2, largest=False, tracker=count("plain"))
    lobpcg(A, k=2, largest=False, iK=linalg.inv(A), tracker=count("preconditioned"))
    lobpcg(A, X=vectors[:, :2] + 1e-6, largest=False, tracker=count("near"))
    assert steps["preconditioned"] < steps["plain"] / 3 and steps["near"] < steps["plain"]


def test_a_tracker_sees_the_state_and_can_end_the_search():
    A, _ = problem(1, 30)
    seen = []

    def tracker(search):
        seen.append(
            (
                search.ivars["istep"],
                search.E.shape,
                search.X.shape,
                search.R.shape,
                search.tvars["rerr"].shape,
            )
        )
        search.bvars["force_stop"] = len(seen) == 2

    lobpcg(A, k=3, tracker=tracker)
    assert seen == [(step, (3,), (30, 3), (30, 3), (3,)) for step in (1, 2)]


def test_gradients_are_those_of_a_symmetric_matrix():
    A, _ = problem(2, 9)
    weights = minigrad.randn(9, 2, dtype=minigrad.float64)

    def loss(A):
        minigrad.manual_seed(0)
        E, X = lobpcg(A, k=2, tol=1e-12)
        return (E * E).sum() + ((X * weights).sum(0) ** 2).sum()

    minigrad.manual_seed(1)
    weights = minigrad.randn(9, 2, dtype=minigrad.float64)
    A.requires_grad_()
    assert minigrad.autograd.gradcheck(loss, (A,), atol=1e-4)
    (g,) = minigrad.autograd.grad(loss(A), A)
    assert minigrad.allclose(g, g.mT)


@pytest.mark.torch
def test_gradients_are_pytorchs():
    import torch

    matrices, _ = problem(4, 12)
    found = []
    for library in (torch, minigrad):
        library.manual_seed(0)
        A = library.from_numpy(np.stack([matrices.numpy(), 3 * matrices.numpy()])).requires_grad_()
        E, X = library.lobpcg(A, k=2, tol=1e-12)
        (E.sum() + (X[..., 0, :] ** 2).sum() + (X[..., 1, :] ** 3).abs().sum()).backward()
        found.append(A.grad.numpy())
    assert np.allclose(*found, atol=1e-7)


@pytest.mark.torch
@pytest.mark.parametrize("arguments", ["(A[:5])", "(A, k=7)", "(A[:2, :2])", "(A, n=7)"])
def test_what_is_refused_is_refused_in_pytorchs_words(arguments):
    import torch

    texts = []
    for library in (torch, minigrad):
        with pytest.raises((AssertionError, ValueError)) as caught:
            eval(f"call{arguments}", {"call": library.lobpcg, "A": library.eye(20)})
        texts.append((caught.type, str(caught.value)))
    assert texts[0] == texts[1]


def test_what_else_is_refused():
    A, B = problem(0, 9)
    with pytest.raises(RuntimeError, match="real floating"):
        lobpcg(minigrad.eye(9, dtype=minigrad.complex64))
    with pytest.raises(ValueError, match="must be positive"):
        lobpcg(A, k=0)
    with pytest.raises(ValueError, match="with respect to B"):
        lobpcg(A.requires_grad_(), B=B.requires_grad_())
    with pytest.raises(ValueError, match="B != I"):
        lobpcg(A, B=B.detach())[0].sum().backward()
