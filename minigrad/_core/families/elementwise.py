"""Elementwise ops of one and two operands, and comparisons: the hottest code there is.

A call goes straight through when its operands are plain tensors (or Python numbers) of one dtype and nothing unusual is
switched on; all else goes to ``interpret.py``.  A node's ``backward(xp, g, keep)`` runs the formulas, on arrays (``xp`` is
``arrays``) or on Tensors (``xp`` is the vocabulary): read ``engine.py`` next.
"""

from functools import partial
from typing import Any

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._arrays.copies import in_single
from ..._arrays.in_parts import LARGE, in_parts
from ..._arrays.traced import Traced, as_array
from ..modes import INFERRING, WATCHED, reads_unusual_modes, thread_state
from ..node import NOWHERE, tick
from ..saved import FREED, NEVER, result
from ..storage import FRESH, INFERENCE
from ..tensor import PLAIN, Tensor, new
from ..views import View
from .general import backward_of_few
from .op import (
    F32,
    Op,
    casting,
    casts_for,
    dispatch,
    dispatch_operator,
    fast_classes,
    kernel_error,
    named,
    number,
    own_code,
    record,
)

unusual_modes = loud_modes = 0
reads_unusual_modes(globals())

ndarray = np.ndarray
asarray = np.asarray


def on_arrays(formula, kernel):
    """What computes a gradient on arrays, from (g, *what the formula mentions): the kernel beside the formula, or the formula itself."""
    return kernel if kernel is not None or formula is None else partial(formula, arrays)


class Unary(Op):
    """An elementwise op of one operand: ``vjp(xp, g, x)``, ``vjp(xp, g, z)`` or both."""

    forward: Any

    __slots__ = ()
    floats = costly = shared = True


def unary(cls):
    """The function of an elementwise op of one operand."""
    forward, plan = cls.forward, cls.plan
    (vjp,), (kernel,) = plan.formulas, map(on_arrays, plan.formulas, plan.kernels)
    saves_x, saves_z = bool(plan.wanted_by[0]), bool(plan.result_wanted_by[0])
    floats, large_from = cls.floats, cls.large_from
    in_threads = (
        cls.costly or forward.__class__ is np.ufunc
    )  # else one pass over memory by a function around NumPy's

    def call(input, *, out=None):
        mode = loud_modes and thread_state.mode
        if (
            (input.__class__ is not Tensor and input.__class__ not in fast_classes)
            or out is not None
            or (mode and mode == WATCHED)
        ):
            return dispatch(cls, (input,), (), out)
        xa = input._array
        large = xa.size >= large_from
        try:
            za = in_parts(forward, xa) if large and in_threads else forward(xa)
        except Exception as error:
            za = kernel_error(cls, error, (xa,))
        dtype = xa.dtype
        if floats and za.dtype is not dtype:
            return dispatch(cls, (input,), ())
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
        if a is None or (unusual_modes and thread_state.mode):
            z._node = None
            return z
        if type(a) is View:
            a = a.current()
            if a is None:
                z._node = None
                return z
        if large or (dtype is not F32 and dtype in casting):
            z._node = record(cls, (input,), (), za, (a,), casts_for(dtype, dtype))
            return z
        node = cls()
        node._next = (a,)
        node._seq = tick()
        node._extra = None
        node.casts = None
        if saves_x:
            node.x = input
            node.vx = input._storage.version
        if saves_z:
            node.z = za
            node.vz = 0
        node._storage = FRESH
        z._node = node
        return z

    if saves_x and saves_z:
        return named(cls, call)

    if saves_x:

        def backward(node, xp, g, keep):
            if node.casts is not None:
                return Op.backward(node, xp, g, keep)
            x = node.x
            if x._storage.version != node.vx:
                x = node.opened(0, x, node.vx, xp is arrays)
            if not keep:
                node.x = FREED
            return (kernel(g, x._array) if xp is arrays else vjp(xp, g, x),)

    elif saves_z:

        def backward(node, xp, g, keep):
            if node.casts is not None:
                return Op.backward(node, xp, g, keep)
            z, storage = node.z, node._storage
            if storage.version != node.vz:
                z = node.opened_result(xp)
            elif xp is not arrays:
                z = result(node, z, storage)
            if not keep:
                node.z = FREED
                node.vz = NEVER
            return (kernel(g, z) if xp is arrays else vjp(xp, g, z),)

    else:

        def backward(node, xp, g, keep):
            if node.casts is not None:
                return Op.backward(node, xp, g, keep)
            return (vjp(xp, g),)

    cls.backward = own_code(backward, f"{cls.__name__}.backward")
    return named(cls, call)


