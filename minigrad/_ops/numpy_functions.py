"""NumPy's functions as our own operators, where a gradient is wanted: each rule has NumPy's names of arguments.

What a rule does not name is refused (``numpy_protocol.py``).  The rules are made of methods of tensors, so that they hold for every derivative and inside of
every transform.
"""

import inspect
import math
from collections.abc import Callable

import numpy as np

from .._core.tensor import Tensor, of_array
from . import choose, compare, cumulative, einsum, join, matmul, padding, spectral, split
from . import linalg_factors as factors
from . import linalg_functions as functions
from . import linalg_norms as norms
from . import linalg_orthogonal as orthogonal
from . import linalg_solvers as solvers
from . import linalg_spectral as spectra
from . import linalg_vectors as vectors
from .arithmetic import as_common_tensors
from .bins import searchsorted
from .convolution import conv1d
from .create import empty_like, full_like, ones_like, zeros_like
from .ranges import linspace

__all__ = []

#: NumPy's function -> its rule.  ``rule.names`` are the arguments that it takes.
FUNCTIONS: dict[Callable, Callable] = {}


def of(*known):
    """Enter a rule for functions of NumPy's."""

    def enter(rule):
        rule.names = frozenset(inspect.signature(rule).parameters)
        FUNCTIONS.update(dict.fromkeys(known, rule))
        return rule

    return enter


def tensor(x, like=None):
    """``x``, whatever NumPy takes for an array, as a tensor; numbers take the dtype that they have beside ``like``."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, (list, tuple)) and any(isinstance(part, (Tensor, list, tuple)) for part in x):
        return join.stack(common([tensor(part) for part in x]))
    if like is not None and isinstance(x, (bool, int, float, complex)):
        return as_common_tensors(like, x)[1]
    return of_array(np.asarray(x))


def common(xs):
    """Tensors of one dtype, for what does not promote by itself."""
    xs = [tensor(x) for x in xs]
    found = np.result_type(*[x._array.dtype for x in xs])
    dtype = next((x.dtype for x in xs if x._array.dtype == found), None) or of_array(np.empty(0, found)).dtype
    return [x.to(dtype) for x in xs]


def cast(x, dtype):
    """``x`` as a tensor, of NumPy's ``dtype`` if one is given."""
    x = tensor(x)
    return x if dtype is None else x.to(of_array(np.empty(0, dtype)).dtype)


