"""The API of ``torch.accelerator`` as on a machine without an accelerator."""

from typing import Any

from .._base import lazy as _lazy
from .._devices.absent import no_accelerator as _no_accelerator
from .._devices.answers import answers as _answers

_later = _lazy.places(
    {
        "accelerator.memory": (
            "memory= empty_cache empty_host_cache get_memory_info max_memory_allocated max_memory_reserved memory_allocated "
            "memory_reserved memory_stats reset_accumulated_memory_stats reset_peak_memory_stats"
        ),
        "accelerator.graphs": "graphs= Graph",
    }
)


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


class device_index:
    """Context manager that sets the current device by its index. Entering it raises RuntimeError unless the index is None."""

    prev_idx: Any

    def __init__(self, device: int | None, /) -> None:
        self.idx = device
        self.prev_idx = None

    def __enter__(self) -> None:
        if self.idx is not None:
            _no_accelerator()

    def __exit__(self, *exc: Any) -> None:
        pass


def set_stream(stream: Any) -> None:
    """Set the current stream: raises RuntimeError, or TypeError if the argument is not a stream.

    >>> import minigrad
    >>> minigrad.accelerator.set_stream(minigrad.Stream())
    Traceback (most recent call last):
        ...
    RuntimeError: Cannot access accelerator device when none is available. (minigrad computes on the CPU only)
    """
    from .._devices.streams import Stream

    if not isinstance(stream, Stream):
        raise TypeError(
            "_accelerator_setStream(): incompatible function arguments. The following argument types are supported:\n    1. (stream: Stream)"
        )
    _no_accelerator()


__all__ = [
    *_answers(
        globals(),
        {
            "current_accelerator": lambda check_available=False: None,
            "current_device_index": lambda: _no_accelerator(),
            "current_stream": lambda device=None, /: _no_accelerator(),
            "device_count": lambda: 0,
            "get_device_capability": lambda device=None, /: _no_accelerator(),
            "is_available": lambda: False,
            "set_device_index": lambda device, /: _no_accelerator(),
            "synchronize": lambda device=None, /: _no_accelerator(),
        },
    ),
    *("current_device_idx", "device_index", "set_device_idx", "set_stream"),
    *[name for name, (_, there) in _later.items() if there],
]


current_device_idx, set_device_idx = globals()["current_device_index"], globals()["set_device_index"]
