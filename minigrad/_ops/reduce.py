"""Reductions: sums, means, products, extremes, truth, over all elements or along dimensions.  ``moments.py`` has variances and norms."""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.copies import FEW, cast
from .._arrays.rounding import numbers
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name, is_complex_type
from .._base.errors import axis, flag, type_name
from .._base.guards import explain_failure
from .._core.families import Compare, General, Linear, Reduce, compare, op
from .._core.out import write_result
from .._core.packed import refuse_packed
from .._core.tensor import Tensor
from . import choose
from .batches import along
from .dims import (
    AlongMany,
    Reduction,
    as_dims,
    count,
    dim_as_list,
    dims_of,
    dtype_for,
    named_tuple,
    no_dim,
    numpy_dim,
    numpy_names,
    one_dim,
    spread,
    unreduced,
)
from .sizes import refuse_long, sizes_of
from .sorting import select, selected

__all__ = [
    "all", "amax", "amin", "aminmax", "any", "argmax", "argmin", "count_nonzero", "logsumexp", "max",
    "mean", "min", "nanmean", "nansum", "prod", "sum",
]
METHODS = (
    "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum prod sum sum_to_size"
)

_add, _maximum, _minimum = np.add.reduce, np.maximum.reduce, np.minimum.reduce
_FLOAT32, _INT64 = np.dtype("float32"), np.dtype("int64")


# Sums ------------------------------------------------------------------------------------------------------------------


def total(x, dim, keepdim, dtype):
    """The sum of an array as PyTorch accumulates it: half precision in float32, integers in int64."""
    if dtype is None:
        if x.dtype.char in "fdFD":
            return arrays.sums(x, dim, keepdim) if x.size > 63 else _add(x, dim, None, None, keepdim)
        if x.dtype.kind in "iub":
            return np.add.reduce(x, dim, _INT64, None, keepdim)
        dtype = x.dtype
    if dtype.itemsize == 2 and dtype.kind not in "iu":
        if x.size >= FEW and x.dtype.char == "e":
            return arrays.sums(cast(x, _FLOAT32), dim, keepdim).astype(dtype)
        return np.add.reduce(x, dim, _FLOAT32, None, keepdim).astype(dtype)
    if dtype.kind == "b":
        return np.logical_or.reduce(x, dim, None, None, keepdim)
    return np.add.reduce(arrays.astype(x, dtype), dim, dtype, None, keepdim)


def samples(x):
    """A batch along axis 0, and the dimensions of a sample; one without any is lent one."""
    if x._array.ndim == 1: x = x.unsqueeze(1)
    return x, tuple(range(1, x._array.ndim))


class SumBackward0(Linear):
    """z = Σ x over all elements."""
    def batch(call, xs, batched, params, size): return _sum(*samples(xs[0]), False, *params)
    names = {"shape": "self_sym_sizes"}
    def forward(x, dtype):
        if dtype is None and x.size < 64 and x.dtype.char in "fdFD": return _add(x, None)
        return total(x, None, False, dtype)
    def vjp(xp, g, shape):  return xp.broadcast_to(g, shape)
_sum_all = op(SumBackward0)


class SumBackward1(AlongMany, Linear):
    """z = Σ x along ``dim``; g is spread back over it."""
    aten = "sum.dim_IntList"
    out_dtype = "result"
    names = {"shape": "self_sym_sizes"}
    def forward(x, dim, keepdim, dtype):  return total(x, dim, keepdim, dtype)
    def vjp(xp, g, shape, dim, keepdim):  return spread(xp, g, shape, dim, keepdim)
    inputs = dim_as_list
_sum = op(SumBackward1)


def sum(input, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the sum of all elements, or along ``dim``: an int or several, with () for all.

    Integers and bools are summed in ``int64``; ``dtype`` converts first. Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.sum(minigrad.tensor([[1., 2.], [3., 4.]]), dim=0)
    tensor([4., 6.])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "sum", "keepdim", 3)
        if dim is None and dtype is None and out is None and not keepdim and not names:
            return _sum_all(input, None)
        if names:
            dim, keepdim = numpy_names("sum", names, dim, keepdim)
        if dtype is not None:
            dtype = dtypes.known("sum", dtype).np
        if out is not None:
            return _sum.into(out, input, as_dims(dim), keepdim, dtype_for(out, dtype))
        if dim is None and not keepdim:
            return _sum_all(input, dtype)
        return _sum(input, dim if dim.__class__ is int else as_dims(dim), keepdim, dtype)
    except Exception:
        explain_failure(sum, input, dim, keepdim, None, out, names)
        raise


