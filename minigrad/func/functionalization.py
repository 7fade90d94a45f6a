"""``functionalize`` and ``debug_unwrap``: what in PyTorch serves compilers, and whoever looks into a transform."""

import functools
from collections.abc import Callable
from typing import Any

from .._core.lifted import without_node
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .._core.wrapped import Wrapped

__all__ = ["debug_unwrap", "functionalize"]


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """Return a function with the results of ``func``: there is no compiler here that in-place operations would have to be hidden from.

    Raises RuntimeError unless ``remove`` is "mutations" or "mutations_and_views".

    >>> import minigrad
    >>> minigrad.func.functionalize(lambda x: x.clone().add_(1))(minigrad.zeros(2))
    tensor([1., 1.])
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n     "
            "remove='mutations': in-place operators and out= run as their out-of-place forms.\n     "
            "remove='mutations_and_views': in addition, views run as copies.\n"
        )

    @functools.wraps(func, updated=())
    def wrapped(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapped


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """Return the tensor under a tensor inside a transform: all samples, or the value without its tangent.

    ``recurse`` removes all levels, otherwise one.

    >>> import minigrad
    >>> def f(x):
    ...     print(minigrad.func.debug_unwrap(x))
    ...     return x
    >>> minigrad.func.vmap(f)(minigrad.tensor([1., 2.]))
    tensor([1., 2.])
    tensor([1., 2.])
    """
    if not isinstance(tensor, Wrapped):
        return without_node(tensor) if any(not level.wraps for level in thread_state.levels) else tensor
    inner = tensor._array.inner
    return debug_unwrap(inner) if recurse else inner
