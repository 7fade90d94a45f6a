"""Storage objects: the memory under a tensor, as bytes (``UntypedStorage``) or as elements (``TypedStorage``).

NumPy already knows whose memory an array looks at: the owner stands at the end of its chain of bases.  So a storage
is no field of a tensor but a way to look at that owner, made when somebody asks for it.  These classes know arrays and
dtypes only; ``storage.py`` is their public home, ``serialization.py`` reads and writes them.
"""

import pickle
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._arrays.memory_layout import BYTE, address, flat_bytes, owner_of
from .._arrays.rounding import fitted, numbers
from .._base import dtypes
from .._base.device import CPU, META, check
from .._base.device import Device as _Device
from .._base.dtypes import dtype as _dtype
from .._base.lazy import bind
from .._base.publishing import publish
from .._core import late
from .._core.tensor import is_blank

__all__ = [
    "BFloat16Storage", "BoolStorage", "ByteStorage", "CharStorage", "ComplexDoubleStorage", "ComplexFloatStorage", "DoubleStorage", "FloatStorage",
    "HalfStorage", "IntStorage", "LongStorage", "ShortStorage", "TypedStorage", "UntypedStorage",
]

#: The storages of arrays, by the ids of the arrays' owners, which they keep alive.
_living: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class _Storage:
    """What storages of bytes and of elements have in common: a sequence of numbers in memory."""

    _elements: Any
    _type_name: Any
    clone: Any


    __slots__ = ()
    is_cuda = is_hpu = is_sparse = False

    @property
    def device(self) -> Any:
        """The CPU, or ``meta``."""
        return META if is_blank(self._elements) else CPU

    def __len__(self) -> int:
        return len(self._elements)

    def size(self) -> int:
        """The number of elements."""
        return len(self._elements)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: Any) -> Any:
        return numbers(self._elements[self._position(index)]).item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            index = self._position(index)
        value = value._elements if isinstance(value, _Storage) else value
        self._elements[index] = value if self._elements.dtype.char != "V" else fitted(np.asarray(value), self._elements.dtype)

    def _position(self, index):
        if not hasattr(index, "__index__"):
            raise TypeError(f"can't index a {self.type()} with {type(index).__name__}")
        position = index.__index__()
        if not -len(self) <= position < len(self):
            raise IndexError(f"index {position} out of range for storage of size {len(self)}")
        return position

    def tolist(self) -> Any:
        """The elements as a list of Python numbers."""
        return numbers(self._elements).tolist()

    def nbytes(self) -> Any:
        """The size in bytes."""
        return self._elements.nbytes

    def element_size(self) -> Any:
        """The size of one element in bytes."""
        return self._elements.itemsize

    def data_ptr(self) -> Any:
        """The address of the first element; 0 if there is none."""
        return address(self._elements) if len(self) and not is_blank(self._elements) else 0

    def fill_(self, value: Any) -> Any:
        """Write ``value`` into every element; returns the storage."""
        self._elements[...] = value
        return self

    def copy_(self, source: Any, non_blocking: Any = None) -> Any:
        """Write the elements of ``source``, a storage of the same length; raises RuntimeError if it is not."""
        if len(source) != len(self):
            raise RuntimeError(f"size does not match, self was {len(self)} but src was {len(source)}")
        self._elements[...] = source._elements
        return self

    def __copy__(self) -> Any:
        return self.clone()

    def cpu(self) -> Any:
        """The storage itself: it is in the CPU's memory; raises NotImplementedError for one of ``meta``."""
        if is_blank(self._elements):
            raise NotImplementedError("Cannot copy out of meta tensor; no data!")
        return self

    def to(self, *, device: _Device, non_blocking: bool = False) -> Any:
        """The storage itself if it is there; a storage of that size on ``meta``; raises for any other device."""
        if check(device) is META and not is_blank(self._elements):
            return on_meta(self.nbytes())
        return self.cpu() if check(device) is CPU else self

    def cuda(self, device: _Device = None, non_blocking: bool = False) -> None:
        """Raises AssertionError: minigrad computes on the CPU only."""
        check("cuda")

    def get_device(self) -> Any:
        """-1, which stands for the CPU."""
        return -1

    def is_pinned(self, device: str = "cuda") -> bool:
        """False: there is no device to pin memory for."""
        return False

    def resizable(self) -> bool:
        """False: NumPy cannot move memory that several arrays look at."""
        return False

    def resize_(self, size: Any) -> Any:
        """The storage itself if it has ``size`` elements; raises RuntimeError for any other size."""
        if size != len(self):
            raise RuntimeError("Trying to resize storage that is not resizable")
        return self

    def type(self, dtype: _dtype | None = None, non_blocking: bool = False) -> Any:
        """The name of the storage's type, or the elements converted to ``dtype`` as a ``TypedStorage``."""
        return self._type_name() if dtype is None else self._to(dtype)

    def _to(self, dtype):
        memory = UntypedStorage.of(self._elements.astype(dtype.np))
        return TypedStorage(wrap_storage=memory, dtype=dtype)

    def __sizeof__(self) -> Any:
        return object.__sizeof__(self) + self.nbytes()

    def _text(self, label):
        if is_blank(self._elements):
            return f"...\n[{label} of size {len(self)}]"
        return "\n".join(f" {value}" for value in self.tolist()) + f"\n[{label} of size {len(self)}]"


