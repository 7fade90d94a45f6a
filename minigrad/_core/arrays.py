"""The vocabulary of formulas on raw arrays: names of the Array API standard, quick on small arrays.

A formula asks ``xp`` for everything but operators.  In an ordinary backward ``xp`` is this module; under ``create_graph`` and in
transforms it is ``_ops/vocabulary.py``, which has the same names over Tensors.  NumPy's convenience functions are written in Python and cost
1 to 2 us on small arrays, so the ufuncs' own methods stand here where they serve.
"""

import numpy as np

from . import views

add = np.add
abs = np.absolute
exp = np.exp
expm1 = np.expm1
log = np.log
sin = np.sin
cos = np.cos
sinh = np.sinh
cosh = np.cosh
tanh = np.tanh
sqrt = np.sqrt
sign = np.sign
conj = np.conjugate
maximum = np.maximum
minimum = np.minimum
where = np.where
floor = np.floor
isnan = np.isnan
isinf = np.isinf
logical_not = np.logical_not
matmul = np.matmul
concat = np.concatenate
stack = np.stack
reshape = np.reshape
broadcast_to = np.broadcast_to
zeros_like = np.zeros_like
ones_like = np.ones_like


def astype(x, dtype):
    """``x`` as NumPy dtype ``dtype``; a complex value gives up its imaginary part."""
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return x.astype(dtype, copy=False)


def clone(x):
    """A copy in memory of its own."""
    return np.array(x)


def sum(x, axis=None, keepdims=False):
    """The sum over some axes."""
    return np.add.reduce(x, axis, keepdims=keepdims)


def sum_to(g, shape):
    """``g`` summed over the axes along which ``shape`` was broadcast to it."""
    if g.shape == shape:
        return g
    extra = g.ndim - len(shape)
    if extra:
        g = np.add.reduce(g, tuple(range(extra)) if extra > 1 else 0)
        if g.shape == shape:
            return g
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return np.add.reduce(g, axes, keepdims=True)


def matrix_transpose(x):
    """The last two axes exchanged."""
    return x.swapaxes(-1, -2)


def expand_dims(x, axis):
    """An axis of length one inserted at ``axis``."""
    axis = axis % (x.ndim + 1)
    return x.reshape(*x.shape[:axis], 1, *x.shape[axis:])


def place(g, chain, template):
    """``g`` where a chain of view ops shows it, in zeros of the base's shape."""
    return views.place(g, chain, template)


def through(g, node, keep):
    """The gradients of a ``CopySlices`` node."""
    import sys

    return views.through(g, node, keep, sys.modules[__name__])
