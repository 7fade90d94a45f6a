"""Running sums, products and extremes along a dimension; differences and integrals of samples."""

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels.elementwise import in_single
from .._arrays.rounding import halved
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name, known
from .._base.errors import axis as axis_of
from .._base.guards import explain
from .._core.families import General, Linear, Reduce, op
from .._core.inplace import op_
from .._core.out import write_out
from .._core.tensor import Tensor
from .dims import AlongDims, dtype_for, named_tuple, one_dim, repeated_dim
from .join import cat
from .sorting import selected

__all__ = [
    "cummax", "cummin", "cumprod", "cumsum", "cumulative_trapezoid", "diff", "gradient", "logcumsumexp", "trapezoid",
    "trapz",
]
METHODS = "cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp"

_INT64 = np.dtype("int64")
_MANY = 1 << 14  # elements from which on it pays to transpose


# Sums and products -------------------------------------------------------------------------------------------------------


def running(function, x, dim, reverse, dtype):
    """A running sum or product; integers accumulate in int64."""
    axis_of(dim, x.ndim)
    if dtype is None:
        dtype = _INT64 if x.dtype.kind in "iub" else x.dtype
    if dtype.kind == "b" and x.ndim and x.size:
        raise NotImplementedError(f"\"{function.__name__}_out_cpu\" not implemented for 'Bool'")
    return arrays.contiguous(function(x if x.dtype == dtype else arrays.astype(x, dtype), dim, reverse))


class CumsumBackward0(AlongDims, Linear):
    """z[i] = Σ x[j] for j ≤ i along ``dim`` (for j ≥ i with ``reverse``)."""
    out_dtype = "result"
    def forward(x, dim, dtype, reverse):  return running(arrays.cumsum, x, dim, reverse, dtype)
    def vjp(xp, g, dim, reverse):         return xp.cumsum(g, dim, not reverse)
    def inputs(x, dim, dtype): return x, dim, dtype
_cumsum, _cumsum_ = op(CumsumBackward0), op_(CumsumBackward0)


class CumprodBackward0(AlongDims, Reduce):
    """z[i] = Π x[j] for j ≤ i along ``dim`` (for j ≥ i with ``reverse``); the gradient is exact where there are zeros."""
    out_dtype = "result"
    def forward(x, dim, dtype, reverse):         return running(arrays.cumprod, x, dim, reverse, dtype)
    def vjp(xp, g, x, z, dim, reverse):
        return xp.recurrence(xp.shift(x, dim, not reverse, 0), g, dim, not reverse) * xp.shift(z, dim, reverse, 1)
    @in_single
    def fused(g, x, z, dim, reverse):
        if not x.ndim or x.shape[dim] == 1: return np.array(g)
        if not x.all(): return CumprodBackward0.vjp(arrays, g, x, z, dim, reverse)
        return arrays.cumsum(g * z, dim, not reverse) / x
    def inputs(x, dim, dtype): return x, dim, dtype
_cumprod, _cumprod_ = op(CumprodBackward0), op_(CumprodBackward0)


class Shift(AlongDims, Linear):
    """x moved on by one along ``dim`` (or back, with ``reverse``); the number ``fill`` moves in."""
    public = "shift"
    def forward(x, dim, reverse, fill):  return arrays.shift(x, dim, reverse, fill)
    def vjp(xp, g, dim, reverse):        return xp.shift(g, dim, not reverse, 0)
    def jvp(xp, g, dim, reverse):        return xp.shift(g, dim, reverse, 0)
shift = op(Shift)


class Recurrence(AlongDims, General):
    """z[i] = x[i] z[i - 1] + y[i] along ``dim`` (with z[i + 1] instead, for ``reverse``).

    The gradient of y is such a recurrence in the opposite direction, so that all orders are exact, whatever is zero.
    """
    operands, public = "x y", "recurrence"
    def forward(x, y, dim, reverse):  return arrays.recurrence(x, y, dim, reverse)
    def vjp_x(xp, g, x, z, dim, reverse):
        return xp.recurrence(xp.shift(x, dim, not reverse, 0), g, dim, not reverse) * xp.shift(z, dim, reverse, 0)
    def vjp_y(xp, g, x, dim, reverse):
        return xp.recurrence(xp.shift(x, dim, not reverse, 0), g, dim, not reverse)
