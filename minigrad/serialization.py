"""``save`` and ``load``: checkpoint files, PyTorch's to the byte.

A checkpoint is a pickle in which every storage is replaced by a number, and the storages' bytes beside it: in a zip
archive (PyTorch 1.6 and later) or one after the other in a plain file (the legacy format; before 0.1.10 in a tar archive).
This file knows the archives.  In ``_serialization``, ``older_files.py`` knows the other two, ``pickler.py`` makes the pickle, with PyTorch's names for our
classes (``names.py``); ``unpickler.py`` reads one without running code; ``archive.py`` reads and writes zip archives.
"""

import contextlib
import enum
import io
import os
import pickle
import re
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._base import lazy as _lazy
from ._base.device import device as _device
from ._base.replacing import replacing
from ._ops.mapped_files import map_file
from ._ops.storage_classes import LEGACY, TypedStorage, UntypedStorage
from ._serialization import names, unpickler
from ._serialization.archive import Reader, Writer
from ._serialization.loaded_storages import LoadedStorages, fields, thread
from ._serialization.locations import (
    default_restore_location,
    location_tag,
    register_package,
    validate_cuda_device,
    validate_hpu_device,
)  # fmt: skip
from ._serialization.names import StorageType
from ._serialization.older_files import MAGIC_NUMBER as MAGIC_NUMBER
from ._serialization.older_files import PROTOCOL_VERSION as PROTOCOL_VERSION
from ._serialization.older_files import (
    SourceChangeWarning,
    load_legacy,
    load_tar,
    pickle_legacy,
    write_legacy,
)
from ._serialization.other_formats import refuse_other_formats
from ._serialization.pickler import DEFAULT_PROTOCOL, SavedStorages, pickle_to
from .nn import Module
from .utils.serialization import config

#: What says where the storages of a file go: see ``load``.
MAP_LOCATION = (
    Callable[[TypedStorage | UntypedStorage, str], TypedStorage | UntypedStorage]
    | _device
    | str
    | dict[str, str]
    | None
)

__all__ = [
    "SourceChangeWarning", "mkdtemp", "register_package", "check_module_version_greater_or_equal",
    "validate_cuda_device", "validate_hpu_device", "location_tag", "default_restore_location",
    "normalize_storage_type", "storage_to_tensor_type", "save", "load", "StorageType", "LoadEndianness",
    "get_crc32_options", "set_crc32_options", "get_default_load_endianness", "set_default_load_endianness",
    "get_default_mmap_options", "set_default_mmap_options", "clear_safe_globals", "get_safe_globals",
    "add_safe_globals", "safe_globals", "get_unsafe_globals_in_checkpoint", "skip_data",
]  # fmt: skip

#: The versions of the archive format that can be read, and the one that is written.
VERSIONS, VERSION = range(1, 11), b"3\n"

UNSAFE_MESSAGE = (
    "`torch.load` reads tensors and plain containers only, unless `weights_only` is `False`: then a file can run any code "
    "it likes, so use that only for files from a source you trust."
)
_DOCS_MESSAGE = "\n\nThe docstring of torch.load says which types can be loaded with weights_only."


_get_layout = names.get_layout  # PyTorch's pickles call it by this name


# Settings ------------------------------------------------------------------------------------------------------------


class LoadEndianness(enum.Enum):
    """The byte order assumed for files that do not record theirs."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


def get_default_load_endianness() -> Any:
    """Return the byte order assumed for files that do not record theirs; None means little-endian.

    >>> import minigrad
    >>> minigrad.serialization.get_default_load_endianness()
    """
    return config.load.endianness


def set_default_load_endianness(endianness: Any) -> None:
    """Set the byte order assumed for files that do not record theirs: a ``LoadEndianness`` or None.

    Raises TypeError for anything else.

    >>> import minigrad
    >>> minigrad.serialization.set_default_load_endianness(minigrad.serialization.LoadEndianness.LITTLE)
    >>> minigrad.serialization.get_default_load_endianness()
    <LoadEndianness.LITTLE: 2>
    >>> minigrad.serialization.set_default_load_endianness(None)
    """
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    config.load.endianness = endianness


def get_crc32_options() -> bool:
    """Return whether ``save`` writes a checksum for each record.

    >>> import minigrad
    >>> minigrad.serialization.get_crc32_options()
    True
    """
    return config.save.compute_crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Set whether ``save`` writes checksums and ``load`` checks them. Without them other zip tools complain, but ``load`` does not.

    >>> import minigrad
    >>> minigrad.serialization.set_crc32_options(False)
    >>> minigrad.serialization.get_crc32_options()
    False
    >>> minigrad.serialization.set_crc32_options(True)
    """
    config.save.compute_crc32 = compute_crc32


