"""Products of vectors, matrices and stacks of matrices.  (With something added: ``addmm.py``; over chosen axes: ``einsum.py``.)"""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.copies import cast
from .._arrays.products import FEW
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name
from .._base.errors import check_sizes, dim_out_of_range, not_a_tensor, shape_text
from .._base.guards import explain_failure
from .._base.mixing import unknown_operand
from .._core import interpret  # noqa: F401  (the families hand over to it what needs attention; most operators import it for numbers)
from .._core.families import Bilinear, op
from .._core.out import write_out
from .._core.overriding import operand_met
from .._core.tensor import Tensor

__all__ = ["mm", "bmm", "mv", "dot", "vdot", "outer", "ger", "matmul", "spmm"]
METHODS = "bmm dot ger matmul mm mv outer vdot __matmul__ __rmatmul__"

F32, F64 = np.dtype("float32"), np.dtype("float64")


# Kernels, and what is said of operands that do not fit ---------------------------------------------------------------------


def product(x, y, name="addmm_impl_cpu_"):
    """The product of two arrays of one or two axes and one dtype."""
    dtype = x.dtype
    if dtype is F32 or dtype is F64:
        return arrays.dot(x, y)
    if _none(x, y) and x.ndim + y.ndim > 2:
        return arrays.dot(x, y)
    return cast(arrays.dot(_wide(x, name), _wide(y, name)), dtype)


def batched_product(x, y, name="bmm"):
    """The product of stacks of matrices of one dtype; leading axes broadcast."""
    dtype = x.dtype
    if dtype is F32 or dtype is F64:
        return arrays.matmul(x, y)
    if _none(x, y):
        return arrays.matmul(x, y).astype(dtype, copy=False)  # of bfloat16 it is float32
    return cast(arrays.matmul(_wide(x, name), _wide(y, name)), dtype)


def _none(x, y):
    """Whether there is nothing to multiply, which no dtype is refused for."""
    return not (x.size and y.size)


def is_half(dtype):
    """Whether the dtype is one of the floating-point ones of 16 bits."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def product_plus(b, x, y, beta, alpha, multiply=product, name="addmm_impl_cpu_"):
    """beta b + alpha x y, by one of the kernels for products; half precision is rounded once, at the end."""
    dtype = x.dtype
    if dtype is F32 or dtype is F64 or not is_half(dtype):
        z = multiply(x, y, name)
        if alpha == 0 and multiply is product:  # the product is not looked at, nor are nans in it
            z[...] = 0
        return scaled_sum(b, beta, z, alpha if x.shape[-1] else 1)
    if name == "addmv_impl_cpu":  # the factors too are of half precision there
        factor(alpha, dtype), factor(beta, dtype)
    return cast(scaled_sum(_wide(b, name), beta, multiply(_wide(x, name), _wide(y, name), name), alpha), dtype)


def _wide(x, name):
    """``x``, half precision as single: products are summed there."""
    if x.dtype.kind == "b":
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")
    return cast(x, F32) if is_half(x.dtype) else x


def scaled_sum(b, beta, z, alpha):
    """beta b + alpha z, where z may be written to; b broadcasts to z, and is not looked at where beta is 0."""
    if alpha != 1:
        z *= factor(alpha, z.dtype)
    if beta == 0:
        if b.shape != z.shape:
            expanded(b, z.shape)
        return z
    if beta != 1:
        b = b * factor(beta, b.dtype)
    try:
        z += b
    except ValueError:
        raise cannot_expand(b.shape, z.shape) from None
    return z


def factor(number, dtype):
    """A number as a 0-dim array of ``dtype``; raises RuntimeError where it does not fit."""
    if number.__class__ is float and dtype.kind == "f" and -60000 < number < 60000:
        return np.asarray(number).astype(dtype)
    from .convert import as_number  # most programs never need it

    return as_number(number, dtype, bounded=True)


def expanded(b, shape):
    """``b`` broadcast to a product's shape; raises RuntimeError where it does not."""
    try:
        return np.broadcast_to(b, shape)
    except ValueError:
        raise cannot_expand(b.shape, shape) from None


