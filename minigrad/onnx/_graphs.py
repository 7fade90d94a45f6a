"""A graph of ONNX, prepared once and run any number of times: its nodes in their order, each with the function that computes it."""

import inspect
from typing import Any

from . import _importers
from ._element_types import dtype_of, tensor_of

#: The two names of the domain of ONNX's own operators.
_DEFAULT_DOMAINS = ("", "ai.onnx")


class Scope(dict):
    """The values of a graph that runs, by name; what it does not have is looked up in the graph around it."""

    def __init__(self, values: Any, outer: Any) -> None:
        super().__init__(values)
        self.outer = outer

    def __missing__(self, name: str) -> Any:
        return self.outer[name]


class Node:
    """A node: the function that computes it, the names of its inputs and outputs, its attributes, and the graphs in these."""

    def __init__(self, proto: Any, model: "Model", replacing: dict[str, Any], place: int) -> None:
        self.inputs = tuple(proto.input)
        while self.inputs and not self.inputs[-1]:
            self.inputs = self.inputs[:-1]
        self.outputs = tuple(proto.output)
        self.release: tuple[str, ...] = ()
        self.label = f"{proto.op_type} (node {proto.name or f'number {place}'!s})"
        self.graphs: dict[str, Graph] = {}
        self.attributes: dict[str, Any] = {}
        self.function: Any = None
        attributes = {}
        for attribute in proto.attribute:
            if attribute.ref_attr_name:  # of the function whose body this is
                if attribute.ref_attr_name not in replacing:
                    continue
                found = replacing[attribute.ref_attr_name]
            else:
                found = attribute
            attributes[attribute.name] = found
        body = model.function_of(proto)
        if body is not None:
            given = {each.name: each for each in body.attribute_proto} | attributes
            self.function = Graph(body, model.inside(body), given)
            return
        self._find(proto, model, attributes, replacing)

    def _find(self, proto: Any, model: "Model", attributes: Any, replacing: Any) -> None:
        """The operator's function, and its attributes as it takes them."""
        from onnx import AttributeProto

        opset = model.opsets.get(proto.domain if proto.domain not in _DEFAULT_DOMAINS else "", 0)
        self.place = proto.domain, proto.op_type
        function = _importers.find(*self.place)
        if function is None:
            domain = "" if proto.domain in _DEFAULT_DOMAINS else f"{proto.domain}."
            model.unsupported.append(f"{domain}{self.label}")
        parameters = {} if function is None else inspect.signature(function).parameters
        any_name = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        for name, attribute in attributes.items():
            if attribute.type == AttributeProto.GRAPH:
                self.graphs[name] = Graph(attribute.g, model, replacing)
            elif function is None:
                continue
            elif name not in parameters and not any_name:
                model.unsupported.append(f"{self.label}: its attribute {name}")
            else:
                try:
                    self.attributes[name] = _value(attribute, model.folder)
                except NotImplementedError as error:
                    model.unsupported.append(f"{self.label}: its attribute {name}, as {error}")
        if "opset" in parameters:
            self.attributes["opset"] = opset
        if "wanted" in parameters:
            self.attributes["wanted"] = tuple(bool(name) for name in self.outputs)
        self.function = function

    def __getstate__(self) -> Any:
        state = dict(self.__dict__)
        if "place" in state:
            del state["function"]  # found again by the operator's name
        return state

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)
        if "place" in state:
            self.function = _importers.find(*self.place)

    def run(self, values: Scope) -> None:
        """Compute the node, and put what it gives into the values."""
        inputs = [values[name] if name else None for name in self.inputs]
        if self.graphs:
            given = {name: _Bound(graph, values) for name, graph in self.graphs.items()}
            result = self.function(*inputs, **self.attributes, **given)
        else:
            result = self.function(*inputs, **self.attributes)
        if type(result) is not tuple:
            result = (result,)
        if len(result) < len(self.outputs):
            raise ValueError(
                f"{self.label} gives {len(result)} outputs, and the graph names {len(self.outputs)}"
            )
        for name, value in zip(self.outputs, result):
            values[name] = value
        for name in self.release:
            del values[name]


