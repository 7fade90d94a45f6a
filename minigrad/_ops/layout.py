"""How a tensor's elements lie in memory, and of what kind they are: methods of Tensor."""

from .._arrays.memory_layout import address, lies_in, offset_in, strides_of
from .._base import device as devices
from .._base import dtypes
from .._base.errors import axis as axis_of
from .._base.errors import either_name, integer
from .._base.guards import explain
from .._core.views import View

__all__: list[str] = []
METHODS = (
    "const_data_ptr=data_ptr data_ptr dim_order element_size get_device is_complex is_contiguous is_distributed is_floating_point "
    "is_pinned is_signed storage_offset stride _is_zerotensor"
)


def stride(self, dim=None, *, axis=None):
    """Return the strides in elements: of every dimension, or of one.

    >>> import minigrad
    >>> minigrad.ones(2, 3).stride()
    (3, 1)
    >>> minigrad.ones(2, 3).t().stride()
    (1, 3)
    """
    array = self._array
    strides = strides_of(array)
    if axis is not None:
        dim = either_name("stride", dim, axis)
    return strides if dim is None else strides[axis_of(integer(dim, "stride", "dim", 1), len(strides))]


def storage_offset(self):
    """Return the offset of the tensor in its storage, in elements.

    >>> import minigrad
    >>> minigrad.arange(6)[2:].storage_offset()
    2
    """
    if self._array.size or self._node.__class__ is not View:
        return offset_in(self._array)
    from .strided import offset_of_empty

    return offset_of_empty(self)


def data_ptr(self):
    """Return the address of the first element.

    A view that begins where the tensor begins has the same address.

    >>> import minigrad
    >>> x = minigrad.ones(3)
    >>> x[:2].data_ptr() == x.data_ptr()
    True
    """
    if self._beyond is not None and not self._beyond[0].nbytes():
        return 0
    return address(self._array) if self._array.size else 0


def is_pinned(self, device=None):
    """Return False: memory is never pinned.

    >>> import minigrad
    >>> minigrad.ones(2).is_pinned()
    False
    """
    if device is not None:
        explain(is_pinned, {"input": self, "device": device})
        if not isinstance(device, str | bytes | devices.device):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        devices.device(device if isinstance(device, str | devices.device) else device.decode())
    return False


def is_distributed(self):
    """Return False: the tensor is not distributed.

    >>> import minigrad
    >>> minigrad.ones(2).is_distributed()
    False
    """
    return False


def _is_zerotensor(self):
    """False: every tensor has memory."""
    return False


def dim_order(self, *, ambiguity_check=False):
    """Return the dimensions in the order of their strides, the largest first.

    >>> import minigrad
    >>> minigrad.ones(2, 3, 4).permute(2, 0, 1).dim_order()
    (1, 2, 0)
    """
    strides = strides_of(self._array)
    return tuple(sorted(range(len(strides)), key=lambda d: -strides[d]))


def is_contiguous(self, *, memory_format=devices.contiguous_format):
    """Return whether the elements lie in memory in index order (or in that of ``memory_format``).

    >>> import minigrad
    >>> x = minigrad.ones(2, 3)
    >>> x.is_contiguous(), x.t().is_contiguous()
    (True, False)
    """
    array = self._array
    if memory_format is devices.contiguous_format:
        return array.flags.c_contiguous
    return lies_in(array, memory_format, "is_contiguous")


def element_size(self):
    """Return the size of an element in bytes.

    >>> import minigrad
    >>> minigrad.ones(2, dtype=minigrad.float64).element_size()
    8
    """
    return self._array.itemsize


def get_device(self):
    """Return the index of the device: -1 for the CPU.

    >>> import minigrad
    >>> minigrad.ones(2).get_device()
    -1
    """
    return -1


def is_floating_point(self):
    """Return whether the dtype is a floating-point dtype.

    >>> import minigrad
    >>> minigrad.ones(2).is_floating_point(), minigrad.tensor([1, 2]).is_floating_point()
    (True, False)
    """
    return self.dtype.category == dtypes.FLOATING


def is_complex(self):
    """Return whether the dtype is complex.

    >>> import minigrad
    >>> minigrad.tensor([1j]).is_complex(), minigrad.tensor([1.]).is_complex()
    (True, False)
    """
    return self.dtype.category == dtypes.COMPLEX


def is_signed(self):
    """Return whether the dtype can hold negative numbers.

    >>> import minigrad
    >>> minigrad.tensor([1], dtype=minigrad.uint8).is_signed(), minigrad.tensor([1]).is_signed()
    (False, True)
    """
    return self.dtype.is_signed
