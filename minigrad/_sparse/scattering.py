"""Rows that are added to a dense array at places that may repeat: in one go by SciPy's kernel where SciPy is installed."""

import functools

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
