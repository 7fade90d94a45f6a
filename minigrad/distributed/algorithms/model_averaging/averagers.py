"""Averages of models now and then."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from ..._groups import ProcessGroup, default_group
from .utils import average_parameters_or_parameter_groups

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(ABC):
    """Averages models over a group, None for all processes; ``step`` counts the calls.

    >>> from minigrad.distributed.algorithms.model_averaging.averagers import ModelAverager, PeriodicModelAverager
    >>> issubclass(PeriodicModelAverager, ModelAverager)
    True
    """

    def __init__(self, process_group: ProcessGroup | None = None) -> None:
        self.process_group = default_group() if process_group is None else process_group
        self.step = 0

    @abstractmethod
    def average_parameters(self, params: Iterable[Any]) -> None:
        """Called after each step of an optimizer, with its parameters or its groups of parameters."""


class PeriodicModelAverager(ModelAverager):
    """Averages the parameters that have gradients in every ``period``-th step from ``warmup_steps`` on.

    Raises ValueError for a period below 1, and for a negative number of steps.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> averager = PeriodicModelAverager(period=4, warmup_steps=100)
    >>> averager.average_parameters(minigrad.nn.Linear(2, 1).parameters())
    >>> averager.step
    1
    >>> distributed.destroy_process_group()
    """

    def __init__(self, period: int, warmup_steps: int = 0, process_group: ProcessGroup | None = None) -> None:
        super().__init__(process_group)
        if warmup_steps < 0:
            raise ValueError("Arg ``warmup_steps`` must be a non-negative number.")
        if period < 1:
            raise ValueError("Arg ``period`` must be a positive value.")
        if period == 1:
            warnings.warn(
                "When period is 1, no need to use model averaging because the communication cost of all-reducing parameters will be no less than the cost of "
                "all-reducing gradients by DistributedDataParallel in the backward pass. Therefore, only DistributedDataParallel should be used for this case.",
                stacklevel=2,
            )
        self.period, self.warmup_steps = period, warmup_steps

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average the parameters, or those of an optimizer's groups, if it is the turn; count the step."""
        since = self.step - self.warmup_steps
        if since >= 0 and since % self.period == 0:
            average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
