"""Anomaly mode: remembers for each node the lines that recorded it, and says which node failed in backward.

What is remembered stands in the node's ``metadata``: ``traceback_``, and ``parent_``, the node in whose backward it was recorded.
"""

import sys
import traceback
import warnings
from typing import Any

import numpy as np

from .._arrays.rounding import numbers
from .._core.modes import thread_state, unwatch, watch
from .._core.observers import observe, unobserve
from .._core.tensor import Tensor, is_blank
from ._origins import PACKAGE, origin_of


class Anomaly:
    """Anomaly mode of a thread: ``check_nan``, the node whose backward runs, and who explains where nans come from.

    ``finder`` has a ``watcher`` of operators, and methods ``before(node, g)`` and ``after(run, node, g, outs, seen)``, which are called around the
    backward of each node, ``seen`` being what the first returned; ``why(run, node, g, outs, nr, seen)`` gives the sentences about a nan.
    """

    __slots__ = ("check_nan", "finder", "running", "stacks")

    def __init__(self, check_nan: Any, finder: Any) -> None:
        self.check_nan = check_nan
        self.finder = finder
        self.running = None
        self.stacks = {}  # the places of a stack -> its lines as text: nodes recorded at one place share them

    def examine(self, node: Any, g: Any, run: Any) -> Any:
        """``run()``, which runs ``node`` in backward, where ``g`` has arrived; raises RuntimeError if it returns a nan, and warns with the node's
        traceback if it raises.
        """
        outer, self.running = self.running, node
        try:
            seen = self.finder.before(node, g) if self.check_nan else None
            outs = run()
            if self.check_nan:
                self.check_for_nan(node, g, outs, seen)
        except Exception:
            report(node)
            raise
        finally:
            self.running = outer
        return outs

    def check_for_nan(self, node: Any, g: Any, outs: Any, seen: Any) -> None:
        """Raise RuntimeError if a gradient that ``node`` returned holds a nan."""
        for nr, out in enumerate(outs):
            if out is not None:
                array = values(out)
                if array.dtype.kind in "fcV" and (array != array).any():
                    why = self.finder.why(thread_state.run, node, g, outs, nr, seen)
                    raise RuntimeError(
                        f"Function '{node.name()}' returned nan values in its {nr}th output.{why}"
                    )
        self.finder.after(thread_state.run, node, g, outs, seen)


def set_anomaly(mode: Any) -> Any:
    """Make ``mode`` (an ``Anomaly``, or None) the anomaly mode of this thread; returns what it was."""
    was = thread_state.anomaly
    if was is not None and mode is not None:
        mode.running = was.running
    if was is None and mode is not None:
        observe(remember)
    elif was is not None and mode is None:
        unobserve(remember)
    if was is not None:
        unwatch(was.finder.watcher)
    if mode is not None:
        watch(mode.finder.watcher)
    thread_state.anomaly = mode
    return was


def remember(node):
    """Note in a new node where it was recorded."""
    metadata = node.metadata
    metadata["traceback_"] = stack_as_text(sys._getframe(1), thread_state.anomaly.stacks)
    if thread_state.anomaly.running is not None:
        metadata["parent_"] = thread_state.anomaly.running


remember.whole_layers = True  # type: ignore[attr-defined]


def stack_as_text(frame, known):
    """The lines of the stack from the outermost to ``frame``, without those of this package; those found before are in ``known``."""
    places, key = [], []
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            places.append((frame, frame.f_lineno))
            key += code.co_filename, frame.f_lineno, code.co_name
        frame = frame.f_back
    key = tuple(key)
    text = known.get(key)
    if text is None:
        lines = traceback.StackSummary.extract(reversed(places)).format()
        text = known[key] = [known.setdefault(line, line) for line in lines]
    return text


def values(g):
    """The elements of a gradient: a tensor of a transform has those of the one that it stands for."""
    while isinstance(g, Tensor):
        g = g._array.inner if g._wrapped else g._array
    return np.empty(0, g.dtype) if is_blank(g) else numbers(np.asarray(g))


def report(node):
    """Warn with the lines that recorded ``node``, and, if that was in a backward, with those that recorded the node that ran, and so on."""
    begin, what_it_did = "Error detected in", "caused the error"
    while node is not None:
        lines = node.metadata.get("traceback_")
        if lines is None:
            text = "No forward pass information available. Enable detect anomaly during forward pass for more information."
        else:
            text = f"Traceback of forward call that {what_it_did}:\n{''.join(lines)}"
            origin = origin_of(node)
            if origin is not None:
                text += f"{node.name()} was recorded at {origin}\n"
        warnings.warn(f"{begin} {node.name()}. {text}", stacklevel=2)
        if lines is None:
            return
        node = node.metadata.get("parent_")
        begin, what_it_did = "\n\nPrevious calculation was induced by", "induced the previous calculation"
