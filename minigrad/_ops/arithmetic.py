"""Sums, products, quotients, powers; what elementwise arithmetic is made of."""

import builtins
import warnings

import numpy as np

from .._core import arrays, dtypes, return_types
from .._core.errors import not_a_tensor, type_name
from .._core.families import Binary, Op, Pointwise, Unary, binary, number, op, plain, unary
from .._core.families.op import operand_types
from .._core.inplace import at_once, bump, elementwise_, fits, op_
from .._core.interpret import into, strength
from .._core.tensor import Tensor, c_name
from .convert import as_dtype, as_number

__all__ = (
    "abs abs_ absolute add addcdiv addcmul ceil ceil_ clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ copysign "
    "div divide fix fix_ float_power floor floor_ floor_divide fmax fmin fmod frac frac_ frexp heaviside hypot ldexp ldexp_ lerp "
    "maximum minimum mul multiply nan_to_num nan_to_num_ neg neg_ negative negative_ nextafter positive pow reciprocal "
    "reciprocal_ remainder round round_ rsqrt rsqrt_ rsub sgn sign sqrt sqrt_ square square_ sub subtract true_divide "
    "trunc trunc_ where"
).split()

_NUMBERS = (bool, int, float, complex, np.generic)


# Sums ------------------------------------------------------------------------------------------------------------------


def check_alpha(alpha, operands):
    """Raise RuntimeError if ``alpha``, the factor of the second operand, does not fit the result's dtype."""
    common = dtypes.result_dtype([strength(x) for x in operands])
    if isinstance(alpha, bool) and common.category != dtypes.BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and common.category < dtypes.FLOATING:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and common.category != dtypes.COMPLEX:
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")


class AddBackward0(Pointwise):
    """z = x + alpha y."""
    operands, tensors_first = "x y", 0
    def forward(x, y, alpha): return x + np.asarray(alpha).astype(x.dtype) * y
    def vjp_x(xp, g):         return g
    def vjp_y(xp, g, alpha):  return g * alpha
_add_scaled, _add_scaled_ = op(AddBackward0), elementwise_(AddBackward0)


class AddBackward0(Binary):
    """z = x + y."""
    tensors_first, _saved_alpha = 0, 1
    forward = np.add
    def vjp_x(xp, g): return g
    def vjp_y(xp, g): return g
_add, _add_ = binary(AddBackward0), elementwise_(AddBackward0)
__add__ = __radd__ = binary(AddBackward0, operator=True)


def add(input, other, *, alpha=1, out=None):
    """``input + alpha * other``, elementwise; the operands broadcast and promote.

    >>> import minigrad
    >>> minigrad.add(minigrad.tensor([1., 2.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([21., 42.])
    """
    if alpha.__class__ is int and alpha == 1:
        return _add(input, other, out)
    check_alpha(alpha, (input, other))
    if out is not None:
        return into(out, lambda: _add_scaled(input, other, alpha), "add", (input, other))
    return _add_scaled(input, other, alpha)


def _add_at_once(input, other, alpha):
    """``input += alpha * other`` where nothing is to be recorded or converted: the step of many optimizers; whether it was done."""
    if not (at_once(input) and at_once(other)):
        return False
    x, y = input._array, other._array
    factor = number(alpha, x.dtype)
    if factor is None or x.dtype is not y.dtype or x.shape != y.shape:
        return False
    np.add(x, y * factor._array, x)
    bump(input)
    return True


def add_(input, other, *, alpha=1):
    """``input += alpha * other``."""
    if alpha.__class__ is int and alpha == 1:
        return _add_(input, other)
    if _add_at_once(input, other, alpha):
        return input
    check_alpha(alpha, (input, other))
    return _add_scaled_(input, other, alpha)


def _no_bools(x, y):
    kinds = [strength(v)[0].category == dtypes.BOOL for v in (x, y)]
    if all(kinds):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    if any(kinds):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )


def _refuse_bools(error, xs, params):
    if len(xs) == 2 and xs[0].dtype == xs[1].dtype == np.bool_:
        _no_bools(True, True)


class SubBackward0(Pointwise):
    """z = x - alpha y."""
    operands, tensors_first = "x y", 0
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return x - np.asarray(alpha).astype(x.dtype) * y
    def vjp_x(xp, g):         return g
    def vjp_y(xp, g, alpha):  return g * -alpha
_sub_scaled, _sub_scaled_ = op(SubBackward0), elementwise_(SubBackward0)


class SubBackward0(Binary):
    """z = x - y."""
    tensors_first, _saved_alpha = 0, 1
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    forward = np.subtract
    def vjp_x(xp, g): return g
    def vjp_y(xp, g): return -g
_sub, _sub_ = binary(SubBackward0), elementwise_(SubBackward0)
__sub__ = binary(SubBackward0, operator=True)


def sub(input, other, *, alpha=1, out=None):
    """``input - alpha * other``, elementwise; the operands broadcast and promote; not for bool.

    >>> import minigrad
    >>> minigrad.sub(minigrad.tensor([21., 42.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([1., 2.])
    """
    if alpha.__class__ is int and alpha == 1:
        return _sub(input, other, out)
    check_alpha(alpha, (input, other))
    if out is not None:
        return into(out, lambda: _sub_scaled(input, other, alpha), "sub", (input, other))
    return _sub_scaled(input, other, alpha)


def sub_(input, other, *, alpha=1):
    """``input -= alpha * other``."""
    if alpha.__class__ is int and alpha == 1:
        return _sub_(input, other)
    if alpha.__class__ is float and _add_at_once(input, other, -alpha):
        return input
    check_alpha(alpha, (input, other))
    return _sub_scaled_(input, other, alpha)


subtract, subtract_ = sub, sub_


class RsubBackward0(Pointwise):
    """z = y - alpha x, for a tensor y."""
    operands = "x y"
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
    def vjp_y(xp, g):         return g
