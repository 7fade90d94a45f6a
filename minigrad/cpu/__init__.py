"""What programs ask of ``torch.cpu``, the module of the one device that there is."""

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
    """Whether there is a CPU: True.

    >>> import minigrad
    >>> minigrad.cpu.is_available()
    True
    """
    return True


def is_initialized() -> bool:
    """Whether the CPU is in use: True.

    >>> import minigrad
    >>> minigrad.cpu.is_initialized()
    True
    """
    return True


def device_count() -> int:
    """The number of CPUs, as devices: 1.

    >>> import minigrad
    >>> minigrad.cpu.device_count()
    1
    """
    return 1


def current_device() -> str:
    """The name of the current device: ``"cpu"``.

    >>> import minigrad
    >>> minigrad.cpu.current_device()
    'cpu'
    """
    return "cpu"


def set_device(device: _device | str | int | None) -> None:
    """Choose the CPU: there is nothing to choose.

    >>> import minigrad
    >>> minigrad.cpu.set_device("cpu")
    """


def synchronize(device: _device | str | int | None = None) -> None:
    """Wait for the operators that were started: each has ended when it returns.

    >>> import minigrad
    >>> minigrad.cpu.synchronize()
    """


class Stream:
    """A queue of work, as programs for any device use one: operators have ended when they return, so nothing waits in it."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Let further work wait for another queue: nothing waits there."""

    def record_event(self) -> None:
        """Mark a moment in the work: None, as nothing is to be waited for."""

    def wait_event(self, event: Any) -> None:
        """Let further work wait for a moment: it has passed."""


class Event:
    """A moment in the work: it has passed."""

    def query(self) -> bool:
        """Whether the moment has passed: True."""
        return True

    def record(self, stream: Any = None) -> None:
        """Make the moment the present one."""

    def synchronize(self) -> None:
        """Wait until the moment has passed: it has."""

    def wait(self, stream: Any = None) -> None:
        """Let further work wait until the moment has passed: it has."""


class StreamContext:
    """A context in which a queue of work is the one that ``current_stream`` gives."""

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
    """The current queue of work.

    >>> import minigrad
    >>> minigrad.cpu.current_stream() is minigrad.cpu.current_stream()
    True
    """
    return _current


def stream(stream: Any) -> Any:
    """A context in which a queue of work is the current one.

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
