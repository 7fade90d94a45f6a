"""Applying an op to wrapped tensors: one level is taken off, its rule applied further in, the result wrapped again and recorded if need be.

What is called further in comes back here for the levels that remain: each rule is written for one level and knows no other.
"""

from .._core import late
from .._core.families import Piece, ViewOp, attach
from .._core.levels import BatchLevel
from .._core.modes import thread_state
from .._core.node import AccumulateGrad, Port
from .._core.observers import show_node
from .._core.tensor import Tensor
from .._core.wrapped import Batched, Dual, Wrapped, batch, dual, escaped, wrap_layer
from . import batching, tangents
from .recording import note


def level_of(operands):
    """The level to be applied first among those of the operands; None if no operand has an open one."""
    found = None
    for x in operands:
        kind = x.__class__
        if kind is Batched or kind is Dual:
            level = x._array.level
            if level is not found and level.open and (found is None or level.number > found.number):
                found = level
    return found


def apply(cls, operands, params, out=None):
    """Apply the op ``cls`` to operands of which some are wrapped."""
    level = level_of(operands)
    if level is None:
        return cls.call(*[outside(x) for x in operands], *params)
    if out is not None:
        raise (Batched if level.__class__ is BatchLevel else Dual)._no_out(cls.function_name())
    if level.__class__ is BatchLevel:
        return apply_to_batch(cls, level, operands, params)
    return apply_to_duals(cls, level, operands, params)


def apply_to_batch(cls, level, operands, params):
    """Apply an op at a level of ``vmap``."""
    inner, batched = [], []
    any_batched = any_node = False
    for x in operands:
        if x.__class__ is Batched and (layer := x._array).level is level:
            inner.append(layer.inner)
            batched.append(layer.batched)
            if layer.batched:
                any_batched = True
            if x._node is not None:
                any_node = True
        else:
            inner.append(x)
            batched.append(False)
    if any_batched:
        zs = batching.call(cls, inner, batched, params, level.size)
    else:
        zs = cls.call(*inner, *params)
    edges = edges_of(cls, level, operands) if any_node else None
    if edges is None and not any_batched:
        return zs
    if zs.__class__ is tuple or zs.__class__ is list:
        outs = [batch(z, level, any_batched) for z in zs]
        finish(cls, operands, params, outs, edges)
        return tuple(outs)
    z = batch(zs, level, any_batched)
    if edges is not None or issubclass(cls, ViewOp):
        finish(cls, operands, params, (z,), edges, False)
    return z


def apply_to_duals(cls, level, operands, params):
    """Apply an op at a level of forward mode."""
    inner, ts = [], []
    any_tangent = any_node = False
    for x in operands:
        if x.__class__ is Dual and (layer := x._array).level is level:
            inner.append(layer.inner)
            ts.append(layer.tangent)
            if layer.tangent is not None:
                any_tangent = True
            if x._node is not None:
                any_node = True
        else:
            inner.append(x)
            ts.append(None)
    zs = cls.call(*inner, *params)
    found = None
    if any_tangent and thread_state.forward and not thread_state.inference:
        found = tangents.at_level(level, tangents.of_results, cls, inner, ts, zs, params)
    edges = edges_of(cls, level, operands) if any_node or level.is_forward_ad else None
    if found is None and edges is None:
        return zs
    if zs.__class__ is tuple or zs.__class__ is list:
        outs = [dual(z, level, None if found is None else found[k]) for k, z in enumerate(zs)]
        finish(cls, operands, params, outs, edges)
        return tuple(outs)
    z = dual(zs, level, None if found is None else found[0])
    if edges is not None or issubclass(cls, ViewOp):
        finish(cls, operands, params, (z,), edges, False)
    return z


def edges_of(cls, level, operands):
    """The edges to the operands of this very level, if the op is to be recorded on it; else None.

    A tensor of ``forward_ad`` is recorded as it would be without its tangent: plain operands count.
    """
    if not thread_state.recording or thread_state.inference or cls.plan is None:
        return None
    edges = []
    any_edge = False
    formulas = cls.plan.formulas
    if cls.variadic:
        formulas = formulas * len(operands)
    for x, formula in zip(operands, formulas):
        edge = None
        if formula is None or not isinstance(x, Tensor):
            pass
        elif x._array.level is level if isinstance(x, Wrapped) else level.is_forward_ad:
            edge = x._edge
            if edge is not None:
                any_edge = True
        edges.append(edge)
    return tuple(edges) if any_edge else None


def finish(cls, operands, params, outs, edges, several=True):
    """Record the op if there are ``edges``, and make the results of a view op views."""
    if edges is not None:
        note(cls, operands, params, outs, edges)
        if thread_state.observers:
            node = next(z._node for z in outs if z._node is not None)
            show_node(node.node if node.__class__ is Port else node)
    if issubclass(cls, ViewOp):
        x = operands[0]
        if several:
            for k, z in enumerate(outs):
                attach(z, x, Piece, (cls, k, *params), z._node, "multi")
        else:
            attach(outs[0], x, cls, params, outs[0]._node)


def outside(x):
    """What ``x`` is after its level was closed: a dual is its value; raises RuntimeError for a tensor of a batch."""
    while isinstance(x, Wrapped) and not x._array.level.open:
        if x.__class__ is Batched:
            raise escaped()
        node, value = x._node, x._array.inner
        x = value
        if node.__class__ is AccumulateGrad and not value.requires_grad:  # a leaf that its value is not
            x = wrap_layer(value._array)
            x._node, x._storage = node, value._storage
    return x


late.apply_wrapped = apply
