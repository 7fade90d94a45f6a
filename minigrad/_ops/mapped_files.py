"""Memory that is a file: the system reads of a mapped file what is used, when it is used."""

import errno
import mmap
import os
import sys

import numpy as np

from .._arrays.memory_layout import BYTE
from .._base.composites import composite
from .._base.errors import type_name
from .create import finish, np_dtype
from .storage_classes import TypedStorage, UntypedStorage, _dtype_for

__all__ = ["from_file"]


class Mapping(mmap.mmap):
    """A mapped file; ``filename`` if what is written there reaches it, else None."""

    __slots__ = ("filename",)


def map_file(filename, shared, nbytes=None):
    """A file, or its first ``nbytes`` bytes, mapped into memory; what is written there reaches the file only if ``shared``.

    A shared file that is missing or too short is made long enough.  Raises RuntimeError if the file cannot be opened or mapped, or is too short.
    """
    filename = os.fspath(filename)
    flags = os.O_RDWR | (os.O_CREAT if nbytes is not None else 0) if shared else os.O_RDONLY
    try:
        descriptor = os.open(filename, flags | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        mode = "read-write" if shared else "read-only"
        raise RuntimeError(f"unable to open file <{filename}> in {mode} mode: {_reason(error)}") from error
    try:
        size = os.fstat(descriptor).st_size
        length = size if nbytes is None else nbytes
        if length > size:
            if not shared:
                raise RuntimeError(
                    f"file <{filename}> size <{size}> is smaller than the required mapping size <{length}>"
                )
            _lengthen(descriptor, length, filename)
        access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
        # the mapping needs no descriptor of its own; up to Python 3.12 it takes one
        more = {"trackfd": False} if sys.version_info >= (3, 13) and os.name == "posix" else {}
        try:
            mapping = Mapping(descriptor, length, access=access, **more)
        except (OSError, OverflowError, ValueError) as error:
            # no system has room for a length that is negative or has more than 63 bits
            code = error.errno if isinstance(error, OSError) else errno.ENOMEM
            raise RuntimeError(
                f"unable to mmap {length} bytes from file <{filename}>: {os.strerror(code)} ({code})"
            ) from error
    finally:
        os.close(descriptor)
    mapping.filename = filename if shared else None
    return mapping


def _lengthen(descriptor, length, filename):
    try:
        os.ftruncate(descriptor, length)
    except OSError as error:
        raise RuntimeError(
            f"unable to resize file <{filename}> to the right size: {_reason(error)}"
        ) from error


def _reason(error):
    return f"{error.strerror} ({error.errno})"


def _storage(filename, shared, nbytes):
    if not nbytes:
        return UntypedStorage()
    return UntypedStorage.of(np.frombuffer(map_file(filename, shared, nbytes), BYTE, nbytes))


@composite("from_file")
def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """Return a tensor of ``size`` elements of ``dtype`` whose memory is a mapped file, so that opening a large file takes no longer than a
    small one.

    If ``shared``, writes to the tensor reach the file, and a file that is missing or too short is extended with zeros. Otherwise the file
    stays as it is. ``size=0`` touches no file.

    Raises RuntimeError if the file cannot be opened or mapped, or is too short.

    >>> import minigrad, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "weights")
    ...     x = minigrad.from_file(path, shared=True, size=3).fill_(2)
    ...     minigrad.from_file(path, size=3)
    tensor([2., 2., 2.])
    """
    _check("from_file", filename, shared, size)
    if pin_memory:
        raise RuntimeError("tensors constructed from a file cannot be pinned")
    element = np_dtype("from_file", dtype)
    memory = _storage(filename, bool(shared), size.__index__() * element.itemsize)
    return finish(memory._elements.view(element), requires_grad, device, layout)


def _check(function, filename, shared, size):
    if not isinstance(filename, (str, os.PathLike)):
        raise TypeError(f"{function}(): argument 'filename' (position 1) must be str, not {type_name(filename)}")
    if shared is not None and not isinstance(shared, bool):
        raise TypeError(f"{function}(): argument 'shared' (position 2) must be bool, not {type_name(shared)}")
    if not hasattr(size, "__index__"):
        raise TypeError(f"{function}(): argument 'size' (position 3) must be int, not {type_name(size)}")


def _untyped(cls, filename, shared=False, nbytes=0):
    """The first ``nbytes`` bytes of a file, mapped into memory; writing to them changes the file if ``shared``.

    With ``shared``, a file that is missing or too short is made long enough; without, RuntimeError.

    >>> import minigrad, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "bytes")
    ...     minigrad.UntypedStorage.from_file(path, shared=True, nbytes=2).fill_(7).tolist(), os.path.getsize(path)
    ([7, 7], 2)
    """
    _check("from_file", filename, shared, nbytes)
    return _storage(filename, bool(shared), nbytes.__index__())


def _typed(cls, filename, shared=False, size=0):
    """Like ``UntypedStorage.from_file``, read as ``size`` elements of the class's dtype: ``FloatStorage.from_file(path, size=3)``.

    Raises RuntimeError for ``TypedStorage`` itself, which has no dtype.
    """
    if cls is TypedStorage:
        raise RuntimeError("from_file can only be called on derived classes")
    _check("from_file", filename, shared, size)
    dtype = _dtype_for(cls, None)
    memory = _storage(filename, bool(shared), size.__index__() * dtype.itemsize)
    return TypedStorage(wrap_storage=memory, dtype=dtype)


for _method in (_untyped, _typed):
    _method.__name__ = _method.__qualname__ = "from_file"
untyped_from_file, typed_from_file = classmethod(_untyped), classmethod(_typed)
filename = property(
    lambda self: getattr(getattr(self._untyped_storage._owner.base, "obj", None), "filename", None),
    doc="The file that what is written to the storage reaches; None if there is none.",
)
