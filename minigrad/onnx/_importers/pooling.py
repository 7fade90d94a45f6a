"""Pooling: the mean, the greatest or the norm of windows."""

import math
from typing import Any

from ... import _api as mg
from ...linalg import vector_norm
from ...nn import functional as F
from ._values import ints
from ._windows import by_dims, filled, flat_margins, margins


def _plan(x, kernel, strides, dilations, pads, auto_pad, ceil_mode):
    """Strides, dilations, margins, and how much more there is to be at the ends for windows that only begin inside."""
    count = len(kernel)
    strides, dilations = filled(strides, count), filled(dilations, count)
    before, after = margins(auto_pad, pads, x.shape[2:], kernel, strides, dilations)
    more = []
    for axis, size in enumerate(x.shape[2:]):
        room = size + before[axis] + after[axis] - dilations[axis] * (kernel[axis] - 1) - 1
        steps = (-(-room // strides[axis]) if ceil_mode else room // strides[axis]) + 1
        if ceil_mode and (steps - 1) * strides[axis] >= size + before[axis]:
            steps -= 1  # it would begin beyond the image
        more.append(max((steps - 1) * strides[axis] - room, 0))
    return strides, dilations, before, after, more


def _windows(x, kernel, strides, dilations):
    """A view with the windows' axes behind the others."""
    for axis, (width, stride, dilation) in enumerate(zip(kernel, strides, dilations)):
        x = x.unfold(axis + 2, dilation * (width - 1) + 1, stride)[..., ::dilation]
    return x


def MaxPool(
    x: Any,
    *,
    kernel_shape: Any,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Any = None,
    pads: Any = None,
    storage_order: int = 0,
    strides: Any = None,
    wanted: Any = (True,),
) -> Any:
    strides, dilations, before, after, more = _plan(
        x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode
    )
    ends = [a + b for a, b in zip(after, more)]
    least = -math.inf if x.is_floating_point() else mg.iinfo(x.dtype).min
    padded = F.pad(x, flat_margins(before, ends), value=least) if any(before) or any(ends) else x
    if not x.is_floating_point():
        return mg.amax(_windows(padded, kernel_shape, strides, dilations), list(range(-len(kernel_shape), 0)))
    pool = by_dims((F.max_pool1d, F.max_pool2d, F.max_pool3d), len(kernel_shape), "MaxPool")
    if len(wanted) < 2 or not wanted[1]:
        return pool(padded, kernel_shape, strides, 0, dilations)
    values, places = pool(padded, kernel_shape, strides, 0, dilations, return_indices=True)
    return values, _places_in_all(places, padded.shape, x.shape, before, storage_order)


def _places_in_all(places, padded, shape, before, column_major):
    """Places in a padded image, as places in the whole tensor."""
    coordinates = []
    for axis in reversed(range(len(before))):
        coordinates.insert(0, places.remainder(padded[axis + 2]) - before[axis])
        places = places.div(padded[axis + 2], rounding_mode="floor")
    axes = range(len(before))
    flat = mg.zeros_like(places)
    for axis in reversed(axes) if column_major else axes:
        flat = flat * shape[axis + 2] + coordinates[axis]
    images = mg.arange(shape[0] * shape[1]).reshape(shape[0], shape[1], *([1] * len(before)))
    return flat + images * math.prod(shape[2:])


def AveragePool(
    x: Any,
    *,
    kernel_shape: Any,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    strides, dilations, before, after, more = _plan(
        x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode
    )
    plain = not any(more) and max(dilations) == 1 and len(kernel_shape) <= 3
    if plain and not any(before) and not any(after):
        return by_dims((F.avg_pool1d, F.avg_pool2d, F.avg_pool3d), len(kernel_shape), "AveragePool")(
            x, kernel_shape, strides
        )
    ends = [a + b for a, b in zip(after, more)]
    over = list(range(-len(kernel_shape), 0))
    sums = _windows(F.pad(x, flat_margins(before, ends)), kernel_shape, strides, dilations).sum(over)
    counted = mg.ones(1, 1, *x.shape[2:], dtype=x.dtype)
    if count_include_pad:
        counted = F.pad(
            F.pad(counted, flat_margins(before, after), value=1.0), flat_margins([0] * len(more), more)
        )
    else:
        counted = F.pad(counted, flat_margins(before, ends))
    return sums / _windows(counted, kernel_shape, strides, dilations).sum(over)


def LpPool(
    x: Any,
    *,
    kernel_shape: Any,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Any = None,
    p: float = 2,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    strides, dilations, before, after, more = _plan(
        x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode
    )
    padded = F.pad(x, flat_margins(before, [a + b for a, b in zip(after, more)]))
    windows = _windows(padded, kernel_shape, strides, dilations)
    return vector_norm(windows, p, list(range(-len(kernel_shape), 0)))


def GlobalAveragePool(x: Any) -> Any:
    return x.mean(list(range(2, x.dim())), keepdim=True)


def GlobalMaxPool(x: Any) -> Any:
    return mg.amax(x, list(range(2, x.dim())), keepdim=True)


def GlobalLpPool(x: Any, *, p: float = 2) -> Any:
    return vector_norm(x, p, list(range(2, x.dim())), keepdim=True)


def MaxUnpool(
    x: Any,
    indices: Any,
    output_shape: Any = None,
    *,
    kernel_shape: Any,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    count = len(kernel_shape)
    strides, pads = filled(strides, count), filled(pads, 2 * count, 0)
    spatial = [
        (size - 1) * strides[axis] - pads[axis] - pads[axis + count] + kernel_shape[axis]
        for axis, size in enumerate(x.shape[2:])
    ]
    shape = [*x.shape[:2], *spatial]  # what the indices count in
    flat = mg.scatter(x.new_zeros(math.prod(shape)), 0, indices.reshape(-1), x.reshape(-1)).reshape(shape)
    if output_shape is None:
        return flat
    wanted = ints(output_shape)
    return F.pad(
        flat, flat_margins([0] * count, [wanted[axis + 2] - size for axis, size in enumerate(spatial)])
    )
