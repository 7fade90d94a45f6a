"""The error function and its complement."""

import math

from .._arrays.kernels import error_function as kernels
from .._core.families import Unary, unary
from .._core.inplace import elementwise_

__all__ = ["erf", "erf_", "erfc", "erfc_"]
METHODS = "erf erf_ erfc erfc_"

SLOPE = 2 / math.sqrt(math.pi)


def floating(x):
    """``x`` as floating numbers, if it is no complex array."""
    if x.dtype.kind == "c":
        raise TypeError("ufunc: no error function of complex numbers")
    return x if x.dtype.kind in "fV" else x / 1.0


class ErfBackward0(Unary):
    """The error function of each element: z = 2/√π times the integral of exp(-t²) from 0 to x.

    >>> import minigrad
    >>> minigrad.erf(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.8427,  0.0000,  1.0000])
    """
    kernel = "erf_vml_cpu"
    def forward(x):
        return kernels.erf(floating(x))
    def vjp(xp, g, x): return g * (xp.exp(-(x * x)) * SLOPE)
class ErfcBackward0(Unary):
    """The complementary error function of each element: z = 1 - erf x.

    >>> import minigrad
    >>> minigrad.erfc(minigrad.tensor([-1., 0., 5.]))
    tensor([1.8427e+00, 1.0000e+00, 1.5375e-12])
    """
    kernel = "erfc_vml_cpu"
    def forward(x):
        return kernels.erfc(floating(x))
    def vjp(xp, g, x): return g * (xp.exp(-(x * x)) * -SLOPE)
erf, erf_   = unary(ErfBackward0),  elementwise_(ErfBackward0)
erfc, erfc_ = unary(ErfcBackward0), elementwise_(ErfcBackward0)