recurrence = op(Recurrence)


def cumsum(input, dim=None, *, dtype=None, out=None, **names):
    """Return the cumulative sums along ``dim``; integers and bools are summed in ``int64``.

    >>> import minigrad
    >>> minigrad.cumsum(minigrad.tensor([1., 2., 3.]), 0)
    tensor([1., 3., 6.])
    """
    dim = one_dim("cumsum", dim, names)
    dtype = None if dtype is None else known("cumsum", dtype).np
    if out is not None:
        return _cumsum.into(out, input, dim, dtype_for(out, dtype), False)
    return _cumsum(input, dim, dtype, False)


def cumprod(input, dim=None, *, dtype=None, out=None, **names):
    """Return the cumulative products along ``dim``; integers and bools are multiplied in ``int64``.

    >>> import minigrad
    >>> minigrad.cumprod(minigrad.tensor([1., 2., 3.]), 0)
    tensor([1., 2., 6.])
    """
    dim = one_dim("cumprod", dim, names)
    dtype = None if dtype is None else known("cumprod", dtype).np
    if out is not None:
        return _cumprod.into(out, input, dim, dtype_for(out, dtype), False)
    return _cumprod(input, dim, dtype, False)


def _own_dtype(input, dim, dtype):
    if dtype is not None and known("cumsum_", dtype) is not input.dtype:
        axis_of(dim, input.ndim)
        raise RuntimeError(
            f"Bad in-place call: input tensor dtype {c_name(input.dtype)} and output tensor dtype {c_name(dtype)} should match"
        )
    return input.dtype.np


def cumsum_(input, dim, *, dtype=None):
    """In-place version of ``cumsum``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([1, 2, 3]).cumsum_(0)
    tensor([1, 3, 6])
    """
    dim = one_dim("cumsum_", dim)
    return _cumsum_(input, dim, _own_dtype(input, dim, dtype), False)


def cumprod_(input, dim, *, dtype=None):
    """In-place version of ``cumprod``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([1, 2, 3]).cumprod_(0)
    tensor([1, 2, 6])
    """
    dim = one_dim("cumprod_", dim)
    return _cumprod_(input, dim, _own_dtype(input, dim, dtype), False)


def log_cumulative_sum(x, dim):
    """log Σ exp(x[j]) for j ≤ i, without overflow, computed in double precision as PyTorch's is."""
    dim = axis_of(dim, x.ndim)
    if x.dtype.kind not in "fcV" or x.dtype.char == "V":
        raise NotImplementedError(f"\"logcumsumexp_out_cpu\" not implemented for '{dtype_name(x)}'")
    if not x.ndim:
        return x.copy()
    if x.dtype.kind != "c":
        z = np.logaddexp.accumulate(x.astype(np.float64, copy=False), dim)
        return halved(arrays.contiguous(z), x.dtype).astype(x.dtype, copy=False)
    z = x.astype(np.complex128)
    steps = np.moveaxis(z, dim, 0)
    for i in range(1, len(steps)):
        steps[i] = arrays.logaddexp(steps[i - 1], steps[i])
    return z.astype(x.dtype, copy=False)


class LogcumsumexpBackward0(AlongDims, Reduce):
    """z[i] = log Σ exp(x[j]) for j ≤ i;   dx[i] = exp(x[i] - z[i]) r[i] with r[i] = g[i] + exp(z[i] - z[i + 1]) r[i + 1]."""
    out_dtype = "result"
    def forward(x, dim):  return log_cumulative_sum(x, dim)
    def vjp(xp, g, x, z, dim):
        if not x.shape: return xp.clone(g)
        decay = xp.exp(z - xp.shift(z, dim, True, float("inf")))
        return xp.exp(x - z) * xp.recurrence(decay, g, dim, True)
_logcumsumexp = op(LogcumsumexpBackward0)


