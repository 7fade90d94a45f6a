"""``make_tensor``: random tensors of any dtype within limits."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _api
from .._api import Tensor
from .._base.device import device as _device
from .._base.device import memory_format as _memory_format
from .._base.dtypes import ALL, BOOL, COMPLEX, FLOATING, complex32, int64
from .._base.dtypes import dtype as _dtype


def make_tensor(
    *shape: int | Sequence[int],
    dtype: _dtype,
    device: str | _device,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: Any = False,
    exclude_zero: bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """Return a tensor of numbers drawn evenly from ``[low, high)``: if not given, -9 to 9, for integers up to 9, for bools both.

    The limits are clamped to those of the dtype.  ``noncontiguous`` leaves gaps between the elements; ``exclude_zero`` replaces zeros by
    1, or by the smallest normal number.  Raises ValueError for limits that leave no number, TypeError for a dtype without tensors.

    >>> import minigrad
    >>> x = minigrad.testing.make_tensor(2, 3, dtype=minigrad.float32, device="cpu", low=0, high=1)
    >>> x.shape, bool(((x >= 0) & (x < 1)).all())
    (torch.Size([2, 3]), True)
    """
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        (shape,) = shape  # type: ignore[assignment]
    shape = tuple(shape)
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
            f"{noncontiguous=} and {memory_format=}"
        )
    if dtype not in ALL and dtype is not complex32:
        raise TypeError(
            f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor(). Make the tensor with a dtype "
            "that is, and convert it."
        )
    whole = dtype.category < FLOATING
    if requires_grad and whole:
        raise ValueError(
            f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}"
        )
    gaps = noncontiguous and math.prod(shape) > 1  # type: ignore[arg-type]
    if gaps:
        shape = (*shape[:-1], 2 * shape[-1])  # type: ignore[operator]
    low, high = _limits(low, high, dtype)
    if whole:
        out = _api.randint(math.ceil(low), math.ceil(high), shape, device=device, dtype=dtype)
    else:
        out = _api.empty(shape, device=device, dtype=dtype)  # type: ignore[arg-type]
        _fill(_api.view_as_real(out) if dtype.category == COMPLEX else out, low, high)
    if gaps:
        out = out[..., 1::2]
    elif memory_format is not None:
        out = out.clone(memory_format=memory_format)
    if exclude_zero:
        out[out == 0] = 1 if whole else _api.finfo(dtype).tiny
    return out if whole else out.requires_grad_(requires_grad)


def _limits(low, high, dtype):
    """The limits within those of the dtype; raises ValueError for an interval without numbers."""
    if dtype.category == BOOL:
        least, end, low_default, high_default = 0, 2, 0, 2
    elif dtype.category < FLOATING:
        limits = _api.iinfo(dtype)
        # randint cannot draw the last int64: its end would not be one
        least, end, low_default, high_default = limits.min, limits.max + (dtype is not int64), -9, 10
    else:
        limits = _api.finfo(dtype)
        least, end, low_default, high_default = limits.min, limits.max, -9, 9
    low = low_default if low is None else low
    high = high_default if high is None else high
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and dtype.category >= FLOATING:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated. Use "
            "`torch.full(...)` instead.",
            FutureWarning,
            stacklevel=3,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= end:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports [{least}, {end})"
        )
    return min(max(low, least), end), min(max(high, least), end)


def _fill(x, low, high):
    """Fill ``x`` evenly; an interval wider than the greatest number is drawn at half its width."""
    if high - low >= _api.finfo(x.dtype).max:
        x.uniform_(low / 2, high / 2).mul_(2)
    else:
        x.uniform_(low, high)
