"""The engine: runs the backward graph, youngest node first, and brings gradients to the leaves.

The plain case is the loop in ``run``: a node's formulas give a gradient per edge; a leaf takes its own at once, a lone
successor runs next, and only where several are ready does a heap decide, by sequence number (PyTorch's order).  Everything
unusual about the end of an edge (several edges lead there, it is one of several outputs, it is not wanted) stands in one dictionary,
``awaited``, filled by a survey of the graph before the run.  Hooks live in ``node._extra``.  All state is local to the call: a backward inside a
backward, several threads and exceptions need no further code.

Gradients are raw arrays (``xp`` is ``arrays``) or, with ``create_graph``, Tensors (``xp`` is the vocabulary, handed in by the caller: the engine
knows no operator).
"""

import threading
from functools import partial
from heapq import heappop, heappush, heapreplace
from operator import attrgetter

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.view_chain import dense
from .._base.errors import check_sizes
from .lifted import value_of
from .modes import here, reads_special, set_recording
from .node import NOWHERE, AccumulateGrad, Node, Port, as_pair, rare
from .stacks import LEVELS, on_new_stack
from .storage import INFERENCE, Storage, check_overlap, own
from .tensor import Tensor, inference_write, new, wrap

special = 0
reads_special(globals())

ndarray = np.ndarray
_accumulating = threading.Lock()


class Root(Node):
    """Where a backward pass begins: its edges lead to the tensors whose gradients are given."""

    __slots__ = ()
    lends = True


class Await:
    """A node where more than one gradient is expected: complete when ``left`` is zero."""

    __slots__ = ("node", "left", "g", "mine")

    def __init__(self, node):
        self.node = node
        self.left = 1
        self.g = None  # the sum of what has arrived
        self.mine = False  # whether the engine may write into it


class AwaitSeveral:
    """As ``Await``, for a node of several outputs: a gradient for each."""

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
            self.gs[nr] = g if self.gs[nr] is None else self.gs[nr] + g
        return not self.left


#: In ``awaited``: this end is not on a path to a wanted input.
SKIP = object()


def survey(root):
    """Look over the graph below ``root`` before a run: (where several gradients meet, all nodes)."""
    awaited = {}
    seen = set()
    stack = [root]
    while stack:
        for end in stack.pop()._next:
            if end is None:
                continue
            if end in seen:
                if end in awaited:
                    awaited[end].left += 1
                else:
                    awaited[end] = place = Await(end)
                    place.left = 2
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
            if end._next:
                stack.append(end)
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


class Run:
    """One backward pass, as hooks can ask about it: ``here.run``."""

    __slots__ = (
        "awaited", "seen", "captures", "skips", "outer", "depth", "callbacks", "records", "profiler", "__weakref__",
    )  # fmt: skip

    def __init__(self, awaited, seen, captures, outer, records):
        self.records = records  # whether the gradients can be differentiated again
        self.awaited = awaited
        self.seen = seen
        self.captures = captures  # the gradients that are wanted, if not those of all leaves: see ``run``
        # whether some edges lead to nothing that is wanted
        self.skips = captures is not None and SKIP in awaited.values()
        self.outer = outer  # the run in one of whose nodes or hooks this one runs, or None
        self.depth = 0 if outer is None else outer.depth + 1
        self.callbacks = ()
        self.profiler = here.profiler

    def reaches(self, node):
        """Whether a gradient of what ``node`` made is computed in this pass.

        Raises RuntimeError for a leaf whose gradient ``grad`` returns, which PyTorch does not know about.
        """
        if node not in self.seen or self.awaited.get(node) is SKIP:
            return False
        if node.__class__ is AccumulateGrad and self.captures and self.captures.get((node, 0)) is not None:
            raise RuntimeError(
                "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is currently not "
                "supported."
            )
        return True


def captures_only():
    """Whether any of the runs under way in this thread computes the gradients of some inputs only."""
    run = here.run
    while run is not None and run.captures is None:
        run = run.outer
    return run is not None


def queue_callback(function):
    """Call ``function()`` at the end of the backward pass that runs in this thread; raises RuntimeError if none does."""
    if here.run is None:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    here.run.callbacks = (*here.run.callbacks, function)


