"""The gamma function's relatives on float64 arrays: its logarithm, the derivatives of that, and Hurwitz's zeta function.

``lgamma``: between 1.5 and 2.5 a Chebyshev series of lgamma(x) / ((x - 1)(x - 2)), computed with 50 digits, so that the zeros at 1 and 2 are
exact; up to 8 the recurrence leads there; beyond, Stirling's series.  The others: the recurrence, then the asymptotic series.
Left of 0 the reflection formulas.  Errors are below 1e-14, relative to the larger of the value and 1.
"""

import math

import numpy as np

_BETWEEN = (
    0.42702679007974553, -0.05136266063271509, 0.004283865121771959, -0.00040868943087787814, 4.189889214014742e-05,
    -4.4884162278409e-06, 4.950359592304836e-07, -5.572882261152328e-08, 6.369038926367588e-09, -7.363280290999341e-10,
    8.590324630704468e-11, -1.0095630921452502e-11, 1.1936859013748236e-12, -1.4186121794476558e-13,
    1.693301639270074e-14, -2.0288519799922935e-15, 2.43899034401661e-16, -2.940688354710887e-17,
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
    twice, b, c = t + t, np.zeros_like(t), np.zeros_like(t)
    for coefficient in reversed(coefficients[1:]):
        b, c = twice * b - c + coefficient, b
    return t * b - c + coefficients[0]


def _power_series(coefficients, t):
    z = np.full_like(t, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        z = z * t + coefficient
    return z


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
    t, up, down = np.where(far, 2.0, a), np.ones_like(a), np.ones_like(a)
    for _ in range(6):
        above = t >= 2.5
        t = np.where(above, t - 1, t)
        down = np.where(above, down * t, down)
    once, twice = (t >= 0.5) & (t < 1.5), t < 0.5
    up = np.where(once, t, np.where(twice, t * (t + 1), up))
    d = np.where(once, t - 1, np.where(twice, t, t - 2))
    z = (1 + d) * d * chebyshev_series(_BETWEEN, 2 * d) + (np.log(down) - np.log(up))
    if far.any():
        big = np.where(far, a, 8.0)
        inverse = 1 / big
        stirling = (big - 0.5) * np.log(big) - big + (0.5 * math.log(2 * math.pi))
        stirling = stirling + inverse * _power_series(_STIRLING[:8], inverse * inverse)
        z = np.where(far, np.where(a == np.inf, np.inf, stirling), z)
    return z


def digamma(x):
    """The derivative of ``lgamma``: ∓inf at ±0, nan at the other poles."""
    left = x < 0.5
    t = np.where(left, 1 - x, x)
    z = np.zeros_like(t)
    for _ in range(10):
        near = t < 10
        if not near.any():
            break
        z = np.where(near, z - 1 / t, z)
        t = np.where(near, t + 1, t)
    inverse = 1 / t
    square = inverse * inverse
    z = z + np.log(t) - 0.5 * inverse - square * _power_series(_OF_DIGAMMA[:10], square)
    if left.any():
        part = np.fmod(x, 1.0)
        z = np.where(left, z - np.pi / np.tan(np.pi * part), z)
        z = np.where(left & (part == 0), np.where(x == 0, np.copysign(np.inf, -x), np.nan), z)
    return z


def polygamma(n, x, precision=np.float64):
    """The derivative of order n of ``digamma``.

    At the poles of the first it is finite but at 0, as PyTorch's: π x, rounded to ``precision``, is no multiple of π.
    """
    if n == 0:
        return digamma(x)
    if n == 1:
        left = x < 0.5
        z = zeta(np.full_like(x, 2.0), np.where(left, 1 - x, x))
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
