"""The error function's relatives on float64 arrays: scaled, inverse, and as the normal distribution."""

import math

import numpy as np

from .error_function import _gauss, _scaled_tail, _small, erf, erfc

_SLOPE = 2 / math.sqrt(math.pi)


def erfcx(x):
    """exp(x²) erfc(x), without overflow or underflow for positive x."""
    size = np.absolute(x)
    inner = size <= 1
    t = np.where(inner, x, 0.0)
    z = np.exp(t * t) * (1 - _small(t))
    if inner.all():
        return z
    tail = _scaled_tail(np.minimum(np.where(inner, 1.0, size), 1e300))
    left = x < 0
    if left.any():
        tail = np.where(left, 2 / _gauss(np.where(left, np.minimum(size, 40.0), 0.0)) - tail, tail)
    return np.where(np.isnan(x), x, np.where(inner, z, np.where(x == np.inf, 0.0, tail)))


def erfcinv(q):
    """The x with erfc(x) = q, for q of [0, 1]; nan elsewhere.

    From Winitzki's approximation by Newton's steps for log erfc, or for erf near 0.
    """
    inside = (q > 0) & (q <= 1)
    p = np.where(inside, q, 0.5)
    log = np.log(p) + np.log(2 - p)  # log(1 - (1 - q)²)
    half = 2 / (math.pi * 0.147) + 0.5 * log
    x = np.sqrt(np.maximum(np.sqrt(np.maximum(half * half - log / 0.147, 0.0)) - half, 0.0))
    central = p > 0.5
    t = np.where(central, x, 0.0)
    tail = np.where(central, 1.0, x)
    for _ in range(4):
        t = t - (erf(t) - np.where(central, 1 - p, 0.0)) / (_SLOPE * np.exp(-t * t))
        scaled = erfcx(tail)
        tail = tail + (np.log(scaled) - tail * tail - np.where(central, 0.0, np.log(p))) * scaled / _SLOPE
        tail = np.where(central, 1.0, tail)
    z = np.where(central, t, tail)
    return np.where(inside, z, np.where(q == 0, np.inf, np.nan))


def erfinv(x):
    """The inverse of erf: ±inf at ±1, nan beyond."""
    size = np.absolute(x)
    small = size < 0.5
    t = np.where(small, size, 0.0)
    z = t / _SLOPE
    for _ in range(5):
        z = z - (erf(z) - t) / (_SLOPE * np.exp(-z * z))
    if not small.all():
        z = np.where(small, z, erfcinv(1 - size))
    return np.copysign(z, x)


def ndtri(p):
    """The x at which the normal distribution's probability is p: ∓inf at 0 and 1, nan beyond."""
    upper = p >= 0.5
    z = math.sqrt(2) * erfcinv(2 * np.where(upper, 1 - p, p))
    return np.where(upper, z, -z)


def log_ndtr(x):
    """The logarithm of the normal distribution's probability up to x."""
    left = x < -1
    t = x * math.sqrt(0.5)
    near = np.log1p(-0.5 * erfc(np.where(left, 0.0, t)))
    far = np.log(0.5 * erfcx(np.where(left, -t, 1.0))) - np.where(left, t * t, 0.0)
    return np.where(left, far, near)
