"""Discrete Fourier transforms."""

from typing import Any

from ._api import _lazy, _spectral

fft: Any = _spectral.fft
fft2: Any = _spectral.fft2
fftfreq: Any = _spectral.fftfreq
fftn: Any = _spectral.fftn
fftshift: Any = _spectral.fftshift
hfft: Any = _spectral.hfft
hfft2: Any = _spectral.hfft2
hfftn: Any = _spectral.hfftn
ifft: Any = _spectral.ifft
ifft2: Any = _spectral.ifft2
ifftn: Any = _spectral.ifftn
ifftshift: Any = _spectral.ifftshift
ihfft: Any = _spectral.ihfft
ihfft2: Any = _spectral.ihfft2
ihfftn: Any = _spectral.ihfftn
irfft: Any = _spectral.irfft
irfft2: Any = _spectral.irfft2
irfftn: Any = _spectral.irfftn
rfft: Any = _spectral.rfft
rfft2: Any = _spectral.rfft2
rfftfreq: Any = _spectral.rfftfreq
rfftn: Any = _spectral.rfftn

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
_lazy.publish_all(globals())