@composite
def sum_to_size(input, *args, size=None):
    """Sum over the dimensions along which a tensor of ``size`` would be expanded to the shape of this one.

    Raises RuntimeError if it could not be expanded to it.

    >>> import minigrad
    >>> minigrad.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    if args and size is not None:
        raise TypeError("sum_to_size() got multiple values for argument 'size'")
    size = sizes_of("sum_to_size", "size", args, size)
    refuse_long("sum_to_size", "size", size)
    shape = tuple(input.shape)
    if not size:
        return _sum_all(input, None)
    if size == shape:
        return input
    extra = len(shape) - len(size)
    if extra < 0 or [0 for n, m in zip(size, shape[extra:]) if n != m and n != 1]:
        raise RuntimeError(
            f"size {{[{', '.join(map(str, size))}]}} is not expandable to size {{[{', '.join(map(str, shape))}]}}."
        )
    over = [d for d, m in enumerate(shape) if d < extra or (size[d - extra] == 1 and m != 1)]
    z = _sum(input, tuple(over), True, None)
    return z.view(size) if extra else z


class NansumBackward0(AlongMany, Reduce):
    """z = Σ of the elements along ``dim`` that are not nan."""
    out_dtype = "result"
    def forward(x, dim, keepdim, dtype):
        if x.dtype.kind == "c": raise RuntimeError("nansum on CPU does not support complex inputs")
        if dtype is not None and x.dtype.kind in "fV" and dtype.kind not in "fV":
            return total(np.where(np.isnan(x), x.dtype.type(0), x), dim, keepdim, dtype)
        z = total(x, dim, keepdim, dtype)
        if x.dtype.kind in "iub" or not np.isnan(z).any(): return z
        return total(np.where(np.isnan(x), x.dtype.type(0), x), dim, keepdim, dtype)
    def vjp(xp, g, x, shape, dim, keepdim):  return spread(xp, g, shape, dim, keepdim) * xp.same(x, x)
_nansum = op(NansumBackward0)


def nansum(input, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the sum of the elements that are not nan: of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.nansum(minigrad.tensor([1., float("nan"), 2.]))
    tensor(3.)
    """
    if names:
        dim, keepdim = numpy_names("nansum", names, dim, keepdim)
    given, dtype = dtype, None if dtype is None else dtypes.known("nansum", dtype).np
    whole = isinstance(input, Tensor) and not input.is_floating_point()
    if isinstance(out, Tensor) and given is not None and not whole and out._array.dtype != dtype:
        raise RuntimeError(f"nansum: provided dtype must match dtype of result. Got {dtype_name(out)} and {dtypes.scalar_type_name(given)}.")
    if isinstance(input, Tensor) and input.is_floating_point():
        target = out._array.dtype if isinstance(out, Tensor) and dtype is None else dtype
        if target is not None and dtypes.from_numpy_dtype(target).category != dtypes.FLOATING and (out is not None or is_complex_type(target)):
            raise NotImplementedError(f"\"nansum_cpu\" not implemented for '{dtypes.scalar_type_name(dtypes.from_numpy_dtype(target))}'")
    if out is not None:
        return _nansum.into(out, input, as_dims(dim), keepdim, dtype_for(out, dtype))
    return _nansum(input, as_dims(dim), keepdim, dtype)


# Means -----------------------------------------------------------------------------------------------------------------


def average(x, dim, keepdim, dtype):
    """The mean of an array, accumulated as by ``total``."""
    if dtype is None and x.dtype.char in "fdFD":
        z = _add(x, dim, None, None, keepdim) if x.size < 64 else arrays.sums(x, dim, keepdim)
    else:
        if (x.dtype if dtype is None else dtype).kind in "iub":
            raise RuntimeError(
                f"mean(): could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype must be either a "
                f"floating point or complex dtype. Got: {dtype_name(x if dtype is None else np.empty(0, dtype))}"
            )
        if (x if dtype is None else dtype).itemsize == 2:
            return (_add(x, dim, _FLOAT32, None, keepdim) / count(x.shape, dim)).astype(dtype or x.dtype)
        z = total(x, dim, keepdim, dtype)
    n = x.size if dim is None else count(x.shape, dim)
    if z.__class__ is np.ndarray:
        z /= n
        return z
    return z / n


