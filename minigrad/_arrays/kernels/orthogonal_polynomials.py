"""Orthogonal polynomials of degree n at x, on floating arrays of one shape and dtype, by their recurrences.

The degree is n rounded towards zero; polynomials of negative degree, and of one beyond int64, are 0.  Chebyshev polynomials of higher degrees are computed by
trigonometric functions between -1 and 1.
"""

import numpy as np


def _degrees(n):
    return np.where(np.absolute(n) < 2.0**63, np.trunc(n), -1)


def _by_recurrence(x, n, first, step):
    """The polynomial p of degree n from p₀ = 1, p₁ = ``first`` and pₖ₊₁ = ``step(k, pₖ, pₖ₋₁)``."""
    before, last = np.ones_like(x), first
    z = np.where(n < 0, 0, np.where(n == 0, 1, first)).astype(x.dtype)
    top = int(n.max(initial=0))
    for k in range(1, top):
        before, last = last, step(x.dtype.type(k), last, before).astype(x.dtype, copy=False)
        z = np.where(n == k + 1, last, z)
        if np.isnan(last[n > k]).all():
            return np.where(n > k, last.dtype.type(np.nan), z)
    return z


def _chebyshev(x, n, first, at_ends, closed):
    """A kind of Chebyshev polynomials: ``at_ends(sign, n)`` at ±1, ``closed(angle, n)`` between, from the sixth degree on."""
    n = _degrees(n)
    ends = np.absolute(x) == 1
    between = (np.absolute(x) < 1) & (n > 6)
    special = (ends & (n >= 0)) | between
    z = _by_recurrence(x, np.where(special, 0, n), first, lambda k, p, q: 2 * x * p - q)
    if special.any():
        angle = np.arccos(np.where(between, x, 0.5).astype(np.float64, copy=False))
        ended = at_ends(np.where(x > 0, 1, np.where(n % 2 == 0, 1, -1)), n)
        z = np.where(between, closed(angle, n), np.where(ends & (n >= 0), ended, z))
    return z.astype(x.dtype, copy=False)


def chebyshev_t(x, n):
    """cos(n arccos x)."""
    return _chebyshev(x, n, x, lambda sign, n: sign, lambda a, n: np.cos(n * a))


def chebyshev_u(x, n):
    """sin((n + 1) arccos x) / sin(arccos x)."""
    return _chebyshev(
        x, n, x + x, lambda sign, n: sign * (n + 1), lambda a, n: np.sin((n + 1) * a) / np.sin(a)
    )


def chebyshev_v(x, n):
    """cos((n + ½) arccos x) / cos(½ arccos x)."""
    return _chebyshev(
        x,
        n,
        x + x - 1,
        lambda sign, n: np.where(x > 0, 1, sign * (2 * n + 1)),
        lambda a, n: np.cos((n + 0.5) * a) / np.cos(a / 2),
    )


def chebyshev_w(x, n):
    """sin((n + ½) arccos x) / sin(½ arccos x)."""
    return _chebyshev(
        x,
        n,
        x + x + 1,
        lambda sign, n: np.where(x > 0, 2 * n + 1, sign),
        lambda a, n: np.sin((n + 0.5) * a) / np.sin(a / 2),
    )


def hermite_h(x, n):
    """The physicist's Hermite polynomials."""
    return _by_recurrence(x, _degrees(n), x + x, lambda k, p, q: 2 * x * p - 2 * k * q)


def hermite_he(x, n):
    """The probabilist's Hermite polynomials."""
    return _by_recurrence(x, _degrees(n), x, lambda k, p, q: x * p - k * q)


def laguerre_l(x, n):
    """Laguerre polynomials."""
    return _by_recurrence(x, _degrees(n), 1 - x, lambda k, p, q: ((2 * k + 1 - x) * p - k * q) / (k + 1))


def legendre_p(x, n):
    """Legendre polynomials."""
    return _by_recurrence(x, _degrees(n), x, lambda k, p, q: ((2 * k + 1) * x * p - k * q) / (k + 1))
