"""Running sums, products and extremes, differences and integrals along one dimension."""

import numpy as np

from tests.operators import rows
from tests.operators.draws import COMPLEX, FLOATS
from tests.operators.rows import INEXACT, NUMBERS, REAL, Row

ALONG = {"draw": rows.draw_reduced, "dims": "one", "keepdim": False}
LAST = {**ALONG, "dims": "none one", "min_dims": 1, "in_place": False}
FLAT = {"dtypes": INEXACT, "out": False, **LAST}


def along(function):
    """``function`` of an array and an axis, with a ``dim`` that is the last; a number is its own sequence."""

    def compute(x, dim=-1, **keywords):
        return function(x, dim, **keywords) if x.ndim else x.astype(np.result_type(function(x[None], 0)))

    return compute


def log_running_sum(x, axis):
    return np.log(np.cumsum(np.exp(x), axis))


def running(ufunc):
    """Running extremes and where they stand: the last place of equal ones."""

    def compute(x, dim):
        if not x.ndim:
            return x, np.zeros((), int)
        values = ufunc.accumulate(x, dim)
        places = np.indices(x.shape)[dim] if x.size else np.zeros(x.shape, int)
        return values, np.maximum.accumulate(np.where(x == values, places, -1), dim)

    return compute


def trapezoids(y, dim=-1):
    near, far = np.moveaxis(y, dim, 0)[:-1], np.moveaxis(y, dim, 0)[1:]
    return ((near + far) / 2).sum(0)


def running_trapezoids(y, dim=-1):
    near, far = np.moveaxis(y, dim, 0)[:-1], np.moveaxis(y, dim, 0)[1:]
    return np.moveaxis(np.cumsum((near + far) / 2, 0), 0, dim)


def differences(x, dim=-1, n=1):
    return np.diff(x, n, dim)


ROWS = [
    Row("cumsum", along(np.cumsum), rule="sum", **ALONG),
    Row("cumprod", along(np.cumprod), ("nonzero",), rule="sum", dtypes=[d for d in NUMBERS if d not in ("uint8", "float16", "bfloat16")], **ALONG),
    Row("logcumsumexp", along(log_running_sum), ("small",), dtypes=[*FLOATS, *COMPLEX], in_place=False, **ALONG),
    Row("cummax", running(np.maximum), dtypes=REAL, ties=False, differs=COMPLEX, in_place=False, **ALONG),
    Row("cummin", running(np.minimum), dtypes=REAL, ties=False, differs=COMPLEX, in_place=False, **ALONG),
    Row("diff", differences, dtypes=NUMBERS, **LAST),
    Row("diff", differences, dtypes=["int64", *INEXACT], keywords={"n": 2}, note="twice", **LAST),
    Row("trapezoid", trapezoids, aliases=("trapz",), **FLAT),
    Row("cumulative_trapezoid", running_trapezoids, **FLAT),
    Row("gradient", lambda x, dim=-1: np.gradient(x, axis=dim), dtypes=["float32", "float64"], draw=rows.draw_sampled, extremes=False, in_place=False, out=False),
]  # fmt: skip
