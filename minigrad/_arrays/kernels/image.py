"""Images of other sizes, on arrays: interpolation axis by axis, sampling at the points of a grid, and pixels moved to channels.

An interpolation along an axis is a table: for each element of the result, the elements that it is made of and their weights.  The adjoint is the
table turned round.  Tables are made in double precision where PyTorch's weights are, else in single.
"""

import functools
import math

import numpy as np

from .channels_last import ordered_as

_FLOAT32 = np.dtype(np.float32)


def _wide(x):
    return x.astype(_FLOAT32) if x.itemsize == 2 and x.dtype.kind in "fV" else x


# Tables --------------------------------------------------------------------------------------------------------------------------


def _scale(n, m, align_corners, scale):
    """How many elements of an axis of length n one step along the result, of length m, is."""
    if align_corners:
        return (n - 1) / (m - 1) if m > 1 else 0.0
    return 1 / scale if scale else n / m


def cubic_weights(t, a=-0.75):
    """The weights of the four elements around a point ``t`` behind the second of them.   [Keys 1981]"""

    def near(x):
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x):
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return far(t + 1), near(t), near(1 - t), far(2 - t)


_FILTERS = {
    "bilinear": (1, lambda x: np.maximum(1 - np.abs(x), 0)),
    "bicubic": (
        2,
        lambda x: np.where(
            np.abs(x) < 1,
            ((-0.5 + 2) * np.abs(x) - (-0.5 + 3)) * x * x + 1,
            np.where(np.abs(x) < 2, (((np.abs(x) - 5) * np.abs(x) + 8) * np.abs(x) - 4) * -0.5, 0),
        ),
    ),
    "lanczos": (3, lambda x: np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)),
}


def _antialiased(mode, n, m, scale):
    """``(places, weights)`` of a filter as wide as a step: (m, taps) each."""
    radius, weigh = _FILTERS[mode]
    support = radius * scale if scale >= 1 else float(radius)
    inverse = 1 / scale if scale >= 1 else 1.0
    taps = math.ceil(support) * 2 + 1
    center = scale * (np.arange(m) + 0.5)
    first = np.maximum((center - support + 0.5).astype(np.int64), 0)
    count = np.minimum((center + support + 0.5).astype(np.int64), n) - first
    count = np.clip(count, 0, taps)
    offset = np.arange(taps)
    weights = weigh((offset + first[:, None] - center[:, None] + 0.5) * inverse)
    weights = np.where(offset < count[:, None], weights, 0)
    total = weights.sum(1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total != 0)
    return np.minimum(first[:, None] + offset, n - 1), weights


def _table(mode, n, m, align_corners, scale, antialias, single):
    """``(places, weights)`` of the elements that those of the result are made of: (m, taps) each; weights None means one."""
    real = np.float32 if single else np.float64
    if mode in ("nearest", "nearest-exact"):
        step = np.float32(_scale(n, m, False, scale))
        shift = np.float32(0.5 if mode == "nearest-exact" else 0)
        if mode == "nearest" and n == m:
            at = np.arange(m)
        elif mode == "nearest" and m == 2 * n:
            at = np.arange(m) >> 1
        else:
            at = np.floor((np.arange(m, dtype=np.float32) + shift) * step).astype(np.int64)
        return np.minimum(at, n - 1)[:, None], None
    step = _scale(n, m, align_corners, scale)
    if antialias:
        return _antialiased(mode, n, m, step)
    step = real(step)
    place = np.arange(m, dtype=real)
    if align_corners:
        at = place * step
    else:
        at = step * (place + real(0.5)) - real(0.5)
    if mode == "bicubic":
        floor = np.floor(at)
        weights = np.stack(cubic_weights(at - floor), 1)
        return np.clip(floor[:, None].astype(np.int64) + np.arange(-1, 3), 0, n - 1), weights
    at = np.maximum(at, 0)
    first = np.minimum(at.astype(np.int64), n - 1)
    second = np.minimum(first + 1, n - 1)
    after = np.clip(at - first, 0, 1)
    return np.stack((first, second), 1), np.stack((1 - after, after), 1).astype(real)


