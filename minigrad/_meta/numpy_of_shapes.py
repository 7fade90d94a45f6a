"""What NumPy's functions do with blank arrays: shapes by their own rules; dtypes, order in memory and errors as NumPy has them for small arrays.

``apply_ufunc`` is what NumPy calls for ufuncs of blank operands, ``RULES`` has its other functions.  ``INSTEAD`` has what stands for the functions that make arrays, and for a few that NumPy does
not hand over, where ``run.py`` runs a kernel.
"""

import itertools
import math
import re
from typing import Any

import numpy as np

from .._arrays.memory_layout import contiguous_strides
from .._core import late
from .blank import Blank, Known, NoElements, _axis, blank, broadcast, elementwise, shaped_as, surrogate

#: More elements than an array with real ones has, where a kernel makes it of a range or a list.
_MOST = 1 << 16


# Ufuncs ----------------------------------------------------------------------------------------------------------------------


def apply_ufunc(self, ufunc, method, *inputs, **kwargs):
    """What ``ufunc`` returns for operands of which some are blank."""
    if method == "at":
        return None
    out = kwargs.pop("out", None) or ()
    if isinstance(out, tuple) is False:
        out = (out,)
    kwargs.pop("where", None)
    if method == "__call__":
        if ufunc.signature is not None:
            found = _generalized(ufunc, inputs, kwargs)
        else:
            found = _called(ufunc, inputs, kwargs)
    elif method == "outer":
        x, y = inputs
        found = _called(ufunc, (x.reshape(x.shape + (1,) * np.ndim(y)), y), kwargs)
    elif method == "reduceat":
        x, places = inputs[0], inputs[1]
        axis = _axis(kwargs.get("axis", inputs[2] if len(inputs) > 2 else 0), x.ndim)
        found = Blank(
            (*x.shape[:axis], len(places), *x.shape[axis + 1 :]), ufunc.reduce(np.zeros(1, x.dtype)).dtype
        )
    else:
        found = _along(ufunc, method, *inputs, **kwargs)
    if not out or all(o is None for o in out):
        return found
    several = found if isinstance(found, tuple) else (found,)
    for one, o in zip(several, out):
        if o is not None and ufunc.signature is None and broadcast(one.shape, o.shape) != tuple(o.shape):
            raise ValueError(
                f"non-broadcastable output operand with shape {o.shape} doesn't match the broadcast shape {one.shape}"
            )
    chosen = tuple([one if o is None else o for one, o in zip(several, out)])
    return chosen if len(chosen) > 1 else chosen[0]


late.ufunc_of_blank = apply_ufunc


def _smallest(x):
    """A stand-in for an operand that tells its dtype: an array without elements, or the Python number itself."""
    return np.zeros(0, x.dtype) if isinstance(x, (Blank, np.ndarray)) else x


def _called(ufunc, inputs, kwargs):
    inputs = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in inputs]
    kwargs = {k: v for k, v in kwargs.items() if k in ("dtype", "casting", "signature", "sig")}
    small = ufunc(*[_smallest(x) for x in inputs], **kwargs)
    arrays = [x for x in inputs if isinstance(x, (Blank, np.ndarray))]
    found = tuple(
        [elementwise(arrays, one.dtype) for one in (small if isinstance(small, tuple) else (small,))]
    )
    if ufunc is np.logical_not and isinstance(inputs[0], Blank):
        found[0].holds = not inputs[0].holds
    return found if len(found) > 1 else found[0]


def _along(
    ufunc, method, x, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None, **kwargs
):
    small = surrogate(x)
    if method == "accumulate":
        _axis(axis, x.ndim)
        return shaped_as(np.empty_like(ufunc.accumulate(small, axis, dtype)), x.shape)
    axes = axes_of(axis, x.ndim)
    if (
        ufunc.identity is None
        and initial is None
        and any(not x.shape[a] for a in axes)
        and 0 not in [n for i, n in enumerate(x.shape) if i not in axes]
    ):
        raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
    if any(not small.shape[a] for a in axes):
        small = np.zeros([max(n, 1) for n in small.shape], x.dtype)
    small = np.asarray(ufunc.reduce(small, axis, dtype, None, keepdims))
    found = shaped_as(small, reduced_shape(x.shape, axes, keepdims))
    found.holds = ufunc is np.logical_and
    return found


