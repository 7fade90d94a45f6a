"""Arithmetic rounded as PyTorch's CPU kernels round it: fused multiply-add, and the C library's double
functions.

NumPy has neither: it multiplies and adds in two rounded steps, and on some processors its ``log`` and its kin
are vectorised ones with other last bits.  ``random/distributions.py`` needs both, to give PyTorch's numbers bit for bit.
"""

import functools
import math

import numpy as np

_SPLITTER = 2.0**27 + 1


def halved(x, dtype):
    """Array ``x`` on its way to ``dtype``: PyTorch rounds float64 numbers to float32 before it rounds those to float16.

    Elements that NumPy has no type for become numbers, or are made of them (see ``packed.py``).
    """
    if dtype.char == "V" or x.dtype.char == "V":
        from .packed import converted

        return converted(x, dtype)
    return x.astype(np.float32) if dtype.char == "e" and x.dtype.char == "d" else x


def numbers(x):
    """Array ``x``, or the numbers that its elements stand for if NumPy has no type for them."""
    if x.dtype.char == "V":
        from .packed import unpacked

        return unpacked(x)
    return x


def fitted(x, dtype):
    """Array ``x`` as what NumPy may convert to ``dtype``: elements that it has no type for are made of numbers, or become some."""
    return halved(x, dtype) if dtype.char == "V" or x.dtype.char == "V" else x


def fma32(x, y, z):
    """``x * y + z`` of float32 values (arrays or floats), rounded once, as a float32 array."""
    product = np.multiply(x, y, dtype=np.float64)  # exact: 24 + 24 bits
    total = product + z
    # Rounding to 53 and then to 24 bits errs only where the first lands midway between two float32 numbers.
    middle = (total.view(np.int64) & 0x1FFFFFFF) == 0x10000000
    if middle.any():
        p, z, s = (
            np.broadcast_to(product, total.shape)[middle],
            np.broadcast_to(z, total.shape)[middle],
            total[middle],
        )
        error = _sum_error(p, z, s)
        total[middle] = np.where(error == 0, s, np.nextafter(s, np.copysign(np.inf, error)))
    return total.astype(np.float32)


def fma64(x, y, z):
    """``x * y + z`` rounded once, for a float64 array ``x``, a float ``y`` and ``z``, a float or an array.

    Where ``y`` is beyond 2**-800 or 2**900 in magnitude the product is rounded too: its error cannot be
    represented.
    """
    if y == 1:
        return x + z
    product = x * y
    if (np.ndim(z) == 0 and z == 0) or not 2.0**-800 < abs(y) < 2.0**900:
        return product + z
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(np.float64(y))
    product_low = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)
    sum_ = product + z
    sum_low = _sum_error(product, z, sum_)
    tail = product_low + sum_low
    total = sum_ + tail
    # That ``tail`` was rounded spoils the total only midway between two numbers; ``rest`` is then the distance to the next one.
    rest = tail - (total - sum_)
    rest += rest
    midway = ((total + rest) - total == rest) & (rest != 0)
    if midway.any():
        # rounded to odd, a second rounding cannot spoil it [Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008]
        a, b, tail = np.broadcast_to(product_low, total.shape)[midway], sum_low[midway], tail[midway]
        error = _sum_error(a, b, tail)
        even = (error != 0) & ((tail.view(np.int64) & 1) == 0)
        total[midway] = sum_[midway] + np.where(even, np.nextafter(tail, np.copysign(np.inf, error)), tail)
    return total


def _sum_error(a, b, total):
    """``a + b - total``, exactly, for ``total`` the rounded sum of ``a`` and ``b`` [Knuth]."""
    part = total - a
    return (a - (total - part)) + (b - part)


def _halves(a):
    """Two numbers of 26 bits with the sum ``a`` [Dekker]."""
    scaled = a * _SPLITTER
    high = scaled - (scaled - a)
    return high, a - high


#: Where each function is compared with the C library's: a map from (0, 1) into the part of the domain in use.
_DOMAINS = {
    "log": lambda u: u,
    "log1p": lambda u: -u,
    "exp": lambda u: 16 * u - 8,
    "sin": lambda u: 2 * math.pi * u,
    "cos": lambda u: 2 * math.pi * u,
    "tan": lambda u: math.pi * (u - 0.5),
}


@functools.cache
def libm(name):
    """The C library's double precision function ``name``, as a function of one-dimensional float64 arrays.

    It is NumPy's where the two agree on 4096 points.  Of NumPy's vectorised functions the nearest to the C
    library's, ``log``, differs from it in 1 number of 400: one that passes is the library's own.
    """
    ufunc, scalar = getattr(np, name), getattr(math, name)
    sample = _DOMAINS[name](np.arange(1, 4097) * 0.6180339887498949 % 1.0)
    expected = [scalar(value) for value in sample.tolist()]
    for candidate in (ufunc, interleaved(ufunc)):
        if np.array_equal(candidate(sample), expected):
            return candidate
    return _by_element(ufunc, scalar)


def interleaved(ufunc):
    """``ufunc`` of one argument or more by its scalar loop, which calls the C library.

    NumPy leaves its vectorised loop when the memory ranges of input and output overlap; here the numbers of
    one lie between those of the other.  3 to 10 ns for a number, where a call of ``math.log`` takes 50.
    """

    def function(*arguments):
        first = arguments[0]
        out = np.empty(first.size, first.dtype)
        # one more than needed: a single row does not overlap
        rows = np.ones((min(first.size, 4096) + 1, ufunc.nargs), first.dtype)
        for start in range(0, first.size, 4096):
            stop = min(start + 4096, first.size)
            *sources, target = rows[: stop - start + 1].T
            for source, argument in zip(sources, arguments):
                source[:-1] = argument[start:stop]
            out[start:stop] = ufunc(*sources, out=target)[:-1]
        return out

    return function


@functools.cache
def power():
    """The C library's power of two one-dimensional float64 arrays, the first one positive."""
    sample = np.arange(1, 1025) * 0.6180339887498949 % 1.0
    base, exponent = sample, 9.0 * sample[::-1]
    function = interleaved(np.power)
    if np.array_equal(function(base, exponent), list(map(math.pow, base.tolist(), exponent.tolist()))):
        return function
    return lambda x, y: np.array(list(map(math.pow, x.tolist(), y.tolist())))


def powers(base, x):
    """A number raised to each of the float64 numbers ``x``, by the C library's function; by NumPy's, where that would raise."""
    out = np.power(np.float64(base), x)
    finite = np.isfinite(out) & (out != 0)
    out[finite] = [math.pow(base, value) for value in x[finite].tolist()]
    return out


def _by_element(ufunc, scalar):
    """``math``'s function of each number, but NumPy's where that is not finite: there ``math`` raises."""

    def function(x):
        out = ufunc(x)
        finite = np.isfinite(out)
        out[finite] = [scalar(value) for value in x[finite].tolist()]
        return out

    return function
