"""``SymbolicGraph``: what functions of programs that write an operator are given as their graph."""

from typing import Any

from .._api import Tensor
from ._builder import Builder, Value
from ._tensors import tensor_proto


class SymbolicGraph:
    """The graph while an operator is written: ``op`` appends a node."""

    def __init__(self, builder: Builder) -> None:
        self._builder, self.opset = builder, builder.opset

    def op(self, opname: str, *raw_args: Any, outputs: int = 1, **kwargs: Any) -> Any:
        """Append a node and return its output, or a tuple of ``outputs``.

        ``opname`` is that of an operator of ONNX, or ``domain::name``. Numbers and tensors among the inputs become constants; attributes say by their last letters of which
        kind they are: ``axis_i`` an integer or several, ``alpha_f`` a float, ``mode_s`` a text, ``value_t`` a tensor.
        """
        domain, _, kind = opname.rpartition("::")
        attributes = dict(_attribute(self._builder, name, value) for name, value in kwargs.items())
        return self._builder.op(
            kind,
            *raw_args,
            outputs=outputs,
            domain="" if domain == "onnx" else domain,
            as_given=True,
            **attributes,
        )


def _attribute(builder, name, value):
    name, _, kind = name.rpartition("_")
    if kind not in ("i", "f", "s", "t") or not name:
        raise ValueError(
            f"the attribute {name or kind!r} does not say of which kind it is: its name ends with _i, _f, _s or _t"
        )
    if isinstance(value, Tensor):
        return name, tensor_proto(builder.onnx, "", value)
    kinds = {"i": int, "f": float, "s": str}
    if kind in kinds:
        each = kinds[kind]
        return name, [each(x) for x in value] if isinstance(value, (list, tuple)) else each(value)
    return name, value


def as_exporter(function: Any) -> Any:
    """A function ``function(graph, *arguments)`` of a program as one that a translation calls."""

    def write(g: Builder, *args: Any, **kwargs: Any) -> Any:
        found = function(SymbolicGraph(g), *args, **kwargs)
        if isinstance(found, Value) and g.result is not None:  # its dtype is that which was recorded
            return Value(found.name, g.result.dtype, found.known_shape)
        return found

    return write