class MeanBackward0(Linear):
    """z = Σ x / n over all n elements."""
    def batch(call, xs, batched, params, size): return _mean(*samples(xs[0]), False, *params)
    names = {"shape": "self_sym_sizes"}
    _saved_self_sym_numel = property(lambda node: math.prod(node.shapes))
    def forward(x, dtype):  return average(x, None, False, dtype)
    def vjp(xp, g, shape):  return xp.broadcast_to(g / math.prod(shape), shape)
_mean_all = op(MeanBackward0)


class MeanBackward1(AlongMany, Linear):
    """z = Σ x / n along ``dim``."""
    aten = "mean.dim"
    out_dtype = "result"
    names = {"shape": "self_sym_sizes"}
    _saved_self_sym_numel = property(lambda node: math.prod(node.shapes))
    def forward(x, dim, keepdim, dtype):  return average(x, dim, keepdim, dtype)
    def vjp(xp, g, shape, dim, keepdim):  return spread(xp, g / count(shape, dim), shape, dim, keepdim)
    inputs = dim_as_list
_mean = op(MeanBackward1)


def mean(input, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the mean of all elements, or along ``dim``: an int or several, with () for all.

    The dtype (or ``dtype``, which converts first) must be floating-point or complex; otherwise raises RuntimeError.

    >>> import minigrad
    >>> minigrad.mean(minigrad.tensor([[1., 2.], [3., 4.]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "mean", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("mean", names, dim, keepdim)
        if dtype is not None:
            dtype = dtypes.known("mean", dtype).np
        if out is not None:
            own = None if not isinstance(input, Tensor) or input.dtype.category < dtypes.FLOATING else out.dtype.np
            return _mean.into(out, input, as_dims(dim), keepdim, dtype or own)
        if dim is None and not keepdim:
            return _mean_all(input, dtype)
        return _mean(input, dim if dim.__class__ is int else as_dims(dim), keepdim, dtype)
    except Exception:
        explain_failure(mean, input, dim, keepdim, None, out, names)
        raise


def nanmean(input, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the mean of the elements that are not nan: of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.nanmean(minigrad.tensor([1., float("nan"), 2.]))
    tensor(1.5000)
    """
    if names:
        dim, keepdim = numpy_names("nanmean", names, dim, keepdim)
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {dtype_name(input._array)}"
        )
    if out is not None:
        nansum(input, dim, keepdim, dtype=dtype, out=out)
        return out.div_(sum(same(input, input), dim, keepdim))
    if dtype is not None and dtypes.known("nanmean", dtype).category < dtypes.FLOATING:
        raise RuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: "
            f"{dtypes.scalar_type_name(dtype)}"
        )
    total = nansum(input, dim, keepdim, dtype=dtype)
    return total / sum(same(input, input), dim, keepdim).to(total.dtype)


# Products --------------------------------------------------------------------------------------------------------------


def product(x, dim, keepdim, dtype):
    """The product of an array; integers are multiplied in int64."""
    if dtype is None:
        if x.dtype.char in "fdFD":
            if x.size > 255 and dim in (-1, x.ndim - 1) and x.shape[-1] <= 16:
                z = np.multiply.reduce(np.ascontiguousarray(x.reshape(-1, x.shape[-1]).T), 0)
                return z.reshape(x.shape[:-1] + (1,) * keepdim)
            if x.size > 255 and x.__class__ is np.ndarray and (dim in (-1, x.ndim - 1) or (dim is None and x.flags.c_contiguous)):
                z = _product_of_rows(x.reshape(-1) if dim is None else x)
                return z.reshape((1,) * x.ndim if dim is None else (*x.shape[:-1], 1)) if keepdim else z
            return np.multiply.reduce(x, dim, None, None, keepdim)
        dtype = _INT64 if x.dtype.kind in "iub" else x.dtype
    if dtype.itemsize == 2 and dtype.kind not in "iu":
        return np.multiply.reduce(x, dim, _FLOAT32, None, keepdim).astype(dtype)
    return np.multiply.reduce(arrays.astype(x, dtype), dim, dtype, None, keepdim)


def _product_of_rows(x):
    """The products along the last axis, by halves: NumPy multiplies the elements of a row one after the other, each waiting for the last."""
    while x.shape[-1] > 16:
        half = x.shape[-1] // 2
        z = x[..., :half] * x[..., half : 2 * half]
        if x.shape[-1] % 2:
            z[..., 0] *= x[..., -1]
        x = z
    return np.multiply.reduce(x, -1)


def products_of_others(xp, x, dim):
    """For each element the product of all others along ``dim``, which zeros do not spoil: of those before it and those after it."""
    return xp.shift(xp.cumprod(x, dim), dim, False, 1) * xp.shift(xp.cumprod(x, dim, True), dim, True, 1)


class ProdBackward0(Reduce):
    """z = Π x over all elements;   dz/dx = the product of all others, which zeros among them do not spoil."""
    autocast = "full"
    out_dtype = "result"
    def batch(call, xs, batched, params, size): return _prod(xs[0].reshape(size, -1), 1, False, *params)
    def forward(x, dtype):     return product(x, None, False, dtype)
    def vjp(xp, g, x, z):
        if not x.shape: return xp.clone(g)
        return g * xp.reshape(products_of_others(xp, xp.reshape(x, (-1,)), 0), x.shape)
    def fused(g, x, z): return g * z / x if x.ndim and x.all() else ProdBackward0.vjp(arrays, g, x, z)
_prod_all = op(ProdBackward0)


class ProdBackward1(Reduction, Reduce):
    """z = Π x along ``dim``;   dz/dx = the product of all others along it."""
    autocast = "full"
    aten = "prod.dim_int"
    out_dtype = "result"
    def forward(x, dim, keepdim, dtype):  return product(x, dim, keepdim, dtype)
    def vjp(xp, g, x, z, dim, keepdim):
        if not x.shape: return xp.clone(g)
        return unreduced(xp, g, x.shape, dim, keepdim) * products_of_others(xp, x, dim)
    def fused(g, x, z, dim, keepdim):
        if not x.ndim or not x.all(): return ProdBackward1.vjp(arrays, g, x, z, dim, keepdim)
        return unreduced(arrays, g * z, x.shape, dim, keepdim) / x
_prod = op(ProdBackward1)


def prod(input, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the product of all elements, or along one dimension. Integers and bools are multiplied in ``int64``.

    >>> import minigrad
    >>> minigrad.prod(minigrad.tensor([[1., 2.], [3., 4.]]), 1)
    tensor([ 2., 12.])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "prod", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("prod", names, dim, keepdim)
        dtype = None if dtype is None else dtypes.known("prod", dtype).np
        if dim is None:
            if out is not None or keepdim is not False:
                raise TypeError('prod() missing 1 required positional arguments: "dim"')
            return _prod_all(input, dtype)
        dim = one_dim("prod", dim)
        if out is not None:
            return _prod.into(out, input, dim, keepdim, dtype_for(out, dtype))
        return _prod(input, dim, keepdim, dtype)
    except Exception:
        explain_failure(prod, input, dim, keepdim, None, out, names)
        raise


# Extremes ----------------------------------------------------------------------------------------------------------------


def no_elements(function, x, dim):
    """The error for an extreme of nothing, or None."""
    if dim is None:
        if not x.size:
            return RuntimeError(
                f"{function}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                "with the 'dim' argument."
            )
    elif x.ndim:
        for d in (dim,) if dim.__class__ is int and -x.ndim <= dim < x.ndim else dims_of(dim, x.ndim, function):
            if not x.shape[d]:
                return IndexError(f"{function}(): Expected reduction dim {d} to have non-zero size.")
    return None


def extreme(x, dim, keepdim, function, reduce, arg):
    """``(values, indices)`` of the first largest (or smallest) elements along ``dim``; a nan beats all."""
    if x.dtype.kind == "c":
        raise RuntimeError(f"{function}(): does not support complex input")
    if not x.ndim:
        axis(dim, 0)
        return x.copy(), np.zeros((), _INT64)
    if not x.shape[axis(dim, x.ndim)]:
        raise no_elements(function, x, axis(dim, x.ndim))
    if keepdim:
        return arrays.extremes(x, dim, True, reduce, arg), arg(x, dim, keepdims=True)
    indices = arg(x, dim)
    if x.size > 255 and dim in (-1, x.ndim - 1) and x.flags.c_contiguous:
        return arrays.at_places(x, indices), indices
    return reduce(x, dim), indices


def extreme_all(x, function, reduce):
    """The largest (or smallest) element; a nan beats all."""
    if not x.size:
        raise no_elements(function, x, None)
    if x.dtype.kind == "c":
        raise NotImplementedError(f"\"{function}_all\" not implemented for '{dtype_name(x)}'")
    return reduce(x, None)


def extreme_of(x, dim, keepdim, function, reduce, arg):
    """The largest (or smallest) elements along any number of dimensions; a nan beats all."""
    if not x.size and (error := no_elements(function, x, dim)) is not None:
        raise error
    if x.dtype.kind == "c":
        raise NotImplementedError(f"\"{function[1:]}_values_cpu\" not implemented for '{dtype_name(x)}'")
    return arrays.extremes(x, dim, keepdim, reduce, arg)


def share(xp, g, chosen, dim=None):
    """``g`` shared evenly by the elements where ``chosen`` is 1."""
    return g / xp.sum(chosen, dim, True) * chosen


class Same(Compare):
    """1 where x equals y, else 0, in the dtype of x."""
    public = "same"
    forward = arrays.same
same = compare(Same)


class SameOrNan(Compare):
    """1 where x equals y or both are nan, else 0, in the dtype of x."""
    public = "same_or_nan"
    forward = arrays.same_or_nan
same_or_nan = compare(SameOrNan)


class MaxBackward0(Reduction, General):
    """z = the largest element along ``dim``, and the first place where it stands: there goes g."""
    aten = "max.dim"
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return extreme(x, dim, keepdim, "max", _maximum, np.ndarray.argmax)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_max = op(MaxBackward0)


class MaxBackward1(Reduce):
    """z = the largest of all elements; g is shared evenly by those that equal it."""
    def batch(call, xs, batched, params, size): return _amax(*samples(xs[0]), False)
    def forward(x):        return extreme_all(x, "max", _maximum)
    def vjp(xp, g, x, z):  return share(xp, g, xp.same_or_nan(x, z))
_max_all = op(MaxBackward1)


class MinBackward0(Reduction, General):
    """z = the smallest element along ``dim``, and the first place where it stands: there goes g."""
    aten = "min.dim"
    operands, results, nondiff = "x", "z indices", (1,)
    names = {"x": "self", "shape": "self_sym_sizes"}
    def forward(x, dim, keepdim):                  return extreme(x, dim, keepdim, "min", _minimum, np.ndarray.argmin)
    def vjp(xp, g, shape, dim, keepdim, indices):  return select(xp, g, shape, dim, keepdim, indices)
    def jvp(xp, t, dim, keepdim, indices):         return selected(xp, t, dim, keepdim, indices)
_min = op(MinBackward0)


class MinBackward1(Reduce):
    """z = the smallest of all elements; g is shared evenly by those that equal it."""
    def batch(call, xs, batched, params, size): return _amin(*samples(xs[0]), False)
    def forward(x):        return extreme_all(x, "min", _minimum)
    def vjp(xp, g, x, z):  return share(xp, g, xp.same_or_nan(x, z))
_min_all = op(MinBackward1)


class AmaxBackward0(AlongMany, Reduce):
    """z = the largest element along ``dim``; g is shared evenly by those that equal it (a nan has no equal)."""
    out_dtype, of_all = "result", ()
    def forward(x, dim, keepdim):         return extreme_of(x, dim, keepdim, "amax", _maximum, np.ndarray.argmax)
    def vjp(xp, g, x, z, dim, keepdim):
        g, z = unreduced(xp, g, x.shape, dim, keepdim), unreduced(xp, z, x.shape, dim, keepdim)
        return share(xp, g, xp.same(x, z), dim)
    inputs = dim_as_list
_amax = op(AmaxBackward0)


class AminBackward0(AlongMany, Reduce):
    """z = the smallest element along ``dim``; g is shared evenly by those that equal it (a nan has no equal)."""
    out_dtype, of_all = "result", ()
    def forward(x, dim, keepdim):         return extreme_of(x, dim, keepdim, "amin", _minimum, np.ndarray.argmin)
    def vjp(xp, g, x, z, dim, keepdim):
        g, z = unreduced(xp, g, x.shape, dim, keepdim), unreduced(xp, z, x.shape, dim, keepdim)
        return share(xp, g, xp.same(x, z), dim)
    inputs = dim_as_list
_amin = op(AminBackward0)


class AminmaxBackward0(Reduction, General):
    """The smallest and the largest element; each one's gradient is shared evenly by those that equal it."""
    batch = along("dim", flattens=True)
    operands, results = "x", "min max"
    def forward(x, dim, keepdim):
        if not x.size:
            if dim is None:
                raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
            if not x.shape[axis(dim, x.ndim)]:
                raise IndexError(f"aminmax: Expected reduction dim {axis(dim, x.ndim)} to have non-zero size.")
        if x.dtype.kind == "c":
            if not x.ndim and dim is not None: raise RuntimeError(f"aminmax not implemented for {dtype_name(x)}")
            raise NotImplementedError(f"\"aminmax_cpu\" not implemented for '{dtype_name(x)}'")
        return _minimum(x, dim, None, None, keepdim), _maximum(x, dim, None, None, keepdim)
    def vjp(xp, g, x, min, max, dim, keepdim):
        parts = [
            share(xp, unreduced(xp, h, x.shape, dim, keepdim), xp.same(x, unreduced(xp, z, x.shape, dim, keepdim)), dim)
            for h, z in zip(g, (min, max)) if h is not None
        ]
        return parts[0] + parts[1] if len(parts) == 2 else parts[0]
_aminmax = op(AminmaxBackward0)


def _extreme(name, sign, all_, along, elementwise):
    """``max`` or ``min``."""

    def function(input, dim=None, keepdim=False, *, other=None, out=None, **names):
        if dim is None and other is None and out is None and not names and keepdim is False:
            return all_(input)
        if names:
            dim, keepdim = numpy_names(name, names, dim, keepdim)
        if keepdim is not False and dim is None:
            raise no_dim(name)
        if isinstance(dim, Tensor) or other is not None:
            return getattr(choose, elementwise)(input, dim if other is None else other, out=out)
        if dim is None:
            return all_(input) if out is None else all_.into(out, input)
        if dim.__class__ is not int:
            dim = one_dim(name, dim)
        if out is not None:
            return along.into(out, input, dim, keepdim)
        return named_tuple(name, along(input, dim, keepdim))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the {sign}est of all elements; the {sign}est along ``dim``, with their indices; or the {sign}er elements of two tensors.

    A nan counts as the {sign}est.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.{name}(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.{name}(
    values=tensor([{"4., 3." if sign == "larg" else "1., 2."}]),
    indices=tensor([{"1, 0" if sign == "larg" else "0, 1"}]))
    """
    return composite(function)


max = _extreme("max", "larg", _max_all, _max, "maximum")
min = _extreme("min", "small", _min_all, _min, "minimum")


def amax(input, dim=(), keepdim=False, *, out=None, **names):
    """Return the largest elements along ``dim``: an int or several, with () for all.

    >>> import minigrad
    >>> minigrad.amax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([4., 3.])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "amax", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("amax", names, dim, keepdim, ())
        return _amax(input, as_dims(dim), keepdim) if out is None else _amax.into(out, input, as_dims(dim), keepdim)
    except Exception:
        explain_failure(amax, input, dim, keepdim, out, names)
        raise


def amin(input, dim=(), keepdim=False, *, out=None, **names):
    """Return the smallest elements along ``dim``: an int or several, with () for all.

    >>> import minigrad
    >>> minigrad.amin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([1., 2.])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "amin", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("amin", names, dim, keepdim, ())
        return _amin(input, as_dims(dim), keepdim) if out is None else _amin.into(out, input, as_dims(dim), keepdim)
    except Exception:
        explain_failure(amin, input, dim, keepdim, out, names)
        raise


def aminmax(input, *, dim=None, keepdim=False, out=None, **names):
    """Return the smallest and the largest element: of all, or along one dimension.

    >>> import minigrad
    >>> minigrad.aminmax(minigrad.tensor([3., 1., 2.]))
    torch.return_types.aminmax(
    min=tensor(1.),
    max=tensor(3.))
    """
    if names:
        dim, keepdim = numpy_names("aminmax", names, dim, keepdim)
    if out is not None:
        return _aminmax.into(out, input, dim, keepdim)
    return named_tuple("aminmax", _aminmax(input, dim, keepdim))


def place_of(x, dim, keepdim, function, arg):
    """The index of the first largest (or smallest) element; a nan beats all."""
    if x.dtype.kind in "bc":
        raise RuntimeError(f"{function}(): does not support {'complex' if x.dtype.kind == 'c' else 'bool'} input")
    if not x.size:
        if dim is None:
            raise IndexError(f"{function}(): Expected reduction dim to be specified for input.numel() == 0.")
        if not x.shape[axis(dim, x.ndim)]:
            raise no_elements(function, x, axis(dim, x.ndim))
    return arg(x, dim, keepdims=keepdim) if x.ndim else np.zeros((), _INT64) if dim is None or axis(dim, 0) == 0 else None


class Argmax(Reduction, Reduce):
    """The place of the first largest element."""
    out_dtype = "result"
    batch = along("dim", flattens=True)
    public = "argmax"
    def forward(x, dim, keepdim):  return place_of(x, dim, keepdim, "argmax", np.ndarray.argmax)
_argmax = op(Argmax)


class Argmin(Reduction, Reduce):
    """The place of the first smallest element."""
    out_dtype = "result"
    batch = along("dim", flattens=True)
    public = "argmin"
    def forward(x, dim, keepdim):  return place_of(x, dim, keepdim, "argmin", np.ndarray.argmin)
_argmin = op(Argmin)


def argmax(input, dim=None, keepdim=False, *, out=None, **names):
    """Return the index of the largest element (the first among equals): of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.argmax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([1, 0])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "argmax", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("argmax", names, dim, keepdim)
        if dim is not None:
            dim = one_dim("argmax", dim)
        return _argmax(input, dim, keepdim) if out is None else _argmax.into(out, input, dim, keepdim)
    except Exception:
        explain_failure(argmax, input, dim, keepdim, out, names)
        raise


def argmin(input, dim=None, keepdim=False, *, out=None, **names):
    """Return the index of the smallest element (the first among equals): of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.argmin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([0, 1])
    """
    try:
        if keepdim is not False:
            flag(keepdim, "argmin", "keepdim", 3)
        if names:
            dim, keepdim = numpy_names("argmin", names, dim, keepdim)
        if dim is not None:
            dim = one_dim("argmin", dim)
        return _argmin(input, dim, keepdim) if out is None else _argmin.into(out, input, dim, keepdim)
    except Exception:
        explain_failure(argmin, input, dim, keepdim, out, names)
        raise


# Exponentials --------------------------------------------------------------------------------------------------------------


class LogsumexpBackward0(AlongMany, Reduce):
    """z = log Σ eˣ along ``dim``, without overflow;   dz/dx = eˣ⁻ᶻ."""
    floats, of_all = True, ()
    def forward(x, dim, keepdim):
        if not x.size: return np.log(_add(x, dim, None, None, keepdim))
        wide = x.astype(_FLOAT32) if x.itemsize == 2 else x
        m = arrays.extremes(wide.real, dim, True, _maximum, np.ndarray.argmax)
        if not np.logical_and.reduce(np.isfinite(m), None): m = np.where(np.isinf(m), m.dtype.type(0), m)
        z = np.log(arrays.sums(np.exp(wide - m), dim, keepdim))
        return (z + (m if keepdim else m.reshape(z.shape))).astype(x.dtype, copy=False)
    def vjp(xp, g, x, z, dim, keepdim):
        g, z = unreduced(xp, g, x.shape, dim, keepdim), unreduced(xp, z, x.shape, dim, keepdim)
        return g * xp.exp(x - z)
    def jvp(xp, t, x, z, dim, keepdim):
        return xp.sum(t * xp.exp(x - unreduced(xp, z, x.shape, dim, keepdim)), dim, keepdim)
    inputs = dim_as_list
_logsumexp = op(LogsumexpBackward0)


def logsumexp(input, dim=None, keepdim=False, *, out=None, **names):
    """Compute ``log(exp(input).sum(dim))`` without overflow. Integers are converted to the default dtype.

    >>> import minigrad
    >>> minigrad.logsumexp(minigrad.tensor([1000., 1000.]), 0)
    tensor(1000.6932)
    """
    if names:
        dim, keepdim = numpy_names("logsumexp", names, dim, keepdim)
    if dim is None:
        raise no_dim("logsumexp")
    if out is not None:
        return _logsumexp.into(out, input, as_dims(dim), keepdim)
    return _logsumexp(input, as_dims(dim), keepdim)


# Truth -----------------------------------------------------------------------------------------------------------------


def truth(x, dim, keepdim, reduce):
    """Whether all (or any) elements are not zero: bools, but uint8 for uint8."""
    x = numbers(x)
    z = reduce(x, dim, None, None, keepdim)
    return z if x.dtype != np.uint8 else np.asarray(z, np.uint8)


class All(Reduction, Reduce):
    """Whether no element is zero."""
    aten = "all.{dim}"
    public = "all"
    def forward(x, dim, keepdim):  return truth(x, dim, keepdim, np.logical_and.reduce)
_all = op(All)


class Any(Reduction, Reduce):
    """Whether some element is not zero."""
    aten = "any.{dim}"
    public = "any"
    def forward(x, dim, keepdim):  return truth(x, dim, keepdim, np.logical_or.reduce)
_any = op(Any)


def _truth(function, call, input, dim, keepdim, out, names):
    if keepdim is not False:
        flag(keepdim, function, "keepdim", 3)
    if names:
        dim, keepdim = numpy_names(function, names, dim, keepdim)
    if isinstance(dim, list):
        dim = tuple(dim)  # here () is no dimension at all: each element is taken by itself
    if out is None:
        return call(input, dim, keepdim)
    if not isinstance(out, Tensor):
        raise TypeError(f"{function}(): argument 'out' must be Tensor, not {type_name(out)}")
    if out.dtype not in (dtypes.bool_, dtypes.uint8):
        raise RuntimeError(f"{function} only supports bool tensor for result, got: {dtype_name(out._array)}")
    return write_result(out, call(input, dim, keepdim).to(out.dtype), function)


def all(input, dim=None, keepdim=False, *, out=None, **names):
    """Return whether all elements are non-zero: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.all(minigrad.tensor([[1, 0], [1, 1]]), 1)
    tensor([False,  True])
    """
    try:
        return _truth("all", _all, input, dim, keepdim, out, names)
    except Exception:
        explain_failure(all, input, dim, keepdim, out, names)
        raise


def any(input, dim=None, keepdim=False, *, out=None, **names):
    """Return whether any element is non-zero: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.any(minigrad.tensor([[1, 0], [0, 0]]), 1)
    tensor([ True, False])
    """
    try:
        return _truth("any", _any, input, dim, keepdim, out, names)
    except Exception:
        explain_failure(any, input, dim, keepdim, out, names)
        raise


class CountNonzero(Reduction, Reduce):
    """How many elements are not zero."""
    def aten(operands, params): return f"count_nonzero.{'dim_IntList' if isinstance(params[0], tuple) else 'default'}"
    public = "count_nonzero"
    def forward(x, dim):
        if is_complex_type(x.dtype): x = numbers(x)
        refuse_packed(x, "nonzero_count_cpu")
        if dim is None: return np.asarray(np.count_nonzero(x if x.dtype.kind == "b" else x != 0), _INT64)
        return np.add.reduce(x != 0, dim, _INT64)
_count_nonzero = op(CountNonzero)


def count_nonzero(input, dim=None, **names):
    """Count the non-zero elements: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.count_nonzero(minigrad.tensor([[1, 0], [1, 1]]), dim=0)
    tensor([2, 1])
    """
    if names:
        dim = numpy_dim("count_nonzero", names, dim)
    return _count_nonzero(input, as_dims(dim))
