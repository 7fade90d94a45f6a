"""Kernels of the elementwise ops on raw arrays, where NumPy has none, another behaviour than PyTorch's, or a slow one."""

import math
from functools import lru_cache, wraps

import numpy as np

from ..._base.dtypes import complex32, from_numpy_dtype, scalar_type_name
from ..._base.errors import check_integer_range
from ..._base.limits import finfo
from ..copies import cast, like
from ..packed import parts, whole
from ..traced import Traced

_FLOAT32 = np.dtype(np.float32)

# Numbers and precision -----------------------------------------------------------------------------------------------


@lru_cache(1000)
def constant(value, dtype):
    """A Python number as a 0-dim array, which ufuncs take in half the time; raises OverflowError for an integer of more than 64 bits."""
    if value.__class__ is int:
        check_integer_range(value)
    return np.array(value).astype(dtype)


def in_single(function):
    """A kernel that computes in float32 for dtypes of half precision, and rounds once."""

    @wraps(function)
    def kernel(x, *rest):
        if x.itemsize == 2 and x.dtype.kind in "fV":
            rest = [
                cast(y, _FLOAT32) if isinstance(y, (np.ndarray, np.generic)) and y.dtype == x.dtype else y
                for y in rest
            ]
            return cast(function(cast(x, _FLOAT32), *rest), x.dtype)
        return function(x, *rest)

    return kernel


def floating(function, x, y):
    """``function`` of two floating arrays; refuses others, which NumPy would convert."""
    if x.dtype.kind in "fV":
        return function(x, y)
    raise TypeError("ufunc: floating numbers only")


# Masks ---------------------------------------------------------------------------------------------------------------

_INTS = {2: np.int16, 4: np.int32, 8: np.int64}

_MANY = 4096  # from here on masks are cheaper as bits than by np.where, which takes 20 times as long where they are random


def keep(x, mask):
    """``x`` where ``mask`` holds, else 0; broadcasts."""
    if x.__class__ is np.ndarray and x.size > _MANY:
        ints = _INTS.get(x.itemsize)
        if ints is not None:
            bits = np.negative(mask.view(np.int8)).astype(ints)  # all ones or all zeros
            return np.bitwise_and(x.view(ints), bits).view(x.dtype)
    return np.where(mask, x, x.dtype.type(0))


def drop(x, mask):
    """0 where ``mask`` holds, else ``x``; broadcasts."""
    return keep(x, np.logical_not(mask))


def where(condition, x, y):
    """``x`` where ``condition`` holds, else ``y``; broadcasts; x or y may be a Python number."""
    if condition.__class__ is np.ndarray and condition.size > _MANY and condition.dtype == np.bool_:
        if not hasattr(x, "dtype"):
            x = np.asarray(x, y.dtype)
        elif not hasattr(y, "dtype"):
            y = np.asarray(y, x.dtype)
        ints = _INTS.get(x.itemsize)
        if ints is not None and x.dtype == y.dtype:
            bits = np.negative(condition.view(np.int8)).astype(ints)
            other = y.view(ints)
            return (((x.view(ints) ^ other) & bits) ^ other).view(x.dtype)
    return np.where(condition, x, y)


def clamp(x, lo, hi):
    """min(max(x, lo), hi), without a limit that is None."""
    kind = x.dtype.kind
    if kind == "b":
        raise TypeError("ufunc: bool has no limits")
    lo_is_number, hi_is_number = (
        lo.__class__ is float or lo.__class__ is int,
        hi.__class__ is float or hi.__class__ is int,
    )
    if kind == "f" and x.size > 1000 and (lo_is_number or lo is None) and (hi_is_number or hi is None):
        # a quarter of the time of np.maximum, which has no quick loop for a number
        return x.clip(
            constant(-math.inf if lo is None else lo, x.dtype),
            constant(math.inf if hi is None else hi, x.dtype),
        )
    if lo is not None:
        x = np.maximum(x, constant(lo, x.dtype) if lo_is_number else lo)
    if hi is not None:
        x = np.minimum(x, constant(hi, x.dtype) if hi_is_number else hi)
    return x


