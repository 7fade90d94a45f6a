"""Graphs that run in a node: branches and loops."""

from typing import Any

from ... import _api as mg
from .._element_types import dtype_of
from ._values import number


def If(condition: Any, *, then_branch: Any, else_branch: Any) -> Any:
    return then_branch() if bool(number(condition)) else else_branch()


def Loop(trips: Any = None, condition: Any = None, *carried: Any, body: Any) -> Any:
    """Without a condition only the number of trips ends it: the condition that the body gives then counts for nothing."""
    limit, proceed, step = number(trips), condition is None or bool(number(condition)), 0
    rows: list[Any] = []
    while proceed and (limit is None or step < limit):
        further, *values = body(mg.tensor(step), mg.tensor(proceed), *carried)
        proceed = condition is None or bool(number(further))
        carried, row = tuple(values[: len(carried)]), values[len(carried) :]
        rows.append(row)
        step += 1
    if not rows:
        return (*carried, *(_no_rows(each) for each in body.graph.output_types[1 + len(carried) :]))
    return (*carried, *(mg.stack(column) for column in zip(*rows)))


def _no_rows(kind):
    """What a loop that makes no trip collects: nothing, of the dtype and the shape that its body declares."""
    element_type, sizes = kind
    return mg.zeros(0, *sizes, dtype=dtype_of(element_type) if element_type else None)


def Scan(
    *inputs: Any,
    body: Any,
    num_scan_inputs: int,
    directions: Any = None,
    scan_input_axes: Any = None,
    scan_input_directions: Any = None,
    scan_output_axes: Any = None,
    scan_output_directions: Any = None,
    opset: int,
) -> Any:
    if opset >= 9:
        return _scan(
            inputs,
            body,
            num_scan_inputs,
            scan_input_axes,
            scan_input_directions,
            scan_output_axes,
            scan_output_directions,
        )
    lengths, *rest = inputs  # version 8: an axis of batches before the others
    if lengths is not None:
        raise NotImplementedError("Scan of version 8 with lengths of sequences")
    batches = [
        _scan([each[batch] for each in rest], body, num_scan_inputs, None, directions, None, None)
        for batch in range(rest[0].shape[0])
    ]
    return tuple(mg.stack(column) for column in zip(*batches))


def _scan(inputs, body, count, axes, turned, output_axes, output_turned):
    kept = len(inputs) - count
    state, sequences = list(inputs[:kept]), []
    for place, each in enumerate(inputs[kept:]):
        parts = each.unbind(axes[place] if axes else 0)
        sequences.append(parts[::-1] if turned and turned[place] else parts)
    columns: list[list[Any]] = [[] for _ in range(len(body.graph.outputs) - kept)]
    for step in range(len(sequences[0])):
        results = body(*state, *(each[step] for each in sequences))
        state = list(results[:kept])
        for column, value in zip(columns, results[kept:]):
            column.append(value)
    outputs = []
    for place, column in enumerate(columns):
        if output_turned and output_turned[place]:
            column.reverse()
        outputs.append(mg.stack(column, output_axes[place] if output_axes else 0))
    return (*state, *outputs)
