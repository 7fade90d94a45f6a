"""Sorting, order statistics, distinct elements, bins."""

import math
import operator

import numpy as np

from .._core import arrays, dtypes
from .._core.errors import axis
from .._core.families import General, op
from .._core.interpret import into
from .._core.tensor import Tensor, wrap
from .dims import AlongDims, into_same, into_several, kept, named_tuple, numpy_names, one_dim, type_name

__all__ = [
    "argsort", "bincount", "bucketize", "histc", "kthvalue", "median", "mode", "msort", "nanmedian",
    "nanquantile", "quantile", "searchsorted", "sort", "topk", "unique", "unique_consecutive",
]

_SMALL = 16  # so few elements NumPy sorts by insertion, which is stable
_INT32, _INT64, _FLOAT32 = np.dtype("int32"), np.dtype("int64"), np.dtype("float32")


# Selection along an axis -------------------------------------------------------------------------------------------------


class GatherBackward0(General):
    """z = the elements of x at ``index`` along ``dim``."""
    operands = "x index"
    def forward(x, index, dim):             return arrays.take_along_axis(x, index, dim)
    def vjp_x(xp, g, x_shape, index, dim):  return xp.add_along_axis(g, index, dim, x_shape)
take_along = op(GatherBackward0)


class ScatterAddBackward0(General):
    """z = zeros of ``shape`` with x added at ``index``, which may repeat, along ``dim``."""
    operands = "x index"
    def forward(x, index, dim, shape):      return arrays.add_along_axis(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):           return xp.take_along_axis(g, index, dim)
add_along = op(ScatterAddBackward0)


class ValueSelectingReductionBackwardBackward0(General):
    """z = zeros of ``shape`` with x at ``index``, no two of which are the same, along ``dim``."""
    operands = "x index"
    def forward(x, index, dim, shape):      return arrays.put_along_axis(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):           return xp.take_along_axis(g, index, dim)
put_along = op(ValueSelectingReductionBackwardBackward0)


def select(xp, g, shape, dim, keepdim, indices):
    """``g``, the gradient of elements that were selected along ``dim``, at their places in zeros of ``shape``."""
    if not keepdim:
        to = kept(shape, dim)
        g, indices = xp.reshape(g, to), xp.reshape(indices, to)
    return xp.put_along_axis(g, indices, dim, shape)


# Sorting ---------------------------------------------------------------------------------------------------------------


def order(x, dim, descending=False):
    """The indices that sort an array along ``dim``: stable in both directions, nan counts as the largest."""
    if not x.ndim:
        return np.zeros((), _INT64)
    if descending:
        # of equal elements the first comes first: the last in the flipped array
        return (x.shape[dim] - 1) - arrays.flip(order(arrays.flip(x, dim), dim), dim)
    if x.shape[dim] <= _SMALL or x.dtype.kind == "V" or x.itemsize < 4:
        return x.argsort(dim, kind="stable")
    # NumPy's quickest sort takes a tenth of the time of its stable one, and differs from it only where elements are equal
    rows = x if dim in (-1, x.ndim - 1) else np.ascontiguousarray(x.swapaxes(dim, -1))
    indices = rows.argsort(-1)
    values = arrays.take_along_axis(rows, indices, -1)
    equal = values[..., 1:] == values[..., :-1]
    if x.dtype.kind == "f" and np.isnan(values[..., -1]).any():
        nans = np.isnan(values)
        equal |= nans[..., 1:] & nans[..., :-1]
    ties = np.count_nonzero(equal)
    if ties:
        if 8 * ties > x.size:
            return x.argsort(dim, kind="stable")
        in_order(indices, equal)
    return indices if rows is x else np.ascontiguousarray(indices.swapaxes(dim, -1))


def in_order(indices, equal):
    """Sort ``indices`` within each run of places where ``equal`` says that an element equals the next along the last axis."""
    tied = np.zeros(indices.shape, bool)
    tied[..., 1:] = equal
    first = tied.copy()
    tied[..., :-1] |= equal
    first = tied & ~first
    flat = indices.reshape(-1)
    at = np.flatnonzero(tied)
    run = np.cumsum(first.reshape(-1)[at])
    flat[at] = flat[at[np.lexsort((flat[at], run))]]


def sorted_of(x, dim, descending):
    """``(values, indices)`` of an array sorted along ``dim``."""
    dim = axis(dim, x.ndim)
    if x.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    indices = order(x, dim, descending)
    return arrays.take_along_axis(x, indices, dim), indices


