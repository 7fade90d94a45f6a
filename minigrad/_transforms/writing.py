"""Ops in place on wrapped tensors: the write is done one level down, on all samples or on the value; then the tangent is written."""

from .._core import inplace
from .._core.errors import broadcast_shapes
from .._core.families import Unary
from .._core.levels import BatchLevel
from .._core.switch import here
from .._core.tensor import new
from .._core.views import View, look_at_tensor
from .._core.wrapped import Batched, Dual, DualLayer, Wrapped, lifted
from .._ops import vocabulary as xp
from . import tangents
from .apply import level_of, outside
from .batching import warn_of_loop


def write(cls, x, others, params, kernel, fit=None, check=None):
    """Apply the op ``cls`` in place to ``x``, as ``inplace.write`` does, where ``x`` or another operand is wrapped; returns ``x``."""
    level = level_of((x, *others))
    if level is None:
        inplace.write(cls, outside(x), [outside(y) for y in others], params, kernel, fit, check)
        return x
    if level.__class__ is BatchLevel:
        if not is_batched(x, level) and any(is_batched(y, level) for y in others):
            raise refuse_unbatched(cls, x, others)
        do = write_batch
    else:
        if not belongs(x, level):
            become_dual(x, level)
        do = write_dual

    def further_in(*_):
        do(cls, level, x, others, params, kernel)

    return inplace.written(cls, x, others, params, further_in, fit, check)


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
    elif cls.broadcasts or issubclass(cls, Unary) or cls.pointwise:
        ndim = layer.ndim
        aligned = []
        for y, of_batch in zip(inner, batched):
            if of_batch:
                shape = y._array.shape
                y = xp.reshape(y, (shape[0], *(1,) * (ndim + 1 - len(shape)), *shape[1:]))
            aligned.append(y)
        inplace.write(cls, layer.inner, aligned, params, kernel)
    else:
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
    wanted = here.forward and not here.inference and any(t is not None for t in ts)
    old = value
    if wanted:
        old = value.clone()
        inner = [old if y is value else y for y in inner]
        ts = [None if t is None else t.clone() if t is tangent and k else t for k, t in enumerate(ts)]
    inplace.write(cls, value, inner, params, kernel)
    if not wanted:
        return
    found = tangents.of_results(cls, (old, *inner), ts, value, params)
    new_tangent = None if found is None else found[0]
    if tangent is None:
        layer.tangent = new_tangent
    elif new_tangent is None:
        tangent.zero_()
    else:
        tangent.copy_(new_tangent)


def become_dual(x, level):
    """Make ``x``, which has no tangent at this level yet, a dual of it with the tangent zero, which its views and its base share."""
    view = x._node
    base = view.base if view.__class__ is View else None
    inner = new(type(x))
    inner._array, inner._node, inner._storage = x._array, view, x._storage
    if base is not None:
        if not belongs(base, level):
            become_dual(base, level)
        tangent = look_at_tensor(base._array.tangent, view.chain)
    else:
        tangent = xp.clone(xp.broadcast_to(tangents.zeros_like(x), x._array.shape))
    edge = x._edge
    x.__class__ = Dual
    x._array = DualLayer(inner, level, tangent)
    if base is None:
        x._node = None if edge is None else lifted(edge)


def refuse_unbatched(cls, x, others):
    """The error for a write of a batch into a tensor that has room for one sample."""
    name = cls.function_name()
    if name in ("add", "sub"):
        y = next(y for y in others if y.__class__ is Batched)
        return RuntimeError(
            f"output with shape {list(x._array.shape)} doesn't match the broadcast shape {[y._array.level.size, *broadcast_shapes([x._array.shape, y._array.shape])]}"
        )
    if name in ("mul", "div", "copy", "masked_fill", "addcmul", "addcdiv"):
        name = "vmap: inplace arithmetic(self, *extra_args)"
    else:
        name = f"vmap: aten::{name}_(self, *extra_args)"
    return RuntimeError(
        f"{name} is not possible because there exists a Tensor `other` in extra_args that has more elements than `self`. This happened "
        "due to `other` being vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place operators instead "
        "of inplace arithmetic. If said operator is being called inside the PyTorch framework, please file a bug report instead."
    )


Wrapped._write_through = staticmethod(write)
