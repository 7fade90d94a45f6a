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
    """A captured graph of kernels: raises RuntimeError, as there is no accelerator."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def current_accelerator(check_available: Any = False) -> Any:
    """The device that is not a CPU: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.accelerator.current_accelerator()
    """
def current_device_idx() -> Any:
    """The number of the current device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_device_index()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def current_device_index() -> Any:
    """The number of the current device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.current_device_index()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The queue of work that is current on a device: raises RuntimeError, as there is no such device.

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
    """A context in which the device of a number is the current one: entering it raises RuntimeError, unless the number is None."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release memory of devices that no tensor takes: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.empty_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def empty_host_cache() -> Any:
    """Release memory of the host that was kept for devices: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.empty_host_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def get_device_capability(device: _Device = None) -> Any:
    """The version of what a device can compute: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.get_device_capability()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def get_memory_info(device_index: Any = None) -> Any:
    """The free and all bytes of a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.get_memory_info()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
from . import graphs as graphs
def is_available() -> builtins.bool:
    """Whether there is such a device: False.

    >>> import minigrad
    >>> minigrad.accelerator.is_available()
    False
    """
def max_memory_allocated(device_index: Any = None) -> Any:
    """The most bytes that tensors have taken on a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.max_memory_allocated()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def max_memory_reserved(device_index: Any = None) -> Any:
    """The most bytes that were kept on a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.max_memory_reserved()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device_index: Any = None) -> Any:
    """The bytes that tensors take on a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_allocated()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def memory_reserved(device_index: Any = None) -> Any:
    """The bytes that are kept on a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_reserved()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def memory_stats(device_index: Any = None) -> Any:
    """Figures of a device's memory, by their names: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def reset_accumulated_memory_stats(device_index: Any = None) -> Any:
    """Count the memory of a device anew: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device_index: Any = None) -> Any:
    """Forget the peaks of a device's memory: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_device_idx(device: _Device) -> Any:
    """Make a device the current one, by its number: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.set_device_index(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_device_index(device: _Device) -> Any:
    """Make a device the current one, by its number: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.set_device_index(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def set_stream(stream: Any) -> None:
    """Make a queue of work the current one: raises RuntimeError, or TypeError for what is no queue.

    >>> import minigrad
    >>> minigrad.accelerator.set_stream(minigrad.Stream())
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
def synchronize(device: _Device = None) -> Any:
    """Wait until a device has done what it was told to do: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.accelerator.synchronize()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
