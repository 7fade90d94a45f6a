"""The API of ``torch.cpu``, the only device of minigrad."""

from typing import TYPE_CHECKING, Any

from .._base import lazy as _lazy
from .._base.device import device as _device

if TYPE_CHECKING:
    from . import amp as amp
    from .capabilities import get_capabilities as get_capabilities


__all__ = [
    "Event",
    "Stream",
    "StreamContext",
    "current_device",
    "current_stream",
    "device_count",
    "get_capabilities",
    "is_available",
    "is_initialized",
    "set_device",
    "stream",
    "synchronize",
]

_later = {"amp": ("cpu.amp", ""), "get_capabilities": ("cpu.capabilities", "get_capabilities")}


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


def is_available() -> bool:
    """Return whether the CPU is available: always True.

    >>> import minigrad
    >>> minigrad.cpu.is_available()
    True
    """
    return True


def is_initialized() -> bool:
    """Return whether the CPU is initialized: always True.

    >>> import minigrad
    >>> minigrad.cpu.is_initialized()
    True
    """
    return True


def device_count() -> int:
    """Return the number of CPU devices: 1.

    >>> import minigrad
    >>> minigrad.cpu.device_count()
    1
    """
    return 1


def current_device() -> str:
    """Return the name of the current device: ``"cpu"``.

    >>> import minigrad
    >>> minigrad.cpu.current_device()
    'cpu'
    """
    return "cpu"


def set_device(device: _device | str | int | None) -> None:
    """Do nothing: the CPU is the only device.

    >>> import minigrad
    >>> minigrad.cpu.set_device("cpu")
    """


def synchronize(device: _device | str | int | None = None) -> None:
    """Do nothing: operators run synchronously.

    >>> import minigrad
    >>> minigrad.cpu.synchronize()
    """


class Stream:
    """A stream on the CPU. Operators run synchronously, so it never has pending work."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Do nothing: the other stream has no pending work."""

    def record_event(self) -> None:
        """Return None: there is no pending work."""

    def wait_event(self, event: Any) -> None:
        """Do nothing: the event has completed."""


class Event:
    """An event on the CPU, which has always completed."""

    def query(self) -> bool:
        """Return whether the event has completed: always True."""
        return True

    def record(self, stream: Any = None) -> None:
        """Record the event."""

    def synchronize(self) -> None:
        """Do nothing: the event has completed."""

    def wait(self, stream: Any = None) -> None:
        """Do nothing: the event has completed."""


class StreamContext:
    """Context manager that sets the stream that ``current_stream`` returns."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        global _current
        if self.stream is not None:
            self._before, _current = _current, self.stream

    def __exit__(self, *exc: Any) -> Any:
        global _current
        if self.stream is not None:
            _current = self._before


_current = Stream()


def current_stream(device: _device | str | int | None = None) -> Any:
    """Return the current stream.

    >>> import minigrad
    >>> minigrad.cpu.current_stream() is minigrad.cpu.current_stream()
    True
    """
    return _current


def stream(stream: Any) -> Any:
    """Context manager that sets the current stream.

    >>> import minigrad
    >>> queue = minigrad.cpu.Stream()
    >>> with minigrad.cpu.stream(queue):
    ...     minigrad.cpu.current_stream() is queue
    True
    """
    return StreamContext(stream)


def _capable(name):
    return __getattr__("get_capabilities")().get(name, False)


def _is_avx2_supported():
    return _capable("avx2")


def _is_avx512_supported():
    return _capable("avx512_f")


def _is_avx512_bf16_supported():
    return _capable("avx512_bf16")


def _is_vnni_supported():
    return _capable("avx512_vnni")


def _is_amx_tile_supported():
    return _capable("amx_tile")


def _is_amx_fp16_supported():
    return _capable("amx_fp16")


def _init_amx():
    return False
