"""Shapes as tensors, and tensors of such shapes, under the names that old programs have for them."""

from .._api import Tensor, tensor


def shape_as_tensor(x: Tensor) -> Tensor:
    """The shape of a tensor as a vector of int64.

    >>> import minigrad
    >>> minigrad.onnx.operators.shape_as_tensor(minigrad.ones(2, 3))
    tensor([2, 3])
    """
    return tensor(list(x.shape))


def reshape_from_tensor_shape(x: Tensor, shape: Tensor) -> Tensor:
    """The tensor in the shape that a vector has.

    >>> import minigrad
    >>> minigrad.onnx.operators.reshape_from_tensor_shape(minigrad.ones(2, 3), minigrad.tensor([6])).shape
    torch.Size([6])
    """
    return x.reshape(shape.tolist())