def blank_bytes(size):
    """So many bytes on ``meta``, of which none exists."""
    return late.meta().without_elements(np.empty, size, BYTE)


def on_meta(size):
    """A storage of so many bytes on ``meta``."""
    return UntypedStorage.of(blank_bytes(size))


class UntypedStorage(_Storage):
    """The memory that a tensor and its views share, as bytes: ``UntypedStorage(n)`` or ``UntypedStorage(values)``.

    >>> import minigrad
    >>> minigrad.storage.UntypedStorage([1, 2, 3]).nbytes()
    3
    """

    __slots__ = ("__weakref__", "_elements", "_owner")

    def __init__(self, size: Any = 0, *, device: _Device = None) -> None:
        if isinstance(size, int):
            if size < 0:
                raise RuntimeError(f"torch.UntypedStorage(): the size must not be negative, but got {size}")
            self._elements = np.empty(size, BYTE) if check(device) is CPU else blank_bytes(size)
        else:
            self._elements = np.array(list(size)).astype(BYTE)
            if check(device) is META:
                self._elements = blank_bytes(len(self._elements))
        self._owner = owner_of(self._elements)

    @classmethod
    def of(cls, array: Any) -> Any:
        """The storage under ``array``, an ndarray; no copy.  While it lives there is one such object for each piece of memory."""
        owner = owner_of(array)
        self = _living.get(id(owner))
        if self is None:
            self = object.__new__(cls)
            self._owner = owner
            self._elements = flat_bytes(owner)
            _living[id(owner)] = self
        return self

    @classmethod
    def from_buffer(cls, buffer: Any, byte_order: Any = None, count: int = -1, offset: int = 0, *, dtype: _dtype | None = None) -> Any:
        """A copy of ``count`` elements of ``dtype`` (default ``uint8``; -1: all) from byte ``offset`` of ``buffer``.

        Raises ValueError unless ``byte_order`` is ``"native"``, ``"little"`` or ``"big"`` where it matters.
        """
        values = np.frombuffer(buffer, BYTE if dtype is None else dtype.np, count, offset)
        storage = cls.of(values.copy())
        if values.itemsize > 1:
            if byte_order not in ("native", "little", "big"):
                raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
            if byte_order not in ("native", sys.byteorder):
                storage.byteswap(dtype)
        return storage

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return super().__getitem__(index)
        if index.step not in (None, 1):
            raise RuntimeError(
                f"Trying to slice with a step of {index.step}, but only a step of 1 is supported"
            )
        part = object.__new__(UntypedStorage)
        part._elements = part._owner = self._elements[index]
        return part

    def _rest_on(self, owner):
        """Be the storage of ``owner``, an array of bytes with the same values, from now on."""
        _living.pop(id(self._owner), None)
        self._owner = self._elements = owner
        _living[id(owner)] = self

    @property
    def _cdata(self):
        return id(self._owner)

    @property
    def _untyped_storage(self):
        return self

    def untyped(self) -> Any:
        """The storage itself."""
        return self

    def clone(self) -> Any:
        """A copy that shares no memory."""
        return UntypedStorage.of(self._elements.copy())

    def __deepcopy__(self, memo: Any) -> Any:
        copies = memo.setdefault("torch", {})
        if self._cdata not in copies:
            copies[self._cdata] = self.clone()
        return copies[self._cdata]

    def __reduce_ex__(self, protocol: Any) -> Any:
        # from protocol 5 on the bytes can travel out of band
        memory = pickle.PickleBuffer(self._elements) if protocol >= 5 else self._elements.tobytes()
        return _rebuild_untyped, (memory, sys.byteorder)

    def byteswap(self, dtype: _dtype) -> None:
        """Reverse, in place, the bytes of every element of ``dtype``."""
        width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if width > 1:
            self._elements[: len(self) // width * width].view(f"u{width}").byteswap(inplace=True)

    def _type_name(self):
        return "torch.storage.UntypedStorage"

    def __repr__(self) -> str:
        return self._text(f"torch.storage.UntypedStorage(device={self.device})")


class TypedStorage(_Storage):
    """A storage read as elements of one dtype: ``TypedStorage(n, dtype=...)``, or over an ``UntypedStorage``.

    >>> import minigrad
    >>> minigrad.storage.TypedStorage([1, 2], dtype=minigrad.int16).nbytes()
    4
    """

    _untyped_storage: Any
    dtype: Any


    __slots__ = ("__weakref__", "_untyped_storage", "dtype")

    def __new__(cls, size: Any = 0, *, wrap_storage: Any = None, dtype: _dtype | None = None, device: _Device = None, _internal: bool = False) -> Any:
        check(device)
        self = object.__new__(TypedStorage)
        self.dtype = dtype = _dtype_for(cls, dtype)
        if wrap_storage is None:
            values = (
                np.empty(size, dtype.np)
                if isinstance(size, int)
                else fitted(np.array(list(size)), dtype.np).astype(dtype.np)
            )
            wrap_storage = UntypedStorage.of(values)
        self._untyped_storage = wrap_storage
        return self

    @property
    def _elements(self):
        memory, item = self._untyped_storage._elements, self.dtype.itemsize
        return memory[: len(memory) // item * item].view(self.dtype.np)

    @classmethod
    def from_buffer(cls, buffer: Any, byte_order: Any = None, count: int = -1, offset: int = 0, *, dtype: _dtype | None = None) -> Any:
        """As ``UntypedStorage.from_buffer``, read as elements of ``dtype``."""
        dtype = _dtype_for(cls, dtype)
        memory = UntypedStorage.from_buffer(buffer, byte_order, count, offset, dtype=dtype)
        return TypedStorage(wrap_storage=memory, dtype=dtype)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return super().__getitem__(index)

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    def untyped(self) -> Any:
        """The same memory as bytes."""
        return self._untyped_storage

    def clone(self) -> Any:
        """A copy that shares no memory."""
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype)

    def __deepcopy__(self, memo: Any) -> Any:
        import copy

        return TypedStorage(wrap_storage=copy.deepcopy(self._untyped_storage, memo), dtype=self.dtype)

    def __reduce__(self) -> Any:
        return _rebuild_typed, (self._untyped_storage, self.dtype)

    def pickle_storage_type(self) -> Any:
        """The name of the class that files give to a storage of this dtype, such as ``"FloatStorage"``."""
        try:
            return CLASS_NAMES[self.dtype]
        except KeyError:
            raise KeyError(f"dtype {self.dtype} is not recognized") from None

    def _type_name(self):
        return f"torch.{CLASS_NAMES.get(self.dtype, 'TypedStorage')}"

    def __repr__(self) -> str:
        return self._text(f"torch.storage.TypedStorage(dtype={self.dtype}, device=cpu)")


def _dtype_for(cls, dtype):
    return (dtype or dtypes.get_default_dtype()) if cls is TypedStorage else cls.dtype


def _rebuild_untyped(memory, byteorder):
    """A storage again from what ``pickle`` kept of it; over ``memory`` itself where that can be written to."""
    if byteorder != sys.byteorder:
        raise RuntimeError(
            f"this pickle holds tensors of a {byteorder}-endian machine, and this one is {sys.byteorder}-endian: "
            "torch.save writes files that both can read"
        )
    elements = np.frombuffer(memory, BYTE)
    return UntypedStorage.of(elements if elements.flags.writeable else elements.copy())


def _rebuild_typed(memory, dtype):
    return TypedStorage(wrap_storage=memory, dtype=dtype)


def _conversion(dtype):
    def convert(self):
        return self._to(dtype)

    convert.__doc__ = f"The elements converted to ``{dtype.name}``, as a ``TypedStorage``."
    return convert


for _name, _element in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool_, "complex_float": dtypes.complex64, "complex_double": dtypes.complex128,
}.items():  # fmt: skip
    setattr(_Storage, _name, _conversion(_element))


