"""Ops that are not elementwise: reductions, matrix products, selections, losses; with parameters, of any number of operands.

The functions differ by the number of operands only: without loops for one, two and three, where every tenth of a microsecond
counts, and with loops for the rest.
"""

from itertools import product

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._arrays.in_parts import LARGE, in_parts, with_params
from ..._arrays.rounding import fitted
from ..._arrays.traced import Traced, as_array
from ..._base.dtypes import from_numpy_dtype, is_complex_type, result_dtype, scalar_type_name
from ..._base.errors import type_name
from ..modes import INFERRING, WATCHED, reads_unusual_modes, thread_state
from ..node import NOWHERE, Port, tick
from ..saved import FREED, NEVER, result
from ..storage import FRESH, INFERENCE
from ..tensor import PLAIN, Tensor, new
from ..views import View
from .op import (
    F32,
    Op,
    casting,
    casts_for,
    dispatch,
    fast_classes,
    kernel_error,
    named,
    own_code,
    record,
    too_many,
)

unusual_modes = 0
reads_unusual_modes(globals())

ndarray = np.ndarray
asarray = np.asarray


class Linear(Op):
    """An op that is linear in its operand: a tangent goes through the op itself."""

    __slots__ = ()


class Reduce(Op):
    """An op along an axis or over all axes, not linear."""

    __slots__ = ()


class Bilinear(Op):
    """An op linear in each of two operands: ``vjp_x``, ``vjp_y``."""

    __slots__ = ()
    operands = "x y"


class General(Op):
    """Any other op: it says in ``operands`` what its tensors are called, in the order of ``forward``'s arguments."""

    __slots__ = ()


class Fused(General):
    """An op whose gradients one kernel computes all at once on arrays: ``fused(g, needs, ...)``, ``needs`` being a bool for each operand.

    The further parameters say what the kernel needs; the formulas, which serve on Tensors, mention that too, since they say what is saved.
    They also serve where no wanted one mentions the first operand, so that it is not saved.
    """

    __slots__ = ()
    needs_first = True  # whether the kernel cannot do without the first operand

    def along(self, edges, xp, g, values):
        """The gradients to go along ``edges``, from all that formulas may mention."""
        if xp is not arrays or (self.needs_first and values[0] is None):
            return Op.along(self, edges, xp, g, values)
        return self.plan.fused(g, [edge is not None for edge in edges], values)


class Pointwise(Op):
    """An elementwise op of three or more operands that broadcast."""

    __slots__ = ()
    broadcasts = True


def op(cls):
    """The function of an op of any family: operands first, then parameters, by position."""
    plan = cls.plan
    if len(plan.results) == 1:
        if plan.arity == 1:
            return _one(cls)
        if plan.arity <= 3 and not cls.broadcasts:
            return _two(cls) if plan.arity == 2 else _three(cls)
    if (
        plan.arity == 1
        and cls.nondiff == tuple(range(1, len(plan.results)))
        and not set(plan.mentions[0]) & {0, 1}
    ):
        return _selecting(cls)
    return _many(cls)


def _one(cls):
    forward = cls.forward
    plan = cls.plan
    differentiable = plan.formulas[0] is not None
    saves_x, saves_z = bool(plan.wanted_by[0]), bool(plan.result_wanted_by[0])
    takes_params, needs_shape = bool(plan.params), plan.needs_shapes
    floats, costly = cls.floats, cls.costly

    def call(input, *params):
        mode = unusual_modes and thread_state.mode
        if input.__class__ not in fast_classes or mode == WATCHED:
            return dispatch(cls, (input,), params)
        if params and not takes_params:  # a ufunc would take one for what to write into
            raise too_many(cls, 1 + len(params))
        xa = input._array
        dtype = xa.dtype
        if floats and dtype.kind not in "fcV":
            return dispatch(cls, (input,), params)
        large = costly and xa.size >= LARGE
        try:
            za = in_parts(with_params(forward, params), xa) if large else forward(xa, *params)
        except Exception as error:
            za = kernel_error(cls, error, (xa,), params)
        if za.__class__ is not ndarray and za.__class__ is not Traced:
            za = asarray(za)
        z = new(*PLAIN)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = input._node
        if a.__class__ is View:
            a = a.current()
        if a is None or not differentiable:
            z._node = None
            return z
        computed = za.dtype
        if large or computed is not dtype or (dtype is not F32 and dtype in casting):
            if computed.kind in "biu":
                name = scalar_type_name(from_numpy_dtype(computed))
                raise RuntimeError(f"Autograd not support dtype: {name}")
            # formulas compute in the dtype of the result, but in a complex one if the operand is complex
            common = dtype if is_complex_type(dtype) and not is_complex_type(computed) else computed
            z._node = record(cls, (input,), params, za, (a,), (common, (dtype,)))
            return z
        node = cls()
        node._next = (a,)
        node._seq = tick()
        node._extra = None
        node.casts = None
        if takes_params:
            node.params = params
        if needs_shape:
            node.shapes = xa.shape
        if saves_x:
            node.x = input
            node.vx = input._storage.version
        if saves_z:
            node.z = za
            node.vz = 0
        node._storage = FRESH
        z._node = node
        return z

    if differentiable:
        cls.backward = backward_of_few(cls)
    return named(cls, call)


