"""``Unresolved``: stands in the place of an array whose elements are the conjugates, or the negatives, of what lies in memory.

It is what a conjugate view of a tensor has: nothing is computed until somebody reads.  NumPy's functions get the elements, written out (``resolve``); views of it are as
unresolved as it is; what is assigned to it is conjugated, or negated, on its way into memory.  Shape, dtype, strides and flags are those of the array in memory.
"""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .._base.dtypes import is_complex_type
from .memory_layout import address, owner_of
from .rounding import fitted, numbers

__all__ = [
    "Unresolved",
    "conjugated_view",
    "flipped_like",
    "marked",
    "marks_of",
    "negated_view",
    "resolved",
    "same_bits",
    "seen_as",
    "stored",
    "unresolved",
]


def _of_memory(name):
    return property(lambda self: getattr(self.stored, name))


def _view(name):
    """A method that is the array's, whose result is as unresolved if it is a view."""

    def method(self, *args, **kwargs):
        return self._seen(getattr(self.stored, name)(*args, **kwargs))

    return method


class Unresolved(NDArrayOperatorsMixin):
    """The array ``stored``, of which the elements are to be ``conjugated``, ``negated``, or both."""

    __slots__ = ("stored", "conjugated", "negated")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, stored, conjugated, negated):
        self.stored = stored
        self.conjugated = conjugated
        self.negated = negated

    shape, dtype, strides, ndim, size, itemsize, nbytes, flags = map(
        _of_memory, ("shape", "dtype", "strides", "ndim", "size", "itemsize", "nbytes", "flags")
    )
    base = _of_memory("base")

    @property
    def is_meta(self):
        """Whether there are no elements: see ``_meta/blank.py``."""
        return self.stored.__class__ is not np.ndarray

    memory = property(lambda self: owner_of(self.stored), doc="What owns the memory, as of a ``Blank``.")
    address = property(
        lambda self: address(self.stored),
        doc="The address of the element with index zero, as of a ``Blank``.",
    )

    # Views ----------------------------------------------------------------------------------------------------------------------

    def seeing(self, stored):
        """Another array in the same memory, as unresolved as this one."""
        return Unresolved(stored, self.conjugated, self.negated)

    def _seen(self, z):
        """What looks at this array's memory in another way; a copy is written out."""
        if self.is_meta:
            return self.seeing(z) if z.memory is self.memory else z
        if z.__class__ is not np.ndarray:
            return self._flipped(z, np.empty_like(z))[()]
        if not z.size or np.may_share_memory(z, self.stored):
            return self.seeing(z)
        return self._flipped(z, z)

    reshape, transpose, swapaxes, squeeze, diagonal, ravel = map(
        _view, ("reshape", "transpose", "swapaxes", "squeeze", "diagonal", "ravel")
    )
    T = property(lambda self: self.seeing(self.stored.T))

    def __getitem__(self, key):
        return self._seen(self.stored[resolved(key)])

    def view(self, dtype=None):
        """The same memory, as elements of ``dtype``: the parts of numbers that are not conjugated, or two parts as one number; else those of a copy."""
        if dtype is None:
            return self.seeing(self.stored.view())
        dtype = np.dtype(dtype)
        if not self.conjugated and (_has_parts(self.dtype, dtype) or _has_parts(dtype, self.dtype)):
            return self.seeing(self.stored.view(dtype))
        return self._read_only().view(dtype)

    def __len__(self):
        return len(self.stored)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    # Elements -------------------------------------------------------------------------------------------------------------------

    def _flipped(self, x, out):
        """``out``, filled with the elements of array ``x``, conjugated and negated as those of this one are to be; it may be ``x``."""
        if x.dtype.char == "V":
            values = numbers(x)
            out[...] = fitted(self._flipped(values, np.empty_like(values)), x.dtype)
            return out
        if self.conjugated:
            x = np.conjugate(x, out=out)
        if self.negated:
            if x.dtype.kind == "b":
                raise NotImplementedError("\"neg_cpu\" not implemented for 'Bool'")
            np.negative(x, out=out)
        return out

    def resolve(self):
        """The elements in memory of their own, in which they lie as they do here."""
        x = self.stored
        if self.is_meta:
            return x.copy("K")
        if x.flags.forc or any(s < 0 or s % x.itemsize for s in x.strides) or not x.size:
            return self._flipped(x, np.empty_like(x))
        # with gaps, or repeated: whoever goes by the strides finds in the copy what he would find here
        span = 1 + sum([(n - 1) * s for n, s in zip(x.shape, x.strides)]) // x.itemsize
        memory = np.lib.stride_tricks.as_strided(x, (span,), (x.itemsize,))
        return np.ndarray(x.shape, x.dtype, self._flipped(memory, np.empty_like(memory)), 0, x.strides)

    def _read_only(self):
        """The elements in memory that nobody can write to by mistake."""
        array = self.resolve()
        array.flags.writeable = False
        return array

    def copy(self, order="C"):
        """The elements in memory of their own."""
        if self.is_meta:
            return self.stored.copy(order)
        return self._flipped(self.stored, np.empty_like(self.stored, order=order))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        """The elements as others of ``dtype``, in memory of their own."""
        return self.copy(order).astype(dtype, order, casting, subok, copy=False)

    def __setitem__(self, key, value):
        if self.is_meta:
            self.stored[key] = value
            return
        with np.errstate(all="ignore"):
            value = np.array(resolved(value), self.dtype)
            self.stored[resolved(key)] = self._flipped(value, value)

    def fill(self, value):
        """Write ``value`` into all elements."""
        self[...] = value

    def __array__(self, dtype=None, copy=None):
        array = self.copy("K") if copy else self.resolve()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __getattr__(self, name):
        """Any other attribute of an array is that of a copy; on ``meta`` that of the blank array."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self.is_meta:
            return getattr(self.stored, name)
        if not hasattr(np.ndarray, name):
            raise AttributeError(name)
        return getattr(self._read_only(), name)

    def __bool__(self):
        return bool(self.resolve())

    def __int__(self):
        return int(self.resolve())

    def __float__(self):
        return float(self.resolve())

    def __complex__(self):
        return complex(self.resolve())

    def __index__(self):
        return self.resolve().__index__()

    def __contains__(self, element):
        return element in self.resolve()

    def __repr__(self):
        return repr(self.resolve())

    # NumPy's functions ----------------------------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if not kwargs and method == "__call__":
            return ufunc(*[x.resolve() if x.__class__ is Unresolved else x for x in inputs])
        if method == "at" and inputs[0].__class__ is Unresolved:
            buffer = inputs[0].resolve()
            ufunc.at(buffer, *resolved(inputs[1:]), **kwargs)
            inputs[0][...] = buffer
            return None
        return _computed(getattr(ufunc, method), resolved(inputs), kwargs)

    def __array_function__(self, function, types, args, kwargs):
        if function in _ABOUT_MEMORY:
            return function(*[stored(x) for x in args], **kwargs)
        if function in _WRITING and args[0].__class__ is Unresolved:
            target, *rest = args
            buffer = target.resolve()
            function(buffer, *resolved(rest), **{name: resolved(x) for name, x in kwargs.items()})
            target[...] = buffer
            return None
        if function in _VIEWING:
            return self._seen(function(self.stored, *args[1:], **kwargs))
        return _computed(function, resolved(args), kwargs)


def _has_parts(whole, part):
    """Whether numbers of the dtype ``whole`` consist of two parts of the dtype ``part``."""
    return is_complex_type(whole) and part.kind == "f" and whole.itemsize == 2 * part.itemsize


_ABOUT_MEMORY = frozenset({np.may_share_memory, np.shares_memory})
_WRITING = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})
_VIEWING = frozenset(
    {np.transpose, np.swapaxes, np.moveaxis, np.squeeze, np.expand_dims, np.diagonal, np.broadcast_to, np.reshape}
)  # fmt: skip


def _computed(function, args, kwargs):
    """``function(*args, **kwargs)``, of which ``out`` may be unresolved, or one of several."""
    out = kwargs.get("out")
    kwargs = {name: resolved(x) for name, x in kwargs.items()}
    outs = out if out.__class__ is tuple else (out,)
    if not any(z.__class__ is Unresolved for z in outs):
        return function(*args, **kwargs)
    result = function(*args, **kwargs)
    for z, buffer in zip(outs, kwargs["out"] if out.__class__ is tuple else (kwargs["out"],)):
        if z.__class__ is Unresolved:
            z[...] = buffer
    return out if out.__class__ is not tuple else out[0] if len(out) == 1 else result


def resolved(x):
    """``x``, or what is unresolved written out; the elements of tuples and lists likewise."""
    if x.__class__ is Unresolved:
        return x.resolve()
    if x.__class__ is tuple or x.__class__ is list:
        return x.__class__([resolved(y) for y in x])
    return x


def stored(x):
    """The array in memory behind ``x``: what is unresolved as it lies there."""
    return x.stored if x.__class__ is Unresolved else x


def unresolved(*xs):
    """Whether any of several arrays, or of those in a tuple or list among them, is unresolved."""
    return any(
        x.__class__ is Unresolved or ((x.__class__ is tuple or x.__class__ is list) and unresolved(*x))
        for x in xs
    )


def same_bits(x, y):
    """Whether ``x`` and ``y`` are unresolved in the same way, or not at all."""
    return _bits(x) == _bits(y)


def _bits(x):
    return (x.conjugated, x.negated) if x.__class__ is Unresolved else (False, False)


def conjugated_view(x):
    """The conjugate of ``x`` in the same memory."""
    conjugated, negated = _bits(x)
    return _with_bits(x, not conjugated, negated)


def negated_view(x):
    """The negative of ``x`` in the same memory."""
    conjugated, negated = _bits(x)
    return _with_bits(x, conjugated, not negated)


def _with_bits(x, conjugated, negated):
    array = stored(x)
    return Unresolved(array, conjugated, negated) if conjugated or negated else array


def marks_of(x):
    """What pickles say of an array that is unresolved, beside the array in memory: ``{"conj": True}``; nothing of another."""
    return {name: True for name, mark in zip(("conj", "neg"), _bits(x)) if mark}


def marked(x, marks):
    """The array in memory as it was when ``marks_of`` told the marks."""
    return _with_bits(x, marks.get("conj", False), marks.get("neg", False))


def seen_as(like, array):
    """``array``, which lies in memory, as unresolved as ``like`` is."""
    return like.seeing(array) if like.__class__ is Unresolved else array


def flipped_like(like, array):
    """A copy of ``array`` with the elements conjugated and negated as those of ``like`` are; ``array`` itself, if they are not."""
    return like.seeing(array).resolve() if like.__class__ is Unresolved else array
