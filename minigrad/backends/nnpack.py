"""NNPACK, a library of convolutions: its setting is kept but changes nothing."""

from typing import Any

from .._base.missing import getattr_of as _getattr_of
from ._flags import changed as _changed

__all__ = ["flags", "is_available", "set_flags"]

_enabled = True


def is_available() -> bool:
    """Return whether the library is available: always False, NumPy computes instead.

    >>> import minigrad
    >>> minigrad.backends.nnpack.is_available()
    False
    """
    return False


def set_flags(_enabled: Any) -> Any:
    """Set whether the library may be used; return the previous value in a tuple.

    >>> import minigrad
    >>> minigrad.backends.nnpack.set_flags(True)
    (True,)
    """
    before = (globals()["_enabled"],)
    globals()["_enabled"] = _enabled
    return before


def flags(enabled: bool = False) -> Any:
    """Return a context manager that sets whether the library may be used.

    >>> import minigrad
    >>> with minigrad.backends.nnpack.flags(enabled=False): minigrad.ones(1)
    tensor([1.])
    """
    return _changed(globals(), _enabled=enabled)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
