"""Convolutions."""

import math
from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ...nn import functional as F
from ._sampling import corners
from ._values import ints
from ._windows import by_dims, filled, flat_margins, margins


def Conv(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel = weight.shape[2:]
    strides, dilations = filled(strides, len(kernel)), filled(dilations, len(kernel))
    before, after = margins(auto_pad, pads, x.shape[2:], kernel, strides, dilations)
    convolve = by_dims((F.conv1d, F.conv2d, F.conv3d), len(kernel), "Conv")
    if before == after:
        return convolve(x, weight, bias, strides, before, dilations, group)
    return convolve(F.pad(x, flat_margins(before, after)), weight, bias, strides, 0, dilations, group)


def ConvTranspose(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    output_padding: Any = None,
    output_shape: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    kernel = weight.shape[2:]
    count = len(kernel)
    strides, dilations, extra = (
        filled(strides, count),
        filled(dilations, count),
        filled(output_padding, count, 0),
    )
    whole = [
        (size - 1) * stride + dilation * (width - 1) + 1 + more
        for size, stride, dilation, width, more in zip(x.shape[2:], strides, dilations, kernel, extra)
    ]
    if output_shape is not None or auto_pad.startswith("SAME"):
        wanted = (
            output_shape[-count:]
            if output_shape
            else [size * stride for size, stride in zip(x.shape[2:], strides)]
        )
        totals = [full - size for full, size in zip(whole, wanted)]
        before = [total - total // 2 if auto_pad != "SAME_UPPER" else total // 2 for total in totals]
        after = [total - less for total, less in zip(totals, before)]
    else:
        before, after = margins(auto_pad, pads, x.shape[2:], kernel, strides, dilations)
    convolve = by_dims((F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d), count, "ConvTranspose")
    if (
        before == after
        and min(before) >= 0
        and all(more < max(step, wide) for more, step, wide in zip(extra, strides, dilations))
    ):
        return convolve(x, weight, bias, strides, before, extra, group, dilations)
    result = convolve(x, weight, None, strides, 0, 0, group, dilations)
    cut = [-less for less in before], [more - less for more, less in zip(extra, after)]
    result = F.pad(result, flat_margins(*cut))
    return result if bias is None else result + bias.reshape(-1, *([1] * count))


def Col2Im(
    columns: Any,
    image_shape: Any,
    block_shape: Any,
    *,
    dilations: Any = None,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    image, block = ints(image_shape), ints(block_shape)
    count = len(image)
    strides, dilations, pads = filled(strides, count), filled(dilations, count), filled(pads, 2 * count, 0)
    padded = [size + pads[axis] + pads[axis + count] for axis, size in enumerate(image)]
    steps = [
        (size - dilation * (width - 1) - 1) // stride + 1
        for size, dilation, width, stride in zip(padded, dilations, block, strides)
    ]
    places = mg.zeros(
        1, 1, dtype=dtypes.int64
    )  # in the padded image, of each place of the block at each step
    for axis in range(count):
        along = mg.arange(block[axis]).unsqueeze(1) * dilations[axis] + mg.arange(steps[axis]) * strides[axis]
        places = places.unsqueeze(1).unsqueeze(3) * padded[axis] + along.unsqueeze(1)[None]
        places = places.reshape(places.shape[0] * block[axis], -1)
    batch = columns.shape[0]
    values = columns.reshape(batch, -1, places.numel())
    image_of = values.new_zeros(batch, values.shape[1], math.prod(padded))
    summed = image_of.index_add(2, places.reshape(-1), values).reshape(batch, -1, *padded)
    return F.pad(summed, flat_margins([-each for each in pads[:count]], [-each for each in pads[count:]]))


def CausalConvWithState(
    x: Any, weight: Any, bias: Any = None, past_state: Any = None, *, activation: str = "none", ndim: int = 1
) -> Any:
    width = weight.shape[-1] - 1
    state = x.new_zeros(*x.shape[:2], width) if past_state is None else past_state
    whole = mg.cat([state, x], -1)
    result = F.conv1d(whole, weight, bias, groups=x.shape[1])
    if activation in ("silu", "swish"):
        result = F.silu(result)
    return result, whole.narrow(-1, whole.shape[-1] - width, width)


def DeformConv(
    x: Any,
    weight: Any,
    offset: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    dilations: Any = None,
    group: int = 1,
    kernel_shape: Any = None,
    offset_group: int = 1,
    pads: Any = None,
    strides: Any = None,
) -> Any:
    if x.dim() != 4:
        raise ValueError(f"DeformConv over {x.dim() - 2} axes: minigrad has it over 2")
    (n, c, h, w), (out, _, kh, kw), (_, _, oh, ow) = x.shape, weight.shape, offset.shape
    (sh, sw), (dh, dw), pads = filled(strides, 2), filled(dilations, 2), filled(pads, 4, 0)
    offset = offset.reshape(n, offset_group, kh, kw, 2, oh, ow)
    rows = mg.arange(oh).reshape(-1, 1) * sh - pads[0] + mg.arange(kh).reshape(-1, 1, 1, 1) * dh
    columns = mg.arange(ow) * sw - pads[1] + mg.arange(kw).reshape(-1, 1, 1) * dw
    y, across = (offset[:, :, :, :, each] + base for each, base in ((0, rows), (1, columns)))
    places = (each.reshape(n * offset_group, -1) for each in (y, across))
    taken = sum(corners(x.reshape(n * offset_group, -1, h, w), *places))
    taken = taken.reshape(n, offset_group, c // offset_group, kh * kw, oh, ow)
    if mask is not None:
        taken = taken * mask.reshape(n, offset_group, 1, kh * kw, oh, ow)
    taken = taken.reshape(n, group, -1, oh * ow)
    result = mg.matmul(weight.reshape(group, out // group, -1), taken).reshape(n, out, oh, ow)
    return result if bias is None else result + bias.reshape(-1, 1, 1)
