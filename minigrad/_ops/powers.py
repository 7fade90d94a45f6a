"""Powers and roots, element by element."""

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name
from .._base.errors import check_integer_range, type_name
from .._base.mixing import unknown_operand
from .._core.families import (
    Binary,
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
from .._core.inplace import elementwise_, fits, may_write, op_
from .._core.interpret import promotion_rank
from .._core.out import write_out
from .._core.overriding import operand_met
from .._core.tensor import Tensor
from .convert import as_dtype, as_number
from .operands import NUMBERS, as_common
from .scalars import number_of

__all__ = ["float_power", "hypot", "pow", "rsqrt", "rsqrt_", "sqrt", "sqrt_", "square", "square_"]
METHODS = "float_power float_power_ hypot hypot_ pow pow_ rsqrt rsqrt_ sqrt sqrt_ square square_ __pow__ __rpow__ __ipow__"


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
    costly = True
    aten, aten_ = "pow.Tensor_Tensor", "pow_.Tensor"
    names = {"x": "self", "y": "exponent", "z": "result"}
    def forward(x, y):         return kernels.power_of(x, y)
    def vjp_x(xp, g, x, y):    return xp.where(y == 0, 0, g * (y * x ** (y - 1)))
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow, _pow_ = binary(PowBackward1), elementwise_(PowBackward1)


class PowBackward2(Binary):
    """z = xʸ for a number x."""
    costly = True
    aten = "pow.Scalar"
    names, tensors_first = {"x": "self", "y": "exponent", "z": "result"}, 0
    def forward(x, y):         return kernels.power_of(x, y)
    def vjp_y(xp, g, x, y, z): return g * xp.where((x == 0) & (xp.real(y) >= 0), 0, z * xp.log(x))
_pow_of_number = binary(PowBackward2)


def pow(input, exponent, *, out=None):
    """Raise ``input`` to the power ``exponent``, elementwise; either may be a number.

    Raises RuntimeError for an integer tensor with a negative integer exponent.

    >>> import minigrad
    >>> minigrad.pow(minigrad.tensor([1., 2., 3.]), 2)
    tensor([1., 4., 9.])
    """
    if out is not None:
        return write_out(out, pow, input, exponent)
    if input.__class__ in fast_classes:
        cls = exponent.__class__
        if (cls is int or cls is float) and input._array.dtype.char in "fd":
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
        exponent = number_of(exponent)
    input = as_common(input, exponent)
    _check_exponent(exponent, input._array.dtype)
    return _pow_number(input, exponent)


def _check_exponent(exponent, dtype):
    if exponent.__class__ is int and dtype.kind in "iu":
        if exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        as_number(exponent, dtype)
    elif dtype.itemsize == 2 and dtype.kind in "fV" and exponent.__class__ in (int, float):
        as_number(exponent, dtype, bounded=True)


_POW = (
    "pow() received an invalid combination of arguments - got ({}, {}), but expected one of:\n"
    " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
    " * (Number self, Tensor exponent, *, Tensor out = None)\n"
    " * (Tensor input, Number exponent, *, Tensor out = None)"
)


def pow_(input, exponent):
    """Raise the tensor to the power ``exponent`` in place.

    ``exponent`` is a number, or a tensor that broadcasts to the tensor's shape; the dtype is kept.

    >>> import minigrad
    >>> minigrad.tensor([1., 2., 3.]).pow_(2)
    tensor([1., 4., 9.])
    """
    if isinstance(exponent, Tensor):
        if exponent.dtype is dtypes.bool_ is input.dtype:
            raise NotImplementedError("\"pow\" not implemented for 'Bool'")
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
        return dispatch_operator(PowBackward1, (input, exponent), "__pow__")
    return pow(input, exponent) if isinstance(exponent, operand_types) or operand_met(exponent) else unknown_operand(exponent)


def __rpow__(input, other):
    """``other ** input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return pow(other, input) if isinstance(other, operand_types) or operand_met(other) else unknown_operand(other)


def __ipow__(input, other):
    """``input **= other``."""
    return pow_(input, other) if isinstance(other, (Tensor, *NUMBERS)) or operand_met(other) else unknown_operand(other)


def float_power(input, exponent, *, out=None):
    """Raise ``input`` to the power ``exponent`` in float64 (complex128 for complex operands).

    >>> import minigrad
    >>> minigrad.float_power(minigrad.tensor([1, 2, 3]), 2)
    tensor([1., 4., 9.], dtype=torch.float64)
    """
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise TypeError(_POW.replace("pow()", "float_power()").format(type_name(input), type_name(exponent)))
    for x in (input, exponent):
        if x.__class__ is int:
            check_integer_range(x)
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
    """Raise a tensor of float64 or complex128 to the power ``exponent`` in place.

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
    """Return the square of each element, ``input ** 2``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.square(minigrad.tensor([2, 3]))
    tensor([4, 9])
    """
    return pow(input, 2, out=out)


@composite
def square_(input):
    """In-place version of ``square``.

    >>> import minigrad
    >>> minigrad.tensor([2, 3]).square_()
    tensor([4, 9])
    """
    return pow_(input, 2)


class SqrtBackward0(Unary):
    """The square root of each element: z = √x;   dz/dx = 1 / 2z.

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
    """The reciprocal of the square root of each element: z = 1 / √x;   dz/dx = -z³ / 2.

    >>> import minigrad
    >>> minigrad.rsqrt(minigrad.tensor([4., 0.]))
    tensor([0.5000,    inf])
    """
    def forward(x): return kernels.rsqrt(x)
    def vjp(xp, g, z): return g * (-0.5 * xp.power(z, 3))
rsqrt, rsqrt_ = unary(RsqrtBackward0), elementwise_(RsqrtBackward0)


class HypotBackward0(Binary):
    """The length of the hypotenuse of a right triangle: z = √(x² + y²).

    >>> import minigrad
    >>> minigrad.hypot(minigrad.tensor([3., 5.]), minigrad.tensor([4., 12.]))
    tensor([ 5., 13.])
    """
    costly = True
    tensors_first, ordered = 2, True
    def forward(x, y): return kernels.floating(np.hypot, x, y)
    def vjp_x(xp, g, x, z): return g * (x / z)
    def vjp_y(xp, g, y, z): return g * (y / z)
hypot, hypot_ = binary(HypotBackward0), elementwise_(HypotBackward0)
