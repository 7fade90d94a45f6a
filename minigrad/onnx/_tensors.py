"""Dtypes of ONNX: the number of each in ``TensorProto``, and tensors as ``TensorProto``."""

from typing import Any

import numpy as np

from .._api import Tensor
from .._base import dtypes

#: dtype -> its number in ``TensorProto.DataType``.
NUMBERS: dict[Any, int] = {
    dtypes.float32: 1,
    dtypes.uint8: 2,
    dtypes.int8: 3,
    dtypes.uint16: 4,
    dtypes.int16: 5,
    dtypes.int32: 6,
    dtypes.int64: 7,
    dtypes.bool_: 9,
    dtypes.float16: 10,
    dtypes.float64: 11,
    dtypes.uint32: 12,
    dtypes.uint64: 13,
    dtypes.complex64: 14,
    dtypes.complex128: 15,
    dtypes.bfloat16: 16,
}
DTYPES = {number: dtype for dtype, number in NUMBERS.items()}
#: dtype -> how the definitions of ONNX's operators write the type of such a tensor.
TYPE_TEXTS = {
    dtypes.float32: "tensor(float)",
    dtypes.float64: "tensor(double)",
    dtypes.float16: "tensor(float16)",
    dtypes.bfloat16: "tensor(bfloat16)",
    dtypes.bool_: "tensor(bool)",
    dtypes.complex64: "tensor(complex64)",
    dtypes.complex128: "tensor(complex128)",
    **{
        getattr(dtypes, name): f"tensor({name})"
        for name in ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")
    },
}


def raw_bytes(tensor: Tensor) -> bytes:
    """The elements in the order of the indices, as ``TensorProto.raw_data`` has them."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype is dtypes.bfloat16:
        tensor = tensor.view(dtypes.int16)
    array = np.ascontiguousarray(tensor.resolve_conj().resolve_neg().numpy())
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def tensor_proto(onnx: Any, name: str, tensor: Tensor) -> Any:
    """A tensor as a ``TensorProto``."""
    return onnx.TensorProto(
        name=name, data_type=NUMBERS[tensor.dtype], dims=[*tensor.shape], raw_data=raw_bytes(tensor)
    )
