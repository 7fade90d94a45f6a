"""Memory management of Intel GPUs: there are none, so the statistics are 0."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._base.device import Device as _Device
from .._devices import alike, contexts
from .._devices.absent import XPU
from .._devices.answers import answers


@contextmanager
def use_mem_pool(pool: Any, device: _Device = None) -> Iterator[Any]:
    """Context manager that allocates device memory from ``pool``. Entering it raises AssertionError, because there is no device.

    >>> import minigrad
    >>> with minigrad.xpu.use_mem_pool(None):
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with XPU enabled (minigrad computes on the CPU only)
    """
    XPU.refuse()
    yield


class XPUPluggableAllocator:
    """An allocator from a shared library: raises OSError, because such libraries are not loaded."""

    def __init__(self, path_to_lib_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        raise OSError(
            f"{path_to_lib_file}: minigrad computes on the CPU only, and does not load libraries for XPU"
        )


__all__ = [
    *answers(globals(), {**alike.memory(XPU), "memory_snapshot": lambda mempool_id=None: []}),
    *contexts.unmade(globals(), XPU, MemPool="A memory pool. It cannot be created without a device."),
    *("XPUPluggableAllocator", "use_mem_pool"),
]