class _LegacyMeta(type):
    dtype: Any

    def __instancecheck__(cls, instance: Any) -> Any:
        return type(instance) is TypedStorage and instance.dtype is cls.dtype


class _Legacy(TypedStorage, metaclass=_LegacyMeta):
    __slots__ = ()


#: The class names that PyTorch's files give to storages, by dtype; the dtypes that came later have none.
CLASS_NAMES = {
    dtypes.float64: "DoubleStorage", dtypes.float32: "FloatStorage", dtypes.float16: "HalfStorage",
    dtypes.bfloat16: "BFloat16Storage", dtypes.int64: "LongStorage", dtypes.int32: "IntStorage",
    dtypes.int16: "ShortStorage", dtypes.int8: "CharStorage", dtypes.uint8: "ByteStorage",
    dtypes.bool_: "BoolStorage", dtypes.complex64: "ComplexFloatStorage",
    dtypes.complex128: "ComplexDoubleStorage",
}  # fmt: skip


def _legacy_class(name, dtype):
    doc = f"""The storages of dtype ``{dtype.name}``; called, it makes one: ``{name}(n)`` or ``{name}(values)``.

    >>> import minigrad
    >>> isinstance(minigrad.{name}(3), minigrad.{name})
    True
    """
    return _LegacyMeta(name, (_Legacy,), {"__slots__": (), "__doc__": doc, "dtype": dtype})


