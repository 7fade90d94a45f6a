"""The API of ``torch.cuda`` as on a machine without CUDA: minigrad computes on the CPU only.

Results and errors are those of PyTorch built without CUDA.
"""

from typing import Any

from .._base import lazy as _lazy
from .._base.errors import AcceleratorError, OutOfMemoryError
from .._devices import alike as _alike
from .._devices import contexts as _contexts
from .._devices.absent import CUDA as _CUDA
from .._devices.answers import answers as _answers

_later = _lazy.places(
    {f"cuda.{name}": f"{name}=" for name in ("amp", "comm", "nvtx", "profiler", "sparse", "tunable", "nccl")},
    {
        "cuda.memory": (
            "memory= CUDAPluggableAllocator MemPool caching_allocator_alloc caching_allocator_delete caching_allocator_disabled "
            "caching_allocator_enable change_current_allocator empty_cache get_allocator_backend get_per_process_memory_fraction "
            "host_memory_stats host_memory_stats_as_nested_dict list_gpu_processes max_memory_allocated max_memory_cached "
            "max_memory_reserved mem_get_info memory_allocated memory_cached memory_reserved memory_snapshot memory_stats "
            "memory_stats_as_nested_dict memory_summary reset_accumulated_host_memory_stats reset_accumulated_memory_stats "
            "reset_max_memory_allocated reset_max_memory_cached reset_peak_host_memory_stats reset_peak_memory_stats "
            "set_per_process_memory_fraction use_mem_pool"
        ),
        "cuda.random": (
            "random= get_rng_state get_rng_state_all initial_seed manual_seed manual_seed_all seed seed_all set_rng_state "
            "set_rng_state_all"
        ),
        "cuda.streams": "streams= Event ExternalStream Stream",
        "cuda.green_contexts": "green_contexts= GreenContext",
        "cuda.graphs": "graphs= CUDAGraph graph graph_pool_handle is_current_stream_capturing make_graphed_callables",
        "_devices.typed": (
            "BFloat16Storage BFloat16Tensor BoolStorage BoolTensor ByteStorage ByteTensor CharStorage CharTensor "
            "ComplexDoubleStorage ComplexFloatStorage DoubleStorage DoubleTensor FloatStorage FloatTensor HalfStorage HalfTensor "
            "IntStorage IntTensor LongStorage LongTensor ShortStorage ShortTensor"
        ),
    },
)  # fmt: skip


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


default_generators: tuple[Any, ...] = ()
has_half = True
has_magma = False


class CudaError(RuntimeError):
    """An error of the CUDA runtime. It cannot be instantiated, because its message comes from the CUDA runtime."""

    def __init__(self, code: int) -> None:
        _no_runtime("cudaGetErrorString")


class DeferredCudaCallError(Exception):
    """The error of a call that was deferred until CUDA was initialized."""


class cudaStatus:
    """Status codes of the CUDA runtime."""

    SUCCESS = 0
    ERROR_NOT_READY = 34


class device(_contexts.DeviceContext):
    """Context manager that sets the current device. Entering it raises RuntimeError unless the index is negative."""

    absent = _CUDA

    def __init__(self, device: Any) -> None:
        self._choose(device)


class device_of(_contexts.DeviceOf, device):
    """Context manager that sets the current device to that of a tensor. It does nothing for CPU tensors."""

    def __init__(self, obj: Any) -> None:
        self._choose(obj)


class StreamContext(_contexts.StreamContext):
    """Context manager that sets the current stream; None changes nothing."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream


def _no_runtime(name):
    raise AttributeError(f"'NoneType' object has no attribute '{name}': Torch not compiled with CUDA enabled")


def _is_compiled():
    return False


def _is_in_bad_fork():
    return False


def _lazy_init():
    _CUDA.refuse()


def _lazy_call(callable, **kwargs):
    """Would call ``callable`` once CUDA is initialized, which never happens."""


__all__ = [
    *_answers(
        globals(),
        {
            **_alike.devices(_CUDA),
            **_alike.sensors(_CUDA),
            "stream": _alike.stream_context(__name__, StreamContext),
            "can_device_access_peer": lambda device, peer_device: _CUDA.refuse(),
            "check_error": lambda res: _no_runtime("cudaError"),
            "cudart": lambda: _CUDA.refuse(),
            "current_blas_handle": lambda: _CUDA.refuse(),
            "current_solver_handle": lambda: _CUDA.refuse(),
            "default_stream": lambda device=None: _CUDA.refuse(),
            "get_sync_debug_mode": lambda: _CUDA.refuse(),
            "ipc_collect": lambda: _CUDA.refuse(),
            "set_device": lambda device: (
                _CUDA.missing("_cuda_setDevice") if _CUDA.index(device) >= 0 else None
            ),
            "set_sync_debug_mode": lambda debug_mode: _CUDA.refuse(),
        },
    ),
    *(
        "AcceleratorError",
        "CudaError",
        "DeferredCudaCallError",
        "OutOfMemoryError",
        "StreamContext",
        "cudaStatus",
    ),
    *("device", "device_of", "default_generators", "has_half", "has_magma"),
    *_later,
]
