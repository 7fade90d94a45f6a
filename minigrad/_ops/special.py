"""Special functions: gamma functions, Bessel functions, orthogonal polynomials, the normal distribution, the zeta function.

Kernels compute in float64 and round once.  Where there is none of ours (``_arrays/kernels/scipy_functions.py``) SciPy is needed: the extra ``special``.
"""

import math

import numpy as np

from .._arrays.kernels import (
    bessel,
    gamma_function,
    normal_distribution,
    orthogonal_polynomials,
    scipy_functions,
)
from .._arrays.kernels import special as kernels
from .._arrays.kernels.special import real, refused
from .._base import dtypes
from .._base.dtypes import dtype_name
from .._base.errors import integer, type_name
from .._core.families import Binary, Compare, Unary, binary, named, op, unary
from .._core.inplace import elementwise_
from .._core.interpret import dispatch
from .._core.out import write_out
from .._core.overriding import ask_operands, operand_met
from .._core.tensor import Tensor
from .error_function import SLOPE, erf

__all__ = ["digamma", "erfinv", "i0", "i0_", "igamma", "igammac", "lgamma", "mvlgamma", "polygamma"]
METHODS = (
    "digamma digamma_ erfinv erfinv_ i0 i0_ igamma igamma_ igammac igammac_ lgamma lgamma_ mvlgamma mvlgamma_ "
    "polygamma=polygamma_method polygamma_"
)


OPERANDS = (Tensor, bool, int, float, complex, np.generic)


# What all functions here share -------------------------------------------------------------------------------------------


def untracked(cls):
    """The function of an op of one operand, called ``x`` if the op's names say so, that PyTorch does not record."""
    def call(input, *, out=None):
        return dispatch(cls, (input,), (), out)
    def call_with_x(x, *, out=None):
        return dispatch(cls, (x,), (), out)
    return named(cls, call_with_x if cls.names.get("x") == "x" else call)


def untracked_of_two(cls):
    """The function of an op of two operands, one of which may be a number, that PyTorch does not record."""
    def call(x, n, *, out=None):
        if operand_met(x) or operand_met(n):
            return ask_operands(cls.call, (x, n), {} if out is None else {"out": out})
        if not isinstance(x, OPERANDS) or not isinstance(n, OPERANDS) or not (isinstance(x, Tensor) or isinstance(n, Tensor)):
            raise no_tensor(cls.function_name(), (x, n), "xn")
        return dispatch(cls, (x, n), (), out)
    return named(cls, call)


def example(name, x, result, n=""):
    """What a docstring ends with: an example with one element."""
    return f"\n\n>>> import minigrad\n>>> minigrad.special.{name}(minigrad.tensor([{x}]){n})\ntensor([{result}])\n"


def no_tensor(function, values, names):
    """The error for a function of two operands neither of which is a tensor."""
    a, b = names if len(names) == 2 else ("input", "other")
    first = "x" if names == "xn" else "self"
    return TypeError(
        f"special_{function}() received an invalid combination of arguments - got ({', '.join(type_name(v) for v in values)}), "
        f"but expected one of:\n * (Tensor {a}, Tensor {b}, *, Tensor out = None)\n"
        f" * (Number {first}, Tensor {b}, *, Tensor out = None)\n * (Tensor {a}, Number {b}, *, Tensor out = None)\n"
    )


# Gamma functions -----------------------------------------------------------------------------------------------------------


class LgammaBackward0(Unary):
    """The logarithm of the gamma function of each element: z = log |Γ(x)|;   dz/dx = digamma x.

    >>> import minigrad
    >>> minigrad.lgamma(minigrad.tensor([1., 5., 0.]))
    tensor([0.0000, 3.1781,    inf])
    """
    forward = kernels.lgamma
    def vjp(xp, g, x): return g * xp.digamma(x)
class DigammaBackward0(Unary):
    """The digamma function of each element: z = d/dx log |Γ(x)|;   dz/dx = polygamma(1, x).

    >>> import minigrad
    >>> minigrad.digamma(minigrad.tensor([1., 2.]))
    tensor([-0.5772,  0.4228])
    """
    forward = kernels.digamma
    def vjp(xp, g, x): return g * xp.polygamma(x, 1)
