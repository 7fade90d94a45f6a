"""Ops whose results share their operand's memory.  What a view is, and how it follows writes: ``views.py``."""

import numpy as np

from ..modes import WATCHED, reads_unusual_modes, thread_state
from ..node import Port, tick
from ..storage import FRESH, INFERENCE, own_storage
from ..tensor import PLAIN, new
from ..views import View
from .op import Op, dispatch, fast_classes, kernel_error, named, own_code

unusual_modes = 0
reads_unusual_modes(globals())

ndarray = np.ndarray
asarray = np.asarray


class ViewOp(Op):
    """An op whose result shares the operand's memory: ``forward`` is a view of arrays, the formula its adjoint."""

    __slots__ = ()
    shares_memory = True
    repeats = False  # whether the result may show an element more than once
    retypes = False  # whether the result has another dtype

    casts = None


class MultiViewOp(ViewOp):
    """An op whose results are several views, ``count`` of them."""

    __slots__ = ("count",)

    @property
    def _outputs(self):
        return self.count


def attach(z, x, cls, params, node, meta=None):
    """Make ``z`` a view of ``x``: shared storage, base, chain.  Returns the ``View``."""
    storage = x._storage
    if storage.shared:
        storage = own_storage(x)
    z._storage = storage
    v = View()
    a = x._node
    if a.__class__ is View:
        v.base = a.base
        v.chain = (a.chain, cls, params)
        v.meta = a.meta if meta is None or a.meta == "inference" else meta
    else:
        v.base = x
        v.chain = (None, cls, params)
        v.meta = meta
    v.seen = 0 if storage is INFERENCE else storage.version
    v.node = node
    z._node = v
    return v


def view(cls):
    """The function of an op that returns a view of its operand."""
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    takes_params, needs_shape = bool(plan.params), plan.needs_shapes
    repeats = cls.repeats

    def call(input, *params):
        mode = unusual_modes and thread_state.mode
        if input.__class__ not in fast_classes or mode == WATCHED:
            return dispatch(cls, (input,), params)
        xa = input._array
        try:
            za = forward(xa, *params)
        except Exception as error:
            za = kernel_error(cls, error, (xa,), params)
        z = new(*PLAIN)
        z._array = za
        if mode:
            return unrecorded_view(z, input, cls, params)
        storage = input._storage
        if storage is FRESH:
            storage = own_storage(input)
        elif storage is INFERENCE:
            return unrecorded_view(z, input, cls, params)
        z._storage = storage
        if repeats:
            storage.repeats = True
        v = View()
        a = input._node
        if a.__class__ is View:
            v.base = a.base
            v.chain = (a.chain, cls, params)
            v.meta = a.meta
            a = a.current()
        else:
            v.base = input
            v.chain = (None, cls, params)
            v.meta = None
        v.seen = storage.version
        z._node = v
        if a is None:
            v.node = None
            return z
        node = cls()
        node._next = (a,)
        node._seq = tick()
        node._extra = None
        node._storage = FRESH
        if takes_params:
            node.params = params
        if needs_shape:
            node.shapes = xa.shape
        v.node = node
        return z

    def backward(node, xp, g, keep):
        return (formula(xp, g, (None, None, *node.params, node.shapes)),)

    cls.backward = own_code(backward, f"{cls.__name__}.backward")
    return named(cls, call)


def unrecorded_view(z, x, cls, params):
    """A view made while nothing is recorded, or of an inference tensor."""
    if x._storage is INFERENCE:
        z._storage = INFERENCE
        z._node = None
        return z
    view = x._node
    of_inference = thread_state.inference or (
        view.__class__ is View and view.meta == "inference"
    )  # which stays
    meta = "inference" if of_inference else "no_grad"
    attach(z, x, cls, params, None, meta)
    if cls.repeats:
        z._storage.repeats = True
    return z


class Piece:
    """A step in the chain of one of several views made at once: ``part`` says which single view op leads to it."""

    __slots__ = ()
    repeats = retypes = False

    @staticmethod
    def forward(x, cls, k, *params):
        """The array of view number k."""
        part, part_params = cls.part(x, k, *params)
        return part.forward(x, *part_params)

    @staticmethod
    def call(x, cls, k, *params):
        """View number k of a tensor, recorded as the single view op."""
        part, part_params = cls.part(x._array, k, *params)
        return part.call(x, *part_params)


def _tensor_of(array):
    z = new(*PLAIN)
    z._array = array
    return z


def views(cls):
    """The function of an op that returns several views at once: ``forward`` gives the arrays.

    ``cls.part(x, k, *params)`` is the single view op, and its parameters, that leads to view k of array x.
    """
    forward = cls.forward
    plan = cls.plan
    (formula,) = plan.bound
    takes_params, needs_shape = bool(plan.params), plan.needs_shapes

    def call(input, *params):
        mode = unusual_modes and thread_state.mode
        if input.__class__ not in fast_classes or mode == WATCHED:
            return dispatch(cls, (input,), params)
        xa = input._array
        try:
            arrays_ = forward(xa, *params)
        except Exception as error:
            arrays_ = kernel_error(cls, error, (xa,), params)
        storage = input._storage
        if mode or storage is INFERENCE:
            return tuple(
                [
                    unrecorded_view(_tensor_of(za), input, Piece, (cls, k, *params))
                    for k, za in enumerate(arrays_)
                ]
            )
        if storage is FRESH:
            storage = own_storage(input)
        a = input._node
        of_inference = False
        if a.__class__ is View:
            base, before = a.base, a.chain
            of_inference = a.meta == "inference"
            a = a.current()
        else:
            base, before = input, None
        node = None
        several = len(arrays_) != 1
        if a is not None:
            node = cls()
            node._next = (a,)
            node._seq = tick()
            node._extra = None
            node._storage = FRESH
            if takes_params:
                node.params = params
            if needs_shape:
                node.shapes = xa.shape
            node.count = len(arrays_)
        version = storage.version
        outs = []
        for k, za in enumerate(arrays_):
            z = new(*PLAIN)
            z._array = za
            z._storage = storage
            z._node = v = View()
            v.base = base
            v.chain = (before, Piece, (cls, k, *params))
            v.meta = "inference" if of_inference else "multi"
            v.seen = version
            if node is not None and several:
                v.node = port = new(Port)
                port.node = node
                port.nr = k
            else:
                v.node = node
            outs.append(z)
        return tuple(outs)

    def backward(node, xp, g, keep):
        return (formula(xp, g if node.count != 1 else [g], (None, None, *node.params, node.shapes)),)

    cls.backward = own_code(backward, f"{cls.__name__}.backward")
    return named(cls, call)
