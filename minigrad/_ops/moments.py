"""Variances, standard deviations, norms."""

import math
import warnings

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.packed import parts
from .._arrays.rounding import fitted, numbers
from .._base import dtypes
from .._base.argument_kinds import no_form
from .._base.callers import level_of_user
from .._base.dtypes import dtype_name, from_numpy_dtype, is_complex_type, known
from .._base.errors import axis, flag
from .._core.families import General, Linear, Reduce, Unary, op
from .._core.inplace import op_
from .._core.out import write_out_same
from .._core.tensor import Tensor
from .batches import pointwise
from .choose import where
from .dims import (
    AlongDims,
    AlongMany,
    as_dims,
    count,
    dims_of,
    numpy_names,
    spread,
    unreduced,
)  # fmt: skip
from .reduce import average, share
from .scalars import as_limit, as_scalar

__all__ = ["norm", "norm_except_dim", "renorm", "std", "std_mean", "var", "var_mean"]
METHODS = "norm=norm_method renorm renorm_ std var"

_FLOAT32 = np.dtype("float32")


# Variances ------------------------------------------------------------------------------------------------------------------


class Centered(AlongDims, Linear):
    """z = x minus its mean along ``dim``: a symmetric projection, so that its own formula is itself."""
    public = "centered"
    def forward(x, dim):     return arrays.centered(x, dim)
    def vjp(xp, g, dim):     return xp.centered(g, dim)
centered = op(Centered)


class DivideNonzero(General):
    """z = x / y, and 0 where y = 0, to any order."""
    batch = pointwise
    operands, public = "x y", "divide_nonzero"
    def forward(x, y):       return arrays.divide_nonzero(x, y)
    def vjp_x(xp, g, y):     return xp.divide_nonzero(g, y)
    def vjp_y(xp, g, y, z):  return xp.divide_nonzero(-g * z, y)
divide_nonzero = op(DivideNonzero)


def variance(x, dim, correction, keepdim, function):
    """``(Σ |x - mean|² / (n - correction), the mean)`` along ``dim``; exactly zero for equal elements."""
    if x.dtype.kind in "iub":
        raise RuntimeError(
            f"{function if function.endswith('mean') else 'std and var'} only support floating point and complex dtypes"
        )
    if x.dtype.char == "V" and is_complex_type(x.dtype):  # the sum of those of the parts, as rounded
        return sum(variance(part, dim, correction, keepdim, function).astype(np.float16) for part in np.moveaxis(parts(x), -1, 0))
    if dim is not None:
        dim = axis(dim, x.ndim) if dim.__class__ is int else dims_of(dim, x.ndim, function)
    d = arrays.centered(x.astype(_FLOAT32) if x.itemsize == 2 else x, dim)
    left = count(x.shape, dim) - correction
    if left <= 0:
        warnings.warn(
            f"{function}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel "
            "divided by output numel).",
            stacklevel=level_of_user(),
        )
        left = 0.0
    z = arrays.sums(d * d if d.dtype.kind != "c" else d.real**2 + d.imag**2, dim, keepdim)
    if left:
        return np.asarray(z / left, z.dtype)
    with np.errstate(all="ignore"):
        return np.asarray(z / left, z.dtype)


def _real_dtype(x):
    return from_numpy_dtype(x.dtype).to_real().np


def scatter_of(xp, g, x, dim, correction, keepdim):
    """The gradient of the variance: 2 (x - mean) g / (n - correction)."""
    n = count(x.shape, dim)
    left = n - correction
    g = unreduced(xp, g, x.shape, dim, keepdim)
    return g * (2 / left if left > 0 else math.nan) * xp.centered(x, dim)


class VarBackward0(AlongMany, Reduce):
    """z = Σ |x - mean|² / (n - correction) along ``dim``."""
    aten = "var.correction"
    conjugates = False
    def forward(x, dim, correction, keepdim):
        return variance(x, dim, correction, keepdim, "var").astype(_real_dtype(x), copy=False)
    def vjp(xp, g, x, dim, correction, keepdim):
        return scatter_of(xp, g, x, dim, correction, keepdim)
