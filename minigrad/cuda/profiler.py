"""CUDA's profiler: there is none; ``minigrad.profiler`` records what is computed here."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._devices.absent import CUDA
from .._devices.answers import answers


@contextmanager
def profile() -> Iterator[Any]:
    """A context whose work on devices is recorded: raises AssertionError when it is entered, as there is no device.

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
