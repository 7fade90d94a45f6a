"""What is in a checkpoint: the names, shapes and dtypes of its tensors, and its other values, without running or loading any of it.

``read`` knows PyTorch's zip archives (TorchScript's too), its files from before them, safetensors and NumPy's ``.npz``, each by how it begins.
"""

import io
import os
import zipfile
from pickle import UnpicklingError
from typing import Any

import numpy as np

from .._base import dtypes
from .._base.device import device
from . import safetensors
from .archive import Reader
from .inert_unpickler import Description, InertUnpickler, Instance, Name, Storage, dtype_name, storage_dtype
from .loaded_storages import fields, text
from .older_files import MAGIC_NUMBER, PROTOCOL_VERSION
from .other_formats import refuse_other_formats

#: Where a module keeps what its ``state_dict`` names without them.
_OF_MODULES = {"_parameters", "_buffers", "_modules"}
#: The most entries that are listed of one file.
MOST = 1_000_000


class Contents:
    """What ``read`` finds.

    ``tensors``: (name, shape, name of the dtype, number of bytes, key of the memory in the file) of each; ``values``: (name, type, value as text) of what is no tensor;
    ``names``: the classes and functions that ``load`` would refuse; ``metadata``: the texts that the writer of the file added; ``data_bytes``: how much memory the
    tensors have together.
    """

    def __init__(self, kind: str) -> None:
        self.format = kind
        self.tensors: list[tuple[str, tuple[int, ...], str, int, str]] = []
        self.values: list[tuple[str, str, str]] = []
        self.names: list[str] = []
        self.metadata: dict[str, str] = {}
        self.data_bytes = 0


def read(path: str) -> Contents:
    """The contents of the file at ``path``; raises UnpicklingError, RuntimeError, ValueError or EOFError for a file that is damaged or of another kind."""
    with open(path, "rb") as file:
        head = file.read(262)
        file.seek(0)
        if not head:
            raise EOFError("the file is empty")
        if head.startswith((b"PK\3\4", b"PK\5\6")):
            return _numpy(file) if _is_numpy(file) else _archive(file)
        if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < os.path.getsize(path):
            return _safetensors(file, path)
        refuse_other_formats(file, False)
        if head[257:] == b"ustar":
            raise UnpicklingError(
                "it is a tar archive, as PyTorch wrote before 0.1.10: only load(weights_only=False) reads those"
            )
        if head[:1] != b"\x80":
            raise UnpicklingError(
                "it is not a checkpoint: neither a zip archive nor a pickle nor a safetensors file"
            )
        return _legacy(file)


# Checkpoints of PyTorch


def _archive(file):
    archive, storages, named = Reader(file), {}, {}

    def persistent_load(pid):
        kind, key, _, count = fields(pid, 4)
        found = storages.setdefault(text(key), Storage(text(key), storage_dtype(kind), count))
        size = archive.size(f"data/{found.key}")
        if not isinstance(found.dtype, str) and size != found.nbytes:
            raise RuntimeError(
                f"the file is damaged: record data/{found.key} has {size} bytes instead of {found.nbytes}"
            )
        found.nbytes = size
        return found

    pickled = io.BytesIO(archive.read("data.pkl"))
    root = InertUnpickler(pickled, persistent_load=persistent_load, named=named).load()
    script = "constants.pkl" in archive
    return _of_pickle("TorchScript archive" if script else "PyTorch zip archive", root, storages, named)


def _legacy(file):
    storages, named = {}, {}

    def persistent_load(pid):
        kind, key, _, count, view = fields(pid, 5)
        root = storages.setdefault(text(key), Storage(text(key), storage_dtype(kind), count))
        return root if view is None else Storage(root.key, root.dtype, view[2])

    def part():
        return InertUnpickler(file, persistent_load=persistent_load, named=named).load()

    if part() != MAGIC_NUMBER:
        raise UnpicklingError("the file is a pickle, but no checkpoint")
    if part() != PROTOCOL_VERSION:
        raise RuntimeError("the file is a checkpoint of an unknown version")
    part()  # sizes of C's types
    root = part()
    part()  # the storages' keys in order
    left = os.fstat(file.fileno()).st_size - file.tell()
    needed = sum(8 + storage.nbytes for storage in storages.values())
    if left != needed:
        raise RuntimeError(
            f"the file is damaged: {left} bytes follow the pickle, where its storages have {needed}"
        )
    return _of_pickle("PyTorch file from before zip archives", root, storages, named)


