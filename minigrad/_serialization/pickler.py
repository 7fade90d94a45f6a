"""How objects become pickles that PyTorch reads: its reductions of tensors, its names, storages kept aside.

``pickle_to`` is the way in.  What comes out of it, a pickle and the storages that it refers to, is what ``serialization.py``
puts into a file.
"""

import inspect
import io
import pickle
import sys
import types
import warnings
from collections import OrderedDict
from importlib import import_module

import numpy as np

from .. import _utils
from .._arrays.memory_layout import address, contiguous_strides
from .._base import device as devices
from .._base.dtypes import dtype, uint8
from .._base.size import Size
from .._core.tensor import Tensor
from .._ops.parameter import Parameter
from .._ops.storage_classes import CLASS_NAMES, LEGACY, TypedStorage, UntypedStorage, _Storage
from ..nn import Module
from . import names
from .locations import location_tag

DEFAULT_PROTOCOL = 2


def _reduce_tensor(tensor):
    """How PyTorch pickles ``tensor``: a function to rebuild it and its arguments, among them a storage."""
    cls = type(tensor)
    _warn_of_hooks(tensor)
    if issubclass(cls, Parameter):
        state = _utils.attributes(tensor)
        args = (tensor.data, tensor.requires_grad, OrderedDict())
        if state:
            return _utils._rebuild_parameter_with_state, (*args, state)
        return _utils._rebuild_parameter, args
    state = _utils.attributes(tensor)
    plain = _reduce_values(tensor)
    if cls is Tensor and not state:
        return plain
    return _utils._rebuild_from_type_v2, (plain[0], cls, plain[1], state)


def _reduce_values(tensor):
    array, kind, stride = tensor._array, tensor.dtype, tensor.stride()
    memory, offset = _place(array)
    if offset is None:  # the file format cannot say how the array lies in its memory
        array = np.array(array, kind.np, order="C")
        memory, offset = _place(array)
        stride = contiguous_strides(array.shape)
    args = (offset, tuple(array.shape), tuple(stride), tensor.requires_grad, OrderedDict())
    if kind in CLASS_NAMES:
        return _utils._rebuild_tensor_v2, (TypedStorage(wrap_storage=memory, dtype=kind), *args)
    return _utils._rebuild_tensor_v3, (memory, *args, kind)


def _place(array):
    """The storage under ``array``, and where in it, in elements, the array begins.

    None instead of the latter if it, or a stride, is no whole number of elements, or if a stride is negative.
    """
    memory = UntypedStorage.of(array)
    if not array.size:
        return memory, 0
    offset, rest = divmod(address(array) - address(memory._elements), array.itemsize)
    plain = not rest and all(step >= 0 and not step % array.itemsize for step in array.strides)
    return memory, offset if plain else None


def _warn_of_hooks(tensor):
    extra = getattr(tensor._node, "_extra", None)
    for hooks in extra.tensor.values() if tensor.is_leaf and extra is not None else ():
        for hook in hooks.values():
            if not hasattr(hook, "__torch_unserializable__"):
                warnings.warn(
                    f"backward hook {hook!r} on tensor will not be serialized.  Mark its function with "
                    "@torch.utils.hooks.unserializable_hook if it may be left out.",
                    stacklevel=2,
                )


_REDUCERS = {
    Size: lambda size: (Size, (tuple(size),)),
    devices.device: lambda d: (devices.device, (d.type,) if d.index is None else (d.type, d.index)),
    devices.layout: lambda layout: (names.get_layout, (str(layout),)),
}
_BY_NAME = (type, types.FunctionType, types.BuiltinFunctionType, dtype, devices.memory_format)


class _Ambiguous(Exception):
    """Our names in the pickle cannot be told from what only looks like them."""


class _Pickler:
    """What is added to a pickler: PyTorch's reductions, and a list of the objects of ours that went in by name.

    ``identify`` is called with storages and classes; it returns the persistent identifier, or None.
    """

    def __init__(self, file, protocol, identify):
        super().__init__(file, protocol=protocol)
        self._identify = identify
        self.renamed = {}

    def persistent_id(self, obj):
        return self._identify(obj) if isinstance(obj, (_Storage, type)) else None

    def reducer_override(self, obj):
        cls = type(obj)
        if isinstance(obj, Tensor):
            if obj._volatile:  # of which files know nothing
                return self.reducer_override(obj.unfolded())
            if cls.__reduce_ex__ in (Tensor.__reduce_ex__, Parameter.__reduce_ex__):
                return _reduce_tensor(obj)
        elif cls in _REDUCERS:
            return _REDUCERS[cls](obj)
        elif isinstance(obj, _BY_NAME):
            name = names.to_torch(obj)
            own = None if name is None else self.rename(obj, *name)
            if own is not None:
                return own
        otherwise = getattr(super(), "reducer_override", None)
        return NotImplemented if otherwise is None else otherwise(obj)

    def rename(self, obj, module, name):
        """Note that PyTorch calls ``obj`` by this name; returns the name under which pickle finds it here."""
        own = getattr(obj, "__qualname__", None) or obj.name
        home = import_module(obj.__module__)
        if getattr(home, own, None) is not obj:
            own += "_"  # bool_ is the dtype that PyTorch calls bool
            if getattr(home, own, None) is not obj:
                raise _Ambiguous(f"{obj} is not to be found as {obj.__module__}.{own}")
        self.renamed[obj.__module__, own] = module, name
        return own


class _LenientPickler(_Pickler):
    """For a pickler that may know what to do with objects that are not to be found by name."""

    def rename(self, obj, module, name):
        try:
            return super().rename(obj, module, name)
        except _Ambiguous:
            return None


class _PatientPickler(_Pickler, pickle._Pickler):
    """Python's pickler written in Python: slower, but it lets every name be written as PyTorch has it."""

    def rename(self, obj, module, name):
        self.renamed[id(obj)] = module, name
        return name

    def save_global(self, obj, name=None):
        if id(obj) not in self.renamed:
            return super().save_global(obj, name)
        module, name = self.renamed[id(obj)]
        if self.proto >= 4:
            self.save(sys.intern(module))  # one object, which pickle writes once
            self.save(sys.intern(name))
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)


def pickle_to(file, obj, identifier, pickle_module, protocol):
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

    def __init__(self):
        self.by_key = {}
        self._keys = {}
        self._dtypes = {}

    def describe(self, storage):
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

    def identify(self, obj):
        """The persistent identifier of a storage in an archive."""
        return None if isinstance(obj, type) else self.describe(obj)


class LegacyStorages(SavedStorages):
    """As in an archive, with the fields that the legacy format has besides; it also records the source of modules."""

    def __init__(self):
        super().__init__()
        self._sources = set()

    def identify(self, obj):
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


def source_of(cls):
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
