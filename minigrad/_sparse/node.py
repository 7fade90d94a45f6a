"""How an operation with sparse tensors is recorded: ``record`` gives a result its history, a node with one formula for all gradients.

A formula is a function of (g, needs, *saved): ``g`` is the gradient, ``needs`` says which operands want one, ``saved`` are the tensors that were handed to ``record``.  It works on Tensors,
dense and sparse, in every kind of backward pass: what it computes is recorded where that pass is to be differentiated again.
"""

import functools

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.unresolved import resolved
from .._base.device import sparse_coo
from .._core.modes import set_inference, set_recording, thread_state
from .._core.node import NOWHERE, AccumulateGrad, Node, as_pair, tick
from .._core.saved import FREED, NEVER, Saved, stale
from .._core.storage import FRESH
from .._core.tensor import Tensor, new
from .._core.wrapped import wrap_layer
from .arrays import inside_transform


class SparseNode(Node):
    """One recorded operation of which an operand, the result or a gradient is sparse."""

    __slots__ = ("formula", "values", "versions")
    lends = True  # formulas may return what they were given

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        return self.backward_towards(self._next, xp, g, keep)

    def backward_towards(self, edges, xp, g, keep):
        """Like ``backward``, for what is to go along ``edges`` only."""
        self._check()
        needs = [edge is not None and edge is not NOWHERE for edge in edges]
        raw = xp is arrays
        was = set_recording(False) if raw else None
        try:
            found = self.formula(wrap_layer(g) if raw else g, needs, *self.values)
        finally:
            if raw:
                set_recording(was)
        if not keep:
            self._free()
        outs = [h if need else None for h, need in zip(found, needs)]
        return [h if h is None else resolved(h._array) for h in outs] if raw else outs

    def unreached(self, xp, keep):
        """What goes along the edges if no gradient has arrived: none."""
        self._check()
        if not keep:
            self._free()
        return (None,) * len(self._next)

    def _check(self):
        for value, version in zip(self.values, self.versions):
            if isinstance(value, Tensor) and value._storage.version != version:
                raise stale(value, version)

    def _free(self):
        self.versions = tuple([NEVER if isinstance(v, Tensor) else None for v in self.values])
        self.values = tuple([FREED if isinstance(v, Tensor) else v for v in self.values])

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


def takes_sparse(tensor):
    """Whether what made a dense tensor takes a sparse gradient of it: it is a leaf, or made of a sparse tensor."""
    return isinstance(as_pair(tensor._edge)[0], (AccumulateGrad, SparseNode))


def record(name, result, operands, formula, *saved):
    """``result``, new and without history, as what an operation made of ``operands`` (tensors, or None), if that is to be recorded: by a node called ``name``, or of that class."""
    if any(x is not None and x._wrapped for x in operands):
        raise inside_transform("a sparse tensor")
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


def alias(x, name="AliasBackward0"):
    """Another tensor over the elements of ``x``, made of it by a node called ``name``."""
    out = new(type(x)._results or type(x))
    out._array = x._array
    out._node = None
    out._storage = x._storage
    return record(name, out, (x,), lambda g, needs: (g,))


def as_one(name, function, operands, of_dense=None):
    """What ``function`` makes of ``operands``, recorded as one node, whose gradients are those of the steps.

    ``name`` is that of the node; None: that of what made the values of the result, which is returned without history if nothing did.
    ``of_dense(g, *operands)``, if given, is the gradient of the one operand that a dense one of the result gives, or a tuple of those of all.
    """
    if not wanted(*operands) or any(x._wrapped for x in operands):
        return function(*operands)
    begins, out = _traced(function, operands, [x.requires_grad for x in operands])
    if name is None:
        made = None if out._node is None else as_pair(out._node._next[0])[0]
        if made is None:
            return out.detach()
        name = type(made).__name__
    return record(name, out.detach(), operands, _Steps(function, of_dense, (begins, out)), *operands)


def _traced(function, operands, needs):
    """(copies of the operands that begin a graph, what ``function`` makes of them)."""
    begins = [x.detach().requires_grad_() if need else x.detach() for x, need in zip(operands, needs)]
    recording, inference = set_recording(True), set_inference(False)
    try:
        out = function(*begins)
    finally:
        set_recording(recording)
        set_inference(inference)
    return begins, out


class _Steps:
    """The formula of a node that stands for several steps.  Their graph serves one backward pass; for others they are taken again."""

    __slots__ = ("function", "of_dense", "traced")

    def __init__(self, function, of_dense, traced):
        self.function = function
        self.of_dense = of_dense
        self.traced = traced

    def __call__(self, g, needs, *operands):
        if self.of_dense is not None and not g._is_sparse:
            found = self.of_dense(g, *operands)
            return found if isinstance(found, tuple) else (found,)
        from ..autograd.differentiate import grad

        again = thread_state.recording and not thread_state.inference
        traced, self.traced = self.traced, None
        if again:  # the steps lead on to the operands themselves
            begins = [alias(x) for x in operands]
            out = self.function(*begins)
        else:
            begins, out = traced or _traced(self.function, operands, needs)
        inputs = [x for x, need in zip(begins, needs) if need]
        found = iter(grad(out, inputs, g, create_graph=again, allow_unused=True))
        return [_of_its_own(next(found)) if need else None for need in needs]


def _of_its_own(g):
    """A gradient whose indices and values are no parts of others: PyTorch's formulas make new ones."""
    if g is not None and g._is_sparse and g.layout is sparse_coo:
        g._array.indices = np.ascontiguousarray(g._array.indices)
        g._array.values = np.ascontiguousarray(g._array.values)
    return g
