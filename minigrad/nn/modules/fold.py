"""Windows of images laid out as columns, and columns summed into images."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module
from .utils import _shown

__all__ = ["Fold", "Unfold"]


class Fold(Module):
    """Sum overlapping windows into images: ``(N, C * window, L) -> (N, C, *output_size)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.Fold((1, 3), (1, 2))(minigrad.ones(1, 2, 2)).flatten()
    tensor([1., 2., 1.])
    """

    __constants__: list[Any] = ["output_size", "kernel_size", "dilation", "padding", "stride"]

    def __init__(
        self,
        output_size: int | tuple[int, ...],
        kernel_size: int | tuple[int, ...],
        dilation: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        stride: int | tuple[int, ...] = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return _shown(self, "output_size kernel_size dilation padding stride")


class Unfold(Module):
    """Extract all windows of images as columns: ``(N, C, H, W) -> (N, C * window, L)``, or without N.

    >>> import minigrad
    >>> minigrad.nn.Unfold((1, 2))(minigrad.arange(3.).view(1, 1, 1, 3))
    tensor([[[0., 1.],
             [1., 2.]]])
    """

    __constants__: list[Any] = ["kernel_size", "dilation", "padding", "stride"]

    def __init__(
        self,
        kernel_size: int | tuple[int, ...],
        dilation: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        stride: int | tuple[int, ...] = 1,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return _shown(self, "kernel_size dilation padding stride")
