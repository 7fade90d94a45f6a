"""``swap_in_optimizer_params_and_state``: an optimizer on other parameters for a while."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._api import Tensor
from .optimizer import Optimizer

_CALL = "swap_in_optimizer_params_and_state"


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer, swapin_parameters: dict[str, Tensor], swapin_optim_state: dict[str, Any]
) -> Iterator[Any]:
    """Inside, ``optimizer`` has the given parameters (a dict, in the optimizer's order) and the state of the given state dict.

    What is written to tensors in place stays; all else that a step does is undone at the end.  Raises RuntimeError for an optimizer without state, and for
    a state dict that is not its own kind.

    >>> import minigrad
    >>> p, q = minigrad.ones(1, requires_grad=True), minigrad.zeros(1, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([p], lr=0.5, momentum=0.9)
    >>> p.grad = q.grad = minigrad.ones(1)
    >>> optimizer.step()
    >>> with minigrad.optim.swap_in_optimizer_params_and_state(optimizer, {"q": q}, optimizer.state_dict()):
    ...     optimizer.step()
    >>> p.item(), q.item()
    (0.5, -0.949999988079071)
    """
    state, swapped = _checked(optimizer, swapin_parameters, swapin_optim_state)
    own_state, own_groups = optimizer.state, [dict(group) for group in optimizer.param_groups]
    try:
        optimizer.state = defaultdict(dict)
        for group, other, params in swapped:
            group.update(other, params=params)
            for p, number in zip(params, other["params"]):
                optimizer.state[p] = dict(state.get(number, {}))
        yield
    finally:
        for group, own in zip(optimizer.param_groups, own_groups):
            group.clear()
            group.update(own)
        optimizer.state = own_state


def _checked(optimizer, parameters, state_dict):
    """The state, and (own group, swapped-in group, its parameters) for each group; raises RuntimeError for what does not fit."""
    if not optimizer.state:
        raise RuntimeError(f"{_CALL} requires initialized optimizer state.")
    if not isinstance(state_dict, dict):
        raise RuntimeError(f"{_CALL} requires a DCP-style optimizer state_dict.")
    state, groups = state_dict.get("state"), state_dict.get("param_groups")
    if not isinstance(state, dict):
        raise RuntimeError(
            f"{_CALL} requires swapin_optim_state['state'] to be a dict mapping packed parameter ids to "
            f"per-param state dicts, got {type(state).__name__}."
        )
    if any(isinstance(key, Tensor) for key in state):
        raise RuntimeError(
            f"{_CALL} requires optimizer.state_dict()-style state keyed by packed parameter ids."
        )
    if any(isinstance(key, int) and not isinstance(value, dict) for key, value in state.items()):
        raise RuntimeError(f"{_CALL} requires per-parameter optimizer state entries to be dictionaries.")
    if not isinstance(groups, list):
        raise RuntimeError(
            f"{_CALL} requires swapin_optim_state['param_groups'] to be a list of param-group dicts, "
            f"got {type(groups).__name__}."
        )
    if len(groups) != len(optimizer.param_groups):
        raise RuntimeError(
            "swapin_optim_state has a different number of parameter groups than the live optimizer."
        )
    left, numbers, swapped = list(parameters.values()), set(), []
    for i, (own, other) in enumerate(zip(optimizer.param_groups, groups)):
        _check_group(i, own, other)
        count = len(own["params"])
        if count > len(left):
            raise RuntimeError(
                f"{_CALL} requires the explicit parameter state to match optimizer.param_groups ordering."
            )
        swapped.append((own, other, left[:count]))
        left = left[count:]
        numbers.update(other["params"])
    further = [key for key in state if key not in numbers]
    if further:
        raise RuntimeError(
            f"{_CALL} requires swapin_optim_state['state'] to be keyed only by packed parameter ids from "
            f"param_groups[*]['params']; got extra keys {further!r}."
        )
    return state, swapped


def _check_group(i, own, other):
    if not isinstance(other, dict):
        raise RuntimeError(f"{_CALL} requires each optimizer param group to be a dictionary.")
    numbers = other.get("params")
    if not isinstance(numbers, list) or not all(isinstance(n, int) for n in numbers):
        raise RuntimeError(
            f"{_CALL} requires optimizer.state_dict()-style param_groups[*]['params'] entries keyed by "
            "packed parameter ids."
        )
    if len(own["params"]) != len(numbers):
        raise RuntimeError(
            f"swapin_optim_state param group {i} has a different number of params than the live optimizer "
            "param group."
        )
    theirs, ours = [key for key in other if key not in own], [key for key in own if key not in other]
    if theirs or ours:
        raise RuntimeError(
            f"{_CALL} requires optimizer.state_dict()-style param group keys to exactly match the live "
            f"optimizer group keys for group {i}. Keys only in swap-in: {theirs}. Keys only in live: {ours}."
        )
