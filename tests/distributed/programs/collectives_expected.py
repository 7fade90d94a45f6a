"""What reductions are to give, by NumPy: for the programs beside it."""

import numpy as np
import torch

OPS = {
    "SUM": np.add,
    "AVG": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "BAND": np.bitwise_and,
    "BOR": np.bitwise_or,
    "BXOR": np.bitwise_xor,
}
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
DTYPES = [*FLOATS, *INTEGERS, torch.bool, torch.complex64, torch.complex128]


def combined(op, tensors, dtype):
    wide = torch.complex128 if dtype.is_complex else torch.float64 if dtype.is_floating_point else dtype
    arrays = [t.to(wide).numpy() for t in tensors]
    if dtype == torch.bool:
        ufunc = {
            "SUM": np.logical_or,
            "MAX": np.logical_or,
            "PRODUCT": np.logical_and,
            "MIN": np.logical_and,
        }.get(op, OPS[op])
    else:
        ufunc = OPS[op]
    total = arrays[0]
    for array in arrays[1:]:
        total = ufunc(total, array)
    total = torch.tensor(total)
    return (total / len(arrays) if op == "AVG" else total).to(dtype)


def ops_of(dtype):
    if dtype.is_complex:
        return ["SUM", "AVG"]
    if dtype.is_floating_point:
        return ["SUM", "AVG", "PRODUCT", "MIN", "MAX"]
    return ["SUM", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR"]
