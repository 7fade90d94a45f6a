"""``CompiledFunctionBackward``: the node that a replayed forward records; and ``Recording``, what the nodes of one plan have in common.

A node runs the noted backward for gradients that look as the noted ones did, with values that its own forward has made.  For all others (gradients in another layout, gradients of some results
only, ``create_graph``) the function itself runs once more, with the random numbers and buffers that it had, and its graph is that of eager.
"""

import threading
from typing import Any

import numpy as np

from .._arrays import vocabulary as arrays
from .._base import compiling
from .._base.errors import SECOND_BACKWARD
from .._base.pytree import tree_flatten
from .._core.modes import set_inference, set_recording, thread_state
from .._core.node import Node, latest
from .._core.saved import stale, stale_result
from .._core.views import View
from .conditions import Lines
from .history import Graph, look_of

__all__ = ["CompiledFunctionBackward", "Recording"]

ndarray = np.ndarray


class CompiledFunctionBackward(Node):
    """One call of a compiled function: ``saved`` are the arrays that its backward reads, None after it; ``arguments`` its tensors and ``arrays`` what they had, ``versions`` says what it must find unchanged."""

    __slots__ = ("recording", "saved", "arguments", "arrays", "versions", "before", "lends", "_outputs")

    def backward(self, xp, g, keep):
        """The gradients along all edges."""
        self._check()
        recording, saved = self.recording, self.saved
        run = None
        if xp is arrays:
            if g.__class__ is ndarray:
                run, gs = recording.ways.get((g.strides, g.dtype.char)), (g,)
            elif g.__class__ is list and all(x is None or x.__class__ is ndarray for x in g):
                run, gs = recording.ways.get(tuple(map(look_of, g))), g
        if run is None:
            outs = recording.eagerly(self, xp, g, keep)
        else:
            with recording.lock:
                outs = run(saved, gs)
        if not keep:
            self._free()
        return outs

    def unreached(self, xp, keep):
        """What goes along the edges if no gradient has arrived: none."""
        self._check()
        if not keep:
            self._free()
        return (None,) * len(self._next)

    def _check(self):
        if self.saved is None:
            raise RuntimeError(SECOND_BACKWARD)
        recording = self.recording
        if (versions := recording.versions(self.arguments, self._storage)) != self.versions:
            recording.check(self, versions)

    def _free(self):
        self.saved = self.arguments = self.arrays = self.before = None


def _tensor(x, lines):
    return f"arguments[{x}]" if x.__class__ is int else lines.name(x)


def _history(x):
    """Where gradients of ``x`` go, whether it is a view or not."""
    return x._node.node if x._node.__class__ is View else x._node


def _set_history(x, end):
    if x._node.__class__ is View:
        x._node.node = end
    else:
        x._node = end