_var = op(VarBackward0)


class StdBackward0(AlongMany, Reduce):
    """z = the root of the variance; where it is 0, so is the gradient."""
    aten = "std.correction"
    conjugates = False
    def forward(x, dim, correction, keepdim):
        return np.sqrt(variance(x, dim, correction, keepdim, "std")).astype(_real_dtype(x), copy=False)
    def vjp(xp, g, x, z, dim, correction, keepdim):
        return scatter_of(xp, xp.divide_nonzero(g / 2, z), x, dim, correction, keepdim)
_std = op(StdBackward0)


class VarMeanBackward0(AlongMany, General):
    """The variance and the mean."""
    aten = "var_mean.correction"
    operands, results, conjugates = "x", "result0 result1", False
    def forward(x, dim, correction, keepdim):
        z = variance(x, dim, correction, keepdim, "var_mean").astype(_real_dtype(x), copy=False)
        return z, fitted(average(numbers(x), dim, keepdim, None), x.dtype)
    def vjp(xp, g, x, shape, dim, correction, keepdim):
        gz, gm = g
        gx = None if gz is None else scatter_of(xp, gz, x, dim, correction, keepdim)
        if gm is None: return gx
        gm = spread(xp, gm / count(shape, dim), shape, dim, keepdim)
        return gm if gx is None else gx + gm
_var_mean = op(VarMeanBackward0)


class StdMeanBackward0(AlongMany, General):
    """The standard deviation and the mean."""
    aten = "std_mean.correction"
    operands, results, conjugates = "x", "result0 result1", False
    def forward(x, dim, correction, keepdim):
        z = np.sqrt(variance(x, dim, correction, keepdim, "std_mean")).astype(_real_dtype(x), copy=False)
        return z, fitted(average(numbers(x), dim, keepdim, None), x.dtype)
    def vjp(xp, g, x, result0, shape, dim, correction, keepdim):
        gz, gm = g
        gx = None if gz is None else scatter_of(xp, xp.divide_nonzero(gz / 2, result0), x, dim, correction, keepdim)
        if gm is None: return gx
        gm = spread(xp, gm / count(shape, dim), shape, dim, keepdim)
        return gm if gx is None else gx + gm
_std_mean = op(StdMeanBackward0)


def _moment(function, dim, unbiased, keepdim, correction, names):
    """``(dim, correction, keepdim)`` from the arguments of all overloads of std and var."""
    if names:
        dim, keepdim = numpy_names(function, names, dim, keepdim)
        if dim.__class__ is bool:
            raise no_form(function, names)
    if dim.__class__ is bool:  # var(input, unbiased)
        dim, unbiased = None, dim
    if unbiased is not None:
        if correction is not None or (unbiased is not True and unbiased is not False):
            given = {"unbiased": unbiased} | ({} if correction is None else {"correction": correction})
            raise no_form(function, {"dim": dim} | given if dim is not None else given)
        correction = int(unbiased)
    elif correction.__class__ is complex:
        correction = as_limit(correction, function, "correction", 2)
    return as_dims(dim), 1 if correction is None else correction, keepdim


def _check_half_out(name, out, x):
    """Raise RuntimeError if moments of half precision are to be written into another dtype."""
    if isinstance(x, Tensor) and isinstance(out, Tensor) and x.dtype.itemsize == 2 and x.is_floating_point() and out.dtype.itemsize > 2:
        raise RuntimeError(f"std_var_all: Unsupported dtype {dtype_name(x)}")


def var(input, dim=None, unbiased=None, keepdim=False, *, correction=None, out=None, **names):
    """Return the variance, Σ (x - mean)² / (n - correction): of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.var(minigrad.tensor([1., 2., 3.]))
    tensor(1.)
    """
    params = _moment("var", dim, unbiased, keepdim, correction, names)
    if out is None:
        return _var(input, *params)
    _check_half_out("var", out, input)
    return _var.into(out, input, *params)


