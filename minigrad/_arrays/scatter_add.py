"""Adding at places that may repeat, on raw arrays: the adjoint of every kind of indexing.

``np.add.at`` takes 0.7 ns for each element of a vector, but 7 for those of other arrays, and 5 for half precision, which is counted instead
(``np.bincount`` with weights, which sums in float64).  Adding whole rows in rounds, each of which meets no row twice, takes 1 or less.  Which is best
depends on sizes: the limits below are where they cross on the machines we measured.  All but counting add in the order in which things come, as PyTorch does.
"""

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from .copies import cast
from .traced import program_of

_FEW = 512  # elements: np.add.at is through before the others have begun
_SINGLE = np.dtype(np.float32)
_WIDE = 24  # elements of a row from which on rounds win over elements one by one


def is_half(x):
    """Whether ``x`` is of half precision."""
    return x.itemsize == 2 and x.dtype.kind in "fV"


def rounded_once(x, index, y, add, *rest):
    """``add(x, index, y, *rest)``, which adds to array ``x`` and returns it; sums of half precision are single until all is added."""
    if not is_half(x):
        return add(x, index, y, *rest)
    program = program_of((x, index, y))
    if program is not None:
        program.write(rounded_once, (x, index, y, add, *rest), {})
        return x
    x[...] = cast(add(cast(x, _SINGLE), index, cast(y, _SINGLE), *rest), x.dtype)
    return x


def add_flat(z, at, g):
    """Add the elements of ``g`` to the vector ``z`` at the indices ``at``, both in one row; returns ``z``."""
    if z.dtype.char == "e" and at.size > _FEW and z.size <= 4 * at.size:
        np.add(z, np.bincount(at, g, z.size), z, casting="same_kind")
    else:
        np.add.at(z, at, g)
    return z


def add_rows(z, at, g):
    """Add the rows of the matrix ``g`` to the rows ``at`` (not negative) of the matrix ``z``; returns ``z``."""
    width = z.shape[1]
    if width == 1:
        add_flat(z[:, 0], at, g[:, 0])
    elif g.size <= _FEW:
        np.add.at(z, at, g)
    elif width < _WIDE and z.size <= 4 * g.size and z.dtype.kind in "fc" and z.flags.c_contiguous:
        add_flat(z.reshape(-1), (at[:, None] * width + np.arange(width)).reshape(-1), g.reshape(-1))
    else:
        _add_in_rounds(z, at, g)
    return z


def _add_in_rounds(z, at, g):
    owner = np.empty(len(z), np.intp)
    left = np.arange(len(at))
    while True:
        rows = at[left]
        owner[rows[::-1]] = left[::-1]  # of equal rows the first comes last and stays
        first = owner[rows] == left
        now = left[first]
        if len(now) == len(at):
            z[at] += g
            return
        z[at[now]] += g[now]
        left = left[~first]
        if not len(left):
            return
        if len(now) * g.shape[1] < 2048:  # few rows, many times each: a round no longer pays
            break
    rows = at[left]
    order = np.argsort(rows, kind="stable")
    rows = rows[order]
    starts = np.flatnonzero(np.concatenate(([True], rows[1:] != rows[:-1])))
    z[rows[starts]] += np.add.reduceat(g[left[order]], starts, axis=0)


def flat_places(index, dim, shape):
    """Where in an array of ``shape``, as one row, the elements lie that ``index`` picks along ``dim``, for the places it covers."""
    step = math.prod(shape[dim + 1 :])
    at = index if step == 1 else index * np.intp(step)
    if index.ndim == 1:
        return at
    covered = index.shape[:dim] + index.shape[dim + 1 :]
    small = math.prod(covered) <= 4096
    return at + (_cached_offsets if small else _offsets)(covered, dim, shape)