def cannot_expand(shape, target):
    """The error for a summand that does not broadcast to the product."""
    if len(shape) > len(target):
        return RuntimeError(
            f"expand: the number of sizes provided ({len(target)}) must be greater or equal to the number of dimensions in "
            f"the tensor ({len(shape)}).  Target sizes: {shape_text(target)}.  Tensor sizes: {shape_text(shape)}"
        )
    lead = len(target) - len(shape)
    dim = next(i for i, n in enumerate(shape) if n != 1 and n != target[lead + i]) + lead
    return RuntimeError(
        f"The expanded size of the tensor ({target[dim]}) must match the existing size ({shape[dim - lead]}) at "
        f"non-singleton dimension {dim}.  Target sizes: {shape_text(target)}.  Tensor sizes: {shape_text(shape)}"
    )


def c_type(x):
    return c_name(dtypes.from_numpy_dtype(x.dtype))


def do_not_multiply(x, y):
    """The error for matrices whose inner sizes differ; x may stand for several matrices with the rows of all."""
    rows = math.prod(x.shape[:-1])
    return RuntimeError(
        f"mat1 and mat2 shapes cannot be multiplied ({rows}x{x.shape[-1]} and {y.shape[0]}x{y.shape[1]})"
    )


def check_mm(x, y):
    """Raise RuntimeError unless x and y are matrices of one dtype."""
    if x.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if y.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_type(x)} != {c_type(y)}")


def check_mv(b, x, y):
    """Raise RuntimeError unless b + x y fits, for a vector b, a matrix x and a vector y of one dtype."""
    if x.ndim != 2 or y.ndim != 1 or b.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {b.ndim}, {x.ndim}, {y.ndim}")
    if x.shape[1] != y.shape[0] or (b.size != 1 and b.shape[0] != x.shape[0]):
        size = b.shape[0] if b.ndim else 1
        raise RuntimeError(f"size mismatch, got input ({size}), mat ({x.shape[0]}x{x.shape[1]}), vec ({y.shape[0]})")
    if not b.dtype == x.dtype == y.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {dtype_name(b)}, {dtype_name(x)}, and {dtype_name(y)}"
        )


def check_last_sizes(x, y):
    """Raise IndexError for a stack that has no size where the sum of products looks for those of its result."""
    for operand, dim in ((x, 1), (y, 2)):
        if operand.ndim <= dim:
            raise dim_out_of_range(dim, operand.ndim)


def check_bmm(x, y):
    """Raise RuntimeError unless x and y are stacks of matrices that multiply."""
    if x.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if y.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    _check_batch(x.shape[0], x.shape[2], y.shape[0], y.shape[1])


def _check_batch(batch, k, batch_y, k_y):
    if batch != batch_y or k != k_y:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{batch}, {k}] but got: [{batch_y}, {k_y}]."
        )


# Matrices and vectors ------------------------------------------------------------------------------------------------------


class Product(Bilinear):
    """A product of vectors, matrices or stacks: a batch of any of them makes it one of stacks."""
    autocast = "lower"
    __slots__ = ()
    def batch(call, xs, batched, params, size):
        x, y = xs
        n, m = x._array.ndim - batched[0], y._array.ndim - batched[1]
        if m <= 2 and not batched[1]:
            return _matmul(x, y)  # the samples are further rows
        if n == 1: x = x.unsqueeze(-2)
        if m == 1: y = y.unsqueeze(-1)
        lead = max(n, m, 2)
        if batched[0] and n < lead and lead > 2: x = x.reshape(size, *(1,) * (lead - max(n, 2)), *x.shape[1:])
        if batched[1] and m < lead and lead > 2: y = y.reshape(size, *(1,) * (lead - max(m, 2)), *y.shape[1:])
        z = _stacks(x, y)
        if n == 1: z = z.squeeze(-1 if m == 1 else -2)
        return z.squeeze(-1) if m == 1 else z
    def mult_adds(x, y):
        if len(y) == 1: return math.prod(x)
        if len(x) == 1: return math.prod(y)
        return math.prod(np.broadcast_shapes(tuple(x[:-2]), tuple(y[:-2]))) * x[-2] * x[-1] * y[-1]
    def result_shape(x, y): return *np.broadcast_shapes(tuple(x[:-2]), tuple(y[:-2])), *x[-2:-1], *(y[-1:] if len(y) > 1 else ())


