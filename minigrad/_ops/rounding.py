"""Signs, whole numbers, and division that leaves a remainder."""

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base.argument_kinds import no_form
from .._base.composites import composite
from .._base.dtypes import is_complex_type
from .._base.guards import explain, explain_failure
from .._base.mixing import unknown_operand
from .._core.families import Binary, Pointwise, Unary, array_beside, binary, op, operand_types, unary
from .._core.inplace import elementwise_
from .._core.overriding import operand_met
from .._core.tensor import Tensor
from .arithmetic import divide_floating, divide_floating_
from .operands import NUMBERS
from .undifferentiable import undifferentiable

__all__ = [
    "abs", "abs_", "absolute", "ceil", "ceil_", "div", "divide", "fix", "fix_", "floor", "floor_",
    "floor_divide", "fmod", "frac", "frac_", "heaviside", "remainder", "round", "round_", "sgn", "sign", "true_divide",
    "trunc", "trunc_",
]
METHODS = (
    "abs abs_ absolute absolute_ ceil ceil_ div div_ divide divide_ fix fix_ floor floor_ floor_divide floor_divide_ "
    "fmod fmod_ frac frac_ heaviside heaviside_ remainder remainder_ round round_ sgn sgn_ sign sign_ true_divide true_divide_ trunc "
    "trunc_ "
    "__floordiv__ __rfloordiv__ __mod__ __rmod__ __abs__=abs __ifloordiv__ __imod__"
)


# Sign and rounding -------------------------------------------------------------------------------------------------------


class AbsBackward0(Unary):
    """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

    >>> import minigrad
    >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
    (tensor([1., 2.]), tensor([5.]))
    """
    costly = False
    floats, conjugates, out_dtype = False, False, "operand"
    def forward(x):
        if x.dtype == np.bool_: raise TypeError("ufunc: no abs of bool")
        return np.absolute(x)
    def vjp(xp, g, x): return g * xp.sign(x)
abs, _abs_ = unary(AbsBackward0), elementwise_(AbsBackward0)


def abs_(input):
    """In-place version of ``abs``; not for complex.

    >>> import minigrad
    >>> minigrad.tensor([-1, 2]).abs_()
    tensor([1, 2])
    """
    if is_complex_type(input._array.dtype):
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    return _abs_(input)


absolute, absolute_ = abs, abs_


class SignBackward0(Unary):
    """The sign of each element: z = -1, 0 or 1: the sign of x, 0 for nan; no gradient comes through.

    >>> import minigrad
    >>> minigrad.sign(minigrad.tensor([-2., 0., float("nan")]))
    tensor([-1.,  0.,  0.])
    """
    costly = False
    gives_zeros = True
    out_dtype = "operand"
    floats = False
    def forward(x):
        if x.dtype.kind == "c": raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
        return kernels.sign(x)
    def vjp(xp, g): return xp.zeros_like(g)
sign, sign_ = unary(SignBackward0), elementwise_(SignBackward0)


