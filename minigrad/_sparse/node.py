"""How an operation with sparse tensors is recorded: ``record`` gives a result its history, a node with one formula for all gradients.

A formula is a function of (g, needs, *saved): ``g`` is the gradient, ``needs`` says which operands want one, ``saved`` are the tensors that were handed to ``record``.  It works on Tensors,
dense and sparse, in every kind of backward pass: what it computes is recorded where that pass is to be differentiated again.
"""

import functools

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import resolved
from .._core.modes import set_recording, thread_state
from .._core.node import NOWHERE, Node, as_pair, tick
from .._core.saved import FREED, NEVER, Saved, stale
from .._core.storage import FRESH
from .._core.tensor import Tensor
from .._core.wrapped import wrap_layer


class SparseNode(Node):
    """One recorded operation of which an operand, the result or a gradient is sparse."""

    __slots__ = ("formula", "values", "versions")
    lends = True  # formulas may return what they were given

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        return self.backward_towards(self._next, xp, g, keep)

    def backward_towards(self, edges, xp, g, keep):
        """Like ``backward``, for what is to go along ``edges`` only."""
        for value, version in zip(self.values, self.versions):
            if isinstance(value, Tensor) and value._storage.version != version:
                raise stale(value, version)
        needs = [edge is not None and edge is not NOWHERE for edge in edges]
        raw = xp is arrays
        was = set_recording(False) if raw else None
        try:
            found = self.formula(wrap_layer(g) if raw else g, needs, *self.values)
        finally:
            if raw:
                set_recording(was)
        if not keep:
            self.versions = tuple([NEVER if isinstance(v, Tensor) else None for v in self.values])
            self.values = tuple([FREED if isinstance(v, Tensor) else v for v in self.values])
        outs = [h if need else None for h, need in zip(found, needs)]
        return [h if h is None else resolved(h._array) for h in outs] if raw else outs

    def saved_values(self):
        """A ``Saved`` for each tensor that this node saved."""
        return [
            Saved(f"value {i}", value, version, value._storage)
            for i, (value, version) in enumerate(zip(self.values, self.versions))
            if isinstance(value, Tensor)
        ]


@functools.cache
def kind_of_node(name):
    """The class of the nodes that are called ``name``."""
    return type(name, (SparseNode,), {"__slots__": (), "__module__": __name__, "__qualname__": name})


def wanted(*tensors):
    """Whether an operation on ``tensors`` is to be recorded."""
    return (
        thread_state.recording
        and not thread_state.inference
        and any(x is not None and x.requires_grad for x in tensors)
    )


def is_leaf_end(tensor):
    """Whether a gradient for ``tensor`` goes to itself: it is a leaf, or an argument of a function being transformed."""
    node, _ = as_pair(tensor._edge)
    return node is not None and (not node._next or getattr(node, "begins", False))


def record(name, result, operands, formula, *saved):
    """``result``, new and without history, as what an operation made of ``operands`` (tensors, or None), if that is to be recorded: by a node called ``name``, or of that class."""
    if not wanted(*operands):
        return result
    node = kind_of_node(name)() if name.__class__ is str else name()
    node._next = tuple([None if x is None else x._edge for x in operands])
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    node.formula = formula
    node.values = saved
    node.versions = tuple([v._storage.version if isinstance(v, Tensor) else None for v in saved])
    for observer in thread_state.observers:
        observer(node)
    result._node = node
    return result
