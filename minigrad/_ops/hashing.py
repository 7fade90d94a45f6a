"""``hash_tensor``: a number that tells one tensor's contents from another's."""

import numpy as np

from .._base.dtypes import dtype_name
from .._core.families import Reduce, op
from .batches import along
from .dims import as_dims, dims_of

__all__ = ["hash_tensor"]
METHODS = "hash_tensor"


class HashTensor(Reduce):
    """z = the exclusive or of the elements' bits along ``dim``: floats as float64, integers as int64."""
    out_dtype = "result"
    batch = along("dim")
    public = "hash_tensor"
    def forward(x, dim, keepdim):
        if x.dtype.kind == "c":
            raise NotImplementedError(f"\"xor_sum_cpu\" not implemented for '{dtype_name(x)}'")
        if not x.size and dim is None:
            raise RuntimeError(
                "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' "
                "argument."
            )
        dims = dims_of(dim, x.ndim, "hash_tensor")
        for d in dims:
            if x.shape[d] == 0: raise IndexError(f"hash_tensor: Expected reduction dim {d} to have non-zero size.")
        bits = x.astype(np.float64 if x.dtype.kind in "fV" else np.int64).view(np.uint64)
        return np.bitwise_xor.reduce(bits, dims, keepdims=keepdim)
_hash_tensor = op(HashTensor)


def hash_tensor(input, dim=(), *, keepdim=False, mode=0, out=None):
    """Return the XOR of the elements' bits, over all or along ``dim``, as uint64.

    Floats count as float64, integers as int64. Raises RuntimeError for a ``mode`` other than 0 and if there is nothing to reduce.

    >>> import minigrad
    >>> minigrad.hash_tensor(minigrad.tensor([1, 2, 4])).item()
    7
    """
    if mode != 0:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    if out is not None:
        return _hash_tensor.into(out, input, as_dims(dim), keepdim)
    return _hash_tensor(input, as_dims(dim), keepdim)
