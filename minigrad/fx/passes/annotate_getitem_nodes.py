"""Types of elements, from the types of what they are elements of."""

import operator
import typing

from ..._api import Tensor
from ..graph import Graph

__all__ = ["annotate_getitem_nodes"]


def annotate_getitem_nodes(graph: Graph) -> None:
    """Annotate nodes that take an element of a tuple, list or named tuple with the element's type.

    >>> import minigrad
    >>> def first(x: tuple[int, float]):
    ...     return x[1]
    >>> graph = minigrad.fx.symbolic_trace(first).graph
    >>> minigrad.fx.passes.annotate_getitem_nodes.annotate_getitem_nodes(graph)
    >>> [*graph.nodes][1].type
    <class 'float'>
    """
    for node in graph.find_nodes(op="call_function", target=operator.getitem):
        sequence, index = node.args
        kind = sequence.type
        parts = typing.get_args(kind)
        if typing.get_origin(kind) is tuple:
            if len(parts) == 2 and parts[1] is ...:
                node.type = parts[0]
            elif index < len(parts):
                node.type = parts[index]
            else:
                raise AssertionError(f"Index {index} out of range for parameterized_types (len={len(parts)})")
        elif typing.get_origin(kind) is list:
            node.type = parts[0]
        elif hasattr(kind, "_fields") and kind is not Tensor:
            node.type = kind.__annotations__[kind._fields[index]]
