"""``Translation``: a recorded graph as nodes of ONNX, with what the program writes to memory that several values share."""

import inspect
import operator
from typing import Any

from .. import _api
from .._api import Tensor
from .._base import dtypes
from ..export import ExportedProgram
from ..export.graph_signature import InputKind
from ..fx import Node, map_arg
from ..fx._targets import name_of, public_place
from ..fx.node import _DRAWING
from ..ops import OpOverload, OpOverloadPacket
from ..utils._pytree import tree_leaves
from ._builder import Builder, Size, Value, safe_name
from ._exporters import _registry
from ._exporters._views import VIEWS, write_back
from ._exporters.complex_numbers import OF_BOTH_KINDS, Complex, applied, has_complex
from ._symbolic_graph import as_exporter
from .errors import ConversionError, OnnxExporterError, UnsupportedOperatorError

#: With these parameters an operator may change a tensor that it is given, and so a parameter or buffer of the model.
_WRITING = ("inplace", "out", "max_norm", "training", "train", "use_input_stats")
#: The most elements of a value that is computed while the model is exported and not by it.
_FOLDED = 1 << 20
#: Where the functions are that stand for nodes.
_OPERATORS = f"{__package__}.ops"
_PARTS = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
_RANDOM = {
    *_DRAWING,
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "alpha_dropout",
    "feature_alpha_dropout",
    "gumbel_softmax",
    "rrelu",
}


def operator_name(node: Node) -> str:
    """What the operator of a node is called: ``relu``, ``linalg_norm``, ``add_``; ``mine::double`` if it is none of PyTorch's own."""
    target = node.target
    if node.op == "call_method":
        return str(target)
    if target is getattr:
        return str(node.args[1])
    if target is operator.getitem:
        return "getitem"
    if target is operator.setitem:
        return "setitem"
    if isinstance(target, (OpOverload, OpOverloadPacket)):
        packet: Any = getattr(target, "overloadpacket", target)
        own = packet._qualified_op_name.startswith("aten::")
        return packet.__name__ if own else packet._qualified_op_name
    if getattr(target, "__module__", None) == _OPERATORS:
        return f"onnx::{target.__name__}"
    place = public_place(target)
    if place == ("torch.nn.functional", "unfold"):  # tensors have another operator of this name
        return "im2col"
    return name_of(target) if place is not None else str(target).replace(".", "::", 1)