@functools.lru_cache(128)
def table(mode, n, m, align_corners, scale, antialias, single):
    """``_table``, remembered."""
    return _table(mode, n, m, align_corners, scale, antialias, single)


@functools.lru_cache(128)
def turned_table(mode, n, m, align_corners, scale, antialias, single):
    """The table of the adjoint: (n, taps) each; what is left over has weight nought."""
    at, weights = table(mode, n, m, align_corners, scale, antialias, single)
    taps = at.shape[1]
    source = np.repeat(np.arange(m), taps)
    weights = (
        np.ones(at.size, np.float32 if single else np.float64) if weights is None else weights.reshape(-1)
    )
    target = at.reshape(-1)
    even = at.shape[1] == 1 and m % n == 0 and bool((np.diff(target) >= 0).all()) and bool(weights.all())
    used = weights != 0
    source, target, weights = source[used], target[used], weights[used]
    order = np.argsort(target, kind="stable")
    source, target, weights = source[order], target[order], weights[order]
    count = np.bincount(target, minlength=n)
    rank = np.arange(target.size) - np.repeat(np.cumsum(count) - count, count)
    width = max(int(count.max(initial=0)), 1)
    places, factors = np.zeros((n, width), np.int64), np.zeros((n, width), weights.dtype)
    places[target, rank], factors[target, rank] = source, weights
    even = even and bool((count == width).all())  # each element is repeated as often as all others
    return places, None if even else factors