def backward_of_few(cls):
    """The quick ``backward`` of ops of one to three operands and one result: that of ``Op`` without its loops."""
    if cls.along is not Op.along:
        return Op.backward
    plan = cls.plan
    arity = plan.arity
    for_x, for_y, for_w = (*plan.bound, None, None)[:3]
    slots = {pair[0] for pair in plan.slots if pair is not None}
    saves_x, saves_y, saves_w, saves_z = (slot in slots for slot in ("x", "y", "w", "z"))
    broadcasts, needs_shapes = cls.broadcasts, plan.needs_shapes and not cls.broadcasts

    def backward(node, xp, g, keep):
        if node.casts is not None:
            return Op.backward(node, xp, g, keep)
        raw = xp is arrays
        x = y = w = z = None
        if saves_x:
            x = node.x
            if x is not None:
                if x._storage.version != node.vx:
                    x = node.opened(0, x, node.vx, raw)
                if raw:
                    x = x._array
        if saves_y:
            y = node.y
            if y is not None:
                if y._storage.version != node.vy:
                    y = node.opened(1, y, node.vy, raw)
                if raw:
                    y = y._array
        if saves_w:
            w = node.w
            if w is not None:
                if w._storage.version != node.vw:
                    w = node.opened(2, w, node.vw, raw)
                if raw:
                    w = w._array
        if saves_z:
            z = node.z
            if z is not None:
                storage = node._storage
                if storage.version != node.vz:
                    z = node.opened_result(xp)
                elif not raw:
                    z = result(node, z, storage)
        if not keep:
            if x is not None:
                node.x = FREED
            if y is not None:
                node.y = FREED
            if w is not None:
                node.w = FREED
            if z is not None:
                node.z = FREED
                node.vz = NEVER
        if arity == 1:
            return (for_x(xp, g, (x, z, *node.params, node.shapes)),)
        shapes = node.shapes if needs_shapes else ()
        if arity == 2:
            a, b = node._next
            values = (x, y, z, *node.params, *shapes)
            gx = for_x(xp, g, values) if a is not None and for_x is not None else None
            gy = for_y(xp, g, values) if b is not None and for_y is not None else None
            if broadcasts and node.shapes is not None:
                if gx is not None:
                    gx = xp.sum_to(gx, node.shapes[0])
                if gy is not None:
                    gy = xp.sum_to(gy, node.shapes[1])
            return gx, gy
        a, b, c = node._next
        values = (x, y, w, z, *node.params, *shapes)
        return (
            for_x(xp, g, values) if a is not None else None,
            for_y(xp, g, values) if b is not None else None,
            for_w(xp, g, values) if c is not None else None,
        )

    return own_code(backward, f"{cls.__name__}.backward")


def _selecting(cls):
    """Like ``_many``, for one operand and results of which the first has a gradient, which needs only the others: values and places."""
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    differentiable = formula is not None
    takes_params, needs_shape = bool(plan.params), plan.needs_shapes
    saved = [(k, *slots) for k, slots in enumerate(plan.slots[1:]) if slots is not None]

    def call(input, *params):
        mode = unusual_modes and thread_state.mode
        if input.__class__ not in fast_classes or mode == WATCHED:
            return dispatch(cls, (input,), params)
        xa = input._array
        try:
            zs = forward(xa, *params)
        except Exception as error:
            zs = kernel_error(cls, error, (xa,), params)
        outs = []
        for za in zs:
            z = new(*PLAIN)
            z._array = za if za.__class__ is ndarray else as_array(za)
            z._storage = INFERENCE if mode == INFERRING else FRESH
            z._node = None
            outs.append(z)
        a = input._node
        if mode or a is None or not differentiable:
            return tuple(outs)
        if a.__class__ is View:
            a = a.current()
            if a is None:
                return tuple(outs)
        dtype = xa.dtype
        node = cls()
        node._next = (a,)
        node._seq = tick()
        node._extra = None
        for k, slot, version in saved:
            setattr(node, slot, outs[k])
            setattr(node, version, 0)
        node._storage = FRESH
        if takes_params:
            node.params = params
        node.casts = (dtype, (dtype,)) if dtype is not F32 and dtype in casting else None
        if needs_shape:
            node.shapes = xa.shape
        outs[0]._node = node
        return tuple(outs)

    call = named(cls, call)
    if cls.alone is not None:
        call.first = _first_of(cls, call)
    return call


