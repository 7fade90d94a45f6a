"""What several passes need: names of what nodes call, nodes in order."""

import collections
import heapq
import operator
from collections.abc import Mapping
from typing import Any

from ..._api import Tensor
from ..._base.missing import getattr_of as _getattr_of
from ...nn import Module
from .. import _targets
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node

__all__ = [
    "get_acc_ops_name",
    "get_node_target",
    "is_node_output_tensor",
    "legalize_graph",
    "stable_topological_sort",
]

NodeList = list
NodeSet = set
_EARLY = frozenset(
    getattr(operator, name)
    for name in ["add", "mul", "sub", "floordiv", "truediv", "mod", "le", "lt", "ge", "gt", "eq", "ne"]
)
CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


def get_acc_ops_name(k: str | type) -> str:
    """Return the dotted name of a class or function; a string is returned as it is, and what is in a module ``acc_ops`` keeps just that before its name.

    >>> import minigrad
    >>> minigrad.fx.passes.tools_common.get_acc_ops_name(minigrad.nn.ReLU)
    'torch.nn.modules.activation.ReLU'
    """
    if isinstance(k, str):
        return k
    if k.__module__ and "acc_ops" in k.__module__:
        return f"acc_ops.{k.__name__}"
    return _targets.type_text(k) if isinstance(k, type) else _targets.qualified_name(k)


def get_node_target(submodules: Mapping[str, Module], node: Node) -> str:
    """Return the name of a node's target: the class of a module (found in ``submodules``), a function's dotted name, or a method's name.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.ReLU()))
    >>> minigrad.fx.passes.tools_common.get_node_target(dict(gm.named_modules()), [*gm.graph.nodes][1])
    'torch.nn.modules.activation.ReLU'
    """
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError(
            f"Expect op types of {', '.join(sorted(CALLABLE_NODE_OPS))}, but found {node.op}"
        )
    if node.op == "call_method":
        return node.target
    if node.op == "call_function":
        return get_acc_ops_name(node.target)
    module = submodules[node.target]
    return get_acc_ops_name(getattr(module, "_base_class_origin", type(module)))


def is_node_output_tensor(node: Node) -> bool:
    """Return whether a node's value is a tensor, as ``ShapeProp`` has recorded it.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x: x + 1)
    >>> _ = minigrad.fx.passes.shape_prop.ShapeProp(gm).propagate(minigrad.ones(2))
    >>> minigrad.fx.passes.tools_common.is_node_output_tensor([*gm.graph.nodes][1])
    True
    """
    kind = node.meta.get("type")
    return kind is not None and issubclass(kind, Tensor)


def _sorted_graph(gm, add, take):
    """Give a module a graph of its nodes in which each comes after those that it uses; ``add`` and ``take`` say which of those that are ready is next."""
    missing = {node: len(node.all_input_nodes) for node in gm.graph.nodes}
    for node, count in missing.items():
        if not count:
            add(node)
    made, graph = {}, Graph()
    while (node := take()) is not None:
        made[node] = graph.node_copy(node, made.__getitem__)
        for user in node.users:
            missing[user] -= 1
            if not missing[user]:
                add(user)
    if len(made) < len(missing):
        raise RuntimeError(
            f"Input graph has cycles, unable to add {[n for n, count in missing.items() if count]}"
        )
    graph._codegen = gm.graph._codegen
    gm.graph = graph
    return gm


def legalize_graph(gm: GraphModule) -> GraphModule:
    """Reorder the nodes of a module topologically, Python's operators as early as possible; return ``gm``.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x, y: (x + 1) * y)
    >>> [*minigrad.fx.passes.tools_common.legalize_graph(gm).graph.nodes]
    [x, add, y, mul, output]
    """
    ready = collections.deque()

    def add(node):
        early = node.op == "call_function" and node.target in _EARLY
        (ready.appendleft if early else ready.append)(node)

    return _sorted_graph(gm, add, lambda: ready.popleft() if ready else None)


def stable_topological_sort(gm: GraphModule) -> GraphModule:
    """Reorder the nodes of a module topologically, keeping their order otherwise; return ``gm``.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2)
    >>> x, add, mul, out = gm.graph.nodes
    >>> add.prepend(mul)
    >>> [*minigrad.fx.passes.tools_common.stable_topological_sort(gm).graph.nodes]
    [x, add, mul, output]
    """
    nodes = [*gm.graph.nodes]
    place = {node: number for number, node in enumerate(nodes)}
    ready = []
    return _sorted_graph(
        gm,
        lambda node: heapq.heappush(ready, place[node]),
        lambda: nodes[heapq.heappop(ready)] if ready else None,
    )


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
