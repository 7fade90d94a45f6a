"""DLPack: memory shared with other libraries' tensors, by NumPy's own exporter and importer."""

import enum

import numpy as np

from .._arrays.unresolved import Unresolved
from .._base import device as devices
from .._base.errors import type_name
from .._base.numpy_version import at_least
from .._base.publishing import publish
from .._core.tensor import Tensor

__all__ = ["to_dlpack"]
METHODS = "__dlpack__=dlpack __dlpack_device__=dlpack_device"


#: The devices that DLPack knows.
DLDeviceType = enum.IntEnum("DLDeviceType", {
    "kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLOpenCL": 4, "kDLVulkan": 7, "kDLMetal": 8, "kDLVPI": 9, "kDLROCM": 10,
    "kDLROCMHost": 11, "kDLExtDev": 12, "kDLCUDAManaged": 13, "kDLOneAPI": 14, "kDLWebGPU": 15, "kDLHexagon": 16, "kDLMAIA": 17,
})
publish("minigrad.utils.dlpack", DLDeviceType)


# Out ---------------------------------------------------------------------------------------------------------------------


def dlpack(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """Export the tensor's memory as a DLPack capsule, with a version and flags if ``max_version`` is (1, 0) or higher.

    ``copy`` exports a copy. Raises BufferError for a tensor that requires grad, for a conjugate or negative view, and for a device other
    than the CPU; AssertionError for a stream, because a CPU has none.

    >>> import minigrad, numpy
    >>> numpy.from_dlpack(minigrad.ones(2))
    array([1., 1.], dtype=float32)
    """
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    with_version = max_version is not None and not max_version[0] < 1
    return _capsule(self, with_version, dl_device, copy)


def _capsule(tensor, with_version=False, dl_device=None, copy=None):
    from .._arrays.kernels.dlpack_capsules import declare  # ctypes is slow to import

    if dl_device is not None:
        _check_device(dl_device)
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"_to_dlpack(): argument 'copy' must be bool, not {type_name(copy)}")
    dtype, array = tensor.dtype, tensor._array
    if array.__class__ is Unresolved:
        raise BufferError(f"Can't export tensors with the {'conjugate' if array.conjugated else 'negative'} bit set")
    if copy:
        array = array.copy("K")
    if array.dtype.kind == "V" or array.dtype.names is not None:
        array = array.view(f"u{array.itemsize}")
    try:
        capsule = array.__dlpack__(max_version=(1, 0)) if with_version else array.__dlpack__()
    except TypeError:  # NumPy before 2.1 makes only capsules without a version, which is allowed
        capsule = array.__dlpack__()
    return declare(capsule, dtype, None if array.size else tensor.stride())


def _check_device(dl_device):
    if not isinstance(dl_device, (tuple, list)) or not all(isinstance(part, int) for part in dl_device):
        raise TypeError(f"_to_dlpack(): argument 'dl_device' must be tuple of ints, not {type_name(dl_device)}")
    if len(dl_device) != 2:
        raise RuntimeError("dl_device must be either None or a tuple of ints")
    if dl_device[0] != DLDeviceType.kDLCPU:
        raise BufferError(f"Unsupported device_type: {int(dl_device[0])}")


def dlpack_device(self):
    """Return the tensor's device as DLPack describes it: ``(DLDeviceType.kDLCPU, 0)``.

    Raises ValueError for a tensor on ``meta``.

    >>> import minigrad
    >>> minigrad.ones(2).__dlpack_device__()[1]
    0
    """
    if self.is_meta:
        raise ValueError("Unknown device type meta for Dlpack")
    return DLDeviceType.kDLCPU, 0


def to_dlpack(tensor, /):
    """Export the tensor's memory as a DLPack capsule, which ``utils.dlpack.from_dlpack`` can consume once.

    >>> import minigrad
    >>> minigrad.utils.dlpack.from_dlpack(minigrad.to_dlpack(minigrad.ones(2)))
    tensor([1., 1.])
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"_to_dlpack(): argument 'data' (position 1) must be Tensor, not {type_name(tensor)}")
    if tensor.is_meta:
        raise BufferError("Cannot pack tensors on meta")
    return _capsule(tensor)


# In ----------------------------------------------------------------------------------------------------------------------


class _Capsule:
    """A capsule as an object that exports it: NumPy takes only such."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **wanted):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


class _Writable:
    """The memory of an array that NumPy takes for read-only, because a capsule of the older kind cannot say whether it is."""

    def __init__(self, array):
        self.array = array
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def taken(capsule):
    """An array over the memory that a capsule hands over; what frees the memory is called when nobody looks at it any more.

    Raises RuntimeError for a capsule that was taken before, BufferError for memory that no tensor can look at.
    """
    from .._arrays.kernels.dlpack_capsules import described_dtype, disguise, held_by

    held = held_by(capsule)
    if held.major > 0 and not at_least(2, 1):
        raise BufferError("versioned capsules need NumPy 2.1 or later: leave out max_version")
    dtype = described_dtype(held)
    with_version = held.major > 0
    if dtype.np.kind == "V":
        disguise(held)
    array = np.from_dlpack(_Capsule(capsule))
    if not array.flags.writeable and not with_version:
        array = np.asarray(_Writable(array))
    return array if array.dtype == dtype.np else array.view(dtype.np)


def is_exported(thing):
    """Whether an object hands over its memory by DLPack, or is a capsule that does."""
    return hasattr(thing, "__dlpack__") or type(thing).__name__ == "PyCapsule"


def imported(source, device=None, copy=None):
    """An array over the memory of an object that has ``__dlpack__``; a copy of it if ``copy``.

    The object is asked for what it may know: the version, the copy, the device; what it does not is left out.
    """
    if not hasattr(source, "__dlpack__"):
        if device is not None or copy is not None:
            raise AssertionError("device and copy kwargs not supported when ext_tensor is already a DLPack capsule.")
        return taken(source)
    where = source.__dlpack_device__()
    wanted = {"max_version": (1, 0)} if at_least(2, 1) else {}  # NumPy 2.0 reads the older kind of capsules only
    if copy is not None:
        wanted["copy"] = copy
    if device is not None:
        if not isinstance(device, (str, devices.device)):
            raise AssertionError(f"from_dlpack: unsupported device type: {type(device)}")
        if devices.is_meta(devices.check(device)):
            raise BufferError("Cannot pack tensors on meta")
        wanted["dl_device"] = (1, 0)
    if where[0] in (DLDeviceType.kDLCUDA, DLDeviceType.kDLROCM):
        raise devices.not_compiled("cuda")
    for left_out in ("max_version", "copy", "dl_device"):
        try:
            capsule = source.__dlpack__(**wanted)
            break
        except TypeError:
            wanted.pop(left_out, None)
    else:
        capsule = source.__dlpack__()
    array = taken(capsule)
    return array.copy("K") if copy and "copy" not in wanted else array
