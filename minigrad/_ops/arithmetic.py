"""Sums, products, quotients, powers and what is made of them, element by element."""

import math

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base import dtypes, return_types
from .._base.composites import composite
from .._base.deprecation import warn_once
from .._base.dtypes import c_name, dtype_name
from .._base.errors import broadcast_shapes, not_a_tensor, type_name
from .._core.families import (
    Binary,
    General,
    Op,
    Pointwise,
    Unary,
    array_beside,
    binary,
    dispatch_operator,
    fast_classes,
    number,
    op,
    operand_types,
    unary,
)
from .._core.inplace import at_once, elementwise_, fits, may_write, op_
from .._core.interpret import in_dtype, number_array, promotion_rank
from .._core.node import as_pair
from .._core.out import check_operand_dtype, write_out, write_result
from .._core.tensor import Tensor, bump, wrap
from .batches import pointwise
from .convert import as_dtype, as_number

__all__ = [
    "add", "addcdiv", "addcmul", "copysign", "float_power", "frexp", "heaviside", "hypot", "ldexp",
    "ldexp_", "lerp", "mul", "multiply", "neg", "neg_", "negative", "negative_", "nextafter", "positive",
    "pow", "reciprocal", "reciprocal_", "rsqrt", "rsqrt_", "rsub", "sqrt", "sqrt_", "square", "square_",
    "sub", "subtract",
]
METHODS = (
    "add add_ addcdiv addcdiv_ addcmul addcmul_ copysign copysign_ float_power float_power_ frexp heaviside "
    "heaviside_ hypot hypot_ ldexp ldexp_ lerp lerp_ mul mul_ multiply multiply_ neg neg_ negative negative_ "
    "nextafter nextafter_ positive pow pow_ reciprocal reciprocal_ rsqrt rsqrt_ sqrt sqrt_ square square_ sub sub_ "
    "subtract subtract_ "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __pow__ __rpow__ __ipow__ "
    "__iadd__ __imul__ __isub__ __itruediv__ __idiv__ __neg__=neg __pos__=positive __rdiv__=__rtruediv__"
)

NUMBERS = (bool, int, float, complex, np.generic)


# What several ops share --------------------------------------------------------------------------------------------------


def as_common(input, *numbers):
    """``input`` as the dtype that it has together with Python numbers; a recorded conversion if that is another."""
    return as_dtype(input, dtypes.result_dtype([promotion_rank(x) for x in (input, *numbers)]))


def as_common_tensors(*operands):
    """Tensors and Python numbers as tensors of the dtype that they have together."""
    common = dtypes.result_dtype([promotion_rank(x) for x in operands])
    return [as_dtype(x, common) if isinstance(x, Tensor) else wrap(number_array(x, common, common.np)) for x in operands]


def undifferentiable(cls, called=None):
    """Give an op the node that PyTorch records for an op without derivative: backward raises RuntimeError.

    ``called`` is what the error calls it, if not ``aten::`` and its name.
    """
    name = cls.public
    called = called or f"aten::{name}"

    def refused(xp, g):
        raise RuntimeError(f"derivative for {called} is not implemented")

    def refused_forward(xp, t):
        raise NotImplementedError(f"Trying to use forward AD with {called} that does not support it.")

    body = {"forward": cls.forward, "prefix": "torch::autograd::", "public": name, "__doc__": cls.__doc__}
    body["next_functions"] = property(lambda node: tuple(as_pair(edge) for edge in node._next if edge is not None))
    operands = cls.operands.split()
    for operand in operands:
        ending = "" if len(operands) == 1 else "_" + operand
        body["vjp" + ending], body["jvp" + ending] = refused, refused_forward
    body.update(operands=cls.operands, tensors_first=cls.tensors_first, __module__=cls.__module__, __slots__=())
    return type("NotImplemented", (cls,), body)


def refuse_shapes(error, xs, params):
    """Raise PyTorch's error for operands that do not broadcast."""
    if isinstance(error, ValueError):
        broadcast_shapes([x.shape for x in xs])


