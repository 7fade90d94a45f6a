"""Intel's MKL, as PyTorch is linked with it."""

from typing import Any

from .._base.missing import getattr_of as _getattr_of

__all__ = ["VERBOSE_OFF", "VERBOSE_ON", "is_available", "verbose"]

VERBOSE_OFF, VERBOSE_ON = 0, 1


def is_available() -> bool:
    """Return whether the library is available: always False, NumPy computes instead.

    >>> import minigrad
    >>> minigrad.backends.mkl.is_available()
    False
    """
    return False


class verbose:
    """A context manager in which the library would print what it computes, which is nothing."""

    def __init__(self, enable: Any) -> None:
        self.enable = enable

    def __enter__(self) -> Any:
        return None if self.enable == VERBOSE_OFF else self

    def __exit__(self, *exc: Any) -> Any:
        return False


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
