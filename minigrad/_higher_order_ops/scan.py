"""A state that is carried along a dimension."""

from collections.abc import Callable
from typing import Any

from .._api import Tensor, stack
from .._base.pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["scan"]


def checked(xs: Any, dim: int) -> tuple[Any, Any, int]:
    """The leaves of ``xs``, their structure, and the dimension, counted from the first; raises ValueError unless there is something along it."""
    leaves, spec = tree_flatten(xs)
    if not leaves or not all(isinstance(x, Tensor) for x in leaves):
        raise ValueError("xs must have leaves, all of them tensors")
    n = leaves[0].ndim
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    dim %= n
    if any(x.ndim <= dim or not x.shape[dim] for x in leaves):
        raise ValueError("All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0")
    if any(x.shape[dim] != leaves[0].shape[dim] for x in leaves):
        raise ValueError("All xs leaves must have one size along the scan dimension")
    return leaves, spec, dim


def scan(
    combine_fn: Callable[[Any, Any], Any], init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> Any:
    """Iterate ``state, y = combine_fn(state, x)`` over the slices x of ``xs`` along ``dim``, starting with ``init``; return the last state
    and all y.

    The y are stacked along ``dim``. ``reverse`` starts with the last slice. ``init``, ``xs`` and the results may be structures of tensors.

    >>> import minigrad
    >>> from minigrad._higher_order_ops import scan
    >>> scan(lambda state, x: (state + x, state * x), minigrad.zeros(()), minigrad.arange(4.))
    (tensor(6.), tensor([0., 0., 2., 9.]))
    """
    leaves, spec, dim = checked(xs, dim)
    places = range(leaves[0].shape[dim])
    state, found = init, []
    for i in reversed(places) if reverse else places:
        state, y = combine_fn(state, tree_unflatten([x.select(dim, i) for x in leaves], spec))
        found.append(y)
    if reverse:
        found.reverse()
    return state, tree_map(lambda *ys: stack(ys, min(dim, ys[0].ndim)), *found)
