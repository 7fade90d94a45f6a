"""vmap: how an op is applied to a whole batch at once.

The batch stands at axis 0 of the inner tensors, always.  The rule follows from what the op's class says of itself:

- elementwise ops: the operands' ranks are aligned;
- ``axes``, ``new_axes``, ``sizes``: parameters that name dimensions are shifted by one, those that are shapes get the batch in front;
- ``leading``: the op is about the last dimensions, and the batch may stand before them; numbers say how many those are, if others broadcast;
- ``folds``: axis 0 counts samples already, or may; the batch is folded into it;
- ``batch``: the op has a rule of its own.

What has no rule is done sample by sample, with a warning.
"""

import math
import warnings

from .._base import dtypes
from .._core.families import Unary
from .._core.interpret import strength
from .._core.tensor import Tensor
from .._ops import vocabulary as xp


def call(cls, operands, inner, batched, params, size):
    """The results of ``cls`` on ``inner``, of which some are batched along axis 0; they are batched likewise."""
    if cls.batch is not None:
        return cls.batch(cls.call, inner, batched, params, size)
    if issubclass(cls, Unary):
        return cls.call(inner[0], *params)
    if cls.broadcasts or cls.pointwise:
        return elementwise(cls, operands, inner, batched, params)
    if cls.axes or cls.new_axes or cls.sizes:
        return along(cls, inner, batched, params, size)
    if cls.leading is True:
        return cls.call(*whole(inner, batched, size), *params)
    if cls.leading:
        return cls.call(*stacks(inner, batched, cls.leading, size), *params)
    if cls.folds:
        inner = whole(inner, batched, size)
        if cls.folds is not True and inner[0]._array.ndim <= cls.folds:
            return cls.call(*inner, *params)
        return folded(cls, inner, params, size)
    return loop(cls, inner, batched, params, size)


def has_rule(cls):
    """Whether a batch is more than a loop for an op."""
    named = cls.axes or cls.new_axes or cls.sizes
    elementwise_op = cls.broadcasts or cls.pointwise or issubclass(cls, Unary)
    return bool(cls.batch or named or cls.leading or cls.folds or elementwise_op)


def whole(inner, batched, size):
    """The operands, those that are not batched expanded: the same for every sample."""
    return [
        x if b or not isinstance(x, Tensor) else xp.broadcast_to(x, (size, *x._array.shape))
        for x, b in zip(inner, batched)
    ]


def stacks(inner, batched, cores, size):
    """The operands with as many dimensions before their last ones, of which each has so many as ``cores`` says."""
    lead = max([x._array.ndim - b - core for x, b, core in zip(inner, batched, cores) if x is not None])
    out = []
    for x, core in zip(whole(inner, batched, size), cores):
        shape = x._array.shape
        lacking = lead + core + 1 - len(shape)
        out.append(xp.reshape(x, (size, *(1,) * lacking, *shape[1:])) if lacking else x)
    return out


def folded(cls, inner, params, size):
    """The batch becomes part of axis 0, and is taken out of it again."""
    zs = cls.call(*[x if x is None else xp.reshape(x, (-1, *x._array.shape[2:])) for x in inner], *params)
    if isinstance(zs, (tuple, list)):
        return tuple([unfolded(z, size) for z in zs])
    return unfolded(zs, size)


