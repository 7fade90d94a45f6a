"""Comparisons, truth values and kinds of numbers: results are bool and have no gradient."""

import numpy as np

from tests.operators.draws import FLOATS
from tests.operators.rows import NUMBERS, REAL, Row

TWO = ("real", "real")
ANY = {"rule": "bool", "dtypes": NUMBERS, "order": 0, "values": ("apart", "ties", "extremes")}
ORDERED = {**ANY, "dtypes": REAL}
KINDS = {**ANY, "in_place": False}


def close_to(x, y):
    return np.isclose(x, y, rtol=1e-5, atol=1e-8)


# PyTorch gives a nan a sign when it makes a bfloat16 of it.
ROWS = [
    Row("eq", np.equal, TWO, **ANY),
    Row("ne", np.not_equal, TWO, **ANY, aliases=("not_equal",)),
    Row("lt", np.less, TWO, **ORDERED, aliases=("less",)),
    Row("le", np.less_equal, TWO, **ORDERED, aliases=("less_equal",)),
    Row("gt", np.greater, TWO, **ORDERED, aliases=("greater",)),
    Row("ge", np.greater_equal, TWO, **ORDERED, aliases=("greater_equal",)),
    Row("logical_and", np.logical_and, TWO, **ANY),
    Row("logical_or", np.logical_or, TWO, **ANY),
    Row("logical_xor", np.logical_xor, TWO, **ANY),
    Row("logical_not", np.logical_not, ("real",), **ANY),
    Row("isnan", np.isnan, ("real",), **KINDS, out=False),
    Row("isinf", np.isinf, ("real",), **KINDS, out=False),
    Row("isfinite", np.isfinite, ("real",), **KINDS, out=False),
    Row("isreal", np.isreal, ("real",), **KINDS, out=False),
    Row("isposinf", np.isposinf, ("real",), **{**KINDS, "dtypes": REAL}),
    Row("isneginf", np.isneginf, ("real",), **{**KINDS, "dtypes": REAL}),
    Row("signbit", np.signbit, ("real",), **{**KINDS, "dtypes": FLOATS, "differs": ("bfloat16",)}),
    Row("isclose", close_to, TWO, **{**KINDS, "dtypes": ["int64", "float64", "complex128"]}, out=False),
]
