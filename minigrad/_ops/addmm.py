"""Products with something added: ``addmm`` and those like it."""

import functools
import math

import numpy as np

from .._base import dtypes
from .._base.dtypes import dtype_name
from .._base.errors import check_integer_range, type_name
from .._core.families import General, op
from .._core.inplace import check_writable, op_
from .._core.out import write_out
from .._core.tensor import Tensor
from .batches import aligned
from .leading_factors import takes_leading_factors
from .matmul import (
    F32,
    Product,
    batched_product,
    c_type,
    check_bmm,
    check_last_sizes,
    check_mv,
    do_not_multiply,
    is_half,
    product,
    product_plus,
    scaled_sum,
)
from .scalars import number_of

__all__ = ["addbmm", "addmm", "addmv", "addmv_", "addr", "baddbmm"]
METHODS = "addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_"


def times(g, c):
    """g c, for a number c that is mostly 1; half precision is rounded once, not the number too."""
    if c == 1:
        return g
    if g.__class__ is np.ndarray and is_half(g.dtype):
        return (g.astype(F32) * c).astype(g.dtype)
    return g * c


def check_summands(b, x, y):
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
    out_dtype = "result"
    autocast = "lower"
    operands, names = "b x y", {"b": "self", "x": "mat1", "y": "mat2"}
    def forward(b, x, y, beta, alpha):
        for name, m in (("mat1", x), ("mat2", y)):
            if m.ndim != 2: raise RuntimeError(f"{name} must be a matrix, got {m.ndim}-D tensor")
        check_summands(b, x, y)
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
    out_dtype = "result"
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
        check_summands(b, x, y)
        s, n, k = x.shape
        if not math.isfinite(abs(alpha)) and s and x.dtype.kind in "fc":  # PyTorch scales each product, and none without elements
            products = (product(p, q) for p, q in zip(x, y)) if k else ()
            return functools.reduce(lambda z, p: scaled_sum(z, 1, p, alpha), products, scaled_sum(b, beta, np.zeros((n, y.shape[2]), b.dtype), 0))
        return product_plus(b, x.transpose(1, 0, 2).reshape(n, s * k), y.reshape(s * k, y.shape[2]), beta, alpha)
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.matmul(g, xp.matrix_transpose(y)), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.matmul(xp.matrix_transpose(x), g), alpha)
_addbmm, _addbmm_ = op(AddbmmBackward0), op_(AddbmmBackward0)


def check_bmm_summed(x, y):
    """Like ``check_bmm``, in the words of ``addbmm``, and its order."""
    check_last_sizes(x, y)
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
    out_dtype = "result"
    autocast = "lower"
    operands, names = "b x y", {"b": "self", "x": "batch1", "y": "batch2"}
    def forward(b, x, y, beta, alpha):
        check_last_sizes(x, y)
        check_bmm(x, y)
        if not b.dtype == x.dtype == y.dtype:
            if b.dtype.kind == "b" and b.dtype == x.dtype: batched_product(x, x, "baddbmm")  # which says so
            raise RuntimeError(
                f"Input dtypes must be the same, got: input {c_type(b)}, batch1: {c_type(x)}, batch2: {c_type(y)}"
            )
        return product_plus(b, x, y, beta, alpha, batched_product, "baddbmm")
    def vjp_b(xp, g, b_shape, beta): return xp.sum_to(times(g, beta), b_shape)
    def vjp_x(xp, g, y, alpha):      return times(xp.matmul(g, xp.matrix_transpose(y)), alpha)
    def vjp_y(xp, g, x, alpha):      return times(xp.matmul(xp.matrix_transpose(x), g), alpha)
    mult_adds, result_shape = Product.mult_adds, Product.result_shape
_baddbmm, _baddbmm_ = op(BaddbmmBackward0), op_(BaddbmmBackward0)


def _check_factors(beta, alpha):
    """Raise OverflowError for factors that are integers of more than 64 bits, TypeError if the argument is not a number."""
    if beta.__class__ is int:
        check_integer_range(beta)
    elif beta.__class__ is not float:
        _check_factor("beta", beta)
    if alpha.__class__ is int:
        check_integer_range(alpha)
    elif alpha.__class__ is not float:
        _check_factor("alpha", alpha)


def _check_factor(name, value):
    """Raise TypeError if the argument is not a number."""
    if number_of(value) is None:
        raise TypeError(f"argument '{name}' must be Number, not {type_name(value)}")


@takes_leading_factors
def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * mat1 @ mat2`` for matrices; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    >>> import minigrad
    >>> minigrad.addmm(minigrad.tensor([1., 2.]), minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[4., 5.]])
    """
    operands = (input, mat1, mat2)
    _check_factors(beta, alpha)
    return _addmm(*operands, beta, alpha) if out is None else _addmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def addmm_(input, mat1, mat2, *, beta=1, alpha=1):
    """In-place version of ``addmm``; ``input`` must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(1, 1).addmm_(minigrad.tensor([[1., 2.]]), minigrad.tensor([[3.], [4.]]))
    tensor([[12.]])
    """
    return _addmm_(input, mat1, mat2, beta, alpha)


@takes_leading_factors
def addmv(input, mat, vec, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * mat @ vec``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``mat`` is (n, m), ``vec`` (m,), the result (n,); all of one dtype.

    >>> import minigrad
    >>> minigrad.addmv(minigrad.tensor([1., 2.]), minigrad.ones(2, 3), minigrad.ones(3))
    tensor([4., 5.])
    """
    operands = (input, mat, vec)
    _check_factors(beta, alpha)
    return _addmv(*operands, beta, alpha) if out is None else _addmv.into(out, *operands, beta, alpha)


