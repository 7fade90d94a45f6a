"""Storage objects: the memory under a tensor, as bytes (``UntypedStorage``) or as elements (``TypedStorage``).

NumPy already knows whose memory an array looks at: the owner stands at the end of its chain of bases.  So a storage
is no field of a tensor but a way to look at that owner, made when somebody asks for it.  These classes know arrays and
dtypes only; ``storage.py`` is their public home, ``serialization.py`` reads and writes them.
"""

import pickle
import sys
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .._arrays.memory_layout import BYTE, address, flat_bytes, owner_of
from .._arrays.rounding import fitted, numbers
from .._base import dtypes
from .._base.device import CPU, META, check
from .._base.device import Device as _Device
from .._base.dtypes import dtype as _dtype
from .._base.errors import type_name
from .._base.lazy import bind
from .._base.publishing import publish
from .._core import late
from .._core.tensor import Tensor, is_blank

__all__ = [
    "BFloat16Storage", "BoolStorage", "ByteStorage", "CharStorage", "ComplexDoubleStorage", "ComplexFloatStorage", "DoubleStorage", "FloatStorage",
    "HalfStorage", "IntStorage", "LongStorage", "ShortStorage", "TypedStorage", "UntypedStorage",
]

#: The storages of arrays, by the ids of the arrays' owners, which they keep alive.
_living: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class _Storage:
    """What storages of bytes and of elements have in common: a sequence of numbers in memory."""

    _element: Any
    _elements: Any
    _type_name: Any
    _untyped_storage: Any
    clone: Any

    __slots__ = ()
    is_cuda = is_hpu = is_sparse = is_sparse_csr = False

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
        self._elements[index] = value._elements if isinstance(value, _Storage) else self._element(value)

    def _position(self, index):
        if not hasattr(index, "__index__"):
            raise self._no_index(index)
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
        self._elements[...] = self._element(value)
        return self

    def copy_(self, source: Any, non_blocking: Any = None) -> Any:
        """Write the bytes of ``source``, a storage of as many bytes; nothing is converted.  Raises RuntimeError if it has more or fewer."""
        if not isinstance(source, _Storage):
            raise TypeError(f"copy_(): argument 'src' (position 1) must be torch.Storage, not {type_name(source)}")
        if source.nbytes() != self.nbytes():
            raise RuntimeError(f"size does not match, self was {self.nbytes()} bytes but src was {source.nbytes()} bytes")
        self._untyped_storage._elements[...] = source._untyped_storage._elements
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
        """False: memory is never pinned."""
        return False

    def type(self, dtype: _dtype | None = None, non_blocking: bool = False) -> Any:
        """The name of the storage's type, or the elements converted to ``dtype``, a dtype, a class or its name, as a ``TypedStorage``."""
        if dtype is None:
            return self._type_name()
        if isinstance(dtype, str):
            if dtype.removeprefix("torch.") not in LEGACY:
                raise RuntimeError(f"'{dtype}' is not the name of a class of storages, such as 'torch.FloatStorage'")
            dtype = LEGACY[dtype.removeprefix("torch.")]
        return self._to(dtype if isinstance(dtype, dtypes.dtype) else dtype.dtype)

    def _to(self, dtype):
        memory = UntypedStorage.of(fitted(self._elements, dtype.np).astype(dtype.np))
        return TypedStorage(wrap_storage=memory, dtype=dtype)

    def __sizeof__(self) -> Any:
        return object.__sizeof__(self) + self.nbytes()

    def _text(self, label):
        if is_blank(self._elements):
            return f"...\n[{label} of size {len(self)}]"
        return " " + "\n ".join(map(str, self.tolist())) + f"\n[{label} of size {len(self)}]"


def blank_bytes(size):
    """So many bytes on ``meta``, of which none exists."""
    return late.meta().without_elements(np.empty, size, BYTE)


def on_meta(size):
    """A storage of so many bytes on ``meta``."""
    return UntypedStorage.of(blank_bytes(size))


