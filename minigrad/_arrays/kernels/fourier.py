"""Discrete Fourier transforms of arrays along several axes, as PyTorch's three kernels: complex to complex, real to complex, complex to real.

``normalization``: 0 none, 1 by √n, 2 by n, where n is the number of points.
"""

import numpy as np

#: What NumPy calls a normalization in a forward and in a backward transform.
_FORWARD, _BACKWARD = ("backward", "ortho", "forward"), ("forward", "ortho", "backward")


def fft_c2c(x, dim, normalization, forward):
    """The transform, or without ``forward`` its inverse, along the axes ``dim``."""
    if not dim:
        return np.array(x)
    function, norm = (np.fft.fft, _FORWARD) if forward else (np.fft.ifft, _BACKWARD)
    for axis in dim:
        x = function(x, None, axis, norm[normalization])
    return x


def fft_r2c(x, dim, normalization, onesided):
    """The transform of real numbers; ``onesided``: along the last of the axes without the half that follows from the other."""
    first = np.fft.rfft if onesided else np.fft.fft
    x = first(x, None, dim[-1], _FORWARD[normalization])
    return fft_c2c(x, dim[:-1], normalization, True) if len(dim) > 1 else x


def fft_c2r(x, dim, normalization, last_dim_size):
    """The inverse of the one-sided transform: ``last_dim_size`` real numbers along the last of the axes."""
    x = fft_c2c(x, dim[:-1], normalization, False) if len(dim) > 1 else x
    return np.fft.irfft(x, last_dim_size, dim[-1], _BACKWARD[normalization])


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
