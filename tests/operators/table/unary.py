"""Elementwise operators of one operand: exponentials, circles, roots, rounding, signs, special functions."""

import math

import numpy as np

from tests.operators.rows import COMPLEX, INEXACT, NUMBERS, REAL, Row

SIGNED = [d for d in REAL if d not in ("bool", "uint8")]


def of_floats(function):
    """A function of the standard library's for every element."""
    return lambda x: np.vectorize(function, otypes=[float])(x) if x.size else np.zeros(x.shape)


def slope_of(function, step=1e-5):
    """The derivative of a smooth function by central differences of fourth order."""
    return lambda x: (
        (8 * (function(x + step) - function(x - step)) - function(x + 2 * step) + function(x - 2 * step))
        / (12 * step)
    )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def round_half_even(x, decimals):
    return np.round(x * 10.0**decimals) / 10.0**decimals


def sgn(x):
    return np.sign(x) if x.dtype.kind != "c" else np.where(x == 0, 0, x / np.where(x == 0, 1, np.abs(x)))


def fractional(x):
    return x - np.trunc(x)


def multigamma(x, p):
    return of_floats(
        lambda v: p * (p - 1) / 4 * math.log(math.pi) + sum(math.lgamma(v - i / 2) for i in range(p))
    )(x)


lgamma, erf, erfc = of_floats(math.lgamma), of_floats(math.erf), of_floats(math.erfc)
FLOATING = {"rule": "float"}
REAL_FLOATING = {"rule": "float", "dtypes": REAL}
SINGLE = {"rule": "float", "dtypes": [d for d in REAL if d not in ("float16", "bfloat16")]}
GAMMA = {"rule": "float", "dtypes": [d for d in REAL if d != "bool"]}  # which has a pole at False
KINKED = {"order": 1, "domains": ("off integers",)}

