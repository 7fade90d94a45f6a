"""``Blank``: an array without elements.  It has an array's shape, dtype and strides, and answers NumPy's functions by those alone.

Where it would have to know an element it raises ``NoElements``, but for one question: of two ways that a kernel may take, both lead to a result of the same shape, so
a truth value is made up (what is asked of all elements holds, what is asked of one does not).
"""

import itertools
import math

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .._arrays.memory_layout import BYTE, contiguous_strides
from .._arrays.unresolved import stored
from .._core import late


class NoElements(NotImplementedError):
    """Raised where an element is needed of an array that has none."""

    def __init__(self, why="Cannot copy out of meta tensor; no data!"):
        super().__init__(why)


class Memory:
    """What a blank array and its views share: a number of bytes, of which none exists, and an address that nothing else has."""

    __slots__ = ("nbytes", "address", "__weakref__")
    _next = itertools.count(1 << 62, 1 << 20)

    def __init__(self, nbytes):
        self.nbytes = nbytes
        self.address = next(self._next)

    def as_bytes(self):
        """All of it, as a blank array of bytes."""
        return Blank((self.nbytes,), BYTE, (1,), 0, self)


class Flags:
    """As an array's flags, as far as anybody asks."""

    __slots__ = ("c_contiguous", "f_contiguous", "writeable")
    owndata = aligned = True

    def __init__(self, array):
        self.writeable = True
        self.c_contiguous = array.is_in_order(contiguous_strides(array.shape))
        self.f_contiguous = array.is_in_order(contiguous_strides(array.shape[::-1])[::-1])

    @property
    def forc(self):
        return self.c_contiguous or self.f_contiguous

    def __getitem__(self, name):
        return getattr(self, name.lower())


def _forwarded(name):
    """A method that is NumPy's function of that name."""

    def method(self, *args, **kwargs):
        return getattr(np, name)(self, *args, **kwargs)

    return method