def run(ends, grads, xp, keep, capture=None, records=None):
    """Carry ``grads`` from ``ends`` (edges) through the graph.

    ``records``: whether the gradients are to be differentiated again, if ``xp`` does not say so (arrays: no, Tensors: yes).

    Without ``capture``, leaves accumulate into ``.grad``.  With it (a dict from (node, output number) to a place in the returned
    list) only those gradients are computed, and nothing is accumulated, except what ``capture`` maps to None.
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
    if special and here.anomaly is not None:
        for node in seen:
            rare(node)  # anomaly mode examines the nodes that have rare state
    noting = here.origins if special else None
    before = None if noting is None else noting.gradients(seen)
    outer = here.run
    here.run = this = Run(awaited, seen, capture, outer, xp is not arrays if records is None else records)
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
                _outside(arrays, function)
    finally:
        here.run = outer
    if noting is not None:
        noting.accumulated(before)
    return found


def _hooks_of_lone_root(end, g, xp):
    """PyTorch runs the tensor hooks of a single root even if nothing wanted lies below it."""
    node, nr = as_pair(end)
    if node is not None and node._extra is not None:
        _tensor_hooks(
            node, [g if k == nr else None for k in range(node._outputs)] if node._outputs != 1 else g, xp
        )


def _silent_loop(*args):
    with np.errstate(all="ignore"):
        _loop(*args)


def _loop(root, outs, xp, keep, awaited, capture, wanted, run_too, found):
    heap = []
    profiler = here.run.profiler
    skips = here.run.skips or profiler is not None
    leaf, with_hooks, backward = _leaf, _with_hooks, _backward
    if profiler is not None:
        leaf = partial(profiler.leaf, _leaf)
        with_hooks, backward = partial(profiler.node, _with_hooks), partial(profiler.node, _backward)
    node, g = root, None
    while True:
        ready = None
        for n, gi in zip(node._next, outs):
            if n is None:
                continue
            if n in awaited:
                place = awaited[n]
                if place.__class__ is Await:
                    place.left = left = place.left - 1
                    if gi is not None:
                        so_far = place.g
                        if so_far is None:
                            place.g = gi
                            place.mine = is_fresh(gi, g, node)
                        elif place.mine:
                            so_far += gi
                        else:
                            place.g = so_far = so_far + gi
                            place.mine = so_far.__class__ is ndarray
                    if left:
                        continue
                    gi = place.g
                    if n.__class__ is AccumulateGrad:
                        leaf(n, gi, place.mine, xp, capture, found)
                        continue
                elif place is SKIP or not place.arrive(n, gi):
                    continue
                else:
                    n, gi = place.node, place.gs
            elif n.__class__ is AccumulateGrad:
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
            outs = ()
        elif node._extra is not None:
            outs = with_hooks(node, g, xp, keep)
        elif skips:
            outs = backward(node, g, xp, keep)
        elif g is not None or node.takes_none:
            outs = node.backward(xp, g, keep)
        else:
            outs = (None,) * len(node._next)


def is_fresh(gi, g, node):
    """Whether the engine may keep or write into ``gi``, which ``node`` made of ``g``: nobody else can hold it."""
    return gi.__class__ is ndarray and gi is not g and gi.base is None and not node.lends


def _capture(node, g, xp, capture, run_too, found):
    """Take the wanted gradients of ``node``; returns whether the node has to run."""
    runs = True
    taken = False
    for nr in range(node._outputs):
        if (node, nr) in capture:
            if not taken and node not in run_too:
                runs = False
                if node._extra is not None:
                    g = _tensor_hooks(node, g, xp)
            taken = True
            place = capture[node, nr]
            if place is not None:  # None: the tensor itself keeps it, see retain_grad
                found[place] = g if node._outputs == 1 else g[nr]
    return runs


# Leaves ----------------------------------------------------------------------------------------------------------------


def _leaf(node, g, fresh, xp, capture, found):
    """A gradient has arrived at a leaf: keep it for the caller, or accumulate it."""
    extra = node._extra
    if extra is not None:
        before = g
        if extra.wants is not None and g is not None:
            g = xp.astype(g, extra.wants)
        g = _tensor_hooks(node, g, xp)
        fresh = fresh and g is before and not extra.tensor and not extra.pre and not extra.post
    if capture is not None:
        place = capture[node, 0]
        if place is not None:
            found[place] = g
            return
    if extra is not None:
        g = _pre_hooks(node, g, xp)
    if g is not None and not (extra is not None and extra.left and has_left(node)):
        accumulate(node, g, fresh, xp)
    if extra is not None:
        for hook in tuple(extra.accumulated.values()):
            returned = _outside(xp, hook, node.variable)
            if returned is not None and not isinstance(returned, Tensor):
                raise TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'")
        for hook in tuple(extra.post.values()):
            _outside(xp, hook, (), (as_tensor(g, xp),))


def has_left(node):
    """Whether the leaf requires grad no longer: then it gets nothing from older graphs."""
    leaf = node.leaf()
    if leaf is not None and not leaf.is_leaf:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    return leaf is not None and leaf._edge is not node


def accumulate(node, g, fresh, xp):
    """Add ``g`` to the leaf's gradient: in place, but out of place under ``create_graph``."""
    grad = node.grad
    if xp is not arrays:
        if not here.run.records:
            g = value_of(g)
        node.grad = xp.stored_like(g, node.array) if grad is None else xp.add(grad, g)
        return
    if g.__class__ is not ndarray:
        g = np.asarray(g)
    with _accumulating:
        grad = node.grad
        if grad is None:
            tensor = new(Tensor)
            tensor._array = g if fresh and same_layout(g, node.array) else like_leaf(g, node.array)
            tensor._node = None
            tensor._storage = here.fresh
            node.grad = tensor
        else:
            storage = grad._storage
            if storage.shared or storage.repeats:
                storage = storage_to_add_to(grad)
            target = grad._array
            try:
                np.add(target, g, target)
            except ValueError:
                check_sizes(target.shape, g.shape)
                raise
            storage.version += 1


