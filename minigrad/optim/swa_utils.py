"""Averages of a model's parameters over training, and the learning rates for them.

[Izmailov et al. 2018, Averaging Weights Leads to Wider Optima and Better Generalization; Polyak & Juditsky 1992]
"""

import math
import warnings
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any, Literal

from .._api import Tensor, is_complex, is_floating_point, no_grad, tensor
from .._api import device as _device
from ..nn import Module
from ..nn.modules.batchnorm import _BatchNorm
from ._formula import number
from .lr_scheduler import LRScheduler
from .lr_scheduler._scheduler import per_group
from .optimizer import Optimizer

__all__ = [
    "AveragedModel",
    "update_bn",
    "SWALR",
    "get_ema_multi_avg_fn",
    "get_swa_multi_avg_fn",
    "get_ema_avg_fn",
    "get_swa_avg_fn",
]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _continuous(t):
    return is_floating_point(t) or is_complex(t)


def get_ema_avg_fn(decay: float = 0.999) -> Any:
    """Return a function ``f(average, p, count)`` for the exponential moving average ``decay * average + (1 - decay) * p``.

    >>> import minigrad
    >>> mean = minigrad.optim.swa_utils.get_ema_avg_fn(0.75)
    >>> mean(minigrad.tensor(1.0), minigrad.tensor(2.0), 5)
    tensor(1.2500)
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Any:
    """Return a function like that of ``get_ema_avg_fn`` that updates lists of tensors in place.

    >>> import minigrad
    >>> average = [minigrad.ones(1)]
    >>> minigrad.optim.swa_utils.get_ema_multi_avg_fn(0.75)(average, [minigrad.tensor([2.0])], 5)
    >>> average
    [tensor([1.2500])]
    """
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for average, p in zip(ema_param_list, current_param_list, strict=True):
            if _continuous(average):
                average.lerp_(p, 1 - decay)
            else:
                average.copy_(average * decay + p * (1 - decay))

    return ema_update


def get_swa_avg_fn() -> Any:
    """Return a function ``f(average, p, count)`` for the mean of ``count + 1`` values, of which p is the last and ``average`` the mean of
    the others.

    >>> import minigrad
    >>> mean = minigrad.optim.swa_utils.get_swa_avg_fn()
    >>> mean(minigrad.tensor(1.0), minigrad.tensor(5.0), 3)
    tensor(2.)
    """

    @no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_swa_multi_avg_fn() -> Any:
    """Return a function like that of ``get_swa_avg_fn`` that updates lists of tensors in place.

    >>> import minigrad
    >>> average = [minigrad.ones(1)]
    >>> minigrad.optim.swa_utils.get_swa_multi_avg_fn()(average, [minigrad.tensor([5.0])], 3)
    >>> average
    [tensor([2.])]
    """

    @no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        part = 1 / (number(num_averaged) + 1)
        for average, p in zip(averaged_param_list, current_param_list, strict=True):
            if _continuous(average):
                average.lerp_(p, part)
            else:
                average.copy_(average + (p - average) * part)

    return swa_update


class AveragedModel(Module):
    """A copy of ``model`` whose parameters are averages of its parameters over the calls of ``update_parameters``.

    ``avg_fn(average, p, count)`` returns the new average, ``multi_avg_fn(averages, ps, count)`` writes it for lists of one dtype; by
    default all calls count equally. ``use_buffers`` averages buffers too, which are copied otherwise.

    >>> import minigrad
    >>> from minigrad import nn
    >>> model = nn.Linear(1, 1, bias=False)
    >>> average = minigrad.optim.swa_utils.AveragedModel(model)
    >>> for value in (1.0, 3.0):
    ...     _ = nn.init.constant_(model.weight, value)
    ...     average.update_parameters(model)
    >>> average.module.weight.item()
    2.0
    """

    module: Any

    def __init__(
        self,
        model: Module,
        device: int | _device | None = None,
        avg_fn: Callable[[Tensor, Tensor, Tensor | int], Tensor] | None = None,
        multi_avg_fn: Any = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the output of the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Include the current parameters of ``model`` in the average."""
        averages = [t.detach() for t in self._averaged(self.module)]
        values = [t.detach() for t in self._averaged(model)]
        if self.n_averaged == 0:
            for average, value in zip(averages, values):
                average.copy_(value)
        elif self.multi_avg_fn is not None:
            lists = {}
            for average, value in zip(averages, values):
                kind = lists.setdefault(average.dtype, ([], []))
                kind[0].append(average)
                kind[1].append(value)
            for several in lists.values():
                self.multi_avg_fn(*several, self.n_averaged)
        else:
            mean = self.avg_fn or get_swa_avg_fn()
            for average, value in zip(averages, values):
                average.copy_(mean(average, value, self.n_averaged))
        if not self.use_buffers:
            for own, other in zip(self.module.buffers(), model.buffers()):
                own.detach().copy_(other.detach())
        self.n_averaged += 1

    def _averaged(self, model):
        return chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: int | _device | None = None) -> None:
    """Set the running statistics of all batch normalisations in ``model`` to those of the data: batches, or tuples that begin with one.

    >>> import minigrad
    >>> minigrad.optim.swa_utils.update_bn([minigrad.ones(2, 3)], minigrad.nn.Linear(3, 1))
    """
    momenta = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None  # the plain mean over all batches
    for batch in loader:
        if isinstance(batch, (list, tuple)):
            batch = batch[0]
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Move the rates from their present values to ``swa_lr`` in ``anneal_epochs`` epochs, along a cosine or a line, and keep them there.

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.swa_utils.SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.75]
    [0.5]
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float,
        anneal_epochs: int = 10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch: int = -1,
    ) -> None:
        for group, rate in zip(optimizer.param_groups, per_group("swa_lr", optimizer, swa_lr)):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: Any) -> Any:
        """Return the fraction of the way covered after the fraction ``t`` of the epochs."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> Any:
        """Return the rates of this step, computed from those of the one before; called by ``step``."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=2,
            )
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = (
            self.anneal_func(max(0, min(1, each / max(1, self.anneal_epochs)))) for each in (step - 1, step)
        )
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            start = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * now + start * (1 - now))
        return rates
