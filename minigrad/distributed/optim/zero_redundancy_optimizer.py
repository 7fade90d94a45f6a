"""``ZeroRedundancyOptimizer``: each process keeps the optimizer's state of some of the parameters, and steps these for all."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._api import enable_grad, no_grad
from ..._base.device import device
from ...optim import Optimizer
from .. import _exchanges as exchanges
from .._collectives import launch
from .._groups import ProcessGroup, group_of
from .._objects import gather_object
from .._staging import deliver, source
from ..algorithms import Join, Joinable, JoinHook

__all__ = ["ZeroRedundancyOptimizer"]


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """An optimizer of which each process has a part: the parameters are shared out by size, each steps its own, and sends them to the others.

    ``optimizer_class`` is the class, and ``defaults`` are its options; the gradients are those of ``DistributedDataParallel``.  ``consolidate_state_dict`` brings the
    state together at one process, whose ``state_dict`` is that of an optimizer alone; all load it.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> layer = minigrad.nn.Linear(2, 1)
    >>> steps = distributed.optim.ZeroRedundancyOptimizer(layer.parameters(), optimizer_class=minigrad.optim.Adam, lr=0.1)
    >>> layer(minigrad.ones(1, 2)).sum().backward()
    >>> steps.step()
    >>> distributed.destroy_process_group()
    """

    def __init__(
        self,
        params: Any,
        optimizer_class: type[Optimizer],
        process_group: ProcessGroup | None = None,
        parameters_as_bucket_view: bool = False,
        overlap_with_ddp: bool = False,
        **defaults: Any,
    ) -> None:
        found = group_of(process_group)
        if found is None:
            raise RuntimeError("this process is not in the group of ZeroRedundancyOptimizer")
        if overlap_with_ddp:
            raise RuntimeError(
                "ZeroRedundancyOptimizer steps after backward here: overlap_with_ddp is not supported"
            )
        self.process_group = found
        self.initializing = True
        Optimizer.__init__(self, params, dict(defaults))
        Joinable.__init__(self)
        self.initializing = False
        self._owners = _shared_out([p for g in self.param_groups for p in g["params"]], found._size)
        self._class, self._options = optimizer_class, defaults
        self._gathered: Any = None
        self._build()

    def _build(self):
        """The optimizer of this process's own parameters; it keeps the groups, of which some may be empty."""
        rank = self.process_group._rank
        own = [
            {**g, "params": [p for p in g["params"] if self._owners[id(p)] == rank]}
            for g in self.param_groups
        ]
        self.optim = (
            self._class([g for g in own if g["params"]], **self._options)
            if any(g["params"] for g in own)
            else None
        )
        filled = [g for g, mine in zip(self.param_groups, own) if mine["params"]]
        self._groups = [] if self.optim is None else list(zip(filled, self.optim.param_groups))
        if self.optim is not None:  # with the defaults of the class
            for theirs, mine in self._groups:
                for name, value in mine.items():
                    theirs.setdefault(name, value)

    def step(self, closure: Callable[[], Any] | None = None, **kwargs: Any) -> Any:
        """Let each process step its parameters, and give all the new values; returns what ``closure`` does."""
        work = Join.notify_join_context(self)
        if work is not None:
            work.wait()
        return self._step(closure, **kwargs)

    def _step(self, closure=None, **kwargs):
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        if self.optim is not None:
            for theirs, mine in self._groups:
                for name, value in theirs.items():  # what a schedule has set
                    if name != "params":
                        mine[name] = value
            self.optim.step(**kwargs)
        self._send()
        return loss

    def _send(self):
        """Give all processes the parameters that each has stepped: one message of each owner for each dtype."""
        group = self.process_group
        if group._size == 1:
            return
        parts: dict[Any, list[Any]] = {}
        for each in self.param_groups:
            for p in each["params"]:
                parts.setdefault((self._owners[id(p)], p.dtype), []).append(p)
        works = []
        for (owner, dtype), parameters in parts.items():
            flat = np.concatenate([source(p).reshape(-1) for p in parameters])
            program = exchanges.broadcast(group, flat, owner)
            works.append(
                (
                    launch(
                        "broadcast of parameters",
                        group,
                        program,
                        [],
                        True,
                        (len(parameters), dtype),
                        flat.nbytes,
                    ),
                    owner,
                    parameters,
                    flat,
                )
            )
        for work, owner, parameters, flat in works:
            work.wait()
            if owner != group._rank:
                ends = np.cumsum([p.numel() for p in parameters])[:-1]
                with no_grad():
                    for p, part in zip(parameters, np.split(flat, ends)):
                        deliver(p, part.reshape(tuple(p.shape)))

    @property
    def join_device(self) -> device:
        """The CPU."""
        return device("cpu")

    @property
    def join_process_group(self) -> ProcessGroup:
        """The group of the processes."""
        return self.process_group

    def join_hook(self, **kwargs: Any) -> JoinHook:
        """Return what a process without data does in ``Join``: it steps its parameters, by the gradients that it has, and gets those that the others step.

        As in PyTorch, these are the gradients of its own last iteration, with ``DistributedDataParallel`` too; parameters without gradients stay.
        """
        return _JoinHook(self)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own, on all processes alike."""
        super().add_param_group(param_group)
        if not self.initializing:
            held = self.state_of_own()
            self._owners.update(_shared_out(param_group["params"], self.process_group._size))
            self._build()
            if self.optim is not None:
                self.optim.state.update(held)

    def state_of_own(self) -> dict[Any, Any]:
        """Return the state of the parameters that this process steps."""
        return {} if self.optim is None else dict(self.optim.state)

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Bring the state of all parameters together at process ``to``, where ``state_dict`` may be called then; all processes call this."""
        numbers = {id(p): k for k, p in enumerate(p for g in self.param_groups for p in g["params"])}
        own = {numbers[id(p)]: state for p, state in self.state_of_own().items()}
        group = self.process_group
        is_target = group.ranks[group._rank] == to
        parts: Any = [None] * group._size if is_target else None
        gather_object(own, parts, dst=to, group=group)
        if parts is not None:
            merged = {number: state for part in parts for number, state in part.items()}
            self._gathered = dict(sorted(merged.items()))

    def state_dict(self) -> dict[str, Any]:
        """Return the state of all parameters as of an optimizer alone, after ``consolidate_state_dict``; RuntimeError before it."""
        if self._gathered is None:
            raise RuntimeError(
                "Optimizer state has not been consolidated on this rank. Please call `consolidate_state_dict(to=...)` on all ranks beforehand if you meant to save "
                "the global state."
            )
        groups, first = [], 0
        for each in self.param_groups:
            rest = {name: value for name, value in each.items() if name != "params"}
            groups.append({**rest, "params": list(range(first, first + len(each["params"])))})
            first += len(each["params"])
        return {"state": self._gathered, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take the state of an optimizer alone: each process that of its own parameters."""
        parameters = [p for g in self.param_groups for p in g["params"]]
        for mine, theirs in zip(self.param_groups, state_dict["param_groups"]):
            mine.update({name: value for name, value in theirs.items() if name != "params"})
        self._build()
        if self.optim is not None:
            numbers = [_index(parameters, p) for g in self.optim.param_groups for p in g["params"]]
            state = {k: state_dict["state"][n] for k, n in enumerate(numbers) if n in state_dict["state"]}
            inner = self.optim.state_dict()
            self.optim.load_state_dict({"state": state, "param_groups": inner["param_groups"]})


class _JoinHook(JoinHook):
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def main_hook(self):
        self.optimizer._step()


def _index(parameters, wanted):
    return next(k for k, p in enumerate(parameters) if p is wanted)


def _shared_out(parameters, size):
    """Parameter (its id) -> process: the largest first, each to the process that has the least."""
    loads = [0] * size
    owners = {}
    for p in sorted(parameters, key=lambda p: -p.numel()):
        owners[id(p)] = least = loads.index(min(loads))
        loads[least] += p.numel()
    return owners
