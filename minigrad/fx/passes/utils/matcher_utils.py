"""Places in a graph that look like a pattern: ``SubgraphMatcher``."""

from dataclasses import dataclass, field
from typing import Any

from ...._api import Tensor
from ....ops import OpOverload
from ...graph import Graph
from ...graph_module import _get_attr
from ...node import Node
from .partitions import validate_partition

__all__ = ["InternalMatch", "SubgraphMatcher"]


@dataclass
class InternalMatch:
    """A match of a pattern in a graph.

    ``anchors`` are the nodes of the pattern from which it was found, ``nodes_map`` maps nodes of the pattern to those of the graph,
    ``placeholder_nodes`` match the pattern's parameters, and ``returning_nodes`` its results.
    """

    anchors: list[Node]
    nodes_map: dict[Node, Node] = field(default_factory=dict)
    placeholder_nodes: list[Node] = field(default_factory=list)
    returning_nodes: list[Node] = field(default_factory=list)
    name_node_map: dict[str, Node] = field(default_factory=dict)

    def __copy__(self) -> Any:
        return InternalMatch(
            self.anchors, self.nodes_map.copy(), self.placeholder_nodes.copy(), self.returning_nodes.copy()
        )


class SubgraphMatcher:
    """Finds the places in a graph that look like the graph ``pattern``.

    Its parameters stand for anything, unless ``match_placeholder``; its output is left out, unless ``match_output``. Of places that have nodes in common only
    the first counts, unless ``remove_overlapping_matches`` is False. ``ignore_literals`` lets arguments differ that are no nodes.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.matcher_utils import SubgraphMatcher
    >>> pattern = minigrad.fx.symbolic_trace(lambda x: x.relu() + 1).graph
    >>> graph = minigrad.fx.symbolic_trace(lambda x: ((x.relu() + 1).relu() + 1).neg()).graph
    >>> [match.returning_nodes for match in SubgraphMatcher(pattern).match(graph)]
    [[add], [add_1]]
    """

    match_output: bool
    match_placeholder: bool
    remove_overlapping_matches: bool
    ignore_literals: bool
    pattern_placeholder_nodes: list[Any]
    pattern_returning_nodes: list[Any]
    pattern_anchors: list[Any]

    def __init__(
        self,
        pattern: Graph,
        match_output: bool = False,
        match_placeholder: bool = False,
        remove_overlapping_matches: bool = True,
        ignore_literals: bool = False,
    ) -> None:
        if len(pattern.nodes) == 0:
            raise ValueError("SubgraphMatcher cannot be initialized with an empty pattern")
        for node in pattern.nodes:
            if node.op != "output" and not node.is_impure() and not node.users:
                raise AssertionError("SubgraphMatcher cannot be initialized with an pattern with dead code")
        self.pattern = pattern
        self.match_output, self.match_placeholder = match_output, match_placeholder
        self.remove_overlapping_matches, self.ignore_literals = remove_overlapping_matches, ignore_literals
        self.pattern_placeholder_nodes = pattern.find_nodes(op="placeholder")
        output = pattern.output_node()
        self.pattern_returning_nodes = output.all_input_nodes
        # where the search begins: what is returned, and not used by anything else in the pattern
        self.pattern_anchors = (
            [output] if match_output else [n for n in output.all_input_nodes if len(n.users) == 1]
        )

    def match(self, graph: Graph, node_name_match: str = "") -> Any:
        """Return the matches in ``graph``, as ``InternalMatch`` objects.

        The inner nodes of a match have no users outside, and it can be replaced by one call. A node whose name contains
        ``node_name_match`` matches regardless of what it computes.
        """
        candidates = [
            [node for node in graph.nodes if self._nodes_are_equal(anchor, node, node_name_match)]
            for anchor in self.pattern_anchors
        ]
        found = []

        def extend(number, nodes_map):
            """Find all places that agree with ``nodes_map`` on the anchors before ``number``."""
            if number == len(candidates):
                found.append(nodes_map)
                return
            for node in candidates[number]:
                extended = nodes_map.copy()
                if self._match_nodes(self.pattern_anchors[number], node, extended, node_name_match):
                    extend(number + 1, extended)

        if candidates:
            extend(0, {})
        matches = [
            InternalMatch(
                self.pattern_anchors,
                nodes_map,
                [nodes_map[node] for node in self.pattern_placeholder_nodes],
                [nodes_map[node] for node in self.pattern_returning_nodes],
            )
            for nodes_map in found
            if self._is_contained(nodes_map) and validate_partition(_inner(nodes_map))
        ]
        return self._remove_overlapping_matches(matches) if self.remove_overlapping_matches else matches

    def _nodes_are_equal(self, pn, gn, node_name_match=""):
        """Whether a node looks like one of the pattern, whatever their arguments are."""
        if pn.op == "placeholder" and not self.match_placeholder:
            return True
        if node_name_match and node_name_match in gn.name:
            return True
        if pn.op != gn.op:
            return False
        if pn.op in ("placeholder", "output"):
            return True
        if pn.op == "get_attr":
            return self._match_attributes(pn, gn)
        return pn.target == gn.target

    def _match_attributes(self, pn, gn):
        """Whether both read tensors of one class: their values may differ."""
        mine, other = (_get_attr(node.graph.owning_module, node.target) for node in (pn, gn))
        if type(mine) is not type(other):
            return False
        if not isinstance(mine, Tensor):
            raise RuntimeError(f"Unsupported type {mine} when matching attributes")
        return True

    def _match_nodes(self, pn, gn, nodes_map, node_name_match=""):
        """Whether a node, with all that leads to it, looks like one of the pattern; ``nodes_map`` gets the nodes, and is of no use if it does not."""
        if pn in nodes_map:
            return nodes_map[pn] is gn
        if any(gn is node for node in nodes_map.values()) or not self._nodes_are_equal(
            pn, gn, node_name_match
        ):
            return False
        nodes_map[pn] = gn
        if pn.op == "placeholder":
            return True
        mine, other = _comparable_arguments(pn, gn)
        return mine is not None and self._match_arguments(mine, other, nodes_map)

    def _match_arguments(self, mine, other, nodes_map):
        if len(mine) != len(other):
            return False
        for a, b in zip(mine, other, strict=True):
            if isinstance(a, Node) and isinstance(b, Node):
                matched = self._match_nodes(a, b, nodes_map)
            elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
                matched = self._match_arguments(a, b, nodes_map)
            else:
                matched = _match_literals(a, b, nodes_map) or self.ignore_literals
            if not matched:
                return False
        return True

    def _is_contained(self, nodes_map):
        """Whether only nodes inside use those that the pattern does not return."""
        inside = {gn for pn, gn in nodes_map.items() if pn.op != "placeholder"}
        return all(
            user in inside
            for pn, gn in nodes_map.items()
            if pn.op != "placeholder" and pn not in self.pattern_returning_nodes
            for user in gn.users
        )

    def _remove_overlapping_matches(self, matches):
        taken, kept = set(), []
        for match in matches:
            inner = _inner(match.nodes_map)
            if taken.isdisjoint(inner):
                taken.update(inner)
                kept.append(match)
        return kept


def _inner(nodes_map):
    """The nodes of the graph that the pattern computes."""
    return [gn for pn, gn in nodes_map.items() if pn.op not in ("placeholder", "output")]


def _match_literals(mine, other, nodes_map):
    """Whether arguments are alike of which one is no node: a parameter of the pattern stands for any value."""
    if isinstance(mine, Node):
        if mine.op != "placeholder":
            return False
        if mine in nodes_map:
            return nodes_map[mine] == other
        nodes_map[mine] = other
        return True
    return not isinstance(other, Node) and type(mine) is type(other) and mine == other


def _comparable_arguments(pn, gn):
    """All arguments of two nodes, in one order; (None, None) if they were given in different ways."""
    if len(pn.args) == len(gn.args) and [*pn.kwargs] == [*gn.kwargs]:
        return [*pn.args, *pn.kwargs.values()], [*gn.args, *gn.kwargs.values()]
    if pn.op == "call_function" and isinstance(pn.target, OpOverload):
        normalized = [
            node.normalized_arguments(node.graph.owning_module, normalize_to_only_use_kwargs=True)
            for node in (pn, gn)
        ]
        if None not in normalized:
            return tuple([*pair.kwargs.values()] for pair in normalized)
    return None, None
