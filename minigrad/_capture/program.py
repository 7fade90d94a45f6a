"""``Program``: what a step did, call by call of NumPy, noted while it ran.

A value is a ``Place``: where in which ``Memory`` it lies, and in what shape.  Views are places of the same memory, so writes through them need no further thought, and nothing
is noted for what only looks at memory in another way.
"""

import linecache
import math
import sys
import threading
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .._arrays import products
from .._arrays.memory_layout import address, owner_of
from .._arrays.traced import Leak, Traced, untraced
from .._core.tensor import Tensor
from ..autograd._origins import PACKAGE, in_library

__all__ = ["TAKING_OUT", "Memory", "Place", "Program", "Step", "is_of_user", "leaves_of", "spaced_copy"]

ndarray = np.ndarray


def spaced_copy(array):
    """A copy of an array whose elements lie as far apart from each other."""
    copy = array.copy("K")
    if copy.strides == array.strides or not array.size:
        return copy
    low, high = byte_bounds(array)
    block = np.zeros(high - low, np.uint8)
    copy = np.ndarray(array.shape, array.dtype, block, address(array) - low, array.strides)
    copy[...] = array
    return copy


class Memory:
    """A block of memory: ``array`` owns it; ``born`` is the number of the step that made it, None for what was there before."""

    __slots__ = ("array", "born", "low", "is_input", "number", "pristine", "refilled")

    def __init__(self, array, number, born):
        self.array = array
        self.number = number
        self.born = born
        self.low = byte_bounds(array)[0]
        self.refilled = self.is_input = False
        self.pristine: Any = None  # a copy from before the first write, of memory that was there before

    def whole(self):
        """All of it, as the array that owns it."""
        return Place(self, 0 if not self.array.size else address(self.array) - self.low, self.array)


class Place:
    """An array: ``offset`` bytes behind the start of ``memory``."""

    __slots__ = ("memory", "offset", "shape", "strides", "dtype")

    def __init__(self, memory, offset, array):
        self.memory = memory
        self.offset = offset
        self.shape, self.strides, self.dtype = array.shape, array.strides, array.dtype

    def key(self):
        """What tells places of one program apart."""
        return self.memory.number, self.offset, self.shape, self.strides, self.dtype

    def region(self):
        """What places in other shapes, of the same elements, have in common."""
        return self.memory.number, self.offset, math.prod(self.shape)

    def fills(self):
        """Whether this is the whole memory, as its owner sees it."""
        owner = self.memory.array
        return (self.shape, self.strides, self.dtype) == (owner.shape, owner.strides, owner.dtype)


class Step:
    """One call: ``results`` are the places that it makes, ``writes`` those of its operands that it writes to.

    ``kind`` is "ufunc" (results may be given as ``out``), "call", "write" or "python" (which has no arrays).
    """

    __slots__ = (
        "args",
        "draws",
        "function",
        "kind",
        "kwargs",
        "line",
        "operator",
        "results",
        "several",
        "state",
        "undo",
        "why",
        "writes",
    )

    def __init__(self, kind, function, args, kwargs, results, writes, operator, several=False):
        self.draws = False  # whether it draws random numbers: then it runs, whoever needs the result
        self.why: str | None = None  # what of an opaque call cannot be noted
        self.state: Any = None  # how far the step has come, if that may be other than at the call before: see ``Capturing.state_now``
        self.undo: Any = None  # of a draw: lets generators be where they were before
        self.several = several  # whether the function returns a tuple
        self.kind = kind
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.results = results
        self.writes = writes
        self.operator = operator
        self.line = _line_of_user()

    def where(self):
        """The line of the program that made the call, in words."""
        if self.line is None:
            return ""
        filename, number = self.line
        return f" (line {number} of {filename}: {linecache.getline(filename, number).strip()})"

    def reads(self):
        """The places among the operands."""
        return leaves_of((self.args, tuple(self.kwargs.values())))

    def changed(self):
        """The places that are made or written to."""
        return [place for place in (*self.results, *self.writes) if place is not None]

    def places(self):
        """All places of the call."""
        return [*self.reads(), *self.changed()]


def is_of_user(filename):
    """Whether a file is neither of this package nor of Python's own library."""
    return not (filename.startswith((PACKAGE, "<frozen ")) or in_library(filename))


