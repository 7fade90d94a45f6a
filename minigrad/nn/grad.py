"""The gradients of convolutions as functions: to the input given its size, and to the weight given its size."""

from typing import Any

from .._api import Tensor, autograd, zeros
from . import functional as F


def _gradient(convolve, size, grad_output, operand):
    """The gradient to an operand of this size, at which a convolution, being linear in it, need not be looked."""
    x = zeros(tuple(size), dtype=operand.dtype, device=operand.device, requires_grad=True)
    (grad,) = autograd.grad(convolve(x), x, grad_output)
    return grad


def conv1d_input(
    input_size: int,
    weight: Tensor,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv1d`` with respect to its input, of size ``input_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv1d_input((1, 1, 3), minigrad.tensor([[[1., 2.]]]), minigrad.ones(1, 1, 2))
    tensor([[[1., 3., 2.]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda x: F.conv1d(x, weight, *others), input_size, grad_output, weight)


def conv1d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv1d`` with respect to its weight, of size ``weight_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv1d_weight(minigrad.tensor([[[1., 2., 3.]]]), (1, 1, 2), minigrad.ones(1, 1, 2))
    tensor([[[3., 5.]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda w: F.conv1d(input, w, *others), weight_size, grad_output, input)


def conv2d_input(
    input_size: int,
    weight: Tensor,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv2d`` with respect to its input, of size ``input_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv2d_input((1, 1, 1, 3), minigrad.tensor([[[[1., 2.]]]]), minigrad.ones(1, 1, 1, 2))
    tensor([[[[1., 3., 2.]]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda x: F.conv2d(x, weight, *others), input_size, grad_output, weight)


def conv2d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv2d`` with respect to its weight, of size ``weight_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv2d_weight(minigrad.tensor([[[[1., 2., 3.]]]]), (1, 1, 1, 2), minigrad.ones(1, 1, 1, 2))
    tensor([[[[3., 5.]]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda w: F.conv2d(input, w, *others), weight_size, grad_output, input)


def conv3d_input(
    input_size: int,
    weight: Tensor,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv3d`` with respect to its input, of size ``input_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv3d_input((1, 1, 1, 1, 3), minigrad.tensor([[[[[1., 2.]]]]]), minigrad.ones(1, 1, 1, 1, 2))
    tensor([[[[[1., 3., 2.]]]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda x: F.conv3d(x, weight, *others), input_size, grad_output, weight)


def conv3d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: int | tuple[int, ...] = 1,
    padding: int | tuple[int, ...] = 0,
    dilation: int | tuple[int, ...] = 1,
    groups: int = 1,
) -> Any:
    """Return the gradient of ``conv3d`` with respect to its weight, of size ``weight_size``, given the gradient of its output.

    >>> import minigrad
    >>> minigrad.nn.grad.conv3d_weight(minigrad.tensor([[[[[1., 2., 3.]]]]]), (1, 1, 1, 1, 2), minigrad.ones(1, 1, 1, 1, 2))
    tensor([[[[[3., 5.]]]]])
    """
    others = None, stride, padding, dilation, groups
    return _gradient(lambda w: F.conv3d(input, w, *others), weight_size, grad_output, input)