class MmBackward0(Product):
    """z = x y: (n, k) @ (k, m) -> (n, m).   [Giles 2008, section 2.2.2]"""
    names = {"x": "self", "y": "mat2"}
    out_dtype = "result"
    def forward(x, y):
        dtype = x.dtype
        if x.ndim != 2 or y.ndim != 2 or y.dtype is not dtype: check_mm(x, y)
        if dtype is F32 or dtype is F64: return x.dot(y) if x.size < FEW else arrays.dot(x, y)
        return product(x, y)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(*xs) from None
    def vjp_x(xp, g, y): return xp.dot(g, xp.matrix_transpose(y))
    def vjp_y(xp, g, x): return xp.dot(xp.matrix_transpose(x), g)
_mm = op(MmBackward0)


class BmmBackward0(Product):
    """z = x y, matrix by matrix: (b, n, k) @ (b, k, m) -> (b, n, m)."""
    names = {"x": "self", "y": "mat2"}
    out_dtype = "result"
    def forward(x, y):
        check_bmm(x, y)
        if x.dtype != y.dtype:
            if not (x.size and y.size): return np.zeros((*x.shape[:2], y.shape[2]), y.dtype)  # nothing is multiplied
            if x.dtype.kind == "b": _wide(x, "bmm")  # which has no kernel
            raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
        return batched_product(x, y)
    def vjp_x(xp, g, y): return xp.matmul(g, xp.matrix_transpose(y))
    def vjp_y(xp, g, x): return xp.matmul(xp.matrix_transpose(x), g)
_bmm = op(BmmBackward0)


class MvBackward0(Product):
    """z = x y: (n, k) @ (k,) -> (n,)."""
    names = {"x": "self", "y": "vec"}
    out_dtype = "result"
    def forward(x, y):
        if x.ndim != 2 or y.ndim != 1 or x.dtype is not y.dtype or x.shape[1] != y.shape[0]:
            if not x.ndim: raise IndexError("Dimension specified as 0 but tensor has no dimensions")
            check_mv(np.empty(x.shape[:1], y.dtype), x, y)
        return product(x, y, "addmv_impl_cpu")
    def vjp_x(xp, g, y): return g[:, None] * y
    def vjp_y(xp, g, x): return xp.dot(xp.matrix_transpose(x), g)
_mv = op(MvBackward0)


def check_dot(x, y):
    """Raise RuntimeError unless x and y are vectors of one length and dtype."""
    if x.ndim != 1 or y.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {y.ndim}D tensors")
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {dtype_name(x)} and {dtype_name(y)}"
        )
    if x.size != y.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor {shape_text(x.shape)} and src {shape_text(y.shape)} to have the "
            f"same number of elements, but got {x.size} and {y.size} elements respectively"
        )


class DotBackward0(Product):
    """z = x . y: (k,), (k,) -> ()."""
    names = {"x": "self", "y": "tensor"}
    def forward(x, y):
        if x.ndim != 1 or y.ndim != 1 or x.dtype is not y.dtype or x.size != y.size: check_dot(x, y)
        return product(x, y, "dot")
    def vjp_x(xp, g, y): return g * y
    def vjp_y(xp, g, x): return g * x
_dot = op(DotBackward0)


class VdotBackward0(Bilinear):
    """z = conj(x) . y: (k,), (k,) -> ().  Not holomorphic in x."""
    def batch(call, xs, batched, params, size): return Product.batch(call, (xs[0].conj(), xs[1]), batched, params, size)
    names = {"x": "self", "y": "other"}
    def forward(x, y):
        check_dot(x, y)
        return product(x.conj(), y, "vdot") if x.dtype.kind == "c" else product(x, y, "dot")
    def vjp_x(xp, g, y): return xp.conj(g * y)
    def vjp_y(xp, g, x): return g * xp.conj(x)
_vdot = op(VdotBackward0)


# matmul: products of operands of any number of axes.  The nodes carry the name of PyTorch's last step. ------------------------


class MatmulVectorMatrix(Product, node="SqueezeBackward4"):
    """z = x y: (k,) @ (k, m) -> (m,)."""
    aten = "mm.default"
    public = "matmul"
    def forward(x, y):
        if x.dtype != y.dtype: check_mm(x[None], y)
        return product(x, y)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(*xs) from None
    def vjp_x(xp, g, y): return xp.dot(y, g)
    def vjp_y(xp, g, x): return x[:, None] * g
_vector_matrix = op(MatmulVectorMatrix)


