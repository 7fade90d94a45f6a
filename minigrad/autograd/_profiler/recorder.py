"""``Recorder``: notes every operator, backward node and user's range of one thread while it is on.

A note is a tuple of plain values, made in about a microsecond; ``build_events.py`` makes events of the notes afterwards.  Operators are seen by a
watcher (``_core/interpret.py``), nodes through ``thread_state.profiler``, which the engine asks once per backward pass.
"""

import sys
from collections.abc import Callable
from threading import get_ident
from time import perf_counter_ns as now
from time import time_ns
from typing import Any
from weakref import ref

from numpy import ndarray

from ..._core.modes import thread_state, unwatch, watch
from ..._core.node import AccumulateGrad, Port, tick
from ..._core.tensor import Tensor
from ..._core.views import View
from .composites import hide, show
from .event_names import names_of, overload_of
from .input_shapes import snapshot
from .memory_categories import MemoryCategories, owner_of
from .source import stack_of

#: What a note is about.
OPERATOR, NODE, PASSED, RANGE, CALL = range(5)  # PASSED: a leaf whose gradient somebody else takes


def sequence_nr(result):
    """The sequence number of the node that made a result; -1 if none did."""
    if result.__class__ is tuple or result.__class__ is list:
        result = result[0] if result else None
    if not isinstance(result, Tensor):
        return -1
    node = result._node
    if node.__class__ is View:
        node = node.node
    if node is None or node.__class__ is AccumulateGrad:
        return -1
    return node.node._seq if node.__class__ is Port else node._seq