def std(input, dim=None, unbiased=None, keepdim=False, *, correction=None, out=None, **names):
    """Return the standard deviation: of all elements, or along ``dim``. Its gradient is 0 where all elements are equal.

    >>> import minigrad
    >>> minigrad.std(minigrad.tensor([1., 2., 3.]))
    tensor(1.)
    """
    params = _moment("std", dim, unbiased, keepdim, correction, names)
    if out is None:
        return _std(input, *params)
    _check_half_out("std", out, input)
    return _std.into(out, input, *params)


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None, **names):
    """Return the variance and the mean: of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.var_mean(minigrad.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    return _var_mean(input, *_moment("var_mean", dim, unbiased, keepdim, correction, names))


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None, **names):
    """Return the standard deviation and the mean: of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.std_mean(minigrad.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
    return _std_mean(input, *_moment("std_mean", dim, unbiased, keepdim, correction, names))


# Norms -----------------------------------------------------------------------------------------------------------------


class MagnitudePower(Unary):
    """z = |x|ⁿ, and 0 where x = 0 whatever n is, to any order;   gradient n |x|ⁿ⁻² x."""
    floats, conjugates, public = False, False, "magnitude_power"
    def forward(x, n):     return arrays.magnitude_power(x, n)
    def vjp(xp, g, x, n):  return g * n * xp.magnitude_power(x, n - 2) * x
magnitude_power = op(MagnitudePower)


def vector_norm_of(x, ord, dim, keepdim, dtype):
    """The norm of an array along ``dim``."""
    if (x.dtype if dtype is None else dtype).kind in "iub":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {dtype_name(x)}"
        )
    if not x.size and (ord < 0 or ord == math.inf):
        shown = "inf" if ord == math.inf else "-inf" if ord == -math.inf else f"{ord:g}"
        if dim is None:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {shown} norm on an empty tensor because the operation does not have "
                "an identity"
            )
        for d in dims_of(dim, x.ndim):
            if not x.shape[d]:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {shown} norm on the dimension {d}because this dimension is empty "
                    "and the operation does not have an identity"
                )
    if dtype is not None:
        x = x.astype(dtype)
    if x.size == 1 and ord > 0:  # no power, which may be beyond the dtype
        dims = None if dim is None else dims_of(dim, x.ndim)
        return np.absolute(x if keepdim else x.reshape(np.add.reduce(x, dims).shape))
    return arrays.vector_norm(x, ord, dim, keepdim) if x.size or ord == ord else arrays.vector_norm(x, 1, dim, keepdim)


def direction(xp, x):
    """x / |x|, and 0 where x is 0."""
    return xp.magnitude_power(x, -1) * x if xp.iscomplex(x) else xp.sign(x)


def norm_gradient(xp, g, x, z, ord, dim):
    """The gradient of a norm ``z`` along ``dim``, whose dimensions ``g`` and ``z`` have kept."""
    if x.dtype.itemsize == 2:  # the powers may be out of the range of half precision where the gradient is not
        g, wide, z = (xp.astype(v, _FLOAT32) for v in (g, x, z))
        return xp.astype_like(norm_gradient(xp, g, wide, z, ord, dim), x)
    if ord == 2: return xp.divide_nonzero(g, z) * x
    if abs(ord) == math.inf: return share(xp, g, xp.same_or_nan(xp.abs(x), z), dim) * direction(xp, x)
    if ord == 1: return g * direction(xp, x)
    return xp.magnitude_power(x, ord - 2) * (g * xp.magnitude_power(z, 1 - ord)) * x


class LinalgVectorNormBackward0(AlongMany, Reduce):
    """z = (Σ |x|ᵖ)^(1/p) along ``dim``;   gradient g x |x|ᵖ⁻² z¹⁻ᵖ, and 0 where x or z is 0, to any order.

    For p = ±inf the elements that attain the norm share g evenly; for p = 0 there is no gradient.
    """
    out_dtype = "result"
    conjugates = False
    def forward(x, ord, dim, keepdim, dtype):  return vector_norm_of(x, ord, dim, keepdim, dtype)
    def vjp(xp, g, x, z, ord, dim, keepdim):
        if ord == 0: return None
        g, z = unreduced(xp, g, x.shape, dim, keepdim), unreduced(xp, z, x.shape, dim, keepdim)
        return norm_gradient(xp, g, x, z, ord, dim)
