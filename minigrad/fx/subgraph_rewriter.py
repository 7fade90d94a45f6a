"""Parts of graphs exchanged: wherever a pattern is found, another graph takes its place."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..nn import Module
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node
from .passes.utils.matcher_utils import SubgraphMatcher

__all__ = ["Match", "ReplacedPatterns", "replace_pattern", "replace_pattern_with_filters"]


class Match(NamedTuple):
    """A place where a pattern was found: the node of the pattern from which it was, and a dict from its nodes to those of the graph."""

    anchor: Node
    nodes_map: dict[Node, Node]


@dataclass
class ReplacedPatterns:
    """A place where a pattern was found, with the nodes that have taken its place."""

    anchor: Node
    nodes_map: dict[Node, Node]
    replacements: list[Node]


def replace_pattern(
    gm: GraphModule, pattern: Callable[..., Any] | GraphModule, replacement: Callable[..., Any] | GraphModule
) -> Any:
    """Exchange all parts of a module that look like a pattern; returns a list of ``Match`` objects, one for each.

    ``pattern`` and ``replacement`` are functions or modules with the same number of parameters, all of which the pattern uses. Of places that have nodes in common
    the first is exchanged.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x, y: x.relu() + y.relu())
    >>> matches = minigrad.fx.replace_pattern(gm, lambda x: x.relu(), lambda x: x.sigmoid() * 2)
    >>> print(gm.code.strip())
    def forward(self, x, y):
        sigmoid = x.sigmoid();  x = None
        mul = sigmoid * 2;  sigmoid = None
        sigmoid_1 = y.sigmoid();  y = None
        mul_1 = sigmoid_1 * 2;  sigmoid_1 = None
        add = mul + mul_1;  mul = mul_1 = None
        return add
    """
    return [
        Match(replaced.anchor, replaced.nodes_map)
        for replaced in replace_pattern_with_filters(gm, pattern, replacement)
    ]


def replace_pattern_with_filters(
    gm: GraphModule,
    pattern: Callable[..., Any] | Graph | GraphModule,
    replacement: Callable[..., Any] | Graph | GraphModule | None = None,
    match_filters: Any = None,
    ignore_literals: bool = False,
    replacement_callback: Any = None,
    node_name_match: str = "",
) -> Any:
    """Like ``replace_pattern``, at the places that all filters accept; returns a list of ``ReplacedPatterns``.

    A filter is called with the match (see ``SubgraphMatcher``, of which ``ignore_literals`` and ``node_name_match`` are options), the graph and the graph of the
    pattern. ``replacement_callback``, called alike, makes the graph for each place.

    >>> import minigrad
    >>> from minigrad.fx.subgraph_rewriter import replace_pattern_with_filters
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1).relu() + x.relu())
    >>> of_inputs = lambda match, graph, pattern: match.placeholder_nodes[0].op == "placeholder"
    >>> replaced = replace_pattern_with_filters(gm, lambda x: x.relu(), lambda x: x.neg(), [of_inputs])
    >>> [node.name for node in gm.graph.nodes]
    ['x', 'add', 'relu', 'neg', 'add_1', 'output']
    """
    graph, pattern_graph = gm.graph, _graph_of(pattern)
    matcher = SubgraphMatcher(
        pattern_graph,
        match_output=False,
        match_placeholder=False,
        remove_overlapping_matches=True,
        ignore_literals=ignore_literals,
    )
    matches = [
        match
        for match in matcher.match(graph, node_name_match=node_name_match)
        if all(accepts(match, graph, pattern_graph) for accepts in match_filters or ())
    ]
    if replacement is None and replacement_callback is None:
        raise AssertionError("Must provide either a replacement GraphModule or a replacement callback")
    common = None if replacement is None else _graph_of(replacement)
    changed = {}  # node that has been replaced -> the one in its place
    result = []
    for match in matches:
        made = replacement_callback(match, graph, pattern_graph) if replacement_callback else common
        result.append(_replace(graph, match, made, pattern_graph, changed))
    gm.recompile()
    if isinstance(replacement, Module):
        _take_over_attributes(gm, replacement)
    return result


def _graph_of(program):
    if isinstance(program, GraphModule):
        return program.graph
    return program if isinstance(program, Graph) else symbolic_trace(program).graph


def _replace(graph, match, made, pattern_graph, changed):
    """Put the graph ``made`` in the place of a match."""
    parameters = made.find_nodes(op="placeholder")
    if len(match.placeholder_nodes) != len(parameters):
        raise AssertionError(
            f"Placeholder count mismatch: {len(match.placeholder_nodes)} vs {len(parameters)}"
        )

    def today(node):
        return changed.get(node, node) if isinstance(node, Node) else node

    match.placeholder_nodes = [*map(today, match.placeholder_nodes)]
    for mine in pattern_graph.find_nodes(op="placeholder"):
        match.nodes_map[mine] = today(match.nodes_map[mine])
    values = dict(zip(parameters, match.placeholder_nodes, strict=True))
    with graph.inserting_before(_insert_point(graph, match.returning_nodes)):
        returned = graph.graph_copy(made, values)
    if isinstance(returned, Node):
        returned = (returned,)
    if len(match.returning_nodes) != len(returned):
        raise AssertionError(
            f"Returning nodes count mismatch: {len(match.returning_nodes)} vs {len(returned)}"
        )
    for old, new in zip(match.returning_nodes, returned, strict=True):
        old.replace_all_uses_with(new)
        changed[old] = new
    for node in reversed(pattern_graph.nodes):
        if node.op not in ("placeholder", "output"):
            graph.erase_node(match.nodes_map[node])
    replacements = [
        node for node in values.values() if not any(node is outer for outer in match.placeholder_nodes)
    ]
    return ReplacedPatterns(match.anchors[0], match.nodes_map, replacements)


def _insert_point(graph, returning):
    """The first node that uses one of those that are returned; the one after the last of these if none does."""
    users = {user for node in returning for user in node.users}
    if users:
        return min(users)
    return max(returning).next


def _take_over_attributes(gm, replacement):
    """Give a module the submodules and tensors that the nodes put into it need, unless it has them; take away what none needs any more."""
    gm.delete_all_unused_submodules()
    if isinstance(replacement, GraphModule):
        replacement.graph.lint()
    for node in gm.graph.nodes:
        if node.op in ("call_module", "get_attr") and _find(gm, node.target) is None:
            value = _find(replacement, node.target)
            if value is None:
                raise RuntimeError(
                    f'Attempted to create a "{node.op}" node during subgraph rewriting with target {node.target}, but the referenced '
                    "attribute does not exist in the replacement GraphModule"
                )
            if isinstance(value, Module):
                gm.add_submodule(node.target, copy.deepcopy(value))
            else:
                setattr(gm, node.target, copy.deepcopy(value))
    gm.graph.lint()


def _find(module, target):
    """What a module has under a dotted name; None if nothing."""
    path, _, name = target.rpartition(".")
    try:
        return getattr(module.get_submodule(path), name, None)
    except AttributeError:
        return None
