"""Recording on wrapped tensors: the nodes of their results, in the layouts of the families."""

import numpy as np

from .._base import dtypes
from .._core.families import Binary, Unary, Variadic, ViewOp, casting, general, number, record
from .._core.interpret import number_array, standing_for_number, strength
from .._core.node import NOWHERE, Port, tick
from .._core.storage import FRESH
from .._core.tensor import Tensor

_NUMBERS = (bool, int, float, complex, np.generic)


def note(cls, operands, params, outs, edges):
    """Record an op on wrapped tensors: give its results their node."""
    if issubclass(cls, Variadic):
        own = tuple([x._array.dtype for x in operands])
        node = _node(cls, edges, params)
        node.shapes = [x._array.shape for x in operands]
        node.dtypes = own if any(d is not outs[0]._array.dtype for d in own) else None
        outs[0]._node = node
    elif issubclass(cls, ViewOp):
        node = _node(cls, edges, params)
        node.shapes = operands[0]._array.shape
        if isinstance(cls.__dict__.get("_outputs"), property):
            node.dtypes = (operands[0]._array.dtype, len(outs))
        for k, z in enumerate(outs):
            z._node = node if len(outs) == 1 else Port(node, k)
    elif not quickly_noted(cls, operands, params, outs[0], edges):
        node = general_node(cls, operands, params, outs, edges)
        differentiable = [k for k in range(len(outs)) if k not in cls.nondiff]
        for k in differentiable:
            outs[k]._node = node if len(differentiable) == 1 else Port(node, k)


def quickly_noted(cls, operands, params, z, edges):
    """Record an op of one operand, or an elementwise one of two, in its family's own layout; returns False where that does not serve."""
    plan = cls.plan
    count = len(operands)
    dtype = z._array.dtype
    if (
        count > 2
        or (count == 2 and (params or not issubclass(cls, Binary)))
        or len(plan.results) > 1
        or dtype in casting
    ):
        return False
    tensors = []
    for x in operands:
        if not isinstance(x, Tensor):
            x = number(x, dtype)
            if x is None:
                return False
        if x._array.dtype is not dtype:
            return False
        tensors.append(x)
    if NOWHERE in edges:
        return False
    node = cls()
    node._next = edges
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    wanted = [edge is not None for edge in edges]
    saved = [any(wanted[j] for j in by) for by in plan.wanted_by]
    x = tensors[0]
    node.x = x if saved[0] else None
    node.vx = x._storage.version if saved[0] else 0
    node.z = z._array if any(wanted[j] for j in plan.result_wanted_by[0]) else None
    if count == 1:
        node.params = params
        node.shapes = x._array.shape if plan.needs_shapes else None
    else:
        y = tensors[1]
        node.y = y if saved[1] else None
        node.vy = y._storage.version if saved[1] else 0
        shapes = x._array.shape, y._array.shape
        node.shapes = None if shapes[0] == shapes[1] or (edges[1] is None and not shapes[1]) else shapes
    z._node = node
    return True


def general_node(cls, operands, params, outs, edges):
    """A node of the general layout for an op on tensors of any class."""
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
    return record(general(cls), operands, params, saved, edges, (common, own) if mixed else None)


def _node(cls, edges, params):
    node = cls()
    node._next = edges
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    node.params = params
    return node


def common_dtype(cls, operands, result):
    """The NumPy dtype in which the formulas of an op compute, whose result has the dtype ``result``."""
    if cls.broadcasts or issubclass(cls, Unary):
        common = dtypes.result_dtype([strength(x) for x in operands[cls.conditions :] if x is not None])
        if cls.floats and common.category < dtypes.FLOATING:
            common = dtypes.get_default_dtype()
        return common.np
    first = next((x._array.dtype for x in operands if isinstance(x, Tensor)), result)
    return first if first.kind == "c" and result.kind != "c" else result


def as_tensor(x, common):
    """An operand as a tensor: a number becomes one of the dtype ``common``."""
    if isinstance(x, _NUMBERS):
        return standing_for_number(
            number_array(x, dtypes.from_numpy_dtype(common), common).astype(common, copy=False)
        )
    return x
