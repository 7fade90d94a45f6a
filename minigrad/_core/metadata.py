"""What a node can tell of the tensors it made: their shapes and dtypes.

Nodes do not keep these.  They follow from what is saved, or else from the inputs' nodes, down to the leaves.
"""

import numpy as np

from . import device, dtypes
from .errors import broadcast_shapes
from .families import Op, Unary, Variadic
from .node import AccumulateGrad, Node, Port
from .replay import look
from .tensor import Tensor
from .views import AsStridedBackward0, CopySlices


class InputMetadata:
    """Shape, dtype and device of one gradient that a node takes: those of one tensor that it made."""

    __slots__ = ("dtype", "shape")
    device = device.CPU
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape, np_dtype):
        self.shape = list(shape)
        self.dtype = dtypes.from_numpy_dtype(np_dtype)


def input_metadata(node):
    """What PyTorch calls ``node._input_metadata``: an ``InputMetadata`` per output of the op; None where nothing tells."""
    return tuple([None if made is None else InputMetadata(*made) for made in results_of(node)])


def results_of(node):
    """The pairs (shape, NumPy dtype) of the tensors that ``node`` made; an element is None where nothing tells."""
    known: dict[Node, list] = {}
    stack = [node]
    while stack:
        n = stack[-1]
        found = results_known(n)
        if found is None:
            ends = [edge.node if edge.__class__ is Port else edge for edge in n._next]
            unknown = [end for end in ends if end is not None and end not in known]
            if unknown:
                stack += unknown
                continue
            found = results_inferred(n, [of_edge(edge, known) for edge in n._next])
        known[n] = found
        stack.pop()
    return known[node]


def of_edge(edge, known):
    """What is known of the tensor at the end of an edge: (shape, dtype), or None."""
    if edge is None:
        return None
    return known[edge.node][edge.nr] if edge.__class__ is Port else known[edge][0]


def results_known(node):
    """The results of a node that tells by itself; None if its inputs have to be asked."""
    if isinstance(node, AccumulateGrad):
        return [(node.array.shape, node.array.dtype)]
    if isinstance(node, Op):
        places = node.places_held()
        arity = node.plan.arity
        if node._outputs == 1 and arity in places and isinstance(node.held(arity), np.ndarray):
            z = node.held(arity)
            return [(z.shape, z.dtype)]
        return None
    if node.__class__ is CopySlices:
        return None if node.template is None else [(node.template.shape, node.template.dtype)]
    if node.__class__ is AsStridedBackward0:
        return [described(look(blank(node.template.shape, node.template.dtype), node.chain))]
    made = getattr(node, "_made", None)  # a custom Function
    return [None] * node._outputs if made is None else list(made)


def results_inferred(node, inputs):
    """The results of a node of which the edges' ends are known."""
    if not isinstance(node, Op):
        return inputs[:1]  # CopySlices: the base before the write
    if not isinstance(node, Variadic):
        inputs = [operand(node, i, fact) for i, fact in enumerate(inputs)]
    known = [fact for fact in inputs if fact is not None]
    if node.broadcasts or isinstance(node, Unary):
        shapes = [shape for shape, _ in known] + [shape for shape in node.shapes or () if shape is not None]
        dtype = known[0][1] if node.dtypes is None else node.dtypes[0]
        return [(broadcast_shapes(shapes), dtype)] if known else [None]
    if len(known) < len(inputs):
        return [None] * node._outputs
    arrays = [blank(*fact) for fact in inputs]
    operands = [arrays] if isinstance(node, Variadic) else arrays
    made = type(node).forward(*operands, *node.params)
    results = made if isinstance(made, (tuple, list)) else (made,)
    return [described(z) for z in results[: node._outputs]]


def operand(node, i, fact):
    """What is known of operand ``i``: of its edge, or because it is saved."""
    if fact is None and i in node.places_held():
        held = node.held(i)
        if isinstance(held, Tensor) and held._array is not None:
            return described(held._array)
    return fact


def described(array):
    """The pair (shape, NumPy dtype) of an array."""
    return np.shape(array), np.asarray(array).dtype


def blank(shape, dtype):
    """An array of which only the shape and dtype matter."""
    return np.broadcast_to(np.zeros((), dtype), shape)
