"""Forward mode: the tangents of an op's results, from its formulas.

An elementwise op has a diagonal Jacobian: the formula for the gradient, with the tangent in the place of ``g``, gives the tangent.  A linear op is applied to
the tangent itself (one that is ``linear`` to those of all operands), a bilinear one to each tangent with the other operand.  Any other formula is linear in ``g``, so that its own gradient with respect to
``g`` is the Jacobian times a vector: ``transposed``.  An op that can do better says so in ``jvp`` (one operand) or ``jvp_x``, ``jvp_y``, ...: formulas of the
tangent and of what they mention, as those for gradients are.
"""

import functools

import numpy as np

from .._base.dtypes import is_complex_type
from .._core import engine
from .._core.families import Bilinear, Linear, Unary, Variadic, ViewOp, bind, parameters
from .._core.levels import any_tracked_below
from .._core.lifted import lifted, prune_history
from .._core.modes import set_recording, thread_state
from .._core.node import NOWHERE, Node
from .._core.storage import FRESH
from .._core.tensor import Tensor
from .._core.wrapped import Dual, Wrapped, batch, dual
from .._ops import vocabulary as xp
from .._ops.batches import pointwise
from . import physical
from .batching import is_elementwise
from .recording import as_tensor, common_dtype, node_of


def at_level(level, function, *args):
    """``function(*args)``, which computes tangents of ``level``: recorded, if that linearizes, whatever the grad mode is."""
    if not level.linearizes:
        return function(*args)
    was = set_recording(True)
    try:
        return function(*args)
    finally:
        set_recording(was)


def of_results(cls, inner, ts, zs, params):
    """The tangents of an op's results, a tuple with None for those that have none; None if no result has any."""
    way, rules = way_of(cls)
    if way == ELEMENTWISE and zs.__class__ is not tuple:
        t = physical.tangent(rules, inner, ts, zs, params)
        if t is not None:
            return (t,)
        if not cls.conjugates and any_complex(*inner, zs):
            way = TRANSPOSED
    if way == NOTHING:
        return None
    several = isinstance(zs, (tuple, list))
    outs = tuple(zs) if several else (zs,)
    if way == LOOKING:
        found = cls.call(ts[0], *params)
        return tuple(found) if several else (found,)
    if way in (ELEMENTWISE, RULES):
        if way == ELEMENTWISE and cls.batch is pointwise:
            ts = [
                t
                if t is None or t._array.shape == outs[0]._array.shape
                else xp.broadcast_to(t, outs[0]._array.shape)
                for t in ts
            ]
        found = by_rules(cls, rules, inner, ts, outs, params)
    elif way == JOINING:
        found = cls.call(*[zeros_like(x) if t is None else t for x, t in zip(inner, ts)], *params)
    elif way == JOINTLY:
        operands = zip(inner, ts, cls.plan.formulas)
        found = cls.call(
            *[x if f is None else zeros_like(x) if t is None else t for x, t, f in operands], *params
        )
    elif way == LINEAR:
        found = cls.call(ts[0], *params)
    elif way == BILINEAR:
        found = bilinear(cls, inner, ts, params)
    else:
        return transposed(cls, inner, ts, outs, params)
    if not isinstance(found, (tuple, list)):
        found = (found, *(None,) * (len(outs) - 1))
    return tuple([None if t is None else like(t, z, ts) for t, z in zip(found, outs)])


NOTHING, LOOKING, ELEMENTWISE, RULES, JOINING, JOINTLY, LINEAR, BILINEAR, TRANSPOSED = range(9)


@functools.cache
def way_of(cls):
    """How an op's tangents are computed, and the formulas for it, if any."""
    plan = cls.plan
    if plan is None or all(f is None for f in plan.formulas):
        return NOTHING, None
    if issubclass(cls, ViewOp):
        return LOOKING, None
    own = own_rules(cls)
    if own is not None:
        return RULES, own
    if is_elementwise(cls):
        return ELEMENTWISE, plan.bound
    if issubclass(cls, Variadic):
        return JOINING, None
    if cls.linear:
        return JOINTLY, None
    if issubclass(cls, Linear) and plan.arity == 1:
        return LINEAR, None
    return (BILINEAR if issubclass(cls, Bilinear) else TRANSPOSED), None


def any_complex(*xs):
    """Whether one of the tensors is complex."""
    return any(isinstance(x, Tensor) and is_complex_type(x._array.dtype) for x in xs)


def like(t, z, ts):
    """A tangent in the dtype and shape of its value, in memory of its own."""
    if t._array.dtype is not z._array.dtype:
        t = xp.astype(t, z._array.dtype)
    if t._array.shape != z._array.shape:
        return xp.clone(xp.broadcast_to(t, z._array.shape))
    if any(t is given for given in ts):
        return xp.clone(t)
    return t


def zeros_like(x):
    """Zeros of the shape and dtype of ``x``: the same for every sample, a function of nothing."""
    return xp.zeros(x._array.shape, x)


def own_rules(cls):
    """The op's own formulas for tangents, bound as those for gradients are; None if it has none."""
    plan = cls.plan
    if plan.arity == 1:
        formulas = [cls.jvp]
    else:
        formulas = [getattr(cls, "jvp_" + name, None) for name in plan.operands]
    if all(f is None for f in formulas):
        return None
    return tuple(
        [None if f is None else bind(f, [plan.place[name] for name in parameters(f)]) for f in formulas]
    )


