"""``with_sizes``: what is computed of sizes becomes nodes of a graph, in the place of the numbers of one recording."""

import math
import operator
from typing import Any

from .. import _symbolic, ops
from ..fx import Graph, Node
from ._sizes import Size

_FUNCTIONS: dict[str, Any] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "Min": _symbolic.sym_min,
    "Max": _symbolic.sym_max,
}
_OF_ONE = {"Floor": math.floor, "Ceil": math.ceil, "Round": round, "Log": math.log}


def with_sizes(graph: Graph, comparison: Any) -> Graph:
    """The graph, changed: numbers that differ between the recordings are computed by it. Raises RuntimeError for one of which it is not known how."""
    made: dict[Any, Node] = {}

    def computed(x: Any, node: Node) -> Any:
        if isinstance(x, Size):
            return _node_of(graph, x, node, made)
        if isinstance(x, slice):
            return slice(*[computed(part, node) for part in (x.start, x.stop, x.step)])
        if isinstance(x, dict):
            return {key: computed(value, node) for key, value in x.items()}
        if isinstance(x, (tuple, list)):
            parts = [computed(value, node) for value in x]
            return (
                type(x)(*parts) if hasattr(x, "_fields") else tuple(parts) if isinstance(x, tuple) else parts
            )
        return x

    for node in [*graph.nodes]:
        args, kwargs = comparison.arguments[node]
        if _differs((args, kwargs)):
            node.args, node.kwargs = computed(tuple(args), node), computed(kwargs, node)
    graph.lint()
    return graph


def _differs(arguments):
    if isinstance(arguments, Size):
        return True
    if isinstance(arguments, slice):
        return _differs((arguments.start, arguments.stop, arguments.step))
    if isinstance(arguments, dict):
        return any(map(_differs, arguments.values()))
    return isinstance(arguments, (tuple, list)) and any(map(_differs, arguments))


def _node_of(graph, size, user, made):
    """The node that computes a size, before the node that takes it."""
    if size in made:
        return made[size]
    if size.expression is None:
        numbers = ", ".join(map(str, size.values_of_runs))
        raise RuntimeError(
            f"Constraints violated! A number that the program computes ({numbers} with other inputs), for {user.format_node() or 'the output'}, does not follow from the sizes of its values"
        )
    operation, one, other = size.expression
    if operation == "axis":
        with graph.inserting_after(one):
            node = graph.call_function(ops.aten.sym_size.int, (one, other))
    else:
        given = [_node_of(graph, x, user, made) if isinstance(x, Size) else x for x in (one, other)]
        with graph.inserting_before(user):
            if operation in _OF_ONE:
                node = graph.call_function(_OF_ONE[operation], (given[0],))
            else:
                node = graph.call_function(_FUNCTIONS[operation], tuple(given))
    made[size] = node
    return node
