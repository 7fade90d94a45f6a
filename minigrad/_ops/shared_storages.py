"""What storages know of shared memory: methods of their classes in ``storage_classes.py``, bound there."""

import os

from .._arrays.shared_memory import array_in_segment, is_mapped, map_segment, new_segment
from .._base.device import check
from .process_pickles import descriptor, register, share
from .storage_classes import TypedStorage

__all__: list[str] = []


def is_shared(self):
    """Whether other processes can have the memory: it is shared memory, or a file mapped into memory."""
    return is_mapped(self._untyped_storage._owner)


def share_memory_(self):
    """Move the storage, and the tensors that look at it, to memory that processes share; returns it."""
    share(self._untyped_storage)
    return self


def _make_shared(cls, size, *, device="cpu"):
    """A storage of ``size`` bytes, all zero, in memory that processes share."""
    check(device)
    register()
    return cls.of(array_in_segment(new_segment(size), 0, size))


def _new_shared_typed(self, size, *, device=None):
    """A storage of ``size`` elements of the same dtype, all zero, in memory that processes share."""
    memory = type(self._untyped_storage)._new_shared(size * self.dtype.itemsize, device=device)
    return TypedStorage(wrap_storage=memory, dtype=self.dtype)


def _make_shared_legacy(cls, size):
    """A storage of ``size`` elements, all zero, in memory that processes share."""
    return cls()._new_shared(size)


def _share_fd_cpu_(self):
    """The descriptor of the shared memory under the storage, which goes there if it is not, and its size in bytes."""
    return descriptor(self._untyped_storage), self.nbytes()


def _share_filename_cpu_(self):
    """A name that opens the shared memory while this process keeps it, on Linux: (b"", the name, the number of elements)."""
    return b"", f"/proc/{os.getpid()}/fd/{descriptor(self._untyped_storage)}".encode(), len(self)


def _map_descriptor(cls, fd, size):
    """The storage over ``size`` bytes of shared memory of which ``fd`` is a descriptor; that stays open."""
    return cls.of(array_in_segment(map_segment(os.urandom(16), size, os.dup(fd)), 0, size))


def _map_name(cls, manager, handle, size):
    """The storage over ``size`` bytes of shared memory that another process keeps under the name ``handle``."""
    fd = os.open(handle, os.O_RDWR | os.O_CLOEXEC)
    return cls.of(array_in_segment(map_segment(os.urandom(16), size, fd), 0, size))


def _shared_incref(self):
    """The storage itself: shared memory is kept by whoever has it, without counting."""
    return self


_shared_decref = _shared_incref


_new_shared = classmethod(_make_shared)
_new_shared_legacy = classmethod(_make_shared_legacy)
_new_shared_fd_cpu = classmethod(_map_descriptor)
_new_shared_filename_cpu = classmethod(_map_name)
