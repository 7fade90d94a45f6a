"""``fork`` and ``wait``: outside of TorchScript a fork runs at once."""

from collections.abc import Callable
from typing import Any

from ..futures import Future

__all__ = []


def fork(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return a ``Future`` of ``func(*args, **kwargs)``, which is computed at once in this thread and raises its errors here.

    >>> import minigrad
    >>> future = minigrad.jit.fork(minigrad.add, minigrad.ones(2), 1)
    >>> minigrad.jit.wait(future)
    tensor([2., 2.])
    """
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future: Any) -> Any:
    """Return the value of a ``Future``; raise TypeError for anything else.

    >>> import minigrad
    >>> minigrad.jit.wait(minigrad.jit.fork(len, [1, 2]))
    2
    """
    if not isinstance(future, Future):
        raise TypeError(
            f"wait(): incompatible function arguments: a Future is wanted, not {type(future).__name__}"
        )
    return future.wait()
