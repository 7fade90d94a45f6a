"""``split_module``: the nodes of a module divided among submodules."""

import inspect
import operator
from collections.abc import Callable
from typing import Any

from ...nn import Module
from ..graph import Graph
from ..graph_module import GraphModule, _get_attr
from ..node import Node, map_arg

__all__ = ["Partition", "split_module"]


class Partition:
    """Nodes that become a submodule: their names, those of its inputs and outputs, and the partitions before and after it."""

    name: str
    submod_name: str
    node_names: list[Any]
    inputs: dict[Any, Any]
    outputs: dict[Any, Any]
    dependencies: dict[Any, Any]
    dependents: dict[Any, Any]
    graph: Any
    environment: dict[Any, Any]
    targets: dict[Any, Any]

    def __init__(self, name: str) -> None:
        self.name, self.submod_name = name, f"submod_{name}"
        self.node_names = []
        self.inputs, self.outputs, self.dependencies, self.dependents = {}, {}, {}, {}
        self.graph = Graph()
        self.environment, self.targets = {}, {}

    def __repr__(self) -> str:
        return (
            f"name: {self.name},\n nodes: {self.node_names},\n inputs: {self.inputs},\n outputs: {self.outputs},\n"
            f" partitions depended on: {self.dependencies},\n partition dependents: {self.dependents}"
        )


def split_module(
    m: GraphModule,
    root_m: Module,
    split_callback: Callable[[Node], int],
    qualname_map: dict[str, str] | None = None,
    keep_original_order: bool | None = False,
    keep_original_node_name: bool | None = False,
    keep_original_input_name: bool = True,
    *,
    partition_affix: str | None = None,
    tuple_return: bool = False,
) -> GraphModule:
    """Split a module into submodules: nodes of ``m`` for which ``split_callback(node)`` returns the same number go together.

    ``root_m`` is not used. ``qualname_map`` gets the names that submodules have now, with those that they had. ``keep_original_order`` calls the submodules in the order of
    their first nodes. Nodes get names anew unless ``keep_original_node_name``, inputs keep theirs unless ``keep_original_input_name`` is False.
    ``partition_affix`` is put before the numbers in the submodules' names; with ``tuple_return`` all of them return tuples.

    >>> import minigrad
    >>> from minigrad.fx.passes.split_module import split_module
    >>> gm = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2)
    >>> split = split_module(gm, None, lambda node: 0 if node.name == "add" else 1)
    >>> print(split.code.strip())
    def forward(self, x):
        submod_0 = self.submod_0(x);  x = None
        submod_1 = self.submod_1(submod_0);  submod_0 = None
        return submod_1
    """
    splitting = _Splitting(m, keep_original_node_name, partition_affix)
    splitting.assign(split_callback)
    order = splitting.sorted_partitions()
    splitting.add_inputs(order, keep_original_input_name)
    splitting.copy_nodes(qualname_map)
    return splitting.assembled(
        [*splitting.partitions] if keep_original_order else order, keep_original_order, tuple_return
    )


