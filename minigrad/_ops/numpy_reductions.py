"""NumPy's reductions, sums along an axis and sorting as our own operators (``numpy_rules.py``)."""

import math

import numpy as np

from .._core.tensor import Tensor
from . import choose, cumulative
from .bins import searchsorted
from .numpy_rules import FUNCTIONS, as_one, axes_of, cast, common, flat, of, tensor

__all__ = []


# Reductions ----------------------------------------------------------------------------------------------------------


@of(np.sum)
def sum_(a, axis=None, dtype=None, keepdims=False, initial=0, where=True):
    a = cast(a, dtype)
    if where is not True:
        a = choose.where(tensor(where), a, 0)
    z = a.sum(axis, keepdims)
    return z if initial.__class__ is int and not initial else z + initial


@of(np.prod)
def prod(a, axis=None, dtype=None, keepdims=False, initial=1):
    a, dim, restore = as_one(cast(a, dtype), axis, keepdims)
    z = restore(a.prod(dim))
    return z if initial.__class__ is int and initial == 1 else z * initial


@of(np.mean)
def mean(a, axis=None, dtype=None, keepdims=False, where=True):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    if where is not True:
        mask = tensor(where).broadcast_to(a.shape)
        return sum_(a, axis, None, keepdims, where=mask) / sum_(mask, axis, None, keepdims)
    return a.mean(axis, keepdims)


@of(np.var)
def var(a, axis=None, dtype=None, ddof=0, keepdims=False, correction=None):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    return a.var(axes_of(a, axis), correction=ddof if correction is None else correction, keepdim=keepdims)


@of(np.std)
def std(a, axis=None, dtype=None, ddof=0, keepdims=False, correction=None):
    a = cast(a, dtype)
    if not (a.is_floating_point() or a.is_complex()):
        a = a.double()
    return a.std(axes_of(a, axis), correction=ddof if correction is None else correction, keepdim=keepdims)


@of(np.max, np.amax)
def max_(a, axis=None, keepdims=False):
    a = tensor(a)
    return a.amax(axes_of(a, axis), keepdims)


@of(np.min, np.amin)
def min_(a, axis=None, keepdims=False):
    a = tensor(a)
    return a.amin(axes_of(a, axis), keepdims)


@of(np.ptp)
def ptp(a, axis=None, keepdims=False):
    return max_(a, axis, keepdims) - min_(a, axis, keepdims)


@of(np.any)
def any_(a, axis=None, keepdims=False):
    a, dim, restore = as_one(tensor(a), axis, keepdims)
    return restore(a.any(dim))


@of(np.all)
def all_(a, axis=None, keepdims=False):
    a, dim, restore = as_one(tensor(a), axis, keepdims)
    return restore(a.all(dim))


@of(np.count_nonzero)
def count_nonzero(a, axis=None, keepdims=False):
    return sum_(tensor(a) != 0, axis, None, keepdims)


@of(np.argmax)
def argmax(a, axis=None, keepdims=False):
    return a.argmax(axis, keepdims)


@of(np.argmin)
def argmin(a, axis=None, keepdims=False):
    return a.argmin(axis, keepdims)


def without_nan(a, value):
    """``a`` with ``value`` where it is nan."""
    return choose.where(a.isnan(), value, a)


@of(np.nansum)
def nansum(a, axis=None, dtype=None, keepdims=False):
    return sum_(without_nan(tensor(a), 0), axis, dtype, keepdims)


@of(np.nanprod)
def nanprod(a, axis=None, dtype=None, keepdims=False):
    return prod(without_nan(tensor(a), 1), axis, dtype, keepdims)


@of(np.nanmean)
def nanmean(a, axis=None, dtype=None, keepdims=False):
    a = tensor(a)
    return mean(a, axis, dtype, keepdims, where=~a.isnan())


@of(np.nanmax)
def nanmax(a, axis=None, keepdims=False):
    return max_(without_nan(tensor(a), -math.inf), axis, keepdims)


@of(np.nanmin)
def nanmin(a, axis=None, keepdims=False):
    return min_(without_nan(tensor(a), math.inf), axis, keepdims)


