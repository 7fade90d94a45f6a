"""Complex gradients: conjugate, so that ``x - lr * grad`` descends."""

from cmath import exp
from math import inf, nan, pi

from tests.numerics.table import checks_of, elementwise

ROWS = [
    elementwise("x.abs()", [0, 5], x=[0j, 3 + 4j], dx=[0, 0.6 + 0.8j]),
    elementwise("x.sgn()", [0, 0.6 + 0.8j], x=[0j, 3 + 4j], dx=[0, 0.128 - 0.096j]),
    elementwise("x.angle()", [pi, 0, 0, nan], x=[-1.0, 0, 1, nan], dx=[0, 0, 0, 0]),
    elementwise("x.angle()", [0, pi / 2], x=[0j, 1j], dx=[0, -1]),
    elementwise("x.real", [1], x=[1 + 2j], dx=[1]),
    elementwise("x.imag", [2], x=[1 + 2j], dx=[1j]),
    elementwise("(x * x.conj()).real", [5], x=[1 + 2j], dx=[2 + 4j]),
    elementwise("x**2", [-3 + 4j], x=[1 + 2j], dx=[2 - 4j]),
    elementwise("x.exp()", [exp(1j)], x=[1j], dx=[exp(-1j)]),
    elementwise("x.conj()", [1 - 2j], x=[1 + 2j], cotangent=[1 + 1j], dx=[1 - 1j]),
    elementwise("x.sqrt()", [0], x=[0j], dx=[complex(inf, nan)]),
    elementwise("x.log()", [-inf], x=[0j], dx=[complex(inf, nan)]),
    elementwise("torch.polar(x, y)", [0], x=[0.0], y=[0.0], dx=[0], dy=[0]),
]

test_rows_hold, test_rows_are_what_torch_does = checks_of(ROWS)
