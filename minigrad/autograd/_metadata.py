"""What a node can tell of the tensors it made: their shapes and dtypes.

Nodes do not keep these.  They follow from what is saved, or else from the inputs' nodes, down to the leaves.
"""

from typing import Any

import numpy as np

from .._arrays.view_chain import look
from .._base import device, dtypes
from .._base.errors import broadcast_shapes
from .._core.families import NO_CASTS, Op, Unary, Variadic, ViewOp
from .._core.node import AccumulateGrad, Node, Port
from .._core.saved import Packed
from .._core.tensor import Tensor, wrap
from .._core.views import AsStridedBackward0, CopySlices


class InputMetadata:
    """Shape, dtype and device of one gradient that a node takes: those of one tensor that it made."""

    __slots__ = ("dtype", "shape")
    device = device.CPU
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape, np_dtype):
        self.shape = list(shape)
        self.dtype = dtypes.from_numpy_dtype(np_dtype)


def input_metadata(node: Any) -> Any:
    """What PyTorch calls ``node._input_metadata``: an ``InputMetadata`` per output of the op; None where nothing tells."""
    return tuple([None if made is None else InputMetadata(*made) for made in results_of(node)])


def results_of(node: Any) -> Any:
    """The pairs (shape, NumPy dtype) of the tensors that ``node`` made; an element is None where nothing tells."""
    known: dict[Node, list[Any]] = {}
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


def results_known(node: Any) -> Any:
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
        return [shape_and_dtype(look(node.template.empty(), node.chain))]
    made = getattr(node, "_made", None)  # a custom Function
    return [None] * node._outputs if made is None else [fact and fact[:2] for fact in made]


def results_inferred(node: Any, inputs: Any) -> Any:
    """The results of a node of which the edges' ends are known."""
    if not isinstance(node, Op):
        return inputs[:1]  # CopySlices: the base before the write
    if not isinstance(node, Variadic):
        inputs = [operand(node, i, fact) for i, fact in enumerate(inputs)]
    known = [fact for fact in inputs if fact is not None]
    if node.broadcasts or isinstance(node, Unary) or node.draws:
        if not known:
            return [None]
        shapes = [shape for shape, _ in known]
        if node.broadcasts:
            shapes += [shape for shape in node.shapes or () if shape is not None]
        dtype = (node.casts or NO_CASTS)[0] or known[0][1]
        if dtype.kind == "c" and isinstance(node, Unary):  # the result may be real
            with np.errstate(all="ignore"):
                dtype = type(node).forward(np.ones((), dtype), *node.params).dtype
        return [(broadcast_shapes(shapes), dtype)]
    unknown = [None] * node._outputs
    if node.shaped_by_values or indices_are_packed(node):
        return unknown
    own = next((dtype for _, dtype in known if dtype.kind in "fcV"), None)
    arrays: list[Any] = []
    for i, fact in enumerate(inputs):
        fact = fact or kept_shape(node, i, own)
        if fact is None and not is_absent(node, i):
            return unknown
        arrays.append(None if fact is None else stand_in(node, i, *fact))
    operands = [arrays] if isinstance(node, Variadic) else arrays
    try:
        with np.errstate(all="ignore"):
            made = type(node).forward(*operands, *map(unshared, node.params))
    except (RuntimeError, ValueError):  # backward has freed the indices; a view of memory around the operand
        return unknown
    results = made if isinstance(made, (tuple, list)) else (made,)
    return [shape_and_dtype(z) for z in results[: node._outputs]]


def unshared(parameter):
    """A parameter with which an operator may run once more: a batch norm writes to its running statistics."""
    if isinstance(parameter, Tensor) and parameter._array.dtype.kind == "f":
        return wrap(parameter._array.copy())
    return parameter


def indices_are_packed(node):
    """Whether hooks hold the index tensors that are among a node's parameters."""
    return any(
        node.held(place).__class__ is Packed for place in node.places_held() if place.__class__ is tuple
    )


def kept_shape(node, i, dtype):
    """What the node's shapes tell of operand ``i``, if the others tell the dtype."""
    formulas = node.plan.formulas
    if dtype is None or node.shapes is None or not (isinstance(node, Variadic) or formulas[i]):
        return None
    _, own_dtypes = node.casts or NO_CASTS
    if own_dtypes:
        dtype = own_dtypes[i]
    shape = node.shapes if node.plan.arity == 1 and not isinstance(node, Variadic) else node.shapes[i]
    return None if shape is None else (shape, dtype)


def is_absent(node, i):
    """Whether operand ``i`` may have been left out, and was, as far as formulas care."""
    return not isinstance(node, Variadic) and i >= node.optional_from and node.held(i) is None


def stand_in(node, i, shape, dtype):
    """An array in the place of operand ``i``: the operand itself if it is saved integers, such as a mask, on whose elements the shape may depend."""
    if dtype.kind in "biu" and i in node.places_held():
        held = node.held(i)
        if isinstance(held, Tensor) and held._array.__class__ is np.ndarray:
            return held._array
    return np.empty(shape, dtype) if isinstance(node, ViewOp) else blank(shape, dtype)


def operand(node, i, fact):
    """What is known of operand ``i``: of its edge, or because it is saved."""
    if fact is None and i in node.places_held():
        held = node.held(i)
        if isinstance(held, Tensor) and held._array is not None:
            return shape_and_dtype(held._array)
    return fact


def shape_and_dtype(array):
    """The pair (shape, NumPy dtype) of an array."""
    return (
        (array.shape, array.dtype) if hasattr(array, "dtype") else (np.shape(array), np.asarray(array).dtype)
    )


def blank(shape, dtype):
    """An array of which only the shape and dtype matter."""
    return np.broadcast_to(np.zeros((), dtype), shape)
