"""Parameters that become their means over the processes of a group."""

from collections.abc import Iterable, Iterator
from typing import Any

from ...._api import cat, no_grad, split
from ...._ops.parameter import Parameter
from ... import all_reduce
from ..._groups import ProcessGroup, group_of

__all__ = ["average_parameters", "average_parameters_or_parameter_groups", "get_params_to_average"]


def average_parameters(params: Iterator[Parameter], process_group: ProcessGroup | None) -> None:
    """Let each parameter be its mean over the group, None for all processes: in one message.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.model_averaging.utils import average_parameters
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> average_parameters(minigrad.nn.Linear(2, 1).parameters(), None)
    >>> distributed.destroy_process_group()
    """
    group = group_of(process_group)
    held = list(params)
    if group is None or not held:
        return
    with no_grad():
        flat = cat([p.detach().reshape(-1) for p in held])
        flat.div_(group.size())
        all_reduce(flat, group=group)
        for p, part in zip(held, split(flat, [p.numel() for p in held])):
            p.copy_(part.view(p.shape))


def get_params_to_average(params: Iterable[Any]) -> list[Parameter]:
    """Those of some parameters, or of the groups of an optimizer, that have gradients; NotImplementedError for anything else.

    >>> import minigrad
    >>> from minigrad.distributed.algorithms.model_averaging.utils import get_params_to_average
    >>> get_params_to_average(minigrad.nn.Linear(2, 1).parameters())
    []
    """
    found: list[Parameter] = []
    for each in params:
        if not isinstance(each, (Parameter, dict)):
            raise NotImplementedError(f"Parameter input of type {type(each)} is not supported")
        found += [p for p in (each["params"] if isinstance(each, dict) else [each]) if p.grad is not None]
    return found


def average_parameters_or_parameter_groups(params: Iterable[Any], process_group: ProcessGroup | None) -> None:
    """``average_parameters`` of those parameters, or of those in the groups of an optimizer, that have gradients.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.model_averaging.utils import average_parameters_or_parameter_groups
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> average_parameters_or_parameter_groups(minigrad.nn.Linear(2, 1).parameters(), None)
    >>> distributed.destroy_process_group()
    """
    average_parameters(iter(get_params_to_average(params)), process_group)
