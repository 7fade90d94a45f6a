"""Running sums, products and extremes, differences and integrals along one dimension."""

import numpy as np

from tests.operators import calls, rows
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


def with_ends(s):
    """What is joined on before the differences are taken."""
    shape = s.shape(1, 3, low=1)
    dim = s.dim(shape)
    parts = []
    for _ in range(2):
        own = list(shape)
        own[dim] = s.size(0, 2)
        parts.append(s.floats(*own))
    return s.floats(*shape), s.size(1, 2), dim, *parts


def over_places(s):
    """Places for all lines along the dim, or for each."""
    shape = s.shape(1, 3, low=1)
    dim = s.dim(shape)
    return s.floats(*shape), s.floats(shape[dim]) if s.flag() else s.floats(*shape), {"dim": dim}


def at_places(y, x, dim):
    if x.ndim < y.ndim:
        x = x.reshape([-1 if d == dim % y.ndim else 1 for d in range(y.ndim)])
    near, far = np.moveaxis(y, dim, 0)[:-1], np.moveaxis(y, dim, 0)[1:]
    return np.moveaxis((near + far) / 2 * np.moveaxis(np.diff(x, axis=dim), dim, 0), 0, dim)


def slopes(s):
    shape = s.shape(1, 3, low=3, high=4)
    dim = s.dim(shape)
    places = np.cumsum(s.spread((shape[dim],), 0.5, 2)).astype(s.dtype)
    spacing = [s.given(places)] if s.flag() else s.one_of(1.0, 0.5)
    return s.floats(*shape), {"spacing": spacing, "dim": dim, "edge_order": s.size(1, 2)}


def slopes_of(x, spacing, dim, edge_order):
    places = spacing[0] if isinstance(spacing, list) else spacing
    return [np.gradient(x, places, axis=dim, edge_order=edge_order)]


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
    calls.Row("diff ends", with_ends, lambda x, n, dim, a, b: np.diff(np.concatenate([a, x, b], dim), n, dim), "dc"),
    calls.Row("trapezoid places", over_places, lambda y, x, dim: at_places(y, x, dim).sum(dim), "d", torch="d"),
    calls.Row("cumulative_trapezoid places", over_places, lambda y, x, dim: np.cumsum(at_places(y, x, dim), dim), "d", torch="d"),
    calls.Row("gradient places", slopes, slopes_of, "d", torch="d", loose=20, ties=False, strides=False),
]  # fmt: skip
