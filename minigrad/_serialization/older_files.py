"""Files from before the zip archives: storages one after the other in a plain file (legacy), or in a tar archive (before PyTorch 0.1.10)."""

import io
import struct
import sys
import warnings

import numpy as np

from .. import _utils
from .._core import late
from .._ops.storage_classes import TypedStorage, UntypedStorage
from . import names
from .archive import read_into, write_all
from .loaded_storages import LoadedStorages, fields, text, thread
from .locations import restorer
from .pickler import LegacyStorages, pickle_to, source_of

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001


class SourceChangeWarning(Warning):
    """A class in a legacy file has another source than when the file was written."""


def pickle_legacy(file, obj, pickle_module, protocol):
    sys_info = {
        "protocol_version": PROTOCOL_VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": {"short": 2, "int": 4, "long": struct.calcsize("=l")},
    }
    for part in (MAGIC_NUMBER, PROTOCOL_VERSION, sys_info):
        pickle_module.dump(part, file, protocol=protocol)
    storages = pickle_to(file, obj, LegacyStorages, pickle_module, protocol)
    pickle_module.dump(sorted(storages.by_key), file, protocol=protocol)
    return storages


def write_legacy(file, pickled, storages):
    write_all(file, pickled)
    for key in sorted(storages):
        memory, kind = storages[key]
        if sys.byteorder == "big":  # this format is little-endian everywhere
            memory = memory.clone()
            memory.byteswap(kind)
        write_all(file, struct.pack("<q", len(memory) // kind.itemsize))
        write_all(file, memory._elements)


def load_legacy(file, unpickle, arguments, map_location):
    if unpickle(file, None, **arguments) != MAGIC_NUMBER:
        raise RuntimeError("Invalid magic number; corrupt file?")
    version = unpickle(file, None, **arguments)
    if version != PROTOCOL_VERSION:
        raise RuntimeError(f"Invalid protocol version: {version}")
    unpickle(file, None, **arguments)  # sys_info: sizes of C's types, once of use
    storages, left = LoadedStorages(map_location), _bytes_left(file)

    def persistent_load(pid):
        if isinstance(pid, tuple) and pid and text(pid[0]) == "module":
            cls, *source = pid[1:]
            _compare_source(cls, *source)
            return cls
        kind, key, location, count, view = fields(pid, 5)

        def allocate(element, size):
            nonlocal left
            left -= size
            if left < 0:
                raise RuntimeError(
                    f"unexpected EOF, expected {-left} more bytes. The file might be corrupted."
                )
            return UntypedStorage.of((np.zeros if thread.skip_data else np.empty)(size, np.uint8))

        root = storages.get(kind, key, location, count, allocate)
        return root if view is None else storages.view(view[0], root, *view[1:])

    before, _utils.unread.tensors = _utils.unread.tensors, []
    try:
        result = unpickle(file, persistent_load, **arguments)
        sparse = _utils.unread.tensors
    finally:
        _utils.unread.tensors = before
    keys = unpickle(file, None, **arguments)
    if not isinstance(keys, list) or not all(
        isinstance(key, (str, bytes)) and key in storages for key in keys
    ):
        raise RuntimeError("the list of storages does not match the object. The file might be corrupted.")
    if not thread.skip_data:
        for key in keys:
            _read_storage(file, storages[key])
        for x in sparse:
            late.sparse().check_rebuilt(x)
    return result


def _bytes_left(file):
    """How many bytes a file has from here on; infinitely many if it cannot say."""
    position = file.tell()
    try:
        left = file.seek(0, io.SEEK_END) - position
    except (ValueError, OSError):  # a compressed file
        left = float("inf")
    file.seek(position)
    return left


def _read_storage(file, storage=None, element=None):
    """Read a storage's number of elements and its bytes, into ``storage`` or into a new one with elements ``element``."""
    header = file.read(8)
    if len(header) == 8:
        element = element or storage.dtype
        size = struct.unpack("<q", header)[0] * element.itemsize
        memory = storage._untyped_storage if storage is not None else UntypedStorage(max(size, 0))
        if size != len(memory):
            raise RuntimeError(f"storage has wrong byte size: expected {len(memory)} got {size}")
        missing = read_into(file, memory._elements)
    else:
        missing = 8 - len(header)
    if missing:
        raise RuntimeError(f"unexpected EOF, expected {missing} more bytes. The file might be corrupted.")
    if sys.byteorder == "big":
        memory.byteswap(element)
    return memory


def _compare_source(cls, file=None, source=None):
    """Warn if the source of a user's class is not what it was when a legacy file was written."""
    if not (file and source) or names.to_torch(cls) is not None:
        return
    now = source_of(cls)[1]
    if now is not None and now != source:
        warnings.warn(
            f"source code of class '{cls.__module__}.{cls.__qualname__}' has changed. The object is loaded with the class "
            "as it is now.",
            SourceChangeWarning,
            stacklevel=2,
        )


def load_tar(file, unpickle, arguments, map_location):
    """Files from before PyTorch 0.1.10: a tar archive of storages, tensors and the pickle."""
    import tarfile

    restore, loaded = restorer(map_location), {}
    with tarfile.open(fileobj=file, mode="r:") as tar:
        part = tar.extractfile("storages")
        for _ in range(unpickle(part, None, **arguments)):
            key, location, kind = unpickle(part, None, **arguments)
            memory = restore(_read_storage(part, element=kind.dtype), text(location))
            loaded[key] = TypedStorage(wrap_storage=memory._untyped_storage, dtype=kind.dtype)
        for key, root, offset, count in unpickle(part, None, **arguments):
            width = loaded[root].dtype.itemsize
            memory = loaded[root]._untyped_storage[offset * width : (offset + count) * width]
            loaded[key] = TypedStorage(wrap_storage=memory, dtype=loaded[root].dtype)
        part = tar.extractfile("tensors")
        for _ in range(unpickle(part, None, **arguments)):
            key, storage, _ = unpickle(part, None, **arguments)
            (ndim,) = struct.unpack("<i4x", part.read(8))
            numbers = struct.unpack(f"<{2 * ndim + 1}q", part.read(16 * ndim + 8))
            loaded[key] = _utils._rebuild_tensor(
                loaded[storage], numbers[-1], numbers[:ndim], numbers[ndim:-1]
            )

        def persistent_load(pid):
            if isinstance(pid, tuple):
                _compare_source(*pid)
                return pid[0]
            return loaded[int(pid)]

        return unpickle(tar.extractfile("pickle"), persistent_load, **arguments)
