"""Memory management of the current accelerator: there is none."""

from .._devices.absent import no_accelerator
from .._devices.answers import answers

__all__ = answers(
    globals(),
    {
        "empty_cache": lambda: no_accelerator(),
        "empty_host_cache": lambda: no_accelerator(),
        "get_memory_info": lambda device_index=None, /: no_accelerator(),
        "max_memory_allocated": lambda device_index=None, /: no_accelerator(),
        "max_memory_reserved": lambda device_index=None, /: no_accelerator(),
        "memory_allocated": lambda device_index=None, /: no_accelerator(),
        "memory_reserved": lambda device_index=None, /: no_accelerator(),
        "memory_stats": lambda device_index=None, /: no_accelerator(),
        "reset_accumulated_memory_stats": lambda device_index=None, /: no_accelerator(),
        "reset_peak_memory_stats": lambda device_index=None, /: no_accelerator(),
    },
)
