"""Profiling of Apple GPUs: not available without a device."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from .._devices.absent import MPS
from .._devices.answers import answers


@contextmanager
def profile(
    mode: Literal["interval", "event", "interval,event"] = "interval", wait_until_completed: bool = False
) -> Iterator[None]:
    """Context manager that profiles work on the device. Entering it raises RuntimeError, because there is no device.

    >>> import minigrad
    >>> with minigrad.mps.profiler.profile():
    ...     pass
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute profilerStopTrace() without MPS backend. (minigrad computes on the CPU only)
    """
    MPS.unhooked("profilerStopTrace")
    yield


@contextmanager
def metal_capture(fname: str) -> Iterator[None]:
    """Context manager that writes a Metal capture to a file. Entering it raises AttributeError.

    >>> import minigrad
    >>> context = minigrad.mps.profiler.metal_capture("trace")
    """
    MPS.missing("_mps_stopCapture")
    yield


__all__ = [
    *answers(
        globals(),
        {
            "is_capturing_metal": lambda: MPS.missing("_mps_isCapturing"),
            "is_metal_capture_enabled": lambda: MPS.missing("_mps_isCaptureEnabled"),
            "start": lambda mode="interval", wait_until_completed=False: MPS.unhooked("profilerStartTrace"),
            "stop": lambda: MPS.unhooked("profilerStopTrace"),
        },
    ),
    *("metal_capture", "profile"),
]