def nan_to_num(x, nan, posinf, neginf):
    """``x`` with numbers for nan (0) and the infinities (the greatest and the least number)."""
    if x.dtype.kind not in "fVc":
        return x.copy("K")
    if x.dtype.kind == "c":
        z = np.empty(x.shape, x.dtype)
        z.real, z.imag = nan_to_num(x.real, nan, posinf, neginf), nan_to_num(x.imag, nan, posinf, neginf)
        return z
    limits = finfo(from_numpy_dtype(x.dtype)) if x.dtype.kind == "V" else np.finfo(x.dtype)
    z = like(x)
    np.copyto(z, x)
    if np.isfinite(x).all():
        return z
    z[np.isnan(z)] = 0 if nan is None else nan
    z[z == np.inf] = limits.max if posinf is None else posinf
    z[z == -np.inf] = limits.min if neginf is None else neginf
    return z


# Powers and exponentials ---------------------------------------------------------------------------------------------


def power(x, exponent):
    """``x ** exponent`` for a Python number: quick for small integers and roots, where ``np.power`` is slow."""
    if x.dtype.kind in "fc":
        if exponent == 2:
            return np.square(x)
        if exponent == 1:
            return x.copy("K") if isinstance(x, Traced) else np.array(x)
        if exponent == 3:
            return x * x * x
        if exponent == 0.5:
            return np.sqrt(x)
        if exponent == -1:
            return np.reciprocal(x)
        if exponent == 4:
            return np.square(np.square(x))
        if exponent == -2:
            return np.reciprocal(np.square(x))
        if exponent == -0.5:
            return np.reciprocal(np.sqrt(x))
    elif x.dtype.kind == "b":
        return x if exponent else np.ones_like(x)
    if exponent.__class__ is int:
        check_integer_range(exponent)
    if x.dtype.kind != "V":
        return np.power(x, exponent)
    return np.power(x, np.asarray(exponent).astype(x.dtype))  # bfloat16, to which PyTorch rounds the number


def power_of(x, y):
    """``x ** y`` for arrays; integers to negative powers are 0, or 1 and -1 for such bases, as in PyTorch."""
    if y.dtype.kind == "i" and y.size and y.min() < 0:
        units = np.where((x == -1) & (y % 2 != 0), -1, np.absolute(x) == 1).astype(x.dtype)
        return np.where(y < 0, units, np.power(x, np.maximum(y, 0)))
    return np.power(x, y)


@in_single
def rsqrt(x):
    """1 / √x."""
    return np.reciprocal(np.sqrt(x))


def exp2(x):
    """2ˣ; NumPy's has no complex kernel."""
    return np.exp(x * np.log(x.dtype.type(2))) if x.dtype.kind == "c" else np.exp2(x)


def sigmoid(x):
    """1 / (1 + e⁻ˣ)."""
    if not x.ndim or x.dtype.kind not in "fc":  # without dimensions there is no array to write into
        return np.reciprocal(1 + np.exp(-x)) if x.dtype.kind in "fcV" else 1 / (1 + np.exp(-1.0 * x))
    z = np.negative(x)
    np.exp(z, z)
    np.add(z, constant(1, x.dtype), z)
    return np.reciprocal(z, z)


@in_single
def logit(x, eps):
    """log(x / (1 - x)), x first limited to [eps, 1 - eps] if eps is given."""
    if x.dtype.kind == "c":
        raise _refused("logit", x)
    if eps is not None:
        eps = (x.dtype.type if x.dtype.kind == "f" else float)(eps)
        x = np.where(
            x < eps, eps, np.where(x > 1 - eps, 1 - eps, x)
        )  # PyTorch's order, for an eps above a half
    return np.log(x / (1 - x))


def logaddexp(x, y):
    """log(eˣ + eʸ), without overflow."""
    if x.dtype.kind != "c":
        if x.size < 1000 or x.dtype.kind != "f":
            return floating(np.logaddexp, x, y)
        apart = np.absolute(x - y)
        np.log1p(np.exp(np.negative(apart, apart), apart), apart)
        z = np.maximum(x, y) + apart
        odd = np.isnan(z)  # equal infinities, or truly nan
        if odd.any():
            z[odd] = np.logaddexp(*(np.broadcast_to(v, z.shape)[odd] for v in (x, y)))
        return z
    greater = np.where(x.real < y.real, y, x)
    less = np.where(x.real < y.real, x, y)
    both = np.isinf(greater.real) & (less == greater)
    return np.where(both, greater, greater + np.log1p(np.exp(less - greater)))


def xlogy(x, y):
    """x log y, 0 where x = 0 and y is no nan."""
    return np.where((x == 0) & ~np.isnan(y), x.dtype.type(0), x * np.log(y))


