"""Products of vectors, matrices and stacks of matrices; ``linear``.  (Sums of products over chosen axes: ``einsum.py``.)"""

import functools
import math
import warnings

import numpy as np

from .._arrays import vocabulary as arrays
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name
from .._base.errors import check_sizes, not_a_tensor, shape_text
from .._core.families import Bilinear, General, op
from .._core.inplace import check_writable, op_
from .._core.out import write_out
from .._core.tensor import Tensor
from .batches import aligned

__all__ = [
    "mm", "bmm", "mv", "dot", "vdot", "outer", "ger", "matmul", "addmm", "addmv", "addmv_", "addr",
    "addbmm", "baddbmm", "spmm",
]
METHODS = (
    "addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ bmm dot ger matmul mm mv outer vdot "
    "__matmul__ __rmatmul__"
)

_F32, _F64 = np.dtype("float32"), np.dtype("float64")


# Kernels, and what is said of operands that do not fit ---------------------------------------------------------------------


def product(x, y, name="addmm_impl_cpu_"):
    """The product of two arrays of one or two axes and one dtype."""
    dtype = x.dtype
    if dtype is _F32 or dtype is _F64:
        return x.dot(y)  # 0.37 against np.matmul's 0.84 us
    if _none(x, y) and x.ndim + y.ndim > 2:
        return x.dot(y)
    return _wide(x, name).dot(_wide(y, name)).astype(dtype, copy=False)


def batched_product(x, y, name="bmm"):
    """The product of stacks of matrices of one dtype; leading axes broadcast."""
    dtype = x.dtype
    if dtype is _F32 or dtype is _F64:
        return arrays.matmul(x, y)
    if _none(x, y):
        return arrays.matmul(x, y)
    return arrays.matmul(_wide(x, name), _wide(y, name)).astype(dtype, copy=False)


def _none(x, y):
    """Whether there is nothing to multiply, which no dtype is refused for."""
    return not (x.size and y.size)


