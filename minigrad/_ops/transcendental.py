"""Exponentials, logarithms, trigonometric and hyperbolic functions.

Integers become the default dtype.  For complex arguments the formulas are the same; the family conjugates.
"""

import math

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import elementwise as kernels
from .._base.errors import type_name
from .._base.guards import explain
from .._core.families import Binary, Unary, binary, op, unary
from .._core.inplace import elementwise_
from .._core.tensor import Tensor

__all__ = [
    "acos", "acos_", "acosh", "acosh_", "arccos", "arccos_", "arccosh", "arccosh_", "arcsin", "arcsin_",
    "arcsinh", "arcsinh_", "arctan", "arctan2", "arctan_", "arctanh", "arctanh_", "asin", "asin_",
    "asinh", "asinh_", "atan", "atan2", "atan_", "atanh", "atanh_", "cos", "cos_", "cosh", "cosh_",
    "deg2rad", "deg2rad_", "exp", "exp2", "exp2_", "exp_", "expm1", "expm1_", "log", "log10", "log10_",
    "log1p", "log1p_", "log2", "log2_", "log_", "logaddexp", "logaddexp2", "logit", "logit_", "rad2deg",
    "rad2deg_", "sigmoid", "sigmoid_", "sin", "sin_", "sinc", "sinc_", "sinh", "sinh_", "tan", "tan_",
    "tanh", "tanh_", "xlogy", "xlogy_",
]
METHODS = (
    "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ "
    "arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ cos cos_ cosh cosh_ "
    "deg2rad deg2rad_ exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp "
    "logaddexp2 logit logit_ rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ sinh sinh_ tan tan_ tanh tanh_ "
    "xlogy xlogy_"
)

LOG_2, LOG_10 = math.log(2.0), math.log(10.0)


# Exponentials and logarithms -----------------------------------------------------------------------------------------------


class ExpBackward0(Unary):
    """The exponential of each element: z = eˣ;   dz/dx = z.

    >>> import minigrad
    >>> minigrad.exp(minigrad.tensor([0, 1, 2]))
    tensor([1.0000, 2.7183, 7.3891])
    """
    forward = np.exp
    def vjp(xp, g, z): return g * z
    fused = np.multiply
class Exp2Backward0(Unary):
    """Two to the power of each element: z = 2ˣ;   dz/dx = z log 2.

    >>> import minigrad
    >>> minigrad.exp2(minigrad.tensor([0., 3., -1.]))
    tensor([1.0000, 8.0000, 0.5000])
    """
    def forward(x):    return kernels.exp2(x)
    def vjp(xp, g, z): return g * (z * LOG_2)
