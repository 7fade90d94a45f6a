"""Counting and finding places: bins, histograms, sorted sequences."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name
from .._base.errors import shape_text
from .._base.guards import explain
from .._core.families import General, op
from .._core.packed import refuse_packed
from .._core.tensor import Tensor, wrap
from .._core.wrapped import elements as values_of
from .batches import everywhere
from .create import real_number
from .dims import named_tuple
from .operands import NUMBERS
from .overloads import one_of, refused
from .scalars import as_limit, as_scalar
from .sizes import as_int

__all__ = ["bincount", "bucketize", "histc", "histogram", "histogramdd", "isin", "searchsorted"]
METHODS = "bincount histc histogram"

_INT32, _INT64, _FLOAT32 = np.dtype("int32"), np.dtype("int64"), np.dtype("float32")


# Bins ------------------------------------------------------------------------------------------------------------------


class Searchsorted(General):
    """Where the elements of y would have to be inserted into the rows of x to keep them in order."""
    aten = "searchsorted.{other}"
    operands, public = "x y sorter", "searchsorted"
    optional_from = 2
    def batch(call, xs, batched, params, size):
        x, y, sorter = xs
        if not batched[0] and not (sorter is not None and batched[2]) and x.ndim == 1: return call(*xs, *params)
        x, y, sorter = everywhere(xs, batched, size)
        if x.ndim > 2: return call(x, y, sorter, *params)
        return call(x, y.reshape(size, -1), sorter, *params).reshape(y.shape)
    def forward(x, y, sorter, right, dtype):
        refuse_packed(x, "searchsorted_out_cpu")
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
    """Return the indices at which ``input`` would have to be inserted into ``sorted_sequence`` (along its last dimension) to keep it sorted.

    Among equal elements that is before the first, or with ``right`` (or ``side="right"``) after the last.

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
        input = as_scalar(input, "searchsorted", "self", 2)
        if input.__class__ is complex:
            raise NotImplementedError("\"searchsorted_out_cpu\" not implemented for 'ComplexFloat'")
        input = wrap(np.asarray(input))
    if input.is_complex() or sorted_sequence.is_complex():
        raise NotImplementedError(f"\"searchsorted_out_cpu\" not implemented for '{dtype_name(sorted_sequence)}'")
    if input.ndim and sorted_sequence.ndim != 1 and tuple(sorted_sequence.shape[:-1]) != tuple(input.shape[:-1]):
        raise RuntimeError(
            f"{name}: boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
            f"tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} and input value tensor "
            f"{list(input.shape)}"
        )
    if sorter is not None:
        _check_sorter(name, sorted_sequence, sorter)
    wanted = _INT32 if out_int32 else _INT64
    right = bool(right or side == "right")
    if out is None:
        return _searchsorted(sorted_sequence, input, sorter, right, wanted)
    if out.dtype.np != wanted:
        raise RuntimeError(
            f"{name}: output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag "
            f"is True, but we got output tensor's dtype {dtype_name(out._array)} and out_int32 flag is {out_int32}"
        )
    return _searchsorted.into(out, sorted_sequence, input, sorter, right, wanted)


def _check_sorter(name, sequence, sorter):
    if sorter.shape != sequence.shape:
        raise RuntimeError(
            f"{name}: boundary and sorter must have the same size, but got boundary tensor {list(sequence.shape)}and got sorter "
            f"tensor {list(sorter.shape)}"
        )
    if sorter.dtype is not dtypes.int64:
        raise RuntimeError(f"{name}: sorter must be a tensor of long dtype but got dtype {dtype_name(sorter._array)}")
    if sorter.numel() and not ((values_of(sorter) >= 0) & (values_of(sorter) < sequence.shape[-1])).all():
        raise RuntimeError(f"{name}: sorter index out of range")


@composite
def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    """Return the index of the bin between sorted, 1-dimensional ``boundaries`` that each element falls into.

    >>> import minigrad
    >>> minigrad.bucketize(minigrad.tensor([2, 3]), minigrad.tensor([1, 3, 5]))
    tensor([1, 1])
    """
    if out is not None and not isinstance(input, Tensor):
        explain(bucketize, {"input": input, "boundaries": boundaries, "out": out})
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


