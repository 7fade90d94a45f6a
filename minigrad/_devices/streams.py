"""``Stream`` and ``Event`` for the CPU, where all work has always finished."""

from typing import Any

from .. import _api
from .._base.device import Device as _Device
from .._base.publishing import publish
from .absent import CPU_ONLY, no_accelerator


def _place(value):
    """The device of a stream or an event; raises RuntimeError for one of which there is no library."""
    if isinstance(value, int):
        no_accelerator()
    found = _api.device("cpu" if value is None else value)
    if found.type != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {found.type} devices ({CPU_ONLY})")
    return _api.device("cpu")


def _no_events():
    raise RuntimeError("cpu backend doesn't support events.")


class Stream:
    """The CPU's only stream, whose work has always finished.

    Raises RuntimeError for other devices.

    >>> import minigrad
    >>> minigrad.Stream("cpu").query()
    True
    """

    device: Any

    device_index = -1
    device_type = stream_id = 0

    def __init__(self, device: _Device = None, *, priority: int = 0) -> None:
        self.device = _place(device)

    def query(self) -> bool:
        """Return whether all work has finished: always True."""
        return True

    def synchronize(self) -> None:
        """Do nothing: operators run synchronously."""

    def wait_event(self, event: Any) -> None:
        """Do nothing: all earlier work has finished."""

    def wait_stream(self, stream: Any) -> None:
        """Raise RuntimeError: the CPU does not support events."""
        _no_events()

    def record_event(self, event: Any = None) -> None:
        """Raise RuntimeError: the CPU does not support events."""
        _no_events()

    def is_capturing(self) -> bool:
        """Return whether a graph is being captured: always False."""
        return False

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash(Stream)

    def __repr__(self) -> str:
        return "torch.Stream device_type=cpu, device_index=-1, stream_id=0"


class Event:
    """An event on the CPU, which has always completed.

    Raises RuntimeError for other devices.

    >>> import minigrad
    >>> minigrad.Event("cpu").query()
    True
    """

    device: Any

    event_id = 0

    def __init__(
        self,
        device: _Device = None,
        *,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
    ) -> None:
        self.device = _place(device)
        self._timed = enable_timing

    def record(self, stream: Any = None) -> None:
        """Raise RuntimeError: the CPU does not support events."""
        _no_events()

    def query(self) -> bool:
        """Return whether the event has completed: always True."""
        return True

    def synchronize(self) -> None:
        """Do nothing: the event has completed."""

    def wait(self, stream: Any = None) -> None:
        """Do nothing: the event has completed."""

    def elapsed_time(self, end_event: Any) -> None:
        """Raise ValueError: events cannot be recorded on the CPU."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise ValueError("Both events must be recorded before calculating elapsed time.")

    @classmethod
    def from_ipc_handle(cls, device: _Device, ipc_handle: Any) -> Any:
        """Raise NotImplementedError: CPU events cannot be shared between processes."""
        raise NotImplementedError(
            "torch.Event ipc is not supported yet, please open an issue if you need this!"
        )

    def ipc_handle(self) -> Any:
        """Raise NotImplementedError: CPU events cannot be shared between processes."""
        raise NotImplementedError(
            "torch.Event ipc is not supported yet, please open an issue if you need this!"
        )

    def __repr__(self) -> str:
        return "torch.Event device_type=cpu, device_index=-1, event_flag=0, event_id=0"


publish("minigrad", Stream, Event)
