"""One of several values, element by element: where, clamp, maximum and their kin."""

import warnings

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.dtypes import c_name, dtype_name, is_complex_type
from .._base.errors import not_a_tensor, type_name
from .._core.families import Binary, General, Pointwise, Unary, binary, fast_classes, number, op
from .._core.inplace import at_once, elementwise_, fits, op_
from .._core.interpret import in_dtype, promotion_rank
from .._core.out import check_operand_dtype, write_out
from .._core.tensor import Tensor, bump
from .._core.wrapped import one_value
from .batches import no_shape, pointwise
from .convert import as_dtype, as_number
from .operands import NUMBERS, as_common, as_common_tensors, refuse_shapes
from .scalars import as_limit, as_real, as_scalar

__all__ = [
    "clamp", "clamp_", "clamp_max", "clamp_max_", "clamp_min", "clamp_min_", "clip", "clip_", "fmax",
    "fmin", "maximum", "minimum", "nan_to_num", "nan_to_num_", "where",
]
METHODS = (
    "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum nan_to_num "
    "nan_to_num_ where=where_method"
)


# where -------------------------------------------------------------------------------------------


class WhereBackward0(General):
    """z = x where c holds, else y."""
    aten = "where.self"
    batch = pointwise
    operands, names, conditions = "c x y", {"c": "condition", "x": "self", "y": "other", "z": "result"}, 1
    refuse = staticmethod(refuse_shapes)
    def forward(c, x, y):         return kernels.where(c, x, y)
    def vjp_x(xp, g, c, x_shape): return xp.sum_to(xp.keep(g, c), x_shape)
    def vjp_y(xp, g, c, y_shape): return xp.sum_to(xp.keep(g, xp.logical_not(c)), y_shape)
_where = op(WhereBackward0)


def as_condition(condition, name="where"):
    """``condition`` if it is a bool tensor; a uint8 one as bool, with a warning; raises RuntimeError for others."""
    if condition.dtype is dtypes.bool_:
        return condition
    if condition.dtype is not dtypes.uint8:
        raise RuntimeError(
            f"{name} expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtype_name(condition)}"
        )
    warnings.warn(
        f"{name} received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version "
        "of PyTorch. Use a boolean condition instead.",
        stacklevel=level_of_user(),
    )
    return as_dtype(condition, dtypes.bool_)


def where(condition, input=None, other=None, *, out=None):
    """Return ``input`` where ``condition`` is true, and ``other`` elsewhere; all three broadcast, and ``input`` and ``other`` may be numbers.

    Given the condition alone, returns the indices where it is true, as ``nonzero(as_tuple=True)`` does.

    >>> import minigrad
    >>> x = minigrad.tensor([-1., 2.])
    >>> minigrad.where(x > 0, x, 0.)
    tensor([0., 2.])
    """
    x = _fitting(input, other._array.dtype) if input.__class__ not in fast_classes and other.__class__ in fast_classes else input
    y = _fitting(other, input._array.dtype) if other.__class__ not in fast_classes and input.__class__ in fast_classes else other
    tensors = x.__class__ in fast_classes and y.__class__ in fast_classes and condition.__class__ in fast_classes
    if tensors and out is None and x._array.dtype is y._array.dtype and condition._array.dtype is _BOOL:
        return _where(condition, x, y)
    if not isinstance(condition, Tensor):
        raise not_a_tensor("where", "condition", 1, condition)
    if input is None and other is None:
        return one_value(condition, no_shape("where")).nonzero(as_tuple=True)
    if not isinstance(input, (Tensor, *NUMBERS)) or not isinstance(other, (Tensor, *NUMBERS)):
        got = ", ".join(["Tensor", *[type_name(v) for v in (input, other) if v is not None]])
        raise TypeError(
            f"where() received an invalid combination of arguments - got ({got}), but "
            "expected one of:\n * (Tensor condition)\n * (Tensor condition, Tensor input, Tensor other, *, Tensor out = None)\n"
            " * (Tensor condition, Number self, Tensor other)\n * (Tensor condition, Tensor input, Number other)\n"
            " * (Tensor condition, Number self, Number other)"
        )
    condition = as_condition(condition)
    kinds = input.__class__, other.__class__, condition.__class__
    if out is None and all(kind in fast_classes for kind in kinds) and input.dtype is not other.dtype:
        common = dtypes.result_dtype([promotion_rank(input), promotion_rank(other)])
        return in_dtype(WhereBackward0, (condition, input, other), (), common)
    input, other = as_common_tensors(input, other)
    if isinstance(out, Tensor) and out.dtype is not input.dtype:
        names = [dtypes.scalar_type_name(x.dtype) for x in (input, out)]
        raise RuntimeError("Expected out type to be {} but got {}".format(*names))
    return _where(condition, input, other) if out is None else _where.into(out, condition, input, other)