def factor_first(name, factor, operands, old):
    """The factor and the operands of a call in the order of 2017, with the factor before what it multiplies.

    ``operands`` are the arguments after the input, ``old`` those beyond what today's signature takes. Raises TypeError if there
    is more than one, or the first of the operands is not a number.
    """
    given = (*operands, *old)
    value, operands = given[0], given[1:]
    number_first = isinstance(value, NUMBERS) or (isinstance(value, Tensor) and not value.ndim and not value.requires_grad)
    if len(old) > 1 or not number_first:
        count = len(given) + 1
        raise TypeError(f"{name}() takes {count - len(old)} positional arguments but {count} were given")
    names = ["other"] if len(operands) == 1 else ["tensor1", "tensor2"]
    tensors = ", ".join(f"Tensor {x}" for x in names)
    warn_once(
        "a factor before what it multiplies",
        f"This overload of {name} is deprecated:\n\t{name}(Tensor input, Number {factor}, {tensors}, *, Tensor out = None)\n"
        f"Consider using one of the following signatures instead:\n\t{name}(Tensor input, {tensors}, *, Number {factor} = 1, "
        "Tensor out = None)",
        UserWarning,
    )
    return value, operands


# Sums ------------------------------------------------------------------------------------------------------------------


def check_alpha(alpha, operands, name="add"):
    """``alpha``, the factor of the second operand, as a number; raises RuntimeError if it does not fit the result's dtype."""
    if isinstance(alpha, Tensor):
        if alpha.requires_grad:
            raise TypeError(f"{name}(): argument 'alpha' must be Number, not Tensor")
        alpha = alpha.item()
    common = dtypes.result_dtype([promotion_rank(x) for x in operands])
    if isinstance(alpha, bool) and common.category != dtypes.BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and common.category < dtypes.FLOATING:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and common.category != dtypes.COMPLEX:
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    if isinstance(alpha, int) and common.category == dtypes.INTEGER:
        as_number(alpha, common.np)
    return alpha


class AddScaled(Pointwise, node="AddBackward0"):
    """z = x + alpha y."""
    aten = "add.Tensor"
    operands, tensors_first = "x y", 0
    def forward(x, y, alpha): return x + np.asarray(alpha).astype(x.dtype) * y
    def vjp_x(xp, g):         return g
    def vjp_y(xp, g, alpha):  return g * alpha
    def flops(x): return math.prod(x)
_add_scaled, _add_scaled_ = op(AddScaled), elementwise_(AddScaled)


class AddBackward0(Binary):
    """z = x + y."""
    aten = "add.Tensor"
    tensors_first, _saved_alpha = 0, 1
    forward = np.add
    def vjp_x(xp, g): return g
    def vjp_y(xp, g): return g
    def inputs(x, y): return x, y, 1
    def flops(x): return math.prod(x)
_add, _add_ = binary(AddBackward0), elementwise_(AddBackward0)
__iadd__ = elementwise_(AddBackward0, operator="__iadd__")
__add__ = __radd__ = binary(AddBackward0, operator="__add__")


def add(input, other, *old, alpha=1, out=None):
    """``input + alpha * other``, elementwise; the operands broadcast and promote.

    >>> import minigrad
    >>> minigrad.add(minigrad.tensor([1., 2.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([21., 42.])
    """
    if old:
        alpha, (other,) = factor_first("add", "alpha", (other,), old)
    if alpha.__class__ is int and alpha == 1:
        return _add(input, other, out)
    alpha = check_alpha(alpha, (input, other))
    return _add_scaled(input, other, alpha) if out is None else _add_scaled.into(out, input, other, alpha)


def _add_at_once(input, other, alpha):
    """``input += alpha * other``, a step of many optimizers, where nothing is to be recorded or converted; whether it was done."""
    if not (at_once(input) and at_once(other)):
        return False
    x, y = input._array, other._array
    factor = number(alpha, x.dtype)
    if factor is None or x.dtype is not y.dtype or x.shape != y.shape:
        return False
    np.add(x, y * factor._array, x)
    bump(input)
    return True


def add_(input, other, *old, alpha=1):
    """``input += alpha * other``.

    ``other`` is broadcast to the tensor's shape; its dtype may not be of a higher kind than the tensor's, which stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).add_(minigrad.tensor([3., 4.]), alpha=10)
    tensor([31., 42.])
    """
    if old:
        alpha, (other,) = factor_first("add_", "alpha", (other,), old)
    if alpha.__class__ is int and alpha == 1:
        return _add_(input, other)
    if _add_at_once(input, other, alpha):
        return input
    alpha = check_alpha(alpha, (input, other))
    return _add_scaled_(input, other, alpha)


def _no_bools(x, y):
    kinds = [promotion_rank(v)[0].category == dtypes.BOOL for v in (x, y)]
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


