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

class AcceleratorError:
    """The error that PyTorch raises when an accelerator fails. minigrad never raises it; programs may catch it."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BFloat16Storage:
    """Placeholder for the CUDA type ``BFloat16Storage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BFloat16Tensor:
    """Placeholder for the CUDA type ``BFloat16Tensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BoolStorage:
    """Placeholder for the CUDA type ``BoolStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BoolTensor:
    """Placeholder for the CUDA type ``BoolTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ByteStorage:
    """Placeholder for the CUDA type ``ByteStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ByteTensor:
    """Placeholder for the CUDA type ``ByteTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CUDAGraph:
    """A captured graph. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CUDAPluggableAllocator:
    """An allocator from a shared library: raises OSError, because such libraries are not loaded."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CharStorage:
    """Placeholder for the CUDA type ``CharStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CharTensor:
    """Placeholder for the CUDA type ``CharTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ComplexDoubleStorage:
    """Placeholder for the CUDA type ``ComplexDoubleStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ComplexFloatStorage:
    """Placeholder for the CUDA type ``ComplexFloatStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CudaError:
    """An error of the CUDA runtime. It cannot be instantiated, because its message comes from the CUDA runtime."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DeferredCudaCallError:
    """The error of a call that was deferred until CUDA was initialized."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DoubleStorage:
    """Placeholder for the CUDA type ``DoubleStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DoubleTensor:
    """Placeholder for the CUDA type ``DoubleTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class Event:
    """An event on a stream. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ExternalStream:
    """A stream created by another library. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class FloatStorage:
    """Placeholder for the CUDA type ``FloatStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class FloatTensor:
    """Placeholder for the CUDA type ``FloatTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class GreenContext:
    """A context that uses part of the multiprocessors of a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class HalfStorage:
    """Placeholder for the CUDA type ``HalfStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class HalfTensor:
    """Placeholder for the CUDA type ``HalfTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class IntStorage:
    """Placeholder for the CUDA type ``IntStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class IntTensor:
    """Placeholder for the CUDA type ``IntTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class LongStorage:
    """Placeholder for the CUDA type ``LongStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class LongTensor:
    """Placeholder for the CUDA type ``LongTensor``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class MemPool:
    """A memory pool. It cannot be created without a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class OutOfMemoryError:
    """The error that PyTorch raises when an accelerator runs out of memory. minigrad never raises it; programs may catch it."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ShortStorage:
    """Placeholder for the CUDA type ``ShortStorage``: it has no instances."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ShortTensor:
    """Placeholder for the CUDA type ``ShortTensor``: it has no instances."""
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
from . import amp as amp
def caching_allocator_alloc(size: Any, device: _Device = None, stream: Any = None) -> Any:
    """Allocate device memory and return its address: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_alloc(1024)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def caching_allocator_delete(mem_ptr: Any) -> Any:
    """Free device memory, given its address: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_delete(0)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_cudaCachingAllocator_raw_delete': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def caching_allocator_disabled() -> Any:
    """Context manager that disables the caching allocator. Entering it raises AttributeError, because there is no device.

    >>> import minigrad
    >>> context = minigrad.cuda.caching_allocator_disabled()
    """
def caching_allocator_enable(value: Any = True) -> Any:
    """Enable or disable the caching allocator: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_enable()
    """
def can_device_access_peer(device: _Device, peer_device: Any) -> Any:
    """Whether one device can access another device's memory: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.can_device_access_peer(0, 1)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def change_current_allocator(allocator: Any) -> Any:
    """Replace the allocator of device memory: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.change_current_allocator(None)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_changeCurrentAllocator': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def check_error(res: Any) -> Any:
    """Raise an exception if a status code of the CUDA runtime is an error: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.check_error(0)
    Traceback (most recent call last):
        ...
    AttributeError: 'NoneType' object has no attribute 'cudaError': Torch not compiled with CUDA enabled
    """
def clock_rate(device: _Device = None) -> Any:
    """The clock rate of a device in MHz: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.clock_rate()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import comm as comm
class cudaStatus:
    """Status codes of the CUDA runtime."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def cudart() -> Any:
    """The bindings of the CUDA runtime: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.cudart()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_blas_handle() -> Any:
    """The address of the current cuBLAS handle: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_blas_handle()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The index of the current device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_device()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_solver_handle() -> Any:
    """The address of the current cuSOLVER handle: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_solver_handle()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The current stream of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
