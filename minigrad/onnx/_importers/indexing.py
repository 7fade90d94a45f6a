"""Elements taken and put by their places; sorting and finding."""

from typing import Any

from ... import _api as mg
from ..._base import dtypes
from ._values import ints, number

_REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


def _wrapped(indices, size):
    """Places that count from the end, counted from the start."""
    indices = indices.to(dtypes.int64)
    return mg.where(indices < 0, indices + size, indices)


def Where(condition: Any, x: Any, y: Any) -> Any:
    return mg.where(condition, x, y)


def Gather(x: Any, indices: Any, *, axis: int = 0) -> Any:
    axis %= x.dim()
    taken = x.index_select(axis, _wrapped(indices, x.shape[axis]).reshape(-1))
    return taken.reshape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


def GatherElements(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return mg.gather(x, axis, _wrapped(indices, x.shape[axis]))


def GatherND(x: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    places = [_wrapped(each, x.shape[batch_dims + place]) for place, each in enumerate(indices.unbind(-1))]
    batches = [
        mg.arange(x.shape[dim]).reshape([-1 if place == dim else 1 for place in range(indices.dim() - 1)])
        for dim in range(batch_dims)
    ]
    return x[(*batches, *places)]


def ScatterElements(x: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none") -> Any:
    indices = _wrapped(indices, x.shape[axis])
    if reduction == "none":
        return mg.scatter(x, axis, indices, updates)
    return mg.scatter_reduce(x, axis, indices, updates, _REDUCTIONS[reduction], include_self=True)


def Scatter(x: Any, indices: Any, updates: Any, *, axis: int = 0) -> Any:
    return ScatterElements(x, indices, updates, axis=axis)


def ScatterND(x: Any, indices: Any, updates: Any, *, reduction: str = "none") -> Any:
    count = indices.shape[-1]
    flat = mg.zeros(indices.shape[:-1], dtype=dtypes.int64)
    for place, each in enumerate(indices.unbind(-1)):
        flat = flat * x.shape[place] + _wrapped(each, x.shape[place])
    rest = x.shape[count:]
    rows = x.reshape(-1, *rest)
    places = flat.reshape(-1, *([1] * len(rest))).expand(-1, *rest)
    return ScatterElements(rows, places, updates.reshape(-1, *rest), reduction=reduction).reshape(x.shape)


def TensorScatter(
    past: Any, update: Any, write_indices: Any = None, *, axis: int = -2, mode: str = "linear"
) -> Any:
    axis %= past.dim()
    starts = (
        mg.zeros(past.shape[0], dtype=dtypes.int64)
        if write_indices is None
        else write_indices.to(dtypes.int64)
    )
    places = starts.reshape(-1, *([1] * (past.dim() - 1)))
    steps = mg.arange(update.shape[axis]).reshape([-1 if dim == axis else 1 for dim in range(past.dim())])
    places = places + steps
    if mode == "circular":
        places = places.remainder(past.shape[axis])
    return mg.scatter(past, axis, places.expand(update.shape), update)


def OneHot(indices: Any, depth: Any, values: Any, *, axis: int = -1) -> Any:
    depth = int(number(depth))
    axis %= indices.dim() + 1
    places = mg.remainder(indices.to(dtypes.int64), depth).unsqueeze(axis)
    inside = ((indices >= -depth) & (indices < depth)).unsqueeze(axis)
    classes = mg.arange(depth).reshape([-1 if dim == axis else 1 for dim in range(indices.dim() + 1)])
    return mg.where((places == classes) & inside, values[1], values[0])


def NonZero(x: Any) -> Any:
    return mg.nonzero(x.reshape(1) if not x.dim() else x).t()


def Compress(x: Any, condition: Any, *, axis: Any = None) -> Any:
    if axis is None:
        x, axis = x.reshape(-1), 0
    return x.index_select(axis, mg.nonzero(condition.reshape(-1)[: x.shape[axis]]).reshape(-1))


def TopK(x: Any, k: Any, *, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    order = mg.argsort(x, axis, bool(largest), stable=True).narrow(axis, 0, ints(k)[0])
    return mg.gather(x, axis, order), order


def Unique(x: Any, *, axis: Any = None, sorted: int = 1) -> Any:
    if axis is None:
        values, inverse, counts = mg.unique(x.reshape(-1), return_inverse=True, return_counts=True)
    else:
        values, inverse, counts = mg.unique(x, dim=axis, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(-1)
    first = mg.full(counts.shape, inverse.numel(), dtype=dtypes.int64)
    first = mg.scatter_reduce(first, 0, inverse, mg.arange(inverse.numel()), "amin")
    if not sorted:  # in the order in which they come
        order = mg.argsort(first)
        values, first, counts = values.index_select(axis or 0, order), first[order], counts[order]
        inverse = mg.argsort(order)[inverse]
    return values, first, inverse, counts
