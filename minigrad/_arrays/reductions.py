"""Kernels along axes, on raw arrays: sums, extremes, softmax, scans, selection.  ``vocabulary.py`` lends them to formulas.

NumPy's reductions along one axis do a function call per row.  BLAS sums a row or a column as its product with ones, three to ten
times as fast; a row's largest element is quicker found by ``argmax`` (times at each place, 1024 x 128 float32).
"""

import math
from functools import lru_cache, wraps

import numpy as np

from .._base.pool import share
from .copies import cast
from .in_parts import PART, VERY_LARGE
from .scatter_add import add_along, put_along, take_along

_FLOAT32 = np.dtype("float32")
_add, _add_up, _maximum = np.add.reduce, np.add.accumulate, np.maximum.reduce
_BLOCK = 512  # longer rows and columns are summed in blocks, and the blocks by NumPy: the error stays that of a few roundings
_FEW = 64  # smaller arrays are not worth a second look
_FEW_ROWS = 24  # so few are reduced quickest by NumPy itself
_MANY = 2048  # more elements are quicker found by their place in one row than by an index for each axis


# Sums ------------------------------------------------------------------------------------------------------------------


@lru_cache(256)
def ones(n, dtype):
    """A vector of ones, kept for the next time."""
    vector = np.ones(n, dtype)
    vector.flags.writeable = False
    return vector


def sums(x, axis=None, keepdims=False):
    """The sum along ``axis`` (an int, several, None for all), in the dtype of ``x``."""
    dtype = x.dtype
    if x.size < _FEW or dtype.char not in "fd" or not x.flags.c_contiguous:
        return _add(x, axis, None, None, keepdims)
    shape = x.shape
    n = len(shape)
    if axis.__class__ is int and -n <= axis < n:
        first = axis % n
        last = first + 1
    elif axis is None:
        first, last = 0, n
    else:
        axes = (
            sorted([d % n for d in axis])
            if axis.__class__ is tuple and all(-n <= d < n for d in axis)
            else ()
        )
        if not axes or len(set(axes)) != len(axes):
            return _add(x, axis, None, None, keepdims)
        last = axes[-1] + 1
        first = last - 1
        while first - 1 in axes:
            first -= 1
        if last - first != len(axes):  # the last run of axes first, then the others
            z = sums(
                sums(x, tuple(range(first, last)), True), tuple(axes[: len(axes) - (last - first)]), True
            )
            return z if keepdims else z.reshape([m for d, m in enumerate(shape) if d not in axes])
    before, length, after = math.prod(shape[:first]), math.prod(shape[first:last]), math.prod(shape[last:])
    if after == 1:
        z = _row_sums(x.reshape(before, length))
    elif before == 1:
        z = _column_sums(x.reshape(length, after))
    elif length <= _BLOCK:
        z = np.matmul(ones(length, dtype), x.reshape(before, length, after))
    else:
        return _add(x, axis, None, None, keepdims)
    return z.reshape(shape[:first] + (1,) * (last - first if keepdims else 0) + shape[last:])


def _row_sums(x):
    rows, n = x.shape  # 6 us; np.add.reduce 30
    if n <= 2 * _BLOCK:
        return x.dot(ones(n, x.dtype))
    blocks = n // _BLOCK
    whole = blocks * _BLOCK
    column = ones(_BLOCK, x.dtype)
    if whole == n:
        return _add(x.reshape(rows * blocks, _BLOCK).dot(column).reshape(rows, blocks), 1)
    z = np.empty(rows, x.dtype)
    for i, row in enumerate(x):
        z[i] = _add(row[:whole].reshape(blocks, _BLOCK).dot(column)) + _add(row[whole:])
    return z