def storage_to_add_to(grad):
    """A storage that counts a write to ``grad``; raises RuntimeError if nothing may be added to it in place."""
    if grad._storage is INFERENCE:
        if not here.inference:
            raise inference_write()
        return Storage()
    check_overlap(grad)
    return own(grad)


def same_layout(g, leaf):
    """Whether ``g`` has the order in memory that the leaf's gradient should have."""
    return g.strides == leaf.strides or (g.flags.c_contiguous and not dense(leaf)) or not here.leaf_layout


def like_leaf(g, leaf):
    """A copy of ``g`` in the leaf's order in memory, where the leaf is dense; else in the order of the indices."""
    if leaf.shape != g.shape and not leaf.flags.c_contiguous:
        check_sizes(g.shape, leaf.shape)
    if leaf.shape == g.shape and not leaf.flags.c_contiguous and dense(leaf):
        out = np.empty_like(leaf)
        out[...] = g
        return out
    return np.array(g, order="C")


# Hooks -----------------------------------------------------------------------------------------------------------------


def as_tensor(g, xp):
    """A gradient as users see it."""
    return g if g is None or xp is not arrays else wrap(np.asarray(g))


def _outside(xp, function, *args):
    """Call a user's function in the grad mode of this backward."""
    was = set_recording(xp is not arrays)
    try:
        return function(*args)
    finally:
        set_recording(was)


def _checked(result, before, hook, xp):
    """A gradient that a hook returned, in the engine's form; raises if it cannot stand for ``before``."""
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    name = getattr(hook, "__name__", "<unknown>")
    if before is not None:
        if result._array.shape != tuple(before.shape):
            raise RuntimeError(f"hook '{name}' has changed the size of value")
        if result.dtype is not as_tensor(before, xp).dtype:
            was, got = (Tensor.internal_type_text(t._array) for t in (as_tensor(before, xp), result))
            raise RuntimeError(f"hook '{name}' has changed the type of value (was {was} got {got})")
    return result._array if xp is arrays else result


