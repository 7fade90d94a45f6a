"""Modules applied to inputs, each to its own."""

from collections.abc import Sequence
from typing import Any

from ..._api import device as _device
from ..modules.module import Module
from .scatter_gather import check_cpu

__all__ = ["parallel_apply"]


def parallel_apply(
    modules: Sequence[Module],
    inputs: Sequence[Any],
    kwargs_tup: Sequence[dict[str, Any]] | None = None,
    devices: Sequence[int | str | _device | None] | None = None,
) -> list[Any]:
    """Return the result of each module for its own input, which may be a tuple of arguments, and its own keyword arguments.

    All are on the CPU and run one after the other: operators share its cores among themselves.  Raises AssertionError for sequences of different
    lengths, and RuntimeError for other devices.

    >>> import minigrad
    >>> from minigrad import nn
    >>> nn.parallel.parallel_apply([nn.ReLU(), nn.Tanh()], [minigrad.tensor(-1.), minigrad.tensor(0.)])
    [tensor(0.), tensor(0.)]
    """
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of inputs {len(inputs)}"
        )
    kwargs_tup = ({},) * len(modules) if kwargs_tup is None else kwargs_tup
    if len(kwargs_tup) != len(modules):
        raise AssertionError(
            f"{len(modules)} modules cannot take {len(kwargs_tup)} dicts of keyword arguments"
        )
    if devices is not None and len(devices) != len(modules):
        raise AssertionError(f"{len(modules)} modules cannot be on {len(devices)} devices")
    for device in devices or ():
        if device is not None:
            check_cpu("parallel_apply", device)
    return [
        module(*(given if isinstance(given, (tuple, list)) else (given,)), **kwargs)
        for module, given, kwargs in zip(modules, inputs, kwargs_tup, strict=True)
    ]
