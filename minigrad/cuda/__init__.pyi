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
    """What PyTorch raises when an accelerator fails: programs catch it, nothing here raises it."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BFloat16Storage:
    """Stands for ``BFloat16Storage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BFloat16Tensor:
    """Stands for ``BFloat16Tensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BoolStorage:
    """Stands for ``BoolStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class BoolTensor:
    """Stands for ``BoolTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ByteStorage:
    """Stands for ``ByteStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ByteTensor:
    """Stands for ``ByteTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CUDAGraph:
    """A captured graph of kernels."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CUDAPluggableAllocator:
    """An allocator in a library of the program's own: raises OSError, as it finds none that it could use."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CharStorage:
    """Stands for ``CharStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CharTensor:
    """Stands for ``CharTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ComplexDoubleStorage:
    """Stands for ``ComplexDoubleStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ComplexFloatStorage:
    """Stands for ``ComplexFloatStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class CudaError:
    """What a function of CUDA's runtime says went wrong: cannot be made, as the words for its number are CUDA's."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DeferredCudaCallError:
    """What a call raised that had waited for a device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DoubleStorage:
    """Stands for ``DoubleStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class DoubleTensor:
    """Stands for ``DoubleTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class Event:
    """A moment in a device's work that others wait for."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ExternalStream:
    """A queue of a device's work that another library made."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class FloatStorage:
    """Stands for ``FloatStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class FloatTensor:
    """Stands for ``FloatTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class GreenContext:
    """A part of a device's processors."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class HalfStorage:
    """Stands for ``HalfStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class HalfTensor:
    """Stands for ``HalfTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class IntStorage:
    """Stands for ``IntStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class IntTensor:
    """Stands for ``IntTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class LongStorage:
    """Stands for ``LongStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class LongTensor:
    """Stands for ``LongTensor`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class MemPool:
    """Memory of devices that is kept apart."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class OutOfMemoryError:
    """What PyTorch raises when an accelerator's memory is used up: programs catch it, nothing here raises it."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ShortStorage:
    """Stands for ``ShortStorage`` on CUDA: there are none."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
class ShortTensor:
    """Stands for ``ShortTensor`` on CUDA: there are none."""
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
from . import amp as amp
def caching_allocator_alloc(size: Any, device: _Device = None, stream: Any = None) -> Any:
    """The address of new memory on a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_alloc(1024)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def caching_allocator_delete(mem_ptr: Any) -> Any:
    """Release memory by its address: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_delete(0)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_cudaCachingAllocator_raw_delete': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def caching_allocator_disabled() -> Any:
    """A context in which released memory of devices is not kept: raises AttributeError when it is entered, as there is no device.

    >>> import minigrad
    >>> context = minigrad.cuda.caching_allocator_disabled()
    """
def caching_allocator_enable(value: Any = True) -> Any:
    """Let released memory of devices be kept for the next tensor, or not: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.memory.caching_allocator_enable()
    """
def can_device_access_peer(device: _Device, peer_device: Any) -> Any:
    """Whether one device reads another's memory: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.can_device_access_peer(0, 1)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def change_current_allocator(allocator: Any) -> Any:
    """Let another allocator make the memory of devices: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.change_current_allocator(None)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_changeCurrentAllocator': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def check_error(res: Any) -> Any:
    """Raise what a number says that CUDA's functions return: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.check_error(0)
    Traceback (most recent call last):
        ...
    AttributeError: 'NoneType' object has no attribute 'cudaError': Torch not compiled with CUDA enabled
    """
def clock_rate(device: _Device = None) -> Any:
    """The clock rate of a device in MHz: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.clock_rate()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import comm as comm
class cudaStatus:
    """Numbers that functions of CUDA's runtime return."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def cudart() -> Any:
    """The library below CUDA's functions: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.cudart()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_blas_handle() -> Any:
    """The address of cuBLAS's state: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_blas_handle()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_device() -> Any:
    """The number of the current device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_device()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_solver_handle() -> Any:
    """The address of cuSOLVER's state: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_solver_handle()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def current_stream(device: _Device = None) -> Any:
    """The queue of work that is current on a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.current_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
default_generators: Any
def default_stream(device: _Device = None) -> Any:
    """The queue of work that a device begins with: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.default_stream()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
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
    >>> minigrad.cuda.device_count()
    0
    """
def device_memory_used(device: _Device = None) -> Any:
    """The bytes that programs use on a device: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.device_memory_used()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
class device_of:
    """A context in which the device of a tensor is the current one: nothing changes for tensors of the CPU."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *exc: Any) -> None: ...
def empty_cache() -> Any:
    """Release memory of devices that no tensor takes: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.memory.empty_cache()
    """
def get_allocator_backend() -> Any:
    """The name of the allocator of devices' memory: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.get_allocator_backend()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_getAllocatorBackend': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_arch_list() -> Any:
    """The architectures for which kernels were compiled: [].

    >>> import minigrad
    >>> minigrad.cuda.get_arch_list()
    []
    """
def get_device_capability(device: _Device = None) -> Any:
    """The version of what a device can compute: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_capability()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_device_name(device: _Device = None) -> Any:
    """The name of a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_name()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_device_properties(device: _Device = None) -> Any:
    """What a device is and can do: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_device_properties()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_gencode_flags() -> Any:
    """The options with which kernels were compiled: ''.

    >>> import minigrad
    >>> minigrad.cuda.get_gencode_flags()
    ''
    """
def get_per_process_memory_fraction(device: _Device = None) -> Any:
    """The share of a device's memory that this process may take: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.get_per_process_memory_fraction()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_rng_state(device: _Device = ...) -> Any:
    """The state of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.get_rng_state()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_rng_state_all() -> Any:
    """The states of all devices' generators: [].

    >>> import minigrad
    >>> minigrad.cuda.random.get_rng_state_all()
    []
    """
def get_stream_from_external(data_ptr: Any, device: _Device = None) -> Any:
    """A queue of work that another library made: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_stream_from_external(0)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def get_sync_debug_mode() -> Any:
    """What is done about operations that wait for the device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.get_sync_debug_mode()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
class graph:
    """A context that captures a graph of kernels: raises RuntimeError, as there is no device."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: builtins.str) -> Any: ...
def graph_pool_handle() -> Any:
    """A new name for memory that graphs of kernels share: raises RuntimeError, as there is no such device.

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
    """Figures of the host's memory that is kept for devices: OrderedDict().

    >>> import minigrad
    >>> minigrad.cuda.memory.host_memory_stats()
    OrderedDict()
    """
def host_memory_stats_as_nested_dict() -> Any:
    """Figures of the host's memory that is kept for devices, in dictionaries of dictionaries: {}.

    >>> import minigrad
    >>> minigrad.cuda.memory.host_memory_stats_as_nested_dict()
    {}
    """
def init() -> Any:
    """Prepare the devices before one is used: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.init()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def initial_seed() -> builtins.int:
    """The seed of a device's generator: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.random.initial_seed()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def ipc_collect() -> Any:
    """Release memory that other processes have given back: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.ipc_collect()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def is_available() -> builtins.bool:
    """Whether there is such a device: False.

    >>> import minigrad
    >>> minigrad.cuda.is_available()
    False
    """
def is_bf16_supported(including_emulation: Any = True) -> builtins.bool:
    """Whether a device computes in bfloat16: False.

    >>> import minigrad
    >>> minigrad.cuda.is_bf16_supported()
    False
    """
def is_current_stream_capturing() -> builtins.bool:
    """Whether a graph of kernels is being captured: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.graphs.is_current_stream_capturing()
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def is_initialized() -> builtins.bool:
    """Whether devices are in use: False.

    >>> import minigrad
    >>> minigrad.cuda.is_initialized()
    False
    """
def is_tf32_supported() -> builtins.bool:
    """Whether a device multiplies in TF32: False.

    >>> import minigrad
    >>> minigrad.cuda.is_tf32_supported()
    False
    """
def list_gpu_processes(device: _Device = None) -> Any:
    """A list of the processes on a device, as text: 'pynvml module not found, please install nvidia-ml-py'.

    >>> import minigrad
    >>> minigrad.cuda.memory.list_gpu_processes()
    'pynvml module not found, please install nvidia-ml-py'
    """
def make_graphed_callables(callables: Any, sample_args: Any, num_warmup_iters: Any = 3, allow_unused_input: Any = False, pool: Any = None) -> Any:
    """Functions that replay captured graphs of kernels: raises RuntimeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.graphs.make_graphed_callables(abs, ())
    Traceback (most recent call last):
        ...
    RuntimeError: Tried to instantiate dummy base class CUDAGraph: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def manual_seed(seed: Any) -> Generator:
    """Seed the generator of the current device: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.manual_seed(0)
    """
def manual_seed_all(seed: Any) -> Any:
    """Seed the generators of all devices: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.manual_seed_all(0)
    """
def max_memory_allocated(device: _Device = None) -> Any:
    """The most bytes that tensors have taken on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_allocated()
    0
    """
def max_memory_cached(device: _Device = None) -> Any:
    """The most bytes that were kept on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_cached()
    0
    """
def max_memory_reserved(device: _Device = None) -> Any:
    """The most bytes that were kept on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.max_memory_reserved()
    0
    """
def mem_get_info(device: _Device = None) -> Any:
    """The free and all bytes of a device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.mem_get_info()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
from . import memory as memory
def memory_allocated(device: _Device = None) -> Any:
    """The bytes that tensors take on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_allocated()
    0
    """
def memory_cached(device: _Device = None) -> Any:
    """The bytes that are kept on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_cached()
    0
    """
def memory_reserved(device: _Device = None) -> Any:
    """The bytes that are kept on a device: 0.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_reserved()
    0
    """
def memory_snapshot(mempool_id: Any = None, include_traces: Any = True) -> Any:
    """Every block of a device's memory: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_snapshot()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_memorySnapshot': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def memory_stats(device: _Device = None) -> Any:
    """Figures of a device's memory, by their names: OrderedDict().

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_stats()
    OrderedDict()
    """
def memory_stats_as_nested_dict(device: _Device = None) -> Any:
    """Figures of a device's memory, in dictionaries of dictionaries: {}.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_stats_as_nested_dict()
    {}
    """
def memory_summary(device: _Device = None, abbreviated: Any = False) -> Any:
    """A table of the figures of a device's memory: raises KeyError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.memory_summary()
    Traceback (most recent call last):
        ...
    KeyError: 'allocated_bytes.all.current'
    """
def memory_usage(device: _Device = None) -> Any:
    """The share of time in which a device's memory was in use: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory_usage()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import nccl as nccl
from . import nvtx as nvtx
def power_draw(device: _Device = None) -> Any:
    """What a device consumes, in mW: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.power_draw()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import profiler as profiler
from . import random as random
def reset_accumulated_host_memory_stats() -> Any:
    """Count the host's memory for devices anew: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_accumulated_host_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetAccumulatedHostMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_accumulated_memory_stats(device: _Device = None) -> Any:
    """Count the memory of a device anew: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_accumulated_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetAccumulatedMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_max_memory_allocated(device: _Device = None) -> Any:
    """Forget the most bytes that tensors have taken: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_max_memory_allocated()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_max_memory_cached(device: _Device = None) -> Any:
    """Forget the most bytes that were kept: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_max_memory_cached()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_peak_host_memory_stats() -> Any:
    """Forget the peaks of the host's memory for devices: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_peak_host_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakHostMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def reset_peak_memory_stats(device: _Device = None) -> Any:
    """Forget the peaks of a device's memory: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.reset_peak_memory_stats()
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def seed() -> builtins.int:
    """Seed the generator of the current device with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.seed()
    """
def seed_all() -> Any:
    """Seed the generators of all devices with a number that nobody chose: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.seed_all()
    """
def set_device(device: _Device) -> Any:
    """Make a device the current one: raises AttributeError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.set_device(0)
    Traceback (most recent call last):
        ...
    AttributeError: module 'torch._C' has no attribute '_cuda_setDevice': Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def set_per_process_memory_fraction(fraction: Any, device: _Device = None) -> Any:
    """Limit the share of a device's memory that this process may take: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.memory.set_per_process_memory_fraction(0.5)
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def set_rng_state(new_state: Any, device: _Device = ...) -> None:
    """Put a device's generator into a state: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.set_rng_state(minigrad.get_rng_state())
    """
def set_rng_state_all(new_states: Any) -> Any:
    """Put all devices' generators into states: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.random.set_rng_state_all([])
    """
def set_stream(stream: Any) -> Any:
    """Make a queue of work the current one, unless it is None: there is none, so nothing happens.

    >>> import minigrad
    >>> minigrad.cuda.set_stream(None)
    """
def set_sync_debug_mode(debug_mode: Any) -> Any:
    """Choose what is done about operations that wait for the device: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.set_sync_debug_mode('warn')
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
from . import sparse as sparse
def stream(stream: Any) -> Any:
    """A context in which a queue of work is the current one; None changes nothing.

    >>> import minigrad
    >>> with minigrad.cuda.stream(None):
    ...     minigrad.ones(2)
    tensor([1., 1.])
    """
from . import streams as streams
def synchronize(device: _Device = None) -> Any:
    """Wait until a device has done what it was told to do: raises AssertionError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.synchronize()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def temperature(device: _Device = None) -> Any:
    """The temperature of a device in degrees Celsius: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.temperature()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
from . import tunable as tunable
def use_mem_pool(pool: Any, device: _device | builtins.str | builtins.int | None = None) -> Any:
    """A context whose memory on devices comes from ``pool``: raises AssertionError when it is entered, as there is no device.

    >>> import minigrad
    >>> with minigrad.cuda.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
def utilization(device: _Device = None) -> Any:
    """The share of time in which a device computed: raises ModuleNotFoundError, as there is no such device.

    >>> import minigrad
    >>> minigrad.cuda.utilization()
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: nvidia-ml-py does not seem to be installed or it can't be imported. (minigrad computes on the CPU only)
    """
