"""``graph``: the picture of what has one."""

import sys
from typing import Any

from .captured_steps import step_graph
from .graphs import recorded_graph

__all__ = ["graph"]


def graph(t: Any, *, params: Any = None, model: Any = None, title: str = "") -> Any:
    """Return the recorded graph of ``t``: a tensor that requires grad, several in any container, a node or a gradient edge.

    For the result of ``explain`` of a captured step it is a ``StepGraph`` of the step's NumPy calls.

    ``params`` (a dictionary of names and tensors, or a module) and ``model`` (a module, whose submodules group its parameters) name the
    leaves. Without either, leaves are named after variables of the calling function that hold these tensors, or a module with them. The
    line and the module that made a node are known if it was recorded inside ``minigrad.autograd.graph.record_origins()``.

    Raises RuntimeError if no tensor requires grad, or one belongs to a function that is being transformed by ``vmap``, ``jvp`` or another
    transform.

    >>> import minigrad
    >>> w = minigrad.ones(2, 3, requires_grad=True)
    >>> loss = (w * 2).sum()
    >>> print(minigrad.viz.graph(loss, params={"w": w}))
    graph of 3 nodes: 2 operations, 1 leaf
      0  sum  float32[]      <- 1
      1  mul  float32[2, 3]  <- 2
      2  w    float32[2, 3]
    """
    if hasattr(t, "instructions"):
        return step_graph(t, title)
    return recorded_graph(t, params, model, title, sys._getframe(1))