class Blank(NDArrayOperatorsMixin):
    """An array without elements: ``strides`` and ``offset`` are in bytes, as an array's."""

    __slots__ = ("shape", "dtype", "strides", "offset", "memory", "holds")
    is_meta = True  # what a tensor asks its array
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, shape, dtype, strides=None, offset=0, memory=None):
        self.shape = shape
        self.dtype = dtype = dtype if dtype.__class__ is np.dtype else np.dtype(dtype)
        item = dtype.itemsize
        if strides is None:
            strides = tuple([s * item for s in contiguous_strides(shape)])
        self.strides = strides
        self.offset = offset
        if memory is None:
            memory = Memory(
                item * (0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides)) // item)
                if item
                else 0
            )
        self.memory = memory
        self.holds = False  # what a truth value is taken for

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return late.ufunc_of_blank(self, ufunc, method, *inputs, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        return late.function_of_blank(self, function, types, args, kwargs)

    @property
    def tensor(self):
        """The class of the tensors that have such an array."""
        return late.meta_tensor

    @property
    def maker(self):
        """What makes an array of this kind of a shape and a dtype."""
        return type(self)

    # What it is ------------------------------------------------------------------------------------------------------------

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def flags(self):
        return Flags(self)

    @property
    def base(self):
        return None

    @property
    def address(self):
        """Where the element with index zero would be: different for different memory."""
        return self.memory.address + self.offset

    def is_in_order(self, wanted):
        """Whether the strides are these, given in elements, as far as that can be seen."""
        item = self.dtype.itemsize
        return not self.size or all(
            n == 1 or have == want * item for n, have, want in zip(self.shape, self.strides, wanted)
        )

    def __array__(self, *args, **kwargs):
        raise NoElements

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __bool__(self):
        return self.holds

    def _ask(self, *args):
        raise NoElements

    item = tolist = __int__ = __float__ = __complex__ = __index__ = tobytes = _ask

    def __repr__(self):
        return f"Blank(shape={self.shape}, dtype={self.dtype})"

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # Views -----------------------------------------------------------------------------------------------------------------

    def looking(self, shape, strides, offset=0, dtype=None):
        """A view of the same memory; ``strides`` and ``offset``, counted from here, in bytes."""
        return Blank(shape, dtype or self.dtype, strides, self.offset + offset, self.memory)

    def transpose(self, *axes):
        if len(axes) == 1 and (axes[0] is None or hasattr(axes[0], "__len__")):
            axes = axes[0]
        axes = (
            range(self.ndim)[::-1]
            if axes is None or (not len(axes) and self.ndim)
            else [_axis(a, self.ndim) for a in axes]
        )
        if sorted(axes) != list(range(self.ndim)):
            raise ValueError("axes don't match array")
        return self.looking(tuple([self.shape[a] for a in axes]), tuple([self.strides[a] for a in axes]))

    @property
    def T(self):
        return self.transpose()

    @property
    def mT(self):
        return self.swapaxes(-1, -2)

    def swapaxes(self, axis1, axis2):
        axes = list(range(self.ndim))
        i, j = _axis(axis1, self.ndim), _axis(axis2, self.ndim)
        axes[i], axes[j] = j, i
        return self.transpose(axes)

    def squeeze(self, axis=None):
        if axis is None:
            gone = {i for i, n in enumerate(self.shape) if n == 1}
        else:
            gone = {_axis(a, self.ndim) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))}
            if any(self.shape[i] != 1 for i in gone):
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        kept = [i for i in range(self.ndim) if i not in gone]
        return self.looking(tuple([self.shape[i] for i in kept]), tuple([self.strides[i] for i in kept]))

    def diagonal(self, offset=0, axis1=0, axis2=1):
        i, j = _axis(axis1, self.ndim), _axis(axis2, self.ndim)
        n, m = self.shape[i], self.shape[j]
        count = max(min(n, m - offset) if offset >= 0 else min(n + offset, m), 0)
        start = 0 if not count else offset * self.strides[j] if offset >= 0 else -offset * self.strides[i]
        kept = [k for k in range(self.ndim) if k not in (i, j)]
        shape = (*[self.shape[k] for k in kept], count)
        return self.looking(
            shape, (*[self.strides[k] for k in kept], self.strides[i] + self.strides[j]), start
        )

    def reshape(self, *shape, order="C", copy=None):
        shape = whole_shape(
            shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape, self.size
        )
        if order == "F":
            return self.transpose().reshape(shape[::-1]).transpose()
        strides = viewed_strides(self.shape, self.strides, shape, self.itemsize)
        return Blank(shape, self.dtype) if strides is None else self.looking(shape, strides)

    def ravel(self, order="C"):
        return self.reshape(-1)

    def flatten(self, order="C"):
        return Blank((self.size,), self.dtype)

    @property
    def flat(self):
        return self.reshape(-1)

    def view(self, dtype=None, type=None):
        if dtype is None or (isinstance(dtype, builtin_type) and issubclass(dtype, np.ndarray)):
            return self.looking(self.shape, self.strides)
        dtype = np.dtype(dtype)
        had, has = self.itemsize, dtype.itemsize
        if had == has:
            return self.looking(self.shape, self.strides, 0, dtype)
        if not self.shape:
            raise ValueError(
                "Changing the dtype of a 0d array is only supported if the itemsize is unchanged"
            )
        n = self.shape[-1]
        if n != 1 and self.size and self.strides[-1] != had:
            raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
        if n * had % has:
            raise ValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
            )
        return self.looking((*self.shape[:-1], n * had // has), (*self.strides[:-1], has), 0, dtype)

    def _part(self, second):
        if self.dtype.kind != "c":
            return Blank(self.shape, self.dtype) if second else self
        half = self.itemsize // 2
        return self.looking(self.shape, self.strides, half if second else 0, np.dtype(f"f{half}"))

    @property
    def real(self):
        return self._part(False)

    @real.setter
    def real(self, value):
        self._part(False)[...] = value

    @property
    def imag(self):
        return self._part(True)

    @imag.setter
    def imag(self, value):
        self._part(True)[...] = value

    def __getitem__(self, key):
        return indexed(self, key)

    def __setitem__(self, key, value):
        part = indexed(self, key)
        shape = getattr(value, "shape", None)
        if shape is not None and shape != part.shape:
            shape = tuple(shape)
            while len(shape) > part.ndim and shape[0] == 1:
                shape = shape[1:]
            if broadcast(shape, part.shape) != part.shape:
                raise ValueError(
                    f"could not broadcast input array from shape {shape} into shape {part.shape}"
                )

    def broadcast_to(self, shape):
        """A view repeated to ``shape``, with strides of zero."""
        shape = tuple(shape)
        lead = len(shape) - self.ndim
        if lead < 0 or any(n not in (1, m) for n, m in zip(self.shape, shape[lead:])):
            raise ValueError(
                f"operands could not be broadcast together with remapped shapes [original->remapped]: {self.shape} and requested shape {shape}"
            )
        strides = [s if n == m else 0 for n, m, s in zip(self.shape, shape[lead:], self.strides)]
        return self.looking(shape, (0,) * lead + tuple(strides))

    # Copies ----------------------------------------------------------------------------------------------------------------

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        dtype = np.dtype(dtype)
        if not copy and dtype == self.dtype and (order in "KA" or self.flags.c_contiguous):
            return self
        if order == "F":
            return Blank(self.shape[::-1], dtype).transpose()
        if order == "C" or self.flags.c_contiguous:
            return Blank(self.shape, dtype)
        return shaped_as(surrogate(self).astype(dtype, order), self.shape)

    def copy(self, order="C"):
        return self.astype(self.dtype, order)

    def byteswap(self, inplace=False):
        return self if inplace else self.copy()

    def conj(self):
        return self if self.dtype.kind != "c" else self.astype(self.dtype)

    conjugate = conj

    def fill(self, value):
        pass

    sort = partition = fill

    def setflags(self, write=None, align=None, uic=None):
        pass

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return array

    def put(self, indices, values, mode="raise"):
        pass


class Known(np.ndarray):
    """A small array that a kernel makes of a range or a list: it has elements, and goes along with those that have none."""

    def __getitem__(self, key):
        if _any_blank(key):
            return indexed(blank(self), key)
        return np.ndarray.__getitem__(self, key)

    def __setitem__(self, key, value):
        if _any_blank(key) or isinstance(value, Blank):
            raise NoElements("elements that are known were to be replaced by ones that are not")
        np.ndarray.__setitem__(self, key, value)

    def take(self, indices, axis=None, out=None, mode="raise"):
        x = blank(self) if isinstance(indices, Blank) else self
        return (
            np.take(x, indices, axis, out, mode)
            if x is not self
            else np.ndarray.take(self, indices, axis, out, mode)
        )

    def dot(self, other, out=None):
        return np.dot(self, other, out)

    def repeat(self, repeats, axis=None):
        if isinstance(repeats, Blank):
            raise NoElements("how often elements are repeated is not known")
        return np.ndarray.repeat(self, repeats, axis)

    def searchsorted(self, v, side="left", sorter=None):
        if isinstance(v, Blank):
            return np.searchsorted(blank(self), v, side, sorter)
        return np.ndarray.searchsorted(self, v, side, sorter)


def _any_blank(key):
    return any(isinstance(k, Blank) for k in (key if isinstance(key, tuple) else (key,)))


def blank(array):
    """An array as a blank one of its shape, dtype and strides; a blank one itself, resolved."""
    array = stored(array)
    if isinstance(array, Blank):
        return array
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    if array.flags.c_contiguous:
        return Blank(array.shape, array.dtype)
    return Blank(array.shape, array.dtype, array.strides)


builtin_type = type
for _name in [
    "sum",
    "prod",
    "mean",
    "std",
    "var",
    "max",
    "min",
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "argpartition",
    "cumsum",
    "cumprod",
    "take",
    "repeat",
    "clip",
    "round",
    "trace",
    "dot",
    "nonzero",
    "choose",
    "searchsorted",
    "compress",
]:
    setattr(Blank, _name, _forwarded(_name))


# Shapes and strides --------------------------------------------------------------------------------------------------------------


def _axis(axis, ndim):
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def broadcast(*shapes):
    """Like ``np.broadcast_shapes``, for sizes of any length; raises ValueError."""
    out: list[int] = []
    for shape in shapes:
        if len(shape) > len(out):
            out = [1] * (len(shape) - len(out)) + out
        lead = len(out) - len(shape)
        for i, n in enumerate(shape):
            if n != 1:
                if out[lead + i] not in (1, n):
                    raise ValueError(
                        "operands could not be broadcast together with shapes " + " ".join(map(str, shapes))
                    )
                out[lead + i] = n
    return tuple(out)


def whole_shape(shape, size):
    """A shape whose one unknown size, -1, is told by the number of elements."""
    shape = tuple([n.__index__() for n in shape])
    if -1 in shape:
        known = math.prod([n for n in shape if n != -1])
        if shape.count(-1) > 1 or not known or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
        shape = tuple([size // known if n == -1 else n for n in shape])
    if math.prod(shape) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    return shape


def viewed_strides(shape, strides, wanted, item):
    """The strides with which the same memory has the shape ``wanted``; None if that takes a copy."""
    if 0 in shape:
        return tuple([s * item for s in contiguous_strides(wanted)])
    runs = []  # pairs [elements, stride] of dimensions that follow one another without gaps, the outermost first
    for n, s in zip(shape, strides):
        if n == 1:
            continue
        if runs and runs[-1][1] == n * s:
            runs[-1] = [runs[-1][0] * n, s]
        else:
            runs.append([n, s])
    out: list[int] = []
    left, step = 1, item
    for n in reversed(wanted):
        if left == 1 and runs and n != 1:
            left, step = runs.pop()
        if n == 1:
            out.append(step if left != 1 or not out else out[-1] * wanted[len(wanted) - len(out)])
            continue
        if left % n:
            return None
        out.append(step)
        step *= n
        left //= n
    return tuple(reversed(out))


def surrogate(array):
    """A small array of zeros whose axes lie in memory in the order of those of ``array``; a size of two stands for all from two on."""
    if not isinstance(array, Blank):
        if isinstance(array, np.ndarray):
            array = Blank(array.shape, array.dtype, array.strides, 0, _NOWHERE)
        else:
            return array
    shape = tuple([min(n, 2) for n in array.shape])
    if array.flags.c_contiguous:
        return np.zeros(shape, array.dtype)
    item = array.itemsize
    ranks = {s: item << rank for rank, s in enumerate(sorted({abs(s) for s in array.strides if s}))}
    ranks[0] = 0
    memory = np.zeros((item << len(ranks)) // item * max(array.ndim, 1) + 1, array.dtype)
    return np.lib.stride_tricks.as_strided(memory, shape, [ranks[abs(s)] for s in array.strides])


_NOWHERE = Memory(0)


def shaped_as(small, shape, dtype=None):
    """A new blank array of ``shape`` whose axes lie in memory in the order of those of the small array."""
    dtype = small.dtype if dtype is None else dtype
    if small.flags.c_contiguous:
        return Blank(shape, dtype)
    strides = [0] * len(shape)
    step = dtype.itemsize
    for i in sorted(
        range(len(shape)), key=lambda i: (small.strides[i], -small.shape[i] if small.shape[i] != 1 else 0, -i)
    ):
        strides[i] = step
        step *= max(shape[i], 1)
    return Blank(shape, dtype, tuple(strides))


def elementwise(arrays, dtype):
    """What NumPy allocates for an elementwise result of ``dtype``: in the order of the operands."""
    shape = broadcast(*[a.shape for a in arrays])
    if all((a.flags.c_contiguous and a.ndim == len(shape)) or not a.ndim for a in arrays):
        return Blank(shape, dtype)
    small = np.nditer(
        [*[surrogate(a) for a in arrays], None],
        ["zerosize_ok", "refs_ok"],
        [["readonly"]] * len(arrays) + [["writeonly", "allocate"]],
        [None] * len(arrays) + [dtype],
    )
    return shaped_as(small.operands[-1], shape, dtype)


# Indices -------------------------------------------------------------------------------------------------------------------------


def indexed(x, key):
    """``x[key]``."""
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [np.asarray(k) if isinstance(k, list) else k for k in keys]
    taken = sum(_axes_of(k) for k in keys)
    if taken > x.ndim:
        raise IndexError(
            f"too many indices for array: array is {x.ndim}-dimensional, but {taken} were indexed"
        )
    if Ellipsis not in [k for k in keys if not _is_array(k)]:
        keys.append(Ellipsis)
    shape, strides, offset = [], [], 0
    axis = 0
    found = []  # pairs (place in the result, shape of the index) of indices that are arrays
    for k in keys:
        if k is Ellipsis:
            n = x.ndim - taken
            shape += x.shape[axis : axis + n]
            strides += x.strides[axis : axis + n]
            axis += n
        elif k is None:
            shape.append(1)
            strides.append(0)
        elif isinstance(k, slice):
            start, stop, step = k.indices(x.shape[axis])
            n = len(range(start, stop, step))
            shape.append(n)
            strides.append(x.strides[axis] * step)
            offset += start * x.strides[axis] if n else 0
            axis += 1
        elif _is_array(k):
            if k.dtype.kind == "b":
                if k.shape != x.shape[axis : axis + k.ndim]:
                    raise IndexError("boolean index did not match indexed array")
                # what a kernel selects by a mask without elements it puts back: it is taken for all there is
                found.append((len(shape), (k.size if isinstance(k, Blank) else int(np.count_nonzero(k)),)))
                axis += k.ndim
            else:
                found.append((len(shape), k.shape))
                axis += 1
        else:
            i, n = k.__index__(), x.shape[axis]
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
            offset += i % n * x.strides[axis]
            axis += 1
            found.append((len(shape), None))  # beside arrays an integer is one
    of_arrays = [s for _, s in found if s is not None]
    if not of_arrays:
        return x.looking(tuple(shape), tuple(strides), offset)
    common = broadcast(*of_arrays)
    places = [place for place, _ in found]
    first = places[0] if _adjacent(keys) else 0
    return Blank((*shape[:first], *common, *shape[first:]), x.dtype)


def _is_array(k):
    return isinstance(k, (np.ndarray, Blank)) and (k.ndim > 0 or k.dtype.kind == "b" or isinstance(k, Blank))


def _axes_of(k):
    if k is None or k is Ellipsis:
        return 0
    return k.ndim if _is_array(k) and k.dtype.kind == "b" else 1


def _adjacent(keys):
    """Whether the indices that are arrays or integers stand beside one another."""
    kinds = [not (k is None or k is Ellipsis or isinstance(k, slice)) for k in keys]
    places = [i for i, kind in enumerate(kinds) if kind]
    return places == list(range(places[0], places[-1] + 1))
