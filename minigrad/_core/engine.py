"""The engine: runs the backward graph, youngest node first, and brings gradients to the leaves.

The plain case is the loop in ``run``: a node's formulas give a gradient per edge; a leaf takes its own at once, a lone
successor runs next, and only where several are ready does a heap decide, by sequence number (PyTorch's order).  Everything
unusual about the end of an edge (several edges lead there, it is one of several outputs, it is not wanted) stands in one dictionary,
``awaited``, filled by a survey of the graph before the run.  Hooks live in ``node._extra``.  All state is local to the call: a backward inside a
backward, several threads and exceptions need no further code.

Gradients are raw arrays (``xp`` is ``arrays``) or, with ``create_graph``, Tensors (``xp`` is the vocabulary, handed in by the caller: the engine
knows no operator).
"""

from functools import partial
from heapq import heappop, heappush, heapreplace
from operator import attrgetter

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.traced import Traced
from . import accumulate, saved_hooks
from .gradient_hooks import outside, post_hooks, pre_hooks, tensor_hooks
from .gradient_tensors import holds_alone
from .modes import reads_unusual_modes, thread_state
from .node import NOWHERE, AccumulateGrad, Node, Port, as_pair, rare
from .runs import LEVELS, SKIP, Run, on_new_stack

unusual_modes = 0
reads_unusual_modes(globals())

ndarray = np.ndarray
ARRAYS = (ndarray, Traced)


class Root(Node):
    """Where a backward pass begins: its edges lead to the tensors whose gradients are given."""

    __slots__ = ()
    lends = True


class Await:
    """A node where more than one gradient is expected: complete when as many have ``arrived`` as are ``expected``."""

    __slots__ = ("node", "expected", "arrived", "g", "mine")

    def __init__(self, node):
        self.node = node
        self.expected = 2
        self.arrived = 0
        self.g = None  # the sum of what has arrived
        self.mine = 0  # whether the engine may write into it, and if so, of what number of ``arrived`` on

    def writes(self):
        """Whether the engine may write into the sum, and if so, one more than how often it did."""
        return self.mine and self.arrived - self.mine + 1


class AwaitSeveral:
    """Like ``Await``, for a node of several outputs: a gradient for each."""

    __slots__ = ("node", "left", "gs")

    def __init__(self, node):
        self.node = node
        self.left = 0
        self.gs = [None] * node._outputs

    def arrive(self, end, g):
        """Add one gradient that came along the edge to ``end``; returns whether it was the last."""
        self.left -= 1
        if g is not None:
            nr = end.nr if end.__class__ is Port else 0
            so_far = self.gs[nr]
            try:
                self.gs[nr] = g if so_far is None else so_far + g
            except TypeError:  # elements that NumPy has no type for
                self.gs[nr] = arrays.add_packed(so_far, g)
        return not self.left


def survey(root):
    """Look over the graph below ``root`` before a run: (where several gradients meet, all nodes)."""
    awaited = {}
    seen = set()
    stack = [root._next]
    while stack:
        for end in stack.pop():
            if end is None:
                continue
            if end in seen:
                if end not in awaited:
                    awaited[end] = Await(end)
                elif end._outputs == 1:
                    awaited[end].expected += 1
                else:
                    awaited[end].left += 1
                continue
            if end._outputs != 1:  # one of several outputs
                port = end
                if end.__class__ is Port:
                    end = end.node
                if end not in awaited:
                    awaited[end] = AwaitSeveral(end)
                awaited[port] = awaited[end]
                awaited[port].left += 1
                if end in seen:
                    continue
            seen.add(end)
            edges = end._next
            if edges:
                stack.append(edges)
    if NOWHERE in seen:
        awaited[NOWHERE] = SKIP  # gradients of any shapes lead there
    return awaited, seen


def skip_unwanted(awaited, seen, wanted):
    """Mark in ``awaited`` all ends that are not on a path to a wanted node."""
    needed = seen & wanted
    for node in sorted(seen, key=attrgetter("_seq")):  # what a node leads to is older, and comes before it
        if node not in needed:
            for end in node._next:
                if end in needed or (end.__class__ is Port and end.node in needed):
                    needed.add(node)
                    break
    for end in awaited:
        if end.__class__ is Port and end.node not in needed:
            awaited[end] = SKIP
    for node in seen - needed:
        awaited[node] = SKIP


