"""Schedules that multiply each rate by a factor at each epoch."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ..._api import Tensor
from ..optimizer import Optimizer
from ._scheduler import LRScheduler, state_of_function, values_of


class _ByFunctions(LRScheduler):
    """What schedules by a user's functions share: one for each group, which the state dict holds only in so far as they are objects."""

    lr_lambdas: list[Any]

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, (list, tuple)):
            lr_lambda = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self):
        """Refuse what cannot be called."""

    def state_dict(self) -> Any:
        """All but the optimizer and plain functions, as a dict; of callable objects it holds the attributes."""
        state = super().state_dict()
        functions = state.pop("lr_lambdas")
        state["lr_lambdas"] = [state_of_function(function) for function in functions]
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where the scheduler was that returned ``state_dict``; plain functions stay."""
        functions = self.lr_lambdas
        super().load_state_dict(state_dict)
        self.lr_lambdas = functions
        for function, state in zip(functions, state_dict["lr_lambdas"]):
            if state is not None:
                function.__dict__.update(state)


class LambdaLR(_ByFunctions):
    """Multiply the initial rate by ``lr_lambda(t)`` at epoch t; a list has one function for each group.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 1 / (1 + t))
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``; called by ``step``."""
        self._warn_outside_of_step()
        return [base * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_ByFunctions):
    """Multiply the previous rate by ``lr_lambda(t)`` at epoch t; a list has one function for each group.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda t: 0.5)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.125]
    """

    def _check_functions(self):
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``; called by ``step``."""
        self._warn_outside_of_step()
        if self._is_initial:
            return values_of(self.optimizer, "lr")
        groups = self.optimizer.param_groups
        return [group["lr"] * function(self.last_epoch) for function, group in zip(self.lr_lambdas, groups)]


class _ByFactor(LRScheduler):
    """A schedule of which subclasses say ``_factor``, from one epoch to the next (None: unchanged), and ``_closed``, from the first epoch on."""

    _factor: Any

    def get_lr(self) -> Any:
        """The rates at ``last_epoch``, from the current ones: for ``step`` to call."""
        self._warn_outside_of_step()
        factor = self._factor()
        if factor is None:
            return values_of(self.optimizer, "lr")
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        factor = self._closed()
        return [base * factor for base in self.base_lrs]


class StepLR(_ByFactor):
    """Multiply the rate by ``gamma`` every ``step_size`` epochs.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    >>> for _ in range(5):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        return self.gamma if self.last_epoch and self.last_epoch % self.step_size == 0 else None

    def _closed(self):
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(_ByFactor):
    """Multiply the rate by ``gamma`` at each epoch in ``milestones``.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.MultiStepLR(optimizer, [1, 3], gamma=0.5)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    milestones: Any

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        times = self.milestones.get(self.last_epoch)
        return None if times is None else self.gamma**times

    def _closed(self):
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ConstantLR(_ByFactor):
    """Multiply the rate by ``factor`` until epoch ``total_iters``.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=1)
    >>> optimizer.step()
    >>> scheduler.get_last_lr()
    [0.5]
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [1.0]
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else None

    def _closed(self):
        return self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)


class LinearLR(_ByFactor):
    """Multiply the rate by a factor that changes linearly from ``start_factor`` to ``end_factor`` over ``total_iters`` epochs.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.LinearLR(optimizer, 0.5, total_iters=2)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor <= 0 or start_factor > 1:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."
            )
        if end_factor < 0 or end_factor > 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        rise = self.end_factor - self.start_factor
        return 1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)

    def _closed(self):
        done = min(self.total_iters, self.last_epoch)
        return self.start_factor + (self.end_factor - self.start_factor) * done / self.total_iters


class ExponentialLR(_ByFactor):
    """Multiply the rate by ``gamma`` at each epoch.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        return None if self._is_initial else self.gamma

    def _closed(self):
        return self.gamma**self.last_epoch


class PolynomialLR(_ByFactor):
    """Multiply the rate by ``(1 - t / total_iters) ** power`` at epoch t, until ``total_iters``.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.75]
    """

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _factor(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return None
        now, before = (1.0 - t / self.total_iters for t in (self.last_epoch, self.last_epoch - 1))
        return (now / before) ** self.power

    def _closed(self):
        return (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power


class CosineAnnealingLR(LRScheduler):
    """Lower the rate along a cosine: ``eta_min + (initial - eta_min) * (1 + cos(pi * t / T_max)) / 2`` at epoch t.

    Each rate is computed from the one before, so that schedulers can be chained. [Loshchilov & Hutter 2017, SGDR, without restarts]

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``, computed from the current ones; called by ``step``."""
        self._warn_outside_of_step()
        t, least = self.last_epoch, self.eta_min
        if self._is_initial:
            return values_of(self.optimizer, "lr")
        if self._step_count == 1 and t > 0:
            return self._get_closed_form_lr()
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if (t - 1 - self.T_max) % (
            2 * self.T_max
        ) == 0:  # from the minimum, where there is nothing to multiply
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [rate + (base - least) * rise for base, rate in zip(self.base_lrs, rates)]
        now, before = (1 + math.cos(math.pi * each / self.T_max) for each in (t, t - 1))
        return [now / before * (rate - least) + least for rate in rates]

    def _get_closed_form_lr(self):
        part = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]
