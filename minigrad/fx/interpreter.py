"""Graphs run node by node: ``Interpreter``; and run on proxies, which makes another graph: ``Transformer``."""

import contextlib
import inspect
from typing import Any

from ..nn import Module
from . import config
from . import traceback as fx_traceback
from ._symbolic_trace import Tracer
from ._writer import last_uses
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_aggregate, map_arg
from .proxy import Proxy

__all__ = ["Interpreter", "Transformer"]


class Interpreter:
    """Runs the graph of a module node by node; subclasses do something else at some.

    ``run`` calls ``run_node`` for each node, which calls the method that is named as the node's op: ``placeholder``, ``get_attr``, ``call_function``,
    ``call_method``, ``call_module``, ``output``. ``env`` holds the values; without ``garbage_collect_values`` all of them stay there. ``graph`` is another
    graph to run instead of ``module.graph``.

    >>> import minigrad
    >>> class Counting(minigrad.fx.Interpreter):
    ...     def run_node(self, n):
    ...         value = super().run_node(n)
    ...         print(n.name, value)
    ...         return value
    >>> Counting(minigrad.fx.symbolic_trace(lambda x: x * 2 + 1)).run(3)
    x 3
    mul 6
    add 7
    output 7
    7
    """

    submodules: dict[Any, Any]
    graph: Any
    user_to_last_uses: Any
    env: dict[Any, Any]
    args_iter: Any

    def __init__(
        self, module: Module, garbage_collect_values: bool = True, graph: Graph | None = None
    ) -> None:
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph = module.graph if graph is None else graph
        self.env = {}
        self.name = "Interpreter"
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        if garbage_collect_values:
            self.user_to_last_uses = last_uses(self.graph.nodes)

    def run(
        self, *args: Any, initial_env: dict[Node, Any] | None = None, enable_io_processing: bool = True
    ) -> Any:
        """Run the graph on these inputs, and return its output.

        ``initial_env`` (node -> value) holds known values; without ``enable_io_processing`` the inputs are those of the graph, even if
        its code takes nested ones. The message of an error names the node that failed.
        """
        self.env = {} if initial_env is None else initial_env
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        for node in _with_progress(self.graph.nodes, self.name):
            if node in self.env:
                continue
            try:
                self.env[node] = self.run_node(node)
            except Exception as error:
                if self.extra_traceback:
                    where = f"While executing {node.format_node()}\nOriginal traceback:\n{node.stack_trace}"
                    first = f"{error.args[0]}\n\n{where}" if error.args else where
                    error.args = (first, *error.args[1:])
                    if isinstance(error, KeyError):
                        raise RuntimeError(*error.args) from error
                raise
            if self.garbage_collect_values:
                for used in self.user_to_last_uses.get(node, ()):
                    del self.env[used]
            if node.op == "output":
                value = self.env[node]
                return self.graph.process_outputs(value) if enable_io_processing else value
        return None

    def boxed_run(self, args_list: list[Any]) -> Any:
        """Run the graph on the inputs in a list, which is emptied first, so that they can be freed early."""
        placeholders = self.graph.find_nodes(op="placeholder")
        if len(args_list) != len(placeholders):
            problem = "extra arguments" if len(args_list) > len(placeholders) else "missing arguments"
            raise RuntimeError(
                f"Interpreter.boxed_run expected {len(placeholders)} arguments for placeholders but received {len(args_list)} ({problem})"
            )
        env = dict(zip(placeholders, args_list, strict=True))
        args_list.clear()
        return self.run(initial_env=env)

    @contextlib.contextmanager
    def _set_current_node(self, node):
        with fx_traceback.set_current_meta(node, f"Interpreter_{type(self).__name__}"):
            yield

    def run_node(self, n: Node) -> Any:
        """Compute the value of one node, whose arguments are in ``env``."""
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return the next input, or the default; for ``*args`` all remaining ones."""
        if target.startswith("*"):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration as stop:
            if args:
                return args[0]
            raise RuntimeError(
                f"Expected positional argument for parameter {target}, but one was not passed in!"
            ) from stop

    def get_attr(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return the attribute of the module under a dotted name."""
        return self.fetch_attr(target)

    def call_function(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call a function."""
        return target(*args, **kwargs)

    def call_method(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call a method of the first argument."""
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call a submodule."""
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return the value that the graph returns."""
        return args[0]

    def fetch_attr(self, target: str) -> Any:
        """Return the attribute of the module under a dotted name; raise RuntimeError if there is none."""
        value, parts = self.module, target.split(".")
        for number, part in enumerate(parts, 1):
            if not hasattr(value, part):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(parts[:number])}")
            value = getattr(value, part)
        return value

    def fetch_args_kwargs_from_env(self, n: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the (args, kwargs) of a node with nodes replaced by their values."""
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args: Any, n: Node) -> Any:
        """Return arguments of the node ``n`` with nodes replaced by their values."""

        def value(node):
            if node not in self.env:
                raise RuntimeError(
                    f"Node {n} referenced nonexistent value {node}! Run Graph.lint() to diagnose such issues"
                )
            return self.env[node]

        return map_arg(args, value)


def _with_progress(nodes, name):
    """The nodes, with a bar that shows how far one has come if ``config`` asks for one."""
    if config.disable_progress:
        return nodes
    try:
        from tqdm import tqdm
    except ImportError as error:
        raise ImportError(
            "the bar of fx.config.disable_progress = False needs the package tqdm: pip install tqdm"
        ) from error
    title = f"{name}: {[*nodes] if config.verbose_progress else ''}"
    return tqdm(nodes, desc=title, total=len(nodes), leave=True)


class _AppendingTracer(Tracer):
    """Appends to the graph of a ``Transformer``."""

    graph: Any
    root: Any
    tensor_attrs: dict[Any, Any]

    def __init__(self, graph: Any, root: Any) -> None:
        super().__init__()
        self.graph, self.root = graph, root
        self.tensor_attrs = {}

    def is_leaf_module(self, m: Any, module_qualified_name: Any) -> bool:
        """All are: they were not looked into when the module was traced."""
        return True


class Transformer(Interpreter):
    """Makes a new module from one by running its graph on proxies; subclasses override the methods that decide what becomes of each node.

    >>> import minigrad
    >>> class Swap(minigrad.fx.Transformer):
    ...     def call_method(self, target, args, kwargs):
    ...         return super().call_method("sigmoid" if target == "neg" else target, args, kwargs)
    >>> print(Swap(minigrad.fx.symbolic_trace(lambda x: x.neg())).transform().code.strip())
    def forward(self, x):
        sigmoid = x.sigmoid();  x = None
        return sigmoid
    """

    new_graph: Any
    tracer: Any

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _AppendingTracer(self.new_graph, module)

    def placeholder(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return a new placeholder."""
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return a new node that reads the same attribute."""
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return a new call if the tracer treats the module as a leaf, else trace through it."""
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Return a new call, also of functions marked by ``wrap``."""
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self) -> GraphModule:
        """Return the new module."""
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:
            output = self.new_graph.output(
                map_aggregate(result, lambda x: x.node if isinstance(x, Proxy) else x)
            )
            output.meta.update(self.graph.output_node().meta)
        return GraphModule(self.module, self.new_graph)