def unfolded(z, size):
    """Axis 0 as two: the batch, and what it was folded into."""
    shape = z._array.shape
    return xp.reshape(z, (size, shape[0] // size if size else 0, *shape[1:]))


def elementwise(cls, operands, inner, batched, params):
    """Operands of one rank: ones after the batch axis where a sample has fewer dimensions than another."""
    if cls.pointwise and not cls.broadcasts and any(f is not None for f in cls.plan.formulas):
        # its formulas take operands of one shape: they sum over no axis, so not over the batch either
        size = next(x._array.shape[0] for x, is_batched in zip(inner, batched) if is_batched)
        inner = whole(inner, batched, size)
        batched = [isinstance(x, Tensor) for x in inner]
    ndim, dtype, fits = -1, None, True
    for x, is_batched in zip(inner, batched):
        if isinstance(x, Tensor):
            array = x._array
            n = array.ndim - 1 if is_batched else array.ndim
            if n > ndim:
                fits = fits and ndim < 0
                ndim = n
            elif n < ndim and is_batched:
                fits = False
            if array.dtype is not dtype:
                fits = fits and dtype is None
                dtype = array.dtype
    if fits:
        return cls.call(*inner, *params)
    if not cls.pointwise and len({x._array.dtype for x in inner if isinstance(x, Tensor)}) > 1:
        inner = promoted(cls, operands, inner)
    aligned = []
    for x, is_batched in zip(inner, batched):
        if is_batched:
            shape = x._array.shape
            lacking = ndim + 1 - len(shape)
            if lacking:
                x = xp.reshape(x, (shape[0], *(1,) * lacking, *shape[1:]))
        aligned.append(x)
    return cls.call(*aligned, *params)


def promoted(cls, operands, inner):
    """The inner operands in the dtype to which the samples promote: a sample without dimensions gives way, a batch of such would not."""
    first = cls.conditions
    common = dtypes.result_dtype([strength(x) for x in operands[first:] if x is not None]).np
    if cls.floats and common.kind not in "fcV":
        return inner
    return [
        xp.astype(x, common) if i >= first and isinstance(x, Tensor) and x._array.dtype is not common else x
        for i, x in enumerate(inner)
    ]


def along(cls, inner, batched, params, size):
    """An op with parameters that name dimensions, or that are shapes: for the batch."""
    inner = whole(inner, batched, size)
    ndim = inner[0]._array.ndim - 1
    lent = not ndim and cls.axes  # there is no dimension to name: each sample is lent one
    if lent:
        inner = [x if x is None or x._array.ndim > 1 else xp.expand_dims(x, 1) for x in inner]
    named = dict(zip(cls.plan.params, params))
    if cls.flattens and named[cls.axes[0]] is None:
        if ndim > 1:
            return in_rows(cls, inner[0], named, size)
        named[cls.axes[0]] = 0
    shape = named[cls.sizes[0]] if cls.sizes else None
    after = ndim + 1 if shape is None else len(shape)
    for name in cls.axes:
        named[name] = shift(named[name], max(ndim, 1))
    for name in cls.new_axes:
        named[name] = shift(named[name], max(after, 1))
    for name in cls.sizes:
        shape = named[name]
        if not size and -1 in shape:  # what is left open follows from a sample
            known = -math.prod(shape)
            shape = [
                n if n != -1 else math.prod(inner[0]._array.shape[1:]) // known if known else 0 for n in shape
            ]
        named[name] = (size, *shape)
    zs = cls.call(*inner, *named.values())
    if not lent:
        return zs
    return tuple([dropped(z) for z in zs]) if isinstance(zs, (tuple, list)) else dropped(zs)


def in_rows(cls, x, named, size):
    """An op that takes all elements of a sample as one row."""
    ones = (1,) * (x._array.ndim - 1) if named.get("keepdim") else ()
    named = {**named, cls.axes[0]: 1, "keepdim": False}
    zs = cls.call(xp.reshape(x, (size, -1)), *[named[name] for name in cls.plan.params])
    if not ones:
        return zs
    if isinstance(zs, (tuple, list)):
        return tuple([xp.reshape(z, (size, *ones)) for z in zs])
    return xp.reshape(zs, (size, *ones))


def dropped(z):
    """Without the dimension that a sample without dimensions was lent."""
    return xp.squeeze(z, 1) if z._array.ndim > 1 else z


def shift(dim, ndim):
    """The dimension ``dim`` (or several, or None for all) of a sample of ``ndim`` dimensions, in the batch."""
    if dim is None:
        return tuple(range(1, ndim + 1))
    if isinstance(dim, (tuple, list)):
        return tuple([d % ndim + 1 for d in dim])
    return dim % ndim + 1


def loop(cls, inner, batched, params, size):
    """One sample after the other."""
    warn_of_loop(cls.function_name())
    rows = []
    for i in range(size):
        rows.append(cls.call(*[x[i] if b else x for x, b in zip(inner, batched)], *params))
    if isinstance(rows[0], (tuple, list)):
        return tuple([xp.stack(column, 0) for column in zip(*rows)])
    return xp.stack(rows, 0)


_warned: set[str] = set()


def warn_of_loop(name):
    """Warn, once for each op, that it is slow under vmap."""
    if name not in _warned:
        _warned.add(name)
        warnings.warn(
            f"There is a performance drop because we have not yet implemented the batching rule for aten::{name}. Please file "
            "us an issue on GitHub so that we can prioritize its implementation.",
            stacklevel=2,
        )