class SubScaled(Pointwise, node="SubBackward0"):
    """z = x - alpha y."""
    aten = "sub.Tensor"
    operands, tensors_first = "x y", 0
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return x - np.asarray(alpha).astype(x.dtype) * y
    def vjp_x(xp, g):         return g
    def vjp_y(xp, g, alpha):  return g * -alpha
_sub_scaled, _sub_scaled_ = op(SubScaled), elementwise_(SubScaled)


class SubBackward0(Binary):
    """z = x - y."""
    aten = "sub.Tensor"
    tensors_first, _saved_alpha = 0, 1
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    forward = np.subtract
    def vjp_x(xp, g): return g
    def vjp_y(xp, g): return -g
    def inputs(x, y): return x, y, 1
_sub, _sub_ = binary(SubBackward0), elementwise_(SubBackward0)
__isub__ = elementwise_(SubBackward0, operator="__isub__")
__sub__ = binary(SubBackward0, operator="__sub__")


def sub(input, other, *old, alpha=1, out=None):
    """``input - alpha * other``, elementwise; the operands broadcast and promote; not for bool.

    >>> import minigrad
    >>> minigrad.sub(minigrad.tensor([21., 42.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([1., 2.])
    """
    if old:
        alpha, (other,) = factor_first("sub", "alpha", (other,), old)
    if alpha.__class__ is int and alpha == 1:
        return _sub(input, other, out)
    alpha = check_alpha(alpha, (input, other), "sub")
    return _sub_scaled(input, other, alpha) if out is None else _sub_scaled.into(out, input, other, alpha)


def sub_(input, other, *old, alpha=1):
    """``input -= alpha * other``.

    ``other`` is broadcast to the tensor's shape; its dtype may not be of a higher kind than the tensor's, which stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).sub_(1)
    tensor([0., 1.])
    """
    if old:
        alpha, (other,) = factor_first("sub_", "alpha", (other,), old)
    if alpha.__class__ is int and alpha == 1:
        return _sub_(input, other)
    if alpha.__class__ is float and _add_at_once(input, other, -alpha):
        return input
    alpha = check_alpha(alpha, (input, other), "sub")
    return _sub_scaled_(input, other, alpha)


subtract, subtract_ = sub, sub_


class RsubBackward0(Pointwise):
    """z = y - alpha x, for a tensor y."""
    aten = "rsub.Tensor"
    operands = "x y"
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
    def vjp_y(xp, g):         return g
_rsub_tensors = op(RsubBackward0)


class RsubScaledNumber(Pointwise, node="RsubBackward1"):
    """z = y - alpha x, for a number y."""
    aten = "rsub.Scalar"
    operands = "x y"
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
_rsub_number = op(RsubScaledNumber)


class RsubBackward1(Binary):
    """z = y - x, for a number y."""
    aten = "rsub.Scalar"
    _saved_alpha = 1
    check, refuse = staticmethod(_no_bools), staticmethod(_refuse_bools)
    def forward(x, y): return np.subtract(y, x)
    def vjp_x(xp, g):  return -g
    def inputs(x, y): return x, y, 1
_rsub_operator, _rsub = binary(RsubBackward1, operator="__rsub__"), binary(RsubBackward1)


def __rsub__(input, other):
    """``other - input``."""
    return _rsub_tensors(input, other, 1) if isinstance(other, Tensor) else _rsub_operator(input, other)


def rsub(input, other, *, alpha=1):
    """``other - alpha * input``, elementwise.

    >>> import minigrad
    >>> minigrad.rsub(minigrad.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
    alpha = check_alpha(alpha, (input, other), "rsub")
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
    """z = -x.

    >>> import minigrad
    >>> minigrad.neg(minigrad.tensor([1, -2]))
    tensor([-1,  2])
    """
    out_dtype = "operand"
    floats, refuse = False, staticmethod(_no_bool_negation)
    forward = np.negative
    def vjp(xp, g): return -g


def negated(x, out):
    """-x, written to ``out``.  NumPy's own loop mixes up elements with gaps between them (2.4, steps of 16 and 64 bytes)."""
    if out.flags.forc:
        np.negative(x, out)
    else:
        out[...] = np.negative(x)


neg, neg_ = unary(NegBackward0), elementwise_(NegBackward0, written=negated)
negative, negative_ = neg, neg_


