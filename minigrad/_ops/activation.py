"""Activation functions.  What integers and complex numbers do here is PyTorch's: mostly an error that names its kernel."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import activation as kernels
from .._arrays.kernels.activation import CUBIC, SQRT_2_PI, SQRT_HALF
from .._arrays.kernels.elementwise import drop, where
from .._base.composites import composite
from .._base.dtypes import bfloat16, dtype_name
from .._base.errors import axis, not_a_tensor, type_name
from .._base.guards import explain_failure
from .._core.families import Binary, General, Unary, binary, op, unary
from .._core.inplace import elementwise_, op_
from .._core.tensor import Tensor, wrap
from .batches import along, pointwise
from .convert import as_number
from .create import ones_like
from .drawing import sampled
from .scalars import as_limit, as_scalar

__all__ = [
    "celu", "celu_", "hardshrink", "prelu", "relu", "relu_", "rrelu", "rrelu_", "selu", "selu_",
    "threshold", "threshold_",
]
METHODS = "hardshrink prelu relu relu_"


def check_floating(name, x):
    """Raise NotImplementedError, which names a kernel, unless the array x is a floating one."""
    if x.dtype.kind not in "fV":
        kind = dtype_name(x)
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind}'")


# Piecewise linear ----------------------------------------------------------------------------------------------------------


class ThresholdBackwardBackward0(General):
    """z = x, a gradient, where y is greater than a threshold, else 0: what ``xp.threshold_backward`` is on Tensors."""
    batch = pointwise
    operands, names, public = "x y", {"x": "grad_output", "y": "self"}, "threshold_backward"
    def forward(x, y, threshold):      return kernels.threshold_backward(x, y, threshold)
    def vjp_x(xp, g, y, threshold):    return xp.threshold_backward(g, y, threshold)
    def vjp_y(xp, g):                  return xp.zeros_like(g)
threshold_backward = op(ThresholdBackwardBackward0)


class ReluBackward0(Unary):
    """The rectified linear unit: z = max(x, 0); the slope is 0 where z = 0.

    >>> import minigrad
    >>> minigrad.relu(minigrad.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """
    out_dtype = "refused"
    costly = False
    floats = False
    forward = kernels.relu
    def vjp(xp, g, z): return xp.threshold_backward(g, z, 0)
relu, relu_ = unary(ReluBackward0), elementwise_(ReluBackward0)


class HardtanhBackward0(General):
    """z = x within [min_val, max_val]; the slope is 0 at both ends."""
    batch = pointwise
    def forward(x, min_val, max_val):        return kernels.hardtanh(x, min_val, max_val)
    def vjp(xp, g, x, min_val, max_val):     return xp.keep(g, xp.logical_not((x <= min_val) | (x >= max_val)))
_hardtanh = op(HardtanhBackward0)


class HardtanhInPlace(General, node="HardtanhBackward0"):
    """In place: the result tells as well as the operand where the slope is 0."""
    batch = pointwise
    public, names = "hardtanh", {"x": "x", "z": "self"}
    forward = HardtanhBackward0.forward
    def vjp(xp, g, z, min_val, max_val):     return xp.keep(g, xp.logical_not((z <= min_val) | (z >= max_val)))
_hardtanh_ = elementwise_(HardtanhInPlace)


class LeakyReluBackward0(General):
    """z = x, or negative_slope x where x <= 0."""
    costly = True
    batch = pointwise
    def forward(x, negative_slope):
        check_floating("leaky_relu_cpu", x)
        scaled = x * x.dtype.type(negative_slope)
        return np.maximum(x, scaled) if 0 < negative_slope <= 1 else where(x > 0, x, scaled)  # inf * 0 is nan
    def vjp(xp, g, x, negative_slope): return xp.where(x > 0, g, g * negative_slope)
_leaky_relu = op(LeakyReluBackward0)


class LeakyReluBackward1(General):
    """In place: the result has the sign of the operand, if negative_slope has no sign."""
    batch = pointwise
    public = "leaky_relu"
    forward = LeakyReluBackward0.forward
    def vjp(xp, g, z, negative_slope):
        if negative_slope < 0: raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. Its result "
            "does not show which elements were negative: use the out-of-place function.")
        return xp.where(z > 0, g, g * negative_slope)
_leaky_relu_ = elementwise_(LeakyReluBackward1)


class ThresholdBackward0(General):
    """z = x, or value where x <= threshold."""
    batch = pointwise
    def forward(x, threshold, value):
        if x.dtype.kind in "bc": check_floating("threshold_cpu", x)
        return where(x <= threshold, x.dtype.type(value), x)
    def vjp(xp, g, x, threshold): return xp.threshold_backward(g, x, threshold)
_threshold = op(ThresholdBackward0)


class ThresholdBackward1(ThresholdBackward0):
    """In place."""
    public = "threshold"
    forward = ThresholdBackward0.forward
_threshold_ = elementwise_(ThresholdBackward1)


class HardsigmoidBackward0(Unary):
    """z = (x + 3) / 6 within [0, 1]; the slope is 0 at both ends."""
    floats = False
    def forward(x):
        check_floating("hardsigmoid_cpu", x)
        return kernels.hardsigmoid(x)
    def vjp(xp, g, x): return xp.keep(g / 6, (x > -3) & (x < 3))
hardsigmoid, hardsigmoid_ = unary(HardsigmoidBackward0), elementwise_(HardsigmoidBackward0)


class HardswishBackward0(Unary):
    """z = x hardsigmoid(x)."""
    floats = False
    def forward(x):
        check_floating("hardswish_cpu", x)
        return kernels.hardswish(x)
    def vjp(xp, g, x): return xp.where(x < 3, xp.keep(g * (x / 3 + 0.5), x > -3), g)
    fused = kernels.hardswish_backward
hardswish, hardswish_ = unary(HardswishBackward0), elementwise_(HardswishBackward0)


_LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38, "float64": 1.7976931348623157e308}


def _within(x, lambd):
    """Whether -lambd <= x <= lambd, of Tensors or arrays; for bfloat16 with lambd rounded, so that it may be an element."""
    if x.dtype.name == "bfloat16" and abs(lambd) <= _LARGEST["bfloat16"]:
        lambd = float(bfloat16.np.type(lambd))
    return (x >= -lambd) & (x <= lambd)


class HardshrinkBackward0(General):
    """z = x, or 0 where -lambd <= x <= lambd."""
    out_dtype = "operand"
    costly = True
    batch = pointwise
    def forward(x, lambd):
        check_floating("hardshrink_cpu", x)
        return drop(x, _within(x, lambd))
    def vjp(xp, g, x, lambd): return xp.keep(g, xp.logical_not(_within(x, lambd)))
_hardshrink = op(HardshrinkBackward0)


class SoftshrinkBackward0(General):
    """z = x moved towards 0 by lambd, and 0 within lambd of it."""
    out_dtype = "operand"
    batch = pointwise
    def forward(x, lambd):
        check_floating("softshrink_check", x)
        if not 0 <= lambd <= _LARGEST.get(x.dtype.name, np.inf): raise RuntimeError(
            f"lambda must be in range [0, {_LARGEST[x.dtype.name]:g}] for input dtype "
            f"{dtype_name(x)}, but found {lambd:g}")
        return kernels.softshrink(x, lambd)
    def vjp(xp, g, x, lambd): return xp.keep(g, xp.logical_not(_within(x, lambd)))
_softshrink = op(SoftshrinkBackward0)


class PreluKernelBackward0(Binary):
    """z = x, or w x where x <= 0; w broadcasts."""
    autocast = "lower"
    aten = "_prelu_kernel.default"
    names = {"x": "self", "y": "weight"}
    def forward(x, y):
        check_floating("prelu_cpu", x)
        if y.__class__ is np.ndarray and y.dtype.kind == "f" and y.size and np.minimum.reduce(y, None) > 0 and np.maximum.reduce(y, None) <= 1:
            return np.maximum(x, y * x)  # a third of the time
        return where(x > 0, x, y * x)
    def vjp_x(xp, g, x, y): return xp.where(x > 0, g, y * g)
    def vjp_y(xp, g, x):    return xp.keep(x * g, xp.logical_not(x > 0))
    event = "prelu _prelu_kernel"
_prelu = binary(PreluKernelBackward0)


def prelu(input, weight):
    """Multiply negative elements by ``weight``: one per channel (dimension 1), or one for all.

    Raises RuntimeError if the number of weights is not the number of channels. [He et al. 2015]

    >>> import minigrad
    >>> minigrad.prelu(minigrad.tensor([-4., 2.]), minigrad.tensor([0.25]))
    tensor([-1.,  2.])
    """
    for place, (name, x) in enumerate((("input", input), ("weight", weight)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor("prelu", name, place, x)
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {dtype_name(input)} and {dtype_name(weight)}"
        )
    n = weight.numel()
    if n != 1:
        if not input.ndim:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        if channels != n:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = {channels}."
            )
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    if input.ndim != weight.ndim:
        shape = [1] * input.ndim
        if input.ndim > 1:
            shape[1] = n
        weight = weight.reshape(shape)
    return _prelu(input, weight)


def leaky_relu(input, negative_slope=0.01):
    """``input`` where it is positive, else ``negative_slope * input``."""
    if negative_slope.__class__ is not float:
        negative_slope = float(as_limit(negative_slope, "leaky_relu", "negative_slope", 2))
    return _leaky_relu(input, negative_slope)


def leaky_relu_(input, negative_slope=0.01):
    """In-place version of ``leaky_relu``.

    >>> import minigrad
    >>> minigrad.nn.functional.leaky_relu_(minigrad.tensor([-1., 2.]))
    tensor([-0.0100,  2.0000])
    """
    return _leaky_relu_(input, as_limit(negative_slope, "leaky_relu_", "negative_slope", 2))


def check_order(min_val, max_val):
    """Raise ValueError for limits of which the lower one is greater."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")


