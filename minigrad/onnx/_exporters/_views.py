"""Views: what was written to one is written back to what it is a view of."""

from typing import Any

from .._builder import Builder, Value
from ._common import axis_of, counted, greatest, least
from .indexing import bounds_of_narrow, setitem
from .shapes import on_diagonal, order_of

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
VIEWS = _SAME_ORDER | _ORDERS | _PARTS | {"diagonal"}


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
    if name == "diagonal":
        return _with_diagonal(g, base, value, *rest, **kwargs)
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


def _with_diagonal(g, base, value, offset=0, dim1=0, dim2=1):
    """``base`` with a diagonal of it replaced: each row takes the element that is on it."""
    rank = len(base.shape)
    first, second = axis_of(base, dim1), axis_of(base, dim2)
    order = [i for i in range(rank) if i not in (first, second)] + [first, second]
    rows, columns = base.shape[first], base.shape[second]
    one_more = g.op("Pad", value, g.ints([0] * (2 * rank - 3) + [1]), g.constant(0, value.dtype))
    count = g.op("Gather", g.shape_of(value), g.ints([-1]))
    number = g.op("Sub", counted(g, rows), max(-offset, 0))
    element = g.op("Min", g.op("Max", number, 0), count)  # any, in rows beside the diagonal
    each = g.unsqueeze(g.op("Gather", one_more, element, axis=rank - 2), rank - 1)
    made = g.where(on_diagonal(g, rows, columns, offset), each, g.transpose(base, order))
    return g.transpose(made, [order.index(i) for i in range(rank)])


def _bounds(name, size, bound, element):
    """The part of a dimension that an element of ``split`` or ``chunk`` is."""
    if name == "chunk":
        step = greatest((size + bound["chunks"] - 1) // bound["chunks"], 1)
    else:
        step = bound.get("sizes", bound.get("split_size_or_sections", bound.get("split_size")))
    if isinstance(step, (tuple, list)):
        start = sum(step[:element])
        return slice(start, start + step[element])
    return slice(step * element, least(step * (element + 1), size))