def _line_of_user():
    """The file and number of the line outside of this package that runs."""
    frame = sys._getframe(2)
    while frame is not None and not is_of_user(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def leaves_of(tree):
    """The places in nested tuples and lists."""
    if tree.__class__ is Place:
        return [tree]
    if tree.__class__ is tuple or tree.__class__ is list:
        return [place for each in tree for place in leaves_of(each)]
    return []


class Program:
    """Notes the calls of NumPy that traced arrays take part in, while it is ``open``; afterwards they are computed, and that is all."""

    def __init__(self):
        self.steps: list[Step] = []
        self.memories: dict[int, Memory] = {}
        #: id of the owner of an argument's own memory -> the memories of the copies that are seen instead
        self.copies_of: dict[int, list[Memory]] = {}
        self.open = True
        self.operator = None  # the op that is under way, for the names in the source
        self.thread = threading.get_ident()
        self.inside = (
            0  # how many ops are under way, one in the other: a leak inside of one makes it one step
        )
        self.mark = 0  # how many steps there were when the innermost of them began
        self.reason: str | None = None  # why it was closed before its end
        self.drew = False  # whether the latest function that is one step has drawn random numbers
        self.opaquely = 0  # how many functions are under way that are one step each, whatever they do
        self.abandon: Any = None  # ends the capturing before the step's end
        self.state_now: Any = None  # see ``Step.state``
        self.new_state = True
        self.continues = False  # whether a step that cannot be noted goes on without being noted

    # Values ---------------------------------------------------------------------------------------------------------------------

    def trace(self, array):
        """``array`` as a value of this program."""
        return Traced(array, self)

    def memory(self, array, born=None):
        """The memory that an array lies in."""
        owner = owner_of(array)
        found = self.memories.get(id(owner))
        if found is None:
            if any(copy.pristine is not None for copy in self.copies_of.get(id(owner), ())):
                raise Leak(_SHARED)
            found = self.memories[id(owner)] = Memory(owner, len(self.memories), born)
        return found

    def copy_of(self, array, own):
        """The memory of ``own``, which is seen in the place of an argument's array."""
        memory = self.memory(own)
        memory.is_input = True
        self.copies_of.setdefault(id(owner_of(array)), []).append(memory)
        return memory

    def knows(self, array):
        """Whether the memory of an array has been met."""
        return id(owner_of(array)) in self.memories

    def place(self, array, born=None):
        """Where an array lies."""
        memory = self.memory(array, born)
        return Place(memory, address(array) - memory.low if array.size else 0, array)

    def encode(self, x):
        """``x`` with places for arrays."""
        if x.__class__ is Traced:
            return self.place(x.array)
        if x.__class__ is ndarray:
            return self.place(x)
        if x.__class__ is tuple or x.__class__ is list:
            return x.__class__([self.encode(y) for y in x])
        if isinstance(x, ndarray):
            raise Leak(f"an array of the class {type(x).__name__} takes part")
        return x

    def notes(self):
        """Whether calls are noted: another thread that meets what is traced here computes, and that is all."""
        return self.open and self.thread == threading.get_ident()

    def leak(self, reason):
        """Elements are about to be read: raises ``Leak``, or closes the program if the step is to go on all the same."""
        if not self.notes():
            return
        if self.inside or not self.continues:
            raise Leak(reason)
        self.abandon(reason)

    # Calls ----------------------------------------------------------------------------------------------------------------------

    def ufunc(self, ufunc, method, inputs, kwargs):
        """A ufunc, or one of its methods."""
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        if method == "at":
            return self.write(function, inputs, kwargs)
        out = kwargs.pop("out", None)
        if out is None:
            return self.call(function, inputs, kwargs, "ufunc")
        values, options = untraced(inputs), untraced(kwargs)
        if not self.notes():
            return function(*values, out=untraced(out), **options)
        if not all(z.__class__ is Traced for z in out):
            raise Leak("a result is written into an array that is not followed")
        self._follow(out)
        args, options_noted = self.encode(inputs), {k: self.encode(v) for k, v in kwargs.items()}
        function(*values, out=untraced(out), **options)
        self._note("ufunc", function, args, options_noted, [self.place(z.array) for z in out], ())
        return out[0] if len(out) == 1 else out

    def function(self, function, args, kwargs):
        """A function of NumPy that is no ufunc."""
        if function in _ABOUT or not self.notes():
            return function(*untraced(args), **untraced(kwargs))
        if function in _BY_VALUES or (function is np.where and len(args) == 1):
            raise Leak(
                f"the shape of the result of numpy.{function.__name__} depends on the elements of a tensor"
            )
        if function in _WRITING:
            return self.write(function, args, kwargs)
        if kwargs.get("out") is not None:
            raise Leak(f"numpy.{function.__name__} writes into an array")
        return self.call(function, args, kwargs)

    def call(self, function, args, kwargs, kind="call"):
        """Call ``function`` and note it, unless its result is a view of an operand."""
        if not self.notes():
            return function(*untraced(args), **untraced(kwargs))
        if function is ndarray.__getitem__ and _is_mask(args[1]):
            raise Leak("a mask selects elements: how many depends on their values")
        result = function(*untraced(args), **untraced(kwargs))
        if function in TAKING_OUT and not kwargs and len(args) == TAKING_OUT[function]:
            kind = "ufunc"
        if kind == "call" and self._looks_at(result, args):
            return Traced(result, self)
        if result.__class__ in (list, tuple) and all(self._looks_at(z, args) for z in result):
            return result.__class__([Traced(z, self) for z in result])
        return self._traced_results(kind, function, args, kwargs, result)

    def opaque(self, function, args, kwargs, why=None):
        """Call ``function`` on arrays, and note it as one step, whatever it does inside; ``why`` says what of it cannot be noted."""
        if not self.notes():
            return function(*untraced(args), **untraced(kwargs))
        _check_plain(args)
        tensors = [
            (x, x._array) for x in args if isinstance(x, Tensor)
        ]  # such as running statistics, which it may write to
        targets = [array for _, array in tensors if array.__class__ is Traced]
        if len(targets) != len(tensors) or any(
            self.memory(array.array).born is not None for array in targets
        ):
            raise Leak("a tensor that was made in the step is a parameter of an op")
        self._follow(targets)
        for step in reversed(self.steps[self.mark :]):  # drawn before the elements were asked for
            if step.undo is not None:
                step.undo()
                self.steps.remove(step)
        self.opaquely += 1
        self.drew = False
        try:
            for tensor, array in tensors:
                tensor._array = array.array
            result = function(*untraced(args), **untraced(kwargs))
        finally:
            for tensor, array in tensors:
                tensor._array = array
            self.opaquely -= 1
        if self._looks_at(result, args):
            return Traced(result, self)
        writes = tuple([self.place(array.array) for array in targets])
        traced = self._traced_results("call", function, args, kwargs, result, writes)
        self.steps[-1].why, self.steps[-1].draws = why, self.drew
        return traced

    def draw(self, function, args, kwargs):
        """Draw random numbers, as each run does: into an array that is followed, or into a new one."""
        target, *rest = args
        if not function.__name__.startswith("fill_"):
            return self._drawn(
                self._traced_results(
                    "call", function, args, kwargs, function(*untraced(args), **untraced(kwargs))
                )
            )
        if target.__class__ is Traced:
            self.write(function, args, kwargs)
            return self._drawn(target)

        def drawn(*rest, **options):
            return function(np.empty_like(target), *rest, **options)

        drawn.__name__ = function.__name__
        return self._drawn(
            self._traced_results(
                "call", drawn, rest, kwargs, function(target, *untraced(rest), **untraced(kwargs))
            )
        )

    def _drawn(self, result):
        self.steps[-1].draws = True
        return result

    def write(self, function, args, kwargs):
        """Call ``function``, which writes into its first argument and returns nothing."""
        if self.notes():
            if args[0].__class__ is not Traced:
                raise Leak("something is written into an array that is not followed")
            self._follow((args[0],))
            operands = self.encode(args), {k: self.encode(v) for k, v in kwargs.items()}
        function(*untraced(args), **untraced(kwargs))
        if self.notes():
            self._note("write", function, *operands, [], (self.place(args[0].array),))

    def check(self, function, args):
        """What ``function(*args)`` says is wrong with the elements, None if nothing is; noted, so that each run asks."""
        found = function(*untraced(args))
        if found is None and self.notes():

            def expect_none(*args):
                wrong = function(*args)
                if wrong is not None:
                    raise IndexError(f"a captured step met an index out of range: {wrong}")

            self._note("check", expect_none, self.encode(args), {}, [], ())
        return found

    def python(self, function):
        """Note that ``function()`` is called here each time."""
        self._note("python", function, (), {}, [], ())

    def trace_refilled(self, array):
        """An array that a step of Python fills anew in each run, as a value of this program."""
        self.memory(array).refilled = True
        return Traced(array, self)

    def _looks_at(self, result, args):
        """Whether a result is an array in the memory of an operand."""
        if not isinstance(result, ndarray):
            return False
        owner = owner_of(result)
        return any(owner_of(x) is owner for x in _arrays_in(untraced(args)))

    def _traced_results(self, kind, function, args, kwargs, result, writes=()):
        operands = self.encode(tuple(args)), {k: self.encode(v) for k, v in kwargs.items()}
        several = result.__class__ in (tuple, list)
        arrays = []
        for z in result if several else (result,):
            if not isinstance(z, (ndarray, np.generic)):
                raise Leak(f"{getattr(function, '__name__', 'a function')}() reads the elements of a tensor")
            arrays.append(np.asarray(z))
        if kind == "call" and not all(isinstance(z, ndarray) for z in (result if several else (result,))):
            function = _as_arrays(function, several)
        if several and len({id(owner_of(z)) for z in arrays}) < len(arrays):
            function = _apart(function)
            arrays = [z if self.knows(z) else spaced_copy(z) for z in arrays]
        born = len(self.steps)
        places = []
        for z in arrays:
            places.append(None if several and self.knows(z) else self._made(z, born))
        self._note(kind, function, *operands, places, writes, several)
        traced = [Traced(z, self) for z in arrays]
        return result.__class__(traced) if several else traced[0]

    def _made(self, z, born):
        if self.knows(z):
            raise Leak("a result uses memory that existed before the step")
        return self.place(z, born)

    def _note(self, kind, function, args, kwargs, results, writes, several=False):
        step = Step(kind, function, args, kwargs, results, writes, self.operator, several)
        if (self.new_state or kind != "ufunc") and self.state_now is not None:
            step.state, self.new_state = self.state_now(), False
        self.steps.append(step)

    def _follow(self, targets):
        """Keep what was in memory that was there before, and is about to be written to."""
        for z in targets:
            memory = self.memory(z.array)
            if memory.born is None and memory.pristine is None:
                for owner, copies in self.copies_of.items():
                    if (memory in copies and (len(copies) > 1 or owner in self.memories)) or owner == id(
                        memory.array
                    ):
                        raise Leak(_SHARED)
                memory.pristine = memory.array.copy("K")


_SHARED = "it writes to memory that an argument shares with another tensor; hand over a clone"


def _as_arrays(function, several):
    """Like ``function``, with arrays without axes in the place of NumPy's numbers."""

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        return tuple(map(np.asarray, result)) if several else np.asarray(result)

    call.__name__ = getattr(function, "__name__", "call")
    return call


def _apart(function):
    """Like ``function``, whose results share memory with each other, with results that do not."""

    def call(*args, **kwargs):
        return tuple(map(spaced_copy, function(*args, **kwargs)))

    call.__name__ = getattr(function, "__name__", "call")
    return call


def _arrays_in(x):
    if isinstance(x, ndarray):
        return [x]
    if x.__class__ is tuple or x.__class__ is list:
        return [array for y in x for array in _arrays_in(y)]
    return []


def _is_mask(key):
    if key.__class__ is tuple:
        return any(map(_is_mask, key))
    return key.__class__ is Traced and key.dtype.kind == "b"


_VALUES = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    np.dtype,
    np.generic,
    ndarray,
    Traced,
    slice,
    type,
    type(...),
    Tensor,
)


