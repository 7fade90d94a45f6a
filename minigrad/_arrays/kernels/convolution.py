"""Convolutions on arrays, over any number of axes of space: (N, C, ...) with (O, C / groups, ...) -> (N, O, ...).

Three kernels close under differentiation: ``conv`` and, of the same product of three factors, the parts that belong to the
image (``conv_input``, which is a transposed convolution) and to the weights (``conv_weight``).  Each brings windows of the image into the
columns of a matrix, a few images at a time so that they stay in the cache, and leaves the sums to BLAS.  Where the step along the first
axis of space is one, that axis is not unfolded: rows of it are parts of the matrix already, and there is one product per
place of the kernel along it.  Kernels that see one channel each are in ``depthwise.py``.
"""

import functools
import itertools
import math

import numpy as np

from ..._base.pool import share
from .. import engine
from ..copies import cast
from . import depthwise
from .channels_last import is_channels_last, ordered_as

#: How many bytes the columns of one round may take.
_ROUND = 1 << 20
#: Into how many sums the gradients of the weights go first.
_RUNS = 8
#: From this many rows of a matrix on, a product for each place along the first axis is quicker than unfolding that axis too.
_TALL = 24
#: From so many images on, their gradients are summed with the images side by side, if a result's rows are so short, and by so much shorter.
_MANY, _SHORT, _SHRUNK = 16, 12, 4


def padded(x, pads, value=0):
    """``x`` with ``value`` around its last axes, ``pads`` (before, after) each, of which negative ones cut off; itself if there are none."""
    if not any(lo or hi for lo, hi in pads):
        return x
    lead = x.ndim - len(pads)
    shape = (*x.shape[:lead], *[n + lo + hi for n, (lo, hi) in zip(x.shape[lead:], pads)])
    source, target = [slice(None)] * lead, [slice(None)] * lead
    for n, (lo, hi) in zip(x.shape[lead:], pads):
        source.append(slice(max(-lo, 0), max(n - max(-hi, 0), 0)))
        target.append(slice(max(lo, 0), max(n + lo + hi - max(hi, 0), 0)))
    if all(lo <= 0 and hi <= 0 for lo, hi in pads):
        return x[tuple(source)]
    z = np.full(shape, value, x.dtype) if value else np.zeros(shape, x.dtype)
    z[tuple(target)] = x[tuple(source)]
    return z


def windows(x, kernel, stride, dilation, out):
    """A view of ``x`` (N, C, ...) as (N, C, *kernel, *out): the places of the kernel, and where it may stand."""
    s = x.strides[2:]
    shape = (*x.shape[:2], *kernel, *out)
    strides = (*x.strides[:2], *[a * d for a, d in zip(s, dilation)], *[a * b for a, b in zip(s, stride)])
    return _strided(x, shape, strides)


def _strided(x, shape, strides):
    if x.flags.c_contiguous and x.size:
        return np.ndarray(shape, x.dtype, x, 0, strides)  # 0.3 us; as_strided takes 5
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def shifted(x, place, stride, dilation, out):
    """A view of ``x`` (N, C, ...): what the kernel's place ``place`` sees, wherever it stands: (N, C, *out)."""
    parts = [slice(i * d, i * d + (n - 1) * s + 1, s) for i, s, d, n in zip(place, stride, dilation, out)]
    return x[(slice(None), slice(None), *parts)]


@functools.lru_cache(64)
def places(kernel):
    """All places of a kernel, the last axis quickest."""
    return list(itertools.product(*[range(k) for k in kernel]))


def work_dtype(x):
    """The dtype of sums: single precision for half."""
    return np.dtype(np.float32) if x.itemsize == 2 and x.dtype.kind in "fV" else x.dtype


def conv(x, w, stride, padding, dilation, groups):
    """z[n, o, p] = Σ x[n, c, p stride + k dilation - padding] w[o, c, k] over c of the group of o, and k."""
    pads = [(p, p) for p in padding]
    dtype = work_dtype(x)
    z = _conv(cast(x, dtype), cast(w, dtype), stride, pads, dilation, groups)
    return _in_order(cast(z, x.dtype), x, w)