def histogram_of(x, bins, low, high):
    """The number of elements in each of ``bins`` equal bins from ``low`` to ``high`` (the range of the data if both are equal)."""
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if x.dtype.kind not in "fV":
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{dtype_name(x)}'")
    dtype = x.dtype
    rounded = (lambda v: v.astype(dtype).astype(_FLOAT32)) if x.itemsize == 2 else lambda v: v
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
    low, width, bins_ = (rounded(np.asarray(v, x.dtype)) for v in (low, number(high) - number(low), bins))
    place = rounded(rounded(rounded(inside - low) * bins_) / width).astype(_INT64)
    return np.bincount(np.minimum(place, bins - 1), minlength=bins).astype(dtype)


class Histc(General):
    """The number of elements in each of ``bins`` equal bins."""
    out_dtype = "result"
    operands, public = "x", "histc"
    def forward(x, bins, low, high):  return histogram_of(x, bins, low, high)
_histc = op(Histc)


def histc(input, bins=100, min=0, max=0, *, out=None):
    """Count the elements in each of ``bins`` equal bins from ``min`` to ``max``, or over the range of the data if both are equal.

    >>> import minigrad
    >>> minigrad.histc(minigrad.tensor([1., 2., 1.]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    bins, min, max = as_int(bins, "histc", "bins", 2), as_limit(min, "histc", "min", 3), as_limit(max, "histc", "max", 4)
    return _histc(input, bins, min, max) if out is None else _histc.into(out, input, bins, min, max)


class Bincount(General, node="NotImplemented"):
    """How often each number occurs, or the sum of the weights y where it occurs."""
    operands, optional_from, public = "x y", 1, "bincount"
    def forward(x, y, minlength):
        if x.dtype.kind not in "iu": raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{dtype_name(x)}'")
        if minlength < 0: raise RuntimeError("minlength should be >= 0")
        if x.ndim != 1 or (x.size and x.min() < 0):
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        if y is None: return np.bincount(x, minlength=minlength)
        if not x.size: return np.bincount(x, minlength=minlength)
        if y.shape != x.shape: raise RuntimeError("weights should be 1-d and have the same length as input")
        if y.dtype.kind == "c": y = y.real.astype(np.float64)
        return np.bincount(x, y, minlength).astype(y.dtype if y.dtype == np.float32 else np.float64)
    def vjp_y(xp, g): raise NotImplementedError("the derivative for 'bincount' is not implemented.")
_bincount = op(Bincount)


def bincount(input, weights=None, minlength=0):
    """Count the occurrences of each integer from 0 on in ``input``, or sum their ``weights``.

    >>> import minigrad
    >>> minigrad.bincount(minigrad.tensor([3, 1, 1]))
    tensor([0, 2, 0, 1])
    """
    if isinstance(weights, Tensor) and input.ndim == 1 and not input.numel():
        weights = None  # without elements PyTorch does not look at them
    return _bincount(input, weights, minlength)


# Histograms with edges -----------------------------------------------------------------------------------------------------


def edges_of(x, bins, low, high, dim=0):
    """The edges of ``bins`` equal bins of dimension ``dim``; from ``low`` to ``high``, or over the range of the data."""
    if low is None:
        low, high = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension {dim}'s range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {dim}")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1).astype(x.dtype)


def _check_bins(input, bins, range, weight, shape):
    """Raise RuntimeError for bins, one number or tensor of edges for each dimension, or a range or weights that do not fit ``input``.

    ``shape`` is that of the points, the last axis of which has their coordinates.
    """
    for dim, b in enumerate(bins):
        if isinstance(b, Tensor):
            if b.ndim != 1:
                raise RuntimeError(
                    f"torch.histogramdd: bins tensor should have one dimension, but got {b.ndim} dimensions in the bins tensor for dimension {dim}"
                )
            if b.dtype is not input.dtype:
                raise RuntimeError(
                    "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
                    f"{c_name(input.dtype)} and bins for dimension {dim} with dtype {c_name(b.dtype)}"
                )
            if not b.numel():
                raise RuntimeError(
                    f"torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension {dim}"
                )
        count = b.numel() - 1 if isinstance(b, Tensor) else b
        if count <= 0:
            raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {count} for dimension {dim}")
    if range is not None:
        _check_range(range, len(bins))
    if weight is not None:
        if weight.dtype is not input.dtype:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, "
                f"but got input({c_name(input.dtype)}), and weight({c_name(weight.dtype)})"
            )
        if weight.numel() != math.prod(shape[:-1]):
            raise _other_weights(shape, weight)


def _check_range(range, dims):
    """Raise RuntimeError unless there are two ends for each dimension."""
    if len(range) != 2 * dims:
        raise RuntimeError(
            f"torch.histogramdd: for a {dims}-dimensional histogram range should have {2 * dims} elements, but got {len(range)}"
        )


def _other_weights(shape, weight):
    """The error for weights that are not one for each point."""
    return RuntimeError(
        "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost "
        f"dimension, but got input with shape {shape_text(shape)} and weight with shape {shape_text(weight.shape)}"
    )


def weighed(samples, edges, weight, density):
    """The histogram of ``samples``, one row each, over the cells between ``edges``, the last of which are closed on both sides."""
    shape = [len(e) - 1 for e in edges]
    inside = np.ones(len(samples), bool)
    place = np.zeros(len(samples), _INT64)
    for x, e in zip(samples.T, edges):
        i = (np.searchsorted(e, x, "right") - 1).clip(0, len(e) - 2)
        inside &= (x >= e[0]) & (x <= e[-1]) & (len(e) > 1)
        place = place * (len(e) - 1) + i
    z = np.bincount(place[inside], None if weight is None else weight[inside], math.prod(shape)).astype(samples.dtype)
    z = z.reshape(shape)
    if density:
        with np.errstate(all="ignore"):  # nothing counted: nan
            z /= z.sum()
        for d, e in enumerate(edges):
            z /= np.diff(e).reshape([-1 if k == d else 1 for k in range(len(edges))])
    return z


def refuse_histogram(x, name):
    """Raise NotImplementedError unless ``x`` is of single or double precision."""
    if x.dtype.kind != "f" or x.itemsize == 2:
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtype_name(x)}'")


class Histogram(General, node="NotImplemented"):
    """How many samples x, or what weight y of them, fall into each cell, and the edges of the cells: ``bins`` equal ones, or given as w."""
    operands, results, optional_from, public = "x y w", "hist edges", 1, "histogram"
    def forward(x, y, w, bins, low, high, density):
        edges = edges_of(x, bins, low, high) if w is None else w.copy()
        return weighed(x.reshape(-1, 1), [edges], None if y is None else y.reshape(-1), density), edges
    def vjp_x(xp, g): raise NotImplementedError("the derivative for 'histogram' is not implemented.")
    def vjp_y(xp, g): raise NotImplementedError("the derivative for 'histogram' is not implemented.")
    def vjp_w(xp, g): raise NotImplementedError("the derivative for 'histogram' is not implemented.")
_histogram = op(Histogram)


_HISTOGRAMS = (
    "(Tensor input, Tensor bins, *, Tensor weight = None, bool density = False, tuple of Tensors out = None)",
    "(Tensor input, int bins = 100, *, tuple of floats range = None, Tensor weight = None, bool density = False, tuple of Tensors out = None)",
)


def histogram(input, bins=100, *, range=None, weight=None, density=False, out=None):
    """Count the elements between ``bins`` equally spaced edges, or between given edges; return the counts and the edges.

    ``weight`` counts each element by its weight; with ``density`` the histogram integrates to 1.

    >>> import minigrad
    >>> minigrad.histogram(minigrad.tensor([1., 2., 1.]), bins=4, range=(0., 3.)).hist
    tensor([0., 2., 1., 0.])
    """
    is_count = hasattr(bins, "__index__") and not isinstance(bins, Tensor | np.ndarray | bool)
    fits = range is None or (is_count and isinstance(range, (tuple, list)) and None not in range)
    if not fits or not (is_count or isinstance(bins, Tensor)):
        raise refused("histogram", _HISTOGRAMS, input, **({} if range is None else {"range": range}), bins=bins)
    if is_count and range is None:  # the range of the data has to be found
        refuse_histogram(input._array, "histogramdd")
    elif not input.is_floating_point():
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{dtype_name(input._array)}'")
    _check_bins(input, (bins,), range, weight, (input.numel(), 1))
    low, high = (None, None) if range is None else range
    edges, number = (bins, None) if isinstance(bins, Tensor) else (None, bins)
    if out is not None:
        return _histogram.into(out, input, weight, edges, number, low, high, density)
    return named_tuple("histogram", _histogram(input, weight, edges, number, low, high, density))


def histogramdd(input, bins, range=None, weight=None, density=False):
    """Count points in bins, as ``histogram`` does; the last dimension holds their coordinates.

    ``bins`` is a number, or numbers or edges for each dimension.

    >>> import minigrad
    >>> minigrad.histogramdd(minigrad.tensor([[0., 1.], [1., 0.]]), bins=2).hist
    tensor([[0., 1.],
            [1., 0.]])
    """
    if not input.ndim and not isinstance(bins, tuple | list):
        raise IndexError("Dimension specified as -1 but tensor has no dimensions")
    if input.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    dims = input.shape[-1]
    if not (isinstance(bins, tuple | list) and bins and isinstance(bins[0], Tensor)):
        refuse_histogram(input._array, "histogramdd")  # to find edges takes a kernel
    bins = list(bins) if isinstance(bins, (tuple, list)) else [bins] * dims
    if bins and isinstance(bins[0], Tensor):
        if len(bins) != dims:
            raise RuntimeError(
                f"torch.histogramdd: expected {dims} sequences of bin edges for a {dims}-dimensional histogram but got {len(bins)}"
            )
    else:
        if range is not None:
            _check_range(range, dims)
        if len(bins) != dims:
            raise RuntimeError(
                f"histogramdd: The size of bins must be equal to the innermost dimension of the input. Expected {dims}, but got {len(bins)}"
            )
    if weight is not None and weight.shape != input.shape[:-1]:
        raise _other_weights(input.shape, weight)
    _check_bins(input, bins, range, weight, input.shape)
    array = input.detach().numpy()
    refuse_histogram(array, "histogramdd")
    points = array.reshape(math.prod(array.shape[:-1]), dims)
    ranges = [(None, None)] * dims if range is None else list(zip(range[::2], range[1::2]))
    edges = [
        b.detach().numpy() if isinstance(b, Tensor) else edges_of(x, b, *bounds, dim)
        for dim, (b, x, bounds) in enumerate(zip(bins, points.T, ranges))
    ]
    if not dims:
        points = points[:0]  # which lie nowhere
    hist = weighed(points, edges, None if weight is None else weight.detach().numpy().reshape(-1), density)
    given = [b if isinstance(b, Tensor) else wrap(e) for b, e in zip(bins, edges)]
    return named_tuple("histogramdd", (wrap(hist), tuple(given)))


# Membership --------------------------------------------------------------------------------------------------------------


class Isin(General):
    """Whether each element of x is among those of y."""
    aten = "isin.{each}"
    out_dtype = "result"
    operands, public = "x y", "isin"
    def batch(call, xs, batched, params, size):
        if not batched[1]: return call(*xs, *params)
        x, y = everywhere(xs, batched, size)
        found = (x.reshape(size, -1, 1) == y.reshape(size, 1, -1)).any(2).reshape(x.shape)
        return found.logical_not() if params[0] else found
    def forward(x, y, invert):
        for v in (x, y):
            refuse_packed(v, "isin_default_cpu")
            if v.dtype.kind in "bc":
                raise RuntimeError(f"Unsupported input type encountered for isin(): {dtype_name(v)}")
        return np.isin(x, y, invert=invert)
_isin = op(Isin)


_ISIN = tuple(
    f"({pair}, *, bool assume_unique = False, bool invert = False, Tensor out = None)"
    for pair in ("Tensor elements, Tensor test_elements", "Number element, Tensor test_elements", "Tensor elements, Number test_element")
)


def isin(elements=None, test_elements=None, *, assume_unique=False, invert=False, out=None, element=None, test_element=None):
    """Return whether each of ``elements`` is (with ``invert``, is not) in ``test_elements``. One of the two may be a number.

    A number can be passed by keyword as ``element`` or ``test_element``.

    >>> import minigrad
    >>> minigrad.isin(minigrad.tensor([1, 2, 3]), minigrad.tensor([2, 3, 5]))
    tensor([False,  True,  True])
    """
    elements = one_of("isin", _ISIN, elements, element=element)
    test_elements = one_of("isin", _ISIN, test_elements, test_element=test_element)
    if not isinstance(elements, Tensor) and not isinstance(test_elements, Tensor):
        raise refused("isin", _ISIN, elements, test_elements)
    if not all(isinstance(x, (Tensor, *NUMBERS)) for x in (elements, test_elements)):
        raise refused("isin", _ISIN, elements, test_elements)
    elements, test_elements = (x if isinstance(x, Tensor) else wrap(np.asarray(real_number(x))) for x in (elements, test_elements))
    return _isin(elements, test_elements, invert) if out is None else _isin.into(out, elements, test_elements, invert)
