"""Convolutions whose filters see one channel each, on arrays: (N, C, ...) with (C * each, 1, ...) -> (N, C * each, ...).

Images are brought into planes, one for each remainder of a place by the step, those of a channel behind each other: each place of the kernel then sees a plane
from some element on, row behind row, and what it sees is one long run of elements.  ``np.einsum`` adds up the runs times their weights, in blocks of
channels and images that stay in the cache.  What is computed of elements that lie beyond a row's end is thrown away.  For results as wide as their images,
products of matrices are quicker: those are in ``convolution.py``.
"""

import itertools
import math

import numpy as np

from ..._base.pool import share

#: The most elements of a block, the fewest, and the fewest of a run, which costs 0.2 us beside what it adds.
_BLOCK, _LEAST, _RUN = 1 << 18, 1 << 16, 1 << 13
_LETTERS = "ijk"


class _Axis:
    """An axis of space: ``size`` of the image, which begins at ``start``, ``out`` of the result; the places of the kernel by their remainder.

    ``classes`` are (remainder, first place, step, count, first element, elements from one place to the next) of places whose ``place *
    dilation`` leaves the same remainder by the stride.  ``reach`` is how many elements of a plane the last place is from the first.
    """

    __slots__ = ("size", "start", "out", "stride", "classes", "reach")

    def __init__(self, size, start, out, kernel, stride, dilation):
        self.size, self.start, self.out, self.stride = size, start, out, stride
        common = math.gcd(stride, dilation)
        step = stride // common
        self.classes = [
            (
                first * dilation % stride,
                first,
                step,
                -(-(kernel - first) // step),
                first * dilation // stride,
                dilation // common,
            )
            for first in range(min(step, kernel))
        ]
        self.reach = (kernel - 1) * dilation // stride

    def within(self, remainder, length):
        """Where a plane of ``length`` elements and the image meet: slices of both."""
        first = max(-(-(self.start - remainder) // self.stride), 0)
        at = first * self.stride + remainder - self.start
        count = max(min(length - first, -(-(self.size - at) // self.stride)), 0)
        return slice(first, first + count), slice(at, at + count * self.stride, self.stride)


def _axes(space, starts, out, kernel, stride, dilation):
    return [_Axis(*each) for each in zip(space, starts, out, kernel, stride, dilation)]


def _blocks(batch, channels, size):
    """(slice of images, slice of channels) of blocks, given the elements of an image's channel."""
    block = min(max(batch * channels * size // 2 + 1, _LEAST), _BLOCK)
    long = min(-(-_RUN // size), batch)
    deep = min(max(block // (size * long), 1), channels)
    long = min(max(block // (size * deep), long), batch)
    return [
        (slice(i, min(i + long, batch)), slice(c, min(c + deep, channels)))
        for i in range(0, batch, long)
        for c in range(0, channels, deep)
    ]


def _steps(shape):
    """How many elements each axis of a dense array moves on."""
    return [math.prod(shape[i + 1 :]) for i in range(len(shape))]


def _runs(planes, lead, starts, counts, moves):
    """A view of dense ``planes`` (*lead, images, *space): (run, *lead turned round, *counts), what some places of a kernel see."""
    steps = _steps(planes.shape[lead + 1 :])
    item = planes.itemsize
    begin = sum([a * b for a, b in zip(starts, steps)])
    strides = [a * b for a, b in zip(moves, steps)]
    length = math.prod(planes.shape[lead:]) - begin - sum([(n - 1) * s for n, s in zip(counts, strides)])
    return np.ndarray(
        (length, *planes.shape[:lead][::-1], *counts),
        planes.dtype,
        planes,
        begin * item,
        (item, *planes.strides[:lead][::-1], *[s * item for s in strides]),
    )


def conv(x, w, b, stride, pads, dilation, z):
    """The convolution of ``x`` with ``pads`` (before, after) of zeros around it, plus ``b`` or None, into ``z``."""
    batch, channels, *space = x.shape
    kernel, out = w.shape[2:], z.shape[2:]
    axes = _axes(space, [lo for lo, _ in pads], out, kernel, stride, dilation)
    lengths = [axis.out + axis.reach for axis in axes]
    each = len(w) // channels
    w, z = w.reshape(channels, each, *kernel), z.reshape(batch, channels, each, *out)
    letters = _LETTERS[: len(axes)]
    inner = tuple([slice(n) for n in out])
    bias = None if b is None else b.reshape(channels, each, *[1] * len(out))

    def block(at):
        seen = x[at].swapaxes(0, 1)
        sums = np.empty((len(seen), each, seen.shape[1], *lengths), x.dtype)
        flat = sums.reshape(len(seen), each, -1)
        for number, classes in enumerate(itertools.product(*[axis.classes for axis in axes])):
            remainders, firsts, steps, counts, starts, moves = zip(*classes)
            runs = _runs(_plane(seen, axes, remainders, lengths), 1, starts, counts, moves)
            weights = w[(at[1], slice(None), *[slice(f, None, s) for f, s in zip(firsts, steps)])]
            target = flat[..., : len(runs)].T  # (run, each, channels)
            key = f"pc{letters},ce{letters}->pec"
            if number:
                target += np.einsum(key, runs, weights, order="F")
            else:
                np.einsum(key, runs, weights, out=target, order="F")
        found = np.moveaxis(sums[(..., *inner)], 2, 0)
        if bias is None:
            z[at] = found
        else:
            np.add(found, bias[at[1]], out=z[at])

    share(block, _blocks(batch, channels, each * math.prod(lengths)))


def _plane(x, axes, remainders, lengths):
    """Every ``stride``-th element of images ``x``, from the remainder on, with zeros where there is none."""
    pairs = [axis.within(r, n) for axis, r, n in zip(axes, remainders, lengths)]
    targets, sources = zip(*pairs)
    whole = all(t == slice(n) for t, n in zip(targets, lengths))
    plane = (np.empty if whole else np.zeros)((*x.shape[:2], *lengths), x.dtype)
    plane[(..., *targets)] = x[(..., *sources)]
    return plane


def conv_input(g, w, stride, padding, dilation, x):
    """The part of the image, into ``x``."""
    batch, channels, *space = x.shape
    kernel, out = w.shape[2:], g.shape[2:]
    axes = _axes(space, padding, out, kernel, stride, dilation)
    lengths = [axis.reach + max((axis.size - 1 + axis.start) // axis.stride + 1, axis.out) for axis in axes]
    each = len(w) // channels
    w, g = w.reshape(channels, each, *kernel), g.reshape(batch, channels, each, *out)
    letters = _LETTERS[: len(axes)]
    inner = tuple([slice(axis.reach, axis.reach + axis.out) for axis in axes])
    all_seen = all(len(axis.classes) == axis.stride for axis in axes)

    def block(at):
        seen, target = np.moveaxis(g[at], 0, 2), x[at].swapaxes(0, 1)
        if not all_seen:
            target[...] = 0
        wide = np.zeros((*seen.shape[:3], *lengths), g.dtype)
        wide[(..., *inner)] = seen
        sums = np.empty((len(seen), seen.shape[2], *lengths), g.dtype)
        flat = sums.reshape(len(seen), -1)
        for classes in itertools.product(*[axis.classes for axis in axes]):
            remainders, firsts, steps, counts, starts, moves = zip(*classes)
            # the last place sees the first element
            begins = [
                axis.reach - s - (n - 1) * move for axis, s, n, move in zip(axes, starts, counts, moves)
            ]
            runs = _runs(wide, 2, begins, counts, moves)
            weights = w[(at[1], slice(None), *[slice(f, None, s) for f, s in zip(firsts, steps)])]
            weights = np.flip(weights, tuple(range(2, weights.ndim)))
            key = f"pec{letters},ce{letters}->pc"
            np.einsum(key, runs, np.ascontiguousarray(weights), out=flat[..., : len(runs)].T, order="F")
            pairs = [axis.within(r, n) for axis, r, n in zip(axes, remainders, lengths)]
            target[(..., *[into for _, into in pairs])] = sums[(..., *[of for of, _ in pairs])]

    share(block, _blocks(batch, channels, each * math.prod(lengths)))


def conv_weight(g, x, kernel, stride, pads, dilation):
    """The part of the weights: (C * each, 1, *kernel)."""
    batch, channels, *space = x.shape
    out = g.shape[2:]
    axes = _axes(space, [lo for lo, _ in pads], out, kernel, stride, dilation)
    lengths = [axis.out + axis.reach for axis in axes]
    each = g.shape[1] // channels
    g = g.reshape(batch, channels, each, *out)
    inner = tuple([slice(n) for n in out])
    letters = _LETTERS[: len(axes)]
    blocks = _blocks(batch, channels, each * math.prod(lengths))
    images = blocks[0][0].stop
    sums = np.zeros((-(-batch // images), channels, each, *kernel), g.dtype)

    def block(at):
        seen = x[at].swapaxes(0, 1)
        wide = np.zeros((len(seen), each, seen.shape[1], *lengths), g.dtype)
        wide[(..., *inner)] = np.moveaxis(g[at], 0, 2)
        slopes = wide.reshape(len(seen), each, -1)
        found = sums[at[0].start // images, at[1]]
        for classes in itertools.product(*[axis.classes for axis in axes]):
            remainders, firsts, steps, counts, starts, moves = zip(*classes)
            plane = _plane(seen, axes, remainders, lengths)
            runs = _runs(plane, 1, starts, counts, moves)
            target = found[(..., *[slice(f, None, s) for f, s in zip(firsts, steps)])]
            key = f"pc{letters},pec->ce{letters}"
            np.einsum(key, runs, slopes[..., : len(runs)].T, out=target, order="C")

    share(block, blocks)
    return np.add.reduce(sums, 0).reshape(channels * each, 1, *kernel)