class Recorder:
    """Notes what runs in the thread that calls ``start``, until it calls ``stop``.

    ``notes`` holds tuples (kind, start, end, thread, what, sequence number, detail), with times in ns; ``memory`` holds (time, bytes, thread) of
    each array that was made (or, with bytes below zero, freed) meanwhile.
    """

    def __init__(
        self,
        shapes: bool = False,
        memory: bool = False,
        stacks: bool = False,
        modules: bool = False,
        overloads: bool = False,
    ) -> None:
        self.shapes, self.stacks, self.modules, self.overloads = shapes, stacks, modules, overloads
        self.details = shapes or stacks or modules or overloads
        self.notes = []
        self.open = []  # (start, name) of the user's ranges that have begun
        self.memory = []
        self.alive: Any = {} if memory else None  # id of each array noted -> weak reference to it
        # what each array is for: id -> a record; only where all is noted that export_memory_timeline needs
        self.memory_categories = MemoryCategories() if memory and shapes and stacks else None
        self.latest = tick()  # the highest sequence number so far: what has no higher one made no node
        self.outer = None
        self.started = self.stopped = 0
        self.started_wall = 0  # in nanoseconds since 1970

    def start(self) -> None:
        """Begin."""
        show()
        enter(self)
        self.started_wall, self.started = time_ns(), now()

    def stop(self) -> None:
        """End."""
        self.stopped = now()
        self.notes += [(RANGE, start, self.stopped, get_ident(), name, -1, None) for start, name in self.open]
        leave(self)
        hide()
        if self.alive is not None:
            self.alive.clear()

    def paused(self, pause: Any) -> None:
        """Stop to note what runs, or go on."""
        if pause:
            leave(self)
        elif not self.stopped and not is_on(self):
            enter(self)

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """An operator: see ``_core/interpret.py``."""

        def timed():
            result = None
            start = now()
            try:
                result = proceed()
                return result
            finally:
                end = now()
                seq = sequence_nr(result)
                if seq > self.latest:
                    self.latest = seq
                else:
                    seq = self.none_made() if thread_state.recording else -1
                names = names_of(cls, operands, params, writes)
                detail = self.detail(cls, operands, params, writes, result) if self.details else None
                self.notes.append((OPERATOR, start, end, get_ident(), names, seq, detail))
                if self.alive is not None:
                    self.made(result, end, operands)
                if self.memory_categories is not None:
                    self.memory_categories.of_operator(result, end, operands)

        return timed

    def node(self, function: Callable[..., Any], node: Any, g: Any, xp: Any, keep: Any) -> Any:
        """A node of a backward pass: ``function(node, g, xp, keep)`` runs it."""
        if self.outer is not None:
            function = _through(self.outer.node, function)
        outs = None
        start = now()
        try:
            outs = function(node, g, xp, keep)
            return outs
        finally:
            end = now()
            gradients = g if node._outputs != 1 else (g,)
            detail = self.detail(None, gradients, (), False, outs) if self.details else None
            self.notes.append((NODE, start, end, get_ident(), node.name(), node._seq, detail))
            if self.alive is not None and outs is not None:
                self.made(outs, end, gradients)
            if self.memory_categories is not None:
                self.memory_categories.of_node(
                    (*gradients, *(outs if isinstance(outs, (tuple, list)) else (outs,))), end
                )

    def leaf(
        self, function: Callable[..., Any], node: Any, g: Any, fresh: Any, xp: Any, capture: Any, found: Any
    ) -> None:
        """The end of a backward pass at a leaf: ``function`` accumulates the gradient."""
        if self.outer is not None:
            function = _through(self.outer.leaf, function)
        start = now()
        try:
            function(node, g, fresh, xp, capture, found)
        finally:
            end = now()
            detail = self.detail(None, (g,), ()) if self.details else None
            kind = NODE if capture is None or capture[node, 0] is None else PASSED
            self.notes.append((kind, start, end, get_ident(), node.name(), -1, detail))
            if self.alive is not None and node.grad is not None:
                self.made(node.grad, end, (g,))
            if self.memory_categories is not None:
                self.memory_categories.of_leaf(node.grad, end)

    def called(self, name: str, start: Any, result: Any, args: Any) -> None:
        """Note a call of a function that is no operator, such as the forward of a custom Function: it began at ``start``."""
        end = now()
        if start >= self.started:
            detail = self.detail(None, args, (), False, result) if self.details else None
            seq = self.sequence_of(result)
            if (
                seq < 0
                and thread_state.recording
                and not name.endswith("_like")  # which PyTorch does not let autograd see
                and any(isinstance(x, Tensor) for x in args)
            ):
                seq = self.none_made()
            self.notes.append((CALL, start, end, get_ident(), name, seq, detail))
            if self.alive is not None:
                self.made(result, end, args)
            if self.memory_categories is not None:
                self.memory_categories.of_operator(result, end, args)
        if self.outer is not None:
            self.outer.called(name, start, result, args)

    def sequence_of(self, result: Any) -> Any:
        """The number of the node that was recorded last, if it made ``result``: by the call, or before; -1 if something older did, or nothing."""
        seq = sequence_nr(result)
        self.latest = max(self.latest, seq)
        return seq if seq == self.latest else -1

    def none_made(self) -> Any:
        """What is noted instead of a number for an operator that could have recorded a node, but did not.

        PyTorch gives it the number of the next node; that number, from -2 downwards, tells it from those of nodes.
        """
        return -3 - self.latest

    def entered(self, name: str) -> None:
        """A user's range begins: it is noted when it ends."""
        self.open.append((now(), name))
        if self.outer is not None:
            self.outer.entered(name)

    def ranged(self, name: str, start: Any, args: Any = None) -> None:
        """Note a user's range that began at ``start``, if this recorder was on by then."""
        if start >= self.started:
            end = now()
            detail = self.detail(None, () if args is None else (args,), ()) if self.details else None
            self.notes.append((RANGE, start, end, get_ident(), name, -1, detail))
            for i in reversed(range(len(self.open))):
                if self.open[i][1] == name:
                    del self.open[i]
                    break
        if self.outer is not None:
            self.outer.ranged(name, start, args)

    def detail(self, cls: Any, operands: Any, params: Any, writes: bool = False, result: Any = None) -> Any:
        """What is noted beyond times, of an operator or (``cls`` is None) of a node's gradients: (stack, overload, values, *inputs).

        ``values`` are what an execution trace shows, ``inputs`` three entries for each (see ``snapshot``).  Notes are flat tuples of plain values:
        the garbage collector goes through many of them only once.
        """
        inputs, stack, overload = [], (), ""
        if self.shapes:
            arguments = operands if cls is None else arguments_of(cls, operands, params)
            for x in arguments:
                inputs += snapshot(x)
        if self.stacks or self.modules:
            stack = tuple(stack_of(sys._getframe(2), not self.stacks))
        if self.overloads and cls is not None:
            overload = overload_of(cls, operands, params, writes)
        return stack, overload, None, *inputs

    def made(self, result: Any, time: Any, operands: Any) -> None:
        """Note the memory of the arrays in ``result`` that nobody held before."""
        known_before = {id(owner_of(x)) for x in operands if isinstance(x, (Tensor, ndarray))}
        for x in result if isinstance(result, (tuple, list)) else (result,):
            owner = owner_of(x)
            if owner.__class__ is not ndarray or id(owner) in known_before or id(owner) in self.alive:
                continue
            self.alive[id(owner)] = ref(owner, self._on_freed(id(owner), owner.nbytes))
            self.memory.append((time, owner.nbytes, get_ident()))

    def _on_freed(self, key, nbytes):
        alive, memory = self.alive, self.memory

        def freed(_):
            if alive.pop(key, None) is not None:
                memory.append((now(), -nbytes, get_ident()))

        return freed


def enter(profiler):
    """Let ``profiler`` see what this thread runs; one that is on already sees it as well, as ``profiler.outer``."""
    profiler.outer = thread_state.profiler
    watch(profiler.watcher)
    thread_state.profiler = profiler


def is_on(profiler):
    """Whether ``profiler`` sees what this thread runs."""
    found = thread_state.profiler
    while found is not None and found is not profiler:
        found = found.outer
    return found is not None


def leave(profiler):
    """Undo ``enter``, even if others have been entered since."""
    if not is_on(profiler):
        return
    if thread_state.profiler is profiler:
        thread_state.profiler = profiler.outer
    else:
        inner = thread_state.profiler
        while inner.outer is not profiler:
            inner = inner.outer
        inner.outer = profiler.outer
    profiler.outer = None
    unwatch(profiler.watcher)


def _through(outer, function):
    return lambda *args: outer(function, *args)


def arguments_of(cls: Any, operands: Any, params: Any) -> Any:
    """The inputs of an op in the order of its function."""
    return (list(operands), *params) if cls.variadic else (*operands, *params)
