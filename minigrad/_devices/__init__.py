"""The modules of devices (``cuda``, ``mps``, ``xpu``, ``mtia``, ``accelerator``): what they are made of, and which one answers for a type of device.

There are no such devices; programs ask the modules to find that out.  What a module says is a table, name -> function (``alike.py`` has what several
modules say), which ``answers.py`` makes public functions of; ``absent.py`` has the words of refusals, ``contexts.py`` the classes.
"""

from typing import Any

from .. import _api
from .._base import lazy
from .._base.device import device as _device

_MODULES = ("cpu", "cuda", "mps", "mtia", "xpu")


def get_device_module(device: _device | str | None = None) -> Any:
    """Return the module of a device, given as a string or a ``device``, by default the CPU: ``cpu``, ``cuda``, ``mps``, ``mtia`` or ``xpu``.

    Raises RuntimeError for anything else.

    >>> import minigrad
    >>> minigrad.get_device_module("cpu").device_count()
    1
    """
    if device is None:
        return lazy.load("cpu")
    if not isinstance(device, (str, _api.device)):
        raise RuntimeError(f"Invalid value of device '{device}', expect torch.device, str, or None")
    kind = _api.device(device).type
    if kind not in _MODULES:
        raise RuntimeError(
            f"Device '{kind}' does not have a corresponding module registered as 'torch.{kind}'."
        )
    return lazy.load(kind)


def is_vulkan_available() -> bool:
    """Return whether Vulkan is available: False.

    >>> import minigrad
    >>> minigrad.is_vulkan_available()
    False
    """
    return False