#: Storages of quantised numbers can be named: there are none.
_QUANTISED = {
    "QInt32Storage": "qint32", "QInt8Storage": "qint8", "QUInt2x4Storage": "quint2x4", "QUInt4x2Storage": "quint4x2", "QUInt8Storage": "quint8",
}  # fmt: skip
QInt32Storage, QInt8Storage, QUInt2x4Storage, QUInt4x2Storage, QUInt8Storage = [
    _LegacyMeta(
        name,
        (_Legacy,),
        {"__slots__": (), "__doc__": f"The storages of dtype ``{dtype}``: there are none.", "dtype": dtypes.WITHOUT_TENSORS[dtype]},
    )
    for name, dtype in _QUANTISED.items()
]

#: Class name -> class: ``FloatStorage(n)`` makes a ``TypedStorage`` of ``float32``.
LEGACY = {name: _legacy_class(name, dtype) for dtype, name in CLASS_NAMES.items()}
(
    BFloat16Storage, BoolStorage, ByteStorage, CharStorage, ComplexDoubleStorage, ComplexFloatStorage, DoubleStorage, FloatStorage, HalfStorage,
    IntStorage, LongStorage, ShortStorage,
) = map(LEGACY.__getitem__, __all__[:12])

publish("minigrad.storage", UntypedStorage, TypedStorage, _rebuild_untyped, _rebuild_typed)
publish("minigrad", *LEGACY.values(), QInt32Storage, QInt8Storage, QUInt2x4Storage, QUInt4x2Storage, QUInt8Storage)

_SHARED = "_ops.shared_storages"
bind(_Storage, {_SHARED: "is_shared share_memory_ _share_fd_cpu_ _share_filename_cpu_ _shared_incref _shared_decref"})
bind(UntypedStorage, {_SHARED: "_new_shared _new_shared_fd_cpu _new_shared_filename_cpu"})
bind(TypedStorage, {_SHARED: "_new_shared=_new_shared_typed"})
bind(_Legacy, {_SHARED: "_new_shared=_new_shared_legacy"})
_FILES = "_ops.mapped_files"
bind(_Storage, {_FILES: "filename"})
bind(UntypedStorage, {_FILES: "from_file=untyped_from_file"})
bind(TypedStorage, {_FILES: "from_file=typed_from_file"})
