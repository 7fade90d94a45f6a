"""Tensors that are made: filled, counted, drawn."""

import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Size, Value
from ._common import counted, refuse, result_dtype
from ._registry import exporter


def filled(g: Builder, shape: Any, value: Any, dtype: Any) -> Value:
    """A tensor of one number."""
    if shape and not any(isinstance(x, Size) for x in shape) and math.prod(shape) <= 1024:
        return g.constant(_api.full(tuple(shape), value, dtype=dtype))
    return g.op("Expand", g.constant(value, dtype), g.ints(shape)) if shape else g.constant(value, dtype)


def _register(name, value):
    @exporter(name, f"new_{name}", f"{name}_like")
    def make(g, *args, **kwargs):
        return filled(g, g.result_shape, value, result_dtype(g))


for _name, _value in {"zeros": 0, "ones": 1, "empty": 0}.items():
    _register(_name, _value)


@exporter("full")
def full(g: Builder, size: Any, fill_value: Any, **options: Any) -> Value:
    return filled(g, g.result_shape, fill_value, result_dtype(g))


@exporter("full_like")
def full_like(g: Builder, input: Value, fill_value: Any, **options: Any) -> Value:
    return filled(g, g.result_shape, fill_value, result_dtype(g))


@exporter("new_full")
def new_full(g: Builder, input: Value, size: Any, fill_value: Any, **options: Any) -> Value:
    return filled(g, g.result_shape, fill_value, result_dtype(g))


@exporter("tensor", "scalar_tensor", "as_tensor", "new_tensor")
def tensor(g: Builder, *args: Any, **options: Any) -> Value:
    data = args[-1] if g.operator.endswith("new_tensor") else args[0]
    if isinstance(data, Value):
        return g.cast(data, result_dtype(g))
    if isinstance(data, (list, tuple)) and any(isinstance(x, Size) for x in data):
        return g.cast(g.ints(data), result_dtype(g))
    return g.constant(data, result_dtype(g))


@exporter("arange")
def arange(
    g: Builder, *bounds: Any, start: Any = None, end: Any = None, step: Any = None, **options: Any
) -> Value:
    dtype = result_dtype(g)
    if len(bounds) == 1:
        end = bounds[0]
    elif bounds:
        start, end = bounds[:2]
        step = bounds[2] if len(bounds) > 2 else step
    computed = (
        dtype
        if dtype in (dtypes.float32, dtypes.float64, dtypes.int16, dtypes.int32, dtypes.int64)
        else dtypes.float32
        if dtype.is_floating_point
        else dtypes.int64
    )
    first, last, by = (
        g.constant(x, computed) for x in (0 if start is None else start, end, 1 if step is None else step)
    )
    if all(x is None or (isinstance(x, (int, float)) and x >= 0) for x in (start, step)):
        return g.op("Range", first, last, by)
    # onnxruntime makes a Slice of a Range that chooses rows, in which negative numbers count from the end
    return g.op("Add", g.op("Range", 0, g.op("Sub", last, first), by, dtype=computed), first)


@exporter("linspace")
def linspace(g: Builder, start: Any, end: Any, steps: Any, **options: Any) -> Value:
    """Steps from the start in the first half, from the end in the second."""
    dtype = result_dtype(g)
    if not dtype.is_floating_point:
        raise refuse("linspace of ints with a dynamic number of steps")
    first, last = g.constant(start, dtype), g.constant(end, dtype)
    count, number = g.constant(steps, dtypes.int64), counted(g, steps)
    gaps = g.op("Sub", count, 1)
    step = g.op("Div", g.op("Sub", last, first), g.cast(g.op("Max", gaps, 1), dtype))
    up = g.op("Add", g.op("Mul", g.cast(number, dtype), step), first)
    down = g.op("Sub", last, g.op("Mul", g.cast(g.op("Sub", gaps, number), dtype), step))
    return g.where(g.op("Less", number, g.op("Max", g.op("Div", count, 2), 1), dtype=dtypes.bool_), up, down)


@exporter("eye")
def eye(g: Builder, n: Any, m: Any = None, **options: Any) -> Value:
    grid = g.op("Expand", g.constant(0, result_dtype(g)), g.ints([n, n if m is None else m]))
    return g.op("EyeLike", grid)


@exporter("tril_indices", "triu_indices")
def triangle_indices(g: Builder, row: Any, col: Any, offset: Any = 0, **options: Any) -> Value:
    ones = g.op("Expand", g.constant(1, dtypes.int64), g.ints([row, col]))
    upper = int(g.operator.rpartition(":")[2] == "triu_indices")
    part = g.op("Trilu", ones, g.constant(offset, dtypes.int64), upper=upper)
    return g.cast(g.op("NonZero", part, dtype=dtypes.int64), result_dtype(g))


@exporter("one_hot")
def one_hot(g: Builder, tensor: Value, num_classes: int = -1) -> Value:
    if num_classes == -1:
        raise refuse("one_hot without num_classes", "has a shape that depends on the elements")
    depth = g.constant(num_classes, dtypes.int64)
    return g.op("OneHot", tensor, depth, g.constant([0, 1], dtypes.int64), dtype=dtypes.int64)


# Drawn: other numbers than here, of the same distribution ------------------------------------------------------------------


def _register_random(names, kind):
    @exporter(*names)
    def draw(g, *args, **options):
        dtype = result_dtype(g)
        return g.op(f"{kind}Like", filled(g, g.result_shape, 0, dtype), dtype=dtype)


_register_random(("rand", "rand_like"), "RandomUniform")
_register_random(("randn", "randn_like"), "RandomNormal")


@exporter("bernoulli")
def bernoulli(g: Builder, input: Value, *, generator: Any = None) -> Value:
    return g.op("Bernoulli", input)
