"""Pictures of graphs for Graphviz: ``FxGraphDrawer``, by the package ``pydot``."""

import hashlib
from itertools import chain
from typing import Any

from ...nn import Module, Parameter
from .. import _targets
from .._writer import innermost_frame
from ..graph_module import GraphModule, _get_attr
from ..node import _format_arg
from .shape_prop import TensorMetadata

__all__ = ["FxGraphDrawer"]

_COLORS = {
    "placeholder": '"AliceBlue"',
    "call_module": "LemonChiffon1",
    "get_param": "Yellow2",
    "get_attr": "LightGrey",
    "output": "PowderBlue",
}
#: For functions and methods, one by the name of each.
_BY_NAME = [
    "CadetBlue1",
    "Coral",
    "DarkOliveGreen1",
    "DarkSeaGreen1",
    "GhostWhite",
    "Khaki1",
    "LavenderBlush1",
    "LightSkyBlue",
    "MistyRose1",
    "MistyRose2",
    "PaleTurquoise2",
    "PeachPuff1",
    "Salmon",
    "Thistle1",
    "Thistle3",
    "Wheat1",
]


def _pydot():
    try:
        import pydot
    except ImportError as error:
        raise RuntimeError(
            "FXGraphDrawer requires the pydot package to be installed. Please install pydot through your favorite Python package "
            "manager."
        ) from error
    return pydot


class FxGraphDrawer:
    """Draws the graph of a module: ``get_dot_graph()`` is a ``pydot.Dot``, which can be written as an image.

    ``ignore_getattr`` leaves nodes out that read parameters, ``ignore_parameters_and_buffers`` those that stand for the parameters of layers;
    ``skip_node_names_in_args`` leaves arguments out that are nodes, ``parse_stack_trace`` shows where nodes come from. Raises RuntimeError without ``pydot``.
    """

    dot_graph_shape: str

    def __init__(
        self,
        graph_module: GraphModule,
        name: str,
        ignore_getattr: bool = False,
        ignore_parameters_and_buffers: bool = False,
        skip_node_names_in_args: bool = True,
        parse_stack_trace: bool = False,
        dot_graph_shape: str | None = None,
        normalize_args: bool = False,
    ) -> None:
        _pydot()
        self._name = name
        self.dot_graph_shape = dot_graph_shape or "record"
        self.normalize_args = normalize_args
        self._options = (
            ignore_getattr,
            ignore_parameters_and_buffers,
            skip_node_names_in_args,
            parse_stack_trace,
        )
        self._dot_graphs = {name: self._to_dot(graph_module, name)}
        for node in graph_module.graph.find_nodes(op="call_module"):
            inner = _get_attr(graph_module, node.target)
            if isinstance(inner, GraphModule):
                self._dot_graphs[f"{name}_{node.target}"] = self._to_dot(inner, f"{name}_{node.target}")

    def get_dot_graph(self, submod_name: Any = None) -> Any:
        """Return the picture of the module, or of a submodule."""
        return self._dot_graphs[self._name if submod_name is None else submod_name]

    def get_main_dot_graph(self) -> Any:
        """Return the picture of the module."""
        return self._dot_graphs[self._name]

    def get_submod_dot_graph(self, submod_name: Any) -> Any:
        """Return the picture of a submodule."""
        return self._dot_graphs[f"{self._name}_{submod_name}"]

    def get_all_dot_graphs(self) -> Any:
        """Return all pictures, by their names."""
        return self._dot_graphs

    def _to_dot(self, module, name):
        pydot = _pydot()
        without_reads, without_parameters, *_ = self._options
        graph = pydot.Dot(name, rankdir="TB")
        shown = [node for node in module.graph.nodes if not (without_reads and node.op == "get_attr")]
        for node in shown:
            graph.add_node(
                pydot.Node(node.name, label=self._label(module, node), **self._style(_color(node)))
            )
            if node.op == "call_module" and not without_parameters:
                layer = _get_attr(module, node.target)
                if not isinstance(layer, GraphModule):
                    for title, tensor in chain(layer.named_parameters(), layer.named_buffers()):
                        kind = "parameter" if isinstance(tensor, Parameter) else "buffer"
                        title = f"{node.name}.{title}"
                        label = f"{{{title}|op_code=get_{kind}\\l{tensor.dtype}{list(tensor.shape)}\\n}}"
                        graph.add_node(pydot.Node(title, label=label, **self._style("Salmon")))
                        graph.add_edge(pydot.Edge(title, node.name))
        for node in shown:
            for user in node.users:
                graph.add_edge(pydot.Edge(node.name, user.name))
        return graph

    def _style(self, color):
        return {
            "shape": self.dot_graph_shape,
            "fillcolor": color,
            "style": '"filled,rounded"',
            "fontcolor": "#000000",
        }

    def _label(self, module, node):
        """The fields of a record: name, op, target, arguments, what is known of the value."""
        *_, without_names, with_trace = self._options
        label = f"{{name=%{node.name}|op_code={node.op}\n"
        if node.op == "call_module":
            layer = _get_attr(module, node.target)
            constants = [f"{name}: {getattr(layer, name)}" for name in getattr(layer, "__constants__", ())]
            label += rf"\n{_typename(layer)}\n|" + r"\n".join(constants) + r"\n"
        else:
            args, kwargs = node.args, node.kwargs
            if self.normalize_args and node.op == "call_function":
                args, kwargs = node.normalized_arguments(module, normalize_to_only_use_kwargs=True) or (
                    args,
                    kwargs,
                )
            texts = [_format_arg(x, 8) for x in args]
            named = [f"{key}: {_format_arg(x, 8)}" for key, x in kwargs.items()]
            label += rf"|target={_typename(node.target)}\n"
            label += _fields(texts, r"|args=(\l", r",\n)\l", without_names)
            label += _fields(named, r"|kwargs={\l", r",\n}\l", without_names)
            label += rf"|num_users={len(node.users)}\n"
        label += _about(node.meta.get("tensor_meta"))
        if with_trace and node.stack_trace:
            label += f"|{innermost_frame(node.stack_trace)}\\n"
        return f"{label}}}"


def _color(node):
    if node.op in _COLORS:
        return _COLORS[node.op]
    name = _targets.printed_name(node.target).encode()
    return _BY_NAME[int(hashlib.md5(name, usedforsecurity=False).hexdigest()[:8], 16) % len(_BY_NAME)]


def _typename(target):
    if isinstance(target, Module):
        text = _targets.type_text(type(target))
    else:
        text = target if isinstance(target, str) else _targets.qualified_name(target)
    return _escaped(text)


def _escaped(text):
    """Text in which braces do not divide a record."""
    return text.replace("{", r"\{").replace("}", r"\}")


def _fields(texts, start, end, without_names):
    texts = [text for text in texts if not (without_names and "%" in text)]
    if not texts:
        return ""
    text = start + r",\n".join(texts) + end
    return _escaped(text.replace(r"\l", "").replace(r"\n", "") if len(texts) == 1 else text)


def _about(value):
    if isinstance(value, TensorMetadata):
        shown = {
            "dtype": value.dtype,
            "shape": tuple(value.shape),
            "requires_grad": value.requires_grad,
            "stride": value.stride,
        }
        return "".join(rf"|{name}={each}\n" for name, each in shown.items())
    if isinstance(value, dict):
        return "".join(map(_about, value.values()))
    return "".join(map(_about, value)) if isinstance(value, (list, tuple)) else ""
