# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from .._base import return_types as _named_results
from .._base.device import device as _device
from .._base.device import layout as _layout
from .._base.device import memory_format as _memory_format
from .._base.dtypes import dtype as _dtype
from .._base.size import Size as _Size
from .._core.hooks import RemovableHandle
from .._core.node import Node
from .._base.device import Device as _Device
from .._api import Generator
from .._core.tensor import Tensor as Tensor

class Graph:
    """A captured graph: raises RuntimeError, because there is no accelerator."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def current_accelerator(check_available: Any = False) -> Any:
    """The current accelerator, as a device: None, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_accelerator()
    """
def current_device_idx() -> Any:
    """The index of the current device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_device_index()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def current_device_index() -> Any:
    """The index of the current device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_device_index()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The current stream of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_stream()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def device_count() -> builtins.int:
    """The number of devices: 0.

    >>> import minigrad
    >>> minigrad.accelerator.device_count()
    0
    """
class device_index:
    """Context manager that sets the current device by its index. Entering it raises RuntimeError unless the index is None."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release cached device memory that is not in use: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.empty_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def empty_host_cache() -> Any:
    """Release cached host memory that is not in use: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.empty_host_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def get_device_capability(device: _Device = None) -> Any:
    """The compute capability of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.get_device_capability()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def get_memory_info(device_index: Any = None) -> Any:
    """The free and the total memory of a device, in bytes: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.get_memory_info()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
from . import graphs as graphs
def is_available() -> builtins.bool:
    """Whether a device of this type is available: False.

    >>> import minigrad
    >>> minigrad.accelerator.is_available()
    False
    """
def max_memory_allocated(device_index: Any = None) -> Any:
    """The peak memory that tensors have occupied on a device, in bytes: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.max_memory_allocated()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def max_memory_reserved(device_index: Any = None) -> Any:
    """The peak memory that the allocator has reserved on a device, in bytes: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.max_memory_reserved()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device_index: Any = None) -> Any:
    """The memory that tensors occupy on a device, in bytes: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_allocated()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def memory_reserved(device_index: Any = None) -> Any:
    """The memory that the allocator has reserved on a device, in bytes: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_reserved()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def memory_stats(device_index: Any = None) -> Any:
    """Statistics of the device memory allocator: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def reset_accumulated_memory_stats(device_index: Any = None) -> Any:
    """Reset the accumulated statistics of the device memory allocator: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device_index: Any = None) -> Any:
    """Reset the peak statistics of the device memory allocator: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_device_idx(device: _Device) -> Any:
    """Set the current device by its index: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.set_device_index(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_device_index(device: _Device) -> Any:
    """Set the current device by its index: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.set_device_index(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_stream(stream: Any) -> None:
    """Set the current stream: raises RuntimeError, or TypeError if the argument is not a stream.

    >>> import minigrad
    >>> minigrad.accelerator.set_stream(minigrad.Stream())
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def synchronize(device: _Device = None) -> Any:
    """Wait until all work on a device has finished: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.synchronize()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