class MatmulRowsMatrix(Product, node="UnsafeViewBackward0"):
    """z = x y: (..., k) @ (k, m) -> (..., m), one product of all rows of x."""
    aten = "mm.default"
    public = "matmul"
    def forward(x, y):
        if x.dtype is not y.dtype: check_mm(arrays.as_rows(x), y)
        return product(arrays.as_rows(x), y).reshape(*x.shape[:-1], y.shape[1])
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(*xs) from None
    def vjp_x(xp, g, y, x_shape): return xp.reshape(xp.dot(xp.as_rows(g), xp.matrix_transpose(y)), x_shape)
    def vjp_y(xp, g, x):          return xp.dot(xp.matrix_transpose(xp.as_rows(x)), xp.as_rows(g))
_rows_matrix = op(MatmulRowsMatrix)


class MatmulRowsVector(Product, node="UnsafeViewBackward0"):
    """z = x y: (..., n, k) @ (k,) -> (..., n)."""
    aten = "mv.default"
    public = "matmul"
    def forward(x, y):
        rows = arrays.as_rows(x)
        if x.dtype is not y.dtype or rows.shape[1] != y.shape[0]: check_mv(np.empty(rows.shape[:1], y.dtype), rows, y)
        return product(rows, y, "addmv_impl_cpu").reshape(x.shape[:-1])
    def vjp_x(xp, g, y): return g[..., None] * y
    def vjp_y(xp, g, x): return xp.dot(xp.reshape(g, (-1,)), xp.as_rows(x))
_rows_vector = op(MatmulRowsVector)


class MatmulStacks(Product, node="UnsafeViewBackward0"):
    """z = x y: (..., n, k) @ (..., k, m) -> (..., n, m); leading axes broadcast."""
    def aten(operands, params): return "mm.default" if 2 in (operands[0].ndim, operands[1].ndim) else "bmm.default"
    public = "matmul"
    def forward(x, y):
        if x.dtype is not y.dtype or x.shape[-1] != y.shape[-2]: check_stacks(x, y)
        return batched_product(x, y)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): check_stacks(*xs)
    def vjp_x(xp, g, y, x_shape): return xp.sum_to(xp.matmul(g, xp.matrix_transpose(y)), x_shape)
    def vjp_y(xp, g, x, y_shape): return xp.sum_to(xp.matmul(xp.matrix_transpose(x), g), y_shape)
_stacks = op(MatmulStacks)


class MatmulVectorStack(Product, node="UnsafeViewBackward0"):
    """z = x y: (k,) @ (..., k, m) -> (..., m)."""
    aten = "mv.default"
    public = "matmul"
    def forward(x, y):
        if x.dtype is not y.dtype or x.shape[0] != y.shape[-2]: check_stacks(x[None], y)
        return batched_product(x[None], y)[..., 0, :]
    def vjp_x(xp, g, y, x_shape): return xp.sum_to(xp.matmul(y, g[..., None])[..., 0], x_shape)
    def vjp_y(xp, g, x):          return x[:, None] * g[..., None, :]
_vector_stack = op(MatmulVectorStack)


def check_stacks(x, y):
    """Raise RuntimeError unless x and y are stacks of matrices that broadcast and multiply."""
    check_sizes(x.shape[:-2], y.shape[:-2])
    batch = math.prod(np.broadcast_shapes(x.shape[:-2], y.shape[:-2]))
    _check_batch(batch, x.shape[-1], batch, y.shape[-2])
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")


def ndims(function, names, x, y):
    """The numbers of axes of two tensors, which may have no arrays (inside transforms); raises TypeError for what is none."""
    for place, value in enumerate((x, y)):
        if not isinstance(value, Tensor):
            raise not_a_tensor(function, names[place], place + 1, value)
    return x.ndim, y.ndim


@composite("matmul")
def _matmul(x, y):
    try:
        n, m = x._array.ndim, y._array.ndim
    except AttributeError:
        n, m = ndims("matmul", ("input", "other"), x, y)
    if n == 2 and m == 2:
        return _mm(x, y)
    if n == 0 or m == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D")
    if m == 1:
        return _dot(x, y) if n == 1 else _mv(x, y) if n == 2 else _rows_vector(x, y)
    if m == 2:
        return _vector_matrix(x, y) if n == 1 else _rows_matrix(x, y)
    return _vector_stack(x, y) if n == 1 else _stacks(x, y)