_HALF = 65504.0  # the largest number of float16


def _check_held(input, *limits):
    """Raise RuntimeError for a finite limit that the operand's dtype, if it is a floating one, does not hold."""
    if isinstance(input, Tensor) and input.is_floating_point():
        for limit in limits:
            as_number(limit, input._array.dtype, bounded=True)


def hardtanh(input, min_val=-1.0, max_val=1.0):
    """``input`` within the limits."""
    if not -_HALF <= min_val <= max_val <= _HALF:
        check_order(min_val, max_val)
        _check_held(input, min_val, max_val)
    if min_val.__class__ is not float or max_val.__class__ is not float:
        min_val, max_val = as_limit(min_val, "hardtanh", "min_val", 2), as_limit(max_val, "hardtanh", "max_val", 3)
    return _hardtanh(input, min_val, max_val)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """In-place version of ``hardtanh``.

    >>> import minigrad
    >>> minigrad.nn.functional.hardtanh_(minigrad.tensor([-3., 0.5]))
    tensor([-1.0000,  0.5000])
    """
    min_val, max_val = as_limit(min_val, "hardtanh_", "min_val", 2), as_limit(max_val, "hardtanh_", "max_val", 3)
    _check_held(input, min_val, max_val)
    return _hardtanh_(input, min_val, max_val)


