"""Exported programs in files: the nodes one by one, which refer to operators by their names."""

from typing import Any, NamedTuple

from .. import serialization
from ..fx import Graph
from ..fx.node import Node, map_aggregate
from .exported_program import ExportedProgram

_FORMAT = "minigrad exported program 1"


class _Reference(NamedTuple):
    """A node among the arguments of another, by its name."""

    name: str


def save(ep: Any, f: Any) -> None:
    """Write an exported program to a path or file, in minigrad's own format.

    >>> import io, minigrad
    >>> file = io.BytesIO()
    >>> minigrad.export.save(minigrad.export.export(minigrad.nn.ReLU(), (minigrad.ones(2),)), file)
    >>> _ = file.seek(0)
    >>> minigrad.export.load(file).module()(minigrad.tensor([-1., 1.]))
    tensor([0., 1.])
    """
    if not isinstance(ep, ExportedProgram):
        raise TypeError(
            f"The 'ep' parameter must be an instance of 'ExportedProgram', got '{type(ep).__name__}' instead."
        )

    def refer(x):
        return _Reference(x.name) if isinstance(x, Node) else x

    nodes = [
        (
            n.op,
            n.name,
            n.target,
            *(map_aggregate(part, refer) for part in (n.args, n.kwargs)),
            n.meta.get("tensor_meta"),
        )
        for n in ep.graph.nodes
    ]
    state = {key: value for key, value in vars(ep).items() if key != "_graph_module"}
    serialization.save({"format": _FORMAT, "nodes": nodes, "state": state}, f)


def load(f: Any) -> Any:
    """Read an exported program that ``save`` has written; raise ValueError for anything else, such as files of PyTorch's ``torch.export.save``.

    Such a file is a pickle, which can run any code: load only files that you trust.

    >>> import io, minigrad
    >>> file = io.BytesIO()
    >>> minigrad.export.save(minigrad.export.export(minigrad.nn.ReLU(), (minigrad.ones(2),)), file)
    >>> _ = file.seek(0)
    >>> minigrad.export.load(file).graph_signature.user_inputs
    ('input_1',)
    """
    try:
        read = serialization.load(f, weights_only=False)
    except Exception as error:
        raise ValueError(
            "this file was not written by minigrad.export.save; files of PyTorch's export can't be read"
        ) from error
    if not isinstance(read, dict) or read.get("format") != _FORMAT:
        raise ValueError("this file was not written by minigrad.export.save")
    graph, made = Graph(), {}
    for op, name, target, args, kwargs, meta in read["nodes"]:
        args, kwargs = (_resolved(part, made) for part in (args, kwargs))
        made[name] = graph.create_node(op, target, args, kwargs, name)
        if meta is not None:
            made[name].meta["tensor_meta"] = meta
    program = ExportedProgram.__new__(ExportedProgram)
    ExportedProgram.__init__(program, graph, *[None] * 8)  # type: ignore[arg-type]
    vars(program).update(read["state"])
    return program


def _resolved(value, made):
    """Arguments with nodes in the place of their names."""
    if isinstance(value, _Reference):
        return made[value.name]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_resolved(x, made) for x in value])
    if isinstance(value, (tuple, list)):
        return type(value)([_resolved(x, made) for x in value])
    if isinstance(value, dict):
        return {key: _resolved(x, made) for key, x in value.items()}
    if isinstance(value, slice):
        return slice(*[_resolved(x, made) for x in (value.start, value.stop, value.step)])
    return value