def axes_of(axis, ndim):
    """The axes that NumPy's argument ``axis`` stands for."""
    if axis is None or (not ndim and axis in (0, -1, (0,), (-1,), ())):
        return list(range(ndim))
    return [_axis(a, ndim) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))]


def reduced_shape(shape, axes, keepdims):
    return tuple([1 if i in axes else n for i, n in enumerate(shape) if keepdims or i not in axes])


_CORE = re.compile(r"\(([^)]*)\)")


def _generalized(ufunc, inputs, kwargs):
    """A ufunc on the last axes of its operands, by its signature: ``(n?,k),(k,m?)->(n?,m?)``."""
    ins, outs = [
        [part.split(",") if part else [] for part in _CORE.findall(side)]
        for side in ufunc.signature.split("->")
    ]
    inputs = [x if isinstance(x, (Blank, np.ndarray)) else np.asarray(x) for x in inputs]
    axes = kwargs.get("axes")
    if axes is None and kwargs.get("axis") is not None:
        axes = [(kwargs["axis"],) if part else () for part in (*ins, *outs)]
    if axes is not None:
        axes = [a if isinstance(a, tuple) else (a,) for a in axes]
        inputs = [np.moveaxis(x, a, range(-len(a), 0)) if a else x for x, a in zip(inputs, axes)]
    sizes, loops = {}, []
    for x, names in zip(inputs, ins):
        core = len(names)
        missing = sum(name.endswith("?") for name in names) if x.ndim < core else 0
        if x.ndim < core - missing:
            raise ValueError(
                f"{ufunc.__name__}: Input operand does not have enough dimensions (has {x.ndim}, gufunc core with signature {ufunc.signature} requires {core})"
            )
        present = [name for name in names if not (missing and name.endswith("?"))]
        for name, n in zip(present, x.shape[x.ndim - len(present) :]):
            name = name.strip("?")
            n = _same_size(ufunc, sizes.get(name, n), n, name)
            sizes[name] = n
        for name in names:
            if name not in present:
                sizes[name.strip("?")] = None
        loops.append(x.shape[: x.ndim - len(present)])
    loop = broadcast(*loops)
    small = _dtypes_of(ufunc, inputs, kwargs)
    found = []
    least = min(
        [n for n in sizes.values() if n is not None], default=0
    )  # of a matrix: what decompositions give as many of
    for names, dtype, place in zip(outs, small, itertools.count(len(ins))):
        core = [sizes.get(name.strip("?"), least) for name in names]
        z = Blank((*loop, *[n for n in core if n is not None]), dtype)
        if axes is not None and len(axes) > place and axes[place]:
            z = np.moveaxis(z, range(-len(axes[place]), 0), axes[place])
        found.append(z)
    return tuple(found) if len(found) > 1 else found[0]


def _same_size(ufunc, have, n, name):
    if have != n:
        raise ValueError(
            f"{ufunc.__name__}: Input operand has a mismatch in its core dimension {name}, with gufunc signature {ufunc.signature} (size {n} is different from {have})"
        )
    return n


def _dtypes_of(ufunc, inputs, kwargs):
    signature = kwargs.get("signature")
    if isinstance(signature, str):
        return [np.dtype(char) for char in signature.partition("->")[2]]
    given = tuple([x.dtype for x in inputs]) + (None,) * ufunc.nout
    return ufunc.resolve_dtypes(given)[ufunc.nin :]


# Functions that NumPy hands over ---------------------------------------------------------------------------------------------------


RULES: dict[Any, Any] = {}


def rule(*functions):
    def add(rule):
        for function in functions:
            RULES[function] = rule
        return rule

    return add


def _blank(x):
    return x if isinstance(x, Blank) else Blank(np.shape(x), np.asarray(x).dtype)


def _filled(out, found):
    return found if out is None else out


@rule(np.where)
def where(condition, x=None, y=None):
    if x is None:
        raise NoElements("how many elements a condition holds for is not known without them")
    arrays = [a for a in (condition, x, y) if isinstance(a, (Blank, np.ndarray, np.generic))]
    return elementwise([_blank(a) for a in arrays], _result_type(x, y))