_vector_norm = op(LinalgVectorNormBackward0)


def norm_except_dim(v, pow=2, dim=0):
    """Return the norms of order ``pow`` over all dimensions but ``dim``, which are kept with size one; with ``dim`` -1, one norm over all.

    Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.norm_except_dim(minigrad.ones(2, 4))
    tensor([[2.],
            [2.]])
    """
    if dim == -1:
        return vector_norm(v, pow)
    if not v.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = axis(dim, v.ndim)
    if v.ndim == 1:  # there are no others: each element is normed by itself
        return vector_norm(v.unsqueeze(1), pow, 1)
    return vector_norm(v, pow, tuple([d for d in range(v.ndim) if d != dim]), True)


def weight_norm(v, g, dim=0):
    """``v`` with the norms ``g`` in place of its own, which are those of ``norm_except_dim(v, 2, dim)``."""
    return v * (g / norm_except_dim(v, 2, dim))


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None, **names):
    """Return the norm (Σ |x|ᵒʳᵈ)^(1/ord) of all elements, or along ``dim``: ``linalg.vector_norm``.

    ``ord`` may be 0 (counts non-zero elements) and ±inf. Raises RuntimeError for integers.

    >>> import minigrad
    >>> from minigrad._ops.moments import vector_norm
    >>> vector_norm(minigrad.tensor([3., 4.]))
    tensor(5.)
    """
    if names:
        dim, keepdim = numpy_names("linalg_vector_norm", names, dim, keepdim)
    dtype = None if dtype is None else known("vector_norm", dtype).np
    if out is not None:
        return _vector_norm.into(out, x, ord, as_dims(dim), keepdim, dtype)
    return _vector_norm(x, ord, as_dims(dim), keepdim, dtype)


def nuclear_norm(input, dim, keepdim):
    """The sum of the singular values of the matrices that ``dim``, two dimensions, spans."""
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise not_two_dims(dim)
    rows, columns = (axis(d, input.ndim) for d in dim)
    z = input.movedim((rows, columns), (-2, -1)).svd()[1].sum(-1)
    if not keepdim:
        return z
    first, second = (rows, columns) if rows < columns else (columns, rows)
    return z.unsqueeze(first).unsqueeze(second)


def not_two_dims(dim):
    """The error for dimensions that are not those of matrices."""
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + " ".join(map(str, dims)))


def check_norm_dtype(x, dtype, name):
    """Raise RuntimeError unless a norm of ``x`` may be computed in ``dtype``."""
    if not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {dtype_name(x)}")
    if dtype is None:
        return
    shown = dtypes.scalar_type_name(dtype)
    if dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {shown}")
    if dtype.is_complex != x.is_complex():
        kind = "complex" if x.is_complex() else "real"
        raise RuntimeError(f"{name}: dtype should be {kind} for {kind} inputs, but got {shown}")
    if dtypes.promote_types(x.dtype, dtype) is not dtype:
        raise RuntimeError(
            f"{name}: the dtype of the input ({dtype_name(x)}) should be convertible without narrowing to the specified dtype ({shown})"
        )


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """Return the norm of all elements, or along ``dim``: ``p`` is a number, "fro" (the same as 2) or "nuc" (the nuclear norm of matrices).

    >>> import minigrad
    >>> minigrad.norm(minigrad.tensor([3., 4.]))
    tensor(5.)
    """
    if keepdim is not False:
        flag(keepdim, "linalg_vector_norm", "keepdim", 4)
    if dtype is not None:
        known("linalg_vector_norm", dtype)
    if p.__class__ is str and p != "fro":
        if p != "nuc":
            raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
        if out is not None:
            return write_out_same(out, norm, input, p, dim, keepdim, dtype=dtype)
        return nuclear_norm(input if dtype is None else input.to(dtype), (-2, -1) if dim is None else dim, keepdim)
    if p.__class__ not in (float, str, type(None)):
        p = as_scalar(p, "norm", "p", 2)
    if p == "fro" and dim.__class__ in (tuple, list) and len(dim) > 2:
        raise not_two_dims(dim)
    if dtype is not None and isinstance(input, Tensor):
        check_norm_dtype(input, dtype, "linalg.vector_norm")
    return vector_norm(input, 2 if p is None or p == "fro" else p, dim, keepdim, dtype=dtype, out=out)


