"""Variances, deviations and norms."""

import pytest

import minigrad


def test_the_frobenius_norm_is_that_of_matrices():
    x = minigrad.ones(2, 2, 2)
    with pytest.raises(RuntimeError, match="linalg.matrix_norm: dim must be a 2-tuple. Got 0 1 2"):
        minigrad.norm(x, dim=(0, 1, 2))
    assert minigrad.norm(x, 2, dim=(0, 1, 2)).item() == pytest.approx(8**0.5)
