"""NVTX markers for NVIDIA's profilers: not available without CUDA. ``profiler.emit_nvtx`` uses the ``nvtx`` package."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._devices.absent import CPU_ONLY
from .._devices.answers import answers


def _not_installed(*args):
    raise RuntimeError(f"NVTX functions not installed. Are you sure you have a CUDA build? ({CPU_ONLY})")


def _no_function(name):
    raise AttributeError(f"'_NVTXStub' object has no attribute '{name}': NVTX functions not installed")


@contextmanager
def range(msg: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Context manager that marks a range in the profiler's timeline. Entering it raises RuntimeError.

    >>> import minigrad
    >>> with minigrad.cuda.nvtx.range("forward"):
    ...     pass
    Traceback (most recent call last):
        ...
    RuntimeError: NVTX functions not installed. Are you sure you have a CUDA build? (minigrad computes on the CPU only)
    """
    _not_installed()
    yield


__all__ = [
    *answers(
        globals(),
        {
            "mark": lambda msg: _not_installed(),
            "range_end": lambda range_id: _no_function("rangeEnd"),
            "range_pop": lambda: _not_installed(),
            "range_push": lambda msg: _not_installed(),
            "range_start": lambda msg: _no_function("rangeStartA"),
        },
    ),
    "range",
]
