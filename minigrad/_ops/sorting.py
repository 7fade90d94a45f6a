"""Sorting, the largest and smallest elements, distinct elements."""


import numpy as np

from .._arrays import vocabulary as arrays
from .._base.argument_kinds import no_form
from .._base.dtypes import dtype_name, is_complex_type
from .._base.errors import axis, integer, type_name
from .._base.guards import explain
from .._core.families import General, op
from .._core.out import write_out_same
from .._core.packed import refuse_packed
from .batches import along, no_shape
from .dims import AlongDims, kept, named_tuple, numpy_dim, one_dim

__all__ = ["argsort", "msort", "sort", "topk", "unique", "unique_consecutive"]
METHODS = "argsort msort sort topk unique unique_consecutive"

_SMALL = 16  # so few elements NumPy sorts by insertion, which is stable
_INT64 = np.dtype("int64")


# Selection along an axis -------------------------------------------------------------------------------------------------


class GatherBackward0(General):
    """z = the elements of x at ``index`` along ``dim``."""
    linear = True
    batch = along("dim")
    operands = "x index"
    def forward(x, index, dim):             return arrays.take_along_axis(x, index, dim)
    def vjp_x(xp, g, x_shape, index, dim):  return xp.add_along_axis(g, index, dim, x_shape)
    def inputs(x, index, dim): return x, dim, index, False
take_along = op(GatherBackward0)


class ScatterAddBackward0(General):
    """z = zeros of ``shape`` with x added at ``index``, which may repeat, along ``dim``."""
    linear = True
    batch = along("dim", shape="shape")
    operands = "x index"
    def forward(x, index, dim, shape):      return arrays.add_along_axis(x, index, dim, shape)
    def vjp_x(xp, g, index, dim):           return xp.take_along_axis(g, index, dim)
add_along = op(ScatterAddBackward0)


class ValueSelectingReductionBackwardBackward0(General):
    """z = zeros of ``shape`` with x at ``index``, no two of which are the same, along ``dim``."""
    linear = True
    batch = along("dim", shape="shape")
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


def selected(xp, t, dim, keepdim, indices):
    """The elements of ``t``, the tangent of what was selected from, at the places along ``dim``."""
    if not t.shape: return t
    z = xp.take_along_axis(t, indices if keepdim else xp.reshape(indices, kept(t.shape, dim)), dim)
    return z if keepdim else xp.reshape(z, indices.shape)


# Sorting ---------------------------------------------------------------------------------------------------------------


def comparable(x):
    """``x`` in a dtype whose order NumPy knows: bfloat16 becomes float32, because its nans would stand anywhere."""
    return x.astype(np.float32) if x.dtype.kind == "V" else x


def order(x, dim, descending=False):
    """The indices that sort an array along ``dim``: stable in both directions, nan counts as the largest."""
    if not x.ndim:
        return np.zeros((), _INT64)
    x = comparable(x)
    if descending:
        # of equal elements the first comes first: the last in the flipped array
        return (x.shape[dim] - 1) - arrays.flip(order(arrays.flip(x, dim), dim), dim)
    if x.shape[dim] <= _SMALL or x.itemsize < 4:
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
    values = arrays.take_along_axis(x, indices, dim)
    return (values, indices) if x.flags.c_contiguous else (laid_out_as(x, values), laid_out_as(x, indices))


def laid_out_as(x, z):
    """``z``, of the shape of ``x``, with its axes in x's order in memory, unless that is expanded."""
    if 0 in x.strides:
        return z
    out = np.empty_like(x, z.dtype)
    out[...] = z
    return out