@composite
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
    """z = x y.

    >>> import minigrad
    >>> minigrad.mul(minigrad.tensor([1, 2]), minigrad.tensor([[10.], [100.]]))
    tensor([[ 10.,  20.],
            [100., 200.]])
    """
    aten = "mul.Tensor"
    exact_numbers = True
    tensors_first = 0
    forward = np.multiply
    def vjp_x(xp, g, y): return g * y
    def vjp_y(xp, g, x): return g * x
    def flops(x): return math.prod(x)
mul, mul_ = binary(MulBackward0), elementwise_(MulBackward0)
__imul__ = elementwise_(MulBackward0, operator="__imul__")
multiply, multiply_ = mul, mul_
__mul__ = __rmul__ = binary(MulBackward0, operator="__mul__")


class DivBackward0(Binary):
    """z = x / y; integers divide as the default dtype."""
    aten = "div.Tensor"
    exact_numbers = True
    floats, tensors_first = True, 0
    forward = np.true_divide
    def vjp_x(xp, g, y):    return g / y
    def vjp_y(xp, g, x, y): return -g * ((x / y) / y)
divide_floating, divide_floating_ = binary(DivBackward0), elementwise_(DivBackward0)
__truediv__ = __div__ = binary(DivBackward0, operator="__truediv__")
__itruediv__ = __idiv__ = elementwise_(DivBackward0, operator="__itruediv__")


class ReciprocalBackward0(Unary):
    """z = 1 / x;   dz/dx = -z².

    >>> import minigrad
    >>> minigrad.reciprocal(minigrad.tensor([2, 4]))
    tensor([0.5000, 0.2500])
    """
    def forward(x): return np.reciprocal(x) if x.dtype.kind in "fcV" else np.true_divide(1, x)
    def vjp(xp, g, z): return -g * (z * z)
reciprocal, reciprocal_ = unary(ReciprocalBackward0), elementwise_(ReciprocalBackward0)


def __rtruediv__(input, other):
    """``other / input``."""
    return __mul__(reciprocal(input), other)


# Powers ------------------------------------------------------------------------------------------------------------------


class PowBackward0(Unary):
    """z = xⁿ for a number n;   dz/dx = n xⁿ⁻¹, and 0 where n is 0."""
    aten, aten_ = "pow.Tensor_Scalar", "pow_.Scalar"
    floats = False
    def forward(x, exponent): return kernels.power(x, exponent)
    def vjp(xp, g, x, exponent):
        if exponent == 0: return xp.zeros_like(g)
        return g * (exponent * xp.power(x, exponent - 1))
_pow_number, _pow_number_ = op(PowBackward0), op_(PowBackward0)


class PowBackward1(Binary):
    """z = xʸ;   dz/dx = y xʸ⁻¹ (0 where y = 0),   dz/dy = z log x (0 where x = 0 and y ≥ 0)."""
    aten, aten_ = "pow.Tensor_Tensor", "pow_.Tensor"
    names = {"x": "self", "y": "exponent", "z": "result"}
    def forward(x, y):         return kernels.power_of(x, y)
    def vjp_x(xp, g, x, y):    return xp.where(y == 0, 0, g * (y * x ** (y - 1)))
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow, _pow_ = binary(PowBackward1), elementwise_(PowBackward1)


class PowBackward2(Binary):
    """z = xʸ for a number x."""
    aten = "pow.Scalar"
    names, tensors_first = {"x": "self", "y": "exponent", "z": "result"}, 0
    def forward(x, y):         return kernels.power_of(x, y)
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow_of_number = binary(PowBackward2)


def pow(input, exponent, *, out=None):
    """``input ** exponent``, elementwise; either may be a number.

    Raises RuntimeError for an integer tensor to a negative integer.

    >>> import minigrad
    >>> minigrad.pow(minigrad.tensor([1., 2., 3.]), 2)
    tensor([1., 4., 9.])
    """
    if out is not None:
        return write_out(out, pow, input, exponent)
    if input.__class__ in fast_classes:
        cls = exponent.__class__
        if (cls is int or cls is float) and input._array.dtype.kind == "f":
            return _pow_number(input, exponent)
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            if input.dtype is dtypes.bool_ and exponent.dtype is dtypes.bool_:
                raise NotImplementedError("\"pow\" not implemented for 'Bool'")
            return _pow(input, exponent)
        if isinstance(input, NUMBERS):
            if isinstance(input, bool) and exponent.dtype is dtypes.bool_:
                raise NotImplementedError("\"pow\" not implemented for 'Bool'")
            base = number(input, exponent._array.dtype)
            return _pow_of_number(input if base is None else base, exponent)
    if not isinstance(input, Tensor):
        raise TypeError(_POW.format(type_name(input), type_name(exponent)))
    if not isinstance(exponent, NUMBERS):
        raise TypeError(_POW.format("Tensor", type_name(exponent)))
    if isinstance(exponent, np.generic):
        exponent = exponent.item()
    input = as_common(input, exponent)
    _check_exponent(exponent, input._array.dtype)
    return _pow_number(input, exponent)


