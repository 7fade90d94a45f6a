"""The package that orders the products of ``einsum`` where it is installed.

``enabled`` says whether it is asked, ``strategy`` how it looks for an order ("auto", "greedy" or "optimal"; None without the package):
both can be assigned.
"""

import contextlib as _contextlib
import sys as _sys
from collections.abc import Iterator
from types import ModuleType as _ModuleType
from typing import Any

from .._base import einsum_order as _order

__all__ = ["flags", "get_opt_einsum", "is_available", "set_flags"]


class _Settings(_ModuleType):
    """The module's class: what is assigned to its settings is checked."""

    @property
    def enabled(self) -> Any:
        return _order.enabled()

    @enabled.setter
    def enabled(self, value: Any) -> None:
        _order.enable(value)

    @property
    def strategy(self) -> Any:
        return _order.strategy if is_available() else None

    @strategy.setter
    def strategy(self, value: Any) -> None:
        _order.choose(value)


_sys.modules[__name__].__class__ = _Settings


def is_available() -> bool:
    """Return whether the package ``opt_einsum`` is installed.

    >>> import minigrad
    >>> minigrad.backends.opt_einsum.is_available() in (True, False)
    True
    """
    return _order.library() is not None


def get_opt_einsum() -> Any:
    """Return the package ``opt_einsum``, or None if it is not installed.

    >>> import minigrad
    >>> settings = minigrad.backends.opt_einsum
    >>> (settings.get_opt_einsum() is not None) == settings.is_available()
    True
    """
    return _order.library()


def set_flags(_enabled: Any = None, _strategy: Any = None) -> Any:
    """Change settings; return the previous values of both.

    Raises ValueError for an unknown strategy, or without the package.

    >>> import minigrad
    >>> enabled, strategy = minigrad.backends.opt_einsum.set_flags(False)
    >>> minigrad.backends.opt_einsum.enabled
    False
    >>> _ = minigrad.backends.opt_einsum.set_flags(enabled)
    """
    before = _order.enabled(), _order.strategy if is_available() else None
    if _enabled is not None:
        _order.enable(_enabled)
    if _strategy is not None:
        _order.choose(_strategy)
    return before


@_contextlib.contextmanager
def flags(enabled: bool | None = None, strategy: Any = None) -> Iterator[Any]:
    """Return a context manager that changes settings.

    >>> import minigrad
    >>> with minigrad.backends.opt_einsum.flags(enabled=False):
    ...     minigrad.backends.opt_einsum.enabled
    False
    """
    before = set_flags(enabled, strategy)
    try:
        yield
    finally:
        _order._enabled, _order.strategy = before[0], before[1] or _order.strategy