def convolve(x, w, stride, padding, dilation, transposed, output_padding, groups):
    """``conv``, or the convolution transposed, which has ``output_padding`` more elements at the ends of its axes."""
    if not transposed:
        return conv(x, w, stride, padding, dilation, groups)
    space = transposed_space(x.shape[2:], w.shape[2:], stride, padding, output_padding, dilation)
    return conv_input(x, w, space, stride, padding, dilation, groups)


def transposed_space(space, kernel, stride, padding, output_padding, dilation):
    """The axes of space of a transposed convolution's result."""
    return tuple(
        [
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1
            for n, k, s, p, o, d in zip(space, kernel, stride, padding, output_padding, dilation)
        ]
    )


def _in_order(z, x, w):
    return ordered_as(z, w if is_channels_last(w) else x)


def _conv(x, w, stride, pads, dilation, groups):
    found = engine.ask("conv", x, w, stride, pads, dilation, groups)
    if found is not None:
        return found
    kernel = w.shape[2:]
    space = [n + lo + hi for n, (lo, hi) in zip(x.shape[2:], pads)]
    out = tuple([(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(space, kernel, stride, dilation)])
    batch, channels, filters = x.shape[0], x.shape[1], w.shape[0]
    z = np.empty((batch, filters, *out), x.dtype)
    if not z.size:
        return z
    if not w.size:
        z[...] = 0
        return z
    if w.shape[1] == 1 and groups > 1:
        depthwise.conv(x, w, stride, pads, dilation, z)
        return z
    group, per_group = channels // groups, filters // groups
    first = _whole_rows(kernel, stride, group)
    tall = group * math.prod(kernel[first:])
    rest = math.prod(out[1:])
    rows = space[0] if first else out[0]
    step = max(1, _ROUND // (x.itemsize * groups * tall * rows * rest))
    flat = z.reshape(batch, groups, per_group, out[0] * rest)
    if first:
        # (places along the first axis, groups, filters of one, the other places and channels)
        matrices = np.ascontiguousarray(
            w.reshape(groups, per_group, group, kernel[0], -1).transpose(3, 0, 1, 2, 4)
        )
        matrices = matrices.reshape(kernel[0], groups, per_group, tall)
    else:
        matrices = w.reshape(1, groups, per_group, tall)

    def some_images(begin):
        part = slice(begin, begin + step)
        columns = _columns(padded(x[part], pads), kernel, stride, dilation, out, first)
        columns = columns.reshape(len(columns), groups, tall, rows * rest)
        if not first:
            np.matmul(matrices[0], columns, out=flat[part])
            return
        for i, matrix in enumerate(matrices):
            at = i * dilation[0] * rest
            seen = columns[..., at : at + out[0] * rest]
            if i == 0:
                np.matmul(matrix, seen, out=flat[part])
            else:
                flat[part] += np.matmul(matrix, seen)

    share(some_images, range(0, batch, step))
    return z


def _whole_rows(kernel, stride, channels):
    """1 if the first axis is better not unfolded, else 0."""
    return int(stride[0] == 1 and kernel[0] > 1 and channels * math.prod(kernel[1:]) >= _TALL)


def _columns(x, kernel, stride, dilation, out, first=0):
    """``windows`` in memory of their own (or not, where they are ``x`` itself), the first axis left whole if ``first`` is 1."""
    if first:
        kernel, stride, dilation = kernel[1:], stride[1:], dilation[1:]
        seen = windows_of_rest(x, kernel, stride, dilation, out[1:])
    else:
        seen = windows(x, kernel, stride, dilation, out)
    return np.ascontiguousarray(seen)


def windows_of_rest(x, kernel, stride, dilation, out):
    """As ``windows`` for the axes of space after the first, which stays whole: (N, C, *kernel, rows, *out)."""
    s = x.strides[3:]
    shape = (*x.shape[:2], *kernel, x.shape[2], *out)
    strides = (
        *x.strides[:2],
        *[a * d for a, d in zip(s, dilation)],
        x.strides[2],
        *[a * b for a, b in zip(s, stride)],
    )
    return _strided(x, shape, strides)


def conv_input(g, w, space, stride, padding, dilation, groups):
    """The part of the image, whose axes of space are ``space``: x[n, c, p stride + k dilation - padding] = Σ g[n, o, p] w[o, c, k]."""
    dtype = work_dtype(g)
    z = _conv_input(cast(g, dtype), cast(w, dtype), space, stride, padding, dilation, groups)
    return _in_order(cast(z, g.dtype), g, w)


def _conv_input(g, w, space, stride, padding, dilation, groups):
    found = engine.ask("conv_input", g, w, space, stride, padding, dilation, groups)
    if found is not None:
        return found
    batch, filters = g.shape[:2]
    kernel, out = w.shape[2:], g.shape[2:]
    group, per_group = w.shape[1], filters // groups
    channels = group * groups
    if not g.size or not w.size:
        return np.zeros((batch, channels, *space), g.dtype)
    if group == 1 and groups > 1:
        x = np.empty((batch, channels, *space), g.dtype)
        depthwise.conv_input(g, w, stride, padding, dilation, x)
        return x
    if groups == 1 and _images_last(batch, space, kernel, out, stride):
        return _conv_input_images_last(g, w, space, stride, padding, dilation)
    if all(s == 1 for s in stride) and per_group <= 2 * group * kernel[0]:
        # a convolution with the kernels turned round
        pads = []
        for n, m, k, p, d in zip(space, out, kernel, padding, dilation):
            before = d * (k - 1) - p
            pads.append((before, n - m - before + d * (k - 1)))
        turned = np.flip(w, tuple(range(2, w.ndim))).reshape(groups, per_group, group, *kernel).swapaxes(1, 2)
        turned = np.ascontiguousarray(turned).reshape(channels, per_group, *kernel)
        return _conv(g, turned, stride, pads, dilation, groups)
    padded_space = [
        max(n + p, (m - 1) * s + d * (k - 1) + 1)
        for n, p, m, s, d, k in zip(space, padding, out, stride, dilation, kernel)
    ]
    padded_space = [max(a, p + n) for a, p, n in zip(padded_space, padding, space)]
    x = np.zeros((batch, channels, *padded_space), g.dtype)
    rest = math.prod(out)
    tall = group * math.prod(kernel)
    matrices = w.reshape(groups, per_group, tall).swapaxes(1, 2)
    flat = g.reshape(batch, groups, per_group, rest)
    step = max(1, _ROUND // (g.itemsize * groups * tall * rest))

    def some_images(begin):
        part = slice(begin, begin + step)
        columns = np.matmul(matrices, flat[part])
        add_columns(x[part], columns.reshape(-1, channels, *kernel, *out), stride, dilation)

    share(some_images, range(0, batch, step))
    found = x[(slice(None), slice(None), *[slice(p, p + n) for p, n in zip(padding, space)])]
    return np.ascontiguousarray(found)


def _images_last(batch, space, kernel, out, stride):
    """Whether a gradient's rows are so short, next to the image's, and the images so many, that it pays to turn the array round."""
    return batch >= _MANY and out[-1] <= min(_SHORT, space[-1] - _SHRUNK) and kernel[-1] > stride[-1]


def _conv_input_images_last(g, w, space, stride, padding, dilation):
    """``conv_input`` into few channels: the images lie side by side, so that what is added to a place is in long rows."""
    batch, filters, *out = g.shape
    _, channels, *kernel = w.shape
    wide = [
        max(p + n, (m - 1) * s + d * (k - 1) + 1)
        for n, m, k, s, p, d in zip(space, out, kernel, stride, padding, dilation)
    ]
    x = np.zeros((channels, *wide, batch), g.dtype)
    g = np.ascontiguousarray(g.reshape(batch, -1).T).reshape(filters, out[0], -1)
    matrix = w.reshape(filters, -1).T
    step = max(1, _ROUND // (g.itemsize * len(matrix) * g.shape[2]))
    for begin in range(0, out[0], step):
        seen = g[:, begin : begin + step]
        size = (seen.shape[1], *out[1:])
        columns = matrix.dot(seen.reshape(filters, -1)).reshape(channels, *kernel, *size, batch)
        part = x[:, None, begin * stride[0] :]
        for place in places(tuple(kernel)):
            target = shifted(part, place, stride, dilation, size)
            target[:, 0] += columns[(slice(None), *place)]
        del columns  # before the next ones are made
    found = x[(slice(None), *[slice(p, p + n) for p, n in zip(padding, space)])]
    return np.ascontiguousarray(found.reshape(-1, batch).T).reshape(batch, channels, *space)


def add_columns(x, columns, stride, dilation):
    """Add columns (N, C, *kernel, *out) to the places of ``x`` that ``windows`` shows."""
    n = x.ndim - 2
    out = columns.shape[2 + n :]
    for place in places(columns.shape[2 : 2 + n]):
        target = shifted(x, place, stride, dilation, out)
        target += columns[(slice(None), slice(None), *place)]


def conv_weight(g, x, kernel, stride, padding, dilation, groups):
    """The part of the weights: w[o, c, k] = Σ g[n, o, p] x[n, c, p stride + k dilation - padding] over n and p."""
    dtype = work_dtype(g)
    pads = [(p, p) for p in padding]
    z = _conv_weight(cast(g, dtype), cast(x, dtype), kernel, stride, pads, dilation, groups)
    return _in_order(cast(z, g.dtype), x, g)


def _conv_weight(g, x, kernel, stride, pads, dilation, groups):
    found = engine.ask("conv_weight", g, x, kernel, stride, pads, dilation, groups)
    if found is not None:
        return found
    batch, filters = g.shape[:2]
    out = g.shape[2:]
    channels = x.shape[1]
    group, per_group = channels // groups, filters // groups
    z = np.zeros((filters, group, *kernel), g.dtype)
    if not g.size or not x.size:
        return z
    if group == 1 and groups > 1:
        return depthwise.conv_weight(g, x, kernel, stride, pads, dilation)
    first = _whole_rows(kernel, stride, group)
    tall, rest = group * math.prod(kernel[first:]), math.prod(out[1:])
    rows = x.shape[2] + sum(pads[0]) if first else out[0]
    step = max(1, _ROUND // (g.itemsize * groups * tall * rows * rest))
    seen = g.reshape(batch, groups, per_group, out[0] * rest)
    runs = min(-(-batch // step), _RUNS, max(4 * _ROUND // z.nbytes, 2))
    sums = np.zeros(
        (runs, kernel[0] if first else 1, groups, tall, per_group), g.dtype
    )  # added up in this order, whoever made them

    def some_images(run):
        for begin in range(run * step, batch, runs * step):
            part = slice(begin, begin + step)
            columns = _columns(padded(x[part], pads), kernel, stride, dilation, out, first)
            columns = columns.reshape(len(columns), groups, tall, rows * rest)
            slopes = np.ascontiguousarray(
                seen[part].swapaxes(2, 3)
            )  # a result's columns are few, and BLAS takes them better in rows
            for i, total in enumerate(sums[run]):
                at = i * dilation[0] * rest
                product = np.matmul(columns[..., at : at + out[0] * rest], slopes)
                total += product[0] if len(product) == 1 else np.add.reduce(product, 0)
                del product  # before the next one is made

    share(some_images, range(runs))
    target = np.add.reduce(sums, 0).swapaxes(2, 3)
    if not first:
        return np.ascontiguousarray(target).reshape(z.shape)
    apart = target.reshape(kernel[0], filters, group, *kernel[1:])
    return np.ascontiguousarray(np.moveaxis(apart, 0, 2))
