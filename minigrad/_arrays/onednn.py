"""oneDNN's C interface, bound with ctypes: the library, and primitives that run on NumPy's arrays.

A primitive is made for shapes and a number of threads, which takes up to a millisecond, and kept; the least recently used one is destroyed when there are
too many.  What it wants in another layout than the arrays have is reordered before and after, in memory that all of them share: one runs
at a time.

Threads are OpenMP's.  Its waiting threads spin by default for longer than most operations take, on cores that others may need: so the library is loaded with
a small limit for that, unless the environment sets one, or the runtime is there already.  After a fork its threads are gone, and waiting for
them would never end: the child makes all primitives anew, for one thread.
"""

import ctypes
import os
import site
import sys
import threading
from collections import OrderedDict

import numpy as np

from .._base import pool, settings, threads
from .._base.forking import held_while_forking
from . import engine_settings

#: Kinds of propagation: training's forward, one without a gradient to come, and all gradients.
FORWARD, INFERENCE, BACKWARD = 64, 96, 128
F32, S32, U8 = 3, 4, 6  # dtypes
_ANY_LAYOUT, _CPU, _IN_ORDER, _USER_SCRATCHPAD, _OPENMP, _QUERY_ARGUMENT = 1, 1, 1, 1, 2, 255
_MAX_AXES = 12
#: How often a waiting thread looks before it sleeps: some 20 us.
_SPINS = "10000"
#: So many primitives are kept.
CAPACITY = 512
#: Memory for what lies between primitives is kept up to this size.
_KEPT = 1 << 26


class Arg:
    """What primitives call their arguments."""

    SRC, SRC_1, SRC_2, DST, DST_1, DST_2 = 1, 2, 3, 17, 18, 19
    WEIGHTS, WEIGHTS_1, BIAS, WORKSPACE, SCRATCHPAD = 33, 34, 41, 64, 80
    DIFF_SRC, DIFF_SRC_1, DIFF_SRC_2, DIFF_DST, DIFF_DST_1, DIFF_DST_2 = 129, 130, 131, 145, 146, 147
    DIFF_WEIGHTS, DIFF_WEIGHTS_1, DIFF_BIAS = 161, 162, 169


_Dims = ctypes.c_int64 * _MAX_AXES


class Unsupported(Exception):
    """The library has no primitive for this, or could not run it."""


class _Version(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_int), ("minor", ctypes.c_int), ("patch", ctypes.c_int), ("hash", ctypes.c_char_p),
        ("cpu_runtime", ctypes.c_uint), ("gpu_runtime", ctypes.c_uint),
    ]  # fmt: skip


class _Argument(ctypes.Structure):
    _fields_ = [("name", ctypes.c_int), ("memory", ctypes.c_void_p)]


# The library -----------------------------------------------------------------------------------------------------------------


def _places():
    """Where the library may be: beside Python, where pip and conda put it, and where the system looks."""
    name = "libdnnl.so.3" if sys.platform == "linux" else "libdnnl.3.dylib"
    bases = [sys.prefix, site.getuserbase() if site.ENABLE_USER_SITE else None]
    for base in filter(None, bases):
        path = os.path.join(base, "lib", name)
        if os.path.exists(path):
            yield path
    yield name


def _opened(path):
    """The library at ``path``, or None; what the OpenMP runtime reads when it is loaded is in the environment for that time."""
    spins = not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys()
    if spins:
        os.environ["GOMP_SPINCOUNT"] = _SPINS
    try:
        return ctypes.CDLL(path)
    except OSError:
        return None
    finally:
        if spins:
            del os.environ["GOMP_SPINCOUNT"]


def _usable(library):
    """Whether a library is of a version that we know, and has OpenMP's threads."""
    if not all(
        hasattr(library, name) for name in ("dnnl_version", "omp_set_num_threads", "omp_get_max_threads")
    ):
        return False
    library.dnnl_version.restype = ctypes.POINTER(_Version)
    version = library.dnnl_version().contents
    return version.major == 3 and version.cpu_runtime == _OPENMP


