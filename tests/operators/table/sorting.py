"""Sorting, selecting by rank, distinct elements, and searching in sorted sequences."""

import numpy as np

from tests.operators import calls, rows
from tests.operators.draws import COMPLEX, FLOATS, INTEGERS
from tests.operators.rows import REAL, Row

NUMBERS = [*INTEGERS, *FLOATS]
PLAIN = {"in_place": False, "out": False}
ALONG = {"draw": rows.draw_reduced, "dims": "one", "keepdim": False, "ties": False, **PLAIN}
RANKED = {
    "draw": rows.draw_ranked,
    "any_place": True,
    "ties": False,
    "values": ("apart",),
    "dtypes": FLOATS,
    **PLAIN,
}
MIDDLE = {
    "draw": rows.draw_reduced,
    "any_place": True,
    "ties": False,
    "values": ("apart",),
    "dtypes": FLOATS,
    "empty": False,
    **PLAIN,
}

QUANTILE = {
    "draw": rows.draw_reduced,
    "dtypes": ["float32", "float64"],
    "empty": False,
    "ties": False,
    "any_place": True,
    **PLAIN,
}


def over(function):
    def quantile(x, q, dim=None, keepdim=False):
        return function(x, q, axis=dim if x.ndim else None, keepdims=keepdim)

    return quantile


def in_order(x, dim=-1, descending=False, stable=False):
    """Values in order, and from where they come; equal ones stay in order."""
    if not x.ndim:
        return x, np.zeros((), int)
    places = np.argsort(-x.astype(float) if descending else x, axis=dim, kind="stable")
    return np.take_along_axis(x, places, dim), places


def places_in_order(x, **keywords):
    return in_order(x, **keywords)[1]


def ranked(x, k, dim):
    values, places = in_order(x, dim)
    return (np.take(values, k - 1, dim), np.take(places, k - 1, dim)) if x.ndim else (values, places)


def greatest(x, k, dim, largest=True):
    values, places = in_order(x, dim, descending=largest)
    return (np.take(values, range(k), dim), np.take(places, range(k), dim)) if x.ndim else (values, places)


def middle(x, dim=None, keepdim=False):
    """The lower of the two in the middle, with its place where a dimension is named."""
    if dim is None or not x.ndim:
        value = np.sort(x.ravel())[(x.size - 1) // 2]
        return value if dim is None else (x, np.zeros((), int))
    values, places = ranked(x, (x.shape[dim] + 1) // 2, dim)
    return (np.expand_dims(values, dim), np.expand_dims(places, dim)) if keepdim else (values, places)


def several(s):
    """More than one of them, and what stands for one between two elements."""
    shape = s.shape(1, 3, low=1)
    named = {"dim": s.one_of(None, s.dim(shape)), "keepdim": s.flag()}
    named["interpolation"] = s.one_of("linear", "lower", "higher", "midpoint", "nearest")
    return s.floats(*shape), s.floats(s.size(1, 3), low=0, high=1), named


def quantiles(x, q, dim, keepdim, interpolation):
    return np.quantile(x, q, axis=dim, keepdims=keepdim, method=interpolation)


# Of a bool or complex number PyTorch takes kthvalue and mode, though not of several.
ROWS = [
    Row("sort", in_order, dtypes=REAL, keywords={"stable": True}, **ALONG),
    Row("sort", in_order, dtypes=REAL, keywords={"stable": True, "descending": True}, note="descending", **ALONG),
    Row("argsort", places_in_order, rule="int64", dtypes=REAL, keywords={"stable": True}, order=0, **ALONG),
    Row("msort", lambda x: np.sort(x, 0), dtypes=REAL, ties=False, min_dims=1, in_place=False),
    Row("topk", greatest, **RANKED),
    Row("topk", greatest, keywords={"largest": False}, note="smallest", **RANKED),
    Row("kthvalue", ranked, differs=("bool", *COMPLEX), **RANKED),
    Row("median", middle, dims="none one", **MIDDLE),
    Row("nanmedian", middle, dims="none one", **MIDDLE),
    Row("mode", None, dims="one", differs=COMPLEX, **{**MIDDLE, "dtypes": NUMBERS, "order": 0}),
    Row("quantile", over(np.quantile), keywords={"q": 0.3}, dims="none one", **QUANTILE),
    Row("nanquantile", over(np.nanquantile), keywords={"q": 0.3}, dims="none one", **QUANTILE),
    *[calls.Row(f"{name} several", several, quantiles, "d", torch="d", ties=False, strides=False) for name in ("quantile", "nanquantile")],
]  # fmt: skip
