"""``new_zeros`` and its kin: sparse tensors of the dtype and layout of another one."""

from .._base import device as devices
from .._base.device import sparse_coo, strided
from .._core.tensor import Tensor, wrap
from .._ops import create
from .arrays import Coo, refusal
from .construct import empty, sparse_coo_tensor
from .convert import IN_BLOCKS, LAYOUT_NAMES
from .on_meta import emptied


def new_empty(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor that keeps no element, of this one's dtype and layout unless others are given."""
    return _new(self, create.empty, size, dtype, device, requires_grad, layout)


def new_zeros(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """A tensor that keeps no element, of this one's dtype and layout unless others are given."""
    return _new(self, create.zeros, size, dtype, device, requires_grad, layout)


def new_ones(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False):
    """As ``new_full`` with 1."""
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return new_full(self, size, 1, dtype=dtype, device=device, requires_grad=requires_grad, layout=layout)


def new_full(
    self, size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False
):
    """As ``new_empty``, for a compressed layout: there is no element to fill.  A dense tensor is filled."""
    if (layout or self.layout) is sparse_coo:
        raise refusal("fill_.Scalar", self._array)

    def make(*size, **options):
        return create.full(size, fill_value, **options)

    return _new(self, make, (size,), dtype, device, requires_grad, layout)


def _new(x, dense, size, dtype, device, requires_grad, layout):
    """A sparse tensor without elements; or, in the layout ``strided``, what ``dense(*size)`` makes."""
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    dtype, layout = dtype or x.dtype, layout or x.layout
    if device is None and x._array.is_meta:
        device = devices.META
    if layout is strided:
        return dense(*size, dtype=dtype, device=device, requires_grad=requires_grad)
    if layout in IN_BLOCKS:
        raise RuntimeError(
            f"empty_sparse_compressed expected sparse compressed (non-block) tensor layout but got {LAYOUT_NAMES[layout]}"
        )
    found = empty(size, dtype, requires_grad, layout)
    return emptied(found) if device is not None and devices.is_meta(device) else found


def new(self, *args, device=None):
    """As in 2017: a tensor in coordinates, from a size, or from indices and values, and perhaps a size."""
    array = self._array
    if array.is_meta:
        raise RuntimeError("Unrecognized tensor type ID: SparseMeta")
    if array.__class__ is not Coo:
        raise RuntimeError("Cannot map DispatchKey SparseCsrCPU to a unique layout.")
    if len(args) in (2, 3) and isinstance(args[0], Tensor) and isinstance(args[1], Tensor):
        if args[1].dtype is not self.dtype:
            raise TypeError(f"expected {wrap(array.values).type()} (got {args[1].type()})")
        return sparse_coo_tensor(*args)
    sizes = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    if not all(isinstance(n, int) for n in sizes):
        if len(args) == 1 and isinstance(args[0], list):
            raise TypeError(
                "SparseTensor.new(sequence) only accepts sizes.  Please use torch.sparse_coo_tensor() or construct a strided tensor and convert it to sparse via to_sparse."
            )
        raise TypeError(
            f"new() takes a size, or indices and values as tensors, and perhaps a size, but got ({', '.join(type(x).__name__ for x in args)})"
        )
    return empty(tuple(sizes) or (0,), self.dtype)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A dense tensor of this one's dtype."""
    dense = create.empty(0, dtype=self.dtype, device=devices.META if self._array.is_meta else None)
    return dense.new_tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)
