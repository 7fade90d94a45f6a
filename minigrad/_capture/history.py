"""``History``: how gradients go back through a call that was noted in grad mode, noted behind it, for gradients of its results that look in given ways.

In a replay one node stands for all that the call records.  So that sums have eager's order, and with it eager's bits, nothing is summed where gradients leave the call: each edge
that leads out of its graph is an edge of that node.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .._arrays import vocabulary as arrays
from .._arrays.memory_layout import address
from .._arrays.traced import Leak, Traced
from .._base.pytree import tree_flatten
from .._core import engine
from .._core.families import Op
from .._core.node import NOWHERE, AccumulateGrad, Port
from .._core.storage import FRESH
from .._core.tensor import Tensor
from .._core.views import AsStridedBackward0, CopySlices, View

__all__ = ["Graph", "History", "Way", "look_of", "node_of", "results_with_history"]

ndarray = np.ndarray


def look_of(g):
    """What the noted backward depends on, of the gradient of one result: None if there is none."""
    return None if g is None else (g.strides, g.dtype.char)


def results_with_history(leaves, given):
    """The numbers of those leaves of a result that a call has made and that require grad, each tensor once; ``given`` has the ids of others."""
    seen = set(given)
    found = []
    for i, x in enumerate(leaves):
        if isinstance(x, Tensor) and id(x) not in seen and x.requires_grad:
            seen.add(id(x))
            found.append(i)
    return found


class Graph:
    """What a call has recorded after number ``since``: from the edges ``ends`` of its results to the edges that lead out."""

    def __init__(self, results, since):
        self.ends = [x._edge for x in results]
        seen: dict[Any, None] = {}
        stack = [node_of(end) for end in self.ends]
        if not all(_is_inside(node, since) for node in stack):
            raise Leak("it returns a tensor that requires grad, which no op of it made")
        while stack:
            node = stack.pop()
            if node not in seen and _is_inside(node, since):
                seen[node] = None
                stack += [node_of(end) for end in node._next]
        self.nodes = sorted(seen, key=lambda node: -node._seq)
        #: (node, which of its edges, where that leads), in the order in which gradients arrive
        self.out = [
            (node, i, end)
            for node in self.nodes
            for i, end in enumerate(node._next)
            if end is not None and node_of(end) not in seen
        ]

    def gradients(self, gs, xp, keep, records=None):
        """The gradient along each edge that leads out, None where nothing comes; ``gs`` has those of the results, None for those that have none."""
        stubs = [_stub() for _ in self.out]
        edges = {}
        for (node, i, _), stub in zip(self.out, stubs):
            edges.setdefault(node, (node._next, [*node._next]))[1][i] = stub
        begins = [(end, g) for end, g in zip(self.ends, gs) if g is not None]
        capture = {(stub, 0): i for i, stub in enumerate(stubs)}
        for node, (_, others) in edges.items():
            node._next = tuple(others)
        try:
            return engine.run(
                tuple([end for end, _ in begins]), [g for _, g in begins], xp, keep, capture, records
            )
        finally:
            for node, (own, _) in edges.items():
                node._next = own


def node_of(end):
    """The node to which an edge leads."""
    return end.node if end.__class__ is Port else end


def _is_inside(node, since):
    return (
        node is not None
        and node is not NOWHERE
        and node.__class__ is not AccumulateGrad
        and node._seq > since
    )


def _stub():
    """An end of the graph of which the engine hands out what arrives."""
    stub = AccumulateGrad()
    stub._seq = (1 << 64) - 1
    stub._extra = stub.grad = stub.array = None
    stub._storage, stub.cls = FRESH, Tensor
    stub.leaf = lambda: None
    return stub


class Way:
    """The backward for gradients of one look: the numbers of its steps in the program; ``given``, the places of the gradients; ``found``, those of what goes along the edges."""

    def __init__(self, steps, given, found):
        self.steps = steps
        self.given = given
        self.found = found


class History:
    """The graph of a call under ``capturing``, whose ``result`` is here; ``looks`` says for which gradients the backward is noted.

    Raises Leak where a replay could not do the same.
    """

    def __init__(self, capturing, result, since, looks):
        self.cut = len(capturing.program.steps)  # where the forward ends
        program = capturing.program
        leaves, _ = tree_flatten(result)
        arguments = {id(x): i for i, x in enumerate(capturing.arguments)}
        self.numbers = results_with_history(leaves, (*arguments, *capturing.touched))
        results = [leaves[i] for i in self.numbers]
        graph = Graph(results, since)
        self.ends = [self._end(end, capturing) for *_, end in graph.out]
        self.saved = _saved_memories(graph.nodes, program)
        self.ways = {}
        for look in looks or (tuple([look_of(x._array) for x in results]),):
            self.ways[look] = self._way(graph, results, look, program)
        #: the places of what goes along the edges, in all ways: the steps of two notings are compared by them
        self.places = [place for way in self.ways.values() for place in way.found if place is not None]

    def _end(self, end, capturing):
        """Where an edge leads: to an argument, by its number, or to a node that is the same in each call."""
        for i, x in enumerate(capturing.arguments):
            if x._edge is end:
                return i
        for touched in capturing.touched.values():
            if touched.tensor._edge is end and touched.node.__class__ is not View:
                return end
        raise Leak("a gradient goes to a tensor that is not followed")

    def _way(self, graph, results, look, program):
        mark = len(program.steps)
        before = {
            m.number: m.array.tobytes()
            for m in program.memories.values()
            if m.pristine is not None or m.born is None
        }
        gs, given = [], []
        for x, of_one in zip(results, look):
            array = None if of_one is None else _in_layout(x._array.shape, *of_one)
            gs.append(None if array is None else program.trace(array))
            if array is not None:
                given.append(program.place(array))
                given[-1].memory.is_input = True
            else:
                given.append(None)
        found = []
        for g in graph.gradients(gs, arrays, True):
            if g is not None and g.__class__ not in (Traced, ndarray):
                raise Leak(f"a gradient is a {type(g).__name__}")
            found.append(None if g is None else program.encode(g))
        for step in program.steps[mark:]:
            # what runs whole is taken to write to all tensors that it is handed
            step.writes = tuple(
                [
                    p
                    for p in step.writes
                    if p.memory.number not in before or p.memory.array.tobytes() != before[p.memory.number]
                ]
            )
            if step.kind not in ("ufunc", "call", "write") or step.draws:
                raise Leak(f"its backward does more than compute: {step.operator}")
            if any(place.memory.born is None or place.memory.born < mark for place in step.changed()):
                raise Leak(f"its backward writes to what was there before: {step.operator}")
        return Way((mark, len(program.steps)), given, found)

    def form(self):
        """What two notings must have in common besides steps and places."""
        patterns = [(look, [place is None for place in way.found]) for look, way in self.ways.items()]
        return self.numbers, self.ends, patterns, self.cut


def _saved_memories(nodes, program):
    """The numbers of the memories of which nodes have saved something, with the storages that count the writes to it.

    Raises Leak for nodes that may do more than their formulas say.
    """
    found: dict[int, list] = {}
    for node in nodes:
        if not isinstance(node, (Op, AsStridedBackward0, CopySlices)) or node._extra is not None:
            raise Leak(f"it records a {node.name()} that may do more than compute")
        if NOWHERE in node._next:
            raise Leak("a view was made without grad of a tensor that requires it")
        for saved in node.saved_values():
            if saved.packed:
                raise Leak("hooks keep what it saves")
            array = saved.held._array if isinstance(saved.held, Tensor) else saved.held
            array = array.array if array.__class__ is Traced else array
            if not isinstance(array, ndarray):
                raise Leak(f"it saves a {type(array).__name__}")
            if program.knows(array):
                found.setdefault(program.place(array).memory.number, []).append(saved.storage)
    return found


def _in_layout(shape, strides, char):
    """An array of ones with these strides."""
    array = np.ones(shape, char)
    if array.strides == strides or not array.size:
        return array
    low, high = byte_bounds(np.lib.stride_tricks.as_strided(array, shape, strides))
    block = np.zeros(high - low, np.uint8)
    laid = np.ndarray(shape, char, block, address(array) - low, strides)
    laid[...] = 1
    return laid
