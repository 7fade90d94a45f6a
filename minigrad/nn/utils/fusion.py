"""A convolution or linear map, and the batch normalisation that follows it, as one for evaluation."""

import copy
from typing import Any

from ..._api import Tensor, ones_like, rsqrt, zeros_like
from ..parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _check(module, bn):
    if module.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _check_statistics(bn):
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Return a copy of a convolution (transposed, if ``transpose``) that includes the batch normalisation ``bn`` after it.

    Raises AssertionError if one of them is in training mode, or ``bn`` has no running statistics.

    >>> import minigrad
    >>> conv, bn = minigrad.nn.Conv2d(1, 2, 3).eval(), minigrad.nn.BatchNorm2d(2).eval()
    >>> x = minigrad.ones(1, 1, 4, 4)
    >>> minigrad.allclose(minigrad.nn.utils.fuse_conv_bn_eval(conv, bn)(x), bn(conv(x)), atol=1e-6)
    True
    """
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """Return the weight and bias of a fused convolution, from its weight and bias, and the batch normalisation's statistics, eps, weight and bias.

    The biases and ``bn_w`` may be None.

    >>> import minigrad
    >>> one = minigrad.ones(1)
    >>> weight, bias = minigrad.nn.utils.fuse_conv_bn_weights(minigrad.ones(1, 1, 1), None, one, one, 0., 2 * one, None)
    >>> weight, bias
    (Parameter containing:
    tensor([[[2.]]]), Parameter containing:
    tensor([-2.]))
    """
    dtypes = conv_w.dtype, conv_w.dtype if conv_b is None else conv_b.dtype
    conv_b = zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = zeros_like(bn_rm) if bn_b is None else bn_b
    root = rsqrt(bn_rv + bn_eps)
    shape = [*((1, -1) if transpose else (-1, 1)), *[1] * (conv_w.dim() - 2)]
    weight = conv_w * (bn_w * root).reshape(shape)
    bias = (conv_b - bn_rm) * root * bn_w + bn_b
    return (
        Parameter(weight.to(dtypes[0]), conv_w.requires_grad),
        Parameter(bias.to(dtypes[1]), conv_b.requires_grad),
    )


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Return a copy of a linear map that includes the batch normalisation ``bn`` after it.

    Raises AssertionError if one of them is in training mode, or if ``bn`` has no running statistics or another number of features.

    >>> import minigrad
    >>> linear, bn = minigrad.nn.Linear(3, 2).eval(), minigrad.nn.BatchNorm1d(2).eval()
    >>> x = minigrad.ones(1, 3)
    >>> minigrad.allclose(minigrad.nn.utils.fuse_linear_bn_eval(linear, bn)(x), bn(linear(x)), atol=1e-6)
    True
    """
    _check(linear, bn)
    fused = copy.deepcopy(linear)
    if bn.num_features not in (1, linear.out_features):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor,
    bn_b: Tensor,
) -> tuple[Parameter, Parameter]:
    """Return the weight and bias of a fused linear map, from its weight and bias (or None), and the batch normalisation's statistics, eps,
    weight and bias.

    >>> import minigrad
    >>> one = minigrad.ones(1)
    >>> weight, bias = minigrad.nn.utils.fuse_linear_bn_weights(minigrad.ones(1, 2), None, one, one, 0., 2 * one, one)
    >>> weight, bias
    (Parameter containing:
    tensor([[2., 2.]]), Parameter containing:
    tensor([-1.]))
    """
    dtypes = linear_w.dtype, linear_w.dtype if linear_b is None else linear_b.dtype
    linear_b = zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtypes[0])
    bias = ((linear_b - bn_rm) * scale + bn_b).to(dtypes[1])
    return Parameter(weight, linear_w.requires_grad), Parameter(bias, linear_b.requires_grad)