def relu6(input):
    """``input`` within 0 and 6."""
    return _hardtanh(input, 0.0, 6.0)


def relu6_(input):
    """In-place version of ``relu6``."""
    return _hardtanh_(input, 0.0, 6.0)


def _in_dtype_of(input, number):
    """A number as the operand's dtype holds it; raises RuntimeError for one that it does not hold."""
    if not isinstance(input, Tensor):
        return number
    found = as_number(number, input._array.dtype)
    return number if found.dtype.kind == "V" else found.item()


def threshold(input, threshold, value, *, out=None):
    """Keep elements greater than ``threshold``, and replace the others by ``value``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.threshold(minigrad.tensor([0., 1., 2.]), 1, 9)
    tensor([9., 9., 2.])
    """
    threshold, value = as_scalar(threshold, "threshold", "threshold", 2), as_scalar(value, "threshold", "value", 3)
    threshold, value = _in_dtype_of(input, threshold), _in_dtype_of(input, value)
    return _threshold(input, threshold, value) if out is None else _threshold.into(out, input, threshold, value)


def threshold_(input, threshold, value):
    """In-place version of ``threshold``.

    >>> import minigrad
    >>> minigrad.threshold_(minigrad.tensor([-3., 0.5]), 0., 9.)
    tensor([9.0000, 0.5000])
    """
    threshold, value = as_scalar(threshold, "threshold_", "threshold", 2), as_scalar(value, "threshold_", "value", 3)
    return _threshold_(input, _in_dtype_of(input, threshold), _in_dtype_of(input, value))


def hardshrink(input, lambd=0.5, *, out=None):
    """Set elements within [``-lambd``, ``lambd``] to zero, and keep the others.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.hardshrink(minigrad.tensor([-1., 0.2, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """
    if lambd.__class__ is not float:
        lambd = as_limit(lambd, "hardshrink", "lambd", 2)
    return _hardshrink(input, lambd) if out is None else _hardshrink.into(out, input, lambd)


