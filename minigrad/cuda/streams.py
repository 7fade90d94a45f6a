"""CUDA streams and events: the classes exist, but cannot be instantiated."""

from typing import Any

from .._base.device import Device
from .._devices.absent import CPU_ONLY, CUDA
from .._devices.contexts import DeviceContext, Unmade, unmade

__all__ = unmade(globals(), CUDA, Event="An event on a stream. It cannot be created without a device.")


class _Device(DeviceContext):
    absent = CUDA

    def __init__(self, device: Device) -> None:
        self._choose(device)


class Stream(Unmade):
    """A stream of a device. It cannot be created without a device."""

    absent = CUDA

    def __new__(cls, device: Device = None, priority: int = 0, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.cuda.Stream requires CUDA support ({CPU_ONLY})")


class ExternalStream(Stream):
    """A stream created by another library. It cannot be created without a device."""

    def __new__(cls, stream_ptr: Any, device: Device = None, **kwargs: Any) -> Any:
        with _Device(device):
            return super().__new__(cls)


__all__ += ["ExternalStream", "Stream"]