default_generators: Any
def default_stream(device: _Device = None) -> Any:
    """The default stream of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.default_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
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
    >>> minigrad.cuda.device_count()
    0
    """
def device_memory_used(device: _Device = None) -> Any:
    """The memory in use on a device, in bytes: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.device_memory_used()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
class device_of:
    """Context manager that sets the current device to that of a tensor. It does nothing for CPU tensors."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release cached device memory that is not in use: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.empty_cache()
    """
def get_allocator_backend() -> Any:
    """The name of the allocator backend: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.get_allocator_backend()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_getAllocatorBackend': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_arch_list() -> Any:
    """The architectures that the kernels were compiled for: [].

    >>> import minigrad
    >>> minigrad.cuda.get_arch_list()
    []
    """
def get_device_capability(device: _Device = None) -> Any:
    """The compute capability of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_capability()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_device_name(device: _Device = None) -> Any:
    """The name of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_name()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """The properties of a device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_properties()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_gencode_flags() -> Any:
    """The compiler flags that the kernels were compiled with: ''.

    >>> import minigrad
    >>> minigrad.cuda.get_gencode_flags()
    ''
    """
def get_per_process_memory_fraction(device: _Device = None) -> Any:
    """The fraction of device memory that this process may use: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.get_per_process_memory_fraction()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of the random number generators of all devices: [].

    >>> import minigrad
    >>> minigrad.cuda.random.get_rng_state_all()
    []
    """
def get_stream_from_external(data_ptr: Any, device: _Device = None) -> Any:
    """A stream that wraps one created by another library: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_stream_from_external(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_sync_debug_mode() -> Any:
    """The debug mode for operations that synchronize with the device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_sync_debug_mode()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
class graph:
    """Context manager that captures a graph: raises RuntimeError, because there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A handle of a memory pool that captured graphs can share: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.graphs.graph_pool_handle()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _graph_pool_handle: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
from . import graphs as graphs
from . import green_contexts as green_contexts
has_half: Any
has_magma: Any
def host_memory_stats() -> Any:
    """Statistics of the host memory allocator: OrderedDict().

    >>> import minigrad
    >>> minigrad.cuda.memory.host_memory_stats()
    OrderedDict()
    """
def host_memory_stats_as_nested_dict() -> Any:
    """Statistics of the host memory allocator, as a nested dict: {}.

    >>> import minigrad
    >>> minigrad.cuda.memory.host_memory_stats_as_nested_dict()
    {}
    """
def init() -> Any:
    """Initialize the device runtime: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of the current device's random number generator: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def ipc_collect() -> Any:
    """Free memory that other processes have released: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.ipc_collect()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether a device of this type is available: False.

    >>> import minigrad
    >>> minigrad.cuda.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether bfloat16 is supported: False.

    >>> import minigrad
    >>> minigrad.cuda.is_bf16_supported()
    False
    """
def is_current_stream_capturing() -> builtins.bool:
    """Whether a graph is being captured on the current stream: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.graphs.is_current_stream_capturing()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def is_initialized() -> builtins.bool:
    """Whether the device runtime has been initialized: False.

    >>> import minigrad
    >>> minigrad.cuda.is_initialized()
    False
    """
def is_tf32_supported() -> builtins.bool:
    """Whether TF32 is supported: False.

    >>> import minigrad
    >>> minigrad.cuda.is_tf32_supported()
    False
    """
def list_gpu_processes(device: _Device = None) -> Any:
    """The processes that use a device, as text: 'pynvml module not found, please install nvidia-ml-py'.

    >>> import minigrad
    >>> minigrad.cuda.memory.list_gpu_processes()
    'pynvml module not found, please install nvidia-ml-py'
    """
def make_graphed_callables(callables: Any, sample_args: Any, num_warmup_iters: Any = 3, allow_unused_input: Any = False, pool: Any = None) -> Any:
    """Capture functions or modules as graphs, and return callables that replay them: raises RuntimeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.graphs.make_graphed_callables(abs, ())
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class CUDAGraph: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the random number generator of the current device: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The peak memory that tensors have occupied on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_allocated()
    0
    """
def max_memory_cached(device: _Device = None) -> Any:
    """The peak memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_cached()
    0
    """
def max_memory_reserved(device: _Device = None) -> Any:
    """The peak memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_reserved()
    0
    """
def mem_get_info(device: _Device = None) -> Any:
    """The free and the total memory of a device, in bytes: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.mem_get_info()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The memory that tensors occupy on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_allocated()
    0
    """
def memory_cached(device: _Device = None) -> Any:
    """The memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_cached()
    0
    """
def memory_reserved(device: _Device = None) -> Any:
    """The memory that the allocator has reserved on a device, in bytes: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_reserved()
    0
    """
def memory_snapshot(mempool_id: Any = None, include_traces: Any = True) -> Any:
    """A snapshot of the memory allocator's state: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_snapshot()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_memorySnapshot': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def memory_stats(device: _Device = None) -> Any:
    """Statistics of the device memory allocator: OrderedDict().

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_stats()
    OrderedDict()
    """
def memory_stats_as_nested_dict(device: _Device = None) -> Any:
    """Statistics of the device memory allocator, as a nested dict: {}.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_stats_as_nested_dict()
    {}
    """
def memory_summary(device: _Device = None, abbreviated: Any = False) -> Any:
    """A printable summary of the memory statistics of a device: raises KeyError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_summary()
    Traceback (most recent call last):
        ...
    KeyError: 'allocated_bytes.all.current'
    """
def memory_usage(device: _Device = None) -> Any:
    """The percentage of time during which device memory was read or written: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory_usage()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import nccl as nccl
from . import nvtx as nvtx
def power_draw(device: _Device = None) -> Any:
    """The power draw of a device in mW: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.power_draw()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import profiler as profiler
from . import random as random
def reset_accumulated_host_memory_stats() -> Any:
    """Reset the accumulated statistics of the host memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_accumulated_host_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetAccumulatedHostMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_accumulated_memory_stats(device: _Device = None) -> Any:
    """Reset the accumulated statistics of the device memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetAccumulatedMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_max_memory_allocated(device: _Device = None) -> Any:
    """Reset the peak memory that tensors have occupied: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_max_memory_allocated()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_max_memory_cached(device: _Device = None) -> Any:
    """Reset the peak memory that the allocator has reserved: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_max_memory_cached()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_peak_host_memory_stats() -> Any:
    """Reset the peak statistics of the host memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_peak_host_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakHostMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Reset the peak statistics of the device memory allocator: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def seed() -> builtins.int:
    """Seed the random number generator of the current device with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.seed()
    """
def seed_all() -> Any:
    """Seed the random number generators of all devices with a random number: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Set the current device: raises AttributeError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.set_device(0)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_setDevice': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def set_per_process_memory_fraction(fraction: Any, device: _Device = None) -> Any:
    """Limit the fraction of device memory that this process may use: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.set_per_process_memory_fraction(0.5)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Set the state of a device's random number generator: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.set_rng_state(minigrad.get_rng_state())
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Set the states of the random number generators of all devices: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Set the current stream; None leaves it unchanged: does nothing, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.set_stream(None)
    """
def set_sync_debug_mode(debug_mode: Any) -> Any:
    """Set the debug mode for operations that synchronize with the device: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.set_sync_debug_mode('warn')
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
from . import sparse as sparse
def stream(stream: Any) -> Any:
    """Return a context manager that sets the current stream; None changes nothing.

    >>> import minigrad
    >>> with minigrad.cuda.stream(None):
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """
from . import streams as streams
def synchronize(device: _Device = None) -> Any:
    """Wait until all work on a device has finished: raises AssertionError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.synchronize()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def temperature(device: _Device = None) -> Any:
    """The temperature of a device in degrees Celsius: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.temperature()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import tunable as tunable
def use_mem_pool(pool: Any, device: _device | builtins.str | builtins.int | None = None) -> Any:
    """Context manager that allocates device memory from ``pool``. Entering it raises AssertionError, because there is no device.

    >>> import minigrad
    >>> with minigrad.cuda.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def utilization(device: _Device = None) -> Any:
    """The percentage of time during which a kernel was running: raises ModuleNotFoundError, because there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.utilization()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
