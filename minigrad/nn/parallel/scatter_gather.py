"""Dividing inputs among accelerators, and gathering results: there is only the CPU, so each of these raises when it meets a tensor."""

from collections.abc import Sequence
from typing import Any

from ..._api import Tensor
from ..._api import device as _device

__all__ = ["gather", "scatter", "scatter_kwargs"]


def _refuse(function):
    raise RuntimeError(f"{function}: minigrad has no accelerators, only the CPU")


def _has_tensor(value):
    if isinstance(value, (tuple, list)):
        return any(map(_has_tensor, value))
    return any(map(_has_tensor, value.items())) if isinstance(value, dict) else isinstance(value, Tensor)


def scatter(inputs: Any, target_gpus: Any, dim: int = 0) -> Any:
    """Return what each device receives: objects without tensors are repeated; raise RuntimeError for tensors.

    >>> import minigrad
    >>> minigrad.nn.parallel.scatter_gather.scatter([1, "a"], [0, 1])
    [[1, 'a'], [1, 'a']]
    """
    return _refuse("scatter") if _has_tensor(inputs) else [inputs for _ in target_gpus]


def scatter_kwargs(
    inputs: tuple[Any, ...], kwargs: dict[str, Any] | None, target_gpus: Sequence[int | _device], dim: int = 0
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    """Scatter positional and keyword arguments; see ``scatter``.

    >>> import minigrad
    >>> minigrad.nn.parallel.scatter_gather.scatter_kwargs((1,), {"scale": 2}, [0])
    (((1,),), ({'scale': 2},))
    """
    return tuple(scatter(inputs, target_gpus, dim)), tuple(scatter(kwargs or {}, target_gpus, dim))


def gather(outputs: Any, target_device: int | _device, dim: int = 0) -> Any:
    """Raise RuntimeError: results are on the CPU only.

    >>> import minigrad
    >>> minigrad.nn.parallel.scatter_gather.gather([minigrad.ones(2)], 0)
    Traceback (most recent call last):
        ...
    RuntimeError: gather: minigrad has no accelerators, only the CPU
    """
    return _refuse("gather")