def _declare(library):
    """Say what the functions take: without, ctypes takes all numbers for C's int."""
    pointer, whole, size = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
    for name, arguments in {
        "dnnl_engine_create": (pointer, whole, size),
        "dnnl_stream_create": (pointer, pointer, ctypes.c_uint),
        "dnnl_stream_wait": (pointer,),
        "dnnl_memory_desc_create_with_strides": (pointer, whole, pointer, whole, pointer),
        "dnnl_memory_desc_create_with_tag": (pointer, whole, pointer, whole, whole),
        "dnnl_memory_desc_destroy": (pointer,),
        "dnnl_memory_desc_equal": (pointer, pointer),
        "dnnl_memory_desc_get_size": (pointer,),
        "dnnl_memory_create": (pointer, pointer, pointer, pointer),
        "dnnl_memory_set_data_handle": (pointer, pointer),
        "dnnl_memory_destroy": (pointer,),
        "dnnl_primitive_attr_create": (pointer,),
        "dnnl_primitive_attr_set_scratchpad_mode": (pointer, whole),
        "dnnl_primitive_create": (pointer, pointer),
        "dnnl_primitive_execute": (pointer, pointer, whole, pointer),
        "dnnl_primitive_destroy": (pointer,),
        "dnnl_primitive_desc_destroy": (pointer,),
        "dnnl_primitive_desc_query_md": (pointer, whole, whole),
        "dnnl_reorder_primitive_desc_create": (pointer, pointer, pointer, pointer, pointer, pointer),
        "dnnl_set_primitive_cache_capacity": (whole,),
        "dnnl_set_verbose": (whole,),
        "omp_set_num_threads": (whole,),
    }.items():
        getattr(library, name).argtypes = arguments
    library.dnnl_primitive_desc_query_md.restype = pointer
    library.dnnl_memory_desc_get_size.restype = size
    library.omp_set_num_threads.restype = None


def _check(status):
    if status:
        raise Unsupported(f"oneDNN answered {status}")


def made(function, *arguments):
    """What a function of the library makes and writes to its first argument."""
    out = ctypes.c_void_p()
    _check(function(ctypes.byref(out), *arguments))
    return out


def load():
    """Look for the library; returns whether there is one that serves."""
    global library, _engine, _stream, _attributes
    for path in _places():
        found = _opened(path)
        if found is not None and _usable(found):
            break
    else:
        return False
    try:
        _declare(found)
        _check(found.dnnl_set_primitive_cache_capacity(0))  # what we destroy is destroyed
        _engine = made(found.dnnl_engine_create, _CPU, 0)
        _stream = made(found.dnnl_stream_create, _engine, _IN_ORDER)
        _attributes = made(found.dnnl_primitive_attr_create)
        _check(found.dnnl_primitive_attr_set_scratchpad_mode(_attributes, _USER_SCRATCHPAD))
    except (Unsupported, AttributeError):  # the latter where a function is missing
        return False
    library = found
    return True


library: ctypes.CDLL | None = None
_engine = _stream = _attributes = None


# Descriptions of memory ------------------------------------------------------------------------------------------------------


def dims(values):
    """Numbers as the library takes them."""
    return _Dims(*values)


