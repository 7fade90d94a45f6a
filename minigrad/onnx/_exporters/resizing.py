"""Images in other sizes, and sampled at other places."""

import math
from typing import Any

from ..._base import dtypes
from ...export import _sizes
from .._builder import Builder, Size, Value
from ._common import refuse, several
from ._registry import exporter
from .pooling import _adaptive

_MODES = {
    "nearest": "nearest",
    "nearest-exact": "nearest",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
    "bicubic": "cubic",
}


@exporter("interpolate", "upsample")
def interpolate(
    g: Builder,
    input: Value,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Value:
    dims = len(input.shape) - 2
    if mode == "area":
        wanted = several(size, dims)
        if scale_factor is not None:
            factors = several(scale_factor, dims)
            wanted = [_scaled_size(x, factor) for x, factor in zip(input.shape[2:], factors)]
        return _adaptive(g, input, wanted, dims, "AveragePool", "ReduceMean")
    options: dict[str, Any]
    if mode == "nearest":
        options = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    elif mode == "nearest-exact":
        options = {"coordinate_transformation_mode": "half_pixel", "nearest_mode": "round_prefer_ceil"}
    else:
        options = {"coordinate_transformation_mode": "align_corners" if align_corners else "half_pixel"}
    if antialias:
        if g.opset < 18:
            raise refuse(
                "interpolate with antialias", f"has no form in ONNX before opset 18; this is opset {g.opset}"
            )
        options |= {"antialias": 1, "exclude_outside": 1}
    if mode == "bicubic":
        options["cubic_coeff_a"] = -0.5 if antialias else -0.75
    scales = sizes = None
    if scale_factor is not None and not recompute_scale_factor and not align_corners:
        scales = g.constant([1.0, 1.0, *map(float, several(scale_factor, dims))], dtypes.float32)
    elif scale_factor is not None:
        factors = [1, 1, *several(scale_factor, dims)]
        sizes = g.ints([_scaled_size(size, factor) for size, factor in zip(input.shape, factors)])
    else:
        sizes = g.ints(g.result_shape)
    return g.op("Resize", input, None, scales, sizes, mode=_MODES[mode], **options)


def _scaled_size(size: Any, factor: float) -> Any:
    if not isinstance(size, Size):
        return math.floor(size * factor)
    scaled = _sizes.combined("Mul", size, float(factor))
    return _sizes.combined("Floor", scaled, 1) if isinstance(scaled, Size) else math.floor(scaled)


@exporter("upsample_nearest")
def upsample_nearest(g: Builder, input: Value, size: Any = None, scale_factor: Any = None) -> Value:
    return interpolate(g, input, size, scale_factor)


@exporter("upsample_bilinear")
def upsample_bilinear(g: Builder, input: Value, size: Any = None, scale_factor: Any = None) -> Value:
    return interpolate(g, input, size, scale_factor, "bilinear", True)


@exporter("grid_sample")
def grid_sample(
    g: Builder,
    input: Value,
    grid: Value,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Value:
    if g.opset >= 20:
        mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    elif len(input.shape) == 5:
        raise refuse(
            "grid_sample of volumes", f"has no form in ONNX before opset 20; this is opset {g.opset}"
        )
    return g.op(
        "GridSample",
        input,
        grid,
        mode=mode,
        padding_mode=padding_mode,
        align_corners=int(bool(align_corners)),
    )


@exporter("affine_grid")
def affine_grid(g: Builder, theta: Value, size: Any, align_corners: bool | None = None) -> Value:
    return g.op("AffineGrid", theta, g.ints(size), align_corners=int(bool(align_corners)))
