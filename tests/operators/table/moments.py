"""Variances, deviations and norms."""

import numpy as np

from tests.operators import rows
from tests.operators.draws import FLOATS
from tests.operators.rows import INEXACT, Row

MOMENT = {
    "draw": rows.draw_moments,
    "dtypes": INEXACT,
    "ties": False,
    "any_place": True,
    "values": ("apart",),
    "in_place": False,
    "extremes": False,
}


def over(function, x, dim, keepdim, **keywords):
    return function(x, axis=dim, keepdims=keepdim, **keywords)


def variance(x, dim=None, keepdim=False, correction=1):
    return over(np.var, x, dim, keepdim, ddof=correction)


def deviation(x, **keywords):
    return np.sqrt(variance(x, **keywords))


def with_mean(function):
    def pair(x, dim=None, keepdim=False, correction=1):
        mean = over(np.mean, x, dim, keepdim)
        return function(x, dim=dim, keepdim=keepdim, correction=correction), mean

    return pair


def length(x, p=2, dim=None, keepdim=False):
    return over(np.sum, np.abs(x) ** p, dim, keepdim) ** (1 / p)


def limited(x, p, dim, maxnorm):
    others = tuple(d for d in range(x.ndim) if d != dim % x.ndim)
    sizes = length(x, p, others, True)
    return np.where(sizes > maxnorm, x * (maxnorm / (sizes + 1e-7)), x)


ROWS = [
    Row("var", variance, rule="real", note="correction", **MOMENT),
    Row("std", deviation, rule="real", note="correction", **MOMENT),
    Row("var_mean", with_mean(variance), rule="real", note="correction", **{**MOMENT, "out": False}),
    Row("std_mean", with_mean(deviation), rule="real", note="correction", **{**MOMENT, "out": False}),
    Row("norm", length, ("nonzero",), rule="real", keywords={"p": 2}, **MOMENT),
    Row("norm", length, ("nonzero",), rule="real", keywords={"p": 1}, note="one", **MOMENT),
    Row("norm", length, ("nonzero",), rule="real", keywords={"p": 3}, note="three", **MOMENT),
    Row("renorm", limited, ("nonzero",), dtypes=FLOATS, min_dims=2, empty=False, keywords={"p": 2, "dim": 0, "maxnorm": 1.5}, extremes=False),
]  # fmt: skip
