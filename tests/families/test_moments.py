"""Variances, deviations and norms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.families import rows
from tests.families.draws import FLOATS, few
from tests.families.rows import INEXACT, Row, every

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


@every(ROWS, rows.has_reference)
@few
@given(st.data())
def test_values(row, data):
    rows.check_values(row, data)


@every(ROWS, rows.has_gradient)
@few
@given(st.data())
def test_gradients(row, data):
    rows.check_gradients(row, data)


@every(ROWS)
@few
@given(st.data())
def test_layout_does_not_matter(row, data):
    rows.check_layouts(row, data)


@pytest.mark.torch
@every(ROWS)
@few
@given(st.data())
def test_as_in_torch(row, data):
    rows.check_torch(row, data)


def test_the_frobenius_norm_is_that_of_matrices():
    x = minigrad.ones(2, 2, 2)
    with pytest.raises(RuntimeError, match="linalg.matrix_norm: dim must be a 2-tuple. Got 0 1 2"):
        minigrad.norm(x, dim=(0, 1, 2))
    assert minigrad.norm(x, 2, dim=(0, 1, 2)).item() == pytest.approx(8**0.5)
