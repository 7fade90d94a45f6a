"""Which module answers for a type of device: ``cpu`` and ``cuda``."""

from . import _api, cpu, cuda

_MODULES = {"cpu": cpu, "cuda": cuda}


def get_device_module(device=None):
    """The module of a device, given as a string or a ``device``, by default the CPU: ``cpu`` or ``cuda``.

    Raises RuntimeError for anything else.

    >>> import minigrad
    >>> minigrad.get_device_module("cpu").device_count()
    1
    """
    if device is None:
        return cpu
    if not isinstance(device, (str, _api.device)):
        raise RuntimeError(f"Invalid value of device '{device}', expect torch.device, str, or None")
    kind = _api.device(device).type
    if kind not in _MODULES:
        raise RuntimeError(
            f"Device '{kind}' does not have a corresponding module registered as 'torch.{kind}'."
        )
    return _MODULES[kind]