def _check_exponent(exponent, dtype):
    if exponent.__class__ is int and dtype.kind in "iu":
        if exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        as_number(exponent, dtype)


_POW = (
    "pow() received an invalid combination of arguments - got ({}, {}), but expected one of:\n"
    " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
    " * (Number self, Tensor exponent, *, Tensor out = None)\n"
    " * (Tensor input, Number exponent, *, Tensor out = None)"
)


def pow_(input, exponent):
    """``input **= exponent``.

    ``exponent`` is a number, or a tensor that broadcasts to the tensor's shape; the dtype stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 2., 3.]).pow_(2)
    tensor([1., 4., 9.])
    """
    if isinstance(exponent, Tensor):
        return _pow_(input, exponent)
    if not isinstance(exponent, NUMBERS):
        raise TypeError(_POW.replace("pow()", "pow_()").format("Tensor", type_name(exponent)))
    may_write(input)
    fits(PowBackward0, input, dtypes.result_dtype([promotion_rank(input), promotion_rank(exponent)]), input._array.shape)
    _check_exponent(exponent, input._array.dtype)
    return _pow_number_(input, exponent)


def __pow__(input, exponent, modulo=None):
    """``input ** exponent``."""
    if isinstance(exponent, np.ndarray):
        return dispatch_operator(PowBackward1, (input, exponent))
    return pow(input, exponent) if isinstance(exponent, operand_types) else NotImplemented


