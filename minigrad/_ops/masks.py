"""Masks: elements filled, selected or replaced where a tensor of bool holds."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._base.dtypes import dtype_name
from .._base.errors import broadcast_shapes, check_sizes, not_a_tensor, type_name
from .._core.families import General, op
from .._core.inplace import fits, may_write, write
from .._core.tensor import Tensor, wrap
from .batches import aligned, everywhere, pointwise
from .choose import where
from .convert import as_number
from .keys import _BOOL

__all__ = ["masked_fill", "masked_scatter", "masked_select"]
METHODS = "masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select"


def check_boolean(function, mask):
    """Raise RuntimeError unless ``mask`` is of bool."""
    if not isinstance(mask, Tensor):
        raise not_a_tensor(function, "mask", 2, mask)
    if mask._array.dtype is not _BOOL:
        raise RuntimeError(f"{function}_ only supports boolean masks, but got mask with dtype {C_NAMES.get(mask.dtype.name, mask.dtype.name)}")


#: The names of dtypes in messages that use C's.
C_NAMES = {
    "float32": "float", "float64": "double", "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "int32": "int", "int64": "long int", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip


def refuse_mask(error, xs, params):
    """Raise PyTorch's error for a mask that does not broadcast with x."""
    check_sizes(xs[1].shape, xs[0].shape)


class MaskedFillBackward0(General):
    """z = value, a number, where ``mask`` holds, else x; they broadcast."""
    aten = "masked_fill.Scalar"
    operands, refuse, fills = "x mask", staticmethod(refuse_mask), "tensor[mask] = scalar"
    batch = pointwise
    def forward(x, mask, value):     return arrays.contiguous(arrays.where(mask, value, x))
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
    def jvp_x(xp, tx, mask):         return xp.drop(tx, mask)
_masked_fill_number = op(MaskedFillBackward0)


class MaskedFillBackward1(General):
    """z = y, a 0-dim tensor, where ``mask`` holds, else x; they broadcast."""
    aten = "masked_fill.Tensor"
    operands, refuse, names, fills = "x mask y", staticmethod(refuse_mask), {"y": "value"}, "tensor[mask] = scalar"
    batch = pointwise
    def forward(x, mask, y):         return arrays.contiguous(arrays.where(mask, y, x))
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
    def vjp_y(xp, g, mask, y_shape): return xp.sum_to(xp.keep(g, mask), y_shape)
    def jvp_x(xp, tx, mask):         return xp.drop(tx, mask)
    def jvp_y(xp, ty, mask):         return xp.keep(ty, mask)
_masked_fill_tensor = op(MaskedFillBackward1)


def filling(function, input, value):
    """A value to fill elements of ``input`` with: an array of its dtype for a number, a tensor of its dtype for a 0-dim tensor."""
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(
                f"{function} only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
            )
        if value._array.dtype == input._array.dtype or value.requires_grad:
            return value
        if value._wrapped: return value.to(input.dtype)
        return wrap(np.asarray(as_number(value._array.item(), input._array.dtype, bounded=True)))
    if not isinstance(value, (bool, int, float, complex, np.generic)):
        raise TypeError(
            f"{function.rstrip('_')}() received an invalid combination of arguments - got a value of type {type_name(value)}, but "
            "expected a Tensor or a Number"
        )
    return as_number(value, input._array.dtype, bounded=True)


def masked_fill(input, mask, value):
    """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, where ``mask`` is true; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.masked_fill(x, x > 1, 0)
    tensor([1., 0.])
    """
    check_boolean("masked_fill", mask)
    value = filling("masked_fill_", input, value)
    if isinstance(value, Tensor) and value.dtype is not input.dtype:
        value = value.to(input.dtype)  # what is filled keeps its dtype
    return _masked_fill_tensor(input, mask, value) if isinstance(value, Tensor) else _masked_fill_number(input, mask, value)


def masked_fill_(input, mask, value):
    """In-place version of ``masked_fill``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).masked_fill_(minigrad.tensor([True, False]), 0.)
    tensor([0., 2.])
    """
    may_write(input, value)
    check_boolean("masked_fill", mask)
    value = filling("masked_fill_", input, value)
    if isinstance(value, Tensor):
        return write(
            MaskedFillBackward1, input, (mask, value), (), fill_masked, mask_fits(input, mask)
        )
    return write(
        MaskedFillBackward0, input, (mask,), (value,), lambda x, m: np.copyto(x, value, where=m), mask_fits(input, mask)
    )


def fill_masked(x, mask, y):
    """Write the number in the 0-dim array ``y`` into ``x`` where ``mask`` holds."""
    np.copyto(x, y.real if y.dtype.kind == "c" and x.dtype.kind != "c" else y, where=mask, casting="unsafe")


def mask_fits(input, mask):
    """Raises RuntimeError, when called, if ``mask`` is too large for an in-place op on ``input``."""
    shapes = [input._array.shape, mask._array.shape]
    return lambda: fits(MaskedFillBackward0, input, input.dtype, broadcast_shapes(shapes))


class MaskedSelectBackward0(General):
    """z = the elements of x where ``mask`` holds, in one row; they broadcast."""
    linear, sized_by = True, 1
    operands, refuse = "x mask", staticmethod(refuse_mask)
    def forward(x, mask):            return arrays.masked_select(x, mask)
    def vjp_x(xp, g, mask, x_shape): return xp.masked_place(g, mask, x_shape)
    def batch(call, xs, batched, params, size):
        x, mask = xs
        if batched[1]:
            raise RuntimeError(
                "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for "
                "each batch this would return a differently shaped Tensor. Use torch.where(mask, self, 0), which keeps the "
                "shape, or loop over the samples."
            )
        # the samples last: what is selected comes with all of them
        shape = np.broadcast_shapes(x._array.shape[1:], mask._array.shape)
        x = x.reshape((size, *(1,) * (len(shape) + 1 - x._array.ndim), *x._array.shape[1:])).movedim(0, -1)
        x, mask = x.expand((*shape, size)), mask.expand(shape).unsqueeze(-1).expand((*shape, size))
        return call(x, mask).reshape((-1, size)).movedim(-1, 0)
