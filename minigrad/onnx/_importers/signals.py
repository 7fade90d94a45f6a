"""Fourier transforms; the last axis holds real and imaginary parts."""

from typing import Any

from ... import _api as mg
from ...fft import fft, ifft, irfft, rfft
from ._values import number


def DFT(
    x: Any, dft_length: Any = None, axis: Any = None, *, inverse: int = 0, onesided: int = 0, opset: int
) -> Any:
    axis = number(axis, 1 if opset < 20 else -2)
    axis = int(axis) % x.dim()  # the axis of the parts is the last one
    length = None if dft_length is None else int(number(dft_length))
    signal = x.squeeze(-1) if x.shape[-1] == 1 else mg.view_as_complex(x.contiguous())
    if onesided and inverse:
        return irfft(signal, length, axis).unsqueeze(-1)
    if onesided:
        return mg.view_as_real(rfft(signal, length, axis))
    return mg.view_as_real((ifft if inverse else fft)(signal, length, axis))


def STFT(
    signal: Any, frame_step: Any, window: Any = None, frame_length: Any = None, *, onesided: int = 1
) -> Any:
    length = frame_length if frame_length is None else int(number(frame_length))
    if length is None:
        length = signal.shape[1] if window is None else window.shape[0]
    signal = signal.squeeze(-1) if signal.shape[-1] == 1 else mg.view_as_complex(signal.contiguous())
    frames = signal.unfold(1, length, int(number(frame_step)))
    if window is not None:
        frames = frames * window
    return mg.view_as_real((rfft if onesided else fft)(frames))
