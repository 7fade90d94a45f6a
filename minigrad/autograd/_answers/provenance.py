"""``Provenance``: what is noted in one thread under ``record_origins`` and anomaly mode.

Of a node: the line that recorded it, and which histories it cannot see because they were cut off before.  Of a tensor without history: how it came
about.  Of a write in place: the line.  All notes are text and weak references: they keep nothing alive.
"""

import sys
import weakref
from collections import deque

import numpy as np

from ..._arrays.memory_layout import owner_of
from ..._base.dtypes import FLOATING
from ..._core.modes import thread_state, unwatch, watch
from ..._core.node import AccumulateGrad, Node, Port, as_pair
from ..._core.observers import observe, unobserve
from ..._core.storage import NUMBER
from ..._core.tensor import Tensor
from ..._core.views import View
from .._origins import Made, Write, origin_at, writes_to
from .._profiler.composites import hide, show
from .._profiler.event_names import names_of
from .saved_values import node_of

__all__ = ["counted", "cuts_in", "cuts_of", "start", "stop"]

_MOST_WRITES = 256  # noted per storage
_MOST_CAUSES = 8  # noted per tensor
_MOST_NUMBERS = 1000  # of those that left tensors
#: The functions that make a tensor of Python's or NumPy's values.
_OF_DATA = {
    "Tensor",
    "tensor",
    "as_tensor",
    "asarray",
    "from_numpy",
    "frombuffer",
    "new_tensor",
    "scalar_tensor",
}
#: Those that make one of sizes.
_CREATING = {
    *("arange", "eye", "linspace", "logspace", "multinomial", "randint", "randint_like", "randperm"),
    *(
        f"{name}{form}"
        for name in ("empty", "full", "ones", "rand", "randn", "zeros")
        for form in ("", "_like")
    ),
    *("empty_strided", "new_empty", "new_empty_strided", "new_full", "new_ones", "new_zeros"),
}
#: Those that give Python's or NumPy's values of a tensor.
_TO_DATA = {"item", "tolist", "numpy", "__array__", "__float__"}


def start():
    """Note what this thread records, makes and writes to, until ``stop`` has been called as often."""
    provenance = thread_state.origins
    if provenance is None:
        show()
        provenance = thread_state.origins = Provenance()
        watch(provenance.watcher)
        observe(provenance.node)
    provenance.depth += 1


def stop():
    """Undo one ``start``."""
    provenance = thread_state.origins
    provenance.depth -= 1
    if not provenance.depth:
        thread_state.origins = None
        unobserve(provenance.node)
        unwatch(provenance.watcher)
        hide()


