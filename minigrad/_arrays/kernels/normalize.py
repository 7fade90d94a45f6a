"""Kernels of normalisation on arrays: each forward gives the result, the means and 1 / the standard deviations that it used.

Each backward gives the gradients of x, weight and bias at once: all need the products g (x - mean), and what those products are summed with makes
the difference, which BLAS does.  Half precision computes in single.  Large arrays are taken in blocks that stay in the cache, by several threads:
blocks of rows, or of channels.
"""

import math

import numpy as np

from ..copies import cast
from ..in_parts import VERY_LARGE, part_by_part
from ..reductions import centered, ones, sums

_FLOAT32 = np.dtype("float32")


def single(x):
    """``x``, in single precision if it has half; None stays None."""
    return cast(x, _FLOAT32) if x is not None and x.itemsize == 2 else x


_TINY = {np.dtype("float32"): 2.0**-38, np.dtype("float64"): 2.0**-96}


def _equal_throughout(variance, mean):
    """Whether some variance is so small that it may be the rounding of the mean of equal elements."""
    tiny = _TINY[mean.dtype]
    # the sum of the squares is a quick bound for each of them
    if mean.size and np.fmin.reduce(variance) >= mean.dot(mean) * tiny:
        return False
    limit = mean * mean
    limit *= tiny
    return (variance < limit).any()


_BLOCK = 1 << 18  # elements


