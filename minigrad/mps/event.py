"""Events on Apple GPUs: they cannot be created without a device."""

from .._devices.absent import MPS

__all__ = ["Event"]


class Event:
    """An event on the device: raises RuntimeError, because there is no device."""

    def __init__(self, enable_timing: bool = False) -> None:
        MPS.unhooked("acquireEvent")
