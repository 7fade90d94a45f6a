"""Comparisons, logic, bits, and what kind of number an element is: results are bool or integer and have no gradient."""

import numpy as np

from .._base import dtypes
from .._base.composites import composite
from .._base.dtypes import dtype_name, is_complex_type
from .._base.errors import not_a_tensor, type_name
from .._core import late
from .._core.families import Compare, Op, array_beside, compare, op
from .._core.inplace import elementwise_
from .._core.packed import refuse_packed
from .._core.tensor import Tensor, is_blank
from .._core.wrapped import Wrapped, no_fallback, one_value
from .batches import pointwise
from .operands import need_tensors

__all__ = [
    "eq", "ne", "not_equal", "lt", "less", "le", "less_equal", "gt", "greater", "ge", "greater_equal",
    "logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_not", "bitwise_left_shift", "bitwise_right_shift", "gcd", "gcd_", "lcm", "lcm_", "isnan",
    "isinf", "isfinite", "isposinf", "isneginf", "isreal", "signbit", "isclose", "allclose", "equal",
    "is_nonzero",
]
METHODS = (
    "allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or "
    "bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_ equal gcd gcd_ ge ge_ "
    "greater greater_ greater_equal greater_equal_ gt gt_ is_nonzero isclose isfinite isinf isnan isneginf isposinf "
    "isreal lcm lcm_ le le_ less less_ less_equal less_equal_ logical_and logical_and_ logical_not logical_not_ "
    "logical_or logical_or_ logical_xor logical_xor_ lt lt_ ne ne_ not_equal not_equal_ signbit "
    "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ __invert__ __eq__ "
    "__ne__ __lt__ __le__ __gt__ __ge__ __iand__=bitwise_and_ __ilshift__=bitwise_left_shift_ __ior__=bitwise_or_ "
    "__irshift__=bitwise_right_shift_ __ixor__=bitwise_xor_"
)


# Comparisons -------------------------------------------------------------------------------------------------------------


class Eq(Compare):
    """Whether x == y, elementwise; nan equals nothing.

    >>> import minigrad
    >>> minigrad.eq(minigrad.tensor([1., float("nan")]), minigrad.tensor([1., float("nan")]))
    tensor([ True, False])
    """
    aten = "eq.{other}"
    forward, truth = np.equal, True
class Ne(Compare):
    """Whether x != y, elementwise.

    >>> import minigrad
    >>> minigrad.ne(minigrad.tensor([1, 2]), 1)
    tensor([False,  True])
    """
    aten = "ne.{other}"
    forward, truth = np.not_equal, True