def axes_of(x, axis):
    """An axis, several, or None for all, as a tuple."""
    return tuple(range(x.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def as_one(x, axis, keepdims):
    """``(x, dim, restore)``: the axes moved together into one, and what puts the axes of a result that lost ``dim`` right."""
    axes = [a % x.ndim for a in axes_of(x, axis)] if x.ndim else []
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [1 if a in axes else n for a, n in enumerate(x.shape)]
    one = x.permute(*kept, *axes).reshape((*[x.shape[a] for a in kept], -1)) if x.ndim else x.reshape(1)
    return one, -1, (lambda z: z.reshape((*z.shape[: z.ndim - len(kept)], *shape))) if keepdims else (lambda z: z)


# Reductions ----------------------------------------------------------------------------------------------------------


@of(np.sum)
def sum_(a, axis=None, dtype=None, keepdims=False, initial=0, where=True):
    a = cast(a, dtype)
    if where is not True:
        a = choose.where(tensor(where), a, 0)
    z = a.sum(axis, keepdims)
    return z if initial.__class__ is int and not initial else z + initial


@of(np.prod)
def prod(a, axis=None, dtype=None, keepdims=False, initial=1):
    a, dim, restore = as_one(cast(a, dtype), axis, keepdims)
    z = restore(a.prod(dim))
    return z if initial.__class__ is int and initial == 1 else z * initial


@of(np.mean)
def mean(a, axis=None, dtype=None, keepdims=False, where=True):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    if where is not True:
        mask = tensor(where).broadcast_to(a.shape)
        return sum_(a, axis, None, keepdims, where=mask) / sum_(mask, axis, None, keepdims)
    return a.mean(axis, keepdims)


@of(np.var)
def var(a, axis=None, dtype=None, ddof=0, keepdims=False, correction=None):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    return a.var(axes_of(a, axis), correction=ddof if correction is None else correction, keepdim=keepdims)


@of(np.std)
def std(a, axis=None, dtype=None, ddof=0, keepdims=False, correction=None):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    return a.std(axes_of(a, axis), correction=ddof if correction is None else correction, keepdim=keepdims)


@of(np.max, np.amax)
def max_(a, axis=None, keepdims=False):
    a = tensor(a)
    return a.amax(axes_of(a, axis), keepdims)


@of(np.min, np.amin)
def min_(a, axis=None, keepdims=False):
    a = tensor(a)
    return a.amin(axes_of(a, axis), keepdims)


@of(np.ptp)
def ptp(a, axis=None, keepdims=False):
    return max_(a, axis, keepdims) - min_(a, axis, keepdims)


@of(np.any)
def any_(a, axis=None, keepdims=False):
    a, dim, restore = as_one(tensor(a), axis, keepdims)
    return restore(a.any(dim))


@of(np.all)
def all_(a, axis=None, keepdims=False):
    a, dim, restore = as_one(tensor(a), axis, keepdims)
    return restore(a.all(dim))


@of(np.count_nonzero)
def count_nonzero(a, axis=None, keepdims=False):
    return sum_(tensor(a) != 0, axis, None, keepdims)


@of(np.argmax)
def argmax(a, axis=None, keepdims=False):
    return a.argmax(axis, keepdims)


@of(np.argmin)
def argmin(a, axis=None, keepdims=False):
    return a.argmin(axis, keepdims)


def without_nan(a, value):
    """``a`` with ``value`` where it is nan."""
    return choose.where(a.isnan(), value, a)


@of(np.nansum)
def nansum(a, axis=None, dtype=None, keepdims=False):
    return sum_(without_nan(tensor(a), 0), axis, dtype, keepdims)


@of(np.nanprod)
def nanprod(a, axis=None, dtype=None, keepdims=False):
    return prod(without_nan(tensor(a), 1), axis, dtype, keepdims)


@of(np.nanmean)
def nanmean(a, axis=None, dtype=None, keepdims=False):
    a = tensor(a)
    return mean(a, axis, dtype, keepdims, where=~a.isnan())


@of(np.nanmax)
def nanmax(a, axis=None, keepdims=False):
    return max_(without_nan(tensor(a), -math.inf), axis, keepdims)


@of(np.nanmin)
def nanmin(a, axis=None, keepdims=False):
    return min_(without_nan(tensor(a), math.inf), axis, keepdims)


def at_quantiles(method_name):
    """A rule for quantiles, which are given in shares of ``whole``."""

    def rule_for(whole):
        def rule(a, q, axis=None, method="linear", keepdims=False):
            a, dim, restore = as_one(tensor(a), axis, keepdims)
            q = tensor(q).to(a.dtype) / whole
            z = getattr(a, method_name)(q.reshape(-1), dim, interpolation=method)
            return restore(z.reshape((*q.shape, *z.shape[1:])))

        return rule

    return rule_for


of(np.quantile)(at_quantiles("quantile")(1))
of(np.percentile)(at_quantiles("quantile")(100))
of(np.nanquantile)(at_quantiles("nanquantile")(1))
of(np.nanpercentile)(at_quantiles("nanquantile")(100))


@of(np.median)
def median(a, axis=None, keepdims=False):
    return FUNCTIONS[np.quantile](a, 0.5, axis, keepdims=keepdims)


@of(np.nanmedian)
def nanmedian(a, axis=None, keepdims=False):
    return FUNCTIONS[np.nanquantile](a, 0.5, axis, keepdims=keepdims)


@of(np.average)
def average(a, axis=None, weights=None, keepdims=False):
    if weights is None:
        return mean(a, axis, None, keepdims)
    a, weights = common([a, weights])
    if weights.shape != a.shape:
        (dim,) = axes_of(a, axis)
        weights = weights.reshape([-1 if i == dim % a.ndim else 1 for i in range(a.ndim)]).broadcast_to(a.shape)
    return sum_(a * weights, axis, None, keepdims) / sum_(weights, axis, None, keepdims)


# Along an axis ---------------------------------------------------------------------------------------------------------


def flat(a, axis):
    """``(a, axis)``, where no axis means all as one."""
    a = tensor(a)
    return (a.reshape(-1), 0) if axis is None else (a, axis)


@of(np.cumsum)
def cumsum(a, axis=None, dtype=None):
    return cast(flat(a, axis)[0], dtype).cumsum(axis or 0)


@of(np.cumprod)
def cumprod(a, axis=None, dtype=None):
    return cast(flat(a, axis)[0], dtype).cumprod(axis or 0)


@of(*[np.cumulative_sum] if hasattr(np, "cumulative_sum") else [])  # since NumPy 2.1
def cumulative_sum(x, *, axis=None, dtype=None):
    return cumsum(x, axis, dtype)


@of(*[np.cumulative_prod] if hasattr(np, "cumulative_prod") else [])
def cumulative_prod(x, *, axis=None, dtype=None):
    return cumprod(x, axis, dtype)


@of(np.nancumsum)
def nancumsum(a, axis=None, dtype=None):
    return cumsum(without_nan(tensor(a), 0), axis, dtype)


@of(np.diff)
def diff(a, n=1, axis=-1):
    return tensor(a).diff(n, axis)


@of(np.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = tensor(y)
    return cumulative.trapezoid(y, dx=dx, dim=axis) if x is None else cumulative.trapezoid(y, tensor(x), dim=axis)


@of(np.gradient)
def gradient(f, *varargs, axis=None, edge_order=1):
    f = tensor(f)
    dims = axes_of(f, axis)
    if not all(isinstance(x, (int, float)) for x in varargs):
        spacing = [x if isinstance(x, Tensor) else tensor(np.asarray(x, float)).to(f.dtype) for x in varargs]
    else:
        spacing = [float(x) for x in varargs] * (len(dims) if len(varargs) == 1 else 1) or [1.0] * len(dims)
    slopes = cumulative.gradient(f, spacing=spacing, dim=dims, edge_order=edge_order)
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


@of(np.sort)
def sort(a, axis=-1, kind=None, stable=None):
    a, axis = flat(a, axis)
    return a.sort(axis).values


@of(np.argsort)
def argsort(a, axis=-1, kind=None, stable=None):
    a, axis = flat(a, axis)
    return a.argsort(axis)


@of(np.searchsorted)
def searchsorted_(a, v, side="left"):
    a, v = common([a, v])
    return searchsorted(a.detach(), v.detach(), side=side)


@of(np.interp)
def interp(x, xp, fp, left=None, right=None):
    x, places, values = common([x, xp, fp])
    k = searchsorted(places.detach(), x.detach(), right=True).clamp(1, places.shape[0] - 1)
    x0, x1, y0, y1 = places[k - 1], places[k], values[k - 1], values[k]
    z = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    z = choose.where(x < places[0], values[0] if left is None else left, z)
    return choose.where(x > places[-1], values[-1] if right is None else right, z)


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


# Element by element ------------------------------------------------------------------------------------------------------


@of(np.round, np.around)
def round_(a, decimals=0):
    return tensor(a).round(decimals=decimals)


@of(np.fix)
def fix(x):
    return tensor(x).trunc()


@of(np.sinc)
def sinc(x):
    return tensor(x).sinc()


@of(np.i0)
def i0(x):
    return tensor(x).i0()


@of(np.real)
def real(val):
    return val.real if val.is_complex() else val


@of(np.imag)
def imag(val):
    return val.imag if val.is_complex() else zeros_like(val)


@of(np.angle)
def angle(z, deg=False):
    return tensor(z).angle().rad2deg() if deg else tensor(z).angle()


@of(np.polyval)
def polyval(p, x):
    p, x = common([p, x])
    z = zeros_like(x)
    for i in range(p.shape[0]):
        z = z * x + p[i]
    return z


@of(np.vander)
def vander(x, N=None, increasing=False):
    return vectors.vander(tensor(x), N, increasing)


# Products --------------------------------------------------------------------------------------------------------------


@of(np.dot)
def dot(a, b):
    a, b = common([a, b])
    if not a.ndim or not b.ndim:
        return a * b
    return matmul.matmul(a, b) if b.ndim < 3 else einsum.tensordot(a, b, ([a.ndim - 1], [b.ndim - 2]))


@of(np.vdot)
def vdot(a, b):
    a, b = common([a, b])
    return matmul.vdot(a.reshape(-1), b.reshape(-1))


@of(np.inner)
def inner(a, b):
    return einsum.inner(*common([a, b]))


@of(np.outer, np.linalg.outer)
def outer(a, b):
    a, b = common([a, b])
    return a.reshape(-1, 1) * b.reshape(-1)


@of(np.linalg.matmul)
def linalg_matmul(x1, x2):
    return matmul.matmul(*common([x1, x2]))


@of(np.linalg.vecdot)
def vecdot(x1, x2, *, axis=-1):
    return vectors.vecdot(*common([x1, x2]), dim=axis)


@of(np.tensordot, np.linalg.tensordot)
def tensordot(a, b, axes=2):
    if not isinstance(axes, int):
        axes = [[i] if isinstance(i, int) else list(i) for i in axes]
    return einsum.tensordot(*common([a, b]), axes)


@of(np.einsum)
def einsum_(*operands, optimize=False):
    if not isinstance(operands[0], str):
        xs = iter(common(operands[: len(operands) // 2 * 2 : 2]))
        return einsum.einsum(*[x if i % 2 or i + 1 == len(operands) else next(xs) for i, x in enumerate(operands)])
    return einsum.einsum(operands[0], *common(operands[1:]))


@of(np.kron)
def kron(a, b):
    return einsum.kron(*common([a, b]))


@of(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = common([a, b])
    a, b = join.broadcast_tensors(a.moveaxis(axisa, -1), b.moveaxis(axisb, -1))
    return vectors.linalg_cross(a, b).moveaxis(-1, axisc)


@of(np.linalg.cross)
def linalg_cross(x1, x2, *, axis=-1):
    return vectors.linalg_cross(*common([x1, x2]), dim=axis)


@of(np.convolve)
def convolve(a, v, mode="full"):
    return correlated(a, tensor(v).flip(0), mode)


@of(np.correlate)
def correlate(a, v, mode="valid"):
    return correlated(a, tensor(v).conj(), mode)


def correlated(a, v, mode):
    """The sums of products of ``v`` with the parts of ``a`` at each place."""
    a, v = common([a, v])
    turned = v.shape[0] > a.shape[0]
    if turned:
        a, v = v, a
    n = v.shape[0]
    before, after = {"full": (n - 1, n - 1), "same": (n // 2, (n - 1) // 2), "valid": (0, 0)}[mode]
    if turned:
        before, after = after, before
    z = conv1d(padding.pad(a, (before, after))[None, None], v[None, None])[0, 0]
    return z.flip(0) if turned else z


@of(np.cov)
def cov(m, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    m = tensor(m)
    weights = [None if w is None else tensor(w) for w in (fweights, aweights)]
    correction = (0 if bias else 1) if ddof is None else ddof
    m = m if rowvar or m.ndim < 2 else m.mT
    return vectors.cov(m, correction=correction, fweights=weights[0], aweights=weights[1])


@of(np.corrcoef)
def corrcoef(x, rowvar=True):
    x = tensor(x)
    return vectors.corrcoef(x if rowvar or x.ndim < 2 else x.mT)


# Linear algebra --------------------------------------------------------------------------------------------------------


@of(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    return norms.norm(tensor(x), ord, axis if axis is None or isinstance(axis, int) else tuple(axis), keepdims)


@of(np.linalg.vector_norm)
def vector_norm(x, *, axis=None, keepdims=False, ord=2):
    return norms.vector_norm(tensor(x), ord, axis, keepdims)


@of(np.linalg.matrix_norm)
def matrix_norm(x, *, keepdims=False, ord="fro"):
    return norms.matrix_norm(tensor(x), ord, keepdim=keepdims)


@of(np.linalg.solve)
def solve(a, b):
    a, b = common([a, b])
    if b.ndim == 1:
        return solvers.solve(a, b[:, None])[..., 0]
    return solvers.solve(a, b.reshape((1,) * (a.ndim - b.ndim) + tuple(b.shape)))


def of_one(*known, rule):
    """Rules that take one argument, the matrix."""
    of(*known)(lambda a: rule(tensor(a)))


of_one(np.linalg.inv, rule=solvers.inv)
of_one(np.linalg.det, rule=functions.det)
of_one(np.linalg.slogdet, rule=functions.slogdet)
of_one(np.linalg.eig, rule=spectra.eig)
of_one(np.linalg.eigvals, rule=spectra.eigvals)


@of(np.linalg.pinv)
def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    return spectra.pinv(tensor(a), rtol=rcond if rtol is None else rtol, hermitian=hermitian)


@of(np.linalg.cholesky)
def cholesky(a, upper=False):
    return factors.cholesky(tensor(a), upper=upper)


@of(np.linalg.qr)
def qr(a, mode="reduced"):
    z = orthogonal.qr(tensor(a), mode)
    return z.R if mode == "r" else z


@of(np.linalg.svd)
def svd(a, full_matrices=True, compute_uv=True):
    return spectra.svd(tensor(a), full_matrices) if compute_uv else spectra.svdvals(tensor(a))


@of(np.linalg.svdvals)
def svdvals(x):
    return spectra.svdvals(tensor(x))


@of(np.linalg.eigh)
def eigh(a, UPLO="L"):
    return spectra.eigh(tensor(a), UPLO)


@of(np.linalg.eigvalsh)
def eigvalsh(a, UPLO="L"):
    return spectra.eigvalsh(tensor(a), UPLO)


@of(np.linalg.matrix_power)
def matrix_power(a, n):
    return functions.matrix_power(tensor(a), n)


@of(np.linalg.matrix_rank)
def matrix_rank(A):
    return spectra.matrix_rank(tensor(A))


@of(np.linalg.cond)
def cond(x, p=None):
    return norms.cond(tensor(x), p)


@of(np.linalg.multi_dot)
def multi_dot(arrays):
    return functions.multi_dot(common(arrays))


@of(np.linalg.tensorinv)
def tensorinv(a, ind=2):
    return solvers.tensorinv(tensor(a), ind)


@of(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    return solvers.tensorsolve(*common([a, b]), axes)


# Fourier transforms ------------------------------------------------------------------------------------------------------


def transforms(name):
    """Enter the rule for one of ``np.fft``'s transforms: along one axis, or along several."""
    transform = getattr(spectral, name)
    if name.endswith(("2", "n")):
        axes = (-2, -1) if name.endswith("2") else None

        def rule(a, s=None, axes=axes, norm=None):
            return transform(tensor(a), s, axes, norm)

    else:

        def rule(a, n=None, axis=-1, norm=None):
            return transform(tensor(a), n, axis, norm)

    of(getattr(np.fft, name))(rule)


for _name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]:
    transforms(_name)


@of(np.fft.fftshift)
def fftshift(x, axes=None):
    return spectral.fftshift(tensor(x), axes)


@of(np.fft.ifftshift)
def ifftshift(x, axes=None):
    return spectral.ifftshift(tensor(x), axes)


# What depends on shapes, or has no derivative ------------------------------------------------------------------------------


@of(np.shape)
def shape(a):
    return tensor(a).shape


@of(np.ndim)
def ndim(a):
    return tensor(a).ndim


@of(np.size)
def size(a, axis=None):
    a = tensor(a)
    return math.prod(a.shape[i] for i in axes_of(a, axis))


@of(np.zeros_like)
def zeros_like_(a, dtype=None):
    return cast(zeros_like(a), dtype)


@of(np.ones_like)
def ones_like_(a, dtype=None):
    return cast(ones_like(a), dtype)


@of(np.empty_like)
def empty_like_(prototype, dtype=None):
    return cast(empty_like(prototype), dtype)


@of(np.full_like)
def full_like_(a, fill_value, dtype=None):
    if isinstance(fill_value, (bool, int, float, complex)):
        return cast(full_like(tensor(a), fill_value), dtype)
    return cast(tensor(fill_value).broadcast_to(tensor(a).shape).to(tensor(a).dtype), dtype)


@of(np.linspace)
def linspace_(start, stop, num=50, endpoint=True, axis=0):
    start, stop = as_common_tensors(*[x if isinstance(x, (int, float, complex)) else tensor(x) for x in (start, stop)])
    steps = linspace(0, 1, num, dtype=start.dtype) if endpoint else linspace(0, 1, num + 1, dtype=start.dtype)[:-1]
    steps = steps.reshape((-1, *(1,) * max(start.ndim, stop.ndim)))
    return (start + (stop - start) * steps).moveaxis(0, axis)


@of(np.isclose)
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return compare.isclose(*common([a, b]), rtol, atol, equal_nan)


@of(np.allclose)
def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


@of(np.array_equal)
def array_equal(a1, a2, equal_nan=False):
    a1, a2 = common([a1, a2])
    same = a1 == a2
    if a1.shape != a2.shape:
        return False
    return bool((same | (a1.isnan() & a2.isnan()) if equal_nan else same).all())


@of(np.nonzero)
def nonzero(a):
    return a.nonzero(as_tuple=True)


@of(np.argwhere)
def argwhere(a):
    return a.nonzero()


@of(np.flatnonzero)
def flatnonzero(a):
    return a.reshape(-1).nonzero(as_tuple=True)[0]


@of(np.iscomplexobj)
def iscomplexobj(x):
    return tensor(x).is_complex()


@of(np.isrealobj)
def isrealobj(x):
    return not tensor(x).is_complex()


@of(np.isreal)
def isreal(x):
    return tensor(x).isreal()