def _fitting(value, dtype):
    """As ``number``; raises RuntimeError for an integer out of the range of ``dtype``, which would wrap around."""
    if value.__class__ is int and dtype.kind in "iu":
        as_number(value, dtype)
    return number(value, dtype)


_BOOL = np.dtype(bool)


def where_method(input, condition, other):
    """Return the tensor where ``condition`` is true, and ``other`` elsewhere.

    Shapes broadcast, dtypes promote; ``other`` may be a number.

    >>> import minigrad
    >>> x = minigrad.tensor([-1., 2.])
    >>> x.where(x > 0, 0.)
    tensor([0., 2.])
    """
    return where(condition, input, other)


# clamp ---------------------------------------------------------------------------------------------------------------------


class ClampBackward0(Pointwise):
    """z = min(max(x, lo), hi) for tensors lo, hi, either of which may be None; hi wins where lo > hi; nan stays nan."""
    aten = "clamp.Tensor"
    operands, names, optional_from = "x lo hi", {"x": "self", "lo": "min", "hi": "max", "z": "result"}, 1
    ordered, public, kernel = True, "clamp", "maximum_cpu"
    def forward(x, lo, hi):
        if x.dtype.kind == "c": raise NotImplementedError("clamp is not supported for complex types")
        if x.dtype.kind == "b":
            if lo is None: return np.minimum(x, hi)
            if hi is None: return np.maximum(x, lo)
            raise NotImplementedError("\"clamp_cpu\" not implemented for 'Bool'")
        return kernels.clamp(x, lo, hi)
    def check(x, lo, hi):
        if isinstance(x, Tensor) and is_complex_type(x._array.dtype):
            raise NotImplementedError("clamp is not supported for complex types")
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
    costly = False
    floats, public = False, "clamp"
    names = {"x": "self", "lo": "min", "hi": "max"}
    def forward(x, lo, hi): return kernels.clamp(x, lo, hi)
    def vjp(xp, g, x, lo, hi):
        if lo is None: return xp.keep(g, x <= hi)
        return xp.keep(g, x >= lo if hi is None else (x >= lo) & (x <= hi))
_clamp, _clamp_ = op(ClampBackward1), op_(ClampBackward1)


