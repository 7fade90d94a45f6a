"""Where elements are: the indices of those that are not zero, and of places counted as if in one row."""

import operator

import numpy as np

from .._core.errors import not_a_tensor
from .._core.interpret import into
from .._core.tensor import Tensor, wrap
from .._core.wrapped import Wrapped, no_fallback, no_shape, one_value
from .keys import _INT64
from .split import unbind

__all__ = ["argwhere", "nonzero", "nonzero_static", "unravel_index"]


def nonzero(input, *, out=None, as_tuple=False):
    """The indices of all elements that are not zero: a row for each, or a tuple with a vector for each dimension.

    >>> import minigrad
    >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("nonzero", "input", 1, input)
    if isinstance(input, Wrapped):
        input = one_value(input, no_fallback("nonzero_numpy") if as_tuple else no_shape("nonzero"))
    x = input._array
    if as_tuple:
        return unbind(nonzero(input if x.ndim else input.detach().unsqueeze(0)), 1)
    found = wrap(np.array(x.nonzero()).T if x.ndim else np.zeros((int(bool(x)), 0), _INT64))
    return found if out is None else into(out, lambda: found, "nonzero")


def argwhere(input):
    """The indices of all elements that are not zero, a row for each.

    >>> import minigrad
    >>> minigrad.argwhere(minigrad.tensor([0, 5, 6]))
    tensor([[1],
            [2]])
    """
    return nonzero(input)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """As ``nonzero``, in a result of ``size`` rows: the first ones, or what there are and then rows of ``fill_value``.

    Raises RuntimeError if ``size`` is negative.

    >>> import minigrad
    >>> minigrad.nonzero_static(minigrad.tensor([0, 5]), size=2)
    tensor([[ 1],
            [-1]])
    """
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = nonzero(input)._array[:size]
    z = np.full((size, found.shape[1]), fill_value, _INT64)
    z[: len(found)] = found
    return wrap(z) if out is None else into(out, lambda: wrap(z), "nonzero_static")


def unravel_index(indices, shape):
    """The indices by dimension of a tensor of ``shape``, for indices of its elements as if in one row; as a tuple.

    Raises ValueError for a negative size, TypeError for indices that are no integers.

    >>> import minigrad
    >>> minigrad.unravel_index(minigrad.tensor([1, 5]), (2, 3))
    (tensor([0, 1]), tensor([1, 2]))
    """
    if not isinstance(indices, Tensor):
        raise not_a_tensor("unravel_index", "indices", 1, indices)
    if indices._array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = (operator.index(shape),) if hasattr(shape, "__index__") else tuple([operator.index(n) for n in shape])
    if min(shape, default=0) < 0:
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    left = indices._array.astype(_INT64)
    found = np.empty((*left.shape, len(shape)), _INT64)
    for d in range(len(shape) - 1, -1, -1):
        found[..., d] = left % max(shape[d], 1)
        left = left // max(shape[d], 1)
    return unbind(wrap(found), -1)