def sinc(x):
    """sin(πx) / πx, 1 at 0."""
    return sinc_slope(x, 0)


@in_single
def sinc_slope(x, order):
    """The derivative of some order of sin(πx) / πx.

    Away from 0 by z⁽ⁿ⁾ = (s⁽ⁿ⁾ - n z⁽ⁿ⁻¹⁾) / x with s = sin(πx) / π; near 0, where that cancels, by the power series.
    """
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    if order == 0:
        return np.where(
            x == 0, x.dtype.type(1), np.sin(np.pi * x) / np.where(x == 0, x.dtype.type(1), np.pi * x)
        )
    wide = np.asarray(x, np.complex128 if x.dtype.kind == "c" else np.float64)
    near = np.absolute(wide) < 0.1 * order
    apart = np.where(near, 1.0, wide)
    slope = np.sin(np.pi * apart) / (np.pi * apart)
    for n in range(1, order + 1):
        slope = (np.pi ** (n - 1) * np.sin(np.pi * apart + n * np.pi / 2) - n * slope) / apart
    slope = np.asarray(slope)
    if near.any():
        slope[near] = _sinc_series(wide[near], order)
    return slope.astype(x.dtype)


def _sinc_series(x, order):
    """Near 0: the derivatives of the terms of sin(πx) / πx = the sum of (-1)ᵏ (πx)²ᵏ / (2k + 1)!, from the last to the first."""
    first = (order + 1) // 2
    total = 0
    for k in reversed(range(first, first + 12 + order)):
        coefficient = (-1) ** k * np.pi ** (2 * k) / math.factorial(2 * k + 1) * math.perm(2 * k, order)
        total = total * (x * x) + coefficient
    return total * x if order % 2 else total


# Signs, rounding, division -------------------------------------------------------------------------------------------


def sign(x):
    """x / |x|: -1, 0 or 1; 0 for nan."""
    if x.dtype.kind in "fV":
        return ((x > 0).view(np.int8) - (x < 0).view(np.int8)).astype(x.dtype)
    return x.copy() if x.dtype.kind == "b" else np.sign(x)


def rounded(function, x):
    """``function`` of floating ``x``; integers are what they are."""
    if x.dtype.kind in "iu":
        return x.copy()
    if x.dtype.kind in "bc":
        raise TypeError("ufunc: neither bool nor complex numbers are rounded")
    return function(x)


@in_single
def round_to(x, decimals):
    """``x`` rounded to a number of decimals, of two neighbours the even one."""
    if x.dtype.kind != "f":
        raise TypeError("ufunc: decimals of floating numbers only")
    if abs(decimals) > 308:  # a power of ten that is no number
        return np.full(x.shape, np.nan, x.dtype)
    scale = x.dtype.type(10.0 ** abs(decimals))
    return np.rint(x * scale) / scale if decimals > 0 else np.rint(x / scale) * scale


def floor_divide(x, y):
    """``x / y`` rounded down; integers by zero raise RuntimeError."""
    if x.dtype.kind not in "fV":
        _divisor(x, y, "div_floor")
    return _by_quotient(np.floor_divide, _floor_quotient, 2**22, x, y)


@in_single
def trunc_divide(x, y):
    """``x / y`` rounded towards zero; integers by zero raise RuntimeError."""
    if x.dtype.kind == "f":
        return np.trunc(np.true_divide(x, y))
    _divisor(x, y, "div_trunc")
    z = np.floor_divide(x, y)
    return z + ((z < 0) & (z * y != x)) if x.dtype.kind == "i" else z


def remainder(x, y):
    """x - floor(x / y) y, where that is 0 with the sign of x; integers by zero raise RuntimeError."""
    if x.dtype.kind not in "fV":
        _divisor(x, y, "remainder")
        return np.remainder(x, y)
    z = _by_quotient(np.remainder, _floor_rest, 2**29, x, y)
    zero = z == 0
    return where(zero, np.copysign(z, x), z) if zero.any() else z


def fmod(x, y):
    """x - trunc(x / y) y; integers by zero raise RuntimeError."""
    if x.dtype.kind not in "fV":
        _divisor(x, y, "fmod")
    return _by_quotient(np.fmod, _trunc_rest, 2**29, x, y)


