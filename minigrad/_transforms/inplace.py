"""Ops in place on wrapped tensors: the write is done one level down, on all samples or on the value; then the tangent is written."""

import gc
import sys

import numpy as np

from .._base.errors import broadcast_shapes
from .._core import inplace, late
from .._core.levels import BatchLevel
from .._core.lifted import lifted
from .._core.modes import thread_state
from .._core.node import NOWHERE, AccumulateGrad
from .._core.storage import Storage
from .._core.tensor import Tensor, new, wrap
from .._core.views import View, look_at_tensor
from .._core.wrapped import Batched, BatchLayer, Dual, DualLayer, Wrapped, beneath, rewrap, unwrap
from .._ops import vocabulary as xp
from . import tangents
from .apply import level_of, outside
from .batching import call, has_rule, is_elementwise, warn_of_loop
from .captured import check_not_captured


def write(cls, x, others, params, kernel, fit=None, check=None):
    """Apply the op ``cls`` in place to ``x``, as ``inplace.write`` does, where ``x`` or another operand is wrapped; returns ``x``."""
    level = level_of((x, *others))
    if level is None:
        inplace.write(cls, outside(x), [outside(y) for y in others], params, kernel, fit, check)
        return x
    check_not_captured(cls, x, others)
    if level.__class__ is BatchLevel:
        if not is_batched(x, level) and any(is_batched(y, level) for y in others):
            raise refuse_unbatched(cls, level, x, others)
        if not belongs(x, level):
            become_wrapped(x, level)
        do = write_batch
    else:
        if not belongs(x, level):
            if x._array.dtype.kind not in "fcV":  # it has no tangent
                inplace.write(cls, x, [unwrap(y, level) for y in others], params, kernel, fit, check)
                return x
            inplace.may_write(x, *others)
            become_wrapped(x, level, (*others, *[y._array.tangent for y in others if belongs(y, level)]))
        do = write_dual

    def further_in(*_):
        do(cls, level, x, others, params, kernel)

    return inplace.write_by_kernel(cls, x, others, params, further_in, fit, check)


def belongs(x, level):
    """Whether ``x`` is a wrapped tensor of this level."""
    return isinstance(x, Wrapped) and x._array.level is level


def is_batched(x, level):
    """Whether ``x`` differs between the samples of ``level``."""
    return belongs(x, level) and x._array.batched


def write_batch(cls, level, x, others, params, kernel):
    """Write into all samples."""
    layer = x._array
    inner, batched = [], []
    for y in others:
        below = y._array if belongs(y, level) else None
        inner.append(y if below is None else below.inner)
        batched.append(below is not None and below.batched)
    if not layer.batched:
        inplace.write(cls, layer.inner, inner, params, kernel)
    elif is_elementwise(cls):
        ndim = layer.ndim
        aligned = []
        for y, of_batch in zip(inner, batched):
            if of_batch:
                shape = y._array.shape
                y = xp.reshape(y, (shape[0], *(1,) * (ndim + 1 - len(shape)), *shape[1:]))
            aligned.append(y)
        inplace.write(cls, layer.inner, aligned, params, kernel)
    else:
        if cls.call is not None and has_rule(cls):
            inner, batched = (layer.inner, *inner), (True, *batched)
            xp.copy_(layer.inner, call(cls, inner, batched, params, level.size))
            return
        warn_of_loop(cls.function_name() + "_")
        for i in range(level.size):
            samples = [y[i] if of_batch else y for y, of_batch in zip(inner, batched)]
            inplace.write(cls, layer.inner[i], samples, params, kernel)


def write_dual(cls, level, x, others, params, kernel):
    """Write into the value, then into the tangent."""
    layer = x._array
    value, tangent = layer.inner, layer.tangent
    inner, ts = [], [tangent]
    for y in others:
        below = y._array if belongs(y, level) else None
        inner.append(y if below is None else below.inner)
        ts.append(None if below is None else below.tangent)
    wanted = thread_state.forward and not thread_state.inference and any(t is not None for t in ts)
    old = value
    if wanted:
        old = value.clone()
        inner = [old if y is value else y for y in inner]
        # what the formulas are recorded with is not to be written to
        ts = [t.clone() if t is not None and t is tangent else t for t in ts]
    inplace.write(cls, value, inner, params, kernel)
    if wanted:
        tangents.at_level(level, write_tangent, cls, x, (old, *inner), ts, params)


def write_tangent(cls, x, inner, ts, params):
    """Write into the tangent of the dual ``x`` what it is after its value was written to by ``cls``."""
    layer = x._array
    tangent = layer.tangent
    found = tangents.of_results(cls, inner, ts, layer.inner, params)
    new_tangent = None if found is None else found[0]
    if tangent is None:
        layer.tangent = new_tangent
    elif new_tangent is None:
        tangent.zero_()
    else:
        make_room(x, new_tangent)
        layer.tangent.copy_(new_tangent)


