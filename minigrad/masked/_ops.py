"""Reductions and normalizations that leave out the elements where a mask is False.

A mask has the shape of the input, or one that broadcasts to it, else they raise IndexError; without one all elements count.  Where no
element is left, the result is what the operation yields for none: 0 for ``sum``, nan for ``mean``.
"""

import math
from typing import Any

from .. import _api
from .._api import Tensor
from .._base.dtypes import bool_, float32, int8, int16, int32, int64, uint8
from .._base.dtypes import dtype as _dtype

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]

_SMALL_INTEGERS = (uint8, bool_, int8, int16, int32)


# Masks -----------------------------------------------------------------------------------------------------


def _mask_of(input, mask):
    """The mask as bools of the shape of ``input``."""
    if mask.ndim > input.ndim:
        raise IndexError(
            "_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)"
        )
    return (mask if mask.shape == input.shape else _api.broadcast_to(mask, input.shape)).to(bool_)


def _with(input, mask, neutral):
    """``input`` with the number ``neutral(dtype)`` where the mask is False."""
    if mask is None:
        return input
    fill = _api.tensor(neutral(input.dtype), dtype=input.dtype)
    return _api.where(_mask_of(input, mask), input, fill)


def _zero(dtype):
    return 0


def _one(dtype):
    return 1


def _least(dtype):
    return _end(dtype, -math.inf, "amax")


def _greatest(dtype):
    return _end(dtype, math.inf, "amin")


def _end(dtype, infinity, name):
    if dtype.is_floating_point:
        return infinity
    if dtype.is_complex or dtype is bool_:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    limits = _api.iinfo(dtype)
    return limits.min if infinity < 0 else limits.max


def _minus_infinity(dtype):
    return complex(-math.inf, 0) if dtype.is_complex else _least(dtype)


def _dims(dim, ndim):
    """All dimensions that ``dim`` names, from the front; None and () name all."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim = ndim or 1
    dims = []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if not -ndim <= d < ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})"
            )
        dims.append(d % ndim)
    return tuple(sorted(dims))


def _dim(dim, ndim):
    return _dims(dim, ndim)[0]


# Reductions ------------------------------------------------------------------------------------------------


def _of_sum(input, dtype):
    if dtype is not None:
        return dtype
    return int64 if input.dtype in _SMALL_INTEGERS else input.dtype


def sum(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Sum the unmasked elements: all, or along ``dim``, an int or several.

    >>> import minigrad
    >>> minigrad.masked.sum(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([True, False, True]))
    tensor(4.)
    """
    x = _with(input, mask, _zero)
    return _api.sum(x, _dims(dim, input.ndim), bool(keepdim), dtype=_of_sum(input, dtype))