_rsub_tensors = op(RsubBackward0)


class RsubBackward1(Pointwise):
    """z = y - alpha x, for a number y."""
    operands = "x y"
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
_rsub_number = op(RsubBackward1)


class RsubBackward1(Binary):
    """z = y - x, for a number y."""
    _saved_alpha = 1
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y): return np.subtract(y, x)
    def vjp_x(xp, g):  return -g
_rsub_operator, _rsub = binary(RsubBackward1, operator=True), binary(RsubBackward1)


def __rsub__(input, other):
    """``other - input``."""
    return _rsub_tensors(input, other, 1) if isinstance(other, Tensor) else _rsub_operator(input, other)


def rsub(input, other, *, alpha=1):
    """``other - alpha * input``, elementwise.

    >>> import minigrad
    >>> minigrad.rsub(minigrad.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
    check_alpha(alpha, (input, other))
    if isinstance(other, Tensor):
        return _rsub_tensors(input, other, alpha)
    return _rsub(input, other) if alpha == 1 else _rsub_number(input, other, alpha)


def _no_bool_negation(error, xs, params):
    if xs[0].dtype == np.bool_:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        ) from None


class NegBackward0(Unary):
    """z = -x."""
    floats, refuse = False, staticmethod(_no_bool_negation)
    forward = np.negative
    def vjp(xp, g): return -g
neg, neg_ = unary(NegBackward0), elementwise_(NegBackward0)
negative, negative_ = neg, neg_


def positive(input):
    """``input`` itself; raises RuntimeError for bool.

    >>> import minigrad
    >>> minigrad.positive(minigrad.tensor([1., 2.]))
    tensor([1., 2.])
    """
    if input._array.dtype == np.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


# Products and quotients --------------------------------------------------------------------------------------------------


class MulBackward0(Binary):
    """z = x y."""
    tensors_first = 0
    forward = np.multiply
    def vjp_x(xp, g, y): return g * y
    def vjp_y(xp, g, x): return g * x
mul, mul_ = binary(MulBackward0), elementwise_(MulBackward0)
multiply, multiply_ = mul, mul_
__mul__ = __rmul__ = binary(MulBackward0, operator=True)


class DivBackward0(Binary):
    """z = x / y; integers divide as the default dtype."""
    floats, tensors_first = True, 0
    forward = np.true_divide
    def vjp_x(xp, g, y):    return g / y
    def vjp_y(xp, g, x, y): return -g * ((x / y) / y)
_div, _div_ = binary(DivBackward0), elementwise_(DivBackward0)
__truediv__ = __div__ = binary(DivBackward0, operator=True)


class ReciprocalBackward0(Unary):
    """z = 1 / x;   dz/dx = -z²."""
    def forward(x): return np.reciprocal(x) if x.dtype.kind in "fcV" else np.true_divide(1, x)
    def vjp(xp, g, z): return -g * (z * z)
reciprocal, reciprocal_ = unary(ReciprocalBackward0), elementwise_(ReciprocalBackward0)


def __rtruediv__(input, other):
    """``other / input``."""
    return __mul__(reciprocal(input), other)


# Powers ------------------------------------------------------------------------------------------------------------------


class PowBackward0(Unary):
    """z = xⁿ for a number n;   dz/dx = n xⁿ⁻¹, and 0 where n is 0."""
    floats = False
    def forward(x, exponent): return arrays.power(x, exponent)
    def vjp(xp, g, x, exponent):
        if exponent == 0: return xp.zeros_like(g)
        if exponent == 2: return g * (2 * x)
        return g * (exponent * xp.power(x, exponent - 1))
_pow_number, _pow_number_ = op(PowBackward0), op_(PowBackward0)


class PowBackward1(Binary):
    """z = xʸ;   dz/dx = y xʸ⁻¹ (0 where y = 0),   dz/dy = z log x (0 where x = 0 and y ≥ 0)."""
    names = {"x": "self", "y": "exponent", "z": "result"}
    def forward(x, y):         return arrays.power_of(x, y)
    def vjp_x(xp, g, x, y):    return xp.where(y == 0, 0, g * (y * x ** (y - 1)))
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow, _pow_ = binary(PowBackward1), elementwise_(PowBackward1)


class PowBackward2(Binary):
    """z = xʸ for a number x."""
    names, tensors_first = {"x": "self", "y": "exponent", "z": "result"}, 0
    def forward(x, y):         return arrays.power_of(x, y)
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow_of_number = binary(PowBackward2)


def as_common(input, *numbers):
    """``input`` as the dtype that it has together with Python numbers; a recorded conversion if that is another."""
    return as_dtype(input, dtypes.result_dtype([strength(x) for x in (input, *numbers)]))


def pow(input, exponent, *, out=None):
    """``input ** exponent``, elementwise; either may be a number.

    Raises RuntimeError for an integer tensor to a negative integer.

    >>> import minigrad
    >>> minigrad.pow(minigrad.tensor([1., 2., 3.]), 2)
    tensor([1., 4., 9.])
    """
    if out is not None:
        return into(out, lambda: pow(input, exponent), "pow", (input, exponent))
    if input.__class__ in plain:
        cls = exponent.__class__
        if (cls is int or cls is float) and input._array.dtype.kind == "f":
            return _pow_number(input, exponent)
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            if input.dtype is dtypes.bool_ and exponent.dtype is dtypes.bool_:
                raise NotImplementedError("\"pow\" not implemented for 'Bool'")
            return _pow(input, exponent)
        if isinstance(input, _NUMBERS):
            return _pow_of_number(input, exponent)
    if not isinstance(input, Tensor):
        raise TypeError(_POW.format(type_name(input), type_name(exponent)))
    if not isinstance(exponent, _NUMBERS):
        raise TypeError(_POW.format("Tensor", type_name(exponent)))
    if isinstance(exponent, np.generic):
        exponent = exponent.item()
    input = as_common(input, exponent)
    if exponent.__class__ is int and exponent < 0 and input._array.dtype.kind in "iu":
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return _pow_number(input, exponent)


_POW = (
    "pow() received an invalid combination of arguments - got ({}, {}), but expected one of:\n"
    " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
    " * (Number self, Tensor exponent, *, Tensor out = None)\n"
    " * (Tensor input, Number exponent, *, Tensor out = None)"
)


def pow_(input, exponent):
    """``input **= exponent``."""
    if isinstance(exponent, Tensor):
        return _pow_(input, exponent)
    fits(PowBackward0, input, dtypes.result_dtype([strength(input), strength(exponent)]), input._array.shape)
    if exponent.__class__ is int and exponent < 0 and input._array.dtype.kind in "iu":
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return _pow_number_(input, exponent)


def __pow__(input, exponent, modulo=None):
    """``input ** exponent``."""
    return pow(input, exponent) if isinstance(exponent, operand_types) else NotImplemented


def __rpow__(input, other):
    """``other ** input``."""
    return pow(other, input) if isinstance(other, operand_types) else NotImplemented


def __ipow__(input, other):
    """``input **= other``."""
    return pow_(input, other) if isinstance(other, operand_types) else NotImplemented


def float_power(input, exponent, *, out=None):
    """``input ** exponent`` computed in float64 (complex128 for complex operands).

    >>> import minigrad
    >>> minigrad.float_power(minigrad.tensor([1, 2, 3]), 2)
    tensor([1., 4., 9.], dtype=torch.float64)
    """
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise TypeError(_POW.replace("pow()", "float_power()").format(type_name(input), type_name(exponent)))
    wide = _wide((input, exponent))
    if out is not None:
        if isinstance(out, Tensor) and out.dtype is not wide:
            raise RuntimeError(
                f"the output given to float_power has dtype {dtypes.scalar_type_name(out.dtype)} but the operation's "
                f"result requires dtype {dtypes.scalar_type_name(wide)}"
            )
        return into(out, lambda: float_power(input, exponent), "float_power", (input, exponent))
    kind = complex if wide is dtypes.complex128 else float
    return pow(*(as_dtype(x, wide) if isinstance(x, Tensor) else kind(x) for x in (input, exponent)))


def _wide(operands):
    is_complex = any(strength(x)[0].category == dtypes.COMPLEX for x in operands)
    return dtypes.complex128 if is_complex else dtypes.float64


def float_power_(input, exponent):
    """``input **= exponent``, for float64 and complex128."""
    wide = _wide((input, exponent))
    if input.dtype is not wide:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {dtypes.scalar_type_name(input.dtype)} but the operation's result "
            f"requires dtype {dtypes.scalar_type_name(wide)}"
        )
    return pow_(input, as_dtype(exponent, wide) if isinstance(exponent, Tensor) else exponent)


def square(input, *, out=None):
    """``input ** 2``."""
    return pow(input, 2, out=out)


def square_(input):
    """``input **= 2``."""
    return pow_(input, 2)


class SqrtBackward0(Unary):
    """z = √x;   dz/dx = 1 / 2z."""
    forward = np.sqrt
    def vjp(xp, g, z): return g / (2 * z)
sqrt, sqrt_ = unary(SqrtBackward0), elementwise_(SqrtBackward0)


class RsqrtBackward0(Unary):
    """z = 1 / √x;   dz/dx = -z³ / 2."""
    def forward(x): return arrays.rsqrt(x)
    def vjp(xp, g, z): return g * (-0.5 * xp.power(z, 3))
rsqrt, rsqrt_ = unary(RsqrtBackward0), elementwise_(RsqrtBackward0)


# Sign and rounding -------------------------------------------------------------------------------------------------------


class AbsBackward0(Unary):
    """z = |x|;   dz/dx = sgn x, 0 at 0."""
    floats, conjugates = False, False
    def forward(x):
        if x.dtype == np.bool_: raise TypeError("ufunc: no abs of bool")
        return np.absolute(x)
    def vjp(xp, g, x): return g * xp.sign(x)
abs, _abs_ = unary(AbsBackward0), elementwise_(AbsBackward0)


def abs_(input):
    """As ``abs``, written into the tensor itself; not for complex."""
    if input._array.dtype.kind == "c":
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    return _abs_(input)


absolute, absolute_ = abs, abs_


class SignBackward0(Unary):
    """z = -1, 0 or 1: the sign of x, 0 for nan; no gradient comes through."""
    floats = False
    def forward(x):
        if x.dtype.kind == "c": raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
        return arrays.sign(x)
    def vjp(xp, g): return xp.zeros_like(g)
sign, sign_ = unary(SignBackward0), elementwise_(SignBackward0)


class SgnBackward0(Unary):
    """z = x / |x|, 0 at 0.  For complex x the part of g along z does not change z: (g - Re(g z̄) z) / |x|."""
    floats, conjugates = False, False
    def forward(x): return arrays.sign(x)
    def vjp(xp, g, x, z):
        if not xp.iscomplex(x): return xp.zeros_like(g)
        zero = x == 0
        size = xp.abs(xp.where(zero, 1, x))  # no division by 0, whose derivatives would be nan in spite of the mask
        return xp.where(zero, 0, (g - xp.real(g * xp.conj(z)) * z) / size)
sgn, sgn_ = unary(SgnBackward0), elementwise_(SgnBackward0)


class CeilBackward0(Unary):
    """z = the least integer not below x."""
    floats = False
    def forward(x): return arrays.rounded(np.ceil, x)
    def vjp(xp, g): return xp.zeros_like(g)
class FloorBackward0(Unary):
    """z = the greatest integer not above x."""
    floats = False
    def forward(x): return arrays.rounded(np.floor, x)
    def vjp(xp, g): return xp.zeros_like(g)
class TruncBackward0(Unary):
    """z = x without its fraction."""
    floats = False
    def forward(x): return arrays.rounded(np.trunc, x)
    def vjp(xp, g): return xp.zeros_like(g)
class RoundBackward0(Unary):
    """z = the nearest integer, the even one of two."""
    floats = False
    def forward(x): return arrays.rounded(np.rint, x)
    def vjp(xp, g): return xp.zeros_like(g)
class FracBackward0(Unary):
    """z = x - trunc x, with x's sign."""
    floats = False
    def forward(x):
        if x.dtype.kind not in "fV": raise TypeError("ufunc: fractions of floating numbers only")
        return x - np.trunc(x)
    def vjp(xp, g): return g
