"""One of two functions, chosen by a tensor."""

from collections.abc import Callable
from typing import Any

from .._api import Tensor
from .._base.pytree import tree_leaves

__all__ = ["cond"]


def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Any = ()) -> Any:
    """Call ``true_fn(*operands)`` if ``pred``, a bool or a one-element tensor, is true, else ``false_fn(*operands)``.

    Raises RuntimeError for another ``pred``, branches that cannot be called, and operands other than a tuple or list with tensors as leaves.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> minigrad.cond(x.sum() > 1, lambda x: x + 1, lambda x: x - 1, (x,))
    tensor([2., 2.])
    """
    if not isinstance(pred, (bool, int, float, Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not (callable(true_fn) and callable(false_fn)):
        raise RuntimeError("Expect both branches to be callable.")
    if not isinstance(operands, (tuple, list)) or not all(
        isinstance(x, (Tensor, int)) for x in tree_leaves(operands)
    ):
        raise RuntimeError(
            f"Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of tensor leaves, but got {operands}."
        )
    return (true_fn if pred else false_fn)(*operands)