class Provenance:
    """What notes all this in one thread: ``thread_state.origins``."""

    def __init__(self):
        self.depth = 0
        self.writing = ""  # the function that writes just now
        self.known = {}  # see origin_at
        self.left = {}  # id of a number, or of the owner of an array, that came of a tensor -> (it or a weak reference, notes)
        self.off = None  # the line that switched recording off
        self.found: weakref.WeakKeyDictionary[Node, tuple] = weakref.WeakKeyDictionary()

    def __del__(self):
        if self.depth:  # the thread has ended meanwhile
            hide()

    def origin(self, frame):
        """The line of the user's program that runs ``frame``."""
        return origin_at(frame, self.known)

    # What is recorded, and written to ----------------------------------------------------------------------------------------

    def node(self, node):
        """Note where ``node`` was recorded: just now."""
        origin = self.origin(sys._getframe(1))
        if origin is not None:
            node.metadata["origin_"] = origin

    node.whole_layers = True  # type: ignore[attr-defined]

    def note_write(self, storage):
        """Note where ``storage`` was written to: just now."""
        writes = getattr(storage, "writes", None)
        if writes is None:
            writes = storage.writes = deque(maxlen=_MOST_WRITES)
        writes.append(Write(storage.version, self.writing, self.origin(sys._getframe(1))))

    def switched(self, on):
        """Note where recording was switched off: just now.  Where a block ends that had switched it on, that is no longer known."""
        frame = sys._getframe(2)
        leaving = frame.f_code.co_name == "__exit__"
        self.off = None if on or leaving else self.origin(frame)

    def watcher(self, cls, operands, params, proceed, writes):
        """An operator: see ``_core/interpret.py``."""

        def look():
            tensors = [x for x in operands if isinstance(x, Tensor)]
            versions = [counted(x._storage) for x in tensors]
            requiring = [x for x in tensors if has_history(x)]
            indices = [t for p in params for t in getattr(p, "tensors", ()) if isinstance(t, Tensor)]
            name = names_of(cls, operands, params, writes)[0].partition("::")[2]
            beside = causes_of(indices, self.come_back((*operands, *params)) if self.left else ())
            outer, self.writing = self.writing, name
            try:
                result = proceed()
                for x, version in zip(tensors, versions):
                    known_writes = writes_to(x._storage)
                    if counted(x._storage) > max(version, known_writes[-1].version if known_writes else 0):
                        self.note_write(x._storage)  # which bump was not told of
            finally:
                self.writing = outer
            if not thread_state.levels:
                for r in result if isinstance(result, (tuple, list)) else (result,):
                    if isinstance(r, Tensor):
                        self.result(r, name, tensors, requiring, cls, writes, beside)
            return result

        return look

    watcher.whole_layers = True  # type: ignore[attr-defined]

    def gradients(self, nodes):
        """The gradients of the leaves among ``nodes`` before a backward: what ``accumulated`` takes."""
        return [
            (node, node.grad, 0 if node.grad is None else counted(node.grad._storage))
            for node in nodes
            if node.__class__ is AccumulateGrad
        ]

    def accumulated(self, before):
        """Note which of these gradients a backward has made or added to."""
        for node, grad, version in before:
            if node.grad is None or node.grad._wrapped:
                continue
            if node.grad is not grad:
                self.without_history(node.grad, Made("gradient", "backward", self.origin(sys._getframe(1))))
            elif counted(grad._storage) > version:
                outer, self.writing = self.writing, "backward"
                self.note_write(grad._storage)
                self.writing = outer

    # What has no history -----------------------------------------------------------------------------------------------------

    def result(self, r, name, tensors, requiring, cls, writes, beside):
        """Note of ``r``, which the op ``cls`` made of ``tensors``, why it has no history, or which histories it cannot see."""
        if not writes and any(r is x for x in tensors):
            return
        causes = causes_of([x for x in tensors if all(x is not y for y in requiring)], beside)
        if has_history(r):
            note_cuts(r, causes)
            return
        origin = self.origin(sys._getframe(1))
        if requiring:
            reason, detail = self.reason(r, cls), ""
            if reason == "integer":
                detail = r.dtype.name
            elif reason == "no_grad" and self.off is not None and self.off != origin:
                detail = str(self.off)
            r._provenance = self.cut(reason, name, origin, requiring, causes, detail)
        elif not writes or r._provenance is None or any(made is not r._provenance for made in causes):
            r._provenance = Made("no_operand", name, origin, causes=causes)
        view = r._node
        if writes and view.__class__ is View and not has_history(view.base):
            view.base._provenance = Made("no_operand", name, origin, causes=causes_of([r]))

    def reason(self, r, cls):
        """Why ``r`` does not require grad, though an operand does."""
        if thread_state.inference:
            return "inference"
        if not thread_state.recording:
            return "no_grad"
        return "integer" if r.dtype.category < FLOATING else "not_differentiable"

    def cut(self, reason, name, origin, requiring, causes=(), detail=""):
        """The note of a tensor that does not have the history of the tensors ``requiring``, nor of ``causes``."""
        ends: frozenset = frozenset()
        earlier: tuple = ()
        for x in requiring:
            node = node_of(x)
            if node is None:
                continue
            leaves, cuts = self.below(node)
            ends, earlier = ends | leaves | {weakref.ref(node)}, (*earlier, *cuts)
        for made in causes:
            earlier = (*earlier, *cuts_in(made))
        return Made(reason, name, origin, ends, (), merged(earlier), detail)

    def below(self, root):
        """Weak references to the leaves that a node leads to, and the cuts on the way; what was found before is not looked for again."""
        leaves: set = set()
        cuts: list = []
        seen = {root}
        stack = [root]
        while stack:
            node = stack.pop()
            if node is None:
                continue
            if node.__class__ is AccumulateGrad:
                leaves.add(weakref.ref(node))
                continue
            known = self.found.get(node)
            if known is not None:
                leaves |= known[0]
                cuts += known[1]
                continue
            cuts += cuts_of(node)
            for edge in node._next:
                end = edge.node if edge.__class__ is Port else edge
                if end not in seen:
                    seen.add(end)
                    stack.append(end)
        found = frozenset(leaves), merged(cuts)
        if root is not None and root.__class__ is not AccumulateGrad:
            self.found[root] = found
        return found

    def without_history(self, tensor, made):
        """Note how ``tensor`` came about, if it does not require grad."""
        if isinstance(tensor, Tensor) and not tensor._wrapped and not tensor.requires_grad:
            tensor._provenance = made

    # Functions that are no operators -----------------------------------------------------------------------------------------

    def calling(self, name, args):
        """Before a function that is no operator runs: the tensors among its arguments that require grad, as a note of a cut; what the others come from."""
        if name in ("requires_grad_", "requires_grad") and not (len(args) > 1 and args[1] is False):
            return None
        tensors = [x for x in _flat(args[1] if name == "record" else args) if not x._wrapped]
        requiring = [x for x in tensors if has_history(x)]
        causes = causes_of([x for x in tensors if not has_history(x)])
        return self.cut(name, name, None, requiring) if requiring else None, causes

    def called(self, name, result, args, before):
        """A function of ``_profiler/composites.py`` has run; ``before``: what ``calling`` said of it."""
        if thread_state.levels or before is None:
            return
        origin = self.origin(sys._getframe(1))
        cut, causes = before
        if cut is not None:
            cut = cut._replace(origin=origin)
        if name in ("detach_", "requires_grad_", "requires_grad"):
            if cut is not None:
                self.without_history(args[0], cut)
        elif name in ("detach", "data"):
            self.without_history(result, cut or Made("no_operand", name, origin, causes=causes))
        elif name == "Parameter":
            if result.requires_grad:
                cuts = ([cut] if cut else []) + [each for made in causes for each in cuts_in(made)]
                note_cuts(
                    result, [Made("Parameter", name, origin, each.ends) for each in cuts[:1]] + cuts[1:]
                )
            elif cut is None and not causes:
                result._provenance = Made("created", name, origin)
            else:
                result._provenance = cut or Made("no_operand", name, origin, causes=causes)
        elif name in _TO_DATA:
            self.leave(
                result, (cut._replace(reason="left"),) if cut else tuple(m for m in causes if cuts_in(m))
            )
        elif name == "grad":
            for g in result.values() if isinstance(result, dict) else result:
                self.without_history(g, Made("gradient", name, origin))
        elif name == "record":
            self.function(args, result, origin, cut, causes)
        elif name in _OF_DATA:
            if args and result is args[0]:
                return
            made = Made("values", name, origin) if cut is None else cut._replace(reason="copied")
            back = self.come_back(args) if self.left else ()
            self.without_history(result, made._replace(causes=merged((*causes, *back))))
        elif name == "multinomial" and cut is not None:
            self.without_history(result, cut._replace(reason="integer", detail=result.dtype.name))
        elif name in _CREATING:
            self.without_history(result, Made("created", name, origin))

    def leave(self, values, notes):
        """Note that values came of a tensor that has a history, or was cut off one: a number, a list of numbers or an array."""
        if not notes:
            return
        if len(self.left) > _MOST_NUMBERS:
            self.left.clear()
        if type(values) is float:  # others may be one object for everybody
            self.left[id(values)] = values, notes
        elif type(values) is list:
            for value in values[:_MOST_NUMBERS]:
                self.leave(value, notes)
        elif isinstance(values, np.ndarray):
            owner = owner_of(values)
            self.left[id(owner)] = weakref.ref(owner), notes

    def come_back(self, values):
        """The notes of such values among others."""
        found = []
        for value in values:
            if type(value) is float:
                there, notes = self.left.get(id(value), (None, ()))
                found += notes if there is value else ()
            elif type(value) in (list, tuple):
                found += self.come_back(value[:_MOST_NUMBERS])
            elif isinstance(value, np.ndarray):
                owner = owner_of(value)
                there, notes = self.left.get(id(owner), (None, ()))
                found += notes if isinstance(there, weakref.ref) and there() is owner else ()
        return merged(found)

    def function(self, args, result, origin, cut, causes):
        """A custom Function has been applied: ``args`` are those of ``function_forward.record``."""
        node, tracked = args[0], args[3]
        name = node.name().removesuffix("Backward")
        for r in result if isinstance(result, tuple) else (result,):
            if not isinstance(r, Tensor) or r._wrapped:
                continue
            if r.requires_grad:
                note_cuts(r, causes)
                continue
            if cut is None:
                r._provenance = Made("no_operand", name, origin, causes=causes)
                continue
            reason, detail = "function", ""
            if not tracked:
                reason = "inference" if thread_state.inference else "no_grad"
                detail = "" if self.off is None or self.off == origin else str(self.off)
            elif r.dtype.category < FLOATING:
                reason, detail = "integer", r.dtype.name
            r._provenance = cut._replace(reason=reason, function=name, detail=detail)


