"""Sizes that depend on elements: how many places a mask chooses. The program is recorded with other counts, and what differs is told by the sizes of its values.

``x[x > 0].shape[0]`` is recorded as the number of elements that were chosen. In further recordings the result of ``x[x > 0]`` has more rows than were chosen: a number of
the program that differs then is no constant.
"""

import warnings
from typing import Any

from .._api import Tensor
from ..utils._pytree import tree_unflatten
from . import _running
from ._counted_results import COUNTED, CountingRecording
from ._sizes import Comparison, Unlike


def with_other_counts(mod: Any, runs: Any) -> list[Any]:
    """The recordings, and more in which sizes that depend on elements differ.

    Raises RuntimeError for a program that is another one with another count. A count that the program does not let differ stays a number.
    """
    if not any(COUNTED in node.meta for node in runs[0].graph.nodes):
        return runs
    found = runs[0].recording.found
    keys, counts = [key for key, _ in found], [count for _, count in found]
    by_count, by_mask = ([each.index(x) for x in each] for each in (counts, keys))
    for groups in (by_mask, by_count):  # the same mask has the same count; two masks may have to
        altered = _altered(mod, runs, counts, groups)
        if altered:
            return [*runs, *altered]
    alone = {g: _altered(mod, runs, counts, [x if x == g else None for x in by_mask]) for g in {*by_mask}}
    return [*runs, *_altered(mod, runs, counts, [x if alone[x] else None for x in by_mask])]


def check_recording(run: Any, mod: Any) -> None:
    """Raise RuntimeError if the graph does not do with other inputs what the module does, unless masks choose otherwise there."""
    try:
        run.check(mod)
    except RuntimeError:
        leaves = [_running.altered(x) if isinstance(x, Tensor) else x for x in run.leaves]
        args, kwargs = tree_unflatten(leaves, run.in_spec)
        other: Any = _running.Run(mod, args, kwargs, run.names, CountingRecording())
        counts, others = ([count for _, count in each.recording.found] for each in (run, other))
        if counts == others:
            raise


def _altered(mod, runs, counts, groups):
    """Two recordings with more rows and one with a single one; empty if the program does not take more. None for what is not to differ."""
    if not any(group is not None for group in groups):
        return []
    made = []
    for more in (lambda g: g + 2, lambda g: (g + 2) ** 2 + 7):  # no two groups grow alike
        wanted = {i: counts[i] + more(g) for i, g in enumerate(groups) if g is not None}
        try:
            made.append(_record_with(mod, runs[0], wanted))
        except Exception:  # whatever the program raises when it does not allow these counts
            return []
    _compare([*runs, *made], "other numbers of elements")
    for few in (1, 0):
        wanted = {i: few for i, g in enumerate(groups) if g is not None}
        try:
            run = _record_with(mod, runs[0], wanted)
        except Exception:  # as above
            continue
        _compare([*runs, *made, run], f"{few} elements" if few == 0 else "1 element")
        made.append(run)
    return made


def _compare(runs, what):
    try:
        Comparison([run.graph for run in runs])
    except Unlike as error:
        raise RuntimeError(
            f"the program depends on how many elements a mask chooses: with {what} {error}. A model of ONNX has no branches on sizes"
        ) from error


def _record_with(mod, first, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of means of nothing and the like
        return _running.Run(mod, first.args, first.kwargs, first.names, CountingRecording(wanted))