_masked_select = op(MaskedSelectBackward0)


class MaskedPlace(General):
    """z = zeros with x, in one row, where ``mask`` holds, summed to ``shape``: what ``xp.masked_place`` is on Tensors."""
    linear = True
    operands, public = "x mask", "masked_place"
    def batch(call, xs, batched, params, size):
        (x, mask), (shape,) = xs, params
        mask = mask.unsqueeze(-1).expand((*mask.shape, size))
        return call(x.mT.reshape(-1), mask, (*shape, size)).movedim(-1, 0)
    def forward(x, mask, shape): return arrays.masked_place(x, mask, shape)
    def vjp_x(xp, g, mask):      return xp.masked_select(g, mask)
masked_place = op(MaskedPlace)


def masked_select(input, mask, *, out=None):
    """Return the elements of ``input`` where ``mask`` is true, as a vector; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2., 3.])
    >>> minigrad.masked_select(x, x > 1)
    tensor([2., 3.])
    """
    if isinstance(mask, Tensor) and mask._array.dtype is not _BOOL:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if isinstance(out, Tensor) and isinstance(input, Tensor) and out.dtype is not input.dtype:
        raise RuntimeError("masked_select(): self and result must have the same scalar type")
    return _masked_select(input, mask) if out is None else _masked_select.into(out, input, mask)


def refuse_scatter(error, xs, params):
    """Raise PyTorch's error for a mask or a source that do not fit."""
    refuse_mask(error, xs, params)
    if isinstance(error, ValueError):
        raise RuntimeError("Number of elements of source < number of ones in mask") from None


class MaskedScatterBackward0(General):
    """z = the first elements of y, one after the other, where ``mask`` holds, else x; x and ``mask`` broadcast."""
    linear = True
    operands, names, refuse = "x mask y", {"x": "self", "y": "source", "y_shape": "source_sym_sizes"}, staticmethod(refuse_scatter)
    def batch(call, xs, batched, params, size):
        x, mask, y = xs
        ndim = max(x.ndim - batched[0], mask.ndim - batched[1])
        x, mask = aligned(x, batched[0], ndim), aligned(mask, batched[1], ndim)
        shape = (size, *np.broadcast_shapes((1,) * (ndim + 1), x.shape, mask.shape)[1:])
        x, mask, (y,) = x.expand(shape), mask.expand(shape), everywhere(xs[2:], batched[2:], size)
        place = (mask.reshape(size, -1).cumsum(1) - 1).clamp(0, max(y.numel() // size - 1, 0))
        return where(mask, y.reshape(size, -1).gather(1, place).reshape(shape) if y.numel() else x, x)
    def forward(x, mask, y):
        shape = np.broadcast_shapes(x.shape, mask.shape)
        z = np.array(np.broadcast_to(x, shape), order="C")
        scatter_masked(z, mask, y)
        return z
    def vjp_x(xp, g, mask, x_shape): return xp.sum_to(xp.drop(g, mask), x_shape)
    def vjp_y(xp, g, mask, y_shape):
        n = math.prod(y_shape)
        mask = xp.reshape(xp.broadcast_to(mask, g.shape), (-1,))
        place = xp.where(mask, xp.cumsum(xp.where(mask, 1, 0), 0) - 1, n)  # n: nowhere
        return xp.reshape(xp.add_elements(xp.reshape(g, (-1,)), place, 0, (n + 1,))[:n], y_shape)
_masked_scatter = op(MaskedScatterBackward0)


def scatter_masked(x, mask, y):
    """Write the first elements of ``y`` into array ``x`` where ``mask`` holds."""
    mask = np.broadcast_to(mask, x.shape)
    n = np.count_nonzero(mask)
    if n > y.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    x[mask] = y.reshape(-1)[:n]


def check_masked_scatter(input, mask, source):
    """Raise TypeError or RuntimeError unless the operands of ``masked_scatter`` have the right types."""
    for place, (name, x) in enumerate((("mask", mask), ("source", source)), 2):
        if not isinstance(x, Tensor):
            raise not_a_tensor("masked_scatter", name, place, x)
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{dtype_name(input)} and {dtype_name(source)}"
        )
    if mask._array.dtype is not _BOOL:
        raise RuntimeError(
            f"masked_scatter_ only supports boolean masks, but got mask with dtype {dtype_name(mask)}"
        )


def masked_scatter(input, mask, source):
    """Return a copy of ``input`` with consecutive elements of ``source`` where ``mask`` is true; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool, or a source of another dtype or with too few elements.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2, 3])
    >>> minigrad.masked_scatter(x, x > 1, minigrad.tensor([7, 8]))
    tensor([1, 7, 8])
    """
    check_masked_scatter(input, mask, source)
    return _masked_scatter(input, mask, source)


def masked_scatter_(input, mask, source):
    """In-place version of ``masked_scatter``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([1., 2., 3.]).masked_scatter_(minigrad.tensor([True, False, True]), minigrad.tensor([8., 9.]))
    tensor([8., 2., 9.])
    """
    may_write(input, source)
    check_masked_scatter(input, mask, source)
    return write(MaskedScatterBackward0, input, (mask, source), (), scatter_masked, mask_fits(input, mask))
