"""DLPack capsules made by hand, as a library in C makes them, and what a capsule says."""

import ctypes


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("index", ctypes.c_int32)]


class _Dtype(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Dtype),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Old(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", _Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, (ctypes.py_object,)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)

_kept = []  # the memory of all capsules, for as long as the tests run


class Exporter:
    """An object that exports ``data`` (bytes) by a capsule, once; ``deleted`` counts the calls of the capsule's deleter, ``asked`` is what it was asked for."""

    def __init__(
        self, data, shape, code=2, bits=32, strides=None, version=None, flags=0, device=1, offset=0, lanes=1
    ):
        self.buffer = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
        self.deleted = 0
        self.device = device
        self._sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self._strides = None if strides is None else (ctypes.c_int64 * max(len(shape), 1))(*strides)
        held = self._held = _Old() if version is None else _Versioned()
        tensor = held.tensor
        tensor.data = ctypes.addressof(self.buffer) if data else None
        tensor.device, tensor.dtype = _Device(device, 0), _Dtype(code, bits, lanes)
        tensor.ndim, tensor.offset = len(shape), offset
        tensor.shape = ctypes.cast(self._sizes, ctypes.POINTER(ctypes.c_int64))
        if strides is not None:
            tensor.strides = ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64))
        held.deleter = _Deleter(self._delete)
        if version is not None:
            held.major, held.minor = version
            held.flags = flags
        self._name = b"dltensor" if version is None else b"dltensor_versioned"
        self.capsule = _new(ctypes.addressof(held), self._name, None)
        _kept.append(self)

    def _delete(self, pointer):
        self.deleted += 1

    def __dlpack__(self, **asked):
        self.asked = asked
        return self.capsule

    def __dlpack_device__(self):
        return self.device, 0


def name_of(capsule):
    """A capsule's name, which tells whether it was taken."""
    return _name(capsule).decode()


def said(capsule):
    """What a capsule says of its tensor: dtype, shape, strides, device, whether there is memory, flags."""
    name = _name(capsule)
    held = (_Old if name == b"dltensor" else _Versioned).from_address(_pointer(capsule, name))
    t = held.tensor
    strides = [t.strides[k] for k in range(t.ndim)] if t.ndim else []
    flags = held.flags if name != b"dltensor" else None
    return (
        (t.dtype.code, t.dtype.bits, t.dtype.lanes),
        [t.shape[k] for k in range(t.ndim)],
        strides,
        t.device.type,
        bool(t.data),
        flags,
    )
