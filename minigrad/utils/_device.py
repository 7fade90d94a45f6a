"""The device of new tensors for a block or a function: ``torch.utils._device``, which libraries reach for."""

import functools

from .. import _api

__all__ = ["DeviceContext", "set_device"]

CURRENT_DEVICE = None  # as in PyTorch while nobody sets a default device


class DeviceContext:
    """A context in which new tensors are made on a device, which is the CPU: any other raises."""

    def __init__(self, device):
        self.device = _api.device(device)

    def __enter__(self):
        self.device.__enter__()
        return self

    def __exit__(self, *exc):
        self.device.__exit__(*exc)


def set_device(device):
    """A decorator of functions that make their tensors on a device."""

    def decorate(function):
        @functools.wraps(function)
        def on_device(*args, **kwargs):
            with DeviceContext(device):
                return function(*args, **kwargs)

        return on_device

    return decorate


def device_decorator(device, func):
    """``func``, which makes its tensors on a device."""
    return set_device(device)(func)
