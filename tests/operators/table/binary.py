"""Elementwise operators of two and three operands, which broadcast: arithmetic, powers, extremes, choices."""

import math

import numpy as np

from tests.operators.draws import COMPLEX, FLOATS, INTEGERS
from tests.operators.rows import INEXACT, NUMBERS, REAL, Row

NO_BOOL = [d for d in NUMBERS if d != "bool"]
REAL_NO_BOOL = [d for d in REAL if d != "bool"]
TWO, THREE = ("real", "real"), ("real", "real", "real")
DIVISION = ("real", "nonzero")


def quotient(x, y, rounding_mode=None):
    return {"floor": np.floor, "trunc": np.trunc, None: np.positive}[rounding_mode](x / y)


def log_add(x, y, base=np.e):
    return np.log(base**x + base**y) / np.log(base)


def power_of_two(x, y):
    return x * 2.0**y


def lower_gamma(a, x):
    """The regularised incomplete gamma function by its power series."""
    terms, total = 1 / a, 1 / a
    for n in range(1, 90):
        terms = terms * x / (a + n)
        total = total + terms
    return (
        total * np.exp(a * np.log(x) - x) / np.vectorize(math.gamma, otypes=[float])(a)
        if a.size and x.size
        else a * x
    )


def heaviside(x, y):
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


ROWS = [
    # arithmetic
    Row("add", np.add, TWO),
    Row("add", lambda x, y, alpha: x + np.asarray(alpha).astype(x.dtype) * y, TWO, dtypes=NO_BOOL, keywords={"alpha": 2}, note="alpha"),
    Row("sub", np.subtract, TWO, dtypes=NO_BOOL, aliases=("subtract",)),
    Row("rsub", lambda x, y: y - x, TWO, dtypes=NO_BOOL, in_place=False, out=False),
    Row("mul", np.multiply, TWO, aliases=("multiply",)),
    Row("div", np.true_divide, DIVISION, rule="float", dtypes=NO_BOOL, aliases=("divide", "true_divide")),
    Row("div", quotient, DIVISION, keywords={"rounding_mode": "floor"}, order=1, dtypes=["int32", "int64", "float32", "float64"], note="floor"),
    Row("div", quotient, DIVISION, keywords={"rounding_mode": "trunc"}, order=1, dtypes=["int32", "int64", "float32", "float64"], note="trunc"),
    Row("floor_divide", lambda x, y: np.floor(x / y), DIVISION, dtypes=["int32", "int64", "float32", "float64"], order=0),
    Row("remainder", np.remainder, DIVISION, dtypes=[*INTEGERS, "float32", "float64"]),
    Row("fmod", np.fmod, DIVISION, dtypes=[*INTEGERS, "float32", "float64"]),
    Row("addcmul", lambda x, y, w: x + y * w, THREE, dtypes=NO_BOOL),
    Row("addcmul", lambda x, y, w, value: x + value * y * w, THREE, dtypes=INEXACT, keywords={"value": -1.5}, note="value"),
    Row("addcdiv", lambda x, y, w: x + y / w, ("real", "real", "nonzero"), dtypes=INEXACT),
    Row("lerp", lambda x, y, w: x + w * (y - x), ("real", "real", "probability"), dtypes=INEXACT),
    Row("lerp", lambda x, y, weight: x + weight * (y - x), TWO, dtypes=INEXACT, keywords={"weight": 0.7}, note="number"),
    # powers and logarithms
    Row("pow", np.power, ("positive", "small"), dtypes=INEXACT, extremes="real"),  # PyTorch has 0j ** 0j = nan
    Row("pow", np.power, ("real", "positive"), dtypes=["uint8", "int32", "int64"], order=0, extremes="real", note="integers"),
    Row("float_power", np.power, ("positive", "small"), rule="double", dtypes=["float32", "float64", *COMPLEX], extremes="real"),
    Row("ldexp", power_of_two, ("real", "small"), rule="float", dtypes=REAL_NO_BOOL),
    Row("hypot", np.hypot, ("nonzero", "nonzero"), dtypes=FLOATS),
    Row("logaddexp", log_add, TWO, dtypes=INEXACT, in_place=False),
    Row("logaddexp2", lambda x, y: log_add(x, y, 2.0), TWO, dtypes=FLOATS, in_place=False),
    Row("xlogy", lambda x, y: x * np.log(y), ("real", "positive"), rule="float", dtypes=REAL_NO_BOOL, aliases=("special.xlogy",)),
    Row("special.xlog1py", lambda x, y: x * np.log1p(y), ("real", "positive"), rule="float", dtypes=REAL_NO_BOOL, in_place=False),
    Row("atan2", np.arctan2, ("nonzero", "nonzero"), rule="float", dtypes=REAL, aliases=("arctan2",)),
    # signs and neighbours
    Row("copysign", np.copysign, ("nonzero", "nonzero"), extremes=False, rule="float", dtypes=REAL),
    Row("nextafter", np.nextafter, TWO, dtypes=["float32", "float64"], order=0),
    Row("heaviside", heaviside, TWO, dtypes=REAL_NO_BOOL, order=0),
    # extremes and choices
    Row("maximum", np.maximum, TWO, dtypes=REAL, in_place=False),
    Row("minimum", np.minimum, TWO, dtypes=REAL, in_place=False),
    Row("fmax", np.fmax, TWO, dtypes=REAL, in_place=False),
    Row("fmin", np.fmin, TWO, dtypes=REAL, in_place=False),
    Row("clamp", lambda x, low, high: np.minimum(np.maximum(x, low), high), THREE, dtypes=REAL_NO_BOOL, torch_gradient=False, note="tensors"),
    Row("clamp_min", np.maximum, TWO, dtypes=REAL_NO_BOOL, note="tensor"),
    Row("clamp_max", np.minimum, TWO, dtypes=REAL_NO_BOOL, note="tensor"),
    Row("where", np.where, THREE, fixed={0: "bool"}, in_place=False),
    # special functions
    Row("igamma", lower_gamma, ("positive", "positive"), dtypes=["float32", "float64"], order=0, aliases=("special.gammainc",), extremes=False, needs="scipy"),
    Row("igammac", lambda a, x: 1 - lower_gamma(a, x), ("positive", "positive"), dtypes=["float32", "float64"], order=0, aliases=("special.gammaincc",), extremes=False, needs="scipy"),
]  # fmt: skip
