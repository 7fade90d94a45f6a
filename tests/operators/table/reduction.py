"""Reductions over no, one and several dimensions: sums, products, means, extremes, counts, truth."""

import numpy as np

from tests.operators import rows
from tests.operators.draws import COMPLEX, FLOATS, INTEGERS
from tests.operators.rows import INEXACT, NUMBERS, REAL, Row

PLAIN = {"draw": rows.draw_reduced, "in_place": False, "strides": True}
ORDERED = {**PLAIN, "dtypes": REAL, "empty": False, "ties": False}
PLACES = {**ORDERED, "rule": "int64", "order": 0, "dtypes": [d for d in REAL if d != "bool"]}


def over(function, **fixed):
    """``function`` of NumPy's with PyTorch's names for its arguments."""

    def reduce(x, dim=None, keepdim=False):
        dim = dim if x.ndim else None
        return function(x, axis=dim, keepdims=keepdim, **fixed)

    return reduce


def log_sum_exp(x, axis, keepdims):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))


def counted(x, dim=None):
    return np.count_nonzero(x, axis=dim) * np.ones((), int)


def both(x, dim=None, keepdim=False):
    return over(np.min)(x, dim, keepdim), over(np.max)(x, dim, keepdim)


def with_places(reduce, find):
    """Values and places, or values alone where no dimension is named."""

    def pair(x, dim=None, keepdim=False):
        if dim is None:
            return reduce(x)
        if not x.ndim:
            return x, np.zeros((), int)
        return reduce(x, axis=dim, keepdims=keepdim), find(x, axis=dim, keepdims=keepdim)

    return pair


# PyTorch multiplies numbers of half precision in half precision.
ROWS = [
    Row("sum", over(np.sum), rule="sum", **PLAIN),
    Row("nansum", over(np.nansum), rule="sum", dtypes=REAL, **PLAIN),
    Row("mean", over(np.mean), dtypes=INEXACT, **PLAIN),
    Row("nanmean", over(np.nanmean), dtypes=FLOATS, **PLAIN),
    Row("prod", over(np.prod), ("nonzero",), rule="sum", out=False, differs=("float16", "bfloat16"), dtypes=[d for d in NUMBERS if d not in INTEGERS], dims="none one", **PLAIN),
    Row("prod", None, ("real",), dtypes=["int64"], order=0, out=False, dims="none one", note="integers", extremes=False, differs=("float16", "bfloat16"), **PLAIN),
    Row("logsumexp", over(log_sum_exp), rule="float", dtypes=[*REAL, *COMPLEX], dims="one several", **PLAIN),
    Row("amax", over(np.max), **ORDERED),
    Row("amin", over(np.min), **ORDERED),
    Row("aminmax", both, dims="none one", **ORDERED),
    Row("max", with_places(np.max, np.argmax), dims="none one", values=("apart",), **ORDERED),
    Row("min", with_places(np.min, np.argmin), dims="none one", values=("apart",), **ORDERED),
    Row("argmax", over(np.argmax), dims="none one", **PLACES),
    Row("argmin", over(np.argmin), dims="none one", **PLACES),
    Row("all", over(np.all), rule="truth", order=0, **PLAIN),
    Row("any", over(np.any), rule="truth", order=0, **PLAIN),
    Row("count_nonzero", counted, rule="int64", order=0, keepdim=False, out=False, **PLAIN),
]  # fmt: skip
