"""Pooling on arrays: the largest or the mean element of windows over the last one to three axes, with the adjoints.

Windows of one size are met place by place: what the windows' k-th elements are is a strided slice of the image.
Indices of largest elements are PyTorch's: places in the image without its border, as if in one row.
"""

import functools
import math

import numpy as np

from .. import engine
from .channels_last import ordered_as
from .columns import padded
from .convolution import places, shifted

_FEW = 4096  # elements: for so few one call costs more than what it does
_INT64, _FLOAT32 = np.dtype(np.int64), np.dtype(np.float32)


def output_size(n, kernel, stride, padding, dilation, ceil_mode):
    """How many windows stand along an axis; with ``ceil_mode`` also one that goes beyond its end."""
    size = (n + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)) // stride + 1
    return size - 1 if ceil_mode and (size - 1) * stride >= n + padding else size


def output_sizes(space, kernel, stride, padding, dilation, ceil_mode):
    """``output_size`` of each axis."""
    return tuple(
        [
            output_size(n, k, s, p, d, ceil_mode)
            for n, k, s, p, d in zip(space, kernel, stride, padding, dilation)
        ]
    )


def _planes(x, n):
    """``x`` as (1, planes, *space), half precision as single."""
    if x.itemsize == 2 and x.dtype.kind in "fV":
        x = x.astype(_FLOAT32)
    return x.reshape(1, math.prod(x.shape[:-n]), *x.shape[-n:])


def _borders(space, out, kernel, stride, padding, dilation):
    """How much is around the image for all windows to be within."""
    return [
        (p, max((m - 1) * s + d * (k - 1) + 1 - n - p, 0))
        for n, m, k, s, p, d in zip(space, out, kernel, stride, padding, dilation)
    ]


# Largest elements ------------------------------------------------------------------------------------------------------------


def max_pool(x, kernel, stride, padding, dilation, ceil_mode, located=True):
    """``(values, indices)`` of the largest elements of windows: the first of equals; a nan wins.  Unless ``located``, the indices are None."""
    n = len(kernel)
    stride = stride or kernel
    space = x.shape[-n:]
    out, pads, offsets, corners = _geometry(space, kernel, stride, padding, dilation, ceil_mode)
    window = x, n, out, kernel, stride, pads, dilation, located
    best, which = engine.ask("max_pool", *window) or _largest(*window)
    shape = (*x.shape[:-n], *out)
    values = ordered_as(best.reshape(shape).astype(x.dtype, copy=False), x)
    if not located:
        return values, None
    indices = offsets.take(which)
    indices += corners
    return values, ordered_as(indices.reshape(shape), x)


def _largest(x, n, out, kernel, stride, pads, dilation, located):
    """The largest element of each window, and if ``located`` which of the window's elements it is, else None."""
    space = x.shape[-n:]
    planes = _planes(x, n)
    lowest = -np.inf if planes.dtype.kind in "fV" else np.iinfo(planes.dtype).min
    wide = padded(planes, pads, lowest)
    parts = [shifted(wide, place, stride, dilation, out) for place in places(kernel)]
    few = 0 < planes.size <= _FEW
    if few:
        parts = np.array(parts)
        best = np.maximum.reduce(parts, 0)
    else:
        best = parts[0].copy()
        for part in parts[1:]:
            np.maximum(best, part, out=best)
    if not located:
        return best, None
    is_float = planes.dtype.kind == "f"
    if (is_float and np.isnan(best).any()) or (wide is not planes and (best == lowest).any()):
        inside = padded(np.ones((1, 1, *space), np.bool_), pads)
        inside = [shifted(inside, place, stride, dilation, out) for place in places(kernel)]
        which = _which_one_by_one(parts, inside)
    else:
        which = parts.argmax(0) if few else _which(parts, best)
    return best, which


@functools.lru_cache(64)
def _geometry(space, kernel, stride, padding, dilation, ceil_mode):
    """How many windows there are; what is around the image; and ``_offsets``."""
    out = output_sizes(space, kernel, stride, padding, dilation, ceil_mode)
    pads = _borders(space, out, kernel, stride, padding, dilation)
    return out, pads, *_offsets(space, kernel, stride, padding, dilation, out)