def _by_quotient(function, quick, limit, x, y):
    """``function(x, y)``; of many numbers in single precision by ``quick``, from the quotient in double: a sixth of the time.

    The quotient is then rounded to the right whole number, and its product with y exact, while it is below 2**29; what is beyond, and
    what is no number or infinite, is left to ``function``.
    """
    if x.dtype != np.float32 or y.dtype != np.float32 or (x.size < _MANY and y.size < _MANY):
        return function(x, y)
    a, b = x.astype(np.float64), y.astype(np.float64)
    q = a / b
    z = quick(q, a, b).astype(np.float32)
    np.absolute(q, q)
    usual = (q < limit) & np.isfinite(b)
    if not usual.all():
        rare = ~usual
        x, y = np.broadcast_arrays(x, y)
        z[rare] = function(x[rare], y[rare])
    return z


def _floor_quotient(q, a, b):
    return np.floor(q)


def _trunc_rest(q, a, b):
    rest = np.trunc(q)
    rest *= b
    np.subtract(a, rest, rest)
    return np.copysign(rest, a, rest)


def _floor_rest(q, a, b):
    rest = np.floor(q)
    rest *= b
    return np.subtract(a, rest, rest)


def _divisor(x, y, name):
    if x.dtype.kind in "bc":
        raise _refused(name, x)
    if x.size and not np.all(y):
        raise RuntimeError("ZeroDivisionError")


def _refused(name, x):
    return NotImplementedError(
        f"\"{name}_cpu\" not implemented for '{scalar_type_name(from_numpy_dtype(x.dtype))}'"
    )


def frexp(x):
    """Mantissas in [0.5, 1) and int32 exponents; 0 for what is not finite."""
    mantissa, exponent = np.frexp(x)
    return mantissa, np.where(np.isfinite(x), exponent, 0).astype(np.int32)


def heaviside(x, y):
    """0 where x < 0 or nan, 1 where x > 0, y where x = 0."""
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


# Mixtures ------------------------------------------------------------------------------------------------------------


def lerp(x, y, weight):
    """x + weight (y - x), from whichever end is nearer, so that weight 1 gives y exactly."""
    if x.dtype.kind not in "fcV":
        raise TypeError("ufunc: floating and complex numbers only")
    if x.itemsize == 2:
        return _lerp_in_single(x, y, weight)
    if hasattr(weight, "dtype"):
        return np.where(np.absolute(weight) < 0.5, x + weight * (y - x), y - (y - x) * (1 - weight))
    if abs(weight) < 0.5:
        return x + constant(weight, x.dtype) * (y - x)
    return y - (y - x) * constant(1 - weight, x.dtype)


_lerp_in_single = in_single(lerp)


@in_single
def addcmul(x, y, w, value):
    """x + value y w."""
    if x.dtype.kind == "b":
        raise TypeError("ufunc: no products of bool")
    z = y * w
    return x + z if value == 1 else x + constant(value, x.dtype) * z


@in_single
def addcdiv(x, y, w, value):
    """x + value y / w."""
    z = y / w
    return x + z if value == 1 else x + constant(value, x.dtype) * z


# Complex numbers -----------------------------------------------------------------------------------------------------


def angle(x):
    """The angle in the complex plane; of a real x 0 or π, and nan for nan."""
    if x.dtype.kind == "c":
        return np.arctan2(x.imag, x.real)
    if x.dtype.kind in "iub":
        return np.where(x < 0, np.pi, 0.0)
    return np.where(np.isnan(x), x, np.where(x < 0, x.dtype.type(np.pi), x.dtype.type(0)))


def as_complex(x, y):
    """x + iy; of half precision: elements that NumPy has no type for."""
    dtype = np.complex128 if x.dtype == np.float64 else np.complex64
    z = None if x.flags.c_contiguous or x.shape != y.shape else like(x).astype(dtype)
    x, y = np.broadcast_arrays(x, y)
    if x.dtype == np.float16:
        return whole(np.stack((x, y), -1), complex32.np)
    if z is None:
        z = np.empty(x.shape, dtype)
    z.real, z.imag = x, y
    return z


def view_as_complex(x):
    """Pairs of numbers as complex ones, (..., 2) -> (...)."""
    return as_complex(x[..., 0], x[..., 1])


def view_as_real(x):
    """Complex numbers as pairs of numbers, (...) -> (..., 2)."""
    if x.dtype.char == "V":
        return parts(x)
    return np.stack((x.real, x.imag), -1)