def _column_sums(x):
    n, columns = x.shape  # 5 us; np.add.reduce 20
    if n <= 2 * _BLOCK:
        return ones(n, x.dtype).dot(x)
    blocks = n // _BLOCK
    whole = blocks * _BLOCK
    z = _add(np.matmul(ones(_BLOCK, x.dtype), x[:whole].reshape(blocks, _BLOCK, columns)), 0)
    if whole < n:
        z += ones(n - whole, x.dtype).dot(x[whole:])
    return z


def products(x, y, axis):
    """The sum of ``x * y`` along ``axis``, which is kept."""
    if axis in (-1, x.ndim - 1) and x.dtype.char in "fd" and x.shape[-1] <= 2 * _BLOCK:
        return np.vecdot(x, y)[..., None]  # 12 us; in two steps 45
    return sums(x * y, axis, True)


# Extremes ----------------------------------------------------------------------------------------------------------------


def extremes(x, axis, keepdims, reduce, arg):
    """The largest (or smallest) elements along ``axis``; ``reduce`` and ``arg`` are NumPy's functions for it."""
    if x.size >= 4 * _FEW and axis.__class__ is int and axis in (-1, x.ndim - 1) and x.flags.c_contiguous:
        n = x.shape[-1]
        if n <= 16:
            z = reduce(np.ascontiguousarray(x.reshape(-1, n).T), 0)
            return z.reshape(x.shape[:-1] + (1,) * keepdims)
        if n <= 2 * _BLOCK:
            return at_places(x, arg(x, -1), keepdims)  # 20 us; np.maximum.reduce 75
    elif axis == 0 and x.ndim == 2 and x.shape[1] < 64 and x.size >= 2048 and x.flags.c_contiguous:
        n, columns = x.shape
        together = 512 // columns  # so many rows as one long one
        whole = n // together * together
        z = reduce(x[:whole].reshape(-1, together * columns), 0).reshape(together, columns)
        if whole < n:
            z = np.concatenate((z, x[whole:]))
        return reduce(z, 0, None, None, keepdims)
    return reduce(x, axis, None, None, keepdims)


def at_places(x, indices, keepdims=False):
    """The elements at ``indices``, one for each row along the last axis of a contiguous array."""
    z = x.reshape(-1).take(indices.reshape(-1) + np.arange(0, x.size, x.shape[-1]))
    return z.reshape(x.shape[:-1] + (1,) * keepdims)


# Softmax ---------------------------------------------------------------------------------------------------------------

_TAME = 30.0  # numbers up to here have exponentials whose sums neither overflow nor vanish


def _shifted(x, axis):
    """``x`` minus its largest elements along ``axis``; or ``x`` itself where its exponentials need no care."""
    if x.size > 4096 and np.minimum.reduce(x, None) > -_TAME and _maximum(x, None) < _TAME:
        return x  # 10 us; the subtraction 45
    return x - extremes(x, axis, True, _maximum, np.ndarray.argmax)


def _is_direct(x, axis):
    """Whether there are so few elements, or rows, that NumPy's own reductions are quickest."""
    size = x.size
    return size < _FEW or (size <= _MANY and -1 <= axis < x.ndim and size <= _FEW_ROWS * x.shape[axis])