def prod(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Multiply the unmasked elements: all, or along ``dim``, an int or several.

    >>> import minigrad
    >>> minigrad.masked.prod(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([True, False, True]))
    tensor(3.)
    """
    x = _with(input, mask, _one).to(_of_sum(input, dtype))
    for d in reversed(_dims(dim, input.ndim)):
        x = _api.prod(x, d, bool(keepdim))
    return x


def amax(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the largest unmasked elements: of all, or along ``dim``, an int or several.

    >>> import minigrad
    >>> minigrad.masked.amax(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([True, True, False]))
    tensor(2.)
    """
    x = _api.amax(_with(input, mask, _least), _dims(dim, input.ndim), bool(keepdim))
    return x.to(dtype or input.dtype)


def amin(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the smallest unmasked elements: of all, or along ``dim``, an int or several.

    >>> import minigrad
    >>> minigrad.masked.amin(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([False, True, True]))
    tensor(2.)
    """
    x = _api.amin(_with(input, mask, _greatest), _dims(dim, input.ndim), bool(keepdim))
    return x.to(dtype or input.dtype)


def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the index of the largest unmasked element; ``dtype`` converts the input first.

    >>> import minigrad
    >>> minigrad.masked.argmax(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([True, True, False]))
    tensor(1.)
    """
    return _api.argmax(_with(input, mask, _least), dim, bool(keepdim)).to(dtype or input.dtype)


def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the index of the smallest unmasked element; ``dtype`` converts the input first.

    >>> import minigrad
    >>> minigrad.masked.argmin(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([False, True, True]))
    tensor(1.)
    """
    return _api.argmin(_with(input, mask, _greatest), dim, bool(keepdim)).to(dtype or input.dtype)


def _count(input, dim, keepdim, mask):
    there = _api.ones(input.shape, dtype=bool_) if mask is None else _mask_of(input, mask)
    return _api.sum(there, _dims(dim, input.ndim), bool(keepdim))


def mean(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the mean of the unmasked elements: of all, or along ``dim``; raise ValueError for integers.

    >>> import minigrad
    >>> minigrad.masked.mean(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([True, False, True]))
    tensor(2.)
    """
    wanted = dtype or input.dtype
    if not (wanted.is_floating_point or wanted.is_complex):
        raise ValueError(
            f"mean(): Could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype must be either "
            f"a floating point or complex dtype. Got: {wanted}"
        )
    total = sum(input, dim, keepdim=keepdim, dtype=wanted, mask=mask)
    return total / _count(input, dim, keepdim, mask)


def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the median of the unmasked elements along ``dim``, the lower of two.

    Raises ValueError if there are none and the input has an integer dtype.

    >>> import minigrad
    >>> minigrad.masked.median(minigrad.tensor([1., 2., 3.]), mask=minigrad.tensor([False, True, True]))
    tensor(2.)
    """
    x = input if input.dtype.is_floating_point else input.to(float32)
    x = _with(x, mask, lambda dtype: math.nan)
    z = _api.nanmedian(x, _dim(dim, input.ndim), keepdim).values
    if input.dtype.is_floating_point:
        return z
    if _api.any(_api.isnan(z)):
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return z.to(dtype or input.dtype)


def logsumexp(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of the sum of the exponentials of the unmasked elements.

    >>> import minigrad
    >>> minigrad.masked.logsumexp(minigrad.tensor([0., 0., 3.]), 0, mask=minigrad.tensor([True, True, False]))
    tensor(0.6931)
    """
    x = _with(input, mask, _minus_infinity)
    return _api.logsumexp(x, _dims(dim, input.ndim), keepdim=keepdim).to(dtype or input.dtype)


def logaddexp(
    input: Tensor,
    other: Any,
    *,
    dtype: _dtype | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """Compute ``log(exp(input) + exp(other))``, where a masked element counts as -inf.

    >>> import minigrad
    >>> x, mask = minigrad.tensor([0., 0.]), minigrad.tensor([True, False])
    >>> minigrad.masked.logaddexp(x, x, other_mask=mask)
    tensor([0.6931, 0.0000])
    """
    x, y = _with(input, input_mask, _least), _with(other, other_mask, _least)
    return _api.logaddexp(x, y).to(dtype or input.dtype)


def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: int | tuple[int, ...] | None = None,
    *,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the vector norm of order ``ord`` of the unmasked elements: of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.masked.norm(minigrad.tensor([3., 9., 4.]), 2, mask=minigrad.tensor([True, False, True]))
    tensor(5.)
    """
    x = _with(input, mask, _greatest if ord == -math.inf else _zero)
    dims = _dims(dim, input.ndim)
    ord = 2.0 if ord is None else ord
    return _api._moments.vector_norm(x, ord, dims, bool(keepdim), dtype=dtype or input.dtype)


def _variance(input, dim, unbiased, correction, keepdim, dtype, mask):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 1.0 if unbiased is None else float(unbiased)
    if dtype is None:
        dtype = input.dtype if input.dtype.is_floating_point or input.dtype.is_complex else float32
    exact = dtype if dtype.is_floating_point or dtype.is_complex else float32
    count = _count(input, dim, True, mask)
    x = input - sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count
    total = sum(x * x.conj(), dim, keepdim=keepdim, dtype=exact, mask=mask)
    count = count.reshape(total.shape)
    if correction:
        count = _api.clamp(count.to(exact.to_real()) - float(correction), min=0)
    return (total / count).to(dtype)


def var(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | float | None = None,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the variance of the unmasked elements; the sum of squares is divided by their number less ``correction``, 1 by default.

    >>> import minigrad
    >>> minigrad.masked.var(minigrad.tensor([1., 9., 3.]), mask=minigrad.tensor([True, False, True]))
    tensor(2.)
    """
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(
    input: Tensor,
    dim: int | tuple[int, ...] | None = None,
    unbiased: bool | None = None,
    *,
    correction: int | None = None,
    keepdim: bool | None = False,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation of the unmasked elements; see ``var``.

    The shape is the same as there.

    >>> import minigrad
    >>> minigrad.masked.std(minigrad.tensor([1., 9., 3.]), mask=minigrad.tensor([True, False, True]))
    tensor(1.4142)
    """
    return _api.sqrt(_variance(input, dim, unbiased, correction, keepdim, dtype, mask))


# Normalizations ----------------------------------------------------------------------------------------------


def cumsum(input: Tensor, dim: int, *, dtype: _dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Return the cumulative sums of the unmasked elements along ``dim``.

    >>> import minigrad
    >>> minigrad.masked.cumsum(minigrad.tensor([1., 2., 3.]), 0, mask=minigrad.tensor([True, False, True]))
    tensor([1., 1., 4.])
    """
    dtype = dtype or input.dtype
    return _api.cumsum(_with(input, mask, _zero), _dim(dim, input.ndim), dtype=dtype).to(dtype)


def cumprod(input: Tensor, dim: int, *, dtype: _dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Return the cumulative products of the unmasked elements along ``dim``.

    >>> import minigrad
    >>> minigrad.masked.cumprod(minigrad.tensor([1., 2., 3.]), 0, mask=minigrad.tensor([True, False, True]))
    tensor([1., 1., 3.])
    """
    dtype = dtype or input.dtype
    return _api.cumprod(_with(input, mask, _one), _dim(dim, input.ndim), dtype=dtype).to(dtype)


def softmax(input: Tensor, dim: int, *, dtype: _dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Return the softmax of the unmasked elements along ``dim``: 0 for the others, nan where there are none.

    >>> import minigrad
    >>> minigrad.masked.softmax(minigrad.tensor([0., 0., 3.]), 0, mask=minigrad.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    return _api.softmax(_with(input, mask, _least), _dim(dim, input.ndim), dtype=dtype or input.dtype)


def log_softmax(
    input: Tensor, dim: int, *, dtype: _dtype | None = None, mask: Tensor | None = None
) -> Tensor:
    """Return the logarithm of ``softmax``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.masked.log_softmax(minigrad.tensor([0., 0., 3.]), 0, mask=minigrad.tensor([True, True, False]))
    tensor([-0.6931, -0.6931,    -inf])
    """
    return _api.log_softmax(_with(input, mask, _least), _dim(dim, input.ndim), dtype=dtype or input.dtype)


def softmin(input: Tensor, dim: int, *, dtype: _dtype | None = None, mask: Tensor | None = None) -> Tensor:
    """Return the softmax of the negative unmasked elements along ``dim``.

    >>> import minigrad
    >>> minigrad.masked.softmin(minigrad.tensor([0., 0., 3.]), 0, mask=minigrad.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    return _api.softmax(-_with(input, mask, _greatest), _dim(dim, input.ndim), dtype=dtype or input.dtype)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: _dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Divide the unmasked elements (0 for the others) by their norm along ``dim``, or by ``eps`` if it is less.

    >>> import minigrad
    >>> x, mask = minigrad.tensor([3., 9., 4.]), minigrad.tensor([True, False, True])
    >>> minigrad.masked.normalize(x, 2, 0, mask=mask)
    tensor([0.6000, 0.0000, 0.8000])
    """
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _with(input, mask, _zero) / _api.maximum(size, _api.tensor(eps, dtype=size.dtype))