def matmul(input, other, *, out=None):
    """Multiply vectors, matrices or batches of matrices; leading dimensions broadcast.

    Two vectors give their dot product. ``(..., n, k) @ (..., k, m) -> (..., n, m)``; a vector counts as a row on the left, as a column on
    the right. Raises RuntimeError for 0-dim operands, sizes that do not fit, or different dtypes.

    >>> import minigrad
    >>> minigrad.matmul(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1., 1.]))
    tensor([3., 7.])
    """
    if out is None:
        return _matmul(input, other)
    if isinstance(out, Tensor) and isinstance(input, Tensor) and isinstance(other, Tensor) and out.dtype is not input.dtype is other.dtype:
        if max(input.ndim, other.ndim) < 2:
            names = [dtypes.scalar_type_name(x.dtype) for x in (out, input)]
            raise RuntimeError("result dtype {} does not match input dtype {}".format(*names))
        raise RuntimeError(f"Expected out tensor to have dtype {c_name(input.dtype)}, but got {c_name(out.dtype)} instead")
    return write_out(out, _matmul, input, other)


def __matmul__(self, other):
    return _matmul(self, other) if isinstance(other, Tensor) or operand_met(other) else unknown_operand(other)


def __rmatmul__(self, other):
    return _matmul(other, self) if isinstance(other, Tensor) or operand_met(other) else unknown_operand(other)


def mm(input, mat2, *, out=None):
    """Multiply two matrices, ``(n, k) @ (k, m) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.mm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
    if out is None:
        return _mm(input, mat2)
    try:
        return _mm.into(out, input, mat2)
    except Exception:
        explain_failure(mm, input, mat2, out)
        raise


def spmm(input, mat2):
    """Multiply a sparse matrix by a dense one, as ``mm`` does; here both are dense.

    >>> import minigrad
    >>> minigrad.spmm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
    return mm(input, mat2)


def bmm(input, mat2, *, out=None):
    """Multiply two batches of matrices, ``(b, n, k) @ (b, k, m) -> (b, n, m)``.

    >>> import minigrad
    >>> minigrad.bmm(minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([3., 3.])
    """
    if out is None:
        return _bmm(input, mat2)
    try:
        return _bmm.into(out, input, mat2)
    except Exception:
        explain_failure(bmm, input, mat2, out)
        raise


def mv(input, vec, *, out=None):
    """Multiply a matrix by a vector, ``(n, k) @ (k,) -> (n,)``.

    >>> import minigrad
    >>> minigrad.mv(minigrad.ones(2, 3), minigrad.ones(3))
    tensor([3., 3.])
    """
    if out is None:
        return _mv(input, vec)
    try:
        return _mv.into(out, input, vec)
    except Exception:
        explain_failure(mv, input, vec, out)
        raise


def dot(input, tensor, *, out=None):
    """Return the dot product of two vectors.

    >>> import minigrad
    >>> minigrad.dot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor(11.)
    """
    if out is None:
        return _dot(input, tensor)
    try:
        _check_vector_out(out, input)
        return _dot.into(out, input, tensor)
    except Exception:
        explain_failure(dot, input, tensor, out)
        raise


def _check_vector_out(out, x):
    """Raise RuntimeError unless ``out`` has the dtype of the vector ``x``."""
    if isinstance(out, Tensor) and isinstance(x, Tensor) and out.dtype is not x.dtype:
        raise RuntimeError(f"result dtype {dtype_name(out)} does not match input dtype {dtype_name(x)}")


def vdot(input, other, *, out=None):
    """Return the dot product of two vectors, with ``input`` conjugated.

    >>> import minigrad
    >>> minigrad.vdot(minigrad.tensor([1j]), minigrad.tensor([1j]))
    tensor(1.+0.j)
    """
    if out is None:
        return _vdot(input, other)
    _check_vector_out(out, input)
    return _vdot.into(out, input, other)


def _outer(x, y):
    for name, v in (("self", x), ("vec2", y)):
        if v.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {v.ndim}-D")
    return x.reshape(-1, 1) * y if x.numel() else x.unsqueeze(1) * y


@composite
def outer(input, vec2, *, out=None):
    """Return the outer product of two vectors: ``(n,), (m,) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    if not isinstance(vec2, Tensor):
        raise not_a_tensor("outer", "vec2", 2, vec2)
    return _outer(input, vec2) if out is None else write_out(out, _outer, input, vec2)


ger = outer
