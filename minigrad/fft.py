"""Discrete Fourier transforms."""

from ._api import _lazy, _spectral

fft = _spectral.fft
fft2 = _spectral.fft2
fftfreq = _spectral.fftfreq
fftn = _spectral.fftn
fftshift = _spectral.fftshift
hfft = _spectral.hfft
hfft2 = _spectral.hfft2
hfftn = _spectral.hfftn
ifft = _spectral.ifft
ifft2 = _spectral.ifft2
ifftn = _spectral.ifftn
ifftshift = _spectral.ifftshift
ihfft = _spectral.ihfft
ihfft2 = _spectral.ihfft2
ihfftn = _spectral.ihfftn
irfft = _spectral.irfft
irfft2 = _spectral.irfft2
irfftn = _spectral.irfftn
rfft = _spectral.rfft
rfft2 = _spectral.rfft2
rfftfreq = _spectral.rfftfreq
rfftn = _spectral.rfftn

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
