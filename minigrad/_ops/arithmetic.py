"""Sums, differences, products and quotients, element by element."""

import math

import numpy as np

from .._base import dtypes
from .._base.composites import composite
from .._base.errors import check_integer_range, type_name
from .._base.guards import explain, explain_failure
from .._core.families import Binary, Pointwise, Unary, binary, number, op, unary
from .._core.inplace import at_once, elementwise_
from .._core.interpret import promotion_rank
from .._core.tensor import Tensor, bump
from .convert import as_number
from .leading_factors import factor_first
from .operands import NUMBERS

__all__ = [
    "add", "mul", "multiply", "neg", "neg_", "negative", "negative_", "positive", "reciprocal", "reciprocal_",
    "rsub", "sub", "subtract",
]
METHODS = (
    "add add_ mul mul_ multiply multiply_ neg neg_ negative negative_ positive reciprocal reciprocal_ sub sub_ "
    "subtract subtract_ "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ "
    "__iadd__ __imul__ __isub__ __itruediv__ __idiv__ __neg__=neg __pos__=positive __rdiv__=__rtruediv__"
)


# Sums ------------------------------------------------------------------------------------------------------------------


def check_alpha(alpha, operands, name="add"):
    """``alpha``, the factor of the second operand, as a number; raises RuntimeError if it does not fit the result's dtype."""
    given = alpha
    if isinstance(alpha, Tensor):
        if alpha.requires_grad:
            raise TypeError(f"{name}(): argument 'alpha' must be Number, not Tensor")
        alpha = alpha.item()
    elif isinstance(alpha, np.generic):
        alpha = float(alpha) if isinstance(alpha, np.bool_) else alpha.item()
    elif not isinstance(alpha, int | float | complex):
        raise TypeError(f"{name}(): argument 'alpha' must be Number, not {type_name(alpha)}")
    if alpha.__class__ is int:
        check_integer_range(alpha)
    common = dtypes.result_dtype([promotion_rank(x) for x in operands])
    if given.__class__ is bool and common.category != dtypes.BOOL:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and common.category < dtypes.FLOATING:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and common.category != dtypes.COMPLEX:
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    if (isinstance(alpha, int) and common.category == dtypes.INTEGER) or common.itemsize == 2:
        as_number(alpha, common.np, bounded=True)
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
    """Compute ``input + alpha * other``, elementwise; the operands broadcast and promote.

    >>> import minigrad
    >>> minigrad.add(minigrad.tensor([1., 2.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([21., 42.])
    """
    try:
        if old:
            alpha, (other,) = factor_first("add", "alpha", (other,), old)
        if alpha.__class__ is int and alpha == 1:
            return _add(input, other, out=out)
        alpha = check_alpha(alpha, (input, other))
        return _add_scaled(input, other, alpha) if out is None else _add_scaled.into(out, input, other, alpha)
    except Exception:
        if not old:
            explain_failure(add, input, other, alpha, out, old)
        elif not isinstance(old[-1], (Tensor, *NUMBERS)):
            raise TypeError(f"add() takes 2 positional arguments but {2 + len(old)} were given") from None
        raise


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
    """Add ``alpha * other`` in place; return the tensor.

    ``other`` broadcasts to the shape of the tensor, which keeps its dtype; raises RuntimeError if the result has a higher kind of dtype.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).add_(minigrad.tensor([3., 4.]), alpha=10)
    tensor([31., 42.])
    """
    try:
        if old:
            alpha, (other,) = factor_first("add_", "alpha", (other,), old)
        if alpha.__class__ is int and alpha == 1:
            return _add_(input, other)
        if _add_at_once(input, other, alpha):
            return input
        alpha = check_alpha(alpha, (input, other))
        return _add_scaled_(input, other, alpha)
    except Exception:
        if not old:
            explain_failure(add_, input, other, alpha, old)
        elif not isinstance(old[-1], (Tensor, *NUMBERS)):
            raise TypeError(f"add_() takes 1 positional argument but {1 + len(old)} were given") from None
        raise


