"""Operators on the bits of integers and truth values, shifts and common divisors."""

import numpy as np

from tests.operators.draws import BOOL, INTEGERS
from tests.operators.rows import Row

TWO = ("real", "real")
BITS = {"dtypes": [*BOOL, *INTEGERS], "order": 0, "values": ("apart", "extremes")}
WHOLE = {"dtypes": INTEGERS, "order": 0}


def invert(x):
    return np.logical_not(x) if x.dtype == bool else np.invert(x)


ROWS = [
    Row("bitwise_and", np.bitwise_and, TWO, **BITS),
    Row("bitwise_or", np.bitwise_or, TWO, **BITS),
    Row("bitwise_xor", np.bitwise_xor, TWO, **BITS),
    Row("bitwise_not", invert, ("real",), **BITS),
    Row("bitwise_left_shift", np.left_shift, ("real", "probability"), **WHOLE, extremes=False),
    Row("bitwise_right_shift", np.right_shift, ("real", "probability"), **WHOLE, extremes=False),
    Row("gcd", np.gcd, TWO, **WHOLE, extremes=False),
    Row("lcm", np.lcm, TWO, **WHOLE, extremes=False),
]