def _first_of(cls, call):
    """The first result of ``call``; where nothing is recorded, which needs the others, they are not computed."""
    alone = cls.alone

    def first(input, *params):
        mode = unusual_modes and thread_state.mode
        recorded = input._node is not None and not mode
        xa = input._array
        if recorded or mode == WATCHED or input.__class__ not in fast_classes or xa.__class__ is not ndarray:
            return call(input, *params)[0]
        try:
            za = alone(xa, *params)
        except Exception as error:
            za = kernel_error(cls, error, (xa,), params)[0]
        z = new(*PLAIN)
        z._array = za
        z._storage = INFERENCE if mode == INFERRING else FRESH
        z._node = None
        return z

    return own_code(first, cls.function_name())


def _two(cls):
    """Like ``_many``, for two operands and one result, without loops."""
    forward, plan = cls.forward, cls.plan
    x_differentiable, y_differentiable = (f is not None for f in plan.formulas)
    saved_for = _saved_for(plan)
    keeps_x, keeps_y, keeps_z = (slots is not None for slots in plan.slots)
    y_required = cls.optional_from > 1
    takes_params, needs_shapes, mixes = bool(plan.params), plan.needs_shapes, cls.mixes

    def call(x, y, *params):
        mode = unusual_modes and thread_state.mode
        if (
            x.__class__ not in fast_classes
            or (y.__class__ not in fast_classes and (y is not None or y_required))
            or mode == WATCHED
        ):
            return dispatch(cls, (x, y), params)
        xa = x._array
        ya = None if y is None else y._array
        try:
            za = forward(xa, ya, *params)
        except Exception as error:
            za = kernel_error(cls, error, (xa, ya), params)
        if za.__class__ is not ndarray and za.__class__ is not Traced:
            za = asarray(za)
        z = new(*PLAIN)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = x._node if x_differentiable else None
        b = y._node if y_differentiable and y is not None else None
        if a.__class__ is View:
            a = a.current()
        if b.__class__ is View:
            b = b.current()
        if a is None and b is None:
            z._node = None
            return z
        dtype = za.dtype
        if (
            (dtype is not F32 and dtype in casting)
            or (mixes and xa.dtype is not ya.dtype)
            or a is NOWHERE
            or b is NOWHERE
        ):
            own_dtypes = xa.dtype, None if y is None else ya.dtype
            casts = (
                (dtype, own_dtypes)
                if mixes and own_dtypes[0] is not own_dtypes[1]
                else casts_for(dtype, *own_dtypes)
            )
            z._node = record(cls, (x, y), params, za, (a, b), casts)
            return z
        node = cls()
        node._next = (a, b)
        node._seq = tick()
        node._extra = None
        node.casts = None
        wants_x, wants_y, wants_z = saved_for[a is not None, b is not None]
        if keeps_x:
            node.x = x if wants_x else None
            node.vx = x._storage.version if wants_x else 0
        if keeps_y:
            if y is None or not wants_y:
                node.y = None
            else:
                node.y = y
                node.vy = y._storage.version
        if keeps_z:
            node.z = za if wants_z else None
            node.vz = 0
        node._storage = FRESH
        if takes_params:
            node.params = params
        if needs_shapes:
            node.shapes = (xa.shape, None if y is None else ya.shape)
        z._node = node
        return z

    cls.backward = backward_of_few(cls)
    return named(cls, call)


