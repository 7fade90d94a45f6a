"""Normalisation."""

from typing import Any

from ... import _api
from .._builder import Builder, Value
from ._common import refuse
from ._registry import exporter
from .creation import filled


@exporter("batch_norm")
def batch_norm(
    g: Builder,
    input: Value,
    running_mean: Value | None = None,
    running_var: Value | None = None,
    weight: Value | None = None,
    bias: Value | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    cudnn_enabled: bool = False,
) -> Value:
    channels = input.shape[1]
    scale = _ones(g, channels, input.dtype) if weight is None else weight
    shift = _zeros(g, channels, input.dtype) if bias is None else bias
    if training or running_mean is None:
        axes = [i for i in range(len(input.shape)) if i != 1]
        return _affine(g, _standardized(g, input, axes, eps), scale, shift, 1)
    return g.op("BatchNormalization", input, scale, shift, running_mean, running_var, epsilon=float(eps))


def _ones(g, shape, dtype):
    return filled(g, shape if isinstance(shape, tuple) else (shape,), 1, dtype)


def _zeros(g, count, dtype):
    return filled(g, (count,), 0, dtype)


def _standardized(g, x, axes, eps):
    gap = g.op("Sub", x, g.reduce("ReduceMean", x, axes, True))
    spread = g.reduce("ReduceMean", g.op("Mul", gap, gap), axes, True)
    return g.op("Div", gap, g.op("Sqrt", g.op("Add", spread, float(eps))))


def _affine(g, x, weight, bias, axis):
    """Times the weight plus the bias of each channel."""
    after = len(g.result_shape) - axis - 1
    for kind, each in (("Mul", weight), ("Add", bias)):
        if each is not None:
            x = g.op(kind, x, g.op("Reshape", each, g.ints([-1, *[1] * after])) if after else each)
    return x


@exporter("instance_norm")
def instance_norm(
    g: Builder,
    input: Value,
    running_mean: Value | None = None,
    running_var: Value | None = None,
    weight: Value | None = None,
    bias: Value | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
    cudnn_enabled: bool = False,
) -> Value:
    channels = input.shape[1]
    scale = _ones(g, channels, input.dtype) if weight is None else weight
    shift = _zeros(g, channels, input.dtype) if bias is None else bias
    if not use_input_stats:
        return g.op("BatchNormalization", input, scale, shift, running_mean, running_var, epsilon=float(eps))
    return g.op("InstanceNormalization", input, scale, shift, epsilon=float(eps))


@exporter("group_norm")
def group_norm(
    g: Builder,
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
) -> Value:
    channels = input.shape[1]
    if g.opset >= 21:
        scale = _ones(g, channels, input.dtype) if weight is None else weight
        shift = _zeros(g, channels, input.dtype) if bias is None else bias
        return g.op("GroupNormalization", input, scale, shift, epsilon=float(eps), num_groups=num_groups)
    grouped = g.op("Reshape", input, g.ints([0, num_groups, -1]))
    even = g.op(
        "InstanceNormalization",
        grouped,
        _ones(g, num_groups, input.dtype),
        _zeros(g, num_groups, input.dtype),
        epsilon=float(eps),
    )
    return _affine(g, g.op("Reshape", even, g.shape_of(input)), weight, bias, 1)


@exporter("layer_norm")
def layer_norm(
    g: Builder,
    input: Value,
    normalized_shape: Any,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = False,
) -> Value:
    count = len(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else 1
    if g.opset < 17:
        axes = [*range(len(input.shape) - count, len(input.shape))]
        x = _standardized(g, input, axes, eps)
        x = x if weight is None else g.op("Mul", x, weight)
        return x if bias is None else g.op("Add", x, bias)
    if weight is None:
        weight = _ones(g, tuple(input.shape[-count:]), input.dtype)
    return g.op("LayerNormalization", input, weight, bias, axis=-count, epsilon=float(eps))


@exporter("rms_norm")
def rms_norm(
    g: Builder, input: Value, normalized_shape: Any, weight: Value | None = None, eps: float | None = None
) -> Value:
    count = len(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else 1
    if eps is None:
        eps = _api.finfo(input.dtype).eps
    if g.opset >= 23:
        if weight is None:
            weight = _ones(g, tuple(input.shape[-count:]), input.dtype)
        return g.op("RMSNormalization", input, weight, axis=-count, epsilon=float(eps))
    axes = [*range(len(input.shape) - count, len(input.shape))]
    squares = g.reduce("ReduceMean", g.op("Mul", input, input), axes, True)
    x = g.op("Div", input, g.op("Sqrt", g.op("Add", squares, float(eps))))
    return x if weight is None else g.op("Mul", x, weight)


@exporter("_weight_norm")
def weight_norm(g: Builder, v: Value, other: Value, dim: int = 0) -> Value:
    axes = [i for i in range(len(v.shape)) if i != dim]
    if dim == -1:
        raise refuse("weight_norm of everything at once")
    return g.op("Mul", v, g.op("Div", other, g.reduce("ReduceL2", v, axes, True)))
