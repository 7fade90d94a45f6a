"""Parts of graphs as modules, and whether graphs are alike."""

from ....nn import Module
from ...graph import Graph
from ...graph_module import GraphModule
from .matcher_utils import SubgraphMatcher

__all__ = ["HolderModule", "compare_graphs", "lift_subgraph_as_module"]


class HolderModule(Module):
    """A module that only holds the submodules of a dict."""

    def __init__(self, d: dict[str, Module | None]) -> None:
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)  # type: ignore[arg-type]


def lift_subgraph_as_module(
    gm: GraphModule, subgraph: Graph, comp_name: str = "", class_name: str = "GraphModule"
) -> tuple[GraphModule, dict[str, str]]:
    """Make a module from a graph of nodes copied from ``gm``, with the attributes and submodules that they use.

    Returns it, and a dict from the names of these to those below the submodule ``comp_name``.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils import lift_subgraph_as_module
    >>> gm = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.ReLU()))
    >>> lift_subgraph_as_module(gm, gm.graph, "part")[1]
    {'0': 'part.0'}
    """
    holder, names = HolderModule({}), {}
    for node in subgraph.nodes:
        if node.op in ("call_module", "get_attr"):
            *path, name = node.target.split(".")
            there, source = holder, gm
            for part in path:
                if not hasattr(there, part):
                    there.add_module(part, HolderModule({}))
                there, source = getattr(there, part), getattr(source, part)
            setattr(there, name, getattr(source, name))
            names[node.target] = f"{comp_name}.{node.target}"
    return GraphModule(holder, subgraph, class_name), names


def compare_graphs(left: Graph, right: Graph) -> bool:
    """Return whether two graphs compute the same function, whatever their nodes are called.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils import compare_graphs
    >>> trace = minigrad.fx.symbolic_trace
    >>> compare_graphs(trace(lambda x: x + 1).graph, trace(lambda y: y + 1).graph)
    True
    """
    return bool(SubgraphMatcher(left, match_output=True, match_placeholder=True).match(right))
