"""Kernels of activation functions on arrays: forward values, and gradients computed in one go with few temporaries.

Each writes into arrays that it made itself (empty ones first: so 0-dim arrays stay arrays).  The classes in ``_ops/activation.py`` name the
gradients beside the formulas that say what they are.
"""

import functools
import math

import numpy as np
from numpy._core.umath import clip  # type: ignore[attr-defined]  # a ufunc; ``np.clip`` is Python around it

from ..._base.pool import count
from .. import engine
from ..copies import cast, like
from ..in_parts import in_parts
from .elementwise import keep, where
from .error_function import doubled_normal, erf

_F32, _F64 = np.dtype("float32"), np.dtype("float64")
#: 0-dim arrays of the dtypes that matter: a Python number costs a ufunc 0.3 us more.
_ZERO, _ONE, _HALF, _INF, _LEAST = (
    {d: np.array(value, d) for d in (_F32, _F64)} for value in (0, 1, 0.5, np.inf, -np.inf)
)
_BITS = {4: np.int32, 8: np.int64}
_ONE_BYTE = np.array(1, np.int8)
_FEW = 512  # up to here picking elements is quicker than bits
_MANY = 1 << 14  # from here on it is worth while to look who else may compute
_BLOCK = 1 << 16  # elements at a time, where one thread takes them all

SQRT_HALF = math.sqrt(0.5)
SQRT_2_PI = math.sqrt(2 / math.pi)
CUBIC = 0.044715


def in_single(kernel):
    """Let a kernel compute half precision in single, and round once."""

    @functools.wraps(kernel)
    def call(*args):
        dtype = args[0].dtype
        if dtype.itemsize != 2 or dtype.kind in "iu":
            return kernel(*args)
        wide = (cast(a, _F32) if getattr(a, "dtype", None) == dtype else a for a in args)
        return cast(kernel(*wide), dtype)

    return call


def one(dtype):
    """One of a dtype, as quick as there is."""
    found = _ONE.get(dtype)
    return 1 if found is None else found


def _half(dtype):
    found = _HALF.get(dtype)
    return dtype.type(0.5) if found is None else found


def relu(x):
    """max(x, 0); nan and -0 stay what they are."""
    dtype = x.dtype
    zero = _ZERO.get(dtype)
    if zero is not None:
        return clip(x, zero, _INF[dtype])  # a quarter of np.maximum's time
    if dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    return np.maximum(x, dtype.type(0))


def threshold_backward(g, x, threshold):
    """g where x > threshold or x is nan, else 0."""
    if threshold == 0:
        threshold = _ZERO.get(x.dtype, 0)
    dropped = np.less_equal(x, threshold)
    if g.size > _FEW and g.shape == dropped.shape:
        bits = _BITS.get(g.itemsize)
        if bits is not None:
            kept = np.subtract(dropped.view(np.int8), _ONE_BYTE).astype(bits)  # all ones or all zeros
            return np.bitwise_and(kept, g.view(bits), kept).view(g.dtype)
    if g.shape != dropped.shape:
        g, dropped = np.broadcast_arrays(g, dropped)
    out = np.array(g)
    np.putmask(out, dropped, out.dtype.type(0))
    return out


