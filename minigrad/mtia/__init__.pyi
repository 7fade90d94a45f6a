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
    """A captured graph of kernels: raises RuntimeError, as there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def attach_out_of_memory_observer(observer: Any) -> Any:
    """Let a function be called when a device's memory is used up: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.attach_out_of_memory_observer(print)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute attachOutOfMemoryObserver() without MTIA backend. (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The number of the current device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.current_device()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The queue of work that is current on a device: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.current_stream()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def default_stream(device: _Device = None) -> Any:
    """The queue of work that a device begins with: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.default_stream()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
class device:
    """A context in which a device is the current one; entering it raises RuntimeError, unless its number is negative."""
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
    """Release memory of devices that no tensor takes: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.empty_cache()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute emptyCache() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_device_capability(device: _Device = None) -> Any:
    """The version of what a device can compute: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_device_capability()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """What a device is and can do: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_device_properties()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of all devices' generators: [].

    >>> import minigrad
    >>> minigrad.mtia.get_rng_state_all()
    []
    """
class graph:
    """A context that captures a graph of kernels: raises RuntimeError, as there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A new name for memory that graphs of kernels share: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.mtia_graph.graph_pool_handle()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute graphPoolHandle() without MTIA backend. (minigrad computes on the CPU only)
    """
def init() -> Any:
    """Prepare the devices before one is used: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with MTIA enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether there is such a device: False.

    >>> import minigrad
    >>> minigrad.mtia.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether a device computes in bfloat16: True.

    >>> import minigrad
    >>> minigrad.mtia.is_bf16_supported()
    True
    """
def is_initialized() -> builtins.bool:
    """Whether devices are in use: False.

    >>> import minigrad
    >>> minigrad.mtia.is_initialized()
    False
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the generator of the current device: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the generators of all devices: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The most bytes that tensors have taken on a device: 0.

    >>> import minigrad
    >>> minigrad.mtia.memory.max_memory_allocated()
    0
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The bytes that tensors take on a device: 0.

    >>> import minigrad
    >>> minigrad.mtia.memory.memory_allocated()
    0
    """
def memory_stats(device: _Device = None) -> Any:
    """Figures of a device's memory, by their names: {}.

    >>> import minigrad
    >>> minigrad.mtia.memory.memory_stats()
    {}
    """
from . import mtia_graph as mtia_graph
def record_memory_history(enabled: Any = ..., stacks: Any = ..., max_entries: Any = 0) -> Any:
    """Note who allocates a device's memory: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.record_memory_history()
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Forget the peaks of a device's memory: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.memory.reset_peak_memory_stats()
    """
def seed() -> builtins.int:
    """Seed the generator of the current device with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.seed()
    """
def seed_all() -> Any:
    """Seed the generators of all devices with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Make a device the current one: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_device(0)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute setCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Put a device's generator into a state: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.set_rng_state(minigrad.get_rng_state())
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Put all devices' generators into states: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Make a queue of work the current one, unless it is None: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.mtia.set_stream(None)
    """
def snapshot() -> Any:
    """Every block of a device's memory, and what was noted of it: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.snapshot()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute memorySnapshot() without MTIA backend. (minigrad computes on the CPU only)
    """
def stream(stream: Any) -> None:
    """A context in which a queue of work is the current one: raises RuntimeError, as there is no device.

    >>> import minigrad
    >>> minigrad.mtia.stream(None)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
def synchronize(device: _Device = None) -> Any:
    """Wait until a device has done what it was told to do: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.mtia.synchronize()
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
