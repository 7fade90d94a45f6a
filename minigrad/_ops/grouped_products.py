"""Products of matrices whose rows or columns belong to groups, as in a mixture of experts."""

import itertools

from .._base import dtypes
from .._base.composites import composite
from .._core.tensor import Tensor
from .join import cat, stack
from .matmul import bmm

__all__ = ["_grouped_mm"]

_DTYPES = (dtypes.float32, dtypes.bfloat16, dtypes.float16)


def _check(mat_a, mat_b, offs, bias, out_dtype):
    for name, x in (("input", mat_a), ("mat2", mat_b)):
        if not isinstance(x, Tensor):
            place = 1 if name == "input" else 2
            raise TypeError(f"_grouped_mm(): argument '{name}' (position {place}) must be Tensor, not {type(x).__name__}")
    for name, x in (("mat_a", mat_a), ("mat_b", mat_b)):
        if x.dtype not in _DTYPES:
            raise RuntimeError(
                f"Expected {name} to be Float32, BFloat16 or Float16 matrix, got {dtypes.scalar_type_name(x.dtype)}"
            )
    for name, x in (("mat_a", mat_a), ("mat_b", mat_b)):
        if x.ndim not in (2, 3):
            raise RuntimeError(f"{name} has to be 2 or 3d")
    flat = mat_a.ndim == 2 or mat_b.ndim == 2
    if (offs is not None) is not flat:
        raise RuntimeError("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d")
    if mat_a.dtype is not mat_b.dtype:
        raise RuntimeError(f"mat_a and mat_b must have the same dtype, got {mat_a.dtype} and {mat_b.dtype}")
    if mat_a.shape[-1] != mat_b.shape[-2]:
        raise RuntimeError("contraction dimension of mat_a and mat_b must match")
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if out_dtype not in (None, mat_a.dtype):
        raise RuntimeError("Grouped gemm output dtype must match `mat_a` dtype")
    if not flat:
        if len(mat_a) != len(mat_b):
            raise RuntimeError("batched dimension has to match")
        return
    if offs.ndim != 1:
        raise RuntimeError("offs has to be 1D")
    if offs.dtype is not dtypes.int32:
        raise RuntimeError("Offsets have to be int32")
    if any(x.ndim == 3 and len(x) != len(offs) for x in (mat_a, mat_b)):
        raise RuntimeError("matrix batch sizes have to match")


@composite
def _grouped_mm(input, mat2, offs=None, bias=None, out_dtype=None):
    """Multiply matrices group by group: see ``nn.functional.grouped_mm``."""
    mat_a, mat_b = input, mat2
    _check(mat_a, mat_b, offs, bias, out_dtype)
    if offs is None:
        return bmm(mat_a, mat_b)
    groups = list(itertools.pairwise([0, *offs.tolist()]))
    if mat_a.ndim == mat_b.ndim == 2:
        return stack([mat_a[:, i:j] @ mat_b[i:j] for i, j in groups])
    end = groups[-1][1] if groups else 0
    if mat_a.ndim == 2:
        parts = [mat_a[i:j] @ b for (i, j), b in zip(groups, mat_b)]
        return cat([*parts, mat_a.new_zeros(len(mat_a) - end, mat_b.shape[-1])])
    parts = [a @ mat_b[:, i:j] for (i, j), a in zip(groups, mat_a)]
    return cat([*parts, mat_b.new_zeros(mat_a.shape[-2], mat_b.shape[-1] - end)], 1)