class PolygammaBackward0(Unary):
    """z = the derivative of order n of digamma x."""
    forward = kernels.polygamma
    def vjp(xp, g, x, n): return g * xp.polygamma(x, n + 1)
lgamma, lgamma_ = unary(LgammaBackward0), elementwise_(LgammaBackward0)
digamma, digamma_ = unary(DigammaBackward0), elementwise_(DigammaBackward0)
_polygamma, _polygamma_ = op(PolygammaBackward0), elementwise_(PolygammaBackward0)


def polygamma(n, input, *, out=None):
    """Return the derivative of order ``n`` of ``digamma``; raise RuntimeError for a negative order.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.polygamma(1, minigrad.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
    n = _order(n, 1)
    return _polygamma(input, n) if out is None else _polygamma.into(out, input, n)


def polygamma_method(input, n):
    """Return the derivative of order ``n`` of ``digamma``.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.tensor([1.]).polygamma(1)
    tensor([1.6449])
    """
    return _polygamma(input, _order(n, 1))


def polygamma_(input, n):
    """In-place version of ``polygamma``.

    >>> import minigrad
    >>> minigrad.tensor([1.]).polygamma_(1)
    tensor([1.6449])
    """
    return _polygamma_(input, _order(n, 1))


def _order(n, position):
    n = integer(n, "polygamma", "n", position)
    if n >= 2**63:
        raise ValueError("Overflow when unpacking long long")
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return n


class MvlgammaBackward0(Unary):
    """z = the logarithm of the gamma function of p × p matrices: log π p (p - 1) / 4 + Σ lgamma(x - j/2) over j < p."""
    def forward(x, p):
        z = x.reshape(x.shape or 1)
        for step in _steps_of_mvlgamma(p): z = real(step, "arange_cpu", z, elementwise=False)  # half precision is rounded after each, as in PyTorch
        return z.reshape(x.shape)
    def vjp(xp, g, x, p):
        slope = xp.digamma(x)
        for j in range(1, p): slope = slope + xp.digamma(x - j / 2)
        return g * slope
_mvlgamma, _mvlgamma_ = op(MvlgammaBackward0), elementwise_(MvlgammaBackward0)


def _steps_of_mvlgamma(p):
    """The functions that, one after the other, make the logarithm of x."""
    yield lambda x: x[..., None] - np.arange(p, dtype=x.dtype) / 2
    yield gamma_function.lgamma
    yield lambda each: np.add.reduce(each, -1)
    yield lambda total: total + total.dtype.type(p * (p - 1) / 4 * math.log(math.pi))


def _size(input, p):
    p = integer(p, "mvlgamma", "p", 2)
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    if isinstance(input, Tensor) and input.dtype is dtypes.bool_:
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    return p


def mvlgamma(input, p, *, out=None):
    """Return the logarithm of the multivariate gamma function of dimension ``p``; raise RuntimeError for p < 1.

    >>> import minigrad
    >>> minigrad.mvlgamma(minigrad.tensor([2., 3.]), 2)
    tensor([0.4516, 1.5502])
    """
    p = _size(input, p)
    return _mvlgamma(input, p) if out is None else _mvlgamma.into(out, input, p)


def mvlgamma_(input, p):
    """In-place version of ``mvlgamma``; raise RuntimeError for integers.

    >>> import minigrad
    >>> minigrad.tensor([3.]).mvlgamma_(2)
    tensor([1.5502])
    """
    p = _size(input, p)
    if input.dtype.category < dtypes.FLOATING:
        name = dtype_name(input)
        raise RuntimeError(f"mvlgamma: result type {name} can't be cast to the desired output type Float")
    return _mvlgamma_(input, p)


def _of_gamma(function, kernel, a, x):
    if a.dtype.kind not in "fV":
        raise refused(kernel, a)
    return real(function, kernel, a, x)


class IgammaBackward0(Binary):
    """The regularised lower incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from 0 to y;   dz/dy = yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    >>> import minigrad
    >>> minigrad.igamma(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.8647])
    """
    costly = True
    tensors_first = 2
    def forward(x, y):
        z = _of_gamma(scipy_functions.igamma, "igamma_cpu", x, y)
        nothing = np.isnan(x) & (y == 0)  # an integral from 0 to 0
        return np.where(nothing, z.dtype.type(0), z) if nothing.any() else z
    def vjp_x(xp, g):       raise NotImplementedError("the derivative for 'igamma: input' is not implemented.")
    def vjp_y(xp, g, x, y): return g * xp.exp((x - 1) * xp.log(y) - y - xp.lgamma(x))
class IgammacBackward0(Binary):
    """The regularised upper incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from y on;   dz/dy = -yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    >>> import minigrad
    >>> minigrad.igammac(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.1353])
    """
    costly = True
    tensors_first = 2
    def forward(x, y):      return _of_gamma(scipy_functions.igammac, "igammac_cpu", x, y)
    def vjp_x(xp, g):       raise NotImplementedError("the derivative for 'igammac: input' is not implemented.")
    def vjp_y(xp, g, x, y): return g * -xp.exp((x - 1) * xp.log(y) - y - xp.lgamma(x))
igamma, igamma_ = binary(IgammaBackward0), elementwise_(IgammaBackward0)
igammac, igammac_ = binary(IgammacBackward0), elementwise_(IgammacBackward0)


class SpecialZetaBackward0(Binary):
    """z = Σ (y + k)⁻ˣ over k = 0, 1, ...;   dz/dy = -x zeta(x + 1, y)."""
    costly = True
    floats, tensors_first, public = True, 0, "zeta"
    forward = kernels.zeta
    def vjp_x(xp, g):       raise NotImplementedError("the derivative for 'zeta' is not implemented.")
    def vjp_y(xp, g, x, y): return g * (-x * xp.zeta(x + 1, y))
class SpecialZetaBackward1(Binary):
    """z = zeta(x, y) for a number x."""
    costly = True
    floats, tensors_first, public = True, 0, "zeta"
    forward = kernels.zeta
    def vjp_y(xp, g, x, y): return g * (-x * xp.zeta(x + 1, y))
class SpecialZetaBackward2(Binary):
    """z = zeta(x, y) for a number y."""
    costly = True
    floats, public = True, "zeta"
    forward = kernels.zeta
    def vjp_x(xp, g):       raise NotImplementedError("the derivative for 'zeta' is not implemented.")
_zeta, _zeta_of_number, _zeta_number = binary(SpecialZetaBackward0), binary(SpecialZetaBackward1), binary(SpecialZetaBackward2)


def _of_two(name, tensors, of_number, number, input, other, out):
    if not isinstance(input, Tensor):
        if not isinstance(other, Tensor):
            raise no_tensor(name, (input, other), ("input", "other"))
        return of_number(input, other, out=out)
    if isinstance(other, Tensor):
        return tensors(input, other, out=out)
    if not isinstance(other, OPERANDS):
        raise no_tensor(name, (input, other), ("input", "other"))
    return number(input, other, out=out)


def zeta(input, other, *, out=None):
    """Return the Hurwitz zeta function: the sum of ``(other + k) ** -input`` over k = 0, 1, ...; either may be a number.

    >>> import minigrad
    >>> minigrad.special.zeta(minigrad.tensor([2., 4.]), 1)
    tensor([1.6449, 1.0823])
    """
    return _of_two("zeta", _zeta, _zeta_of_number, _zeta_number, input, other, out)


# The error function's inverse, the normal distribution, entropy ----------------------------------------------------------------


class ErfinvBackward0(Unary):
    """The inverse error function of each element: z = the number whose erf is x;   dz/dx = √π/2 exp(z²).

    >>> import minigrad
    >>> minigrad.erfinv(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.4769,    inf])
    """
    forward = kernels.erfinv
    def vjp(xp, g, x):
        z = xp.erfinv(x)
        return g * (xp.exp(z * z) * (1 / SLOPE))
erfinv, erfinv_ = unary(ErfinvBackward0), elementwise_(ErfinvBackward0)


class SpecialErfcxBackward0(Unary):
    """The scaled complementary error function of each element: z = exp(x²) erfc(x);   dz/dx = 2 x z - 2/√π.

    >>> import minigrad
    >>> minigrad.special.erfcx(minigrad.tensor([0., 10.]))
    tensor([1.0000, 0.0561])
    """
    public = "erfcx"
    forward = kernels.erfcx
    def vjp(xp, g, x, z): return g * (2 * x * z - SLOPE)
class SpecialNdtriBackward0(Unary):
    """The quantile of the standard normal distribution: z = the x at which the normal distribution's probability is x;   dz/dx = √(2π) exp(z²/2).

    >>> import minigrad
    >>> minigrad.special.ndtri(minigrad.tensor([0., 0.5, 0.975]))
    tensor([  -inf, 0.0000, 1.9600])
    """
    public = "ndtri"
    def forward(x):    return real(normal_distribution.ndtri, "ndtri_cpu", x, half=False)
    def vjp(xp, g, z): return g * (xp.exp(z * z * 0.5) * math.sqrt(2 * math.pi))
class SpecialLogNdtrBackward0(Unary):
    """The logarithm of the normal distribution function of each element: z = the logarithm of the normal distribution's probability up to x;   dz/dx = √(2/π) / erfcx(-x/√2).

    >>> import minigrad
    >>> minigrad.special.log_ndtr(minigrad.tensor([-100., 0.]))
    tensor([-5.0055e+03, -6.9315e-01])
    """
    public = "log_ndtr"
    names = {"z": "result"}
    def forward(x):    return real(normal_distribution.log_ndtr, "log_ndtr_cpu", x, half=False)
    def vjp(xp, g, x): return g / xp.erfcx(x * -math.sqrt(0.5)) * math.sqrt(2 / math.pi)
class SpecialEntrBackward0(Unary):
    """The entropy of each element: z = -x log x, 0 at 0, -inf for negative x;   dz/dx = -1 - log x.

    >>> import minigrad
    >>> minigrad.special.entr(minigrad.tensor([-1., 0., 0.5]))
    tensor([  -inf, 0.0000, 0.3466])
    """
    public = "entr"
    def forward(x):    return real(_entropy, "entr_cpu", x)
    def vjp(xp, g, x): return g * (-1 - xp.log(x))
erfcx, ndtri, log_ndtr, entr = (
    unary(cls) for cls in (SpecialErfcxBackward0, SpecialNdtriBackward0, SpecialLogNdtrBackward0, SpecialEntrBackward0)
)


def _entropy(x):
    return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0.0, np.where(x < 0, -np.inf, x)))


def ndtr(input, *, out=None):
    """Return the standard normal distribution function at ``input``.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.special.ndtr(minigrad.tensor([0., 1.]))
    tensor([0.5000, 0.8413])
    """
    if out is not None:
        return write_out(out, ndtr, input, named="special_ndtr")
    return (erf(input * math.sqrt(0.5)) + 1) * 0.5


class SpecialXlog1PyBackward0(Binary):
    """z = x log(1 + y), 0 where x = 0 (unless y is nan);   dz/dx = log(1 + y), 0 where x = 0 and y <= -1;   dz/dy = x / (1 + y)."""
    costly = True
    floats, tensors_first, public = True, 0, "xlog1py"
    def forward(x, y):      return _xlog1py_kernel(x, y)
    def vjp_x(xp, g, x, y): return g * xp.log1p(xp.where((x == 0) & (y <= -1), 0, y))
    def vjp_y(xp, g, x, y): return g * (x / (y + 1))
class SpecialXlog1PyBackward1(Binary):
    """z = x log(1 + y) for a number x."""
    costly = True
    floats, tensors_first, public = True, 0, "xlog1py"
    def forward(x, y):      return _xlog1py_kernel(x, y)
    def vjp_y(xp, g, x, y): return g * (x / (y + 1))
class SpecialXlog1PyBackward2(Binary):
    """z = x log(1 + y) for a number y."""
    costly = True
    floats, public = True, "xlog1py"
    def forward(x, y):      return _xlog1py_kernel(x, y)
    def vjp_x(xp, g, x, y): return g * xp.log1p(xp.where((x == 0) & (y <= -1), 0, y))
_xlog1py, _xlog1py_of_number, _xlog1py_number = (
    binary(cls) for cls in (SpecialXlog1PyBackward0, SpecialXlog1PyBackward1, SpecialXlog1PyBackward2)
)


def _xlog1py_kernel(x, y):
    return real(lambda x, y: np.where(np.isnan(y), y, np.where(x == 0, 0.0, x * np.log1p(y))), "xlog1py_cpu", x, y)


def xlog1py(input, other, *, out=None):
    """Compute ``input * log1p(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

    >>> import minigrad
    >>> minigrad.special.xlog1py(minigrad.tensor([0., 2.]), minigrad.tensor([-1., 1.]))
    tensor([0.0000, 1.3863])
    """
    return _of_two("xlog1py", _xlog1py, _xlog1py_of_number, _xlog1py_number, input, other, out)


# Bessel functions ------------------------------------------------------------------------------------------------------------


class BesselRatio(Unary):
    """z = Iₖ(x) / xᵏ;   dz/dx = x Iₖ₊₁(x) / xᵏ⁺¹.   This makes the derivatives of I₀ and I₁ exact at 0, to any order."""
    forward = kernels.bessel_ratio
    def vjp(xp, g, x, k): return g * (x * xp.bessel_ratio(x, k + 1))
class ScaledBesselRatio(Unary):
    """z = e⁻|ˣ| Iₖ(x) / xᵏ;   dz/dx = x e⁻|ˣ| Iₖ₊₁(x) / xᵏ⁺¹ - sign(x) z."""
    forward = kernels.scaled_bessel_ratio
    def vjp(xp, g, x, z, k): return g * (_finite(xp, x) * xp.scaled_bessel_ratio(x, k + 1) - xp.sign(x) * z)
bessel_ratio, scaled_bessel_ratio = op(BesselRatio), op(ScaledBesselRatio)


def _finite(xp, x):
    """``x``, and 0 for the infinities, where it stands before a factor that vanishes faster."""
    return xp.where(xp.isinf(x), 0, x)


class I0Backward0(Unary):
    """The modified Bessel function of the first kind of order 0: z = I₀(x);   dz/dx = I₁(x).

    >>> import minigrad
    >>> minigrad.i0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
    public = "i0"
    def forward(x):    return real(bessel.i0, "i0_vml_cpu", x)
    def vjp(xp, g, x): return g * xp.i1(x)
class SpecialI0EBackward0(Unary):
    """The exponentially scaled modified Bessel function of the first kind of order 0: z = e⁻|ˣ| I₀(x);   dz/dx = e⁻|ˣ| I₁(x) - sign(x) z.

    >>> import minigrad
    >>> minigrad.special.i0e(minigrad.tensor([0., 100.]))
    tensor([1.0000, 0.0399])
    """
    public = "i0e"
    def forward(x):       return real(bessel.i0e, "i0e_cpu", x)
    def vjp(xp, g, x, z): return g * (xp.i1e(x) - xp.sign(x) * z)
class SpecialI1Backward0(Unary):
    """The modified Bessel function of the first kind of order 1: z = I₁(x);   dz/dx = I₁(x)/x + I₂(x).

    >>> import minigrad
    >>> minigrad.special.i1(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
    public = "i1"
    forward = kernels.i1
    def vjp(xp, g, x): return g * (xp.bessel_ratio(x, 1) + x * x * xp.bessel_ratio(x, 2))
class SpecialI1EBackward0(Unary):
    """The exponentially scaled modified Bessel function of the first kind of order 1: z = e⁻|ˣ| I₁(x);   dz/dx = e⁻|ˣ| (I₁(x)/x + I₂(x)) - sign(x) z.

    >>> import minigrad
    >>> minigrad.special.i1e(minigrad.tensor([0., 100.]))
    tensor([0.0000, 0.0397])
    """
    public = "i1e"
    forward = kernels.i1e
    def vjp(xp, g, x, z):
        y = _finite(xp, x)
        return g * (xp.scaled_bessel_ratio(x, 1) + y * y * xp.scaled_bessel_ratio(x, 2) - xp.sign(x) * z)
i0, i0_ = unary(I0Backward0), elementwise_(I0Backward0)
i0e, i1, i1e = unary(SpecialI0EBackward0), unary(SpecialI1Backward0), unary(SpecialI1EBackward0)


class AiryAi(Unary):
    """The Airy function Ai(x). Needs SciPy.

    >>> import minigrad
    >>> minigrad.special.airy_ai(minigrad.tensor([0., 1.]))
    tensor([0.3550, 0.1353])
    """
    names = {"x": "x"}
    def forward(x): return real(scipy_functions.airy_ai, "airy_ai_cpu", x, half=False)
class SphericalBesselJ0(Unary):
    """The spherical Bessel function of the first kind of order 0, sin x / x, and 1 at 0.

    >>> import minigrad
    >>> minigrad.special.spherical_bessel_j0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 0.8415])
    """
    names = {"x": "x"}
    def forward(x): return real(_sine_ratio, "spherical_bessel_j0_cpu", x, half=False)
class ModifiedBesselI0(Unary):
    """The modified Bessel function of the first kind of order 0, I₀(x).

    >>> import minigrad
    >>> minigrad.special.modified_bessel_i0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
    def forward(x): return real(bessel.i0, "modified_bessel_i0_cpu", x, half=False)
