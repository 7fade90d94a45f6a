"""Convolutions on arrays, over any number of axes of space: (N, C, ...) with (O, C / groups, ...) -> (N, O, ...).

Three kernels close under differentiation: ``conv`` and, of the same product of three factors, the parts that belong to the
image (``conv_input``, which is a transposed convolution) and to the weights (``conv_weight``).  Each brings windows of the image into the
columns of a matrix, a few images at a time so that they stay in the cache, and leaves the sums to BLAS.  Where the step along the first
axis of space is one, that axis is not unfolded: rows of it are parts of the matrix already, and there is one product per
place of the kernel along it, or one for all of them.  Kernels that see one channel each are in ``depthwise.py``, unless the result is as wide as the image.
"""

import functools
import itertools
import math

import numpy as np

from ..._base import pool
from ..._base.pool import share
from .. import engine, products
from ..copies import cast, dense
from . import depthwise
from .channels_last import is_channels_last, ordered_as
from .columns import columns, in_runs, strided

#: How many bytes the columns of one part may take: threads lose more by many parts than by what leaves the cache, a single one does not.
_ROUND, _ROUND_ALONE = 1 << 22, 1 << 20
#: From so many bytes of columns on, an image is in several parts.
_LARGE = 5 << 20
#: From so much work on, in multiplications, it is shared; a byte of columns takes as long as so many.
_SHARED, _BYTE = 2 * products.LARGE, 4
#: Into how many sums the gradients of the weights go first.
_RUNS = 8
#: Up to how many multiplications BLAS takes matrices as they are, and otherwise brings them into another order first.
_SMALL = 1_000_000
#: The most rows of one product for all places along the first axis.
_ROWS = 128
#: The kinds of dtypes that BLAS multiplies.
_BLAS = "fc"
#: From this many rows of a matrix on, a product for each place along the first axis is quicker than unfolding that axis too.
_TALL = 24
#: From so many elements of a result for each filter on, weights may be brought into another order first.
_PER_FILTER = 6
#: The fewest rows of a matrix in each of two products that are made of one.
_NARROW = 32
#: From so many images on, their gradients are summed with the images side by side, if a result's rows are so short, and by so much shorter.
_MANY, _SHORT, _SHRUNK = 16, 12, 4


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


def conv(x, w, stride, padding, dilation, groups, b=None):
    """z[n, o, p] = b[o] + Σ x[n, c, p stride + k dilation - padding] w[o, c, k] over c of the group of o, and k."""
    pads = [(p, p) for p in padding]
    dtype = work_dtype(x)
    b = None if b is None else cast(b, dtype)
    z = _conv(cast(x, dtype), cast(w, dtype), b, stride, pads, dilation, groups)
    return _in_order(cast(z, x.dtype), x, w)


def convolve(x, w, stride, padding, dilation, transposed, output_padding, groups, b=None):
    """``conv``, or the convolution transposed, which has ``output_padding`` more elements at the ends of its axes; plus ``b``, if given."""
    if not transposed:
        return conv(x, w, stride, padding, dilation, groups, b)
    space = transposed_space(x.shape[2:], w.shape[2:], stride, padding, output_padding, dilation)
    return conv_input(x, w, space, stride, padding, dilation, groups, b)


def along_filters(b, z):
    """``b`` (O,) beside ``z`` (N, O, ...)."""
    return b.reshape(-1, *[1] * (z.ndim - 2))


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


def _conv(x, w, b, stride, pads, dilation, groups):
    found = engine.ask("conv", x, w, b, stride, pads, dilation, groups)
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
        z[...] = 0 if b is None else along_filters(b, z)
        return z
    runs = in_runs(x.shape, out, kernel, stride, pads, dilation)
    if w.shape[1] == 1 and groups > 1 and not (runs and x.dtype.kind in _BLAS):
        depthwise.conv(x, w, b, stride, pads, dilation, z)
        return z
    group, per_group = channels // groups, filters // groups
    turning = _worth_turning(w, groups, batch, out)
    first = int(turning and (runs or _whole_rows(kernel, stride, group)))
    tall = group * math.prod(kernel[first:])
    rest = math.prod(out[1:])
    above = dilation[0] * (kernel[0] - 1) if first else 0
    flat = z.reshape(batch, groups, per_group, out[0] * rest)
    bias = None if b is None else b.reshape(groups, per_group, 1)
    count = kernel[0] if first else 1
    # (groups, places along the first axis, filters of one, channels of one and the other places)
    matrices = w.reshape(groups, per_group, group, count, -1).transpose(0, 3, 1, 2, 4)
    matrices = np.ascontiguousarray(matrices).reshape(groups, count, per_group, tall)
    at_once = _at_once(count, per_group, tall, out[0] * rest)

    def some_rows(part):
        images, begin, rows = part
        seen = columns(x[images], begin, rows, kernel, stride, pads, dilation, out, first, runs)
        seen = seen.reshape(len(seen), groups, tall, (rows + above) * rest)
        target = flat[images, ..., begin * rest : (begin + rows) * rest]
        length, move = rows * rest, dilation[0] * rest

        def some_filters(filters):
            sums, own = target[:, :, filters], matrices[:, :, filters]
            if at_once:
                _sum_places(own, seen, move, sums)
                return
            np.matmul(own[:, 0], seen[..., :length], out=sums)
            for i in range(1, count):
                sums += np.matmul(own[:, i], seen[..., i * move : i * move + length])

        share(some_filters, halves)
        if bias is not None:  # while the sums are in the cache
            target += bias

    size = x.itemsize * groups * rest * tall
    work = z.size * w[0].size + _BYTE * batch * size * (out[0] + above)
    parts = _parts(batch, out[0], size, work, _round(work), above)
    halves = _halves(per_group, work, parts)
    _do(some_rows, parts, work)
    return z


