"""NumPy's functions of shapes, joining and parts as our own operators (``numpy_rules.py``)."""

import numpy as np

from .._core.tensor import of_array
from . import choose, join, padding, split
from .numpy_rules import axes_of, cast, common, flat, of, tensor

__all__ = []


# Shapes ----------------------------------------------------------------------------------------------------------------


@of(np.reshape)
def reshape(a, shape, order="C"):
    a = tensor(a)
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if order != "F":
        return a.reshape(shape)
    return a.permute(*range(a.ndim)[::-1]).reshape(shape[::-1]).permute(*range(len(shape))[::-1])


@of(np.ravel)
def ravel(a, order="C"):
    return reshape(a, -1) if order != "F" else transpose(a).reshape(-1)


@of(np.transpose, np.permute_dims)
def transpose(a, axes=None):
    a = tensor(a)
    return a.permute(tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


@of(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x):
    return tensor(x).mT


@of(np.moveaxis)
def moveaxis(a, source, destination):
    return tensor(a).moveaxis(source, destination)


@of(np.rollaxis)
def rollaxis(a, axis, start=0):
    a = tensor(a)
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    return a.moveaxis(axis, start - 1 if axis < start else start)


@of(np.swapaxes)
def swapaxes(a, axis1, axis2):
    return tensor(a).swapaxes(axis1, axis2)


@of(np.expand_dims)
def expand_dims(a, axis):
    a = tensor(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for place in sorted(i % (a.ndim + len(axes)) for i in axes):
        a = a.unsqueeze(place)
    return a


@of(np.squeeze)
def squeeze(a, axis=None):
    a = tensor(a)
    if axis is None:
        return a.squeeze()
    if any(a.shape[i] != 1 for i in axes_of(a, axis)):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a.squeeze(axes_of(a, axis))


@of(np.broadcast_to)
def broadcast_to(array, shape):
    return tensor(array).broadcast_to(shape if isinstance(shape, (tuple, list)) else (shape,))


@of(np.broadcast_arrays)
def broadcast_arrays(*args):
    return tuple(join.broadcast_tensors(*[tensor(x) for x in args]))


def at_least(function):
    """A rule for one array, or for several."""

    def rule(*arys):
        out = tuple([function(tensor(x)) for x in arys])
        return out if len(out) > 1 else out[0]

    return rule


of(np.atleast_1d)(at_least(join.atleast_1d))
of(np.atleast_2d)(at_least(join.atleast_2d))
of(np.atleast_3d)(at_least(join.atleast_3d))


@of(np.flip)
def flip(m, axis=None):
    m = tensor(m)
    return m.flip(axes_of(m, axis))


@of(np.fliplr)
def fliplr(m):
    return tensor(m).fliplr()


@of(np.flipud)
def flipud(m):
    return tensor(m).flipud()


@of(np.roll)
def roll(a, shift, axis=None):
    a = tensor(a)
    if axis is not None and isinstance(shift, int):
        shift = (shift,) * len(axes_of(a, axis))
    return a.roll(shift) if axis is None else a.roll(shift, axes_of(a, axis))


@of(np.rot90)
def rot90(m, k=1, axes=(0, 1)):
    return tensor(m).rot90(k, axes)


@of(np.tile)
def tile(A, reps):
    return tensor(A).tile(reps if isinstance(reps, (tuple, list)) else (reps,))


@of(np.repeat)
def repeat(a, repeats, axis=None):
    a, axis = flat(a, axis)
    return a.repeat_interleave(repeats if isinstance(repeats, int) else tensor(np.broadcast_to(repeats, a.shape[axis])), axis)


@of(np.concatenate, np.concat)
def concatenate(arrays, axis=0, dtype=None, casting="same_kind"):
    arrays = [cast(x, dtype) for x in arrays]
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    return join.cat(common(arrays), axis)


@of(np.stack)
def stack(arrays, axis=0, dtype=None, casting="same_kind"):
    return join.stack(common([cast(x, dtype) for x in arrays]), axis)


@of(np.vstack)
def vstack(tup):
    return join.vstack(common(tup))


@of(np.hstack)
def hstack(tup):
    return join.hstack(common(tup))


@of(np.dstack)
def dstack(tup):
    return join.dstack(common(tup))


@of(np.column_stack)
def column_stack(tup):
    return join.column_stack(common(tup))


@of(np.append)
def append(arr, values, axis=None):
    return concatenate([tensor(arr), tensor(values)], axis)


@of(np.block)
def block(arrays):
    def depth(x):
        return 1 + max(map(depth, x)) if isinstance(x, list) else 0

    levels = depth(arrays)

    def joined(x, level):
        if not isinstance(x, list):
            x = tensor(x)
            return x.reshape((1,) * (levels - x.ndim) + tuple(x.shape))
        return concatenate([joined(part, level + 1) for part in x], level - levels)

    return joined(arrays, 0)


@of(np.split)
def split_(ary, indices_or_sections, axis=0):
    n = tensor(ary).shape[axis]
    if isinstance(indices_or_sections, int) and n % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


@of(np.array_split)
def array_split(ary, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        indices_or_sections = tuple(int(i) for i in indices_or_sections)
    return list(split.tensor_split(tensor(ary), indices_or_sections, axis))


@of(np.hsplit)
def hsplit(ary, indices_or_sections):
    return split_(ary, indices_or_sections, 1 if tensor(ary).ndim > 1 else 0)


@of(np.vsplit)
def vsplit(ary, indices_or_sections):
    return split_(ary, indices_or_sections, 0)


@of(np.dsplit)
def dsplit(ary, indices_or_sections):
    return split_(ary, indices_or_sections, 2)


@of(*[np.unstack] if hasattr(np, "unstack") else [])  # since NumPy 2.1
def unstack(x, axis=0):
    return tensor(x).unbind(axis)


@of(np.meshgrid)
def meshgrid(*xi, indexing="xy"):
    xi = [tensor(x).reshape(-1) for x in xi]
    places = [1, 0, *range(2, len(xi))] if indexing == "xy" and len(xi) > 1 else range(len(xi))
    each = [x.reshape([-1 if i == place else 1 for i in range(len(xi))]) for x, place in zip(xi, places)]
    sizes = [each[list(places).index(i)].shape[i] for i in range(len(xi))]
    return tuple([x.broadcast_to(sizes).clone() for x in each])


@of(np.pad)
def pad(array, pad_width, mode="constant", constant_values=0):
    array = tensor(array)
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - array.ndim, 0)) for i in range(array.ndim)]
        pad_width = [p if isinstance(p, tuple) else (p, p) for p in pad_width]
    widths = np.broadcast_to(pad_width, (array.ndim, 2)).tolist()
    if mode == "constant":
        return padding.pad(array, [n for before, after in widths[::-1] for n in (before, after)], value=constant_values)
    for axis, (before, after) in enumerate(widths):
        places = np.pad(np.arange(array.shape[axis]), (before, after), mode)  # edge, reflect, symmetric, wrap: which elements stand where
        array = array.index_select(axis, of_array(places))
    return array


