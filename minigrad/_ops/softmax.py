"""Softmax and its logarithm."""

from .._arrays import vocabulary as arrays
from .._base.dtypes import dtype_name, known
from .._base.errors import axis
from .._core.families import Reduce, op
from .dims import AlongDims, one_dim

__all__ = ["log_softmax", "softmax"]
METHODS = "log_softmax softmax"


def not_floating(function, x, dim):
    """The error for a dtype that is not a floating one."""
    kernel = "lastdim_kernel_impl" if axis(dim, x.ndim) >= x.ndim - 1 else "kernel_impl"
    return NotImplementedError(f"\"{function}_{kernel}\" not implemented for '{dtype_name(x)}'")


class SoftmaxBackward0(AlongDims, Reduce):
    """z = eˣ / Σ eˣ along ``dim``;   gradient z (g - Σ g z)."""
    aten = "_softmax.default"
    out_dtype = "result"
    def forward(x, dim):
        if x.dtype.kind not in "fV" and x.size: raise not_floating("softmax", x, dim)
        return arrays.contiguous(arrays.softmax(x, dim))
    def vjp(xp, g, z, dim): return (g - xp.sum(g * z, dim, True)) * z
    jvp, fused = vjp, arrays.softmax_backward  # the Jacobian is symmetric
    def inputs(name, x, dim): return x, dim, None if name == "softmax" else False
_softmax = op(SoftmaxBackward0)


class LogSoftmaxBackward0(AlongDims, Reduce):
    """z = x - log Σ eˣ along ``dim``;   gradient g - eᶻ Σ g."""
    aten = "_log_softmax.default"
    out_dtype = "result"
    def forward(x, dim):
        if x.dtype.kind not in "fV" and x.size: raise not_floating("log_softmax", x, dim)
        return arrays.contiguous(arrays.log_softmax(x, dim))
    def vjp(xp, g, z, dim): return g - xp.exp(z) * xp.sum(g, dim, True)
    fused = arrays.log_softmax_backward
    def jvp(xp, t, z, dim): return t - xp.sum(xp.exp(z) * t, dim, True)
    def inputs(name, x, dim): return x, dim, None if name == "log_softmax" else False
_log_softmax = op(LogSoftmaxBackward0)


def softmax(input, dim=None, dtype=None, *, out=None, **names):
    """Scale the exponentials of the elements to sum to 1: ``exp(input) / exp(input).sum(dim)``; ``dtype`` converts first.

    Raises NotImplementedError for integers, IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.softmax(minigrad.tensor([0., 0.]), 0)
    tensor([0.5000, 0.5000])
    """
    if dim.__class__ is not int or names:
        dim = one_dim("softmax", dim, names)
    if dtype is not None:
        input = input.to(known("softmax", dtype))
    return _softmax(input, dim) if out is None else _softmax.into(out, input, dim)


def log_softmax(input, dim=None, dtype=None, *, out=None, **names):
    """Return the logarithm of ``softmax``, accurate even where that underflows; ``dtype`` converts first.

    >>> import minigrad
    >>> minigrad.log_softmax(minigrad.tensor([0., 0.]), 0)
    tensor([-0.6931, -0.6931])
    """
    if dim.__class__ is not int or names:
        dim = one_dim("log_softmax", dim, names)
    if dtype is not None:
        input = input.to(known("log_softmax", dtype))
    return _log_softmax(input, dim) if out is None else _log_softmax.into(out, input, dim)