class UntypedStorage(_Storage):
    """The memory that a tensor and its views share, as bytes; made by ``UntypedStorage(n)`` or ``UntypedStorage(values)``.

    >>> import minigrad
    >>> minigrad.storage.UntypedStorage([1, 2, 3]).nbytes()
    3
    """

    __slots__ = ("__dict__", "__weakref__", "_elements", "_owner")

    def __init__(self, size: Any = 0, *, device: _Device = None) -> None:
        if hasattr(size, "__index__"):
            size = checked_size("torch.UntypedStorage()", size)
            self._elements = np.empty(size, BYTE) if check(device) is CPU else blank_bytes(size)
        else:
            self._elements = bytes_of(size)
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
        kind = BYTE if dtype is None else dtype.np
        if kind.itemsize > 1 and byte_order not in ("native", "little", "big"):
            raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
        length = memoryview(buffer).nbytes
        if not 0 <= offset <= length:
            raise ValueError(f"offset must be non-negative and no greater than buffer length ({length}), but got {offset}")
        if count < 0 and (length - offset) % kind.itemsize:
            raise ValueError(f"buffer size ({length - offset}) must be a multiple of element size ({kind.itemsize})")
        if count > (length - offset) // kind.itemsize:
            raise ValueError(
                f"buffer has only {(length - offset) // kind.itemsize} elements after offset {offset}, but specified a size of {count}"
            )
        values = np.frombuffer(buffer, kind, count, offset) if length > offset and count else np.empty(0, kind)
        storage = cls.of(values.copy())
        if values.itemsize > 1 and byte_order not in ("native", sys.byteorder):
            storage.byteswap(dtype)
        return storage

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return super().__getitem__(index)
        self._check_step(index)
        part = object.__new__(UntypedStorage)
        part._elements = part._owner = self._elements[index]
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._check_step(index)
        super().__setitem__(index, value)

    def fill_(self, value: Any) -> "UntypedStorage":
        """Write the byte ``value``, a whole number taken modulo 256, everywhere; returns the storage."""
        if not isinstance(value, int):
            raise RuntimeError(f"fill_ expects int, but got {type_name(value)}")
        return super().fill_(value)

    @staticmethod
    def _check_step(index):
        if index.step not in (None, 1):
            raise RuntimeError(
                f"Trying to slice with a step of {index.step}, but only a step of 1 is supported"
            )

    @staticmethod
    def _element(value):
        if not isinstance(value, int):
            raise RuntimeError(f"can only set storage content with a int types, but got {type_name(value)} instead")
        return value & 255

    @staticmethod
    def _no_index(index):
        return TypeError(f"can't index a torch.UntypedStorage with {type_name(index)}")

    def _rest_on(self, owner, elements=None):
        """Be the storage of ``owner``, an array of bytes, or of ``elements``, a part of it, from now on."""
        _living.pop(id(self._owner), None)
        self._owner = owner
        self._elements = owner if elements is None or len(elements) == len(owner) else elements
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

    def new(self) -> "UntypedStorage":
        """A storage of no bytes."""
        return UntypedStorage()

    def __deepcopy__(self, memo: Any) -> Any:
        if is_blank(self._elements) or self._elements.nbytes != self._owner.nbytes:
            return self.clone()
        return UntypedStorage.of(copy_of_owner(self._owner, memo))

    def __reduce_ex__(self, protocol: Any) -> Any:
        # from protocol 5 on the bytes can travel out of band
        memory = pickle.PickleBuffer(self._elements) if protocol >= 5 else self._elements.tobytes()
        return _rebuild_untyped, (memory, sys.byteorder)

    def byteswap(self, dtype: _dtype) -> None:
        """Reverse, in place, the bytes of every element of ``dtype``; raises RuntimeError if they do not fill the storage."""
        check_dtype(dtype)
        if len(self) % dtype.itemsize:
            raise RuntimeError(f"the length of data is not a multiple of {dtype.itemsize}")
        width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if width > 1:
            self._elements.view(f"u{width}").byteswap(inplace=True)

    def _type_name(self):
        return "torch.storage.UntypedStorage"

    def __repr__(self) -> str:
        return self._text(f"torch.storage.UntypedStorage(device={self.device})")


