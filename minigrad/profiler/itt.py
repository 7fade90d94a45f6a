"""Ranges that Intel's tools show, such as VTune: through the ``ittapi`` package, which the extra ``itt`` brings."""

import contextlib
import importlib.util
from collections.abc import Iterator
from typing import Any

from ..autograd._profiler.ranges import itt_tool

__all__ = ["is_available", "mark", "range", "range_pop", "range_push"]

_open: list[Any] = []


def is_available() -> bool:
    """Return whether the ``ittapi`` package is installed.

    >>> import minigrad
    >>> minigrad.profiler.itt.is_available() in (True, False)
    True
    """
    return importlib.util.find_spec("ittapi") is not None


def range_push(msg: Any) -> Any:
    """Begin a range inside those that are open, and return how many these are. Raises ImportError without the ``ittapi`` package.

    >>> import minigrad
    >>> if minigrad.profiler.itt.is_available(): depth = minigrad.profiler.itt.range_push("step")
    """
    itt_tool()[0](msg)
    _open.append(msg)
    return len(_open) - 1


def range_pop() -> int:
    """End the latest range, and return how many are still open.

    >>> import minigrad
    >>> if minigrad.profiler.itt.is_available(): depth = minigrad.profiler.itt.range_push("step"), minigrad.profiler.itt.range_pop()
    """
    itt_tool()[1]()
    _open.pop()
    return len(_open)


def mark(msg: Any) -> None:
    """Record a range that ends as it begins.

    >>> import minigrad
    >>> if minigrad.profiler.itt.is_available(): minigrad.profiler.itt.mark("here")
    """
    push, pop = itt_tool()
    push(msg)
    pop()


@contextlib.contextmanager
def range(msg: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Record a range around a ``with`` block, named ``msg.format(*args, **kwargs)``.

    >>> import minigrad
    >>> if minigrad.profiler.itt.is_available():
    ...     with minigrad.profiler.itt.range("step {}", 3): y = minigrad.ones(2) + 1
    """
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
