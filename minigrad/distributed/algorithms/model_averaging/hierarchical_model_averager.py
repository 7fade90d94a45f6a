"""Averages of models in groups of several sizes, in the larger ones less often."""

import warnings
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ..._groups import ProcessGroup, new_subgroups
from .averagers import ModelAverager
from .utils import average_parameters_or_parameter_groups

__all__ = ["HierarchicalModelAverager"]


class HierarchicalModelAverager(ModelAverager):
    """Averages the parameters that have gradients, from step ``warmup_steps`` on, every so many steps in groups of so many processes.

    ``period_group_size_dict`` says so, from the shortest period to the longest: ``{4: 8, 16: 16}`` averages in every 4th step over 8 neighbours, in every 16th over 16,
    which have to be all of ``process_group`` (None: of all processes).  Each step averages once at most, by the longest period that divides its number.
    All processes make it.

    Raises ValueError for an empty dict, a period below 1, another last size, and for a negative number of steps.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.model_averaging.hierarchical_model_averager import HierarchicalModelAverager
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> averager = HierarchicalModelAverager({4: 1}, warmup_steps=100)
    >>> averager.average_parameters(minigrad.nn.Linear(2, 1).parameters())
    >>> averager.step
    1
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        period_group_size_dict: dict[int, int] | None = None,
        warmup_steps: int = 0,
        process_group: ProcessGroup | None = None,
    ) -> None:
        super().__init__(process_group)
        if not period_group_size_dict:
            raise ValueError("Arg ``period_group_size_dict`` must not be empty.")
        periods, sizes = [*period_group_size_dict], [*period_group_size_dict.values()]
        if periods[0] <= 0:
            raise ValueError("The minimum period in arg ``period_group_size_dict`` must be a positive value.")
        if periods[-1] == 1:
            warnings.warn(
                "When the maximum period in arg ``period_group_size_dict`` is 1, no need to use model averaging: DistributedDataParallel alone sends as much",
                stacklevel=2,
            )
        whole = self.process_group.size()
        if sizes[-1] != whole:
            raise ValueError(
                f"The last value in arg ``period_group_size_dict`` {sizes[-1]} must be equal to the size of arg ``process_group`` {whole}."
            )
        if warmup_steps < 0:
            raise ValueError("Arg ``warmup_steps`` must be a non-negative number.")
        self.warmup_steps = warmup_steps
        self.period_process_group_dict: OrderedDict[int, ProcessGroup] = OrderedDict()
        for period, size in period_group_size_dict.items():
            self.period_process_group_dict[period] = (
                self.process_group if size == whole else new_subgroups(size, self.process_group)[0]
            )

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Average the parameters, or those of an optimizer's groups, in the group whose turn it is, if any; count the step."""
        due = [p for p in self.period_process_group_dict if self.step % p == 0]
        if due and self.step >= self.warmup_steps:
            average_parameters_or_parameter_groups(params, self.period_process_group_dict[due[-1]])
        self.step += 1