class Descriptions:
    """Descriptions of memory and of primitives that live until the ``with`` block ends."""

    def __enter__(self):
        self._made = []
        return self

    def __exit__(self, *exc):
        for destroy, made in self._made:
            destroy(made)

    def dense(self, shape, dtype=F32, strides=None):
        """An array in the order of its elements, or with strides, in elements."""
        if strides is None:
            strides, step = [], 1
            for n in reversed(shape):
                strides.insert(0, step)
                step *= max(n, 1)
        found = made(
            library.dnnl_memory_desc_create_with_strides, len(shape), dims(shape), dtype, dims(strides)
        )
        self._made.append((library.dnnl_memory_desc_destroy, found))
        return found

    def any(self, shape):
        """An array in whatever layout the primitive prefers."""
        found = made(library.dnnl_memory_desc_create_with_tag, len(shape), dims(shape), F32, _ANY_LAYOUT)
        self._made.append((library.dnnl_memory_desc_destroy, found))
        return found

    def primitive(self, name, *arguments):
        """The description of a primitive: ``name`` is that of the function without its frame."""
        create = getattr(library, f"dnnl_{name}_primitive_desc_create")
        found = made(create, _engine, *arguments, _attributes)
        self._made.append((library.dnnl_primitive_desc_destroy, found))
        return found


def wanted(description, argument):
    """The layout in which a primitive wants an argument, as a description that belongs to it; None if it takes no such argument."""
    found = library.dnnl_primitive_desc_query_md(description, _QUERY_ARGUMENT, argument)
    return ctypes.c_void_p(found) if found and library.dnnl_memory_desc_get_size(found) else None


def size_of(description):
    """The bytes of what is described."""
    return library.dnnl_memory_desc_get_size(description)


# Primitives on arrays --------------------------------------------------------------------------------------------------------


def _of_each(arguments, descriptions, names):
    """(arguments, description, name) of each primitive that an array is an argument of."""
    names = names if isinstance(names, tuple) else (names,)
    return [each for each in zip(arguments, descriptions, names) if each[2] is not None]


class Operation:
    """Primitives, one after the other, with the reorders around them.

    ``descriptions`` are those of the primitives; ``inputs`` and ``outputs`` are pairs: the argument of each primitive that an array is, or None, and the
    description of the array that will be given for it.  What several primitives want in one layout is reordered once.  Of a single primitive, neither
    description nor argument needs to be in a sequence.
    """

    def __init__(self, descriptions, inputs, outputs):
        if not isinstance(descriptions, list):
            descriptions = [descriptions]
        self._steps = []  # (primitive, number of arguments, arguments)
        self._given = []  # the memory of each array
        self._between = []  # (memory, offset) of what lies between the steps
        self._made = []
        self._size = 0
        try:
            arguments, after = [[] for _ in descriptions], []
            for names, of_array in inputs:
                known = [(of_array, self._array(of_array))]
                for given, description, name in _of_each(arguments, descriptions, names):
                    layout = wanted(description, name)
                    memory = next((m for d, m in known if library.dnnl_memory_desc_equal(d, layout)), None)
                    if memory is None:
                        memory = self._room(layout)
                        self._reorder(of_array, layout, known[0][1], memory)
                        known.append((layout, memory))
                    given.append((name, memory))
            for names, of_array in outputs:
                memory = self._array(of_array)
                for given, description, name in _of_each(arguments, descriptions, names):
                    layout = wanted(description, name)
                    if not library.dnnl_memory_desc_equal(of_array, layout):
                        inner = self._room(layout)
                        after.append((layout, of_array, inner, memory))
                        memory = inner
                    given.append((name, memory))
            for description, given in zip(descriptions, arguments):
                self._step(description, given)
            for step in after:
                self._reorder(*step)
        except BaseException:
            self.destroy()
            raise
        self._last_size = size_of(outputs[-1][1])
        self._base = None
        self._set = library.dnnl_memory_set_data_handle
        self._execute = library.dnnl_primitive_execute

    def _array(self, description):
        """The memory of an array that will be given."""
        memory = self._memory(description)
        self._given.append(memory)
        return memory

    def _memory(self, description):
        memory = made(library.dnnl_memory_create, description, _engine, None)
        self._made.append((library.dnnl_memory_destroy, memory))
        return memory

    def _room(self, description):
        """Memory of ours for what lies between steps."""
        memory = self._memory(description)
        self._between.append((memory, self._size))
        self._size += library.dnnl_memory_desc_get_size(description) + 127 & -64
        return memory

    def _reorder(self, before, after, source, target):
        description = made(
            library.dnnl_reorder_primitive_desc_create, before, _engine, after, _engine, _attributes
        )
        try:
            self._step(description, [(Arg.SRC, source), (Arg.DST, target)])
        finally:
            library.dnnl_primitive_desc_destroy(description)

    def _step(self, description, arguments):
        primitive = made(library.dnnl_primitive_create, description)
        self._made.append((library.dnnl_primitive_destroy, primitive))
        scratch = wanted(description, Arg.SCRATCHPAD)
        if scratch:
            arguments = [*arguments, (Arg.SCRATCHPAD, self._room(scratch))]
        self._steps.append((primitive, len(arguments), (_Argument * len(arguments))(*arguments)))

    def run(self, arrays):
        """Compute, on the arrays of the inputs and then of the outputs; a last one that is None is made: the bytes of a workspace."""
        if arrays[-1] is None:
            arrays[-1] = np.empty(self._last_size, np.uint8)
        if self._size:
            base = _arena.pointer(self._size)
            if base != self._base:
                for memory, offset in self._between:
                    self._set(memory, base + offset)
                self._base = base
        for memory, array in zip(self._given, arrays):
            self._set(memory, array.ctypes.data)
        for primitive, count, arguments in self._steps:
            _check(self._execute(primitive, _stream, count, arguments))
        _check(library.dnnl_stream_wait(_stream))
        if self._size > _KEPT:
            _arena.release()

    def destroy(self):
        """Give back what the library has for this."""
        while self._made:
            destroy, made = self._made.pop()
            destroy(made)


