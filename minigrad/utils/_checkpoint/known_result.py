"""An op whose result is known already: recorded as if it had run, without its kernel.

Selective checkpointing keeps the results of some ops; when the function around them runs again, they are taken from here.
"""

from ..._base.dtypes import COMPLEX
from ..._core.families import Variadic, ViewOp, casting, number, record
from ..._core.interpret import number_array, standing_for_number
from ..._core.modes import thread_state
from ..._core.node import Port, tick
from ..._core.storage import FRESH, own_storage
from ..._core.tensor import Tensor, new


def with_result(cls, operands, params, proceed, result):
    """What ``proceed()``, which applies ``cls``, would return, its memory being that of ``result``: a tensor, or a tuple of them.

    Views have no kernel worth leaving out, and are made anew.
    """
    if issubclass(cls, ViewOp):
        return proceed()
    several = isinstance(result, tuple)
    known = result if several else (result,)
    outs = [_tensor_of(z) for z in known]
    formulas = cls.plan.formulas
    if not thread_state.recording or thread_state.inference or all(f is None for f in formulas):
        return tuple(outs) if several else outs[0]
    if issubclass(cls, Variadic):
        edges = tuple([x._edge for x in operands])
    else:
        edges = tuple(
            [None if f is None or not isinstance(x, Tensor) else x._edge for f, x in zip(formulas, operands)]
        )
    if any(edge is not None for edge in edges):
        node = (_joined if issubclass(cls, Variadic) else _recorded_node)(cls, operands, params, outs, edges)
        differentiable = [k for k in range(len(outs)) if k not in cls.nondiff]
        for k in differentiable:
            outs[k]._node = Port(node, k) if len(differentiable) > 1 else node
    return tuple(outs) if several else outs[0]


def _tensor_of(z):
    out = new(Tensor)
    out._array, out._storage, out._node = z._array, own_storage(z), None
    return out


def _recorded_node(cls, operands, params, outs, edges):
    """The node of an op of any other family."""
    first = outs[0].dtype
    if cls.plan.arity == 1 and operands[0].dtype.category == COMPLEX:
        first = operands[0].dtype
    tensors = tuple(
        [x if x is None or isinstance(x, Tensor) else _of_number(x, first, i) for i, x in enumerate(operands)]
    )
    own_dtypes = tuple([None if x is None else x._array.dtype for x in tensors])
    common = first.np
    mixed = (cls.broadcasts or cls.plan.arity == 1) and any(d is not None and d != common for d in own_dtypes)
    casts = (common, own_dtypes) if mixed or common in casting else None
    saved = tuple([z if k in cls.nondiff else z._array for k, z in enumerate(outs)])
    node = record(cls, tensors, params, saved if len(saved) > 1 else saved[0], edges, casts)
    for slots, z in zip(cls.plan.slots[cls.plan.arity :], outs):
        if slots is not None:
            setattr(node, slots[1], z._storage.version)
    node._storage = outs[0]._storage if node._outputs == 1 else [z._storage for z in outs]
    return node


def _of_number(value, dtype, place):
    """A Python number as the tensor that the op itself would have saved: only a number after a tensor takes the quick way."""
    found = number(value, dtype.np) if place else None
    return standing_for_number(number_array(value, dtype, dtype.np)) if found is None else found


def _joined(cls, operands, params, outs, edges):
    """The node of an op of a sequence of operands."""
    node = cls()
    node._next = edges
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    if cls.plan.params:
        node.params = params
    node.shapes = [x._array.shape for x in operands]
    own_dtypes, dtype = tuple([x._array.dtype for x in operands]), outs[0]._array.dtype
    node.casts = (dtype, own_dtypes) if any(d != dtype for d in own_dtypes) else None
    return node
