"""The rules by which a batch goes through an op: what its class says in ``batch``.

A rule is a function of (call, xs, batched, params, size) that returns the op's results.  Those operands ``xs`` that are ``batched`` hold ``size`` samples along
axis 0, and so do the results; ``call`` applies the op.  Most rules are made here:

- ``pointwise``: each element is computed by itself, so the operands' ranks are aligned;
- ``along("dim")``: parameters that name dimensions of the operands are shifted by one; ``along_result("dim")``: those that name the result's;
- ``shape_of("size")``: a parameter that is the result's shape gets the batch in front;
- ``leading()``: the op is about the last dimensions, and the batch may stand before them;
- ``folded()``: axis 0 counts samples already, and the batch becomes part of it.

An op that none of them fits has a function of its own in its class.  Elementwise families need to say nothing: see ``_transforms/batching.py``.
"""

import functools
import math

from .._base import dtypes
from .._core.interpret import promotion_rank
from .._core.tensor import Tensor

__all__ = []


# Elementwise ---------------------------------------------------------------------------------------------------------------


def pointwise(call, xs, batched, params, size):
    """Operands of one rank: ones after the batch axis where a sample has fewer dimensions than another."""
    op = call.op
    if not op.broadcasts and any(f is not None for f in op.plan.formulas):
        # its formulas take operands of one shape: they sum over no axis, so not over the batch either
        xs = everywhere(xs, batched, size)
        batched = [isinstance(x, Tensor) for x in xs]
    ndim, dtype, fits, mixed = -1, None, True, False
    for x, is_batched in zip(xs, batched):
        if isinstance(x, Tensor):
            array = x._array
            n = array.ndim - 1 if is_batched else array.ndim
            if n > ndim:
                fits = fits and ndim < 0
                ndim = n
            elif n < ndim and is_batched:
                fits = False
            if array.dtype is not dtype:
                mixed = mixed or dtype is not None
                dtype = array.dtype
    if mixed and op.broadcasts:
        xs = promoted(op, xs, batched)
    if not fits:
        xs = [aligned(x, is_batched, ndim) for x, is_batched in zip(xs, batched)]
    return call(*xs, *params)


def promoted(op, xs, batched):
    """Operands in the dtype to which the samples promote: a sample without dimensions gives way, a batch of such would not."""
    first = op.conditions
    given = zip(xs[first:], batched[first:])
    common = dtypes.result_dtype([
        (x.dtype, 2 if x._array.ndim - is_batched else 1) if isinstance(x, Tensor) else promotion_rank(x)
        for x, is_batched in given if x is not None
    ])
    if op.floats and common.category < dtypes.FLOATING:
        return xs
    return [x.to(common) if i >= first and isinstance(x, Tensor) else x for i, x in enumerate(xs)]


# Parameters that name dimensions, or are shapes ----------------------------------------------------------------------------


@functools.cache
def along(*dims, shape=None, flattens=False):
    """The parameters ``dims`` name dimensions of the operands; ``shape`` is the result's shape, if a parameter is.

    ``flattens``: without a dimension all elements of a sample count as one row.
    """
    def rule(call, xs, batched, params, size):
        xs = everywhere(xs, batched, size)
        ndim = xs[0]._array.ndim - 1
        named = dict(zip(call.op.plan.params, params))
        if flattens and named[dims[0]] is None:
            if ndim > 1:
                return in_rows(call, xs[0], named, dims[0], size)
            named[dims[0]] = 0
        for name in dims:
            named[name] = shifted(named[name], ndim or 1)
        if shape is not None:
            named[shape] = (size, *named[shape])
        if ndim:
            return call(*xs, *named.values())
        # there is no dimension to name: each sample is lent one
        xs = [x if x is None or x._array.ndim > 1 else x.unsqueeze(1) for x in xs]
        if shape is not None and len(named[shape]) == 1:
            named[shape] = (size, 1)
        return each(lambda z: z.squeeze(1) if z._array.ndim > 1 else z, call(*xs, *named.values()))

    return rule


def in_rows(call, x, named, dim, size):
    """An op that takes all elements of a sample as one row."""
    ones = (1,) * (x._array.ndim - 1) if named["keepdim"] else ()
    named |= {dim: 1, "keepdim": False}
    zs = call(x.reshape(size, -1), *named.values())
    return each(lambda z: z.reshape(size, *ones), zs) if ones else zs


