"""Fourier transforms, random calls: values and derivatives, and the same as PyTorch."""

import numpy as np
import pytest

from tests.operators.calls import Row

NORMS = (None, "backward", "forward", "ortho")


def one(s):
    """A tensor, the length of the transform, its dim and the norm."""
    shape = s.shape(1, 3, low=1)
    dim = s.dim(shape)
    return s.floats(*shape), s.one_of(None, None, 1, 2, 5), dim, s.one_of(*NORMS)


def inverse_one(s):
    """As ``one``, for a transform back from half of the frequencies: those that have to be real are."""
    shape = s.shape(1, 3, low=2)
    dim = s.dim(shape)
    return s.floats(*shape), s.one_of(None, None, 2, 3, 6), dim, s.one_of(*NORMS)


def two(s):
    shape = s.shape(2, 3, low=1)
    return s.floats(*shape), s.one_of(None, (2, 3), (4, 1)), (-2, -1), s.one_of(*NORMS)


def many(s):
    shape = s.shape(1, 3, low=1)
    dims = s.order(len(shape))[: s.size(1, len(shape))]
    return s.floats(*shape), None if s.flag() else tuple(s.size(1, 4) for _ in dims), dims, s.one_of(*NORMS)


def inverse_two(s):
    return s.floats(*s.shape(2, 3, low=2)), s.one_of(None, (2, 3), (4, 2)), (-2, -1), s.one_of(*NORMS)


def inverse_many(s):
    shape = s.shape(1, 3, low=2)
    dims = s.order(len(shape))[: s.size(1, len(shape))]
    return s.floats(*shape), None if s.flag() else tuple(s.size(2, 4) for _ in dims), dims, s.one_of(*NORMS)


def hermitian_many(function):
    """NumPy's Hermitian transform along the last of several dims, after complex ones along the others."""

    def forwards(x, sizes, dims, norm):
        first, last = dims[:-1], dims[-1]
        if first:
            x = np.fft.fftn(x, None if sizes is None else sizes[:-1], first, norm)
        return np.fft.hfft(x, None if sizes is None else sizes[-1], last, norm)

    def backwards(x, sizes, dims, norm):
        first, last = dims[:-1], dims[-1]
        x = np.fft.ihfft(x, None if sizes is None else sizes[-1], last, norm)
        return np.fft.ifftn(x, None if sizes is None else sizes[:-1], first, norm) if first else x

    return forwards if function == "hfft" else backwards


def shift(s):
    shape = s.shape(1, 3)
    return s.floats(*shape), s.order(len(shape))[: s.size(1, len(shape))]


def frequencies(s):
    return s.size(1, 6), s.one_of(1.0, 0.5, 2.0)


def stft(s):
    """A signal or a few, and a window or none."""
    n_fft = s.one_of(4, 5)
    x = s.floats(*s.shape(0, 1, low=1), s.size(9, 12))
    arguments = {
        "hop_length": s.size(1, 3),
        "return_complex": True,
        "center": s.flag(),
        "normalized": s.flag(),
    }
    if s.flag():
        arguments["window"] = s.floats(n_fft, low=0.3, high=1.0)
    return x, n_fft, arguments


def spectrum(s):
    """What ``istft`` inverts: frequencies over time."""
    n_fft = s.one_of(4, 6)
    x = s.floats(*s.shape(0, 1, low=1), n_fft // 2 + 1, s.size(4, 6))
    return x, n_fft, {"hop_length": s.size(1, 2), "center": True}


ROOT = {"strides": False, "loose": 10}
REAL, BOTH = "d", "dc"

ROWS = [
    Row("fft.fft", one, np.fft.fft, BOTH, **ROOT),
    Row("fft.ifft", one, np.fft.ifft, BOTH, **ROOT),
    Row("fft.rfft", one, np.fft.rfft, REAL, **ROOT),
    Row("fft.irfft", inverse_one, np.fft.irfft, BOTH, **ROOT),
    Row("fft.hfft", inverse_one, np.fft.hfft, BOTH, **ROOT),
    Row("fft.ihfft", one, np.fft.ihfft, REAL, **ROOT),
    Row("fft.fft2", two, np.fft.fft2, BOTH, **ROOT),
    Row("fft.ifft2", two, np.fft.ifft2, BOTH, **ROOT),
    Row("fft.rfft2", two, np.fft.rfft2, REAL, **ROOT),
    Row("fft.irfft2", inverse_two, np.fft.irfft2, BOTH, **ROOT),
    Row("fft.hfft2", inverse_two, hermitian_many("hfft"), BOTH, **ROOT),
    Row("fft.ihfft2", two, hermitian_many("ihfft"), REAL, **ROOT),
    Row("fft.fftn", many, np.fft.fftn, BOTH, **ROOT),
    Row("fft.ifftn", many, np.fft.ifftn, BOTH, **ROOT),
    Row("fft.rfftn", many, np.fft.rfftn, REAL, **ROOT),
    Row("fft.irfftn", inverse_many, np.fft.irfftn, BOTH, **ROOT),
    Row("fft.hfftn", inverse_many, hermitian_many("hfft"), BOTH, **ROOT),
    Row("fft.ihfftn", many, hermitian_many("ihfft"), REAL, **ROOT),
    Row("fft.fftshift", shift, np.fft.fftshift, "fcib"),
    Row("fft.ifftshift", shift, np.fft.ifftshift, "fcib"),
    Row("fft.fftfreq", frequencies, lambda n, d: np.fft.fftfreq(n, d).astype(np.float32), order=0),
    Row("fft.rfftfreq", frequencies, lambda n, d: np.fft.rfftfreq(n, d).astype(np.float32), order=0),
    Row("stft", stft, None, REAL, torch="d", **ROOT),
    Row("istft", spectrum, None, "c", torch="c", **ROOT),
]

MARKS = pytest.mark.filterwarnings("ignore:A window was not provided")
