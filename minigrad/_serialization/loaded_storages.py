"""The storages of one file while it is loaded, which the readers of all formats fill."""

import pickle
import threading
from typing import Any

from .._base.dtypes import dtype, uint8
from .._ops.storage_classes import TypedStorage, UntypedStorage
from . import unpickler
from .locations import restorer


class _Local(threading.local):
    skip_data = False


#: What belongs to each thread: whether it leaves out the elements of storages (``serialization.skip_data``).
thread = _Local()


class LoadedStorages:
    """The storages of one file, by key, at the place that ``map_location`` wants them."""

    def __init__(self, map_location: Any) -> None:
        self._restore = restorer(map_location)
        self._by_key = {}

    def __getitem__(self, key: Any) -> Any:
        return self._by_key[key]

    def __contains__(self, key: Any) -> bool:
        return key in self._by_key

    def get(self, kind: Any, key: Any, location: Any, count: Any, read: Any) -> Any:
        """The storage under ``key``; the first time, ``read(dtype, number of bytes)`` makes its memory."""
        found = self._by_key.get(key)
        if found is None:
            element = uint8 if kind is UntypedStorage else getattr(kind, "dtype", None)
            if not isinstance(element, dtype) or type(count) is not int or count < 0:
                raise pickle.UnpicklingError(
                    f"not a storage: {unpickler.show(kind)} with {unpickler.show(count)} elements"
                )
            memory = self._restore(read(element, count * element.itemsize), text(location))
            found = self._by_key[key] = TypedStorage(wrap_storage=memory._untyped_storage, dtype=element)
        return found

    def view(self, key: Any, root: Any, offset: Any, count: Any) -> Any:
        """The part of storage ``root`` under ``key``, in elements."""
        if key not in self._by_key:
            width = root.dtype.itemsize
            part = root._untyped_storage[offset * width : (offset + count) * width]
            self._by_key[key] = TypedStorage(wrap_storage=part, dtype=root.dtype)
        return self._by_key[key]


def text(value):
    """A string that Python 2 may have written as bytes."""
    return value.decode("ascii") if isinstance(value, bytes) else value


def fields(pid, count):
    """The fields of a storage's identifier after the word ``storage``."""
    found = pid[1:] if isinstance(pid, tuple) and pid and text(pid[0]) == "storage" else ()
    if len(found) != count or not all(isinstance(field, (str, bytes)) for field in found[1:3]):
        raise pickle.UnpicklingError(f"Unknown saved id: {unpickler.show(pid)}")
    return found