def __rpow__(input, other):
    """``other ** input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return pow(other, input) if isinstance(other, operand_types) else NotImplemented


def __ipow__(input, other):
    """``input **= other``."""
    return pow_(input, other) if isinstance(other, (Tensor, *NUMBERS)) else NotImplemented


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
                f"the output given to float_power has dtype {dtype_name(out)} but the operation's "
                f"result requires dtype {dtypes.scalar_type_name(wide)}"
            )
        return write_out(out, float_power, input, exponent)
    kind = complex if wide is dtypes.complex128 else float
    return pow(*(as_dtype(x, wide) if isinstance(x, Tensor) else kind(x) for x in (input, exponent)))


def _wide(operands):
    is_complex = any(promotion_rank(x)[0].category == dtypes.COMPLEX for x in operands)
    return dtypes.complex128 if is_complex else dtypes.float64


def float_power_(input, exponent):
    """``input **= exponent``, for float64 and complex128.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.], dtype=minigrad.float64).float_power_(3)
    tensor([1., 8.], dtype=torch.float64)
    """
    wide = _wide((input, exponent))
    if input.dtype is not wide:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {dtype_name(input)} but the operation's result "
            f"requires dtype {dtypes.scalar_type_name(wide)}"
        )
    return pow_(input, as_dtype(exponent, wide) if isinstance(exponent, Tensor) else exponent)


@composite
def square(input, *, out=None):
    """``input ** 2``.

    Shape and dtype stay.

    >>> import minigrad
    >>> minigrad.square(minigrad.tensor([2, 3]))
    tensor([4, 9])
    """
    return pow(input, 2, out=out)


@composite
def square_(input):
    """As ``square``, written into the tensor itself.

    >>> import minigrad
    >>> minigrad.tensor([2, 3]).square_()
    tensor([4, 9])
    """
    return pow_(input, 2)


class SqrtBackward0(Unary):
    """z = √x;   dz/dx = 1 / 2z.

    >>> import minigrad
    >>> minigrad.sqrt(minigrad.tensor([4, 9]))
    tensor([2., 3.])
    >>> minigrad.sqrt(minigrad.tensor([-1.])), minigrad.sqrt(minigrad.tensor([-1 + 0j]))
    (tensor([nan]), tensor([0.+1.j]))
    """
    forward = np.sqrt
    def vjp(xp, g, z): return g / (2 * z)
sqrt, sqrt_ = unary(SqrtBackward0), elementwise_(SqrtBackward0)


class RsqrtBackward0(Unary):
    """z = 1 / √x;   dz/dx = -z³ / 2.

    >>> import minigrad
    >>> minigrad.rsqrt(minigrad.tensor([4., 0.]))
    tensor([0.5000,    inf])
    """
    def forward(x): return kernels.rsqrt(x)
    def vjp(xp, g, z): return g * (-0.5 * xp.power(z, 3))
rsqrt, rsqrt_ = unary(RsqrtBackward0), elementwise_(RsqrtBackward0)


# Mixtures --------------------------------------------------------------------------------------------------------------------


class LerpBackward0(General):
    """z = x + weight (y - x), for a number weight."""
    aten = "lerp.Scalar"
    batch, kernel = pointwise, "lerp_kernel_scalar"
    operands, names, refuse = "x y", {"x": "self", "y": "end", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, weight):           return kernels.lerp(x, y, weight)
    def vjp_x(xp, g, weight, x_shape):   return xp.sum_to(g * (1 - weight), x_shape)
    def vjp_y(xp, g, weight, y_shape):   return xp.sum_to(g * weight, y_shape)
class LerpBackward1(General):
    """z = x + w (y - x)."""
    aten = "lerp.Tensor"
    batch, kernel = pointwise, "lerp_kernel_tensor"
    operands, names, refuse = "x y w", {"x": "self", "y": "end", "w": "weight", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, w):                return kernels.lerp(x, y, w)
    def vjp_x(xp, g, w, x_shape):        return xp.sum_to(g * (1 - w), x_shape)
    def vjp_y(xp, g, w, y_shape):        return xp.sum_to(g * w, y_shape)
    def vjp_w(xp, g, x, y, w_shape):     return xp.sum_to(g * (y - x), w_shape)
_lerp_number, _lerp_number_ = op(LerpBackward0), elementwise_(LerpBackward0)
_lerp, _lerp_ = op(LerpBackward1), elementwise_(LerpBackward1)


def _same_dtypes(input, end, weight):
    """``weight`` as it can be used; raises for operands that are no tensors or of several dtypes."""
    for name, place, x in (("input", 1, input), ("end", 2, end)):
        if not isinstance(x, Tensor):
            raise not_a_tensor("lerp", name, place, x)
    for name, x in (("end", end), ("weight", weight)):
        if isinstance(x, Tensor) and x.dtype is not input.dtype and (name == "end" or x._array.ndim or x.dtype.is_complex):
            raise RuntimeError(
                f"expected dtype {c_name(input.dtype)} for `{name}` but got dtype {c_name(x.dtype)}"
            )
    if isinstance(weight, Tensor):
        return as_dtype(weight, input.dtype)
    if isinstance(weight, complex) and input._array.dtype.kind != "c":
        raise RuntimeError(f"value cannot be converted to type {c_name(input.dtype)} without overflow")
    return weight


def lerp(input, end, weight, *, out=None):
    """``input + weight * (end - input)``; ``weight`` is a number or a tensor.

    >>> import minigrad
    >>> minigrad.lerp(minigrad.tensor([0., 10.]), minigrad.tensor([10., 20.]), 0.3)
    tensor([ 3., 13.])
    """
    if weight.__class__ is not float or end.__class__ not in fast_classes or input._array.dtype is not end._array.dtype:
        weight = _same_dtypes(input, end, weight)
    if out is not None:
        if isinstance(weight, Tensor) and weight.dim():
            check_operand_dtype(out, input)
        return write_out(out, lerp, input, end, weight)
    return (_lerp if isinstance(weight, Tensor) else _lerp_number)(input, end, weight)


def lerp_(input, end, weight):
    """As ``lerp``, written into the tensor itself.

    >>> import minigrad
    >>> minigrad.tensor([0., 10.]).lerp_(minigrad.tensor([10., 20.]), 0.5)
    tensor([ 5., 15.])
    """
    weight = _same_dtypes(input, end, weight)
    return (_lerp_ if isinstance(weight, Tensor) else _lerp_number_)(input, end, weight)


def _factor(value, np_dtype):
    """A number in the dtype that products are computed in: single for half precision."""
    half = np_dtype.itemsize == 2 and np_dtype.kind in "fV"
    return 1 if value == 1 else as_number(value, np.dtype(np.float32) if half else np_dtype).item()


class AddcmulBackward0(General):
    """z = x + value y w."""
    batch, kernel = pointwise, "addcmul_cpu_out"
    operands, names, refuse = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, w, value):              return kernels.addcmul(x, y, w, _factor(value, x.dtype))
    def vjp_x(xp, g, x_shape):                return xp.sum_to(g, x_shape)
    def vjp_y(xp, g, w, value, y_shape):      return xp.sum_to(g * (w * value), y_shape)
    def vjp_w(xp, g, y, value, w_shape):      return xp.sum_to(g * (y * value), w_shape)
_addcmul, _addcmul_ = op(AddcmulBackward0), elementwise_(AddcmulBackward0)


class AddcdivBackward0(General):
    """z = x + value y / w."""
    batch = pointwise
    operands, names, refuse = "x y w", {"x": "self", "y": "tensor1", "w": "tensor2", "z": "result"}, staticmethod(refuse_shapes)
    def forward(x, y, w, value):              return kernels.addcdiv(x, y, w, _factor(value, x.dtype))
    def vjp_x(xp, g, x_shape):                return xp.sum_to(g, x_shape)
    def vjp_y(xp, g, w, value, y_shape):      return xp.sum_to(g * (value / w), y_shape)
    def vjp_w(xp, g, y, w, value, w_shape):   return xp.sum_to(-g * (value * (y / w) / w), w_shape)
_addcdiv, _addcdiv_ = op(AddcdivBackward0), elementwise_(AddcdivBackward0)


def addcmul(input, tensor1, tensor2, *old, value=1, out=None):
    """``input + value * tensor1 * tensor2``, elementwise.

    >>> import minigrad
    >>> minigrad.addcmul(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcmul", "value", (tensor1, tensor2), old)
    return _of_three("addcmul", _addcmul, input, tensor1, tensor2, value, out)


def _of_three(name, call, input, tensor1, tensor2, value, out):
    """``call(input, tensor1, tensor2, value)`` in the dtype that the three have together."""
    operands = input, tensor1, tensor2
    if not (
        input.__class__ in fast_classes and tensor1.__class__ in fast_classes and tensor2.__class__ in fast_classes
        and input._array.dtype is tensor1._array.dtype is tensor2._array.dtype
    ):
        for place, x in enumerate(operands, 1):
            if not isinstance(x, Tensor):
                raise not_a_tensor(name, ("input", "tensor1", "tensor2")[place - 1], place, x)
        if out is None and all(x.__class__ in fast_classes for x in operands):
            return in_dtype(call.op, operands, (value,), dtypes.result_dtype([promotion_rank(x) for x in operands]))
        operands = as_common_tensors(*operands)
    return call(*operands, value) if out is None else call.into(out, *operands, value)


def addcmul_(input, tensor1, tensor2, *old, value=1):
    """``input += value * tensor1 * tensor2``.

    ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 1.]).addcmul_(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcmul_", "value", (tensor1, tensor2), old)
    return _addcmul_(input, tensor1, tensor2, value)


def _no_integer_quotients(tensor1, tensor2):
    if all(isinstance(x, Tensor) and x._array.dtype.kind in "iub" for x in (tensor1, tensor2)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported. Convert a tensor first (tensor1.double()) for true "
            "quotients; for whole ones, use input + value * torch.div(tensor1, tensor2, rounding_mode='trunc')."
        )


def addcdiv(input, tensor1, tensor2, *old, value=1, out=None):
    """``input + value * tensor1 / tensor2``, elementwise; tensor1 and tensor2 may not both be integers.

    >>> import minigrad
    >>> minigrad.addcdiv(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcdiv", "value", (tensor1, tensor2), old)
    _no_integer_quotients(tensor1, tensor2)
    return _of_three("addcdiv", _addcdiv, input, tensor1, tensor2, value, out)


def addcdiv_(input, tensor1, tensor2, *old, value=1):
    """``input += value * tensor1 / tensor2``.

    ``tensor1`` and ``tensor2`` broadcast to the tensor's shape; its dtype stays.

    >>> import minigrad
    >>> minigrad.tensor([1., 1.]).addcdiv_(minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
    if old:
        value, (tensor1, tensor2) = factor_first("addcdiv_", "value", (tensor1, tensor2), old)
    _no_integer_quotients(tensor1, tensor2)
    return _addcdiv_(input, tensor1, tensor2, value)


# Other functions of one or two numbers -------------------------------------------------------------------------------------


class CopysignBackward0(Binary):
    """z = |x| with the sign of y; dz/dx = sgn z sgn x, 0 at 0.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), minigrad.tensor([-0., 3.]))
    tensor([-1.,  2.])
    """
    aten = "copysign.{other}"
    floats, ordered = True, True
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
    def vjp_y(xp, g):       return xp.zeros_like(g)
class CopysignBackward1(Binary):
    """z = |x| with the sign of a number y; dz/dx = sgn z sgn x, 0 at 0."""
    aten = "copysign.{other}"
    floats, ordered, names = True, True, {"x": "self", "z": "result"}
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
_copysign, copysign_ = binary(CopysignBackward0), elementwise_(CopysignBackward0, of_number=CopysignBackward1)
_copysign_number = binary(CopysignBackward1)


def copysign(input, other, *, out=None):
    """``|input|`` with the sign of ``other``, a tensor or a number; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), -0.)
    tensor([-1., -2.])
    """
    return (_copysign if isinstance(other, Tensor) else _copysign_number)(input, other, out)


class HypotBackward0(Binary):
    """z = √(x² + y²).

    >>> import minigrad
    >>> minigrad.hypot(minigrad.tensor([3., 5.]), minigrad.tensor([4., 12.]))
    tensor([ 5., 13.])
    """
    tensors_first, ordered = 2, True
    def forward(x, y): return kernels.floating(np.hypot, x, y)
    def vjp_x(xp, g, x, z): return g * (x / z)
    def vjp_y(xp, g, y, z): return g * (y / z)
hypot, hypot_ = binary(HypotBackward0), elementwise_(HypotBackward0)


@undifferentiable
class Heaviside(Binary):
    """z = 0 where x < 0, 1 where x > 0, y where x = 0, 0 where x is nan."""
    tensors_first, public = 2, "heaviside"
    def forward(x, y): return kernels.heaviside(x, y)
_heaviside, _heaviside_ = binary(Heaviside), elementwise_(undifferentiable(Heaviside, "aten::heaviside_"))


def _one_dtype(input, values):
    if isinstance(input, Tensor) and isinstance(values, Tensor):
        if input.dtype.is_complex or values.dtype.is_complex:
            raise RuntimeError("heaviside is not yet implemented for complex tensors.")
        if input.dtype is not values.dtype:
            raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


def heaviside(input, values, *, out=None):
    """0 where ``input`` is negative, 1 where it is positive, ``values`` where it is zero; not differentiable.

    Shapes broadcast; both have one dtype, which is the result's.

    >>> import minigrad
    >>> minigrad.heaviside(minigrad.tensor([-1., 0., 2.]), minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    _one_dtype(input, values)
    return _heaviside(input, values, out)


def heaviside_(input, values):
    """As ``heaviside``, written into the tensor itself.

    >>> import minigrad
    >>> minigrad.tensor([-1., 0., 2.]).heaviside_(minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    _one_dtype(input, values)
    return _heaviside_(input, values)


class LdexpBackward0(Binary):
    """z = x 2ʸ;   dz/dy = z log 2.

    >>> import minigrad
    >>> minigrad.ldexp(minigrad.tensor([1., 3.]), minigrad.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """
    aten = "ldexp.Tensor"
    floats, tensors_first = True, 2
    def forward(x, y):   return x * np.exp2(y)
    def vjp_x(xp, g, y): return g * xp.exp2(y)
    def vjp_y(xp, g, z): return g * (z * LOG_2)
ldexp, ldexp_ = binary(LdexpBackward0), elementwise_(LdexpBackward0)
LOG_2 = float(np.log(2.0))


class NextafterBackward0(Binary):
    """z = the next number after x towards y.

    >>> import minigrad
    >>> minigrad.nextafter(minigrad.tensor([1.]), minigrad.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
    tensors_first = 2
    def forward(x, y): return kernels.floating(np.nextafter, x, y)
    def vjp_x(xp, g, x, y): return xp.keep(g, x != y)
    def vjp_y(xp, g, y):    return xp.zeros_like(g)
nextafter, nextafter_ = binary(NextafterBackward0), elementwise_(NextafterBackward0)


class FrexpBackward0(Op):
    """x = mantissa 2 to the power of exponent, with |mantissa| in [0.5, 1)."""
    aten = "frexp.Tensor"
    batch = pointwise
    results, nondiff, public = "mantissa exponent", (1,), "frexp"
    def forward(x): return kernels.frexp(x)
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
        results = [write_result(place, result, "frexp") for place, result in zip(out, results)]
    return return_types.frexp(results)