def _offsets(covered, dim, shape):
    """What the indices in all dimensions but ``dim`` add to the place; ``covered`` are the sizes in those."""
    offsets = np.zeros((), np.intp)
    others = [d for d in range(len(shape)) if d != dim]
    for d, n in zip(others, covered):
        offsets = offsets[..., None] + np.arange(n) * math.prod(shape[d + 1 :])
    return offsets.reshape(covered[:dim] + (1,) + covered[dim:])


_cached_offsets = lru_cache(64)(_offsets)


def take_along(x, dim, index):
    """The elements of ``x`` at ``index``, whose shape is nowhere larger than x's but along ``dim``."""
    if not x.flags.c_contiguous:
        x = np.ascontiguousarray(x)
    return x.reshape(-1).take(flat_places(index, dim, x.shape))


def put_along(z, dim, index, value):
    """Set the elements of ``z``, dense in the order of its indices, at ``index`` along ``dim``; returns ``z``."""
    z.reshape(-1)[flat_places(index, dim, z.shape)] = value
    return z


def add_along(z, dim, index, g):
    """Add ``g`` to the elements of ``z``, dense in the order of its indices, at ``index`` along ``dim``; returns ``z``."""
    at = flat_places(index, dim, z.shape)
    if index.shape[dim] == 1:  # nothing can be met twice
        z.reshape(-1)[at] += g
    else:
        add_flat(z.reshape(-1), at.reshape(-1), np.ascontiguousarray(g).reshape(-1))
    return z


def add_at(shape, key, g):
    """Zeros of ``shape`` with ``g`` added at ``key``: a tuple of index arrays, masks and full slices.  The adjoint of ``x[key]``."""
    program = program_of((g, *key))
    if program is not None:  # one call: what it does depends on the class of the indices
        return program.call(add_at, (shape, key, g), {})
    z = np.zeros(shape, g.dtype)
    return z if not z.size else add_into(z, key, g)


def add_into(z, key, g):
    """Add ``g`` to ``z``, dense in the order of its indices, at ``key``, a tuple of index arrays, masks and full slices."""
    program = program_of((z, g, *key))
    if program is not None:
        program.write(add_into, (z, key, g), {})
        return z
    indexed = [k for k in key if k.__class__ is np.ndarray]
    if len(indexed) == 1 and (indexed[0].dtype.kind == "b" or indexed[0].size == 1):
        z[key] += g  # nothing can be met twice
        return z
    if g.size <= _FEW:
        np.add.at(z, key, g)
        return z
    axes, arrays, at = [], [], 0  # the axes of z that are indexed, by which arrays
    for k in key:
        if k.__class__ is not np.ndarray:
            at += 1
            continue
        for part in k.nonzero() if k.dtype.kind == "b" else (k,):
            arrays.append(part)
            axes.append(at)
            at += 1
    before = axes[0] if all(b == a + 1 for a, b in pairwise(axes)) else 0
    places = np.broadcast_shapes(*[a.shape for a in arrays])
    sizes = tuple([z.shape[d] for d in axes])
    rows = np.zeros(places, np.intp)
    for n, a in zip(sizes, arrays):
        rows = rows * n + np.where(a < 0, a + n, a)
    rest = [d for d in range(z.ndim) if d not in axes]
    n = rows.size
    # the axes of g that come from the index arrays stand where those are adjacent, else in front
    order = (*range(before, before + len(places)), *range(before), *range(before + len(places), g.ndim))
    g = g.transpose(order).reshape(n, -1)
    moved = z.transpose((*axes, *rest))
    if moved.flags.c_contiguous:
        add_rows(moved.reshape(-1, g.shape[1]), rows.reshape(-1), g)
    else:
        total = np.zeros((int(np.prod(sizes)), g.shape[1]), z.dtype)
        moved += add_rows(total, rows.reshape(-1), g).reshape(moved.shape)
    return z


# Writing at an index for every element: into ``x``, which is returned ---------------------------------------------------------


def copied(x):
    """A copy of ``x``, dense in the order of its indices."""
    return np.array(x, order="C")


