"""The API of ``torch.mps`` (Apple GPUs) as on a machine without one."""

from typing import TYPE_CHECKING

from .._base import lazy as _lazy
from .._devices.absent import CPU_ONLY as _CPU_ONLY
from .._devices.absent import MPS as _MPS
from .._devices.answers import answers as _answers

if TYPE_CHECKING:
    from . import event as event
    from . import profiler as profiler
    from .event import Event as Event


_later = _lazy.places({"mps.profiler": "profiler=", "mps.event": "event= Event"})


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


def _unavailable():
    raise RuntimeError(f"MPS is not available ({_CPU_ONLY})")


def _limit(fraction):
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if not 0 <= fraction <= 2:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~2")
    _MPS.unhooked("setMemoryFraction")


def _is_in_bad_fork():
    return False


__all__ = [
    *_answers(
        globals(),
        {
            "compile_shader": lambda source: _unavailable(),
            "current_allocated_memory": lambda: _MPS.unhooked("getCurrentAllocatedMemory"),
            "device_count": lambda: 0,
            "driver_allocated_memory": lambda: _MPS.unhooked("getDriverAllocatedMemory"),
            "empty_cache": lambda: _MPS.unhooked("emptyCache"),
            "get_rng_state": lambda device="mps": _MPS.unhooked("getDefaultGenerator"),
            "is_available": lambda: False,
            "load_metallib": lambda source: _unavailable(),
            "manual_seed": lambda seed: None,
            "recommended_max_memory": lambda: _MPS.unhooked("getRecommendedMaxMemory"),
            "seed": lambda: _MPS.unhooked("getDefaultGenerator"),
            "set_per_process_memory_fraction": lambda fraction: _limit(fraction),
            "set_rng_state": lambda new_state, device="mps": _MPS.unhooked("getDefaultGenerator"),
            "synchronize": lambda: _MPS.unhooked("deviceSynchronize"),
        },
    ),
    *("Event", "profiler"),
]
