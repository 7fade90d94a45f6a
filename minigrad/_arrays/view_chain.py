"""Replaying views on arrays: the chain of view ops that leads from a base to a view, run again on any array of the base's shape.

The adjoints of "look at a part" and "write to a part" need nothing else; ``views.py`` has the nodes that use them.
"""

import math

import numpy as np

from .memory_layout import check_not_expanded
from .traced import Traced
from .unresolved import flipped_like, stored


def steps_of(chain):
    """The pairs (op class, parameters) of a chain of view ops, from the base on."""
    steps = []
    while chain is not None:
        chain, cls, params = chain
        steps.append((cls, params))
    return reversed(steps)


def look(array, chain):
    """The window on ``array`` that a chain of view ops leads to."""
    for cls, params in steps_of(chain):
        array = cls.forward(array, *params)
    return array


class Template:
    """Shape, dtype and order in memory of a base, without its memory."""

    __slots__ = ("shape", "dtype", "order")

    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype
        self.order = None
        if not array.flags.c_contiguous:
            # largest stride first; ties keep the logical order
            self.order = sorted(range(array.ndim), key=lambda d: -abs(array.strides[d]))

    def empty(self, make=np.empty):
        """A dense array of this shape whose axes have the base's order in memory."""
        if self.order is None:
            return make(self.shape, self.dtype)
        dense = make([self.shape[d] for d in self.order], self.dtype)
        inverse = [0] * len(self.order)
        for place, d in enumerate(self.order):
            inverse[d] = place
        return dense.transpose(inverse)


def window(array, chain):
    """``look`` that is sure to share memory: (window, None), or (None, flat positions) where a step had to copy.

    Positions are unresolved as what is there is.
    """
    part = look(array, chain)
    if part.size == 0 or np.may_share_memory(part, array):
        return part, None
    return None, look(numbered(array), chain)


def is_blank(g):
    """Whether ``g`` has no elements, being on ``meta``."""
    return not isinstance(g, np.ndarray | np.generic | Traced)


def numbered(array):
    """The numbers of the elements of ``array``, in its order in memory: some views go by that."""
    out = np.empty_like(array, np.intp)
    out[...] = np.arange(array.size).reshape(array.shape)
    return out


def positions(chain, template):
    """The numbers of the elements that a chain leads to, counted in the order of the base's indices."""
    return stored(look(numbered(template.empty()), chain))


def reached(chain, template):
    """Which elements of a base a chain leads to: bools of the base's shape."""
    out = np.zeros(math.prod(template.shape), bool)
    out[positions(chain, template)] = True
    return out.reshape(template.shape)


def _maker(g, make):
    """Like ``make``, ``np.empty`` or ``np.zeros``, for what is to stand beside ``g``, which may be no array."""
    if isinstance(g, np.ndarray | np.generic):
        return make
    if g.__class__ is Traced:
        like = np.zeros_like if make is np.zeros else np.empty_like
        return lambda shape, dtype: like(g, dtype, "C", False, shape)
    return g.maker


def place(g, chain, template):
    """``g`` at the view's place in zeros of the base's shape, on arrays; elements that the view repeats are summed."""
    out = template.empty(_maker(g, np.zeros))
    if is_blank(g):
        return out
    part, positions = window(out, chain)
    if part is None or (0 in part.strides and part.size > 1) or _overlaps(part):
        if positions is None:
            positions = look(numbered(out), chain)
        flat = _maker(g, np.zeros)((out.size,), out.dtype)
        np.add.at(flat, stored(positions), flipped_like(positions, g))
        out[...] = flat.reshape(out.shape)
    else:
        part += g
    return out


def laid_out(g, template):
    """``g`` with its axes in the template's order in memory: some views go by that."""
    if is_blank(g):
        return template.empty(g.maker)
    if template.order is None and g.flags.c_contiguous:
        return g
    out = template.empty(_maker(g, np.empty))
    out[...] = g
    return out


def _overlaps(array):
    """Whether some elements of ``array`` share memory with each other (sufficiently: dimensions that do not nest)."""
    extent = array.itemsize
    for stride, n in sorted(zip(map(abs, array.strides), array.shape)):
        if n > 1:
            if stride < extent:
                return True
            extent += stride * (n - 1)
    return False


def through(g, node, keep, xp):
    """``CopySlices`` on arrays; ``xp`` is the vocabulary for the inner node."""
    out = node.template.empty(_maker(g, np.empty))
    if is_blank(g):
        outs = node.inner.backward(xp, look(out, node.chain).copy(), keep)
        return (None if node._next[0] is None else out, *outs[1:])
    out[...] = g
    part, positions = window(out, node.chain)
    if part is None:
        flat = np.ascontiguousarray(out).reshape(-1)
        there = stored(positions)
        outs = node.inner.backward(xp, flipped_like(positions, flat[there]), keep)
        flat[there] = 0 if outs[0] is None else flipped_like(positions, outs[0])
        out[...] = flat.reshape(out.shape)
    else:
        outs = node.inner.backward(xp, part.copy(), keep)
        if node._next[0] is not None:
            check_not_expanded(part)
            if outs[0] is None:
                stored(part)[...] = 0
            else:
                part[...] = outs[0]
    return (None if node._next[0] is None else out, *outs[1:])


def dense(array):
    """Whether the elements fill one block of memory without gaps or overlaps."""
    step = array.itemsize
    for stride, n in sorted(zip(array.strides, array.shape)):
        if n != 1:
            if stride != step:
                return False
            step *= n
    return True
