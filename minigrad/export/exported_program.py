"""``ExportedProgram``: a graph whose inputs are all that the program used, with the state that it was exported with."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from .._api import Tensor
from ..fx import Graph, GraphModule
from ..fx._codegen import _PyTreeCodeGen, _PyTreeInfo
from ..fx.node import map_arg
from ..fx.proxy import GraphAppendingTracer, ProxiesHear, Proxy
from ..nn import Module, Parameter
from ..utils import _pytree as pytree
from ._recording import overload
from .dynamic_shapes import DerivedDim
from .graph_signature import ExportGraphSignature, InputKind

__all__ = ["ExportedProgram"]


@dataclasses.dataclass
class CallSpec:
    """The structures of the inputs, (args, kwargs), and of the output of a program."""

    in_spec: Any
    out_spec: Any


def default_decompositions() -> dict[Any, Any]:
    """Return the table of decompositions that minigrad has, which is empty: operators stay as programs call them.

    >>> import minigrad
    >>> minigrad.export.default_decompositions()
    {}
    """
    return {}


class ExportedProgram:
    """A program as a graph: what ``minigrad.export.export`` returns.

    ``graph`` has a placeholder for each parameter, buffer, constant and input, in this order (``graph_signature``), and returns a tuple. ``module()`` gives a
    module that is called as the program was. ``state_dict`` holds the parameters and buffers of the program itself, ``constants`` its other tensors.
    """

    def __init__(
        self,
        graph: Graph,
        graph_signature: Any,
        state_dict: dict[str, Tensor | Parameter],
        constants: Any,
        call_spec: Any,
        names: Any,
        example_inputs: tuple[tuple[Any, ...], dict[str, Any]] | None,
        range_constraints: Any,
        sizes: Any,
        changed: tuple[str, ...] = (),
    ) -> None:
        self._graph_module = GraphModule({}, graph)
        self._graph_signature, self._state_dict, self._constants = graph_signature, state_dict, constants
        self._call_spec, self._names, self._example_inputs = call_spec, names, example_inputs
        self._range_constraints, self._sizes = range_constraints, sizes
        self._changed = changed  # what the program writes to: "input 'x'", "buffer 'steps'"

    @property
    def graph_module(self) -> Any:
        """The graph as a module that takes parameters, buffers and constants as inputs too."""
        return self._graph_module

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph_module.graph

    @property
    def graph_signature(self) -> ExportGraphSignature:
        """The meaning of the placeholders and of the output."""
        return self._graph_signature

    @property
    def state_dict(self) -> Any:
        """The parameters and persistent buffers, by their dotted names."""
        return self._state_dict

    @property
    def constants(self) -> Any:
        """The other tensors, by name."""
        return self._constants

    @property
    def call_spec(self) -> Any:
        """The structures of inputs and output."""
        return self._call_spec

    @property
    def example_inputs(self) -> Any:
        """The (args, kwargs) that the program was exported with."""
        return self._example_inputs

    @property
    def range_constraints(self) -> Any:
        """The names of dynamic sizes, with their bounds."""
        return self._range_constraints

    @property
    def dialect(self) -> str:
        """The dialect, ``TRAINING``: operators are those that the program called."""
        return "TRAINING"

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """Yield pairs (dotted name, parameter)."""
        for name in self.graph_signature.parameters:
            yield name, self._state_dict[name]  # type: ignore[misc]

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters."""
        for _, value in self.named_parameters():
            yield value

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """Yield pairs (dotted name, buffer), including buffers that are not in the state."""
        for name in self.graph_signature.buffers:
            yield name, self._state_dict[name] if name in self._state_dict else self._constants[name]

    def buffers(self) -> Iterator[Tensor]:
        """Yield the buffers."""
        for _, value in self.named_buffers():
            yield value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Unable to call ExportedProgram directly. You should use `exported_program.module()` instead."
        )

    def __str__(self) -> str:
        code = self.graph_module.print_readable(print_output=False).replace("\n", "\n    ")
        return (
            f"ExportedProgram:\n    {code}\nGraph signature: {self.graph_signature}\n"
            f"Range constraints: {self.range_constraints}\n"
        )

    def module(self, check_guards: bool = True) -> GraphModule:
        """Return a module with the program's parameters and buffers that is called as the program was.

        Unless ``check_guards`` is False, it raises AssertionError for inputs whose shapes and dtypes differ from those the graph was made for.

        >>> import minigrad
        >>> linear = minigrad.nn.Linear(2, 1)
        >>> exported = minigrad.export.export(linear, (minigrad.ones(3, 2),))
        >>> exported.module()(minigrad.ones(3, 2)).equal(linear(minigrad.ones(3, 2)))
        True
        """
        graph, values, held, names = Graph(), {}, {}, []
        signature = self.graph_signature
        specs = dict(zip(self.graph.find_nodes(op="placeholder"), signature.input_specs, strict=True))
        for node, spec in specs.items():  # the module's parameters are its inputs: they come first
            if spec.kind is InputKind.USER_INPUT:
                values[node] = graph.placeholder(node.name, type_expr=node.type)
                values[node].meta = node.meta.copy()
                names.append(node.name)
        for node, spec in specs.items():
            if spec.kind is not InputKind.USER_INPUT:
                held[spec.target] = self._state_dict.get(spec.target, self._constants.get(spec.target))
                values[node] = graph.get_attr(spec.target)
                values[node].meta = node.meta.copy()
        value = graph.graph_copy(self.graph, values)
        graph.output(value)
        spec = self.call_spec
        graph._codegen = _PyTreeCodeGen(_PyTreeInfo([*self._names], spec.in_spec, spec.out_spec))
        made = _ExportedModule(held, graph, "GraphModule")
        for name in signature.non_persistent_buffers:
            owner, _, last = name.rpartition(".")
            made.get_submodule(owner)._non_persistent_buffers_set.add(last)
        for node in graph.find_nodes(op="get_attr"):
            if not node.users:
                graph.erase_node(node)
        made.recompile()
        if check_guards:
            made.register_forward_pre_hook(_Guards(self), with_kwargs=True)
        return made

    def run_decompositions(self, decomp_table: Any = None) -> Any:
        """Return the program with calls of the operators in ``decomp_table`` replaced by what its functions do (operator of ``ops.aten`` -> function of the same arguments).

        There are no decompositions of minigrad's own: without a table the operators stay as the program called them.
        """
        nodes = {}
        graph = Graph()
        value = graph.graph_copy(self.graph, nodes)
        graph.output(value).meta = self.graph.output_node().meta.copy()
        for node in [n for n in graph.nodes if n.op == "call_function" and n.target in (decomp_table or {})]:
            tracer = GraphAppendingTracer(graph)
            with graph.inserting_before(node), ProxiesHear():
                args, kwargs = map_arg((node.args, node.kwargs), lambda n, tracer=tracer: Proxy(n, tracer))
                result = decomp_table[node.target](*args, **kwargs)
            _replace(graph, node, result)
        for node in graph.nodes:
            if node.op == "call_function":
                node.target = overload(node.target, node.args, node.kwargs)
        graph.lint()
        return self._with_graph(graph)

    def _with_graph(self, graph):
        output = graph.output_node().args[0]
        specs = [
            dataclasses.replace(spec, arg=dataclasses.replace(spec.arg, name=value.name))
            if hasattr(value, "op")
            else spec
            for spec, value in zip(self.graph_signature.output_specs, output, strict=True)
        ]
        return ExportedProgram(
            graph,
            ExportGraphSignature(self.graph_signature.input_specs, specs),
            self._state_dict,
            self._constants,
            self._call_spec,
            self._names,
            self._example_inputs,
            self._range_constraints,
            self._sizes,
        )


