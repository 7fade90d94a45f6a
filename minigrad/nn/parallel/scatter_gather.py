"""Dividing inputs among devices, and gathering results.  There is only the CPU, which may stand for several devices; others are refused."""

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from ... import _api
from ..._api import Tensor
from ..._api import device as _device

__all__ = ["gather", "scatter", "scatter_kwargs"]


def check_cpu(function: str, device: Any) -> None:
    """Raise RuntimeError for a device other than the CPU."""
    if isinstance(device, int) or _device(device).type != "cpu":
        raise RuntimeError(f"{function}: minigrad has no accelerators, only the CPU")


def _like(sequence: Any, items: Iterable[Any]) -> Any:
    """The items in a sequence of the type of another: a list, a tuple, a named tuple."""
    cls = type(sequence)
    return cls(*items) if hasattr(cls, "_fields") else cls(items)


def scatter(inputs: Any, target_gpus: Any, dim: int = 0) -> Any:
    """Return what each device receives: its part of tensors along ``dim``, which may be in tuples, lists and dicts, and all of other objects.

    Each device is the CPU, by name; RuntimeError is raised for others, unless there are no tensors to divide.  Gradients flow back to ``inputs``.

    >>> import minigrad
    >>> minigrad.nn.parallel.scatter((minigrad.arange(4), "a"), ["cpu", "cpu"])
    [(tensor([0, 1]), 'a'), (tensor([2, 3]), 'a')]
    """
    if isinstance(inputs, Tensor):
        for device in target_gpus:
            check_cpu("scatter", device)
        return inputs.chunk(len(target_gpus), dim)
    if isinstance(inputs, (tuple, list)) and inputs:
        return [_like(inputs, part) for part in zip(*[scatter(each, target_gpus, dim) for each in inputs])]
    if isinstance(inputs, dict) and inputs:
        values = [scatter(each, target_gpus, dim) for each in inputs.values()]
        return [type(inputs)(zip(inputs, part)) for part in zip(*values)]
    return [inputs for _ in target_gpus]


def scatter_kwargs(
    inputs: tuple[Any, ...], kwargs: dict[str, Any] | None, target_gpus: Sequence[int | _device], dim: int = 0
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    """Scatter positional and keyword arguments, as many parts of each; see ``scatter``.

    >>> import minigrad
    >>> minigrad.nn.parallel.scatter_gather.scatter_kwargs((1,), {"scale": 2}, [0])
    (((1,),), ({'scale': 2},))
    """
    positional = scatter(inputs, target_gpus, dim) if inputs else []
    named = scatter(kwargs, target_gpus, dim) if kwargs else []
    positional += [() for _ in range(len(named) - len(positional))]
    named += [{} for _ in range(len(positional) - len(named))]
    return tuple(positional), tuple(named)


def gather(outputs: Any, target_device: int | str | _device, dim: int = 0) -> Any:
    """Join results along ``dim``: tensors, or tuples, lists and dicts of them; numbers without dimension become a vector, with a warning.

    The device is the CPU, by name; RuntimeError is raised for another.  ValueError is raised for dicts of different sizes.

    >>> import minigrad
    >>> minigrad.nn.parallel.gather([{"x": minigrad.zeros(2)}, {"x": minigrad.ones(1)}], "cpu")
    {'x': tensor([0., 0., 1.])}
    """
    first = outputs[0]
    if isinstance(first, Tensor):
        check_cpu("gather", target_device)
        if dim == 0 and all(not each.ndim for each in outputs):
            warnings.warn(
                "Was asked to gather along dimension 0, but all input tensors were scalars; the result is a vector of them.",
                stacklevel=2,
            )
            return _api.stack(list(outputs))
        return _api.cat(list(outputs), dim)
    if first is None:
        return None
    if isinstance(first, dict):
        if any(len(each) != len(first) for each in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)(
            (key, gather([each[key] for each in outputs], target_device, dim)) for key in first
        )
    return _like(first, [gather(each, target_device, dim) for each in zip(*outputs)])
