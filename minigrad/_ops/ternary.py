"""Of three operands, element by element: ``lerp``, ``addcmul``, ``addcdiv``."""

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base import dtypes
from .._base.dtypes import c_name, is_complex_type
from .._base.errors import not_a_tensor
from .._core.families import General, fast_classes, op
from .._core.inplace import elementwise_
from .._core.interpret import in_dtype, promotion_rank
from .._core.out import check_operand_dtype, write_out
from .._core.tensor import Tensor
from .batches import pointwise
from .convert import as_dtype, as_number
from .leading_factors import factor_first
from .operands import as_common_tensors, refuse_shapes
from .scalars import as_scalar

__all__ = ["addcdiv", "addcmul", "lerp"]
METHODS = "addcdiv addcdiv_ addcmul addcmul_ lerp lerp_"


class LerpBackward0(General):
    """z = x + weight (y - x), for a number weight."""
    aten = "lerp.Scalar"
    batch, kernel = pointwise, "lerp_kernel_scalar"
    operands, names, refuse = "x y", {"x": "self", "y": "end", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, weight):           return kernels.lerp(x, y, weight)
    def vjp_x(xp, g, weight, x_shape):   return xp.sum_to(g * (1 - weight), x_shape)
    def vjp_y(xp, g, weight, y_shape):   return xp.sum_to(g * weight, y_shape)
class LerpBackward1(General):
    """z = x + w (y - x)."""
    aten = "lerp.Tensor"
    batch, kernel = pointwise, "lerp_kernel_tensor"
    operands, names, refuse = "x y w", {"x": "self", "y": "end", "w": "weight", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, w):                return kernels.lerp(x, y, w)
    def vjp_x(xp, g, w, x_shape):        return xp.sum_to(g * (1 - w), x_shape)
    def vjp_y(xp, g, w, y_shape):        return xp.sum_to(g * w, y_shape)
    def vjp_w(xp, g, x, y, w_shape):     return xp.sum_to(g * (y - x), w_shape)
_lerp_number, _lerp_number_ = op(LerpBackward0), elementwise_(LerpBackward0)
_lerp, _lerp_ = op(LerpBackward1), elementwise_(LerpBackward1)


def _same_dtypes(input, end, weight):
    """``weight`` as it can be used; raises for operands that are no tensors or of several dtypes."""
    for name, place, x in (("input", 1, input), ("end", 2, end)):
        if not isinstance(x, Tensor):
            raise not_a_tensor("lerp", name, place, x)
    for name, x in (("end", end), ("weight", weight)):
        if isinstance(x, Tensor) and x.dtype is not input.dtype and (name == "end" or x._array.ndim or x.dtype.is_complex):
            raise RuntimeError(
                f"expected dtype {c_name(input.dtype)} for `{name}` but got dtype {c_name(x.dtype)}"
            )
    if isinstance(weight, Tensor):
        return as_dtype(weight, input.dtype)
    weight = as_scalar(weight, "lerp", "weight", 3)
    if isinstance(weight, complex) and not is_complex_type(input._array.dtype):
        if not weight.imag:
            return weight.real
        raise RuntimeError(f"value cannot be converted to type {c_name(input.dtype)} without overflow")
    return weight


def lerp(input, end, weight, *, out=None):
    """Interpolate linearly: ``input + weight * (end - input)``; ``weight`` is a number or a tensor.

    >>> import minigrad
    >>> minigrad.lerp(minigrad.tensor([0., 10.]), minigrad.tensor([10., 20.]), 0.3)
    tensor([ 3., 13.])
    """
    if weight.__class__ is not float or end.__class__ not in fast_classes or input._array.dtype is not end._array.dtype:
        weight = _same_dtypes(input, end, weight)
    if out is not None:
        if isinstance(weight, Tensor) and weight.dim():
            check_operand_dtype(out, input)
        return write_out(out, lerp, input, end, weight)
    return (_lerp if isinstance(weight, Tensor) else _lerp_number)(input, end, weight)


def lerp_(input, end, weight):
    """In-place version of ``lerp``.

    >>> import minigrad
    >>> minigrad.tensor([0., 10.]).lerp_(minigrad.tensor([10., 20.]), 0.5)
    tensor([ 5., 15.])
    """
    weight = _same_dtypes(input, end, weight)
    return (_lerp_ if isinstance(weight, Tensor) else _lerp_number_)(input, end, weight)


