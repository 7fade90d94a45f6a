"""CUDA's profiler: not available. ``minigrad.profiler`` records the operators of minigrad."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._devices.absent import CUDA
from .._devices.answers import answers


@contextmanager
def profile() -> Iterator[Any]:
    """Context manager that profiles work on devices. Entering it raises AssertionError, because there is no device.

    >>> import minigrad
    >>> with minigrad.cuda.profiler.profile():
    ...     pass
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled (minigrad computes on the CPU only)
    """
    CUDA.refuse()
    yield


__all__ = [*answers(globals(), {"start": lambda: CUDA.refuse(), "stop": lambda: CUDA.refuse()}), "profile"]
