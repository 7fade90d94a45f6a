"""The window functions at the root: bartlett, blackman, hamming, hann, kaiser."""

import math
import operator

import numpy as np

from .._arrays.kernels import bessel
from .._base import device, dtypes
from .._base.argument_kinds import no_form
from .._base.composites import composite
from .._base.dtypes import c_name
from .._base.errors import type_name
from .create import finish
from .create import np_dtype as dtype_of

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


def _window(name, of_place, length, periodic, dtype=None, layout=None, device_=None, pin_memory=False, requires_grad=False):
    """A window from a function of the places, which run from 0 to 1; a periodic one is a symmetric one without its last element."""
    try:
        if length.__class__ is bool:
            raise TypeError
        n = operator.index(length)
    except TypeError:
        raise TypeError(f"{name}(): argument 'window_length' (position 1) must be int, not {type_name(length)}") from None
    if not -(2**63) <= n < 2**63:
        raise ValueError("Overflow when unpacking long long")
    if periodic is not True and periodic is not False:
        raise no_form(name, {"window_length": length, "periodic": periodic})
    chosen = dtype_of(name, dtype)
    of_chosen = dtypes.from_numpy_dtype(chosen)
    if layout is not None and layout is not device.strided:
        kind = repr(layout).rpartition("_")[0].rpartition(".")[2].capitalize()
        raise RuntimeError(f"{name} is not implemented for sparse types, got: {_options(of_chosen, kind)}")
    if chosen.kind in "iub":
        raise RuntimeError(f"{name} expects floating point dtypes, got: {_options(of_chosen)}")
    if chosen.kind == "c" and n > 1:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{dtypes.scalar_type_name(of_chosen)}'")
    if n < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={n}")
    if n < 2:
        array = np.ones(n)
    else:
        array = of_place(np.arange(n) / (n if periodic else n - 1))
    return finish(array.astype(chosen), requires_grad, device_, layout, pin_memory)


def _options(dtype, layout="Strided (default)"):
    return (
        f"TensorOptions(dtype={c_name(dtype)}, device=cpu, layout={layout}, requires_grad=false (default), "
        "pinned_memory=false, memory_format=(nullopt))"
    )


@composite
def bartlett_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Return a triangular window from 0 to 1 and back: (window_length,); symmetric unless ``periodic``.

    Raises RuntimeError for a negative length and for integer dtypes.

    >>> import minigrad
    >>> minigrad.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    def triangle(t): return 1 - np.absolute(2 * t - 1)
    return _window("bartlett_window", triangle, window_length, periodic, dtype, layout, device, pin_memory, requires_grad)


@composite
def blackman_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Return the window ``0.42 - 0.5 cos(2πt) + 0.08 cos(4πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.blackman_window(4)[2]
    tensor(1.)
    """
    def cosines(t): return 0.42 - 0.5 * np.cos(2 * math.pi * t) + 0.08 * np.cos(4 * math.pi * t)
    return _window("blackman_window", cosines, window_length, periodic, dtype, layout, device, pin_memory, requires_grad)


@composite
def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False,
):
    """Return the window ``alpha - beta cos(2πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    def cosine(t): return alpha - beta * np.cos(2 * math.pi * t)
    return _window("hamming_window", cosine, window_length, periodic, dtype, layout, device, pin_memory, requires_grad)


@composite
def hann_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Return the window ``0.5 - 0.5 cos(2πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    def cosine(t): return 0.5 - 0.5 * np.cos(2 * math.pi * t)
    return _window("hann_window", cosine, window_length, periodic, dtype, layout, device, pin_memory, requires_grad)


@composite
def kaiser_window(
    window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    """Return the window ``I₀(beta √(1 - (2t - 1)²)) / I₀(beta)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.kaiser_window(4)[2]
    tensor(1.)
    """
    def kaiser(t): return bessel.i0(beta * np.sqrt(1 - (2 * t - 1) ** 2)) / bessel.i0(np.array([float(beta)]))
    return _window("kaiser_window", kaiser, window_length, periodic, dtype, layout, device, pin_memory, requires_grad)