class Recording:
    """What the nodes of one plan share.  ``ways`` has, by the look of the gradients, a function of the saved arrays and of the gradients."""

    def __init__(self, function, rebuild, numbers, ends, required_grad):
        self.function = function
        self.rebuild = rebuild  # makes args and kwargs of a call of its tensors
        self.numbers = numbers  # which leaves of the result have a gradient
        self.ends = ends  # where edges lead: numbers of arguments, or nodes
        self.required_grad = required_grad  # whether each argument does, before the call
        self.fits: Any = None  # whether the function would do the same again for these tensors
        self.came: Any = None  # is told of looks for which there is no way
        self.ways: dict = {}
        self.lends = False
        self.lock = threading.Lock()
        #: what must be as it was: arguments by number, and other tensors; whether eager's graph would have saved it
        self.followed: list = []
        self.results: list = []  # (number, place) of the results that eager's graph would have saved
        self.overwritten: list = []  # tensors that the forward writes to
        self.generators: list = []  # those that it draws from
        self.versions: Any = (
            None  # a function: versions and data of what must be as it was, of a node with these arguments
        )

    def seal(self):
        """All is known: write the function that asks for versions."""
        lines = Lines("arguments, storage")
        terms = [f"{_tensor(x, lines)}._storage.version" for x, _ in self.followed]
        for k, _ in self.results:
            terms.append("storage.version" if len(self.numbers) == 1 else f"storage[{k}].version")
        for x, _ in self.followed:  # eager would go on with data that is set: here the old ones are bound
            tensor = _tensor(x, lines)
            terms.append(
                f"id({tensor}._array)" if x.__class__ is int else f"{tensor}._array is {lines.name(x._array)}"
            )
        lines.append(f"return [{', '.join(terms)}]")
        self.versions = lines.function()

    def before(self):
        """What the forward is about to change, as it is: copies of arrays, and states of generators."""
        return [x._array.copy("K") for x in self.overwritten], [g.state_bytes() for g in self.generators]

    def check(self, node, versions):
        """Raise RuntimeError if what eager's graph would have saved has been written to, or has other data."""
        shown = [watched for _, watched in self.followed] + [True] * len(self.results)
        for i, (was, now, watched) in enumerate(zip(node.versions, versions, shown)):
            if was == now or not watched:
                continue
            if i < len(self.followed):
                x = self.followed[i][0]
                raise stale(node.arguments[x] if x.__class__ is int else x, was)
            number, place = self.results[i - len(self.followed)]
            storage = node._storage[number] if node._outputs > 1 else node._storage
            raise stale_result(node, place, was, storage, number)
        data = slice(len(shown), None)
        for (_, watched), was, now in zip(self.followed, node.versions[data], versions[data]):
            if was != now and watched:
                raise RuntimeError(
                    "the data of a tensor that a compiled function has saved for its backward has been set since; call backward before setting it, "
                    "or do not compile the function"
                )

    def eagerly(self, node, xp, g, keep):
        """The gradients along all edges, by the graph that eager would have."""
        gs = g if node._outputs > 1 else [g]
        plain = xp is arrays and all(x is None or x.__class__ is ndarray for x in gs)
        self.came(tuple(map(look_of, gs)) if plain else None)
        if self.versions(node.arguments, node._storage) != node.versions or not self.fits(node.arguments):
            raise RuntimeError(
                "this backward asks for gradients that the compiled function has not computed before, so its forward must run again, but what it depends on "
                "has changed since; call backward before changing it, or do not compile the function"
            )
        graph = self._graph(node)
        if len(graph.out) != len(self.ends):
            raise RuntimeError("a compiled function did not do the same again")
        return graph.gradients(gs, xp, keep, thread_state.run.records)

    def _return_histories(self, node):
        """Give arguments of a call that have been detached, frozen or marked since the history that they had in it."""
        for i, (x, required) in enumerate(zip(node.arguments, self.required_grad)):
            if x.requires_grad is not required:
                _set_history(x, node._next[self.ends.index(i)] if i in self.ends else None)

    def _graph(self, node):
        """The graph of a call that does again what the node's call did."""
        arrays_before, states_before = node.before
        now = [(x._array, x._array.copy("K"), x._storage, x._storage.version) for x in self.overwritten]
        states = [generator.state_bytes() for generator in self.generators]
        recording, inference = set_recording(True), set_inference(False)
        histories = [(x, _history(x)) for x in node.arguments]
        try:
            self._return_histories(node)
            for x, array in zip(self.overwritten, arrays_before):
                x._array[...] = array
            for generator, state in zip(self.generators, states_before):
                generator.load_state_bytes(state)
            since = latest()
            args, kwargs = self.rebuild(node.arguments)
            with compiling.switched_off_here():
                leaves, _ = tree_flatten(self.function(*args, **kwargs))
        finally:
            set_recording(recording)
            set_inference(inference)
            for x, history in histories:
                _set_history(x, history)
            for array, elements, storage, version in now:
                array[...] = elements
                storage.version = version
            for generator, state in zip(self.generators, states):
                generator.load_state_bytes(state)
        graph = Graph([leaves[i] for i in self.numbers], since)
        for i, each in enumerate(graph.nodes):  # as old as the node, youngest first
            each._seq = node._seq - (i + 1) / (len(graph.nodes) + 1)
        return graph
