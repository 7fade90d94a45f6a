"""Which accelerators there are, asked as libraries ask ``torch._utils``: none.  Numbers of devices are read from what names them."""

import sys

from .device import device as device_class

_PACKAGE = __name__.partition(".")[0]


def get_available_device_type():
    """The kind of accelerator that there is: None, as there is only the CPU."""
    return None


def get_current_device_index():
    """The number of the accelerator in use: -1, as there is none."""
    return -1


def get_all_device_indices():
    """The numbers of all accelerators: None, as there is none."""
    return None


def get_devices_properties(device_ids):
    """What accelerators say of themselves: None for each number, as there is none."""
    return [None for _ in device_ids]


def get_device_index(device, optional=False, allow_cpu=False):
    """The number of a device, which may be one already; -1 for the CPU if ``allow_cpu``, else ValueError.

    Of a device without a number it is that of the current one, None, if ``optional``; otherwise ValueError.
    """
    if isinstance(device, str):
        device = device_class(device)
    index = device if isinstance(device, int) else None
    if isinstance(device, device_class):
        if device.type == "cpu" and not allow_cpu:
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        index = -1 if device.type == "cpu" else device.index
    if index is None and not optional:
        raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    return index


def get_device_module(device_type):
    """The package's module of a kind of devices, as ``minigrad.cpu``; raises RuntimeError if there is none."""
    module = getattr(sys.modules[_PACKAGE], device_type, None)
    if module is None:
        raise RuntimeError(
            f"Device '{device_type}' does not have a corresponding module registered as 'torch.{device_type}'."
        )
    return module