def _is_half(dtype):
    """Whether the dtype is one of the floating-point ones of 16 bits."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def product_plus(b, x, y, beta, alpha, multiply=product, name="addmm_impl_cpu_"):
    """beta b + alpha x y, by one of the kernels for products; half precision is rounded once, at the end."""
    dtype = x.dtype
    if dtype is _F32 or dtype is _F64 or not _is_half(dtype):
        return scaled_sum(b, beta, multiply(x, y, name), alpha)
    return scaled_sum(_wide(b, name), beta, multiply(_wide(x, name), _wide(y, name), name), alpha).astype(dtype)


def _wide(x, name):
    """``x``, half precision as single: products are summed there."""
    if x.dtype.kind == "b":
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")
    return x.astype(_F32) if _is_half(x.dtype) else x


def scaled_sum(b, beta, z, alpha):
    """beta b + alpha z, where z may be written to; b broadcasts to z, and is not looked at where beta is 0."""
    if alpha != 1:
        z *= np.asarray(alpha).astype(z.dtype)
    if beta == 0:
        return z
    if beta != 1:
        b = b * np.asarray(beta).astype(b.dtype)
    try:
        z += b
    except ValueError:
        raise cannot_expand(b.shape, z.shape) from None
    return z


def times(g, c):
    """g c, for a number c that is mostly 1."""
    return g if c == 1 else g * c


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


def _c_type(x):
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
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {_c_type(x)} != {_c_type(y)}")


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
    def forward(x, y):
        dtype = x.dtype
        if x.ndim != 2 or y.ndim != 2 or y.dtype is not dtype: check_mm(x, y)
        return x.dot(y) if dtype is _F32 or dtype is _F64 else product(x, y)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(*xs) from None
    def vjp_x(xp, g, y): return xp.dot(g, xp.matrix_transpose(y))
    def vjp_y(xp, g, x): return xp.dot(xp.matrix_transpose(x), g)
_mm = op(MmBackward0)


class BmmBackward0(Product):
    """z = x y, matrix by matrix: (b, n, k) @ (b, k, m) -> (b, n, m)."""
    names = {"x": "self", "y": "mat2"}
    def forward(x, y):
        check_bmm(x, y)
        if x.dtype != y.dtype: raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
        return batched_product(x, y)
    def vjp_x(xp, g, y): return xp.matmul(g, xp.matrix_transpose(y))
    def vjp_y(xp, g, x): return xp.matmul(xp.matrix_transpose(x), g)
_bmm = op(BmmBackward0)


class MvBackward0(Product):
    """z = x y: (n, k) @ (k,) -> (n,)."""
    names = {"x": "self", "y": "vec"}
    def forward(x, y):
        if x.ndim != 2 or y.ndim != 1 or x.dtype is not y.dtype or x.shape[1] != y.shape[0]:
            check_mv(np.empty(x.shape[:1], y.dtype), x, y)
        return product(x, y, "addmv_impl_cpu")
    def vjp_x(xp, g, y): return g[:, None] * y
    def vjp_y(xp, g, x): return xp.dot(xp.matrix_transpose(x), g)
_mv = op(MvBackward0)


def check_dot(name, x, y):
    """Raise RuntimeError unless x and y are vectors of one length and dtype."""
    if x.ndim != 1 or y.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {y.ndim}D tensors")
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"{name} : expected both vectors to have same dtype, but found {dtype_name(x)} and {dtype_name(y)}"
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
        if x.ndim != 1 or y.ndim != 1 or x.dtype is not y.dtype or x.size != y.size: check_dot("dot", x, y)
        return product(x, y, "dot")
    def vjp_x(xp, g, y): return g * y
    def vjp_y(xp, g, x): return g * x
_dot = op(DotBackward0)


class VdotBackward0(Bilinear):
    """z = conj(x) . y: (k,), (k,) -> ().  Not holomorphic in x."""
    def batch(call, xs, batched, params, size): return Product.batch(call, (xs[0].conj(), xs[1]), batched, params, size)
    names = {"x": "self", "y": "other"}
    def forward(x, y):
        check_dot("vdot", x, y)
        return product(x if x.dtype.kind != "c" else x.conj(), y, "vdot")
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


def _ndims(function, names, x, y):
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
        n, m = _ndims("matmul", ("input", "other"), x, y)
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
    """The product of vectors, matrices or stacks of matrices; leading axes broadcast.

    Vectors: their dot product.  ``(..., n, k) @ (..., k, m) -> (..., n, m)``; a vector counts as a row on the left, as a column
    on the right.  Raises RuntimeError for 0-dim operands, sizes that do not fit, or different dtypes.

    >>> import minigrad
    >>> minigrad.matmul(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1., 1.]))
    tensor([3., 7.])
    """
    return _matmul(input, other) if out is None else write_out(out, _matmul, input, other)


def __matmul__(self, other):
    return _matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def __rmatmul__(self, other):
    return _matmul(other, self) if isinstance(other, Tensor) else NotImplemented


def mm(input, mat2, *, out=None):
    """The product of two matrices, ``(n, k) @ (k, m) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.mm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
    return _mm(input, mat2) if out is None else _mm.into(out, input, mat2)