class _Splitting:
    """What is known while a module is split."""

    def __init__(self, module: Module, keep_node_names: Any, affix: Any) -> None:
        self.module, self.keep_node_names, self.affix = module, keep_node_names, affix
        self.nodes = {node.name: node for node in module.graph.nodes}
        self.partitions = {}
        self.home = {}  # node -> the name of its partition

    def assign(self, split_callback: Any) -> None:
        """Put the nodes into partitions, and note what passes between these."""
        inside = [n for n in self.nodes.values() if n.op not in ("placeholder", "get_attr", "output")]
        for node in inside:
            name = "_".join(filter(None, (self.affix, str(split_callback(node)))))
            partition = self.partitions.setdefault(name, Partition(name))
            partition.node_names.append(node.name)
            self.home[node] = node._fx_partition = name
        for node in self.nodes.values():
            if node in self.home or node.op == "output":
                for used in node.all_input_nodes:
                    self._note_use(used, node)

    def _note_use(self, used, user):
        made, wanted = self.home.get(used), self.home.get(user)
        if made == wanted:
            return
        if made is not None:
            self.partitions[made].outputs.setdefault(used.name)
            if wanted is not None:
                self.partitions[made].dependents.setdefault(wanted)
        if wanted is not None:
            self.partitions[wanted].inputs.setdefault(used.name)
            if made is not None:
                self.partitions[wanted].dependencies.setdefault(made)

    def sorted_partitions(self) -> Any:
        """The names of the partitions, each after those that it depends on."""
        waiting = {name: {*partition.dependencies} for name, partition in self.partitions.items()}
        ready = [name for name, missing in waiting.items() if not missing]
        order = []
        while ready:
            name = ready.pop()
            order.append(name)
            for dependent in self.partitions[name].dependents:
                waiting[dependent].discard(name)
                if not waiting[dependent]:
                    ready.append(dependent)
        if len(order) != len(self.partitions):
            raise RuntimeError("cycle exists between partitions!")
        return order

    def add_inputs(self, order: Any, keep_names: Any) -> None:
        """Insert what the partitions get from outside: placeholders, and modules that are read."""
        for name in order:
            partition = self.partitions[name]
            passed, read = [], []
            for each in partition.inputs:
                (read if self._reads_module(self.nodes[each]) else passed).append(each)
            for number, each in enumerate(passed):
                title = each if keep_names else f"arg_{number}"
                self._enter(
                    partition, each, partition.graph.placeholder(title, type_expr=self.nodes[each].type)
                )
            for each in read:
                target = self.nodes[each].target
                partition.targets[target] = _get_attr(self.module, target)
                self._enter(partition, each, partition.graph.get_attr(target))
            partition.inputs = dict.fromkeys(passed)

    def _enter(self, partition, name, made):
        made.meta = self.nodes[name].meta.copy()
        partition.environment[self.nodes[name]] = made

    def _reads_module(self, node):
        return node.op == "get_attr" and isinstance(_get_attr(self.module, node.target), Module)

    def copy_nodes(self, qualname_map: Any) -> None:
        """Copy the nodes into their partitions."""
        for node, name in self.home.items():
            partition = self.partitions[name]
            target = node.target
            if node.op == "call_module":
                target = node.target.replace(".", "_")
                partition.targets[target] = _get_attr(self.module, node.target)
                if qualname_map is not None:
                    qualname_map[f"{partition.submod_name}.{target}"] = node.target
            made = partition.graph.create_node(
                node.op,
                target,
                map_arg(node.args, partition.environment.__getitem__),
                map_arg(node.kwargs, partition.environment.__getitem__),
                node.name if self.keep_node_names else None,
                node.type,
            )
            self._enter(partition, node.name, made)

    def assembled(self, order: Any, keep_order: Any, tuple_return: Any) -> Any:
        """The module that calls the partitions in an order."""
        graph, values, held = Graph(), {}, {}

        def outer(node):
            """Copy a placeholder, or what is read, once."""
            if node.name in values:
                return
            if node.op == "placeholder":
                default = node.args[0] if node.args else inspect.Signature.empty
                title = node.name if self.keep_node_names else node.target
                made = graph.placeholder(title, type_expr=node.type, default_value=default)
            elif node.op == "get_attr":
                made = graph.get_attr(node.target)
                held[node.target] = _get_attr(self.module, node.target)
            else:
                return
            made.meta = node.meta.copy()
            values[node.name] = made

        for node in self.nodes.values():
            if not keep_order or node.op == "placeholder" or not order:
                outer(node)
        for name in order:
            partition = self.partitions[name]
            results = tuple([partition.environment[self.nodes[each]] for each in partition.outputs])
            several = len(results) > 1 or (len(results) == 1 and tuple_return)
            partition.graph.output(results if len(results) != 1 or tuple_return else results[0])
            for each in partition.inputs:
                outer(self.nodes[each])
            held[partition.submod_name] = GraphModule(partition.targets, partition.graph)
            call = graph.call_module(
                partition.submod_name, tuple([values[each] for each in partition.inputs])
            )
            for number, each in enumerate(partition.outputs):
                values[each] = graph.call_function(operator.getitem, (call, number)) if several else call
        for node in self.nodes.values():
            if node.op == "output":
                for used in node.all_input_nodes:
                    outer(used)
                graph.output(map_arg(node.args[0], lambda used: values[used.name]))
        made = GraphModule(held, graph)
        made.meta["partition_names"] = {partition.submod_name for partition in self.partitions.values()}
        return made
