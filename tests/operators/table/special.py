"""Special functions, random calls: values against SciPy's, derivatives, and the same as PyTorch."""

from unittest.mock import MagicMock

import numpy as np
import pytest

from tests.operators.calls import Row

try:
    from scipy import special as scipy
except ImportError:  # the rows are skipped then, but stand for their operators all the same
    scipy = MagicMock()


def of(low, high):
    """One tensor of any shape with elements in an interval."""
    return lambda s: s.floats(*s.shape(), low=low, high=high)


def pair(first, second):
    """Two tensors that broadcast, with elements in an interval each."""

    def arguments(s):
        shape = s.shape()
        (a, b), (c, d) = first, second
        return s.floats(*s.under(shape), low=a, high=b), s.floats(*s.under(shape), low=c, high=d)

    return arguments


def polynomial(s):
    """Points and a degree, a number or a tensor of whole ones."""
    shape = s.shape()
    x = s.floats(*s.under(shape), low=0.05, high=0.95)
    if s.flag():
        return x, s.size(0, 5)
    return x, s.given(s.rng.integers(0, 6, s.under(shape)).astype(s.dtype))


def shifted(function):
    return lambda x, n: function(n, 2 * x - 1)


def third_kind(x, n):
    """cos((n + 1/2) t) / cos(t / 2) for x = cos t, of the degrees asked for."""
    t = np.arccos(x)
    return np.cos((n + 0.5) * t) / np.cos(t / 2)


def fourth_kind(x, n):
    t = np.arccos(x)
    return np.sin((n + 0.5) * t) / np.sin(t / 2)


def by_degree(function):
    return lambda x, n: function(n, x)


def over_degrees(name):
    """A polynomial of SciPy's that has a function for each degree alone."""
    return lambda x, n: np.vectorize(lambda k, y: getattr(scipy, name)(int(k), y), otypes=[float])(n, x)


def whole_order(s):
    return s.size(0, 3), s.floats(*s.shape(), low=0.5, high=5)


def along(s):
    shape = s.shape(1, 3, low=1)
    return s.floats(*shape), s.dim(shape)


def softmax(x, dim):
    y = np.exp(x - x.max(dim, keepdims=True))
    return y / y.sum(dim, keepdims=True)


def rounded(s):
    return s.floats(*s.shape(), low=-9, high=9), {"decimals": s.size(-1, 2)}


ROOT = {"loose": 50, "dtypes": "d"}
NO_GRADIENT = {**ROOT, "order": 0, "torch": "dib"}
# compared where both sides are accurate: PyTorch's own limits are in the documentation of the differences
INACCURATE = {**ROOT, "order": 0, "torch": ""}

UNARY = [
    *[Row(name, of(0.3, 6), scipy.psi, **ROOT) for name in ("digamma", "special.digamma", "special.psi")],
    *[Row(name, of(0.3, 6), scipy.gammaln, **ROOT) for name in ("lgamma", "special.gammaln")],
    *[Row(name, of(-0.9, 0.9), scipy.erfinv, **ROOT) for name in ("erfinv", "special.erfinv")],
    *[Row(name, of(-2, 2), scipy.erf, **ROOT) for name in ("erf", "special.erf")],
    *[Row(name, of(-2, 2), scipy.erfc, **ROOT) for name in ("erfc", "special.erfc")],
    *[Row(name, of(-4, 4), scipy.i0, **ROOT) for name in ("i0", "special.i0")],
    Row("special.i0e", of(0.2, 4), scipy.i0e, **ROOT),
    Row("special.i1", of(0.2, 4), scipy.i1, **ROOT),
    Row("special.i1e", of(0.2, 4), scipy.i1e, **ROOT),
    Row("special.erfcx", of(-1, 4), scipy.erfcx, **ROOT),
    Row("special.entr", of(0.1, 3), scipy.entr, **ROOT),
    Row("special.exp2", of(-2, 2), np.exp2, **ROOT),
    Row("special.expit", of(-3, 3), scipy.expit, **ROOT),
    Row("special.expm1", of(-2, 2), np.expm1, **ROOT),
    Row("special.log1p", of(-0.5, 2), np.log1p, **ROOT),
    Row("special.log_ndtr", of(-3, 3), scipy.log_ndtr, **ROOT),
    Row("special.ndtr", of(-2, 2), scipy.ndtr, **ROOT),
    Row("special.ndtri", of(0.1, 0.9), scipy.ndtri, **ROOT),
    Row("special.logit", of(0.1, 0.9), scipy.logit, **ROOT),
    Row("special.sinc", of(0.2, 2), np.sinc, **ROOT),
    Row("special.round", rounded, lambda x, decimals: np.round(x, decimals), dtypes="d", torch="d"),
    Row("special.bessel_j0", of(0.2, 4), scipy.j0, **INACCURATE),
    Row("special.bessel_j1", of(0.2, 4), scipy.j1, **INACCURATE),
    Row("special.bessel_y0", of(0.5, 4), scipy.y0, **NO_GRADIENT),
    Row("special.bessel_y1", of(0.5, 4), scipy.y1, **INACCURATE),
    Row("special.airy_ai", of(-3, 3), lambda x: scipy.airy(x)[0], **INACCURATE),
    Row("special.modified_bessel_i0", of(0.2, 4), scipy.i0, **NO_GRADIENT),
    Row("special.modified_bessel_i1", of(0.2, 4), scipy.i1, **NO_GRADIENT),
    Row("special.modified_bessel_k0", of(0.2, 4), scipy.k0, **NO_GRADIENT),
    Row("special.modified_bessel_k1", of(0.2, 4), scipy.k1, **NO_GRADIENT),
    Row("special.scaled_modified_bessel_k0", of(0.2, 4), scipy.k0e, **NO_GRADIENT),
    Row("special.scaled_modified_bessel_k1", of(0.2, 4), scipy.k1e, **NO_GRADIENT),
    Row("special.spherical_bessel_j0", of(0.2, 4), lambda x: scipy.spherical_jn(0, x), **NO_GRADIENT),
]  # fmt: skip

