"""Borders around images, and images cut into overlapping blocks: on arrays, with the adjoint of each.

``pad`` is PyTorch's: for the last axis (before, after), then for the one before it, and so on; negative numbers cut off.
"""

import numpy as np

from ..rounding import halved
from .channels_last import ordered_as
from .columns import padded, windows
from .convolution import add_columns


def pairs(pad):
    """``pad`` as (before, after) of the axes in their order."""
    return [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]


def constant_pad(x, pad, value):
    """``x`` with ``value`` around its last axes, in memory of its own."""
    z = padded(x, pairs(pad), halved(np.asarray(value), x.dtype).astype(x.dtype)[()] if value else 0)
    return ordered_as(z.copy() if z is x or z.base is not None else z, x)


def _part(ndim, axis, start, stop, step=1):
    return (*(slice(None),) * (axis % ndim), slice(start, stop, step))


def _parts(n, lo, hi, reflects):
    """Where along an axis of length n, with ``lo`` and ``hi`` elements around it, what is copied stands: [(target, source)].

    Each is (start, stop, step); the border of replicated elements has one source.
    """
    first, last = max(-lo, 0), n - max(-hi, 0)
    parts = [((max(lo, 0), max(lo, 0) + last - first, 1), (first, last, 1))]
    if lo > 0:
        parts.append(((0, lo, 1), (lo, 0, -1) if reflects else (0, 1, 1)))
    if hi > 0:
        end = n + lo + hi
        stop = n - 2 - hi
        parts.append(
            ((end - hi, end, 1), (n - 2, stop if stop >= 0 else None, -1) if reflects else (n - 1, n, 1))
        )
    return parts


def edge_pad(x, pad, reflects):
    """``x`` with its own elements around its last axes: mirrored at the outermost, or that one repeated."""
    z = x
    for axis, (lo, hi) in zip(range(-len(pad) // 2, 0), pairs(pad)):
        if not lo and not hi:
            continue
        n = z.shape[axis]
        shape = list(z.shape)
        shape[axis] = n + lo + hi
        wider = np.empty(shape, x.dtype)
        for target, source in _parts(n, lo, hi, reflects):
            wider[_part(z.ndim, axis, *target)] = z[_part(z.ndim, axis, *source)]
        z = wider
    return ordered_as(z.copy() if z is x else z, x)


def edge_pad_backward(g, pad, reflects, space):
    """The adjoint of ``edge_pad``; ``space`` are the padded axes of its operand."""
    z = g
    for axis, n, (lo, hi) in zip(range(-len(space), 0), space, pairs(pad)):
        if not lo and not hi:
            continue
        shape = list(z.shape)
        shape[axis] = n
        narrower = np.zeros(shape, g.dtype)
        for target, source in _parts(n, lo, hi, reflects):
            of = z[_part(z.ndim, axis, *target)]
            to = narrower[_part(z.ndim, axis, *source)]
            to += of if of.shape == to.shape else np.add.reduce(of, axis, keepdims=True)
        z = narrower
    return ordered_as(z.copy() if z is g else z, g)


def _blocks(space, kernel, dilation, padding, stride):
    return tuple([
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, d, p, s in zip(space, kernel, dilation, padding, stride)
    ])  # fmt: skip


def im2col(x, kernel, dilation, padding, stride):
    """The blocks of images (N, C, H, W) as columns (N, C k l, blocks); or without N."""
    out = _blocks(x.shape[-2:], kernel, dilation, padding, stride)
    images = padded(x if x.ndim == 4 else x[None], [(p, p) for p in padding])
    z = np.array(windows(images, kernel, stride, dilation, out), order="C")
    return z.reshape(*x.shape[:-3], x.shape[-3] * kernel[0] * kernel[1], out[0] * out[1])


def col2im(g, space, kernel, dilation, padding, stride):
    """Images (N, C, H, W) with the columns (N, C k l, blocks) added where ``im2col`` takes them; or without N."""
    if g.ndim == 2:
        return col2im(g[None], space, kernel, dilation, padding, stride)[0]
    out = _blocks(space, kernel, dilation, padding, stride)
    channels = g.shape[1] // (kernel[0] * kernel[1])
    work = g.astype(np.float32) if g.itemsize == 2 and g.dtype.kind in "fV" else g
    x = np.zeros((g.shape[0], channels, *[n + 2 * p for n, p in zip(space, padding)]), work.dtype)
    add_columns(x, work.reshape(g.shape[0], channels, *kernel, *out), stride, dilation)
    x = x[(slice(None), slice(None), *[slice(p, p + n) for p, n in zip(padding, space)])]
    return np.ascontiguousarray(x).astype(g.dtype, copy=False)
