"""The element types of ONNX, as minigrad's dtypes, and the tensors of a model's file."""

from typing import Any

import numpy as np

from .. import _api as mg
from .._base import dtypes

#: The dtypes, where the number of an element type in ``TensorProto.DataType`` is the place in the list.
_DTYPES = [
    "None",
    "float32",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "None",
    "bool_",
    "float16",
    "float64",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
]
#: What NumPy does not know of itself, and is read by its bits.
_BITS = {2: np.uint16, 1: np.uint8}


def dtype_of(number: Any) -> Any:
    """The dtype for the number of an element type; raises NotImplementedError for strings and for those of less than a byte."""
    name = _DTYPES[number] if number < len(_DTYPES) else "None"
    if name == "None":
        import onnx

        raise NotImplementedError(
            f"tensors of ONNX's element type {onnx.TensorProto.DataType.Name(number)} are not supported"
        )
    return getattr(dtypes, name)


def tensor_of(proto: Any, folder: str = "") -> Any:
    """The tensor that a ``TensorProto`` describes; ``folder`` is where its file of numbers is, if it has one."""
    from onnx import numpy_helper

    dtype = dtype_of(proto.data_type)
    array = np.array(
        numpy_helper.to_array(proto, folder)
    )  # a copy that can be written to, of the machine's byte order
    if dtype is dtypes.bfloat16 or dtype in dtypes.PACKED:
        if array.dtype == np.float32:  # as onnx before 1.19 gives them
            return mg.from_numpy(array).to(dtype)
        return mg.from_numpy(array.reshape(-1).view(_BITS[array.itemsize])).view(dtype).reshape(array.shape)
    return mg.from_numpy(array)
