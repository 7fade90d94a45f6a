"""Channels made pixels, and pixels made channels."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module
from .utils import _shown

__all__ = ["PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Module):
    """Rearrange channels into pixels: ``(..., C * r ** 2, H, W) -> (..., C, H * r, W * r)`` for ``r = upscale_factor``. [Shi et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.PixelShuffle(3)(minigrad.ones(1, 9, 4, 4)).shape
    torch.Size([1, 1, 12, 12])
    """

    __constants__: list[Any] = ["upscale_factor"]

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return _shown(self, "upscale_factor")


class PixelUnshuffle(Module):
    """Rearrange pixels into channels: ``(..., C, H * r, W * r) -> (..., C * r ** 2, H, W)`` for ``r = downscale_factor``.

    >>> import minigrad
    >>> minigrad.nn.PixelUnshuffle(2)(minigrad.ones(1, 1, 4, 4)).shape
    torch.Size([1, 4, 2, 2])
    """

    __constants__: list[Any] = ["downscale_factor"]

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return _shown(self, "downscale_factor")