class SortBackward0(AlongDims, General):
    """z = x sorted along ``dim``, and the places where its elements stood: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, descending):            return sorted_of(x, dim, descending)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
_sort = op(SortBackward0)


class SortBackward1(SortBackward0):
    """z = x sorted along ``dim`` by the overload with ``stable``."""
    def forward(x, dim, descending):            return sorted_of(x, dim, descending)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
_sort_stable = op(SortBackward1)


def sort(input, dim=-1, descending=False, stable=None, *, out=None, **names):
    """The elements in order along ``dim``, and where they stood; nan counts as the largest.

    The order of equal elements is kept, with ``stable`` or without.  Raises RuntimeError for complex tensors.

    >>> import minigrad
    >>> minigrad.sort(minigrad.tensor([3., 1., 2.]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
    if names:
        dim, _ = numpy_names("sort", names, dim)
    dim = one_dim("sort", dim)
    call = _sort if stable is None else _sort_stable
    if out is not None:
        return into_several(out, lambda: call(input, dim, descending), "sort", (input,))
    return named_tuple("sort", call(input, dim, descending))


class Argsort(AlongDims, General):
    """The places of the elements in order."""
    operands, public = "x", "argsort"
    def forward(x, dim, descending):
        if x.dtype.kind == "c": raise RuntimeError(" Sort does not support complex dtypes on CPU")
        return order(x, axis(dim, x.ndim), descending)
_argsort = op(Argsort)


def argsort(input, dim=-1, descending=False, stable=False, **names):
    """Where the elements that come first, second, ... in order along ``dim`` stand.

    >>> import minigrad
    >>> minigrad.argsort(minigrad.tensor([3., 1., 2.]))
    tensor([1, 2, 0])
    """
    if names:
        dim, _ = numpy_names("argsort", names, dim)
    return _argsort(input, one_dim("argsort", dim), descending)


def msort(input, *, out=None):
    """The elements in order along the first dimension.

    >>> import minigrad
    >>> minigrad.msort(minigrad.tensor([3., 1., 2.]))
    tensor([1., 2., 3.])
    """
    if out is not None:
        return into_same(out, lambda: _sort(input, 0, False)[0], "msort", (input,))
    return _sort(input, 0, False)[0]


def largest_of(x, k, dim, largest, sorted):
    """``(values, indices)`` of the k largest (or smallest) elements along ``dim``, in order; nan counts as the largest."""
    dim = axis(dim, x.ndim)
    n = x.shape[dim] if x.ndim else 1
    if not 0 <= k <= n:
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind in "bc":
        if x.dtype.kind == "c":
            raise RuntimeError(" topk does not support complex dtypes on CPU")
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not x.ndim:
        return x.copy(), np.zeros((), _INT64)
    if k == 1:
        indices = (x.argmax if largest else x.argmin)(dim, keepdims=True)
        if largest or x.dtype.kind not in "fV" or not np.isnan(np.minimum.reduce(x, None)):
            return arrays.take_along_axis(x, indices, dim), indices
    part = [slice(None)] * x.ndim
    if 4 * k > n or n < 64:
        indices = order(x, dim, largest)
        part[dim] = slice(0, k)
        indices = np.ascontiguousarray(indices[tuple(part)])
        return arrays.take_along_axis(x, indices, dim), indices
    part[dim] = slice(n - k, n) if largest else slice(0, k)
    indices = np.sort(np.argpartition(x, n - k if largest else k - 1, dim)[tuple(part)], dim) if k else order(x, dim)[tuple(part)]
    values = arrays.take_along_axis(x, indices, dim)
    inner = order(values, dim, largest)
    return arrays.take_along_axis(values, inner, dim), arrays.take_along_axis(indices, inner, dim)


class TopkBackward0(AlongDims, General):
    """z = the k largest (or smallest) elements along ``dim``, and the places where they stand: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, k, dim, largest, sorted):    return largest_of(x, k, dim, largest, sorted)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
_topk = op(TopkBackward0)


def topk(input, k, dim=-1, largest=True, sorted=True, *, out=None, **names):
    """The ``k`` largest (or smallest) elements along ``dim``, in order, and where they stand; nan counts as the largest.

    Raises RuntimeError if there are fewer than ``k`` elements.

    >>> import minigrad
    >>> minigrad.topk(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.topk(
    values=tensor([3., 2.]),
    indices=tensor([0, 2]))
    """
    if names:
        dim, _ = numpy_names("topk", names, dim)
    k, dim = whole("topk", "k", 2, k), one_dim("topk", dim)
    if out is not None:
        return into_several(out, lambda: _topk(input, k, dim, largest, sorted), "topk", (input,))
    return named_tuple("topk", _topk(input, k, dim, largest, sorted))


def whole(function, name, place, value):
    """``value`` as an int; raises TypeError for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"{function}(): argument '{name}' (position {place}) must be int, not {type(value).__name__}"
        ) from None


# One element of the order ------------------------------------------------------------------------------------------------


def nth(x, k, dim, keepdim):
    """``(values, indices)`` of the elements that are number ``k`` in order along ``dim``."""
    if not x.ndim:
        return x.copy(), np.zeros((), _INT64)
    part = [slice(None)] * x.ndim
    part[dim] = slice(k, k + 1)
    indices = np.argpartition(x, k, dim)[tuple(part)]
    return picked(x, indices, dim, keepdim)


def picked(x, indices, dim, keepdim):
    """``(values, indices)`` of the elements at ``indices``, which have length one along ``dim``."""
    values = arrays.take_along_axis(x, indices, dim)
    return (values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))


def refuse_kind(x, function, kinds="bc"):
    """Raise NotImplementedError for the kinds of dtypes that PyTorch's kernel does not know."""
    if x.dtype.kind in kinds:
        raise NotImplementedError(f"\"{function}_cpu\" not implemented for '{type_name(x)}'")


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


class KthvalueBackward0(AlongDims, General):
    """z = the k-th smallest element along ``dim``, and the place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, k, dim, keepdim):               return kth_of(x, k, dim, keepdim)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
_kthvalue = op(KthvalueBackward0)


def kthvalue(input, k, dim=-1, keepdim=False, *, out=None, **names):
    """The ``k``-th smallest elements along ``dim``, counted from 1, and where they stand; nan counts as the largest.

    >>> import minigrad
    >>> minigrad.kthvalue(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.kthvalue(
    values=tensor(2.),
    indices=tensor(2))
    """
    if names:
        dim, keepdim = numpy_names("kthvalue", names, dim, keepdim)
    k, dim = whole("kthvalue", "k", 2, k), one_dim("kthvalue", dim)
    if out is not None:
        return into_several(out, lambda: _kthvalue(input, k, dim, keepdim), "kthvalue", (input,))
    return named_tuple("kthvalue", _kthvalue(input, k, dim, keepdim))


def median_of(x, dim, keepdim, ignore_nan):
    """``(values, indices)`` of the lower medians along ``dim``; a nan wins, or with ``ignore_nan`` only among nans."""
    dim = axis(dim, x.ndim)
    refuse_empty(x, "nanmedian" if ignore_nan else "median", dim)
    refuse_kind(x, "median")
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
    return picked(x, indices, dim, keepdim)


def median_all(x, ignore_nan):
    """The lower median of all elements; nan of none."""
    if not x.size:
        return np.asarray(math.nan, x.dtype) if x.dtype.kind in "fV" else np.asarray(np.iinfo(np.int64).min, x.dtype)
    return median_of(x.reshape(-1), 0, False, ignore_nan)[0]


def share_equals(xp, g, x, z):
    """``g`` shared evenly by the elements that equal ``z``; a nan equals a nan."""
    chosen = xp.same_or_nan(x, z)
    return g / xp.sum(chosen, None, True) * chosen


class MedianBackward0(General):
    """z = the lower median of all elements; g is shared evenly by those that equal it."""
    operands = "x"
    def forward(x):                                return median_all(x, False)
    def vjp(xp, g, x, z):                          return share_equals(xp, g, x, z)
_median_all = op(MedianBackward0)


class MedianBackward1(AlongDims, General):
    """z = the lower median along ``dim``, and the place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return median_of(x, dim, keepdim, False)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
_median = op(MedianBackward1)


class NanmedianBackward0(General):
    """z = the lower median of all elements that are not nan; g is shared evenly by those that equal it."""
    operands = "x"
    def forward(x):                                return median_all(x, True)
    def vjp(xp, g, x, z):                          return share_equals(xp, g, x, z)
_nanmedian_all = op(NanmedianBackward0)


class NanmedianBackward1(AlongDims, General):
    """z = the lower median along ``dim`` of what is not nan, and the place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return median_of(x, dim, keepdim, True)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
_nanmedian = op(NanmedianBackward1)


def median(input, dim=None, keepdim=False, *, out=None, **names):
    """The median, of two middle elements the lower: of all, or along ``dim`` with the places where they stand.

    A nan among the elements is the result.

    >>> import minigrad
    >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
    tensor(2.)
    """
    if names:
        dim, keepdim = numpy_names("median", names, dim, keepdim)
    if dim is None:
        return _median_all(input)
    dim = one_dim("median", dim)
    if out is not None:
        return into_several(out, lambda: _median(input, dim, keepdim), "median", (input,))
    return named_tuple("median", _median(input, dim, keepdim))


def nanmedian(input, dim=None, keepdim=False, *, out=None, **names):
    """As ``median``, of the elements that are not nan.

    >>> import minigrad
    >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
    tensor(1.)
    """
    if names:
        dim, keepdim = numpy_names("nanmedian", names, dim, keepdim)
    if dim is None:
        return _nanmedian_all(input)
    dim = one_dim("nanmedian", dim)
    if out is not None:
        return into_several(out, lambda: _nanmedian(input, dim, keepdim), "nanmedian", (input,))
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
    return picked(x, found, dim, keepdim)


class ModeBackward0(AlongDims, General):
    """z = the most frequent element along ``dim``, and the last place where it stands: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return mode_of(x, dim, keepdim)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
_mode = op(ModeBackward0)


def mode(input, dim=-1, keepdim=False, *, out=None, **names):
    """The most frequent elements along ``dim`` (of several the smallest), and where they stand.

    >>> import minigrad
    >>> minigrad.mode(minigrad.tensor([1, 2, 2, 3])).values
    tensor(2)
    """
    if names:
        dim, keepdim = numpy_names("mode", names, dim, keepdim)
    dim = one_dim("mode", dim)
    if out is not None:
        return into_several(out, lambda: _mode(input, dim, keepdim), "mode", (input,))
    return named_tuple("mode", _mode(input, dim, keepdim))


# Quantiles ---------------------------------------------------------------------------------------------------------------


def _quantile(input, q, dim, keepdim, interpolation, ignore_nan):
    if input.dtype not in (dtypes.float32, dtypes.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not input.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = wrap(np.asarray(q, input.dtype.np))
    elif q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    elif q.dtype is not input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    elif not ((q >= 0) & (q <= 1)).all():
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


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None, **names):
    """The ``q``-quantiles, 0 ≤ q ≤ 1, of all elements or along ``dim``; several ``q`` make a first dimension.

    A nan among the elements is the result.

    >>> import minigrad
    >>> minigrad.quantile(minigrad.tensor([1., 2., 3., 4.]), 0.5)
    tensor(2.5000)
    """
    if names:
        dim, keepdim = numpy_names("quantile", names, dim, keepdim)
    if out is not None:
        return into_same(out, lambda: _quantile(input, q, dim, keepdim, interpolation, False), "quantile", (input,))
    return _quantile(input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None, **names):
    """As ``quantile``, of the elements that are not nan.

    >>> import minigrad
    >>> minigrad.nanquantile(minigrad.tensor([1., float("nan"), 3.]), 0.5)
    tensor(2.)
    """
    if names:
        dim, keepdim = numpy_names("nanquantile", names, dim, keepdim)
    if out is not None:
        return into_same(out, lambda: _quantile(input, q, dim, keepdim, interpolation, True), "nanquantile", (input,))
    return _quantile(input, q, dim, keepdim, interpolation, True)


# Distinct elements ---------------------------------------------------------------------------------------------------------


def no_derivative(name):
    """A formula for an op that records but has no derivative, as PyTorch's have not."""

    def vjp(xp, g):
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return vjp


def distinct(x, dim):
    """``(values, inverse, counts)`` of the distinct elements, or slices along ``dim``, in order; every nan is distinct."""
    refuse = "complex" if x.dtype.kind == "c" else None
    if refuse:
        raise NotImplementedError(f"\"unique\" not implemented for '{type_name(x)}'")
    if dim is not None:
        dim = axis(dim, x.ndim)
        _check_sizes(x, dim, "unique")
        if not x.size:
            return x.copy(), np.zeros(0, _INT64), np.zeros(0, _INT64)
    values, inverse, counts = np.unique(
        x, return_inverse=True, return_counts=True, axis=dim if x.ndim else None, equal_nan=False
    )
    return values, inverse.reshape(x.shape if dim is None else -1), counts


def _check_sizes(x, dim, function):
    others = [n for d, n in enumerate(x.shape) if d != dim]
    if x.ndim and 0 in others and x.shape[dim]:
        raise RuntimeError(
            f"There are 0 sized dimensions, and they aren't selected, so {function} cannot be applied"
        )


def runs(x, dim):
    """``(values, inverse, counts)`` of the runs of equal neighbours: of all elements, or of slices along ``dim``."""
    rows = x.reshape(-1) if dim is None else np.moveaxis(x, axis(dim, x.ndim), 0) if x.ndim else x.reshape(1)
    if dim is not None:
        _check_sizes(x, axis(dim, x.ndim), "unique_consecutive")
    n = len(rows)
    starts = np.ones(n, bool)
    if n > 1:
        starts[1:] = (rows[1:] != rows[:-1]).reshape(n - 1, -1).any(1)
    inverse = np.cumsum(starts) - 1
    counts = np.diff(np.append(np.flatnonzero(starts), n))
    values = rows[starts]
    if dim is None:
        return values, inverse.reshape(x.shape), counts
    return (np.moveaxis(values, 0, axis(dim, x.ndim)) if x.ndim else values), inverse, counts


class Unique2Backward0(General):
    """The distinct elements in order, where each stood, and how many there were."""
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x):        return distinct(x, None)
    vjp = no_derivative("_unique2")
_unique = op(Unique2Backward0)


class UniqueDimBackward0(AlongDims, General):
    """The distinct slices along ``dim`` in order, where each stood, and how many there were."""
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x, dim):   return distinct(x, dim)
    vjp = no_derivative("unique_dim")
