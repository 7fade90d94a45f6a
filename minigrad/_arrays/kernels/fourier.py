"""Discrete Fourier transforms of arrays along several axes, as PyTorch's three kernels: complex to complex, real to complex, complex to real.

``normalization``: 0 none, 1 by √n, 2 by n, where n is the number of points.
"""

import numpy as np

from ..._base.pool import count, share
from ..in_parts import LARGE, PART

#: What NumPy calls a normalization in a forward and in a backward transform.
_FORWARD, _BACKWARD = ("backward", "ortho", "forward"), ("forward", "ortho", "backward")


def _laid_out(z, x, dim):
    """``z``, made of ``x`` along the axes ``dim``, in the order of PyTorch's kernels: the other axes, from the longest stride of ``x`` on, then ``dim``."""
    order = [axis for axis in _by_stride(x, range(x.ndim)) if axis not in dim]
    order += dim
    if not z.size:
        return z
    out = np.empty([z.shape[axis] for axis in order], z.dtype).transpose(np.argsort(order))
    out[...] = z
    return out


def _by_stride(x, axes):
    """Axes of ``x``, those of the longest strides first."""
    return sorted(axes, key=lambda axis: -x.strides[axis])


def _along(function, x, n, axis, norm):
    """``function``, one of ``np.fft``, along an axis; parts of another axis of large arrays are shared among threads."""
    if x.size < LARGE or len(x) < 2 or axis % x.ndim == 0 or count() == 1:
        return function(x, n, axis, norm)
    step = max(len(x) * PART // x.size, 1)
    first = function(x[:step], n, axis, norm)
    z = np.empty((len(x), *first.shape[1:]), first.dtype)
    z[:step] = first

    def part(start):
        z[start : start + step] = function(x[start : start + step], n, axis, norm)

    share(part, range(step, len(x), step))
    return z


def _c2c(x, dim, normalization, forward):
    function, norm = (np.fft.fft, _FORWARD) if forward else (np.fft.ifft, _BACKWARD)
    for axis in dim:
        x = _along(function, x, None, axis, norm[normalization])
    return x


def fft_c2c(x, dim, normalization, forward):
    """The transform, or without ``forward`` its inverse, along the axes ``dim``."""
    if not dim:
        return np.array(x)
    return _laid_out(_c2c(x, dim, normalization, forward), x, _by_stride(x, dim))


def fft_r2c(x, dim, normalization, onesided):
    """The transform of real numbers; ``onesided``: along the last of the axes without the half that follows from the other."""
    first = np.fft.rfft if onesided else np.fft.fft
    z = _c2c(_along(first, x, None, dim[-1], _FORWARD[normalization]), dim[:-1], normalization, True)
    return _laid_out(z, x, [*_by_stride(x, dim[:-1]), dim[-1]])


def fft_c2r(x, dim, normalization, last_dim_size):
    """The inverse of the one-sided transform: ``last_dim_size`` real numbers along the last of the axes."""
    x = fft_c2c(x, dim[:-1], normalization, False) if len(dim) > 1 else x
    return _laid_out(_along(np.fft.irfft, x, last_dim_size, dim[-1], _BACKWARD[normalization]), x, [dim[-1]])


def inner_doubled(x, axis, n):
    """``x``, one half of n points along an axis, with those that stand for two of them doubled."""
    return x * inner_weights(x, axis, n)


def inner_weights(x, axis, n):
    """1 for the points of one half of n that stand for themselves, 2 for those that stand for two."""
    weights = np.full(x.shape[axis], 2, x.dtype.type(0).real.dtype)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    shape = [1] * x.ndim
    shape[axis] = -1
    return weights.reshape(shape)
