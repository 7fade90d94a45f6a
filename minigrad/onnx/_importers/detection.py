"""Finding objects: boxes that overlap, and the parts of images in boxes."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ._sampling import corners
from ._values import number


def NonMaxSuppression(
    boxes: Any,
    scores: Any,
    max_output_boxes_per_class: Any = None,
    iou_threshold: Any = None,
    score_threshold: Any = None,
    *,
    center_point_box: int = 0,
) -> Any:
    most, overlap = int(number(max_output_boxes_per_class, 0)), number(iou_threshold, 0.0)
    least = number(score_threshold)
    found: list[tuple[int, int, int]] = []
    for batch in range(boxes.shape[0]):
        corners_of = _corners(boxes[batch].detach(), center_point_box).tolist()
        for kind in range(scores.shape[1]):
            own = scores[batch, kind].detach()
            chosen: list[int] = []
            for place in mg.argsort(own, descending=True, stable=True).tolist():
                if len(chosen) >= most or (least is not None and own[place].item() <= least):
                    break
                if all(_overlap(corners_of[place], corners_of[other]) <= overlap for other in chosen):
                    chosen.append(place)
            found.extend((batch, kind, place) for place in chosen)
    return mg.tensor(found, dtype=dtypes.int64).reshape(-1, 3)


def _corners(boxes, from_centre):
    """The least and the greatest coordinates of boxes."""
    if from_centre:
        middle, half = boxes[:, :2], boxes[:, 2:] / 2
        return mg.cat([middle - half, middle + half], 1)
    first, second = boxes[:, :2], boxes[:, 2:]
    return mg.cat([mg.minimum(first, second), mg.maximum(first, second)], 1)


def _overlap(a, b):
    """What two boxes share, as a part of what they cover together."""
    shared = max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)
    together = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared
    return shared / together if together > 0 else 0.0


def RoiAlign(
    x: Any,
    rois: Any,
    batch_indices: Any,
    *,
    coordinate_transformation_mode: Any = None,
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
    opset: int,
) -> Any:
    half_pixel = (
        coordinate_transformation_mode or ("half_pixel" if opset >= 16 else "output_half_pixel")
    ) == "half_pixel"
    height, width = x.shape[-2:]
    rows = []
    for box, image in zip(
        (rois * spatial_scale - (0.5 if half_pixel else 0.0)).unbind(0), batch_indices.tolist()
    ):
        left, top, right, bottom = box.unbind(0)
        tall, wide = bottom - top, right - left
        if not half_pixel:  # boxes were of one pixel at least
            tall, wide = tall.clamp(min=1), wide.clamp(min=1)
        tall, wide = tall / output_height, wide / output_width
        down = sampling_ratio or max(math.ceil(tall.item()), 1)
        across = sampling_ratio or max(math.ceil(wide.item()), 1)
        y = top + (mg.arange(output_height * down, dtype=x.dtype) + 0.5) * (tall / down)
        along = left + (mg.arange(output_width * across, dtype=x.dtype) + 0.5) * (wide / across)
        y, along = mg.meshgrid(y, along, indexing="ij")
        near = (y >= -1) & (y <= height) & (along >= -1) & (along <= width)
        places = (y.clamp(0, height - 1).reshape(1, -1), along.clamp(0, width - 1).reshape(1, -1))
        parts = mg.stack(corners(x[image : image + 1], *places)).reshape(
            4, -1, output_height, down, output_width, across
        )
        parts = mg.where(
            near.reshape(output_height, down, output_width, across), parts, mg.zeros((), dtype=x.dtype)
        )
        rows.append(parts.sum(0).mean((2, 4)) if mode == "avg" else mg.amax(parts, (0, 3, 5)))
    return mg.stack(rows) if rows else x.new_zeros(0, x.shape[1], output_height, output_width)


def MaxRoiPool(x: Any, rois: Any, *, pooled_shape: Any, spatial_scale: float = 1.0) -> Any:
    height, width = x.shape[-2:]
    results = []
    for box in rois.detach().tolist():
        image, left, top, right, bottom = (
            int(box[0]),
            *(math.floor(edge * spatial_scale + 0.5) for edge in box[1:]),
        )
        parts = []
        for first, last, count, size in (
            (top, bottom, pooled_shape[0], height),
            (left, right, pooled_shape[1], width),
        ):
            step = max(last - first + 1, 1) / count
            edges = [
                (math.floor(place * step) + first, math.ceil((place + 1) * step) + first)
                for place in range(count)
            ]
            parts.append([(min(max(start, 0), size), min(max(end, 0), size)) for start, end in edges])
        cells = [
            mg.amax(x[image, :, a:b, c:d], (1, 2)) if b > a and d > c else x.new_zeros(x.shape[1])
            for a, b in parts[0]
            for c, d in parts[1]
        ]
        results.append(mg.stack(cells, 1).reshape(x.shape[1], *pooled_shape))
    return mg.stack(results) if results else x.new_zeros(0, x.shape[1], *pooled_shape)