@in_single
def hardtanh(x, low, high):
    """x within [low, high]."""
    kind = x.dtype.kind
    if kind == "f":
        return clip(x, x.dtype.type(low), x.dtype.type(high))
    if kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    if kind == "u" and (low < 0 or high < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    info = np.iinfo(x.dtype)
    for limit in (low, high):
        if not info.min <= limit <= info.max:
            name = "int" if x.dtype.name == "int32" else f"{x.dtype.name}_t"
            if not -(2**63) <= limit < 2**63:  # PyTorch makes a whole number of it first
                name = "int64_t"
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return np.clip(x, np.array(low).astype(x.dtype), np.array(high).astype(x.dtype))


@in_single
def hardsigmoid(x):
    """(x + 3) / 6 within [0, 1]."""
    return clip(x + 3, x.dtype.type(0), x.dtype.type(6)) / 6


@in_single
def hardswish(x):
    """x times ``hardsigmoid(x)``."""
    return x * clip(x + 3, x.dtype.type(0), x.dtype.type(6)) / 6


@in_single
def hardswish_backward(g, x):
    """The gradient of ``hardswish``: g (x / 3 + 1 / 2) between -3 and 3, 0 to the left, g to the right and for nan."""
    slope = np.asarray(x / 3)  # of no dimension, NumPy gives a number
    slope += x.dtype.type(0.5)
    np.copyto(slope, 1, where=np.logical_not(x < 3))
    slope *= g
    return keep(slope, np.logical_not(x <= -3))


@in_single
def softshrink(x, limit):
    """x moved towards 0 by ``limit``, and 0 where it is closer; nan stays nan."""
    limit = x.dtype.type(limit)
    return x - clip(x, -limit, limit)


def _negative_part(x):
    """min(x, 0), as a new array."""
    zero = _ZERO.get(x.dtype)
    return np.minimum(x, x.dtype.type(0)) if zero is None else clip(x, _LEAST[x.dtype], zero)


@in_single
def elu(x, alpha, scale, input_scale):
    """scale x, where x < 0 scale alpha (exp(input_scale x) - 1)."""
    out = np.asarray(_negative_part(x))
    if input_scale != 1:
        out *= input_scale
    np.expm1(out, out)
    if alpha * scale != 1:
        out *= alpha * scale
    return where(x < 0, out, x if scale == 1 else x * scale)


@in_single
def elu_backward(g, x, alpha, scale, input_scale):
    """The gradient of ``elu``; at 0 that of the exponential branch."""
    out = np.asarray(_negative_part(x))
    if input_scale != 1:
        out *= input_scale
    np.exp(out, out)
    out *= alpha * scale * input_scale
    return where(x <= 0, out, x.dtype.type(scale)) * g


@in_single
def silu(x):
    """x sigmoid(x)."""
    out = like(x)
    np.negative(x, out)
    np.exp(out, out)
    out += one(x.dtype)
    return np.divide(x, out, out)


@in_single
def silu_backward(g, x):
    """The gradient of ``silu``: g s (1 + x (1 - s)) with s = sigmoid(x)."""
    unit = one(x.dtype)
    s = like(x)
    np.negative(x, s)
    np.exp(s, s)
    s += unit
    np.reciprocal(s, s)
    out = like(x)
    np.subtract(unit, s, out)
    out *= x
    out += unit
    out *= s
    out *= g
    return out


def _tanh_softplus(x):
    """tanh(log(1 + eˣ)) = n / (n + 2) with n = eˣ (eˣ + 2)."""
    n = like(x)
    np.minimum(x, 20, out=n)  # beyond, it is 1 to the last bit
    np.exp(n, n)
    n *= n + 2
    return np.divide(n, n + 2, n)


@in_single
def mish(x):
    """x tanh(softplus(x))."""
    out = _tanh_softplus(x)
    out *= x
    return out


@in_single
def mish_backward(g, x):
    """The gradient of ``mish``: g (t + x sigmoid(x) (1 - t²)) with t = tanh(softplus(x))."""
    t = _tanh_softplus(x)
    out = silu(x)
    out *= 1 - t * t
    out += t
    out *= g
    return out


@in_single
def softplus(x, beta, threshold):
    """log(1 + exp(beta x)) / beta; x where beta x > threshold."""
    scaled = like(x)
    np.multiply(x, x.dtype.type(beta), scaled)
    linear = scaled > threshold
    np.exp(scaled, scaled)
    np.log1p(scaled, scaled)
    if beta != 1:
        scaled /= beta
    np.copyto(scaled, x, where=linear)
    return scaled


@in_single
def softplus_backward(g, x, beta, threshold):
    """The gradient of ``softplus``: g sigmoid(beta x)."""
    scaled = like(x)
    np.multiply(x, x.dtype.type(-beta), scaled)
    linear = scaled < -threshold
    np.exp(scaled, scaled)
    scaled += 1
    np.divide(g, scaled, scaled)
    np.copyto(scaled, g, where=linear)
    return scaled


@in_single
def log_sigmoid(x):
    """log(1 / (1 + e⁻ˣ)) = min(x, 0) - log(1 + e⁻|x|)."""
    out = np.empty(x.shape, x.dtype)  # in the order of its axes, as PyTorch
    np.absolute(x, out)
    np.negative(out, out)
    np.exp(out, out)
    np.log1p(out, out)
    return np.subtract(np.minimum(x, 0), out, out)


@in_single
def log_sigmoid_backward(g, x):
    """The gradient of ``log_sigmoid``: g / (1 + eˣ)."""
    out = np.empty(x.shape, x.dtype)  # in the order of its axes, as PyTorch
    np.exp(x, out)
    out += 1
    return np.divide(g, out, out)


def gelu(x, approximate):
    """x times the normal distribution function at x, or its approximation by tanh."""
    if x.size < _MANY:
        return _gelu(x, approximate)
    found = engine.ask("gelu", x) if approximate == "none" else None
    if found is not None:
        return found
    into = functools.partial(_in_blocks, _gelu_into, approximate) if x.dtype in _ONE else None
    return in_parts(lambda x: _gelu(x, approximate), x, into=into)


@in_single
def _gelu(x, approximate):
    out = like(x)
    _in_blocks(_gelu_into, approximate, x, out)
    return out


def _in_blocks(kernel, approximate, *arrays):
    """``kernel(approximate, *arrays, scratch)``, so many elements at a time that what is made in between stays in the cache.

    ``scratch``, as large as a block, lies where the result, the last array, is written later: only the last block needs more memory.
    At once for broadcast operands, for those not in order, and where threads share, who would wait for each other's turn at Python.
    """
    size, begin = arrays[-1].size, 0
    if count() > 1 or size < _BLOCK or not all(a.flags.c_contiguous and a.size == size for a in arrays):
        kernel(approximate, *arrays, np.empty_like(arrays[-1]))
        return
    flat = [a.reshape(-1) for a in arrays]
    while begin < size:
        end = begin + min(_BLOCK, (size - begin) // 2)
        if end - begin < _BLOCK // 2:
            end = size
            scratch = np.empty_like(flat[-1][begin:])
        else:
            scratch = flat[-1][end : 2 * end - begin]
        kernel(approximate, *[a[begin:end] for a in flat], scratch)
        begin = end


def _gelu_into(approximate, x, out, scratch):
    if approximate == "tanh":
        _gelu_inner(x, out)
        np.tanh(out, out)
        out += one(x.dtype)
    elif x.dtype == _F32:
        doubled_normal(x, out, scratch)
    else:
        np.multiply(x, x.dtype.type(SQRT_HALF), out)
        erf(out, out)
        out += one(x.dtype)
    # PyTorch's order: from half of the largest number on, the exact form is infinite there, and in oneDNN.
    first, second = (_half(x.dtype), x) if approximate == "tanh" else (x, _half(x.dtype))
    out *= first
    out *= second


def _gelu_inner(x, out):
    """sqrt(2/pi) (x + 0.044715 x³), into ``out``."""
    cast = x.dtype.type
    np.multiply(x, x, out)
    out *= cast(SQRT_2_PI * CUBIC)
    out += cast(SQRT_2_PI)
    out *= x


def gelu_backward(g, x, approximate):
    """The gradient of ``gelu``."""
    if x.size < _MANY:
        return _gelu_backward(g, x, approximate)
    found = engine.ask("gelu_backward", g, x) if approximate == "none" else None
    if found is not None:
        return found
    into = (
        functools.partial(_in_blocks, _gelu_slopes, approximate)
        if g.dtype == x.dtype and x.dtype in _ONE
        else None
    )
    return in_parts(lambda g, x: _gelu_backward(g, x, approximate), g, x, into=into)


@in_single
def _gelu_backward(g, x, approximate):
    out = like(x)
    _in_blocks(_gelu_slopes, approximate, g, x, out)
    return out


def _gelu_slopes(approximate, g, x, out, slope):
    cast = x.dtype.type
    unit, half = one(x.dtype), _half(x.dtype)
    if approximate == "tanh":
        _gelu_inner(x, out)
        np.tanh(out, out)
        np.multiply(x, x, slope)
        slope *= cast(3 * SQRT_2_PI * CUBIC)
        slope += cast(SQRT_2_PI)
        slope *= unit - out * out  # often 0, while the rest, times x, may be infinite
        slope *= x
        out += unit
    else:
        if x.dtype == _F32:
            doubled_normal(x, out, slope)
        else:
            np.multiply(x, cast(SQRT_HALF), out)
            erf(out, out)
            out += unit
            np.multiply(x, x, slope)
        slope *= -half
        np.exp(slope, slope)
        slope *= x
        slope *= cast(SQRT_2_PI)
    out += slope
    out *= half
    out *= g
