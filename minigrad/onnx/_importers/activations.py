"""Activation functions."""

from typing import Any

from ... import _api as mg
from ...nn import functional as F


def Relu(x: Any) -> Any:
    return mg.relu(x)


def LeakyRelu(x: Any, *, alpha: float = 0.01) -> Any:
    return F.leaky_relu(x, alpha)


def PRelu(x: Any, slope: Any) -> Any:
    return mg.where(x < 0, slope * x, x)


def Elu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.elu(x, alpha)


def Celu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.celu(x, alpha)


def Selu(
    x: Any, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875
) -> Any:
    return gamma * F.elu(x, alpha)


def ThresholdedRelu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.threshold(x, alpha, 0.0)


def Sigmoid(x: Any) -> Any:
    return mg.sigmoid(x)


def HardSigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return mg.clamp(alpha * x + beta, 0, 1)


def HardSwish(x: Any) -> Any:
    return F.hardswish(x)


def Tanh(x: Any) -> Any:
    return mg.tanh(x)


def Softplus(x: Any) -> Any:
    return mg.logaddexp(x, mg.zeros_like(x))


def Softsign(x: Any) -> Any:
    return F.softsign(x)


def Gelu(x: Any, *, approximate: str = "none") -> Any:
    return F.gelu(x, approximate=approximate)


def Mish(x: Any) -> Any:
    return F.mish(x)


def Swish(x: Any, *, alpha: float = 1.0) -> Any:
    return x * mg.sigmoid(alpha * x)


def SwiGLU(gate: Any, linear: Any, *, alpha: float = 1.0) -> Any:
    return Swish(gate, alpha=alpha) * linear


def Shrink(x: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    shrunk = mg.where(x < -lambd, x + bias, mg.where(x > lambd, x - bias, 0))
    return shrunk.to(x.dtype)


def Softmax(x: Any, *, axis: Any = None, opset: int) -> Any:
    return _over_axis(mg.softmax, x, axis, opset)


def LogSoftmax(x: Any, *, axis: Any = None, opset: int) -> Any:
    return _over_axis(mg.log_softmax, x, axis, opset)


def Hardmax(x: Any, *, axis: Any = None, opset: int) -> Any:
    return _over_axis(_hardmax, x, axis, opset)


def _hardmax(x, axis):
    return mg.zeros_like(x).scatter(axis, mg.argmax(x, axis, keepdim=True), 1)


def _over_axis(function, x, axis, opset):
    """Before version 13 the axes from ``axis`` on were taken as one, and it was 1 where nobody said."""
    if opset >= 13:
        return function(x, -1 if axis is None else axis)
    axis = 1 if axis is None else axis % max(x.dim(), 1)
    return (
        function(x.flatten(axis), -1).reshape(x.shape)
        if x.dim() > axis
        else function(x.reshape(-1, 1), -1).reshape(x.shape)
    )
