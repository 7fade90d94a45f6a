"""Copies of a module, one for each device."""

from collections.abc import Sequence
from typing import Any

from ..._api import device as _device
from .scatter_gather import check_cpu

__all__ = ["replicate"]


def replicate(network: Any, devices: Sequence[int | str | _device], detach: bool = False) -> list[Any]:
    """Return a copy of a module for each device, each of which is the CPU, by name; RuntimeError is raised for others.

    The copies' parameters are plain tensors that share the memory of the module's; gradients flow back to it, unless they are detached.  Buffers are
    the module's own.

    >>> import minigrad
    >>> layer = minigrad.nn.Linear(1, 1)
    >>> first, second = minigrad.nn.parallel.replicate(layer, ["cpu", "cpu"])
    >>> (first(minigrad.ones(1)) + second(minigrad.ones(1))).backward()
    >>> layer.weight.grad, list(first.parameters())
    (tensor([[2.]]), [])
    """
    for device in devices:
        check_cpu("replicate", device)
    return [_replica(network, detach) for _ in devices]


def _replica(network, detach):
    copies = {}
    for module in network.modules():
        copies[module] = module._replicate_for_data_parallel()
    shared: dict[Any, Any] = {}  # a parameter that two modules have stays one
    for module, copy in copies.items():
        for name, child in module._modules.items():
            copy._modules[name] = None if child is None else copies[child]
        copy._former_parameters = {}
        for name, parameter in module._parameters.items():
            if parameter is None:
                copy._parameters[name] = None
                continue
            if parameter not in shared:
                shared[parameter] = parameter.detach() if detach else parameter.view_as(parameter)
            setattr(copy, name, shared[parameter])
            copy._former_parameters[name] = shared[parameter]
    return copies[network]