def spmm(input, mat2):
    """As ``mm``: the product of a sparse matrix and a dense one, of which both are dense here.

    >>> import minigrad
    >>> minigrad.spmm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
    return mm(input, mat2)


def bmm(input, mat2, *, out=None):
    """The products of two stacks of matrices, ``(b, n, k) @ (b, k, m) -> (b, n, m)``.

    >>> import minigrad
    >>> minigrad.bmm(minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([3., 3.])
    """
    return _bmm(input, mat2) if out is None else _bmm.into(out, input, mat2)


def mv(input, vec, *, out=None):
    """The product of a matrix and a vector, ``(n, k) @ (k,) -> (n,)``.

    >>> import minigrad
    >>> minigrad.mv(minigrad.ones(2, 3), minigrad.ones(3))
    tensor([3., 3.])
    """
    return _mv(input, vec) if out is None else _mv.into(out, input, vec)


def dot(input, tensor, *, out=None):
    """The sum of the products of two vectors' elements.

    >>> import minigrad
    >>> minigrad.dot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor(11.)
    """
    return _dot(input, tensor) if out is None else _dot.into(out, input, tensor)


def vdot(input, other, *, out=None):
    """As ``dot``, with ``input`` conjugated.

    >>> import minigrad
    >>> minigrad.vdot(minigrad.tensor([1j]), minigrad.tensor([1j]))
    tensor(1.+0.j)
    """
    return _vdot(input, other) if out is None else _vdot.into(out, input, other)


def _outer(x, y):
    for name, v in (("self", x), ("vec2", y)):
        if v.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {v.ndim}-D")
    return x.reshape(-1, 1) * y if x.numel() else x.unsqueeze(1) * y


@composite
def outer(input, vec2, *, out=None):
    """The products of all pairs of two vectors' elements: ``(n,), (m,) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    return _outer(input, vec2) if out is None else write_out(out, _outer, input, vec2)


ger = outer


# Products with something added ----------------------------------------------------------------------------------------------


def _check_summands(b, x, y):
    if x.dtype != y.dtype:
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {dtype_name(x)} and {dtype_name(y)}")
    if b.dtype != x.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {dtype_name(b)} and {dtype_name(x)}")


class Summed(General):
    """A multiple of b plus one of a product: for a batch, the two are computed one after the other."""
    __slots__ = ()
    multiply = staticmethod(Product.batch)
    def batch(call, xs, batched, params, size):
        b, x, y = xs
        beta, alpha = params
        z = call.op.multiply(call, (x, y), batched[1:], (), size)
        ndim = z._array.ndim - (True in batched[1:])
        z = times(z, alpha)
        if beta == 0: return z if True in batched[1:] else z.expand(size, *z.shape)
        return times(aligned(b, batched[0], ndim), beta) + z


class AddmmBackward0(Summed):
    """z = beta b + alpha x y: (n, k) @ (k, m) -> (n, m), to which b broadcasts."""
    autocast = "lower"
    operands, names = "b x y", {"b": "self", "x": "mat1", "y": "mat2"}
    def forward(b, x, y, beta, alpha):
        for name, m in (("mat1", x), ("mat2", y)):
            if m.ndim != 2: raise RuntimeError(f"{name} must be a matrix, got {m.ndim}-D tensor")
        _check_summands(b, x, y)
        return product_plus(b, x, y, beta, alpha)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(*xs[1:]) from None
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.dot(g, xp.matrix_transpose(y)), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.dot(xp.matrix_transpose(x), g), alpha)
    mult_adds, result_shape = Product.mult_adds, Product.result_shape
_addmm, _addmm_ = op(AddmmBackward0), op_(AddmmBackward0)


class AddmvBackward0(Summed):
    """z = beta b + alpha x y: (n, k) @ (k,) -> (n,), to which b broadcasts."""
    operands, names = "b x y", {"b": "self", "x": "mat", "y": "vec"}
    def forward(b, x, y, beta, alpha):
        check_mv(b, x, y)
        return product_plus(b, x, y, beta, alpha, product, "addmv_impl_cpu")
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(g[:, None] * y, alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.dot(xp.matrix_transpose(x), g), alpha)
_addmv, _addmv_ = op(AddmvBackward0), op_(AddmvBackward0)


class AddrBackward0(Summed):
    """z = beta b + alpha x yᵀ: (n,), (m,) -> (n, m), to which b broadcasts; dtypes promote."""
    operands, names = "b x y", {"b": "self", "x": "vec1", "y": "vec2"}
    def multiply(call, xs, batched, params, size): return xs[0].unsqueeze(-1) * xs[1].unsqueeze(-2)
    def forward(b, x, y, beta, alpha):
        for name, v in (("vec1", x), ("vec2", y)):
            if v.ndim != 1: raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {v.ndim}-D")
        z = x[:, None] * y
        if z.dtype.kind == "b":
            return z & (alpha != 0) | (b & (beta != 0))
        return scaled_sum(b, beta, z, alpha)
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.dot(g, y), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.dot(xp.matrix_transpose(g), x), alpha)
_addr_of_one_dtype, _addr_ = op(AddrBackward0), op_(AddrBackward0)


