"""``gather`` with a sparse gradient: what arrives for each element that was picked, at its place."""

import numpy as np

from .._ops.gather import gather as pick
from .arrays import INDEX, Coo
from .node import record, takes_sparse
from .parts import of_values, to_dense


def gather(input, dim, index):
    """The elements of ``input`` at ``index`` along the dimension ``dim``.  The gradient of a leaf is sparse, elements that were picked twice occur twice."""
    result = pick(input.detach(), dim, index)
    at = np.asarray(index._array)
    indices = np.indices(at.shape, INDEX).reshape(at.ndim, at.size)
    if at.ndim:
        indices[dim] = at.reshape(-1)
    shape = input._array.shape
    sparse_one = takes_sparse(input)

    def formula(g, needs):
        values = g.reshape(-1)
        found = of_values(Coo(indices, values._array, shape), values)
        return (found if sparse_one else to_dense(found),)

    return record("GatherBackward0", result, (input,), formula)