def _replace(graph, node, result):
    """Let what a decomposition returned stand in the place of a node."""
    if isinstance(result, Proxy):
        node.replace_all_uses_with(result.node)
    else:  # a tuple, of which the node's users take elements
        for user in [*node.users]:
            user.replace_all_uses_with(result[user.args[1]].node)
            graph.erase_node(user)
    graph.erase_node(node)


class _ExportedModule(GraphModule):
    """What ``ExportedProgram.module`` returns: in the mode in which it was exported."""

    def train(self, mode: bool = True) -> Any:
        """Refused: what a program does in training and in evaluation was decided when it was exported."""
        raise NotImplementedError("Calling train() is not supported yet.")

    def eval(self) -> Any:
        """Refused, as ``train``."""
        raise NotImplementedError("Calling eval() is not supported yet.")


class _Guards:
    """Called before the module: the inputs must be as the graph needs them."""

    def __init__(self, program: Any) -> None:
        self.in_spec, self.sizes = program.call_spec.in_spec, program._sizes
        self.names = [
            s.arg.name for s in program.graph_signature.input_specs if s.kind is InputKind.USER_INPUT
        ]
        self.expected = [
            (tuple(x.shape), x.dtype) if isinstance(x, Tensor) else x
            for x in pytree.tree_leaves(program.example_inputs)
        ]

    def __call__(self, module: Module, args: Any, kwargs: Any) -> None:
        expected = self.in_spec.child(1).context
        if sorted(kwargs) != sorted(expected):
            raise ValueError(
                f"Ran into a kwarg keyword mismatch: Got the following keywords {[*kwargs]} but expected {[*expected]}"
            )
        leaves, spec = pytree.tree_flatten((args, {key: kwargs[key] for key in expected}))
        if spec != self.in_spec:
            raise ValueError(f"inputs are nested as {spec}, but the program was exported for {self.in_spec}")
        seen: dict[str, int] = {}
        follow: list[Any] = []
        for name, value, wanted, sizes in zip(self.names, leaves, self.expected, self.sizes, strict=True):
            if not isinstance(wanted, tuple) or not isinstance(value, Tensor):
                if isinstance(wanted, tuple) or value != wanted:
                    raise AssertionError(f"Guard failed: {name} == {wanted!r}")
                continue
            shape, dtype = wanted
            if value.dim() != len(shape):
                raise AssertionError(f"Guard failed: {name}.dim() == {len(shape)}")
            if value.dtype is not dtype:
                raise AssertionError(f"Guard failed: {name}.dtype == {dtype}")
            for number, (size, fixed) in enumerate(zip(value.shape, shape, strict=True)):
                dim = sizes.get(number)
                if dim is None:
                    if size != fixed:
                        raise AssertionError(f"Guard failed: {name}.size()[{number}] == {fixed}")
                elif not dim.allows(size):
                    bound = f">= {dim.min}" if size < dim.min else f"<= {dim.max}"
                    raise AssertionError(f"Guard failed: {name}.size()[{number}] {bound}")
                elif isinstance(dim, DerivedDim):
                    follow.append((f"{name}.size()[{number}]", dim, size))
                elif seen.setdefault(dim.__name__, size) != size:
                    raise AssertionError(f"Guard failed: {name}.size()[{number}] == {seen[dim.__name__]}")
        for what, dim, size in follow:
            for root in [root for root in dim.roots if root not in seen]:
                seen[root] = dim.root_of(size)
            if None in seen.values() or dim.size_in(seen) != size:
                raise AssertionError(f"Guard failed: {what} == {dim.__name__}")
