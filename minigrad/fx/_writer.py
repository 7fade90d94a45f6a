"""Statements of generated code: one for each node of a graph, in the words that PyTorch writes."""

import enum
import os
import pprint
import re
import types
import typing
from typing import Any

from .. import ops
from .._api import Tensor, device
from ..utils._dtype_abbrs import dtype_abbrs
from . import _targets
from ._namespace import custom_builtins
from ._operator_texts import inplace_methods, magic_methods
from .node import Node, recorded_value, shape_text
from .tensor_type import TensorType

#: ``typing``'s own names for generic types of Python, which are written when an annotation used them.
_GENERIC = {
    list: typing.List,  # noqa: UP006
    dict: typing.Dict,  # noqa: UP006
    set: typing.Set,  # noqa: UP006
    frozenset: typing.FrozenSet,  # noqa: UP006
    tuple: typing.Tuple,  # noqa: UP006
}
_COLORS = {
    "red": "\033[31m",
    "blue": "\033[34m",
    "dim": "\033[2m",
    "dim_blue": "\033[2m\033[34m",
    "dim_green": "\033[2m\033[32m",
}
_FRAME = re.compile(r'File "(.+)", line (\d+), in (.+)')


def attribute_text(base, target):
    """``base.a.b``; ``getattr(base.a, "0")`` where a part of the target is no identifier."""
    for part in target.split("."):
        base = f"{base}.{part}" if part.isidentifier() else f'getattr({base}, "{part}")'
    return base


def last_uses(nodes: Any) -> Any:
    """Node -> the nodes that nobody uses after it."""
    known, last = set(), {}
    for user in reversed(nodes):
        for node in user.all_input_nodes:
            if node not in known:
                known.add(node)
                last.setdefault(user, []).append(node)
    return last


def innermost_frame(stack_trace: Any) -> str | None:
    """The last frame of a stack trace, as a comment shows it; None if it has none."""
    lines = stack_trace.strip().split("\n")
    for number in range(len(lines) - 2, -1, -1):
        found = _FRAME.fullmatch(lines[number].strip())
        if found:
            file, line, name = found.groups()
            return f"File: {file}:{line} in {name}, code: {lines[number + 1].strip()}"
    return None


