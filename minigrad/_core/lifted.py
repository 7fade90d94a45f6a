"""Histories inside transforms: the node that stands for a tensor outside, and which histories may leave, because somebody outside listens."""

from .modes import thread_state
from .node import NOWHERE, AccumulateGrad, Node, Port, tick
from .storage import FRESH, own_storage
from .wrapped import BatchLayer, Dual, Wrapped, dual, wrap_layer


class Lifted(Node):
    """The node of a wrapped tensor or of an alias: its gradient is that of the tensor it stands for.

    ``level`` is the level of the reverse transform whose argument the alias is, or None.
    """

    __slots__ = ("level",)

    @property
    def begins(self):
        """Whether the tensor is an argument of a function being transformed."""
        return self.level is not None

    def backward(self, xp, g, keep):
        """The same gradient, for the tensor outside."""
        return (g,)

    def shown(self):
        """None for the argument of a transform; else what is shown for the tensor that this one's stands for."""
        edge = self._next[0]
        if self.level is not None or edge is None or edge is NOWHERE or edge.__class__ is AccumulateGrad:
            return None
        return (edge.node if edge.__class__ is Port else edge).shown()


class Hidden(Node):
    """The node of an alias whose history the transform of ``level`` does not see, but those outside of it do."""

    __slots__ = ("level",)

    def backward(self, xp, g, keep):
        """The same gradient for the tensor that the alias stands for; none in the backward of ``level``, or while that is open."""
        pulling = thread_state.pulling
        if pulling is self.level or (pulling is None and self.level.open):
            return (None,)
        return (g,)

    def shown(self):
        """What is shown for the tensor that the alias stands for."""
        edge = self._next[0]
        return (edge.node if edge.__class__ is Port else edge).shown()


def hidden(edge, level):
    """A new ``Hidden`` node before ``edge``."""
    node = Hidden()
    node.level = level
    node._next = (edge,)
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    return node


def lifted(edge, level=None):
    """A new ``Lifted`` node before ``edge``, which may be None."""
    node = Lifted()
    node.level = level
    node._next = (edge,)
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    return node


def without_node(x):
    """``x`` without its history on its own level."""
    if x._node is None:
        return x
    out = wrap_layer(x._array)
    if not isinstance(x, Wrapped):
        out._storage = own_storage(x)
    return out


def reaches_outside(ends, leaves):
    """Whether the graph below ``ends`` leads to anything but ``leaves``: then somebody may ask for the derivative of the backward."""
    ours = {x._node for x in leaves}
    seen = set()
    stack = list(ends)
    while stack:
        edge = stack.pop()
        node = edge.node if edge.__class__ is Port else edge
        if node is None or node in seen:
            continue
        seen.add(node)
        if _is_outside(node, ours):
            return True
        stack.extend(node._next)
    return False


def cut_off(gradients, leaves, since):
    """Take from the nodes of ``gradients`` that are younger than tick ``since`` the edges that lead to none but ``leaves``.

    Nobody asks for derivatives there again, nor for what would have to be saved for them.
    """
    ours = {x._node for x in leaves}
    leads = {None: False}
    for g in gradients:
        stack = [_node_of(g._edge)]
        while stack:
            node = stack[-1]
            if node in leads:
                stack.pop()
            elif _is_outside(node, ours):
                leads[node] = True
            else:
                nodes = [_node_of(edge) for edge in node._next]
                waiting = [before for before in nodes if before not in leads]
                stack += waiting
                if not waiting:
                    leads[node] = any(leads[before] for before in nodes)
                    if node._seq > since:
                        node._next = tuple(
                            edge if leads[before] else None for edge, before in zip(node._next, nodes)
                        )


def _is_outside(node, ours):
    """Whether a node is an end of a graph that is not of ``ours``: a leaf, or the argument of another transform under way."""
    if node.__class__ is Lifted:
        return node.level is not None and node.level.open and node not in ours
    return node.__class__ is AccumulateGrad or node is NOWHERE


def _node_of(edge):
    return edge.node if edge.__class__ is Port else edge


def prune_history(x, leaves):
    """``x``; without history, if that leads to none but ``leaves``."""
    level_of_x, level = [y._array.level if isinstance(y, Wrapped) else None for y in (x, leaves[0])]
    if level_of_x is not level and level_of_x is not None:  # of a transform that this gradient is asked in
        out = wrap_layer(x._array.holding(prune_history(x._array.inner, leaves)))
        if out.__class__ is Dual and out._array.tangent is not None:
            out._array.tangent = prune_history(out._array.tangent, leaves)
        out._node, out._storage = x._node, x._storage
        return out
    edge = x._edge
    return x if edge is None or reaches_outside((edge,), leaves) else without_node(x)


def without_history(x):
    """``x`` without its history on any level; tangents it keeps."""
    if not isinstance(x, Wrapped):
        return without_node(x)
    layer = x._array
    inner = without_history(layer.inner)
    if layer.__class__ is BatchLayer:
        return wrap_layer(layer.holding(inner))
    return dual(inner, layer.level, None if layer.tangent is None else without_history(layer.tangent))


def value_of(x):
    """The plain value of ``x``, without history and tangents."""
    while isinstance(x, Dual):
        x = x._array.inner
    return x.detach()


def reverse_levels(x):
    """(the reverse transforms under way for which ``x`` has a history, the outermost first; whether that leads out of all of them)."""
    found, leads_out = set(), False
    if any(not level.wraps for level in thread_state.levels):
        seen, waiting = set(), [x._edge]
        while waiting:
            edge = waiting.pop()
            node = edge.node if edge.__class__ is Port else edge
            if node is None or node in seen:
                continue
            seen.add(node)
            if node.__class__ is Lifted and node.level is not None and node.level.open:
                found.add(node.level)
            leads_out = leads_out or node.__class__ is AccumulateGrad
            waiting += node._next
    return sorted(found, key=lambda level: level.number), leads_out


def without_levels(x, leads_out):
    """``x`` as it is outside of the reverse transforms: the very leaf if it is an alias of one, with its history there if it has any."""
    edge = x._edge
    begins = edge.begins
    while edge is not None and edge.begins:
        edge = edge._next[0]
    if begins and edge.__class__ is AccumulateGrad:
        return edge.variable
    out = wrap_layer(x._array)
    if not isinstance(x, Wrapped):
        out._storage = x._storage
    if begins:
        out._node = edge
    elif leads_out:
        out._node = x._edge
    return out
