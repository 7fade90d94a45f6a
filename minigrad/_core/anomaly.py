"""Anomaly mode: remembers for each node the lines that recorded it, and says which node failed in backward.

What is remembered stands in the node's ``metadata``: ``traceback_``, and ``parent_``, the node in whose backward it was recorded.
"""

import traceback
import warnings

import numpy as np

from .node import rare
from .recorded import observe, unobserve
from .switch import here
from .tensor import Tensor


class Anomaly:
    """Anomaly mode of a thread: ``check_nan``, and the node whose backward runs."""

    __slots__ = ("check_nan", "running")

    def __init__(self, check_nan):
        self.check_nan = check_nan
        self.running = None

    def examine(self, node, run):
        """``run()``, which runs ``node`` in backward; raises RuntimeError if it returns a nan, and warns with the node's traceback if it raises."""
        outer, self.running = self.running, node
        try:
            outs = run()
            if self.check_nan:
                check_for_nan(node, outs)
        except Exception:
            report(node)
            raise
        finally:
            self.running = outer
        return outs


def set_anomaly(mode):
    """Make ``mode`` (an ``Anomaly``, or None) the anomaly mode of this thread; returns what it was."""
    was = here.anomaly
    if was is not None and mode is not None:
        mode.running = was.running
    if was is None and mode is not None:
        observe(remember)
    elif was is not None and mode is None:
        unobserve(remember)
    here.anomaly = mode
    return was


def remember(node):
    """Note in a new node where it was recorded."""
    metadata = node.metadata
    metadata["traceback_"] = traceback.format_list(
        [frame for frame in traceback.extract_stack() if not frame.filename.startswith(_HERE)]
    )
    if here.anomaly is not None and here.anomaly.running is not None:
        metadata["parent_"] = here.anomaly.running


_HERE = __file__.rpartition("_core")[0]


def needs_examination(nodes):
    """Let the engine take its way for nodes with rare state, which examines them, for all ``nodes``."""
    for node in nodes:
        rare(node)


def check_for_nan(node, outs):
    """Raise RuntimeError if a gradient that ``node`` returned holds a nan."""
    for nr, g in enumerate(outs):
        if g is not None:
            array = np.asarray(g._array if isinstance(g, Tensor) else g)
            if array.dtype.kind in "fcV" and (array != array).any():
                raise RuntimeError(f"Function '{node.name()}' returned nan values in its {nr}th output.")


def report(node):
    """Warn with the lines that recorded ``node``, and, if that was in a backward, with those that recorded the node that ran, and so on."""
    begin, what_it_did = "Error detected in", "caused the error"
    while node is not None:
        lines = node.metadata.get("traceback_")
        if lines is None:
            text = "No forward pass information available. Enable detect anomaly during forward pass for more information."
        else:
            text = f"Traceback of forward call that {what_it_did}:\n{''.join(lines)}"
        warnings.warn(f"{begin} {node.name()}. {text}", stacklevel=2)
        if lines is None:
            return
        node = node.metadata.get("parent_")
        begin, what_it_did = "\n\nPrevious calculation was induced by", "induced the previous calculation"
