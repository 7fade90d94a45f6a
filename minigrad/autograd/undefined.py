"""``UndefinedGrad``: a function that is the identity, and passes no gradient back."""

from .._core.modes import thread_state
from .._core.node import Node, tick
from .._core.storage import FRESH
from .._core.tensor import Tensor, new

__all__ = ["UndefinedGrad"]


class UndefinedGradBackward(Node):
    """A node that passes on no gradient."""

    __slots__ = ()
    takes_none = True
    prefix = "torch::autograd::"

    def backward(self, xp, g, keep):
        """Nothing."""
        return (None,)


class UndefinedGrad:
    """``UndefinedGrad()(x)`` is ``x``, but no gradient comes back."""

    def __call__(self, *inputs):
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