class Lt(Compare):
    """Whether x < y, elementwise.

    >>> import minigrad
    >>> minigrad.lt(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
    aten = "lt.{other}"
    forward, truth, ordered = np.less, True, True
class Le(Compare):
    """Whether x <= y, elementwise.

    >>> import minigrad
    >>> minigrad.le(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
    aten = "le.{other}"
    forward, truth, ordered = np.less_equal, True, True
class Gt(Compare):
    """Whether x > y, elementwise.

    >>> import minigrad
    >>> minigrad.gt(minigrad.tensor([1, 2, 3]), 2)
    tensor([False, False,  True])
    """
    aten = "gt.{other}"
    forward, truth, ordered = np.greater, True, True
class Ge(Compare):
    """Whether x >= y, elementwise.

    >>> import minigrad
    >>> minigrad.ge(minigrad.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
    aten = "ge.{other}"
    forward, truth, ordered = np.greater_equal, True, True


def _no_gradient(xp, g):
    return xp.zeros_like(g)


def _in_place(cls):
    """The in-place function of a comparison: what it writes is a number like any other, and has gradients: zeros."""
    def with_gradient(number, **formulas):
        body = {"__doc__": cls.__doc__, "forward": cls.forward, "__module__": __name__, "gives_zeros": True, **formulas}
        return type(cls)(f"{cls.__name__}Backward{number}", (cls,), body)

    return elementwise_(
        with_gradient(1, vjp_x=_no_gradient, vjp_y=_no_gradient), of_number=with_gradient(0, vjp_x=_no_gradient)
    )


eq, eq_, __eq__ = compare(Eq), _in_place(Eq), compare(Eq, operator="__eq__")
ne, ne_, __ne__ = compare(Ne), _in_place(Ne), compare(Ne, operator="__ne__")
lt, lt_, __lt__ = compare(Lt), _in_place(Lt), compare(Lt, operator="__lt__")
le, le_, __le__ = compare(Le), _in_place(Le), compare(Le, operator="__le__")
gt, gt_, __gt__ = compare(Gt), _in_place(Gt), compare(Gt, operator="__gt__")
ge, ge_, __ge__ = compare(Ge), _in_place(Ge), compare(Ge, operator="__ge__")
not_equal, less, less_equal, greater, greater_equal = ne, lt, le, gt, ge
not_equal_, less_, less_equal_, greater_, greater_equal_ = ne_, lt_, le_, gt_, ge_


# Logic -------------------------------------------------------------------------------------------------------------------


class LogicalAnd(Compare):
    """Logical AND: whether both elements are non-zero.

    >>> import minigrad
    >>> minigrad.logical_and(minigrad.tensor([0, 1, 2]), minigrad.tensor([True, True, False]))
    tensor([False,  True, False])
    """
    truth, tensors_first = True, 2
    def forward(x, y): return np.logical_and(refuse_packed(x, "logical_and_cpu"), y)
    tracks = False
class LogicalOr(Compare):
    """Logical OR: whether at least one element is non-zero.

    >>> import minigrad
    >>> minigrad.logical_or(minigrad.tensor([0., 1.]), minigrad.tensor([0, 0]))
    tensor([False,  True])
    """
    truth, tensors_first = True, 2
    def forward(x, y): return np.logical_or(refuse_packed(x, "logical_or_cpu"), y)
    tracks = False
class LogicalXor(Compare):
    """Logical XOR: whether exactly one element is non-zero.

    >>> import minigrad
    >>> minigrad.logical_xor(minigrad.tensor([0., 1.]), minigrad.tensor([2, 2]))
    tensor([ True, False])
    """
    truth, tensors_first = True, 2
    def forward(x, y): return np.logical_xor(refuse_packed(x, "logical_xor_cpu"), y)
    tracks = False
class LogicalNot(Op):
    """Logical NOT: whether the element is zero.

    >>> import minigrad
    >>> minigrad.logical_not(minigrad.tensor([0., 0.5]))
    tensor([ True, False])
    """
    batch = pointwise
    forward, truth, tracks = np.logical_not, True, False

logical_and, logical_and_ = compare(LogicalAnd), elementwise_(LogicalAnd)
logical_or, logical_or_ = compare(LogicalOr), elementwise_(LogicalOr)
logical_xor, logical_xor_ = compare(LogicalXor), elementwise_(LogicalXor)
_logical_not, logical_not_ = op(LogicalNot), elementwise_(LogicalNot)


# Bits --------------------------------------------------------------------------------------------------------------------


def _no_bools(x, y):
    if x.dtype == np.bool_:
        raise TypeError("ufunc: no shift of bool")  # refused as a kernel that does not exist


def _one_tensor(x, y):
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        raise TypeError(f"expected at least one Tensor, but got {type_name(x)} and {type_name(y)}")


class Bitwise(Compare):
    """Integers as rows of bits; either operand may be a number."""
    never_recorded = True
    tensors_first, check = 0, staticmethod(_one_tensor)
class BitwiseAnd(Bitwise):
    """Bitwise AND of integers; logical AND of bool.

    >>> import minigrad
    >>> bin(minigrad.bitwise_and(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b1000'
    """
    aten = "bitwise_and.{other}"
    forward = np.bitwise_and
class BitwiseOr(Bitwise):
    """Bitwise OR of integers; logical OR of bool.

    >>> import minigrad
    >>> bin(minigrad.bitwise_or(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b1110'
    """
    aten = "bitwise_or.{other}"
    forward = np.bitwise_or
class BitwiseXor(Bitwise):
    """Bitwise XOR of integers and bool.

    >>> import minigrad
    >>> bin(minigrad.bitwise_xor(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b110'
    """
    aten = "bitwise_xor.{other}"
    forward = np.bitwise_xor
class BitwiseNot(Op):
    """Bitwise NOT of integers; logical NOT of bool.

    >>> import minigrad
    >>> minigrad.bitwise_not(minigrad.tensor([0, 5]))
    tensor([-1, -6])
    """
    out_dtype, never_recorded = "operand", True
    batch = pointwise
    forward = np.invert
class BitwiseLeftShift(Bitwise):
    """Shift the bits of x left by y: x 2ʸ; 0 where y is negative or at least the width of the dtype.

    >>> import minigrad
    >>> minigrad.bitwise_left_shift(minigrad.tensor([1, 3]), minigrad.tensor([4, 1]))
    tensor([16,  6])
    """
    aten = "bitwise_left_shift.{both}"
    kernel = "lshift_cpu"
    def forward(x, y): return _no_bools(x, y) or np.left_shift(x, y)
class BitwiseRightShift(Bitwise):
    """Shift the bits of x right by y: x / 2ʸ, rounded down; only the sign remains where y is negative or at least the width of the dtype.

    >>> import minigrad
    >>> minigrad.bitwise_right_shift(minigrad.tensor([17, -17]), 2)
    tensor([ 4, -5])
    """
    aten = "bitwise_right_shift.{both}"
    kernel = "rshift_cpu"
    def forward(x, y): return _no_bools(x, y) or np.right_shift(x, y)
class Gcd(Compare):
    """The greatest common divisor of two integers, never negative.

    >>> import minigrad
    >>> minigrad.gcd(minigrad.tensor([12, -8]), minigrad.tensor([18, 12]))
    tensor([6, 4])
    """
    forward, tensors_first, never_recorded = np.gcd, 2, True
class Lcm(Compare):
    """The least common multiple of two integers, never negative.

    >>> import minigrad
    >>> minigrad.lcm(minigrad.tensor([4, -6]), minigrad.tensor([6, 9]))
    tensor([12, 18])
    """
    forward, tensors_first, never_recorded = np.lcm, 2, True

bitwise_and, bitwise_and_ = compare(BitwiseAnd), elementwise_(BitwiseAnd)
bitwise_or, bitwise_or_ = compare(BitwiseOr), elementwise_(BitwiseOr)
bitwise_xor, bitwise_xor_ = compare(BitwiseXor), elementwise_(BitwiseXor)
_bitwise_not, bitwise_not_ = op(BitwiseNot), elementwise_(BitwiseNot)
bitwise_left_shift, bitwise_left_shift_ = compare(BitwiseLeftShift), elementwise_(BitwiseLeftShift)
bitwise_right_shift, bitwise_right_shift_ = compare(BitwiseRightShift), elementwise_(BitwiseRightShift)
gcd, gcd_ = compare(Gcd), elementwise_(Gcd)
lcm, lcm_ = compare(Lcm), elementwise_(Lcm)

__and__ = __rand__ = composite(compare(BitwiseAnd, operator="__and__"))
__or__ = __ror__ = composite(compare(BitwiseOr, operator="__or__"))
__xor__ = __rxor__ = composite(compare(BitwiseXor, operator="__xor__"))
__lshift__, __rshift__ = compare(BitwiseLeftShift, operator="__lshift__"), compare(BitwiseRightShift, operator="__rshift__")


def __rlshift__(input, other):
    """``other << input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return bitwise_left_shift(other, input)


def __rrshift__(input, other):
    """``other >> input``."""
    if isinstance(other, np.ndarray):
        other = array_beside(input, other)
    return bitwise_right_shift(other, input)


def __invert__(input):
    """``~input``, for integers and bool."""
    if input._array.dtype.kind not in "iub":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return _bitwise_not(input)


# Kinds of numbers ----------------------------------------------------------------------------------------------------------


class IsNan(Op):
    """Whether the element is nan.

    >>> import minigrad
    >>> minigrad.isnan(minigrad.tensor([1., float("inf"), float("nan")]))
    tensor([False, False,  True])
    """
    batch = pointwise
    forward, public, truth = np.isnan, "isnan", True
class IsInf(Op):
    """Whether the element is infinite.

    >>> import minigrad
    >>> minigrad.isinf(minigrad.tensor([1., float("-inf"), float("nan")]))
    tensor([False,  True, False])
    """
    batch = pointwise
    forward, public, truth = np.isinf, "isinf", True
class IsFinite(Op):
    """Whether the element is neither infinite nor nan.

    >>> import minigrad
    >>> minigrad.isfinite(minigrad.tensor([1., float("inf"), float("nan")]))
    tensor([ True, False, False])
    """
    batch = pointwise
    forward, public, truth = np.isfinite, "isfinite", True
class IsReal(Op):
    """Whether the imaginary part is zero.

    >>> import minigrad
    >>> minigrad.isreal(minigrad.tensor([1 + 0j, 1j]))
    tensor([ True, False])
    """
    batch = pointwise
    public, truth = "isreal", True
    def forward(x): return np.isreal(x)
class IsPosInf(Op):
    """Whether the element is +inf."""
    batch = pointwise
    public = "isposinf"
    def forward(x): return x == np.inf if x.dtype.kind in "fV" else np.zeros(x.shape, bool)
class IsNegInf(Op):
    """Whether the element is -inf."""
    batch = pointwise
    public = "isneginf"
    def forward(x): return x == -np.inf if x.dtype.kind in "fV" else np.zeros(x.shape, bool)
class Signbit(Op):
    """Whether the sign bit is set: negative, or -0."""
    batch = pointwise
    def forward(x): return np.signbit(x) if x.dtype.kind in "fV" else x < 0 if x.dtype.kind == "i" else np.zeros(x.shape, bool)

isnan, isinf, isfinite, isreal = op(IsNan), op(IsInf), op(IsFinite), op(IsReal)
_isposinf, _isneginf, _signbit = op(IsPosInf), op(IsNegInf), op(Signbit)


def _no_complex(name, input):
    if isinstance(input, Tensor) and is_complex_type(input._array.dtype):
        raise RuntimeError(f"{name} does not support complex inputs.")


def _bool_out(name, out):
    if out is not None and out.dtype is not dtypes.bool_:
        raise RuntimeError(f"{name} does not support non-boolean outputs.")


def logical_not(input, *, out=None):
    """Return whether each element is zero; of any dtype.

    >>> import minigrad
    >>> minigrad.logical_not(minigrad.tensor([0, 3]))
    tensor([ True, False])
    """
    return _logical_not(input) if out is None else _logical_not.into(out, input)


def bitwise_not(input, *, out=None):
    """Bitwise NOT of integers; logical NOT of bool.

    >>> import minigrad
    >>> minigrad.bitwise_not(minigrad.tensor([0, 3]))
    tensor([-1, -4])
    """
    return _bitwise_not(input) if out is None else _bitwise_not.into(out, input)


def isposinf(input, *, out=None):
    """Return whether each element is +inf; not for complex.

    >>> import minigrad
    >>> minigrad.isposinf(minigrad.tensor([1., float("inf")]))
    tensor([False,  True])
    """
    _no_complex("isposinf", input)
    _bool_out("isposinf", out)
    return _isposinf(input) if out is None else _isposinf.into(out, input)


def isneginf(input, *, out=None):
    """Return whether each element is -inf; not for complex.

    >>> import minigrad
    >>> minigrad.isneginf(minigrad.tensor([1., -float("inf")]))
    tensor([False,  True])
    """
    _no_complex("isneginf", input)
    _bool_out("isneginf", out)
    return _isneginf(input) if out is None else _isneginf.into(out, input)


def signbit(input, *, out=None):
    """Return whether the sign bit of each element is set, that of -0 too; not for complex.

    >>> import minigrad
    >>> minigrad.signbit(minigrad.tensor([1., -0.]))
    tensor([False,  True])
    """
    if isinstance(input, Tensor) and is_complex_type(input._array.dtype):
        raise NotImplementedError("signbit is not implemented for complex tensors.")
    _bool_out("signbit", out)
    return _signbit(input) if out is None else _signbit.into(out, input)


# Nearly equal --------------------------------------------------------------------------------------------------------------


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Return whether ``|input - other| <= atol + rtol * |other|``, elementwise; equal infinities are close.

    Raises RuntimeError for operands of different dtypes and for negative tolerances.

    >>> import minigrad
    >>> minigrad.isclose(minigrad.tensor([1., 2.]), minigrad.tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
    for place, (name, x) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor("isclose", name, place, x)
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{dtype_name(input)} did not match {dtype_name(other)}")
    if not rtol >= 0:
        raise RuntimeError(f"rtol must be greater than or equal to zero, but got {rtol}")
    if not atol >= 0:
        raise RuntimeError(f"atol must be greater than or equal to zero, but got {atol}")
    return _isclose(input, other, rtol, atol, equal_nan)


class IsClose(Op):
    """|x - y| <= atol + rtol |y|, or x == y, or both nan where nan may equal nan."""
    operands, broadcasts, public = "x y", True, "isclose"
    def forward(x, y, rtol, atol, equal_nan):
        close = x == y
        if equal_nan and x.dtype.kind in "fc":
            close = close | (np.isnan(x) & np.isnan(y))
        if rtol == 0 and atol == 0:
            return close
        if x.dtype.kind in "iub":
            x, y = x.astype(np.float64), y.astype(np.float64)
        allowed = atol + np.absolute(rtol * y)
        error = np.absolute(x - y)
        return close | (np.isfinite(error) & (error <= allowed))
_isclose = op(IsClose)


@composite
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Return whether all elements are close, as a Python bool; see ``isclose``.

    >>> import minigrad
    >>> minigrad.allclose(minigrad.tensor([1.]), minigrad.tensor([1.000001]))
    True
    """
    close = one_value(isclose(input, other, rtol, atol, equal_nan), _NO_ALLCLOSE)
    return bool(close.all()) if close.is_meta else bool(close._array.all())


_NO_ALLCLOSE = (
    "vmap over torch.allclose isn't supported yet. It gives one bool for all samples: use torch.isclose(...).all(), which "
    "gives one for each."
)


@composite
def equal(input, other):
    """Return whether two tensors have the same shape and elements, as a Python bool.

    >>> import minigrad
    >>> minigrad.equal(minigrad.tensor([1, 2]), minigrad.tensor([1, 2]))
    True
    """
    for place, (name, x) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(x, Tensor):
            raise not_a_tensor("equal", name, place, x)
    if isinstance(input, Wrapped) or isinstance(other, Wrapped):
        why = no_fallback("equal")
        input, other = one_value(input, why), one_value(other, why)
    x, y = input._array, other._array
    if is_blank(x) or is_blank(y):
        raise late.meta().unsupported("equal")
    kernel = "equal_notnan_cpu" if x is y else "equal_cpu"
    return x.shape == y.shape and bool((refuse_packed(x, kernel) == y).all())


@composite
def is_nonzero(input):
    """Return whether the only element is not zero; raises RuntimeError if there are more or none.

    >>> import minigrad
    >>> minigrad.is_nonzero(minigrad.tensor([0.]))
    False
    """
    need_tensors("is_nonzero", input=input)
    return bool(input)
