"""Element by element, and products of matrices: arithmetic, functions of one number, comparisons, logic and bits."""

from functools import reduce
from typing import Any

from ... import _api as mg
from ._values import number

#: Operators of one or two inputs that minigrad has by another name, and without attributes.
_SAME = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh", "Ceil": "ceil",
    "Cos": "cos", "Cosh": "cosh", "Det": "det", "Erf": "erf", "Exp": "exp", "Floor": "floor", "IsNaN": "isnan", "Log": "log",
    "Neg": "neg", "Reciprocal": "reciprocal", "Round": "round", "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt",
    "Tan": "tan", "Not": "logical_not", "BitwiseNot": "bitwise_not",
    "Add": "add", "Sub": "sub", "Mul": "mul", "MatMul": "matmul", "Equal": "eq", "Greater": "gt", "GreaterOrEqual": "ge",
    "Less": "lt", "LessOrEqual": "le", "And": "logical_and", "Or": "logical_or", "Xor": "logical_xor", "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor",
}  # fmt: skip


class _Same:
    """A function of minigrad's as an operator: it takes inputs and no attributes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *inputs: Any) -> Any:
        return getattr(mg, self.name)(*inputs)


globals().update({operator: _Same(name) for operator, name in _SAME.items()})


def Div(a: Any, b: Any) -> Any:
    return mg.div(a, b, rounding_mode=None if a.is_floating_point() or a.is_complex() else "trunc")


def Mod(a: Any, b: Any, *, fmod: int = 0) -> Any:
    return mg.fmod(a, b) if fmod else mg.remainder(a, b)


def Pow(a: Any, b: Any) -> Any:
    return mg.pow(a, b).to(a.dtype)


def Sum(*inputs: Any) -> Any:
    return reduce(mg.add, inputs)


def Mean(*inputs: Any) -> Any:
    return reduce(mg.add, inputs) / len(inputs)


def Max(*inputs: Any) -> Any:
    return reduce(mg.maximum, inputs)


def Min(*inputs: Any) -> Any:
    return reduce(mg.minimum, inputs)


def Clip(x: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        return x
    return mg.clamp(x, min, max)


def BitShift(x: Any, y: Any, *, direction: str) -> Any:
    return (mg.bitwise_left_shift if direction == "LEFT" else mg.bitwise_right_shift)(x, y)


def Einsum(*inputs: Any, equation: str) -> Any:
    return mg.einsum(equation, *inputs)


def Gemm(
    a: Any, b: Any, c: Any = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0
) -> Any:
    product = mg.matmul(a.t() if transA else a, b.t() if transB else b)
    if alpha != 1:
        product = product * alpha if product.is_floating_point() else product * int(alpha)
    if c is None or beta == 0:
        return product
    return product + (c if beta == 1 else c * beta if c.is_floating_point() else c * int(beta))


def IsInf(x: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    found = mg.isinf(x)
    if not detect_negative:
        found = found & (x > 0)
    return found if detect_positive else found & (x < 0)


def CumSum(x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(mg.cumsum, 0, x, axis, exclusive, reverse)


def CumProd(x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(mg.cumprod, 1, x, axis, exclusive, reverse)


def _cumulative(function, first, x, axis, exclusive, reverse):
    axis = int(number(axis))
    if reverse:
        x = mg.flip(x, [axis])
    if exclusive:
        start = mg.full_like(x.narrow(axis, 0, min(1, x.shape[axis])), first)
        x = mg.cat([start, x.narrow(axis, 0, max(x.shape[axis] - 1, 0))], axis)
    result = function(x, axis, dtype=x.dtype)
    return mg.flip(result, [axis]) if reverse else result
