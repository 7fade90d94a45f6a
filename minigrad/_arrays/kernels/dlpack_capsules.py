"""DLPack's capsules, as C lays them out: what one says of the memory that it hands over, read and written in place.

NumPy makes capsules and takes them over, memory and all; it does not know every dtype.  Those travel as unsigned integers of the same size: the dtype is
written into the capsule that NumPy made (``declare``), and taken out of one that NumPy is to read (``disguise``).
"""

import ctypes

from ..._base import dtypes

__all__ = ["declare", "described_dtype", "disguise", "held_by"]

_UNSIGNED = 1
#: DLPack's codes, PyTorch's names for them in errors, and the dtypes by their numbers of bits.
_CODES = {
    0: ("kInt", {8: "int8", 16: "int16", 32: "int32", 64: "int64"}),
    1: ("kUInt", {8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64"}),
    2: ("kFloat", {16: "float16", 32: "float32", 64: "float64"}),
    4: ("kFloat", {16: "bfloat16"}),
    5: ("kFloat", {32: "complex32", 64: "complex64", 128: "complex128"}),
    6: ("kDLBool", {8: "bool"}),
    10: ("kDLFloat8_e4m3fn", {8: "float8_e4m3fn"}),
    11: ("kDLFloat8_e4m3fnuz", {8: "float8_e4m3fnuz"}),
    12: ("kDLFloat8_e5m2", {8: "float8_e5m2"}),
    13: ("kDLFloat8_e5m2fnuz", {8: "float8_e5m2fnuz"}),
    14: ("kDLFloat8_e8m0fnu", {8: "float8_e8m0fnu"}),
}
_CODE_OF = {name: (code, bits) for code, (_, names) in _CODES.items() for bits, name in names.items()}
_BY_NAME = {dtype.name: dtype for dtype in (*dtypes.ALL, *dtypes.PACKED)}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_index", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
    major = 0


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, (ctypes.py_object, ctypes.c_char_p)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


def held_by(capsule):
    """What a capsule that was not taken yet holds; raises RuntimeError for any other object."""
    for name, kind in ((b"dltensor", _Managed), (b"dltensor_versioned", _Versioned)):
        if _is_valid(capsule, name):
            return kind.from_address(_pointer(capsule, name))
    raise RuntimeError(
        "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already "
        "constructed a tensor from it once."
    )


def declare(capsule, dtype, strides):
    """Write a dtype into a capsule that NumPy made, and, of what has no elements, the ``strides``; these are None else."""
    tensor = held_by(capsule).tensor
    tensor.code, tensor.bits = _CODE_OF[dtype.name]
    if strides is not None:
        tensor.data = None
        for k, stride in enumerate(strides):
            tensor.strides[k] = stride
    return capsule


def described_dtype(held):
    """The dtype of what a capsule holds; raises BufferError for one that no tensor has, or memory of another device."""
    tensor = held.tensor
    if held.major > 1:
        raise RuntimeError(
            f"unsupported DLPack capsule major version: {held.major}. Maximum supported version: 1"
        )
    if tensor.device_type != 1:
        raise BufferError(f"Unsupported device_type: {tensor.device_type}")
    if tensor.lanes != 1:
        raise BufferError(f"ATen does not support lanes != 1 for dtype code{tensor.code}")
    if tensor.code not in _CODES:
        raise BufferError(f"Unsupported code {tensor.code}")
    kind, names = _CODES[tensor.code]
    if tensor.bits not in names:
        raise BufferError(f"Unsupported {kind} bits {tensor.bits}")
    if tensor.strides and any(tensor.strides[k] < 0 for k in range(tensor.ndim)):
        raise BufferError("Tensors with negative strides are not supported: export a copy.")
    return _BY_NAME[names[tensor.bits]]


def disguise(held):
    """Make unsigned integers of what a capsule holds, which NumPy takes whatever they mean."""
    held.tensor.code = _UNSIGNED