def _offsets(space, kernel, stride, padding, dilation, out):
    """Flat places in an image: of the kernel's elements behind its corner, and of the corners of windows."""
    n = len(space)
    steps = [math.prod(space[i + 1 :]) for i in range(n)]
    offsets = [sum([i * d * s for i, d, s in zip(at, dilation, steps)]) for at in places(kernel)]
    corners = np.zeros(out, _INT64)
    for axis, (m, s, p, step) in enumerate(zip(out, stride, padding, steps)):
        corners += ((np.arange(m) * s - p) * step).reshape(-1, *[1] * (n - 1 - axis))
    return np.array(offsets, _INT64), corners


def _which(parts, best):
    """The number of the first part that equals ``best``."""
    dtype = np.dtype(np.uint8 if len(parts) < 255 else np.uint32)
    which = np.full(best.shape, np.iinfo(dtype).max, dtype)
    for number, part in enumerate(parts):
        # all bits where the part differs, its number where it does not
        differs = np.not_equal(part, best).view(np.uint8).astype(dtype, copy=False)
        np.negative(differs, out=differs)
        differs |= dtype.type(number)
        np.minimum(which, differs, out=which)
    return which


def _which_one_by_one(parts, inside):
    """The number of the largest part of those that are ``inside`` the image: the first of equals, but the last nan."""
    best = np.empty_like(parts[0])
    which = np.full(best.shape, -1, _INT64)
    for number, (part, is_inside) in enumerate(zip(parts, inside)):
        better = is_inside & ((which < 0) | (part > best) | (part != part))
        np.copyto(best, part, where=better)
        which[better] = number
    return which


def _flat_places(indices, planes, size):
    """Indices into planes of this size as indices into all of them."""
    each = indices.size // planes if planes else 0
    return indices.reshape(planes, each) + (np.arange(planes) * size)[:, None]


def scatter_windows(g, indices, space, overlap):
    """Zeros of ``space``, the last axes, with ``g`` added at ``indices`` into them; only if ``overlap`` may two be the same."""
    n = len(space)
    planes, size = math.prod(g.shape[:-n]), math.prod(space)
    at = _flat_places(indices, planes, size)
    values = g.reshape(-1)
    z = np.zeros(planes * size, g.dtype)
    if overlap:
        np.add.at(z, at.reshape(-1), values)
    else:
        z[at.reshape(-1)] = values
    return ordered_as(z.reshape(*g.shape[:-n], *space), g)


def gather_windows(x, indices, n):
    """The elements of ``x`` at ``indices`` into its last n axes."""
    planes, size = math.prod(x.shape[:-n]), math.prod(x.shape[-n:])
    at = _flat_places(indices, planes, size)
    return ordered_as(x.reshape(-1).take(at).reshape(indices.shape), x)


def unpool(x, indices, space):
    """Zeros of ``space``, the last axes, with ``x`` at ``indices`` into them: of equals the last wins."""
    n = len(space)
    size = math.prod(space)
    if indices.size and not (indices.min() >= 0 and indices.max() < size):
        wrong = indices[(indices < 0) | (indices >= size)].flat[0]
        raise RuntimeError(
            f"Found an invalid max index: {wrong} (output volumes are of size {'x'.join(map(str, space))})"
        )
    return scatter_windows(x, indices, space, False) if n else x


# Means -----------------------------------------------------------------------------------------------------------------------


@functools.lru_cache(64)
def _divisor(space, out, kernel, stride, padding, include_pad, divisor):
    """What the sums of windows are divided by: a number, or an array over the windows."""
    if divisor is not None:
        return divisor
    z = np.ones((), _INT64)
    for n, m, k, s, p in zip(space, out, kernel, stride, padding):
        start = np.arange(m) * s - p
        end = np.minimum(start + k, n + p)
        if not include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, n)
        z = z[..., None] * (end - start)
    return int(z.flat[0]) if z.size and (z == z.flat[0]).all() else z


def _divided(z, divisor):
    if z.dtype.kind in "iu":
        quotient = np.abs(z) // np.abs(divisor)
        return np.where((z < 0) != (np.asarray(divisor) < 0), -quotient, quotient)
    return z / (divisor if isinstance(divisor, int) else divisor.astype(z.dtype))