class Graph:
    """A graph, or the body of a function: called with its inputs, it gives the tuple of its outputs."""

    def __init__(self, proto: Any, model: "Model", replacing: dict[str, Any] | None = None) -> None:
        self.constants: dict[str, Any] = {}
        initializers = list(getattr(proto, "initializer", ()))
        for each in initializers:
            self.constants[each.name] = model.guarded(
                f"the initializer {each.name}", tensor_of, each, model.folder
            )
        for each in getattr(proto, "sparse_initializer", ()):
            self.constants[each.values.name] = model.guarded(
                f"the initializer {each.values.name}", dense_of, each, model.folder
            )
        for each in (*proto.input, *getattr(proto, "output", ())):
            if hasattr(each, "type"):
                model.guarded(f"the input or output {each.name}", _check_type, each.type)
        self.inputs = tuple(getattr(each, "name", each) for each in proto.input)
        self.outputs = tuple(getattr(each, "name", each) for each in proto.output)
        self.output_types = [_declared(each) for each in proto.output]
        self.nodes = [Node(each, model, replacing or {}, place) for place, each in enumerate(proto.node)]
        self._plan_releases()

    def outer_names(self) -> set[str]:
        """The names that the graph takes from the one around it."""
        own, found = {*self.inputs, *self.constants}, set()
        for node in self.nodes:
            found |= node_names(node) - own
            own |= set(node.outputs)
        return found | (set(self.outputs) - own)

    def _plan_releases(self) -> None:
        """Note after which node a value that a node has made is not needed any more."""
        last: dict[str, int] = {}
        for place, node in enumerate(self.nodes):
            for name in (*node.outputs, *node_names(node)):
                last[name] = place
        made = {name for node in self.nodes for name in node.outputs if name}
        for name in made - set(self.outputs):
            self.nodes[last[name]].release += (name,)

    def run(self, values: Any, outer: Any = None) -> tuple[Any, ...]:
        """Compute the nodes with the values of the inputs by name."""
        scope = Scope(values, outer if outer is not None else {})
        for node in self.nodes:
            node.run(scope)
        return tuple(scope[name] for name in self.outputs)

    def __call__(self, *inputs: Any, outer: Any = None) -> tuple[Any, ...]:
        missing = (None,) * (len(self.inputs) - len(inputs))  # optional inputs of a function
        return self.run({**self.constants, **dict(zip(self.inputs, (*inputs, *missing)))}, outer)


class _Bound:
    """A graph in a node's attribute, with the values around it."""

    def __init__(self, graph: Graph, outer: Scope) -> None:
        self.graph, self.outer = graph, outer

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        return self.graph(*inputs, outer=self.outer)


class Model:
    """What the graphs of a model share while they are made ready: its operators' versions, its functions, and what it cannot compute."""

    def __init__(self, proto: Any, folder: str) -> None:
        self.folder = folder
        self.opsets = _versions(proto.opset_import)
        self.functions = {
            (each.domain, each.name, getattr(each, "overload", "")): each for each in proto.functions
        }
        self.unsupported: list[str] = []  # what cannot be computed, each a line of the error's text

    def inside(self, body: Any) -> "Model":
        """The same, with the versions of operators that the body of a function has."""
        inner = object.__new__(Model)
        inner.__dict__.update(self.__dict__, opsets=_versions(body.opset_import) or self.opsets)
        return inner

    def function_of(self, node: Any) -> Any:
        """The function of the model that a node calls; None for an operator."""
        return self.functions.get((node.domain, node.op_type, getattr(node, "overload", "")))

    def guarded(self, what: str, function: Any, *arguments: Any) -> Any:
        """What a function gives; None, and a line among what is not supported, if it refuses."""
        try:
            return function(*arguments)
        except NotImplementedError as error:
            self.unsupported.append(f"{what}: {error}")
            return None


def node_names(node: Node) -> set[str]:
    """The names that a node reads, the graphs in its attributes included."""
    found = {name for name in node.inputs if name}
    for graph in node.graphs.values():
        found |= graph.outer_names()
    return found


def dense_of(sparse: Any, folder: str) -> Any:
    """The dense tensor of a ``SparseTensorProto``."""
    values, indices = tensor_of(sparse.values, folder), tensor_of(sparse.indices, folder)
    dense = values.new_zeros(tuple(sparse.dims))
    if indices.dim() == 1:
        dense.view(-1)[indices] = values
    else:
        dense[tuple(indices.t())] = values
    return dense


def _check_type(kind: Any) -> None:
    """Raise NotImplementedError for a type that minigrad has no values of."""
    which = kind.WhichOneof("value")
    if which == "tensor_type":
        if kind.tensor_type.elem_type:
            dtype_of(kind.tensor_type.elem_type)
    elif which in ("sequence_type", "optional_type"):
        _check_type(getattr(kind, which).elem_type)
    elif which is not None:
        raise NotImplementedError(f"values of ONNX's {which} are not supported")


def _declared(output: Any) -> Any:
    """The number of the element type that a graph declares of an output, 0 if none, and the sizes, 0 for each that is not a number."""
    kind = getattr(output, "type", None)
    if kind is None or kind.WhichOneof("value") != "tensor_type":
        return 0, ()
    return kind.tensor_type.elem_type, tuple(each.dim_value for each in kind.tensor_type.shape.dim)


def _versions(imports: Any) -> dict[str, int]:
    return {"" if each.domain in _DEFAULT_DOMAINS else each.domain: each.version for each in imports}


def _value(attribute: Any, folder: str) -> Any:
    """An attribute as Python's value; tensors are minigrad's."""
    from onnx import AttributeProto, helper

    if attribute.type == AttributeProto.TENSOR:
        return tensor_of(attribute.t, folder)
    if attribute.type == AttributeProto.SPARSE_TENSOR:
        return dense_of(attribute.sparse_tensor, folder)
    if attribute.type == AttributeProto.GRAPHS:
        raise NotImplementedError("lists of graphs are not supported")
    if attribute.type in (AttributeProto.STRINGS, AttributeProto.STRING):
        if attribute.type == AttributeProto.STRING:
            return attribute.s.decode()
        return [each.decode() for each in attribute.strings]
    value = helper.get_attribute_value(attribute)
    return list(value) if isinstance(value, (list, tuple)) or hasattr(value, "extend") else value
