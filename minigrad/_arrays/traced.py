"""``Traced``: stands in the place of an array while a step is captured, and notes every call of NumPy that it takes part in.

It is no array, so elements cannot leave it unseen: NumPy hands its functions over (``__array_ufunc__``, ``__array_function__``), the array's own methods are here, and whatever
else asks for elements, a branch on a value or a loop over them, meets ``Leak``.  Underneath is a real array, and everything is computed at once: a step that is being
captured does what it always does.
"""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .memory_layout import address, owner_of

__all__ = ["Leak", "Traced", "as_array", "program_of", "untraced"]


class Leak(RuntimeError):
    """The elements of a traced array were asked for: what follows would depend on them, and not be noted."""


def _of_array(name):
    return property(lambda self: getattr(self.array, name))


def _method(name):
    """A method of arrays, noted."""
    function = getattr(np.ndarray, name)

    def method(self, *args, **kwargs):
        return self.program.call(function, (self, *args), kwargs)

    method.__name__ = name
    return method


def _leaking(name, told):
    """A method that gives elements away: refused while a program notes."""

    def method(self, *args, **kwargs):
        self.program.leak(f"{told} reads the elements of a tensor")
        return getattr(self.array, name)(*args, **kwargs)

    method.__name__ = name
    return method


class Traced(NDArrayOperatorsMixin):
    """The array ``array`` in a step that ``program`` notes."""

    __slots__ = ("array", "program")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, array, program):
        self.array = array
        self.program = program

    shape, dtype, strides, ndim, size, itemsize, nbytes, flags, base = map(
        _of_array, ("shape", "dtype", "strides", "ndim", "size", "itemsize", "nbytes", "flags", "base")
    )
    memory = property(lambda self: owner_of(self.array), doc="What owns the memory.")
    address = property(lambda self: address(self.array), doc="The address of the element with index zero.")

    (astype, copy, reshape, transpose, swapaxes, squeeze, ravel, flatten, view, sum, max, min, mean, prod, any, all, argmax, argmin, argsort, cumsum, cumprod,
     take, dot, conj, conjugate, round, clip, diagonal, repeat, trace, var, std, byteswap, searchsorted) = map(_method, (
        "astype", "copy", "reshape", "transpose", "swapaxes", "squeeze", "ravel", "flatten", "view", "sum", "max", "min", "mean", "prod", "any", "all", "argmax", "argmin", "argsort",
        "cumsum", "cumprod", "take", "dot", "conj", "conjugate", "round", "clip", "diagonal", "repeat", "trace", "var", "std", "byteswap", "searchsorted"))  # fmt: skip
    item, tolist, tobytes, nonzero, choose, compress, __array__, __reduce_ex__ = map(
        _leaking,
        ("item", "tolist", "tobytes", "nonzero", "choose", "compress", "__array__", "__reduce_ex__"),
        (
            "item()",
            "tolist()",
            "tobytes()",
            "nonzero()",
            "choose()",
            "compress()",
            "a function that takes arrays only",
            "a pickle",
        ),
    )
    __bool__, __int__, __float__, __complex__, __index__, __contains__ = map(
        _leaking,
        ("__bool__", "__int__", "__float__", "__complex__", "__index__", "__contains__"),
        ("bool(), or a branch,", "int()", "float()", "complex()", "an index", "in"),
    )
    T = property(lambda self: self.program.call(np.ndarray.transpose, (self,), {}))
    real = property(lambda self: self.program.call(np.real, (self,), {}))
    imag = property(lambda self: self.program.call(np.imag, (self,), {}))
    mT = property(lambda self: self.swapaxes(-1, -2))  # noqa: N815

    def __getitem__(self, key):
        return self.program.call(np.ndarray.__getitem__, (self, key), {})

    def __setitem__(self, key, value):
        self.program.write(np.ndarray.__setitem__, (self, key, value), {})

    def fill(self, value):
        """Write ``value`` into all elements."""
        self.program.write(np.ndarray.fill, (self, value), {})

    def sort(self, *args, **kwargs):
        """Sort in place."""
        self.program.write(np.ndarray.sort, (self, *args), kwargs)

    def seeing(self, array):
        """Another array in the same memory, as a value of the same program."""
        return Traced(array, self.program)

    def setflags(self, write=None):
        """As of an array."""
        self.array.setflags(write)

    flat = property(lambda self: self.ravel(), doc="The elements in one row; nothing is written through it.")

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (self[i] for i in range(len(self.array)))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __repr__(self):
        return f"Traced(shape={self.shape}, dtype={self.dtype})"

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return self.program.ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        return self.program.function(function, args, kwargs)


def as_array(z):
    """What a kernel returned, as an array: a NumPy number as one without axes; what is traced stays so."""
    return z if z.__class__ is Traced else np.asarray(z)


def program_of(xs):
    """The program that notes one of several arrays, None if none is traced."""
    for x in xs:
        if x.__class__ is Traced:
            return x.program
        if x.__class__ is tuple or x.__class__ is list:
            found = program_of(x)
            if found is not None:
                return found
    return None


def untraced(x):
    """``x`` with arrays in the place of what is traced; the elements of tuples, lists and dicts likewise."""
    if x.__class__ is Traced:
        return x.array
    if x.__class__ is tuple or x.__class__ is list or x.__class__ is slice:
        if x.__class__ is slice:
            return x
        return x.__class__([untraced(y) for y in x])
    if x.__class__ is dict:
        return {name: untraced(y) for name, y in x.items()}
    return x