class Translation:
    """One graph, written by a ``Builder``; ``comparison`` has its arguments and shapes, with sizes in the place of numbers that may differ."""

    def __init__(
        self,
        program: ExportedProgram,
        comparison: Any,
        builder: Builder,
        *,
        fold: bool,
        table: Any,
        symbolics: Any,
    ) -> None:
        self.program, self.comparison, self.g = program, comparison, builder
        self.fold, self.table, self.symbolics = fold, table, symbolics
        self.env: dict[Node, Any] = {}
        self.real: dict[Node, Any] = {}  # what is known before the model runs
        self.names: dict[Node, str] = {}  # of initializers
        self.base: dict[Node, Any] = {}  # view -> (what it is a view of, how)
        self.sharing: dict[int, list[Node]] = {}  # memory -> the nodes in it
        self.lost: dict[
            Node, Node
        ] = {}  # what was written to through another node in an unknown relation -> that node
        self.stale: set[Node] = set()
        self.last_use: dict[Node, int] = {}  # node -> the number of the last one that takes it
        self.now = 0
        builder.size_value, builder.size_vector = self.size, self.size_vector

    # The whole -------------------------------------------------------------------------------------------------------------

    def inputs(self, names: Any) -> list[Value]:
        """The inputs of the model; everything else that is there before it runs is known."""
        found, names = [], [*names]
        placeholders = self.program.graph.find_nodes(op="placeholder")
        state, constants = self.program.state_dict, self.program.constants
        for node, spec in zip(placeholders, self.program.graph_signature.input_specs, strict=True):
            if spec.kind is InputKind.USER_INPUT:
                if "tensor_meta" in node.meta:
                    name = self.g.fresh(names.pop(0) if names else node.name)
                    value = Value(name, node.meta["tensor_meta"].dtype, self.comparison.shapes[node])
                    self.env[node] = value
                    found.append(value)
            else:
                target = spec.target or node.name
                self.real[node] = (state[target] if target in state else constants[target]).detach()
                self.names[node] = self.g.fresh(target)
            self._enter(node)
        if names:
            raise ValueError(f"there are {len(names)} more input_names than inputs: {names}")
        return found

    def body(self, output_names: Any) -> None:
        """All operators, in order; the names of outputs are left to these."""
        leaves = [x.name for x in self.program.graph.output_node().args[0] if isinstance(x, Node)]
        reserved = {*output_names, *leaves[len(output_names) :]} - self.g.taken
        self.g.taken |= reserved
        for number, node in enumerate(self.program.graph.nodes):
            for used in node.all_input_nodes:
                self.last_use[used] = number
        for number, node in enumerate(self.program.graph.nodes):
            self.now = number
            if node.op in ("call_function", "call_method"):
                self._describe(node)
                self._step(node)
                self._enter(node)
        self.g.taken -= reserved

    def outputs(self, names: Any) -> list[Value]:
        """The outputs: values that no other output has, under their names."""
        g, found, names = self.g, [], [*names]
        g.path, g.metadata = "", {}
        for leaf in self.program.graph.output_node().args[0]:
            if not isinstance(leaf, Node):
                if leaf is None:
                    continue
                raise OnnxExporterError(f"the program returns {leaf!r}: only tensors are outputs of a model")
            value = self.value(leaf)
            if isinstance(value, Complex):
                raise OnnxExporterError(
                    f"the program returns complex numbers ('{leaf.name}'), which ONNX's operators do not compute: return torch.view_as_real of them"
                )
            name = g.fresh(names.pop(0) if names else leaf.name)
            g.nodes.append(
                g.onnx.helper.make_node("Identity", [value.name], [name], name=f"/{name}/Identity")
            )
            shape = self.comparison.shapes.get(leaf, leaf.meta["tensor_meta"].shape)
            found.append(Value(name, value.dtype, shape))
        if names:
            raise ValueError(f"there are {len(names)} more output_names than outputs: {names}")
        if not found:
            raise OnnxExporterError("the program returns no tensor: a model of ONNX has at least one output")
        return found

    # One operator ------------------------------------------------------------------------------------------------------------

    def _describe(self, node):
        """Say where nodes come from: the module's path and class, and the line of the program."""
        g = self.g
        modules = [*node.meta.get("nn_module_stack", {}).values()]
        path = modules[-1][0] if modules else ""
        g.path = "".join(f"/{safe_name(part)}" for part in path.split(".") if part)
        g.hint, g.operator = node.name.strip("_"), _qualified(operator_name(node))
        g.metadata = {
            "pkg.torch.onnx.name_scopes": str(["", *[p for p, _ in modules if p], node.name]),
            "pkg.torch.onnx.class_hierarchy": str([kind for _, kind in modules] + [str(node.target)]),
            "pkg.torch.onnx.fx_node": node.format_node() or "",
            **({"pkg.torch.onnx.stack_trace": node.stack_trace} if node.stack_trace else {}),
        }
        g.result = node.meta.get("tensor_meta")
        g.result_shape = self.comparison.shapes.get(node, () if g.result is None else tuple(g.result.shape))

    def _step(self, node):
        name = operator_name(node)
        args, kwargs = self.comparison.arguments[node]
        if (
            node.target is operator.getitem
            and isinstance(args[0], Node)
            and isinstance(self.env.get(args[0]), (tuple, list))
        ):
            self._element(node, *args)
            return
        if self._known_before(node, name, args, kwargs):
            self._note_view(node, name, args)
            return
        try:
            if name == "setitem" or (name[-1] == "_" and name[-2:] != "__"):
                self._write(node, name, args, kwargs)
                return
            function = self._function(node, name)
            values = map_arg((tuple(args), kwargs), self.value)
            result = self._call(function, name, values)
            inplace = self._inplace_flag(function, values)
            if inplace:
                self._assign(args[0], self._bind(result, node))
                self._same(node, args[0])
                return
            self.env[node] = self._bind(result, node)
            self._note_view(node, name, args)
        except OnnxExporterError as error:
            raise type(error)._at(error, _place(node)) from None

    def _element(self, node, source, number):
        """One of several results."""
        element = self.env[source][number]
        if isinstance(element, (Value, Complex)):
            element = self._bind(element, node)
        if source in self.real:
            self.real[node] = self.real[source][number]
        else:
            self.env[node] = element
        self._note_view(node, operator_name(source), self.comparison.arguments[source][0], number, source)

    def _function(self, node, name):
        packet = getattr(node.target, "overloadpacket", node.target)
        own = self.table.get(node.target) or self.table.get(packet) or self._registered(name)
        function = as_exporter(own) if own else _registry.find(name)
        if function is None:
            raise UnsupportedOperatorError(_qualified(name), self.g.opset, None)
        return function

    def _registered(self, name):
        """The function that was registered for an operator: that for the newest opset which is not newer than the model's."""
        found = self.symbolics.get(_qualified(name), {})
        opsets = [opset for opset in found if opset <= self.g.opset]
        return found[max(opsets)] if opsets else None

    def _call(self, function, name, values):
        args, kwargs = values
        try:
            inspect.signature(function).bind(self.g, *args, **kwargs)
        except TypeError as error:
            raise ConversionError(
                f"{_qualified(name)} cannot be exported with these arguments: {error}"
            ) from None
        if has_complex((args, kwargs)) and "::" not in name and name not in OF_BOTH_KINDS:
            return self._of_complex(function, name, args, kwargs)
        if not _has_size((args, kwargs)):
            return function(self.g, *args, **kwargs)
        try:
            return function(self.g, *args, **kwargs)
        except (TypeError, ValueError, AttributeError) as error:
            raise ConversionError(
                f"{_qualified(name)} cannot be exported with a number that depends on sizes: {error}"
            ) from error

    def _of_complex(self, function, name, args, kwargs):
        """An operator of complex numbers: while its parts are computed, its result is of these."""
        kept = self.g.result
        if kept is not None and kept.dtype in _PARTS:
            self.g.result = kept._replace(dtype=_PARTS[kept.dtype])
        try:
            return applied(self.g, name, function, args, kwargs)
        finally:
            self.g.result = kept

    def _inplace_flag(self, function, values):
        signature = inspect.signature(function)
        if "inplace" not in signature.parameters:
            return False
        return bool(signature.bind(self.g, *values[0], **values[1]).arguments.get("inplace", False))

    def _bind(self, result, node):
        """Give a result the shape that was recorded."""
        if isinstance(result, Complex):
            shape = self.comparison.shapes.get(node, tuple(node.meta["tensor_meta"].shape))
            return Complex(*[Value(x.name, x.dtype, shape) for x in result])
        if isinstance(result, Value):
            meta = node.meta.get("tensor_meta")
            if meta is not None:
                result = self.g.cast(result, meta.dtype)
                shape = self.comparison.shapes.get(node, tuple(meta.shape))
                if result.known_shape != shape:
                    result = Value(result.name, result.dtype, shape)
        return result

    # What is known before the model runs ------------------------------------------------------------------------------------------

    def _known_before(self, node, name, args, kwargs):
        """Compute an operator of parameters and constants now."""
        nodes = node.all_input_nodes
        parameters = [each for each in nodes if each in self.real]
        if (
            not self.fold
            or name in _RANDOM
            or name.startswith("onnx::")
            or name[-1] == "_"
            or name == "setitem"
            or _may_write(node, name)
            or len(parameters) != len(nodes)
            or _has_size((args, kwargs))
            or node.target in self.table
            or self._registered(name)
        ):
            return False
        with _api.no_grad():
            args, kwargs = map_arg((tuple(args), kwargs), self.real.__getitem__)
            result = (
                getattr(args[0], name)(*args[1:], **kwargs)
                if node.op == "call_method"
                else node.target(*args, **kwargs)
            )
        if not all(isinstance(x, Tensor) and x.numel() <= _FOLDED for x in tree_leaves(result)):
            return False
        self.real[node] = result
        if isinstance(result, (tuple, list)):
            self.env[node] = [None] * len(result)
        for each in tree_leaves((args, kwargs)):
            if isinstance(each, Tensor) and isinstance(result, Tensor) and each is result:
                self.names[node] = next((self.names[p] for p in parameters if p in self.names), node.name)
        return True

    def value(self, node: Node) -> Any:
        """The value of a node, as it is now."""
        if node in self.lost:
            raise ConversionError(
                f"'{node.name}' shares memory with '{self.lost[node].name}', which was written to in a way that has no form in ONNX"
            )
        if node in self.stale:
            self.stale.discard(node)
            self.env[node] = self._viewed_again(node)
        found = self.env.get(node)
        if found is None and node in self.real:
            tensor = self.real[node]
            if isinstance(tensor, (tuple, list)):
                raise ConversionError(f"'{node.name}' is not a tensor")
            found = self.env[node] = self._held(node, tensor)
        elif found is None:
            raise ConversionError(
                f"{node.name} is not a tensor, or its size would have to be known before it is computed"
            )
        return found

    def _held(self, node, tensor):
        if tensor.is_complex():
            name = self.names.get(node, node.name)
            parts = tensor.resolve_conj()
            return Complex(
                self.g.initializer(f"{name}.real", parts.real.contiguous()),
                self.g.initializer(f"{name}.imag", parts.imag.contiguous()),
            )
        if node in self.names and node.op == "placeholder":
            name = self.names[node]
            self.g.initializers[name] = tensor
            return Value(name, tensor.dtype, tuple(tensor.shape), tensor)
        if node in self.names:
            source = next(p for p, name in self.names.items() if name == self.names[node])
            return self.value(source)
        if tensor.numel() <= 16:
            return self.g.constant(tensor)
        return self.g.initializer(node.name, tensor)

    # Memory that several values share --------------------------------------------------------------------------------------------

    def _enter(self, node):
        if "storage" in node.meta:
            self.sharing.setdefault(node.meta["storage"], []).append(node)

    def _note_view(self, node, name, args, element=None, view=None):
        """Remember what a result is a view of, if it is one that can be written to."""
        source = args[0] if args else None
        shared = (
            isinstance(source, Node)
            and "storage" in node.meta
            and node.meta["storage"] == source.meta.get("storage")
        )
        if shared and name in VIEWS:
            self.base[node] = source, (view or node, element)

    def _same(self, node, other):
        """``node`` is another name of the value that ``other`` is."""
        self.env[node] = self.env[other]
        self.base[node] = other, (None, None)

    def _write(self, node, name, args, kwargs):
        """An operator that changes its first argument."""
        target = args[0]
        function = self._function(node, name if name == "setitem" else name[:-1])
        self.g.result = target.meta["tensor_meta"]
        self.g.result_shape = self.comparison.shapes[target]
        values = map_arg((tuple(args), kwargs), self.value)
        before = values[0][0]
        if has_complex(values):
            raise ConversionError(f"{name} writes complex numbers, which has no form in ONNX")
        result = self._call(function, name, values)
        self._assign(target, Value(self.g.cast(result, before.dtype).name, before.dtype, before.shape))
        if name != "setitem":
            self._same(node, target)

    def _assign(self, target, value):
        """Let ``target``, and everything that shares its memory, be as after it was written to."""
        everyone = [n for n in self.sharing.get(target.meta.get("storage"), []) if n is not target]
        for node in everyone:
            if node in self.real:  # it is no longer what was computed before
                if self.last_use.get(node, 0) > self.now:
                    self.value(node)
                del self.real[node]
        self.real.pop(target, None)
        current, fresh = target, {target}
        self.env[target] = value
        while current in self.base:
            base, (view, element) = self.base[current]
            before = self.value(base)
            if view is None:
                made = self.env[current]
            else:
                arguments = map_arg(self.comparison.arguments[view], self.value)
                made = write_back(self.g, operator_name(view), before, self.env[current], arguments, element)
            self.env[base] = Value(made.name, before.dtype, before.shape)
            current = base
            fresh.add(base)
        for node in everyone:
            if node in fresh:
                self.stale.discard(node)
            elif self._root(node) is current:
                self.stale.add(node)
            else:
                self.lost[node] = target

    def _root(self, node):
        while node in self.base:
            node = self.base[node][0]
        return node

    def _viewed_again(self, node):
        """A view of what was written to, taken anew."""
        base, (view, element) = self.base[node]
        if view is None:
            return self.value(base)
        name = operator_name(view)
        args, kwargs = map_arg(self.comparison.arguments[view], self.value)
        kept = self.g.result, self.g.result_shape
        self.g.result, self.g.result_shape = node.meta["tensor_meta"], self.comparison.shapes[node]
        result = self._call(self._function(view, name), name, (tuple(args), kwargs))
        self.g.result, self.g.result_shape = kept
        return self._bind(result if element is None else result[element], node)

    # Sizes -----------------------------------------------------------------------------------------------------------------

    def size(self, size: Size) -> Value:
        """A size as an int64 number of the graph; as a float64 one if the program computes a float of it."""
        g = self.g
        if size in g.sizes:
            return g.sizes[size]
        expression = size.expression
        if expression is None:
            raise ConversionError(
                f"a size that the program computes ({', '.join(map(str, size.values_of_runs))} with other inputs) does not follow from the sizes of its values"
            )
        if expression[0] == "axis":
            found = g.squeeze(self.size_vector(size), 0)
        else:
            found = computed_size(g, *expression)
        g.sizes[size] = found
        return found

    def size_vector(self, size: Size) -> Value:
        """A size as an int64 vector of one element."""
        g = self.g
        key = "vector", size
        if key not in g.sizes:
            if size.expression and size.expression[0] == "axis":
                _, node, axis = size.expression
                source = self.env[node] if node in self.env else self.value(node)
                if g.opset >= 15:
                    g.sizes[key] = g.op("Shape", source, start=axis, end=axis + 1, dtype=dtypes.int64)
                else:
                    g.sizes[key] = g.op(
                        "Gather", g.shape_of(source), g.constant([axis], dtypes.int64), dtype=dtypes.int64
                    )
            else:
                g.sizes[key] = g.unsqueeze(self.size(size), 0)
        return g.sizes[key]