def _factor(value, np_dtype):
    """A number in the dtype that products are computed in: single for half precision."""
    half = np_dtype.itemsize == 2 and np_dtype.kind in "fV"
    return 1 if value == 1 else as_number(value, np.dtype(np.float32) if half else np_dtype).item()


class AddcmulBackward0(General):
    """z = x + value y w."""
    batch, kernel = pointwise, "addcmul_cpu_out"
    operands, names, refuse = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, staticmethod(refuse_shapes)
    tensors_first = 3
    def forward(x, y, w, value):              return kernels.addcmul(x, y, w, _factor(value, x.dtype))
    def vjp_x(xp, g, x_shape):                return xp.sum_to(g, x_shape)
    def vjp_y(xp, g, w, value, y_shape):      return xp.sum_to(g * (w * value), y_shape)
    def vjp_w(xp, g, y, value, w_shape):      return xp.sum_to(g * (y * value), w_shape)
_addcmul, _addcmul_ = op(AddcmulBackward0), elementwise_(AddcmulBackward0)


class AddcdivBackward0(General):
    """z = x + value y / w."""
    batch = pointwise
    operands, names, refuse = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, staticmethod(refuse_shapes)
    tensors_first = 3
    def forward(x, y, w, value):              return kernels.addcdiv(x, y, w, _factor(value, x.dtype))
    def vjp_x(xp, g, x_shape):                return xp.sum_to(g, x_shape)
    def vjp_y(xp, g, w, value, y_shape):      return xp.sum_to(g * (value / w), y_shape)
    def vjp_w(xp, g, y, w, value, w_shape):   return xp.sum_to(-g * (value * (y / w) / w), w_shape)
_addcdiv, _addcdiv_ = op(AddcdivBackward0), elementwise_(AddcdivBackward0)


def addcmul(input, tensor1, tensor2, *old, value=1, out=None):
    """Compute ``input + value * tensor1 * tensor2``, elementwise.

    >>> import minigrad
    >>> minigrad.addcmul(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcmul", "value", (tensor1, tensor2), old)
    return _of_three("addcmul", _addcmul, input, tensor1, tensor2, value, out)


def _of_three(name, call, input, tensor1, tensor2, value, out):
    """``call(input, tensor1, tensor2, value)`` in the dtype that the three have together."""
    operands = input, tensor1, tensor2
    if not (
        input.__class__ in fast_classes and tensor1.__class__ in fast_classes and tensor2.__class__ in fast_classes
        and input._array.dtype is tensor1._array.dtype is tensor2._array.dtype
    ):
        for place, x in enumerate(operands, 1):
            if not isinstance(x, Tensor):
                raise not_a_tensor(name, ("input", "tensor1", "tensor2")[place - 1], place, x)
        if out is None and all(x.__class__ in fast_classes for x in operands):
            return in_dtype(call.op, operands, (value,), dtypes.result_dtype([promotion_rank(x) for x in operands]))
        operands = as_common_tensors(*operands)
    return call(*operands, value) if out is None else call.into(out, *operands, value)


def addcmul_(input, tensor1, tensor2, *old, value=1):
    """Add ``value * tensor1 * tensor2`` in place; return the tensor.

    ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 1.]).addcmul_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcmul_", "value", (tensor1, tensor2), old)
    return _addcmul_(input, tensor1, tensor2, value)


def _no_integer_quotients(tensor1, tensor2):
    if all(isinstance(x, Tensor) and x._array.dtype.kind in "iub" for x in (tensor1, tensor2)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported. Convert a tensor first (tensor1.double()) for true "
            "quotients; for whole ones, use input + value * torch.div(tensor1, tensor2, rounding_mode='trunc')."
        )


def addcdiv(input, tensor1, tensor2, *old, value=1, out=None):
    """Compute ``input + value * tensor1 / tensor2``, elementwise; tensor1 and tensor2 may not both be integers.

    >>> import minigrad
    >>> minigrad.addcdiv(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcdiv", "value", (tensor1, tensor2), old)
    _no_integer_quotients(tensor1, tensor2)
    return _of_three("addcdiv", _addcdiv, input, tensor1, tensor2, value, out)


def addcdiv_(input, tensor1, tensor2, *old, value=1):
    """Add ``value * tensor1 / tensor2`` in place; return the tensor.

    ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 1.]).addcdiv_(minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcdiv_", "value", (tensor1, tensor2), old)
    _no_integer_quotients(tensor1, tensor2)
    return _addcdiv_(input, tensor1, tensor2, value)