def _repeated(x, at, axis):
    """``x.take(at, axis)``, quicker where each element is repeated as often as all others."""
    n = x.shape[axis]
    times = len(at) // n
    if times < 2 or len(at) % n or (at != np.arange(len(at)) // times).any():
        return x.take(at, axis)
    if axis != x.ndim - 1:
        return x.repeat(times, axis)
    z = np.empty((*x.shape[:-1], len(at)), x.dtype)
    for i in range(times):
        z[..., i::times] = x
    return z


def _step(x, at, axis):
    """The elements of ``x`` along an axis at places that are equally far apart."""
    step = int(at[1] - at[0]) if len(at) > 1 else 1
    return x[(*(slice(None),) * axis, slice(int(at[0]), int(at[-1]) + 1, step))]


def _apply(x, axis, places, weights):
    """The elements of ``x`` at ``places`` (m, taps) along an axis, times their weights, summed."""
    if weights is None:
        if places.shape[1] == 1:
            return _repeated(x, places[:, 0], axis)
        z = _step(x, places[:, 0], axis) + _step(x, places[:, 1], axis)
        for at in places.T[2:]:
            z += _step(x, at, axis)
        return z
    if places.shape[1] > 8 and not np.issubdtype(x.dtype, np.integer):
        matrix = np.zeros((len(places), x.shape[axis]), x.dtype)
        np.add.at(matrix, (np.arange(len(places))[:, None], places), weights)
        return np.moveaxis(np.moveaxis(x, axis, -1) @ matrix.T, -1, axis)
    shape = [1] * x.ndim
    shape[axis] = len(places)
    z = None
    for at, weight in zip(places.T, weights.astype(x.dtype, copy=False).T):
        part = x.take(at, axis)
        np.multiply(part, weight.reshape(shape), out=part)
        z = part if z is None else np.add(z, part, out=z)
    return z


def resample(x, size, align_corners, scales, mode, antialias):
    """The image ``x`` (N, C, ...) in the size ``size``."""
    work = _wide(x)
    whole = x.dtype.kind in "iu" and mode not in ("nearest", "nearest-exact")
    single = work.dtype == _FLOAT32
    tables = [
        table(mode, n, m, align_corners, scale, antialias, single)
        for n, m, scale in zip(x.shape[2:], size, scales)
    ]
    if whole:
        for axis in range(x.ndim - 1, 1, -1):
            if x.shape[axis] != size[axis - 2]:
                work = _apply_to_bytes(work, axis, *tables[axis - 2])
    else:
        for axis, (places, weights) in enumerate(tables, 2):
            work = _apply(work, axis, places, weights)
    work = np.ascontiguousarray(work).astype(x.dtype, copy=False)
    return ordered_as(work.copy() if work is x else work, x)


def _apply_to_bytes(x, axis, places, weights):
    """As ``_apply`` for bytes: with weights of 15 bits, as PyTorch does it, and a result of bytes."""
    weights = weights.copy()
    for k in range(1, weights.shape[1]):  # what falls on one element at the border counts as one
        same = places[:, k] == places[:, k - 1]
        weights[same, k] += weights[same, k - 1]
        weights[same, k - 1] = 0
    bits = 0
    while bits < 22 and int(0.5 + weights.max() * 2 ** (bits + 1)) < 1 << 15:
        bits += 1
    scaled = weights * 2**bits
    factors = np.where(scaled < 0, scaled - 0.5, scaled + 0.5).astype(np.int64)
    z = _apply(x.astype(np.int64), axis, places, factors) + (1 << (bits - 1))
    return np.clip(z >> bits, 0, 255).astype(x.dtype)


def resample_backward(g, mode, space, align_corners, scales, antialias):
    """The adjoint of ``resample``; ``space`` is the size of its operand."""
    work = _wide(g)
    single = work.dtype == _FLOAT32
    for axis, (n, m, scale) in reversed(list(enumerate(zip(space, g.shape[2:], scales), 2))):
        work = _apply(work, axis, *turned_table(mode, n, m, align_corners, scale, antialias, single))
    return ordered_as(np.ascontiguousarray(work).astype(g.dtype, copy=False), g)


# Pixels and channels ---------------------------------------------------------------------------------------------------------------


def _copied(z, shape, x):
    """``z``, a view of ``x``, as a copy of this shape."""
    return ordered_as(np.array(z, order="C").reshape(shape), x)


def pixel_shuffle(x, r):
    """(..., C r r, H, W) -> (..., C, H r, W r)."""
    *lead, channels, h, w = x.shape
    c = channels // (r * r)
    n = len(lead)
    z = x.reshape(*lead, c, r, r, h, w).transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return _copied(z, (*lead, c, h * r, w * r), x)


def pixel_unshuffle(x, r):
    """(..., C, H r, W r) -> (..., C r r, H, W)."""
    *lead, c, h, w = x.shape
    n = len(lead)
    z = x.reshape(*lead, c, h // r, r, w // r, r).transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return _copied(z, (*lead, c * r * r, h // r, w // r), x)


def channel_shuffle(x, groups):
    """(N, g c, ...) -> (N, c g, ...): the channels of the groups in turn."""
    n, channels, *space = x.shape
    z = x.reshape(n, groups, channels // groups, *space).swapaxes(1, 2)
    return _copied(z, x.shape, x)


# Points of a grid --------------------------------------------------------------------------------------------------------------------

BILINEAR, NEAREST, BICUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)


def _reflected(at, slope, low, high):
    """Places mirrored at ``low`` and ``high``, given as twice their values, and the slopes of that."""
    if low == high:
        return np.zeros_like(at), np.zeros_like(slope)
    least, span = low / 2, (high - low) / 2
    at = at - at.dtype.type(least)
    slope = np.where(at < 0, -slope, slope)
    at = np.abs(at)
    flips = np.floor(at / at.dtype.type(span))
    extra = at - flips * at.dtype.type(span)
    odd = flips % 2 != 0
    at = np.where(odd, span - extra, extra).astype(at.dtype) + at.dtype.type(least)
    return at, np.where(odd, -slope, slope)


def _bordered(at, slope, n, padding, align_corners):
    """Places brought into an axis of length n as ``padding`` says, and the slopes of that."""
    if padding == REFLECTION:
        at, slope = _reflected(at, slope, *((0, 2 * (n - 1)) if align_corners else (-1, 2 * n - 1)))
    if padding != ZEROS:
        slope = np.where((at > 0) & (at < n - 1), slope, 0)
        at = np.clip(at, 0, n - 1)
        at = np.where(np.isnan(at), 0, at)
    return at, slope


def grid_places(coordinate, n, padding, align_corners, bordered=True):
    """Where coordinates in [-1, 1] lie along an axis of length n, and how fast they move."""
    real = coordinate.dtype.type
    if align_corners:
        at, slope = (coordinate + real(1)) * real((n - 1) / 2), (n - 1) / 2
    else:
        at, slope = ((coordinate + real(1)) * real(n) - real(1)) / real(2), n / 2
    slope = np.full(at.shape, slope, at.dtype)
    return _bordered(at, slope, n, padding, align_corners) if bordered else (at, slope)


def _integers(at, n):
    """Places as integers; what is no number, or far away, is outside."""
    return np.where((at > -9) & (at < n + 9), at, -9).astype(np.int64)


def taps(grid, space, mode, padding, align_corners):
    """What the points of ``grid`` (N, ..., d) see along each axis of space.

    For each axis, in their order: (places, inside, offsets, slope).  The integer places (taps of (N, ...)) that count, which of them are
    inside the image, how far the point is behind the first tap's place (behind the second's, for cubics), and how fast it moves.
    """
    axes = []
    for axis, n in enumerate(space):
        coordinate = grid[..., len(space) - 1 - axis]
        at, slope = grid_places(coordinate, n, padding, align_corners, mode != BICUBIC)
        if mode == NEAREST:
            whole = _integers(np.rint(at), n)
            places, offset = [whole], np.zeros_like(at)
            slope = np.zeros_like(slope)
        else:
            floor = np.floor(at)
            whole, offset = _integers(floor, n), at - floor
            places = [whole - 1, whole, whole + 1, whole + 2] if mode == BICUBIC else [whole, whole + 1]
            if mode == BICUBIC and padding != ZEROS:
                exact = [floor + i for i in (-1, 0, 1, 2)]
                places = [
                    _integers(_bordered(p, np.ones_like(p), n, padding, align_corners)[0], n) for p in exact
                ]
        inside = [(p >= 0) & (p < n) for p in places]
        axes.append(([np.clip(p, 0, n - 1) for p in places], inside, offset, slope))
    return axes


def weights_of(mode, t):
    """The weights of the taps of a point ``t`` behind their first (or, for cubics, second) place."""
    if mode == NEAREST:
        return [None]
    return list(cubic_weights(t)) if mode == BICUBIC else [1 - t, t]


def slopes_of(mode, t):
    """The derivatives of ``weights_of``."""
    if mode != BICUBIC:
        return [-1, 1]
    a = -0.75

    def near(x):
        return (3 * (a + 2) * x - 2 * (a + 3)) * x

    def far(x):
        return (3 * a * x - 10 * a) * x + 8 * a

    return [far(t + 1), near(t), -near(1 - t), -far(2 - t)]


def corners(axes, space):
    """For each combination of taps: (numbers of the taps, flat places in the image, which of them are inside)."""
    steps = [math.prod(space[i + 1 :]) for i in range(len(space))]
    for numbers in np.ndindex(*[len(places) for places, *_ in axes]):
        at, inside = 0, True
        for (places, within, *_), number, step in zip(axes, numbers, steps):
            at = at + places[number] * step
            inside = inside & within[number]
        yield numbers, at, inside


def _product(factors):
    z = None
    for factor in factors:
        if factor is not None:
            z = factor if z is None else z * factor
    return z


def _gathered(rows, at, weight):
    """The elements of ``rows`` (N, space, C) at flat places (N, ...), times their weights: (N, ..., C)."""
    z = np.empty((*at.shape, rows.shape[2]), rows.dtype)
    for image, places, target in zip(rows, at, z):
        np.take(image, places, 0, out=target, mode="clip")
    z *= weight[..., None]
    return z


def _rows(x):
    """An image (N, C, ...) as (N, space, C): what belongs to one place lies together."""
    n, c = x.shape[:2]
    return np.ascontiguousarray(x.reshape(n, c, math.prod(x.shape[2:])).swapaxes(1, 2))


def _inside(weight, inside, dtype):
    """The weights of taps, nought where those are not inside the image; of a point at infinity they are nan, as PyTorch's."""
    return inside.astype(dtype) if weight is None else weight * inside


def grid_sample(x, grid, mode, padding, align_corners):
    """The image ``x`` (N, C, ...) at the points of ``grid`` (N, ..., d), whose last axis counts from the last of space."""
    work, points = _wide(x), _wide(grid)
    axes = taps(points, x.shape[2:], mode, padding, align_corners)
    weights = [weights_of(mode, offset) for _, _, offset, _ in axes]
    z = np.zeros((*grid.shape[:-1], x.shape[1]), work.dtype)
    if z.size:
        rows = _rows(work)
        for numbers, at, inside in corners(axes, x.shape[2:]):
            weight = _product([w[i] for w, i in zip(weights, numbers)])
            z += _gathered(rows, at, _inside(weight, inside, z.dtype))
    return np.ascontiguousarray(np.moveaxis(z, -1, 1)).astype(x.dtype, copy=False)


def grid_sample_input(g, grid, space, mode, padding, align_corners):
    """The adjoint of ``grid_sample`` in the image, whose axes of space are ``space``."""
    work, points = _wide(g), _wide(grid)
    axes = taps(points, space, mode, padding, align_corners)
    weights = [weights_of(mode, offset) for _, _, offset, _ in axes]
    n, c = g.shape[:2]
    size = math.prod(space)
    z = np.zeros(n * c * size, work.dtype)
    if g.size:
        base = (np.arange(n * c) * size).reshape(n, c, *[1] * (grid.ndim - 2))
        for numbers, at, inside in corners(axes, space):
            weight = _product([w[i] for w, i in zip(weights, numbers)])
            weight = inside if weight is None else np.where(inside, weight, 0)
            part = work * weight[:, None]
            np.add.at(z, (base + at[:, None]).reshape(-1), part.reshape(-1))
    return z.reshape(n, c, *space).astype(g.dtype, copy=False)


def grid_sample_grid(g, x, grid, mode, padding, align_corners):
    """The gradient of ``grid_sample`` to the grid."""
    z = np.zeros(grid.shape, _wide(grid).dtype)
    if mode == NEAREST or not g.size:
        return z.astype(grid.dtype, copy=False)
    work, points, image = _wide(g), _wide(grid), _wide(x)
    d = len(x.shape) - 2
    axes = taps(points, x.shape[2:], mode, padding, align_corners)
    weights = [weights_of(mode, offset) for _, _, offset, _ in axes]
    slopes = [slopes_of(mode, offset) for _, _, offset, _ in axes]
    rows, towards = _rows(image), np.ascontiguousarray(np.moveaxis(work, 1, -1))
    for numbers, at, inside in corners(axes, x.shape[2:]):
        seen = np.vecdot(_gathered(rows, at, inside), towards)
        for axis in range(d):
            others = [slopes[a][i] if a == axis else weights[a][i] for a, i in enumerate(numbers)]
            z[..., d - 1 - axis] += seen * _product(others)
    for axis, (_, _, _, slope) in enumerate(axes):
        z[..., d - 1 - axis] *= slope
    return z.astype(grid.dtype, copy=False)


@functools.lru_cache(32)
def base_grid(space, align_corners, dtype):
    """The points of an even grid over [-1, 1] with ones behind their coordinates: (prod(space), d + 1)."""
    columns = []
    for axis, n in enumerate(space):
        line = np.linspace(-1, 1, n, dtype=dtype) if n > 1 else np.zeros(1, dtype)
        if not align_corners:
            line = line * dtype.type(n - 1) / dtype.type(n)
        columns.append(
            np.broadcast_to(line.reshape([-1 if a == axis else 1 for a in range(len(space))]), space)
        )
    columns = [c.reshape(-1) for c in reversed(columns)]
    return np.stack([*columns, np.ones(math.prod(space), dtype)], 1)


def affine_grid(x, size, align_corners):
    """The points of an even grid after the affine maps ``x``: (N, d, d + 1) -> (N, *space, d)."""
    work = _wide(x)
    points = base_grid(size[2:], align_corners, work.dtype)
    z = np.matmul(points, work.swapaxes(1, 2)).reshape(x.shape[0], *size[2:], x.shape[1])
    return z.astype(x.dtype, copy=False)


def affine_grid_backward(g, size, align_corners):
    """The adjoint of ``affine_grid``."""
    work = _wide(g)
    points = base_grid(size[2:], align_corners, work.dtype)
    flat = work.reshape(g.shape[0], len(points), g.shape[-1])
    return np.matmul(flat.swapaxes(1, 2), points).astype(g.dtype, copy=False)
