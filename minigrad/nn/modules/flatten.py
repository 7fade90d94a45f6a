"""Axes made one, and one made several."""

from typing import Any

from ..._api import Size, Tensor
from .module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """Merge the dimensions from ``start_dim`` to ``end_dim`` into one.

    >>> import minigrad
    >>> minigrad.nn.Flatten()(minigrad.ones(2, 3, 4)).shape
    torch.Size([2, 12])
    """

    __constants__: list[Any] = ["start_dim", "end_dim"]

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Split the dimension ``dim`` into several, of the sizes ``unflattened_size``.

    >>> import minigrad
    >>> minigrad.nn.Unflatten(1, (3, 4))(minigrad.ones(2, 12)).shape
    torch.Size([2, 3, 4])
    """

    __constants__: list[Any] = ["dim", "unflattened_size"]

    def __init__(self, dim: int, unflattened_size: Size | list[int] | tuple[int, ...]) -> None:
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for place, n in enumerate(unflattened_size):
            if not isinstance(n, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(n).__name__} at pos {place}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