# Elementwise, two operands -----------------------------------------------------------------------------------------------


class Binary(Op):
    """An elementwise op of two operands that broadcast: ``vjp_x(xp, g, ...)`` and ``vjp_y(xp, g, ...)`` over x, y, z."""

    __slots__ = ()
    operands = "x y"
    broadcasts = shared = True


#: What NumPy computes of float16 one number after the other, with a conversion for each.
_BY_NUMBER = frozenset((np.add, np.subtract, np.multiply, np.true_divide))
_HALF = np.dtype(np.float16)


def _of_large(forward, large_from):
    """``(function, size)``: what computes ``forward`` of two arrays of one dtype, of which the first has ``size`` elements or more."""
    if forward not in _BY_NUMBER:
        return partial(in_parts, forward), large_from

    def at_large(x, y):
        if x.dtype is _HALF and x.__class__ is y.__class__ is ndarray:
            return in_single(forward, x, y)
        return in_parts(forward, x, y) if x.size >= large_from else forward(x, y)

    return at_large, min(LARGE, large_from)


def binary(cls, operator=None):
    """The function of an elementwise op of two operands; as Python's ``operator``, such as ``__add__``, it may answer NotImplemented."""
    forward = cls.forward
    plan = cls.plan
    x_by_x, x_by_y = 0 in plan.wanted_by[0], 1 in plan.wanted_by[0]
    y_by_x, y_by_y = 0 in plan.wanted_by[1], 1 in plan.wanted_by[1]
    z_by_x, z_by_y = 0 in plan.result_wanted_by[0], 1 in plan.result_wanted_by[0]
    floats, ordered, numbers = cls.floats, cls.ordered, cls.tensors_first < 2
    recorded_from = cls.large_from
    at_large, large_from = _of_large(forward, recorded_from)
    keeps_x, keeps_y, keeps_z = (bool(by) for by in (*plan.wanted_by, *plan.result_wanted_by))

    def call(input, other, *, out=None):
        mode = loud_modes and thread_state.mode
        if (
            (input.__class__ is not Tensor and input.__class__ not in fast_classes)
            or out is not None
            or (mode and mode == WATCHED)
        ):
            return (
                dispatch_operator(cls, (input, other), operator, out)
                if operator
                else dispatch(cls, (input, other), (), out)
            )
        xa = input._array
        y = other
        if y.__class__ is not Tensor and y.__class__ not in fast_classes:
            y = number(y, xa.dtype) if numbers else None
            if y is None:
                return (
                    dispatch_operator(cls, (input, other), operator, out)
                    if operator
                    else dispatch(cls, (input, other), ())
                )
        ya = y._array
        dtype = xa.dtype
        if dtype is not ya.dtype or (ordered and dtype.kind == "c"):
            return dispatch(cls, (input, y), ())
        large = xa.size >= large_from
        try:
            za = at_large(xa, ya) if large else forward(xa, ya)
        except Exception as error:
            za = kernel_error(cls, error, (xa, ya))
        if floats and za.dtype is not dtype:
            return dispatch(cls, (input, y), ())
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
        b = y._node
        if (a is None and b is None) or (unusual_modes and thread_state.mode):
            z._node = None
            return z
        if type(a) is View or type(b) is View:
            if type(a) is View:
                a = a.current()
            if type(b) is View:
                b = b.current()
            if a is None and b is None:
                z._node = None
                return z
            if a is NOWHERE or b is NOWHERE:
                dtype = None  # such an edge needs the general layout
        if (large and xa.size >= recorded_from) or (dtype is not F32 and (dtype is None or dtype in casting)):
            dtype = xa.dtype
            z._node = record(cls, (input, y), (), za, (a, b), casts_for(dtype, dtype, dtype))
            return z
        node = cls()
        node._next = (a, b)
        node._seq = tick()
        node._extra = None
        node.casts = None
        if y is not other or xa.shape == ya.shape or (b is None and not ya.shape):
            node.shapes = None
        else:
            node.shapes = (xa.shape, ya.shape)
        if keeps_x:
            if (x_by_x and a is not None) or (x_by_y and b is not None):
                node.x = input
                node.vx = input._storage.version
            else:
                node.x = None
        if keeps_y:
            if (y_by_x and a is not None) or (y_by_y and b is not None):
                node.y = y
                node.vy = y._storage.version
            else:
                node.y = None
        if keeps_z:
            node.z = za if (z_by_x and a is not None) or (z_by_y and b is not None) else None
            node.vz = 0
            node._storage = FRESH
        z._node = node
        return z

    if operator is not None:
        return own_code(call, operator, by_position=True)
    vjp_x, vjp_y = plan.formulas
    kernel_x, kernel_y = map(on_arrays, plan.formulas, plan.kernels)
    mentioned = plan.mentions
    if mentioned == ((), ()) and vjp_x and vjp_y:

        def backward(node, xp, g, keep):
            shapes = node.shapes
            if shapes is not None and node.casts is not None:  # a node with casts has its shapes
                return Op.backward(node, xp, g, keep)
            a, b = node._next
            gx = vjp_x(xp, g) if a is not None else None
            gy = vjp_y(xp, g) if b is not None else None
            if shapes is not None:
                if a is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if b is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    elif mentioned == ((1,), (0,)) and vjp_x and vjp_y:  # as a product: each gradient needs the other operand

        def backward(node, xp, g, keep):
            shapes = node.shapes
            if shapes is not None and node.casts is not None:  # a node with casts has its shapes
                return Op.backward(node, xp, g, keep)
            a, b = node._next
            gx = gy = None
            raw = xp is arrays
            if a is not None:
                y = node.y
                if y._storage.version != node.vy:
                    y = node.opened(1, y, node.vy, raw)
                if not keep:
                    node.y = FREED
                gx = kernel_x(g, y._array) if raw else vjp_x(xp, g, y)
            if b is not None:
                x = node.x
                if x._storage.version != node.vx:
                    x = node.opened(0, x, node.vx, raw)
                if not keep:
                    node.x = FREED
                gy = kernel_y(g, x._array) if raw else vjp_y(xp, g, x)
            if shapes is not None:
                if a is not None:
                    gx = xp.sum_to(gx, shapes[0])
                if b is not None:
                    gy = xp.sum_to(gy, shapes[1])
            return gx, gy

    else:
        cls.backward = backward_of_few(cls)
        return named(cls, call)

    cls.backward = own_code(backward, f"{cls.__name__}.backward")
    return named(cls, call)