def _three(cls):
    """Like ``_two``, for three operands."""
    forward, plan = cls.forward, cls.plan
    x_differentiable, y_differentiable, w_differentiable = (f is not None for f in plan.formulas)
    saved_for = _saved_for(plan)
    keeps_x, keeps_y, keeps_w, keeps_z = (slots is not None for slots in plan.slots)
    y_required, w_required = cls.optional_from > 1, cls.optional_from > 2
    takes_params, needs_shapes = bool(plan.params), plan.needs_shapes

    def call(x, y, w, *params):
        mode = unusual_modes and thread_state.mode
        if (
            x.__class__ not in fast_classes
            or (y.__class__ not in fast_classes and (y is not None or y_required))
            or (w.__class__ not in fast_classes and (w is not None or w_required))
            or mode == WATCHED
        ):
            return dispatch(cls, (x, y, w), params)
        xa = x._array
        ya = None if y is None else y._array
        wa = None if w is None else w._array
        try:
            za = forward(xa, ya, wa, *params)
        except Exception as error:
            za = kernel_error(cls, error, (xa, ya, wa), params)
        if za.__class__ is not ndarray and za.__class__ is not Traced:
            za = asarray(za)
        z = new(*PLAIN)
        z._array = za
        z._storage = FRESH
        if mode:
            z._node = None
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        a = x._node if x_differentiable else None
        b = y._node if y_differentiable and y is not None else None
        c = w._node if w_differentiable and w is not None else None
        if a.__class__ is View:
            a = a.current()
        if b.__class__ is View:
            b = b.current()
        if c.__class__ is View:
            c = c.current()
        if a is None and b is None and c is None:
            z._node = None
            return z
        dtype = za.dtype
        if (dtype is not F32 and dtype in casting) or a is NOWHERE or b is NOWHERE or c is NOWHERE:
            casts = casts_for(
                dtype, xa.dtype, None if y is None else ya.dtype, None if w is None else wa.dtype
            )
            z._node = record(cls, (x, y, w), params, za, (a, b, c), casts)
            return z
        node = cls()
        node._next = (a, b, c)
        node._seq = tick()
        node._extra = None
        node.casts = None
        wants_x, wants_y, wants_w, wants_z = saved_for[a is not None, b is not None, c is not None]
        if keeps_x:
            node.x = x if wants_x else None
            node.vx = x._storage.version if wants_x else 0
        if keeps_y:
            if y is None or not wants_y:
                node.y = None
            else:
                node.y = y
                node.vy = y._storage.version
        if keeps_w:
            if w is None or not wants_w:
                node.w = None
            else:
                node.w = w
                node.vw = w._storage.version
        if keeps_z:
            node.z = za if wants_z else None
            node.vz = 0
        node._storage = FRESH
        if takes_params:
            node.params = params
        if needs_shapes:
            node.shapes = (xa.shape, None if y is None else ya.shape, None if w is None else wa.shape)
        z._node = node
        return z

    cls.backward = backward_of_few(cls)
    return named(cls, call)


def _saved_for(plan):
    """For each answer to which of the operands want a gradient: which operands, then which results, are saved."""
    return {
        edges: tuple([any(edges[j] for j in by) for by in (*plan.wanted_by, *plan.result_wanted_by)])
        for edges in product((False, True), repeat=plan.arity)
    }


def _backward_of_several(self, xp, gs, keep):
    """The gradients of the operands, of those of several results: formulas are asked if there is one."""
    return self.backward_towards(self._next, xp, gs, keep)


def _backward_of_several_towards(self, edges, xp, gs, keep):
    """Like ``backward``, for what is to go along ``edges`` only."""
    if all(g is None for g in gs):
        return self.unreached(xp, keep)
    return Op.backward_towards(self, edges, xp, gs, keep)


