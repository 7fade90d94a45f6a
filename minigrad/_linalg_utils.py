"""Small functions on matrices that PyTorch keeps at this place, and names of functions that are gone, which say what to call instead."""

from typing import Any

from . import linalg
from ._api import Tensor
from ._api import eig as eig
from ._api import lstsq as lstsq
from ._api import matrix_rank as matrix_rank
from ._api import solve as solve
from ._api import symeig as _symeig  # noqa: F401
from ._base.device import sparse_coo
from ._base.dtypes import float16, float32, float64


def is_sparse(A: Any) -> bool:
    """Return whether a tensor is sparse: always False; raise TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad._linalg_utils.is_sparse(minigrad.ones(2))
    False
    """
    if not isinstance(A, Tensor):
        raise TypeError(f"expected Tensor but got {type(A)}")
    return A.layout == sparse_coo


def get_floating_dtype(A: Any) -> Any:
    """Return the dtype of ``A`` if it is a floating-point one other than bfloat16, else float32.

    >>> import minigrad
    >>> minigrad._linalg_utils.get_floating_dtype(minigrad.tensor([1]))
    torch.float32
    """
    return A.dtype if A.dtype in (float16, float32, float64) else float32


def matmul(A: Any, B: Any) -> Any:
    """Return the product ``A B``, or ``B`` itself if ``A`` is None.

    >>> import minigrad
    >>> minigrad._linalg_utils.matmul(None, minigrad.ones(1))
    tensor([1.])
    """
    return B if A is None else A.matmul(B)


def bform(X: Any, A: Any, Y: Any) -> Any:
    """Return the bilinear form ``Xᵀ A Y``; ``A`` is the identity if it is None.

    >>> import minigrad
    >>> minigrad._linalg_utils.bform(minigrad.ones(2, 1), None, minigrad.ones(2, 1))
    tensor([[2.]])
    """
    return matmul(X.mT, matmul(A, Y))


def qform(A: Any, S: Any) -> Any:
    """Return the quadratic form ``Sᵀ A S``; ``A`` is the identity if it is None.

    >>> import minigrad
    >>> minigrad._linalg_utils.qform(2 * minigrad.eye(2), minigrad.ones(2, 1))
    tensor([[4.]])
    """
    return bform(S, A, S)


def basis(A: Any) -> Any:
    """Return an orthonormal basis of the span of the columns of ``A``, as columns.

    >>> import minigrad
    >>> minigrad._linalg_utils.basis(minigrad.eye(2)).abs()
    tensor([[1., 0.],
            [0., 1.]])
    """
    return linalg.qr(A).Q


def symeig(A: Any, largest: bool | None = False) -> Any:
    """Return the eigenvalues of symmetric matrices, from their upper triangles, and the eigenvectors as columns; largest first if ``largest``.

    >>> import minigrad
    >>> minigrad._linalg_utils.symeig(minigrad.diag(minigrad.tensor([1., 2.])), largest=True)[0]
    tensor([2., 1.])
    """
    values, vectors = linalg.eigh(A, UPLO="U")
    return (values.flip(-1), vectors.flip(-1)) if largest else (values, vectors)
