"""The error function and its complement."""

import math

from .._core import error_function as kernels
from .._core.families import Unary, unary
from .._core.inplace import elementwise_

__all__ = ["erf", "erf_", "erfc", "erfc_"]

SLOPE = 2 / math.sqrt(math.pi)


class ErfBackward0(Unary):
    """z = 2/√π times the integral of exp(-t²) from 0 to x."""
    def forward(x):
        if x.dtype.kind not in "fV": x = x / 1.0
        return kernels.erf(x)
    def vjp(xp, g, x): return g * (xp.exp(-(x * x)) * SLOPE)
class ErfcBackward0(Unary):
    """z = 1 - erf x."""
    def forward(x):
        if x.dtype.kind not in "fV": x = x / 1.0
        return kernels.erfc(x)
    def vjp(xp, g, x): return g * (xp.exp(-(x * x)) * -SLOPE)
erf, erf_   = unary(ErfBackward0),  elementwise_(ErfBackward0)
erfc, erfc_ = unary(ErfcBackward0), elementwise_(ErfcBackward0)