ceil, ceil_ = unary(CeilBackward0), elementwise_(CeilBackward0)
floor, floor_ = unary(FloorBackward0), elementwise_(FloorBackward0)
trunc, trunc_ = unary(TruncBackward0), elementwise_(TruncBackward0)
fix, fix_ = trunc, trunc_
_round, _round_ = unary(RoundBackward0), elementwise_(RoundBackward0)
frac, frac_ = unary(FracBackward0), elementwise_(FracBackward0)


class RoundBackward1(Unary):
    """z = x rounded to a number of decimals; negative: to tens, hundreds, ..."""
    floats = False
    def forward(x, decimals): return arrays.round_to(x, decimals)
    def vjp(xp, g): return xp.zeros_like(g)
_round_to, _round_to_ = op(RoundBackward1), elementwise_(RoundBackward1)


def round(input, *, decimals=0, out=None):
    """The nearest integer, or number of so many ``decimals``; of two the even one.

    >>> import minigrad
    >>> minigrad.round(minigrad.tensor([0.5, 1.5, -2.7]))
    tensor([0., 2., -3.])
    """
    if decimals == 0:
        return _round(input, out)
    if out is not None:
        return into(out, lambda: _round_to(input, decimals), "round", (input,))
    return _round_to(input, decimals)


def round_(input, *, decimals=0):
    """As ``round``, written into the tensor itself."""
    return _round_(input) if decimals == 0 else _round_to_(input, decimals)


