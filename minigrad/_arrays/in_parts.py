"""Elementwise kernels on large arrays, part by part: parts stay in the cache from one step of a formula to the next, and several threads share them."""

import numpy as np

from .._base.pool import count, share

#: From how many elements on a kernel is called part by part: with fewer, waking another thread costs more than it brings.
LARGE = 1 << 18
#: The same for the quickest functions, which only pass over memory.
MEMORY_BOUND = 1 << 21
#: The same for kernels that call NumPy many times for a part: threads wait for each other's turn at Python.
VERY_LARGE = 1 << 21
#: The elements of a part: calls of some 20 us at least, so that threads need Python's lock seldom.
PART = 1 << 17


def in_parts(kernel, *arrays, into=None):
    """``kernel(*arrays)``, an elementwise function of arrays that broadcast.

    In parts if the result has the shape of the first large operand, and whatever has this shape lies in the order of its elements; otherwise at once.
    ``into(*arrays, out)``, if there is one, does the same and writes into ``out``, an array of the result's shape and dtype.
    """
    cut = _cut(arrays) if count() > 1 else None
    if cut is None:
        return kernel(*arrays)
    shape, step, operands = cut
    sample = kernel(*[a[:1] if cut else a for a, cut in operands])
    like = next(a for a, cut in operands if cut)
    if sample.__class__ is not np.ndarray or sample.shape != (1, *like.shape[1:]):
        return kernel(*arrays)
    target = np.empty(like.shape, sample.dtype)
    writes = kernel.__class__ is np.ufunc
    if writes:  # one pass over memory: nothing is gained by what stays in the cache
        step = max(step, min(target.size // 8, 4 * PART) * len(target) // target.size)

    def part(start):
        at = slice(start, start + step)
        values = [a[at] if cut else a for a, cut in operands]
        if into is not None:
            into(*values, target[at])
        elif writes:
            kernel(*values, out=target[at])
        else:
            target[at] = kernel(*values)

    share(part, range(0, len(target), step))
    return target.reshape(shape)


def part_by_part(function, parts, size):
    """Call ``function(part)`` for each of ``parts``, on several threads if there are so many elements that it pays."""
    if size >= VERY_LARGE:
        share(function, parts)
        return
    for part in parts:
        function(part)


def with_params(kernel, params):
    """A kernel of arrays and parameters as one of the arrays."""
    return (lambda *arrays: kernel(*arrays, *params)) if params else kernel


def formula_in_parts(formula, xp, g, values):
    """``formula(xp, g, values)``, an elementwise one on arrays, part by part; some of the values may be numbers, shapes or None."""
    places = [i for i, value in enumerate(values) if value.__class__ is np.ndarray]
    if not places:
        return formula(xp, g, values)  # often g itself

    def kernel(g, *arrays):
        part = list(values)
        for i, array in zip(places, arrays):
            part[i] = array
        return formula(xp, g, part)

    return in_parts(kernel, g, *[values[i] for i in places])


def _cut(arrays):
    """How to take arrays part by part: (shape, elements or rows of a part, [(array, whether it is cut)]); None if they are not to be."""
    whole = next((a for a in arrays if a.size >= LARGE), None)
    if whole is None:
        return None
    shape = whole.shape
    rows = False  # whether one broadcasts, so that the first axis is cut instead of the row of all elements
    cut = []
    for a in arrays:
        if a.__class__ is not np.ndarray:  # such as an array of ``meta``, which has no elements
            return None
        if a.shape == shape:
            if not a.flags.c_contiguous and any(a.strides):
                return None
            cut.append(True)
        elif all(n in (1, m) for n, m in zip(a.shape[::-1], shape[::-1])) and a.ndim <= len(shape):
            rows = rows or a.size > 1
            cut.append(a.ndim == len(shape) and a.shape[0] > 1)
        else:
            return None
    # an even number of equal parts, of 1.3 to 3 PART: two threads have the same to do, and calls are long
    parts = 2 * max(round(whole.size / (4 * PART)), 1)
    if not rows:
        return (
            shape,
            -(-whole.size // parts),
            [(a.reshape(-1) if c else a.reshape(()), c) for a, c in zip(arrays, cut)],
        )
    return None if shape[0] < 2 else (shape, -(-shape[0] // min(parts, shape[0])), list(zip(arrays, cut)))
