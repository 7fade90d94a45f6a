"""A loop for as long as a tensor says so."""

from collections.abc import Callable
from typing import Any

__all__ = ["while_loop"]


def while_loop(cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: Any) -> Any:
    """Repeat ``x = body_fn(*x)``, starting with ``carried_inputs``, while ``cond_fn(*x)`` is true; return the last ``x``.

    A body with one argument may return it without a tuple.

    Raises RuntimeError if one of the functions cannot be called, or ``carried_inputs`` is not a tuple or list.

    >>> import minigrad
    >>> from minigrad._higher_order_ops import while_loop
    >>> while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, 2 * x), (minigrad.tensor(0), minigrad.ones(2)))
    (tensor(3), tensor([8., 8.]))
    """
    if not (callable(cond_fn) and callable(body_fn)):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    if not isinstance(carried_inputs, (tuple, list)):
        raise RuntimeError(f"Expect carried_inputs to be a tuple or list, got {type(carried_inputs)}")
    carried: Any = tuple(carried_inputs)
    while cond_fn(*(carried if isinstance(carried, (tuple, list)) else (carried,))):
        carried = body_fn(*(carried if isinstance(carried, (tuple, list)) else (carried,)))
    return tuple(carried) if isinstance(carried, list) else carried