class ModifiedBesselI1(Unary):
    """The modified Bessel function of the first kind of order 1, I₁(x).

    >>> import minigrad
    >>> minigrad.special.modified_bessel_i1(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
    def forward(x): return real(bessel.i1, "modified_bessel_i1_cpu", x, half=False)
airy_ai, spherical_bessel_j0 = untracked(AiryAi), untracked(SphericalBesselJ0)
modified_bessel_i0, modified_bessel_i1 = untracked(ModifiedBesselI0), untracked(ModifiedBesselI1)


def _sine_ratio(x):
    zero = x == 0
    return np.where(zero, 1.0, np.where(np.isinf(x), 0.0, np.sin(x) / np.where(zero, 1.0, x)))


def _from_scipy(name, theirs, what, at_1, nan_at_infinity=False, operand="self"):
    """A Bessel function that SciPy computes under the name ``theirs``; at 1 it is ``at_1``."""

    def kernel(x):
        z = scipy_functions.of_scipy(f"special.{name}", theirs)(x)
        return np.where(np.isinf(x), np.nan, z) if nan_at_infinity else z

    def forward(x): return real(kernel, f"{name}_cpu", x, half=False)
    doc = f"{what}.  Needs SciPy.{example(name, '1.', at_1)}"
    body = {"__doc__": doc, "__module__": __name__, "public": name, "forward": forward, "names": {"x": operand}}
    return untracked(type("".join(part.capitalize() for part in name.split("_")), (Unary,), body))


bessel_j0 = _from_scipy("bessel_j0", "j0", "The Bessel function of the first kind of order 0, J₀(x)", "0.7652", True)
bessel_j1 = _from_scipy("bessel_j1", "j1", "The Bessel function of the first kind of order 1, J₁(x)", "0.4401", True)
bessel_y0 = _from_scipy("bessel_y0", "y0", "The Bessel function of the second kind of order 0, Y₀(x)", "0.0883", True)
bessel_y1 = _from_scipy("bessel_y1", "y1", "The Bessel function of the second kind of order 1, Y₁(x)", "-0.7812", True)
modified_bessel_k0 = _from_scipy("modified_bessel_k0", "k0", "The modified Bessel function of the second kind of order 0, K₀(x)", "0.4210")
modified_bessel_k1 = _from_scipy("modified_bessel_k1", "k1", "The modified Bessel function of the second kind of order 1, K₁(x)", "0.6019")
scaled_modified_bessel_k0 = _from_scipy("scaled_modified_bessel_k0", "k0e", "The exponentially scaled modified Bessel function of the second kind of order 0, eˣ K₀(x)", "1.1445", operand="x")
scaled_modified_bessel_k1 = _from_scipy("scaled_modified_bessel_k1", "k1e", "The exponentially scaled modified Bessel function of the second kind of order 1, eˣ K₁(x)", "1.6362", operand="x")


# Orthogonal polynomials ------------------------------------------------------------------------------------------------------


def _polynomial(name, function, what, second, at_2, shifted=False):
    """A family of polynomials, in which ``second`` is the one of degree 2 and ``at_2`` its value at 2; of 2x - 1 if ``shifted``."""

    def forward(x, y):
        kind = x.dtype.kind
        if kind == "c" or (kind in "fV" and x.itemsize == 2):
            raise refused(f"{name}_cpu", x)
        with np.errstate(all="ignore"):
            laid = np.add(x, y)  # in the operands' order in memory, which the result is to have
            x, y = np.broadcast_arrays(x, y)
            z = function(np.atleast_1d(x + x - 1 if shifted else x), np.atleast_1d(y))
        if z.ndim < 2:
            return z.reshape(x.shape)
        laid[...] = z
        return laid

    body = {
        "__doc__": f"{what} of degree n at x, such as {second} for degree 2.  Not differentiable.{example(name, '2.', at_2, ', 2')}", "__module__": __name__,
        "public": name, "forward": forward, "names": {"x": "x", "y": "n"}, "floats": True, "tensors_first": 0,
    }
    return untracked_of_two(type("".join(part.capitalize() for part in name.split("_")), (Compare,), body))


_of = orthogonal_polynomials
chebyshev_polynomial_t = _polynomial("chebyshev_polynomial_t", _of.chebyshev_t, "The Chebyshev polynomial of the first kind", "2x² - 1", "7.")
chebyshev_polynomial_u = _polynomial("chebyshev_polynomial_u", _of.chebyshev_u, "The Chebyshev polynomial of the second kind", "4x² - 1", "15.")
chebyshev_polynomial_v = _polynomial("chebyshev_polynomial_v", _of.chebyshev_v, "The Chebyshev polynomial of the third kind", "4x² - 2x - 1", "11.")
chebyshev_polynomial_w = _polynomial("chebyshev_polynomial_w", _of.chebyshev_w, "The Chebyshev polynomial of the fourth kind", "4x² + 2x - 1", "19.")
shifted_chebyshev_polynomial_t = _polynomial(
    "shifted_chebyshev_polynomial_t", _of.chebyshev_t, "The shifted Chebyshev polynomial of the first kind", "2(2x - 1)² - 1", "17.", True
)
shifted_chebyshev_polynomial_u = _polynomial(
    "shifted_chebyshev_polynomial_u", _of.chebyshev_u, "The shifted Chebyshev polynomial of the second kind", "4(2x - 1)² - 1", "35.", True
)
shifted_chebyshev_polynomial_v = _polynomial(
    "shifted_chebyshev_polynomial_v", _of.chebyshev_v, "The shifted Chebyshev polynomial of the third kind", "4(2x - 1)² - 2(2x - 1) - 1", "29.", True
)
shifted_chebyshev_polynomial_w = _polynomial(
    "shifted_chebyshev_polynomial_w", _of.chebyshev_w, "The shifted Chebyshev polynomial of the fourth kind", "4(2x - 1)² + 2(2x - 1) - 1", "41.", True
)
hermite_polynomial_h = _polynomial("hermite_polynomial_h", _of.hermite_h, "The physicists' Hermite polynomial", "4x² - 2", "14.")
hermite_polynomial_he = _polynomial("hermite_polynomial_he", _of.hermite_he, "The probabilists' Hermite polynomial", "x² - 1", "3.")
laguerre_polynomial_l = _polynomial("laguerre_polynomial_l", _of.laguerre_l, "The Laguerre polynomial", "x²/2 - 2x + 1", "-1.")
legendre_polynomial_p = _polynomial("legendre_polynomial_p", _of.legendre_p, "The Legendre polynomial", "(3x² - 1) / 2", "5.5000")
