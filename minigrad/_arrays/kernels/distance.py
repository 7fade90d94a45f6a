"""Kernels of distances between all pairs of vectors, on arrays."""

import numpy as np

from ..reductions import vector_norm

_MOST = 1 << 18  # differences at once: what a cache holds
_FEW = (
    25  # vectors up to which each difference is taken by itself: products of long vectors lose what is near 0
)


def all_norms(x, y, p):
    """The p-norms of the differences of all rows, (..., P, M) and (..., R, M) -> (..., P, R)."""
    rows, columns, width = x.shape[-2], y.shape[-2], x.shape[-1]
    if p == 2 and max(rows, columns) > _FEW:
        return euclidean(x, y)
    lead = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    z = np.empty((*lead, rows, columns), x.dtype)
    if not width:
        z[...] = 0
        return z
    if not z.size:
        return z
    step = max(_MOST * rows // (z.size * width), 1)
    for i in range(0, rows, step):
        d = x[..., i : i + step, None, :] - y[..., None, :, :]
        z[..., i : i + step, :] = vector_norm(d, p, d.ndim - 1, False)
    return z


def euclidean(x, y):
    """The Euclidean distances of all rows, by products of matrices."""
    squares = np.vecdot(x, x)[..., :, None] + np.vecdot(y, y)[..., None, :]
    squares -= 2 * np.matmul(x, y.mT)
    np.maximum(squares, 0, out=squares)
    return np.sqrt(squares, squares)
