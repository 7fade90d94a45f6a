"""Where elements are: the indices of those that are not zero, and of places counted as if in one row."""

import operator

import numpy as np

from .._arrays.rounding import numbers
from .._base.composites import composite
from .._base.dtypes import dtype_name, int64, is_complex_type
from .._base.errors import integer, not_a_tensor
from .._core import late
from .._core.families import General, op
from .._core.out import write_result
from .._core.packed import refuse_packed
from .._core.tensor import Tensor, is_blank, wrap
from .._core.wrapped import Wrapped, no_fallback, one_value
from .batches import no_shape
from .join import stack
from .keys import _INT64
from .rounding import div, remainder
from .split import unbind

__all__ = ["argwhere", "nonzero", "nonzero_static", "unravel_index"]
METHODS = "argwhere nonzero nonzero_static"


def _with_zeros(x):
    """Array ``x``, or the numbers of one of complex elements that NumPy has no type for; raises NotImplementedError for bytes."""
    return numbers(x) if is_complex_type(x.dtype) else refuse_packed(x, "nonzero_count_cpu")


def _check_out(function, out):
    """Raise RuntimeError for an ``out`` that cannot hold indices."""
    if isinstance(out, Tensor) and out.dtype is not int64:
        raise RuntimeError(f"{function}: Expected out tensor to have scalar type Long but got scalar type{dtype_name(out._array)}")


@composite
def nonzero(input, *, out=None, as_tuple=False):
    """Return the indices of all non-zero elements: one row for each, or a tuple with a vector for each dimension.

    >>> import minigrad
    >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("nonzero", "input", 1, input)
    if isinstance(input, Wrapped):
        input = one_value(input, no_fallback("nonzero_numpy") if as_tuple else no_shape("nonzero"))
    x = _with_zeros(input._array)
    if is_blank(x):
        raise late.meta().unsupported("nonzero")
    if as_tuple:
        return unbind(nonzero(input if x.ndim else input.detach().unsqueeze(0)), 1)
    found = wrap(np.array(x.nonzero()).T if x.ndim else np.zeros((int(bool(x)), 0), _INT64))
    if out is None:
        return found
    _check_out("nonzero", out)
    return write_result(out, found, "nonzero")


@composite
def argwhere(input):
    """Return the indices of all non-zero elements, one row for each.

    >>> import minigrad
    >>> minigrad.argwhere(minigrad.tensor([0, 5, 6]))
    tensor([[1],
            [2]])
    """
    return _argwhere(input) if isinstance(input, Wrapped) else nonzero(input)


class Argwhere(General):
    """The indices of the elements of one sample that are not zero; all samples are to have as many."""
    operands, public = "x", "nonzero"
    def forward(x): return np.array(_with_zeros(x).nonzero()).T if x.ndim else np.zeros((int(bool(x)), 0), _INT64)
_argwhere = op(Argwhere)


class NonzeroStatic(General):
    """The indices of the first elements that are not zero, and rows of a number up to so many."""
    operands, public = "x", "nonzero_static"
    def forward(x, size, fill_value):
        found = Argwhere.forward(x)[:size]
        z = np.full((size, found.shape[1]), fill_value, _INT64)
        z[: len(found)] = found
        return z
_nonzero_static = op(NonzeroStatic)


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """Return the indices of non-zero elements in exactly ``size`` rows, cut off or filled up with rows of ``fill_value``.

    Raises RuntimeError if ``size`` is negative.

    >>> import minigrad
    >>> minigrad.nonzero_static(minigrad.tensor([0, 5]), size=2)
    tensor([[ 1],
            [-1]])
    """
    fill_value = integer(fill_value, "nonzero_static", "fill_value", 3)
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    if out is None:
        return _nonzero_static(input, size, fill_value)
    _check_out("nonzero_static", out)
    return _nonzero_static.into(out, input, size, fill_value)


def unravel_index(indices, shape):
    """Convert indices into a flattened tensor of ``shape`` to a tuple of indices for each dimension.

    Raises ValueError for a negative size, TypeError for indices that are not integers.

    >>> import minigrad
    >>> minigrad.unravel_index(minigrad.tensor([1, 5]), (2, 3))
    (tensor([0, 1]), tensor([1, 2]))
    """
    if not isinstance(indices, Tensor):
        raise not_a_tensor("unravel_index", "indices", 1, indices)
    if indices._array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not hasattr(shape, "__iter__" if isinstance(shape, tuple | list) else "__index__") or isinstance(shape, Tensor):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    shape = (operator.index(shape),) if hasattr(shape, "__index__") else tuple([operator.index(n) for n in shape])
    if min(shape, default=0) < 0:
        raise ValueError(f"'shape' cannot have negative values, but got {shape}")
    if 0 in shape and indices.numel():
        raise RuntimeError("ZeroDivisionError")
    left = indices.long()
    found = []
    for n in reversed(shape):
        n = max(n, 1)
        found.append(remainder(left, n))
        left = div(left, n, rounding_mode="floor")
    return unbind(stack(found[::-1], -1) if found else indices.new_empty((*indices.shape, 0)), -1)
