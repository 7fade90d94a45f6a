"""How objects become pickles that PyTorch reads: with its names, and with the storages kept aside.

``pickle_to`` is the way in.  What comes out of it, a pickle and the storages that it refers to, is what ``serialization.py``
puts into a file.
"""

import inspect
import io
import pickle
import sys
import types
import warnings
from importlib import import_module
from typing import Any

from .. import _utils
from .._base import device as devices
from .._base.dtypes import dtype, uint8
from .._base.publishing import Alias
from .._base.size import Size
from .._core.tensor import Tensor
from .._ops.parameter import Parameter
from .._ops.storage_classes import LEGACY, UntypedStorage, _Storage
from ..nn import Module
from . import names
from .locations import location_tag

DEFAULT_PROTOCOL = 2


_REDUCERS = {
    Size: lambda size: (Size, (tuple(size),)),
    devices.device: lambda d: (devices.device, (d.type,) if d.index is None else (d.type, d.index)),
    devices.layout: lambda layout: (names.get_layout, (str(layout),)),
    Alias: lambda home: (str, (str(home),)),  # as files have it
}
_BY_NAME = (type, types.FunctionType, types.BuiltinFunctionType, dtype, devices.memory_format)


class _Ambiguous(Exception):
    """Our names in the pickle cannot be told from what only looks like them."""


class _Pickler:
    """What is added to a pickler: PyTorch's reductions where ours are others, and a list of the objects of ours that went in by name.

    ``identify`` is called with storages and classes; it returns the persistent identifier, or None.
    """

    def __init__(self, file: Any, protocol: Any, identify: Any) -> None:
        super().__init__(file, protocol=protocol)  # type: ignore[call-arg]
        self._identify = identify
        self.renamed = {}

    def persistent_id(self, obj: Any) -> Any:
        return self._identify(obj) if isinstance(obj, (_Storage, type)) else None

    def reducer_override(self, obj: Any) -> Any:
        cls = type(obj)
        if isinstance(obj, Tensor):
            if obj._volatile:  # of which files know nothing
                obj = obj.unfolded()  # type: ignore[attr-defined]
            cls = type(obj)
            if cls.__reduce_ex__ is Tensor.__reduce_ex__:
                # PyTorch's files do not say of which subclass of Parameter it is
                return _utils.reduction(obj, Parameter if issubclass(cls, Parameter) else cls)
        elif cls in _REDUCERS:
            return _REDUCERS[cls](obj)
        elif isinstance(obj, _BY_NAME):
            name = names.to_torch(obj)
            own = None if name is None else self.rename(obj, *name)
            if own is not None:
                return own
        otherwise = getattr(super(), "reducer_override", None)
        return NotImplemented if otherwise is None else otherwise(obj)

    def rename(self, obj: Any, module: Module, name: str) -> Any:
        """Note that PyTorch calls ``obj`` by this name; returns the name under which pickle finds it here."""
        own = getattr(obj, "__qualname__", None) or obj.name
        if getattr(import_module(obj.__module__), own, None) is not obj:
            raise _Ambiguous(f"{obj} is not to be found as {obj.__module__}.{own}")
        self.renamed[obj.__module__, own] = module, name
        return own


class _LenientPickler(_Pickler):
    """For a pickler that may know what to do with objects that are not to be found by name."""

    def rename(self, obj: Any, module: Module, name: str) -> Any:
        try:
            return super().rename(obj, module, name)
        except _Ambiguous:
            return None


class _PatientPickler(_Pickler, pickle._Pickler):
    """Python's pickler written in Python: slower, but it lets every name be written as PyTorch has it."""

    memoize: Any
    proto: Any
    save: Any
    write: Any

    def rename(self, obj: Any, module: Module, name: str) -> Any:
        self.renamed[id(obj)] = module, name
        return name

    def save_global(self, obj: Any, name: Any = None) -> Any:
        if id(obj) not in self.renamed:
            return super().save_global(obj, name)  # type: ignore[misc]
        module, name = self.renamed[id(obj)]
        if self.proto >= 4:
            self.save(sys.intern(module))  # one object, which pickle writes once
            self.save(sys.intern(name))
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)