class FunctionWriter:
    """Writes the function of a graph: the parameters to ``free_vars``, the statements to ``body``; notes the globals that they need."""

    def __init__(self, codegen, nodes, root_module, namespace, options):
        self.codegen, self.nodes, self.root_module, self.namespace = codegen, nodes, root_module, namespace
        self.verbose = options.get("verbose", False)
        self.expanded = options.get("expanded_def", False)
        self.additional_meta = options.get("additional_meta") or ()
        self.colored = options.get("colored", False)
        self.stride = options.get("include_stride") or os.environ.get("FX_GRAPH_SHOW_STRIDE") == "1"
        self.device = options.get("include_device") or os.environ.get("FX_GRAPH_SHOW_DEVICE") == "1"
        self.meta = os.environ.get("FX_GRAPH_SHOW_META") == "1"
        self.free_vars, self.body, self.globals = [], [], {}
        self.wrapped = {}  # the names of functions that ``wrap`` has marked
        self.return_annotation = ""
        self._last_comment = None
        for name, builtin in custom_builtins().items():
            self.global_name(name, builtin.obj)

    def write(self):
        """Write all nodes. Before each stands a comment with its number, by which lines are found again after others have changed the body."""
        unused = last_uses(self.nodes)
        for number, node in enumerate(self.nodes):
            if self.verbose and node.op not in ("placeholder", "output"):
                self._comment_on(node)
            self.body.append(f"# COUNTER: {number}\n")
            if self.meta and node.meta:
                about = "".join(
                    f"{key}: {pprint.pformat(str(value), width=80, compact=True)}\n"
                    for key, value in node.meta.items()
                )
                self.body.append(f'"""\n{about}"""\n')
            getattr(self, f"_{node.op}")(node)
            if node.op == "output":
                self.body.append("\n")
            elif node.op != "placeholder":
                freed = [*unused.get(node, ()), *([] if node.users else [node])]
                text = " = ".join([*map(repr, freed), "None"])
                self.body.append(f";  {self._color('dim', text)}\n" if freed else "\n")

    # Names and values ------------------------------------------------------------------------------------------------------

    def global_name(self, hint, obj):
        """The expression for something outside of the graph, which becomes one of the globals unless ``torch`` leads to it."""
        if _targets.is_own(obj) and obj is not device:
            return _targets.qualified_name(obj)
        name = self.namespace.create_name(hint, obj)
        self.globals.setdefault(name, obj)
        return name

    def type_name(self, kind):
        """The expression for a type in an annotation."""
        if kind == ():
            return "()"
        text = _targets.type_text(kind)
        if isinstance(kind, types.UnionType) and "|" in text:
            return "|".join(map(self.type_name, typing.get_args(kind)))
        origin = getattr(kind, "__origin__", None)
        if not origin:
            return self.global_name(text, kind)
        if isinstance(kind, typing._GenericAlias):
            origin = _GENERIC.get(origin, origin)
        name = self.global_name(_targets.type_text(origin), origin)
        parts = kind.dims if isinstance(kind, TensorType) else typing.get_args(kind)
        return f"{name}[{','.join(map(self.type_name, parts))}]" if parts else name

    def value(self, value):
        """The expression for an argument."""
        if isinstance(value, Node):
            return repr(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            kind = type(value)
            return f"{self.global_name(_targets.qualified_name(kind), kind)}{tuple(value)!r}"
        if isinstance(value, ops.OpOverload):
            return self.global_name(_targets.qualified_name(value), value)
        if isinstance(value, enum.Enum):
            kind = type(value)
            return f"{self.global_name(kind.__name__, kind)}.{value.name}"
        if isinstance(value, Tensor):
            return f"torch.Tensor(size={list(value.size())}, dtype={str(value.dtype).split('.')[-1]})"
        if isinstance(value, (tuple, list)):
            texts = [*map(self.value, value)]
            if isinstance(value, list):
                return f"[{', '.join(texts)}]"
            return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
        if isinstance(value, slice):
            return f"slice({self.value(value.start)}, {self.value(value.stop)}, {self.value(value.step)})"
        return self._color("blue", repr(value))

    def arguments(self, args, kwargs):
        """The arguments of a call, between its parentheses."""
        return ", ".join(
            [*map(self.value, args), *(f"{key} = {self.value(value)}" for key, value in kwargs.items())]
        )

    def _color(self, name, text):
        return f"{_COLORS[name]}{text}\033[0m" if self.colored else text

    # Comments and annotations ----------------------------------------------------------------------------------------------

    def _comment_on(self, node):
        """Where the program made the node, unless the node before is of the same line."""
        extra = ", ".join(f"{key}: {node.meta[key]}" for key in self.additional_meta if key in node.meta)
        custom = node.meta.get("custom") or {}
        custom = {
            key: f"{str(value)[:40]}..." if len(str(value)) > 40 else value for key, value in custom.items()
        }
        where = innermost_frame(node.stack_trace) if node.stack_trace else None
        text = (
            (f"# {extra} " if extra else "")
            + "#"
            + (f" Annotation: {custom}" if custom else "")
            + f" {where or 'No stacktrace found for following nodes'}"
        )
        comment = f"\n{self._color('dim', text)}\n"
        if comment != self._last_comment:
            self._last_comment = comment
            self.body.append(comment)

    def _annotation(self, node):
        """The type of a value, or, in a verbose listing, what is known of the tensor."""
        value = recorded_value(node) if self.verbose else None
        if isinstance(value, Tensor):
            text = (
                self._color("red", dtype_abbrs[value.dtype])
                + self._color("blue", shape_text(value.shape))
                + self._color("dim_blue", shape_text(value.stride()) if self.stride else "")
                + self._color("dim_green", str(value.device) if self.device else "")
            )
            return f': "{text if type(value) is Tensor else f"{type(value).__name__}({text})"}"'
        if hasattr(value, "dtype") and hasattr(value, "shape"):  # a TensorMetadata
            return f': "{dtype_abbrs[value.dtype]}{shape_text(value.shape)}"'
        return "" if node.type is None else f" : {self.type_name(node.type)}"

    def _assign(self, node, expression):
        self.body.append(f"{node!r}{self._annotation(node)} = {expression}")

    # One method for each op ------------------------------------------------------------------------------------------------

    def _placeholder(self, node):
        default = f" = {self.value(node.args[0])}" if node.args else ""
        about = node.meta.get("desc") if self.expanded else None
        comment = "" if about is None else f"  # {about}"
        self.free_vars.append(f"{node.target}{self._annotation(node)}{default}{comment}")
        bare = node.target.replace("*", "")
        if bare != repr(node):
            self.body.append(f"{node!r} = {bare}\n")

    def _get_attr(self, node):
        self._assign(node, attribute_text(self.root_module, node.target))

    def _call_module(self, node):
        self._assign(
            node, f"{attribute_text(self.root_module, node.target)}({self.arguments(node.args, node.kwargs)})"
        )

    def _call_method(self, node):
        method = attribute_text(self.value(node.args[0]), node.target)
        self._assign(node, f"{method}({self.arguments(node.args[1:], node.kwargs)})")

    def _call_function(self, node):
        target, args = node.target, node.args
        operator = target.__name__ if getattr(target, "__module__", None) == "_operator" else None
        if operator in magic_methods:
            return self._assign(node, magic_methods[operator].format(*map(self.value, args)))
        if operator in inplace_methods:
            self.body.append(
                f"{inplace_methods[operator].format(*map(self.value, args))};  {node!r}{self._annotation(node)} = {self.value(args[0])}"
            )
            return None
        name = self.global_name(_targets.qualified_name(target), target)
        if name == "getattr" and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            return self._assign(node, attribute_text(self.value(args[0]), args[1]))
        if node.meta.get("is_wrapped"):
            self.wrapped.setdefault(name)
        return self._assign(node, f"{name}({self.arguments(args, node.kwargs)})")

    def _output(self, node):
        if node.type is not None:
            self.return_annotation = f" -> {self.type_name(node.type)}"
        self.body.append(
            self.codegen._call_with(
                self.codegen.generate_output,
                node.args[0],
                descs=node.meta.get("desc") if self.expanded else None,
                repr_fn=self.value,
            )
        )