def has_history(tensor):
    """Whether a gradient goes through ``tensor``; not through a view made without recording, though it requires grad."""
    view = tensor._node
    return tensor.requires_grad and not (
        view.__class__ is View and view.node is None and view.meta in ("no_grad", "inference")
    )


def causes_of(tensors, more=()):
    """What tensors that do not require grad come from, and ``more`` notes; those that were cut off a history first."""
    found = list(more)
    for x in tensors:
        if x._storage is NUMBER:
            continue
        made = x._provenance
        base = x._base
        if base is not None and base._provenance is not None:
            found += (
                base._provenance.causes if base._provenance.reason == "no_operand" else (base._provenance,)
            )
            if made is None:
                continue
        if made is None:
            if x.dtype.category >= FLOATING:
                found.append(Made("unknown"))
        elif made.reason == "no_operand":
            found += made.causes
        elif made.ends or made.earlier or x.dtype.category >= FLOATING:
            found.append(made)
    return merged(found)


def merged(notes):
    """Notes, those of one function and line as one, those of histories that were cut off first; not more than a few."""
    found = {}
    for made in notes:
        key = made.reason, made.function, made.origin
        known = found.get(key)
        if known is None:
            found[key] = made
        elif known is not made:
            ends = frozenset(ref for ref in known.ends | made.ends if ref() is not None)
            earlier = known.earlier
            if made.earlier != earlier:
                earlier = merged((*earlier, *made.earlier))
            found[key] = known._replace(ends=ends, earlier=earlier)
    return tuple(sorted(found.values(), key=lambda made: not made.ends)[:_MOST_CAUSES])


