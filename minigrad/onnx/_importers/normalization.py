"""Normalizations, and dropout."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ...linalg import vector_norm
from ...nn import functional as F
from .._element_types import dtype_of
from ._values import number


def BatchNormalization(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Any,
    var: Any,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
    spatial: int = 1,
) -> Any:
    if not spatial:
        raise NotImplementedError("BatchNormalization with spatial=0, which ONNX has no more")
    if not training_mode and (
        mean.requires_grad or var.requires_grad
    ):  # which batch_norm has as buffers only
        mean, var, scale, bias = (each.reshape(-1, *[1] * (x.dim() - 2)) for each in (mean, var, scale, bias))
        return ((x - mean) * mg.rsqrt(var + epsilon) * scale + bias).to(x.dtype)
    if not training_mode:
        return F.batch_norm(x, mean, var, scale, bias, False, 0.0, epsilon).to(x.dtype)
    over = [dim for dim in range(x.dim()) if dim != 1]
    new_mean, new_var = x.mean(over), mg.var(x, over, correction=0)
    result = F.batch_norm(x, None, None, scale, bias, True, 0.0, epsilon)
    return result, mean * momentum + new_mean * (1 - momentum), var * momentum + new_var * (1 - momentum)


def InstanceNormalization(x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5) -> Any:
    return F.instance_norm(x, weight=scale, bias=bias, eps=epsilon)


def LayerNormalization(
    x: Any,
    scale: Any,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    wanted: Any = (True,),
) -> Any:
    over = list(range(axis % x.dim(), x.dim()))
    if not any(wanted[1:]) and scale.shape == x.shape[over[0] :] and stash_type == 1:
        return F.layer_norm(x, scale.shape, scale, bias, epsilon)
    wide = x.to(dtype_of(stash_type))
    mean = wide.mean(over, keepdim=True)
    inverse = mg.rsqrt(mg.var(wide, over, correction=0, keepdim=True) + epsilon)
    result = ((wide - mean) * inverse).to(x.dtype) * scale
    return result if bias is None else result + bias, mean, inverse


def RMSNormalization(
    x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    wide = x.to(dtype_of(stash_type))
    mean = (wide * wide).mean(list(range(axis % x.dim(), x.dim())), keepdim=True)
    return (wide * mg.rsqrt(mean + epsilon)).to(x.dtype) * scale


def GroupNormalization(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, num_groups: int, stash_type: int = 1
) -> Any:
    if scale.shape[0] == x.shape[1]:
        return F.group_norm(x, num_groups, scale, bias, epsilon)
    each = x.shape[1] // num_groups  # version 18: one factor for each group
    return F.group_norm(x, num_groups, scale.repeat_interleave(each), bias.repeat_interleave(each), epsilon)


def LRN(x: Any, *, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, size: int) -> Any:
    squares = F.pad((x * x).movedim(1, -1), ((size - 1) // 2, size - 1 - (size - 1) // 2))
    sums = squares.unfold(-1, size, 1).sum(-1).movedim(-1, 1)
    return x / (bias + alpha / size * sums) ** beta


def LpNormalization(x: Any, *, axis: int = -1, p: int = 2) -> Any:
    norm = vector_norm(x, p, axis, keepdim=True)
    return mg.where(norm == 0, mg.zeros_like(x), x / mg.where(norm == 0, 1.0, norm).to(x.dtype))


def MeanVarianceNormalization(x: Any, *, axes: Any = (0, 2, 3)) -> Any:
    mean = x.mean(list(axes), keepdim=True)
    deviation = mg.sqrt((x * x).mean(list(axes), keepdim=True) - mean * mean)
    return (x - mean) / (deviation + 1e-9)


def Dropout(x: Any, ratio: Any = 0.5, training_mode: Any = None, *, seed: Any = None) -> Any:
    ratio = number(ratio, 0.5)
    if training_mode is None or not bool(training_mode) or ratio == 0:
        return x, mg.ones(x.shape, dtype=dtypes.bool_)
    generator = None if seed is None else mg.Generator().manual_seed(int(seed))
    kept = mg.rand(x.shape, generator=generator) >= ratio
    return mg.where(kept, x / (1 - ratio) if ratio < 1 else x, mg.zeros_like(x)), kept