def _by_rows(kernel):
    """Let several threads do ``kernel(*arrays, axis)``, of arrays of one shape, where these are large: each takes a part of the axes before ``axis``."""

    @wraps(kernel)
    def call(*arguments):
        *arrays, axis = arguments
        x = arrays[0]
        if (
            x.size < VERY_LARGE
            or not -x.ndim <= axis < x.ndim
            or any(not a.flags.c_contiguous for a in arrays)
        ):
            return kernel(*arguments)
        axis %= x.ndim
        rows = math.prod(x.shape[:axis])
        step = max(2 * PART * rows // x.size, 1)
        if rows < 2 * step or any(a.shape != x.shape or a.dtype is not x.dtype for a in arrays):
            return kernel(*arguments)
        arrays = [a.reshape(rows, x.shape[axis], -1) for a in arrays]
        z = np.empty(arrays[0].shape, x.dtype)

        def some_rows(start):
            part = slice(start, start + step)
            z[part] = kernel(*[a[part] for a in arrays], 1)

        share(some_rows, range(0, rows, step))
        return z.reshape(x.shape)

    return call


@_by_rows
def softmax(x, axis):
    """``exp(x)`` divided by its sum along ``axis``."""
    if not x.size or not x.ndim:
        return _softmax_trivial(softmax, x, axis)
    dtype = x.dtype
    if dtype.itemsize == 2:
        return cast(softmax(cast(x, _FLOAT32), axis), dtype)
    if _is_direct(x, axis):
        z = x - _maximum(x, axis, None, None, True)
        np.exp(z, z)
        z /= _add(z, axis, None, None, True)
        return z
    z = _shifted(x, axis)
    z = np.exp(z, None if z is x else z)
    z *= np.reciprocal(sums(z, axis, True))  # 16 us; division 26
    return z


@_by_rows
def log_softmax(x, axis):
    """The logarithm of ``softmax(x)``."""
    if not x.size or not x.ndim:
        return _softmax_trivial(log_softmax, x, axis)
    dtype = x.dtype
    if dtype.itemsize == 2:
        return cast(log_softmax(cast(x, _FLOAT32), axis), dtype)
    if _is_direct(x, axis):
        z = x - _maximum(x, axis, None, None, True)
        z -= np.log(_add(np.exp(z), axis, None, None, True))
        return z
    z = x - extremes(x, axis, True, _maximum, np.ndarray.argmax)  # always: the result may be all but 0
    z -= np.log(sums(np.exp(z), axis, True))
    return z


def _softmax_trivial(function, x, axis):
    _add(x, axis)  # raises if there is no such axis
    return x.copy() if x.ndim else function(x[None], 0).reshape(())


@_by_rows
def softmax_backward(g, z, axis):
    """The gradient of ``softmax``, whose result was ``z``: ``z (g - sum of g z)``."""
    if not z.ndim:
        return z * (g - g * z)
    if z.dtype.itemsize == 2:
        return cast(softmax_backward(cast(g, _FLOAT32), cast(z, _FLOAT32), axis), z.dtype)
    out = g - products(g, z, axis)
    out *= z
    return out


@_by_rows
def log_softmax_backward(g, z, axis):
    """The gradient of ``log_softmax``, whose result was ``z``: ``g - exp(z) sum of g``."""
    if not z.ndim:
        return g - np.exp(z) * g
    if z.dtype.itemsize == 2:
        return cast(log_softmax_backward(cast(g, _FLOAT32), cast(z, _FLOAT32), axis), z.dtype)
    out = np.exp(z)
    out *= sums(g, axis, True)
    return np.subtract(g, out, out)


# Moments and norms -------------------------------------------------------------------------------------------------------


def centered(x, dims):
    """``x`` minus its mean along ``dims`` (an int, several, None for all): exactly zero where all elements are equal."""
    n = x.ndim
    if not x.size or not n:
        return x - x
    # of equal elements even the mean may be rounded; their differences from one of them are zero
    if dims is None:
        out = x - x.flat[0]
        length = x.size
    elif dims.__class__ is int:
        out = x - (x[:1] if dims in (0, -n) else x[(slice(None),) * (dims % n) + (slice(0, 1),)])
        length = x.shape[dims]
    else:
        axes = [d % n for d in dims]
        out = x - x[tuple([slice(0, 1) if d in axes else slice(None) for d in range(n)])]
        length = math.prod([x.shape[d] for d in axes])
    out -= sums(out, dims, True) / length
    return out


def divide_nonzero(x, y):
    """``x / y``, and 0 where ``y`` is 0."""
    z = x / y
    return np.where(y == 0, z.dtype.type(0), z)


def magnitude_power(x, n):
    """``|x| ** n``, and 0 where ``x`` is 0 whatever ``n`` is."""
    z = np.absolute(x)
    return np.where(z == 0, z.dtype.type(0), np.power(z, n))


def vector_norm(x, p, axis=None, keepdims=True):
    """The p-norm of ``x`` along ``axis``, of real dtype."""
    dtype = x.real.dtype
    if x.itemsize == 2:
        x = x.astype(_FLOAT32)
    if p == 2:
        if axis is None and not keepdims:
            z = np.sqrt(np.vdot(x, x).real)  # BLAS sums in blocks
        elif x.dtype.kind == "c":
            z = np.sqrt(sums(x.real**2 + x.imag**2, axis, keepdims))
        elif axis.__class__ is int and x.ndim and axis in (-1, x.ndim - 1):
            z = np.sqrt(np.vecdot(x, x)[..., None] if keepdims else np.vecdot(x, x))
        else:
            z = np.sqrt(sums(x * x, axis, keepdims))
    elif p == 0:
        z = _add(x != 0, axis, dtype, None, keepdims)
    else:
        z = np.absolute(x)
        if p == 1:
            z = sums(z, axis, keepdims)
        elif p == math.inf:
            z = _maximum(z, axis, None, None, keepdims)
        elif p == -math.inf:
            z = np.minimum.reduce(z, axis, None, None, keepdims)
        else:
            z = sums(z**p, axis, keepdims) ** (1 / p)
    return z.astype(dtype, copy=False)


# Scans -----------------------------------------------------------------------------------------------------------------


def flip(x, axis):
    """``x`` in the opposite order along ``axis``, one or several: a view."""
    key = [slice(None)] * x.ndim
    for i in axis if axis.__class__ is tuple else (axis,):
        key[i] = slice(None, None, -1)
    return x[tuple(key)]


def slices(ndim, axis):
    """The keys of all but the last, all but the first, the first, and the last along ``axis``."""
    whole = [slice(None)] * ndim
    keys = []
    for part in (slice(None, -1), slice(1, None), slice(None, 1), slice(-1, None)):
        whole[axis] = part
        keys.append(tuple(whole))
    return keys


def shift(x, axis, reverse=False, fill=0):
    """``x`` moved on by one along ``axis`` (or back, with ``reverse``); ``fill`` moves in."""
    if not x.size or not x.ndim:
        return np.full_like(x, fill)
    z = np.empty_like(x)
    head, tail, first, last = slices(x.ndim, axis)
    if reverse:
        z[head], z[last] = x[tail], fill
    else:
        z[tail], z[first] = x[head], fill
    return z


def recurrence(a, b, axis, reverse=False):
    """The solution z of ``z[i] = a[i] z[i - 1] + b[i]`` along ``axis`` (of ``z[i] = a[i] z[i + 1] + b[i]``, with ``reverse``)."""
    z = np.array(b)
    if not z.ndim or not z.size:
        return z
    steps, factors = np.moveaxis(z, axis, 0), np.moveaxis(a, axis, 0)
    if reverse:
        steps, factors = steps[::-1], factors[::-1]
    for i in range(1, len(steps)):
        steps[i] += factors[i] * steps[i - 1]
    return z


def cumsum(x, axis, reverse=False):
    """The running sums along ``axis``, from the end with ``reverse``."""
    return _directed(np.add, x, axis, reverse)


def cumprod(x, axis, reverse=False):
    """The running products along ``axis``, from the end with ``reverse``."""
    return _directed(np.multiply, x, axis, reverse)


def _directed(ufunc, x, axis, reverse):
    dtype = x.dtype
    if not x.ndim:
        return np.array(x)
    if dtype.itemsize == 2 and dtype.kind in "fV":
        return _directed(ufunc, x.astype(_FLOAT32), axis, reverse).astype(dtype)
    return flip(accumulate(ufunc, flip(x, axis), axis), axis) if reverse else accumulate(ufunc, x, axis)


def accumulate(ufunc, x, axis):
    """``ufunc.accumulate`` along ``axis`` in the dtype of ``x``; it takes 3 ns per element, and large arrays here a third."""
    n = x.shape[axis]
    width = x.size // n if n else 0
    last = axis in (-1, x.ndim - 1)
    if ufunc is np.add and last and n >= 64 and x.size > 4096 and x.dtype.char in "fd":
        z = _running_sums(x.reshape(-1, n))
        if z is not None:
            return z.reshape(x.shape)
    if width < (384 if last else 192):
        return ufunc.accumulate(x, axis, x.dtype)
    # step by step, all rows at once
    steps = np.moveaxis(x, axis, 0)
    z = np.array(steps, order="C")
    for i in range(1, n):
        ufunc(z[i - 1], z[i], out=z[i])
    return np.ascontiguousarray(np.moveaxis(z, 0, axis))


_SHORT = 32


@lru_cache(4)
def _upper(dtype):
    return np.triu(np.ones((_SHORT, _SHORT), dtype))


def _running_sums(x):
    """Running sums of rows: in blocks, by products with a triangle of ones; None if some element is not finite."""
    rows, n = x.shape
    blocks = n // _SHORT
    whole = blocks * _SHORT
    z = np.empty_like(x, order="C")
    step = max(2 * PART // n, 1)
    infinite = []

    def some_rows(start):
        part = slice(start, start + step)
        some, into = x[part], z[part]
        count = len(some)
        inner = (
            some[:, :whole]
            .reshape(count * blocks, _SHORT)
            .dot(_upper(x.dtype))
            .reshape(count, blocks, _SHORT)
        )
        before = _add_up(inner[:, :, -1], 1)
        if not np.isfinite(before[:, -1]).all():
            infinite.append(start)  # a zero of the triangle times infinity would be nan
            return
        inner[:, 1:] += before[:, :-1, None]
        into[:, :whole] = inner.reshape(count, whole)
        if whole < n:
            into[:, whole:] = _add_up(some[:, whole:], 1)
            into[:, whole:] += before[:, -1:]

    share(some_rows, range(0, rows, step))
    return None if infinite else z


# Selection -------------------------------------------------------------------------------------------------------------


def same(x, z):
    """1 where ``x`` equals ``z``, else 0, in the dtype of ``x``."""
    return (x == z).astype(x.dtype)


def same_or_nan(x, z):
    """Like ``same``, but a nan equals a nan."""
    return ((x == z) | (np.isnan(x) & np.isnan(z))).astype(x.dtype)


@lru_cache(256)
def _mesh(shape, axis):
    """What has to stand before and after indices along ``axis`` in a key for an array like ``shape``."""
    n = len(shape)
    grids = [np.arange(m).reshape((1,) * i + (m,) + (1,) * (n - i - 1)) for i, m in enumerate(shape)]
    return tuple(grids[:axis]), tuple(grids[axis + 1 :])


def along(indices, axis):
    """The key of the elements at ``indices`` along ``axis``."""
    before, after = _mesh(indices.shape, axis % indices.ndim)
    return (*before, indices, *after)


def take_along_axis(x, indices, axis):
    """The elements of ``x`` at ``indices`` along ``axis``."""
    if not x.ndim:
        return np.array(x).reshape(indices.shape)
    if indices.size > _MANY:
        return take_along(x, axis % x.ndim, indices)
    return x[along(indices, axis)]


def put_along_axis(g, indices, axis, shape):
    """Zeros of ``shape`` with ``g`` at ``indices``, no two of which are the same, along ``axis``."""
    if not shape:
        return np.array(g).reshape(())
    z = np.zeros(shape, g.dtype)
    if indices.size > _MANY:
        return put_along(z, axis % len(shape), indices, g)
    z[along(indices, axis)] = g
    return z


def add_along_axis(g, indices, axis, shape):
    """Zeros of ``shape`` with ``g`` added at ``indices``, which may repeat, along ``axis``."""
    if not shape:
        return np.array(g).reshape(())
    return add_along(np.zeros(shape, g.dtype), axis % len(shape), indices, g)
