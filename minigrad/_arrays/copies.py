"""Copies of large arrays: transposed ones strip by strip, and half precision made of single, or single of half, by integers.

NumPy copies a transposed matrix element by element along rows, which takes a new line of the cache for each; and it converts float16 one number at a time.
"""

import numpy as np
from numpy._core.umath import clip  # type: ignore[attr-defined]  # a ufunc; ``np.clip`` is Python around it

from .._base.pool import count, share
from .in_parts import LARGE, PART

#: Fewer elements are left to NumPy.
FEW = 1 << 14
#: The elements that are converted at once: so few stay in the cache; threads that share need longer calls, so as not to wait for each other.
_BLOCK, _SHARED_BLOCK = 1 << 16, 1 << 18
_SINGLE = np.dtype(np.float32)
_PLANE = 1 << 15  # the elements of a matrix from which on strips are quicker


def dense(x):
    """A copy of ``x`` whose elements lie in the order of its indices."""
    if x.size < _PLANE or x.ndim < 2 or x.__class__ is not np.ndarray or 0 in x.strides:
        return x.copy()
    *lead, rows, columns = x.shape
    z = np.empty(x.shape, x.dtype)
    step = abs(x.strides[-1])
    if rows * columns >= _PLANE and abs(x.strides[-2]) < step:
        # lines of the cache that are so far apart share few places in it
        width = 16 if step % 2048 == 0 else 32 if step % 1024 == 0 else 64
        keys = [
            (*place, slice(None), slice(i, i + width))
            for place in np.ndindex(*lead)
            for i in range(0, columns, width)
        ]
    elif step > x.itemsize:
        count = max(len(x) * PART // x.size, 1)
        keys = [slice(i, i + count) for i in range(0, len(x), count)]
    else:
        return x.copy()

    def some(key):
        z[key] = x[key]

    if x.size >= LARGE:
        share(some, keys)
    else:
        for key in keys:
            some(key)
    return z


def cast(x, dtype):
    """``x`` as ``dtype``; itself if that is its own."""
    if x.size < FEW:
        return x.astype(dtype, copy=False)
    kernel = _KERNELS.get(x.dtype.char + dtype.char)
    if kernel is None or not (x.flags.c_contiguous and x.flags.aligned and x.dtype.isnative):
        return x.astype(dtype, copy=False)
    z = np.empty(x.shape, dtype)
    source, target = x.reshape(-1), z.reshape(-1)
    _in_blocks(lambda part: kernel(source[part], target[part]), x.size)
    return z


def in_single(ufunc, x, y):
    """``ufunc(x, y)`` of float16 arrays, a sum, difference, product or quotient, by way of float32: the same bits in half the time."""
    whole = x.shape == y.shape
    if not (whole or y.size == 1) or y.ndim > x.ndim or not (x.flags.c_contiguous and y.flags.c_contiguous):
        return ufunc(x, y)
    z = np.empty(x.shape, x.dtype)
    first, second, target = x.reshape(-1), y.reshape(-1), z.reshape(-1)
    number = None if whole else second.astype(_SINGLE)

    def some(part):
        total = _single(first[part])
        ufunc(total, _single(second[part]) if whole else number, total)
        _single_to_half(total, target[part])

    _in_blocks(some, x.size)
    return z


def _single(x):
    z = np.empty(x.shape, _SINGLE)
    _half_to_single(x, z)
    return z


def _in_blocks(function, size):
    """Call ``function(part)`` for each of the blocks of so many elements, on several threads if there are many."""
    shared = size >= LARGE and count() > 1
    block = min(_SHARED_BLOCK, -(-size // 2)) if shared else _BLOCK
    parts = [slice(start, start + block) for start in range(0, size, block)]
    if shared:
        share(function, parts)
        return
    for part in parts:
        function(part)


_SIGN_AND_NUMBER = np.int32(-0x70002000)  # the sign's bit, and those of exponent and fraction
_EXPONENT, _THIRTEEN, _BEGIN, _SIGN = (np.int32(n) for n in (0x7F800000, 13 << 23, 126 << 10, 0x8000))
_LEAST, _MOST = np.float32(2.0**-14), np.float32(65504)
_BY_2_112 = np.float32(2.0**112)  # the exponents of float32 begin 112 lower


def _half_to_single(x, z):
    bits = z.view(np.int32)
    np.copyto(bits, x.view(np.int16))
    np.left_shift(bits, 13, bits)
    np.bitwise_and(bits, _SIGN_AND_NUMBER, bits)
    np.multiply(z, _BY_2_112, z)
    if np.maximum.reduce(z) >= 65536 or np.minimum.reduce(z) <= -65536:
        np.copyto(z, x)  # inf or nan


def _single_to_half(x, z):
    number = np.absolute(x)
    if not np.maximum.reduce(number) < 65504:
        np.copyto(z, x, casting="same_kind")  # nan, inf, or what becomes inf
        return
    # the number's power of two, that of the least normal number at least, and 13 more: added to it, the number is rounded to half precision
    unit = clip(number, _LEAST, _MOST).view(np.int32)
    unit &= _EXPONENT
    unit += _THIRTEEN
    number += unit.view(np.float32)
    bits = number.view(np.int32)
    bits -= unit
    unit >>= 13
    bits += unit
    bits -= _BEGIN
    np.right_shift(x.view(np.int32), 16, unit)
    unit &= _SIGN
    bits |= unit
    np.copyto(z.view(np.int16), bits, casting="unsafe")


_KERNELS = {"ef": _half_to_single, "fe": _single_to_half}


def like(x):
    """An empty array in the order in memory of ``x``; where ``x`` repeats elements, in that of what a ufunc makes of it, as PyTorch."""
    return np.positive(x) if 0 in x.strides else np.empty_like(x)