def copy_of_owner(owner, memo):
    """The deep copy of an array that owns memory: one for all tensors and storages over it."""
    twin = memo.get(id(owner))
    if twin is None:
        twin = memo[id(owner)] = owner.copy(order="K")
        memo.setdefault(id(memo), []).append(owner)  # its id must stay its own until the whole copy is made
    return twin


class TypedStorage(_Storage):
    """A storage read as elements of one dtype; made by ``TypedStorage(n, dtype=...)``, or over an ``UntypedStorage``.

    >>> import minigrad
    >>> minigrad.storage.TypedStorage([1, 2], dtype=minigrad.int16).nbytes()
    4
    """

    _untyped_storage: Any
    dtype: Any

    __slots__ = ("__dict__", "__weakref__", "_untyped_storage", "dtype")

    def __new__(cls, *args: Any, wrap_storage: Any = None, dtype: _dtype | None = None, device: _Device = None, _internal: bool = False) -> Any:
        legacy = cls is not TypedStorage
        if len(args) > 1 or (wrap_storage is not None and (args or device is not None or (dtype is None) is not legacy)):
            raise RuntimeError(_wrong_arguments(cls))
        if legacy and not (dtype is None and device is None):
            raise RuntimeError(_wrong_arguments(cls))
        if dtype is not None:
            check_dtype(dtype)
        check(device)
        self = object.__new__(TypedStorage)
        self.dtype = dtype = _dtype_for(cls, dtype)
        if wrap_storage is None:
            wrap_storage = UntypedStorage.of(_values(cls, args[0] if args else 0, dtype))
        elif not isinstance(wrap_storage, UntypedStorage):
            raise TypeError(f"{_wrong_arguments(cls)}\nThe argument 'wrap_storage' must be a torch.UntypedStorage, but got {type_name(wrap_storage)}")
        self._untyped_storage = wrap_storage
        return self

    @property
    def _elements(self):
        memory, item = self._untyped_storage._elements, self.dtype.itemsize
        return memory[: len(memory) // item * item].view(self.dtype.np)

    @classmethod
    def from_buffer(cls, buffer: Any, byte_order: Any = None, count: int = -1, offset: int = 0, *, dtype: _dtype | None = None) -> Any:
        """Like ``UntypedStorage.from_buffer``, read as elements of ``dtype``, or of the class's: ``FloatStorage.from_buffer(data, "little")``."""
        if cls is not TypedStorage and dtype is not None:
            raise RuntimeError("from_buffer: 'dtype' can only be specified in UntypedStorage.from_buffer and TypedStorage.from_buffer")
        dtype = _dtype_for(cls, dtype)
        memory = UntypedStorage.from_buffer(buffer, byte_order, count, offset, dtype=dtype)
        return TypedStorage(wrap_storage=memory, dtype=dtype)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return super().__getitem__(index)

    def _element(self, value):
        if isinstance(value, complex) and not self.dtype.is_complex:
            raise RuntimeError(f"value cannot be converted to type {dtypes.c_name(self.dtype)} without overflow")
        dtype = self.dtype.np
        try:
            return fitted(np.asarray(value._array if isinstance(value, Tensor) else value), dtype).astype(dtype)
        except (TypeError, ValueError):
            tensor = CLASS_NAMES.get(self.dtype, "Storage").replace("Storage", "Tensor")
            raise TypeError(f"can't assign a {type_name(value)} to a torch.{tensor}") from None

    def _no_index(self, index):
        return RuntimeError(f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}")

    def cpu(self) -> "TypedStorage":
        """The same memory as elements; raises NotImplementedError for one of ``meta``."""
        return TypedStorage(wrap_storage=self._untyped_storage.cpu(), dtype=self.dtype)

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
        return f"torch.{CLASS_NAMES.get(self.dtype, 'storage.TypedStorage')}"

    def __repr__(self) -> str:
        return self._text(f"torch.storage.TypedStorage(dtype={self.dtype}, device={self.device})")


def checked_size(what, size):
    """A number of elements as an int; raises RuntimeError if it is negative."""
    if size.__index__() < 0:
        raise RuntimeError(f"{what}: the size must not be negative, but got {size}")
    return size.__index__()


def check_dtype(dtype):
    """Raise RuntimeError unless ``dtype`` is one."""
    if not isinstance(dtype, dtypes.dtype):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")


def bytes_of(values):
    """A sequence of whole numbers, modulo 256, as an array of bytes."""
    if not isinstance(values, (Sequence, _Storage, np.ndarray, Tensor)):
        raise RuntimeError(f"torch.UntypedStorage(): Expected a sequence type, but got {type_name(values)}")
    values = list(values)
    for value in values:
        if isinstance(value, str):
            raise RuntimeError(
                "torch.UntypedStorage(): tried to construct a storage from a sequence, but one of the items was of type str instead of int"
            )
    return np.array(values).astype(BYTE)


def _values(cls, given, dtype):
    """An uninitialised array of ``given`` elements, or one of given values."""
    if hasattr(given, "__index__") and not isinstance(given, (Tensor, np.ndarray)):
        return np.empty(checked_size(f"torch.{cls.__name__}()", given), dtype.np)
    if not isinstance(given, Sequence):
        raise TypeError(f"{_wrong_arguments(cls)}\nThe first argument must be a number of elements or a sequence of values, but got {type_name(given)}")
    if isinstance(given, str):
        raise TypeError("new(): invalid data type 'str'")
    values = np.array(list(given))
    if dtype.np.kind in "iu" and values.size and values.dtype.kind in "iu":
        bounds = np.iinfo(dtype.np)
        if values.min() < bounds.min or values.max() > bounds.max:
            raise RuntimeError(f"value cannot be converted to type {dtypes.c_name(dtype)} without overflow")
    return fitted(values, dtype.np).astype(dtype.np)


def _wrong_arguments(cls):
    """What is said of arguments that make no typed storage."""
    if cls is TypedStorage:
        return (
            "TypedStorage.__init__ received an invalid combination of arguments. Expected one of:\n (int size, *, torch.dtype dtype)\n"
            " (Sequence values, *, torch.dtype dtype)\n (*, torch.UntypedStorage wrap_storage, torch.dtype dtype)"
        )
    return (
        f"<class 'torch.{cls.__name__}'>.__new__ received an invalid combination of arguments. Expected one of:\n (int size)\n (Sequence values)\n"
        " (*, torch.UntypedStorage wrap_storage)"
    )


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

    convert.__doc__ = f"Return the elements converted to ``{dtype.name}``, as a ``TypedStorage``."
    return convert


for _name, _element in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool_, "complex_float": dtypes.complex64, "complex_double": dtypes.complex128,
    "float8_e5m2": dtypes.float8_e5m2, "float8_e4m3fn": dtypes.float8_e4m3fn, "float8_e5m2fnuz": dtypes.float8_e5m2fnuz,
    "float8_e4m3fnuz": dtypes.float8_e4m3fnuz,
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
    doc = f"""A storage of dtype ``{dtype.name}``, made by ``{name}(n)`` or ``{name}(values)``.

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
        {"__slots__": (), "__doc__": f"A storage of dtype ``{dtype}``, of which there are none.", "dtype": dtypes.WITHOUT_TENSORS[dtype]},
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
bind(_Storage, {"_ops.resizing": "resizable resize_"})
bind(_Storage, {"_ops.storage_files": "_write_file=write_file"})
bind(UntypedStorage, {"_ops.storage_files": "_new_with_file=new_with_file _set_from_file=set_from_file"})
_FILES = "_ops.mapped_files"
bind(_Storage, {_FILES: "filename"})
bind(UntypedStorage, {_FILES: "from_file=untyped_from_file"})
bind(TypedStorage, {_FILES: "from_file=typed_from_file"})
