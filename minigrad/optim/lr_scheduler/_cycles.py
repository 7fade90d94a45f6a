"""Schedules that raise rates and lower them again, with momenta the other way round."""

import math
from collections.abc import Callable
from typing import Any, Literal

from ..._api import Tensor
from ..optimizer import Optimizer
from ._scheduler import LRScheduler, check_optimizer, per_group, state_of_function, write


class _WithMomentum(LRScheduler):
    """What cyclical schedules share: they set momentum, or the first of the betas, together with the rate."""

    cycle_momentum: Any
    use_beta1: bool

    def _begin_momenta(self, cycle_momentum, base_momentum, max_momentum, last_epoch):
        """Take the momenta's bounds; returns them for each group, least first.  Raises ValueError for an optimizer without momentum."""
        self.cycle_momentum = cycle_momentum
        if not cycle_momentum:
            return None
        optimizer = self.optimizer
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in optimizer.defaults
        greatest = per_group("max_momentum", optimizer, max_momentum)
        least = per_group("base_momentum", optimizer, base_momentum)
        if last_epoch == -1:
            for group, low, high in zip(optimizer.param_groups, least, greatest):
                self._set_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return least, greatest

    def _set_momentum(self, group, momentum):
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class CyclicLR(_WithMomentum):
    """Raise the learning rate from ``base_lr`` to ``max_lr`` in ``step_size_up`` steps and lower it again, over and over; momentum moves the
    other way.

    ``mode`` says whether the peaks stay equal ("triangular"), halve from cycle to cycle ("triangular2"), or shrink by ``gamma`` each step
    ("exp_range"); ``scale_fn`` gives the height for each cycle, or for each step if ``scale_mode`` is "iterations". [Smith 2017, Cyclical
    Learning Rates for Training Neural Networks]

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0, momentum=0.9)
    >>> scheduler = minigrad.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.5, max_lr=1.0, step_size_up=2)
    >>> for _ in range(4):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.75]
    [1.0]
    [0.75]
    [0.5]
    """

    max_lrs: Any
    total_size: float
    step_ratio: float
    base_momentums: Any
    max_momentums: Any

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for rate, group in zip(base_lrs, optimizer.param_groups):
                write(group, "lr", rate)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        momenta = self._begin_momenta(cycle_momentum, base_momentum, max_momentum, last_epoch)
        if momenta:
            self.base_momentums, self.max_momentums = momenta
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: Any) -> float:
        """Return the height of cycle (or step) ``x``, relative to the first."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return (
            {"triangular": 1.0, "triangular2": 2.0 ** (1 - x)}[self.mode]
            if self.mode != "exp_range"
            else self.gamma**x
        )

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``, and set the momenta; called by ``step``."""
        self._warn_outside_of_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle  # the part of the cycle that is over
        up = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
            for group, low, high in bounds:
                self._set_momentum(group, high - (high - low) * up * scale)
        return [low + (high - low) * up * scale for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """Return everything but the optimizer and a plain ``scale_fn`` as a dict; a callable object is stored by its attributes."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        state["_scale_fn_custom"] = None if function is None else state_of_function(function)
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the state that ``state_dict`` returned; a plain ``scale_fn`` is kept."""
        function = self._scale_fn_custom
        super().load_state_dict(state_dict)
        self._scale_fn_custom = function
        if state_dict["_scale_fn_custom"] is not None:
            function.__dict__.update(state_dict["_scale_fn_custom"])


def _cosine(start, end, part):
    return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _line(start, end, part):
    return (end - start) * part + start


class OneCycleLR(_WithMomentum):
    """Raise the learning rate from ``max_lr / div_factor`` to ``max_lr`` in the first ``pct_start`` of the steps, then lower it far below
    its start.

    It ends at ``1 / final_div_factor`` of the initial rate; momentum moves the other way. ``total_steps`` (or
    ``epochs * steps_per_epoch``) is the number of steps; ``anneal_strategy`` is "cos" or "linear"; ``three_phase`` comes down to the
    initial rate as fast as it went up. [Smith & Topin 2018, Super-Convergence]

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0, momentum=0.9)
    >>> scheduler = minigrad.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10, div_factor=4)
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [1.0]
    """

    total_steps: int

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is not None:
            _check_count("total_steps", total_steps)
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            _check_count("epochs", epochs)
            _check_count("steps_per_epoch", steps_per_epoch)
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        up, last = float(pct_start * self.total_steps), self.total_steps - 1
        if three_phase:
            self._schedule_phases = [
                _phase(up - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                _phase(2 * up - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                _phase(last, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
            ]
        else:
            self._schedule_phases = [
                _phase(up - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                _phase(last, "max_lr", "min_lr", "base_momentum", "max_momentum"),
            ]
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        greatest = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, greatest):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self._begin_momenta(cycle_momentum, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``, and set the momenta; called by ``step``. Raises ValueError after the last step."""
        self._warn_outside_of_step()
        now = self.last_epoch
        if now > self.total_steps:
            raise ValueError(
                f"Tried to step {now} times. The specified number of total steps is {self.total_steps}"
            )
        start = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if now <= end or phase is self._schedule_phases[-1]:
                break
            start = end
        part = (now - start) / (end - start)
        anneal = {"cos": _cosine, "linear": _line}[self._anneal_func_type]
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(anneal(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                start_momentum, end_momentum = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, anneal(start_momentum, end_momentum, part))
        return rates


def _phase(end, start_lr, end_lr, start_momentum, end_momentum):
    return {
        "end_step": end,
        "start_lr": start_lr,
        "end_lr": end_lr,
        "start_momentum": start_momentum,
        "end_momentum": end_momentum,
    }


def _check_count(name, value):
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")
