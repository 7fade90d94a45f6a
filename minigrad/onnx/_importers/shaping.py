"""Other shapes of the same numbers, parts of tensors, and tensors put together."""

import math
from typing import Any

from ... import _api as mg
from ...nn import functional as F
from ._values import ints, number, sizes


def Identity(x: Any) -> Any:
    return x


def Shape(x: Any, *, start: int = 0, end: Any = None) -> Any:
    return sizes(x.shape[start:end])


def Size(x: Any) -> Any:
    return mg.tensor(x.numel())


def Reshape(x: Any, shape: Any, *, allowzero: int = 0) -> Any:
    shape = ints(shape)
    if not allowzero:
        shape = [x.shape[place] if size == 0 else size for place, size in enumerate(shape)]
    return x.reshape(shape)


def Flatten(x: Any, *, axis: int = 1) -> Any:
    if axis < 0:
        axis += x.dim()
    return x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def Squeeze(x: Any, axes: Any = None) -> Any:
    axes = ints(axes)
    return x.squeeze() if axes is None else x.squeeze(tuple(axes))


def Unsqueeze(x: Any, axes: Any) -> Any:
    axes = ints(axes)
    dims = x.dim() + len(axes)
    for axis in sorted(axis % dims for axis in axes):
        x = x.unsqueeze(axis)
    return x


def Transpose(x: Any, *, perm: Any = None) -> Any:
    return x.permute(tuple(reversed(range(x.dim()))) if perm is None else perm)


def Concat(*inputs: Any, axis: int) -> Any:
    return mg.cat(inputs, axis)


def Split(x: Any, split: Any = None, *, axis: int = 0, num_outputs: Any = None, wanted: Any) -> Any:
    parts = ints(split)
    if parts is None:
        count = num_outputs or len(wanted)
        size = -(-x.shape[axis] // count)
        parts = [min(size, x.shape[axis] - start * size) for start in range(count)]
    return tuple(mg.split(x, parts, axis))


def Slice(x: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Any:
    starts, ends = ints(starts), ints(ends)
    axes = list(range(len(starts))) if axes is None else ints(axes)
    steps = [1] * len(starts) if steps is None else ints(steps)
    index: list[Any] = [slice(None)] * x.dim()
    for start, end, axis, step in zip(starts, ends, axes, steps):
        if step > 0:
            index[axis] = slice(start, end, step)
        else:  # taken forwards, and turned
            places = range(*slice(start, end, step).indices(x.shape[axis]))
            index[axis] = slice(places[-1], places[0] + 1, -step) if places else slice(0, 0)
    x = x[tuple(index)]
    turned = [axis for axis, step in zip(axes, steps) if step < 0]
    return mg.flip(x, turned) if turned else x


def Expand(x: Any, shape: Any) -> Any:
    return x.expand(mg.broadcast_shapes(tuple(x.shape), tuple(ints(shape))))


def Tile(x: Any, repeats: Any) -> Any:
    return x.repeat(ints(repeats))


def Pad(
    x: Any,
    pads: Any,
    constant_value: Any = None,
    axes: Any = None,
    *,
    mode: str = "constant",
    value: float = 0.0,
) -> Any:
    pads, axes = ints(pads), ints(axes)
    axes = list(range(x.dim())) if axes is None else [axis % x.dim() for axis in axes]
    before, after = [0] * x.dim(), [0] * x.dim()
    for place, axis in enumerate(axes):
        before[axis], after[axis] = pads[place], pads[place + len(axes)]
    if mode == "constant":
        flat = [each for axis in reversed(range(x.dim())) for each in (before[axis], after[axis])]
        if getattr(constant_value, "requires_grad", False):  # a number has no gradient
            inside = F.pad(mg.ones_like(x) > 0, flat)
            return mg.where(inside, F.pad(x, flat), constant_value)
        return F.pad(x, flat, value=number(constant_value, value))
    for axis, size in enumerate(x.shape):
        if before[axis] or after[axis]:
            places = mg.arange(-before[axis], size + after[axis])
            x = x.index_select(axis, _inside(places, size, mode))
    return x


def _inside(places, size, mode):
    """Places beyond the edges, brought back inside."""
    if mode == "edge":
        return places.clamp(0, size - 1)
    if mode == "wrap":
        return places.remainder(size)
    if size == 1:
        return mg.zeros_like(places)
    places = places.remainder(2 * (size - 1))  # mode "reflect": to and fro
    return mg.where(places < size, places, 2 * (size - 1) - places)


def CenterCropPad(x: Any, shape: Any, *, axes: Any = None) -> Any:
    shape, axes = ints(shape), list(range(x.dim())) if axes is None else [axis % x.dim() for axis in axes]
    for axis, size in zip(axes, shape):
        extra = size - x.shape[axis]
        if extra < 0:
            x = x.narrow(axis, -extra // 2, size)
        elif extra:
            pads = [0] * (2 * x.dim())
            pads[2 * (x.dim() - 1 - axis)], pads[2 * (x.dim() - 1 - axis) + 1] = (
                extra // 2,
                extra - extra // 2,
            )
            x = F.pad(x, pads)
    return x


def DepthToSpace(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    if mode == "DCR":
        x = x.reshape(n, blocksize, blocksize, c // blocksize**2, h, w).permute(0, 3, 4, 1, 5, 2)
    else:
        x = x.reshape(n, c // blocksize**2, blocksize, blocksize, h, w).permute(0, 1, 4, 2, 5, 3)
    return x.reshape(n, c // blocksize**2, h * blocksize, w * blocksize)


def SpaceToDepth(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, c, h, w = x.shape
    x = x.reshape(n, c, h // blocksize, blocksize, w // blocksize, blocksize)
    x = x.permute(0, 3, 5, 1, 2, 4) if mode == "DCR" else x.permute(0, 1, 3, 5, 2, 4)
    return x.reshape(n, c * blocksize**2, h // blocksize, w // blocksize)


def Trilu(x: Any, k: Any = None, *, upper: int = 1) -> Any:
    return (mg.triu if upper else mg.tril)(x, int(number(k, 0)))


def ReverseSequence(x: Any, sequence_lens: Any, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    steps = mg.arange(x.shape[time_axis]).reshape([-1 if axis == time_axis else 1 for axis in range(x.dim())])
    lengths = sequence_lens.reshape([-1 if axis == batch_axis else 1 for axis in range(x.dim())])
    places = mg.where(steps < lengths, lengths - 1 - steps, steps)
    return mg.gather(x, time_axis, places.expand(x.shape))