class _Arena:
    """The memory between primitives."""

    def __init__(self):
        self._array = None

    def pointer(self, size):
        """Where ``size`` bytes begin, at a multiple of 64."""
        if self._array is None or self._array.size < size + 64:
            self._array = np.empty(size + 64, np.uint8)
        return self._array.ctypes.data + 63 & -64

    def release(self):
        self._array = None


_arena = _Arena()
_kept: OrderedDict = OrderedDict()
_lock = held_while_forking(threading.RLock())
_forked = os.getpid() != engine_settings.process


def count(work):
    """How many threads an operation is to have: one if it is small, if bits are to be the same on every machine, or where threads would not get on."""
    if (
        work < engine_settings.SHARED
        or _forked
        or not threads.held
        or engine_settings.deterministic
        or settings.are_deterministic_algorithms_enabled()
    ):
        return 1
    return pool.count()


def run(key, work, make, arrays):
    """Run the operation of ``key`` on arrays, or ``make()`` it first; returns whether the library could.

    ``key`` is whatever ``make`` depends on, ``work`` decides about threads.
    """
    with _lock:
        n = count(work)
        before = library.omp_get_max_threads()
        if before != n:
            library.omp_set_num_threads(n)
        try:
            operation = _operation((*key, n), make)
            if operation is None:
                return False
            operation.run(arrays)
            return True
        except Unsupported:
            return False
        finally:
            if before != n:
                library.omp_set_num_threads(before)  # which others may use, too


def _operation(key, make):
    """The operation of ``key``, or None where the library has none."""
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    try:
        operation = make()
    except Unsupported:
        operation = None
    while len(_kept) >= max(CAPACITY, 1):
        _, oldest = _kept.popitem(last=False)
        if oldest is not None:
            oldest.destroy()
    _kept[key] = operation
    return operation


def set_verbose(level):
    """Let the library print what it computes (1), and what it makes (2), or not (0)."""
    library.dnnl_set_verbose(level)


def clear():
    """Destroy all primitives."""
    with _lock:
        for operation in _kept.values():
            if operation is not None:
                operation.destroy()
        _kept.clear()
        _arena.release()


def _after_fork():
    """The child has no threads, and what was made for some would wait for them; it is left as it is."""
    global _forked
    _forked = True
    _kept.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