def pickle_to(file: Any, obj: Any, identifier: Any, pickle_module: Any, protocol: Any) -> Any:
    """Pickle ``obj`` with PyTorch's names; returns what ``identifier()``, a new ``SavedStorages``, has collected.

    The pickler of ``pickle_module`` writes our names.  Up to protocol 3 each stands in the pickle as a line of text,
    once, and is replaced there.  Where the same text occurs as data, or with a later protocol, the patient pickler
    does it again; for another ``pickle_module`` than Python's own, our names stay.
    """
    if protocol is None:
        protocol = DEFAULT_PROTOCOL
    elif protocol < 0:
        protocol = pickle.HIGHEST_PROTOCOL
    ordinary = pickle_module.Pickler is pickle.Pickler
    if protocol < 4 or not ordinary:
        bases = (_Pickler if ordinary else _LenientPickler, pickle_module.Pickler)
        draft, storages = io.BytesIO(), identifier()
        pickler = type("CheckpointPickler", bases, {})(draft, protocol, storages.identify)
        try:
            pickler.dump(obj)
            file.write(_translate(draft.getvalue(), pickler.renamed))
            return storages
        except _Ambiguous:
            if not ordinary:
                file.write(draft.getvalue())
                return storages
    storages = identifier()
    _PatientPickler(file, protocol, storages.identify).dump(obj)
    return storages


def _translate(pickled, renamed):
    for ours, theirs in renamed.items():
        line = "c{}\n{}\n".format(*ours).encode()
        if pickled.count(line) != 1:
            raise _Ambiguous(f"{ours} occurs as data")
        pickled = pickled.replace(line, "c{}\n{}\n".format(*theirs).encode())
    return pickled


class SavedStorages:
    """The storages that a pickle refers to, by key in the order of their first mention: (memory, dtype)."""

    def __init__(self) -> None:
        self.by_key = {}
        self._keys = {}
        self._dtypes = {}

    def describe(self, storage: Any) -> Any:
        """("storage", storage type, key, location, number of elements) for a typed or untyped storage.

        Raises RuntimeError if the same memory was met before as elements of another dtype.
        """
        memory = storage._untyped_storage
        kind = getattr(storage, "dtype", uint8)
        cls = UntypedStorage if storage is memory else LEGACY[storage.pickle_storage_type()]
        if len(memory) and self._dtypes.setdefault(memory.data_ptr(), kind) is not kind:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different types"
            )
        key = self._keys.setdefault(memory._cdata, str(len(self._keys)))
        self.by_key.setdefault(key, (memory, kind))
        return "storage", cls, key, location_tag(memory), len(storage)

    def identify(self, obj: Any) -> Any:
        """The persistent identifier of a storage in an archive."""
        return None if isinstance(obj, type) else self.describe(obj)


class LegacyStorages(SavedStorages):
    """As in an archive, with the fields that the legacy format has besides; it also records the source of modules."""

    def __init__(self) -> None:
        super().__init__()
        self._sources = set()

    def identify(self, obj: Any) -> Any:
        """The persistent identifier of a storage or of a class of modules."""
        if not isinstance(obj, type):
            word, cls, *rest = self.describe(obj)
            if cls is UntypedStorage:
                cls = LEGACY["ByteStorage"]  # PyTorch, too, writes the other one here, but cannot read it
            return (word, cls, *rest, None)  # None: the whole storage, not a view into it
        if not issubclass(obj, Module) or obj in self._sources:
            return None
        self._sources.add(obj)
        return ("module", obj, *source_of(obj))


def source_of(cls: Any) -> Any:
    """(file, source text) of a user's class, for the warning that it has changed; ours have none in PyTorch's terms."""
    if names.to_torch(cls) is not None:
        return None, None
    try:
        return inspect.getsourcefile(cls), inspect.getsource(cls)
    except (OSError, TypeError):
        warnings.warn(
            f"Couldn't retrieve source code for container of type {cls.__name__}. It won't be checked for correctness "
            "upon loading.",
            stacklevel=2,
        )
        return None, None
