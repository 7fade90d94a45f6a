"""Nodes by where they come from: those of a layer, or of a function, as their metadata say."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...graph import Graph
from ...node import Node

__all__ = ["SourcePartition", "check_subgraphs_connected", "get_source_partitions"]


@dataclass
class SourcePartition:
    """The nodes that come from one call of a layer or function, with its inputs, outputs and parameters."""

    nodes: list[Node]
    source: Any
    input_nodes: list[Node] = field(default_factory=list)
    output_nodes: list[Node] = field(default_factory=list)
    params: list[Node] = field(default_factory=list)


def _origin(node, wanted):
    """(source, name of the call) of a node, if it is wanted."""
    if node.meta.get("source_fn_stack") is not None:
        name, source = node.meta["source_fn_stack"][-1]
        return (source, name) if source in wanted else None
    if node.meta.get("torch_fn") is not None:
        name, function = node.meta["torch_fn"]
        source = function.split(".")[1]
        if source in wanted:
            return source, name
    if node.op == "call_function" and node.meta.get("nn_module_stack"):
        path, kind = [*node.meta["nn_module_stack"].values()][-1]
        for source in wanted:
            if kind == source or (
                isinstance(source, type) and isinstance(kind, type) and issubclass(kind, source)
            ):
                return source, path
    return None


def get_source_partitions(
    graph: Graph, wanted_sources: list[Any], filter_fn: Callable[[Node], bool] | None = None
) -> Any:
    """Source -> the list of ``SourcePartition`` objects that come from it; ``filter_fn`` must accept all nodes of one.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.source_matcher_utils import get_source_partitions
    >>> class Into(minigrad.fx.Tracer):
    ...     def is_leaf_module(self, m, module_qualified_name):
    ...         return False
    >>> graph = Into().trace(minigrad.nn.Sequential(minigrad.nn.ReLU()))
    >>> get_source_partitions(graph, [minigrad.nn.ReLU])[minigrad.nn.ReLU][0].nodes
    [relu]
    """
    found = {}
    for node in graph.nodes:
        origin = _origin(node, wanted_sources)
        if origin is not None:
            source, name = origin
            found.setdefault(source, {}).setdefault(name, []).append(node)
    return {
        source: [
            _partition(nodes, source)
            for nodes in by_name.values()
            if filter_fn is None or all(map(filter_fn, nodes))
        ]
        for source, by_name in found.items()
    }


def _partition(nodes, source):
    inputs = {
        used: None for node in nodes for used in node.args if isinstance(used, Node) and used not in nodes
    }
    return SourcePartition(
        nodes,
        source,
        [used for used in inputs if used.op != "get_attr"],
        [node for node in nodes if node.op != "get_attr" and any(user not in nodes for user in node.users)],
        [node for node in nodes if node.op == "get_attr"],
    )


def check_subgraphs_connected(subgraph1: Any, subgraph2: Any) -> bool:
    """Return whether a node of the second partition uses one of the first.

    >>> from minigrad.fx.passes.utils.source_matcher_utils import SourcePartition, check_subgraphs_connected
    >>> import minigrad
    >>> x, add, mul, out = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2).graph.nodes
    >>> check_subgraphs_connected(SourcePartition([add], "a"), SourcePartition([mul], "b"))
    True
    """
    return any(user in subgraph2.nodes for node in subgraph1.nodes for user in node.users)
