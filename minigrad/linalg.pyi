# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from ._base import return_types as _named_results
from ._base.device import device as _device
from ._base.device import layout as _layout
from ._base.device import memory_format as _memory_format
from ._base.dtypes import dtype as _dtype
from ._base.size import Size as _Size
from ._core.hooks import RemovableHandle
from ._core.node import Node
from ._base.device import Device as _Device
from ._api import Generator
from ._core.tensor import Tensor as Tensor

class LinAlgError(RuntimeError): ...
def cholesky(input: Tensor, *, upper: Any = False, out: Any = None) -> Tensor:
    """Compute the Cholesky factor of Hermitian positive definite matrices: the lower L with ``A = L Lᴴ``, or with ``upper`` the U with
    ``A = Uᴴ U``.

    Only one triangle of A is read. Raises LinAlgError for a matrix that is not positive definite.

    >>> import minigrad
    >>> minigrad.linalg.cholesky(minigrad.tensor([[4., 2.], [2., 5.]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
def cholesky_ex(input: Tensor, *, upper: Any = False, check_errors: Any = False, out: Any = None) -> _named_results.linalg_cholesky_ex:
    """Compute ``linalg.cholesky`` without an error: also return, for each matrix, 0 or the order of its first minor that is not positive.

    >>> import minigrad
    >>> minigrad.linalg.cholesky_ex(-minigrad.eye(2)).info
    tensor(1, dtype=torch.int32)
    """
def cond(input: Tensor, p: Any = None, *, out: Any = None) -> Tensor:
    """Return the condition number with respect to a matrix norm: ``norm(A) * norm(A⁻¹)``; inf for singular matrices.

    ``p``: None or 2, -2 (by singular values, of any matrices), "fro", "nuc", ±1, ±inf.

    >>> import minigrad
    >>> minigrad.linalg.cond(minigrad.tensor([[4., 0.], [0., 2.]]))
    tensor(2.)
    """
def cross(input: Tensor, other: Any, *, dim: Any = -1, out: Any = None) -> Tensor:
    """Return the cross product along ``dim``, of size 3; other dimensions broadcast.

    >>> import minigrad
    >>> minigrad.linalg.cross(minigrad.tensor([1., 0., 0.]), minigrad.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
def det(A: Tensor, *, out: Any = None) -> Tensor:
    """Return the determinants of square matrices ``(..., n, n) -> (...)``.

    >>> import minigrad
    >>> minigrad.linalg.det(minigrad.tensor([[1., 2.], [3., 5.]])).round(decimals=4)
    tensor(-1.)
    """
def diagonal(A: Tensor, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Tensor:
    """Return a view of the diagonals of matrices: ``torch.diagonal`` of the last two dimensions.

    >>> import minigrad
    >>> minigrad.linalg.diagonal(minigrad.eye(2))
    tensor([1., 1.])
    """
def eig(input: Tensor, *, out: Any = None) -> _named_results.linalg_eig:
    """Return the eigenvalues and eigenvectors (columns of norm 1) of square matrices, complex, in no particular order.

    >>> import minigrad
    >>> minigrad.linalg.eig(minigrad.tensor([[0., -1.], [1., 0.]])).eigenvalues
    tensor([0.+1.j, 0.-1.j])
    """
def eigh(input: Tensor, UPLO: Any = ..., *, out: Any = None) -> _named_results.linalg_eigh:
    """Return the eigenvalues, in ascending order, and eigenvectors of Hermitian matrices, of which one triangle is read: "L" or "U".

    >>> import minigrad
    >>> minigrad.linalg.eigh(minigrad.tensor([[2., 0.], [0., 1.]])).eigenvalues
    tensor([1., 2.])
    """
def eigvals(input: Tensor, *, out: Any = None) -> Tensor:
    """Return the eigenvalues of square matrices, complex, in no particular order.

    >>> import minigrad
    >>> minigrad.linalg.eigvals(minigrad.tensor([[0., -1.], [1., 0.]]))
    tensor([0.+1.j, 0.-1.j])
    """
def eigvalsh(input: Tensor, UPLO: Any = ..., *, out: Any = None) -> Tensor:
    """Return the eigenvalues of Hermitian matrices, ascending.

    >>> import minigrad
    >>> minigrad.linalg.eigvalsh(minigrad.tensor([[2., 0.], [0., 1.]]))
    tensor([1., 2.])
    """
def householder_product(input: Tensor, tau: Any, *, out: Any = None) -> Tensor:
    """Return the first n columns of a product of Householder reflections, whose vectors are below the diagonal of ``input`` (..., m, n).

    >>> import minigrad
    >>> minigrad.linalg.householder_product(*minigrad.geqrf(minigrad.tensor([[3.], [4.]])))
    tensor([[-0.6000],
            [-0.8000]])
    """
def inv(A: Tensor, *, out: Any = None) -> Tensor:
    """Invert square matrices ``(..., n, n)``; raise LinAlgError for a singular one.

    >>> import minigrad
    >>> minigrad.linalg.inv(minigrad.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
def inv_ex(A: Tensor, *, check_errors: Any = False, out: Any = None) -> _named_results.linalg_inv_ex:
    """Invert square matrices without an error: also return, for each, 0 or the index of the zero on U's diagonal.

    >>> import minigrad
    >>> minigrad.linalg.inv_ex(minigrad.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
def ldl_factor(input: Tensor, *, hermitian: Any = False, out: Any = None) -> _named_results.linalg_ldl_factor:
    """Factorise ``A = L D Lᵀ`` (``L D Lᴴ`` with ``hermitian``) from A's lower triangle, in LAPACK's compact form; not differentiable.

    A is (..., n, n), and so is the result, with n pivots for each matrix.

    >>> import minigrad
    >>> minigrad.linalg.ldl_factor(minigrad.tensor([[4., 2.], [2., 5.]])).LD
    tensor([[4.0000, 0.0000],
            [0.5000, 4.0000]])
    """
def ldl_factor_ex(input: Tensor, *, hermitian: Any = False, check_errors: Any = False, out: Any = None) -> _named_results.linalg_ldl_factor_ex:
    """Compute ``linalg.ldl_factor`` without an error: also return, for each matrix, 0 or the first block of D that is zero.

    >>> import minigrad
    >>> minigrad.linalg.ldl_factor_ex(minigrad.zeros(1, 1)).info
    tensor(1, dtype=torch.int32)
    """
def ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: Any = False, out: Any = None) -> Tensor:
    """Solve ``A X = B`` with the factors from ``linalg.ldl_factor``; not differentiable.

    The factor is (..., n, n), the pivots are (..., n), B (..., n, k).

    >>> import minigrad
    >>> A = minigrad.tensor([[4., 2.], [2., 5.]])
    >>> minigrad.linalg.ldl_solve(*minigrad.linalg.ldl_factor(A), minigrad.tensor([[6.], [7.]]))
    tensor([[1.],
            [1.]])
    """
def lstsq(input: Tensor, b: Any, rcond: Any = None, *, driver: Any = None, out: Any = None) -> _named_results.linalg_lstsq:
    """Return the X that minimises ``|A X - b|``: ``(..., m, n), (..., m, k) -> (..., n, k)``; b may be a vector.

    ``driver`` is "gels" (A of full rank), "gelsy", "gelsd" or "gelss" (any A; the shortest X). Also returns the residuals if m > n and
    all ranks are n (not for "gelsy"), the ranks, and the singular values (for "gelsd" and "gelss").

    >>> import minigrad
    >>> A = minigrad.tensor([[1., 0.], [1., 1.], [1., 2.]])
    >>> minigrad.linalg.lstsq(A, minigrad.tensor([[1.], [3.], [5.]])).solution.round(decimals=4)
    tensor([[1.],
            [2.]])
    """
def lu(A: Any, *, pivot: Any = True, out: Any = None) -> _named_results.linalg_lu:
    """Factorise ``A = P L U``: a permutation, a lower triangle with ones on its diagonal, an upper triangle.

    A is (..., m, n), P (..., m, m), L (..., m, k), U (..., k, n), k the smaller of m and n.

    >>> import minigrad
    >>> minigrad.linalg.lu(minigrad.tensor([[1., 2.], [2., 6.]])).U
    tensor([[ 2.,  6.],
            [ 0., -1.]])
    """
def lu_factor(A: Tensor, *, pivot: Any = True, out: Any = None) -> _named_results.linalg_lu_factor:
    """Return L and U in one array, without L's ones, and the row exchanges, counted from 1; raise RuntimeError for a zero pivot.

    >>> import minigrad
    >>> minigrad.linalg.lu_factor(minigrad.tensor([[1., 2.], [2., 6.]])).pivots
    tensor([2, 2], dtype=torch.int32)
    """
def lu_factor_ex(A: Tensor, *, pivot: Any = True, check_errors: Any = False, out: Any = None) -> _named_results.linalg_lu_factor_ex:
    """Compute ``linalg.lu_factor`` without an error: also return, for each matrix, 0 or the first zero on U's diagonal.

    >>> import minigrad
    >>> minigrad.linalg.lu_factor_ex(minigrad.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: Any = True, adjoint: Any = False, out: Any = None) -> Tensor:
    """Solve ``A X = B`` (``X A = B`` unless ``left``; Aᴴ for A with ``adjoint``) with the factors from ``linalg.lu_factor``.

    The factor is (..., n, n), B (..., n, k), or (..., k, n) unless ``left``.

    >>> import minigrad
    >>> minigrad.linalg.lu_solve(*minigrad.linalg.lu_factor(minigrad.tensor([[4.]])), minigrad.tensor([[8.]]))
    tensor([[2.]])
    """
def matmul(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """The same as ``matmul``.

    >>> import minigrad
    >>> minigrad.linalg.matmul(minigrad.tensor([[1., 2.]]), minigrad.tensor([[3.], [4.]]))
    tensor([[11.]])
    """
def matrix_exp(input: Tensor) -> Tensor:
    """Return the matrix exponentials of square matrices, Σ Aⁿ / n!.

    >>> import minigrad
    >>> minigrad.matrix_exp(minigrad.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
def matrix_norm(input: Tensor, ord: Any = ..., dim: Any = ..., keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Any = None) -> Tensor:
    """Return a norm of the matrices that the two dimensions ``dim`` span: "fro", "nuc", ±1, ±2 or ±inf.

    >>> import minigrad
    >>> minigrad.linalg.matrix_norm(minigrad.tensor([[1., -2.], [3., 4.]]), 1)
    tensor(6.)
    """
def matrix_power(input: Tensor, n: Any, *, out: Any = None) -> Tensor:
    """Return the n-th power of square matrices, or of their inverses for a negative n; raise LinAlgError if they have none.

    >>> import minigrad
    >>> minigrad.linalg.matrix_power(minigrad.tensor([[1., 1.], [0., 1.]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
def matrix_rank(input: Tensor, *args: Any, atol: Any = None, rtol: Any = None, hermitian: Any = False, out: Any = None, **kwargs: Any) -> Tensor:
    """Return the number of singular values that exceed ``max(atol, rtol * the largest)``, as int64.

    ``linalg.matrix_rank(A, tol, hermitian)`` is an older form; tolerances may be tensors.

    >>> import minigrad
    >>> minigrad.linalg.matrix_rank(minigrad.ones(2, 2))
    tensor(1)
    """
def multi_dot(tensors: Any, *, out: Any = None) -> Tensor:
    """Multiply two or more matrices in the order that takes the fewest operations; the first and last may be vectors.

    >>> import minigrad
    >>> minigrad.linalg.multi_dot([minigrad.ones(2), minigrad.ones(2, 3), minigrad.ones(3)])
    tensor(6.)
    """
def norm(input: Tensor, ord: Any = None, dim: Any = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Any = None) -> Tensor:
    """Return a vector norm (if ``dim`` is one dimension, ``ord`` is None, or the input is a vector) or a matrix norm.

    >>> import minigrad
    >>> minigrad.linalg.norm(minigrad.tensor([[3., 4.], [0., 0.]]))
    tensor(5.)
    """
def pinv(input: Tensor, *args: Any, atol: Any = None, rtol: Any = None, hermitian: Any = False, out: Any = None, **kwargs: Any) -> Tensor:
    """Return the pseudoinverse. Singular values up to ``max(atol, rtol * the largest)`` count as zero; ``hermitian`` reads one triangle.

    ``linalg.pinv(A, rcond, hermitian)`` is an older form; tolerances may be tensors.

    >>> import minigrad
    >>> minigrad.linalg.pinv(minigrad.tensor([[2., 0.], [0., 0.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
def qr(A: Tensor, mode: Any = ..., *, out: Any = None) -> _named_results.linalg_qr:
    """Factorise ``A = Q R``, with orthonormal columns in Q and an upper triangle R; ``mode`` is "reduced", "complete" or "r" (R only).

    >>> import minigrad
    >>> minigrad.linalg.qr(minigrad.tensor([[3.], [4.]])).R
    tensor([[-5.]])
    """
def slogdet(A: Tensor, *, out: Any = None) -> _named_results.linalg_slogdet:
    """Return the sign (or phase) of the determinants of square matrices, and the logarithms of their magnitudes.

    >>> import minigrad
    >>> minigrad.linalg.slogdet(minigrad.eye(2)).logabsdet
    tensor(0.)
    """
def solve(A: Any, B: Any, *, left: Any = True, out: Any = None) -> Tensor:
    """Solve ``A X = B``, or ``X A = B`` unless ``left``: ``(..., n, n), (..., n, k) -> (..., n, k)``; B may be a vector.

    Raises LinAlgError for a singular matrix.

    >>> import minigrad
    >>> minigrad.linalg.solve(minigrad.tensor([[2., 0.], [0., 4.]]), minigrad.tensor([2., 2.]))
    tensor([1.0000, 0.5000])
    """
def solve_ex(A: Tensor, B: Any, *, left: Any = True, check_errors: Any = False, out: Any = None) -> _named_results.linalg_solve_ex:
    """Compute ``linalg.solve`` without an error: a singular matrix gives infinities or nan; also return, for each matrix, 0 or the zero
    element of U.

    >>> import minigrad
    >>> minigrad.linalg.solve_ex(minigrad.zeros(2, 2), minigrad.ones(2)).info
    tensor(1, dtype=torch.int32)
    """
def solve_triangular(input: Tensor, B: Any, *, upper: Any, left: Any = True, unitriangular: Any = False, out: Any = None) -> Tensor:
    """Solve ``T X = B``, or ``X T = B`` unless ``left``, for the upper or lower triangle T of ``input``.

    With ``unitriangular``, the diagonal is taken as ones. Zeros on it give infinities or nan. A is (..., n, n), B (..., n, k), or (...,
    k, n) unless ``left``; batches broadcast.

    >>> import minigrad
    >>> A = minigrad.tensor([[2., 1.], [0., 4.]])
    >>> minigrad.linalg.solve_triangular(A, minigrad.tensor([[4.], [8.]]), upper=True)
    tensor([[1.],
            [2.]])
    """
def svd(A: Tensor, full_matrices: Any = True, *, driver: Any = None, out: Any = None) -> _named_results.linalg_svd:
    """Factorise ``A = U diag(S) Vh`` into singular values, in descending order, and vectors; ``full_matrices`` makes U and Vh square.

    >>> import minigrad
    >>> minigrad.linalg.svd(minigrad.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
def svdvals(A: Tensor, *, driver: Any = None, out: Any = None) -> Tensor:
    """Return the singular values of matrices, descending.

    >>> import minigrad
    >>> minigrad.linalg.svdvals(minigrad.tensor([[3., 0.], [0., 4.]]))
    tensor([4., 3.])
    """
def tensorinv(input: Tensor, ind: Any = 2, *, out: Any = None) -> Tensor:
    """Return the inverse with respect to ``tensordot``: the first ``ind`` dimensions are rows, the others columns.

    >>> import minigrad
    >>> minigrad.linalg.tensorinv(minigrad.eye(6).reshape(2, 3, 6)).shape
    torch.Size([6, 2, 3])
    """
def tensorsolve(input: Tensor, other: Any, dims: Any = None, *, out: Any = None) -> Tensor:
    """Return the X with ``tensordot(A, X, X.ndim) = other``; ``dims`` of A are moved to its end first.

    >>> import minigrad
    >>> minigrad.linalg.tensorsolve(minigrad.eye(6).reshape(2, 3, 6), minigrad.ones(2, 3))
    tensor([1., 1., 1., 1., 1., 1.])
    """
def vander(x: Any, *, N: Any = None) -> Tensor:
    """Return the matrices of powers 0 to N - 1 of vectors: ``(..., n) -> (..., n, N)``; N is n by default.

    >>> import minigrad
    >>> minigrad.linalg.vander(minigrad.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
def vecdot(x: Any, y: Any, *, dim: Any = -1, out: Any = None) -> Tensor:
    """Compute ``(conj(x) * y).sum(dim)``; dimensions broadcast.

    >>> import minigrad
    >>> minigrad.linalg.vecdot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor(11.)
    """
def vector_norm(input: Tensor | None = None, ord: Any = 2, dim: Any = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Any = None, x: Any = None) -> Tensor:
    """Return the norm (Σ |x|ᵒʳᵈ)^(1/ord) of all elements, or along ``dim``; ``ord`` may be 0 (counts non-zero elements) and ±inf.

    ``input`` may be called ``x``.  Raises RuntimeError for integers.

    >>> import minigrad
    >>> minigrad.linalg.vector_norm(minigrad.tensor([3., 4.]))
    tensor(5.)
    """