def needed_beyond(wanted, awaited):
    """The wanted nodes that also have to run, because another wanted node lies below them."""
    run_too = set()
    for node in wanted:
        for end in node._next:
            target = end.node if end.__class__ is Port else end
            if target is not None and awaited.get(target) is not SKIP:
                run_too.add(node)
    return run_too


def run(ends, grads, xp, keep, capture=None, records=None, tensors=None):
    """Carry ``grads`` from ``ends`` (edges) through the graph.

    ``records``: whether the gradients are to be differentiated again, if ``xp`` does not say so (arrays: no, Tensors: yes).

    Without ``capture``, leaves accumulate into ``.grad``.  With it (a dict from (node, output number) to a place in the returned
    list) only those gradients are computed, and nothing is accumulated, except what ``capture`` maps to None.

    ``tensors`` notes which tensors stand for gradients: see ``gradient_tensors.py``.
    """
    root = Root()
    root._next = ends
    root._extra = None
    if capture is None:
        wanted = run_too = None
        found = None
    else:
        wanted = {node for node, _ in capture}
        found = [None] * len(capture)
    awaited, seen = survey(root)
    if capture is not None:
        skip_unwanted(awaited, seen, wanted)
        run_too = needed_beyond(wanted, awaited)
        run_too.update(node for (node, _), place in capture.items() if place is None)
    if unusual_modes and thread_state.anomaly is not None:
        for node in seen:
            rare(node)  # anomaly mode examines the nodes that have rare state
    provenance = thread_state.origins if unusual_modes else None
    before = None if provenance is None else provenance.gradients(seen)
    outer = thread_state.run
    thread_state.run = this = Run(
        awaited, seen, capture, outer, xp is not arrays if records is None else records, tensors
    )
    try:
        if capture is not None and len(ends) == 1 and awaited.get(ends[0]) is SKIP:
            _hooks_of_lone_root(ends[0], grads[0], xp)
        loop = _silent_loop if xp is arrays else _loop
        if this.depth % LEVELS == LEVELS - 1:
            on_new_stack(loop, root, grads, xp, keep, awaited, capture, wanted, run_too, found)
        else:
            loop(root, grads, xp, keep, awaited, capture, wanted, run_too, found)
        while this.callbacks:
            callbacks, this.callbacks = this.callbacks, ()
            for function in callbacks:
                outside(arrays, function)
    finally:
        thread_state.run = outer
    if provenance is not None:
        provenance.accumulated(before)
    return found


def _hooks_of_lone_root(end, g, xp):
    """PyTorch runs the tensor hooks of a single root even if nothing wanted lies below it."""
    node, nr = as_pair(end)
    if node is not None and node._extra is not None:
        tensor_hooks(
            node, [g if k == nr else None for k in range(node._outputs)] if node._outputs != 1 else g, xp
        )


def _silent_loop(*args):
    with np.errstate(all="ignore"):
        _loop(*args)


