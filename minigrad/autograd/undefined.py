"""``UndefinedGrad``: a function that is the identity, and passes no gradient back."""

from typing import Any

from .._core.modes import thread_state
from .._core.node import Node, tick
from .._core.storage import FRESH
from .._core.tensor import Tensor, new

__all__ = ["UndefinedGrad"]


class UndefinedGradBackward(Node):
    """A node that passes on no gradient."""

    _extra: Any
    _next: Any
    _storage: Any

    __slots__ = ()
    takes_none = True
    prefix = "torch::autograd::"

    def backward(self, xp: Any, g: Any, keep: Any) -> Any:
        """Nothing."""
        return (None,)


class UndefinedGrad:
    """``UndefinedGrad()(x)`` is ``x``, but no gradient comes back."""

    def __call__(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"expected 1 arguments, got {len(inputs)} instead")
        (x,) = inputs
        out = new(Tensor)
        alias = x.detach()
        out._array, out._storage, out._node = alias._array, alias._storage, None
        edge = x._edge
        if edge is not None and thread_state.recording:
            node = UndefinedGradBackward()
            node._next, node._seq = (edge,), tick()
            node._extra = None
            node._storage = FRESH
            out._node = node
        return out