def avg_pool(x, kernel, stride, padding, ceil_mode, include_pad, divisor):
    """The means of windows, or their sums divided by ``divisor``."""
    n = len(kernel)
    stride = stride or kernel
    space = x.shape[-n:]
    ones = (1,) * n
    out = output_sizes(space, kernel, stride, padding, ones, ceil_mode)
    z = padded(_planes(x, n), _borders(space, out, kernel, stride, padding, ones))
    for axis, (k, s, m) in enumerate(zip(kernel, stride, out), 2):
        before = (slice(None),) * axis
        sums = z[(*before, slice(0, (m - 1) * s + 1, s))]
        for i in range(1, k):
            part = z[(*before, slice(i, i + (m - 1) * s + 1, s))]
            sums = np.add(sums, part) if i == 1 else np.add(sums, part, out=sums)
        z = sums
    z = _divided(z, _divisor(space, out, kernel, stride, padding, include_pad, divisor))
    return ordered_as(z.reshape(*x.shape[:-n], *out).astype(x.dtype, copy=False), x)


def avg_pool_backward(g, space, kernel, stride, padding, ceil_mode, include_pad, divisor):
    """The adjoint of ``avg_pool``; ``space`` are the last axes of its operand."""
    n = len(kernel)
    stride = stride or kernel
    out = g.shape[-n:]
    z = _divided(_planes(g, n), _divisor(tuple(space), out, kernel, stride, padding, include_pad, divisor))
    wide = [
        lo + m + hi for m, (lo, hi) in zip(space, _borders(space, out, kernel, stride, padding, (1,) * n))
    ]
    for axis, (k, s, m, size) in enumerate(zip(kernel, stride, out, wide), 2):
        before = (slice(None),) * axis
        shape = list(z.shape)
        shape[axis] = size
        spread = np.zeros(shape, z.dtype)
        for i in range(k):
            target = spread[(*before, slice(i, i + (m - 1) * s + 1, s))]
            target += z
        z = spread
    z = z[(slice(None), slice(None), *[slice(p, p + m) for p, m in zip(padding, space)])]
    return ordered_as(np.ascontiguousarray(z).reshape(*g.shape[:-n], *space).astype(g.dtype, copy=False), g)


# Windows that divide the axes into a number of parts -----------------------------------------------------------------------------


