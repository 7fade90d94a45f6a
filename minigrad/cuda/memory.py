"""Memory management of CUDA devices: there are none, so the statistics are 0."""

from contextlib import contextmanager
from typing import Any

from .._base.device import Device as _Device
from .._devices import alike, contexts
from .._devices.absent import CUDA
from .._devices.answers import answers

_FIGURES = alike.memory(CUDA)


def _summary(device):
    return _FIGURES["memory_stats"](device)["allocated_bytes.all.current"]


def use_mem_pool(pool: Any, device: _Device = None) -> Any:
    """Context manager that allocates device memory from ``pool``. Entering it raises AssertionError, because there is no device.

    >>> import minigrad
    >>> with minigrad.cuda.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    return _entered(CUDA.refuse)


def caching_allocator_disabled() -> Any:
    """Context manager that disables the caching allocator. Entering it raises AttributeError, because there is no device.

    >>> import minigrad
    >>> context = minigrad.cuda.caching_allocator_disabled()
    """
    return _entered(lambda: CUDA.missing("_cuda_cudaCachingAllocator_is_enabled"))


@contextmanager
def _entered(action):
    action()
    yield


class CUDAPluggableAllocator:
    """An allocator from a shared library: raises OSError, because such libraries are not loaded."""

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        raise OSError(
            f"{path_to_so_file}: minigrad computes on the CPU only, and does not load libraries for CUDA"
        )


__all__ = [
    *answers(
        globals(),
        {
            **_FIGURES,
            "caching_allocator_alloc": lambda size, device=None, stream=None: CUDA.refuse(),
            "caching_allocator_delete": lambda mem_ptr: CUDA.missing("_cuda_cudaCachingAllocator_raw_delete"),
            "caching_allocator_enable": lambda value=True: None,
            "get_allocator_backend": lambda: CUDA.missing("_cuda_getAllocatorBackend"),
            "host_memory_stats": lambda: _FIGURES["memory_stats"](),
            "host_memory_stats_as_nested_dict": lambda: {},  # noqa: PIE807 (a function of its own)
            "list_gpu_processes": lambda device=None: "pynvml module not found, please install nvidia-ml-py",
            "max_memory_cached": lambda device=None: 0,
            "memory_cached": lambda device=None: 0,
            "memory_snapshot": lambda mempool_id=None, include_traces=True: CUDA.missing(
                "_cuda_memorySnapshot"
            ),
            "memory_summary": lambda device=None, abbreviated=False: _summary(device),
            "reset_accumulated_host_memory_stats": lambda: CUDA.missing(
                "_cuda_resetAccumulatedHostMemoryStats"
            ),
            "reset_max_memory_allocated": lambda device=None: CUDA.missing("_cuda_resetPeakMemoryStats"),
            "reset_max_memory_cached": lambda device=None: CUDA.missing("_cuda_resetPeakMemoryStats"),
            "reset_peak_host_memory_stats": lambda: CUDA.missing("_cuda_resetPeakHostMemoryStats"),
        },
    ),
    *contexts.unmade(globals(), CUDA, MemPool="A memory pool. It cannot be created without a device."),
    *("CUDAPluggableAllocator", "caching_allocator_disabled", "use_mem_pool"),
]
