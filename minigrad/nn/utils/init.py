"""Modules without the time and the random numbers that their first values take."""

import inspect
from typing import Any

from ..modules.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Create ``module_cls(*args, **kwargs)`` without initialising its parameters and buffers.

    The module is made on ``meta`` and then given memory on the requested ``device``. Raises RuntimeError if the class is not a module's,
    or takes no ``device``.

    >>> import minigrad
    >>> minigrad.nn.utils.skip_init(minigrad.nn.Linear, 3, 2).weight.shape
    torch.Size([2, 3])
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    return module_cls(*args, device="meta", **kwargs).to_empty(device=device)