class AddbmmBackward0(Summed):
    """z = beta b + alpha (sum over the stack of x y): (s, n, k) @ (s, k, m) -> (n, m), to which b broadcasts."""
    autocast = "lower"
    operands, names = "b x y", {"b": "self", "x": "batch1", "y": "batch2"}
    def multiply(call, xs, batched, params, size): return Product.batch(call, xs, batched, params, size).sum(-3)
    def forward(b, x, y, beta, alpha):
        check_bmm_summed(x, y)
        _check_summands(b, x, y)
        s, n, k = x.shape
        return scaled_sum(b, beta, product(x.transpose(1, 0, 2).reshape(n, s * k), y.reshape(s * k, y.shape[2])), alpha)
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.matmul(g, xp.matrix_transpose(y)), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.matmul(xp.matrix_transpose(x), g), alpha)
_addbmm, _addbmm_ = op(AddbmmBackward0), op_(AddbmmBackward0)


def check_bmm_summed(x, y):
    """As ``check_bmm``, in the words of ``addbmm``."""
    if x.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if y.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if x.shape[0] != y.shape[0]:
        raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {x.shape[0]} and {y.shape[0]}")
    if x.shape[2] != y.shape[1]:
        raise RuntimeError(
            f"Incompatible matrix sizes for bmm ({x.shape[1]}x{x.shape[2]} and {y.shape[1]}x{y.shape[2]})"
        )


class BaddbmmBackward0(Summed):
    """z = beta b + alpha x y, matrix by matrix: (s, n, k) @ (s, k, m) -> (s, n, m), to which b broadcasts."""
    autocast = "lower"
    operands, names = "b x y", {"b": "self", "x": "batch1", "y": "batch2"}
    def forward(b, x, y, beta, alpha):
        check_bmm(x, y)
        if not b.dtype == x.dtype == y.dtype:
            raise RuntimeError(
                f"Input dtypes must be the same, got: input {_c_type(b)}, batch1: {_c_type(x)}, batch2: {_c_type(y)}"
            )
        return product_plus(b, x, y, beta, alpha, batched_product, "baddbmm")
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.matmul(g, xp.matrix_transpose(y)), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.matmul(xp.matrix_transpose(x), g), alpha)
    mult_adds, result_shape = Product.mult_adds, Product.result_shape
_baddbmm, _baddbmm_ = op(BaddbmmBackward0), op_(BaddbmmBackward0)


def _check_factors(name, operands, beta, alpha):
    """Raise RuntimeError for complex factors of a product that is not complex."""
    for shown, c in (("beta", beta), ("alpha", alpha)):
        if isinstance(c, complex) and not any(isinstance(x, Tensor) and x.is_complex() for x in operands):
            raise RuntimeError(f"For non-complex input tensors, argument {shown} must not be a complex number.")


def takes_leading_factors(function):
    """Let ``function(input, x, y, *, beta, alpha)`` also be called with PyTorch's oldest orders of arguments, as of 2017.

    They have the factors before what they multiply: ``f(beta, input, alpha, x, y)``, ``f(beta, input, x, y)``; and as methods
    ``input.f(beta, alpha, x, y)``, ``input.f(beta, x, y)``.
    """
    @functools.wraps(function)
    def call(*args, **kwargs):
        if len(args) in (4, 5):
            tensors = [x for x in args if isinstance(x, Tensor)]
            factors = [x for x in args if isinstance(x, (int, float, complex))]
            if len(tensors) == 3 and len(factors) == len(args) - 3 and all(x is y for x, y in zip(args[-2:], tensors[1:])):
                name = function.__name__
                warnings.warn(
                    f"This overload of {name} is deprecated:\n\t{name}(Number beta, Tensor input, Number alpha, ...)\n"
                    f"Consider using one of the following signatures instead:\n\t{name}(Tensor input, ..., *, Number beta = 1, "
                    "Number alpha = 1, ...)",
                    stacklevel=2,
                )
                return function(*tensors, **dict(zip(("beta", "alpha"), factors)), **kwargs)
        return function(*args, **kwargs)
    return call