def get_default_mmap_options() -> int | None:
    """Return the flag that ``load(mmap=True)`` uses: ``mmap.MAP_PRIVATE`` or ``mmap.MAP_SHARED``; None on Windows.

    >>> import minigrad
    >>> import mmap
    >>> minigrad.serialization.get_default_mmap_options() == getattr(mmap, "MAP_PRIVATE", None)
    True
    """
    return config.load.mmap_flags


class set_default_mmap_options:
    """Set the flag for mapping files, ``mmap.MAP_PRIVATE`` or ``mmap.MAP_SHARED``, from now on or in a ``with`` block.

    Raises ValueError for other flags, RuntimeError on Windows.

    >>> import minigrad, mmap
    >>> with minigrad.serialization.set_default_mmap_options(mmap.MAP_SHARED):
    ...     minigrad.serialization.get_default_mmap_options() == mmap.MAP_SHARED
    True
    """

    prev: Any

    def __init__(self, flags: int) -> None:
        if sys.platform == "win32":
            raise RuntimeError("Changing the default mmap options is currently not supported for Windows")
        import mmap

        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, "
                f"expected mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = config.load.mmap_flags
        config.load.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: Any) -> None:
        config.load.mmap_flags = self.prev


def add_safe_globals(safe_globals: list[Callable[..., Any] | tuple[Callable[..., Any], str]]) -> None:
    """Allow ``load(weights_only=True)`` to use these classes and functions, or pairs (object, full name in the file).

    Any file that is loaded may then call the functions and instantiate the classes.

    >>> import minigrad, fractions
    >>> minigrad.serialization.add_safe_globals([fractions.Fraction])
    >>> minigrad.serialization.get_safe_globals()
    [<class 'fractions.Fraction'>]
    >>> minigrad.serialization.clear_safe_globals()
    """
    unpickler.add_safe_globals(safe_globals)


def get_safe_globals() -> list[Callable[..., Any] | tuple[Callable[..., Any], str]]:
    """Return the list of what ``add_safe_globals`` has added.

    >>> import minigrad
    >>> from fractions import Fraction
    >>> minigrad.serialization.add_safe_globals([Fraction])
    >>> minigrad.serialization.get_safe_globals()
    [<class 'fractions.Fraction'>]
    >>> minigrad.serialization.clear_safe_globals()
    """
    return unpickler.get_safe_globals()


def clear_safe_globals() -> None:
    """Remove everything that ``add_safe_globals`` has added.

    >>> import minigrad
    >>> minigrad.serialization.clear_safe_globals()
    >>> minigrad.serialization.get_safe_globals()
    []
    """
    unpickler.clear_safe_globals()


class safe_globals:
    """Apply ``add_safe_globals`` within a ``with`` block.

    >>> import minigrad, fractions
    >>> with minigrad.serialization.safe_globals([fractions.Fraction]):
    ...     minigrad.serialization.get_safe_globals()
    [<class 'fractions.Fraction'>]
    """

    safe_globals: list[Callable[..., Any] | tuple[Callable[..., Any], str]]

    def __init__(self, safe_globals: list[Callable[..., Any] | tuple[Callable[..., Any], str]]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exc: Any) -> None:
        unpickler.remove_safe_globals(self.safe_globals)


