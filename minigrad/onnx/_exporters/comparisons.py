"""Comparisons, conditions, and what depends on them."""

from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import promoted, result_dtype, together
from ._registry import exporter


def _register(name, kind):
    @exporter(name)
    def compare(g, input, other):
        a, b = together(g, input, other)
        if a.dtype is dtypes.bool_ and kind not in ("Equal",):
            a, b = g.cast(a, dtypes.int32), g.cast(b, dtypes.int32)
        return g.op(kind, a, b, dtype=dtypes.bool_)


for _names, _kind in (
    (("eq",), "Equal"),
    (("lt", "less"), "Less"),
    (("gt", "greater"), "Greater"),
    (("le", "less_equal"), "LessOrEqual"),
    (("ge", "greater_equal"), "GreaterOrEqual"),
):
    for _name in _names:
        _register(_name, _kind)


@exporter("ne", "not_equal")
def ne(g: Builder, input: Any, other: Any) -> Value:
    return g.op("Not", g.op("Equal", *together(g, input, other), dtype=dtypes.bool_))


@exporter("isnan")
def isnan(g: Builder, input: Value) -> Value:
    if not input.dtype.is_floating_point:
        return g.op("Not", g.op("Equal", input, input, dtype=dtypes.bool_))
    return g.op("IsNaN", input, dtype=dtypes.bool_)


def _wide(g, x):
    """In a dtype that ``IsInf`` takes in every opset: float16's infinities stay what they are in float32."""
    return (
        g.cast(x, dtypes.float32)
        if x.dtype in (dtypes.float16, dtypes.bfloat16) or not x.dtype.is_floating_point
        else x
    )


@exporter("isinf")
def isinf(g: Builder, input: Value) -> Value:
    return g.op("IsInf", _wide(g, input), dtype=dtypes.bool_)


@exporter("isposinf")
def isposinf(g: Builder, input: Value) -> Value:
    return g.op("IsInf", _wide(g, input), detect_negative=0, dtype=dtypes.bool_)


@exporter("isneginf")
def isneginf(g: Builder, input: Value) -> Value:
    return g.op("IsInf", _wide(g, input), detect_positive=0, dtype=dtypes.bool_)


@exporter("isfinite")
def isfinite(g: Builder, input: Value) -> Value:
    return g.op("Not", g.op("Or", isinf(g, input), g.op("IsNaN", _wide(g, input), dtype=dtypes.bool_)))


@exporter("isin")
def isin(
    g: Builder, elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Value:
    a, b = together(g, elements, test_elements)
    rank = len(elements.shape) if isinstance(elements, Value) else 0
    equal = g.op("Equal", g.unsqueeze(a, rank), g.op("Reshape", b, g.ints([-1])), dtype=dtypes.bool_)
    found = g.cast(g.reduce("ReduceMax", g.cast(equal, dtypes.int32), [-1], False), dtypes.bool_)
    return g.op("Not", found) if invert else found


@exporter("where")
def where(g: Builder, condition: Value, input: Any = None, other: Any = None) -> Any:
    condition = g.cast(condition, dtypes.bool_)
    if input is None:
        places = g.op("NonZero", condition, dtype=dtypes.int64)
        parts = g.split(places, [1] * len(condition.shape), 0)
        return tuple([g.squeeze(part, 0) for part in parts])
    dtype = result_dtype(g, None) or promoted(input, other)
    return g.op("Where", condition, g.constant(input, dtype), g.constant(other, dtype), dtype=dtype)


@exporter("masked_fill")
def masked_fill(g: Builder, input: Value, mask: Value, value: Any) -> Value:
    return g.op("Where", mask, g.constant(value, input.dtype), input, dtype=input.dtype)


@exporter("isclose")
def isclose(
    g: Builder, input: Value, other: Value, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Value:
    a, b = together(g, input, other)
    equal = g.op("Equal", a, b, dtype=dtypes.bool_)
    if not a.dtype.is_floating_point:  # rtol and atol are floats
        a, b = g.cast(a, dtypes.float64), g.cast(b, dtypes.float64)
    gap = g.op("Abs", g.op("Sub", a, b))
    allowed = g.op("Add", g.op("Mul", g.op("Abs", b), rtol), atol)
    near = g.op("And", g.op("LessOrEqual", gap, allowed, dtype=dtypes.bool_), isfinite(g, b))
    found = g.op("Or", equal, near)
    if equal_nan:
        found = g.op("Or", found, g.op("And", isnan(g, a), isnan(g, b)))
    return found