# Parts -----------------------------------------------------------------------------------------------------------------


@of(np.diag)
def diag(v, k=0):
    return tensor(v).diag(k)


@of(np.diagonal)
def diagonal(a, offset=0, axis1=0, axis2=1):
    return tensor(a).diagonal(offset, axis1, axis2)


@of(np.linalg.diagonal)
def linalg_diagonal(x, *, offset=0):
    return tensor(x).diagonal(offset, -2, -1)


@of(np.diagflat)
def diagflat(v, k=0):
    return tensor(v).diagflat(k)


@of(np.trace)
def trace(a, offset=0, axis1=0, axis2=1):
    return tensor(a).diagonal(offset, axis1, axis2).sum(-1)


@of(np.linalg.trace)
def linalg_trace(x, *, offset=0):
    return tensor(x).diagonal(offset, -2, -1).sum(-1)


@of(np.tril)
def tril(m, k=0):
    return tensor(m).tril(k)


@of(np.triu)
def triu(m, k=0):
    return tensor(m).triu(k)


@of(np.take)
def take(a, indices, axis=None):
    a, axis = flat(a, axis)
    indices = tensor(indices).long()
    places = choose.where(indices < 0, indices + a.shape[axis], indices)
    axis %= a.ndim
    return a.index_select(axis, places.reshape(-1)).reshape((*a.shape[:axis], *places.shape, *a.shape[axis + 1 :]))


@of(np.take_along_axis)
def take_along_axis(arr, indices, axis=-1):
    arr, indices = tensor(arr), tensor(indices).long()
    if axis is None:
        arr, axis = arr.reshape(-1), 0
    return arr.take_along_dim(choose.where(indices < 0, indices + arr.shape[axis], indices), axis)


@of(np.compress)
def compress(condition, a, axis=None):
    a, axis = flat(a, axis)
    return a.index_select(axis, of_array(np.flatnonzero(condition)))


@of(np.extract)
def extract(condition, arr):
    return tensor(arr).reshape(-1)[of_array(np.flatnonzero(condition))]


@of(np.where)
def where(condition, x=None, y=None):
    condition = tensor(condition)
    if x is None and y is None:
        return condition.nonzero(as_tuple=True)
    x, y = [v if isinstance(v, (bool, int, float, complex)) else tensor(v) for v in (x, y)]
    return choose.where(condition.bool(), x, y)


@of(np.select)
def select(condlist, choicelist, default=0):
    out = default
    for condition, choice in zip(condlist[::-1], choicelist[::-1]):
        out = where(condition, choice, out)
    return out


@of(np.clip)
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    low, high = a_min if min is None else min, a_max if max is None else max
    return tensor(a).clamp(*as_limits(tensor(a), low, high))


def as_limits(a, low, high):
    """Limits for ``clamp``: both tensors if one is."""
    if all(x is None or isinstance(x, (bool, int, float)) for x in (low, high)):
        return low, high
    return [None if x is None else tensor(x, a) for x in (low, high)]


@of(np.nan_to_num)
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return tensor(x).nan_to_num(nan, posinf, neginf)


@of(np.copy)
def copy(a, order="K", subok=False):
    return tensor(a).clone()
