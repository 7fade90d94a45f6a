"""cuSPARSELt, products of sparse matrices on CUDA."""

from typing import Any

from .._base.missing import getattr_of as _getattr_of

__all__ = ["get_max_alg_id", "is_available", "version"]


def is_available() -> bool:
    """Return whether the library is available: always False, NumPy computes instead.

    >>> import minigrad
    >>> minigrad.backends.cusparselt.is_available()
    False
    """
    return False


def version() -> int | None:
    """Return the library's version: None.

    >>> import minigrad
    >>> minigrad.backends.cusparselt.version()
    """
    return None


def get_max_alg_id() -> int | None:
    """Return the number of the library's last algorithm: None.

    >>> import minigrad
    >>> minigrad.backends.cusparselt.get_max_alg_id()
    """
    return None


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