def norm_method(self, p="fro", dim=None, keepdim=False, dtype=None):
    """Return the norm of all elements, or along ``dim``, as ``torch.norm``, computed in ``dtype``.

    >>> import minigrad
    >>> minigrad.tensor([3., 4.]).norm(2, 0, True)
    tensor([5.])
    """
    return norm(self, p, dim, keepdim, dtype=dtype)


# Slices of bounded norm ----------------------------------------------------------------------------------------------------


def other_dims(ndim, dim):
    """All dimensions but ``dim``; raises RuntimeError if there are none."""
    if ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim} dimensions")
    dim = axis(dim, ndim)
    return tuple([d for d in range(ndim) if d != dim])


class RenormBackward0(AlongDims, General):
    """z = x, its slices along ``dim`` scaled down to p-norm ``maxnorm`` where theirs is larger."""
    out_dtype = "result"
    operands, conjugates = "x", False
    def batch(call, xs, batched, params, size):
        (x,), (p, dim, maxnorm) = xs, params
        norm = _vector_norm(x.float() if x.dtype.itemsize == 2 else x, p, tuple([d + 1 for d in other_dims(x.ndim - 1, dim)]), True, None)
        return x * where(norm > maxnorm, maxnorm / (norm + 1e-7), 1.0).to(x.dtype)
    def forward(x, p, dim, maxnorm):
        half = x.itemsize == 2 and x.dtype.kind in "fV"
        norm = vector_norm_of(x.astype(np.float32) if half else x, p, other_dims(x.ndim, dim), True, None)
        factor = np.where(norm > maxnorm, maxnorm / (norm + norm.dtype.type(1e-7)), norm.dtype.type(1))
        return np.multiply(x, factor.astype(x.dtype) if half else factor, order="C")
    def vjp(xp, g, x, p, dim, maxnorm):
        dims = other_dims(x.ndim, dim)
        norm = xp.vector_norm(x, p, dims)
        inverse = 1 / (norm + 1e-7)
        along = xp.real(xp.sum(xp.conj(x) * g, dims, True))
        scaled = maxnorm * inverse * (g - inverse * norm_gradient(xp, along, x, norm, p, dims))
        return xp.where(norm > maxnorm, scaled, g)
_renorm, _renorm_ = op(RenormBackward0), op_(RenormBackward0)


def _numbers(p, maxnorm):
    """The exponent and the largest norm, as numbers."""
    p, maxnorm = as_scalar(p, "renorm", "p", 2), as_scalar(maxnorm, "renorm", "maxnorm", 4)
    for name, number in (("p", p), ("maxnorm", maxnorm)):
        if isinstance(number, complex):
            raise RuntimeError(f"renorm: {name} must be real-valued")
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not maxnorm >= 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    return p, maxnorm


def renorm(input, p, dim, maxnorm, *, out=None):
    """Scale down the slices of ``input`` along ``dim`` whose ``p``-norm exceeds ``maxnorm``.

    >>> import minigrad
    >>> minigrad.renorm(minigrad.tensor([[3., 4.], [1., 0.]]), 2, 0, 1.)
    tensor([[0.6000, 0.8000],
            [1.0000, 0.0000]])
    """
    p, maxnorm = _numbers(p, maxnorm)
    return _renorm(input, p, dim, maxnorm) if out is None else _renorm.into(out, input, p, dim, maxnorm)


def renorm_(input, p, dim, maxnorm):
    """In-place version of ``renorm``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([[3., 4.], [0.3, 0.4]]).renorm_(2, 0, 1.)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    p, maxnorm = _numbers(p, maxnorm)
    return _renorm_(input, p, dim, maxnorm)
