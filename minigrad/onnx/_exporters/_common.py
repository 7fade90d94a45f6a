"""What translations of several families use: dtypes of results, dimensions, numbers."""

import functools
from typing import Any

from ... import _api
from ..._base import dtypes
from ...export import _sizes
from .._builder import Builder, Size, Value
from ..errors import ConversionError


def promoted(*operands: Any) -> Any:
    """The dtype to which values and numbers are promoted together."""
    stand_ins = [_stand_in(x) for x in operands]
    tensors = [x for x in stand_ins if isinstance(x, _api.Tensor)]
    if len(stand_ins) == 1:
        return tensors[0].dtype
    return functools.reduce(_promote, stand_ins).dtype


def _stand_in(x: Any) -> Any:
    if isinstance(x, Value):
        return _api.empty((1,) * len(x.shape), dtype=x.dtype)
    return type(x.values_of_runs[0])(1) if isinstance(x, Size) else x


def _promote(a: Any, b: Any) -> Any:
    dims = max(x.dim() if isinstance(x, _api.Tensor) else 0 for x in (a, b))
    return _api.empty((1,) * dims, dtype=_api.result_type(a, b))


def together(g: Builder, *operands: Any) -> Any:
    """Values and numbers in the dtype to which they are promoted."""
    dtype = promoted(*operands)
    return [g.constant(x, dtype) for x in operands]


def result_dtype(g: Builder, default: Any = None) -> Any:
    """The dtype of what the operator returned when it was recorded."""
    return default if g.result is None else g.result.dtype


def result_shape(g: Builder) -> Any:
    """The shape of what the operator in hand returns."""
    return g.result_shape


def axis_of(x: Value, dim: int) -> int:
    """A dimension counted from the front."""
    return dim % len(x.shape) if x.shape else 0


def axes_of(x: Value, dim: Any) -> Any:
    """Dimensions counted from the front; None for all."""
    if dim is None or dim == [] or dim == ():
        return None
    return [axis_of(x, d) for d in (dim if isinstance(dim, (tuple, list)) else [dim])]


def floating(g: Builder, x: Any) -> Any:
    """A value in the dtype of the result, which is a float."""
    return g.constant(x, result_dtype(g, x.dtype))


def fixed(g: Builder, x: Value, *axes: int) -> Any:
    """The sizes of these dimensions, which have to be numbers: ConversionError if they may differ."""
    sizes = [x.shape[a] for a in axes]
    for axis, size in zip(axes, sizes):
        if isinstance(size, Size):
            raise ConversionError(
                f"{g.operator} needs to know the size of dimension {axis}, which is dynamic"
            )
    return sizes


def least(one: Any, other: Any) -> Any:
    """The less of two numbers or sizes."""
    dynamic = isinstance(one, Size) or isinstance(other, Size)
    return _sizes.combined("Min", one, other) if dynamic else min(one, other)


def greatest(one: Any, other: Any) -> Any:
    """The greater of two numbers or sizes."""
    dynamic = isinstance(one, Size) or isinstance(other, Size)
    return _sizes.combined("Max", one, other) if dynamic else max(one, other)


def counted(g: Builder, count: Any) -> Value:
    """0, 1, 2 and so on: as many int64 numbers as a number or a size says."""
    if isinstance(count, int):
        return g.constant(_api.arange(count))
    return g.op("Range", g.constant(0, dtypes.int64), g.constant(count, dtypes.int64), 1)


def places_of_windows(
    g: Builder, length: Any, size: Any, step: Any = 1, dilation: Any = 1
) -> tuple[Value, Any]:
    """Where the elements of windows are, (windows, elements of each), and how many windows there are."""
    count = (length - (size - 1) * dilation - 1) // step + 1
    if all(isinstance(x, int) for x in (length, size, step)):
        starts = _api.arange(count)[:, None] * step
        return g.constant(starts + _api.arange(size) * dilation), count
    starts = g.op("Mul", counted(g, count), step)
    return g.op("Add", g.unsqueeze(starts, 1), g.op("Mul", counted(g, size), dilation)), count


def several(sizes: Any, count: int) -> list[Any]:
    """A number for each dimension: one number for all, or one for each."""
    if not isinstance(sizes, (tuple, list)):
        return [sizes] * count
    return [*sizes] * count if len(sizes) == 1 else [*sizes]


def refuse(what: str, because: str = "has no form in ONNX") -> ConversionError:
    """The error for what cannot be said in ONNX."""
    return ConversionError(f"{what} {because}")


def varargs(values: Any) -> list[Any]:
    """Sizes that were given as one sequence or as several arguments."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = values[0]
    return [*values]
