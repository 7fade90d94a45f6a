"""The memory of Intel's graphics processors: there are none, so the figures are 0."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._base.device import Device as _Device
from .._devices import alike, contexts
from .._devices.absent import XPU
from .._devices.answers import answers


@contextmanager
def use_mem_pool(pool: Any, device: _Device = None) -> Iterator[Any]:
    """A context whose memory on devices comes from ``pool``: raises AssertionError when it is entered, as there is no device.

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
    """An allocator in a library of the program's own: raises OSError, as it finds none that it could use."""

    def __init__(self, path_to_lib_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        raise OSError(f"{path_to_lib_file}: minigrad loads no libraries for XPU, it computes on the CPU only")


__all__ = [
    *answers(globals(), {**alike.memory(XPU), "memory_snapshot": lambda mempool_id=None: []}),
    *contexts.unmade(globals(), XPU, MemPool="Memory of devices that is kept apart."),
    *("XPUPluggableAllocator", "use_mem_pool"),
]
