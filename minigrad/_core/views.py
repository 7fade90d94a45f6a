"""Views: tensors that share another's memory, and how gradients find their way when any of them is written to.

A view's ``_node`` is a ``View``: it knows the base (the root of all views) and the chain of view ops that leads from
the base to the view.  The same chain, run again on any array of the base's shape, gives the window that corresponds to
the view: that is all that ``AsStridedBackward0`` and ``CopySlices`` need.  Nothing keeps track of a base's views; a view
notices by the version that somebody wrote, and derives its node again when it is next asked.  ``inplace.py`` does the
writing.
"""

import numpy as np

from .node import NOWHERE, Node, Port, tick
from .storage import FRESH


class View:
    """What a view's ``_node`` holds.

    ``chain`` is a linked tuple (chain before, op class, parameters), so that a view of a view costs the same at any depth.
    ``meta`` is None, or why the view may not be written to: "no_grad", "multi", "function", ...
    """

    __slots__ = ("base", "chain", "node", "seen", "meta", "storage")

    def current(self):
        """The view's node; derived again from the base if the memory was written to since."""
        version = self.base._storage.version
        if self.seen != version:
            base_node = self.base._node
            if self.node is not None or base_node is not None:
                self._derive(base_node, version)
        return self.node

    def _derive(self, base_node, version):
        if self.meta is not None and self.node is not NOWHERE:
            raise RuntimeError(forbidden(self, indirect=True))
        self.seen = version
        if base_node is None:
            self.node = None
            return
        node = AsStridedBackward0()
        node.next = (base_node,)
        node.seq = tick()
        node.extra = None
        node.storage = FRESH
        node.shapes = None
        node.chain = self.chain
        node.template = Template(self.base._array)
        self.node = node


def forbidden(view, indirect=False):
    """Why this view may not be modified in place, in PyTorch's words."""
    mode = {"no_grad": "no_grad mode", "inference": "inference mode"}.get(view.meta)
    if mode is not None and view.node in (None, NOWHERE):
        text = f"A view was created in {mode} and "
    else:
        text = f"Output {output_nr(view.node)} of {short_name(view.node)} is a view and "
    text += "its base or another view of its base has been " if indirect else "is being "
    text += {"no_grad": "modified inplace with grad mode enabled.", "inference": "modified inplace in normal mode."}.get(
        view.meta, "modified inplace."
    )
    return text + _FORBIDDEN[view.meta]


def output_nr(edge):
    """Which output of its node this is."""
    return edge.nr if edge.__class__ is Port else 0


def short_name(edge):
    """The op's name as PyTorch's messages give it: ``Mul`` for ``MulBackward0``."""
    if edge is None or edge is NOWHERE:
        return "None"
    name = (edge.node if edge.__class__ is Port else edge).name()
    head, found, number = name.rpartition("Backward")
    return head if found and (number == "" or number.isdecimal()) else name


_AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {0} block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)
_FORBIDDEN = {
    "no_grad": _AMBIGUOUS.format("no_grad"),
    "inference": _AMBIGUOUS.format("inference_mode"),
    "multi": " This view is the output of a function that returns multiple views. Such functions do not allow the "
    "output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
    "function": " This view was created inside a custom Function (or because an input was returned as-is) and the "
    "autograd logic to handle view+inplace would override the custom backward associated with the custom Function, "
    "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom "
    "Function.",
}


def look(array, chain):
    """The window on ``array`` that a chain of view ops leads to."""
    steps = []
    while chain is not None:
        chain, cls, params = chain
        steps.append((cls, params))
    for cls, params in reversed(steps):
        array = cls.forward(array, *params)
    return array


def look_at_tensor(tensor, chain):
    """As ``look``, by recorded view ops on a Tensor."""
    steps = []
    while chain is not None:
        chain, cls, params = chain
        steps.append((cls, params))
    for cls, params in reversed(steps):
        tensor = cls.call(tensor, *params)
    return tensor


class Template:
    """Shape, dtype and order in memory of a base, without its memory."""

    __slots__ = ("shape", "dtype", "order")

    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype
        self.order = None
        if not array.flags.c_contiguous:
            # largest stride first; ties keep the logical order
            self.order = sorted(range(array.ndim), key=lambda d: -abs(array.strides[d]))

    def empty(self, make=np.empty):
        """A dense array of this shape whose axes have the base's order in memory."""
        if self.order is None:
            return make(self.shape, self.dtype)
        dense = make([self.shape[d] for d in self.order], self.dtype)
        inverse = [0] * len(self.order)
        for place, d in enumerate(self.order):
            inverse[d] = place
        return dense.transpose(inverse)


def window(array, chain):
    """``look`` that is sure to share memory: (window, None), or (None, flat positions) where a step had to copy."""
    part = look(array, chain)
    if part.size == 0 or np.may_share_memory(part, array):
        return part, None
    positions = np.arange(array.size).reshape(array.shape)
    return None, look(positions, chain)


class AsStridedBackward0(Node):
    """The node of a view that was derived again: the gradient goes to the view's place in zeros of the base's shape."""

    __slots__ = ("chain", "template")

    def backward(self, xp, g, keep):
        """The gradient of the base."""
        return (xp.place(g, self.chain, self.template),)


def place(g, chain, template):
    """``g`` at the view's place in zeros of the base's shape, on arrays; elements that the view repeats are summed."""
    out = template.empty(np.zeros)
    part, positions = window(out, chain)
    if part is None or (0 in part.strides and part.size > 1) or _overlaps(part):
        if positions is None:
            positions = look(np.arange(out.size).reshape(out.shape), chain)
        flat = np.zeros(out.size, out.dtype)
        np.add.at(flat, positions, g)
        out[...] = flat.reshape(out.shape)
    else:
        part += g
    return out


def _overlaps(array):
    """Whether some elements of ``array`` share memory with each other (sufficiently: dimensions that do not nest)."""
    extent = array.itemsize
    for stride, n in sorted(zip(map(abs, array.strides), array.shape)):
        if n > 1:
            if stride < extent:
                return True
            extent += stride * (n - 1)
    return False


class CopySlices(Node):
    """The node of a base one of whose views was written to by ``inner``: the view's part of the gradient goes through
    ``inner``, the rest passes by."""

    __slots__ = ("inner", "chain", "template")
    prefix = "torch::autograd::"

    def backward(self, xp, g, keep):
        """Gradients of the base before the write, and of the other inputs of the write."""
        return xp.through(g, self, keep)

    def saved(self, name):
        """The saved values are those of the op that wrote."""
        return self.inner.saved(name)


def through(g, node, keep, xp):
    """``CopySlices`` on arrays; ``xp`` is the vocabulary for the inner node."""
    out = node.template.empty()
    out[...] = g
    part, positions = window(out, node.chain)
    if part is None:
        flat = np.ascontiguousarray(out).reshape(-1)
        outs = node.inner.backward(xp, flat[positions], keep)
        flat[positions] = 0 if outs[0] is None else outs[0]
        out[...] = flat.reshape(out.shape)
    else:
        outs = node.inner.backward(xp, part.copy(), keep)
        part[...] = 0 if outs[0] is None else outs[0]
    return (out, *outs[1:])
