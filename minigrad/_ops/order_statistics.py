"""Medians, quantiles, modes: single elements of the order along a dimension."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import axis
from .._core.families import General, op
from .._core.out import write_out_same
from .._core.tensor import Tensor
from .._core.wrapped import elements
from .autocasting import widened
from .create import full
from .dims import Reduction, kept, named_tuple, numpy_names, one_dim
from .reduce import share
from .scalars import as_real
from .sorting import comparable, order, select, selected, sort, take_along, whole

__all__ = ["kthvalue", "median", "mode", "nanmedian", "nanquantile", "quantile"]
METHODS = "kthvalue median mode nanmedian nanquantile quantile"

_INT64 = np.dtype("int64")


# One element of the order ------------------------------------------------------------------------------------------------


def nth(x, k, dim, keepdim):
    """``(values, indices)`` of the elements that are number ``k`` in order along ``dim``."""
    if not x.ndim:
        return x.copy(), np.zeros((), _INT64)
    part = [slice(None)] * x.ndim
    part[dim] = slice(k, k + 1)
    indices = np.argpartition(comparable(x), k, dim)[tuple(part)]
    return gather_at(x, indices, dim, keepdim)


def gather_at(x, indices, dim, keepdim):
    """``(values, indices)`` of the elements at ``indices``, which have length one along ``dim``."""
    values = arrays.take_along_axis(x, indices, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def refuse_kind(x, function, kinds="bc"):
    """Raise NotImplementedError for the kinds of dtypes that PyTorch's kernel does not know."""
    if x.dtype.kind in kinds:
        raise NotImplementedError(f"\"{function}_cpu\" not implemented for '{dtype_name(x)}'")


def refuse_empty(x, function, dim):
    """Raise IndexError if there is nothing to choose from along ``dim``."""
    if x.ndim and not x.shape[dim]:
        raise IndexError(f"{function}(): Expected reduction dim {dim} to have non-zero size.")


def kth_of(x, k, dim, keepdim):
    """``(values, indices)`` of the k-th smallest elements, counted from 1, along ``dim``."""
    dim = axis(dim, x.ndim)
    refuse_empty(x, "kthvalue", dim)
    n = x.shape[dim] if x.ndim else 1
    if not 1 <= k <= n:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    refuse_kind(x, "kthvalue")
    return nth(x, k - 1, dim, keepdim)