@rule(np.result_type)
def _result_type(*xs):
    return np.result_type(*[_smallest(x) if isinstance(x, (Blank, np.ndarray)) else x for x in xs])


@rule(np.can_cast)
def can_cast(from_, to, casting="safe"):
    return np.can_cast(from_.dtype, to, casting)


@rule(np.concatenate)
def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = [_blank(a) for a in arrays]
    first = arrays[0]
    if any(a.ndim != first.ndim for a in arrays):
        raise ValueError("all the input array dimensions must match exactly")
    axis = _axis(axis, first.ndim)
    for a in arrays:
        if a.shape[:axis] + a.shape[axis + 1 :] != first.shape[:axis] + first.shape[axis + 1 :]:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match exactly"
            )
    small = np.concatenate([surrogate(a) for a in arrays], axis)
    shape = (*first.shape[:axis], sum(a.shape[axis] for a in arrays), *first.shape[axis + 1 :])
    return _filled(out, shaped_as(small, shape, small.dtype if dtype is None else np.dtype(dtype)))


@rule(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    if isinstance(dst, Blank):
        dst[...] = src


@rule(np.put_along_axis, np.put, np.putmask, np.place, np.fill_diagonal)
def nothing(*args, **kwargs):
    return None


@rule(np.empty_like, np.zeros_like, np.ones_like)
def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    dtype = prototype.dtype if dtype is None else np.dtype(dtype)
    if shape is not None:
        shape = _as_shape(shape)
        return (
            Blank(shape, dtype)
            if len(shape) != prototype.ndim
            else shaped_as(np.empty_like(surrogate(prototype), dtype), shape)
        )
    return prototype.astype(dtype, order, copy=True)


@rule(np.full_like)
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return empty_like(a, dtype, order, subok, shape)


@rule(np.broadcast_to)
def broadcast_to(array, shape, subok=False):
    return array.broadcast_to(_as_shape(shape))


@rule(np.broadcast_arrays)
def broadcast_arrays(*arrays, subok=False):
    arrays = [_blank(a) for a in arrays]
    shape = broadcast(*[a.shape for a in arrays])
    return tuple([a if a.shape == shape else a.broadcast_to(shape) for a in arrays])


@rule(np.may_share_memory, np.shares_memory)
def may_share_memory(a, b, max_work=None):
    return isinstance(a, Blank) and isinstance(b, Blank) and a.memory is b.memory


def _method(name):
    return lambda x, *args, **kwargs: getattr(Blank, name)(_blank(x), *args, **kwargs)


for _name in ("transpose", "swapaxes", "squeeze", "reshape", "ravel", "diagonal", "copy"):
    RULES[getattr(np, _name)] = _method(_name)
RULES[np.matrix_transpose] = lambda x: x.mT
RULES[np.shape] = lambda a: a.shape
RULES[np.ndim] = lambda a: a.ndim
RULES[np.size] = lambda a, axis=None: (
    a.size if axis is None else math.prod([a.shape[i] for i in axes_of(axis, a.ndim)])
)
RULES[np.real] = lambda val: val.real
RULES[np.imag] = lambda val: val.imag
RULES[np.iscomplexobj] = lambda x: x.dtype.kind == "c"
RULES[np.isrealobj] = lambda x: x.dtype.kind != "c"
RULES[np.astype] = lambda x, dtype, copy=True, device=None: x.astype(dtype, copy=copy)
RULES[np.array_equal] = RULES[np.allclose] = lambda a, b, *args, **kwargs: np.shape(a) == np.shape(b)


@rule(np.isreal, np.iscomplex, np.isneginf, np.isposinf)
def asked(x, out=None):
    return elementwise([x], np.dtype(bool))


def _reduction(function, initial=False):
    def reduce(a, axis=None, dtype=None, out=None, keepdims=False, **kwargs):
        small = surrogate(a)
        if 0 in small.shape:
            small = np.zeros([max(n, 1) for n in small.shape], a.dtype)
        keepdims = keepdims is True or keepdims == 1
        given = {} if dtype is None else {"dtype": dtype}
        small = np.asarray(function(small, axis=axis, keepdims=keepdims, **given))
        found = shaped_as(small, reduced_shape(a.shape, axes_of(axis, a.ndim), keepdims))
        found.holds = function is np.all
        return _filled(out, found)

    return reduce


for _function in (np.sum, np.prod, np.mean, np.std, np.var, np.nansum, np.nanmean, np.nanprod):
    RULES[_function] = _reduction(_function)


def _extreme(function):
    reduce = _reduction(function)
    return lambda a, axis=None, out=None, keepdims=False, **kwargs: reduce(a, axis, None, out, keepdims)


for _other in (
    np.max, np.min, np.amax, np.amin, np.all, np.any, np.argmax, np.argmin, np.count_nonzero, np.nanmax, np.nanmin, np.median, np.nanmedian, np.ptp,
):  # fmt: skip
    RULES[_other] = _extreme(_other)


@rule(np.cumsum, np.cumprod, np.nancumsum, np.nancumprod)
def running(a, axis=None, dtype=None, out=None):
    a = a.reshape(-1) if axis is None else a
    return _filled(out, Blank(a.shape, np.cumsum(np.zeros(1, a.dtype), dtype=dtype).dtype))


@rule(np.sort, np.partition)
def sorted_(a, *args, **kwargs):
    return a.copy("K")


@rule(np.argsort, np.argpartition)
def places(a, *args, **kwargs):
    axis = kwargs.get("axis", -1)
    return Blank((a.size,) if axis is None else a.shape, np.dtype(np.intp))


@rule(np.searchsorted)
def searchsorted(a, v, side="left", sorter=None):
    return Blank(np.shape(v), np.dtype(np.intp))


@rule(np.take)
def take(a, indices, axis=None, out=None, mode="raise"):
    a = _blank(a)
    a, axis = (a.reshape(-1), 0) if axis is None else (a, _axis(axis, a.ndim))
    return _filled(out, Blank((*a.shape[:axis], *np.shape(indices), *a.shape[axis + 1 :]), a.dtype))


@rule(np.take_along_axis)
def take_along_axis(arr, indices, axis=-1):
    arr, axis = (_blank(arr).reshape(-1), 0) if axis is None else (_blank(arr), _axis(axis, np.ndim(arr)))
    others = [
        (1 if i == axis else n, 1 if i == axis else m)
        for i, (n, m) in enumerate(zip(arr.shape, indices.shape))
    ]
    broadcast(*zip(*others))
    return Blank(
        tuple([indices.shape[i] if i == axis else max(n, m) for i, (n, m) in enumerate(others)]), arr.dtype
    )


@rule(np.repeat)
def repeat(a, repeats, axis=None):
    a, axis = (a.reshape(-1), 0) if axis is None else (a, _axis(axis, a.ndim))
    if isinstance(repeats, Blank):
        raise NoElements("how often elements are repeated is not known")
    count = a.shape[axis] * int(repeats) if not np.ndim(repeats) else int(np.sum(repeats))
    return Blank((*a.shape[:axis], count, *a.shape[axis + 1 :]), a.dtype)


@rule(np.clip)
def clip(a, a_min=None, a_max=None, out=None, **kwargs):
    given = [x for x in (a, a_min, a_max) if x is not None]
    return _filled(
        out, elementwise([x for x in given if isinstance(x, (Blank, np.ndarray))], _result_type(*given))
    )


@rule(np.round)
def round_(a, decimals=0, out=None):
    return _filled(out, a.astype(a.dtype))


@rule(np.dot)
def dot(a, b, out=None):
    a, b = _blank(a), _blank(b)
    if not a.ndim or not b.ndim:
        return a * b
    k = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != k:
        raise ValueError(
            f"shapes {a.shape} and {b.shape} not aligned: {a.shape[-1]} (dim {a.ndim - 1}) != {k} (dim {max(b.ndim - 2, 0)})"
        )
    return _filled(
        out, Blank((*a.shape[:-1], *b.shape[:-2], *(b.shape[-1:] if b.ndim > 1 else ())), _result_type(a, b))
    )


@rule(np.vdot)
def vdot(a, b):
    return Blank((), _result_type(a, b))


@rule(np.einsum)
def einsum(subscripts, *operands, **kwargs):
    """Subscripts with all that may be in them: ``...``, and no right side."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    sizes, most = {}, ()
    for names, x in zip(terms, operands):
        before, dots, after = names.partition("...")
        if dots:
            most = broadcast(most, x.shape[len(before) : x.ndim - len(after)])
        plain = (*x.shape[: len(before)], *(x.shape[x.ndim - len(after) :] if after else ()))
        for name, n in zip(before + after, plain):
            if sizes.setdefault(name, n) == 1:
                sizes[name] = n
    if not arrow:
        letters = left.replace(",", "").replace("...", "")
        right = ("..." if "..." in left else "") + "".join(
            sorted(name for name in set(letters) if letters.count(name) == 1)
        )
    before, dots, after = right.partition("...")
    return Blank(
        (*[sizes[name] for name in before], *(most if dots else ()), *[sizes[name] for name in after]),
        _result_type(*operands),
    )


@rule(np.flatnonzero)
def flatnonzero(a):
    return Blank((a.size,), np.dtype(np.intp))


@rule(np.nonzero)
def nonzero(a):
    return tuple([flatnonzero(a) for _ in range(a.ndim)])


@rule(np.bincount)
def bincount(x, weights=None, minlength=0):
    if not minlength:
        raise NoElements("how many bins there are is not known without the elements")
    return Blank((int(minlength),), np.dtype(np.intp) if weights is None else np.dtype(float))


@rule(np.unique, np.argwhere, np.extract, np.compress, np.histogram)
def refused(*args, **kwargs):
    raise NoElements("the shape of the result is not known without the elements")


@rule(np.trace)
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return _filled(out, np.sum(a.diagonal(offset, axis1, axis2), -1, dtype))


@rule(np.tril, np.triu)
def triangle(m, k=0):
    return Blank(m.shape, m.dtype)


@rule(np.isin)
def isin(element, test_elements, assume_unique=False, invert=False, **kwargs):
    return Blank(np.shape(element), np.dtype(bool))


@rule(np.interp)
def interp(x, xp, fp, **kwargs):
    return Blank(np.shape(x), np.dtype(float))


@rule(np.nan_to_num)
def nan_to_num(x, copy=True, **kwargs):
    return x.copy("K") if copy else x


# What stands for functions that make arrays, where a kernel runs ------------------------------------------------------------------


def _as_shape(shape):
    return tuple([n.__index__() for n in shape]) if hasattr(shape, "__len__") else (shape.__index__(),)


def _make(shape, dtype=float, order="C", **kwargs):
    return _in_order(Blank(_as_shape(shape), np.dtype(dtype)), order)


def _in_order(blank, order):
    return Blank(blank.shape[::-1], blank.dtype).transpose() if order == "F" else blank


def _full(shape, fill_value, dtype=None, order="C", **kwargs):
    dtype = (
        (fill_value.dtype if isinstance(fill_value, Blank) else np.asarray(fill_value).dtype)
        if dtype is None
        else dtype
    )
    return _make(shape, dtype, order)


def _eye(n, m=None, k=0, dtype=float, **kwargs):
    return Blank((n, n if m is None else m), np.dtype(dtype))


def _arange(start, stop=None, step=1, dtype=None, **kwargs):
    first, last = (0, start) if stop is None else (start, stop)
    count = max(math.ceil((last - first) / step), 0)
    if count <= _MOST:
        return _known(np.arange(first, last, step, dtype))
    return Blank((count,), np.arange(first, first + step, step, dtype).dtype)


def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, **kwargs):
    if num <= _MOST:
        return _known(np.linspace(start, stop, num, endpoint, retstep, dtype, axis))
    return Blank((num,), np.linspace(start, stop, 1, dtype=dtype).dtype)


def _indices(dimensions, dtype=int, sparse=False):
    if sparse:
        return tuple(
            [
                _arange(n).reshape([-1 if i == j else 1 for j in range(len(dimensions))])
                for i, n in enumerate(dimensions)
            ]
        )
    return Blank((len(dimensions), *dimensions), np.dtype(dtype))


def _tri(n, m=None, k=0, dtype=float, **kwargs):
    return _eye(n, m, k, dtype)


def _array(object, dtype=None, *, copy=True, order="K", ndmin=0, **kwargs):
    if isinstance(object, Blank):
        found = object.astype(object.dtype if dtype is None else dtype, order or "K", copy=bool(copy))
        return found.reshape((1,) * (ndmin - found.ndim) + found.shape) if found.ndim < ndmin else found
    if isinstance(object, (list, tuple)) and _has_blank(object):
        parts = [_array(x, dtype) for x in object]
        return Blank((len(parts), *broadcast(*[p.shape for p in parts])), _result_type(*parts))
    return _known(np.array(object, dtype, copy=copy, order=order or "K", ndmin=ndmin))


def _known(array):
    return array.view(Known) if array.size <= _MOST else blank(array)


def _has_blank(xs):
    return any(isinstance(x, Blank) or (isinstance(x, (list, tuple)) and _has_blank(x)) for x in xs)


def _asarray(a, dtype=None, order=None, **kwargs):
    if isinstance(a, Blank):
        return (
            a
            if dtype is None and order in (None, "K", "A")
            else a.astype(a.dtype if dtype is None else dtype, order or "K", copy=False)
        )
    return (
        _array(a, dtype)
        if isinstance(a, (list, tuple)) and _has_blank(a)
        else _known(np.asarray(a, dtype, order))
    )


def _ascontiguousarray(a, dtype=None, **kwargs):
    a = _asarray(a, dtype)
    if not a.ndim:
        a = a.reshape(1)
    return a.astype(a.dtype, "C", copy=False)


def _asfortranarray(a, dtype=None, **kwargs):
    a = _asarray(a, dtype)
    return a if a.flags.f_contiguous else a.astype(a.dtype, "F")


def _as_strided(x, shape=None, strides=None, subok=False, writeable=True, **kwargs):
    if not isinstance(x, Blank):
        return np.lib.stride_tricks.as_strided(x, shape, strides, subok, writeable)
    return x.looking(
        x.shape if shape is None else tuple(shape), x.strides if strides is None else tuple(strides)
    )


def _sliding_window_view(x, window_shape, axis=None, **kwargs):
    axes = axes_of(axis, x.ndim)
    windows = _as_shape(window_shape)
    shape = list(x.shape)
    for a, w in zip(axes, windows):
        shape[a] -= w - 1
    return x.looking((*shape, *windows), (*x.strides, *[x.strides[a] for a in axes]))


def _broadcast_shapes(*shapes):
    return broadcast(*[_as_shape(shape) for shape in shapes])


class _NdarrayMeta(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, (np.ndarray, Blank))

    def __getattr__(cls, name):
        def method(x, *args, **kwargs):
            return getattr(x, name)(*args, **kwargs)

        return method


class Ndarray(metaclass=_NdarrayMeta):
    """Stands for ``np.ndarray`` in kernels: blank arrays are instances too, and what is made over one is a view of it."""

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        shape = _as_shape(shape)
        if isinstance(buffer, Blank):
            dtype = np.dtype(dtype)
            strides = (
                tuple([s * dtype.itemsize for s in contiguous_strides(shape)])
                if strides is None
                else tuple(strides)
            )
            if not buffer.flags.c_contiguous:
                raise ValueError("ndarray is not contiguous")
            last = (
                0
                if 0 in shape
                else offset + sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
            )
            if last > buffer.nbytes or offset < 0:
                raise ValueError("strides is incompatible with shape of requested array and size of buffer")
            return buffer.looking(shape, strides, offset, dtype)
        if buffer is not None:
            return np.ndarray(shape, dtype, buffer, offset, strides, order)
        return Blank(shape, np.dtype(dtype), strides)


def _frombuffer(buffer, dtype=float, count=-1, offset=0):
    raise NoElements("an array on the device meta has no bytes to read")


INSTEAD = {
    np.empty: _make,
    np.zeros: _make,
    np.ones: _make,
    np.full: _full,
    np.eye: _eye,
    np.identity: _eye,
    np.tri: _tri,
    np.arange: _arange,
    np.linspace: _linspace,
    np.indices: _indices,
    np.array: _array,
    np.asarray: _asarray,
    np.asanyarray: _asarray,
    np.ascontiguousarray: _ascontiguousarray,
    np.asfortranarray: _asfortranarray,
    np.broadcast_shapes: _broadcast_shapes,
    np.frombuffer: _frombuffer,
    np.lib.stride_tricks.as_strided: _as_strided,
    np.lib.stride_tricks.sliding_window_view: _sliding_window_view,
}
