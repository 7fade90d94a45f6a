"""Images between their pixels."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes


def corners(images: Any, y: Any, x: Any) -> list[Any]:
    """The four neighbours of places, each times its weight: (N, C, K) of images (N, C, H, W) and places (N, K); zero outside."""
    height, width = images.shape[-2:]
    flat = images.flatten(2)
    top, left = mg.floor(y).detach(), mg.floor(x).detach()
    down, right = y - top, x - left
    found = []
    for row, column, weight in (
        (top, left, (1 - down) * (1 - right)),
        (top, left + 1, (1 - down) * right),
        (top + 1, left, down * (1 - right)),
        (top + 1, left + 1, down * right),
    ):
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        places = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
        places = places.to(dtypes.int64).unsqueeze(1).expand(-1, flat.shape[1], -1)
        found.append(
            mg.gather(flat, 2, places) * mg.where(inside, weight, mg.zeros_like(weight)).unsqueeze(1)
        )
    return found
