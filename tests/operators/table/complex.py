"""Complex numbers: their parts, conjugates, angles, and how they are put together."""

import numpy as np

from tests.operators import rows
from tests.operators.draws import COMPLEX
from tests.operators.rows import Row

PLAIN = {"in_place": False, "out": False}


def pairs(z):
    return np.stack([z.real, z.imag], -1)


def polar(r, angle):
    return r * np.exp(1j * angle)


ROWS = [
    Row("real", np.real, ("real",), rule="real", **PLAIN),
    Row("imag", np.imag, ("real",), rule="real", dtypes=COMPLEX, **PLAIN),
    Row("conj", np.conj, ("real",), **PLAIN),
    Row("conj_physical", np.conj, ("real",)),
    Row("resolve_conj", np.positive, ("real",), dtypes=COMPLEX, **PLAIN),
    Row("resolve_neg", np.positive, ("real",), dtypes=COMPLEX, **PLAIN),
    Row("angle", np.angle, ("nonzero",), rule="angle", in_place=False),
    Row("view_as_real", pairs, ("real",), rule="real", dtypes=COMPLEX, **PLAIN),
    # PyTorch makes complex numbers of half precision, which minigrad has not
    Row("complex", lambda x, y: x + 1j * y, ("real", "real"), rule="complex", dtypes=["float32", "float64"], differs=("float16",), in_place=False),
    Row("polar", polar, ("positive", "real"), rule="complex", dtypes=["float32", "float64"], in_place=False),
    Row("adjoint", lambda z: np.conj(np.swapaxes(z, -1, -2)), ("real",), dtypes=COMPLEX, min_dims=2, **PLAIN),
    Row("view_as_complex", lambda x: x[..., 0] + 1j * x[..., 1], ("real",), rule="complex", dtypes=["float32", "float64"], draw=rows.draw_pairs, differs=("float16",), **PLAIN, placed=True),
]  # fmt: skip
