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
    """A moment in a device's work that others wait for."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class MemPool:
    """Memory of devices that is kept apart."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class Stream:
    """A queue of a device's work."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class StreamContext:
    """A context in which a queue of work is the current one; None changes nothing."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
class XPUGraph:
    """A captured graph of kernels."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class XPUPluggableAllocator:
    """An allocator in a library of the program's own: raises OSError, as it finds none that it could use."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def can_device_access_peer(device: _Device, peer: Any) -> Any:
    """Whether one device reads another's memory: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.can_device_access_peer(0, 1)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def change_current_allocator(allocator: Any) -> Any:
    """Let another allocator make the memory of devices: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.change_current_allocator(None)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_changeCurrentAllocator': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def clock_rate(device: _Device = None) -> Any:
    """The clock rate of a device in MHz: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.clock_rate()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The number of the current device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.current_device()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The queue of work that is current on a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.current_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
default_generators: Any
class device:
    """A context in which a device is the current one: entering it raises NotImplementedError."""
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
    """The bytes that programs use on a device: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.device_memory_used()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
class device_of:
    """A context in which the device of a tensor is the current one: entering it raises NotImplementedError."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release memory of devices that no tensor takes: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.memory.empty_cache()
    """
def get_arch_list() -> Any:
    """The architectures for which kernels were compiled: [].

    >>> import minigrad
    >>> minigrad.xpu.get_arch_list()
    []
    """
def get_device_capability(device: _Device = None) -> Any:
    """The version of what a device can compute: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_capability()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_device_name(device: _Device = None) -> Any:
    """The name of a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_name()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """What a device is and can do: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_device_properties()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_gencode_flags() -> Any:
    """The options with which kernels were compiled: ''.

    >>> import minigrad
    >>> minigrad.xpu.get_gencode_flags()
    ''
    """
def get_per_process_memory_fraction(device: _Device = None) -> Any:
    """The share of a device's memory that this process may take: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.get_per_process_memory_fraction()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of all devices' generators: [].

    >>> import minigrad
    >>> minigrad.xpu.random.get_rng_state_all()
    []
    """
def get_stream_from_external(data_ptr: Any, device: _Device = None) -> Any:
    """A queue of work that another library made: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.get_stream_from_external(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
class graph:
    """A context that captures a graph of kernels: raises RuntimeError, as there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A new name for memory that graphs of kernels share: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.graph_pool_handle()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _xpu_graph_pool_handle: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
from . import graphs as graphs
def init() -> Any:
    """Prepare the devices before one is used: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.random.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether there is such a device: False.

    >>> import minigrad
    >>> minigrad.xpu.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether a device computes in bfloat16: False.

    >>> import minigrad
    >>> minigrad.xpu.is_bf16_supported()
    False
    """
def is_current_stream_capturing() -> builtins.bool:
    """Whether a graph of kernels is being captured: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.is_current_stream_capturing()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _xpu_isCurrentStreamCapturing: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def is_initialized() -> builtins.bool:
    """Whether devices are in use: False.

    >>> import minigrad
    >>> minigrad.xpu.is_initialized()
    False
    """
def is_tf32_supported() -> builtins.bool:
    """Whether a device multiplies in TF32: False.

    >>> import minigrad
    >>> minigrad.xpu.is_tf32_supported()
    False
    """
def make_graphed_callables(callables: Any, sample_args: Any, num_warmup_iters: Any = 3, allow_unused_input: Any = False, pool: Any = None) -> Any:
    """Functions that replay captured graphs of kernels: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.graphs.make_graphed_callables(abs, ())
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class XPUGraph: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the generator of the current device: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the generators of all devices: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The most bytes that tensors have taken on a device: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.max_memory_allocated()
    0
    """
def max_memory_reserved(device: _Device = None) -> Any:
    """The most bytes that were kept on a device: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.max_memory_reserved()
    0
    """
def mem_get_info(device: _Device = None) -> Any:
    """The free and all bytes of a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.mem_get_info()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The bytes that tensors take on a device: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_allocated()
    0
    """
def memory_reserved(device: _Device = None) -> Any:
    """The bytes that are kept on a device: 0.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_reserved()
    0
    """
def memory_snapshot(mempool_id: Any = None) -> Any:
    """Every block of a device's memory: [].

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_snapshot()
    []
    """
def memory_stats(device: _Device = None) -> Any:
    """Figures of a device's memory, by their names: OrderedDict().

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_stats()
    OrderedDict()
    """
def memory_stats_as_nested_dict(device: _Device = None) -> Any:
    """Figures of a device's memory, in dictionaries of dictionaries: {}.

    >>> import minigrad
    >>> minigrad.xpu.memory.memory_stats_as_nested_dict()
    {}
    """
def memory_usage(device: _Device = None) -> Any:
    """The share of time in which a device's memory was in use: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory_usage()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def power_draw(device: _Device = None) -> Any:
    """What a device consumes, in mW: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.power_draw()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
from . import random as random
def reset_accumulated_memory_stats(device: _Device = None) -> Any:
    """Count the memory of a device anew: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_resetAccumulatedMemoryStats': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Forget the peaks of a device's memory: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_xpu_resetPeakMemoryStats': Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def seed() -> builtins.int:
    """Seed the generator of the current device with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.seed()
    """
def seed_all() -> Any:
    """Seed the generators of all devices with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Make a device the current one: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.set_device(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def set_per_process_memory_fraction(fraction: Any, device: _Device = None) -> Any:
    """Limit the share of a device's memory that this process may take: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.memory.set_per_process_memory_fraction(0.5)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Put a device's generator into a state: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.set_rng_state(minigrad.get_rng_state())
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Put all devices' generators into states: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.random.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Make a queue of work the current one, unless it is None: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.xpu.set_stream(None)
    """
def stream(stream: Any) -> Any:
    """A context in which a queue of work is the current one; None changes nothing.

    >>> import minigrad
    >>> with minigrad.xpu.stream(None):
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """
from . import streams as streams
def synchronize(device: _Device = None) -> Any:
    """Wait until a device has done what it was told to do: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.synchronize()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def temperature(device: _Device = None) -> Any:
    """The temperature of a device in degrees Celsius: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.temperature()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
def use_mem_pool(pool: Any, device: _device | builtins.str | builtins.int | None = None) -> Any:
    """A context whose memory on devices comes from ``pool``: raises AssertionError when it is entered, as there is no device.

    >>> import minigrad
    >>> with minigrad.xpu.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
def utilization(device: _Device = None) -> Any:
    """The share of time in which a device computed: raises ImportError, as there is no such device.

    >>> import minigrad
    >>> minigrad.xpu.utilization()
    Traceback (most recent call last):
        ...
    ImportError: pyzes is required; install it with 'pip install pyzes'. (minigrad computes on the CPU only)
    """