def _blocks(count, size):
    """Slices of an axis of length ``count`` whose places have ``size`` elements each."""
    if count * size <= 2 * _BLOCK:
        return (slice(None),)
    step = max(_BLOCK // size, 1)
    return [slice(i, i + step) for i in range(0, count, step)]


def _inverse_root(variance, eps):
    variance += variance.dtype.type(eps)
    np.sqrt(variance, variance)
    return np.reciprocal(variance, variance)


def _moments_of_rows(x, eps, z=None):
    """A matrix minus its rows' means, into ``z`` if that is given; the means, and 1 / the standard deviations."""
    n = x.shape[1]
    mean = sums(x, 1)
    mean /= n
    z = np.subtract(x, mean[:, None], z)
    variance = np.vecdot(z, z)
    variance /= n
    if _equal_throughout(variance, mean):
        z[...] = centered(x, 1)
        variance = np.vecdot(z, z) / n
    return z, mean, _inverse_root(variance, eps)


# Over the last axes: layer_norm, rms_norm ----------------------------------------------------------------------------------


def _rows(x, axes):
    """``x`` as a matrix whose rows are its last ``axes`` axes, dense."""
    shape = x.shape
    split = len(shape) - axes
    x = x.reshape(math.prod(shape[:split]), math.prod(shape[split:]))
    return single(x if x.flags.c_contiguous else np.ascontiguousarray(x))


def _flat(x):
    return None if x is None else single(x.reshape(-1))


def layer_norm(x, w, b, axes, eps):
    """(x - mean) / sqrt(variance + eps) * w + b over the last ``axes`` axes."""
    shape, dtype = x.shape, x.dtype
    kept = shape[: len(shape) - axes] + (1,) * axes
    stored = dtype if w is None and b is None else (b if w is None else w).dtype
    rows = _rows(x, axes)
    if not rows.shape[1]:
        mean, rstd = np.zeros(kept, stored), np.full(kept, np.nan, stored)
        return np.empty(shape, dtype), mean, rstd
    weight, bias = _flat(w), _flat(b)
    parts = _blocks(*rows.shape)
    if len(parts) == 1:
        z, mean, rstd = _moments_of_rows(rows, eps)
        _scale(z, rstd, weight, bias)
    else:
        z = np.empty_like(rows)
        mean, rstd = np.empty((2, len(rows)), rows.dtype)

        def some_rows(part):
            block, mean[part], rstd[part] = _moments_of_rows(rows[part], eps, z[part])
            _scale(block, rstd[part], weight, bias)

        part_by_part(some_rows, parts, rows.size)
    mean, rstd = mean.astype(stored, copy=False), rstd.astype(stored, copy=False)
    return z.reshape(shape).astype(dtype, copy=False), mean.reshape(kept), rstd.reshape(kept)


def _scale(rows, rstd, weight, bias):
    rows *= rstd[:, None]
    if weight is not None:
        rows *= weight
    if bias is not None:
        rows += bias


def layer_norm_backward(g, x, w, mean, rstd, axes, needs):
    """The gradients of ``layer_norm`` to x, w and b, as far as ``needs``, three bools, says."""
    shape, dtype, stored = x.shape, x.dtype, mean.dtype
    for_x, for_w, for_b = needs
    g, x, weight = _rows(g, axes), _rows(x, axes), _flat(w)
    mean, rstd = single(mean.reshape(-1)), single(rstd.reshape(-1))
    n = x.shape[1]
    gx = np.empty_like(x) if for_x else None
    parts = _blocks(*x.shape) if n else []
    gw = np.zeros((len(parts), n), x.dtype) if for_w else None
    gb = np.zeros((len(parts), n), x.dtype) if for_b else None

    def some_rows(number):
        part = parts[number]
        x_, g_, rstd_ = x[part], g[part], rstd[part]
        if for_b:
            gb[number] = sums(g_, 0)
        if not (for_x or for_w):
            return
        d = x_ - mean[part][:, None]
        products = g_ * d
        if for_w:
            gw[number] = rstd_.dot(products) if len(rstd_) <= 1024 else sums(products * rstd_[:, None], 0)
        if for_x:
            along = sums(products, 1) if weight is None else products.dot(weight)
            total = sums(g_, 1) if weight is None else g_.dot(weight)
            d *= (along * rstd_ * rstd_ * rstd_ / n)[:, None]
            d += (total * rstd_ / n)[:, None]
            out = np.multiply(g_, rstd_[:, None], gx[part])
            if weight is not None:
                out *= weight
            out -= d

    part_by_part(some_rows, range(len(parts)), x.size)
    of = shape[len(shape) - axes :]
    return (
        None if gx is None else gx.reshape(shape).astype(dtype, copy=False),
        None if gw is None else _added(gw).reshape(of).astype(stored, copy=False),
        None if gb is None else _added(gb).reshape(of).astype(stored, copy=False),
    )


def _added(parts):
    """The sum of what each part found, in their order."""
    return parts[0] if len(parts) == 1 else np.add.reduce(parts, 0)


def rms_norm(x, w, axes, eps):
    """x / sqrt(mean of x² + eps) * w over the last ``axes`` axes; and the 1 / sqrt(...)."""
    shape = x.shape
    rows = _rows(x, axes)
    weight, n = _flat(w), rows.shape[1]
    z, rstd = np.empty_like(rows), np.empty(len(rows), rows.dtype)

    def some_rows(part):
        block = rows[part]
        with np.errstate(all="ignore"):
            rstd[part] = _inverse_root(np.vecdot(block, block) / n, eps)
        np.multiply(block, rstd[part][:, None], z[part])
        if weight is not None:
            block = z[part]
            block *= weight

    part_by_part(some_rows, _blocks(*rows.shape), rows.size)
    return z.reshape(shape).astype(x.dtype, copy=False), rstd.reshape(
        shape[: len(shape) - axes] + (1,) * axes
    )


def rms_norm_backward(g, x, w, rstd, axes, needs):
    """The gradients of ``rms_norm`` to x and w, as far as ``needs``, two bools, says."""
    shape, dtype = x.shape, x.dtype
    for_x, for_w = needs
    g, x, weight = _rows(g, axes), _rows(x, axes), _flat(w)
    rstd = rstd.reshape(-1)
    n = x.shape[1]
    parts = _blocks(*x.shape)
    gx = np.empty_like(x) if for_x else None
    gw = np.zeros((len(parts), n), x.dtype) if for_w else None

    def some_rows(number):
        part = parts[number]
        x_, g_, rstd_ = x[part], g[part], rstd[part]
        products = g_ * x_
        if for_w:
            gw[number] = sums(products * rstd_[:, None], 0)
        if for_x:
            along = sums(products, 1) if weight is None else products.dot(weight)
            out = np.multiply(g_, rstd_[:, None], gx[part])
            if weight is not None:
                out *= weight
            out -= np.multiply(x_, (along * rstd_ * rstd_ * rstd_ / n)[:, None], products)

    part_by_part(some_rows, range(len(parts)), x.size)
    if for_x:
        gx = gx.reshape(shape).astype(dtype, copy=False)
    if for_w:
        gw = _added(gw).reshape(shape[len(shape) - axes :]).astype(dtype, copy=False)
    return gx, gw


# Over groups of channels: group_norm -------------------------------------------------------------------------------------


def _channels(x, n, channels, size):
    return single(np.ascontiguousarray(x)).reshape(n, channels, size)


def _of_groups(x, channels):
    """(N, groups) -> (N, channels): each group's value for all of its channels."""
    return x.repeat(channels // x.shape[1], 1)


def group_norm(x, w, b, n, channels, size, groups, eps):
    """(x - mean) / sqrt(variance + eps) * w + b, the moments over each of ``groups`` groups of channels: (N, C, size)."""
    shape, dtype = x.shape, x.dtype
    stored = dtype if w is None and b is None else (b if w is None else w).dtype
    if not x.size:
        mean = np.zeros((n, groups), stored)
        return np.empty(shape, dtype), mean, np.full_like(mean, np.nan)
    x_ = _channels(x, n, channels, size)
    z = np.empty_like(x_)
    mean, rstd = np.empty((2, n, groups), x_.dtype)
    w, b = single(w), single(b)

    def some_images(part):
        count = len(mean[part])
        rows = (v[part].reshape(count * groups, -1) for v in (x_, z))
        _, mean_, rstd_ = _moments_of_rows(next(rows), eps, next(rows))
        mean[part], rstd[part] = mean_.reshape(count, groups), rstd_.reshape(count, groups)
        scale = _of_groups(rstd[part], channels)
        block = z[part]
        block *= (scale if w is None else scale * w)[..., None]
        if b is not None:
            block += b[:, None]

    part_by_part(some_images, _blocks(n, channels * size), x.size)
    z = z.reshape(shape).astype(dtype, copy=False)
    if x.ndim > 3 and not x.flags.c_contiguous and np.moveaxis(x, 1, -1).flags.c_contiguous:
        z = np.moveaxis(np.ascontiguousarray(np.moveaxis(z, 1, -1)), -1, 1)
    return z, mean.astype(stored, copy=False), rstd.astype(stored, copy=False)


def group_norm_backward(g, x, w, mean, rstd, n, channels, size, groups, needs):
    """The gradients of ``group_norm`` to x, w and b, as far as ``needs``, three bools, says."""
    shape, dtype = x.shape, x.dtype
    for_x, for_w, for_b = needs
    stored, mean, rstd, w = mean.dtype, single(mean), single(rstd), single(w)
    if not x.size:
        zeros = np.zeros(channels, stored)
        return np.zeros(shape, dtype), zeros, zeros.copy()
    g, x = _channels(g, n, channels, size), _channels(x, n, channels, size)
    mean_of, rstd_of = _of_groups(mean, channels), _of_groups(rstd, channels)
    scale = rstd_of if w is None else rstd_of * w
    along, total = np.empty((2, n, channels), x.dtype)
    gx = np.empty_like(x) if for_x else None
    count = size * channels // groups

    def some_images(part):
        d, g_ = x[part] - mean_of[part][..., None], g[part]
        along[part], total[part] = np.vecdot(g_, d), sums(g_, 2)
        if for_x:
            slope, shift = (v[part] if w is None else v[part] * w for v in (along, total))
            slope, shift = (v.reshape(len(v), groups, -1).sum(2) * rstd[part] / count for v in (slope, shift))
            d *= _of_groups(slope * rstd[part] * rstd[part], channels)[..., None]
            d += _of_groups(shift, channels)[..., None]
            out = np.multiply(g_, scale[part][..., None], gx[part])
            out -= d

    part_by_part(some_images, _blocks(n, channels * size), x.size)
    if for_x:
        gx = gx.reshape(shape).astype(dtype, copy=False)
    gw = sums(along * rstd_of, 0).astype(stored, copy=False) if for_w else None
    return gx, gw, sums(total, 0).astype(stored, copy=False) if for_b else None


# Over all but the channels: batch_norm -----------------------------------------------------------------------------------


class Channels:
    """An array (N, C, ...) as a matrix (everything else, C) if its channels lie side by side in memory, else as (N, C, rest)."""

    __slots__ = ("shape", "last", "count")

    def __init__(self, x):
        self.shape = x.shape
        self.last = x.ndim == 2 or (
            x.ndim > 3 and x.strides[1] == x.itemsize and np.moveaxis(x, 1, -1).flags.c_contiguous
        )
        self.count = x.size // x.shape[1] if x.shape[1] else 0

    def open(self, x):
        """``x`` in the form that this class names, in single precision if it has half."""
        n, c = self.shape[:2]
        if self.last:
            return single(np.ascontiguousarray(np.moveaxis(x, 1, -1) if x.ndim > 2 else x)).reshape(-1, c)
        return single(np.ascontiguousarray(x)).reshape(n, c, math.prod(self.shape[2:]))

    def close(self, x, dtype):
        """The inverse of ``open``."""
        x = x.astype(dtype, copy=False)
        if not self.last:
            return x.reshape(self.shape)
        n, c, *rest = self.shape
        return np.moveaxis(x.reshape(n, *rest, c), -1, 1)

    def of(self, values):
        """A value per channel, to be combined with what ``open`` gives."""
        return values if self.last else values[:, None]

    def parts(self):
        """Keys to what ``open`` gives that take some channels each, and the slices of these channels; one, where channels lie side by side."""
        channels = self.shape[1]
        if self.last or self.count * channels < VERY_LARGE:
            return [((), slice(None))]
        step = max(_BLOCK // self.count, 1)
        slices = [slice(i, i + step) for i in range(0, channels, step)]
        return [((slice(None), part), part) for part in slices]

    def blocks(self, x):
        """Slices of the first axis of what ``open`` gives."""
        return _blocks(len(x), x.size // max(len(x), 1))

    def sums(self, x):
        """The sum of what ``open`` gives for each channel."""
        if self.last:
            return sums(x, 0)
        if x.flags.c_contiguous or x.shape[2] > 1024:
            return sums(sums(x, 2), 0)
        return sums(np.matmul(x, ones(x.shape[2], x.dtype)), 0)

    def dots(self, x, y):
        """The sum of the products of what ``open`` gives for each channel."""
        return sums(x * y, 0) if self.last else sums(np.vecdot(x, y), 0)


def batch_norm(x, w, b, running_mean, running_var, momentum, eps):
    """(x - mean) / sqrt(variance + eps) * w + b for each channel; the running statistics are updated in place."""
    form = Channels(x)
    rows = form.open(x)
    n = form.count
    z = np.empty_like(rows)
    mean, variance, rstd = (np.empty(x.shape[1], rows.dtype) for _ in range(3))  # of which two are kept
    weight, bias = single(w), single(b)

    def some_channels(place):
        key, part = place
        x_, z_ = rows[key], z[key]
        blocks = form.blocks(x_)
        m = mean[part] = form.sums(x_) / n
        v = np.zeros_like(m)
        for block in blocks:
            d = np.subtract(x_[block], form.of(m), z_[block])
            v += form.dots(d, d)
        v /= n
        if _equal_throughout(v, m):
            z_[...] = centered(x_, 0 if form.last else (0, 2))
            v = form.dots(z_, z_) / n
        variance[part] = v
        scale = rstd[part] = _inverse_root(v, eps)
        if eps == 0:
            scale[np.isinf(scale)] = 0  # elements that are all equal stay at 0
        if weight is not None:
            scale = scale * weight[part]
        for block in blocks:
            out = z_[block]
            out *= form.of(scale)
            if bias is not None:
                out += form.of(bias[part])

    part_by_part(some_channels, form.parts(), x.size)
    if running_mean is not None:
        _follow(running_mean, mean, momentum)
    if running_var is not None:
        with np.errstate(all="ignore"):
            _follow(running_var, variance * np.divide(n, n - 1, dtype=variance.dtype), momentum)
    stored = next((v.dtype for v in (w, b, running_mean) if v is not None), x.dtype)
    return form.close(z, x.dtype), mean.astype(stored, copy=False), rstd.astype(stored, copy=False)


def _follow(running, value, momentum):
    running *= 1 - momentum
    running += (value * momentum).astype(running.dtype, copy=False)


def batch_norm_backward(g, x, w, mean, rstd, needs):
    """The gradients of ``batch_norm`` to x, w and b, as far as ``needs``, three bools, says."""
    form = Channels(x)
    dtype, stored = x.dtype, mean.dtype
    for_x, for_w, for_b = needs
    mean, rstd, w = single(mean), single(rstd), single(w)
    g, x = form.open(g), form.open(x)
    along, total = np.zeros((2, *rstd.shape), rstd.dtype)
    gx = np.empty_like(x) if for_x else None

    def some_channels(place):
        key, part = place
        x_, g_, out = x[key], g[key], None if gx is None else gx[key]
        blocks = form.blocks(x_)
        for block in blocks:
            d = np.subtract(x_[block], form.of(mean[part]), None if out is None else out[block])
            along[part] += form.dots(g_[block], d)
        total[part] = form.sums(g_)
        if out is None:
            return
        # (g - total / n - along rstd² d / n) rstd w
        scale = rstd[part] if w is None else rstd[part] * w[part]
        slope, shift = along[part] * rstd[part] * rstd[part] / form.count, total[part] / form.count
        for block in blocks:
            d = out[block]
            d *= form.of(slope)
            d += form.of(shift)
            np.subtract(g_[block], d, d)
            d *= form.of(scale)

    part_by_part(some_channels, form.parts(), x.size)
    if for_x:
        gx = form.close(gx, dtype)
    gw = (along * rstd).astype(stored, copy=False) if for_w else None
    return gx, gw, total.astype(stored, copy=False) if for_b else None


def batch_norm_by(x, w, b, mean, variance, eps):
    """(x - mean) / sqrt(variance + eps) * w + b with given statistics for each channel."""
    form = Channels(x)
    rstd = _inverse_root(np.array(single(variance)), eps)
    scale = rstd if w is None else rstd * single(w)
    shift = -single(mean) * scale
    if b is not None:
        shift += single(b)
    z = form.open(x) * form.of(scale)
    z += form.of(shift)
    return form.close(z, x.dtype)


def batch_norm_by_backward(g, x, w, mean, variance, eps, needs):
    """The gradients of ``batch_norm_by`` to x, w and b, as far as ``needs``, three bools, says; x is None unless w's is wanted."""
    form = Channels(g)
    for_x, for_w, for_b, *_ = needs
    rstd = _inverse_root(np.array(single(variance)), eps)
    rows = form.open(g)
    gx = gw = gb = None
    if for_x:
        gx = form.close(rows * form.of(rstd if w is None else rstd * single(w)), g.dtype)
    if for_w:
        gw = (form.dots(rows, form.open(x) - form.of(single(mean))) * rstd).astype(mean.dtype, copy=False)
    if for_b:
        gb = form.sums(rows).astype(mean.dtype, copy=False)
    return gx, gw, gb, None, None