ROWS = [
    # exponentials and logarithms
    Row("exp", np.exp, ("real",), **FLOATING),
    Row("exp2", np.exp2, ("real",), **REAL_FLOATING, aliases=("special.exp2",)),
    Row("expm1", np.expm1, ("real",), **FLOATING, aliases=("special.expm1",)),
    Row("log", np.log, ("positive",), **FLOATING),
    Row("log2", np.log2, ("positive",), **FLOATING),
    Row("log10", np.log10, ("positive",), **FLOATING),
    Row("log1p", np.log1p, ("small",), **FLOATING, aliases=("special.log1p",)),
    Row("logit", lambda x: np.log(x / (1 - x)), ("probability",), **REAL_FLOATING, aliases=("special.logit",)),
    Row("sigmoid", sigmoid, ("real",), **FLOATING, aliases=("special.expit",)),
    # circles and hyperbolas
    Row("sin", np.sin, ("real",), **FLOATING),
    Row("cos", np.cos, ("real",), **FLOATING),
    Row("tan", np.tan, ("small",), **FLOATING),
    Row("asin", np.arcsin, ("small",), **FLOATING, aliases=("arcsin",)),
    Row("acos", np.arccos, ("small",), **FLOATING, aliases=("arccos",)),
    Row("atan", np.arctan, ("real",), **FLOATING, aliases=("arctan",)),
    Row("sinh", np.sinh, ("real",), **FLOATING),
    Row("cosh", np.cosh, ("real",), **FLOATING),
    Row("tanh", np.tanh, ("small",), **FLOATING),
    Row("asinh", np.arcsinh, ("real",), **FLOATING, aliases=("arcsinh",)),
    Row("acosh", np.arccosh, ("above one",), **FLOATING, aliases=("arccosh",)),
    Row("atanh", np.arctanh, ("small",), **FLOATING, aliases=("arctanh",)),
    Row("sinc", np.sinc, ("nonzero",), **FLOATING, aliases=("special.sinc",)),
    Row("deg2rad", np.deg2rad, ("real",), **REAL_FLOATING),
    Row("rad2deg", np.rad2deg, ("real",), **REAL_FLOATING),
    # powers
    Row("sqrt", np.sqrt, ("positive",), **FLOATING),
    Row("rsqrt", lambda x: 1 / np.sqrt(x), ("positive",), **FLOATING),
    Row("square", np.square, ("real",), dtypes=[d for d in NUMBERS if d != "bool"]),
    Row("reciprocal", lambda x: 1 / x, ("nonzero",), **FLOATING),
    # signs and rounding
    Row("neg", np.negative, ("real",), dtypes=[d for d in NUMBERS if d != "bool"], aliases=("negative",)),
    Row("positive", np.positive, ("real",), dtypes=[d for d in NUMBERS if d != "bool"], in_place=False, out=False),
    Row("abs", np.abs, ("nonzero",), rule="real", dtypes=[d for d in NUMBERS if d != "bool"], aliases=("absolute",)),
    Row("sign", np.sign, ("nonzero",), dtypes=[d for d in REAL if d != "bool"], order=1),
    Row("sgn", sgn, ("nonzero",), dtypes=[d for d in NUMBERS if d != "bool"]),
    Row("ceil", np.ceil, dtypes=[d for d in REAL if d != "bool"], **KINKED),
    Row("floor", np.floor, dtypes=[d for d in REAL if d != "bool"], **KINKED),
    Row("trunc", np.trunc, dtypes=[d for d in REAL if d != "bool"], **KINKED, aliases=("fix",)),
    Row("round", np.round, ("small",), dtypes=[d for d in REAL if d != "bool"], order=0, aliases=("special.round",)),
    Row("round", round_half_even, ("small",), dtypes=["float32", "float64"], keywords={"decimals": 1}, order=0, note="decimals"),
    Row("frac", fractional, dtypes=[d for d in REAL if d in INEXACT], **KINKED),
    Row("nan_to_num", np.nan_to_num, ("real",), dtypes=[d for d in REAL if d != "bool"], differs=COMPLEX),
    Row("clamp", lambda x, min, max: np.clip(x, min, max), ("off integers",), dtypes=SIGNED, keywords={"min": -1, "max": 2}, aliases=("clip",)),
    Row("clamp_min", lambda x, min: np.maximum(x, min), ("off integers",), dtypes=SIGNED, keywords={"min": -1}),
    Row("clamp_max", lambda x, max: np.minimum(x, max), ("off integers",), dtypes=SIGNED, keywords={"max": 1}),
    # special functions
    Row("erf", erf, ("real",), **REAL_FLOATING, aliases=("special.erf",)),
    Row("erfc", erfc, ("real",), **REAL_FLOATING, aliases=("special.erfc",)),
    Row("erfinv", None, ("small",), **REAL_FLOATING, aliases=("special.erfinv",)),
    Row("lgamma", lgamma, ("positive",), **GAMMA, aliases=("special.gammaln",)),
    Row("digamma", slope_of(lgamma), ("positive",), **GAMMA, rtol=1e-7, aliases=("special.digamma", "special.psi")),
    Row("polygamma", lambda n, x: slope_of(slope_of(lgamma, 1e-2), 1e-2)(x), ("above one",), **GAMMA, lead=(1,), extremes=False, rtol=1e-5),
    Row("mvlgamma", multigamma, ("above one",), **GAMMA, keywords={"p": 3}, extremes=False, aliases=("special.multigammaln",)),
    Row("i0", np.i0, ("real",), **REAL_FLOATING, aliases=("special.i0",)),
    Row("special.i0e", lambda x: np.i0(x) * np.exp(-np.abs(x)), ("nonzero",), **REAL_FLOATING, in_place=False),
    Row("special.i1", slope_of(np.i0), ("nonzero",), **REAL_FLOATING, rtol=1e-7, in_place=False),
    Row("special.i1e", lambda x: slope_of(np.i0)(x) * np.exp(-np.abs(x)), ("nonzero",), **REAL_FLOATING, rtol=1e-7, in_place=False),
    Row("special.ndtr", lambda x: erfc(-x / math.sqrt(2)) / 2, ("real",), **REAL_FLOATING, in_place=False),
    Row("special.log_ndtr", lambda x: np.log(erfc(-x / math.sqrt(2)) / 2), ("real",), **SINGLE, in_place=False),
    Row("special.ndtri", None, ("probability",), **SINGLE, in_place=False),
    Row("special.entr", lambda x: np.where(x == 0, 0, -x * np.log(x)), ("positive",), **REAL_FLOATING, in_place=False),
    Row("special.erfcx", lambda x: np.exp(x * x) * erfc(x), ("positive",), **SINGLE, in_place=False),
]  # fmt: skip