class SgnBackward0(Unary):
    """The direction of each element: z = x / |x|, 0 at 0.  For complex x the part of g along z does not change z: (g - Re(g z̄) z) / |x|.

    >>> import minigrad
    >>> minigrad.sgn(minigrad.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
    out_dtype = "operand"
    floats, conjugates = False, False
    def forward(x): return kernels.sign(x)
    def vjp(xp, g, x, z):
        if not xp.iscomplex(x): return xp.zeros_like(g)
        zero = x == 0
        size = xp.abs(xp.where(zero, 1, x))  # no division by 0, whose derivatives would be nan in spite of the mask
        return xp.where(zero, 0, (g - xp.real(g * xp.conj(z)) * z) / size)
sgn, sgn_ = unary(SgnBackward0), elementwise_(SgnBackward0)


def _refuse_complex(name):
    def refuse(error, xs, params):
        if xs[0].dtype.kind == "c": raise NotImplementedError(f"{name} is not supported for complex inputs") from None

    return staticmethod(refuse)


class CeilBackward0(Unary):
    """Each element rounded up: z = the least integer not below x.

    >>> import minigrad
    >>> minigrad.ceil(minigrad.tensor([-1.5, 1.5]))
    tensor([-1.,  2.])
    """
    costly = False
    gives_zeros = True
    out_dtype = "operand"
    floats, kernel, refuse = False, "ceil_vml_cpu", _refuse_complex("ceil")
    def forward(x): return kernels.rounded(np.ceil, x)
    def vjp(xp, g): return xp.zeros_like(g)
class FloorBackward0(Unary):
    """Each element rounded down: z = the greatest integer not above x.

    >>> import minigrad
    >>> minigrad.floor(minigrad.tensor([-1.5, 1.5]))
    tensor([-2.,  1.])
    """
    costly = False
    gives_zeros = True
    out_dtype = "operand"
    floats, kernel, refuse = False, "floor_vml_cpu", _refuse_complex("floor")
    def forward(x): return kernels.rounded(np.floor, x)
    def vjp(xp, g): return xp.zeros_like(g)
class TruncBackward0(Unary):
    """Each element rounded towards zero: z = x without its fraction.

    >>> import minigrad
    >>> minigrad.trunc(minigrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
    costly = False
    gives_zeros = True
    out_dtype = "operand"
    floats, kernel, refuse = False, "trunc_vml_cpu", _refuse_complex("trunc")
    def forward(x): return kernels.rounded(np.trunc, x)
    def vjp(xp, g): return xp.zeros_like(g)
class RoundBackward0(Unary):
    """z = the nearest integer, the even one of two."""
    costly = False
    gives_zeros = True
    out_dtype = "operand"
    floats, kernel = False, "round_vml_cpu"
    def forward(x): return kernels.rounded(np.rint, x)
    def vjp(xp, g): return xp.zeros_like(g)
class FracBackward0(Unary):
    """The fractional part of each element: z = x - trunc x, with x's sign.

    >>> import minigrad
    >>> minigrad.frac(minigrad.tensor([-1.5, 1.25]))
    tensor([-0.5000,  0.2500])
    """
    out_dtype = "operand"
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
    aten = "round.decimals"
    gives_zeros = True
    out_dtype = "operand"
    floats = False
    def forward(x, decimals): return kernels.round_to(x, decimals)
    def vjp(xp, g): return xp.zeros_like(g)
_round_to, _round_to_ = op(RoundBackward1), elementwise_(RoundBackward1)


def round(input, *, decimals=0, out=None):
    """Round to the nearest integer, or to ``decimals`` places; halves go to the even neighbour.

    >>> import minigrad
    >>> minigrad.round(minigrad.tensor([0.5, 1.5, -2.7]))
    tensor([ 0.,  2., -3.])
    """
    if decimals.__class__ is int and decimals == 0:
        return _round(input, out=out)
    explain(round, {"input": input, "decimals": decimals})
    return _round_to(input, decimals) if out is None else _round_to.into(out, input, decimals)


def round_(input, *, decimals=0):
    """In-place version of ``round``.

    >>> import minigrad
    >>> minigrad.tensor([1.26, -2.5]).round_(decimals=1)
    tensor([ 1.3000, -2.5000])
    """
    if decimals.__class__ is int and decimals == 0:
        return _round_(input)
    explain(round_, {"input": input, "decimals": decimals})
    return _round_to_(input, decimals)


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
    """Return 0 where ``input`` is negative, 1 where it is positive, and ``values`` where it is zero; not differentiable.

    Shapes broadcast; both must have the same dtype, which is the result's.

    >>> import minigrad
    >>> minigrad.heaviside(minigrad.tensor([-1., 0., 2.]), minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    _one_dtype(input, values)
    if isinstance(out, Tensor):
        _one_dtype(input, out)
    return _heaviside(input, values, out=out)


def heaviside_(input, values):
    """In-place version of ``heaviside``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 0., 2.]).heaviside_(minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    _one_dtype(input, values)
    return _heaviside_(input, values)


# Division with rounding, remainders ----------------------------------------------------------------------------------------


class DivBackward2(Pointwise):
    """z = x / y rounded down ("floor") or towards zero ("trunc"); no gradient comes through."""
    aten = "div.Tensor_mode"
    gives_zeros = True
    exact_numbers = True
    operands, tensors_first, public = "x y", 0, "div"
    def forward(x, y, rounding_mode):  return (kernels.floor_divide if rounding_mode == "floor" else kernels.trunc_divide)(x, y)
    def vjp_x(xp, g, y, rounding_mode):    return xp.zeros_like(g)
    def vjp_y(xp, g, x, y, rounding_mode): return xp.zeros_like(g)
_div_rounded, _div_rounded_ = op(DivBackward2), elementwise_(DivBackward2)


def _check_mode(rounding_mode):
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )


