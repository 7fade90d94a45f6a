"""Memory that processes can share: segments, and arrays that lie in them.

A segment is a file without a name.  It is there as long as some process has it open or mapped, or as its descriptor is under way to one, and no
longer, however the processes end: there is nothing to unlink, so nothing can be left behind or be unlinked too early.  It travels as its
descriptor; the key that goes with it tells a process whether it has mapped the segment already.

Windows has no such files, but its named mappings live just as long: there a segment travels as a handle that keeps it alive, and by its name.
"""

import ctypes
import functools
import mmap
import os
import sys
import threading
import weakref

import numpy as np

from .._base.forking import held_while_forking
from .memory_layout import BYTE

WINDOWS = sys.platform == "win32"

#: The segments that this process has mapped, by their keys; and the arrays that own parts of them, by key and offset.
_segments: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_owners: weakref.WeakValueDictionary = weakref.WeakValueDictionary()

_lock = held_while_forking(threading.RLock())  # re-entrant: an array may be freed while it is held


class Segment(mmap.mmap):
    """A mapped piece of memory that processes can share; ``descriptor`` is its file, None on Windows."""

    key = b""
    descriptor = None

    def __new__(cls, key, size, descriptor):
        if WINDOWS:
            self = super().__new__(cls, -1, size, windows_name(key))
        elif sys.version_info >= (3, 13):
            self = super().__new__(cls, descriptor, size, trackfd=False)
        else:
            self = super().__new__(cls, descriptor, size)
        self.key = key
        self.descriptor = descriptor
        _segments[key] = self
        return self

    def __del__(self, close=os.close):
        descriptor, self.descriptor = self.descriptor, None
        if descriptor is not None:
            close(descriptor)


def new_segment(size):
    """A new segment of ``size`` bytes (at least one), all zero."""
    key, size = os.urandom(16), max(size, 1)
    if WINDOWS:
        return Segment(key, size, None)
    _make_room()
    descriptor = nameless_file(key)
    try:
        os.ftruncate(descriptor, size)
        return Segment(key, size, descriptor)
    except BaseException:
        os.close(descriptor)
        raise


def map_segment(key, size, descriptor):
    """The segment with this key, mapped only if it is not yet; ``descriptor``, its file, is taken over."""
    with _lock:
        segment = _segments.get(key)
        if segment is None:
            if not WINDOWS:
                _make_room()
            try:
                return Segment(key, size, descriptor)
            except BaseException:
                if descriptor is not None:
                    os.close(descriptor)
                raise
    if descriptor is not None:
        os.close(descriptor)
    return segment


def array_in_segment(segment, offset, nbytes):
    """The array of bytes that owns this part of a segment: the same one for all who ask while it lives."""
    with _lock:
        array = _owners.get((segment.key, offset))
        if array is None or array.nbytes != nbytes:
            array = _owners[segment.key, offset] = np.ndarray(nbytes, BYTE, segment, offset)
        return array


def shared_copy(elements):
    """A copy of ``elements``, an array of bytes, in a segment of its own."""
    nbytes = elements.nbytes
    segment = new_segment(nbytes)
    array = array_in_segment(segment, 0, nbytes)
    if not sys.platform.startswith("linux"):
        array[...] = elements
        return array
    write_bytes(segment.descriptor, elements)
    return array


def write_bytes(descriptor, elements, offset=0):
    """Write an array of bytes into a segment's file (on Linux; elsewhere such files can be mapped only).

    In a mapping each page would fault and be cleared first: 40 against 80 ms for 100 MB.
    """
    rest = memoryview(elements)
    while rest:
        done = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[done:], offset + done


def segment_of(owner):
    """The segment in which ``owner``, an array at the end of its chain of bases, lies; None if in none."""
    base = owner.base
    return base if base.__class__ is Segment else None


def is_mapped(owner):
    """Whether the memory of ``owner``, an array at the end of its chain of bases, is that of a file: of a segment or of any other."""
    base = owner.base
    if isinstance(base, memoryview):
        base = base.obj
    return isinstance(base, mmap.mmap) or getattr(base, "is_mapping", False)


def map_briefly(descriptor, size):
    """The first ``size`` bytes of a file, as a writable memoryview; they are unmapped when nothing looks at them any more.

    The mapping keeps no descriptor, as Python's own do before 3.13: for memory that is mapped often, and not sent on.
    """
    map_, unmap = _mapping_functions()
    address = map_(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, descriptor, 0)
    if address == ctypes.c_void_p(-1).value:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    memory = (ctypes.c_ubyte * size).from_address(address)
    memory.is_mapping = True
    weakref.finalize(memory, unmap, address, size).atexit = False
    return memoryview(memory)


@functools.cache
def _mapping_functions():
    """The C library's ``mmap`` and ``munmap``."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = (
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ssize_t,
    )  # fmt: skip
    library.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    return library.mmap, library.munmap


def offset_in_segment(owner):
    """How far into its segment ``owner`` begins, in bytes."""
    first = np.ndarray(1, BYTE, owner.base)
    return owner.__array_interface__["data"][0] - first.__array_interface__["data"][0]


def nameless_file(key):
    """The descriptor of a new, empty file without a name, in memory; ``key`` are random bytes."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("minigrad", os.MFD_CLOEXEC)
    import _posixshmem  # type: ignore[import-not-found]  # what multiprocessing.shared_memory stands on

    name = f"/mg{key.hex()[:20]}"  # macOS allows 31 characters
    descriptor = _posixshmem.shm_open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode=0o600)
    _posixshmem.shm_unlink(name)
    return descriptor


def windows_name(key):
    """The name of a segment on Windows."""
    return f"minigrad-{key.hex()}"


_room = 0


def _make_room():
    """Before segments hold most of the files that the process may have open, let it have as many open as the system allows.

    The usual limit of 1024 is for programs that call ``select``; a model of a few hundred parameters, each in a segment, comes near it.
    """
    global _room
    if 3 * len(_segments) < _room:  # a segment holds two before Python 3.13
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if 3 * len(_segments) >= soft != infinite and soft != hard:
        soft = max(soft, 10240) if hard == infinite else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    _room = sys.maxsize if soft in (infinite, hard) else soft