# Division with rounding, remainders ----------------------------------------------------------------------------------------


class DivBackward2(Pointwise):
    """z = x / y rounded down ("floor") or towards zero ("trunc"); no gradient comes through."""
    operands, tensors_first, public = "x y", 0, "div"
    def forward(x, y, rounding_mode):  return (arrays.floor_divide if rounding_mode == "floor" else arrays.trunc_divide)(x, y)
    def vjp_x(xp, g, x, rounding_mode): return xp.zeros_like(g)
    def vjp_y(xp, g, y, rounding_mode): return xp.zeros_like(g)
_div_rounded, _div_rounded_ = op(DivBackward2), elementwise_(DivBackward2)


def _check_mode(rounding_mode):
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )


def div(input, other, *, rounding_mode=None, out=None):
    """``input / other``, elementwise; integers divide as floating numbers unless ``rounding_mode`` is "trunc" or "floor".

    >>> import minigrad
    >>> minigrad.div(minigrad.tensor([7, -7]), 2)
    tensor([ 3.5000, -3.5000])
    >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
    if rounding_mode is None:
        return _div(input, other, out)
    _check_mode(rounding_mode)
    if out is not None:
        return into(out, lambda: _div_rounded(input, other, rounding_mode), "div", (input, other))
    return _div_rounded(input, other, rounding_mode)


def div_(input, other, *, rounding_mode=None):
    """``input /= other``."""
    if rounding_mode is None:
        return _div_(input, other)
    _check_mode(rounding_mode)
    return _div_rounded_(input, other, rounding_mode)


divide, divide_ = div, div_


def true_divide(input, other, *, out=None):
    """``input / other``, elementwise; integers divide as floating numbers."""
    return _div(input, other, out)


def true_divide_(input, other):
    """``input /= other``."""
    return _div_(input, other)


def undifferentiable(cls):
    """Give an op the node that PyTorch records for an op without derivative: backward raises RuntimeError."""
    name = cls.public

    def refused(xp, g):
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    body = {"forward": cls.forward, "prefix": "torch::autograd::", "public": name, "__doc__": cls.__doc__}
    for operand in cls.operands.split() if " " in cls.operands else ():
        body["vjp_" + operand] = refused
    body.update(operands=cls.operands, tensors_first=cls.tensors_first, __module__=cls.__module__, __slots__=())
    return type("NotImplemented", (cls,), body)


@undifferentiable
class FloorDivide(Binary):
    """z = x / y rounded down."""
    tensors_first, public = 0, "floor_divide"
    def forward(x, y): return arrays.floor_divide(x, y)
floor_divide, floor_divide_ = binary(FloorDivide), elementwise_(FloorDivide)
__floordiv__ = binary(FloorDivide, operator=True)


class RemainderBackward0(Binary):
    """z = x - floor(x / y) y, with y's sign, for a number y."""
    names = {"x": "self", "z": "result"}
    def forward(x, y): return arrays.remainder(x, y)
    def vjp_x(xp, g):  return g
_remainder_number = binary(RemainderBackward0)


class RemainderBackward1(Binary):
    """z = x - floor(x / y) y, with y's sign."""
    def forward(x, y):      return arrays.remainder(x, y)
    def vjp_x(xp, g):       return g
    def vjp_y(xp, g, x, y): return -g * xp.floor_divide(x, y)
_remainder, remainder_ = binary(RemainderBackward1), elementwise_(RemainderBackward1)


@undifferentiable
class RemainderOfNumber(Binary):
    """z = x - floor(x / y) y for a number x."""
    tensors_first, public = 0, "remainder"
    def forward(x, y): return arrays.remainder(x, y)
_remainder_of_number = binary(RemainderOfNumber)


