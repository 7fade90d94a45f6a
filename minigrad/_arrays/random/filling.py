"""What random fills have in common: the order in memory, the casts, and the words of PyTorch's errors.

Kernels work by chunks that stay in the processor's cache.
"""

import numpy as np

from ..._base.dtypes import from_numpy_dtype, scalar_type_name
from .generator import default_generator

#: Words drawn at a time: whole turns of the engine and whole blocks of 16; 127 KB where a word takes 8 bytes.
CHUNK = 26 * 624
HALF_CHUNK = CHUNK // 2

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)

#: C++'s names of the types, which some messages use.
C_NAMES = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int", "uint16": "short unsigned int", "uint32": "unsigned int",
    "uint64": "long unsigned int",
    "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex32": "c10::complex<c10::Half>", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip

#: The bits of the significand of the floating types, and their largest finite number.
DIGITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
LARGEST = {
    "float16": 65504.0,
    "bfloat16": (2.0 - 2.0**-7) * 2.0**127,
    "float32": (2.0 - 2.0**-23) * 2.0**127,
    "float64": (2.0 - 2.0**-52) * 2.0**1023,
}


def fill(array, generator, kernel, *args):
    """Run ``kernel(flat, generator, *args)`` over the elements in memory order, and return ``array``."""
    if generator is None:
        generator = default_generator()
    if array.flags.c_contiguous:
        with generator.lock:
            kernel(array.reshape(-1), generator, *args)
        return array
    target = array.transpose(memory_order(array))
    in_place = target.flags.c_contiguous
    flat = target.reshape(-1) if in_place else np.empty(array.size, array.dtype)
    with generator.lock:
        kernel(flat, generator, *args)
    if not in_place:
        target[...] = flat.reshape(target.shape)
    return array


def memory_order(array):
    """The axes of ``array`` from the largest stride to the smallest."""
    strides = array.strides
    if any(stride == 0 and size > 1 for stride, size in zip(strides, array.shape)):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )
    return sorted(range(array.ndim), key=lambda axis: -abs(strides[axis]))


def store(values, part):
    """Write float64 or int64 values, rounded as C++ casts them: to 16 bits by way of float32."""
    if part.dtype.itemsize == 2 and part.dtype.kind not in "iu":
        values = values.astype(np.float32)
    elif part.dtype.kind in "iu" and values.dtype.kind == "f":
        values = values.astype(np.int64 if part.dtype.itemsize == 8 else np.int32)
    part[...] = values


def is_floating(dtype):
    """Whether a NumPy dtype is one of the real floating types of tensors."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name == "bfloat16")  # the name takes 1.5 us


def not_implemented(kernel, array):
    """PyTorch's error where ``kernel`` has no case for the dtype of ``array``."""
    return NotImplementedError(f'"{kernel}" not implemented for {scalar_name(array)!r}')


def scalar_name(array):
    """PyTorch's name of the element type, such as ``Float``."""
    return scalar_type_name(from_numpy_dtype(array.dtype))
