"""Softmax and its logarithm."""

import numpy as np

from .._core import arrays, dtypes
from .._core.families import Reduce, op
from .._core.interpret import into
from .reduce import AlongDims, numpy_names

__all__ = "log_softmax softmax".split()


class _Softmax(AlongDims, Reduce):
    __slots__ = ()

    @classmethod
    def check_dtype(cls, x, dim):
        """Raise NotImplementedError unless ``x`` is of a floating dtype."""
        if x.dtype.kind not in "fV":
            kernel = "lastdim_kernel_impl" if dim in (-1, x.ndim - 1) else "kernel_impl"
            kind = dtypes.scalar_type_name(dtypes.from_numpy_dtype(x.dtype))
            raise NotImplementedError(f"\"{cls.function_name()}_{kernel}\" not implemented for '{kind}'")


class SoftmaxBackward0(_Softmax):
    """z = eˣ / Σ eˣ along ``dim``;   gradient z (g - Σ g z)."""
    def forward(x, dim):
        SoftmaxBackward0.check_dtype(x, dim)
        return arrays.softmax(x, dim)
    def vjp(xp, g, z, dim): return xp.softmax_backward(g, z, dim)
_softmax = op(SoftmaxBackward0)


class LogSoftmaxBackward0(_Softmax):
    """z = x - log Σ eˣ along ``dim``;   gradient g - eᶻ Σ g."""
    def forward(x, dim):
        LogSoftmaxBackward0.check_dtype(x, dim)
        return arrays.log_softmax(x, dim)
    def vjp(xp, g, z, dim): return xp.log_softmax_backward(g, z, dim)
_log_softmax = op(LogSoftmaxBackward0)


def softmax(input, dim, dtype=None, *, out=None):
    """``exp(input) / exp(input).sum(dim)``; with ``dtype`` the input is converted first.

    Raises NotImplementedError for integers, IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.softmax(minigrad.tensor([0., 0.]), 0)
    tensor([0.5000, 0.5000])
    """
    if dtype is not None:
        input = input.to(dtype)
    if out is not None:
        return into(out, lambda: _softmax(input, dim), "softmax", (input,))
    return _softmax(input, dim)


def log_softmax(input, dim, dtype=None, *, out=None):
    """The logarithm of ``softmax``, exact also where that underflows; with ``dtype`` the input is converted first.

    >>> import minigrad
    >>> minigrad.log_softmax(minigrad.tensor([0., 0.]), 0)
    tensor([-0.6931, -0.6931])
    """
    if dtype is not None:
        input = input.to(dtype)
    if out is not None:
        return into(out, lambda: _log_softmax(input, dim), "log_softmax", (input,))
    return _log_softmax(input, dim)
