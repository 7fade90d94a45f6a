"""``Graph``: the steps of a function, in order, which can be changed and written as Python again."""

import contextlib
import copy
import inspect
import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal

from ..nn import Module, Parameter
from . import _targets
from ._codegen import CodeGen, PythonCode
from ._codegen import _BoxedCodeGen as _BoxedCodeGen
from ._codegen import _PyTreeCodeGen as _PyTreeCodeGen
from ._codegen import _PyTreeInfo as _PyTreeInfo
from ._namespace import Namespace as _Namespace
from ._namespace import custom_builtins, snake_case
from ._operator_texts import inplace_methods as inplace_methods
from ._operator_texts import magic_methods as magic_methods
from ._operator_texts import reflectable_magic_methods as reflectable_magic_methods
from .immutable_collections import immutable_dict
from .node import OPS, Node, _typename, map_arg

__all__ = ["CodeGen", "Graph", "PythonCode"]

_log = logging.getLogger(__name__)


class _InsertPoint:
    """Where new nodes go: at once, and back to the place before when the ``with`` block ends."""

    def __init__(self, graph: "Graph", new_insert: Callable[..., None]) -> None:
        self.graph = graph
        self.orig_insert, graph._insert = graph._insert, new_insert

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        self.graph._insert = self.orig_insert


class _node_list:
    """The nodes of a graph in order; it can be changed while one goes through it."""

    def __init__(self, graph: "Graph", direction: Literal["_prev", "_next"] = "_next") -> None:
        if direction not in ("_next", "_prev"):
            raise AssertionError(f"direction must be '_next' or '_prev', got {direction}")
        self.graph, self.direction = graph, direction

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Iterator[Any]:
        root, direction = self.graph._root, self.direction
        node = getattr(root, direction)
        while node is not root:
            if not node._erased:
                yield node
            node = getattr(node, direction)

    def __reversed__(self) -> Iterator[Any]:
        return iter(_node_list(self.graph, "_next" if self.direction == "_prev" else "_prev"))


class _NodeIndex:
    """The nodes of a graph by what they do, for quick searches: those that call functions by the function, others by their op."""

    def __init__(self) -> None:
        self._found = {}

    @staticmethod
    def _key(node):
        return node.op, node.target if node.op == "call_function" else None

    def __contains__(self, node: Any) -> bool:
        return node in self._found.get(self._key(node), ())

    def insert(self, node: Any) -> None:
        self._found.setdefault(self._key(node), {})[node] = None

    def remove(self, node: Any) -> None:
        del self._found[self._key(node)][node]

    @contextlib.contextmanager
    def moving(self, node: Any) -> Iterator[Any]:
        """While a node's op or target changes."""
        known = node in self
        if known:
            self.remove(node)
        try:
            yield
        finally:
            if known:
                self.insert(node)

    def find_nodes(self, *, op: Any, target: Any = None) -> Any:
        if op == "call_function":
            if target is None:
                raise AssertionError("target must not be None for call_function op")
            return [*self._found.get((op, target), ())]
        return [node for node in self._found.get((op, None), ()) if target is None or node.target == target]


