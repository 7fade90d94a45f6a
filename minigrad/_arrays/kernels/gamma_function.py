"""The gamma function's relatives on float64 arrays: its logarithm, the derivatives of that, and Hurwitz's zeta function.

``lgamma``: between 1.5 and 2.5 a polynomial in 2 (x - 2) for lgamma(x) / ((x - 1)(x - 2)), made of its Chebyshev series, computed with 60 digits, so
that the zeros at 1 and 2 are exact; up to 8 the recurrence leads there; beyond, Stirling's series.  ``digamma`` and ``trigamma``: ten steps of the
recurrence for all arguments, then the asymptotic series; ``zeta``: as many steps as it takes.  Left of 0 the reflection formulas.  Errors are below 1e-14, relative to the larger of the value and 1.
"""

import math

import numpy as np

from .elementwise import where
from .error_function import _polynomial

_BETWEEN = (
    0.42278433509846713, -0.05015865083717696, 0.008241250155288966, -0.0015480240241714195, 0.0003124150727932429,
    -6.587908856091096e-05, 1.4302764414500334e-05, -3.1695890450814482e-06, 7.130962184970303e-07, -1.622951574733543e-07,
    3.7274409209018914e-08, -8.623901407802262e-09, 2.007138673034222e-09, -4.695711657216857e-10, 1.1067840318890105e-10,
    -2.612283667481996e-11, 5.895301086211702e-12, -1.3908263725256475e-12, 4.659516606804278e-13, -1.1292276791951142e-13,
)  # fmt: skip
#: B₂ₖ, the Bernoulli numbers, k = 1, 2, ...
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330, 854513 / 138,
    -236364091 / 2730,
)  # fmt: skip
_STIRLING = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI, 1)]
_OF_DIGAMMA = [b / (2 * k) for k, b in enumerate(_BERNOULLI, 1)]
_OF_ZETA = [b / math.factorial(2 * k) for k, b in enumerate(_BERNOULLI, 1)]


def chebyshev_series(coefficients, t):
    """The sum of coefficients times Chebyshev polynomials of t in [-1, 1], by Clenshaw's recurrence."""
    twice, b, c, spare = t + t, np.zeros_like(t), np.zeros_like(t), np.empty_like(t)
    for coefficient in reversed(coefficients[1:]):
        np.multiply(twice, b, spare)
        spare -= c
        spare += coefficient
        b, c, spare = spare, b, c
    return t * b - c + coefficients[0]


def _power_series(coefficients, t):
    return _polynomial(coefficients, t, np.empty_like(t))


def sine_of_pi(x):
    """sin(πx), exactly 0 at whole numbers."""
    rest = np.fmod(x, 2.0)
    near = np.round(rest)
    return np.sin(np.pi * (rest - near)) * np.where(near % 2 == 0, 1.0, -1.0)


def lgamma(x):
    """log |Γ(x)|."""
    size = np.absolute(x)
    z = _lgamma_positive(size)
    left = x <= 0
    if left.any():
        a = np.where(left, size, 0.5)
        reflected = math.log(math.pi) - np.log(a) - np.log(np.absolute(sine_of_pi(a))) - z
        z = np.where(left, np.where(size == np.inf, np.inf, reflected), z)
        z = np.where(left & (np.floor(x) == x), np.inf, z)
    return z


def _lgamma_positive(a):
    far = a >= 8
    # the place in [1.5, 2.5) that whole steps lead to, less 2: exact from the left, where t - 2 = a - 1
    t, log = where(far, 2.0, a), None
    above = t >= 2.5
    if above.any():
        down = np.ones_like(a)
        while above.any():
            t -= above
            down *= where(above, t, 1.0)
            above = t >= 2.5
        log = np.log(down)
    once, twice = (t >= 0.5) & (t < 1.5), t < 0.5
    d = where(once, t - 1, where(twice, t, t - 2))
    z = (1 + d) * d * _power_series(_BETWEEN, 2 * d)
    if log is not None:
        z += log
    if once.any() or twice.any():
        z -= np.log(where(once, t, where(twice, t * (t + 1), 1.0)))
    if far.any():
        big = a[far]
        inverse = 1 / big
        stirling = (big - 0.5) * np.log(big) - big + (0.5 * math.log(2 * math.pi))
        stirling += inverse * _power_series(_STIRLING[:8], inverse * inverse)
        stirling[big == np.inf] = np.inf
        z[far] = stirling
    return z


