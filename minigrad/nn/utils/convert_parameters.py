"""All parameters as one vector, and back."""

from collections.abc import Iterable

from ..._api import Tensor, cat, typename

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Concatenate the elements of some parameters into one vector.

    >>> import minigrad
    >>> minigrad.nn.utils.parameters_to_vector([minigrad.ones(2), minigrad.zeros(1, 1)])
    tensor([1., 1., 0.])
    """
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Replace the data of some parameters by consecutive parts of a vector, without a copy.

    >>> import minigrad
    >>> linear = minigrad.nn.Linear(2, 1)
    >>> minigrad.nn.utils.vector_to_parameters(minigrad.tensor([1., 2., 3.]), linear.parameters())
    >>> linear.weight, linear.bias
    (Parameter containing:
    tensor([[1., 2.]], requires_grad=True), Parameter containing:
    tensor([3.], requires_grad=True))
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
