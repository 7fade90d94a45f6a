"""Moments in the work of the graphics processors of Apple's machines: there are none."""

from .._devices.absent import MPS

__all__ = ["Event"]


class Event:
    """A moment in the device's work that others wait for: raises RuntimeError, as there is no device."""

    def __init__(self, enable_timing: bool = False) -> None:
        MPS.unhooked("acquireEvent")
