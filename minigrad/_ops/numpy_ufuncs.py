"""NumPy's ufuncs as our own operators: what stands for each where a gradient is wanted.  A table of rules, no more: see ``numpy_protocol.py``."""

import operator
from collections.abc import Callable

import numpy as np

from .._core.tensor import Tensor
from . import choose, compare, float_parts, linalg_vectors, matmul, powers, rounding, transcendental
from .numpy_functions import FUNCTIONS
from .operands import as_common_tensors

__all__ = []


def of_tensor(name):
    """The method ``name`` of the one operand."""
    return lambda x: getattr(x, name)()


def of_tensors(function):
    """``function`` of two operands, of which it wants no numbers."""
    return lambda x, y: function(*as_common_tensors(x, y))


def cbrt(x):
    """The real cube root; its derivative at 0 is nan."""
    return float_parts.copysign(x.abs() ** (1 / 3), x)


def quotient(x, y):
    """``x // y``, constant between its steps."""
    return operator.floordiv(*[v.detach() if isinstance(v, Tensor) else v for v in (x, y)])


#: Ufunc -> a function of its operands, of which some are tensors and some may be numbers.
UFUNCS: dict[np.ufunc, Callable] = {
    getattr(np, name): of_tensor(name)
    for name in (
        "exp", "expm1", "exp2", "log", "log2", "log10", "log1p", "sqrt", "square", "reciprocal", "sin", "cos", "tan", "sinh", "cosh", "tanh",
        "floor", "ceil", "trunc", "isnan", "isinf", "isfinite", "signbit", "deg2rad", "rad2deg", "negative", "positive", "logical_not", "frexp",
    )
}
UFUNCS |= {
    np.absolute: of_tensor("abs"), np.fabs: of_tensor("abs"), np.sign: of_tensor("sgn"), np.rint: of_tensor("round"),
    np.conjugate: of_tensor("conj"), np.invert: of_tensor("bitwise_not"),
    np.arcsin: of_tensor("asin"), np.arccos: of_tensor("acos"), np.arctan: of_tensor("atan"),
    np.arcsinh: of_tensor("asinh"), np.arccosh: of_tensor("acosh"), np.arctanh: of_tensor("atanh"),
}
UFUNCS |= {
    np.degrees: of_tensor("rad2deg"), np.radians: of_tensor("deg2rad"), np.cbrt: cbrt,
    np.modf: lambda x: (x.frac(), x.trunc()),
    np.divmod: lambda x, y: (quotient(x, y), x % y), np.floor_divide: quotient,
    np.ldexp: lambda x, y: x * 2.0**y,
}
UFUNCS |= {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.true_divide: operator.truediv,
    np.power: operator.pow, np.remainder: operator.mod,
    np.less: operator.lt, np.less_equal: operator.le, np.greater: operator.gt, np.greater_equal: operator.ge,
    np.equal: operator.eq, np.not_equal: operator.ne,
    np.bitwise_and: operator.and_, np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor,
    np.left_shift: operator.lshift, np.right_shift: operator.rshift,
    np.float_power: powers.float_power,
}
UFUNCS |= {
    ufunc: of_tensors(function)
    for ufunc, function in {
        np.maximum: choose.maximum, np.minimum: choose.minimum, np.fmax: choose.fmax, np.fmin: choose.fmin,
        np.fmod: rounding.fmod, np.arctan2: transcendental.atan2, np.hypot: powers.hypot,
        np.copysign: float_parts.copysign, np.nextafter: float_parts.nextafter, np.heaviside: rounding.heaviside,
        np.logaddexp: transcendental.logaddexp, np.logaddexp2: transcendental.logaddexp2,
        np.logical_and: compare.logical_and, np.logical_or: compare.logical_or, np.logical_xor: compare.logical_xor,
        np.matmul: matmul.matmul, np.gcd: compare.gcd, np.lcm: compare.lcm,
    }.items()
}
UFUNCS[np.vecdot] = of_tensors(linalg_vectors.vecdot)


def along(function):
    """``ufunc.reduce`` by a function of NumPy's that reduces: along the first axis, if none is given."""
    rule = FUNCTIONS[function]
    return lambda x, axis=0, **kwargs: rule(x, axis=axis, **kwargs)


#: Ufunc -> what ``ufunc.reduce`` and ``ufunc.accumulate`` are.
REDUCE: dict[np.ufunc, Callable] = {
    ufunc: along(function)
    for ufunc, function in {
        np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min,
        np.logical_and: np.all, np.logical_or: np.any,
    }.items()
}
REDUCE[np.logaddexp] = lambda x, axis=0, keepdims=False: x.logsumexp(tuple(range(x.ndim)) if axis is None else axis, keepdims)
ACCUMULATE: dict[np.ufunc, Callable] = {
    np.add: lambda x, axis=0: x.cumsum(axis), np.multiply: lambda x, axis=0: x.cumprod(axis),
    np.maximum: lambda x, axis=0: x.cummax(axis).values, np.minimum: lambda x, axis=0: x.cummin(axis).values,
    np.logaddexp: lambda x, axis=0: x.logcumsumexp(axis),
}
