"""Rows that are added to a dense array at places that may repeat: in one go by SciPy's kernel where SciPy is installed, by NumPy in the same order otherwise."""

import functools
import math

import numpy as np


@functools.cache
def scipy_tools():
    """SciPy's compiled functions on sparse matrices; None without SciPy."""
    try:
        from scipy.sparse import _sparsetools
    except ImportError:
        return None
    return _sparsetools


#: The dtypes that SciPy's kernel adds as NumPy does, without converting them first.
_KINDS = "fc"


def add_rows(target, keys, values, factor):
    """Add ``factor`` times ``values`` to the rows of ``target`` at ``keys``, in turn; return False, with nothing done, where SciPy's kernel cannot."""
    tools = scipy_tools()
    if (
        tools is None
        or target.__class__ is not np.ndarray
        or target.dtype != values.dtype
        or values.dtype.kind not in _KINDS
        or values.itemsize < 4
        or target.ndim < 1
        or not target.flags.writeable  # NumPy refuses it in clearer words
        or not (target.flags.c_contiguous and values.flags.c_contiguous and keys.flags.c_contiguous)
        or not len(keys)
    ):
        return False
    count, rows = len(keys), len(target)
    if (
        keys.view(np.uint64).max() >= rows
    ):  # the kernel does not look, and negative numbers are large ones here
        raise IndexError(f"an index is out of bounds for dimension 0 with size {rows}")
    factors = np.full(count, factor, values.dtype)
    width = values.size // count
    if width:
        tools.csc_matvecs(
            rows, count, width, np.arange(count + 1), keys, factors, values.reshape(-1), target.reshape(-1)
        )
    return True


_AT_ONCE = 1 << 17  # how many numbers are in work at a time: they stay in the processor's cache
_LONG = 64


def add_in_order(out, starts, lengths, terms):
    """Add to each row i of ``out`` the rows ``terms(k)`` for ``lengths[i]`` numbers k from ``starts[i]`` on, one after the other, as SciPy's kernels do.

    ``terms`` takes an array of such numbers and returns new rows.  NumPy's own sums would add the terms of a row in pairs.
    """
    step = max(_AT_ONCE // max(math.prod(out.shape[1:]), 1), 1)
    order = np.argsort(_LONG - np.minimum(lengths, _LONG).astype(np.int16), kind="stable")  # longest first
    starts, lengths = starts[order], lengths[order]
    long = np.count_nonzero(lengths >= _LONG)
    for row, begin, length in zip(order[:long].tolist(), starts[:long].tolist(), lengths[:long].tolist()):
        for k in range(begin, begin + length, step):
            part = terms(np.arange(k, min(k + step, begin + length)))
            part[0] += out[row]
            # a sum over the first of two dimensions is in order; one of numbers in a row is of pairs
            out[row] = (
                np.add.reduce(part, axis=0) if part[0].size > 1 else np.add.accumulate(part, axis=0)[-1]
            )
    for begin in range(long, len(order), step):
        rows, begins = order[begin : begin + step], starts[begin : begin + step]
        counts = np.bincount(lengths[begin : begin + step], minlength=_LONG + 1)
        left = len(rows) - np.cumsum(counts)  # how many rows have more than 0, 1, 2, ... terms
        sums = out[rows]
        for k, m in enumerate(left.tolist()):
            if not m:
                break
            sums[:m] += terms(begins[:m] + k)
        out[rows] = sums
