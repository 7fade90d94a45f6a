"""Small changes of graphs, and how much memory the values of nodes take."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ..._api import Tensor
from ..graph_module import GraphModule
from ..node import Node
from .shape_prop import ShapeProp

__all__ = [
    "get_size_of_all_nodes",
    "get_size_of_node",
    "get_tensor_meta",
    "replace_target_nodes_with",
    "size_bytes",
]


def replace_target_nodes_with(
    fx_module: GraphModule,
    old_op: str,
    old_target: Callable[..., Any] | str,
    new_op: str,
    new_target: Callable[..., Any] | str,
) -> None:
    """Replace the op and the target of all nodes that have a given op and target.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x: x.relu())
    >>> replace = minigrad.fx.passes.graph_manipulation.replace_target_nodes_with
    >>> replace(gm, "call_method", "relu", "call_function", minigrad.neg)
    >>> print(gm.code.strip())
    def forward(self, x):
        relu = torch.neg(x);  x = None
        return relu
    """
    graph = fx_module.graph
    for node in graph.find_nodes(op=old_op, target=old_target):
        with graph.inserting_before(node):
            made = graph.create_node(new_op, new_target, node.args, node.kwargs, type_expr=node.type)
        node.replace_all_uses_with(made)
        graph.erase_node(node)
        made.name = node.name
    fx_module.recompile()


class size_bytes(NamedTuple):
    """The sizes in bytes of a node's value, and of that together with the parameters of the module it calls."""

    output_size: int
    total_size: int


def get_tensor_meta(node: Node) -> Any:
    """Return what ``ShapeProp`` has recorded about a node's value; raise RuntimeError if there is nothing.

    >>> import minigrad
    >>> minigrad.fx.passes.graph_manipulation.get_tensor_meta(minigrad.fx.Graph().placeholder("x"))
    Traceback (most recent call last):
    ...
    RuntimeError: Node x has no tensor metadata associated with it! Check that shape propagation has run.
    """
    about = node.meta.get("tensor_meta")
    if not about:
        raise RuntimeError(
            f"Node {node} has no tensor metadata associated with it! Check that shape propagation has run."
        )
    return about


def get_size_of_node(fx_module: GraphModule, node: Node) -> Any:
    """Return the ``size_bytes`` of a node, after ``ShapeProp`` has run.

    >>> import minigrad
    >>> from minigrad.fx.passes import graph_manipulation, shape_prop
    >>> gm = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.Linear(3, 2)))
    >>> _ = shape_prop.ShapeProp(gm).propagate(minigrad.ones(5, 3))
    >>> graph_manipulation.get_size_of_node(gm, [*gm.graph.nodes][1])
    size_bytes(output_size=40, total_size=72)
    """
    parameters = fx_module.get_submodule(node.target).parameters() if node.op == "call_module" else ()
    about = get_tensor_meta(node)
    size, own = about.dtype.itemsize, about.shape.numel()
    return size_bytes(size * own, size * (own + sum(p.numel() for p in parameters)))


def get_size_of_all_nodes(fx_module: GraphModule, args: list[Tensor] | None = None) -> None:
    """Store the ``size_bytes`` of each node but the output on it; ``args`` are inputs for ``ShapeProp``, unless it has run.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x: x + 1)
    >>> minigrad.fx.passes.graph_manipulation.get_size_of_all_nodes(gm, [minigrad.ones(2)])
    >>> [*gm.graph.nodes][1].size_bytes
    size_bytes(output_size=8, total_size=8)
    """
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op != "output":
            node.size_bytes = get_size_of_node(fx_module, node)
