"""``Builder``: the graph of an ONNX model while it is written, one node after the other."""

import functools
import re
from typing import Any

from .. import _api
from .._api import Tensor
from .._base import dtypes
from .._base.extras import missing_extra
from ..export import _sizes
from ._tensors import NUMBERS, TYPE_TEXTS, tensor_proto
from .errors import UnsupportedOperatorError

Size = _sizes.Size

#: For dtypes that an operator of ONNX does not take: those in which it is computed instead, the first that it takes.
_WIDER = {
    dtypes.float16: (dtypes.float32,),
    dtypes.bfloat16: (dtypes.float32,),
    dtypes.float64: (dtypes.float32,),
    **dict.fromkeys(
        (dtypes.bool_, dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.uint16),
        (dtypes.int32, dtypes.int64, dtypes.float32),
    ),
    dtypes.int32: (dtypes.int64, dtypes.float64, dtypes.float32),
    dtypes.int64: (dtypes.float64, dtypes.float32),
}

#: Operators whose output has the shape of the first input.
_SHAPED_AS_FIRST = frozenset(
    [
        "Abs",
        "Cast",
        "Ceil",
        "Clip",
        "Erf",
        "Exp",
        "Floor",
        "IsInf",
        "IsNaN",
        "Log",
        "Neg",
        "Not",
        "Relu",
        "Round",
        "Sigmoid",
        "Sign",
    ]
    + [
        "Softmax",
        "LogSoftmax",
        "Softplus",
        "Sqrt",
        "Tanh",
        "Reciprocal",
        "ScatterElements",
        "CumSum",
        "Elu",
        "LeakyRelu",
    ]
)


def needed() -> Any:
    """The package ``onnx``; raises ImportError, with the extra that brings it, where it is not installed."""
    try:
        import onnx  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise missing_extra("An export to ONNX", "onnx", "onnx") from None
    return onnx


class Value:
    """A value of the graph: its name, dtype and shape, whose sizes are numbers or ``Size``; the shape of one inside a translation may be None."""

    __slots__ = ("dtype", "elements", "known_shape", "name")

    def __init__(self, name: str, dtype: Any, shape: Any = None, elements: Any = None) -> None:
        self.name, self.dtype, self.known_shape, self.elements = name, dtype, shape, elements

    @property
    def shape(self) -> Any:
        """The shape; AssertionError if nobody has said what it is."""
        if self.known_shape is None:
            raise AssertionError(f"the shape of {self.name} is not known here")
        return self.known_shape

    def __repr__(self) -> str:
        return f"Value({self.name}: {self.dtype} {self.known_shape})"


