"""``LRScheduler``: counts epochs, asks ``get_lr`` for the rates, and writes them to the optimizer's groups."""

import functools
import types
import warnings
import weakref
from collections.abc import Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ..._api import Tensor, _capturing
from .._formula import scalar
from ..optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Call it without "
    "epoch. While epoch is still taken, the rates come from the closed form where there is one, not from the rates before."
)
_MANUAL = "One call of each, in this order, makes an epoch (or a batch)."


def check_optimizer(optimizer):
    """Refuse what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def copied(value):
    """A value that may be kept: tensors are copied."""
    return value.clone() if isinstance(value, Tensor) else value


def per_group(name: str, optimizer: Optimizer, value: Any) -> Any:
    """``value`` for each group, or the values if there are as many as groups; raises ValueError for another number of them."""
    count = len(optimizer.param_groups)
    if isinstance(value, (list, tuple)):
        if len(value) != count:
            raise ValueError(
                f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
                f"param_groups has {count}."
            )
    else:
        value = [value] * count
    return [copied(each) for each in value]


def values_of(optimizer, key):
    """The value of an option in each group."""
    return [copied(group[key]) for group in optimizer.param_groups]


def write(group, key, value):
    """Set an option of a group; one that is a tensor stays the same tensor."""
    if isinstance(group[key], Tensor):
        group[key].fill_(scalar(value))
    else:
        group[key] = value


def repeated(step: Any) -> Any:
    """A method that changes nothing but numbers: each run of a captured step calls it again."""

    @functools.wraps(step)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        capturing = _capturing()
        if capturing is None:
            return step(self, *args, **kwargs)
        return capturing.repeat(step, self, *args, **kwargs)

    return call


class LRScheduler:
    """The base class of learning-rate schedulers. Subclasses define ``get_lr``, which returns the rates at ``last_epoch``.

    It may use the groups' current rates or the initial ones, ``base_lrs``. Call ``step`` after the optimizer's. ``last_epoch`` is where a
    resumed schedule continues; without it the groups' rates are the initial ones. Raises TypeError if ``optimizer`` is not an optimizer,
    KeyError if a resumed one lacks its initial rates.
    """

    base_lrs: list[Any]
    last_epoch: int

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with last_epoch >= "
                    "0.\nA scheduler goes on from an epoch only with an optimizer whose state dict was loaded from a "
                    "checkpoint; a new training run begins with last_epoch=-1."
                )
        self.base_lrs = values_of(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _notice_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        with _set(self, "_is_initial"):
            self.step()

    def state_dict(self) -> dict[str, Any]:
        """Return everything but the optimizer as a dict."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that ``state_dict`` returned, here or in PyTorch; load the optimizer's own state afterwards."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[float | Tensor]:
        """Return the rates that the last step set, one for each group."""
        return self._last_lr

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``last_epoch``; called by ``step``."""
        raise NotImplementedError

    def _warn_outside_of_step(self):
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    @repeated
    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch (or of ``epoch``, which is deprecated)."""
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _check_order(self):
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. "
                "Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. " + _MANUAL,
                UserWarning,
                stacklevel=3,
            )
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. The scheduler would skip the first "
                "value of its schedule: call `optimizer.step()` first. " + _MANUAL,
                UserWarning,
                stacklevel=3,
            )

    def _update_lr(self, epoch=None):
        with _set(self, "_get_lr_called_within_step"):
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            if epoch is not None and hasattr(self, "_get_closed_form_lr"):
                rates = self._get_closed_form_lr()
            else:
                rates = self.get_lr()
        self._write(rates)

    def _write(self, rates):
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            write(group, "lr", rate)
        self._last_lr = values_of(self.optimizer, "lr")


class _LRScheduler(LRScheduler):
    """The old name of ``LRScheduler``."""


@contextmanager
def _set(scheduler, flag):
    """A flag of a scheduler, set for a while."""
    setattr(scheduler, flag, True)
    try:
        yield
    finally:
        setattr(scheduler, flag, False)


# Helpers under PyTorch's names, which schedulers of other libraries import.

_format_param, _param_groups_val_list, _update_param_group_val = per_group, values_of, write


def _enable_get_lr_call(o: LRScheduler) -> AbstractContextManager[None]:
    """A block in which ``get_lr`` does not warn."""
    return _set(o, "_get_lr_called_within_step")


def _initial_mode(o: LRScheduler) -> AbstractContextManager[None]:
    """A block in which ``get_lr`` is asked for the first rates."""
    return _set(o, "_is_initial")


def _warn_get_lr_called_within_step(lr_scheduler: LRScheduler) -> None:
    """Warn where ``get_lr`` is called by others than ``step``."""
    lr_scheduler._warn_outside_of_step()


def _notice_steps(optimizer):
    """Let ``optimizer.step`` note that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function, known = (
        optimizer.step.__func__,
        weakref.ref(optimizer),
    )  # no circle from the optimizer to itself

    @functools.wraps(function)
    def step(*args, **kwargs):
        optimizer = known()
        optimizer._opt_called = True
        return function.__get__(optimizer, type(optimizer))(*args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step


def state_of_function(function):
    """What a state dict holds of a user's function: nothing of a plain one, the attributes of a callable object."""
    return None if isinstance(function, types.FunctionType) else function.__dict__.copy()
