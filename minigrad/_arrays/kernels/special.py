"""Special functions of arrays in their own dtype, for the formulas that need them (``vocabulary.py``) and for ``_ops/special.py``."""

from functools import partial

import numpy as np

from ..._base import dtypes
from ..copies import like
from ..in_parts import PART
from . import bessel, gamma_function, normal_distribution


def refused(kernel, x):
    """The error for a dtype that a kernel, as PyTorch calls it, does not take."""
    name = dtypes.scalar_type_name(dtypes.from_numpy_dtype(x.dtype))
    return NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def real(function, kernel, x, *rest, half=True, single=False, elementwise=True):
    """``function(x, *rest)`` of float64 arrays, in the dtype of ``x``; integers only become floating, for the family to convert.

    ``single``: the function takes float32 arrays too, which those of up to 32 bits become.  Refuses complex numbers, and half precision unless ``half``, as PyTorch's ``kernel`` does.
    """
    kind = x.dtype.kind
    if kind == "c" or (kind in "fV" and x.itemsize == 2 and not half):
        raise refused(kernel, x)
    if kind not in "fV":
        return x / 1.0
    wide = np.float32 if single and x.itemsize <= 4 else np.float64
    arrays = [np.atleast_1d(y) for y in (x, *rest)]
    with np.errstate(all="ignore"):
        if x.size > PART and not rest and elementwise:
            z = np.empty(x.shape, x.dtype)
            source, target = x.reshape(-1), z.reshape(-1)
            for begin in range(0, x.size, PART):  # what is made in between stays in the cache
                part = slice(begin, begin + PART)
                target[part] = function(source[part].astype(wide, copy=False))
        else:
            z = function(*[y.astype(wide, copy=False) for y in arrays]).astype(x.dtype, copy=False)
    if not rest and elementwise and 0 in x.strides:
        out = like(x)
        np.copyto(out, z.reshape(x.shape))
        return out
    return z if x.ndim or any(y.ndim for y in rest) else z.reshape(())


def lgamma(x):
    """log |Γ(x)|."""
    return real(gamma_function.lgamma, "lgamma_vml_cpu", x)


def digamma(x):
    """The derivative of ``lgamma``."""
    return real(gamma_function.digamma, "digamma", x)


def polygamma(x, n):
    """The derivative of order n of ``digamma``."""
    precision = np.float64 if x.itemsize == 8 else np.float32
    return real(partial(gamma_function.polygamma, n, precision=precision), "polygamma" if n else "digamma", x)


def zeta(x, y):
    """Hurwitz's zeta function."""
    return real(gamma_function.zeta, "zeta_cpu", x, y, half=False)


def erfinv(x):
    """The inverse of the error function."""
    return real(normal_distribution.erfinv, "erfinv_vml_cpu", x, single=True)


def erfcx(x):
    """exp(x²) erfc(x)."""
    return real(normal_distribution.erfcx, "erfcx_cpu", x, half=False)


def i1(x):
    """I₁(x)."""
    return real(bessel.i1, "i1_cpu", x)


def i1e(x):
    """e⁻|ˣ| I₁(x)."""
    return real(bessel.i1e, "i1e_cpu", x)


def bessel_ratio(x, k):
    """Iₖ(x) / xᵏ."""
    return real(lambda x: bessel.ratio(x, k), "i1_cpu", x)


def scaled_bessel_ratio(x, k):
    """e⁻|ˣ| Iₖ(x) / xᵏ."""
    return real(lambda x: bessel.scaled_ratio(x, k), "i1e_cpu", x)
