"""``CapabilityBasedPartitioner``: nodes that a backend supports, gathered in parts as large as may be, which become submodules."""

from collections.abc import Iterable, Sequence
from typing import Any

from ... import _targets
from ...graph_module import GraphModule
from ...node import Node
from ..utils.fuser_utils import fuse_by_partitions
from ..utils.partitions import validate_partition

_NO_COMPUTATION = ("torch.ops.aten.view", "_operator.getitem")


class Partition:
    """A set of nodes; ``nodes`` is a dict whose keys count."""

    id: int | None
    nodes: dict[Any, Any]

    def __init__(
        self,
        id: int | None = None,
        nodes: Iterable[Node] | None = None,
        node_orders: Iterable[int] | None = None,
    ) -> None:
        nodes = [] if nodes is None else [*nodes]
        orders = [None] * len(nodes) if node_orders is None else [*node_orders]
        if len(nodes) != len(orders):
            raise AssertionError("nodes and node_orders must have the same length")
        self.id, self.nodes = id, dict(zip(nodes, orders, strict=True))

    def __repr__(self) -> str:
        return str(self.nodes)

    def add_node(self, node: Node, node_order: int | None = None) -> None:
        """Add a node."""
        self.nodes[node] = node_order

    def remove_node(self, node: Node) -> None:
        """Remove a node."""
        del self.nodes[node]

    def size(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)


class CapabilityBasedPartitioner:
    """Gathers the nodes of a module that ``operator_support`` supports (``is_node_supported(submodules, node)``) in parts.

    A part can be one step: nothing outside of it is computed from it and used in it. Parts in which only one node computes are left out, unless
    ``allows_single_node_partition``; ``non_compute_ops`` are names of functions that do not count. ``skip_horizontal_fusion`` joins only nodes that use each other.

    >>> import minigrad
    >>> from minigrad.fx.passes.infra.partitioner import CapabilityBasedPartitioner
    >>> from minigrad.fx.passes.operator_support import create_op_support
    >>> supports = create_op_support(lambda submodules, node: node.op == "call_function")
    >>> gm = minigrad.fx.symbolic_trace(lambda x: ((x + 1) * 2).relu() - 3)
    >>> print(CapabilityBasedPartitioner(gm, supports).partition_and_fuse().code.strip())
    def forward(self, x):
        fused_0 = self.fused_0(x);  x = None
        relu = fused_0.relu();  fused_0 = None
        sub = relu - 3;  relu = None
        return sub
    """

    graph_module: Any
    operator_support: Any
    non_compute_ops: Any
    allowed_single_node_partition_ops: Any

    def __init__(
        self,
        graph_module: GraphModule,
        operator_support: Any,
        allows_single_node_partition: bool = False,
        non_compute_ops: Sequence[str] | None = None,
        allowed_single_node_partition_ops: Sequence[str] | None = None,
        skip_horizontal_fusion: bool = False,
    ) -> None:
        self.graph_module, self.operator_support = graph_module, operator_support
        self.allows_single_node_partition = allows_single_node_partition
        self.non_compute_ops = non_compute_ops or []
        self.allowed_single_node_partition_ops = allowed_single_node_partition_ops or []
        self.skip_horizontal_fusion = skip_horizontal_fusion

    def propose_partitions(self) -> Any:
        """Return the partitions as a list, with the nodes of each in the graph's order."""
        submodules = dict(self.graph_module.named_modules())
        nodes = [*self.graph_module.graph.nodes]
        place = {node: number for number, node in enumerate(nodes)}
        parts = []
        for node in reversed(nodes):
            own = None
            if self.operator_support.is_node_supported(submodules, node):
                own = _Part(node, place[node])
                parts.append(own)
            others = sorted((part for part in parts if part is not own), key=lambda part: -part.last)
            if self.skip_horizontal_fusion:
                others = [part for user in node.users for part in others if user in part.nodes] if own else []
            candidates = [*filter(None, [own]), *others]
            if candidates:
                first = candidates[0]
                for other in candidates[1:]:
                    if first is not other and other in parts:
                        first = _joined(first, other, parts)
        sets = [part.nodes for part in parts]
        _gather_elements(nodes, sets)
        result = [
            Partition(number, sorted(part, key=place.__getitem__)) for number, part in enumerate(sets) if part
        ]
        return [part for part in result if self.allows_single_node_partition or self._computes_enough(part)]

    def _computes_enough(self, part):
        names = [_targets.qualified_name(n.target) for n in part.nodes if n.op == "call_function"]
        count = sum(name not in (*_NO_COMPUTATION, *self.non_compute_ops) for name in names)
        return count + sum(name in self.allowed_single_node_partition_ops for name in names) > 1

    def fuse_partitions(self, partitions: Any, prefix: str = "fused_") -> GraphModule:
        """Turn partitions into submodules of the module, which is changed and returned."""
        return fuse_by_partitions(self.graph_module, [part.nodes for part in partitions], prefix=prefix)

    def remove_bookend_non_compute_ops(self, partitions: Any) -> None:
        """Remove functions that do not compute from the beginning and end of each partition."""

        def idle(node):
            return node.op == "call_function" and _targets.qualified_name(node.target) in self.non_compute_ops

        for part in partitions:
            removed: Any = True
            while removed:
                removed = [
                    node
                    for node in part.nodes
                    if idle(node)
                    and not (
                        any(used in part.nodes for used in node.all_input_nodes)
                        and any(user in part.nodes for user in node.users)
                    )
                ]
                for node in removed:
                    part.remove_node(node)

    def partition_and_fuse(self, prefix: str = "fused_") -> GraphModule:
        """Find the partitions and turn them into submodules; return the module."""
        return self.fuse_partitions(self.propose_partitions(), prefix)


class _Part:
    """Nodes that can be one step; ``last`` is the place of the last of them."""

    def __init__(self, node: Any, place: Any) -> None:
        self.nodes, self.last = {node}, place


def _joined(one, other, parts):
    """The two parts as one, if they can be, in the place of the larger; else ``one``."""
    if not _can_be_joined(one, other, parts):
        return one
    kept, gone = (other, one) if len(one.nodes) < len(other.nodes) else (one, other)
    kept.nodes |= gone.nodes
    kept.last = max(kept.last, gone.last)
    parts.remove(gone)
    return kept


def _can_be_joined(one, other, parts):
    """Whether two parts can be one step, while each of the others is one as well."""
    joined = one.nodes | other.nodes
    part_of = {n: part.nodes for part in parts for n in part.nodes if part is not one and part is not other}
    seen, waiting = set(), [user for node in joined for user in node.users if user not in joined]
    while waiting:
        node = waiting.pop()
        if node in joined:
            return False
        if node in seen:
            continue
        together = part_of.get(node, (node,))
        seen.update(together)
        waiting.extend(user for member in together for user in member.users)
    return validate_partition(joined)


def _gather_elements(nodes, parts):
    """Bring elements of a tuple to the part of the node that has made it, or out of all parts if it is in none."""
    changed = True
    while changed:
        changed = False
        for node in nodes:
            elements = [*node.users]
            if elements and all(
                user.op == "call_function" and _targets.qualified_name(user.target) == "_operator.getitem"
                for user in elements
            ):
                home = next((part for part in parts if node in part), None)
                for user in elements:
                    now = next((part for part in parts if user in part), None)
                    if now is not home:
                        changed = True
                        if now is not None:
                            now.remove(user)
                        if home is not None:
                            home.add(user)
