"""Facts about dtypes, shapes and strides that libraries import from ``torch._prims_common``."""

import math
from enum import Enum
from functools import reduce
from typing import TypeAlias

from . import _api
from ._api import Tensor, broadcast_shapes, device, get_default_dtype
from ._arrays.memory_layout import contiguous_strides
from ._base import dtypes
from ._base.errors import axis
from ._base.size import Size

ShapeType: TypeAlias = Size | list[int] | tuple[int, ...]
StrideType: TypeAlias = list[int] | tuple[int, ...]
DimsType: TypeAlias = int | list[int] | tuple[int, ...]
DimsSequenceType: TypeAlias = list[int] | tuple[int, ...]
NumberType: TypeAlias = bool | int | float | complex
RealNumberType: TypeAlias = bool | int | float
NumberTypeType: TypeAlias = type[bool] | type[int] | type[float] | type[complex]
DeviceLikeType: TypeAlias = str | device | int
TensorLikeType = TensorLike = Tensor
TensorSequenceType: TypeAlias = list[Tensor] | tuple[Tensor, ...]
Number = (bool, int, float, complex)
Dim = int
_HALF = dtypes.complex32
IntLike, FloatLike, BoolLike = (int,), (float,), (bool,)


# Dtypes ----------------------------------------------------------------------------------------------------------------------


def is_boolean_dtype(dtype):
    """Whether the dtype is bool."""
    return dtype is dtypes.bool_


def is_integer_dtype(dtype):
    """Whether the dtype is one of integers."""
    return not (dtype.is_floating_point or dtype.is_complex or dtype is dtypes.bool_)


def is_float_dtype(dtype):
    """Whether the dtype is a real floating one."""
    return dtype.is_floating_point


def is_complex_dtype(dtype):
    """Whether the dtype is complex."""
    return dtype.is_complex


def is_low_precision_dtype(dtype):
    """Whether the dtype is a floating-point dtype of 16 bits."""
    return dtype in (dtypes.float16, dtypes.bfloat16)


def is_grad_dtype(dtype):
    """Whether tensors of the dtype can require grad."""
    return dtype.is_floating_point or dtype.is_complex


def corresponding_real_dtype(dtype):
    """The dtype of the parts of a complex dtype."""
    return dtypes.float16 if dtype is _HALF else dtype.to_real()


def corresponding_complex_dtype(dtype):
    """The complex dtype whose parts have the dtype."""
    return _HALF if dtype is dtypes.float16 else dtype.to_complex()


def get_computation_dtype(dtype):
    """The dtype to compute in: float32 for floating ones of 16 bits."""
    if dtype is _HALF:
        return dtypes.complex64
    return dtypes.float32 if is_low_precision_dtype(dtype) else dtype


def dtype_to_type(dtype):
    """The type of Python's numbers for a dtype."""
    if dtype is dtypes.bool_:
        return bool
    return complex if dtype.is_complex else float if dtype.is_floating_point else int


def type_to_dtype(typ):
    """The dtype for a type of Python's numbers; raises ValueError for another type."""
    if not isinstance(typ, type) or typ not in Number:
        raise ValueError(f"Invalid type {typ}!")
    default = get_default_dtype()
    return {bool: dtypes.bool_, int: dtypes.int64, float: default}.get(typ) or default.to_complex()


def number_type(x):
    """The type of a number."""
    return type(x)


def get_higher_dtype(a, b):
    """The dtype of what is computed of tensors, dtypes or numbers a and b; None stands for no operand."""
    found = [_dtype(x) for x in (a, b) if x is not None]
    return reduce(_api.promote_types, found) if found else None


def _dtype(x):
    return x if isinstance(x, dtypes.dtype) else x.dtype if isinstance(x, Tensor) else type_to_dtype(type(x))


def dtype_or_default(dtype):
    """The dtype, or the default one for None."""
    return get_default_dtype() if dtype is None else dtype


def device_or_default(device):
    """The device, or the CPU for None."""
    return _api.device("cpu") if device is None else device


class ELEMENTWISE_TYPE_PROMOTION_KIND(Enum):
    """How the dtype of an elementwise result follows from those of the operands."""

    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


def _outweighed(first, second):
    """The dtype of operands of ``first`` beside others of ``second`` that count less: it changes the kind, not the precision."""
    if first.is_complex or (first.is_floating_point and not second.is_complex):
        return first
    if first.is_floating_point:
        return corresponding_complex_dtype(first)
    return _api.promote_types(first, second) if first is dtypes.bool_ or is_grad_dtype(second) else first


