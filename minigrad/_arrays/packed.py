"""Elements that NumPy has no type for: arrays keep their bytes, under a structured dtype with the format's name, with which NumPy computes nothing.

``packed`` makes bytes of numbers, ``unpacked`` numbers of bytes: float32 ones of the eight-bit floats, complex64 ones of pairs of float16.  An operator that meets such an array raises in
its kernel (see ``kernel_error`` in ``_core/families/op.py``), so nothing is ever computed with bytes in place of numbers.
"""

import functools

import numpy as np

#: Format -> exponent bits, mantissa bits, bias, and what stands beyond the largest number: that number, infinity or nan.
_FORMATS = {
    "float8_e4m3fn": (4, 3, 7, "largest"),
    "float8_e4m3fnuz": (4, 3, 8, "nan"),
    "float8_e5m2": (5, 2, 15, "inf"),
    "float8_e5m2fnuz": (5, 2, 16, "nan"),
    "float8_e8m0fnu": (8, 0, 127, "nan"),
}


@functools.cache
def _numbers(name):
    """The float32 number that each of the 256 bytes of a format stands for."""
    exponents, mantissas, bias, _ = _FORMATS[name]
    code = np.arange(256)
    if name == "float8_e8m0fnu":  # powers of two alone, without a sign
        return np.where(code == 255, np.nan, np.ldexp(1.0, code - bias)).astype(np.float32)
    exponent, mantissa = code >> mantissas & (1 << exponents) - 1, code & (1 << mantissas) - 1
    number = np.ldexp(mantissa + (exponent > 0) * 2.0**mantissas, np.maximum(exponent, 1) - bias - mantissas)
    number = np.where(code & 128, -number, number)
    if name == "float8_e4m3fn":
        number[[127, 255]] = np.nan
    elif name == "float8_e5m2":
        number[[124, 252]] = np.inf, -np.inf
        number[[125, 126, 127, 253, 254, 255]] = np.nan
    else:  # no negative zero, whose byte is nan
        number[128] = np.nan
    return number.astype(np.float32)


@functools.cache
def _middles(name):
    """The numbers midway between neighbours of a format, from 0 up; the last stands beyond its largest."""
    numbers = _numbers(name)[:128].astype(np.float64)
    positive = numbers[np.isfinite(numbers)]
    beyond = 2 * positive[-1] - positive[-2]
    return (positive + np.append(positive[1:], beyond)) / 2


def unpacked(x):
    """The numbers of an array of such elements, as float32 or complex64."""
    name = x.dtype.names[0]
    return (
        whole(parts(x).astype(np.float32, order="C"), np.complex64)
        if name == "complex32"
        else _numbers(name)[_codes(x)]
    )


def parts(x):
    """The real and imaginary parts of pairs of float16, (...) -> (..., 2), in the same memory."""
    return np.asarray(x)[..., None].view(np.float16)


def whole(x, dtype):
    """Pairs of parts as complex elements of a dtype, (..., 2) -> (...), in the same memory."""
    return x.view(dtype)[..., 0] if x.size else np.empty(x.shape[:-1], dtype)


def _codes(x):
    return np.asarray(x).view(np.uint8) if x.ndim else np.asarray(x).reshape(1).view(np.uint8).reshape(())


def packed(x, dtype):
    """An array of numbers as elements of a format, rounded to the nearest; ties go to the even one."""
    name = dtype.names[0]
    if name == "complex32":
        return _pairs(x, dtype)
    if x.dtype.kind == "c":
        x = x.real
    with np.errstate(over="ignore"):
        x = x.astype(np.float32)
    code = _powers_of_two(x) if name == "float8_e8m0fnu" else _rounded(x, name)
    return np.ascontiguousarray(code).view(dtype).reshape(x.shape)


def _pairs(x, dtype):
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        x = np.ascontiguousarray(x, np.complex64).reshape(
            x.shape
        )  # of double precision: rounded twice, as PyTorch does
        return whole(x[..., None].view(np.float32).astype(np.float16), dtype)


def _rounded(x, name):
    middles = _middles(name)
    size = np.abs(x).astype(np.float64)
    code = np.searchsorted(middles, size)  # of a middle: the lower of its neighbours
    tie = middles[np.minimum(code, len(middles) - 1)] == size
    code = code + (tie & code & 1)
    largest, beyond = len(middles) - 1, _FORMATS[name][3]
    bare = name.endswith("uz")
    if beyond == "largest":
        code = np.minimum(code, largest)
    code = np.where(
        np.isnan(x), 128 if bare else 127, np.where(code > largest, 128 if bare else largest + 1, code)
    )
    negative = np.signbit(x) & ((code != 0) if bare else True)
    return (code | 128 * negative).astype(np.uint8)


def _powers_of_two(x):
    """The exponents of float32 numbers, rounded up from the middle on; signs are dropped, infinity is nan."""
    bits = x.view(np.uint32) if x.ndim else x.reshape(1).view(np.uint32).reshape(())
    exponent = bits >> 23 & 255
    half, rest = bits >> 22 & 1, bits & (1 << 22) - 1
    up = (half == 1) & ((exponent > 0) | (rest > 0)) & (exponent < 255)
    return (exponent + up).astype(np.uint8)


def converted(x, dtype):
    """Array ``x`` on its way from or to a dtype of such elements: as ``dtype`` if that is one, else as numbers, real ones for a real dtype."""
    if x.dtype == dtype:
        return x
    if x.dtype.char == "V":
        x = unpacked(x)
    if dtype.char == "V":
        return packed(x, dtype)
    return x.real if x.dtype.kind == "c" and dtype.kind not in "cb" else x
