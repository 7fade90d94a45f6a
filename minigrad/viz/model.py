"""A graph as plain data: nodes and edges in the order in which a backward pass comes to them, and what each node has saved.

Everything is read here, once; the texts and pages are made of the result.  No value is computed again, unpacked or freed by reading, and nothing here
calls itself, however deep the graph is.
"""

import math
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, NamedTuple

from .._core.families import Op, Unary, ViewOp
from .._core.lifted import Lifted
from .._core.node import NOWHERE, AccumulateGrad, Node, as_pair
from .._core.saved import FREED
from .._core.tensor import Tensor
from ..autograd._metadata import results_inferred, results_known
from ..autograd._origins import origin_of, shortened
from .saved_values import Saved, dtype_name, saved_by
from .statistics import Statistics, statistics_of

__all__ = ["Description", "GraphEdge", "GraphNode", "Model", "Root", "Source", "model_of"]


class Description(NamedTuple):
    """Shape and dtype of a tensor: ``float32[2, 3]`` as text."""

    shape: tuple[int, ...]
    dtype: str

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


class Source(NamedTuple):
    """The line of the program that made a node."""

    file: str
    line: int
    function: str
    text: str
    stack: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class GraphEdge(NamedTuple):
    """From node ``start`` (an id) to the node ``end`` that made its input number ``input_nr``, as output number ``output_nr``."""

    start: int
    end: int
    output_nr: int
    input_nr: int


@dataclass(slots=True, repr=False)
class GraphNode:
    """One node of a graph, as it was when the picture was taken.

    ``kind`` is "op", "leaf" (gradients end here) or "root" (an operation whose result the picture was asked for); ``name`` is what ``name()`` says;
    ``label`` a short name; ``variable`` what the program calls the tensor, or "".  ``outputs`` and ``inputs`` describe the tensors that the operation
    made and took (None: not known, or no gradient goes there); ``gradients`` has ``Statistics`` per output once a backward was watched, or if the
    tensor has a ``.grad``.  ``print`` shows all of it.

    >>> import minigrad
    >>> x = minigrad.tensor([2., 3.], requires_grad=True)
    >>> picture = minigrad.viz.graph(x * x)
    >>> print(picture.nodes[0])
    node 0: mul, MulBackward0
      made     float32[2]
      took     float32[2], float32[2]
      saved    self float32[2] = [2, 3]
      saved    other float32[2] = [2, 3]
    """

    id: int
    kind: str
    name: str
    label: str
    variable: str
    module: str
    module_type: str
    outputs: list[Description | None]
    inputs: list[Description | None]
    saved: list[Saved]
    attributes: dict[str, str]
    source: Source | None
    sequence: int | None
    gradients: list[Statistics | None] = field(default_factory=list)

    @property
    def gradient(self) -> Any:
        """The first of the ``gradients`` that is known, or None."""
        return next((g for g in self.gradients if g is not None), None)

    def __repr__(self) -> str:
        made = ", ".join(map(str, self.outputs))
        return f"<GraphNode {self.id}: {self.label} {made}>"

    def __str__(self) -> str:
        rows = [("made", ", ".join("?" if made is None else str(made) for made in self.outputs))]
        if self.inputs:
            rows.append(("took", ", ".join("-" if taken is None else str(taken) for taken in self.inputs)))
        if self.variable:
            rows.append(("called", self.variable))
        if self.module_type:
            rows.append(
                ("module", f"{self.module} ({self.module_type})" if self.module else self.module_type)
            )
        if self.source is not None:
            rows.append(("line", f"{self.source}: {self.source.text}"))
        rows += [("saved", f"{saved} = {saved.value}" if saved.value else str(saved)) for saved in self.saved]
        rows += [("kept", f"{name} = {value}") for name, value in self.attributes.items()]
        rows += [("gradient", str(g)) for g in self.gradients if g is not None]
        return "\n".join(
            [f"node {self.id}: {self.label}, {self.name}", *[f"  {what:8} {text}" for what, text in rows]]
        )

    def as_json(self) -> Any:
        """Return the node as the page reads it."""
        first = self.gradient
        outputs = [o for o in self.outputs if o is not None]
        data = {
            "id": self.id,
            "kind": self.kind,
            "name": self.name,
            "label": self.label,
            "variable": self.variable,
            "module": self.module,
            "module_type": self.module_type,
            "outputs": [_as_json(o) for o in self.outputs],
            "inputs": [_as_json(i) for i in self.inputs],
            "saved": [
                {**s._asdict(), "shape": None if s.shape is None else list(s.shape)} for s in self.saved
            ],
            "attributes": self.attributes,
            "source": None
            if self.source is None
            else {**self.source._asdict(), "stack": list(self.source.stack)},
            "gradient": None if first is None else first.as_json(),
            "sequence": self.sequence,
            "requires": str(outputs[0]) if outputs else "",
        }
        if len(self.outputs) > 1:
            data["gradients"] = [None if g is None else g.as_json() for g in self.gradients]
        return data


def _as_json(description):
    return None if description is None else {"shape": list(description.shape), "dtype": description.dtype}