def _loop(root, outs, xp, keep, awaited, capture, wanted, run_too, found):
    heap = []
    profiler = thread_state.run.profiler
    skips = thread_state.run.skips or profiler is not None
    leaf, with_hooks, backward = accumulate.leaf, _with_hooks, _backward
    if profiler is not None:
        leaf = partial(profiler.leaf, accumulate.leaf)
        with_hooks, backward = partial(profiler.node, _with_hooks), partial(profiler.node, _backward)
    node, g = root, None
    while True:
        ready = None
        i = -1  # counted by hand: to make a zip takes three times as long as its turns
        for n in node._next:
            i += 1
            gi = outs[i]
            if n is None:
                continue
            if n in awaited:
                place = awaited[n]
                if type(place) is Await:
                    place.arrived = arrived = place.arrived + 1
                    if gi is None:
                        place.mine += place.mine > 0
                    else:
                        so_far = place.g
                        if so_far is None:
                            place.g = gi
                            place.mine = arrived if is_fresh(gi, g, node) else 0
                        else:
                            try:
                                if place.mine:
                                    so_far += gi
                                else:
                                    place.g = so_far = so_far + gi
                                    place.mine = arrived if type(so_far) in ARRAYS else 0
                            except TypeError:  # elements that NumPy has no type for
                                place.g = arrays.add_packed(so_far, gi)
                    if arrived < place.expected:
                        continue
                    gi, place.g = place.g, None  # no longer than until it is handed on
                    if type(n) is AccumulateGrad:
                        leaf(n, gi, place.writes(), xp, capture, found)
                        continue
                elif place is SKIP or not place.arrive(n, gi):
                    continue
                else:
                    n, gi, place.gs = place.node, place.gs, None
            elif type(n) is AccumulateGrad:
                leaf(n, gi, is_fresh(gi, g, node), xp, capture, found)
                continue
            if ready is None:
                ready, ready_g = n, gi
            else:
                heappush(heap, (-n._seq, id(n), n, gi))
        # the younger of the lone successor and the heap's top
        if ready is None:
            if not heap:
                return
            _, _, node, g = heappop(heap)
        elif heap and heap[0][0] < -ready._seq:
            _, _, node, g = heapreplace(heap, (-ready._seq, id(ready), ready, ready_g))
        else:
            node, g = ready, ready_g
        if wanted is not None and node in wanted and not _capture(node, g, xp, capture, run_too, found):
            node, outs = NOWHERE, ()
        elif node._extra is not None:
            outs = with_hooks(node, g, xp, keep)
        elif skips:
            outs = backward(node, g, xp, keep)
        elif g is not None or node.takes_none:
            outs = node.backward(xp, g, keep)
        else:
            outs = node.unreached(xp, keep)


def is_fresh(gi, g, node):
    """Whether the engine may keep or write into ``gi``, which ``node`` made of ``g``: nobody else can hold it."""
    return (type(gi) in ARRAYS) and gi is not g and not node.lends and (gi.base is None or holds_alone(gi))


def _capture(node, g, xp, capture, run_too, found):
    """Take the wanted gradients of ``node``; returns whether the node has to run."""
    runs = True
    taken = False
    for nr in range(node._outputs):
        if (node, nr) in capture:
            if not taken and node not in run_too:
                runs = False
                if node._extra is not None:
                    g = tensor_hooks(node, g, xp)
            taken = True
            place = capture[node, nr]
            if place is not None:  # None: the tensor itself keeps it, see retain_grad
                found[place] = g if node._outputs == 1 else g[nr]
    return runs


def _with_hooks(node, g, xp, keep):
    """Run a node that has hooks or a retained gradient, or that anomaly mode examines."""
    hooks = thread_state.saved_hooks
    try:
        if unusual_modes and thread_state.anomaly is not None:
            return thread_state.anomaly.examine(node, g, lambda: _hooked(node, g, xp, keep))
        return _hooked(node, g, xp, keep)
    finally:
        if thread_state.saved_hooks is not hooks:
            saved_hooks.restore(hooks)


def _hooked(node, g, xp, keep):
    extra = node._extra
    g = tensor_hooks(node, g, xp)
    g = pre_hooks(node, g, xp)
    outs = _backward(node, g, xp, keep)
    if not extra.post:
        return outs
    if node.computes_all is not True:  # hooks see None where nothing was asked for
        awaited = thread_state.run.awaited
        skips = [end is None or end is NOWHERE or awaited.get(end) is SKIP for end in node._next]
        if not node.computes_all or all(skips):
            outs = [None if skip else h for skip, h in zip(skips, outs)]
    return post_hooks(node, g, list(outs), xp)


def _backward(node, g, xp, keep):
    """What ``node`` makes of ``g``: without the gradients that this run does not want, where leaving them out saves work."""
    if g is None and not node.takes_none:
        return node.unreached(xp, keep)
    run = thread_state.run
    if run.skips and len(node._next) > 1 and not node.computes_all:
        skipped = [run.awaited.get(end) is SKIP for end in node._next]
        if True in skipped:
            edges = tuple([None if skip else end for end, skip in zip(node._next, skipped)])
            return node.backward_towards(edges, xp, g, keep)
    return node.backward(xp, g, keep)