def make_room(x, new_tangent):
    """Give the dual ``x`` a tangent, and so its base and its views, that ``new_tangent`` can be written into: one for each of its samples."""
    wanted = beneath(new_tangent)[1]
    if not wanted or all(batched in beneath(x._array.tangent)[1] for batched in wanted):
        return
    view = x._node
    base = view.base if view.__class__ is View else x
    so_far = base._array.tangent
    apart = {*wanted, *beneath(so_far)[1]}
    base._array.tangent = zeros_apart(base, sorted(apart, key=lambda batched: batched.number))
    base._array.tangent.copy_(so_far)
    for y in (x, *gc.get_referrers(base._storage)):
        view = y._node if isinstance(y, Tensor) else None
        if view.__class__ is View and view.base is base and belongs(y, base._array.level):
            y._array.tangent = look_at_tensor(base._array.tangent, view.chain)


def zeros_apart(x, levels):
    """Zeros like ``x``, which each sample of each of ``levels`` has for itself."""
    zeros = np.zeros([*[batched.size for batched in levels], *x._array.shape], x._array.dtype)
    return rewrap(wrap(zeros), levels)


def become_wrapped(x, level, others=()):
    """Make ``x`` a tensor of this level, which it is not yet; its base and all views of that too.

    At a level of ``vmap`` it is the same for all samples; in forward mode its tangent is zero.  ``others``: what decides the tangent to be
    written there.  Where its samples differ, the zeros have room for that.
    """
    shared = x._storage
    apart = {batched for y in (x, *others) for batched in beneath(y)[1]}
    apart = sorted(apart, key=lambda batched: batched.number)
    turn_wrapped(x, level, apart)
    view = x._node
    base = view.base if view.__class__ is View else x
    if sys.getrefcount(shared) > 2 + len({id(x), id(base)}):  # this variable, the call's argument
        for y in gc.get_referrers(shared):
            if isinstance(y, Tensor) and y is not x and y is not base and not belongs(y, level):
                view = y._node
                if view.__class__ is not View or view.base is not base:
                    continue
                if level.is_forward_ad and any(layer.inner is y for layer in level.layers):
                    view.base = (
                        base._array.inner
                    )  # the value of a dual made of ``x``, which has a tangent of its own
                else:
                    turn_wrapped(y, level, apart)


def turn_wrapped(x, level, apart):
    """Like ``become_wrapped``, of ``x`` and its base alone; ``apart``: the levels of ``vmap`` whose samples have zeros of their own."""
    is_dual = level.__class__ is not BatchLevel
    edge, view = x._edge, x._node
    inner = new(type(x))
    inner._array, inner._node, inner._storage = x._array, view, x._storage
    if edge is None or edge is NOWHERE:
        node = None
    else:
        node = edge if edge.__class__ is AccumulateGrad else lifted(edge)  # a leaf stays one
    if view.__class__ is View:
        base = view.base
        if not belongs(base, level):
            turn_wrapped(base, level, apart)
        if is_dual:
            tangent = look_at_tensor(base._array.tangent, view.chain)
        inner._node = View()
        inner._node.base, inner._node.chain, inner._node.meta = base._array.inner, view.chain, view.meta
        inner._node.node, inner._node.seen = view.node, view.seen
        x._storage = base._storage
        view.node, view.seen = node, x._storage.version
    else:
        if is_dual:
            tangent = zeros_apart(x, apart)
        x._node, x._storage = node, Storage()
    if is_dual:
        x.__class__, x._array = Dual, DualLayer(inner, level, tangent)
    else:
        x.__class__, x._array = Batched, BatchLayer(inner, level, False)


#: How PyTorch names ops in the error for a write of a batch into one sample; others are ``aten::name_``.
_BROADCAST = frozenset(("add", "atan2", "bitwise_and", "bitwise_or", "bitwise_xor", "copysign", "gcd"))
_ARITHMETIC = frozenset(
    ("sub", "mul", "div", "copy", "clamp_min", "clamp_max", "logical_and", "logical_or", "logical_xor")
)
_BARE = frozenset(("fill", "index_put", "index_add", "index_fill", "scatter_add", "scatter_reduce"))


def refuse_unbatched(cls, level, x, others):
    """The error for a write of a batch into a tensor that has room for one sample."""
    name = cls.function_name()
    if name in _BROADCAST:
        y = next(y for y in others if y.__class__ is Batched)
        shape = [level.size, *broadcast_shapes([x._array.shape, y._array.shape])]
        return RuntimeError(
            f"output with shape {list(x._array.shape)} doesn't match the broadcast shape {shape}"
        )
    by_mask = name == "masked_fill" and others[0].__class__ is Batched
    where = "in a vmap"
    if name in _ARITHMETIC or by_mask:
        name = "inplace arithmetic"
    elif name in _BARE:
        name += "_"
    else:
        name, where = f"aten::{name}_", f"at level {level.number}"
    return RuntimeError(
        f"vmap: {name}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more "
        f"elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over {where}. "
        f"Use {name} out of place: its result has room for all samples."
    )


late.write_wrapped = write
