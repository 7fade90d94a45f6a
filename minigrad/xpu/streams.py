"""XPU streams and events: the classes exist, but cannot be instantiated."""

from .._devices.absent import XPU
from .._devices.contexts import unmade

__all__ = unmade(
    globals(),
    XPU,
    Event="An event on a stream. It cannot be created without a device.",
    Stream="A stream of a device. It cannot be created without a device.",
)