def remainder(input, other, *, out=None):
    """``input - floor(input / other) * other``, elementwise, with the sign of ``other``; Python's ``%``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.remainder(minigrad.tensor([-3., 3.]), 2)
    tensor([1., 1.])
    """
    if isinstance(other, Tensor):
        return (_remainder if isinstance(input, Tensor) else _remainder_of_number)(input, other, out)
    return _remainder_number(input, other, out)


def __mod__(input, other):
    """``input % other``."""
    return remainder(input, other) if isinstance(other, operand_types) else NotImplemented


def __rmod__(input, other):
    """``other % input``."""
    return remainder(other, input) if isinstance(other, operand_types) else NotImplemented


def __rfloordiv__(input, other):
    """``other // input``."""
    return floor_divide(other, input) if isinstance(other, operand_types) else NotImplemented


class FmodBackward0(Binary):
    """z = x - trunc(x / y) y, with x's sign, for a number y."""
    names = {"x": "self", "z": "result"}
    def forward(x, y): return arrays.fmod(x, y)
    def vjp_x(xp, g):  return g
_fmod_number = binary(FmodBackward0)


class FmodBackward1(Binary):
    """z = x - trunc(x / y) y, with x's sign."""
    def forward(x, y):      return arrays.fmod(x, y)
    def vjp_x(xp, g):       return g
    def vjp_y(xp, g, x, y): return -g * xp.trunc_divide(x, y)
_fmod, fmod_ = binary(FmodBackward1), elementwise_(FmodBackward1)


def fmod(input, other, *, out=None):
    """``input - trunc(input / other) * other``, elementwise, with the sign of ``input``; C's ``fmod``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.fmod(minigrad.tensor([-3., 3.]), 2)
    tensor([-1.,  1.])
    """
    return (_fmod if isinstance(other, Tensor) else _fmod_number)(input, other, out)


# Choosing: where, clamp, maximum -------------------------------------------------------------------------------------------


class WhereBackward0(Pointwise):
    """z = x where c holds, else y."""
    operands, names, conditions, tensors_first = "c x y", {"c": "condition", "x": "self", "y": "other", "z": "result"}, 1, 0
    def forward(c, x, y): return arrays.where(c, x, y)
    def vjp_x(xp, g, c): return xp.keep(g, c)
    def vjp_y(xp, g, c): return xp.keep(g, xp.logical_not(c))
_where = op(WhereBackward0)


def as_condition(condition, name="where"):
    """``condition`` if it is a bool tensor; a uint8 one as bool, with a warning; raises RuntimeError for others."""
    if condition.dtype is dtypes.bool_:
        return condition
    if condition.dtype is not dtypes.uint8:
        raise RuntimeError(
            f"{name} expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtypes.scalar_type_name(condition.dtype)}"
        )
    warnings.warn(
        f"{name} received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version "
        "of PyTorch. Use a boolean condition instead.",
        stacklevel=3,
    )
    return as_dtype(condition, dtypes.bool_)


def where(condition, input=None, other=None, *, out=None):
    """``input`` where ``condition`` holds, else ``other``, elementwise; all three broadcast, ``input`` and ``other`` may be numbers.

    With the condition alone: the indices where it holds, as ``nonzero(as_tuple=True)``.

    >>> import minigrad
    >>> x = minigrad.tensor([-1., 2.])
    >>> minigrad.where(x > 0, x, 0.)
    tensor([0., 2.])
    """
    if not isinstance(condition, Tensor):
        raise not_a_tensor("where", "condition", 1, condition)
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if input is None or other is None:
        raise TypeError(
            "where() received an invalid combination of arguments - expected (Tensor condition, Tensor input, Tensor other)"
        )
    condition = as_condition(condition)
    if out is not None:
        return into(out, lambda: _where(condition, input, other), "where", (input, other))
    return _where(condition, input, other)


def where_method(input, condition, other):
    """The tensor where ``condition`` holds, else ``other``."""
    return where(condition, input, other)


class ClampBackward0(Pointwise):
    """z = min(max(x, lo), hi) for tensors lo, hi, either of which may be None; hi wins where lo > hi; nan stays nan."""
    operands, names, optional_from = "x lo hi", {"x": "self", "lo": "min", "hi": "max", "z": "result"}, 1
    ordered, public = True, "clamp"
    def forward(x, lo, hi): return arrays.clamp(x, lo, hi)
    def vjp_x(xp, g, x, lo, hi):
        if lo is None: return xp.keep(g, x <= hi)
        return xp.keep(g, x >= lo if hi is None else (x >= lo) & (x <= hi))
    def vjp_lo(xp, g, x, lo, hi):
        if lo is not None: return xp.keep(g, x < lo if hi is None else (x < lo) & (lo < hi))
    def vjp_hi(xp, g, x, lo, hi):
        if hi is not None: return xp.keep(g, x > hi if lo is None else (x > hi) | (lo > hi))
_clamp_tensors, _clamp_tensors_ = op(ClampBackward0), elementwise_(ClampBackward0)


class ClampBackward1(Unary):
    """z = min(max(x, lo), hi) for numbers lo, hi, either of which may be None; the gradient passes at both ends."""
    floats, public = False, "clamp"
    names = {"x": "self", "lo": "min", "hi": "max"}
    def forward(x, lo, hi): return arrays.clamp(x, lo, hi)
    def vjp(xp, g, x, lo, hi):
        if lo is None: return xp.keep(g, x <= hi)
        return xp.keep(g, x >= lo if hi is None else (x >= lo) & (x <= hi))
_clamp, _clamp_ = op(ClampBackward1), op_(ClampBackward1)


