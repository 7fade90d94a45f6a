"""Questions about conditions on sizes that might not be known yet: here all sizes are known, so a condition is what it is."""

from typing import Any

from ..._symbolic import SymBool, SymFloat, SymInt

__all__ = [
    "GuardOnDataDependentSymNode",
    "free_symbols",
    "free_unbacked_symbols",
    "guard_bool",
    "guard_int",
    "guard_or_false",
    "guard_or_true",
    "has_free_symbols",
    "is_symbolic",
    "statically_known_true",
    "sym_and",
    "sym_eq",
    "sym_or",
]


class GuardOnDataDependentSymNode(RuntimeError):
    """Raised when a program that is being exported reads a value that depends on its inputs."""


def guard_or_false(a: Any) -> bool:
    """Return whether a condition is true, and False if that is unknown.

    >>> from minigrad.fx.experimental.symbolic_shapes import guard_or_false
    >>> guard_or_false(2 < 3)
    True
    """
    return bool(a)


def guard_or_true(a: Any) -> bool:
    """Return whether a condition is true, and True if that is unknown.

    >>> from minigrad.fx.experimental.symbolic_shapes import guard_or_true
    >>> guard_or_true(2 > 3)
    False
    """
    return bool(a)


def statically_known_true(x: Any) -> bool:
    """Return whether a condition, a bool, is known to be true.

    >>> from minigrad.fx.experimental.symbolic_shapes import statically_known_true
    >>> statically_known_true(True)
    True
    """
    if not isinstance(x, bool):
        raise AssertionError(f"Expected bool, got {type(x)}")
    return x


def sym_and(x: Any, *others: Any) -> bool:
    """Return whether all conditions are true.

    >>> from minigrad.fx.experimental.symbolic_shapes import sym_and
    >>> sym_and(True, False)
    False
    """
    return all((x, *others))


def sym_or(x: Any, *others: Any) -> bool:
    """Return whether any condition is true.

    >>> from minigrad.fx.experimental.symbolic_shapes import sym_or
    >>> sym_or(True, False)
    True
    """
    return any((x, *others))


def sym_eq(x: Any, y: Any) -> Any:
    """Return whether two sizes, or tuples or lists of sizes, are equal.

    >>> from minigrad.fx.experimental.symbolic_shapes import sym_eq
    >>> sym_eq((2, 3), [2, 3])
    True
    """
    if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        return len(x) == len(y) and all(map(sym_eq, x, y))
    return x == y


def guard_bool(a: Any) -> bool:
    """Return a condition as a bool.

    >>> from minigrad.fx.experimental.symbolic_shapes import guard_bool
    >>> guard_bool(True)
    True
    """
    return bool(a)


def guard_int(a: int) -> int:
    """Return a size as an int.

    >>> from minigrad.fx.experimental.symbolic_shapes import guard_int
    >>> guard_int(3)
    3
    """
    return int(a)


def is_symbolic(val: Any) -> bool:
    """Return whether a number is symbolic: always False.

    >>> from minigrad.fx.experimental.symbolic_shapes import is_symbolic
    >>> is_symbolic(3)
    False
    """
    return isinstance(val, (SymInt, SymFloat, SymBool))


def free_symbols(val: Any) -> Any:
    """Return the symbols in a value: always an empty set.

    >>> from minigrad.fx.experimental.symbolic_shapes import free_symbols
    >>> free_symbols((2, 3))
    set()
    """
    return set()


def free_unbacked_symbols(x: Any) -> Any:
    """Return the symbols in a value, such as a shape or a tensor of any dtype, that depend on data: always an empty set.

    >>> from minigrad.fx.experimental.symbolic_shapes import free_unbacked_symbols
    >>> free_unbacked_symbols((2, 3))
    set()
    """
    return set()


def has_free_symbols(val: Any) -> bool:
    """Return whether a value contains symbols: always False.

    >>> from minigrad.fx.experimental.symbolic_shapes import has_free_symbols
    >>> has_free_symbols((2, 3))
    False
    """
    return bool(free_symbols(val))