def _of_pickle(kind, root, storages, named):
    contents = Contents(kind)
    contents.names, contents.data_bytes = sorted(named), sum(each.nbytes for each in storages.values())
    for name, value in entries(root):
        if isinstance(value, Description):
            size = _count(value.shape) * getattr(value.dtype, "itemsize", 1)
            key = "" if value.storage is None else value.storage.key
            contents.tensors.append((name, value.shape, dtype_name(value.dtype), size, key))
        else:
            contents.values.append((name, _type_name(value), _show(value)))
    return contents


def _count(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def entries(root: Any) -> list[tuple[str, Any]]:
    """(name, leaf) of all that nested containers hold: ``model.0.weight`` for ``{"model": [{"weight": leaf}]}``; modules by the names of their state dict."""
    found, seen, pending = [], {}, [("", root)]
    while pending:
        name, value = pending.pop()
        children = _children(value)
        if children is None or (not children and not isinstance(value, Instance)):
            found.append((name, value))
        elif id(value) in seen:
            found.append((name, Same(seen[id(value)])))
        else:
            seen[id(value)] = name
            pending += [(_join(name, key), child) for key, child in reversed(children)]
            if isinstance(value, Instance) and not children:
                found.append((name, value))
        if len(found) + len(pending) > MOST:
            raise RuntimeError(f"the file has more than {MOST} entries")
    return found


class Same:
    """Stands for a container that has been listed under another name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _join(name, key):
    if key is None:
        return name
    return f"{name}.{key}" if name else str(key)


def _children(value):
    """The parts of a container as (key, part); None if the argument is not a container."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return None if _is_short(value) else list(enumerate(value))
    if isinstance(value, Instance):
        state = value.state if isinstance(value.state, (dict, tuple)) else {}
        parts = [*value.items.items(), *enumerate(value.elements)]
        if isinstance(state, tuple):
            return [*parts, *enumerate(state)]
        shown = ((key, part) for key, part in state.items() if not _is_idle(key, part))
        return parts + [(None if key in _OF_MODULES else key, part) for key, part in shown]
    return None


def _is_short(value):
    """Whether a list or tuple is shown as one value: a few numbers, such as the betas of Adam."""
    return 0 < len(value) <= 8 and all(isinstance(part, (bool, int, float, type(None))) for part in value)


def _is_idle(key, part):
    """Whether an attribute is one of the tables that every module has, and empty."""
    return (
        type(key) is str
        and key[0:1] == "_"
        and (part is None or (not part and isinstance(part, (dict, set))))
    )


def _type_name(value):
    if isinstance(value, (Instance, Name)):
        return value.path
    return "" if isinstance(value, Same) else type(value).__name__


def _show(value):
    if isinstance(value, Same):
        return f"the same object as {value.name or 'the whole'}"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= 60 else f"{value[:60]!r}..."
    if isinstance(value, (bool, int, float, complex, type(None))):
        return repr(value) if not isinstance(value, int) or value.bit_length() < 200 else "a large int"
    if isinstance(value, (dict, list, tuple)):
        return "empty" if not value else f"[{', '.join(map(_show, value))}]"
    if isinstance(value, (dtypes.dtype, device)):
        return str(value)
    if isinstance(value, (set, frozenset, bytearray)):
        return f"{len(value)} elements"
    return ""


# Other formats


def _safetensors(file, path):
    contents = Contents("safetensors")
    names, places, contents.metadata = safetensors.header_of(file, path)
    by_name = {name: (shape, kind, size) for size, name, kind, shape in places}
    for name in names:
        shape, kind, size = by_name[name]
        contents.tensors.append((name, shape, kind.name, size, name))
        contents.data_bytes += size
    return contents


def _is_numpy(file):
    try:
        with zipfile.ZipFile(file) as archive:
            found = archive.namelist()
    except zipfile.BadZipFile:
        return False  # Reader says what is wrong
    finally:
        file.seek(0)
    return all(name.endswith(".npy") for name in found)


def _numpy(file):
    contents = Contents("NumPy .npz")
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                shape, kind = _npy_header(member)
            size = _count(shape) * kind.itemsize
            name = name.removesuffix(".npy")
            if kind.hasobject:
                contents.values.append(
                    (name, "array of Python objects", f"{list(shape)}, which numpy.load refuses by default")
                )
            else:
                contents.tensors.append(
                    (name, shape, kind.name if kind.names is None else str(kind), size, name)
                )
                contents.data_bytes += size
    return contents


def _npy_header(member):
    """The shape and dtype in the header of a ``.npy`` file."""
    version = np.lib.format.read_magic(member)
    if version == (1, 0):
        shape, _, kind = np.lib.format.read_array_header_1_0(member)
    elif version == (2, 0):
        shape, _, kind = np.lib.format.read_array_header_2_0(member)
    else:  # names of fields in UTF-8: no array of numbers
        raise ValueError(f"an array in the format {version[0]}.{version[1]} of .npy files is not read")
    return shape, kind