def softshrink(input, lambd=0.5, *, out=None):
    """Move each element towards zero by ``lambd``; elements closer to zero than that become zero.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.softshrink(minigrad.tensor([-1., 0.2, 2.]))
    tensor([-0.5000,  0.0000,  1.5000])
    """
    try:
        if lambd.__class__ is not float:
            lambd = as_limit(lambd, "softshrink", "lambd", 2)
        return _softshrink(input, lambd) if out is None else _softshrink.into(out, input, lambd)
    except Exception:
        explain_failure(softshrink, input, lambd, out)
        raise


# Exponential ---------------------------------------------------------------------------------------------------------------


class EluBackward0(General):
    """z = scale x, or scale alpha (exp(input_scale x) - 1) where x < 0;   at 0 the slope is that of the exponential."""
    costly = True
    batch = pointwise
    def forward(x, alpha, scale, input_scale):
        check_floating("elu_cpu", x)
        return kernels.elu(x, alpha, scale, input_scale)
    def vjp(xp, g, x, alpha, scale, input_scale):
        below = x <= 0  # the exponential sees no others: there it may overflow
        return g * xp.where(below, xp.exp(xp.keep(x, below) * input_scale) * (alpha * scale * input_scale), scale)
    fused = kernels.elu_backward
_elu = op(EluBackward0)


class EluBackward1(General):
    """In place: the slope is input_scale (z + scale alpha) where z <= 0."""
    costly = True
    batch = pointwise
    public = "elu"
    forward = EluBackward0.forward
    def vjp(xp, g, z, alpha, scale, input_scale):
        if alpha < 0: raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not supported. Its result does "
            "not show which elements were negative: use the out-of-place function.")
        return g * xp.where(z <= 0, (z + scale * alpha) * input_scale, scale)
_elu_ = elementwise_(EluBackward1)


class CeluBackward0(General):
    """z = x, or alpha (exp(x / alpha) - 1) where x < 0."""
    costly = True
    batch = pointwise
    def forward(x, alpha):
        check_floating("elu_cpu", x)
        return kernels.elu(x, alpha, 1.0, 1 / alpha)
    def vjp(xp, g, x, alpha): return EluBackward0.vjp(xp, g, x, alpha, 1.0, 1 / alpha)
    def fused(g, x, alpha):   return kernels.elu_backward(g, x, alpha, 1.0, 1 / alpha)
_celu = op(CeluBackward0)


class CeluBackward1(General):
    """In place: the slope is (z + alpha) / alpha where z <= 0."""
    costly = True
    batch = pointwise
    public = "celu"
    forward = CeluBackward0.forward
    def vjp(xp, g, z, alpha): return g * xp.where(z <= 0, (z + alpha) / alpha, 1.0)
_celu_ = elementwise_(CeluBackward1)

SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def elu(input, alpha=1.0, scale=1.0, input_scale=1.0):
    """``input`` where it is positive, else ``alpha * (exp(input) - 1)``."""
    if alpha.__class__ is not float:
        alpha = as_limit(alpha, "elu", "alpha", 2)
    return _elu(input, alpha, scale, input_scale)


