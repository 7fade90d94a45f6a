"""Decompositions of operators into others, which compilers ask for: nothing is compiled here, so the tables have what programs register."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = [
    "core_aten_decompositions",
    "decomposition_table",
    "get_decompositions",
    "meta_table",
    "pre_autograd_decomposition_table",
    "register_decomposition",
    "remove_decompositions",
]

decomposition_table: dict[Any, Callable[..., Any]] = {}
pre_autograd_decomposition_table: dict[Any, Callable[..., Any]] = {}
meta_table: dict[Any, Callable[..., Any]] = {}
_TABLES = {
    "post_autograd": decomposition_table,
    "pre_autograd": pre_autograd_decomposition_table,
    "meta": meta_table,
}


def _overloads(op: Any) -> list[Any]:
    """The overloads that an operator, or a list of such, stands for."""
    if isinstance(op, (list, tuple)):
        return [overload for each in op for overload in _overloads(each)]
    return [getattr(op, name) for name in op.overloads()] if hasattr(op, "overloads") else [op]


def register_decomposition(
    aten_op: Any, registry: dict[Any, Any] | None = None, *, type: str = "post_autograd", unsafe: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as the decomposition of all overloads of one or several operators (a decorator); raise RuntimeError if there is
    one already.

    >>> import minigrad
    >>> from minigrad._decomp import get_decompositions, register_decomposition
    >>> table = {}
    >>> @register_decomposition(minigrad.ops.aten.tanh.default, table)
    ... def tanh(x): return 2 * minigrad.sigmoid(2 * x) - 1
    >>> table[minigrad.ops.aten.tanh.default] is tanh
    True
    """
    if type not in _TABLES:
        raise AssertionError(f"type must be one of {sorted(_TABLES)}, got {type!r}")
    table = _TABLES[type] if registry is None else registry

    def enter(function):
        for overload in _overloads(aten_op):
            if overload in table:
                raise RuntimeError(f"duplicate registrations for {overload}")
            table[overload] = function
        return function

    return enter


def get_decompositions(aten_ops: Sequence[Any], type: str = "post_autograd") -> dict[Any, Callable[..., Any]]:
    """The decompositions that have been registered for these operators, by overload."""
    table = _TABLES[type]
    return {overload: table[overload] for overload in _overloads(list(aten_ops)) if overload in table}


def core_aten_decompositions() -> dict[Any, Callable[..., Any]]:
    """A copy of what has been registered."""
    return dict(decomposition_table)


def remove_decompositions(decompositions: dict[Any, Callable[..., Any]], aten_ops: Iterable[Any]) -> None:
    """Take the decompositions of these operators out of a table."""
    for overload in _overloads(list(aten_ops)):
        decompositions.pop(overload, None)