def computed_size(g: Builder, operation: str, one: Any, other: Any) -> Value:
    """What an operator of Python gives for sizes and numbers: in int64, or in float64 where it gives floats."""
    floats = operation in ("Div", "Floor", "Ceil", "Round", "Log") or any(_is_float(x) for x in (one, other))
    kept = dtypes.float64 if floats or (operation == "Pow" and _may_be_negative(other)) else dtypes.int64
    one, other = g.constant(one, kept), g.constant(other, kept)
    if operation in ("Floor", "Ceil", "Round"):
        return g.cast(g.op(operation, one), dtypes.int64)
    if operation == "Log":
        return g.op("Log", one)
    if operation == "Mod" and floats:
        return g.op("Sub", one, g.op("Mul", g.op("Floor", g.op("Div", one, other)), other))
    if operation == "FloorDiv":
        if floats:
            return g.op("Floor", g.op("Div", one, other))
        return g.op("Div", g.op("Sub", one, g.op("Mod", one, other)), other)  # Div rounds towards zero
    return g.op(operation, one, other)


def _is_float(x):
    return isinstance(x.values_of_runs[0] if isinstance(x, Size) else x, float)


def _may_be_negative(x):
    return isinstance(x, Size) or x < 0


def _may_write(node, name):
    """Whether a call may change what it is given though its name does not say so."""
    if any(node.kwargs.get(each) for each in _WRITING):
        return True
    function = _registry.find(name)
    names = [] if function is None else [*inspect.signature(function).parameters][1:]
    return any(value and each in _WRITING for each, value in zip(names, node.args))


def _has_size(arguments):
    """Whether a size that may differ is among the arguments, also in a slice."""
    slices = [x for x in tree_leaves(arguments) if isinstance(x, slice)]
    parts = [part for x in slices for part in (x.start, x.stop, x.step)]
    return any(isinstance(x, Size) for x in [*tree_leaves(arguments), *parts])


def _qualified(name):
    """The name of an operator with its namespace."""
    return name if "::" in name else f"aten::{name}"


def _place(node):
    """Where in the program an operator is called: its line, or the module that calls it."""
    text = ""
    if node.stack_trace:
        lines = [line.strip() for line in node.stack_trace.strip().splitlines()]
        last = max(i for i, line in enumerate(lines) if line.startswith("File "))
        text = f"\n  {lines[last]}" + (f"\n    {lines[last + 1]}" if last + 1 < len(lines) else "")
    modules = [(path, kind) for path, kind in node.meta.get("nn_module_stack", {}).values() if path]
    if modules:
        text += "\n  in module '{}' ({})".format(*modules[-1])
    return text
