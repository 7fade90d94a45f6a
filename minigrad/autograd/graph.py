"""The graph as an object: nodes that can be called and asked."""

import numpy as np

from .._core import arrays
from .._core.inplace import bump
from .._core.node import Node
from .._core.switch import here
from .._core.tensor import Tensor, wrap

__all__ = ["Node", "increment_version"]


def call_node(node, *grads):
    """The gradients of the node's inputs, from those of its outputs; nothing is freed and no hook is called.

    >>> import minigrad
    >>> y = minigrad.ones(2, requires_grad=True) * 3
    >>> y.grad_fn(minigrad.ones(2))
    (tensor([3., 3.]), None)
    """
    if len(grads) != node.outputs:
        raise TypeError(f"{node.name()} expects {node.outputs} gradients, got {len(grads)}")
    recorded = here.recording and any(g is not None and g.requires_grad for g in grads)
    if recorded:
        from .._ops import vocabulary as xp
    else:
        xp = arrays
    gs = [g if g is None or recorded else g._array for g in grads]
    outs = node.backward(xp, gs[0] if node.outputs == 1 else gs, True)
    outs = tuple(g if g is None or recorded else wrap(np.array(g)) for g in outs)
    return outs[0] if len(outs) == 1 else outs


def increment_version(tensor):
    """Count a write to a tensor (or to each of several) that autograd did not see.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> minigrad.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        bump(t)