class Model(NamedTuple):
    """The data of a graph: ``live`` has the nodes themselves, by id."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    modules: dict[str, str]
    roots: list[int]
    live: list[Node]


class Root(NamedTuple):
    """Where a picture begins: an output of a node, the tensor (None if only the edge was given), and what it is called."""

    node: Node
    nr: int
    tensor: Tensor | None
    name: str


def model_of(roots: Any, names: Any, modules: Any) -> Any:
    """Return the ``Model`` of what lies below ``roots``.

    ``names``: {(node, output number): what the program calls the tensor}; ``modules``: {path: class} of the module that the program told of, or {}.
    """
    live, following = in_order(roots)
    ids = {node: i for i, node in enumerate(live)}
    facts = results_of_all(roots, live)
    named = {**names, **{(root.node, root.nr): root.name for root in roots if root.name}}
    starts = {root.node for root in roots}
    all_modules = dict(modules)
    nodes, edges = [], []
    for i, node in enumerate(live):
        pairs = following[node]
        made = [_description(fact) for fact in facts[node]]
        inputs = [None if end is None else _description(facts[end][nr]) for end, nr in pairs]
        edges += [
            GraphEdge(i, ids[end], nr, place) for place, (end, nr) in enumerate(pairs) if end is not None
        ]
        variable = ", ".join(named[node, nr] for nr in range(len(made)) if (node, nr) in named)
        leaf = is_leaf(node)
        origin = None if leaf else origin_of(node)
        module = module_type = ""
        if leaf:
            module = _module_of_leaf(variable, all_modules)
            module_type = all_modules.get(module, "") if module else ""
        elif origin is not None:
            module, module_type = origin.module, origin.module_type
            if module_type:
                all_modules.setdefault(module, module_type)
        saved, attributes = saved_by(node)
        nodes.append(
            GraphNode(
                i,
                "leaf" if leaf else "root" if node in starts else "op",
                type(node).name(node),
                label_of(node, variable),
                variable,
                module,
                module_type,
                made,
                inputs,
                saved,
                attributes,
                None if origin is None else source_of(node, origin),
                None if leaf else node._sequence_nr(),
                gradients_kept(node, len(made)),
            )
        )
    for node in nodes:  # parameters come after, or before, what tells of their modules
        if node.kind == "leaf" and not node.module:
            node.module = _module_of_leaf(node.variable, all_modules)
            node.module_type = all_modules.get(node.module, "") if node.module else ""
    return Model(nodes, edges, _with_parents(all_modules), [ids[root.node] for root in roots], live)


def _module_of_leaf(name, modules):
    """The path of the module that a parameter of this name belongs to, if there is one of that path."""
    path = name.rpartition(".")[0]
    return path if path in modules else ""


def _with_parents(modules):
    """The modules and all that they are in, outermost first; the class of one that nobody told of is ""."""
    paths = {""} if modules else set()
    for path in modules:
        while path:
            paths.add(path)
            path = path.rpartition(".")[0]
    return {
        path: modules.get(path, "")
        for path in sorted(paths, key=lambda path: (path.count(".") + bool(path), _natural(path)))
    }


def _natural(path):
    """A key that sorts ``layers.10`` after ``layers.9``."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in path.split(".")]


# Which nodes there are, and in which order ---------------------------------------------------------------------------------


def is_leaf(node: Any) -> bool:
    """Return whether gradients end here: a leaf's node, or that of the argument of a function being transformed."""
    return isinstance(node, (AccumulateGrad, Lifted))


def end_of(node: Any, nr: int = 0) -> Any:
    """Return the node that users see behind an edge: that of a tensor outside for one that stands for it inside a transform."""
    while node.__class__ is Lifted and node.level is None:
        edge = node._next[0]
        if edge is None or edge is NOWHERE:
            break
        node, nr = as_pair(edge)
    return node, nr


def pairs_after(node: Any) -> Any:
    """Like ``node.next_functions``, of nodes that users see."""
    if is_leaf(node):
        return ()
    return tuple([(end, nr) if end is None else end_of(end, nr) for end, nr in node.next_functions])


def in_order(roots: Any) -> Any:
    """Return all nodes below ``roots`` in the engine's order, and what follows each: {node: pairs (node, output number)}.

    A node comes when all that lead to it have come; of several, the youngest first, but leaves at once.
    """
    following = {}
    incoming = {}
    stack = [root.node for root in reversed(roots)]
    while stack:
        node = stack.pop()
        if node in following:
            continue
        following[node] = pairs = pairs_after(node)
        incoming.setdefault(node, 0)
        for end, _ in reversed(pairs):
            if end is not None:
                incoming[end] = incoming.get(end, 0) + 1
                stack.append(end)
    heap = []
    tick = 0

    def ready(node):
        nonlocal tick
        tick += 1
        heappush(heap, (not is_leaf(node), -node._sequence_nr(), tick, node))

    for node in dict.fromkeys(root.node for root in roots):
        if not incoming[node]:
            ready(node)
    order = []
    while heap:
        node = heappop(heap)[-1]
        order.append(node)
        for end, _ in following[node]:
            if end is not None:
                incoming[end] -= 1
                if not incoming[end]:
                    ready(end)
    return order, following