class skip_data:
    """Within the block, ``save`` writes zeros for the values of tensors, and ``load`` reads none.

    >>> import minigrad, io
    >>> file = io.BytesIO()
    >>> with minigrad.serialization.skip_data():
    ...     minigrad.save(minigrad.ones(2), file)
    >>> _ = file.seek(0)
    >>> minigrad.load(file)
    tensor([0., 0.])
    """

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self) -> None:
        self._before = thread.skip_data
        thread.skip_data = True

    def __exit__(self, *exc: Any) -> Any:
        thread.skip_data = self._before


def check_module_version_greater_or_equal(
    module: Module, req_version_tuple: Any, error_if_malformed: bool = True
) -> bool:
    """Return whether ``module.__version__`` is at least ``req_version_tuple``.

    For a malformed version, raises RuntimeError, or warns and returns True unless ``error_if_malformed``.

    >>> import minigrad
    >>> import numpy
    >>> minigrad.serialization.check_module_version_greater_or_equal(numpy, (2, 0))
    True
    """
    try:
        parts = module.__version__.split(".")
        return tuple(type(part)(parts[i]) for i, part in enumerate(req_version_tuple)) >= req_version_tuple
    except (AttributeError, IndexError, ValueError, TypeError) as error:
        message = (
            f"'{module.__name__}' module version string is malformed '{getattr(module, '__version__', None)}' and "
            f"cannot be compared with tuple {req_version_tuple}"
        )
        if error_if_malformed:
            raise RuntimeError(message) from error
        warnings.warn(message + ", but continuing assuming that requirement is met", stacklevel=2)
        return True


@contextlib.contextmanager
def mkdtemp() -> Iterator[Any]:
    """Create a temporary directory for a ``with`` block.

    >>> import minigrad
    >>> import os
    >>> with minigrad.serialization.mkdtemp() as name: print(os.path.isdir(name))
    True
    >>> os.path.isdir(name)
    False
    """
    import tempfile

    with tempfile.TemporaryDirectory() as path:
        yield path


def normalize_storage_type(storage_type: Any) -> Any:
    """Return minigrad's storage class with the name of a given storage class.

    >>> import minigrad
    >>> minigrad.serialization.normalize_storage_type(minigrad.UntypedStorage) is minigrad.UntypedStorage
    True
    """
    return {**LEGACY, "UntypedStorage": UntypedStorage, "TypedStorage": TypedStorage}[storage_type.__name__]


def storage_to_tensor_type(storage: Any) -> Any:
    """Return the legacy tensor class of a storage's dtype, such as ``minigrad.FloatTensor``.

    >>> import minigrad
    >>> minigrad.serialization.storage_to_tensor_type(minigrad.ones(2).storage())
    <class 'torch.FloatTensor'>
    """
    return names.from_torch("torch", storage.pickle_storage_type().replace("Storage", "Tensor"))


# Saving ------------------------------------------------------------------------------------------------------------