def elementwise_dtypes(*_args, type_promotion_kind):
    """The dtype to compute in and that of the result, for tensors and numbers."""
    kinds = ELEMENTWISE_TYPE_PROMOTION_KIND
    operands = [x for x in _args if x is not None]
    tensors = [x for x in operands if isinstance(x, Tensor)]
    groups = (
        [x for x in tensors if x.ndim],
        [x for x in tensors if not x.ndim],
        [x for x in operands if not isinstance(x, Tensor)],
    )
    common = reduce(_outweighed, [reduce(get_higher_dtype, map(_dtype, group)) for group in groups if group])
    result = common
    if type_promotion_kind is kinds.ALWAYS_BOOL:
        return get_computation_dtype(common), dtypes.bool_
    if type_promotion_kind is kinds.NO_OPMATH:
        return common, common
    if type_promotion_kind is kinds.INT_TO_FLOAT and not is_grad_dtype(common):
        common = result = get_default_dtype()
    if type_promotion_kind is kinds.COMPLEX_TO_FLOAT and common.is_complex:
        result = corresponding_real_dtype(common)
    if type_promotion_kind is kinds.BOOL_TO_LONG and common is dtypes.bool_:
        common = result = dtypes.int64
    return get_computation_dtype(common), result


# Shapes and strides ------------------------------------------------------------------------------------------------------------


def same_shape(a, b):
    """Whether two shapes are the same."""
    return tuple(a) == tuple(b)


is_same_shape = same_shape


def prod(xs):
    """The product of numbers."""
    return math.prod(xs)


def canonicalize_dim(rank, idx, wrap_scalar=True):
    """A dimension counted from the first; raises IndexError if there is none such."""
    return axis(idx, rank)


def canonicalize_dims(rank, indices, wrap_scalar=True):
    """The same for one dimension, or for each of several."""
    if isinstance(indices, int):
        return canonicalize_dim(rank, indices)
    return tuple(canonicalize_dim(rank, each) for each in indices)


def canonicalize_device(device):
    """A device as an object."""
    return _api.device(device)


def reduction_dims(shape, dims):
    """The dimensions to reduce: all for None."""
    return tuple(range(len(shape))) if dims is None else canonicalize_dims(len(shape), tuple(dims))


def compute_reduction_output_shape(shape, dimensions):
    """The shape without some dimensions."""
    return tuple(n for i, n in enumerate(shape) if i not in dimensions)


def infer_size(shape, numel):
    """The shape with -1 replaced by what gives ``numel`` elements; raises RuntimeError if nothing does."""
    return tuple(_api.empty(numel, dtype=dtypes.int8).view(*shape).shape)


def is_expandable_to(shape, desired):
    """Whether a tensor of one shape can be expanded to another."""
    missing = len(desired) - len(shape)
    return missing >= 0 and all(n in (1, wanted) for n, wanted in zip(shape, desired[missing:]))


def infer_size_shapes(a, b):
    """The shape to which both broadcast."""
    return tuple(broadcast_shapes(tuple(a), tuple(b)))


def make_contiguous_strides_for(shape, row_major=True):
    """The strides of a contiguous tensor of a shape; of one whose matrices are transposed unless ``row_major``."""
    if row_major or len(shape) < 2:
        return tuple(contiguous_strides(tuple(shape)))
    strides = contiguous_strides((*shape[:-2], shape[-1], shape[-2]))
    return (*strides[:-2], strides[-1], strides[-2])


def make_channels_last_strides_for(shape):
    """The strides of a tensor of a shape with 3, 4 or 5 dimensions whose channels lie next to each other."""
    strides = contiguous_strides((shape[0], *shape[2:], shape[1]))
    return (strides[0], strides[-1], *strides[1:-1])


make_channels_last_1d_strides_for = make_channels_last_strides_for
make_channels_last_2d_strides_for = make_channels_last_strides_for
make_channels_last_3d_strides_for = make_channels_last_strides_for


def compute_required_storage_length(shape, strides, storage_offset):
    """How many elements a storage needs for a tensor of that shape, strides and offset."""
    if 0 in shape:
        return 0
    return 1 + storage_offset + sum((n - 1) * step for n, step in zip(shape, strides))


def is_contiguous(a):
    """Whether a tensor is contiguous."""
    return a.is_contiguous()


def suggest_memory_format(x):
    """The memory format in which a tensor lies."""
    formats = {4: _api.channels_last, 5: _api.channels_last_3d}
    found = formats.get(x.ndim)
    return found if found is not None and x.is_contiguous(memory_format=found) else _api.contiguous_format


def is_cpu_scalar_tensor(a):
    """Whether ``a`` is a tensor of no dimensions."""
    return isinstance(a, Tensor) and not a.ndim


def clone_preserve_strides(x):
    """A copy with the same strides."""
    return _api.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x)
