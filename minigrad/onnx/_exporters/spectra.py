"""Spectra of parts of a signal, and signals of spectra: convolutions with waves."""

import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Value
from ._common import fixed, refuse
from ._registry import exporter
from .complex_numbers import Complex


def _waves(n_fft, count, dtype):
    """The cosine and the sine of each frequency at each place, (frequencies, places)."""
    turns = _api.arange(count)[:, None] * _api.arange(n_fft) % n_fft  # exact
    angles = turns.to(dtypes.float64) * (2 * math.pi / n_fft)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def _padded_window(g, window, win_length, n_fft, dtype):
    """The window, of ones if none is given, with zeros on both sides, in the middle of ``n_fft`` places."""
    if window is None:
        window = g.constant(_api.ones(win_length, dtype=dtype))
    before = (n_fft - win_length) // 2
    if win_length == n_fft:
        return window
    return g.op("Pad", window, g.ints([before, n_fft - win_length - before]), g.constant(0, dtype))


@exporter("stft")
def stft(
    g: Builder,
    input: Value,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Any:
    if isinstance(input, Complex) or align_to_window:
        raise refuse("stft of complex numbers, or aligned to the window")
    dtype, hop = input.dtype, n_fft // 4 if hop_length is None else hop_length
    window = _padded_window(g, window, n_fft if win_length is None else win_length, n_fft, dtype)
    count = n_fft if onesided is False else n_fft // 2 + 1
    single = len(input.shape) == 1
    x = g.unsqueeze(input, 0, 1) if single else g.unsqueeze(input, 1)
    if center:
        modes = {"reflect": "reflect", "constant": "constant", "replicate": "edge", "circular": "wrap"}
        x = g.op("Pad", x, g.ints([0, 0, n_fft // 2] * 2), mode=modes[pad_mode])
    scale = n_fft**-0.5 if normalized else 1.0
    cosines, sines = _waves(n_fft, count, dtype)
    kernels = g.op("Mul", g.constant(_api.cat([cosines, -sines])[:, None] * scale), window)
    both = g.op("Conv", x, kernels, strides=[hop])
    real, imag = g.split(both, [count, count], 1)
    if single:
        real, imag = g.squeeze(real, 0), g.squeeze(imag, 0)
    if return_complex:
        return Complex(real, imag)
    last = 2 if single else 3
    return g.op("Concat", g.unsqueeze(real, last), g.unsqueeze(imag, last), axis=last)


@exporter("istft")
def istft(
    g: Builder,
    input: Complex,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: Any = None,
    return_complex: bool = False,
) -> Value:
    if return_complex or onesided is False:
        raise refuse("istft of two-sided spectra, or to complex numbers")
    dtype, hop = input.real.dtype, n_fft // 4 if hop_length is None else hop_length
    window = _padded_window(g, window, n_fft if win_length is None else win_length, n_fft, dtype)
    single = len(input.real.shape) == 2
    both = g.op("Concat", *input, axis=-2)
    both = g.unsqueeze(both, 0) if single else both
    count = n_fft // 2 + 1
    cosines, sines = _waves(n_fft, count, dtype)
    weight = _api.full(
        (count, 1), 2.0, dtype=dtype
    )  # each wave but the first, and the last of an even number, stands for two
    weight[0] = 1.0
    weight[-1] = 1.0 if n_fft % 2 == 0 else 2.0
    scale = weight * (n_fft**0.5 if normalized else 1.0) / n_fft
    kernels = g.op("Mul", g.constant(_api.cat([cosines * scale, -sines * scale])[:, None]), window)
    signal = g.op("ConvTranspose", both, kernels, strides=[hop])
    ones = g.op("Expand", g.constant(1, dtype), g.ints([1, 1, input.real.shape[-1]]))
    squares = g.op("Reshape", g.op("Mul", window, window), g.ints([1, 1, n_fft]))
    envelope = g.op("ConvTranspose", ones, squares, strides=[hop])
    start = n_fft // 2 if center else 0
    stop = -start if center else 2**62
    if length is not None:
        stop = length + start
    signal, envelope = (g.slice(x, 2, start, stop) for x in (signal, envelope))
    found = g.squeeze(g.op("Div", signal, envelope), 1)
    return g.squeeze(found, 0) if single else found


# Transforms of whole dimensions --------------------------------------------------------------------------------------------


def _dimension(g, parts, n, dim, norm):
    """The parts with the dimension last, its size (cut, or filled with zeros), and by what the transform is multiplied."""
    shape = parts[0].shape
    axis = dim % len(shape)
    (size,) = fixed(g, parts[0], axis)
    order = [i for i in range(len(shape)) if i != axis] + [axis]
    moved = [g.transpose(x, order) for x in parts]
    count = size if n is None else n
    if count < size:
        moved = [g.slice(x, len(shape) - 1, 0, count) for x in moved]
    elif count > size:
        pads = g.ints([0] * (2 * len(shape) - 1) + [count - size])
        moved = [g.op("Pad", x, pads, g.constant(0, x.dtype)) for x in moved]
    scale = {"ortho": count**-0.5, "forward": 1 / count}.get(norm, 1.0)
    return moved, count, scale, [order.index(i) for i in range(len(order))]


@exporter("fft_rfft", "fft_fft")
def transform(
    g: Builder, input: Any, n: int | None = None, dim: int = -1, norm: str | None = None
) -> Complex:
    """Products with the waves of all frequencies, or of those from zero on."""
    parts = [*input] if isinstance(input, Complex) else [input]
    moved, count, scale, back = _dimension(g, parts, n, dim, norm)
    kept = count // 2 + 1 if g.operator.rpartition(":")[2] == "fft_rfft" else count
    cosines, sines = (g.constant((x * scale).mT) for x in _waves(count, kept, parts[0].dtype))
    real, imag = g.op("MatMul", moved[0], cosines), g.op("Neg", g.op("MatMul", moved[0], sines))
    if len(moved) > 1:
        real = g.op("Add", real, g.op("MatMul", moved[1], sines))
        imag = g.op("Add", imag, g.op("MatMul", moved[1], cosines))
    return Complex(g.transpose(real, back), g.transpose(imag, back))
