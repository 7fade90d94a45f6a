"""Upsampling: interpolation to a size, or by a factor."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(Module):
    """Interpolate the input to ``size``, or by ``scale_factor``: ``(N, C, ...)`` with one to three spatial dimensions.

    ``mode`` is ``"nearest"``, ``"linear"``, ``"bilinear"``, ``"bicubic"``, ``"trilinear"``, ``"nearest-exact"`` or ``"area"``.

    >>> import minigrad
    >>> minigrad.nn.Upsample(scale_factor=2)(minigrad.tensor([[[1., 2.]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    name: str
    scale_factor: Any

    __constants__: list[Any] = [
        "size",
        "scale_factor",
        "mode",
        "align_corners",
        "name",
        "recompute_scale_factor",
    ]

    def __init__(
        self,
        size: int | tuple[int, ...] | None = None,
        scale_factor: float | tuple[float, ...] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"recompute_scale_factor": True, **state})

    def extra_repr(self) -> str:
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Upsample images ``(N, C, H, W)`` with ``mode="nearest"``.

    >>> import minigrad
    >>> minigrad.nn.UpsamplingNearest2d(scale_factor=2)(minigrad.tensor([[[[1., 2.]]]]))
    tensor([[[[1., 1., 2., 2.],
              [1., 1., 2., 2.]]]])
    """

    def __init__(
        self,
        size: int | tuple[int, int] | None = None,
        scale_factor: float | tuple[float, float] | None = None,
    ) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Upsample images ``(N, C, H, W)`` with ``mode="bilinear"`` and ``align_corners=True``.

    >>> import minigrad
    >>> minigrad.nn.UpsamplingBilinear2d(size=(1, 3))(minigrad.tensor([[[[1., 3.]]]]))
    tensor([[[[1., 2., 3.]]]])
    """

    def __init__(
        self,
        size: int | tuple[int, int] | None = None,
        scale_factor: float | tuple[float, float] | None = None,
    ) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
