"""Elementwise formulas on the arrays beneath one batch level: the batch axis means nothing to them.

Where nothing beneath is recorded or wrapped further, and all operands are of one dtype, this saves an op on tensors for each step of a formula.
"""

import numpy as np

from .._arrays import vocabulary as arrays
from .._core.families import number
from .._core.tensor import Tensor, wrap
from .._core.wrapped import Batched, batch


def tangent(rules, inner, ts, z, params):
    """The sum over the operands of ``rules``, formulas of each one's tangent; None where this does not serve."""
    dtype = z._array.dtype
    if dtype.kind != "f":
        return None
    level = [None]
    values = []
    for x in (*inner, z):
        array = physical(x, z, dtype, level)
        if array is None:
            return None
        values.append(array)
    given = []
    for t in ts:
        array = None if t is None else physical(t, z, dtype, level)
        if array is None and t is not None:
            return None
        given.append(array)
    shape = z._array.shape if level[0] is None else (level[0].size, *z._array.shape)
    xp = arrays if values[-1].shape == shape else broadcasting
    values += [*params, *[shape] * len(inner)]
    try:
        total = sum_of(xp, rules, given, shape, values)
    except (RuntimeWarning, FloatingPointError):  # the program turned NumPy's warnings into errors
        with np.errstate(all="ignore"):
            total = sum_of(xp, rules, given, shape, values)
    if total is None:
        return None
    if total.__class__ is not np.ndarray or total.shape != shape:
        total = np.array(np.broadcast_to(total, shape))
    elif total.base is not None or any(total is t for t in given):  # a tangent owns its memory
        total = total.copy()
    out = wrap(total)
    return out if level[0] is None else batch(out, level[0])


class _Broadcasting:
    """``arrays`` for values that may lack the axis of the batch: what does not broadcast by itself, as operators and ufuncs do, is given its arrays in one shape.

    So what a formula makes of the values alone is computed once for the whole batch.
    """

    def __getattr__(self, name):
        found = getattr(arrays, name)
        if callable(found) and not isinstance(found, np.ufunc):
            found = _in_one_shape(found)
        setattr(self, name, found)
        return found


broadcasting = _Broadcasting()


def _in_one_shape(kernel):
    def call(*args, **kwargs):
        shapes = {x.shape for x in args if x.__class__ is np.ndarray}
        if len(shapes) > 1:
            shape = np.broadcast_shapes(*shapes)
            args = [spread(x, shape) if x.__class__ is np.ndarray else x for x in args]
        return kernel(*args, **kwargs)

    return call


def sum_of(xp, rules, given, shape, values):
    """The sum of the formulas of the tangents ``given``; None if there is none."""
    total = None
    for t, rule in zip(given, rules):
        if t is not None and rule is not None:
            part = rule(xp, t if t.shape == shape else spread(t, shape), values)
            if part is not None:
                total = part if total is None else total + part
    return total


def spread(array, shape):
    """``array`` in a shape that it broadcasts to: mostly the same for every sample, at a tenth of ``np.broadcast_to``'s time."""
    if array.shape == shape:
        return array
    if array.shape == shape[1:]:
        return arrays.strided(array, shape, (0, *array.strides))
    return np.broadcast_to(array, shape)


def physical(x, z, dtype, level):
    """The array of ``x``, or of its whole batch; None if it has none that this serves for.  ``level[0]`` is the batch level, once there is one."""
    if x.__class__ is Tensor:
        array = x._array
    elif x.__class__ is Batched:
        layer = x._array
        inner = layer.inner
        if (
            not layer.batched
            or inner.__class__ is not Tensor
            or (inner._node is not None and inner.requires_grad)
        ):
            return None
        if level[0] is None:
            level[0] = layer.level
        elif level[0] is not layer.level:
            return None
        array = inner._array
        lacking = z._array.ndim + 1 - array.ndim
        if lacking:
            array = array.reshape(array.shape[0], *(1,) * lacking, *array.shape[1:])
    else:
        x = None if isinstance(x, Tensor) else number(x, dtype)
        if x is None:
            return None
        array = x._array
    return array if array.dtype is dtype and (x._node is None or not x.requires_grad) else None
