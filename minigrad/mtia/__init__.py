"""The API of ``torch.mtia`` (Meta's accelerators) as on a machine without one."""

from typing import Any

from .._base import lazy as _lazy
from .._devices import contexts as _contexts
from .._devices.absent import MTIA as _MTIA
from .._devices.answers import answers as _answers

_later = _lazy.places(
    {
        "mtia.memory": "memory= max_memory_allocated memory_allocated memory_stats reset_peak_memory_stats",
        "mtia.mtia_graph": "mtia_graph= MTIAGraph graph graph_pool_handle",
    }
)


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


class device(_contexts.DeviceContext):
    """Context manager that sets the current device. Entering it raises RuntimeError unless the index is negative."""

    absent = _MTIA

    def __init__(self, device: Any) -> None:
        self._choose(device)

    def _enter(self):
        _MTIA.unhooked("maybeExchangeDevice")


def stream(stream: Any) -> None:
    """Context manager that sets the current stream: raises RuntimeError, because there is no device.

    >>> import minigrad
    >>> minigrad.mtia.stream(None)
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot execute getCurrentDevice() without MTIA backend. (minigrad computes on the CPU only)
    """
    _current()


def _current():
    _MTIA.unhooked("getCurrentDevice")


def _is_compiled():
    return False


def _lazy_init():
    _MTIA.refuse()


def _is_in_bad_fork():
    return False


__all__ = [
    *_answers(
        globals(),
        {
            "attach_out_of_memory_observer": lambda observer: _MTIA.unhooked("attachOutOfMemoryObserver"),
            "current_device": lambda: _current(),
            "current_stream": lambda device=None: _current(),
            "default_stream": lambda device=None: _current(),
            "device_count": lambda: 0,
            "empty_cache": lambda: _MTIA.unhooked("emptyCache"),
            "get_device_capability": lambda device=None: _current(),
            "get_device_properties": lambda device=None: _current(),
            "get_rng_state": lambda device="mtia": _MTIA.refuse(),
            "get_rng_state_all": lambda: [],  # noqa: PIE807 (a function of its own)
            "init": lambda: _MTIA.refuse(),
            "initial_seed": lambda: _MTIA.refuse(),
            "is_available": lambda: False,
            "is_bf16_supported": lambda including_emulation=True: True,
            "is_initialized": lambda: False,
            "manual_seed": lambda seed: None,
            "manual_seed_all": lambda seed: None,
            "record_memory_history": lambda enabled="all", stacks="python", max_entries=0: None,
            "seed": lambda: None,
            "seed_all": lambda: None,
            "set_device": lambda device: (
                _MTIA.unhooked("setCurrentDevice") if _MTIA.index(device) >= 0 else None
            ),
            "set_rng_state": lambda new_state, device="mtia": _current(),
            "set_rng_state_all": lambda new_states: None,
            "set_stream": lambda stream: None if stream is None else _current(),
            "snapshot": lambda: _MTIA.unhooked("memorySnapshot"),
            "synchronize": lambda device=None: _current(),
        },
    ),
    *("device", "stream"),
    *[name for name, (_, there) in _later.items() if there],
]
