"""Products of matrices: large ones are shared among threads, in parts that their sizes decide, so that results have the same bits on any number of threads."""

import numpy as np

from .._base import threads
from .._base.pool import share
from . import engine
from .traced import program_of

#: With fewer elements on the left, nothing else is looked at.
FEW = 1 << 13
#: From so many multiplications on, some 150 us, a product is shared; a part has half as many, or more.
LARGE = 1 << 23
_NARROW = 32  # the fewest rows or columns of a part


def dot(x, y):
    """The product of arrays of one or two axes, as ``ndarray.dot``."""
    if x.size < FEW or y.ndim == 0:
        return x.dot(y)
    multiplications = x.size * (y.shape[1] if y.ndim == 2 else 1)
    if multiplications < LARGE:
        return x.dot(y)
    program = program_of((x, y))
    if program is not None:  # one call, for the same bits
        return program.call(dot, (x, y), {})
    found = engine.ask("matmul", x, y)
    if found is not None:
        return found
    if not _shareable(x, y) or x.ndim != 2 or x.shape[1] != y.shape[0]:
        return x.dot(y)
    z = np.empty((len(x), *y.shape[1:]), x.dtype)
    _share_parts(x, y, z, _parts(multiplications))
    return z


def _share_parts(x, y, z, count):
    """Compute ``z``, the product of matrices, or of one and a vector, in ``count`` parts."""
    if y.ndim == 1 or len(x) >= y.shape[1]:
        rows = max(-(-len(x) // count), _NARROW)
        share(lambda i: np.matmul(x[i : i + rows], y, out=z[i : i + rows]), range(0, len(x), rows))
    else:
        columns = max(-(-y.shape[1] // count), _NARROW)
        share(
            lambda i: np.matmul(x, y[:, i : i + columns], out=z[:, i : i + columns]),
            range(0, y.shape[1], columns),
        )


def dot_into(x, y, out):
    """Compute in ``out`` what ``dot`` returns for operands that are many."""
    found = engine.ask("matmul", x, y)
    if found is not None:
        out[...] = found
    elif not _shareable(x, y) or x.ndim != 2 or x.shape[1] != y.shape[0]:
        x.dot(y, out)
    else:
        _share_parts(x, y, out, _parts(x.size * (y.shape[1] if y.ndim == 2 else 1)))


def dot_plus_into(x, y, b, out):
    """Compute in ``out`` what ``dot_plus`` returns for operands that are many."""
    found = engine.ask("matmul", x, y, b)
    if found is not None:
        out[...] = found
    else:
        dot_into(x, y, out)
        out += b


def dot_plus(x, y, b):
    """The product of matrices plus a row."""
    if x.size * y.shape[1] >= LARGE:
        program = program_of((x, y, b))
        if program is not None:
            return program.call(dot_plus, (x, y, b), {})
        found = engine.ask("matmul", x, y, b)
        if found is not None:
            return found
    z = dot(x, y)
    z += b
    return z


def _shareable(x, y):
    """Whether two operands are arrays of one dtype (not those of ``meta``, which have no elements), and products are not BLAS's to share."""
    return threads.held and x.__class__ is y.__class__ is np.ndarray and x.dtype is y.dtype


def _parts(multiplications):
    """How many parts a product has: 2 for the smallest that is shared, 4 for one of 512 x 512 matrices, 16 at most."""
    count = 2
    for times in (4, 32, 256):
        if multiplications >= times * LARGE:
            count *= 2
    return count


def matmul(x, y):
    """The product of matrices or stacks of matrices, whose leading axes broadcast."""
    if x.ndim == 2 and y.ndim == 2:
        return dot(x, y)
    if x.size >= FEW and x.size * y.shape[-1] >= LARGE:
        program = program_of((x, y))
        if program is not None:
            return program.call(matmul, (x, y), {})
        found = engine.ask("matmul", x, y)
        if found is not None:
            return found
    x, y = _for_blas(x), _for_blas(y)
    if (
        x.size < FEW
        or x.size * y.shape[-1] < LARGE
        or not _shareable(x, y)
        or x.shape[:-2] != y.shape[:-2]
        or len(x) < 2
    ):
        return np.matmul(x, y)
    z = np.empty((*x.shape[:-1], y.shape[-1]), x.dtype)
    count = min(_parts(x.size * y.shape[-1]), len(x))
    step = -(-len(x) // count)
    share(lambda i: np.matmul(x[i : i + step], y[i : i + step], out=z[i : i + step]), range(0, len(x), step))
    return z


def _for_blas(x):
    """``x``, or a copy if its last two axes lie in memory as BLAS cannot read them: ``np.matmul`` would be 20 times slower."""
    if x.ndim < 2:
        return x
    item, row, column = x.itemsize, x.strides[-2], x.strides[-1]
    if (column == item and row >= item * x.shape[-1]) or (row == item and column >= item * x.shape[-2]):
        return x
    return np.ascontiguousarray(x)