class SortBackward0(AlongDims, General):
    """z = x sorted along ``dim``, and the places where its elements stood: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, descending):            return sorted_of(x, dim, descending)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
    def jvp(xp, t, dim, indices):               return selected(xp, t, dim, True, indices)
_sort = op(SortBackward0)


class SortBackward1(SortBackward0):
    """z = x sorted along ``dim`` by the overload with ``stable``."""
    def forward(x, dim, descending):            return sorted_of(x, dim, descending)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
    def jvp(xp, t, dim, indices):               return selected(xp, t, dim, True, indices)
_sort_stable = op(SortBackward1)


def sort(input, dim=-1, descending=False, stable=None, *, out=None, **names):
    """Sort the elements along ``dim``; return them and their original indices; nan counts as the largest.

    The order of equal elements is kept, with or without ``stable``. Raises RuntimeError for complex tensors.

    >>> import minigrad
    >>> minigrad.sort(minigrad.tensor([3., 1., 2.]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
    if names:
        dim = numpy_dim("sort", names, dim, -1)
    dim = one_dim("sort", dim)
    if stable is not None and stable is not True and stable is not False:
        explain(sort, {"input": input, "dim": dim, "descending": descending, "stable": stable})
    call = _sort if stable is None else _sort_stable
    if out is not None:
        return call.into(out, input, dim, descending)
    return named_tuple("sort", call(input, dim, descending))


class Argsort(AlongDims, General):
    """The places of the elements in order."""
    aten = "sort.default"
    operands, public = "x", "argsort"
    def forward(x, dim, descending):
        if x.dtype.kind == "c": raise RuntimeError(" Sort does not support complex dtypes on CPU")
        indices = order(x, axis(dim, x.ndim), descending)
        return indices if x.flags.c_contiguous else laid_out_as(x, indices)
_argsort = op(Argsort)


def argsort(input, dim=-1, descending=False, stable=None, *, out=None, **names):
    """Return the indices that sort the elements along ``dim``; ``out`` requires ``stable``.

    >>> import minigrad
    >>> minigrad.argsort(minigrad.tensor([3., 1., 2.]))
    tensor([1, 2, 0])
    """
    if names:
        dim = numpy_dim("argsort", names, dim, -1)
    dim = one_dim("argsort", dim)
    if stable is not None and stable is not True and stable is not False:
        explain(argsort, {"input": input, "dim": dim, "descending": descending, "stable": stable})
    if out is not None:
        if stable is None:
            raise no_form("argsort", {"input": input, "out": out})
        return write_out_same(out, argsort, input, dim, descending, named="sort")
    return _argsort(input, dim, descending)


def msort(input, *, out=None):
    """Sort the elements along the first dimension.

    >>> import minigrad
    >>> minigrad.msort(minigrad.tensor([3., 1., 2.]))
    tensor([1., 2., 3.])
    """
    if out is not None:
        return write_out_same(out, msort, input)
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
    indices = np.sort(np.argpartition(comparable(x), n - k if largest else k - 1, dim)[tuple(part)], dim) if k else order(x, dim)[tuple(part)]
    values = arrays.take_along_axis(x, indices, dim)
    inner = order(values, dim, largest)
    return arrays.take_along_axis(values, inner, dim), arrays.take_along_axis(indices, inner, dim)


class TopkBackward0(AlongDims, General):
    """z = the k largest (or smallest) elements along ``dim``, and the places where they stand: there goes g."""
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, k, dim, largest, sorted):    return largest_of(x, k, dim, largest, sorted)
    def vjp(xp, g, shape, dim, indices):        return xp.put_along_axis(g, indices, dim, shape)
    def jvp(xp, t, dim, indices):               return selected(xp, t, dim, True, indices)
_topk = op(TopkBackward0)


def topk(input, k, dim=-1, largest=True, sorted=True, *, out=None, **names):
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order, and their indices; nan counts as the largest.

    Raises RuntimeError if there are fewer than ``k`` elements.

    >>> import minigrad
    >>> minigrad.topk(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.topk(
    values=tensor([3., 2.]),
    indices=tensor([0, 2]))
    """
    if names:
        dim = numpy_dim("topk", names, dim, -1)
    k, dim = whole("topk", "k", 2, k), one_dim("topk", dim)
    if out is not None:
        return _topk.into(out, input, k, dim, largest, sorted)
    return named_tuple("topk", _topk(input, k, dim, largest, sorted))


def whole(function, name, place, value):
    """``value`` as an int; raises TypeError for anything else."""
    return value if value.__class__ is int else integer(value, function, name, place)


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
        raise NotImplementedError(f"\"unique\" not implemented for '{dtype_name(x)}'")
    if dim is not None:
        dim = axis(dim, x.ndim)
        _check_sizes(x, dim)
        if not x.size:
            return x.copy(), np.zeros(0, _INT64), np.zeros(0, _INT64)
    values, inverse, counts = np.unique(
        comparable(x), return_inverse=True, return_counts=True, axis=dim if x.ndim else None, equal_nan=False
    )
    return values.astype(x.dtype, copy=False), inverse.reshape(x.shape if dim is None else -1), counts


def _check_sizes(x, dim):
    others = [n for d, n in enumerate(x.shape) if d != dim]
    if x.ndim and not x.shape[dim] and 0 in others:
        raise RuntimeError("Number of zero sized dimensions is more than one, so unique cannot be applied ")
    if x.ndim and 0 in others and x.shape[dim]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")


def runs(x, dim):
    """``(values, inverse, counts)`` of the runs of equal neighbours: of all elements, or of slices along ``dim``."""
    if is_complex_type(x.dtype):
        raise NotImplementedError(f"\"unique{'_dim' * (dim is not None)}\" not implemented for '{dtype_name(x)}'")
    refuse_packed(x, "unique")
    if dim is not None and not x.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    rows = x.reshape(-1) if dim is None else np.moveaxis(x, axis(dim, x.ndim), 0)
    if dim is not None:
        _check_sizes(x, axis(dim, x.ndim))
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


def no_batch(name):
    """The batching rule of an op whose result has another size for each sample."""
    def batch(call, xs, batched, params, size):
        raise RuntimeError(no_shape(name))

    return batch


class Unique2Backward0(General):
    """The distinct elements in order, where each stood, and how many there were."""
    sized_by = 0
    aten = "_unique2.default"
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x):        return distinct(x, None)
    vjp = no_derivative("_unique2")
    batch = no_batch("_unique2")
    event = "_unique2"
_unique = op(Unique2Backward0)


class UniqueDimBackward0(AlongDims, General):
    """The distinct slices along ``dim`` in order, where each stood, and how many there were."""
    sized_by = 0
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x, dim):   return distinct(x, dim)
    vjp = no_derivative("unique_dim")
    batch = no_batch("unique_dim")
_unique_dim = op(UniqueDimBackward0)


class UniqueConsecutiveBackward0(General):
    """The runs of equal neighbours, where each stood, and how long they were."""
    sized_by = 0
    operands, results, nondiff = "x", "z inverse counts", (1, 2)
    def forward(x, dim):   return runs(x, dim)
    vjp = no_derivative("unique_consecutive")
    batch = no_batch("unique_consecutive")
_unique_consecutive = op(UniqueConsecutiveBackward0)


def _wanted(results, return_inverse, return_counts):
    values, inverse, counts = results
    if not (return_inverse or return_counts):
        return values
    return (values, *((inverse,) if return_inverse else ()), *((counts,) if return_counts else ()))


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """Return the distinct elements, or slices along ``dim``, in order (whatever ``sorted`` says); optionally also their positions and counts.

    >>> import minigrad
    >>> minigrad.unique(minigrad.tensor([3, 1, 1]), return_counts=True)
    (tensor([1, 3]), tensor([2, 1]))
    """
    results = _unique(input) if dim is None else _unique_dim(input, one_dim("unique", dim))
    return _wanted(results, return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """Return the elements, or slices along ``dim``, without consecutive repetitions.

    >>> import minigrad
    >>> minigrad.unique_consecutive(minigrad.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    for name, value in (("return_inverse", return_inverse), ("return_counts", return_counts)):
        if value.__class__ is not bool:
            raise TypeError(f"unique_consecutive(): argument '{name}' must be bool, not {type_name(value)}")
    if dim is not None:
        dim = integer(dim, "unique_consecutive", "dim", 4)
    return _wanted(_unique_consecutive(input, dim), return_inverse, return_counts)