POLYNOMIALS = [
    Row("special.chebyshev_polynomial_t", polynomial, by_degree(scipy.eval_chebyt), **NO_GRADIENT),
    Row("special.chebyshev_polynomial_u", polynomial, by_degree(scipy.eval_chebyu), **NO_GRADIENT),
    Row("special.chebyshev_polynomial_v", polynomial, third_kind, **NO_GRADIENT),
    Row("special.chebyshev_polynomial_w", polynomial, fourth_kind, **NO_GRADIENT),
    Row("special.shifted_chebyshev_polynomial_t", polynomial, shifted(scipy.eval_chebyt), **NO_GRADIENT),
    Row("special.shifted_chebyshev_polynomial_u", polynomial, shifted(scipy.eval_chebyu), **NO_GRADIENT),
    Row("special.shifted_chebyshev_polynomial_v", polynomial, lambda x, n: third_kind(2 * x - 1, n), **NO_GRADIENT),
    Row("special.shifted_chebyshev_polynomial_w", polynomial, lambda x, n: fourth_kind(2 * x - 1, n), **NO_GRADIENT),
    Row("special.hermite_polynomial_h", polynomial, over_degrees("eval_hermite"), **NO_GRADIENT),
    Row("special.hermite_polynomial_he", polynomial, over_degrees("eval_hermitenorm"), **NO_GRADIENT),
    Row("special.laguerre_polynomial_l", polynomial, by_degree(scipy.eval_laguerre), **NO_GRADIENT),
    Row("special.legendre_polynomial_p", polynomial, by_degree(scipy.eval_legendre), **NO_GRADIENT),
]  # fmt: skip

SEVERAL = [
    *[Row(name, pair((0.5, 4), (0.2, 5)), scipy.gammainc, **ROOT, order=0) for name in ("igamma", "special.gammainc")],
    *[Row(name, pair((0.5, 4), (0.2, 5)), scipy.gammaincc, **ROOT, order=0) for name in ("igammac", "special.gammaincc")],
    Row("special.xlogy", pair((-2, 2), (0.2, 3)), scipy.xlogy, **ROOT),
    Row("special.xlog1py", pair((-2, 2), (-0.7, 3)), scipy.xlog1py, **ROOT),
    Row("special.zeta", pair((1.3, 4), (0.5, 4)), scipy.zeta, **ROOT, order=0),
    Row("polygamma", whole_order, scipy.polygamma, **ROOT),
    Row("special.polygamma", whole_order, scipy.polygamma, **ROOT),
    *[Row(name, lambda s: (s.floats(*s.shape(), low=2, high=6), s.size(1, 4)),
          lambda x, p: sum(scipy.gammaln(x - j / 2) for j in range(p)) + p * (p - 1) / 4 * np.log(np.pi), strides=False, **ROOT)
      for name in ("mvlgamma", "special.multigammaln")],
    Row("special.logsumexp", along, scipy.logsumexp, dtypes="d"),
    Row("special.softmax", along, softmax, dtypes="d"),
    Row("special.log_softmax", along, lambda x, dim: np.log(softmax(x, dim)), dtypes="d"),
]  # fmt: skip

ROWS = UNARY + POLYNOMIALS + SEVERAL

EXCLUSIONS = {f"{name}_": "writes in place; tests/ops/test_special.py" for name in ("erf", "erfc", "i0")}
MARKS = pytest.mark.skipif(isinstance(scipy, MagicMock), reason="the values to compare with are SciPy's")