def no_bools(x, y):
    # a number of NumPy is none of Python's truth values
    kinds = [not isinstance(v, np.generic) and promotion_rank(v)[0].category == dtypes.BOOL for v in (x, y)]
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
        no_bools(True, True)


class SubScaled(Pointwise, node="SubBackward0"):
    """z = x - alpha y."""
    aten = "sub.Tensor"
    operands, tensors_first = "x y", 0
    check, refuse = staticmethod(no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return x - np.asarray(alpha).astype(x.dtype) * y
    def vjp_x(xp, g):         return g
    def vjp_y(xp, g, alpha):  return g * -alpha
_sub_scaled, _sub_scaled_ = op(SubScaled), elementwise_(SubScaled)


class SubBackward0(Binary):
    """z = x - y."""
    aten = "sub.Tensor"
    tensors_first, _saved_alpha = 0, 1
    check, refuse = staticmethod(no_bools), staticmethod(_refuse_bools)
    forward = np.subtract
    def vjp_x(xp, g): return g
    def vjp_y(xp, g): return -g
    def inputs(x, y): return x, y, 1
_sub, _sub_ = binary(SubBackward0), elementwise_(SubBackward0)
__isub__ = elementwise_(SubBackward0, operator="__isub__")
__sub__ = binary(SubBackward0, operator="__sub__")


def sub(input, other, *old, alpha=1, out=None):
    """Compute ``input - alpha * other``, elementwise; the operands broadcast and promote; not for bool.

    >>> import minigrad
    >>> minigrad.sub(minigrad.tensor([21., 42.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([1., 2.])
    """
    try:
        if old:
            alpha, (other,) = factor_first("sub", "alpha", (other,), old)
        if alpha.__class__ is int and alpha == 1:
            return _sub(input, other, out=out)
        alpha = check_alpha(alpha, (input, other), "sub")
        return _sub_scaled(input, other, alpha) if out is None else _sub_scaled.into(out, input, other, alpha)
    except Exception:
        if not old:
            explain_failure(sub, input, other, alpha, out, old)
        elif not isinstance(old[-1], (Tensor, *NUMBERS)):
            raise TypeError(f"sub() takes 2 positional arguments but {2 + len(old)} were given") from None
        raise


def sub_(input, other, *old, alpha=1):
    """Subtract ``alpha * other`` in place; return the tensor.

    ``other`` broadcasts to the shape of the tensor, which keeps its dtype; raises RuntimeError if the result has a higher kind of dtype.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).sub_(1)
    tensor([0., 1.])
    """
    try:
        if old:
            alpha, (other,) = factor_first("sub_", "alpha", (other,), old)
        if alpha.__class__ is int and alpha == 1:
            return _sub_(input, other)
        if alpha.__class__ is float and _add_at_once(input, other, -alpha):
            return input
        alpha = check_alpha(alpha, (input, other), "sub")
        return _sub_scaled_(input, other, alpha)
    except Exception:
        if not old:
            explain_failure(sub_, input, other, alpha, old)
        elif not isinstance(old[-1], (Tensor, *NUMBERS)):
            raise TypeError(f"sub_() takes 1 positional argument but {1 + len(old)} were given") from None
        raise


def subtract(input, other, *old, alpha=1, out=None):
    """Compute ``input - alpha * other``, as ``sub`` does; beside a number, ``alpha`` may be given by position.

    >>> import minigrad
    >>> minigrad.subtract(minigrad.tensor([21., 42.]), 10, 2)
    tensor([ 1., 22.])
    """
    if old:
        other, alpha = _number_and_alpha("subtract", other, old)
    return sub(input, other, alpha=alpha, out=out)


def subtract_(input, other, *old, alpha=1):
    """Subtract ``alpha * other`` in place, as ``sub_`` does; beside a number, ``alpha`` may be given by position.

    >>> import minigrad
    >>> minigrad.tensor([21., 42.]).subtract_(10, 2)
    tensor([ 1., 22.])
    """
    if old:
        other, alpha = _number_and_alpha("subtract_", other, old)
    return sub_(input, other, alpha=alpha)


def _number_and_alpha(name, other, old):
    """A number, and the factor that is given by position after it; raises TypeError for anything else in these places, which a guard says in PyTorch's words.

    A tensor of no dimensions stands for a number there, which does not promote.
    """
    if len(old) > 1 or not _is_number(old[0]) or not _is_number(other):
        raise TypeError(f"{name}() takes a factor by position beside a number only")
    return (other.item() if isinstance(other, Tensor) else other), old[0]


def _is_number(x):
    return isinstance(x, NUMBERS) or (isinstance(x, Tensor) and not x.ndim and not x.requires_grad)


class RsubBackward0(Pointwise):
    """z = y - alpha x, for a tensor y."""
    aten = "rsub.Tensor"
    operands = "x y"
    check, refuse = staticmethod(no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
    def vjp_y(xp, g):         return g
_rsub_tensors = op(RsubBackward0)


class RsubScaledNumber(Pointwise, node="RsubBackward1"):
    """z = y - alpha x, for a number y."""
    aten = "rsub.Scalar"
    operands = "x y"
    check, refuse = staticmethod(no_bools), staticmethod(_refuse_bools)
    def forward(x, y, alpha): return y - np.asarray(alpha).astype(x.dtype) * x
    def vjp_x(xp, g, alpha):  return g * -alpha
_rsub_number = op(RsubScaledNumber)


class RsubBackward1(Binary):
    """z = y - x, for a number y."""
    aten = "rsub.Scalar"
    _saved_alpha = 1
    check, refuse = staticmethod(no_bools), staticmethod(_refuse_bools)
    def forward(x, y): return np.subtract(y, x)
    def vjp_x(xp, g):  return -g
    def inputs(x, y): return x, y, 1
_rsub_operator, _rsub = binary(RsubBackward1, operator="__rsub__"), binary(RsubBackward1)


def __rsub__(input, other):
    """``other - input``."""
    return _rsub_tensors(input, other, 1) if isinstance(other, Tensor) else _rsub_operator(input, other)


def rsub(input, other, *old, alpha=1):
    """Compute ``other - alpha * input``, elementwise.

    >>> import minigrad
    >>> minigrad.rsub(minigrad.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
    if old:
        other, alpha = _number_and_alpha("rsub", other, old)
    if not isinstance(input, Tensor):
        explain(rsub, {"input": input, "other": other, "alpha": alpha})
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
    """The negative of each element: z = -x.

    >>> import minigrad
    >>> minigrad.neg(minigrad.tensor([1, -2]))
    tensor([-1,  2])
    """
    costly = False
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


neg, neg_ = unary(NegBackward0), elementwise_(NegBackward0, overwrite=negated)
negative, negative_ = neg, neg_


@composite
def positive(input):
    """Return ``input`` itself; raise RuntimeError for bool.

    >>> import minigrad
    >>> minigrad.positive(minigrad.tensor([1., 2.]))
    tensor([1., 2.])
    """
    if input._array.dtype == np.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


# Products and quotients --------------------------------------------------------------------------------------------------


class MulBackward0(Binary):
    """The product of two tensors, element by element: z = x y.

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
    fused_x = fused_y = np.multiply
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
    """The reciprocal of each element: z = 1 / x;   dz/dx = -z².

    >>> import minigrad
    >>> minigrad.reciprocal(minigrad.tensor([2, 4]))
    tensor([0.5000, 0.2500])
    """
    costly = False
    def forward(x): return np.reciprocal(x) if x.dtype.kind in "fcV" else np.true_divide(1, x)
    def vjp(xp, g, z): return -g * (z * z)
reciprocal, reciprocal_ = unary(ReciprocalBackward0), elementwise_(ReciprocalBackward0)


def __rtruediv__(input, other):
    """``other / input``."""
    return __mul__(reciprocal(input), other)
