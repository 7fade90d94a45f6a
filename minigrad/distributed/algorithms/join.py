"""``Join``: processes that have less data than others take part in their collectives until all are through."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from ..._api import Tensor, ones, zeros
from ..._base.device import device
from .._collectives import all_reduce
from .._groups import ProcessGroup, get_rank

__all__ = ["Join", "JoinHook", "Joinable"]

#: So many iterations more than another process is worth a warning.
_MANY = 1000


class JoinHook:
    """What a process that has no data left does in the place of an iteration, and what all do at the end.

    >>> from minigrad.distributed.algorithms import JoinHook
    >>> class Counting(JoinHook):
    ...     def main_hook(self):
    ...         print("another process goes on")
    >>> Counting().main_hook()
    another process goes on
    """

    def main_hook(self) -> None:
        """Called as long as another process has data: it calls the collectives that an iteration calls."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Called on all processes when none has data any more; ``is_last_joiner``: whether this one was among the last."""


class _JoinConfig(NamedTuple):
    """What a Joinable knows of the Join in which it is."""

    enable: bool = False
    throw_on_early_termination: bool = False
    is_first_joinable: bool = False


class Joinable(ABC):
    """What can be given to ``Join``: its collectives in an iteration begin with ``Join.notify_join_context(self)``, and ``join_hook`` makes the hook that matches them.

    >>> import minigrad
    >>> from minigrad.distributed.algorithms import Joinable
    >>> issubclass(minigrad.nn.parallel.DistributedDataParallel, Joinable)
    True
    """

    @abstractmethod
    def __init__(self) -> None:
        super().__init__()
        self._join_config = _JoinConfig()

    @abstractmethod
    def join_hook(self, **kwargs: Any) -> JoinHook:
        """Return a hook, by the arguments of ``Join`` that it does not know itself."""

    @property
    @abstractmethod
    def join_device(self) -> device:
        """The device of the tensors by which processes tell each other whether they have data."""

    @property
    @abstractmethod
    def join_process_group(self) -> ProcessGroup:
        """The group of the processes."""


class Join:
    """A block in which processes may do unequally many iterations: those that are through call the hooks of ``joinables`` until all are.

    With ``throw_on_early_termination`` all raise RuntimeError when the first one is through; without ``enable`` the block does nothing.
    Raises ValueError without joinables, or if their groups differ.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms import Join
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
    >>> with Join([model]):
    ...     model(minigrad.ones(1, 2)).sum().backward()
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        joinables: list[Joinable],
        enable: bool = True,
        throw_on_early_termination: bool = False,
        **kwargs: Any,
    ) -> None:
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables = joinables
        self._hooks = [joinable.join_hook(**kwargs) for joinable in joinables]
        self._enable, self._throws = enable, throw_on_early_termination
        self._group = joinables[0].join_process_group
        if any(joinable.join_process_group is not self._group for joinable in joinables):
            raise ValueError("Using join context manager with multiple process groups")
        for number, joinable in enumerate(joinables):
            joinable._join_config = _JoinConfig(enable, throw_on_early_termination, number == 0)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        try:
            if self._enable and kind is None:
                self._go_along()
        finally:
            for joinable in self._joinables:
                joinable._join_config = _JoinConfig()

    def _go_along(self):
        rounds = 0
        while self._count(zeros(1)):
            if self._throws:
                all_reduce(ones(1), group=self._group)
                raise RuntimeError(f"Rank {get_rank(self._group)} exhausted all inputs.")
            if rounds == _MANY:
                warnings.warn(
                    f"Detected uneven input skew of greater than {_MANY}. This means that rank {get_rank(self._group)} has at least {_MANY} "
                    "fewer inputs than other currently-active ranks. This level of skew could lead to performance degradation during training.",
                    stacklevel=3,
                )
            rounds += 1
            for hook in self._hooks:
                hook.main_hook()
        for hook in self._hooks:
            hook.post_hook(rounds == 0)

    def _count(self, own: Tensor):
        """How many processes have data."""
        all_reduce(own, group=self._group)
        return int(own.item())

    @staticmethod
    def notify_join_context(joinable: Joinable) -> Any:
        """Tell the others that this process has data: a Work whose result is the number of those that have, of the first joinable; None of the others.

        With ``throw_on_early_termination``, raises RuntimeError if another one has none.
        """
        if not hasattr(joinable, "_join_config"):
            raise AssertionError(
                f"Check that the {type(joinable)} constructor calls the ``Joinable`` constructor"
            )
        config, group = joinable._join_config, joinable.join_process_group
        if not config.enable or not config.is_first_joinable:
            return None
        work = all_reduce(ones(1), group=group, async_op=True)
        if config.throw_on_early_termination:
            through = zeros(1)
            all_reduce(through, group=group)
            if through.item():
                raise RuntimeError(
                    "Detected at least one rank that exhausted inputs. Throwing across all ranks."
                )
        return work