def logcumsumexp(input, dim=None, *, out=None, **names):
    """Compute ``log(cumsum(exp(input), dim))`` without overflow.  Raises NotImplementedError for integers.

    >>> import minigrad
    >>> minigrad.logcumsumexp(minigrad.tensor([0., 0.]), 0)
    tensor([0.0000, 0.6931])
    """
    dim = one_dim("logcumsumexp", dim, names)
    return _logcumsumexp(input, dim) if out is None else _logcumsumexp.into(out, input, dim)


# Extremes ----------------------------------------------------------------------------------------------------------------


def running_extreme(x, dim, function, ufunc):
    """The running largest (or smallest) elements and the latest places where they stand; a nan beats all."""
    if x.dtype.kind == "c":
        raise NotImplementedError(f"\"{function}_cpu\" not implemented for '{dtype_name(x)}'")
    if not x.ndim:
        if dim not in (0, -1):
            raise IndexError(f"{function}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
        return x.copy(), np.zeros((), _INT64)
    if not x.size:  # of which PyTorch asks nothing
        return x.copy(), np.zeros(x.shape, _INT64)
    dim = axis_of(dim, x.ndim)
    if dim == x.ndim - 1 > 0 and x.size >= _MANY:  # along the first axis NumPy goes by whole rows
        z, at = _extreme_so_far(arrays.contiguous(np.swapaxes(x, 0, dim)), 0, ufunc)
        return arrays.contiguous(np.swapaxes(z, 0, dim)), arrays.contiguous(np.swapaxes(at, 0, dim)).astype(_INT64, copy=False)
    z, at = _extreme_so_far(x, dim, ufunc)
    return arrays.contiguous(z), arrays.contiguous(at).astype(_INT64, copy=False)


def _extreme_so_far(x, dim, ufunc):
    z = arrays.accumulate(ufunc, x, dim)
    new = x == z
    if x.dtype.kind in "fV" and np.isnan(z[arrays.slices(x.ndim, dim)[3]]).any():
        new |= np.isnan(x)
    count = x.shape[dim]
    places = np.arange(count, dtype=np.int32 if count < 2**31 else _INT64).reshape([-1 if d == dim else 1 for d in range(x.ndim)])
    return z, arrays.accumulate(np.maximum, new * places, dim)


class CummaxBackward0(AlongDims, General):
    """z[i] = the largest x[j] for j ≤ i, and the last place where it stands: there goes g[i]."""
    operands, results, nondiff = "x", "z indices", (1,)
    def forward(x, dim):                    return running_extreme(x, dim, "cummax", np.maximum)
    def vjp(xp, g, shape, dim, indices):    return xp.add_along_axis(g, indices, dim, shape)
    def jvp(xp, t, dim, indices):           return selected(xp, t, dim, True, indices)
_cummax = op(CummaxBackward0)


class CumminBackward0(AlongDims, General):
    """z[i] = the smallest x[j] for j ≤ i, and the last place where it stands: there goes g[i]."""
    operands, results, nondiff = "x", "z indices", (1,)
    def forward(x, dim):                    return running_extreme(x, dim, "cummin", np.minimum)
    def vjp(xp, g, shape, dim, indices):    return xp.add_along_axis(g, indices, dim, shape)
    def jvp(xp, t, dim, indices):           return selected(xp, t, dim, True, indices)
_cummin = op(CumminBackward0)


def cummax(input, dim=None, *, out=None, **names):
    """Return the cumulative maxima along ``dim``, and their indices: the last one among equals.

    >>> import minigrad
    >>> minigrad.cummax(minigrad.tensor([1., 3., 2.]), 0).values
    tensor([1., 3., 3.])
    """
    dim = one_dim("cummax", dim, names)
    return named_tuple("cummax", _cummax(input, dim)) if out is None else _cummax.into(out, input, dim)


def cummin(input, dim=None, *, out=None, **names):
    """Return the cumulative minima along ``dim``, and their indices: the last one among equals.

    >>> import minigrad
    >>> minigrad.cummin(minigrad.tensor([3., 1., 2.]), 0).values
    tensor([3., 1., 1.])
    """
    dim = one_dim("cummin", dim, names)
    return named_tuple("cummin", _cummin(input, dim)) if out is None else _cummin.into(out, input, dim)


# Differences and integrals -----------------------------------------------------------------------------------------------


@composite
def diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None, axis=None):
    """Return the n-th differences of neighbouring elements along ``dim``, after ``prepend`` and ``append`` are joined on; XOR for bools.

    >>> import minigrad
    >>> minigrad.diff(minigrad.tensor([1., 4., 9.]))
    tensor([3., 5.])
    """
    if axis is not None:
        dim = axis
    if out is not None:
        return write_out(out, diff, input, n, dim, prepend, append)
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    dim = axis_of(dim, input.ndim)
    joined = input
    if prepend is not None or append is not None:
        parts = [part for part in (prepend, input, append) if part is not None]
        for part in parts:
            if part.ndim != input.ndim:
                raise RuntimeError("diff expects prepend or append to be the same dimension as input")
            for d, (a, b) in enumerate(zip(part.shape, input.shape)):
                if a != b and d != dim:
                    raise RuntimeError(
                        f"diff expects the shape of tensor to prepend or append to match that of input except along the "
                        f"differencing dimension; input.size({d}) = {b}, but got tensor.size({d}) = {a}"
                    )
        joined = cat(parts, dim) if n else input
    if n == 0:
        return input.clone()
    input = joined
    for _ in range(min(n, input.shape[dim]) if input.shape[dim] else 1):
        length = max(input.shape[dim] - 1, 0)
        later, earlier = input.narrow(dim, min(1, input.shape[dim]), length), input.narrow(dim, 0, length)
        input = later.logical_xor(earlier) if input.dtype.name == "bool" else later - earlier
    return input


