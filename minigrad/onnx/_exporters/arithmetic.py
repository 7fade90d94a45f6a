"""Elementwise arithmetic, powers, exponentials, angles, rounding."""

import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Value
from ._common import floating, promoted, result_dtype, together
from ._registry import exporter


def _register_unary(name, kind):
    @exporter(name)
    def unary(g, input):
        return g.op(kind, floating(g, input))


#: Functions of one value that are operators of ONNX, computed in the result's dtype.
for _name, _kind in {
    "exp": "Exp",
    "log": "Log",
    "sqrt": "Sqrt",
    "sin": "Sin",
    "cos": "Cos",
    "tan": "Tan",
    "asin": "Asin",
    "acos": "Acos",
    "atan": "Atan",
    "sinh": "Sinh",
    "cosh": "Cosh",
    "asinh": "Asinh",
    "acosh": "Acosh",
    "atanh": "Atanh",
    "erf": "Erf",
    "reciprocal": "Reciprocal",
    "neg": "Neg",
    "abs": "Abs",
    "sign": "Sign",
    "sgn": "Sign",
}.items():
    _register_unary(_name, _kind)
for _name, _same in {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "absolute": "abs",
    "negative": "neg",
}.items():
    _register_unary(_name, _same.capitalize())


def _register_rounding(name, kind):
    @exporter(name)
    def rounding(g, input):
        return g.op(kind, input) if input.dtype.is_floating_point else input


_register_rounding("ceil", "Ceil")
_register_rounding("floor", "Floor")


@exporter("trunc", "fix")
def trunc(g: Builder, input: Value) -> Value:
    """Towards zero."""
    if not input.dtype.is_floating_point:
        return input
    return g.op("Mul", g.op("Sign", input), g.op("Floor", g.op("Abs", input)))


@exporter("frac")
def frac(g: Builder, input: Value) -> Value:
    return g.op("Sub", input, trunc(g, input))


@exporter("round")
def round_(g: Builder, input: Value, decimals: int = 0) -> Value:
    if not input.dtype.is_floating_point:
        return input
    if decimals == 0:
        return g.op("Round", input)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return g.op("Div", g.op("Round", g.op("Mul", input, scale)), scale)
    return g.op("Mul", g.op("Round", g.op("Div", input, scale)), scale)


def _operands(g, *operands):
    """In the dtype of the result."""
    dtype = result_dtype(g) or promoted(*operands)
    return [g.constant(x, dtype) for x in operands]


@exporter("add")
def add(g: Builder, input: Any, other: Any, *, alpha: Any = 1) -> Value:
    a, b = _operands(g, input, other)
    if a.dtype is dtypes.bool_:
        return g.op("Or", a, b)
    return g.op("Add", a, b if alpha == 1 else g.op("Mul", b, alpha))


@exporter("sub", "subtract")
def sub(g: Builder, input: Any, other: Any, *, alpha: Any = 1) -> Value:
    a, b = _operands(g, input, other)
    return g.op("Sub", a, b if alpha == 1 else g.op("Mul", b, alpha))


@exporter("rsub", "__rsub__")
def rsub(g: Builder, input: Any, other: Any, *, alpha: Any = 1) -> Value:
    return sub(g, other, input, alpha=alpha) if alpha == 1 else sub(g, other, g.op("Mul", input, alpha))