class KthvalueBackward0(Reduction, General):
    """z = the k-th smallest element along ``dim``, and the place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, k, dim, keepdim):               return kth_of(x, k, dim, keepdim)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_kthvalue = op(KthvalueBackward0)


def kthvalue(input, k, dim=-1, keepdim=False, *, out=None, **names):
    """Return the ``k``-th smallest elements along ``dim``, counted from 1, and their indices; nan counts as the largest.

    >>> import minigrad
    >>> minigrad.kthvalue(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.kthvalue(
    values=tensor(2.),
    indices=tensor(2))
    """
    if names:
        dim, keepdim = numpy_names("kthvalue", names, dim, keepdim, -1)
    k, dim = whole("kthvalue", "k", 2, k), one_dim("kthvalue", dim)
    if out is not None:
        return _kthvalue.into(out, input, k, dim, keepdim)
    return named_tuple("kthvalue", _kthvalue(input, k, dim, keepdim))


def median_of(x, dim, keepdim, ignore_nan, kernel="median_out"):
    """``(values, indices)`` of the lower medians along ``dim``; a nan wins, or with ``ignore_nan`` only among nans."""
    dim = axis(dim, x.ndim)
    refuse_empty(x, "median", dim)
    if x.dtype.kind in "bc":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")
    if not x.ndim:
        return x.copy(), np.zeros((), _INT64)
    n = x.shape[dim]
    nans = np.isnan(x) if x.dtype.kind in "fV" else None
    if nans is None or not nans.any():
        return nth(x, (n - 1) // 2, dim, keepdim)
    if ignore_nan:
        known = n - np.add.reduce(nans, dim, _INT64, None, True)
        place = np.maximum(known - 1, 0) // 2
    else:
        place = np.where(np.logical_or.reduce(nans, dim, None, None, True), n - 1, (n - 1) // 2)
    indices = arrays.take_along_axis(order(x, dim), place, dim)
    if not ignore_nan:
        first = np.argmax(nans, dim, keepdims=True)
        indices = np.where(np.logical_or.reduce(nans, dim, None, None, True), first, indices)
    return gather_at(x, indices, dim, keepdim)


def median_all(x, ignore_nan):
    """The lower median of all elements; nan of none."""
    if not x.size:
        return np.asarray(math.nan, x.dtype) if x.dtype.kind in "fcV" else np.asarray(np.iinfo(x.dtype).min if x.itemsize > 2 else 0, x.dtype)
    return median_of(x.reshape(-1), 0, False, ignore_nan, "median_cpu")[0]


class MedianBackward0(General):
    """z = the lower median of all elements; g is shared evenly by those that equal it."""
    operands = "x"
    def batch(call, xs, batched, params, size):    return _median(xs[0].reshape(size, -1), 1, False)[0]
    def forward(x):                                return median_all(x, False)
    def vjp(xp, g, x, z):                          return share(xp, g, xp.same_or_nan(x, z))
_median_all = op(MedianBackward0)


class MedianBackward1(Reduction, General):
    """z = the lower median along ``dim``, and the place where it stands: there goes g."""
    aten = "median.dim"
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return median_of(x, dim, keepdim, False)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_median = op(MedianBackward1)


class NanmedianBackward0(General):
    """z = the lower median of all elements that are not nan; g is shared evenly by those that equal it."""
    operands = "x"
    def batch(call, xs, batched, params, size):    return _nanmedian(xs[0].reshape(size, -1), 1, False)[0]
    def forward(x):                                return median_all(x, True)
    def vjp(xp, g, x, z):                          return share(xp, g, xp.same_or_nan(x, z))
_nanmedian_all = op(NanmedianBackward0)


class NanmedianBackward1(Reduction, General):
    """z = the lower median along ``dim`` of what is not nan, and the place where it stands: there goes g."""
    aten = "nanmedian.dim"
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return median_of(x, dim, keepdim, True)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_nanmedian = op(NanmedianBackward1)


def _check_whole(function, keepdim, out):
    """Raise TypeError for what only medians along a dimension take."""
    if keepdim is not False or out is not None:
        raise TypeError(f'{function}() missing 1 required positional arguments: "dim"')


def median(input, dim=None, keepdim=False, *, out=None, **names):
    """Return the median, the lower of two middle elements: of all, or along ``dim`` with its index.

    The result is nan if an element is nan.

    >>> import minigrad
    >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
    tensor(2.)
    """
    if names:
        dim, keepdim = numpy_names("median", names, dim, keepdim)
    if dim is None:
        _check_whole("median", keepdim, out)
        return _median_all(input)
    dim = one_dim("median", dim)
    if out is not None:
        return _median.into(out, input, dim, keepdim)
    return named_tuple("median", _median(input, dim, keepdim))


def nanmedian(input, dim=None, keepdim=False, *, out=None, **names):
    """Return the median of the elements that are not nan; see ``median``.

    >>> import minigrad
    >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
    tensor(1.)
    """
    if names:
        dim, keepdim = numpy_names("nanmedian", names, dim, keepdim)
    if dim is None:
        _check_whole("nanmedian", keepdim, out)
        return _nanmedian_all(input)
    dim = one_dim("nanmedian", dim)
    if out is not None:
        return _nanmedian.into(out, input, dim, keepdim)
    return named_tuple("nanmedian", _nanmedian(input, dim, keepdim))


def mode_of(x, dim, keepdim):
    """``(values, indices)`` of the most frequent elements, of several the smallest, and the last place of each."""
    dim = axis(dim, x.ndim)
    refuse_empty(x, "mode", dim)
    refuse_kind(x, "mode", "c")
    if not x.ndim:
        return x.copy(), np.zeros((), _INT64)
    rows = np.moveaxis(x, dim, -1)
    indices = order(rows, -1)
    values = arrays.take_along_axis(rows, indices, -1)
    places = np.arange(values.shape[-1])
    # the length so far of the run of equals that each element ends
    starts = np.zeros(values.shape, _INT64)
    starts[..., 1:] = np.where(values[..., 1:] != values[..., :-1], places[1:], 0)
    length = places - np.maximum.accumulate(starts, -1)
    best = np.argmax(length, -1, keepdims=True)
    found = np.moveaxis(arrays.take_along_axis(indices, best, -1), -1, dim)
    return gather_at(x, found, dim, keepdim)


class ModeBackward0(Reduction, General):
    """z = the most frequent element along ``dim``, and the last place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return mode_of(x, dim, keepdim)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_mode = op(ModeBackward0)


def mode(input, dim=-1, keepdim=False, *, out=None, **names):
    """Return the most frequent elements along ``dim`` (the smallest among equally frequent ones), and their indices.

    >>> import minigrad
    >>> minigrad.mode(minigrad.tensor([1, 2, 2, 3])).values
    tensor(2)
    """
    if names:
        dim, keepdim = numpy_names("mode", names, dim, keepdim, -1)
    dim = one_dim("mode", dim)
    return named_tuple("mode", _mode(input, dim, keepdim)) if out is None else _mode.into(out, input, dim, keepdim)


# Quantiles ---------------------------------------------------------------------------------------------------------------


def _quantile(input, q, dim, keepdim, interpolation, ignore_nan):
    if not input.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input.dtype not in (dtypes.float32, dtypes.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    if not isinstance(q, Tensor):
        q = as_real(q, "quantile", "q", 2)
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = full((), q, dtype=input.dtype, device=input.device)
    elif q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    elif q.dtype is not input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif not q.is_meta and not ((elements(q) >= 0) & (elements(q) <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    if dim is None:
        rows, shape = input.reshape(-1), (1,) * input.ndim if keepdim else ()
    else:
        dim = axis(dim, input.ndim)
        rows = input.movedim(dim, -1) if input.ndim else input.reshape(1)
        shape = kept(tuple(input.shape), dim) if keepdim else tuple(rows.shape[:-1])
    values = sort(rows, -1).values
    last = values.shape[-1] - 1
    nans = values.isnan()
    # ranks: one row for each row of values, one column for each q
    if ignore_nan:
        ranks = (q * ((nans.logical_not()).sum(-1, True) - 1)).clamp(min=0)
    else:
        ranks = (q * last).expand((*values.shape[:-1], q.numel()))
        ranks = ranks.masked_fill(nans.any(-1, True), last)
    if interpolation in ("lower", "higher", "nearest"):
        ranks = {"lower": Tensor.floor, "higher": Tensor.ceil, "nearest": Tensor.round}[interpolation](ranks)
    below = ranks.detach().floor()
    found = take_along(values, below.long(), -1)
    if interpolation in ("linear", "midpoint"):
        above = take_along(values, ranks.detach().ceil().long(), -1)
        found = found.lerp(above, 0.5 if interpolation == "midpoint" else ranks - below)
    if not q.ndim:
        return found.reshape(shape)
    return found.movedim(-1, 0).reshape((q.shape[0], *shape))


@composite
@widened
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None, **names):
    """Return the ``q``-quantiles, 0 ≤ q ≤ 1, of all elements or along ``dim``; several ``q`` add a first dimension.

    The result is nan if an element is nan.

    >>> import minigrad
    >>> minigrad.quantile(minigrad.tensor([1., 2., 3., 4.]), 0.5)
    tensor(2.5000)
    """
    if names:
        dim, keepdim = numpy_names("quantile", names, dim, keepdim)
    if out is not None:
        return write_out_same(out, quantile, input, q, dim, keepdim, interpolation=interpolation)
    return _quantile(input, q, dim, keepdim, interpolation, False)


@composite
@widened
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None, **names):
    """Return the quantiles of the elements that are not nan; see ``quantile``.

    >>> import minigrad
    >>> minigrad.nanquantile(minigrad.tensor([1., float("nan"), 3.]), 0.5)
    tensor(2.)
    """
    if names:
        dim, keepdim = numpy_names("nanquantile", names, dim, keepdim)
    if out is not None:
        return write_out_same(out, nanquantile, input, q, dim, keepdim, interpolation=interpolation)
    return _quantile(input, q, dim, keepdim, interpolation, True)
