"""``linear``: one node for what is transpose and product in PyTorch."""

import math

from .._arrays import vocabulary as arrays
from .._arrays.products import FEW
from .._base.guards import explain_failure
from .._core.families import Bilinear, General, op
from .._core.out import write_out
from .._core.overriding import ask_operands, operand_met
from .addmm import check_summands
from .batches import aligned
from .matmul import (
    F32,
    F64,
    Product,
    c_type,
    cannot_expand,
    do_not_multiply,
    is_half,
    matmul,
    ndims,
    product,
    product_plus,
)

__all__ = []


def _check_linear(b, x, w):
    if b is None:
        if x.dtype != w.dtype:
            raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_type(x)} != {c_type(w)}")
    else:
        check_summands(b, x, w)


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
        if dtype is F32 or dtype is F64:
            if x.size >= FEW: return arrays.dot_plus(x, w.T, b)
            z = x.dot(w.T)
        elif is_half(dtype): return product_plus(b, x, w.T, 1, 1)
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
    """Compute ``input @ weight.T + bias``: ``(..., k), (m, k), (m,) -> (..., m)``; a 1-dim weight ``(k,)`` gives ``(...,)``.

    Raises RuntimeError for sizes that do not fit or different dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.linear(minigrad.ones(1, 3), minigrad.ones(2, 3), minigrad.tensor([0., 1.]))
    tensor([[3., 4.]])
    """
    try:
        if out is not None:
            return write_out(out, linear, input, weight, bias)
        try:
            n, m = input._array.ndim, weight._array.ndim  # 0.1 us less than through the property
        except AttributeError:
            if operand_met(input) or operand_met(weight):
                return ask_operands(linear, (input, weight) if bias is None else (input, weight, bias), {})
            n, m = ndims("linear", ("input", "weight"), input, weight)
        if m == 2:
            if n == 2:
                return _map(input, weight) if bias is None else _affine(bias, input, weight)
            if n:
                return _map_rows(input, weight) if bias is None else _affine_rows(bias, input, weight)
        if not n or not m:
            raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {n}D and {m}D")
        if m > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {m}D")
        if bias is None:
            return matmul(input, weight)
        if n == 2 or (bias.ndim == 1 and input.is_contiguous()):  # PyTorch's addmm
            raise RuntimeError("mat2 must be a matrix, got 1-D tensor")
        return matmul(input, weight).add_(bias)
    except Exception:
        explain_failure(linear, input, weight, bias, out)
        raise
