"""What cannot be differentiated again: gradients whose own history only says so."""

from typing import Any

from .._core.node import Node, Port, tick
from .._core.storage import FRESH
from .._core.tensor import Tensor, new

__all__ = ["Error", "refusing"]


class Error(Node):
    """A node whose backward raises: what lies below cannot be differentiated."""

    _extra: Any
    _next: Any
    _storage: Any
    message: Any

    __slots__ = ("message", "_outputs")
    takes_none = True
    prefix = "torch::autograd::"

    def backward(self, xp: Any, g: Any, keep: Any) -> Any:
        """Refuse."""
        raise RuntimeError(self.message)


def refusing(tensors: Any, message: Any) -> Any:
    """Return the same tensors (or None) as results of a node that raises RuntimeError with ``message`` when it is differentiated."""
    ends = []
    for z in tensors:
        if z is not None:
            z = z.detach()
            z.requires_grad = True
        ends.append(z)
    node = Error()
    node._next = tuple([None if z is None else z._edge for z in ends])
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    node.message = message
    node._outputs = len(ends)
    outs = []
    for nr, z in enumerate(ends):
        if z is not None:
            out = new(Tensor)
            out._array, out._storage = z._array, z._storage
            out._node = node if node._outputs == 1 else Port(node, nr)
            z = out
        outs.append(z)
    return tuple(outs)
