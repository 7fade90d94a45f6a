"""``take`` and ``put``: elements picked, or set, as if all of a tensor's stood in one row."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._base.dtypes import dtype_name, scalar_type_name
from .._base.errors import not_a_tensor
from .._core.families import General, op
from .._core.inplace import check_apart, may_write, write
from .._core.tensor import Tensor, wrap
from .._core.wrapped import elements
from .batches import everywhere
from .choose import where
from .keys import _INT64

__all__ = ["put", "take"]
METHODS = "put put_ take"


def check_index_dtype(function, index):
    """Raise unless ``index`` is a tensor of int64."""
    if not isinstance(index, Tensor):
        raise not_a_tensor(function.rstrip("_"), "index", 2, index)
    if index._array.dtype is not _INT64:
        raise RuntimeError(f"{function}(): Expected a long tensor for index, but got {dtype_name(index)}")


def check_flat_index(function, x, index):
    """Raise unless ``index`` may pick elements of ``x`` as if in one row."""
    check_index_dtype(function, index)
    i, n = elements(index), x._array.size
    if i.size:
        if not n:
            raise IndexError(f"{function}(): tried to {function.rstrip('_')} from an empty tensor")
        bad = (i < -n) | (i >= n)
        if bad.any():
            raise IndexError(f"out of range: tried to access index {i[bad][0]} on a tensor of {n} elements.")


def in_one_row(index, n, size):
    """Indices into each of ``size`` rows of n elements, as indices into all of them."""
    return where(index < 0, index + n, index) + wrap(np.arange(size) * n).reshape(-1, *(1,) * (index.ndim - 1))


class TakeBackward0(General):
    """z = the elements of x, as if in one row, at ``index``."""
    linear = True
    operands = "x index"
    def batch(call, xs, batched, params, size):
        if not batched[0]: return call(*xs)
        x, index = everywhere(xs, batched, size)
        return call(x, in_one_row(index, x.numel() // size, size))
    def forward(x, index):            return x.take(index)
    def vjp_x(xp, g, x_shape, index): return xp.put_flat(g, index, x_shape)
_take = op(TakeBackward0)


class PutFlat(General):
    """z = zeros of ``shape`` with x added at ``index``, as if in one row: what ``xp.put_flat`` is on Tensors."""
    linear = True
    operands, public = "x index", "put_flat"
    def batch(call, xs, batched, params, size):
        x, index = everywhere(xs, batched, size)
        return call(x, in_one_row(index, math.prod(params[0]), size), (size, *params[0]))
    def forward(x, index, shape): return arrays.put_flat(x, index, shape)
    def vjp_x(xp, g, index):      return xp.take_flat(g, index)
put_flat = op(PutFlat)


def take(input, index, *, out=None):
    """Return the elements of the flattened ``input`` at ``index`` (int64), in the shape of ``index``.

    Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.take(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([0, -1]))
    tensor([1, 4])
    """
    if isinstance(out, Tensor) and out.dtype is not input.dtype:
        raise RuntimeError(
            f"take(): self and out expected to have the same dtype, but got self.dtype = {scalar_type_name(input.dtype)} and out.dtype = "
            f"{scalar_type_name(out.dtype)}"
        )
    check_flat_index("take", input, index)
    return _take(input, index) if out is None else _take.into(out, input, index)


class PutBackward0(General):
    """z = x with the elements of y at ``index``, as if in one row (or added there, if ``accumulate``)."""
    linear = True
    operands, names = "x index y", {"y": "source"}
    def batch(call, xs, batched, params, size):
        x, index, y = everywhere(xs, batched, size)
        return call(x, in_one_row(index, x.numel() // size, size), y, *params)
    def forward(x, index, y, accumulate):
        z = np.array(x, order="K")
        put_in_row(z, index, y, accumulate)
        return z
    def vjp_x(xp, g, index, accumulate): return g if accumulate else xp.zero_flat(g, index)
    def vjp_y(xp, g, index, y_shape):    return xp.reshape(xp.take_flat(g, index), y_shape)
_put = op(PutBackward0)


def put_in_row(x, index, y, accumulate):
    """Write the elements of ``y`` at ``index`` of array ``x``, as if in one row, or add them there, one after the other."""
    if not accumulate or x.__class__ is not np.ndarray:  # on ``meta`` there is nothing to add
        x.put(index, y)
    else:
        x = x if x.ndim else x.reshape(1)
        np.add.at(x, np.unravel_index(index % max(x.size, 1), x.shape), y.reshape(index.shape))


def zero_flat(x, index):
    """``x`` with zeros at ``index``, as if in one row."""
    return _put(x, index, wrap(np.zeros(index._array.size, x._array.dtype)), False)


def check_put(input, index, source):
    """Raise unless ``source`` may be put at ``index``."""
    check_index_dtype("put_", index)
    if not isinstance(source, Tensor):
        raise not_a_tensor("put", "source", 3, source)
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtype_name(input)} and source.dtype = {dtype_name(source)}"
        )
    if source._array.size != index._array.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {index._array.size}"
        )
    check_flat_index("put_", input, index)


def put(input, index, source, accumulate=False):
    """Return a copy of ``input`` with the elements of ``source`` written, or with ``accumulate`` added, at ``index`` of the flattened tensor.

    Raises IndexError for an index out of range or of another size than ``source``.

    >>> import minigrad
    >>> minigrad.put(minigrad.tensor([1, 2, 3]), minigrad.tensor([0]), minigrad.tensor([9]))
    tensor([9, 2, 3])
    """
    check_put(input, index, source)
    return _put(input, index, source, bool(accumulate))


def put_(input, index, source, accumulate=False):
    """In-place version of ``put``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(2, 2).put_(minigrad.tensor([1, 2]), minigrad.tensor([5., 6.]))
    tensor([[0., 5.],
            [6., 0.]])
    """
    may_write(input, source)
    check_put(input, index, source)
    check_apart(input, index, source)
    accumulate = bool(accumulate)
    return write(PutBackward0, input, (index, source), (accumulate,), lambda x, i, y: put_in_row(x, i, y, accumulate))
