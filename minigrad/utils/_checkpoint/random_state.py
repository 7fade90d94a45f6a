"""The random state with which a checkpoint's function runs again, and PyTorch's functions for that of other devices: there are none."""

import contextlib
from typing import Any

from ..._api import set_rng_state
from ...random import fork_rng


class DefaultDeviceType:
    """The device type whose random generators are preserved if no tensor implies another: ``cpu``."""

    _default_device_type: Any = None

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Set the device type."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> Any:
        """Return the device type.

        >>> from minigrad.utils.checkpoint import DefaultDeviceType
        >>> DefaultDeviceType.get_device_type()
        'cpu'
        """
        if not DefaultDeviceType._default_device_type:
            DefaultDeviceType._default_device_type = "cpu"
        return DefaultDeviceType._default_device_type


def get_device_states(*args: Any) -> Any:
    """Return the indices of the devices other than the CPU that hold the tensors in ``args``, and their generators' states: two empty lists.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.get_device_states(minigrad.ones(2))
    ([], [])
    """
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: Any = None) -> None:
    """Restore the generators' states of devices other than the CPU; raise RuntimeError if there are any.

    >>> import minigrad
    >>> minigrad.utils.checkpoint.set_device_states([], [])
    """
    kind = DefaultDeviceType.get_device_type() if device_type is None else device_type
    if kind != "meta" and list(zip(devices, states)):
        raise RuntimeError(
            f"no device of type '{kind}' has a random generator: minigrad computes on the CPU, whose state is torch.get_rng_state()"
        )


@contextlib.contextmanager
def random_numbers_from(state):
    """Inside, random numbers go on from ``state``, and afterwards as if nothing had been; None changes nothing."""
    if state is None:
        yield
        return
    with fork_rng(devices=[]):
        set_rng_state(state)
        yield