def by_rules(cls, rules, inner, ts, outs, params):
    """The sum over the operands of a formula of each one's tangent."""
    common = common_dtype(cls, inner, outs[0]._array.dtype)
    whole = cls.broadcasts or issubclass(cls, Unary)
    values = []
    cast = False
    for i, x in enumerate(inner):
        x = as_tensor(x, common)
        if (
            x is not None
            and x._array.dtype is not common
            and i >= cls.conditions
            and (whole or x._array.dtype.kind in "fcV")
        ):
            x = xp.astype(x, common)
            cast = True
        values.append(x)
    shapes = [
        outs[0]._array.shape if cls.batch is pointwise else None if x is None else x._array.shape
        for x in values
    ]
    values = [*values, *outs, *params, *shapes]
    total = None
    for t, rule in zip(ts, rules):
        if t is None or rule is None:
            continue
        if cast and t._array.dtype is not common:
            t = xp.astype(t, common)
        part = rule(xp, t, values)
        if part is not None:
            total = part if total is None else total + part
    if total is None or not any_tracked(inner) or is_tracked(total):
        return total
    for t, rule, x in zip(ts, rules, values):
        if t is None and rule is not None and x is not None and x._array.dtype.kind in "fcV":
            total = connected(total, rule(xp, zeros_like(outs[0]), values))
    return total


def any_tracked(xs):
    """Whether any of the operands requires grad, on any level, and that matters."""
    return thread_state.recording and any(isinstance(x, Tensor) and is_tracked(x) for x in xs)


def is_tracked(x):
    """Whether ``x``, or a tensor that it stands for, requires grad."""
    while not x.requires_grad:
        if not isinstance(x, Wrapped):
            return False
        x = x._array.inner
    return True


def connected(t, *parts):
    """The tangent ``t`` as a function, by zero, of what ``parts`` are functions of.

    An operand without a tangent is no other than one whose tangent is zero: what its tangent would be multiplied with counts.
    """
    for part in parts:
        if (
            isinstance(part, Tensor)
            and is_tracked(part)
            and is_complex_type(part._array.dtype) == is_complex_type(t._array.dtype)
        ):
            t = t + xp.sum(xp.keep(part, xp.wrap(_NEVER)))
    return t


_NEVER = np.zeros((), bool)


def bilinear(cls, inner, ts, params):
    """The tangent of an op that is linear in each of two operands."""
    x, y, *rest = inner
    tx, ty = ts[:2]
    total = None if tx is None else cls.call(tx, y, *rest, *params)
    if ty is not None:
        part = cls.call(x, ty, *rest, *params)
        total = part if total is None else total + part
    if (tx is None or ty is None) and any_tracked((x, y)) and not is_tracked(total):
        total = connected(total, x if ty is None else y)
    return total


class Sink(Node):
    """Where an edge leads that only says that a gradient is wanted."""

    __slots__ = ()

    def backward(self, xp, g, keep):
        """Nothing to pass on."""
        return ()


def _sink():
    node = Sink()
    node._next, node._seq, node._extra, node._storage = (), -1, None, FRESH
    return node


SINK = _sink()


def transposed(cls, inner, ts, outs, params):
    """The tangents by reversing the op's formulas twice.

    A formula is linear in ``g``: the gradient of ``<formula(g), t>`` with respect to ``g`` is J t.  The formula is recorded
    whatever the grad mode is; the backward only if somebody may ask for its gradient.
    """
    tracked = [x for x in (*inner, *ts) if isinstance(x, Tensor) and x.requires_grad]
    silent = not thread_state.recording
    was = set_recording(True)
    try:
        edges = []
        for x, t in zip(inner, ts):
            edge = x._edge if isinstance(x, Tensor) else None
            edges.append(SINK if t is not None and (edge is None or edge is NOWHERE) else edge)
        node = node_of(cls, tuple(inner), params, outs, tuple(edges))
        differentiable = [k for k in range(len(outs)) if k not in cls.nondiff]
        leaves = [tracked_zeros(outs[k]) for k in differentiable]
        if cls._outputs == 1:
            g = leaves[0]
        else:
            g = [None] * len(outs)
            for k, leaf in zip(differentiable, leaves):
                g[k] = leaf
        ends, seeds = [], []
        for t, part in zip(ts, node.backward(xp, g, True)):
            edge = None if t is None or part is None else part._edge
            if edge is not None:
                ends.append(edge)
                seeds.append(t)
        capture = {(leaf._node, 0): i for i, leaf in enumerate(leaves)}
        set_recording(not silent and (tracked != [] or any_tracked_below()))
        found = engine.run(tuple(ends), seeds, xp, True, capture) if ends else [None] * len(leaves)
    finally:
        set_recording(was)
    results = [None] * len(outs)
    for k, leaf, t in zip(differentiable, leaves, found):
        if t is None:
            t = zeros_like(leaf)
        elif not tracked:
            t = prune_history(t, leaves)  # what it was recorded with is of no use to anybody
        elif tracked and thread_state.recording and None in ts and len(ts) > 1 and not t.requires_grad:
            mentioned = cls.plan.wanted_by
            t = connected(t, *[x for i, x in enumerate(inner) if any(ts[j] is None for j in mentioned[i])])
        results[k] = like(t, outs[k], seeds)
    return tuple(results)


def tracked_zeros(z):
    """Zeros like ``z``, tracked on the level of ``z``."""
    zeros = zeros_like(z)
    if isinstance(z, Wrapped):
        level = z._array.level
        zeros = dual(zeros, level, None) if isinstance(z, Dual) else batch(zeros, level, False)
    zeros._node = lifted(None)
    return zeros