def _tensor_hooks(node, g, xp):
    """Run the hooks registered on the tensors that ``node`` made; then keep the gradients of those that retain theirs."""
    extra = node._extra
    if not extra.tensor and not extra.retain:
        return g
    several = node._outputs != 1
    if several:
        g = list(g)
    for nr, hooks in tuple(extra.tensor.items()):
        h = g[nr] if several else g
        for hook in tuple(hooks.values()):
            result = _outside(xp, hook, as_tensor(h, xp))
            if result is not None:
                h = _checked(result, h, hook, xp)
        if several:
            g[nr] = h
        else:
            g = h
    for nr, ref in extra.retain.items():
        tensor = ref()
        h = g[nr] if several else g
        if tensor is not None and h is not None:
            tensor._grad = retained(tensor._grad, h, xp)
    return g


def _pre_hooks(node, g, xp):
    """Run the node's pre-hooks on the tuple of its gradients."""
    several = node._outputs != 1
    for hook in tuple(node._extra.pre.values()):
        gs = tuple(as_tensor(h, xp) for h in (g if several else (g,)))
        results = _outside(xp, hook, gs)
        if results is not None:
            results = _as_many(results, gs, hook)
            _check_nones(results, gs)
            gs = [None if r is None else _checked(r, b, hook, xp) for r, b in zip(results, gs)]
            g = gs if several else gs[0]
    return g


def _as_many(results, expected, hook):
    if not isinstance(results, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(results).__name__}'")
    if len(results) != len(expected):
        name = getattr(hook, "__name__", "<unknown>")
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(results)}, but expected {len(expected)})"
        )
    return results


def _check_nones(results, before):
    if any(b is None and r is not None for r, b in zip(results, before)):
        raise RuntimeError("can't replace a None gradient with a non-None value")


def _with_hooks(node, g, xp, keep):
    """Run a node that has hooks or a retained gradient, or that anomaly mode examines."""
    if special and here.anomaly is not None:
        return here.anomaly.examine(node, g, lambda: _hooked(node, g, xp, keep))
    return _hooked(node, g, xp, keep)


def _hooked(node, g, xp, keep):
    extra = node._extra
    g = _tensor_hooks(node, g, xp)
    g = _pre_hooks(node, g, xp)
    outs = _backward(node, g, xp, keep)
    return _post_hooks(node, g, list(outs), xp) if extra.post else outs


def _backward(node, g, xp, keep):
    """What ``node`` makes of ``g``: without the gradients that this run does not want, where leaving them out saves work."""
    if g is None and not node.takes_none:
        return (None,) * len(node._next)
    run = here.run
    if run.skips and len(node._next) > 1 and not node.computes_all:
        skipped = [run.awaited.get(end) is SKIP for end in node._next]
        if True in skipped:
            edges = tuple([None if skip else end for end, skip in zip(node._next, skipped)])
            return node.backward_towards(edges, xp, g, keep)
    return node.backward(xp, g, keep)


def _post_hooks(node, g, outs, xp):
    """Run the node's hooks on what it made; they see what ``next_functions`` counts, and None where nothing was asked for."""
    if not node.computes_all:
        awaited = here.run.awaited
        outs = [None if end is NOWHERE or awaited.get(end) is SKIP else h for end, h in zip(node._next, outs)]
    places = node.places_of_next()
    gs = tuple(as_tensor(h, xp) for h in (g if node._outputs != 1 else (g,)))
    for hook in tuple(node._extra.post.values()):
        before = tuple(as_tensor(outs[i], xp) for i in places)
        results = _outside(xp, hook, before, gs)
        if results is not None:
            results = _as_many(results, before, hook)
            _check_nones(results, before)
            for i, r, b in zip(places, results, before):
                outs[i] = None if r is None else _checked(r, b, hook, xp)
    # what a hook has seen may be kept by it: nobody else may write to it
    return [h.view() if h.__class__ is ndarray else h for h in outs]


def retained(so_far, h, xp):
    """The gradient kept by ``retain_grad``: the sum of all so far."""
    if xp is not arrays:
        return xp.clone(h) if so_far is None else xp.add(so_far, h)
    if so_far is None:
        return wrap(arrays.clone(h))
    return wrap(so_far._array + h)