def clamp(input, min=None, max=None, *, out=None):
    """``input`` limited to [min, max], each a number, a tensor or None; ``max`` wins where the limits cross; nan stays nan.

    Raises RuntimeError if both are None.

    >>> import minigrad
    >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if out is not None:
        return into(out, lambda: clamp(input, min, max), "clamp", (input, min, max))
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _clamp_tensors(input, *_limits(min, max))
    return _clamp(_clampable(input, min, max), min, max)


def _limits(min, max):
    for limit in (min, max):
        if limit is not None and not isinstance(limit, Tensor):
            raise TypeError("clamp() received an invalid combination of arguments: 'min' and 'max' must both be Tensors or numbers")
    return min, max


def _clampable(input, *limits):
    if not isinstance(input, Tensor):
        raise not_a_tensor("clamp", "input", 1, input)
    limits = [limit for limit in limits if limit is not None]
    for limit in limits:
        if not isinstance(limit, _NUMBERS):
            raise TypeError(f"clamp(): argument 'min' must be Number, not {type_name(limit)}")
    if input._array.dtype.kind == "f" and not any(isinstance(limit, complex) for limit in limits):
        return input
    input = as_common(input, *limits)
    if input._array.dtype.kind in "iu":
        for limit in limits:
            as_number(limit, input._array.dtype)
    if input._array.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    return input


def clamp_(input, min=None, max=None):
    """As ``clamp``, written into the tensor itself."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _clamp_tensors_(input, *_limits(min, max))
    fits(ClampBackward1, input, _clampable(input, min, max).dtype, input._array.shape)
    return _clamp_(input, min, max)


clip, clip_ = clamp, clamp_


class ClampMinBackward0(Unary):
    """z = max(x, lo) for a number lo; the gradient passes where x >= lo."""
    floats, names = False, {"x": "self", "lo": "min"}
    def forward(x, lo):    return arrays.clamp(x, lo, None)
    def vjp(xp, g, x, lo): return xp.keep(g, x >= lo)
class ClampMaxBackward0(Unary):
    """z = min(x, hi) for a number hi; the gradient passes where x <= hi."""
    floats, names = False, {"x": "self", "hi": "max"}
    def forward(x, hi):    return arrays.clamp(x, None, hi)
    def vjp(xp, g, x, hi): return xp.keep(g, x <= hi)
class ClampMinBackward1(Binary):
    """z = max(x, lo) for a tensor lo; where they are equal the gradient goes to x."""
    names, ordered = {"x": "self", "y": "min", "z": "result"}, True
    forward = np.maximum
    def vjp_x(xp, g, x, y): return xp.keep(g, x >= y)
    def vjp_y(xp, g, x, y): return xp.keep(g, x < y)
class ClampMaxBackward1(Binary):
    """z = min(x, hi) for a tensor hi; where they are equal the gradient goes to x."""
    names, ordered = {"x": "self", "y": "max", "z": "result"}, True
    forward = np.minimum
    def vjp_x(xp, g, x, y): return xp.keep(g, x <= y)
    def vjp_y(xp, g, x, y): return xp.keep(g, x > y)
_clamp_min, _clamp_min_ = op(ClampMinBackward0), op_(ClampMinBackward0)
_clamp_max, _clamp_max_ = op(ClampMaxBackward0), op_(ClampMaxBackward0)
_clamp_min_tensor, _clamp_min_tensor_ = binary(ClampMinBackward1), elementwise_(ClampMinBackward1)
_clamp_max_tensor, _clamp_max_tensor_ = binary(ClampMaxBackward1), elementwise_(ClampMaxBackward1)


def clamp_min(input, min, *, out=None):
    """``input``, but no less than ``min``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_min(minigrad.tensor([-1., 2.]), 0)
    tensor([0., 2.])
    """
    if isinstance(min, Tensor):
        return _clamp_min_tensor(input, min, out)
    if out is not None:
        return into(out, lambda: clamp_min(input, min), "clamp_min", (input,))
    return _clamp_min(_clampable(input, min), min)


def clamp_max(input, max, *, out=None):
    """``input``, but no more than ``max``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_max(minigrad.tensor([-1., 2.]), 0)
    tensor([-1.,  0.])
    """
    if isinstance(max, Tensor):
        return _clamp_max_tensor(input, max, out)
    if out is not None:
        return into(out, lambda: clamp_max(input, max), "clamp_max", (input,))
    return _clamp_max(_clampable(input, max), max)


def clamp_min_(input, min):
    """As ``clamp_min``, written into the tensor itself."""
    if isinstance(min, Tensor):
        return _clamp_min_tensor_(input, min)
    fits(ClampMinBackward0, input, _clampable(input, min).dtype, input._array.shape)
    return _clamp_min_(input, min)


def clamp_max_(input, max):
    """As ``clamp_max``, written into the tensor itself."""
    if isinstance(max, Tensor):
        return _clamp_max_tensor_(input, max)
    fits(ClampMaxBackward0, input, _clampable(input, max).dtype, input._array.shape)
    return _clamp_max_(input, max)


def _check_ordered(name):
    def check(x, y):
        if any(isinstance(v, Tensor) and v._array.dtype.kind == "c" for v in (x, y)):
            raise RuntimeError(f"{name} not implemented for complex tensors.")

    return staticmethod(check)


class MaximumBackward0(Binary):
    """z = the greater of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole."""
    tensors_first, ordered = 2, True
    forward, check = np.maximum, _check_ordered("maximum")
    def vjp_x(xp, g, x, y): return xp.keep(xp.where(x == y, g / 2, g), xp.logical_not(x < y))
    def vjp_y(xp, g, x, y): return xp.keep(xp.where(x == y, g / 2, g), xp.logical_not(x > y))
class MinimumBackward0(Binary):
    """z = the less of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole."""
    tensors_first, ordered = 2, True
    forward, check = np.minimum, _check_ordered("minimum")
    def vjp_x(xp, g, x, y): return xp.keep(xp.where(x == y, g / 2, g), xp.logical_not(x > y))
    def vjp_y(xp, g, x, y): return xp.keep(xp.where(x == y, g / 2, g), xp.logical_not(x < y))
