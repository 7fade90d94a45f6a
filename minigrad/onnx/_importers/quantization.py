"""Whole numbers that stand for others: quantizing, and products of such numbers."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes
from .._element_types import dtype_of
from . import casting as _casting
from . import convolutions as _convolutions


def _spread(values, x, axis, block_size):
    """Scales or zero points, of a shape that goes with the tensor's."""
    if values is None or (values.numel() == 1 and values.dim() <= 1 and not block_size):
        return None if values is None else values.reshape(())
    axis %= x.dim()
    if block_size:
        return values.repeat_interleave(block_size, axis).narrow(axis, 0, x.shape[axis])
    return values.reshape([-1 if dim == axis else 1 for dim in range(x.dim())])


def QuantizeLinear(
    x: Any,
    y_scale: Any,
    y_zero_point: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
) -> Any:
    dtype = (
        y_zero_point.dtype
        if y_zero_point is not None
        else dtype_of(output_dtype)
        if output_dtype
        else dtypes.uint8
    )
    scaled = x.to(y_scale.dtype) / _spread(y_scale, x, axis, block_size)
    if dtype.is_floating_point:
        return _casting._cast(scaled, dtype, saturate)
    zero = _spread(y_zero_point, x, axis, block_size)
    limits = mg.iinfo(dtype)
    rounded = mg.round(scaled.to(dtypes.float32)) + (0 if zero is None else zero.to(dtypes.float32))
    return rounded.clamp(limits.min, limits.max).to(dtype)


def DequantizeLinear(
    x: Any,
    x_scale: Any,
    x_zero_point: Any = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Any:
    scale, zero = _spread(x_scale, x, axis, block_size), _spread(x_zero_point, x, axis, block_size)
    values = x.to(dtypes.float32) - (0 if zero is None else zero.to(dtypes.float32))
    return (values * scale.to(dtypes.float32)).to(dtype_of(output_dtype) if output_dtype else x_scale.dtype)


def DynamicQuantizeLinear(x: Any) -> Any:
    least, greatest = x.min().clamp(max=0), x.max().clamp(min=0)
    scale = (greatest - least) / 255
    scale = mg.where(scale == 0, 1.0, scale).to(x.dtype)
    zero = mg.round((-least / scale).clamp(0, 255)).to(dtypes.uint8)
    return QuantizeLinear(x, scale, zero), scale, zero


def _whole(x, zero, axis):
    """The numbers less their zero point, exact in 64 bits."""
    x = x.to(dtypes.int64)
    if zero is None:
        return x
    zero = zero.to(dtypes.int64)
    return x - (zero.reshape(()) if zero.numel() == 1 else zero.unsqueeze(axis) if zero.dim() == 1 else zero)


def MatMulInteger(a: Any, b: Any, a_zero_point: Any = None, b_zero_point: Any = None) -> Any:
    return mg.matmul(_whole(a, a_zero_point, -1), _whole(b, b_zero_point, 0)).to(dtypes.int32)


def _requantized(exact, scale, zero):
    """Whole numbers times a factor, in the numbers of the result."""
    limits = mg.iinfo(zero.dtype)
    scaled = mg.round(exact.to(dtypes.float64) * scale.to(dtypes.float64)) + zero.to(dtypes.float64).reshape(
        ()
    )
    return scaled.clamp(limits.min, limits.max).to(zero.dtype)


def QLinearMatMul(
    a: Any,
    a_scale: Any,
    a_zero_point: Any,
    b: Any,
    b_scale: Any,
    b_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
) -> Any:
    product = mg.matmul(_whole(a, a_zero_point, -1), _whole(b, b_zero_point, 0))
    left = a_scale.unsqueeze(-1) if a_scale.dim() == 1 and a_scale.numel() > 1 else a_scale
    right = b_scale.unsqueeze(0) if b_scale.dim() == 1 and b_scale.numel() > 1 else b_scale
    factor = left.to(dtypes.float64) * right.to(dtypes.float64) / y_scale.to(dtypes.float64)
    return _requantized(product, factor, y_zero_point)


def ConvInteger(x: Any, w: Any, x_zero_point: Any = None, w_zero_point: Any = None, **attributes: Any) -> Any:
    return _exact_convolution(x, w, x_zero_point, w_zero_point, attributes).to(dtypes.int32)


def QLinearConv(
    x: Any,
    x_scale: Any,
    x_zero_point: Any,
    w: Any,
    w_scale: Any,
    w_zero_point: Any,
    y_scale: Any,
    y_zero_point: Any,
    bias: Any = None,
    **attributes: Any,
) -> Any:
    exact = _exact_convolution(x, w, x_zero_point, w_zero_point, attributes)
    along = [1, -1] + [1] * (x.dim() - 2)
    if bias is not None:
        exact = exact + bias.reshape(along)
    factor = (
        x_scale.to(dtypes.float64).reshape(())
        * w_scale.to(dtypes.float64).reshape(along)
        / y_scale.to(dtypes.float64).reshape(())
    )
    return _requantized(exact, factor, y_zero_point)


def _exact_convolution(x, w, x_zero, w_zero, attributes):
    """A convolution of whole numbers, in doubles, which hold its sums exactly."""
    if w_zero is not None:
        w_zero = w_zero.reshape([-1] + [1] * (w.dim() - 1)) if w_zero.numel() > 1 else w_zero.reshape(())
    whole = w.to(dtypes.float64) - (0 if w_zero is None else w_zero.to(dtypes.float64))
    return _convolutions.Conv(_whole(x, x_zero, 0).to(dtypes.float64), whole, **attributes)
