"""Pooling."""

import math
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Size, Value
from ._common import counted, refuse, several
from ._registry import exporter
from .convolutions import _batched


def _register(dims):
    @exporter(f"max_pool{dims}d", f"max_pool{dims}d_with_indices")
    def max_pool(
        g, input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
    ):
        options = {
            "kernel_shape": several(kernel_size, dims),
            "strides": several(kernel_size if stride is None or stride == [] else stride, dims),
            "pads": several(padding, dims) * 2,
            "dilations": several(dilation, dims),
            "ceil_mode": int(ceil_mode),
        }
        if not (return_indices or g.operator.endswith("with_indices")):
            return _batched(g, input, dims, lambda x: g.op("MaxPool", x, **options))
        single = len(input.shape) == dims + 1
        x = g.unsqueeze(input, 0) if single else input
        values, places = g.op("MaxPool", x, **options, outputs=2, dtypes=(input.dtype, dtypes.int64))
        count = 1
        for size in input.shape[-dims:]:
            count = count * size
        places = g.op("Mod", places, g.constant(count, dtypes.int64))  # PyTorch counts within a channel
        return (g.squeeze(values, 0), g.squeeze(places, 0)) if single else (values, places)

    @exporter(f"avg_pool{dims}d")
    def avg_pool(
        g,
        input,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    ):
        kernel = several(kernel_size, dims)
        if ceil_mode and g.opset < 19:
            raise refuse(
                "avg_pool with ceil_mode", f"has no form in ONNX before opset 19; this is opset {g.opset}"
            )
        pads = several(padding, dims)
        options = {
            "kernel_shape": kernel,
            "strides": several(kernel_size if stride is None or stride == [] else stride, dims),
            "pads": pads * 2,
            "ceil_mode": int(ceil_mode),
            "count_include_pad": int(count_include_pad or divisor_override is not None),
        }
        if divisor_override is not None and ceil_mode:
            raise refuse("avg_pool with divisor_override and ceil_mode")
        found = _batched(g, input, dims, lambda x: g.op("AveragePool", x, **options))
        if divisor_override is None:
            return found
        return g.op("Mul", found, math.prod(kernel) / divisor_override)

    @exporter(f"lp_pool{dims}d")
    def lp_pool(g, input, norm_type, kernel_size, stride=None, ceil_mode=False):
        if ceil_mode:
            raise refuse("lp_pool with ceil_mode")
        kernel = several(kernel_size, dims)
        strides = several(kernel_size if stride is None else stride, dims)
        powers = g.op("Pow", input, float(norm_type), shape=input.shape)
        count = math.prod(kernel)
        mean = _batched(
            g, powers, dims, lambda x: g.op("AveragePool", x, kernel_shape=kernel, strides=strides)
        )
        total = g.op("Mul", mean, count)
        return g.op("Mul", g.op("Sign", total), g.op("Pow", g.op("Relu", g.op("Abs", total)), 1 / norm_type))

    @exporter(f"adaptive_avg_pool{dims}d")
    def adaptive_avg_pool(g, input, output_size):
        return _adaptive(g, input, output_size, dims, "AveragePool", "ReduceMean")

    @exporter(f"adaptive_max_pool{dims}d")
    def adaptive_max_pool(g, input, output_size, return_indices=False):
        if return_indices:
            raise refuse("adaptive_max_pool with return_indices")
        return _adaptive(g, input, output_size, dims, "MaxPool", "ReduceMax")


def _adaptive(g, x, output_size, dims, pool, reduction):
    axes = [*range(len(x.shape) - dims, len(x.shape))]
    wanted = [x.shape[a] if size is None else size for a, size in zip(axes, several(output_size, dims))]
    if all(size == 1 for size in wanted):
        return g.reduce(reduction, x, axes, True)
    sizes = [x.shape[a] for a in axes]
    if any(isinstance(s, Size) for s in (*sizes, *wanted)):
        for axis, size, count in zip(axes, sizes, wanted):
            behind = [1] * (axes[-1] - axis)
            x = _windows_of_any_size(g, x, axis, size, count, reduction, behind)
        return x
    if all(s % w == 0 for s, w in zip(sizes, wanted)):
        kernel = [s // w for s, w in zip(sizes, wanted)]
        return _batched(g, x, dims, lambda v: g.op(pool, v, kernel_shape=kernel, strides=kernel))
    for axis, size, count in zip(
        axes, sizes, wanted
    ):  # windows of unlike sizes: one dimension after the other
        bounds = [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
        parts = [g.reduce(reduction, g.slice(x, axis, start, stop), [axis], True) for start, stop in bounds]
        x = g.op("Concat", *parts, axis=axis) if len(parts) > 1 else parts[0]
    return x


def _windows_of_any_size(g, x, axis, size, count, reduction, behind):
    """The mean or the greatest of each of ``count`` windows that cover a dimension, of which one size or the other is not known before the model runs."""
    if size == count:
        return x
    number, windows = counted(g, count), g.constant(count, dtypes.int64)
    length = g.constant(size, dtypes.int64)
    starts = g.op("Div", g.op("Mul", number, length), windows)
    ends = g.op("Mul", g.op("Add", number, 1), length)
    stops = g.op("Div", g.op("Add", ends, g.op("Sub", windows, 1)), windows)
    longest = g.reduce("ReduceMax", g.op("Sub", stops, starts))
    offsets = g.op("Range", g.constant(0, dtypes.int64), longest, 1)
    places = g.op("Add", g.unsqueeze(starts, 1), offsets)
    last = g.unsqueeze(g.op("Sub", stops, 1), 1)
    found = g.op(
        "Gather", x, g.op("Min", places, last), axis=axis
    )  # the last element stands for those beyond
    if reduction == "ReduceMax":
        return g.reduce(reduction, found, [axis + 1], False)
    beyond = g.op("Greater", places, last, dtype=dtypes.bool_)
    beyond = g.op("Reshape", beyond, g.ints([0, 0, *behind])) if behind else beyond
    total = g.reduce("ReduceSum", g.where(beyond, 0, found), [axis + 1], False)
    each = g.cast(g.op("Sub", stops, starts), x.dtype)
    return g.op("Div", total, g.op("Reshape", each, g.ints([-1, *behind])) if behind else each)


for _count in (1, 2, 3):
    _register(_count)


def _register_unpool(dims):
    @exporter(f"max_unpool{dims}d")
    def max_unpool(g, input, indices, kernel_size, stride=None, padding=0, output_size=None):
        shape = g.result_shape
        count: Any = 1
        for size in shape[-dims:]:
            count = count * size
        lead = [*shape[: len(shape) - dims]]
        inside = 1
        for size in input.shape[-dims:]:
            inside = inside * size
        empty = g.op("Expand", g.constant(0, input.dtype), g.ints([*lead, count]))
        places, values = (g.reshape(x, [*lead, inside]) for x in (indices, input))
        return g.reshape(g.op("ScatterElements", empty, places, values, axis=len(lead)), shape)


for _count in (1, 2, 3):
    _register_unpool(_count)


@exporter("local_response_norm")
def local_response_norm(
    g: Builder, input: Value, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Value:
    if size % 2 == 0:
        raise refuse("local_response_norm over an even number of channels")
    return g.op("LRN", input, size=size, alpha=float(alpha), beta=float(beta), bias=float(k))