@takes_leading_factors
def addmv_(input, mat, vec, *, beta=1, alpha=1):
    """In-place version of ``addmv``; ``input`` must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(2).addmv_(minigrad.eye(2), minigrad.tensor([3., 4.]))
    tensor([4., 5.])
    """
    _check_factors(beta, alpha)
    return _addmv_(input, mat, vec, beta, alpha)


def _check_addr(operands, beta, alpha):
    """The dtype that operands of ``addr`` have together; raises RuntimeError for factors that do not go with it."""
    common = dtypes.promote_types(dtypes.promote_types(operands[0].dtype, operands[1].dtype), operands[2].dtype)
    for shown, c in (("beta", beta), ("alpha", alpha)):
        c = c if c.__class__ is bool else number_of(c)
        if c.__class__ is bool and common is not dtypes.bool_:
            raise RuntimeError(f"Boolean {shown} only supported for Boolean results.")
        if isinstance(c, float) and common.category < dtypes.FLOATING:
            raise RuntimeError(f"For integral input tensors, argument {shown} must not be a floating point number.")
    return common


def _addr(input, vec1, vec2, beta, alpha):
    operands = (input, vec1, vec2)
    if all(isinstance(x, Tensor) for x in operands):
        common = _check_addr(operands, beta, alpha)
        operands = tuple(x if x.dtype is common else x.to(common) for x in operands)
    return _addr_of_one_dtype(*operands, beta, alpha)


@takes_leading_factors
def addr(input, vec1, vec2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * outer(vec1, vec2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``vec1`` is (n,), ``vec2`` (m,), the result (n, m).

    >>> import minigrad
    >>> minigrad.addr(minigrad.ones(2, 2), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor([[4., 5.],
            [7., 9.]])
    """
    _check_factors(beta, alpha)
    return _addr(input, vec1, vec2, beta, alpha) if out is None else write_out(out, _addr, input, vec1, vec2, beta, alpha)


@takes_leading_factors
def addr_(input, vec1, vec2, *, beta=1, alpha=1):
    """In-place version of ``addr``; ``input`` must have the shape of the product.

    >>> import minigrad
    >>> minigrad.zeros(2, 2).addr_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    _check_factors(beta, alpha)
    operands = (input, vec1, vec2)
    if all(isinstance(x, Tensor) for x in operands):
        common = _check_addr(operands, beta, alpha)
        if not (input.dtype is vec1.dtype is vec2.dtype):
            if not dtypes.can_cast(common, input.dtype):
                names = [dtypes.scalar_type_name(x) for x in (common, input.dtype)]
                raise RuntimeError("result type {} can't be cast to the desired output type {}".format(*names))
            operands = tuple(x.to(common) for x in operands)
            return input.copy_(_addr_of_one_dtype(*operands, beta, alpha))
    return _addr_(*operands, beta, alpha)


@takes_leading_factors
def addbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * (the sum of the matrix products of two batches)``; ``input`` is ignored if ``beta`` is 0.

    >>> import minigrad
    >>> minigrad.addbmm(minigrad.zeros(1, 1), minigrad.ones(5, 1, 3), minigrad.ones(5, 3, 1))
    tensor([[15.]])
    """
    operands = (input, batch1, batch2)
    _check_factors(beta, alpha)
    if out is None:
        return _addbmm(*operands, beta, alpha)
    if all(isinstance(x, Tensor) for x in (out, batch1)) and out.dtype is not batch1.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {dtype_name(out)} and {dtype_name(batch1)}")
    return _addbmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def addbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    """In-place version of ``addbmm``; as in PyTorch, ``input`` grows to the shape of the product where it broadcasts.

    >>> import minigrad
    >>> minigrad.zeros(1, 1).addbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
    tensor([[11.]])
    """
    _check_factors(beta, alpha)
    if batch1.ndim == batch2.ndim == 3 and input.shape != (batch1.shape[1], batch2.shape[2]):
        check_writable(input)
        product = addbmm(input, batch1, batch2, beta=beta, alpha=alpha)
        input._array, input._storage, input._node = product._array, product._storage, product._node
        return input
    return _addbmm_(input, batch1, batch2, beta, alpha)


@takes_leading_factors
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    """Compute ``beta * input + alpha * bmm(batch1, batch2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``batch1`` is (b, n, m), ``batch2`` (b, m, p), the result (b, n, p); all of one dtype.

    >>> import minigrad
    >>> minigrad.baddbmm(minigrad.ones(2, 1, 1), minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([4., 4.])
    """
    operands = (input, batch1, batch2)
    _check_factors(beta, alpha)
    return _baddbmm(*operands, beta, alpha) if out is None else _baddbmm.into(out, *operands, beta, alpha)


@takes_leading_factors
def baddbmm_(input, batch1, batch2, *, beta=1, alpha=1):
    """In-place version of ``baddbmm``; ``input`` must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(1, 1, 1).baddbmm_(minigrad.tensor([[[1., 2.]]]), minigrad.tensor([[[3.], [4.]]]))
    tensor([[[12.]]])
    """
    _check_factors(beta, alpha)
    return _baddbmm_(input, batch1, batch2, beta, alpha)
