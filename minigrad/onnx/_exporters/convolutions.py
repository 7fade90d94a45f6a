"""Convolutions, transposed ones, and the windows of which they are made."""

from typing import Any

from .._builder import Builder, Value
from ._common import fixed, places_of_windows, several
from ._registry import exporter


def _register(dims):
    @exporter(f"conv{dims}d")
    def convolution(g, input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        strides, dilations = several(stride, dims), several(dilation, dims)
        kernel = fixed(g, weight, *range(2, 2 + dims))
        if padding == "same":  # what is odd goes behind
            total = [d * (k - 1) for d, k in zip(dilations, kernel)]
            pads = [t // 2 for t in total] + [t - t // 2 for t in total]
        else:
            pads = several(0 if padding == "valid" else padding, dims) * 2
        return _batched(
            g,
            input,
            dims,
            lambda x: g.op(
                "Conv",
                x,
                weight,
                bias,
                kernel_shape=kernel,
                strides=strides,
                pads=pads,
                dilations=dilations,
                group=groups,
            ),
        )

    @exporter(f"conv_transpose{dims}d")
    def transposed(g, input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        return _batched(
            g,
            input,
            dims,
            lambda x: g.op(
                "ConvTranspose",
                x,
                weight,
                bias,
                kernel_shape=fixed(g, weight, *range(2, 2 + dims)),
                strides=several(stride, dims),
                pads=several(padding, dims) * 2,
                output_padding=several(output_padding, dims),
                dilations=several(dilation, dims),
                group=groups,
            ),
        )


def _batched(g, x, dims, function):
    """What a function makes of a batch; of a single image, by way of a batch of one."""
    if len(x.shape) == dims + 2:
        return function(x)
    return g.squeeze(function(g.unsqueeze(x, 0)), 0)


for _count in (1, 2, 3):
    _register(_count)


@exporter("fold")
def fold(
    g: Builder,
    input: Value,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Value:
    return _batched(
        g,
        input,
        1,
        lambda x: g.op(
            "Col2Im",
            x,
            g.ints(several(output_size, 2)),
            g.ints(several(kernel_size, 2)),
            dilations=several(dilation, 2),
            pads=several(padding, 2) * 2,
            strides=several(stride, 2),
        ),
    )


@exporter("im2col")
def im2col(
    g: Builder, input: Value, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Value:
    """The windows of images as columns: each window's elements are gathered by their places, of rows and then of columns."""
    pads, sizes = several(padding, 2), input.shape[-2:]
    first = len(input.shape) - 2
    if any(pads):
        input = g.op("Pad", input, g.ints(([0] * first + pads) * 2), g.constant(0, input.dtype))
    found = input
    for number, (size, kernel, dilate, pad, step) in enumerate(
        zip(sizes, *(several(x, 2) for x in (kernel_size, dilation)), pads, several(stride, 2))
    ):
        places, _ = places_of_windows(g, size + 2 * pad, kernel, step, dilate)
        found = g.op("Gather", found, places, axis=first + 2 * number)
    order = [*range(first), first + 1, first + 3, first, first + 2]
    return g.reshape(g.transpose(found, order), g.result_shape)


@exporter("pixel_shuffle")
def pixel_shuffle(g: Builder, input: Value, upscale_factor: int) -> Value:
    return _images(g, input, lambda x: g.op("DepthToSpace", x, blocksize=upscale_factor, mode="CRD"))


@exporter("pixel_unshuffle")
def pixel_unshuffle(g: Builder, input: Value, downscale_factor: int) -> Value:
    *batch, channels, height, width = input.shape
    by = downscale_factor
    rank = len(batch)
    apart = g.reshape(input, [*batch, channels, height // by, by, width // by, by])
    ordered = g.transpose(apart, [*range(rank + 1), rank + 2, rank + 4, rank + 1, rank + 3])
    return g.reshape(ordered, g.result_shape)


@exporter("channel_shuffle", "native_channel_shuffle")
def channel_shuffle(g: Builder, input: Value, groups: int) -> Value:
    batch, channels, *rest = input.shape
    apart = g.reshape(input, [batch, groups, channels // groups, *rest])
    ordered = g.transpose(apart, [0, 2, 1, *range(3, 3 + len(rest))])
    return g.reshape(ordered, [batch, channels, *rest])


def _images(g, x, function):
    """What a function makes of a batch of images, of images in any number of batches."""
    if len(x.shape) == 4:
        return function(x)
    folded = g.reshape(x, [-1, *x.shape[-3:]])
    return g.reshape(function(folded), g.result_shape)
