"""Queues of work of Intel's graphics processors: there are classes, and no objects of them."""

from .._devices.absent import XPU
from .._devices.contexts import unmade

__all__ = unmade(
    globals(),
    XPU,
    Event="A moment in a device's work that others wait for.",
    Stream="A queue of a device's work.",
)
