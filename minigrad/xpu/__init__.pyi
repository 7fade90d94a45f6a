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

class Event:
    """An event on a stream. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class MemPool:
    """A memory pool. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class Stream:
    """A stream of a device. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class StreamContext:
    """Context manager that sets the current stream; None changes nothing."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
class XPUGraph:
    """A captured graph. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class XPUPluggableAllocator:
    """An allocator from a shared library: raises OSError, because such libraries are not loaded."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def can_device_access_peer(device: _Device, peer: Any) -> Any:
    """Whether one device can access another device's memory: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.can_device_access_peer(0, 1)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def change_current_allocator(allocator: Any) -> Any:
    """Replace the allocator of device memory: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.change_current_allocator(None)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_changeCurrentAllocator': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def clock_rate(device: _Device = None) -> Any:
    """The clock rate of a device in MHz: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.clock_rate()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The index of the current device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.current_device()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The current stream of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.current_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
default_generators: Any
class device:
    """Context manager that sets the current device. Entering it raises NotImplementedError."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def device_count() -> builtins.int:
    """The number of devices: 0.

    >>> import minigrad
    >>> minigrad.xpu.device_count()
    0
    """
def device_memory_used(device: _Device = None) -> Any:
    """The memory in use on a device, in bytes: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.device_memory_used()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
class device_of:
    """Context manager that sets the current device to that of a tensor. Entering it raises NotImplementedError."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release cached device memory that is not in use: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.empty_cache()
    """
def get_arch_list() -> Any:
    """The architectures that the kernels were compiled for: [].

    >>> import minigrad
    >>> minigrad.xpu.get_arch_list()
    []
    """
def get_device_capability(device: _Device = None) -> Any:
    """The compute capability of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_capability()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_device_name(device: _Device = None) -> Any:
    """The name of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_name()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """The properties of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_properties()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_gencode_flags() -> Any:
    """The compiler flags that the kernels were compiled with: ''.

    >>> import minigrad
    >>> minigrad.xpu.get_gencode_flags()
    ''
    """
def get_per_process_memory_fraction(device: _Device = None) -> Any:
    """The fraction of device memory that this process may use: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.get_per_process_memory_fraction()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of the random number generators of all devices: [].

    >>> import minigrad
    >>> minigrad.xpu.random.get_rng_state_all()
    []
    """
def get_stream_from_external(data_ptr: Any, device: _Device = None) -> Any:
    """A stream that wraps one created by another library: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_stream_from_external(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A handle of a memory pool that captured graphs can share: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.graph_pool_handle()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _xpu_graph_pool_handle: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
from . import graphs as graphs
def init() -> Any:
    """Initialize the device runtime: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of the current device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether a device of this type is available: False.

    >>> import minigrad
    >>> minigrad.xpu.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether bfloat16 is supported: False.

    >>> import minigrad
    >>> minigrad.xpu.is_bf16_supported()
    False
    """
def is_current_stream_capturing() -> builtins.bool:
    """Whether a graph is being captured on the current stream: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.is_current_stream_capturing()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _xpu_isCurrentStreamCapturing: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def is_initialized() -> builtins.bool:
    """Whether the device runtime has been initialized: False.

    >>> import minigrad
    >>> minigrad.xpu.is_initialized()
    False
    """
def is_tf32_supported() -> builtins.bool:
    """Whether TF32 is supported: False.

    >>> import minigrad
    >>> minigrad.xpu.is_tf32_supported()
    False
    """
def make_graphed_callables(callables: Any, sample_args: Any, num_warmup_iters: Any = 3, allow_unused_input: Any = False, pool: Any = None) -> Any:
    """Capture functions or modules as graphs, and return callables that replay them: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.make_graphed_callables(abs, ())
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class XPUGraph: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the random number generator of the current device: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The peak memory that tensors have occupied on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.max_memory_allocated()
    0
    """
def max_memory_reserved(device: _Device = None) -> Any:
    """The peak memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.max_memory_reserved()
    0
    """
def mem_get_info(device: _Device = None) -> Any:
    """The free and the total memory of a device, in bytes: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.mem_get_info()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The memory that tensors occupy on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_allocated()
    0
    """
def memory_reserved(device: _Device = None) -> Any:
    """The memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_reserved()
    0
    """
def memory_snapshot(mempool_id: Any = None) -> Any:
    """A snapshot of the memory allocator's state: [].

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_snapshot()
    []
    """
def memory_stats(device: _Device = None) -> Any:
    """Statistics of the device memory allocator: OrderedDict().

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_stats()
    OrderedDict()
    """
def memory_stats_as_nested_dict(device: _Device = None) -> Any:
    """Statistics of the device memory allocator, as a nested dict: {}.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_stats_as_nested_dict()
    {}
    """
def memory_usage(device: _Device = None) -> Any:
    """The percentage of time during which device memory was read or written: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory_usage()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def power_draw(device: _Device = None) -> Any:
    """The power draw of a device in mW: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.power_draw()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
from . import random as random
def reset_accumulated_memory_stats(device: _Device = None) -> Any:
    """Reset the accumulated statistics of the device memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_resetAccumulatedMemoryStats': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Reset the peak statistics of the device memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_resetPeakMemoryStats': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def seed() -> builtins.int:
    """Seed the random number generator of the current device with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.seed()
    """
def seed_all() -> Any:
    """Seed the random number generators of all devices with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Set the current device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.set_device(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def set_per_process_memory_fraction(fraction: Any, device: _Device = None) -> Any:
    """Limit the fraction of device memory that this process may use: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.set_per_process_memory_fraction(0.5)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Set the state of a device's random number generator: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.set_rng_state(minigrad.get_rng_state())
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Set the states of the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Set the current stream; None leaves it unchanged: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.set_stream(None)
    """
def stream(stream: Any) -> Any:
    """Return a context manager that sets the current stream; None changes nothing.

    >>> import minigrad
    >>> with minigrad.xpu.stream(None):
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """
from . import streams as streams
def synchronize(device: _Device = None) -> Any:
    """Wait until all work on a device has finished: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.synchronize()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def temperature(device: _Device = None) -> Any:
    """The temperature of a device in degrees Celsius: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.temperature()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def use_mem_pool(pool: Any, device: _device | builtins.str | builtins.int | None = None) -> Any:
    """Context manager that allocates device memory from ``pool``. Entering it raises AssertionError, because there is no device.

    >>> import minigrad
    >>> with minigrad.xpu.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def utilization(device: _Device = None) -> Any:
    """The percentage of time during which a kernel was running: raises ImportError, because there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.utilization()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