class Expm1Backward0(Unary):
    """The exponential of each element minus one: z = eˣ - 1, exact near 0;   dz/dx = z + 1.

    >>> import minigrad
    >>> minigrad.expm1(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
    forward = np.expm1
    def vjp(xp, g, z): return g * (z + 1)
class LogBackward0(Unary):
    """The natural logarithm of each element: z = log x;   dz/dx = 1 / x.

    >>> import minigrad
    >>> minigrad.log(minigrad.tensor([1., 10., 0.]))
    tensor([0.0000, 2.3026,   -inf])
    """
    forward = np.log
    def vjp(xp, g, x): return g / x
class Log2Backward0(Unary):
    """The logarithm to base 2 of each element: z = log₂ x;   dz/dx = 1 / (x log 2).

    >>> import minigrad
    >>> minigrad.log2(minigrad.tensor([8., 0.5]))
    tensor([ 3., -1.])
    """
    forward = np.log2
    def vjp(xp, g, x): return g / (x * LOG_2)
class Log10Backward0(Unary):
    """The logarithm to base 10 of each element: z = log₁₀ x;   dz/dx = 1 / (x log 10).

    >>> import minigrad
    >>> minigrad.log10(minigrad.tensor([1000., 0.01]))
    tensor([ 3.0000, -2.0000])
    """
    forward = np.log10
    def vjp(xp, g, x): return g / (x * LOG_10)
class Log1PBackward0(Unary):
    """The logarithm of one plus each element: z = log(1 + x), exact near 0;   dz/dx = 1 / (1 + x).

    >>> import minigrad
    >>> minigrad.log1p(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
    forward, public = np.log1p, "log1p"
    def vjp(xp, g, x): return g / (x + 1)
exp, exp_ = unary(ExpBackward0), elementwise_(ExpBackward0)
exp2, exp2_ = unary(Exp2Backward0), elementwise_(Exp2Backward0)
expm1, expm1_ = unary(Expm1Backward0), elementwise_(Expm1Backward0)
log, log_ = unary(LogBackward0), elementwise_(LogBackward0)
log2, log2_ = unary(Log2Backward0), elementwise_(Log2Backward0)
log10, log10_ = unary(Log10Backward0), elementwise_(Log10Backward0)
log1p, log1p_ = unary(Log1PBackward0), elementwise_(Log1PBackward0)


class LogaddexpBackward0(Binary):
    """The logarithm of a sum of exponentials, without overflow: z = log(eˣ + eʸ);   dz/dx = eˣ / (eˣ + eʸ).

    >>> import minigrad
    >>> minigrad.logaddexp(minigrad.tensor([-1000., 1.]), minigrad.tensor([-1000., 2.]))
    tensor([-999.3068,    2.3133])
    """
    costly = True
    tensors_first = 2
    def forward(x, y):      return kernels.logaddexp(x, y)
    def vjp_x(xp, g, x, y): return g / (1 + xp.exp(y - x))
    def vjp_y(xp, g, x, y): return g / (1 + xp.exp(x - y))
class Logaddexp2Backward0(Binary):
    """The logarithm to base 2 of a sum of powers of two, without overflow: z = log₂(2ˣ + 2ʸ);   dz/dx = 2ˣ / (2ˣ + 2ʸ).

    >>> import minigrad
    >>> minigrad.logaddexp2(minigrad.tensor([3., 2.]), minigrad.tensor([3., 0.]))
    tensor([4.0000, 2.3219])
    """
    costly = True
    tensors_first = 2
    def forward(x, y):      return kernels.floating(np.logaddexp2, x, y)
    def vjp_x(xp, g, x, y): return g / (1 + xp.exp2(y - x))
    def vjp_y(xp, g, x, y): return g / (1 + xp.exp2(x - y))
logaddexp, logaddexp2 = binary(LogaddexpBackward0), binary(Logaddexp2Backward0)


class XlogyBackward0(Binary):
    """z = x log y, 0 where x = 0 (unless y is nan);   dz/dx = log y, 0 where x = 0 and y <= 0;   dz/dy = x / y.

    >>> import minigrad
    >>> minigrad.xlogy(minigrad.tensor([0., 2.]), minigrad.tensor([0., 1.]))
    tensor([0., 0.])
    """
    costly = True
    aten = "xlogy.Tensor"
    floats, ordered, tensors_first = True, True, 0
    def forward(x, y):      return kernels.xlogy(x, y)
    def vjp_x(xp, g, x, y): return g * xp.log(xp.where((x == 0) & (y <= 0), 1, y))
    def vjp_y(xp, g, x, y): return g * (x / y)
class XlogyBackward1(Binary):
    """z = x log y for a number x."""
    costly = True
    aten = "xlogy.Scalar_Self"
    floats, ordered, tensors_first = True, True, 0
    def forward(x, y):      return kernels.xlogy(x, y)
    def vjp_y(xp, g, x, y): return g * (x / y)
class XlogyBackward2(Binary):
    """z = x log y for a number y."""
    costly = True
    aten = "xlogy.Scalar_Other"
    floats, ordered = True, True
    def forward(x, y):      return kernels.xlogy(x, y)
    def vjp_x(xp, g, x, y): return g * xp.log(xp.where((x == 0) & (y <= 0), 1, y))
_xlogy, xlogy_ = binary(XlogyBackward0), elementwise_(XlogyBackward0, of_number=XlogyBackward2)
_xlogy_of_number, _xlogy_number = binary(XlogyBackward1), binary(XlogyBackward2)


def xlogy(input, other, *, out=None):
    """Compute ``input * log(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

    >>> import minigrad
    >>> minigrad.xlogy(minigrad.tensor([0., 2.]), minigrad.tensor([0., 1.]))
    tensor([0., 0.])
    """
    if not isinstance(input, Tensor):
        if not isinstance(other, Tensor):
            raise TypeError(f"xlogy(): argument 'input' (position 1) must be Tensor, not {type_name(input)}")
        return _xlogy_of_number(input, other, out=out)
    return (_xlogy if isinstance(other, Tensor) else _xlogy_number)(input, other, out=out)


class SigmoidBackward0(Unary):
    """The logistic sigmoid of each element: z = 1 / (1 + e⁻ˣ);   dz/dx = z (1 - z).

    >>> import minigrad
    >>> minigrad.sigmoid(minigrad.tensor([-2., 0., 2.]))
    tensor([0.1192, 0.5000, 0.8808])
    """
    def forward(x):    return kernels.sigmoid(x)
    def vjp(xp, g, z): return xp.sigmoid_backward(g, z)
    fused = arrays.sigmoid_backward
class SigmoidBackwardBackward0(Binary):
    """z = x y (1 - y), the gradient of sigmoid whose result was y;   dz/dx = y (1 - y),   dz/dy = x (1 - 2 y)."""
    costly = True
    names, public = {"x": "grad_output", "y": "output"}, "sigmoid_backward"
    def forward(x, y):     return arrays.sigmoid_backward(x, y)
    def vjp_x(xp, g, y):    return xp.sigmoid_backward(g, y)
    def vjp_y(xp, g, x, y): return g * (x * (1 - 2 * y))
sigmoid, sigmoid_ = unary(SigmoidBackward0), elementwise_(SigmoidBackward0)
sigmoid_backward = binary(SigmoidBackwardBackward0)


class LogitBackward0(Unary):
    """z = log(x / (1 - x)), x first limited to [eps, 1 - eps] if eps is given, outside of which the gradient is 0."""
    def forward(x, eps): return kernels.logit(x, eps)
    def vjp(xp, g, x, eps):
        dz = g / (x * (1 - x))
        inside = (x >= 0) & (x <= 1) if eps is None else (x >= eps) & (x <= 1 - eps)
        return xp.where(inside, dz, math.nan if eps is None else 0)
_logit, _logit_ = op(LogitBackward0), elementwise_(LogitBackward0)


def logit(input, eps=None, *, out=None):
    """Return the inverse of the sigmoid: ``log(input / (1 - input))``; ``eps`` clamps the input to [eps, 1 - eps].

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.logit(minigrad.tensor([0.5, 1.]), eps=0.1)
    tensor([0.0000, 2.1972])
    """
    if eps is not None and eps.__class__ is not float:
        explain(logit, {"input": input, "eps": eps})
    return _logit(input, eps) if out is None else _logit.into(out, input, eps)


def logit_(input, eps=None):
    """In-place version of ``logit``.

    >>> import minigrad
    >>> minigrad.tensor([0.5, 0.9]).logit_()
    tensor([0.0000, 2.1972])
    """
    if eps is not None and eps.__class__ is not float:
        explain(logit_, {"input": input, "eps": eps})
    return _logit_(input, eps)


# Trigonometric -------------------------------------------------------------------------------------------------------------


class SinBackward0(Unary):
    """The sine of each element: z = sin x;   dz/dx = cos x.

    >>> import minigrad
    >>> minigrad.sin(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
    forward = np.sin
    def vjp(xp, g, x): return g * xp.cos(x)
class CosBackward0(Unary):
    """The cosine of each element: z = cos x;   dz/dx = -sin x.

    >>> import minigrad
    >>> minigrad.cos(minigrad.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
    forward = np.cos
    def vjp(xp, g, x): return g * -xp.sin(x)
class TanBackward0(Unary):
    """The tangent of each element: z = tan x;   dz/dx = 1 + z².

    >>> import minigrad
    >>> minigrad.tan(minigrad.tensor([0., 1.]))
    tensor([0.0000, 1.5574])
    """
    forward = np.tan
    def vjp(xp, g, z): return g * (1 + z * z)
class AsinBackward0(Unary):
    """The inverse sine of each element: z = asin x;   dz/dx = 1 / √(1 - x²).

    >>> import minigrad
    >>> minigrad.asin(minigrad.tensor([-1., 0., 2.]))
    tensor([-1.5708,  0.0000,     nan])
    """
    forward = np.arcsin
    def vjp(xp, g, x): return g / xp.sqrt(1 - x * x)
class AcosBackward0(Unary):
    """The inverse cosine of each element: z = acos x;   dz/dx = -1 / √(1 - x²).

    >>> import minigrad
    >>> minigrad.acos(minigrad.tensor([-1., 0., 2.]))
    tensor([3.1416, 1.5708,    nan])
    """
    forward = np.arccos
    def vjp(xp, g, x): return -g / xp.sqrt(1 - x * x)
class AtanBackward0(Unary):
    """The inverse tangent of each element: z = atan x;   dz/dx = 1 / (x² + 1).

    >>> import minigrad
    >>> minigrad.atan(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7854])
    """
    forward = np.arctan
    def vjp(xp, g, x): return g / (x * x + 1)
sin, sin_ = unary(SinBackward0), elementwise_(SinBackward0)
cos, cos_ = unary(CosBackward0), elementwise_(CosBackward0)
tan, tan_ = unary(TanBackward0), elementwise_(TanBackward0)
asin, asin_ = unary(AsinBackward0), elementwise_(AsinBackward0)
acos, acos_ = unary(AcosBackward0), elementwise_(AcosBackward0)
atan, atan_ = unary(AtanBackward0), elementwise_(AtanBackward0)
arcsin, arcsin_, arccos, arccos_, arctan, arctan_ = asin, asin_, acos, acos_, atan, atan_


class Atan2Backward0(Binary):
    """The angle of a point in the plane: z = the angle of the point (y, x), as C's atan2;   dz/dx = y / (x² + y²), dz/dy = -x / (x² + y²), 0 at the origin.

    >>> import minigrad
    >>> minigrad.atan2(minigrad.tensor([1., 1.]), minigrad.tensor([1., -1.]))
    tensor([0.7854, 2.3562])
    """
    costly = True
    floats, ordered, tensors_first = True, True, 2
    def forward(x, y):      return np.arctan2(x, y)
    def vjp_x(xp, g, x, y): return g * (y * _inverse(xp, x * x + y * y))
    def vjp_y(xp, g, x, y): return g * -(x * _inverse(xp, x * x + y * y))
atan2, atan2_ = binary(Atan2Backward0), elementwise_(Atan2Backward0)
arctan2, arctan2_ = atan2, atan2_


def _inverse(xp, square):
    zero = square == 0
    # no division by 0, whose derivatives would be nan in spite of the mask
    return xp.where(zero, 0, 1 / xp.where(zero, 1, square))


class SincBackward0(Unary):
    """The normalised sinc function of each element: z = sin(πx) / πx, 1 at 0;   dz/dx = (cos(πx) - z) / x, 0 at 0.

    >>> import minigrad
    >>> minigrad.sinc(minigrad.tensor([0., 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122])
    """
    def forward(x):    return kernels.sinc_slope(x, 0)
    def vjp(xp, g, x): return g * xp.sinc_slope(x, 1)
sinc, sinc_ = unary(SincBackward0), elementwise_(SincBackward0)


class SincSlope(Unary):
    """z = a derivative of sinc, of some order; dz/dx is the next."""
    def forward(x, order):    return kernels.sinc_slope(x, order)
    def vjp(xp, g, x, order): return g * xp.sinc_slope(x, order + 1)
sinc_slope = op(SincSlope)


class Deg2RadBackward0(Unary):
    """Degrees converted to radians: z = x π / 180.

    >>> import minigrad
    >>> minigrad.deg2rad(minigrad.tensor([0, 90, 180]))
    tensor([0.0000, 1.5708, 3.1416])
    """
    public = "deg2rad"
    def forward(x):  return _scaled(x, math.pi / 180, "deg2rad")
    def vjp(xp, g):  return g * (math.pi / 180)
class Rad2DegBackward0(Unary):
    """Radians converted to degrees: z = x 180 / π.

    >>> import minigrad
    >>> minigrad.rad2deg(minigrad.tensor([0., 1.]))
    tensor([ 0.0000, 57.2958])
    """
    public = "rad2deg"
    def forward(x):  return _scaled(x, 180 / math.pi, "rad2deg")
    def vjp(xp, g):  return g * (180 / math.pi)
deg2rad, deg2rad_ = unary(Deg2RadBackward0), elementwise_(Deg2RadBackward0)
rad2deg, rad2deg_ = unary(Rad2DegBackward0), elementwise_(Rad2DegBackward0)


def _scaled(x, factor, name):
    if x.dtype.kind == "c":
        raise RuntimeError(f"{name} is not supported for complex tensors.")
    return (x * factor).astype(x.dtype) if x.dtype.kind == "V" else x * factor


# Hyperbolic ----------------------------------------------------------------------------------------------------------------


class SinhBackward0(Unary):
    """The hyperbolic sine of each element: z = sinh x;   dz/dx = cosh x.

    >>> import minigrad
    >>> minigrad.sinh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 1.1752])
    """
    forward = np.sinh
    def vjp(xp, g, x): return g * xp.cosh(x)
class CoshBackward0(Unary):
    """The hyperbolic cosine of each element: z = cosh x;   dz/dx = sinh x.

    >>> import minigrad
    >>> minigrad.cosh(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.5431])
    """
    forward = np.cosh
    def vjp(xp, g, x): return g * xp.sinh(x)
class TanhBackward0(Unary):
    """The hyperbolic tangent of each element: z = tanh x;   dz/dx = 1 - z².

    >>> import minigrad
    >>> minigrad.tanh(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.7616,  0.0000,  0.7616])
    """
    forward = np.tanh
    def vjp(xp, g, z): return xp.tanh_backward(g, z)
    fused = arrays.tanh_backward
class TanhBackwardBackward0(Binary):
    """z = x (1 - y²), the gradient of tanh whose result was y;   dz/dx = 1 - y²,   dz/dy = -2 x y."""
    costly = True
    names, public = {"x": "grad_output", "y": "output"}, "tanh_backward"
    def forward(x, y):     return arrays.tanh_backward(x, y)
    def vjp_x(xp, g, y):    return xp.tanh_backward(g, y)
    def vjp_y(xp, g, x, y): return g * (x * y * -2)
tanh_backward = binary(TanhBackwardBackward0)


class AsinhBackward0(Unary):
    """The inverse hyperbolic sine of each element: z = asinh x;   dz/dx = 1 / √(x² + 1).

    >>> import minigrad
    >>> minigrad.asinh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.8814])
    """
    forward = np.arcsinh
    def vjp(xp, g, x): return g / xp.sqrt(x * x + 1)
class AcoshBackward0(Unary):
    """The inverse hyperbolic cosine of each element: z = acosh x;   dz/dx = 1 / √(x² - 1), for complex x 1 / (√(x - 1) √(x + 1)).

    >>> import minigrad
    >>> minigrad.acosh(minigrad.tensor([0., 1., 2.]))
    tensor([   nan, 0.0000, 1.3170])
    """
    forward = np.arccosh
    def vjp(xp, g, x): return g / (xp.sqrt(x - 1) * xp.sqrt(x + 1)) if xp.iscomplex(x) else g / xp.sqrt(x * x - 1)
class AtanhBackward0(Unary):
    """The inverse hyperbolic tangent of each element: z = atanh x;   dz/dx = 1 / (1 - x²).

    >>> import minigrad
    >>> minigrad.atanh(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.5493,    inf])
    """
    forward = np.arctanh
    def vjp(xp, g, x): return g / (1 - x * x)
sinh, sinh_ = unary(SinhBackward0), elementwise_(SinhBackward0)
cosh, cosh_ = unary(CoshBackward0), elementwise_(CoshBackward0)
tanh, tanh_ = unary(TanhBackward0), elementwise_(TanhBackward0)
asinh, asinh_ = unary(AsinhBackward0), elementwise_(AsinhBackward0)
acosh, acosh_ = unary(AcoshBackward0), elementwise_(AcoshBackward0)
atanh, atanh_ = unary(AtanhBackward0), elementwise_(AtanhBackward0)
arcsinh, arcsinh_, arccosh, arccosh_, arctanh, arctanh_ = asinh, asinh_, acosh, acosh_, atanh, atanh_