# Shapes ----------------------------------------------------------------------------------------------------------------------

_COSTLY = 10_000


def results_of_all(roots: Any, order: Any) -> Any:
    """{node: the pairs (shape, NumPy dtype) of the tensors that it made, None where nothing tells} of all nodes.

    What was saved of a tensor tells of the node that made it.  Where nothing does, shapes follow from those of the operands, unless an operation on
    large ones would have to run again for that.
    """
    told = {}
    for root in roots:
        if root.tensor is not None:
            told[root.node, root.nr] = (root.tensor._array.shape, root.tensor._array.dtype)
    for node in order:
        tell(node, told)
    known = {}
    for node in reversed(order):
        found = [told.get((node, nr)) for nr in range(node._outputs)]
        if None in found:
            inputs = [fact_behind(edge, known) for edge in node._next]
            found = [a if a is not None else b for a, b in zip(found, made_by(node, inputs, found))]
        known[node] = found
    return known


def fact_behind(edge: Any, known: Any) -> Any:
    """Return what is known of the tensor at the end of an edge: (shape, NumPy dtype), or None."""
    end, nr = end_of(*as_pair(edge))
    return known[end][nr] if end in known else None


def tell(node: Any, told: Any) -> None:
    """Note in ``told``, {(node, output number): (shape, dtype)}, what a node says of the tensors that it took, and that it made itself."""
    if is_leaf(node):
        return
    known = results_known(node)
    for nr, fact in enumerate(known or ()):
        if fact is not None:
            told.setdefault((node, nr), fact)
    if not isinstance(node, Op):
        return
    for place in node.places_held():
        x = node.held(place) if place in range(len(node._next)) else None
        edge = None if x is None else node._next[place]
        if edge is not None and edge is not NOWHERE and isinstance(x, Tensor) and x is not FREED:
            told.setdefault(end_of(*as_pair(edge)), (x._array.shape, x._array.dtype))
    if (
        isinstance(node, Unary)
        and node.casts is None
        and (node, 0) in told
        and node._next[0] not in (None, NOWHERE)
    ):
        told.setdefault(end_of(*as_pair(node._next[0])), told[node, 0])


def made_by(node: Any, inputs: Any, found: Any) -> Any:
    """Return what a node made, as far as that follows from its inputs."""
    if is_leaf(node):
        return [(node.array.shape, node.array.dtype)] if isinstance(node, AccumulateGrad) else [None]
    known = results_known(node)
    if known is not None:
        return known
    cheap = not isinstance(node, Op) or node.broadcasts or isinstance(node, (Unary, ViewOp))
    if not cheap and sum(math.prod(fact[0]) for fact in inputs if fact is not None) > _COSTLY:
        return _told_by_class(node, inputs) or found
    return results_inferred(node, inputs)


def _told_by_class(node, inputs):
    """The result of a node whose class says its shape; None if it does not, or an operand is not known."""
    formula = type(node).result_shape
    if formula is None:
        return None
    facts = []
    for i in map(node.plan.place.get, formula.__code__.co_varnames[: formula.__code__.co_argcount]):
        fact = inputs[i]
        if (
            fact is None
            and i in node.places_held()
            and isinstance(node.held(i), Tensor)
            and node.held(i) is not FREED
        ):
            array = node.held(i)._array
            fact = array.shape, array.dtype
        if fact is None:
            return None
        facts.append(fact)
    return [(formula(*[shape for shape, _ in facts]), facts[0][1])]


def _description(fact):
    return None if fact is None else Description(tuple(fact[0]), dtype_name(fact[1]))


# What a node says of itself ----------------------------------------------------------------------------------------------------


def label_of(node: Any, variable: Any) -> Any:
    """Return a short name: the leaf's, or that of the operation."""
    if isinstance(node, AccumulateGrad):
        return variable or "leaf"
    if isinstance(node, Lifted):
        return variable or "argument"
    if isinstance(node, Op):
        return type(node).function_name()
    name = type(node).name(node).rpartition("::")[2]
    head, found, number = name.rpartition("Backward")
    return head if found and head and (not number or number.isdecimal()) else name


def source_of(node: Any, origin: Any) -> Any:
    """Return the ``Source`` of a node whose ``Origin`` is known."""
    extra = node._extra
    stack = (extra.metadata or {}).get("traceback_", ()) if extra is not None else ()
    return Source(
        shortened(origin.filename), origin.line, origin.function, origin.text, tuple(map(str, stack))
    )


def gradients_kept(node: Any, outputs: Any) -> Any:
    """Return the statistics of the gradients that the tensors made by a node have in their ``.grad``; [] if none has one."""
    if isinstance(node, AccumulateGrad):
        return [] if node.grad is None else [statistics_of(node.grad)]
    found: list[Any] = [None] * outputs
    if node._extra is not None:
        for nr, ref in node._extra.retain.items():
            tensor = ref()
            if tensor is not None and tensor._kept_grad is not None:
                found[nr] = statistics_of(tensor._kept_grad)
    return found if any(g is not None for g in found) else []
