"""``minigrad.onnx.load``: a model's file read back, as a module."""

import os
import re
from typing import Any

from .._base.extras import missing_extra
from ._graphs import Graph, Model
from ._loaded import ONNXModule

#: Inputs of operators that are given, not learned: float initializers that only stand there are buffers.
_GIVEN = {
    "BatchNormalization": {3, 4},
    "Clip": {1, 2},
    "Dropout": {1},
    "Pad": {2},
    "Range": {0, 1, 2},
    "Resize": {1, 2},
    "Upsample": {1},
    "QuantizeLinear": {1},
    "DequantizeLinear": {1},
}


def load(f: Any) -> ONNXModule:
    """Return a module that computes, and differentiates, the graph of an ONNX model.

    ``f`` is a path, a file that is open for reading bytes, the bytes themselves, an ``onnx.ModelProto`` or what ``export`` gives.  The float
    initializers are parameters, the others buffers, by names that are valid paths of attributes (``initializer_paths`` has those of the
    graph); inputs are given by position or by name, and have any shape that the graph's operators take.  Raises ImportError without
    the package ``onnx``, and NotImplementedError for a model with operators, attributes or element types that minigrad does not
    have, all of them listed.

    (Needs onnx)

    >>> import minigrad
    >>> from onnx import helper
    >>> x, y = (helper.make_tensor_value_info(name, 1, ["n"]) for name in "xy")
    >>> graph = helper.make_graph([helper.make_node("Exp", ["x"], ["y"])], "exponential", [x], [y])
    >>> minigrad.onnx.load(helper.make_model(graph))(minigrad.zeros(2))
    tensor([1., 1.])
    """
    proto, folder = _read(f)
    from onnx import external_data_helper

    if folder is not None:
        external_data_helper.load_external_data_for_model(proto, folder)
    model = Model(proto, folder or "")
    graph = Graph(proto.graph, model)
    if model.unsupported:
        listed = "\n".join(f"  {line}" for line in model.unsupported)
        raise NotImplementedError(f"minigrad cannot compute this model, which needs\n{listed}")
    initializers, graph.constants = graph.constants, {}
    inputs = tuple(name for name in graph.inputs if name not in initializers)
    module = ONNXModule(graph, inputs)
    learned = {name for name, value in initializers.items() if value.is_floating_point()} - _only_given(
        proto.graph
    )
    for (name, value), path in zip(initializers.items(), _paths(initializers)):
        module._put(name, path, value, name in learned)
    return module


def _read(f: Any) -> tuple[Any, str | None]:
    """The ModelProto, and the folder of its external data, where it is known."""
    try:
        import onnx
    except ImportError as error:
        raise missing_extra("minigrad.onnx.load", "onnx", "onnx") from error
    if isinstance(f, onnx.ModelProto):
        return f, None
    proto = getattr(f, "model_proto", None)
    if isinstance(proto, onnx.ModelProto):
        return proto, None
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        with open(path, "rb") as file:
            return onnx.load_model_from_string(file.read()), os.path.dirname(os.path.abspath(path))
    if isinstance(f, (bytes, bytearray, memoryview)):
        return onnx.load_model_from_string(bytes(f)), None
    if hasattr(f, "read"):
        name = getattr(f, "name", None)
        folder = os.path.dirname(os.path.abspath(name)) if isinstance(name, str) else None
        return onnx.load_model_from_string(f.read()), folder
    raise TypeError(
        f"expected a path, an open file, bytes, an onnx.ModelProto or an ONNXProgram, got {type(f).__name__}"
    )


def _only_given(graph: Any) -> set[str]:
    """The names that stand nowhere but where an operator takes a number that is not learned."""
    same: dict[str, str] = {}  # what Identity gives, which is how some exporters share a tensor
    given, learned = set(), {each.name for each in graph.output}

    def note(nodes: Any) -> None:
        for node in nodes:
            if node.op_type == "Identity":
                same[node.output[0]] = same.get(node.input[0], node.input[0])
                continue
            for place, name in enumerate(node.input):
                (given if place in _GIVEN.get(node.op_type, ()) else learned).add(same.get(name, name))
            for attribute in node.attribute:
                note(attribute.g.node)
                learned.update(each.name for each in attribute.g.output)

    note(graph.node)
    return given - {same.get(name, name) for name in learned}


def _paths(names: Any) -> list[str]:
    """A path of attributes for each name: no two the same, and none that goes on where another ends."""
    taken: set[str] = set()
    inner: set[str] = set()
    found = []
    for name in names:
        parts = [_identifier(part) for part in name.split(".") if part] or ["_"]
        path, number = ".".join(parts), 0
        parents = [".".join(parts[:end]) for end in range(1, len(parts))]
        if taken.intersection(parents):  # a tensor, in which no other can be
            parts, parents = ["_".join(parts)], []
            path = parts[0]
        start = path
        while path in taken or path in inner:
            number += 1
            path = f"{start}_{number}"
        taken.add(path)
        inner.update(parents)
        found.append(path)
    return found


def _identifier(part: str) -> str:
    """A name for an attribute that a module does not have yet."""
    part = re.sub(r"\W", "_", part)
    if not part.isidentifier() and not part.isdigit():
        part = f"_{part}"
    return f"{part}_" if hasattr(ONNXModule, part) or part in _OWN else part


#: Attributes of the module itself.
_OWN = {"input_names", "output_names", "initializer_paths", "_graph", "_needed", "_places", "training"}