def save(
    obj: object,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write ``obj``, any object that can be pickled, to ``f``: a path, or a binary file open for writing.

    Both PyTorch and ``load`` can read the file. Tensors that share memory share it again when loaded; the file holds all of the memory
    that a view refers to. With a ``pickle_module`` other than Python's own, minigrad's own names are written from protocol 4 on, which
    PyTorch does not know.

    An existing file is replaced only when everything is written: it survives an error, a full disk or a ``kill``.

    Raises AttributeError if ``f`` cannot be written to, RuntimeError if a path cannot, if its directory does not exist, or if one memory
    would be saved as elements of two dtypes.

    >>> import minigrad, io
    >>> file = io.BytesIO()
    >>> minigrad.save({"weight": minigrad.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> minigrad.load(file)
    {'weight': tensor([1., 1.])}
    """
    _check_dill(pickle_module)
    if not _is_path(f) and not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    if not _use_new_zipfile_serialization and thread.skip_data:
        raise RuntimeError("Cannot use skip_data=True with _use_new_zipfile_serialization=False")
    pickled = io.BytesIO()
    if _use_new_zipfile_serialization:
        storages = pickle_to(pickled, obj, SavedStorages, pickle_module, pickle_protocol)
    else:
        storages = pickle_legacy(pickled, obj, pickle_module, pickle_protocol)
    # All has been pickled by now: an object that cannot be leaves an existing file as it was.
    with _open_to_write(f) as file:
        if _use_new_zipfile_serialization:
            _write_archive(
                file, _archive_name(f), pickled.getvalue(), storages.by_key, not _disable_byteorder_record
            )
        else:
            write_legacy(file, pickled.getvalue(), storages.by_key)


def _is_path(f):
    return isinstance(f, (str, os.PathLike))


@contextlib.contextmanager
def _open_to_write(f):
    if not _is_path(f):
        if not callable(f.write):
            raise TypeError(f"Buffer of {str(type(f)).strip('<>')} has no callable attribute 'write'")
        yield f
        if hasattr(f, "flush"):
            f.flush()
        return
    path = os.fsdecode(f)
    parent = os.path.dirname(path)
    if parent and not os.path.isdir(parent):
        raise RuntimeError(f"Parent directory {parent} does not exist.")
    doing = "opened"
    try:
        with replacing(path) as file:
            doing = "written"
            yield file
    except OSError as error:
        raise RuntimeError(f"File {path} cannot be {doing}: {error.strerror or error}.") from error


def _archive_name(f):
    """The directory in the archive: the file's name without its last ending, as PyTorch has it."""
    if _is_path(f):
        name = os.path.basename(os.fsdecode(f)).rpartition(".")
        name = name[0] or name[2]
        if name.isascii() and name:
            return name
    return "archive"


def _write_archive(file, name, pickled, storages, with_byteorder):
    import zlib

    archive = Writer(file, name, config.save.compute_crc32, config.save.storage_alignment)
    archive.record("data.pkl", pickled)
    archive.record(".format_version", b"1")
    archive.record(".storage_alignment", str(archive.alignment).encode())
    if with_byteorder:
        archive.record("byteorder", sys.byteorder.encode())
    for key, (memory, _) in storages.items():
        if thread.skip_data:
            archive.record(f"data/{key}", None, memory.nbytes())
        else:
            archive.record(f"data/{key}", memory._elements)
    archive.record("version", VERSION)
    paths, checksums = zip(*((path, checksum) for path, _, checksum, *_ in archive.directory))
    identity = zlib.crc32(b"\0".join(paths)), zlib.crc32(struct.pack(f"<{len(checksums)}I", *checksums))
    archive.record(".data/serialization_id", b"%020d%020d" % identity)
    archive.close()


def _check_dill(pickle_module):
    if getattr(pickle_module, "__name__", None) == "dill":
        required = (0, 3, 1)
        if not check_module_version_greater_or_equal(pickle_module, required, False):
            raise ValueError(
                f"'torch' supports dill >= {'.'.join(map(str, required))}, but you have dill "
                f"{pickle_module.__version__}. Please upgrade dill or switch to 'pickle'"
            )


# Loading -------------------------------------------------------------------------------------------------------------


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load the object in the checkpoint ``f``: a path, or a seekable binary file, at its current position.

    ``weights_only`` (the default) reads tensors, numbers, strings, containers and what ``add_safe_globals`` allows, and runs no code.
    Without it a file can run any code: use it only for files that you trust. ``mmap`` maps the file at a path instead of reading it;
    writes to the tensors stay in memory. ``map_location`` (a string, device, dict, or function of storage and location) says where
    storages go: minigrad has the CPU only, so files from an accelerator need ``"cpu"``. ``pickle_load_args`` are passed to
    ``pickle_module.Unpickler``. A path that ends in ``.safetensors`` is read in that format.

    Raises UnpicklingError if the file holds something that is not allowed, RuntimeError or EOFError if it is damaged.

    >>> import minigrad, io
    >>> file = io.BytesIO()
    >>> minigrad.save([minigrad.arange(3), "text"], file)
    >>> _ = file.seek(0)
    >>> minigrad.load(file)
    [tensor([0, 1, 2]), 'text']
    """
    weights_only = _decide_weights_only(weights_only, pickle_module)
    if weights_only:
        if pickle_module is not None:
            raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
        if pickle_load_args:
            warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
        for name in pickle_load_args:
            if name != "encoding":
                raise TypeError(f"load() got an unexpected keyword argument '{name}'")
    else:
        pickle_module = pickle if pickle_module is None else pickle_module
    _check_dill(pickle_module)
    mmap = config.load.mmap if mmap is None else mmap
    pickle_load_args.setdefault("encoding", "utf-8")
    if _is_path(f) and os.fsdecode(f).endswith(".safetensors"):
        from ._serialization import safetensors

        return safetensors.load(os.fsdecode(f), map_location)
    unpickle = _unpickle_weights if weights_only else _unpickle_with(pickle_module)
    with _open_to_read(f) as file:
        refuse_other_formats(file, weights_only)
        try:
            if _begins_with(file, b"PK\3\4"):
                return _load_archive(
                    file, _mapped(f) if mmap else None, unpickle, pickle_load_args, map_location
                )
            if mmap:
                path = f"{f}, " if isinstance(f, str) else ""
                raise RuntimeError(
                    f"mmap can only be used with files saved with `torch.save({path}_use_new_zipfile_serialization=True), "
                    "as they are by default."
                )
            is_tar = _begins_with(file, b"ustar", 257)
            if is_tar and weights_only:
                raise RuntimeError(
                    "Cannot use ``weights_only=True`` with files saved in the legacy .tar format. "
                    + UNSAFE_MESSAGE
                )
            read = load_tar if is_tar else load_legacy
            return read(file, unpickle, pickle_load_args, map_location)
        except pickle.UnpicklingError as error:
            if weights_only:
                raise pickle.UnpicklingError(_explain(str(error))) from None
            raise


def _decide_weights_only(weights_only, pickle_module):
    force, force_not = (
        os.getenv(f"TORCH_FORCE_{name}WEIGHTS_ONLY_LOAD", "0").lower() in ("1", "y", "yes", "true")
        for name in ("", "NO_")
    )
    if force and force_not:
        raise RuntimeError(
            "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, but both "
            "were set."
        )
    if force:
        return True
    if weights_only is not None:
        return bool(weights_only)
    if force_not:
        warnings.warn(
            "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` argument was not "
            "explicitly passed to `torch.load`, forcing weights_only=False.",
            stacklevel=3,
        )
        return False
    return pickle_module is None


def _explain(message):
    """The message of an UnpicklingError under ``weights_only``: what was refused, and two ways to load the file all the same."""
    if re.search(r"GLOBAL (\S+) was not an allowed global by default", message):
        text = (
            "Weights only load failed. This file can still be loaded, if you trust where it comes from: \n\t(1) "
            f"{UNSAFE_MESSAGE}\n\t(2) Allow what the file names and go on with `weights_only=True`: \n\tWeightsUnpickler "
            f"error: {message}"
        )
    else:
        text = f"Weights only load failed. {UNSAFE_MESSAGE}\nWeightsUnpickler error: \n\n{message}"
    return text + _DOCS_MESSAGE


@contextlib.contextmanager
def _open_to_read(f):
    if _is_path(f):
        with open(f, "rb") as file:
            yield file
        return
    try:
        f.seek(f.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        if "seek" not in str(error) and "tell" not in str(error):
            raise
        raise type(error)(
            f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer "
            "like io.BytesIO and try to load from it instead."
        ) from None
    yield f


def _begins_with(file, magic, at=0):
    start = file.tell()
    found = file.read(at + len(magic))[at:]
    file.seek(start)
    return found == magic


def _mapped(f):
    if not _is_path(f):
        raise ValueError("f must be a file path in order to use the mmap argument")
    return map_file(os.fsdecode(f), shared=config.load.mmap_flags == 1)


# Unpickling


def _unpickle_weights(file, persistent_load, encoding, **ignored):
    return unpickler.Unpickler(file, persistent_load=persistent_load, encoding=encoding).load()


def _unpickle_with(pickle_module):
    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module, name):
            if module == "torch" or module.startswith("torch."):
                return names.from_torch(module, name)
            return super().find_class(module, name)

    def unpickle(file, persistent_load, **arguments):
        unpickler = Unpickler(file, **arguments)
        if persistent_load is not None:
            unpickler.persistent_load = persistent_load
        return unpickler.load()

    return unpickle


# Archives


def _load_archive(file, mapped, unpickle, arguments, map_location):
    archive = Reader(file, config.save.compute_crc32)
    _check_version(archive)
    if "constants.pkl" in archive:
        raise RuntimeError(
            "Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. minigrad cannot run "
            "TorchScript at all: load the archive with PyTorch, and save its state_dict()."
        )
    order = _byte_order(archive)
    storages = LoadedStorages(map_location)
    on_meta = not callable(map_location) and str(map_location) == "meta"

    def persistent_load(pid):
        kind, key, location, count = fields(pid, 4)

        def read(element, size):
            name = f"data/{key}"
            if on_meta:
                return UntypedStorage(size, device="meta")
            if thread.skip_data:
                return UntypedStorage.of(np.zeros(size, np.uint8))
            if archive.size(name) != size:
                raise RuntimeError(
                    f"record size ({archive.size(name)} bytes) does not match expected size ({size} bytes = {count} "
                    f"elements * {element.itemsize} bytes/element) for dtype {element}"
                )
            # what has to be swapped is read: a shared mapping would swap it in the file
            mappable = mapped is not None and size and order == sys.byteorder
            begin = archive.offset(name) if mappable else None
            memory = (
                archive.read_array(name) if begin is None else np.frombuffer(mapped, np.uint8, size, begin)
            )
            storage = UntypedStorage.of(memory)
            if order != sys.byteorder:
                storage.byteswap(element)
            return storage

        return storages.get(kind, key, location, count, read)

    return unpickle(io.BytesIO(archive.read("data.pkl")), persistent_load, **arguments)


def _check_version(archive):
    name = ".data/version" if ".data/version" in archive else "version"
    if name not in archive:
        raise RuntimeError(
            'Expected hasRecord("version") to be true, but got false: the zip file is not a checkpoint, or is damaged.'
        )
    text = archive.read(name)
    if not text.strip().isdigit() or len(text) > 20:
        raise RuntimeError(f"Couldn't parse the version {text[:20]!r} as Long Long.")
    if int(text) not in VERSIONS:
        raise RuntimeError(
            f"Attempted to read a PyTorch file with version {int(text)}, but the maximum supported version for reading is "
            f"{VERSIONS[-1]}."
        )


def _byte_order(archive):
    if "byteorder" in archive:
        order = archive.read("byteorder")
        if order not in (b"little", b"big"):
            raise ValueError(f"Unknown endianness type: {order[:20].decode(errors='replace')}")
        return order.decode()
    return {None: "little", LoadEndianness.LITTLE: "little", LoadEndianness.BIG: "big"}.get(
        config.load.endianness, sys.byteorder
    )


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """List the functions and classes in checkpoint ``f`` that ``load(weights_only=True)`` would refuse.

    The pickle is parsed but not executed. Raises ValueError if ``f`` is not a zip checkpoint.

    >>> import minigrad, fractions, io
    >>> file = io.BytesIO()
    >>> minigrad.save(fractions.Fraction(1, 2), file)
    >>> _ = file.seek(0)
    >>> minigrad.serialization.get_unsafe_globals_in_checkpoint(file)
    ['fractions.Fraction']
    """
    with _open_to_read(f) as file:
        if not _begins_with(file, b"PK\3\4"):
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        archive = Reader(file)
        if "constants.pkl" in archive:
            raise ValueError(
                "Expected input to be a checkpoint returned by torch.save but got a torchscript checkpoint"
            )
        found = unpickler.globals_in(archive.read("data.pkl"))
    safe = {*unpickler.default_globals(), *unpickler.user_globals()}
    return [name for name in found if name not in safe]


_lazy.publish_all(globals())