def div(input, other, *, rounding_mode=None, out=None):
    """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers unless ``rounding_mode`` is "trunc" or "floor".

    >>> import minigrad
    >>> minigrad.div(minigrad.tensor([7, -7]), 2)
    tensor([ 3.5000, -3.5000])
    >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
    try:
        if rounding_mode is None:
            return divide_floating(input, other, out=out)
        _check_mode(rounding_mode)
        if out is not None:
            return _div_rounded.into(out, input, other, rounding_mode)
        return _div_rounded(input, other, rounding_mode)
    except Exception:
        explain_failure(div, input, other, rounding_mode, out)
        raise


def div_(input, other, *, rounding_mode=None):
    """Divide by ``other`` in place; return the tensor.

    ``other`` broadcasts to the tensor's shape, and the dtype is kept. Raises RuntimeError for an integer tensor without ``rounding_mode``.

    >>> import minigrad
    >>> minigrad.tensor([7., -7.]).div_(2, rounding_mode="floor")
    tensor([ 3., -4.])
    """
    try:
        if rounding_mode is None:
            return divide_floating_(input, other)
        _check_mode(rounding_mode)
        return _div_rounded_(input, other, rounding_mode)
    except Exception:
        explain_failure(div_, input, other, rounding_mode)
        raise


divide, divide_ = div, div_


@composite
def true_divide(input, other, *, out=None):
    """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers.

    >>> import minigrad
    >>> minigrad.true_divide(minigrad.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
    return divide_floating(input, other, out=out)


def true_divide_(input, other):
    """Divide by ``other`` in place; return the tensor.

    ``other`` broadcasts to the tensor's shape, and the dtype is kept. Raises RuntimeError for an integer tensor.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).true_divide_(2)
    tensor([0.5000, 1.0000])
    """
    return divide_floating_(input, other)


@undifferentiable
class FloorDivide(Binary):
    """Division rounded down to an integer: z = x / y rounded down.

    >>> import minigrad
    >>> minigrad.floor_divide(minigrad.tensor([7., -7.]), 2)
    tensor([ 3., -4.])
    """
    exact_numbers = True
    tensors_first, public = 0, "floor_divide"
    def forward(x, y): return kernels.floor_divide(x, y)
floor_divide, floor_divide_ = binary(FloorDivide), elementwise_(undifferentiable(FloorDivide, "aten::floor_divide_"))
__floordiv__ = binary(FloorDivide, operator="__floordiv__")
__ifloordiv__ = elementwise_(undifferentiable(FloorDivide, "aten::floor_divide_"), operator="__ifloordiv__")


class RemainderBackward0(Binary):
    """z = x - floor(x / y) y, with y's sign, for a number y."""
    aten = "remainder.{other}"
    names = {"x": "self", "z": "result"}
    def forward(x, y): return kernels.remainder(x, y)
    def vjp_x(xp, g):  return g
_remainder_number = binary(RemainderBackward0)


class RemainderBackward1(Binary):
    """z = x - floor(x / y) y, with y's sign.

    >>> import minigrad
    >>> minigrad.remainder(minigrad.tensor([7., -7.]), minigrad.tensor([3., 3.]))
    tensor([1., 2.])
    """
    aten = "remainder.{other}"
    def forward(x, y):      return kernels.remainder(x, y)
    def vjp_x(xp, g):       return g
    def vjp_y(xp, g, x, y): return -g * xp.floor_divide(x, y)
_remainder, remainder_ = binary(RemainderBackward1), elementwise_(RemainderBackward1, of_number=RemainderBackward0)
__imod__ = elementwise_(RemainderBackward1, of_number=RemainderBackward0, operator="__imod__")


@undifferentiable
class RemainderOfNumber(Binary):
    """z = x - floor(x / y) y for a number x."""
    aten = "remainder.{other}"
    tensors_first, public = 0, "remainder"
    def forward(x, y): return kernels.remainder(x, y)
_remainder_of_number = binary(RemainderOfNumber)


def remainder(input, other, *, out=None):
    """Compute ``input - floor(input / other) * other``, elementwise, with the sign of ``other``, like Python's ``%``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.remainder(minigrad.tensor([-3., 3.]), 2)
    tensor([1., 1.])
    """
    if isinstance(other, Tensor):
        if out is not None and isinstance(input, NUMBERS):
            raise no_form("remainder", {"input": input, "other": other, "out": out})
        return (_remainder if isinstance(input, Tensor) else _remainder_of_number)(input, other, out=out)
    return _remainder_number(input, other, out=out)


def __mod__(input, other):
    """``input % other``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return remainder(input, other) if isinstance(other, operand_types) or operand_met(other) else unknown_operand(other)


def __rmod__(input, other):
    """``other % input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return remainder(other, input) if isinstance(other, operand_types) or operand_met(other) else unknown_operand(other)


def __rfloordiv__(input, other):
    """``other // input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return floor_divide(other, input) if isinstance(other, operand_types) or operand_met(other) else unknown_operand(other)


class FmodBackward0(Binary):
    """z = x - trunc(x / y) y, with x's sign, for a number y."""
    aten = "fmod.{other}"
    names = {"x": "self", "z": "result"}
    def forward(x, y): return kernels.fmod(x, y)
    def vjp_x(xp, g):  return g
_fmod_number = binary(FmodBackward0)


class FmodBackward1(Binary):
    """z = x - trunc(x / y) y, with x's sign.

    >>> import minigrad
    >>> minigrad.fmod(minigrad.tensor([7., -7.]), minigrad.tensor([3., 3.]))
    tensor([ 1., -1.])
    """
    aten = "fmod.{other}"
    def forward(x, y):      return kernels.fmod(x, y)
    def vjp_x(xp, g):       return g
    def vjp_y(xp, g, x, y): return -g * xp.trunc_divide(x, y)
_fmod, fmod_ = binary(FmodBackward1), elementwise_(FmodBackward1, of_number=FmodBackward0)


def fmod(input, other, *, out=None):
    """Compute ``input - trunc(input / other) * other``, elementwise, with the sign of ``input``, like C's ``fmod``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.fmod(minigrad.tensor([-3., 3.]), 2)
    tensor([-1.,  1.])
    """
    return (_fmod if isinstance(other, Tensor) else _fmod_number)(input, other, out=out)