def _halves(y, dim):
    """All but the first and all but the last samples."""
    n = max(y.shape[dim] - 1, 0)
    return y.narrow(dim, y.shape[dim] - n, n), y.narrow(dim, 0, n)


def _integrand(function, y, x, dx, dim):
    if isinstance(dx, Tensor) and not dx.ndim and not dx.requires_grad:
        dx = dx.item()
    if isinstance(dx, bool | complex):
        raise RuntimeError(f"{function}: Currently, we only support dx as a real number.")
    if x is not None and dx is not None:
        raise TypeError(f"{function}() received an invalid combination of arguments: x and dx")
    if "bool" in (y.dtype.name, "" if x is None else x.dtype.name):
        names = "`y`" if x is None else "`x` or `y`"
        raise RuntimeError(f"{function}: received a bool input for {names}, but bool is not supported")
    if not y.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = axis_of(dim, y.ndim)
    if x is not None:
        if x.ndim == 1:
            if x.shape[0] != y.shape[dim]:
                raise RuntimeError(f"{function}: There must be one `x` value for each sample point")
            x = x.reshape([-1 if d == dim else 1 for d in range(y.ndim)])
        elif x.ndim < y.ndim:
            x = x.reshape((1,) * (y.ndim - x.ndim) + tuple(x.shape))
    return dim, x, 1 if dx is None else dx