def at_quantiles(method_name):
    """A rule for quantiles, which are given in shares of ``whole``."""

    def rule_for(whole):
        def rule(a, q, axis=None, method="linear", keepdims=False):
            a, dim, restore = as_one(tensor(a), axis, keepdims)
            q = tensor(q).to(a.dtype) / whole
            z = getattr(a, method_name)(q.reshape(-1), dim, interpolation=method)
            return restore(z.reshape((*q.shape, *z.shape[1:])))

        return rule

    return rule_for


of(np.quantile)(at_quantiles("quantile")(1))
of(np.percentile)(at_quantiles("quantile")(100))
of(np.nanquantile)(at_quantiles("nanquantile")(1))
of(np.nanpercentile)(at_quantiles("nanquantile")(100))


@of(np.median)
def median(a, axis=None, keepdims=False):
    return FUNCTIONS[np.quantile](a, 0.5, axis, keepdims=keepdims)


@of(np.nanmedian)
def nanmedian(a, axis=None, keepdims=False):
    return FUNCTIONS[np.nanquantile](a, 0.5, axis, keepdims=keepdims)


@of(np.average)
def average(a, axis=None, weights=None, keepdims=False):
    if weights is None:
        return mean(a, axis, None, keepdims)
    a, weights = common([a, weights])
    if weights.shape != a.shape:
        (dim,) = axes_of(a, axis)
        weights = weights.reshape([-1 if i == dim % a.ndim else 1 for i in range(a.ndim)]).broadcast_to(a.shape)
    return sum_(a * weights, axis, None, keepdims) / sum_(weights, axis, None, keepdims)


# Along an axis ---------------------------------------------------------------------------------------------------------


@of(np.cumsum)
def cumsum(a, axis=None, dtype=None):
    return cast(flat(a, axis)[0], dtype).cumsum(axis or 0)


@of(np.cumprod)
def cumprod(a, axis=None, dtype=None):
    return cast(flat(a, axis)[0], dtype).cumprod(axis or 0)


@of(*[np.cumulative_sum] if hasattr(np, "cumulative_sum") else [])  # since NumPy 2.1
def cumulative_sum(x, *, axis=None, dtype=None):
    return cumsum(x, axis, dtype)


@of(*[np.cumulative_prod] if hasattr(np, "cumulative_prod") else [])
def cumulative_prod(x, *, axis=None, dtype=None):
    return cumprod(x, axis, dtype)


@of(np.nancumsum)
def nancumsum(a, axis=None, dtype=None):
    return cumsum(without_nan(tensor(a), 0), axis, dtype)


@of(np.diff)
def diff(a, n=1, axis=-1):
    return tensor(a).diff(n, axis)


@of(np.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = tensor(y)
    return cumulative.trapezoid(y, dx=dx, dim=axis) if x is None else cumulative.trapezoid(y, tensor(x), dim=axis)


@of(np.gradient)
def gradient(f, *varargs, axis=None, edge_order=1):
    f = tensor(f)
    dims = axes_of(f, axis)
    if not all(isinstance(x, (int, float)) for x in varargs):
        spacing = [x if isinstance(x, Tensor) else tensor(np.asarray(x, float)).to(f.dtype) for x in varargs]
    else:
        spacing = [float(x) for x in varargs] * (len(dims) if len(varargs) == 1 else 1) or [1.0] * len(dims)
    slopes = cumulative.gradient(f, spacing=spacing, dim=dims, edge_order=edge_order)
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


@of(np.sort)
def sort(a, axis=-1, kind=None, stable=None):
    a, axis = flat(a, axis)
    return a.sort(axis).values


@of(np.argsort)
def argsort(a, axis=-1, kind=None, stable=None):
    a, axis = flat(a, axis)
    return a.argsort(axis)


@of(np.searchsorted)
def searchsorted_(a, v, side="left"):
    a, v = common([a, v])
    return searchsorted(a.detach(), v.detach(), side=side)


@of(np.interp)
def interp(x, xp, fp, left=None, right=None):
    x, places, values = common([x, xp, fp])
    k = searchsorted(places.detach(), x.detach(), right=True).clamp(1, places.shape[0] - 1)
    x0, x1, y0, y1 = places[k - 1], places[k], values[k - 1], values[k]
    z = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    z = choose.where(x < places[0], values[0] if left is None else left, z)
    return choose.where(x > places[-1], values[-1] if right is None else right, z)