@takes_leading_factors
def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """``beta * input + alpha * mat1 @ mat2`` for matrices; ``input`` broadcasts to the product, and is ignored for beta 0.

    >>> import minigrad
    >>> minigrad.addmm(minigrad.tensor([1., 2.]), minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[4., 5.]])
    """
    operands = (input, mat1, mat2)
    _check_factors("addmm", operands, beta, alpha)
    return _addmm(*operands, beta, alpha) if out is None else _addmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def addmm_(input, mat1, mat2, *, beta=1, alpha=1):
    """As ``addmm``, written into ``input``, which must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(1, 1).addmm_(minigrad.tensor([[1., 2.]]), minigrad.tensor([[3.], [4.]]))
    tensor([[12.]])
    """
    return _addmm_(input, mat1, mat2, beta, alpha)


@takes_leading_factors
def addmv(input, mat, vec, *, beta=1, alpha=1, out=None):
    """``beta * input + alpha * mat @ vec``; ``input`` broadcasts to the product, and is ignored for beta 0.

    ``mat`` is (n, m), ``vec`` (m,), the result (n,); all of one dtype.

    >>> import minigrad
    >>> minigrad.addmv(minigrad.tensor([1., 2.]), minigrad.ones(2, 3), minigrad.ones(3))
    tensor([4., 5.])
    """
    operands = (input, mat, vec)
    _check_factors("addmv", operands, beta, alpha)
    return _addmv(*operands, beta, alpha) if out is None else _addmv.into(out, *operands, beta, alpha)


@takes_leading_factors
def addmv_(input, mat, vec, *, beta=1, alpha=1):
    """As ``addmv``, written into ``input``, which must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(2).addmv_(minigrad.eye(2), minigrad.tensor([3., 4.]))
    tensor([4., 5.])
    """
    return _addmv_(input, mat, vec, beta, alpha)


def _addr(input, vec1, vec2, beta, alpha):
    operands = (input, vec1, vec2)
    if all(isinstance(x, Tensor) for x in operands):
        common = dtypes.promote_types(dtypes.promote_types(input.dtype, vec1.dtype), vec2.dtype)
        for shown, c in (("beta", beta), ("alpha", alpha)):
            if isinstance(c, float) and common.category < dtypes.FLOATING:
                raise RuntimeError(f"For integral input tensors, argument {shown} must not be a floating point number.")
        operands = tuple(x if x.dtype is common else x.to(common) for x in operands)
    return _addr_of_one_dtype(*operands, beta, alpha)


@takes_leading_factors
def addr(input, vec1, vec2, *, beta=1, alpha=1, out=None):
    """``beta * input + alpha * outer(vec1, vec2)``; ``input`` broadcasts to the product, and is ignored for beta 0.

    ``vec1`` is (n,), ``vec2`` (m,), the result (n, m).

    >>> import minigrad
    >>> minigrad.addr(minigrad.ones(2, 2), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor([[4., 5.],
            [7., 9.]])
    """
    _check_factors("addr", (input, vec1, vec2), beta, alpha)
    return _addr(input, vec1, vec2, beta, alpha) if out is None else write_out(out, _addr, input, vec1, vec2, beta, alpha)