def elu_(input, alpha=1.0, scale=1.0, input_scale=1.0):
    """In-place version of ``elu``.

    >>> import minigrad
    >>> minigrad.nn.functional.elu_(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    alpha = as_limit(alpha, "elu_", "alpha", 2)
    return _elu_(input, alpha, scale, input_scale)


@composite
def selu(input):
    """Compute ``scale * elu(input, alpha)`` with the two constants that keep mean 0 and variance 1 from layer to layer.

    >>> import minigrad
    >>> minigrad.selu(minigrad.tensor([-1., 1.]))
    tensor([-1.1113,  1.0507])
    """
    return _elu(input, SELU_ALPHA, SELU_SCALE, 1.0)


def selu_(input):
    """In-place version of ``selu``.

    >>> import minigrad
    >>> minigrad.selu_(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """
    return _elu_(input, SELU_ALPHA, SELU_SCALE, 1.0)


def _checked_celu(function, alpha):
    if alpha.__class__ is not float:
        alpha = as_limit(alpha, function, "alpha", 2)
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return alpha


def celu(input, alpha=1.0):
    """Replace negative elements by ``alpha * (exp(input / alpha) - 1)``, and keep the others.

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.celu(minigrad.tensor([-1., 1.]), 2.0)
    tensor([-0.7869,  1.0000])
    """
    try:
        return _celu(input, _checked_celu("celu", alpha))
    except Exception:
        explain_failure(celu, input, alpha)
        raise


def celu_(input, alpha=1.0):
    """In-place version of ``celu``.

    >>> import minigrad
    >>> minigrad.celu_(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
    return _celu_(input, _checked_celu("celu_", alpha))


class SiluBackward0(Unary):
    """z = x s with s = 1 / (1 + e⁻ˣ);   dz/dx = s (1 + x (1 - s))."""
    floats = False
    def forward(x):
        if x.dtype.kind != "c": check_floating("silu_cpu", x)
        return kernels.silu(x)
    def vjp(xp, g, x):
        s = xp.sigmoid(x)
        return g * (s * (1 + x * (1 - s)))
    fused = kernels.silu_backward
silu, silu_ = unary(SiluBackward0), elementwise_(SiluBackward0)


class MishBackward0(Unary):
    """z = x t with t = tanh(log(1 + eˣ));   dz/dx = t + x (1 - t²) / (1 + e⁻ˣ)."""
    floats = False
    def forward(x):
        check_floating("mish_cpu", x)
        return kernels.mish(x)
    def vjp(xp, g, x):
        t = xp.tanh(xp.softplus(x, 1.0, 20.0))
        return g * (t + x * xp.sigmoid(x) * (1 - t * t))
    fused = kernels.mish_backward
mish, mish_ = unary(MishBackward0), elementwise_(MishBackward0)


class SoftplusBackward0(General):
    """z = log(1 + exp(beta x)) / beta, or x where beta x > threshold."""
    out_dtype = "operand"
    costly = True
    batch = pointwise
    def forward(x, beta, threshold):
        check_floating("softplus_cpu", x)
        return kernels.softplus(x, beta, threshold)
    def vjp(xp, g, x, beta, threshold): return g * xp.where(x * beta > threshold, 1.0, xp.sigmoid(x * beta))
    fused = kernels.softplus_backward
_softplus = op(SoftplusBackward0)


def softplus(input, beta=1.0, threshold=20.0, *, out=None):
    """Compute ``log(1 + exp(beta * input)) / beta``, a smooth ``relu``; where ``beta * input > threshold`` the result is ``input`` itself.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.softplus(minigrad.tensor([-1., 0., 30.]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """
    try:
        if beta.__class__ is not float or threshold.__class__ is not float:
            beta, threshold = as_limit(beta, "softplus", "beta", 2), as_limit(threshold, "softplus", "threshold", 3)
        return _softplus(input, beta, threshold) if out is None else _softplus.into(out, input, beta, threshold)
    except Exception:
        explain_failure(softplus, input, beta, threshold, out)
        raise


class LogSigmoidBackward0(Unary):
    """The logarithm of the sigmoid of each element: z = log(1 / (1 + e⁻ˣ)).

    >>> import minigrad
    >>> minigrad.nn.functional.logsigmoid(minigrad.tensor([-100., 0.]))
    tensor([-100.0000,   -0.6931])
    """
    aten = "log_sigmoid_forward.default"
    floats, public = False, "log_sigmoid"
    def forward(x):
        check_floating("log_sigmoid_cpu", x)
        return kernels.log_sigmoid(x)
    def vjp(xp, g, x): return g * xp.sigmoid(-x)
    fused = kernels.log_sigmoid_backward
logsigmoid = unary(LogSigmoidBackward0)


class GeluBackward0(General):
    """z = x Φ(x), with the normal distribution function, or with (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2 in its place."""
    out_dtype = "operand"
    batch = pointwise
    def forward(x, approximate):
        check_floating("GeluKernelImpl", x)
        return kernels.gelu(x, approximate)
    def vjp(xp, g, x, approximate):
        if approximate == "tanh":
            t = xp.tanh((x + x * x * x * CUBIC) * SQRT_2_PI)
            return g * ((1 + t) * 0.5 + x * (1 - t * t) * (1 + x * x * (3 * CUBIC)) * (0.5 * SQRT_2_PI))
        return g * ((1 + xp.erf(x * SQRT_HALF)) * 0.5 + x * xp.exp(x * x * -0.5) * (0.5 * SQRT_2_PI))
    fused = kernels.gelu_backward
_gelu = op(GeluBackward0)


def gelu(input, *, approximate="none", out=None):
    """Multiply each element by the standard normal distribution function at that element; ``approximate="tanh"`` selects the approximation
    with tanh.

    Any shape; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.nn.functional.gelu(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.1587,  0.0000,  0.8413])
    """
    if approximate.__class__ is not str or (approximate != "none" and approximate != "tanh"):
        if not isinstance(approximate, str):
            raise TypeError(f"gelu(): argument 'approximate' must be str, not {type_name(approximate)}")
        explain_failure(gelu, input, approximate, out)
        raise RuntimeError("approximate argument must be either none or tanh.")
    return _gelu(input, approximate) if out is None else _gelu.into(out, input, approximate)


def softsign(input):
    """Compute ``input / (1 + |input|)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.softsign(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.5000,  0.0000,  0.7500])
    """
    return input / (input.abs() + 1)


def tanhshrink(input):
    """Compute ``input - tanh(input)``.

    Any shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.nn.functional.tanhshrink(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.2384,  0.0000,  0.2384])
    """
    return input - input.tanh()


# Others --------------------------------------------------------------------------------------------------------------------


class RreluWithNoiseBackward0(General):
    """z = x, or noise x where x <= 0; without training, the mean of the limits takes the place of the noise."""
    aten = "rrelu_with_noise.default"
    batch = pointwise
    operands, names, public = "x noise", {"x": "self", "noise": "noise"}, "rrelu"
    def forward(x, noise, lower, upper, training):
        check_floating("rrelu_with_noise_out_cpu" if training else "leaky_relu_cpu", x)
        if training and x.dtype.name == "float16":
            raise NotImplementedError("\"rrelu_with_noise_out_cpu\" not implemented for 'Half'")
        return x * noise if training else where(x > 0, x, x * x.dtype.type((lower + upper) / 2))
    def vjp_x(xp, g, x, noise, lower, upper, training):
        return g * noise if training and upper - lower > 1e-6 else xp.where(x > 0, g, g * ((lower + upper) / 2))
_rrelu, _rrelu_ = op(RreluWithNoiseBackward0), op_(RreluWithNoiseBackward0)


def _slopes(input, lower, upper, training, generator):
    """A tensor of 1, and of random numbers of [lower, upper) where ``input`` is not positive."""
    if not lower <= upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training:
        return ones_like(input) if input.is_meta else wrap(np.ones(input.shape, input.dtype.np))
    return sampled(lambda x: wrap(_random_slopes(x._array, lower, upper, generator)), input)


def _random_slopes(x, lower, upper, generator):
    from .._arrays.random.distributions import fill_uniform

    noise = np.ones(x.shape, x.dtype)
    below = x <= 0
    # PyTorch rounds the product and the sum, which its uniform_() fuses; the limits are of the dtype
    low, high = float(x.dtype.type(lower)), float(x.dtype.type(upper))
    noise[below] = fill_uniform(np.empty(int(below.sum())), generator) * (high - low) + low
    return noise


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None):
    """Multiply negative elements by a random slope from [``lower``, ``upper``), or by the mean of the two unless ``training``.

    >>> import minigrad
    >>> minigrad.rrelu(minigrad.tensor([-1., 1.]), 0.2, 0.4)
    tensor([-0.3000,  1.0000])
    """
    lower, upper = as_limit(lower, "rrelu", "lower", 2), as_limit(upper, "rrelu", "upper", 3)
    for name, bound in (("lower", lower), ("upper", upper)):
        if not math.isfinite(bound):
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound}")
    return _rrelu(input, _slopes(input, lower, upper, training, generator), lower, upper, training)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None):
    """In-place version of ``rrelu``.

    >>> import minigrad
    >>> minigrad.rrelu_(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """
    lower, upper = as_limit(lower, "rrelu_", "lower", 2), as_limit(upper, "rrelu_", "upper", 3)
    return _rrelu_(input, _slopes(input, lower, upper, training, generator), lower, upper, training)


class GluBackward0(General):
    """z = a sigmoid(b), where a and b are the halves of x along ``dim``."""
    batch = along("dim")
    def forward(x, dim):
        check_floating("glu_cpu", x)
        a, b = arrays.halves(x, dim)
        return a * arrays.sigmoid(b)
    def vjp(xp, g, x, dim):
        a, b = xp.halves(x, dim)
        s = xp.sigmoid(b)
        return xp.concat((g * s, g * a * s * (1 - s)), dim)
_glu = op(GluBackward0)


def glu(input, dim=-1):
    """The first half of ``input`` along ``dim`` times the sigmoid of the second."""
    if not input.ndim:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    wrapped = axis(dim, input.ndim)
    if input.shape[wrapped] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {wrapped} is size {input.shape[wrapped]}")
    return _glu(input, wrapped)
