"""``StepGraph``: a picture of a captured step: its calls of NumPy in their order, and the arrays that go from one to the other."""

from collections import Counter
from typing import Any

from .graphs import Graph
from .model import Description, GraphEdge, GraphNode, Model

__all__ = ["StepGraph", "step_graph"]


def step_graph(explanation: Any, title: str = "") -> Any:
    """Return the picture of what ``explain`` of a captured step has returned; ``viz.graph`` calls it.

    >>> import minigrad
    >>> step = minigrad.capture(lambda x: x.exp())
    >>> for _ in range(3):
    ...     y = step(minigrad.ones(3))
    >>> len(minigrad.viz.captured_steps.step_graph(step.explain(minigrad.ones(3))).nodes)
    2
    """
    calls, returned = explanation.instructions()
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    ids: list[int] = []  # of the calls' nodes
    before: list[tuple[Any, int]] = []  # what was there before the run, and its node

    def node(kind, name, label, part, outputs, inputs, attributes):
        nodes.append(
            GraphNode(
                len(nodes), kind, name, label, "", part, "", outputs, inputs, [], attributes, None, None
            )
        )
        return len(nodes) - 1

    def nodes_before(buffer):
        found = [n for memory, n in before if memory == buffer.memory or _overlap(memory, buffer.memory)]
        if not found:
            found = [node("leaf", buffer.name, buffer.name, "", [_description(buffer)], [], {})]
            before.append((buffer.memory, found[0]))
        return found

    roots = {number for numbers in returned for number in numbers}
    for number, call in enumerate(calls):
        sources = [
            [ids[maker] for maker in makers] or nodes_before(buffer) for buffer, makers in call.operands
        ]
        kind = "root" if number in roots else "op"
        outputs = [_description(b) for b in call.results]
        inputs = [_description(b) for b, _ in call.operands]
        own = node(kind, call.text, call.function, call.part, outputs, inputs, {"call": call.text})
        ids.append(own)
        for place, found in enumerate(sources):
            edges += [GraphEdge(start, own, 0, place) for start in found]
    parts = {call.part: "" for call in calls if call.part}
    return StepGraph(Model(nodes, edges, parts, [ids[number] for number in sorted(roots)], []), title)


def _description(buffer):
    return None if buffer.shape is None else Description(buffer.shape, buffer.dtype)


def _overlap(a, b):
    """Whether two pieces of memory have bytes in common; names of variables are pieces of their own."""
    return str not in (a.__class__, b.__class__) and a[0] < b[1] and b[0] < a[1]


class StepGraph(Graph):
    """A picture of a captured step: what ``minigrad.viz.graph`` returns for its explanation.

    A node is a call, or an array that is there before the run; an edge leads from the call that wrote an array to one that reads it.  Forward, backward and update are drawn as modules are.

    >>> import minigrad
    >>> step = minigrad.capture(lambda x: (x * 2).tanh())
    >>> for _ in range(3):
    ...     y = step(minigrad.ones(3))
    >>> print(minigrad.viz.graph(step.explain(minigrad.ones(3))))
    captured step of 4 nodes: 2 calls, 2 arrays that are there before
      0  x0
      1  given1    float32[]
      2  multiply  float32[3]  <- 0, 1  forward
      3  tanh      float32[3]  <- 2     forward
    """

    def watch(self) -> Any:
        """Raise RuntimeError: a captured step has no backward pass to watch."""
        raise RuntimeError(
            "a captured step has no backward pass: its gradients are arrays that its calls write; watch the graph of the original step instead"
        )

    def _title(self):
        return self.title or "Captured step"

    def _counts(self):
        leaves = sum(node.kind == "leaf" for node in self.nodes)
        calls = len(self.nodes) - leaves
        return f"{len(self.nodes):,} nodes: {calls:,} calls, {leaves:,} arrays that are there before"

    def __str__(self) -> str:
        head = f"{self.title or 'captured step'} of {self._counts()}"
        if len(self.nodes) > 80:
            kinds = Counter(node.label for node in self.nodes if node.kind != "leaf")
            return "\n".join([head, *[f"  {count:6} {label}" for label, count in kinds.most_common(20)]])
        sources: dict[int, list[str]] = {}
        for edge in self.edges:
            sources.setdefault(edge.end, []).append(str(edge.start))
        rows = [
            (
                str(node.id),
                node.label,
                ", ".join(str(made) for made in node.outputs if made is not None),
                f"<- {', '.join(sources[node.id])}" if node.id in sources else "",
                node.module,
            )
            for node in self.nodes
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join(
            [
                head,
                *[
                    "  "
                    + "  ".join(
                        [row[0].rjust(widths[0]), *[row[i].ljust(widths[i]) for i in (1, 2, 3)], row[4]]
                    ).rstrip()
                    for row in rows
                ],
            ]
        )
