"""Modules without the time and the random numbers that their first values take."""

import inspect

from ..._api import get_rng_state, set_rng_state
from ..modules.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls, *args, **kwargs):
    """``module_cls(*args, **kwargs)`` with parameters and buffers of any values, drawing no random numbers.

    Raises RuntimeError for what is no module, or takes no ``device``.

    >>> import minigrad
    >>> minigrad.nn.utils.skip_init(minigrad.nn.Linear, 3, 2).weight.shape
    torch.Size([2, 3])
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    state = get_rng_state()
    try:
        return module_cls(*args, **{"device": "cpu", **kwargs})
    finally:
        set_rng_state(state)