def _at_once(count, filters, tall, length):
    """Whether one product for all places along the first axis, whose rows are then added, is quicker than a product for each."""
    return count > 1 and (filters == 1 or (filters * tall * length > _SMALL and filters * count <= _ROWS))


def _sum_places(w, seen, move, sums):
    """Into ``sums`` (N, groups, filters, P): weights (groups, places, filters, tall) times what is seen (N, groups, tall, ...), by each place ``move`` elements on."""
    groups, count, filters, _ = w.shape
    w = w.reshape(groups, count * filters, -1)
    step = max(_ROUND // (2 * count * sums[0].nbytes), 1)
    for i in range(0, len(sums), step):
        found = np.matmul(w, seen[i : i + step])
        item = found.itemsize
        row = found.shape[-1] * item
        each = filters * row
        shape = (len(found), groups, filters, count, sums.shape[3])
        strides = (groups * count * each, count * each, row, each + move * item, item)
        found = strided(found, shape, strides)
        np.add.reduce(found, 3, out=sums[i : i + step])
        del found  # before the next one is made


def _do(function, parts, work):
    """Call ``function(part)`` for each of the parts, on several threads where there is so much work that it pays."""
    if work >= _SHARED:
        share(function, parts)
        return
    for part in parts:
        function(part)


def _round(work):
    """The bytes of one part whose images do not depend on each other, so that they have the same bits in any."""
    return _ROUND if work >= _SHARED and pool.count() > 1 else min(_ROUND_ALONE, _ROUND)


def _parts(batch, rows, size, work, most, above=0):
    """(slice of images, first row, number of rows) of parts of a result that are alike and, where there are several, even in number.

    A row takes ``size`` bytes of columns; a part has as many as ``above`` rows more than it makes, and several images if they take no more than ``most`` bytes.
    """
    image = size * (rows + above)
    if image < _LARGE or rows == 1:
        count = max(-(-batch * image // most), 1 + (work >= _SHARED))
        ends = _ends(batch, count + (count > 1 and count % 2))
        return [(slice(a, b), 0, rows) for a, b in ends]
    count = -(-rows // max(_ROUND // size - above, above, 1))
    ends = _ends(rows, count + (batch % 2 and count % 2))
    return [(slice(i, i + 1), a, b - a) for i in range(batch) for a, b in ends]


def _ends(length, count):
    """Where each of ``count`` parts of ``length``, or fewer if it is less, begins and ends."""
    count = min(count, length)
    return [(i * length // count, (i + 1) * length // count) for i in range(count)]


def _halves(length, work, parts):
    """All of ``length`` as one slice, or as two where nothing else of so much work is shared."""
    if len(parts) > 1 or length < 2 * _NARROW or work < 3 * products.LARGE:
        return [slice(None)]
    return [slice(length // 2), slice(length // 2, None)]


def _whole_rows(kernel, stride, channels):
    """1 if the first axis is better not unfolded, else 0."""
    return int(stride[0] == 1 and kernel[0] > 1 and channels * math.prod(kernel[1:]) >= _TALL)


def _worth_turning(w, groups, batch, out):
    """Whether the weights are few enough, next to what they are multiplied with, for a copy in another order, which is slow."""
    return batch * math.prod(out) * groups >= _PER_FILTER * len(w)


def conv_input(g, w, space, stride, padding, dilation, groups, b=None):
    """The part of the image, whose axes of space are ``space``: x[n, c, p stride + k dilation - padding] = Σ g[n, o, p] w[o, c, k]; plus ``b``, if given."""
    dtype = work_dtype(g)
    z = _conv_input(cast(g, dtype), cast(w, dtype), space, stride, padding, dilation, groups)
    if b is not None:
        z += along_filters(cast(b, dtype), z)
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
    if group == 1 and groups > 1 and any(s != 1 for s in stride):
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
        return _conv(g, turned, None, stride, pads, dilation, groups)
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

    size = g.itemsize * groups * tall * rest
    work = g.size * w[0].size + _BYTE * batch * size
    _do(some_images, _parts(batch, 1, size, work, _round(work)), work)
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
            x[(images, slice(None), *targets)] = _conv(g[images], weights, None, ones, pads, moves, groups)

    work = g.size * w[0].size // 2  # of many short calls, among which threads lose more
    _do(some_images, _parts(batch, 1, x[:1].nbytes, work, _ROUND), work)
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


def gradients(g, x, w, biased, kernel, stride, padding, dilation, groups):
    """The gradients of image (None without ``w``), weights, and bias (None unless ``biased``), where the engine has them at once, else None."""
    pads = [(p, p) for p in padding]
    found = engine.ask("conv_gradients", g, x, w, biased, kernel, stride, pads, dilation, groups)
    if found is None:
        return None
    gx, gw, gb = found
    return gx if gx is None else _in_order(gx, g, w), _in_order(gw, x, g), gb


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
    runs = in_runs(x.shape, out, kernel, stride, pads, dilation)
    if group == 1 and groups > 1 and not (runs and x.dtype.kind in _BLAS):
        return depthwise.conv_weight(g, x, kernel, stride, pads, dilation)
    turning = _worth_turning(z, groups, batch, out)
    first = int(turning and (runs or _whole_rows(kernel, stride, group)))
    tall, rest = group * math.prod(kernel[first:]), math.prod(out[1:])
    above = dilation[0] * (kernel[0] - 1) if first else 0
    flat = g.reshape(batch, groups, per_group, out[0] * rest)
    size = g.itemsize * groups * (tall + per_group) * rest
    work = g.size * z[0].size + _BYTE * batch * size * (out[0] + above)
    parts = _parts(batch, out[0], size, work, _ROUND, above)
    several = min(len(parts), _RUNS, max(4 * _ROUND // z.nbytes, 2))
    count, move = kernel[0] if first else 1, dilation[0] * rest
    # added up in this order, whoever made them: (groups, places along the first axis, channels and the other places, filters)
    sums = np.zeros((several, groups, count, tall, per_group), g.dtype)

    def some_rows(run):
        for images, begin, rows in parts[run::several]:
            seen = columns(x[images], begin, rows, kernel, stride, pads, dilation, out, first, runs)
            item = seen.itemsize
            row = (rows + above) * rest * item
            shape = (len(seen), groups, count, tall, rows * rest)
            seen = strided(seen, shape, (groups * tall * row, tall * row, move * item, row, item))
            slopes = flat[images, ..., begin * rest : (begin + rows) * rest].swapaxes(2, 3)
            if (
                tall * rows * rest * per_group > _SMALL
            ):  # rows of few elements, which BLAS takes better one after the other
                slopes = np.ascontiguousarray(slopes)
            share(functools.partial(_add_products, sums[run], seen, slopes), halves)

    halves = _halves(tall, work, parts)
    _do(some_rows, range(several), work)
    target = np.add.reduce(sums, 0)
    if count == 1:
        return dense(target.reshape(groups, tall, per_group).swapaxes(1, 2)).reshape(z.shape)
    target = target.reshape(groups, count, group, -1, per_group).transpose(0, 4, 2, 1, 3)
    return np.ascontiguousarray(target).reshape(z.shape)


def _add_products(total, seen, slopes, chosen):
    """Add to ``total`` (groups, places, tall, filters) the products of ``chosen`` rows of what is seen (N, *those, P) with slopes (N, groups, P, filters)."""
    images, groups, size, filters = slopes.shape
    if (
        images > 1 and size < filters
    ):  # one product of all images, as the sum of those of each would take longer
        rows = np.moveaxis(seen[:, :, :, chosen], 0, 3)
        rows = rows.reshape(*rows.shape[:3], -1)
        total[:, :, chosen] += np.matmul(rows, slopes.swapaxes(0, 1).reshape(groups, 1, -1, filters))
        return
    step = max(_ROUND // total.nbytes, 1)
    for i in range(0, images, step):
        rows, columns = seen[i : i + step, :, :, chosen], slopes[i : i + step, :, None]
        if filters == 1:  # products of rows: for others BLAS needs memory, which threads wait for
            found = np.matmul(rows[..., None, :], columns[..., None, :, :])[..., 0]
        else:
            found = np.matmul(rows, columns)
        total[:, :, chosen] += found[0] if len(found) == 1 else np.add.reduce(found, 0)
        del found  # before the next one is made
