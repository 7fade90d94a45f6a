"""Memory management of MTIA devices: there are none, so the statistics are 0."""

from .._devices.answers import answers

__all__ = answers(
    globals(),
    {
        "max_memory_allocated": lambda device=None: 0,
        "memory_allocated": lambda device=None: 0,
        "memory_stats": lambda device=None: {},
        "reset_peak_memory_stats": lambda device=None: None,
    },
)