def _check_plain(x):
    """Raise ``Leak`` unless nothing but arrays and constants is in ``x``: in anything else a tensor may be hidden."""
    if x.__class__ is tuple or x.__class__ is list:
        for y in x:
            _check_plain(y)
    elif not isinstance(x, _VALUES) and not callable(x):
        raise Leak(f"a {type(x).__name__} takes part, in which a tensor may be hidden")


_ABOUT = frozenset({
    np.result_type, np.can_cast, np.min_scalar_type, np.common_type, np.ndim, np.shape, np.size, np.iscomplexobj, np.isrealobj,
    np.may_share_memory, np.shares_memory,
})  # fmt: skip
_BY_VALUES = frozenset({
    np.nonzero, np.flatnonzero, np.argwhere, np.unique, np.extract, np.compress, np.trim_zeros, np.union1d, np.intersect1d, np.setdiff1d, np.array_equal,
    np.array_equiv, np.allclose, np.isscalar, np.iterable, np.save, np.array2string, np.array_repr, np.array_str,
})  # fmt: skip
#: What can be told where to write its result, as ufuncs can: behind how many operands.
TAKING_OUT = {
    ndarray.dot: 2,
    np.dot: 2,
    products.dot: 2,
    products.dot_into: 2,
    products.dot_plus: 3,
    products.dot_plus_into: 3,
}
_WRITING = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})