_unique_dim = op(UniqueDimBackward0)


class UniqueConsecutiveBackward0(General):
    """The runs of equal neighbours, where each stood, and how long they were."""
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x, dim):   return runs(x, dim)
    vjp = no_derivative("unique_consecutive")
_unique_consecutive = op(UniqueConsecutiveBackward0)


def _wanted(results, return_inverse, return_counts):
    values, inverse, counts = results
    if not (return_inverse or return_counts):
        return values
    return (values, *((inverse,) if return_inverse else ()), *((counts,) if return_counts else ()))


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements, or slices along ``dim``, in order (whatever ``sorted`` says); also where each stood, and the counts.

    >>> import minigrad
    >>> minigrad.unique(minigrad.tensor([3, 1, 1]), return_counts=True)
    (tensor([1, 3]), tensor([2, 1]))
    """
    results = _unique(input) if dim is None else _unique_dim(input, one_dim("unique", dim))
    return _wanted(results, return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices along ``dim``, without those that equal the one before.

    >>> import minigrad
    >>> minigrad.unique_consecutive(minigrad.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    for name, value in (("return_inverse", return_inverse), ("return_counts", return_counts)):
        if value.__class__ is not bool:
            raise TypeError(f"unique_consecutive(): argument '{name}' must be bool, not {type(value).__name__}")
    return _wanted(_unique_consecutive(input, dim), return_inverse, return_counts)


# Bins ------------------------------------------------------------------------------------------------------------------


class Searchsorted(General):
    """Where the elements of y would have to be inserted into the rows of x to keep them in order."""
    operands, public = "x y sorter", "searchsorted"
    optional_from = 2
    def forward(x, y, sorter, right, dtype):
        side = "right" if right else "left"
        if sorter is not None:
            x = arrays.take_along_axis(x, sorter, -1)
        if x.ndim == 1:
            return np.searchsorted(x, y, side).astype(dtype)
        z = np.empty(y.shape, dtype)
        for key in np.ndindex(x.shape[:-1]):
            z[key] = np.searchsorted(x[key], y[key], side)
        return z
_searchsorted = op(Searchsorted)


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, out=None, sorter=None):
    """Where the values ``input`` would have to be inserted into ``sorted_sequence`` (along its last dimension) to keep it in order.

    Of equal elements it is before the first, with ``right`` (or ``side="right"``) behind the last.

    >>> import minigrad
    >>> minigrad.searchsorted(minigrad.tensor([1, 3, 5]), minigrad.tensor([3, 6]))
    tensor([1, 3])
    """
    name = "torch.searchsorted()"
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"{name}: side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(f"{name}: side and right can't be set to opposites, got side of left while right was True")
    if not sorted_sequence.ndim:
        raise RuntimeError(f"{name}: boundaries tensor should have positive dimension, but got 0 dimension")
    if not isinstance(input, Tensor):
        if sorted_sequence.ndim != 1:
            raise RuntimeError(
                f"{name}: input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor "
                f"dim({sorted_sequence.ndim}) and input value's dim(0) numel(1)"
            )
        input = wrap(np.asarray(input))
    elif sorted_sequence.ndim != 1 and tuple(sorted_sequence.shape[:-1]) != tuple(input.shape[:-1]):
        raise RuntimeError(
            f"{name}: boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
            f"tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} and input value tensor "
            f"{list(input.shape)}"
        )
    if sorter is not None:
        _check_sorter(name, sorted_sequence, sorter)
    wanted = _INT32 if out_int32 else _INT64

    def found():
        return _searchsorted(sorted_sequence, input, sorter, bool(right or side == "right"), wanted)

    if out is None:
        return found()
    if out.dtype.np != wanted:
        raise RuntimeError(
            f"{name}: output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag "
            f"is True, but we got output tensor's dtype {type_name(out._array)} and out_int32 flag is {out_int32}"
        )
    return into(out, found, "searchsorted", ())


def _check_sorter(name, sequence, sorter):
    if sorter.shape != sequence.shape:
        raise RuntimeError(
            f"{name}: boundary and sorter must have the same size, but got boundary tensor {list(sequence.shape)}and got sorter "
            f"tensor {list(sorter.shape)}"
        )
    if sorter.dtype is not dtypes.int64:
        raise RuntimeError(f"{name}: sorter must be a tensor of long dtype but got dtype {type_name(sorter._array)}")
    if sorter.numel() and not ((sorter >= 0) & (sorter < sequence.shape[-1])).all():
        raise RuntimeError(f"{name}: sorter index out of range")


def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    """The number of the bin between ``boundaries`` (in order, 1-dimensional) that each element falls into.

    >>> import minigrad
    >>> minigrad.bucketize(minigrad.tensor([2, 3]), minigrad.tensor([1, 3, 5]))
    tensor([1, 1])
    """
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


def histogram_of(x, bins, low, high):
    """How many elements fall into each of ``bins`` equal bins from ``low`` to ``high`` (the range of the data if both are equal)."""
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if x.dtype.kind not in "fV":
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{type_name(x)}'")
    dtype = x.dtype
    x = x.reshape(-1).astype(_FLOAT32 if x.itemsize == 2 else dtype, copy=False)
    if low == high and x.size:
        low, high = float(np.minimum.reduce(x)), float(np.maximum.reduce(x))
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    inside = x[(x >= low) & (x <= high)]
    number = x.dtype.type
    place = ((inside - number(low)) * number(bins) / (number(high) - number(low))).astype(_INT64)
    return np.bincount(np.minimum(place, bins - 1), minlength=bins).astype(dtype)


class Histc(General):
    """How many elements fall into each of ``bins`` equal bins."""
    operands, public = "x", "histc"
    def forward(x, bins, low, high):  return histogram_of(x, bins, low, high)
_histc = op(Histc)


def histc(input, bins=100, min=0, max=0, *, out=None):
    """How many elements fall into each of ``bins`` equal bins from ``min`` to ``max``: the range of the data if both are equal.

    >>> import minigrad
    >>> minigrad.histc(minigrad.tensor([1., 2., 1.]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    if out is not None:
        return into_same(out, lambda: _histc(input, bins, min, max), "histc", (input,))
    return _histc(input, bins, min, max)


class NotImplementedBackward(General):
    """How often each number occurs, or the sum of the weights y where it occurs."""
    operands, optional_from, public = "x y", 1, "bincount"
    def forward(x, y, minlength):
        if x.dtype.kind not in "iu": raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{type_name(x)}'")
        if minlength < 0: raise RuntimeError("minlength should be >= 0")
        if x.ndim != 1 or (x.size and x.min() < 0):
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        if y is None: return np.bincount(x, minlength=minlength)
        if y.shape != x.shape: raise RuntimeError("weights should be 1-d and have the same length as input")
        return np.bincount(x, y, minlength).astype(y.dtype if y.dtype == np.float32 else np.float64)
    def vjp_y(xp, g): raise NotImplementedError("the derivative for 'bincount' is not implemented.")
NotImplementedBackward.__name__ = "NotImplemented"
_bincount = op(NotImplementedBackward)


def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs in ``input``, or the sum of the ``weights`` where it occurs.

    >>> import minigrad
    >>> minigrad.bincount(minigrad.tensor([3, 1, 1]))
    tensor([0, 2, 0, 1])
    """
    return _bincount(input, weights, minlength)
