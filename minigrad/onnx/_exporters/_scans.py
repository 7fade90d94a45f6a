"""Steps along a dimension: ONNX's ``Scan``, whose graph is written by a function of the states and of one element of each sequence."""

from collections.abc import Callable
from typing import Any

from .._builder import Builder, Value
from .._tensors import NUMBERS


def scan(
    g: Builder, step: Callable[..., Any], states: Any, sequences: Any, axis: int = 0, reverse: bool = False
) -> tuple[list[Value], list[Value]]:
    """The last states, and what the steps gave, joined along ``axis``.

    ``step(g, states, elements)`` gives the next states and a list of results. It may use values from outside. ``states`` have shapes; the dimension ``axis`` is cut out of ``sequences``.
    """

    def turned(x):
        return g.slice(x, 0, -1, -(2**62), -1) if reverse else x

    inner, helper = g.inside(), g.onnx.helper
    taken = [_input(inner, "state", x.dtype, x.shape) for x in states]
    elements = [_input(inner, "element", x.dtype, (*x.shape[:axis], *x.shape[axis + 1 :])) for x in sequences]
    following, results = step(inner, taken, elements)
    dtypes = [x.dtype for x in (*following, *results)]
    made = []
    for value in (*following, *results):
        name = g.fresh(g.hint)  # an output of its own, also where one value is two
        inner.nodes.append(helper.make_node("Identity", [value.name], [name]))
        made.append(helper.make_tensor_value_info(name, NUMBERS[value.dtype], None))
    inputs = [helper.make_tensor_value_info(x.name, NUMBERS[x.dtype], None) for x in (*taken, *elements)]
    found = g.op(
        "Scan",
        *states,
        *[
            turned(g.transpose(x, _to_front(x, axis))) for x in sequences
        ],  # not all runtimes know of other axes and directions
        body=helper.make_graph(inner.nodes, f"{g.hint}_step", inputs, made),
        num_scan_inputs=len(sequences),
        outputs=len(dtypes),
        dtypes=dtypes,
        as_given=True,
    )
    every = [found] if len(dtypes) == 1 else [*found]
    last, joined = every[: len(states)], every[len(states) :]
    order = [*range(1, axis + 1), 0]
    ranks = [len(x.shape) + 1 for x in results]
    return last, [g.transpose(turned(x), [*order, *range(axis + 1, rank)]) for x, rank in zip(joined, ranks)]


def _to_front(x, axis):
    return [axis, *[i for i in range(len(x.shape)) if i != axis]]


def _input(inner, name, dtype, shape):
    return Value(inner.fresh(name), dtype, tuple(shape))
