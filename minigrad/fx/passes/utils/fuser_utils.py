"""Nodes of a graph that become one: a submodule that is called in their place."""

import copy
import heapq
import operator

from ...graph import Graph
from ...graph_module import GraphModule
from ...node import Node
from ..tools_common import stable_topological_sort
from .common import lift_subgraph_as_module
from .partitions import validate_partition as validate_partition

__all__ = [
    "erase_nodes",
    "fuse_as_graphmodule",
    "fuse_by_partitions",
    "insert_subgm",
    "topo_sort",
    "validate_partition",
]


def topo_sort(nodes: list[Node]) -> list[Node]:
    """Sort the nodes topologically, keeping their order otherwise.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.fuser_utils import topo_sort
    >>> x, add, mul, out = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2).graph.nodes
    >>> topo_sort([mul, add])
    [add, mul]
    """
    place = {node: number for number, node in enumerate(nodes)}
    missing = {node: sum(used in place for used in node.all_input_nodes) for node in nodes}
    ready = [place[node] for node in nodes if not missing[node]]
    heapq.heapify(ready)
    ordered = []
    while ready:
        node = nodes[heapq.heappop(ready)]
        ordered.append(node)
        for user in node.users:
            if user in place:
                missing[user] -= 1
                if not missing[user]:
                    heapq.heappush(ready, place[user])
    if len(ordered) != len(nodes):
        raise AssertionError("topological sorted nodes doesn't have same length as input nodes")
    return ordered


def fuse_as_graphmodule(
    gm: GraphModule,
    nodes: list[Node],
    module_name: str,
    partition_lookup_table: dict[Node, int | None] | None = None,
    *,
    always_return_tuple: bool = False,
) -> tuple[GraphModule, tuple[Node, ...], tuple[Node, ...]]:
    """Make a module from consecutive nodes of a module, without changing ``gm``.

    Returns the module (whose class is called ``module_name``), the nodes that are its inputs, and those whose values others use, which
    are its outputs; a single output is returned as it is unless ``always_return_tuple``.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.fuser_utils import fuse_as_graphmodule
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2 - 3)
    >>> x, add, mul, sub, out = gm.graph.nodes
    >>> part, inputs, outputs = fuse_as_graphmodule(gm, [add, mul], "Part")
    >>> part(1), inputs, outputs
    (4, (x,), (mul,))
    """
    for node in nodes:
        if node.graph.owning_module is not gm:
            raise AssertionError(f"{node} doesn't belong to passed in graph module {gm._get_name()}")
        if node._erased:
            raise AssertionError(f"{node} has been removed from owning graph")
        if node not in gm.graph._find_nodes_lookup_table:
            raise AssertionError(f"{node} is not found in graph module {gm._get_name()}")
    if not validate_partition(nodes):
        raise AssertionError("Invalid partition, found dependency cycles")
    inside = dict.fromkeys(nodes) if partition_lookup_table is None else partition_lookup_table
    part, inputs, copies = Graph(), {}, {}

    def copied(node):
        if node in inside:
            return copies[node]
        if node not in inputs:
            inputs[node] = part.placeholder(node.name, type_expr=node.type)
            inputs[node].meta = copy.copy(node.meta)
        return inputs[node]

    for node in nodes:
        copies[node] = part.node_copy(node, copied)
    outputs = tuple([node for node in nodes if any(user not in inside for user in node.users)])
    values = tuple([copies[node] for node in outputs])
    part.output(values[0] if len(values) == 1 and not always_return_tuple else values)
    part.lint()
    module, _ = lift_subgraph_as_module(gm, part, class_name=module_name)
    return module, tuple(inputs), outputs


def insert_subgm(
    gm: GraphModule,
    sub_gm: GraphModule,
    orig_inputs: tuple[Node, ...],
    orig_outputs: tuple[Node, ...],
    insertion_point: Node | None = None,
) -> GraphModule:
    """Replace nodes by a call of the module that ``fuse_as_graphmodule`` made from them, after ``insertion_point`` or the last of them;
    return ``gm``.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils import fuser_utils
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2)
    >>> x, add, mul, out = gm.graph.nodes
    >>> part, inputs, outputs = fuser_utils.fuse_as_graphmodule(gm, [add], "Part")
    >>> [*fuser_utils.insert_subgm(gm, part, inputs, outputs).graph.nodes]
    [x, add, part, mul, output]
    """
    if insertion_point is None:
        insertion_point = next((node for node in reversed(gm.graph.nodes) if node in orig_outputs), None)
        if insertion_point is None:
            raise AssertionError(
                "Cannot determine insertion point: no insertion_point provided and orig_outputs is empty. Pass the last partition "
                "node as insertion_point."
            )
    name = type(sub_gm).__name__
    gm.add_submodule(name, sub_gm)
    with gm.graph.inserting_after(insertion_point):
        call = gm.graph.call_module(name, args=orig_inputs)
    if len(orig_outputs) == 1 and not isinstance(sub_gm.graph.output_node().args[0], tuple):
        orig_outputs[0].replace_all_uses_with(call, propagate_meta=True)
    elif orig_outputs:
        with gm.graph.inserting_before(call.next):
            for number, node in enumerate(orig_outputs):
                element = gm.graph.call_function(operator.getitem, (call, number))
                node.replace_all_uses_with(element, propagate_meta=True)
        call.meta["val"] = tuple([node.meta.get("val") for node in orig_outputs])
    return gm


def erase_nodes(gm: GraphModule, nodes: list[Node]) -> None:
    """Erase nodes that are used only by each other, given in order.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.fuser_utils import erase_nodes
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x, (x + 1) * 2)[0])
    >>> erase_nodes(gm, [*gm.graph.nodes][1:3])
    >>> [*gm.graph.nodes]
    [x, output]
    """
    for node in reversed(nodes):
        gm.graph.erase_node(node)


def fuse_by_partitions(
    gm: GraphModule,
    partitions: list[dict[Node, int | None]],
    prefix: str = "fused_",
    always_return_tuple: bool = False,
) -> GraphModule:
    """Turn each partition, whose keys are nodes, into a submodule of ``gm``, which is changed and returned.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.fuser_utils import fuse_by_partitions
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2 - 3)
    >>> x, add, mul, sub, out = gm.graph.nodes
    >>> print(fuse_by_partitions(gm, [{add: None, mul: None}]).code.strip())
    def forward(self, x):
        fused_0 = self.fused_0(x);  x = None
        sub = fused_0 - 3;  fused_0 = None
        return sub
    """
    for number, partition in enumerate(partitions):
        nodes = topo_sort([*partition])
        part, inputs, outputs = fuse_as_graphmodule(
            gm, nodes, f"{prefix}{number}", partition, always_return_tuple=always_return_tuple
        )
        insert_subgm(gm, part, inputs, outputs, nodes[-1])
        erase_nodes(gm, nodes)
    stable_topological_sort(gm)
    gm.graph.lint()
    return gm