@takes_leading_factors
def addr_(input, vec1, vec2, *, beta=1, alpha=1):
    """As ``addr``, written into ``input``, which must have the shape of the product.

    >>> import minigrad
    >>> minigrad.zeros(2, 2).addr_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    return _addr_(input, vec1, vec2, beta, alpha)


@takes_leading_factors
def addbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """``beta * input + alpha * sum of the products of two stacks of matrices``; ``input`` is ignored for beta 0.

    >>> import minigrad
    >>> minigrad.addbmm(minigrad.zeros(1, 1), minigrad.ones(5, 1, 3), minigrad.ones(5, 3, 1))
    tensor([[15.]])
    """
    operands = (input, batch1, batch2)
    _check_factors("addbmm", operands, beta, alpha)
    return _addbmm(*operands, beta, alpha) if out is None else _addbmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def addbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    """As ``addbmm``, written into ``input``, which grows to the shape of the product where it has to broadcast, as in PyTorch.

    >>> import minigrad
    >>> minigrad.zeros(1, 1).addbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
    tensor([[11.]])
    """
    if batch1.ndim == batch2.ndim == 3 and input.shape != (batch1.shape[1], batch2.shape[2]):
        check_writable(input)
        product = addbmm(input, batch1, batch2, beta=beta, alpha=alpha)
        input._array, input._storage, input._node = product._array, product._storage, product._node
        return input
    return _addbmm_(input, batch1, batch2, beta, alpha)


@takes_leading_factors
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """``beta * input + alpha * bmm(batch1, batch2)``; ``input`` broadcasts to the product, and is ignored for beta 0.

    ``batch1`` is (b, n, m), ``batch2`` (b, m, p), the result (b, n, p); all of one dtype.

    >>> import minigrad
    >>> minigrad.baddbmm(minigrad.ones(2, 1, 1), minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([4., 4.])
    """
    operands = (input, batch1, batch2)
    _check_factors("baddbmm", operands, beta, alpha)
    return _baddbmm(*operands, beta, alpha) if out is None else _baddbmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def baddbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    """As ``baddbmm``, written into ``input``, which must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(1, 1, 1).baddbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
    tensor([[[12.]]])
    """
    return _baddbmm_(input, batch1, batch2, beta, alpha)


# linear: one node for what is transpose and product in PyTorch --------------------------------------------------------------


def _check_linear(b, x, w):
    if b is None:
        if x.dtype != w.dtype:
            raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {_c_type(x)} != {_c_type(w)}")
    else:
        _check_summands(b, x, w)


class Affine(General):
    """z = x wᵀ + b: samples are further rows, unless they differ in the weight or the bias."""
    autocast = "lower"
    __slots__ = ()
    def aten_operands(*operands): return (*operands[:-1], operands[-1].t())
    def batch(call, xs, batched, params, size):
        b, x, w = xs if len(xs) == 3 else (None, *xs)
        of_b, of_x, of_w = batched if len(xs) == 3 else (False, *batched)
        if not of_w and not of_b:
            return linear(x, w, b)
        z = Product.batch(call, (x, w.transpose(-2, -1)), (of_x, of_w), (), size)
        return z if b is None else z + aligned(b, of_b, z._array.ndim - (of_x or of_w))
    def mult_adds(x, w): return math.prod(x) * w[0]
    def result_shape(x, w): return *x[:-1], w[0]
    def inputs(name, b, x, w):
        if name == "linear": return (x, w, b) if b else (x, w)
        w = w._replace(shape=w.shape[::-1], strides=w.strides[::-1])
        return (b, x, w, 1, 1) if b else (x, w)


def rows_times(xp, g, w, shape):
    """g w, one product of all rows of g, in a shape: (..., m), (m, k) -> (..., k)."""
    return xp.dot(g, w) if g.ndim < 3 else xp.reshape(xp.dot(xp.as_rows(g), w), shape)


def sum_of_outer(xp, g, x):
    """gᵀ x, summed over all rows: (..., m), (..., k) -> (m, k)."""
    if g.ndim == 1: return xp.expand_dims(g, 1) * x
    return xp.dot(xp.matrix_transpose(xp.as_rows(g)), xp.as_rows(x))


class LinearMatrixBias(Affine, node="AddmmBackward0"):
    """z = x wᵀ + b: (n, k), (m, k), (m,) -> (n, m)."""
    aten = "addmm.default"
    public, _saved_alpha, _saved_beta = "linear", 1, 1
    operands, names = "b x w", {"b": "bias", "x": "mat1", "w": "mat2"}
    def forward(b, x, w):
        dtype = x.dtype
        if w.dtype is not dtype or b.dtype is not dtype: _check_linear(b, x, w)
        if dtype is _F32 or dtype is _F64: z = x.dot(w.T)
        elif _is_half(dtype): return product_plus(b, x, w.T, 1, 1)
        else: z = product(x, w.T)
        z += b
        return z
    def refuse(error, xs, params):
        b, x, w = xs
        if isinstance(error, ValueError):
            raise do_not_multiply(x, w.T) if x.shape[-1] != w.shape[1] else cannot_expand(
                b.shape, (math.prod(x.shape[:-1]), w.shape[0])
            ) from None
    def vjp_b(xp, g, b_shape): return xp.sum_to(g, b_shape)
    def vjp_x(xp, g, w):       return xp.dot(g, w)
    def vjp_w(xp, g, x):       return xp.dot(xp.matrix_transpose(g), x)
_affine = op(LinearMatrixBias)


class LinearRowsBias(Affine, node="ViewBackward0"):
    """z = x wᵀ + b: (..., k), (m, k), (m,) -> (..., m), one product of all rows of x."""
    aten = "addmm.default"
    public = "linear"
    operands, names = "b x w", {"b": "bias", "x": "input", "w": "weight"}
    refuse = LinearMatrixBias.refuse
    def forward(b, x, w): return LinearMatrixBias.forward(b, arrays.as_rows(x), w).reshape(*x.shape[:-1], w.shape[0])
    def vjp_b(xp, g, b_shape):    return xp.sum_to(xp.as_rows(g) if g.ndim > 2 else g, b_shape)
    def vjp_x(xp, g, w, x_shape): return rows_times(xp, g, w, x_shape)
    def vjp_w(xp, g, x):          return sum_of_outer(xp, g, x)
_affine_rows = op(LinearRowsBias)


class LinearMatrix(Affine, Bilinear, node="MmBackward0"):
    """z = x wᵀ: (n, k), (m, k) -> (n, m)."""
    aten = "mm.default"
    public, operands, names = "linear", "x w", {"x": "self", "w": "mat2"}
    def forward(x, w):
        if x.dtype is not w.dtype: _check_linear(None, x, w)
        return product(x, w.T)
    def refuse(error, xs, params):
        if isinstance(error, ValueError): raise do_not_multiply(xs[0], xs[1].T) from None
    def vjp_x(xp, g, w): return xp.dot(g, w)
    def vjp_w(xp, g, x): return xp.dot(xp.matrix_transpose(g), x)
_map = op(LinearMatrix)


class LinearRows(Affine, Bilinear, node="UnsafeViewBackward0"):
    """z = x wᵀ: (..., k), (m, k) -> (..., m), one product of all rows of x."""
    aten = "mm.default"
    public, operands, names = "linear", "x w", {"x": "input", "w": "weight"}
    refuse = LinearMatrix.refuse
    def forward(x, w): return LinearMatrix.forward(arrays.as_rows(x), w).reshape(*x.shape[:-1], w.shape[0])
    def vjp_x(xp, g, w, x_shape): return rows_times(xp, g, w, x_shape)
    def vjp_w(xp, g, x):          return sum_of_outer(xp, g, x)
_map_rows = op(LinearRows)


def linear(input, weight, bias=None, *, out=None):
    """``input @ weight.T + bias``: ``(..., k), (m, k), (m,) -> (..., m)``; a 1-dim weight ``(k,)`` gives ``(...,)``.

    Raises RuntimeError for sizes that do not fit or different dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.linear(minigrad.ones(1, 3), minigrad.ones(2, 3), minigrad.tensor([0., 1.]))
    tensor([[3., 4.]])
    """
    if out is not None:
        return write_out(out, linear, input, weight, bias)
    try:
        n, m = input._array.ndim, weight._array.ndim  # 0.1 us less than through the property
    except AttributeError:
        n, m = _ndims("linear", ("input", "weight"), input, weight)
    if m == 2:
        if n == 2:
            return _map(input, weight) if bias is None else _affine(bias, input, weight)
        if n:
            return _map_rows(input, weight) if bias is None else _affine_rows(bias, input, weight)
    if not n or not m:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {n}D and {m}D")
    if m > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {m}D")
    if bias is not None and n > 1:
        raise RuntimeError("mat2 must be a matrix, got 1-D tensor")
    z = _matmul(input, weight)
    return z if bias is None else z + bias
