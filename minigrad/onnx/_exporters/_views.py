"""Views: what was written to one is written back to what it is a view of."""

from typing import Any

from .._builder import Builder, Value
from ..errors import ConversionError
from ._common import axis_of
from .indexing import bounds_of_narrow, setitem
from .shapes import order_of

_SAME_ORDER = frozenset(
    [
        "view",
        "reshape",
        "flatten",
        "ravel",
        "unflatten",
        "squeeze",
        "unsqueeze",
        "contiguous",
        "detach",
        "data",
        "view_as",
        "reshape_as",
        "to",
        "type",
        "float",
    ]
    + [
        "double",
        "half",
        "bfloat16",
        "int",
        "long",
        "bool",
        "alias",
        "type_as",
        "positive",
        "dropout",
        "cpu",
        "atleast_1d",
        "atleast_2d",
    ]
)
_ORDERS = frozenset(["T", "mT", "t", "permute", "transpose", "swapaxes", "swapdims", "movedim", "moveaxis"])
_PARTS = frozenset(["getitem", "select", "narrow", "split", "chunk", "unbind", "split_with_sizes"])
#: The operators whose results can be written to as parts of what they are views of.
VIEWS = _SAME_ORDER | _ORDERS | _PARTS


def write_back(
    g: Builder, name: str, base: Value, value: Value, arguments: Any, element: int | None
) -> Value:
    """``base`` after ``value`` was written to the view of it that the operator ``name`` made; ``element`` if that returned several."""
    args, kwargs = arguments
    rest = args[1:]
    if name in _SAME_ORDER:
        return g.op("Reshape", value, g.shape_of(base))
    if name in _ORDERS:
        order = order_of(
            "movedim" if name == "moveaxis" else name, len(base.shape), [a for a in rest if a != name], kwargs
        )
        return g.transpose(value, [order.index(i) for i in range(len(order))])
    if name == "getitem":
        return setitem(g, base, rest[0], value)
    bound = dict(zip(_PARAMETERS[name], rest)) | kwargs
    axis = axis_of(base, bound.get("dim", 0))
    if name == "select":
        part: Any = bound["index"]
    elif name == "narrow":
        part = slice(*bounds_of_narrow(g, base, axis, bound["start"], bound["length"]))
    elif name == "unbind":
        part = element
    else:
        part = _bounds(name, base.shape[axis], bound, element)
    return setitem(g, base, (*[slice(None)] * axis, part), value)


_PARAMETERS = {
    "select": ("dim", "index"),
    "narrow": ("dim", "start", "length"),
    "unbind": ("dim",),
    "split": ("sizes", "dim"),
    "split_with_sizes": ("sizes", "dim"),
    "chunk": ("chunks", "dim"),
}


def _bounds(name, size, bound, element):
    """The part of a dimension that an element of ``split`` or ``chunk`` is."""
    if not isinstance(size, int):
        raise ConversionError(f"a part that {name} has cut of a dynamic dimension is written to")
    if name == "chunk":
        step = -(-size // bound["chunks"])
    else:
        step = bound.get("sizes", bound.get("split_size_or_sections", bound.get("split_size")))
    if isinstance(step, (tuple, list)):
        start = sum(step[:element])
        return slice(start, start + step[element])
    return slice(element * step, min((element + 1) * step, size))
