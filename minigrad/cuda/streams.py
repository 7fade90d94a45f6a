"""Queues of work of CUDA's devices: there are classes, and no objects of them."""

from typing import Any

from .._base.device import Device
from .._devices.absent import CPU_ONLY, CUDA
from .._devices.contexts import DeviceContext, Unmade, unmade

__all__ = unmade(globals(), CUDA, Event="A moment in a device's work that others wait for.")


class _Device(DeviceContext):
    absent = CUDA

    def __init__(self, device: Device) -> None:
        self._choose(device)


class Stream(Unmade):
    """A queue of a device's work."""

    absent = CUDA

    def __new__(cls, device: Device = None, priority: int = 0, **kwargs: Any) -> Any:
        raise RuntimeError(f"torch.cuda.Stream requires CUDA support ({CPU_ONLY})")


class ExternalStream(Stream):
    """A queue of a device's work that another library made."""

    def __new__(cls, stream_ptr: Any, device: Device = None, **kwargs: Any) -> Any:
        with _Device(device):
            return super().__new__(cls)


__all__ += ["ExternalStream", "Stream"]
