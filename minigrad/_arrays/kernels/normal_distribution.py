"""The error function's relatives on float64 arrays: scaled, inverse, and as the normal distribution."""

import math

import numpy as np

from .error_function import _gauss, _polynomial, _scaled_tail, _small, erfc

_SLOPE = 2 / math.sqrt(math.pi)
#: Least-squares fits, weighted to level their errors, of erfinv(x) / x: in w - 2.5 for w up to 5, beyond that in √w less the middle of its range.
_TO_5 = (
    1.5014093592824902, 0.2466402861534506, -0.004177386781086521, -0.0012527418784443825, 0.00021834443942839483,
    -4.963347855659999e-06, -3.462704758897871e-06, 4.6617066410353233e-07, 2.323264431123789e-08, -8.791056482717977e-09,
)  # fmt: skip
_TO_17 = (
    3.0131300788786244, 1.0044431675215, 0.00624578409966967, -0.004544363310530259, 0.0031412621794362746,
    -0.0021256198364852123, 0.0011961745048079996, -0.00035812231639046645, -0.00012641168785849452, 0.0001100997615415853,
)  # fmt: skip
_MIDDLE_TO_17 = 3.179586801558725
_FARTHER = (
    15.204979743866327, 1.0035424512197668, -0.0001570776179548029, 7.882175940436457e-07, -4.160341727348688e-07,
    1.3051575271340622e-07, 9.835136467590453e-10, -6.343498835062873e-10,
)  # fmt: skip
_MIDDLE_FARTHER = 15.290309368131783


def erfcx(x):
    """exp(x²) erfc(x), without overflow or underflow for positive x."""
    size = np.absolute(x)
    inner = size <= 1
    t = np.where(inner, x, 0.0)
    z = np.exp(t * t) * (1 - _small(t))
    if inner.all():
        return z
    tail = _scaled_tail(np.minimum(np.where(inner, 1.0, size), 1e300))
    left = x < 0
    if left.any():
        tail = np.where(left, 2 / _gauss(np.where(left, np.minimum(size, 40.0), 0.0)) - tail, tail)
    return np.where(np.isnan(x), x, np.where(inner, z, np.where(x == np.inf, 0.0, tail)))


def _per_x(w):
    """erfinv(x) / x from w = -log(1 - x²): within 2e-8 up to w = 17, within 1e-5 up to 700; inf at infinity."""
    z = _polynomial(_TO_5, w - w.dtype.type(2.5), np.empty_like(w))
    beyond = w >= 5
    if beyond.any():
        root = np.sqrt(w[beyond])
        tail = _polynomial(_TO_17, root - root.dtype.type(_MIDDLE_TO_17), np.empty_like(root))
        far = w[beyond] > 17
        if far.any():
            t = root[far]
            tail[far] = np.where(
                t == np.inf, t, _polynomial(_FARTHER, t - t.dtype.type(_MIDDLE_FARTHER), np.empty_like(t))
            )
        z[beyond] = tail
    return z


def _near(t):
    """erfinv of [0, 0.5]: by one of Halley's steps."""
    z = t * _per_x(-np.log1p(-t * t))
    step = (_small(z) - t) / (_SLOPE * np.exp(-z * z))
    return z - step / (1 + z * step)


def _beyond(q):
    """The x with erfc(x) = q, for q of (0, 0.5]: by Halley's steps, two of them where the first approximation is rough."""
    w = -(np.log(q) + np.log(2 - q))
    z = (1 - q) * _per_x(w)
    far = w > 17
    if far.any():
        z[far] = _closer(z[far], q[far])
    return _closer(z, q)


def _closer(z, q):
    scaled = erfcx(z)
    step = scaled / _SLOPE * np.expm1(z * z + np.log(q) - np.log(scaled))
    return z - step / (1 + z * step)


def erfcinv(q):
    """The x with erfc(x) = q, for q of [0, 1]; nan elsewhere."""
    z = np.where(q == 0, np.inf, np.nan)
    near, beyond = (q > 0.5) & (q <= 1), (q > 0) & (q <= 0.5)
    z[near], z[beyond] = _near(1 - q[near]), _beyond(q[beyond])
    return z


def erfinv(x):
    """The inverse of erf, of an array in single or double precision: ±inf at ±1, nan beyond."""
    size = np.absolute(x)
    if x.dtype == np.float32:
        one = np.float32(1)
        return x * _per_x(-np.log((one - size) * (one + size)))
    z = np.where(size == 1, np.inf, np.nan)
    near, beyond = size <= 0.5, (size > 0.5) & (size < 1)
    z[near], z[beyond] = _near(size[near]), _beyond(1 - size[beyond])
    return np.copysign(z, x)


def ndtri(p):
    """The x at which the normal distribution's probability is p: ∓inf at 0 and 1, nan beyond."""
    upper = p >= 0.5
    z = math.sqrt(2) * erfcinv(2 * np.where(upper, 1 - p, p))
    return np.where(upper, z, -z)


def log_ndtr(x):
    """The logarithm of the normal distribution's probability up to x."""
    left = x < -1
    t = x * math.sqrt(0.5)
    near = np.log1p(-0.5 * erfc(np.where(left, 0.0, t)))
    far = np.log(0.5 * erfcx(np.where(left, -t, 1.0))) - np.where(left, t * t, 0.0)
    return np.where(left, far, near)
