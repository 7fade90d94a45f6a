"""Who wants to see each node as it is recorded: hooks on saved tensors, anomaly mode.

An observer is a function of a node, of one thread.  While there is one, ops take the slow path, where the nodes of a result are those
that it leads to and that are younger than the op; in-place ops and custom Functions, which make theirs elsewhere, report them here.
"""

from .modes import thread_state, unwatch, watch, without_latest
from .node import Port, latest
from .storage import FRESH, own_storage
from .tensor import Tensor
from .views import CopySlices, View


def observe(observer):
    """Let ``observer`` see every node that this thread records; ``unobserve`` ends it."""
    if not thread_state.observers:
        watch(_watcher)
    thread_state.observers = (*thread_state.observers, observer)


def unobserve(observer):
    """Undo the latest ``observe(observer)``."""
    thread_state.observers = without_latest(thread_state.observers, observer)
    if not thread_state.observers:
        unwatch(_watcher)


def show_node(node, outputs=()):
    """Show a new node, and what the op made, to this thread's observers."""
    for t in outputs if thread_state.observers else ():
        if t._storage is FRESH:
            own_storage(t)  # what a node saved of its outputs is to share their storage
    for observer in thread_state.observers:
        observer(node)


class _Watcher:
    """Lets an op run, then shows the observers what it recorded."""

    @property
    def whole_layers(self):
        """Whether all observers take a recurrent layer for one op, as those with ``whole_layers`` do: see ``_ops/recurrent.py``."""
        return all(getattr(observer, "whole_layers", False) for observer in thread_state.observers)

    def __call__(self, cls, operands, params, proceed, writes):
        def look():
            since = latest()
            result = proceed()
            tensors = [
                t
                for t in (result if isinstance(result, (tuple, list)) else (result,))
                if isinstance(t, Tensor)
            ]
            for node in younger(tensors, since):
                show_node(node, tensors)
            return result

        return look


_watcher = _Watcher()


def younger(tensors, since):
    """The nodes that tensors lead to and that are younger than ``since``, the oldest first."""
    stack = [t._node for t in tensors]
    found = {}
    while stack:
        edge = stack.pop()
        if edge.__class__ is View:
            edge = edge.node
        node = edge.node if edge.__class__ is Port else edge
        if node is not None and node._next and node._seq > since and node not in found:
            found[node] = None
            stack += node._next
            if node.__class__ is CopySlices:
                stack.append(node.inner)
    return sorted(found, key=lambda node: node._seq)
