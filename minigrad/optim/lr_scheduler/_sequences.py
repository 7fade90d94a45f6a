"""Schedules made of schedules: one after the other, or all at once."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ..optimizer import Optimizer
from ._plateau import ReduceLROnPlateau
from ._scheduler import LRScheduler, repeated, values_of, write


class _OfSchedulers(LRScheduler):
    """What schedules of schedules share: checks, and a state dict with those of the parts."""

    _schedulers: Any

    def _check(self, schedulers, optimizer):
        name = type(self).__name__
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler, whose `step` asks for a metric, but got one "
                    f"at index {i} in the given schedulers sequence."
                )
            if optimizer != scheduler.optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                    f"{type(scheduler).__name__} at index {i} has {scheduler.optimizer}, which is different from "
                    f"{type(optimizer).__name__}."
                )

    def state_dict(self) -> Any:
        """All but the optimizer, as a dict, with the state dicts of the parts."""
        state = super().state_dict()
        parts = state.pop("_schedulers")
        state["_schedulers"] = [scheduler.state_dict() for scheduler in parts]
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where the scheduler was that returned ``state_dict``, here or in PyTorch."""
        schedulers = self._schedulers
        super().load_state_dict(state_dict)
        self._schedulers = schedulers
        for scheduler, state in zip(schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class SequentialLR(_OfSchedulers):
    """Run several schedulers of one optimizer one after another; ``milestones`` are the epochs at which the next one begins.

    >>> import minigrad
    >>> from minigrad.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> parts = [ConstantLR(optimizer, 0.1, total_iters=2), ExponentialLR(optimizer, 0.5)]
    >>> scheduler = SequentialLR(optimizer, parts, milestones=[2])
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.1]
    [1.0]
    [0.5]
    """

    optimizer: Any
    last_epoch: int

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no scheduler.")
        self._check(schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got {len(schedulers)} schedulers and {len(milestones)} milestones"
            )
        self._schedulers, self._milestones = schedulers, milestones
        self.last_epoch, self.optimizer = last_epoch + 1, optimizer
        # Each scheduler has set the rates of its first epoch: take that back, and let the first one do it again.
        for group in optimizer.param_groups:
            write(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Set the schedulers (or those of ``sched``) back by one epoch."""
        owner = self if sched is None else sched
        if hasattr(owner, "_schedulers"):
            for scheduler in owner._schedulers:
                self.recursive_undo(scheduler)
        elif hasattr(owner, "last_epoch"):
            owner.last_epoch -= 1

    @repeated
    def step(self) -> None:
        """Set the rates of the next epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_OfSchedulers):
    """Run several schedulers of one optimizer together: each changes the rates that the one before has set.

    >>> import minigrad
    >>> from minigrad.optim.lr_scheduler import ChainedScheduler, ConstantLR, ExponentialLR
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = ChainedScheduler([ConstantLR(optimizer, 0.5), ExponentialLR(optimizer, 0.5)])
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        self._check(schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = values_of(optimizer, "lr")

    @repeated
    def step(self) -> None:
        """Let each scheduler set the rates of its next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = values_of(self._schedulers[-1].optimizer, "lr")