class Graph:
    """The operations of a function as a list of ``Node`` objects, from its parameters to its output.

    A transformation iterates over ``nodes``, changes their arguments, and inserts or erases nodes. A ``GraphModule`` runs the graph as
    Python code.

    >>> import minigrad
    >>> graph = minigrad.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> y = graph.call_function(minigrad.relu, (x,))
    >>> _ = graph.output(y)
    >>> print(graph)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return relu
    >>> minigrad.fx.GraphModule({}, graph)(minigrad.tensor([-1., 1.]))
    tensor([0., 1.])
    """

    def __init__(
        self,
        owning_module: Any = None,
        tracer_cls: Any = None,
        tracer_extras: dict[str, Any] | None = None,
    ) -> None:
        self.owning_module = owning_module
        self._index = _NodeIndex()
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._len = 0
        self._graph_namespace = _Namespace()
        self._tracer_cls = tracer_cls
        self._tracer_extras = tracer_extras
        self._codegen = CodeGen()
        self._co_fields = {}

    # Finding nodes ---------------------------------------------------------------------------------------------------------

    @property
    def nodes(self) -> Any:
        """All nodes in order; ``reversed`` iterates from the end. Nodes can be inserted and erased during iteration."""
        return _node_list(self)

    @property
    def _find_nodes_lookup_table(self):
        return self._index

    def output_node(self) -> Node:
        """Return the output node; raise AssertionError if the last node is not one."""
        node = self._root.prev
        if node.op != "output":
            raise AssertionError(f"Expected output node, got op={node.op}")
        return node

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list[Any]:
        """Return a list of the nodes of an op, with a target (required for functions), in the graph's order or in that of their creation.

        >>> import minigrad
        >>> graph = minigrad.fx.symbolic_trace(lambda x: x.relu() + x.relu()).graph
        >>> graph.find_nodes(op="call_method", target="relu")
        [relu, relu_1]
        """
        found = self._index.find_nodes(op=op, target=target)
        return sorted(found) if sort else found

    # Making nodes ----------------------------------------------------------------------------------------------------------

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Create a node and insert it; it gets the name ``name`` if that is free."""
        if args and not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, got {type(args)}")
        if kwargs and not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, got {type(kwargs)}")
        candidate = self._target_to_str(target) if name is None else name
        name = self._graph_namespace.create_name(candidate, None)
        node = Node(self, name, op, target, args or (), kwargs or immutable_dict(), type_expr)
        for hook in getattr(self.owning_module, "_create_node_hooks", None) or ():
            hook(node)
        self._graph_namespace.associate_name_with_obj(name, node)
        self._insert(node)
        self._index.insert(node)
        self._len += 1
        return node

    def placeholder(
        self, name: str, type_expr: Any = None, default_value: Any = inspect.Signature.empty
    ) -> Node:
        """Insert a parameter of the function; ``default_value`` may be None."""
        args = () if default_value is inspect.Signature.empty else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        """Insert a node that reads a parameter, buffer or submodule by its dotted name; warn if the graph's module has none."""
        if self.owning_module is not None and not _has_state(self.owning_module, qualified_name):
            warnings.warn(
                "Attempted to insert a get_attr Node with no underlying reference in the owning GraphModule! Call "
                "GraphModule.add_submodule to add the necessary submodule, GraphModule.add_parameter to add the "
                "necessary Parameter, or nn.Module.register_buffer to add the necessary buffer",
                stacklevel=2,
            )
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(
        self,
        module_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Insert a call of a submodule, by its dotted name."""
        if self.owning_module is not None:
            self.owning_module.get_submodule(module_name)
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(
        self,
        method_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Insert a call of a method of ``args[0]``."""
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(
        self,
        the_function: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        """Insert a call of a function."""
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Any:
        """Insert the output node, which returns a value."""
        return self.create_node(op="output", target="output", args=(result,), type_expr=type_expr)

    def _target_to_str(self, target):
        if callable(target):
            name = _targets.name_of(target)
        else:
            if not isinstance(target, str):
                raise AssertionError(f"Expected target to be str, got {type(target)}")
            name = target[2:-2] if target[:2] == "__" == target[-2:] else target
        return snake_case(name)

    def inserting_before(self, n: Node | None = None) -> Any:
        """Insert new nodes before a node, or before all: from now on, or in a ``with`` block.

        >>> import minigrad
        >>> graph = minigrad.fx.symbolic_trace(lambda x: x + 1).graph
        >>> with graph.inserting_before(graph.output_node()):
        ...     node = graph.call_method("relu", (graph.output_node().args[0],))
        >>> [*graph.nodes]
        [x, add, relu, output]
        """
        if n is None:
            return self.inserting_after(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert before is not in graph.")
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n: Node | None = None) -> Any:
        """Insert new nodes after a node, or after all: from now on, or in a ``with`` block."""
        if n is None:
            return self.inserting_before(self._root)
        if n.graph is not self:
            raise AssertionError("Node to insert after is not in graph.")
        return _InsertPoint(self, n.append)

    # Erasing nodes ---------------------------------------------------------------------------------------------------------

    def erase_node(self, to_erase: Node) -> None:
        """Remove an unused node; raise RuntimeError if it has users."""
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!"
            )
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            warnings.warn(f"erase_node({to_erase}) on an already erased node", stacklevel=2)
            return
        for hook in getattr(self.owning_module, "_erase_node_hooks", None) or ():
            hook(to_erase)
        self._index.remove(to_erase)
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._update_args_kwargs(
            map_arg(to_erase._args, lambda node: None), map_arg(to_erase._kwargs, lambda node: None)
        )

    def _clear_nodes(self):
        for node in reversed(self.nodes):
            node.meta.clear()
            self.erase_node(node)

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        """Remove nodes without users and side effects; return whether there were any.

        ``is_impure_node(node)`` says which nodes have side effects, by default ``Node.is_impure``, which cannot know the effects of
        functions in the program.

        >>> import minigrad
        >>> graph = minigrad.fx.symbolic_trace(lambda x: (x + 1, x.relu())[1]).graph
        >>> graph.eliminate_dead_code(), [*graph.nodes]
        (True, [x, relu, output])
        """
        self.lint()
        impure = is_impure_node or Node.is_impure
        removed = []
        for node in reversed(self.nodes):
            if not node.users and not impure(node):
                self.erase_node(node)
                removed.append(node.name)
        changed = bool(removed)
        if changed:
            _log.info("The following nodes were dead code eliminated: %s", removed)
        if self.owning_module is not None:
            read = {node.target for node in self.find_nodes(op="get_attr")}
            for name, child in self.owning_module.named_children():
                if name in read and isinstance(getattr(child, "graph", None), Graph):
                    changed |= child.graph.eliminate_dead_code()
                    child.recompile()
        return changed

    # Copies ----------------------------------------------------------------------------------------------------------------

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda x: x) -> Node:
        """Insert a copy of a node of another graph; ``arg_transform(argument_node)`` maps its arguments to nodes of this graph."""
        copied = self.create_node(
            node.op,
            node.target,
            map_arg(node.args, arg_transform),
            map_arg(node.kwargs, arg_transform),
            node.name,
            node.type,
        )
        copied.meta = copy.copy(node.meta)
        return copied

    def graph_copy(self, g: "Graph", val_map: dict[Node, Node], return_output_node: bool = False) -> Any:
        """Insert copies of all nodes of another graph but its output; return the value that its output would return here, or None.

        ``val_map`` (node there -> node here) receives all copied nodes; those already in it are not copied. With ``return_output_node``
        the result is a pair with the other graph's output node.

        >>> import minigrad
        >>> source = minigrad.fx.symbolic_trace(lambda x: x + 1).graph
        >>> graph = minigrad.fx.Graph()
        >>> graph.output(graph.graph_copy(source, {})), [*graph.nodes]
        (output, [x, add, output])
        """
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> "Graph":
        memo = {} if memo is None else memo
        copied = Graph(tracer_cls=self._tracer_cls)
        nodes = {}
        returned = copied.graph_copy(self, nodes, return_output_node=True)
        memo.update({id(node): there for node, there in nodes.items()})
        copied._codegen = copy.deepcopy(self._codegen)
        if returned is not None:
            value, output = returned
            copied.output(value, type_expr=output.type).meta = copy.copy(output.meta)
        return copied

    # Inputs, outputs, text -------------------------------------------------------------------------------------------------

    def process_inputs(self, *args: Any) -> Any:
        """Convert the arguments of the generated function to the inputs of the graph; they differ if it takes nested ones."""
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out: Any) -> Any:
        """Convert the output of the graph to the result of the generated function."""
        return self._codegen.process_outputs(out)

    def set_codegen(self, codegen: Any) -> None:
        """Use a ``CodeGen`` to generate the function from now on."""
        self._codegen = codegen

    def on_generate_code(self, make_transformer: Any) -> Any:
        r"""Register a transformer of the generated code: ``make_transformer(previous one, or None)`` returns it.

        A transformer takes and returns a list of strings. In a ``with`` block it is removed at the end.

        >>> import minigrad
        >>> traced = minigrad.fx.symbolic_trace(lambda x: x + 1)
        >>> with traced.graph.on_generate_code(lambda before: lambda body: ["print('called')\n", *body]):
        ...     _ = traced.recompile()
        >>> traced(1)
        called
        2
        """
        codegen = self._codegen
        before = codegen._body_transformer
        codegen._body_transformer = make_transformer(before)

        @contextlib.contextmanager
        def restored_afterwards():
            try:
                yield
            finally:
                codegen._body_transformer = before

        return restored_afterwards()

    def python_code(
        self,
        root_module: str,
        *,
        verbose: bool = False,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        expanded_def: bool = False,
        additional_meta: list[str] | None = None,
    ) -> Any:
        """Return the graph as Python: a ``PythonCode``, with the text in ``src`` and what it refers to in ``globals``.

        ``root_module`` is the name of the module in it, mostly ``self``. ``verbose`` adds comments on where nodes come from, and dtypes and shapes where the
        metadata have them; ``include_stride`` and ``include_device`` show these as well, ``additional_meta`` lists more keys of the metadata to show.

        >>> import minigrad
        >>> print(minigrad.fx.symbolic_trace(lambda x: x + 1).graph.python_code("self").src.strip())
        def forward(self, x):
            add = x + 1;  x = None
            return add
        """
        # The names of nodes are unique among nodes only: here globals need names as well, so all get new ones.
        namespace = _Namespace()
        before = {node: node._repr_fn for node in self.nodes}
        for node in before:
            node._repr_fn = lambda n: namespace.create_name(n.name, n)
        try:
            return self._codegen._gen_python_code(
                self.nodes,
                root_module,
                namespace,
                verbose=verbose,
                include_stride=include_stride,
                include_device=include_device,
                colored=colored,
                expanded_def=expanded_def,
                additional_meta=additional_meta,
            )
        finally:
            for node, function in before.items():
                node._repr_fn = function

    def __str__(self) -> str:
        names, returned = [], [""]
        lines = [node.format_node(names) for node in self.nodes]
        return "\n    ".join([f"graph({', '.join(names)}){returned[0]}:", *filter(None, lines)])

    def print_tabular(self) -> None:
        """Print the nodes as a table; needs the package ``tabulate``."""
        try:
            from tabulate import tabulate
        except ImportError:
            print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on this machine. Run `pip "
                "install tabulate` to install the library."
            )
            raise
        rows = [[node.op, node.name, node.target, node.args, node.kwargs] for node in self.nodes]
        print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def lint(self) -> None:
        """Check that the graph is well formed: arguments precede their users, names are unique, targets exist in the module; raise
        RuntimeError if not.
        """
        seen, names = set(), set()
        for node in self.nodes:
            if node.op not in OPS:
                raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
            if node not in self._index:
                raise RuntimeError(f"Node '{node}' is not added to the side table")
            for used in node._input_nodes:
                if used.graph is not self:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' does not belong to this Graph, but was used as an argument! If you are copying "
                        f"nodes from another graph, make sure to use ``arg_transform`` on node_copy() to remap values\n{self}"
                    )
                if used not in seen:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are "
                        f"topologically ordered\n{self}"
                    )
            seen.add(node)
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            names.add(node.name)
        if self.owning_module is not None:
            for node in self.nodes:
                self._check_target(node)

    def _check_target(self, node):
        expected = "a Callable" if node.op == "call_function" else "a str"
        if not (callable(node.target) if node.op == "call_function" else isinstance(node.target, str)):
            raise ValueError(
                f"Node {node} target {node.target} has type {_typename(node.target)} but {expected} is expected"
            )
        if node.op in ("get_attr", "call_module"):
            found, parts = self.owning_module, node.target.split(".")
            for number, part in enumerate(parts):
                found, path = getattr(found, part, None), ".".join(parts[:number])
                if found is None:
                    raise RuntimeError(
                        f"Node {node} target {node.target} references nonexistent attribute {part} of {path}"
                    )
                if node.op == "call_module" and not isinstance(found, Module):
                    raise RuntimeError(
                        f"Node {node} target {node.target} {part} of {path} does not reference an nn.Module"
                    )


def _has_state(module, qualified_name):
    path, _, name = qualified_name.rpartition(".")
    try:
        owner = module.get_submodule(path)
    except AttributeError:
        warnings.warn(f"Failed to fetch module {path}!", stacklevel=3)
        return False
    return isinstance(getattr(owner, name, None), (Module, Parameter)) or name in owner._buffers


_custom_builtins = custom_builtins()
_is_from_torch = _targets.is_own