class FmaxBackward0(Binary):
    """z = the greater of x and y, or the one that is no nan; of equal ones x takes the gradient."""
    tensors_first, ordered = 2, True
    forward, check = np.fmax, _check_ordered("fmax")
    def vjp_x(xp, g, x, y): return xp.keep(g, (x >= y) | xp.isnan(y))
    def vjp_y(xp, g, x, y): return xp.keep(g, xp.logical_not((x >= y) | xp.isnan(y)))
class FminBackward0(Binary):
    """z = the less of x and y, or the one that is no nan; of equal ones x takes the gradient."""
    tensors_first, ordered = 2, True
    forward, check = np.fmin, _check_ordered("fmin")
    def vjp_x(xp, g, x, y): return xp.keep(g, (x <= y) | xp.isnan(y))
    def vjp_y(xp, g, x, y): return xp.keep(g, xp.logical_not((x <= y) | xp.isnan(y)))
maximum, minimum = binary(MaximumBackward0), binary(MinimumBackward0)
fmax, fmin = binary(FmaxBackward0), binary(FminBackward0)


# Mixtures --------------------------------------------------------------------------------------------------------------------


class LerpBackward0(Pointwise):
    """z = x + weight (y - x), for a number weight."""
    operands, names = "x y", {"x": "self", "y": "end", "z": "result"}
    def forward(x, y, weight):  return arrays.lerp(x, y, weight)
    def vjp_x(xp, g, weight):   return g * (1 - weight)
    def vjp_y(xp, g, weight):   return g * weight
class LerpBackward1(Pointwise):
    """z = x + w (y - x)."""
    operands, names, tensors_first = "x y w", {"x": "self", "y": "end", "w": "weight", "z": "result"}, 3
    def forward(x, y, w):       return arrays.lerp(x, y, w)
    def vjp_x(xp, g, w):        return g * (1 - w)
    def vjp_y(xp, g, w):        return g * w
    def vjp_w(xp, g, x, y):     return g * (y - x)
_lerp_number, _lerp_number_ = op(LerpBackward0), elementwise_(LerpBackward0)
_lerp, _lerp_ = op(LerpBackward1), elementwise_(LerpBackward1)


def _same_dtypes(input, end, weight):
    for name, place, x in (("input", 1, input), ("end", 2, end)):
        if not isinstance(x, Tensor):
            raise not_a_tensor("lerp", name, place, x)
    for name, x in (("end", end), ("weight", weight)):
        if isinstance(x, Tensor) and x.dtype is not input.dtype and (name == "end" or x._array.ndim or x.dtype.is_complex):
            raise RuntimeError(
                f"expected dtype {c_name(input.dtype)} for `{name}` but got dtype {c_name(x.dtype)}"
            )


def lerp(input, end, weight, *, out=None):
    """``input + weight * (end - input)``; ``weight`` is a number or a tensor.

    >>> import minigrad
    >>> minigrad.lerp(minigrad.tensor([0., 10.]), minigrad.tensor([10., 20.]), 0.3)
    tensor([ 3., 13.])
    """
    _same_dtypes(input, end, weight)
    if out is not None:
        return into(out, lambda: lerp(input, end, weight), "lerp", (input, end, weight))
    return (_lerp if isinstance(weight, Tensor) else _lerp_number)(input, end, weight)


def lerp_(input, end, weight):
    """As ``lerp``, written into the tensor itself."""
    _same_dtypes(input, end, weight)
    return (_lerp_ if isinstance(weight, Tensor) else _lerp_number_)(input, end, weight)


class AddcmulBackward0(Pointwise):
    """z = x + value y w."""
    operands, names, tensors_first = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, 3
    def forward(x, y, w, value):
        if x.dtype.kind == "b": raise TypeError("ufunc: no products of bool")
        return x + arrays.factor(value, x) * y * w
    def vjp_x(xp, g):             return g
    def vjp_y(xp, g, w, value):   return g * (w * value)
    def vjp_w(xp, g, y, value):   return g * (y * value)
class AddcdivBackward0(Pointwise):
    """z = x + value y / w."""
    operands, names, tensors_first = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, 3
    def forward(x, y, w, value):    return x + arrays.factor(value, x) * (y / w)
    def vjp_x(xp, g):               return g
    def vjp_y(xp, g, w, value):     return g * (value / w)
    def vjp_w(xp, g, y, w, value):  return -g * (value * (y / w) / w)
_addcmul, _addcmul_ = op(AddcmulBackward0), elementwise_(AddcmulBackward0)
_addcdiv, _addcdiv_ = op(AddcdivBackward0), elementwise_(AddcdivBackward0)


