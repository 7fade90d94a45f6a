"""Images of other sizes, and images taken at places that are computed."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ...nn import functional as F
from ._values import ints, on_axis


def Resize(
    x: Any,
    roi: Any = None,
    scales: Any = None,
    sizes: Any = None,
    *,
    antialias: int = 0,
    axes: Any = None,
    coordinate_transformation_mode: Any = None,
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
    opset: int,
) -> Any:
    if opset < 11:  # the second input was the scales, and coordinates were only divided by them
        roi, scales = None, roi
        coordinate_transformation_mode, nearest_mode = "asymmetric", "floor"
    transformation = coordinate_transformation_mode or "half_pixel"
    over = list(range(x.dim())) if axes is None else [axis % x.dim() for axis in axes]
    if scales is not None and scales.numel():
        factors = scales.tolist()
        lengths = [
            math.floor(each)
            for each in mg.tensor([x.shape[axis] for axis in over]).float().mul(scales).tolist()
        ]
    else:
        lengths = ints(sizes)
        factors = [length / x.shape[axis] for axis, length in zip(over, lengths)]
        if keep_aspect_ratio_policy != "stretch":
            factor = (min if keep_aspect_ratio_policy == "not_larger" else max)(factors)
            factors = [factor] * len(over)
            lengths = [math.floor(x.shape[axis] * factor + 0.5) for axis in over]
    edges = roi.tolist() if roi is not None and roi.numel() else [0.0] * len(over) + [1.0] * len(over)
    outside = []
    for place, (axis, factor, length) in enumerate(zip(over, factors, lengths)):
        size = x.shape[axis]
        if factor == 1 and length == size and transformation != "tf_crop_and_resize":
            continue
        where = _coordinates(transformation, size, length, factor, edges[place], edges[place + len(over)])
        if transformation == "tf_crop_and_resize":
            outside.append(on_axis((where < 0) | (where > size - 1), axis, x.dim()))
        stretch = max(1.0, 1 / factor) if antialias else 1.0
        if mode == "nearest":
            x = x.index_select(axis, _nearest(where, nearest_mode).clamp(0, size - 1))
        else:
            places, weights = _taps(where, size, mode, stretch, cubic_coeff_a, bool(exclude_outside))
            x = _weighted(x, axis, places, weights)
    for each in outside:
        x = mg.where(each, mg.tensor(extrapolation_value, dtype=x.dtype), x)
    return x


def _coordinates(transformation, size, length, factor, start, end):
    """Where in the image each place of the result lies."""
    places = mg.arange(length, dtype=dtypes.float64)
    if transformation == "asymmetric":
        return places / factor
    if transformation == "align_corners":
        return places * ((size - 1) / (factor * size - 1) if factor * size != 1 else 0.0)
    if transformation == "tf_crop_and_resize":
        if length == 1:
            return mg.full((1,), 0.5 * (start + end) * (size - 1), dtype=dtypes.float64)
        return start * (size - 1) + places * ((end - start) * (size - 1) / (length - 1))
    if transformation == "pytorch_half_pixel" and length == 1:
        return mg.zeros(1, dtype=dtypes.float64)
    if transformation == "half_pixel_symmetric":
        exact = factor * size
        return size / 2 * (1 - length / exact) + (places + 0.5) / factor - 0.5
    if transformation == "tf_half_pixel_for_nn":
        return (places + 0.5) / factor
    if transformation in ("half_pixel", "pytorch_half_pixel"):
        return (places + 0.5) / factor - 0.5
    raise NotImplementedError(f"Resize with coordinates by {transformation!r}")


def _nearest(where, mode):
    if mode == "floor":
        found = mg.floor(where)
    elif mode == "ceil":
        found = mg.ceil(where)
    elif mode == "round_prefer_ceil":
        found = mg.floor(where + 0.5)
    else:
        found = mg.ceil(where - 0.5)
    return found.to(dtypes.int64)


def _taps(where, size, mode, stretch, a, inside_only):
    """The places that each result is made of, and their weights."""
    reach = (1 if mode == "linear" else 2) * stretch
    count = 2 * math.ceil(reach)
    first = mg.floor(where).to(dtypes.int64) - (count // 2 - 1)
    places = first.unsqueeze(1) + mg.arange(count)
    distance = ((places - where.unsqueeze(1)) / stretch).abs()
    if mode == "linear":
        weights = (1 - distance).clamp(min=0)
    else:
        near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
        far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        weights = mg.where(distance <= 1, near, mg.where(distance < 2, far, 0.0))
    if inside_only:
        weights = mg.where((places >= 0) & (places < size), weights, 0.0)
    if inside_only or stretch != 1:
        weights = weights / weights.sum(1, keepdim=True)
    return places.clamp(0, size - 1), weights


def _weighted(x, axis, places, weights):
    dtype = x.dtype if x.is_floating_point() else dtypes.float32
    total: Any = 0
    for column in range(places.shape[1]):
        factor = on_axis(weights[:, column].to(dtype), axis, x.dim())
        total = total + x.index_select(axis, places[:, column]) * factor
    return total.to(x.dtype)


def Upsample(x: Any, scales: Any, *, mode: str = "nearest") -> Any:
    factors = scales if isinstance(scales, mg.Tensor) else mg.tensor(scales)
    return Resize(x, factors, mode="linear" if mode == "bilinear" else mode, opset=10)


def GridSample(
    x: Any, grid: Any, *, align_corners: int = 0, mode: str = "linear", padding_mode: str = "zeros"
) -> Any:
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    return F.grid_sample(x, grid, mode, padding_mode, bool(align_corners))


def AffineGrid(theta: Any, size: Any, *, align_corners: int = 0) -> Any:
    return F.affine_grid(theta, ints(size), bool(align_corners))
