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
from .. import engine, products
from ..copies import cast
from . import depthwise
from .channels_last import is_channels_last, ordered_as

#: How many bytes the columns of one part may take.
_ROUND = 3 << 19
#: From so many bytes of columns on, an image is in several parts: nearly all of it would leave the cache before it is used.
_LARGE = 5 << 20
#: Into how many sums the gradients of the weights go first.
_RUNS = 8
#: From this many rows of a matrix on, a product for each place along the first axis is quicker than unfolding that axis too.
_TALL = 24
#: From so many elements of a result for each filter on, weights may be brought into another order first.
_PER_FILTER = 6
#: The fewest rows of a matrix in each of two products that are made of one.
_NARROW = 32
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
    first = _whole_rows(kernel, stride, group) if _worth_turning(w, groups, batch, out) else 0
    tall = group * math.prod(kernel[first:])
    rest = math.prod(out[1:])
    above = dilation[0] * (kernel[0] - 1) if first else 0
    flat = z.reshape(batch, groups, per_group, out[0] * rest)
    if first:
        # (places along the first axis, groups, filters of one, the other places and channels)
        matrices = np.ascontiguousarray(
            w.reshape(groups, per_group, group, kernel[0], -1).transpose(3, 0, 1, 2, 4)
        )
        matrices = matrices.reshape(kernel[0], groups, per_group, tall)
    else:
        matrices = w.reshape(1, groups, per_group, tall)

    def some_rows(part):
        images, begin, rows = part
        seen = _seen(x[images], begin, rows, kernel, stride, pads, dilation)
        columns = _columns(seen, kernel, stride, dilation, (rows, *out[1:]), first)
        columns = columns.reshape(len(columns), groups, tall, (rows + above) * rest)
        target = flat[images, ..., begin * rest : (begin + rows) * rest]

        def some_filters(filters):
            sums = target[:, :, filters]
            for i, matrix in enumerate(matrices):
                at = i * dilation[0] * rest
                seen = columns[..., at : at + rows * rest]
                if i == 0:
                    np.matmul(matrix[:, filters], seen, out=sums)
                else:
                    sums += np.matmul(matrix[:, filters], seen)

        share(some_filters, halves)

    parts = _parts(batch, out[0], x.itemsize * groups * tall * rest, above)
    halves = _halves(per_group, z.size * w[0].size, parts)
    _do(some_rows, parts, z.size * w[0].size)
    return z


def _do(function, parts, multiplications):
    """Call ``function(part)`` for each of the parts, on several threads where there is so much to do that it pays."""
    if multiplications >= products.LARGE:
        share(function, parts)
        return
    for part in parts:
        function(part)


