"""Fake quantisation: floating numbers rounded as a quantised tensor would hold them, with gradients that pass straight through."""

import numpy as np

from .._arrays import vocabulary as arrays
from .._base import dtypes
from .._base.argument_kinds import no_form
from .._base.dtypes import dtype_name
from .._base.errors import axis as axis_within
from .._base.errors import not_a_tensor
from .._core.families import General, op
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .batches import pointwise

__all__ = ["dequantize", "fake_quantize_per_channel_affine", "fake_quantize_per_tensor_affine"]
METHODS = "dequantize"

F32, F64 = np.dtype("float32"), np.dtype("float64")


def _rounded(x, scale, zero_point, quant_min, quant_max, exact):
    """``x`` at the nearest step, and where that is within the limits; results are computed in the dtype ``exact``."""
    scale, wide = np.asarray(scale, F32), x if x.dtype == F64 else arrays.astype(x, F32)
    scaled = wide * (np.float32(1) / scale)
    steps = np.rint(scaled + zero_point) if zero_point.dtype.kind == "f" else np.rint(scaled) + zero_point
    limited = np.fmin(np.fmax(steps, quant_min), quant_max).astype(exact)
    z = arrays.astype((limited - zero_point.astype(exact)) * scale.astype(exact), x.dtype)
    return z, (quant_min <= steps) & (steps <= quant_max)


class FakeQuantizePerTensorAffineCachemaskBackward0(General):
    """z = (clamp(round(x / scale) + zero_point) - zero_point) scale; the slope is 1 where nothing was clamped."""
    batch, results, nondiff = pointwise, "z mask", (1,)
    public = "fake_quantize_per_tensor_affine"
    def forward(x, scale, zero_point, quant_min, quant_max):
        return _rounded(x, scale, np.asarray(zero_point), quant_min, quant_max, F32)
    def vjp(xp, g, mask): return g * mask
_per_tensor = op(FakeQuantizePerTensorAffineCachemaskBackward0)


class FakeQuantizePerTensorAffineCachemaskTensorQparamsBackward0(General):
    """The same with ``scale`` and ``zero_point`` in tensors of one element."""
    batch, results, nondiff = pointwise, "z mask", (1,)
    operands, public = "x scale zero_point", "fake_quantize_per_tensor_affine"
    def forward(x, scale, zero_point, quant_min, quant_max):
        return _rounded(x, scale, zero_point.astype(np.int64), quant_min, quant_max, F32)
    def vjp_x(xp, g, mask): return g * mask
_per_tensor_of_tensors = op(FakeQuantizePerTensorAffineCachemaskTensorQparamsBackward0)


class FakeQuantizePerChannelAffineCachemaskBackward0(General):
    """The same with a ``scale`` and a ``zero_point`` for each index of one dimension, in tensors that broadcast."""
    batch, results, nondiff = pointwise, "z mask", (1,)
    operands, public = "x scale zero_point", "fake_quantize_per_channel_affine"
    def forward(x, scale, zero_point, quant_min, quant_max):
        return _rounded(x, arrays.astype(scale, F32), zero_point, quant_min, quant_max, F64)
    def vjp_x(xp, g, mask): return g * mask
_per_channel = op(FakeQuantizePerChannelAffineCachemaskBackward0)


def _check(input, scale, quant_min, quant_max, node, kernel="tensor_cachemask_kernel"):
    if not input.is_floating_point():
        raise NotImplementedError(
            f"\"fake_quantize_{kernel}_type_handling\" not implemented for '{dtype_name(input)}'"
        )
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or         equal to `quant_max`.")
    if isinstance(scale, Tensor) and scale.requires_grad and thread_state.recording:
        raise RuntimeError(
            f"The function '{node}' is not differentiable with respect to argument 'scale'. This input cannot have requires_grad True."
        )


def _check_zero_point(within):
    if not within:
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    """Round the elements to multiples of ``scale`` and clamp them to those from ``quant_min`` to ``quant_max`` around ``zero_point``.

    ``scale`` and ``zero_point`` are two numbers, or two tensors of one element. The result has the shape and dtype of ``input``, and gradients
    pass unchanged where nothing was clamped. Raises RuntimeError for limits in the wrong order, NotImplementedError for integers.

    >>> import minigrad
    >>> minigrad.fake_quantize_per_tensor_affine(minigrad.tensor([0.1, 0.7, 9.]), 0.5, 0, -4, 4)
    tensor([0.0000, 0.5000, 2.0000])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("fake_quantize_per_tensor_affine", "input", 1, input)
    by_tensors = isinstance(scale, Tensor) and isinstance(zero_point, Tensor)
    if not by_tensors and (isinstance(scale, Tensor) or zero_point.__class__ is not int):
        given = {"input": input, "scale": scale, "zero_point": zero_point, "quant_min": quant_min, "quant_max": quant_max}
        raise no_form("fake_quantize_per_tensor_affine", given)
    _check(input, scale, quant_min, quant_max, "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams")
    if by_tensors:
        return _per_tensor_of_tensors(input, scale.reshape(()), zero_point.reshape(()), quant_min, quant_max)[0]
    _check_zero_point(quant_min <= zero_point <= quant_max)
    return _per_tensor(input, scale, zero_point, quant_min, quant_max)[0]


def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    """``fake_quantize_per_tensor_affine`` with a scale and a zero point for each index along ``axis``.

    ``scale`` is a 1-D tensor of dtype float32 or bfloat16, ``zero_point`` one of the same size, of int32 or of floating numbers, which are
    added before rounding. Raises RuntimeError for sizes that do not fit, limits in the wrong order, and zero points outside of them.

    >>> import minigrad
    >>> scale, zero_point = minigrad.tensor([0.5, 2.]), minigrad.tensor([0, 0], dtype=minigrad.int32)
    >>> minigrad.fake_quantize_per_channel_affine(minigrad.tensor([0.7, 0.7]), scale, zero_point, 0, -4, 4)
    tensor([0.5000, 0.0000])
    """
    if scale.dtype not in (dtypes.float32, dtypes.bfloat16):
        raise RuntimeError(f"Scale must be Float or BFloat16, found {dtype_name(scale)}")
    if zero_point.dtype not in (dtypes.int32, dtypes.float32, dtypes.float16):
        raise RuntimeError(f"Zero-point must be Int32, Float or Half, found {dtype_name(zero_point)}")
    if scale.ndim != 1:
        raise RuntimeError("scale should be a 1-D tensor")
    if zero_point.ndim != 1:
        raise RuntimeError("zero point should be a 1-D tensor")
    if scale.numel() != zero_point.numel():
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if axis_within(axis, input.ndim) != axis:
        raise RuntimeError("`axis` must be between 0 and number of dimensions of input")
    if scale.numel() != input.size(axis):
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    _check(input, scale, quant_min, quant_max, "fake_quantize_per_channel_affine_cachemask", "channel_cachemask_cpu")
    if zero_point.dtype is dtypes.int32 and not zero_point.is_meta:
        _check_zero_point(bool(((zero_point >= quant_min) & (zero_point <= quant_max)).all()))
    along = [1] * input.ndim
    along[axis] = scale.numel()
    return _per_channel(input, scale.reshape(along), zero_point.reshape(along), quant_min, quant_max)[0]


def dequantize(input):
    """Return the tensor in float32: minigrad has no quantised tensors, for which PyTorch's function would return the numbers that they stand for.

    >>> import minigrad
    >>> minigrad.dequantize(minigrad.tensor([1, 2]))
    tensor([1., 2.])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("dequantize", "input", 1, input)
    return input.to(dtypes.float32)
