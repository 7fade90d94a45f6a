"""What the operators of linear algebra ask of matrices, in PyTorch's words, and how they report what a factorisation found."""

import numpy as np

from .._arrays.kernels.linalg import LinAlgError
from .._base.dtypes import dtype_name
from .._base.errors import shape_text
from .._core.tensor import Tensor
from .._core.wrapped import elements

__all__ = []

_INT32 = np.dtype("int32")


# Operands ------------------------------------------------------------------------------------------------------------------


def check_matrix(x, name, argument="A"):
    """Raise RuntimeError for fewer than two dimensions."""
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")


def check_square(x, name):
    """Raise RuntimeError unless the array is a stack of square matrices; ``name`` ends in what parts it from the text."""
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(f"{name}A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices")


def check_float(x, name, low=None):
    """Raise RuntimeError for a dtype that is neither floating nor complex; for half precision, of which ``low`` is the kernel."""
    if x.dtype.kind not in "fcV":
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {dtype_name(x)}")
    if x.dtype.itemsize == 2:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {dtype_name(x)}") if low is None else no_kernel(low, x)


def no_kernel(kernel, x):
    """The error for a dtype that a kernel does not take."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")


def check_kernel(x, kernel):
    """Raise NotImplementedError for a dtype that LAPACK has not."""
    if x.dtype.kind not in "fc" or x.dtype.itemsize == 2:
        raise no_kernel(kernel, x)


def check_same(x, y, name, of_x="A", of_y="B"):
    """Raise RuntimeError for different dtypes."""
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"{name}: Expected {of_x} and {of_y} to have the same dtype, but found {of_x} of type {dtype_name(x)} and "
            f"{of_y} of type {dtype_name(y)} instead"
        )


def check_system(a, b, name, left=True):
    """Raise RuntimeError unless A X = B (``left``) or X A = B makes sense."""
    check_square(a, name + ": ")
    if a.shape[-2] != b.shape[-2 if left else -1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX' if left else 'XA'} = B "
            f"({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )


def check_old_system(b, a, name):
    """Like ``check_system``, in the words of older functions."""
    if a.shape[-1] != a.shape[-2]:
        check_square(a, "" if name[:6] != "torch." else name + ": ")
    if a.shape[-2] != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {a.shape[-1]} by {a.shape[-1]} but each b matrix is "
            f"{b.shape[-2]} by {b.shape[-1]}"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {dtype_name(b)} and A of type {dtype_name(a)} instead."
        )


def check_two(x, name):
    """Raise RuntimeError for fewer than two dimensions, in the words of the LU functions."""
    if x.ndim < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {shape_text(x.shape)} instead")


# Reports -------------------------------------------------------------------------------------------------------------------


def report(info, name, text, error=LinAlgError):
    """Raise ``error`` for the first matrix whose ``info`` is not zero; ``{}`` in the text stands for it."""
    if not info.any():
        return
    place = int(np.flatnonzero(info)[0])
    where = f"(Batch element {place}): " if info.ndim else ""
    raise error(f"{name}: {where}{text.format(info.reshape(-1)[place])}")


SINGULAR = (
    "The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular."
)
UNSOLVABLE = "The solver failed because the input matrix is singular."
NOT_POSITIVE = (
    "The factorization could not be completed because the input is not positive-definite (the leading minor of order {} is "
    "not positive-definite)."
)
ZERO_PIVOT = (
    "U[{0},{0}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
    "factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)


def not_converged(name, what):
    """The error for an iteration that did not converge."""
    return LinAlgError(f"{name}: The algorithm failed to converge because the input matrix {what}.")


# In formulas -----------------------------------------------------------------------------------------------------------------


def raw(x):
    """The array of a value that a formula sees, for decisions that depend on numbers."""
    return elements(x) if isinstance(x, Tensor) else x


def check_phase(x, name, text):
    """Raise RuntimeError unless the imaginary part of a gradient along a phase is zero, as it is for all well-defined losses."""
    x = raw(x)
    if x.dtype.kind == "c" and not np.allclose(x.imag, 0, rtol=1e-2, atol=1e-2):
        raise RuntimeError(
            f"{name}: The {text} in the complex case are specified up to multiplication by e^{{i phi}}. The specified loss "
            + ("function depends on this quantity, so it is ill-defined." if name != "svd_backward" else
               "function depends on this phase term, making it ill-defined.")
        )


def differences(xp, w):
    """The matrix of w_j - w_i, with ones on its diagonal."""
    return w[..., None, :] - w[..., :, None] + xp.eye(w.shape[-1], w)


def hermitian_from_upper(xp, x):
    """The Hermitian matrix whose part above the diagonal is that of ``x``."""
    above = xp.triu(x, 1)
    return above + xp.adjoint(above) + xp.diag_embed(xp.real(xp.diagonal(x, 0, -2, -1)))


def complex_dtype(x):
    """The complex dtype beside that of the array; raises RuntimeError for a dtype that has none."""
    if x.dtype.kind == "V" or x.dtype.name == "bfloat16":
        raise no_kernel("linalg_eig_out_cpu", x)
    if x.dtype.kind not in "fc":
        raise RuntimeError(f"Unknown Complex ScalarType for {dtype_name(x)}")
    return np.result_type(x.dtype, np.complex64)


def check_int32(x, text):
    """Raise RuntimeError unless the pivots are int32."""
    if x.dtype != _INT32:
        raise RuntimeError(text)


def wants_gradient(x):
    """Whether ``x`` is a tensor of which a gradient or a tangent may be asked."""
    return isinstance(x, Tensor) and (x.requires_grad or x._wrapped)