def _parts(batch, rows, size, above=0):
    """(slice of images, first row, number of rows) of parts of a result that are alike and, where there are several, even in number.

    A row takes ``size`` bytes of columns; a part has as many as ``above`` rows more than it makes.
    """
    image = size * (rows + above)
    if image < _LARGE or rows == 1:
        step = _of_a_part(batch, -(-batch * image // _ROUND))
        return [(slice(i, i + step), 0, rows) for i in range(0, batch, step)]
    count = -(-rows // max(_ROUND // size - above, above, 1))
    step = _of_a_part(rows, count) if batch % 2 else -(-rows // count)
    return [(slice(i, i + 1), r, min(step, rows - r)) for i in range(batch) for r in range(0, rows, step)]


def _halves(length, multiplications, parts):
    """All of ``length`` as one slice, or as two where nothing else of so many multiplications is shared."""
    if len(parts) > 1 or length < 2 * _NARROW or multiplications < 3 * products.LARGE:
        return [slice(None)]
    return [slice(length // 2), slice(length // 2, None)]


def _of_a_part(length, count):
    """How many of ``length`` are in each of ``count`` parts, or of one more where that is odd."""
    return -(-length // (count + (count > 1 and count % 2)))


def _seen(x, begin, rows, kernel, stride, pads, dilation):
    """What ``rows`` rows of a result from ``begin`` on see of images: those rows, with their padding."""
    size = (rows - 1) * stride[0] + dilation[0] * (kernel[0] - 1) + 1
    start, have = begin * stride[0] - pads[0][0], x.shape[2]
    end = start + size
    part = x[:, :, max(start, 0) : max(min(end, have), 0)]
    return padded(part, [(min(max(-start, 0), size), min(max(end - have, 0), size)), *pads[1:]])


def _whole_rows(kernel, stride, channels):
    """1 if the first axis is better not unfolded, else 0."""
    return int(stride[0] == 1 and kernel[0] > 1 and channels * math.prod(kernel[1:]) >= _TALL)


def _worth_turning(w, groups, batch, out):
    """Whether the weights are few enough, next to what they are multiplied with, for a copy in another order, which is slow."""
    return batch * math.prod(out) * groups >= _PER_FILTER * len(w)


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
    turning = _worth_turning(w, groups, batch, out)
    if turning and all(s == 1 for s in stride) and per_group <= 2 * group * kernel[0]:
        # a convolution with the kernels turned round
        pads = []
        for n, m, k, p, d in zip(space, out, kernel, padding, dilation):
            before = d * (k - 1) - p
            pads.append((before, n - m - before + d * (k - 1)))
        turned = np.flip(w, tuple(range(2, w.ndim))).reshape(groups, per_group, group, *kernel).swapaxes(1, 2)
        turned = np.ascontiguousarray(turned).reshape(channels, per_group, *kernel)
        return _conv(g, turned, stride, pads, dilation, groups)
    overlap = any(k > s > 1 for k, s in zip(kernel, stride))
    if turning and overlap and per_group * stride[0] <= 2 * group * kernel[0]:
        return _conv_input_by_remainders(g, w, space, stride, padding, dilation, groups)
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

    def some_images(part):
        images, _, _ = part
        columns = np.matmul(matrices, flat[images])
        add_columns(x[images], columns.reshape(-1, channels, *kernel, *out), stride, dilation)

    _do(some_images, _parts(batch, 1, g.itemsize * groups * tall * rest), g.size * w[0].size)
    found = x[(slice(None), slice(None), *[slice(p, p + n) for p, n in zip(padding, space)])]
    return np.ascontiguousarray(found)


def _conv_input_by_remainders(g, w, space, stride, padding, dilation, groups):
    """``conv_input`` for steps of more than one: places of the image that leave the same remainders by the steps are a convolution of their own."""
    batch, filters, *out = g.shape
    group, *kernel = w.shape[1:]
    channels = group * groups
    axes = zip(space, padding, out, kernel, stride, dilation)
    convolutions = []
    for classes in itertools.product(*[list(remainders(*axis)) for axis in axes]):
        targets, taps, pads, moves = zip(*classes)
        part = w[(slice(None), slice(None), *taps)]
        per_group = filters // groups
        part = part.reshape(groups, per_group, group, *part.shape[2:]).swapaxes(1, 2)
        convolutions.append((targets, part.reshape(channels, per_group, *part.shape[3:]), pads, moves))
    x = np.empty((batch, channels, *space), g.dtype)
    ones = (1,) * len(space)

    def some_images(part):
        images, _, _ = part
        for targets, weights, pads, moves in convolutions:
            x[(images, slice(None), *targets)] = _conv(g[images], weights, ones, pads, moves, groups)

    _do(some_images, _parts(batch, 1, x[:1].nbytes), g.size * w[0].size)
    return x


def remainders(size, padding, out, kernel, stride, dilation):
    """For each remainder of places by the stride: (where they are in the image, which places of the kernel lead there, pads, dilation).

    Of an axis of a result of ``out`` elements: a convolution of it with those places, with ``pads`` around it, makes that part of the image.
    """
    common = math.gcd(stride, dilation)
    step, move = stride // common, dilation // common
    firsts = {i * dilation % stride: i for i in range(step)}
    for remainder in range(stride):
        begin = -((remainder - padding) // stride)
        place = begin * stride + remainder - padding
        target = slice(place, None, stride)
        length = len(range(place, size, stride))
        if not length:
            continue
        first = firsts.get(remainder, kernel)
        count = len(range(first, kernel, step))
        taps = slice(first + (count - 1) * step, None, -step) if count else slice(0)
        before = first * dilation // stride + (count - 1) * move - begin
        yield target, taps, (before, length - out - before + (count - 1) * move), move


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
    rest = tuple(kernel[1:])
    matrices = [w[:, :, place].reshape(filters, -1).T for place in range(kernel[0])]
    step = max(1, _ROUND // 2 // (g.itemsize * len(matrices[0]) * batch * math.prod(out[1:])))
    for begin in range(0, out[0], step):
        seen = g[:, :, begin : begin + step]
        size = seen.shape[2:]
        seen = np.ascontiguousarray(seen.reshape(batch, -1).T).reshape(filters, -1)
        part = x[:, None, begin * stride[0] :]
        for first, matrix in enumerate(matrices):
            columns = matrix.dot(seen).reshape(channels, *rest, *size, batch)
            for place in places(rest):
                target = shifted(part, (first, *place), stride, dilation, size)
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
    first = _whole_rows(kernel, stride, group) if _worth_turning(z, groups, batch, out) else 0
    tall, rest = group * math.prod(kernel[first:]), math.prod(out[1:])
    above = dilation[0] * (kernel[0] - 1) if first else 0
    flat = g.reshape(batch, groups, per_group, out[0] * rest)
    parts = _parts(batch, out[0], g.itemsize * groups * (tall + per_group) * rest, above)
    runs = min(len(parts), _RUNS, max(4 * _ROUND // z.nbytes, 2))
    sums = np.zeros(
        (runs, kernel[0] if first else 1, groups, tall, per_group), g.dtype
    )  # added up in this order, whoever made them

    def add_products(totals, columns, slopes, size, chosen):
        for i, total in enumerate(totals):
            at = i * dilation[0] * rest
            product = np.matmul(columns[:, :, chosen, at : at + size], slopes)
            total[:, chosen] += product[0] if len(product) == 1 else np.add.reduce(product, 0)
            del product  # before the next one is made

    def some_rows(run):
        for images, begin, rows in parts[run::runs]:
            seen = _seen(x[images], begin, rows, kernel, stride, pads, dilation)
            columns = _columns(seen, kernel, stride, dilation, (rows, *out[1:]), first)
            columns = columns.reshape(len(columns), groups, tall, (rows + above) * rest)
            # a result's columns are few, and BLAS takes them better in rows
            slopes = flat[images, ..., begin * rest : (begin + rows) * rest].swapaxes(2, 3)
            slopes = np.ascontiguousarray(slopes)
            share(functools.partial(add_products, sums[run], columns, slopes, rows * rest), halves)

    halves = _halves(tall, g.size * z[0].size, parts)
    _do(some_rows, range(runs), g.size * z[0].size)
    target = np.add.reduce(sums, 0).swapaxes(2, 3)
    if not first:
        return np.ascontiguousarray(target).reshape(z.shape)
    apart = target.reshape(kernel[0], filters, group, *kernel[1:])
    return np.ascontiguousarray(np.moveaxis(apart, 0, 2))