@functools.cache
def along_result(*dims, shape=None):
    """The parameters ``dims`` name dimensions of the result, which has one more than the operands, or the shape that the parameter ``shape`` is."""
    def rule(call, xs, batched, params, size):
        xs = everywhere(xs, batched, size)
        named = dict(zip(call.op.plan.params, params))
        ndim = xs[0]._array.ndim if shape is None else len(named[shape])
        for name in dims:
            named[name] = shifted(named[name], ndim or 1)
        if shape is not None:
            named[shape] = (size, *named[shape])
        return call(*xs, *named.values())

    return rule


def shifted(dim, ndim):
    """The dimension ``dim`` (or several, or None for all) of a sample of ``ndim`` dimensions, in the batch."""
    if dim is None:
        return tuple(range(1, ndim + 1))
    if isinstance(dim, (tuple, list)):
        return tuple([d % ndim + 1 for d in dim])
    return dim % ndim + 1


@functools.cache
def shape_of(name):
    """The parameter ``name`` is the result's shape; -1 in it is for what the operand's size leaves open."""
    def rule(call, xs, batched, params, size):
        (x,) = xs
        named = dict(zip(call.op.plan.params, params))
        shape = named[name]
        if not size and -1 in shape:  # what is left open follows from a sample
            known = -math.prod(shape)
            rest = math.prod(x._array.shape[1:]) // known if known else 0
            shape = [rest if n == -1 else n for n in shape]
        named[name] = (size, *shape)
        return call(x, *named.values())

    return rule


# Dimensions among which the batch finds a place ----------------------------------------------------------------------------


@functools.cache
def leading(*cores):
    """Any dimensions may stand before the last ones; where those broadcast between operands, ``cores`` says how many last ones each operand has."""
    def rule(call, xs, batched, params, size):
        whole = everywhere(xs, batched, size)
        if cores:
            before = max([x._array.ndim - b - core for x, b, core in zip(xs, batched, cores) if x is not None])
            whole = [aligned(x, True, before + core) for x, core in zip(whole, cores)]
        return call(*whole, *params)

    return rule


@functools.cache
def folded(ndim=0):
    """Axis 0 of operands and results counts samples.  If it need not be there, ``ndim`` says how many dimensions the operand has with it."""
    def rule(call, xs, batched, params, size):
        xs = everywhere(xs, batched, size)
        if xs[0]._array.ndim <= ndim:
            return call(*xs, *params)
        zs = call(*[x if x is None else x.reshape(-1, *x._array.shape[2:]) for x in xs], *params)
        return each(lambda z: unfolded(z, size), zs)

    return rule


def unfolded(z, size):
    """Axis 0 as two: the batch, and what it was folded into."""
    shape = z._array.shape
    return z.reshape(size, shape[0] // size if size else 0, *shape[1:])


# What rules have in common -------------------------------------------------------------------------------------------------


def everywhere(xs, batched, size):
    """Operands for all samples: those that are not batched expanded."""
    return [x if b or not isinstance(x, Tensor) else x.expand(size, *x._array.shape) for x, b in zip(xs, batched)]


def aligned(x, is_batched, ndim):
    """An operand beside samples of ``ndim`` dimensions: ones after the batch axis where it has fewer."""
    if x is None or not is_batched or x._array.ndim > ndim:
        return x
    shape = x._array.shape
    return x.view((shape[0], *(1,) * (ndim + 1 - len(shape)), *shape[1:]))


def along_channels(x, is_batched, ndim):
    """A value for each channel beside samples (N, C, ...) of ``ndim`` dimensions."""
    if x is None:
        return x
    lead = x._array.shape[:1] if is_batched else ()
    return x.reshape(*lead, *(1,) * len(lead), -1, *(1,) * (ndim - 2))


def each(function, zs):
    """``function`` of the result, or of each of several."""
    return tuple([function(z) for z in zs]) if isinstance(zs, (tuple, list)) else function(zs)


def no_shape(name):
    """The message where the shape of a result depends on the elements, and may be another for each sample."""
    return (
        f"vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{name}. "
        "The samples' results would have different shapes: loop over the samples, or use an operator whose result has a "
        "fixed shape (torch.where with three arguments, a mask that multiplies)."
    )