def clamp(input, min=None, max=None, *, out=None):
    """Limit each element to [min, max], each a number, a tensor or None; ``max`` wins if the limits cross, and nan stays nan.

    Raises RuntimeError if both are None.

    >>> import minigrad
    >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    numbers = (min is None or min.__class__ in _REAL) and (max is None or max.__class__ in _REAL) and min is not max
    if numbers and out is None and input.__class__ in fast_classes and input._array.dtype.char in "fd":
        return _clamp(input, min, max)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    min, max = _limits(input, min, max)
    if out is not None:
        if not (isinstance(min, Tensor) or isinstance(max, Tensor)):
            check_operand_dtype(out, input)
        return write_out(out, clamp, input, min, max)
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _clamp_tensors(input, min, max)
    return _clamp(_clampable(input, min, max), min, max)


_REAL, _LIMITS = {int, float}, {int, float, type(None)}


def _limits(input, min, max):
    """The limits, both tensors or both numbers; a 0-dim tensor beside a number is one as well."""
    limits = [limit for limit in (min, max) if limit is not None]
    if all(isinstance(limit, Tensor) for limit in limits):
        return min, max
    read = as_limit if isinstance(input, Tensor) and input.is_floating_point() else as_scalar
    return tuple([None if x is None else read(x, "clamp", name, i) for i, (name, x) in enumerate((("min", min), ("max", max)), 2)])


def _clampable(input, *limits):
    if not isinstance(input, Tensor):
        raise not_a_tensor("clamp", "input", 1, input)
    limits = [limit for limit in limits if limit is not None]
    if input._array.dtype.kind == "f" and not any(isinstance(limit, complex) for limit in limits):
        if input._array.itemsize == 2:
            for limit in limits:
                as_number(limit, input._array.dtype, bounded=True)
        return input
    input = as_common(input, *limits)
    if input._array.dtype.kind in "iu":
        for limit in limits:
            as_number(limit, input._array.dtype)
    if is_complex_type(input._array.dtype):
        raise NotImplementedError("clamp is not supported for complex types")
    return input


def clamp_(input, min=None, max=None):
    """In-place version of ``clamp``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 0.5, 2.]).clamp_(0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    min, max = _limits(input, min, max)
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _clamp_tensors_(input, min, max)
    if at_once(input) and input._array.dtype.kind == "f" and {min.__class__, max.__class__} <= _LIMITS:
        x = input._array
        if x.itemsize == 2:
            _clampable(input, min, max)
        if min is not None:
            np.maximum(x, kernels.constant(min, x.dtype), out=x)
        if max is not None:
            np.minimum(x, kernels.constant(max, x.dtype), out=x)
        bump(input)
        return input
    wide = _clampable(input, min, max).dtype
    if not dtypes.can_cast(wide, input.dtype):
        raise RuntimeError(
            f"result type {dtypes.scalar_type_name(wide)} can't be cast to the desired output type {c_name(input.dtype)}"
        )
    return _clamp_(input, min, max)


clip, clip_ = clamp, clamp_


class ClampMinBackward0(Unary):
    """z = max(x, lo) for a number lo; the gradient passes where x >= lo."""
    costly = False
    floats, names = False, {"x": "self", "lo": "min"}
    def forward(x, lo):    return kernels.clamp(x, lo, None)
    def vjp(xp, g, x, lo): return xp.keep(g, x >= lo)
class ClampMaxBackward0(Unary):
    """z = min(x, hi) for a number hi; the gradient passes where x <= hi."""
    costly = False
    floats, names = False, {"x": "self", "hi": "max"}
    def forward(x, hi):    return kernels.clamp(x, None, hi)
    def vjp(xp, g, x, hi): return xp.keep(g, x <= hi)
class ClampMinBackward1(Binary):
    """z = max(x, lo) for a tensor lo; where they are equal the gradient goes to x."""
    aten = "clamp_min.Tensor"
    names, ordered, kernel = {"x": "self", "y": "min", "z": "result"}, True, "maximum_cpu"
    forward = np.maximum
    def vjp_x(xp, g, x, y): return xp.keep(g, x >= y)
    def vjp_y(xp, g, x, y): return xp.keep(g, x < y)
class ClampMaxBackward1(Binary):
    """z = min(x, hi) for a tensor hi; where they are equal the gradient goes to x."""
    aten = "clamp_max.Tensor"
    names, ordered, kernel = {"x": "self", "y": "max", "z": "result"}, True, "minimum_cpu"
    forward = np.minimum
    def vjp_x(xp, g, x, y): return xp.keep(g, x <= y)
    def vjp_y(xp, g, x, y): return xp.keep(g, x > y)
_clamp_min, _clamp_min_ = op(ClampMinBackward0), op_(ClampMinBackward0)
_clamp_max, _clamp_max_ = op(ClampMaxBackward0), op_(ClampMaxBackward0)
_clamp_min_tensor, _clamp_min_tensor_ = binary(ClampMinBackward1), elementwise_(ClampMinBackward1)
_clamp_max_tensor, _clamp_max_tensor_ = binary(ClampMaxBackward1), elementwise_(ClampMaxBackward1)


def clamp_min(input, min, *, out=None):
    """Limit each element to at least ``min``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_min(minigrad.tensor([-1., 2.]), 0)
    tensor([0., 2.])
    """
    if isinstance(min, Tensor):
        return _clamp_min_tensor(input, min, out=out)
    min = as_scalar(min, "clamp_min", "min", 2)
    if out is not None:
        check_operand_dtype(out, input)
        return write_out(out, clamp_min, input, min)
    return _clamp_min(_clampable(input, min), min)


def clamp_max(input, max, *, out=None):
    """Limit each element to at most ``max``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_max(minigrad.tensor([-1., 2.]), 0)
    tensor([-1.,  0.])
    """
    if isinstance(max, Tensor):
        return _clamp_max_tensor(input, max, out=out)
    max = as_scalar(max, "clamp_max", "max", 2)
    if out is not None:
        check_operand_dtype(out, input)
        return write_out(out, clamp_max, input, max)
    return _clamp_max(_clampable(input, max), max)


def clamp_min_(input, min):
    """In-place version of ``clamp_min``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 2.]).clamp_min_(0)
    tensor([0., 2.])
    """
    if isinstance(min, Tensor):
        return _clamp_min_tensor_(input, min)
    min = as_scalar(min, "clamp_min", "min", 2)
    fits(ClampMinBackward0, input, _clampable(input, min).dtype, input._array.shape)
    return _clamp_min_(input, min)


def clamp_max_(input, max):
    """In-place version of ``clamp_max``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 2.]).clamp_max_(0)
    tensor([-1.,  0.])
    """
    if isinstance(max, Tensor):
        return _clamp_max_tensor_(input, max)
    max = as_scalar(max, "clamp_max", "max", 2)
    fits(ClampMaxBackward0, input, _clampable(input, max).dtype, input._array.shape)
    return _clamp_max_(input, max)


# The greater and the less --------------------------------------------------------------------------------------------------


def _check_ordered(name):
    def check(x, y):
        if any(isinstance(v, Tensor) and is_complex_type(v._array.dtype) for v in (x, y)):
            raise RuntimeError(f"{name} not implemented for complex tensors.")

    return staticmethod(check)


class MaximumBackward0(Binary):
    """The maximum of two tensors, element by element: z = the greater of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

    >>> import minigrad
    >>> minigrad.maximum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
    tensor([2., nan])
    """
    tensors_first, ordered = 2, True
    forward, check = np.maximum, _check_ordered("maximum")
    def vjp_x(xp, g, x, y): return xp.drop(xp.where(x == y, g / 2, g), x < y)
    def vjp_y(xp, g, x, y): return xp.drop(xp.where(x == y, g / 2, g), x > y)
class MinimumBackward0(Binary):
    """The minimum of two tensors, element by element: z = the less of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

    >>> import minigrad
    >>> minigrad.minimum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
    tensor([1., nan])
    """
    tensors_first, ordered = 2, True
    forward, check = np.minimum, _check_ordered("minimum")
    def vjp_x(xp, g, x, y): return xp.drop(xp.where(x == y, g / 2, g), x > y)
    def vjp_y(xp, g, x, y): return xp.drop(xp.where(x == y, g / 2, g), x < y)
class FmaxBackward0(Binary):
    """The maximum of two tensors that ignores nan, element by element: z = the greater of x and y, or the one that is no nan; of equal ones x takes the gradient.

    >>> import minigrad
    >>> minigrad.fmax(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
    tensor([2., 3.])
    """
    tensors_first, ordered = 2, True
    forward, check = np.fmax, _check_ordered("fmax")
    def vjp_x(xp, g, x, y): return xp.drop(g, xp.logical_not((x >= y) | xp.isnan(y)))
    def vjp_y(xp, g, x, y): return xp.drop(g, (x >= y) | xp.isnan(y))
class FminBackward0(Binary):
    """The minimum of two tensors that ignores nan, element by element: z = the less of x and y, or the one that is no nan; of equal ones x takes the gradient.

    >>> import minigrad
    >>> minigrad.fmin(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
    tensor([1., 3.])
    """
    tensors_first, ordered = 2, True
    forward, check = np.fmin, _check_ordered("fmin")
    def vjp_x(xp, g, x, y): return xp.drop(g, xp.logical_not((x <= y) | xp.isnan(y)))
    def vjp_y(xp, g, x, y): return xp.drop(g, (x <= y) | xp.isnan(y))
maximum, minimum = binary(MaximumBackward0), binary(MinimumBackward0)
fmax, fmin = binary(FmaxBackward0), binary(FminBackward0)


# Numbers instead of nan ------------------------------------------------------------------------------------------------------


class NanToNumBackward0(Unary):
    """z = x with numbers for nan and the infinities; no gradient passes there."""
    floats = False
    def forward(x, nan, posinf, neginf): return kernels.nan_to_num(x, nan, posinf, neginf)
    def vjp(xp, g, x): return xp.keep(g, xp.isfinite(x))
_nan_to_num, _nan_to_num_ = op(NanToNumBackward0), elementwise_(NanToNumBackward0)


def nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None):
    """Replace nan by ``nan`` (0), and the infinities by ``posinf`` and ``neginf`` (the greatest and least numbers of the dtype).

    >>> import minigrad
    >>> minigrad.nan_to_num(minigrad.tensor([1., float("nan"), float("inf")]), posinf=9.)
    tensor([1., 0., 9.])
    """
    nan, posinf, neginf = _replacements("nan_to_num", nan, posinf, neginf)
    if out is not None:
        if isinstance(out, Tensor) and out.dtype is not input.dtype:
            names = [dtypes.scalar_type_name(x.dtype) for x in (out, input)]
            raise RuntimeError("nan_to_num: dtype of out: {} should be same as input: {}".format(*names))
        return _nan_to_num.into(out, input, nan, posinf, neginf)
    return _nan_to_num(input, nan, posinf, neginf)


def nan_to_num_(input, nan=0.0, posinf=None, neginf=None):
    """In-place version of ``nan_to_num``.

    >>> import minigrad
    >>> minigrad.tensor([float("nan"), 1.]).nan_to_num_(9.)
    tensor([9., 1.])
    """
    return _nan_to_num_(input, *_replacements("nan_to_num_", nan, posinf, neginf))


def _replacements(function, *values):
    """The numbers that take the place of nan and the infinities; raises TypeError for what is none."""
    return [
        value if value is None or value.__class__ is float else float(value) if value.__class__ is int else as_real(value, function, name, place)
        for place, (name, value) in enumerate(zip(("nan", "posinf", "neginf"), values), 2)
    ]
