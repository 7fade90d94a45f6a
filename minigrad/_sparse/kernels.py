"""Products of a sparse matrix: by SciPy's kernels where SciPy is installed, by NumPy's otherwise; both sum the elements of a row in their order."""

import functools

import numpy as np

from .arrays import INDEX
from .scattering import add_in_order, scipy_tools

_PART = 1 << 18  # how many numbers are in work at a time: they stay in the processor's cache


class Rows:
    """The elements of a matrix row by row: those from ``bounds[i]`` to ``bounds[i + 1]`` are in row i, in the columns ``along``; of the values of a tensor, ``order`` says where each is
    (None: they are in this order).
    """

    __slots__ = ("bounds", "along", "order", "count")

    def __init__(self, bounds, along, order, count):
        self.bounds, self.along, self.order, self.count = bounds, along, order, count


def rows_of(outer, along, count, ordered):
    """``Rows`` of elements with these indices; ``ordered``: they come row by row."""
    order = None
    if not ordered and len(outer) > 1 and (np.diff(outer) < 0).any():
        order = np.argsort(outer.astype(np.int32) if count < 2**31 else outer, kind="stable")
        along = along[order]
    bounds = np.zeros(count + 1, INDEX)
    np.cumsum(np.bincount(outer, minlength=count), out=bounds[1:])
    return Rows(bounds, along, order, count)


def times(rows, values, dense, columns):
    """The product of a matrix of ``columns`` columns, with ``values`` (n), and ``dense`` (columns, m)."""
    if rows.order is not None:
        values = values[rows.order]
    dtype = np.result_type(values, dense)
    compute = np.dtype(np.float32) if dtype.itemsize == 2 and dtype.kind not in "iu" else dtype
    if dtype.kind == "b":
        compute = np.dtype(np.int64)
    values, dense = values.astype(compute, copy=False), dense.astype(compute, copy=False)
    tools = scipy_tools() if compute.kind in "fciu" else None
    out = np.zeros((rows.count, dense.shape[1]), compute)
    if len(values) and dense.shape[1]:
        if tools is None:
            _in_order(rows, values, dense, out)
        else:
            tools.csr_matvecs(
                rows.count, columns, dense.shape[1], rows.bounds, np.ascontiguousarray(rows.along), np.ascontiguousarray(values),
                np.ascontiguousarray(dense).ravel(), out.ravel(),
            )  # fmt: skip
    return out.astype(dtype, copy=False)


def _in_order(rows, values, dense, out):
    if dense.shape[1] == 1:
        products = _product(dense.take(rows.along, 0), values[:, None])
        terms = functools.partial(products.take, axis=0)
    else:

        def terms(at):
            return _product(dense.take(rows.along[at], 0), values[at, None])

    add_in_order(out, rows.bounds[:-1], np.diff(rows.bounds), terms)


def _product(x, y):
    """``x * y``, in the memory of ``x``; of complex numbers part by part, as NumPy may round a product and a sum once only."""
    if x.dtype.kind != "c":
        x *= y
        return x
    out = np.empty_like(x)
    out.real = x.real * y.real - x.imag * y.imag
    out.imag = x.imag * y.real + x.real * y.imag
    return out


def sampled(first, second, a, b):
    """For each k, the product of row ``first[k]`` of ``a`` and row ``second[k]`` of ``b``."""
    dtype = np.result_type(a, b)
    compute = np.float32 if dtype.itemsize == 2 and dtype.kind not in "iu" else dtype
    out = np.empty(len(first), compute)
    step = max(_PART // max(a.shape[1], 1), 1)
    for begin in range(0, len(first), step):
        part = slice(begin, begin + step)
        np.einsum(
            "kd,kd->k",
            a[first[part]].astype(compute, copy=False),
            b[second[part]].astype(compute, copy=False),
            out=out[part],
        )
    return out.astype(dtype, copy=False)


def of_two(a, b, columns):
    """The product of two matrices, each ``(rows, values)`` in order: (row of each element, its column, its value), row by row and in order."""
    (rows, values), (others, factors) = a, b
    if rows.order is not None:
        values = values[rows.order]
    if others.order is not None:
        factors = factors[others.order]
    lengths = np.diff(others.bounds)[rows.along]
    total = int(lengths.sum())
    outer = np.repeat(np.repeat(np.arange(rows.count), np.diff(rows.bounds)), lengths)
    begins = np.repeat(
        others.bounds[rows.along] - np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(INDEX), lengths
    )
    at = np.arange(total) + begins if total else np.empty(0, INDEX)
    return outer, others.along[at], np.repeat(values, lengths) * factors[at]