# Comparisons and other ops without a gradient -----------------------------------------------------------------------------


class Compare(Op):
    """An elementwise op of two operands without gradient, such as a comparison."""

    __slots__ = ()
    operands = "x y"
    broadcasts = True


def check_tensor_with_out(cls, input, other, out):
    """Raise TypeError for a number as the first operand: PyTorch has no such form with ``out``."""
    if isinstance(input, (bool, int, float, complex, np.generic)):
        from ..._base.argument_kinds import no_form  # only now: most programs never need it

        raise no_form(cls.function_name(), {"input": input, "other": other, "out": out})


def compare(cls, operator=None):
    """The function of an elementwise op of two operands that records nothing."""
    forward = cls.forward
    ordered, numbers = cls.ordered, cls.tensors_first < 2

    def call(input, other, *, out=None):
        mode = loud_modes and thread_state.mode
        if input.__class__ not in fast_classes or out is not None or mode == WATCHED:
            if out is not None and not isinstance(input, Tensor):
                check_tensor_with_out(cls, input, other, out)
            return (
                dispatch_operator(cls, (input, other), operator, out)
                if operator
                else dispatch(cls, (input, other), (), out)
            )
        xa = input._array
        y = other
        if y.__class__ not in fast_classes:
            y = number(y, xa.dtype) if numbers else None
            if y is None:
                return (
                    dispatch_operator(cls, (input, other), operator, out)
                    if operator
                    else dispatch(cls, (input, other), ())
                )
        ya = y._array
        if xa.dtype is not ya.dtype or (ordered and xa.dtype.kind == "c"):
            return dispatch(cls, (input, y), ())
        try:
            za = forward(xa, ya)
        except Exception as error:
            za = kernel_error(cls, error, (xa, ya))
        z = new(*PLAIN)
        z._array = za if za.__class__ is ndarray else as_array(za)
        z._storage = INFERENCE if mode == INFERRING else FRESH
        z._node = None
        return z

    return named(cls, call) if operator is None else own_code(call, operator, by_position=True)