@composite
def trapezoid(y, x=None, *, dx=None, dim=-1):
    """Integrate samples ``y`` along ``dim`` by the trapezoidal rule, at positions ``x`` or at distance ``dx``.

    >>> import minigrad
    >>> minigrad.trapezoid(minigrad.tensor([1., 5., 10.]))
    tensor(10.5000)
    """
    if y.ndim and not y.shape[axis_of(dim, y.ndim)]:
        return y.detach().sum(dim, dtype=y.dtype)
    dim, x, dx = _integrand("trapezoid", y, x, dx, dim)
    if x is None:
        return (y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * dx
    (later, earlier), (right, left) = _halves(y, dim), _halves(x, dim)
    return ((earlier + later) * (right - left)).sum(dim) / 2.0


def trapz(y, x=None, *, dx=None, dim=-1):
    """Return the same as ``trapezoid``.

    >>> import minigrad
    >>> minigrad.trapz(minigrad.tensor([1., 5., 10.]))
    tensor(10.5000)
    """
    return trapezoid(y, x, dx=dx, dim=dim)


@composite
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    """Integrate samples ``y`` cumulatively along ``dim`` by the trapezoidal rule; the result has one element less than ``y``.

    >>> import minigrad
    >>> minigrad.cumulative_trapezoid(minigrad.tensor([1., 5., 10.]))
    tensor([ 3.0000, 10.5000])
    """
    dim, x, dx = _integrand("cumulative_trapezoid", y, x, dx, dim)
    later, earlier = _halves(y, dim)
    if x is None:
        return (dx / 2.0 * (earlier + later)).cumsum(dim)
    right, left = _halves(x, dim)
    return ((right - left) * (earlier + later)).cumsum(dim) / 2.0


@composite
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """Estimate the derivatives along each dimension (or those in ``dim``) by central differences; at the edges, by one-sided ones.

    ``spacing`` is a number, a list of numbers, or a list of tensors with the coordinates. With ``edge_order=2`` the estimates at the
    edges are exact for parabolas.

    >>> import minigrad
    >>> minigrad.gradient(minigrad.tensor([1., 4., 9., 16.]))
    (tensor([3., 4., 6., 7.]),)
    """
    if isinstance(spacing, (tuple, list)) and dim is not None and all(isinstance(h, Tensor) for h in spacing):
        count = len(dim) if isinstance(dim, (tuple, list)) else 1
        if len(spacing) != count:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but got "
                f"a spacing argument of length {len(spacing)} and a dim argument of length {count}."
            )
    if not isinstance(input, Tensor) or isinstance(spacing, str):
        explain(gradient, {"input": input, "spacing": spacing, "dim": dim, "edge_order": edge_order})
    if input.dtype.name == "uint8":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if dim is None:
        dims = tuple(range(input.ndim))
    else:
        dims = [axis_of(d, input.ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
        for i, d in enumerate(dims):
            if d in dims[:i]:
                raise repeated_dim(d)
    if isinstance(spacing, Tensor):
        spacing = (spacing,)
    if not isinstance(spacing, (tuple, list)):
        spacing = (1 if spacing is None else spacing,) * len(dims)
    if len(spacing) != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to "
            + (f"'self.dim() = {input.ndim}', since dim argument was not given, " if dim is None else "'len(dim)', ")
            + f"but got a list of length {len(spacing)}"
        )
    for d in dims:
        if input.shape[d] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple([_slopes(input, d, h, edge_order) for d, h in zip(dims, spacing)])


def _slopes(f, dim, h, edge_order):
    """Estimates of the derivatives of samples ``f`` along ``dim``: at distance ``h``, or at the coordinates that it holds."""
    n = f.shape[dim]
    if isinstance(h, Tensor):
        if h.ndim != 1 or h.shape[0] != n:
            raise RuntimeError("torch.gradient expected each element of spacing to have one element for each sample")
        h = diff(h).reshape([-1 if d == dim else 1 for d in range(f.ndim)])
        before, after = h.narrow(dim, 0, n - 2), h.narrow(dim, 1, n - 2)
        ends = [(h.narrow(dim, i, 1), h.narrow(dim, j, 1)) for i, j in ((0, min(1, n - 2)), (n - 2, max(n - 3, 0)))]
    else:
        before = after = h
        ends = [(h, h), (h, h)]
    left, middle, right = (f.narrow(dim, i, n - 2) for i in range(3)) if n > 2 else (None, None, None)
    parts = [_edge(f, dim, 0, 1, *ends[0], edge_order)]
    if n > 2:
        if before is after:
            parts.append((right - left) / (2 * h))
        else:
            parts.append(
                left * (-after / (before * (before + after)))
                + middle * ((after - before) / (before * after))
                + right * (before / (after * (before + after)))
            )
    parts.append(-_edge(f, dim, n - 1, -1, *ends[1], edge_order))
    return cat(parts, dim)


def _edge(f, dim, at, step, near, far, edge_order):
    """The derivative at an end, seen from there, from the next samples at distances ``near`` and ``far`` of each other."""
    f0, f1 = f.narrow(dim, at, 1), f.narrow(dim, at + step, 1)
    if edge_order == 1:
        return (f1 - f0) / near
    f2, both = f.narrow(dim, at + 2 * step, 1), near + far
    return f0 * (-(2 * near + far) / (near * both)) + f1 * (both / (near * far)) - f2 * (near / (far * both))
