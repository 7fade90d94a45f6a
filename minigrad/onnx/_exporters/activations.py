"""Activations."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import axis_of, floating, refuse, result_dtype
from ._registry import exporter


@exporter("relu")
def relu(g: Builder, input: Value, inplace: bool = False) -> Value:
    if input.dtype.is_floating_point:
        return g.op("Relu", input)
    return g.op("Max", input, 0)


@exporter("relu6")
def relu6(g: Builder, input: Value, inplace: bool = False) -> Value:
    return hardtanh(g, input, 0.0, 6.0)


@exporter("hardtanh")
def hardtanh(
    g: Builder, input: Value, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Value:
    return g.op("Clip", input, min_val, max_val)


@exporter("sigmoid")
def sigmoid(g: Builder, input: Value) -> Value:
    return g.op("Sigmoid", floating(g, input))


@exporter("tanh")
def tanh(g: Builder, input: Value) -> Value:
    return g.op("Tanh", floating(g, input))


@exporter("logit")
def logit(g: Builder, input: Value, eps: float | None = None) -> Value:
    x = floating(g, input)
    if eps is not None:
        x = g.op("Clip", x, eps, 1 - eps)
    return g.op("Log", g.op("Div", x, g.op("Sub", g.constant(1, x.dtype), x)))


@exporter("gelu")
def gelu(g: Builder, input: Value, approximate: str = "none") -> Value:
    if g.opset >= 20:
        return g.op("Gelu", input, approximate=approximate)
    if approximate == "tanh":
        cube = g.op("Mul", g.op("Mul", input, input), input)
        inner = g.op("Mul", g.op("Add", input, g.op("Mul", cube, 0.044715)), math.sqrt(2 / math.pi))
        gate = g.op("Add", g.op("Tanh", inner), 1)
    else:
        gate = g.op("Add", g.op("Erf", g.op("Mul", input, math.sqrt(0.5))), 1)
    return g.op("Mul", g.op("Mul", input, gate), 0.5)


@exporter("silu", "swish")
def silu(g: Builder, input: Value, inplace: bool = False) -> Value:
    return g.op("Mul", input, g.op("Sigmoid", input))


@exporter("mish")
def mish(g: Builder, input: Value, inplace: bool = False) -> Value:
    return g.op("Mul", input, g.op("Tanh", g.op("Softplus", input)))


@exporter("elu")
def elu(g: Builder, input: Value, alpha: float = 1.0, inplace: bool = False) -> Value:
    return g.op("Elu", input, alpha=float(alpha))


@exporter("celu")
def celu(g: Builder, input: Value, alpha: float = 1.0, inplace: bool = False) -> Value:
    return g.op("Celu", input, alpha=float(alpha))


@exporter("selu")
def selu(g: Builder, input: Value, inplace: bool = False) -> Value:
    return g.op("Selu", input, alpha=1.6732632423543772, gamma=1.0507009873554805)


@exporter("leaky_relu")
def leaky_relu(g: Builder, input: Value, negative_slope: float = 0.01, inplace: bool = False) -> Value:
    return g.op("LeakyRelu", input, alpha=float(negative_slope))


@exporter("rrelu")
def rrelu(
    g: Builder,
    input: Value,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Value:
    if training:
        raise refuse("rrelu in training")
    return g.op("LeakyRelu", input, alpha=(lower + upper) / 2)


@exporter("prelu")
def prelu(g: Builder, input: Value, weight: Value) -> Value:
    if len(weight.shape) == 1 and len(input.shape) > 2:  # one slope for each channel
        weight = g.op("Reshape", weight, g.ints([-1, *[1] * (len(input.shape) - 2)]))
    return g.op("PRelu", input, weight)


@exporter("softplus")
def softplus(g: Builder, input: Value, beta: float = 1.0, threshold: float = 20.0) -> Value:
    scaled = input if beta == 1 else g.op("Mul", input, beta)
    curve = g.op("Softplus", scaled)
    curve = curve if beta == 1 else g.op("Div", curve, beta)
    if (
        threshold >= 20 and input.dtype is not dtypes.float64
    ):  # there the curve is the line, as far as it is known
        return curve
    return g.where(g.op("Greater", scaled, float(threshold), dtype=dtypes.bool_), input, curve)


@exporter("softsign")
def softsign(g: Builder, input: Value) -> Value:
    return g.op("Softsign", input)


@exporter("tanhshrink")
def tanhshrink(g: Builder, input: Value) -> Value:
    return g.op("Sub", input, g.op("Tanh", input))


@exporter("hardshrink")
def hardshrink(g: Builder, input: Value, lambd: float = 0.5) -> Value:
    inside = g.op("LessOrEqual", g.op("Abs", input), float(lambd), dtype=dtypes.bool_)
    return g.where(inside, 0, input)


@exporter("softshrink")
def softshrink(g: Builder, input: Value, lambd: float = 0.5) -> Value:
    shrunk = g.op("Shrink", input, lambd=float(lambd), bias=float(lambd))
    return g.where(g.op("IsNaN", input, dtype=dtypes.bool_), input, shrunk)


@exporter("threshold")
def threshold(g: Builder, input: Value, threshold: float, value: float, inplace: bool = False) -> Value:
    return g.where(g.op("LessOrEqual", input, threshold, dtype=dtypes.bool_), value, input)


@exporter("hardsigmoid")
def hardsigmoid(g: Builder, input: Value, inplace: bool = False) -> Value:
    return g.op("HardSigmoid", input, alpha=1 / 6, beta=0.5)


@exporter("hardswish")
def hardswish(g: Builder, input: Value, inplace: bool = False) -> Value:
    return g.op("Mul", input, g.op("HardSigmoid", input, alpha=1 / 6, beta=0.5))


@exporter("logsigmoid", "log_sigmoid")
def logsigmoid(g: Builder, input: Value) -> Value:
    return g.op("Neg", g.op("Softplus", g.op("Neg", input)))


@exporter("glu")
def glu(g: Builder, input: Value, dim: int = -1) -> Value:
    axis = axis_of(input, dim)
    half = input.shape[axis] // 2
    one, gate = g.split(input, [half, half], axis)
    return g.op("Mul", one, g.op("Sigmoid", gate))


@exporter("softmax")
def softmax(
    g: Builder,
    input: Value,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: Any = None,
    half_to_float: bool = False,
) -> Value:
    return _along(g, "Softmax", g.cast(input, result_dtype(g)), dim)


@exporter("log_softmax")
def log_softmax(
    g: Builder,
    input: Value,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: Any = None,
    half_to_float: bool = False,
) -> Value:
    return _along(g, "LogSoftmax", g.cast(input, result_dtype(g)), dim)


@exporter("softmin")
def softmin(
    g: Builder, input: Value, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Value:
    return _along(g, "Softmax", g.op("Neg", g.cast(input, result_dtype(g))), dim)


def _along(g, kind, x, dim):
    if dim is None:  # as in old programs
        dim = 0 if len(x.shape) in (0, 1, 3) else 1
    if not x.shape:
        return g.squeeze(g.op(kind, g.unsqueeze(x, 0), axis=0), 0)
    return g.op(kind, x, axis=axis_of(x, dim))


@exporter("alpha_dropout", "feature_alpha_dropout")
def alpha_dropout(
    g: Builder, input: Value, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Value:
    return dropout(g, input, p, training)


@exporter("dropout", "dropout1d", "dropout2d", "dropout3d", "feature_dropout")
def dropout(g: Builder, input: Value, p: float = 0.5, training: bool = True, inplace: bool = False) -> Value:
    """Nothing in evaluation."""
    if not training or p == 0:
        return input
    if g.operator != "aten::dropout":
        raise refuse(f"{g.operator} in training")
    ratio, on = g.constant(float(p), dtypes.float32), g.constant(True, dtypes.bool_)
    return g.op("Dropout", input, ratio, on, outputs=2, dtypes=(input.dtype, dtypes.bool_))[0]


@exporter("normalize")
def normalize(
    g: Builder, input: Value, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None
) -> Value:
    from .reductions import vector_norm

    axes = [axis_of(input, d) for d in (dim if isinstance(dim, (tuple, list)) else [dim])]
    length = vector_norm(g, input, p, axes, True)
    return g.op("Div", input, g.op("Max", length, eps))