def cuts_in(made):
    """A note and those before it, as far as histories were cut off there."""
    found = [made._replace(causes=(), earlier=())] if made.ends else []
    found += [each for each in made.earlier if each.ends]
    for cause in made.causes:
        found += cuts_in(cause)
    return found


def cuts_of(node):
    """The histories that were cut off what ``node`` was made of."""
    extra = node._extra
    return () if extra is None or extra.metadata is None else extra.metadata.get("cuts_", ())


def note_cuts(tensor, notes):
    """Note on the node of ``tensor`` the histories that were cut off what it was made of."""
    cuts = [each for made in notes for each in cuts_in(made)]
    if not cuts:
        return
    end = tensor._node  # as it was last derived
    nodes = [as_pair(end.node), as_pair(end.base._node)] if end.__class__ is View else [as_pair(end)]
    for node, _ in nodes:
        if node is not None:
            node.metadata["cuts_"] = merged((*cuts_of(node), *cuts))


def counted(storage):
    """The version of a storage; 0 for one that counts none."""
    return 0 if storage.shared else storage.version


def _flat(args):
    """The tensors among arguments, and in lists among them."""
    found = []
    for x in args:
        if isinstance(x, Tensor):
            found.append(x)
        elif isinstance(x, (list, tuple)) and len(x) < 1000:
            found += _flat(x)
    return found