class Builder:
    """Nodes, initializers and names of one graph.

    A translation calls ``op`` for each node that it needs. ``result`` is the metadata of what the operator in hand returned when it was recorded, ``path`` the
    module that called it: nodes are named after it.
    """

    def __init__(self, opset: int) -> None:
        self.onnx = needed()
        self.opset = opset
        self.nodes: list[Any] = []
        self.initializers: dict[str, Any] = {}
        self.domains: set[str] = set()
        self.versions: dict[str, int] = {}  # of domains, where a program says which
        self.taken: set[str] = set()  # names of values
        self.taken_by_nodes: set[str] = set()
        self.constants: dict[Any, Value] = {}
        self.sizes: dict[Any, Value] = {}
        self.packed: dict[str, Any] = {}  # the name of a packed sequence -> what is in it
        self.path, self.hint, self.operator, self.metadata = "", "value", "", {}
        self.result: Any = None
        self.result_shape: Any = ()
        self.size_value: Any = None  # the functions that write a Size: as a number, as a vector
        self.size_vector: Any = None

    def inside(self) -> "Builder":
        """A builder of a graph in a node: with nodes of its own, and names that are no others'."""
        inner = Builder(self.opset)
        for name in (
            "domains",
            "taken",
            "taken_by_nodes",
            "path",
            "hint",
            "operator",
            "metadata",
            "size_value",
            "size_vector",
        ):
            setattr(inner, name, getattr(self, name))
        return inner

    # Names -----------------------------------------------------------------------------------------------------------------

    def fresh(self, name: str) -> str:
        """A name for a value that no other has."""
        return _unused(name, self.taken)

    # Nodes -----------------------------------------------------------------------------------------------------------------

    def op(
        self,
        kind: str,
        *inputs: Any,
        dtype: Any = None,
        shape: Any = None,
        outputs: int = 1,
        dtypes: Any = None,
        domain: str = "",
        as_given: bool = False,
        **attributes: Any,
    ) -> Any:
        """Append a node and return its output, or a tuple of ``outputs``.

        Inputs are values, None for one that is left out, and numbers, which become constants of the first value's dtype. ``dtype`` is that of the outputs, if it is not
        that of the first input. An input of a dtype that the operator does not take is converted, and so is the output back.
        """
        values = [x for x in inputs if isinstance(x, Value)]
        like = values[0].dtype if values else None
        operands = [x if x is None or isinstance(x, Value) else self.constant(x, like) for x in inputs]
        if domain:
            self.domains.add(domain)
        back: Any = [None] * outputs
        if not (domain or as_given):
            operands, back = self._converted(kind, operands, outputs, attributes)
        if shape is None and kind in _SHAPED_AS_FIRST and values:
            shape = values[0].known_shape
        names = [self.fresh(self.hint) for _ in range(outputs)]
        while operands and operands[-1] is None:
            operands.pop()
        attributes = {
            key: NUMBERS[value] if key in ("to", "dtype") and value in NUMBERS else value
            for key, value in attributes.items()
            if value is not None
        }
        node = self.onnx.helper.make_node(
            kind,
            [x.name if x is not None else "" for x in operands],
            names,
            name=_unused(f"{self.path}/{kind}", self.taken_by_nodes),
            domain=domain,
            **attributes,
        )
        for key, value in self.metadata.items():
            node.metadata_props.add(key=key, value=value)
        self.nodes.append(node)
        found = []
        for number, name in enumerate(names):
            kept = dtypes[number] if dtypes else dtype or like
            computed = kept if back[number] is None else back[number]
            value = Value(name, computed, shape)
            found.append(value if computed is kept or dtype or dtypes else self.cast(value, kept))
        return found[0] if outputs == 1 else tuple(found)

    def _converted(self, kind, operands, outputs, attributes):
        """The operands in dtypes that the operator takes, and for each output the dtype in which it is computed, None for that of the first operand."""
        schema = _schema(kind, self.opset)
        if schema is None:
            raise UnsupportedOperatorError(self.operator, self.opset, _first_opset(kind))
        for name, value in attributes.items():
            if value is not None and name not in schema.attributes:
                raise UnsupportedOperatorError(self.operator, self.opset, _first_opset(kind, name))
        chosen: dict[str, Any] = {}
        formal = schema.inputs
        texts = [formal[min(i, len(formal) - 1)].type_str for i in range(len(operands))]
        allowed = _allowed(kind, self.opset)
        for text, operand in zip(texts, operands, strict=True):
            if operand is None or text not in allowed or TYPE_TEXTS[operand.dtype] in allowed[text]:
                continue
            wider = [each for each in _WIDER.get(operand.dtype, ()) if TYPE_TEXTS[each] in allowed[text]]
            if not wider:
                raise UnsupportedOperatorError(f"{self.operator} of {operand.dtype}", self.opset, None)
            chosen[text] = wider[0]
        if not chosen:
            return operands, [None] * outputs
        operands = [
            self.cast(operand, chosen[text]) if operand is not None and text in chosen else operand
            for text, operand in zip(texts, operands, strict=True)
        ]
        last = len(schema.outputs) - 1
        return operands, [chosen.get(schema.outputs[min(i, last)].type_str) for i in range(outputs)]

    def cast(self, value: Value, dtype: Any) -> Value:
        """The value in another dtype; itself if that is its own."""
        if value.dtype is dtype:
            return value
        return self.op("Cast", value, to=dtype, dtype=dtype, shape=value.known_shape)

    # Constants -------------------------------------------------------------------------------------------------------------

    def constant(self, value: Any, dtype: Any = None) -> Value:
        """A number, a list of numbers or a tensor as a value of the graph; the same one for the same elements."""
        if isinstance(value, Value):
            return value if dtype is None else self.cast(value, dtype)
        if isinstance(value, Size):
            value = self.size_value(value)
            return value if dtype is None else self.cast(value, dtype)
        if not isinstance(value, Tensor):
            value = _api.tensor(value, dtype=dtype)
        elif dtype is not None:
            value = value.to(dtype)
        proto = tensor_proto(self.onnx, "", value)
        key = proto.data_type, tuple(proto.dims), proto.raw_data
        if key not in self.constants:
            name = self.fresh("constant")
            node = self.onnx.helper.make_node(
                "Constant", [], [name], name=_unused("/Constant", self.taken_by_nodes), value=proto
            )
            self.nodes.append(node)
            self.constants[key] = Value(name, value.dtype, tuple(value.shape), value)
        return self.constants[key]

    def ints(self, values: Any) -> Value:
        """Sizes and integers as an int64 vector."""
        values = [*values]
        if not any(isinstance(x, (Value, Size)) for x in values):
            return self.constant(_api.tensor([int(x) for x in values], dtype=dtypes.int64))
        parts: list[Any] = []
        for x in values:  # neighbours that are numbers make one constant
            if isinstance(x, (Value, Size)):
                parts.append(
                    self.size_vector(x)
                    if isinstance(x, Size)
                    else self.op("Reshape", self.cast(x, dtypes.int64), self.constant([1], dtypes.int64))
                )
            elif parts and isinstance(parts[-1], list):
                parts[-1].append(int(x))
            else:
                parts.append([int(x)])
        vectors = [self.constant(x, dtypes.int64) if isinstance(x, list) else x for x in parts]
        return vectors[0] if len(vectors) == 1 else self.op("Concat", *vectors, axis=0)

    def initializer(self, name: str, tensor: Tensor) -> Value:
        """A tensor of the model, under its own name."""
        name = self.fresh(name)
        self.initializers[name] = tensor
        return Value(name, tensor.dtype, tuple(tensor.shape), tensor)

    # Shapes ----------------------------------------------------------------------------------------------------------------

    def shape_of(self, value: Value) -> Value:
        """The shape of a value, as the graph computes it."""
        return self.op("Shape", value, dtype=dtypes.int64)

    def reshape(self, value: Value, shape: Any) -> Value:
        """The elements in another shape, of numbers and sizes."""
        shape = [*shape]
        unknown = [i for i, x in enumerate(shape) if isinstance(x, Size)]
        if len(unknown) == 1 and -1 not in shape and 0 not in shape:
            shape[unknown[0]] = -1
        allow = 1 if 0 in shape and -1 not in shape and self.opset >= 14 else None
        return self.op("Reshape", value, self.ints(shape), allowzero=allow)

    def unsqueeze(self, value: Value, *axes: int) -> Value:
        """With dimensions of size 1 at these places of the result."""
        return self.op("Unsqueeze", value, self.constant([*axes], dtypes.int64))

    def squeeze(self, value: Value, *axes: int) -> Value:
        """Without these dimensions, of size 1."""
        return self.op("Squeeze", value, self.constant([*axes], dtypes.int64))

    def transpose(self, value: Value, order: Any) -> Value:
        """With the dimensions in another order."""
        order = [int(x) for x in order]
        return value if order == sorted(order) else self.op("Transpose", value, perm=order)

    def slice(self, value: Value, axis: int, start: Any, stop: Any, step: int = 1) -> Value:
        """The part of a dimension."""
        return self.op(
            "Slice", value, self.ints([start]), self.ints([stop]), self.ints([axis]), self.ints([step])
        )

    def reduce(self, kind: str, value: Value, axes: Any = None, keepdim: bool = False) -> Value:
        """One of ``ReduceSum``, ``ReduceMax`` and the like, over these axes or all."""
        keep = int(keepdim)
        if axes is not None and not axes:
            axes = None
        if axes is None:
            return self.op(kind, value, keepdims=keep)
        if self.opset >= (13 if kind == "ReduceSum" else 18):
            return self.op(kind, value, self.ints(axes), keepdims=keep)
        return self.op(kind, value, axes=[*axes], keepdims=keep)

    def split(self, value: Value, sizes: Any, axis: int) -> Any:
        """The parts of a dimension with these sizes, as a tuple."""
        if len(sizes) == 1:
            return (value,)
        return self.op("Split", value, self.ints(sizes), axis=axis, outputs=len(sizes))

    def where(self, condition: Value, x: Any, y: Any) -> Value:
        """``x`` where the condition holds, else ``y``."""
        like = x.dtype if isinstance(x, Value) else y.dtype
        return self.op("Where", condition, self.constant(x, like), self.constant(y, like), dtype=like)


def _unused(name, taken):
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


@functools.lru_cache(None)
def _schema(kind, opset):
    import onnx

    try:
        return onnx.defs.get_schema(kind, max_inclusive_version=opset)
    except onnx.defs.SchemaError:
        return None


@functools.lru_cache(None)
def _allowed(kind, opset):
    """What an operator takes: the name of a type in its definition -> the texts of the types."""
    return {each.type_param_str: {*each.allowed_type_strs} for each in _schema(kind, opset).type_constraints}


@functools.lru_cache(None)
def _first_opset(kind, attribute=None):
    """The opset in which an operator, or an attribute of it, came; None if there is none such."""
    import onnx

    every = [s for s in onnx.defs.get_all_schemas_with_history() if s.name == kind and not s.domain]
    return min(
        [s.since_version for s in every if attribute is None or attribute in s.attributes], default=None
    )


def safe_name(text: str) -> str:
    """A text as a part of the name of a node: without spaces."""
    return re.sub(r"\s+", "_", text)