def cropped(y, shape):
    """The part of ``y`` that ``index``, of ``shape``, has an index for."""
    return y if y.shape == shape else y[tuple([slice(n) for n in shape])]


def written_along(x, update):
    """Let ``update`` write into array ``x`` as one that is dense in the order of its indices, and has an axis."""
    flat = x if x.flags.c_contiguous else np.ascontiguousarray(x)
    update(flat if flat.ndim else flat.reshape(1))
    if flat is not x:
        x[...] = flat
    return x


def scattered(x, index, y, dim):
    """Write elements of ``y`` at ``index`` along ``dim`` of array ``x``."""
    if not index.size:
        return x
    index = index if index.ndim else index.reshape(1)
    y = cropped(y if y.ndim else y.reshape(1), index.shape) if y.size != 1 or y.ndim == index.ndim else y
    return written_along(x, lambda z: put_along(z, dim, index, y))


def scattered_sum(x, index, y, dim):
    """Add elements of ``y`` at ``index`` along ``dim`` of array ``x``."""
    return rounded_once(x, index, y, _scattered_sum, dim)


def _scattered_sum(x, index, y, dim):
    if not index.size:
        return x
    index = index if index.ndim else index.reshape(1)
    y = cropped(y if y.ndim else y.reshape(1), index.shape)
    return written_along(x, lambda z: add_along(z, dim, index, y))


def reduced(x, index, y, dim, reduce, include_self):
    """Reduce elements of ``y`` (with those of x, if ``include_self``) at ``index`` along ``dim`` into array ``x``."""
    if not index.size:
        return x
    index = index if index.ndim else index.reshape(1)
    y = cropped(y if y.ndim else y.reshape(1), index.shape).reshape(-1)

    def update(z):
        flat, at = z.reshape(-1), flat_places(index, dim, z.shape).reshape(-1)
        if not include_self:
            flat[at] = neutral(reduce, z.dtype)
        if reduce == "prod":
            np.multiply.at(flat, at, y)
        elif reduce == "amax":
            np.maximum.at(flat, at, y)
        elif reduce == "amin":
            np.minimum.at(flat, at, y)
        else:
            rounded_once(flat, at, y, add_flat)
            if reduce == "mean":
                count = np.bincount(at, minlength=flat.size)
                if include_self:
                    count += 1
                np.maximum(count, 1, out=count)
                flat[...] = flat // count if flat.dtype.kind in "iu" else flat / count.astype(flat.dtype)

    return written_along(x, update)


def neutral(reduce, dtype):
    """The number that changes nothing when it takes part in a reduction."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    lowest = reduce == "amax"
    if dtype.kind == "b":
        return not lowest
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if lowest else np.iinfo(dtype).max
    return -np.inf if lowest else np.inf


def product_of_others(x, index, y, dim, include_self):
    """For each element of ``y``, the product of all others that meet it at ``index`` along ``dim`` (and of x's, if ``include_self``)."""
    if not index.size:
        return np.empty(index.shape, y.dtype)
    shape = index.shape
    index = index if index.ndim else index.reshape(1)
    y = cropped(y if y.ndim else y.reshape(1), index.shape).reshape(-1)
    at = flat_places(index, dim, x.shape or (1,)).reshape(-1)
    zero = y == 0
    product = x.reshape(-1).copy() if include_self else np.ones(x.size, x.dtype)
    np.multiply.at(product, at, np.where(zero, y.dtype.type(1), y))
    zeros = np.bincount(at, zero, x.size)[at]
    z = product[at]
    z /= np.where(zero, y.dtype.type(1), y)
    return np.where(zeros == zero, z, y.dtype.type(0)).reshape(shape)


def ranks(at):
    """For each element of a vector of places, how many before it are the same."""
    order = np.argsort(at, kind="stable")
    ordered = at[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    found = np.empty(at.size, np.intp)
    found[order] = np.arange(at.size) - np.repeat(starts, np.diff(np.append(starts, at.size)))
    return found
