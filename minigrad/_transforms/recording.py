"""Recording on wrapped tensors: the nodes of their results."""

import numpy as np

from .._base import dtypes
from .._core.families import MultiViewOp, Unary, Variadic, ViewOp, casting, record
from .._core.interpret import number_array, promotion_rank, standing_for_number
from .._core.node import Port, tick
from .._core.storage import FRESH
from .._core.tensor import Tensor

_NUMBERS = (bool, int, float, complex, np.generic)


def note(cls, operands, params, outs, edges):
    """Record an op on wrapped tensors: give its results their node."""
    if issubclass(cls, Variadic):
        own = tuple([x._array.dtype for x in operands])
        node = _node(cls, edges, params)
        node.shapes = [x._array.shape for x in operands]
        dtype = outs[0]._array.dtype
        node.casts = (dtype, own) if any(d is not dtype for d in own) else None
        outs[0]._node = node
    elif issubclass(cls, ViewOp):
        node = _node(cls, edges, params)
        if cls.plan.needs_shapes:
            node.shapes = operands[0]._array.shape
        if issubclass(cls, MultiViewOp):
            node.count = len(outs)
        for k, z in enumerate(outs):
            z._node = node if len(outs) == 1 else Port(node, k)
    else:
        node = node_of(cls, operands, params, outs, edges)
        differentiable = [k for k in range(len(outs)) if k not in cls.nondiff]
        for k in differentiable:
            outs[k]._node = node if len(differentiable) == 1 else Port(node, k)


def node_of(cls, operands, params, outs, edges):
    """A node for an op on tensors of any class."""
    first = next(z for k, z in enumerate(outs) if k not in cls.nondiff)
    common = first._array.dtype
    if common in casting or any(
        x is not None and (not isinstance(x, Tensor) or x._array.dtype is not common) for x in operands
    ):
        common = common_dtype(cls, operands, common)
    operands = tuple([as_tensor(x, common) for x in operands])
    own = tuple([None if x is None else x._array.dtype for x in operands])
    mixed = common.kind in "cV" or any(d is not None and d is not common for d in own)
    saved = tuple([z if k in cls.nondiff else z._array for k, z in enumerate(outs)])
    if len(cls.plan.results) == 1:
        (saved,) = saved
    return record(cls, operands, params, saved, edges, (common, own) if mixed else None)


def _node(cls, edges, params):
    node = cls()
    node._next = edges
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    if cls.plan.params:
        node.params = params
    return node


def common_dtype(cls, operands, result):
    """The NumPy dtype in which the formulas of an op compute, whose result has the dtype ``result``."""
    if cls.broadcasts or issubclass(cls, Unary):
        common = dtypes.result_dtype([promotion_rank(x) for x in operands[cls.conditions :] if x is not None])
        if cls.floats and common.category < dtypes.FLOATING:
            common = dtypes.get_default_dtype()
        return common.np
    first = next((x._array.dtype for x in operands if isinstance(x, Tensor)), result)
    return first if dtypes.is_complex_type(first) and not dtypes.is_complex_type(result) else result


def as_tensor(x, common):
    """An operand as a tensor: a number becomes one of the dtype ``common``."""
    if isinstance(x, _NUMBERS):
        return standing_for_number(
            number_array(x, dtypes.from_numpy_dtype(common), common).astype(common, copy=False)
        )
    return x
