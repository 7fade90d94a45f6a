"""``_lowrank`` and ``_linalg_utils``: what libraries import from PyTorch's places."""

import pytest

import minigrad
from minigrad import _linalg_utils, _lowrank

A = minigrad.tensor([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0], [1.0, 0.0, 2.0]])


def test_a_basis_spans_the_range():
    for niter in (None, 0, 3):
        Q = _lowrank.get_approximate_basis(A, 3, niter)
        assert Q.shape == (4, 3) and minigrad.allclose(Q @ (Q.mT @ A), A, atol=1e-5)
    M = A.mean(-2, keepdim=True).expand_as(A)
    Q = _lowrank.get_approximate_basis(A, 3, 2, M)
    assert minigrad.allclose(Q @ (Q.mT @ (A - M)), A - M, atol=1e-5)
    assert _lowrank.svd_lowrank is minigrad.svd_lowrank and _lowrank.pca_lowrank is minigrad.pca_lowrank


@pytest.mark.torch
def test_a_basis_is_pytorchs_for_the_same_seed():
    torch = pytest.importorskip("torch")
    theirs = torch.from_numpy(A.numpy())
    for niter in (0, 2):
        torch.manual_seed(0), minigrad.manual_seed(0)
        found = _lowrank.get_approximate_basis(A, 2, niter).numpy()
        assert found == pytest.approx(
            torch._lowrank.get_approximate_basis(theirs, 2, niter).numpy(), abs=1e-5
        )


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression",
    [
        "u.bform(A, None, A)",
        "u.bform(A, A @ A.mT, A)",
        "u.qform(A @ A.mT, A)",
        "u.matmul(None, A)",
        "u.symeig(A.mT @ A)[0]",
        "u.symeig(A.mT @ A, largest=True)[0]",
        "u.basis(A)",
    ],
)
def test_forms_are_pytorchs(expression):
    torch = pytest.importorskip("torch")
    ours = eval(expression, {"u": _linalg_utils, "A": A})
    theirs = eval(expression, {"u": torch._linalg_utils, "A": torch.from_numpy(A.numpy())})
    assert ours.numpy() == pytest.approx(theirs.numpy(), rel=1e-4, abs=1e-5)


def test_dtypes_layouts_and_what_is_gone():
    assert _linalg_utils.get_floating_dtype(A.double()) is minigrad.float64
    assert _linalg_utils.get_floating_dtype(A.bfloat16()) is minigrad.float32
    assert _linalg_utils.is_sparse(A) is False
    with pytest.raises(TypeError, match="expected Tensor but got <class 'int'>"):
        _linalg_utils.is_sparse(1)
    for name in ("solve", "lstsq", "eig", "matrix_rank", "_symeig"):
        with pytest.raises(RuntimeError, match="deprecated since version 1.9 and is now removed"):
            getattr(_linalg_utils, name)(A, *([A] if name in ("solve", "lstsq") else []))
