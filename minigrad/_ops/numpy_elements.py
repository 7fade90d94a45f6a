"""NumPy's functions of single elements, and those that ask or make arrays, as our own operators (``numpy_rules.py``)."""

import math

import numpy as np

from . import compare
from . import linalg_vectors as vectors
from .create import empty_like, full_like, ones_like, zeros_like
from .numpy_rules import axes_of, cast, common, of, tensor
from .operands import as_common_tensors
from .ranges import linspace

__all__ = []


# Element by element ------------------------------------------------------------------------------------------------------


@of(np.round, np.around)
def round_(a, decimals=0):
    return tensor(a).round(decimals=decimals)


@of(np.fix)
def fix(x):
    return tensor(x).trunc()


@of(np.sinc)
def sinc(x):
    return tensor(x).sinc()


@of(np.i0)
def i0(x):
    return tensor(x).i0()


@of(np.real)
def real(val):
    return val.real if val.is_complex() else val


@of(np.imag)
def imag(val):
    return val.imag if val.is_complex() else zeros_like(val)


@of(np.angle)
def angle(z, deg=False):
    return tensor(z).angle().rad2deg() if deg else tensor(z).angle()


@of(np.polyval)
def polyval(p, x):
    p, x = common([p, x])
    z = zeros_like(x)
    for i in range(p.shape[0]):
        z = z * x + p[i]
    return z


@of(np.vander)
def vander(x, N=None, increasing=False):
    return vectors.vander(tensor(x), N, increasing)


# What depends on shapes, or has no derivative ------------------------------------------------------------------------------


@of(np.shape)
def shape(a):
    return tensor(a).shape


@of(np.ndim)
def ndim(a):
    return tensor(a).ndim


@of(np.size)
def size(a, axis=None):
    a = tensor(a)
    return math.prod(a.shape[i] for i in axes_of(a, axis))


@of(np.zeros_like)
def zeros_like_(a, dtype=None):
    return cast(zeros_like(a), dtype)


@of(np.ones_like)
def ones_like_(a, dtype=None):
    return cast(ones_like(a), dtype)


@of(np.empty_like)
def empty_like_(prototype, dtype=None):
    return cast(empty_like(prototype), dtype)


@of(np.full_like)
def full_like_(a, fill_value, dtype=None):
    if isinstance(fill_value, (bool, int, float, complex)):
        return cast(full_like(tensor(a), fill_value), dtype)
    return cast(tensor(fill_value).broadcast_to(tensor(a).shape).to(tensor(a).dtype), dtype)


@of(np.linspace)
def linspace_(start, stop, num=50, endpoint=True, axis=0):
    start, stop = as_common_tensors(*[x if isinstance(x, (int, float, complex)) else tensor(x) for x in (start, stop)])
    steps = linspace(0, 1, num, dtype=start.dtype) if endpoint else linspace(0, 1, num + 1, dtype=start.dtype)[:-1]
    steps = steps.reshape((-1, *(1,) * max(start.ndim, stop.ndim)))
    return (start + (stop - start) * steps).moveaxis(0, axis)


@of(np.isclose)
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return compare.isclose(*common([a, b]), rtol, atol, equal_nan)


@of(np.allclose)
def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


@of(np.array_equal)
def array_equal(a1, a2, equal_nan=False):
    a1, a2 = common([a1, a2])
    same = a1 == a2
    if a1.shape != a2.shape:
        return False
    return bool((same | (a1.isnan() & a2.isnan()) if equal_nan else same).all())


@of(np.nonzero)
def nonzero(a):
    return a.nonzero(as_tuple=True)


@of(np.argwhere)
def argwhere(a):
    return a.nonzero()


@of(np.flatnonzero)
def flatnonzero(a):
    return a.reshape(-1).nonzero(as_tuple=True)[0]


@of(np.iscomplexobj)
def iscomplexobj(x):
    return tensor(x).is_complex()


@of(np.isrealobj)
def isrealobj(x):
    return not tensor(x).is_complex()


@of(np.isreal)
def isreal(x):
    return tensor(x).isreal()