def _many(cls):
    forward = cls.forward
    plan = cls.plan
    arity = plan.arity
    several = len(plan.results) > 1
    differentiable = [k for k in range(len(plan.results)) if k not in cls.nondiff]
    if several and len(differentiable) > 1:
        cls._outputs = len(plan.results)
        cls.backward, cls.backward_towards = _backward_of_several, _backward_of_several_towards
    has_formula = tuple(f is not None for f in plan.formulas)
    any_formula = any(has_formula)
    uniform = not cls.broadcasts
    conditions = cls.conditions
    costly = cls.costly

    def call(*args):
        mode = unusual_modes and thread_state.mode
        if mode == WATCHED:
            return dispatch(cls, args[:arity], args[arity:])
        operands, params = args[:arity], args[arity:]
        values = []
        dtype = None
        mixed = False
        for i, x in enumerate(operands):
            if x is None:
                values.append(None)
                continue
            if x.__class__ not in fast_classes:
                return dispatch(cls, operands, params)
            xa = x._array
            if i < conditions:
                pass
            elif dtype is None:
                dtype = xa.dtype
            elif xa.dtype is not dtype:
                mixed = True
            values.append(xa)
        if mixed and not uniform:
            return dispatch(cls, operands, params)
        try:
            if costly and any(value is not None and value.size >= LARGE for value in values):
                za = in_parts(with_params(forward, params), *values)
            else:
                za = forward(*values, *params)
        except Exception as error:
            za = kernel_error(cls, error, values, params)
        return finish(operands, params, za)

    def finish(operands, params, za):
        """Wrap the kernel's result and record, if anything is to be recorded."""
        edges = None
        mode = unusual_modes and thread_state.mode
        if any_formula and not mode:
            edges = []
            any_edge = False
            for x, wanted in zip(operands, has_formula):
                edge = None
                if wanted and x is not None:
                    edge = x._node
                    if edge.__class__ is View:
                        edge = edge.current()
                    if edge is not None:
                        any_edge = True
                edges.append(edge)
            if not any_edge:
                edges = None
        fresh = INFERENCE if mode == INFERRING else FRESH
        zs = za if several else (za,)
        outs = []
        for array in zs:
            z = new(*PLAIN)
            z._array = array if array.__class__ is ndarray else as_array(array)
            z._storage = fresh
            z._node = None
            outs.append(z)
        if edges is not None:
            casts = None
            dtype = outs[differentiable[0]]._array.dtype
            if dtype.kind in "cV":
                casts = (dtype, tuple(None if x is None else x._array.dtype for x in operands))
            saved = tuple(z if k in cls.nondiff else z._array for k, z in enumerate(outs))
            node = record(cls, operands, params, saved, tuple(edges), casts)
            if len(differentiable) == 1:
                outs[differentiable[0]]._node = node
            else:
                for k in differentiable:
                    outs[k]._node = Port(node, k)
        return tuple(outs) if several else outs[0]

    return named(cls, call)


# Any number of operands ------------------------------------------------------------------------------------------------------


class Variadic(Op):
    """An op of any number of operands: ``forward(xs, ...)``; ``vjp(xp, g, shapes, ...)`` gives the gradients of all of them."""

    __slots__ = ()
    operands = "xs"
    variadic = True
    computes_all = "any"

    def places_of_next(self):
        """All operands are counted in ``next_functions``."""
        return range(len(self._next))

    def backward(self, xp, g, keep):
        """The gradients of the operands, None where none is wanted."""
        (formula,) = self.plan.bound
        outs = formula(xp, g, (None, None, *self.params, self.shapes))
        if self.casts is not None:
            _, own_dtypes = self.casts
            outs = [
                h if edge is None else xp.astype(h, own) for h, edge, own in zip(outs, self._next, own_dtypes)
            ]
        return [None if edge is None else h for h, edge in zip(outs, self._next)]


def check_tensors(operands):
    """Raise TypeError if any of a sequence of operands is not a tensor."""
    for i, x in enumerate(operands):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(x)}")


def variadic(cls):
    """The function of an op of a sequence of operands, which promote to a common dtype, and of parameters."""
    forward = cls.forward
    last = -len(cls.plan.params) or None

    def call(operands, *params):
        mode = unusual_modes and thread_state.mode
        values, edges, any_edge = [], [], False
        dtype, mixed = None, False
        for x in operands:
            if x.__class__ not in fast_classes:
                check_tensors(operands)
                return dispatch(cls, tuple(operands), params)
            edge = None if mode else x._node
            if edge is not None:
                if edge.__class__ is View:
                    edge = edge.current()
                if edge is not None:
                    any_edge = True
            edges.append(edge)
            xa = x._array
            values.append(xa)
            if xa.dtype is not dtype:
                mixed = dtype is not None
                dtype = xa.dtype
        if mode == WATCHED:
            return dispatch(cls, tuple(operands), params)
        if mixed:
            dtype = result_dtype([(x.dtype, 2 if x._array.ndim else 1) for x in operands]).np
            own_dtypes = tuple([xa.dtype for xa in values])
            values = [fitted(xa, dtype).astype(dtype, copy=False) for xa in values]
        try:
            za = forward(values, *params)
        except Exception as error:
            za = kernel_error(cls, error, (values,), params)
        z = new(*PLAIN)
        z._array = za
        z._storage = FRESH
        z._node = None
        if mode:
            if mode == INFERRING:
                z._storage = INFERENCE
            return z
        if any_edge:
            z._node = node = cls()
            node._next = tuple(edges)
            node._seq = tick()
            node._extra = None
            node._storage = FRESH
            if last:
                node.params = params
            node.shapes = [xa.shape for xa in values]
            node.casts = (dtype, own_dtypes) if mixed else None
        return z

    def flat(*args):
        return call(args[:last], *args[last:] if last else ())

    call = named(cls, call)
    flat.__name__ = call.__name__
    flat.op = cls
    cls.call = staticmethod(flat)  # for the slow path, which knows operands one by one
    return call
