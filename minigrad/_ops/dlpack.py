"""DLPack: the memory of tensors handed to other libraries, by NumPy's own exporter."""

import enum

import numpy as np

from .._base.errors import type_name
from .._base.publishing import publish
from .._core.tensor import Tensor

__all__ = ["to_dlpack"]
METHODS = "__dlpack__=dlpack __dlpack_device__=dlpack_device"


#: The devices that DLPack knows.
DLDeviceType = enum.IntEnum("DLDeviceType", {
    "kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLOpenCL": 4, "kDLVulkan": 7, "kDLMetal": 8, "kDLVPI": 9, "kDLROCM": 10,
    "kDLROCMHost": 11, "kDLExtDev": 12, "kDLCUDAManaged": 13, "kDLOneAPI": 14,
})
publish("minigrad.utils.dlpack", DLDeviceType)


def dlpack(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
    """The tensor's memory as a DLPack capsule.

    Raises BufferError for a tensor that requires grad, or whose dtype NumPy does not export; for a stream, which a CPU has none of,
    RuntimeError.
    """
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    return _capsule(self, stream, max_version, dl_device, copy)


def _capsule(tensor, stream=None, max_version=None, dl_device=None, copy=None):
    if stream is not None and stream != -1:
        raise RuntimeError("stream must be None or -1: the CPU has no streams")
    wanted = {} if dl_device is None else {"dl_device": (int(dl_device[0]), dl_device[1])}
    if max_version is not None:
        wanted["max_version"] = max_version
    if copy is not None:
        wanted["copy"] = copy
    try:
        return tensor._array.__dlpack__(**wanted)
    except TypeError:  # NumPy before 2.1 knows no arguments, and copies nothing
        if copy or max_version is None:
            raise
        return tensor._array.__dlpack__()


def dlpack_device(self):
    """The tensor's device as DLPack knows it: ``(DLDeviceType.kDLCPU, 0)``.

    >>> import minigrad
    >>> minigrad.ones(2).__dlpack_device__()[1]
    0
    """
    return DLDeviceType.kDLCPU, 0


def to_dlpack(tensor, /):
    """The tensor's memory as a DLPack capsule, which ``utils.dlpack.from_dlpack`` takes once.

    Raises BufferError for a dtype that NumPy does not export.

    >>> import minigrad
    >>> minigrad.utils.dlpack.from_dlpack(minigrad.to_dlpack(minigrad.ones(2)))
    tensor([1., 1.])
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"to_dlpack(): argument 'tensor' (position 1) must be Tensor, not {type_name(tensor)}")
    return _capsule(tensor)


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


def imported(source):
    """An array over the memory of an object that has ``__dlpack__``, or of a capsule."""
    if hasattr(source, "__dlpack__"):
        return np.from_dlpack(source)
    array = np.from_dlpack(_Capsule(source))
    return array if array.flags.writeable else np.asarray(_Writable(array))