@exporter("mul", "multiply")
def mul(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    return g.op("And" if a.dtype is dtypes.bool_ else "Mul", a, b)


@exporter("div", "divide", "true_divide")
def div(g: Builder, input: Any, other: Any, *, rounding_mode: str | None = None) -> Value:
    if rounding_mode == "floor":
        return floor_divide(g, input, other)
    a, b = _operands(g, input, other)
    quotient = g.op("Div", a, b)
    return trunc(g, quotient) if rounding_mode == "trunc" else quotient


@exporter("__rtruediv__")
def rdiv(g: Builder, input: Any, other: Any) -> Value:
    return div(g, other, input)


@exporter("floor_divide")
def floor_divide(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    if a.dtype.is_floating_point:
        return g.op("Floor", g.op("Div", a, b))
    rest = g.op("Mod", a, b)  # of the divisor's sign
    return g.op("Div", g.op("Sub", a, rest), b)


@exporter("__rfloordiv__")
def rfloordiv(g: Builder, input: Any, other: Any) -> Value:
    return floor_divide(g, other, input)


@exporter("remainder")
def remainder(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    if not a.dtype.is_floating_point:
        return g.op("Mod", a, b)
    rest = g.op("Mod", a, b, fmod=1)
    zero = g.constant(0, a.dtype)
    unlike = g.op("Less", g.op("Mul", rest, g.op("Sign", b)), zero, dtype=dtypes.bool_)
    return g.where(unlike, g.op("Add", rest, b), rest)


@exporter("fmod")
def fmod(g: Builder, input: Any, other: Any) -> Value:
    return g.op("Mod", *_operands(g, input, other), fmod=1)


@exporter("pow")
def power(g: Builder, input: Any, exponent: Any) -> Value:
    dtype = result_dtype(g) or promoted(input, exponent)
    base = g.constant(input, dtype)
    if exponent == 2 and not isinstance(exponent, (Value, bool)):
        return g.op("Mul", base, base)
    if exponent == 0.5 and not isinstance(exponent, Value):
        return g.op("Sqrt", base)
    return g.op("Pow", base, g.constant(exponent, dtype))


@exporter("__rpow__")
def rpow(g: Builder, input: Any, other: Any) -> Value:
    return power(g, other, input)


@exporter("float_power")
def float_power(g: Builder, input: Any, exponent: Any) -> Value:
    return power(g, input, exponent)


@exporter("square")
def square(g: Builder, input: Value) -> Value:
    return g.op("Mul", input, input)


@exporter("rsqrt")
def rsqrt(g: Builder, input: Value) -> Value:
    return g.op("Reciprocal", g.op("Sqrt", floating(g, input)))


@exporter("exp2")
def exp2(g: Builder, input: Value) -> Value:
    x = floating(g, input)
    return g.op("Pow", g.constant(2, x.dtype), x)


@exporter("expm1")
def expm1(g: Builder, input: Value) -> Value:
    """``2 exp(x / 2) sinh(x / 2)``, which keeps its digits near zero."""
    x = floating(g, input)
    half = g.op("Mul", x, 0.5)
    return g.op("Mul", g.op("Mul", g.op("Exp", half), g.op("Sinh", half)), 2)


@exporter("log1p")
def log1p(g: Builder, input: Value) -> Value:
    """``2 atanh(x / (x + 2))``, which keeps its digits near zero; of large values the logarithm itself."""
    x = floating(g, input)
    large = g.op("Greater", g.op("Abs", x), 0.5, dtype=dtypes.bool_)
    near = g.op("Mul", g.op("Atanh", g.op("Div", x, g.op("Add", x, 2))), 2)
    return g.where(large, g.op("Log", g.op("Add", x, 1)), near)


@exporter("log2")
def log2(g: Builder, input: Value) -> Value:
    return g.op("Div", g.op("Log", floating(g, input)), math.log(2))


@exporter("log10")
def log10(g: Builder, input: Value) -> Value:
    return g.op("Div", g.op("Log", floating(g, input)), math.log(10))


@exporter("erfc")
def erfc(g: Builder, input: Value) -> Value:
    return g.op("Sub", g.constant(1, result_dtype(g)), g.op("Erf", floating(g, input)))


@exporter("sinc")
def sinc(g: Builder, input: Value) -> Value:
    x = g.op("Mul", floating(g, input), math.pi)
    zero = g.op("Equal", x, 0, dtype=dtypes.bool_)
    return g.where(zero, 1, g.op("Div", g.op("Sin", x), g.where(zero, 1, x)))


@exporter("atan2", "arctan2")
def atan2(g: Builder, input: Any, other: Any) -> Value:
    y, x = _operands(g, input, other)
    zero = g.constant(0, x.dtype)
    quotient = g.op("Atan", g.op("Div", y, x))
    turn = g.where(
        g.op("Less", y, zero, dtype=dtypes.bool_), g.constant(-math.pi, x.dtype), g.constant(math.pi, x.dtype)
    )
    behind = g.op("Less", x, zero, dtype=dtypes.bool_)
    both = g.op("And", g.op("Equal", x, zero, dtype=dtypes.bool_), g.op("Equal", y, zero, dtype=dtypes.bool_))
    return g.where(both, zero, g.where(behind, g.op("Add", quotient, turn), quotient))


@exporter("hypot")
def hypot(g: Builder, input: Any, other: Any) -> Value:
    """Scaled by the larger of the two, so that squares do not overflow."""
    a, b = (g.op("Abs", x) for x in _operands(g, input, other))
    most, least = g.op("Max", a, b), g.op("Min", a, b)
    safe = g.where(g.op("Equal", most, 0, dtype=dtypes.bool_), 1, most)
    ratio = g.op("Div", least, safe)
    return g.op("Mul", most, g.op("Sqrt", g.op("Add", g.op("Mul", ratio, ratio), 1)))


@exporter("signbit")
def signbit(g: Builder, input: Value) -> Value:
    """Whether a number is below zero, or the zero whose reciprocal is."""
    below = g.op("Less", input, 0, dtype=dtypes.bool_)
    if not input.dtype.is_floating_point:
        return below
    zero = g.op("Equal", input, 0, dtype=dtypes.bool_)
    return g.op(
        "Or", below, g.op("And", zero, g.op("Less", g.op("Reciprocal", input), 0, dtype=dtypes.bool_))
    )


@exporter("copysign")
def copysign(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    size = g.op("Abs", a)
    return g.where(signbit(g, b), g.op("Neg", size), size)


@exporter("special_xlog1py")
def xlog1py(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    product = g.op("Mul", a, g.op("Log", g.op("Add", b, 1)))
    nothing = g.op(
        "And", g.op("Equal", a, 0, dtype=dtypes.bool_), g.op("Not", g.op("IsNaN", b, dtype=dtypes.bool_))
    )
    return g.where(nothing, 0, product)


@exporter("special_entr")
def entr(g: Builder, input: Value) -> Value:
    x = g.constant(input, result_dtype(g))
    found = g.op("Neg", g.op("Mul", x, g.op("Log", x)))
    found = g.where(g.op("Equal", x, 0, dtype=dtypes.bool_), 0, found)
    return g.where(g.op("Less", x, 0, dtype=dtypes.bool_), -math.inf, found)


@exporter("angle")
def angle(g: Builder, input: Value) -> Value:
    x = g.constant(input, result_dtype(g))
    turned = g.where(g.op("Less", x, 0, dtype=dtypes.bool_), math.pi, g.op("Mul", x, 0))
    return g.where(
        g.op("IsInf", x, dtype=dtypes.bool_),
        g.where(g.op("Less", x, 0, dtype=dtypes.bool_), math.pi, g.constant(0, x.dtype)),
        turned,
    )


def _distance(g, a, b):
    """How far apart two numbers are; 0 for two of the same infinity."""
    return g.where(g.op("Equal", a, b, dtype=dtypes.bool_), 0, g.op("Abs", g.op("Sub", a, b)))


@exporter("logaddexp")
def logaddexp(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    most = g.op("Max", a, b)
    gap = g.op("Neg", _distance(g, a, b))
    return g.op("Add", most, g.op("Log", g.op("Add", g.op("Exp", gap), 1)))


@exporter("logaddexp2")
def logaddexp2(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    gap = g.op("Mul", g.op("Neg", _distance(g, a, b)), math.log(2))
    rest = g.op("Div", g.op("Log", g.op("Add", g.op("Exp", gap), 1)), math.log(2))
    return g.op("Add", g.op("Max", a, b), rest)


@exporter("ldexp")
def ldexp(g: Builder, input: Any, other: Any) -> Value:
    x, power_of_two = _operands(g, input, other)
    return g.op("Mul", x, g.op("Pow", g.constant(2, x.dtype), power_of_two))


@exporter("maximum")
def maximum(g: Builder, input: Value, other: Value) -> Value:
    return g.op("Max", *_operands(g, input, other))


@exporter("minimum")
def minimum(g: Builder, input: Value, other: Value) -> Value:
    return g.op("Min", *_operands(g, input, other))


def _register_without_nan(name, kind):
    @exporter(name)
    def extreme(g, input, other):
        a, b = _operands(g, input, other)
        if not a.dtype.is_floating_point:
            return g.op(kind, a, b)
        found = g.op(kind, a, b)
        found = g.where(g.op("IsNaN", a, dtype=dtypes.bool_), b, found)
        return g.where(g.op("IsNaN", b, dtype=dtypes.bool_), a, found)


_register_without_nan("fmax", "Max")
_register_without_nan("fmin", "Min")


@exporter("clamp", "clip")
def clamp(g: Builder, input: Value, min: Any = None, max: Any = None) -> Value:
    dtype = result_dtype(g, input.dtype)
    x = g.constant(input, dtype)
    low, high = (None if bound is None else g.constant(bound, dtype) for bound in (min, max))
    if any(isinstance(bound, Value) for bound in (min, max)):
        x = x if low is None else g.op("Max", x, low)
        return x if high is None else g.op("Min", x, high)
    return g.op("Clip", x, low, high)


@exporter("clamp_min")
def clamp_min(g: Builder, input: Value, min: Any) -> Value:
    return clamp(g, input, min)


@exporter("clamp_max")
def clamp_max(g: Builder, input: Value, max: Any) -> Value:
    return clamp(g, input, None, max)


@exporter("lerp")
def lerp(g: Builder, input: Value, end: Value, weight: Any) -> Value:
    return g.op("Add", input, g.op("Mul", g.op("Sub", end, input), g.constant(weight, input.dtype)))


@exporter("addcmul")
def addcmul(g: Builder, input: Value, tensor1: Value, tensor2: Value, *, value: Any = 1) -> Value:
    x, a, b = together(g, input, tensor1, tensor2)
    product = g.op("Mul", a, b)
    return g.op("Add", x, product if value == 1 else g.op("Mul", product, value))


@exporter("addcdiv")
def addcdiv(g: Builder, input: Value, tensor1: Value, tensor2: Value, *, value: Any = 1) -> Value:
    x, a, b = together(g, input, tensor1, tensor2)
    quotient = g.op("Div", a, b)
    return g.op("Add", x, quotient if value == 1 else g.op("Mul", quotient, value))


@exporter("nan_to_num")
def nan_to_num(g: Builder, input: Value, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Value:
    if not input.dtype.is_floating_point:
        return input
    limits = _api.finfo(input.dtype)
    infinite = g.op("IsInf", input, dtype=dtypes.bool_)
    positive = g.op("Greater", input, 0, dtype=dtypes.bool_)
    x = g.where(g.op("And", infinite, positive), limits.max if posinf is None else posinf, input)
    negative = g.op("And", infinite, g.op("Not", positive))
    x = g.where(negative, limits.min if neginf is None else neginf, x)
    return g.where(g.op("IsNaN", input, dtype=dtypes.bool_), 0 if nan is None else nan, x)


@exporter("deg2rad")
def deg2rad(g: Builder, input: Value) -> Value:
    return g.op("Mul", floating(g, input), math.pi / 180)


@exporter("rad2deg")
def rad2deg(g: Builder, input: Value) -> Value:
    return g.op("Mul", floating(g, input), 180 / math.pi)


@exporter("positive")
def positive(g: Builder, input: Value) -> Value:
    return input


@exporter("heaviside")
def heaviside(g: Builder, input: Value, values: Value) -> Value:
    x, at_zero = together(g, input, values)
    above = g.cast(g.op("Greater", x, 0, dtype=dtypes.bool_), x.dtype)
    return g.where(g.op("Equal", x, 0, dtype=dtypes.bool_), at_zero, above)


@exporter("xlogy")
def xlogy(g: Builder, input: Any, other: Any) -> Value:
    x, y = _operands(g, input, other)
    product = g.op("Mul", x, g.op("Log", y))
    nothing = g.op(
        "And", g.op("Equal", x, 0, dtype=dtypes.bool_), g.op("Not", g.op("IsNaN", y, dtype=dtypes.bool_))
    )
    return g.where(nothing, 0, product)


def _register_bitwise(name, kind, of_bool):
    @exporter(f"bitwise_{name}")
    def bitwise(g, input, other):
        a, b = _operands(g, input, other)
        return g.op(of_bool if a.dtype is dtypes.bool_ else kind, a, b)

    @exporter(f"logical_{name}")
    def logical(g, input, other):
        return g.op(of_bool, g.cast(input, dtypes.bool_), g.cast(other, dtypes.bool_))


for _name, _kind in {"and": "And", "or": "Or", "xor": "Xor"}.items():
    _register_bitwise(_name, f"Bitwise{_kind}", _kind)


@exporter("bitwise_not")
def bitwise_not(g: Builder, input: Value) -> Value:
    return g.op("Not" if input.dtype is dtypes.bool_ else "BitwiseNot", input)


@exporter("logical_not")
def logical_not(g: Builder, input: Value) -> Value:
    return g.op("Not", g.cast(input, dtypes.bool_))


@exporter("bitwise_left_shift")
def left_shift(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    two = g.constant(2, a.dtype)
    return g.op("Mul", a, g.op("Pow", two, b))


@exporter("bitwise_right_shift")
def right_shift(g: Builder, input: Any, other: Any) -> Value:
    a, b = _operands(g, input, other)
    return floor_divide(g, a, g.op("Pow", g.constant(2, a.dtype), b))