def addcmul(input, tensor1, tensor2, *, value=1, out=None):
    """``input + value * tensor1 * tensor2``, elementwise.

    >>> import minigrad
    >>> minigrad.addcmul(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
    if out is not None:
        return into(out, lambda: _addcmul(input, tensor1, tensor2, value), "addcmul", (input, tensor1, tensor2))
    return _addcmul(input, tensor1, tensor2, value)


def addcmul_(input, tensor1, tensor2, *, value=1):
    """``input += value * tensor1 * tensor2``."""
    return _addcmul_(input, tensor1, tensor2, value)


def _no_integer_quotients(*operands):
    if builtins.all(isinstance(x, Tensor) and x.dtype.category < dtypes.FLOATING for x in operands[1:]):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
            "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * "
            "tensor1 / tensor2), for all dtypes."
        )


def addcdiv(input, tensor1, tensor2, *, value=1, out=None):
    """``input + value * tensor1 / tensor2``, elementwise; tensor1 and tensor2 may not both be integers.

    >>> import minigrad
    >>> minigrad.addcdiv(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
    _no_integer_quotients(input, tensor1, tensor2)
    if out is not None:
        return into(out, lambda: _addcdiv(input, tensor1, tensor2, value), "addcdiv", (input, tensor1, tensor2))
    return _addcdiv(input, tensor1, tensor2, value)


def addcdiv_(input, tensor1, tensor2, *, value=1):
    """``input += value * tensor1 / tensor2``."""
    _no_integer_quotients(input, tensor1, tensor2)
    return _addcdiv_(input, tensor1, tensor2, value)


# Other functions of one or two numbers -------------------------------------------------------------------------------------


class NanToNumBackward0(Unary):
    """z = x with numbers for nan and the infinities; no gradient passes there."""
    floats = False
    def forward(x, nan, posinf, neginf): return arrays.nan_to_num(x, nan, posinf, neginf)
    def vjp(xp, g, x): return xp.keep(g, xp.isfinite(x))
_nan_to_num, _nan_to_num_ = op(NanToNumBackward0), elementwise_(NanToNumBackward0)


def nan_to_num(input, nan=None, posinf=None, neginf=None, *, out=None):
    """``input`` with ``nan`` (0) for nan, ``posinf`` and ``neginf`` (the greatest and least numbers) for the infinities.

    >>> import minigrad
    >>> minigrad.nan_to_num(minigrad.tensor([1., float("nan"), float("inf")]), posinf=9.)
    tensor([1., 0., 9.])
    """
    if out is not None:
        return into(out, lambda: _nan_to_num(input, nan, posinf, neginf), "nan_to_num", (input,))
    return _nan_to_num(input, nan, posinf, neginf)


def nan_to_num_(input, nan=None, posinf=None, neginf=None):
    """As ``nan_to_num``, written into the tensor itself."""
    return _nan_to_num_(input, nan, posinf, neginf)


class CopysignBackward0(Binary):
    """z = |x| with the sign of y; dz/dx = sgn z sgn x, 0 at 0."""
    floats, ordered = True, True
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
    def vjp_y(xp, g):       return xp.zeros_like(g)
class CopysignBackward1(Binary):
    """z = |x| with the sign of a number y; dz/dx = sgn z sgn x, 0 at 0."""
    floats, ordered, names = True, True, {"x": "self", "z": "result"}
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
_copysign, copysign_ = binary(CopysignBackward0), elementwise_(CopysignBackward0)
_copysign_number = binary(CopysignBackward1)


def copysign(input, other, *, out=None):
    """``|input|`` with the sign of ``other``, a tensor or a number; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), -0.)
    tensor([-1., -2.])
    """
    return (_copysign if isinstance(other, Tensor) else _copysign_number)(input, other, out)


class HypotBackward0(Binary):
    """z = √(x² + y²)."""
    tensors_first, ordered = 2, True
    def forward(x, y): return arrays.floating(np.hypot, x, y)
    def vjp_x(xp, g, x, z): return g * (x / z)
    def vjp_y(xp, g, y, z): return g * (y / z)
hypot, hypot_ = binary(HypotBackward0), elementwise_(HypotBackward0)


@undifferentiable
class Heaviside(Binary):
    """z = 0 where x < 0, 1 where x > 0, y where x = 0, 0 where x is nan."""
    tensors_first, public = 2, "heaviside"
    def forward(x, y): return arrays.heaviside(x, y)
_heaviside, _heaviside_ = binary(Heaviside), elementwise_(Heaviside)


def _one_dtype(input, values):
    if isinstance(input, Tensor) and isinstance(values, Tensor):
        if input.dtype.is_complex or values.dtype.is_complex:
            raise RuntimeError("heaviside is not yet implemented for complex tensors.")
        if input.dtype is not values.dtype:
            raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


def heaviside(input, values, *, out=None):
    """0 where ``input`` is negative, 1 where it is positive, ``values`` where it is zero; not differentiable.

    >>> import minigrad
    >>> minigrad.heaviside(minigrad.tensor([-1., 0., 2.]), minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    _one_dtype(input, values)
    return _heaviside(input, values, out)


def heaviside_(input, values):
    """As ``heaviside``, written into the tensor itself."""
    _one_dtype(input, values)
    return _heaviside_(input, values)


class LdexpBackward0(Binary):
    """z = x 2ʸ;   dz/dy = z log 2."""
    floats, tensors_first = True, 2
    def forward(x, y):   return x * np.exp2(y)
    def vjp_x(xp, g, y): return g * xp.exp2(y)
    def vjp_y(xp, g, z): return g * (z * LOG_2)
ldexp, ldexp_ = binary(LdexpBackward0), elementwise_(LdexpBackward0)
LOG_2 = float(np.log(2.0))


class NextafterBackward0(Binary):
    """z = the next number after x towards y."""
    tensors_first = 2
    def forward(x, y): return arrays.floating(np.nextafter, x, y)
    def vjp_x(xp, g, x, y): return xp.keep(g, x != y)
    def vjp_y(xp, g, y):    return xp.zeros_like(g)
nextafter, nextafter_ = binary(NextafterBackward0), elementwise_(NextafterBackward0)


class FrexpBackward0(Op):
    """x = mantissa 2 to the power of exponent, with |mantissa| in [0.5, 1)."""
    results, nondiff, public = "mantissa exponent", (1,), "frexp"
    def forward(x): return arrays.frexp(x)
    def vjp(xp, g, exponent): return xp.ldexp(g, -exponent)
_frexp = op(FrexpBackward0)


def frexp(input, *, out=None):
    """(mantissa, exponent) such that ``input == mantissa * 2 ** exponent`` and |mantissa| in [0.5, 1), for floating tensors.

    >>> import minigrad
    >>> minigrad.frexp(minigrad.tensor([8.])).exponent
    tensor([4], dtype=torch.int32)
    """
    if isinstance(input, Tensor) and input._array.dtype.kind not in "fV":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    results = _frexp(input)
    if out is not None:
        results = [into(place, lambda result=result: result, "frexp", (input,)) for place, result in zip(out, results)]
    return return_types.frexp(results)
