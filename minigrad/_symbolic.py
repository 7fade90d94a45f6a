"""Symbolic numbers, of which PyTorch's compiler makes sizes that are not known yet: here all are known, so there are the types and no objects.

The functions for symbolic numbers take Python's.
"""

import math
from typing import Any

from ._base.publishing import publish


class _Symbolic:
    __slots__ = ()

    def __init__(self, node: Any) -> None:
        raise RuntimeError(f"every size is known in minigrad, so {type(self).__name__} has no instances")


class SymInt(_Symbolic):
    """An int that is not known yet: there are none, ``isinstance(n, SymInt)`` is False."""

    __slots__ = ()


class SymFloat(_Symbolic):
    """A float that is not known yet: there are none."""

    __slots__ = ()


class SymBool(_Symbolic):
    """A bool that is not known yet: there are none."""

    __slots__ = ()


publish("minigrad", SymInt, SymFloat, SymBool)


def sym_int(a: Any) -> int:
    """Return a number as an int, rounded towards 0.

    >>> import minigrad
    >>> minigrad.sym_int(-2.5)
    -2
    """
    return int(a)


def sym_float(a: Any) -> float:
    """Return a number as a float.

    >>> import minigrad
    >>> minigrad.sym_float(2)
    2.0
    """
    return float(a)


def sym_not(a: Any) -> bool:
    """Return the contrary of a truth value.

    >>> import minigrad
    >>> minigrad.sym_not(True)
    False
    """
    return not a


def sym_max(a: Any, b: Any) -> Any:
    """Return the larger of two numbers; a float if one of them is.

    >>> import minigrad
    >>> minigrad.sym_max(3, 2.5)
    3.0
    """
    larger = max(a, b)
    return float(larger) if isinstance(a, float) or isinstance(b, float) else larger


def sym_min(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers; a float if one of them is.

    >>> import minigrad
    >>> minigrad.sym_min(3, 2.5)
    2.5
    """
    smaller = min(a, b)
    return float(smaller) if isinstance(a, float) or isinstance(b, float) else smaller


def sym_sqrt(a: Any) -> Any:
    """Return the square root of a number; raises ValueError below 0.

    >>> import minigrad
    >>> minigrad.sym_sqrt(4)
    2.0
    """
    return math.sqrt(a)


def sym_sum(args: Any) -> Any:
    """Return the sum of several numbers.

    >>> import minigrad
    >>> minigrad.sym_sum([1, 2, 3])
    6
    """
    return sum(args)


def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """Return ``t`` if ``b`` is True, else ``f``; raise AssertionError if ``b`` is not a bool, or the two are of different types.

    >>> import minigrad
    >>> minigrad.sym_ite(True, 1, 2)
    1
    """
    if not isinstance(b, bool):
        raise AssertionError(f"expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"type mismatch: {type(t)} vs {type(f)}")
    return t if b else f