def digamma(x):
    """The derivative of ``lgamma``: ∓inf at ±0, nan at the other poles."""
    left = x <= 0
    some = left.any()
    t = where(left, 1 - x, x) if some else x
    z = np.zeros_like(t)
    # 1 / (t + k) + 1 / (t + 9 - k) = (2 t + 9) / (t (t + 9) + k (9 - k))
    product = t * (t + 9)
    for apart in (20.0, 18.0, 14.0, 8.0, 0.0):
        z -= 1 / (product + apart)
    z *= np.minimum(2 * t + 9, 1e300)  # beyond, z is 0
    inverse = 1 / (t + 10)
    square = inverse * inverse
    z += np.log(t + 10)
    z -= 0.5 * inverse
    z -= square * _power_series(_OF_DIGAMMA[:10], square)
    if some:
        part = np.fmod(x[left], 1.0)
        reflected = z[left] - np.pi / np.tan(np.pi * part)
        z[left] = np.where(
            part == 0, np.where(x[left] == 0, np.copysign(np.inf, -x[left]), np.nan), reflected
        )
    return z


def _trigamma(t):
    """The derivative of ``digamma`` for t > 0."""
    z = np.zeros_like(t)
    for k in range(9, -1, -1):
        step = 1 / (t + k)
        step *= step
        z += step
    inverse = 1 / (t + 10)
    square = inverse * inverse
    return z + (inverse + 0.5 * square + inverse * square * _power_series(_BERNOULLI[:10], square))


def polygamma(n, x, precision=np.float64):
    """The derivative of order n of ``digamma``.

    At the poles of the first it is finite but at 0, as PyTorch's: π x, rounded to ``precision``, is no multiple of π.
    """
    if n == 0:
        return digamma(x)
    if n == 1:
        left = x < 0.5
        z = _trigamma(np.where(left, 1 - x, x))
        if left.any():
            angle = np.multiply(precision(np.pi), x, dtype=precision)
            z = np.where(left, (np.pi / np.sin(angle, dtype=np.float64)) ** 2 - z, z)
        return z
    factorial = float(math.factorial(n)) if n <= 170 else math.inf
    return (factorial if n % 2 else -factorial) * zeta(np.full_like(x, n + 1.0), x)


def zeta(s, q):
    """The sum of (q + k)⁻ˢ over k = 0, 1, ...: inf for s = 1 and where a term is, nan for s < 1 and for powers that are not real."""
    s, q = np.broadcast_arrays(s, q)
    left = q <= 0
    whole = np.floor(s) == s
    if left.any():
        part = q - np.floor(q)
        sign = np.where(np.fmod(s, 2.0) == 0, 1.0, -1.0)
        inner = np.where(part == 0, 0.5, part)
        beyond = _zeta_positive(s, 1 - inner) - _zeta_positive(s, np.where(left, 1 - q, 1.0))
        z = np.where(
            left, _zeta_positive(s, inner) + sign * beyond, _zeta_positive(s, np.where(left, 1.0, q))
        )
        z = np.where(left, np.where(part == 0, np.inf, np.where(whole, z, np.nan)), z)
        z = np.where(q == -np.inf, np.inf, z)
    else:
        z = _zeta_positive(s, q)
    return np.where(s == 1, np.inf, np.where(s > 1, z, np.nan))


def _zeta_positive(s, q):
    """For s > 1 and q > 0: terms one by one until q + k is large beside s, then the Euler-Maclaurin series."""
    limit = 10 + np.minimum(np.where(s > 1, s, 2.0), 100.0)
    w, z = np.array(q), np.zeros_like(q)
    while True:
        near = w < limit
        if not near.any():
            break
        z = np.where(near, z + w**-s, z)
        w = np.where(near, w + 1, w)
    last = w**-s
    z = z + np.where(last == 0, 0.0, last * w / (s - 1)) + 0.5 * last
    factor, inverse = s * last / w, 1 / (w * w)
    for k, coefficient in enumerate(_OF_ZETA, 1):
        z = z + coefficient * factor
        factor = factor * ((s + (2 * k - 1)) * (s + 2 * k)) * inverse
    return np.where(np.isnan(q), np.nan, z)
