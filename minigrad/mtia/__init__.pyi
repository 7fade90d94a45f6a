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

class MTIAGraph:
    """A captured graph: raises RuntimeError, because there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def attach_out_of_memory_observer(observer: Any) -> Any:
    """Register a function that is called when device memory runs out: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.attach_out_of_memory_observer(print)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute attachOutOfMemoryObserver() without MTIA backend. (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The index of the current device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.current_device()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The current stream of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.current_stream()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def default_stream(device: _Device = None) -> Any:
    """The default stream of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.default_stream()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
class device:
    """Context manager that sets the current device. Entering it raises RuntimeError unless the index is negative."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def device_count() -> builtins.int:
    """The number of devices: 0.

    >>> import minigrad
    >>> minigrad.mtia.device_count()
    0
    """
def empty_cache() -> Any:
    """Release cached device memory that is not in use: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.empty_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute emptyCache() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_device_capability(device: _Device = None) -> Any:
    """The compute capability of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_device_capability()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """The properties of a device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_device_properties()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of the random number generators of all devices: [].

    >>> import minigrad
    >>> minigrad.mtia.get_rng_state_all()
    []
    """
class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A handle of a memory pool that captured graphs can share: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.mtia_graph.graph_pool_handle()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute graphPoolHandle() without MTIA backend. (minigrad computes on the CPU only)
    """
def init() -> Any:
    """Initialize the device runtime: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of the current device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether a device of this type is available: False.

    >>> import minigrad
    >>> minigrad.mtia.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether bfloat16 is supported: True.

    >>> import minigrad
    >>> minigrad.mtia.is_bf16_supported()
    True
    """
def is_initialized() -> builtins.bool:
    """Whether the device runtime has been initialized: False.

    >>> import minigrad
    >>> minigrad.mtia.is_initialized()
    False
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the random number generator of the current device: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The peak memory that tensors have occupied on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.mtia.memory.max_memory_allocated()
    0
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The memory that tensors occupy on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.mtia.memory.memory_allocated()
    0
    """
def memory_stats(device: _Device = None) -> Any:
    """Statistics of the device memory allocator: {}.

    >>> import minigrad
    >>> minigrad.mtia.memory.memory_stats()
    {}
    """
from . import mtia_graph as mtia_graph
def record_memory_history(enabled: Any = ..., stacks: Any = ..., max_entries: Any = 0) -> Any:
    """Record where device memory is allocated and freed: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.record_memory_history()
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Reset the peak statistics of the device memory allocator: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.memory.reset_peak_memory_stats()
    """
def seed() -> builtins.int:
    """Seed the random number generator of the current device with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.seed()
    """
def seed_all() -> Any:
    """Seed the random number generators of all devices with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Set the current device: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_device(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute setCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Set the state of a device's random number generator: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_rng_state(minigrad.get_rng_state())
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Set the states of the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Set the current stream; None leaves it unchanged: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_stream(None)
    """
def snapshot() -> Any:
    """A snapshot of device memory with the recorded history of allocations: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.snapshot()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute memorySnapshot() without MTIA backend. (minigrad computes on the CPU only)
    """
def stream(stream: Any) -> None:
    """Context manager that sets the current stream: raises RuntimeError, because there is no device.

    >>> import minigrad
    >>> minigrad.mtia.stream(None)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def synchronize(device: _Device = None) -> Any:
    """Wait until all work on a device has finished: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.synchronize()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