@functools.lru_cache(64)
def _shares(n, m):
    """Where the m windows along an axis of length n begin and end: each element is in one at least."""
    return [(i * n // m, -(-(i + 1) * n // m)) for i in range(m)]


def adaptive_avg_pool(x, out):
    """The means of windows that divide the last axes into ``out`` parts."""
    n = len(out)
    z = _planes(x, n)
    for axis, m in enumerate(out, 2):
        size = z.shape[axis]
        if size == m or not m:
            z = z if size == m else z[(*(slice(None),) * axis, slice(0))]
        elif size % m == 0:
            z = np.add.reduce(z.reshape(*z.shape[:axis], m, size // m, *z.shape[axis + 1 :]), axis + 1)
            z /= size // m
        else:
            means = np.empty((*z.shape[:axis], m, *z.shape[axis + 1 :]), z.dtype)
            before = (slice(None),) * axis
            for i, (start, end) in enumerate(_shares(size, m)):
                part = np.add.reduce(z[(*before, slice(start, end))], axis)
                means[(*before, i)] = part / (end - start)
            z = means
    z = z.reshape(*x.shape[:-n], *out).astype(x.dtype, copy=False)
    return ordered_as(z.copy() if np.may_share_memory(z, x) else z, x)


def adaptive_avg_pool_backward(g, space):
    """The adjoint of ``adaptive_avg_pool``; ``space`` are the last axes of its operand."""
    n = len(space)
    z = _planes(g, n)
    for axis, size in enumerate(space, 2):
        m = z.shape[axis]
        if m == size:
            continue
        shape = (*z.shape[:axis], size, *z.shape[axis + 1 :])
        if m and size % m == 0:
            share = np.expand_dims(z / (size // m), axis + 1)
            wide = np.broadcast_to(share, (*z.shape[: axis + 1], size // m, *z.shape[axis + 1 :]))
            z = wide.reshape(shape)
            continue
        spread = np.zeros(shape, z.dtype)
        before = (slice(None),) * axis
        for i, (start, end) in enumerate(_shares(size, m)):
            target = spread[(*before, slice(start, end))]
            target += z[(*before, slice(i, i + 1))] / (end - start)
        z = spread
    z = np.array(z) if np.may_share_memory(z, g) else z
    return ordered_as(z.reshape(*g.shape[:-n], *space).astype(g.dtype, copy=False), g)


def adaptive_max_pool(x, out, located=True):
    """``(values, indices)`` of the largest elements of windows that divide the last axes into ``out`` parts; unless ``located``, the indices may be None."""
    n = len(out)
    space = x.shape[-n:]
    if all(m and size % m == 0 for size, m in zip(space, out)):
        kernel = tuple([size // m for size, m in zip(space, out)])
        return max_pool(x, kernel, kernel, (0,) * n, (1,) * n, False, located)
    planes = _planes(x, n)[0]
    values, indices = np.empty((len(planes), *out), planes.dtype), np.empty((len(planes), *out), _INT64)
    number = np.arange(math.prod(space)).reshape(space)
    shares = [_shares(size, m) for size, m in zip(space, out)]
    for place in np.ndindex(*out):
        window = tuple([slice(*share[i]) for share, i in zip(shares, place)])
        part = planes[(slice(None), *window)].reshape(
            len(planes), math.prod([s.stop - s.start for s in window])
        )
        at = part.argmax(1)
        best = np.take_along_axis(part, at[:, None], 1)[:, 0]
        if best.dtype.kind == "f" and np.isnan(best).any():
            last = part.shape[1] - 1 - np.isnan(part)[:, ::-1].argmax(1)
            at = np.where(np.isnan(best), last, at)
        values[(slice(None), *place)] = best
        indices[(slice(None), *place)] = number[window].reshape(-1)[at]
    shape = (*x.shape[:-n], *out)
    return ordered_as(values.reshape(shape).astype(x.dtype, copy=False), x), ordered_as(
        indices.reshape(shape), x
    )


# Windows at random places ----------------------------------------------------------------------------------------------------------


def _starts(samples, size, out, kernel):
    """Where windows begin along an axis of each plane, given a random number for each; the last at the end."""
    starts = np.full((len(samples), out), size - kernel, _INT64)
    if out > 1:
        dtype = samples.dtype.type
        step = dtype(dtype(size - kernel) / dtype(out - 1))
        positions = (np.arange(out - 1).astype(samples.dtype) + samples[:, None]) * step
        starts[:, :-1] = positions.astype(_INT64) - (samples[:, None] * step).astype(_INT64)
    return starts


def fractional_max_pool(x, kernel, out, samples):
    """``(values, indices)`` of the largest elements of windows at random places: ``samples`` (N, C, axes) are uniform in [0, 1)."""
    n = len(kernel)
    space = x.shape[-n:]
    planes = _planes(x, n)[0]
    samples = samples.reshape(math.prod(samples.shape[:2]), n)[: len(planes)]
    order = (1, 0) if n == 2 else (0, 1, 2)  # of two numbers the first is for the last axis
    corner = np.zeros((len(planes), *[1] * n), _INT64)
    for axis, (size, m, k, which) in enumerate(zip(space, out, kernel, order)):
        starts = _starts(samples[:, which], size, m, k)
        shape = [len(planes), *[1] * n]
        shape[axis + 1] = m
        corner = corner + starts.reshape(shape) * math.prod(space[axis + 1 :])
    corner = np.broadcast_to(corner, (len(planes), *out)).reshape(len(planes), math.prod(out))
    flat = planes.reshape(len(planes), math.prod(space))
    steps = [math.prod(space[i + 1 :]) for i in range(n)]
    best = indices = None
    for place in places(kernel):
        at = corner + sum([i * s for i, s in zip(place, steps)])
        seen = np.take_along_axis(flat, at, 1)
        if best is None:
            best, indices = seen, at
            continue
        better = (seen > best) | (seen != seen)
        best, indices = np.where(better, seen, best), np.where(better, at, indices)
    shape = (*x.shape[:-n], *out)
    return best.reshape(shape).astype(x.dtype, copy=False), indices.reshape(shape)
