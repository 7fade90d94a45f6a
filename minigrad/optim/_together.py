"""Small parameters that move as one, for ``foreach=True``: they lie side by side in one array, and so do the buffers that an optimizer keeps of them.

A formula that moves each number by itself then takes one call for all of them where it would take one for each.  Parameters are moved to such an array once, and only those whose memory
nobody else looks at: what was seen through a view, an array or a storage goes on being seen.
"""

from itertools import accumulate
from operator import is_
from sys import getrefcount
from typing import Any

import numpy as np

from .._api import Tensor, _capturing, _Parameter, _wrap

__all__ = ["gathered", "lay_side_by_side", "parted", "small"]

#: Larger ones are moved one by one: their elements take longer than the calls.
_SMALL = 8192


class Row:
    """Tensors that lie side by side; ``whole`` is a tensor over all of their elements."""

    __slots__ = ("parts", "slope", "tensors", "views", "whole")

    def __init__(self, whole, tensors):
        self.whole, self.tensors = whole, tensors
        self.views = [array_of(t) for t in tensors]
        self.slope = self.parts = None  # where the gradients are gathered, and the part of each

    def holds(self, tensors):
        """Whether these are the tensors, and lie here still."""
        if len(tensors) != len(self.tensors):
            return False
        for a, b, view in zip(tensors, self.tensors, self.views):
            if a is not b or (a._array is not view and array_of(a) is not view):
                return False
        return True


def split(array, tensors):
    """The parts of an array without axes but one, in the shapes of tensors."""
    ends = [*accumulate([t._array.size for t in tensors])]
    return [array[i:j].reshape(t._array.shape) for i, j, t in zip([0, *ends], ends, tensors)]


def array_of(tensor):
    """The array of a tensor, also in a step that is being captured."""
    array = tensor._array
    return array if array.__class__ is np.ndarray else getattr(array, "array", None)


def references(tensor):
    """How often the array of a tensor is referred to."""
    return getrefcount(tensor._array)


def is_unshared(tensor):
    """Whether nobody but the tensor looks at its memory, as far as can be known."""
    array = tensor._array
    if array.__class__ is not np.ndarray or array.base is not None:
        return False
    del array
    alike = _wrap(np.empty(1, np.float32))
    if tensor.requires_grad:
        alike.requires_grad_()
    return references(tensor) == references(alike)


def small(optimizer: Any, index: int, params: Any, beforehand: bool = False) -> Any:
    """Of the parameters of a group, those that may move as one, and the others: chosen once.

    They are of the most frequent dtype, have gradients (or, ``beforehand``, will have them), and are not alone.
    """
    choices = optimizer.__dict__.setdefault("_choices", {})
    known = choices.get(index)
    if known is not None and len(known[0]) == len(params) and all(map(is_, known[0], params)):
        return known[1:]
    kinds: dict[Any, list[Any]] = {}
    for p in params:
        array = p._array
        if (
            p.__class__ in _PLAIN
            and (p.requires_grad if beforehand else p.grad is not None and not p.grad._is_sparse)
            and array.dtype.kind == "f"
            and 0 < array.size <= _SMALL
            and array.flags.c_contiguous
        ):
            kinds.setdefault(array.dtype, []).append(p)
    most = max(kinds.values(), key=len, default=[])
    chosen = {*map(id, most)} if len(most) > 1 else {}
    choices[index] = (
        [*params],
        [p for p in params if id(p) in chosen],
        [p for p in params if id(p) not in chosen],
    )
    return choices[index][1:]


_PLAIN = (Tensor, _Parameter)


def row_of(optimizer, key, tensors):
    """The ``Row`` of tensors, which are moved there if they may be; None otherwise."""
    rows = optimizer.__dict__.setdefault("_rows", {})
    row = rows.get(key)
    if row is not None and row.holds(tensors):
        return row
    alike = {(t._array.dtype, t._array.flags.c_contiguous) for t in tensors}
    if len(alike) > 1 or (tensors[0]._array.dtype, True) not in alike or not all(map(is_unshared, tensors)):
        return None
    root = np.empty(sum(t._array.size for t in tensors), tensors[0]._array.dtype)
    for tensor, view in zip(tensors, split(root, tensors)):
        view[...] = tensor._array
        tensor.data = _wrap(view)
    row = rows[key] = Row(_wrap(root), tensors)
    return row


def gathered(optimizer: Any, index: int, params: Any, buffers: Any) -> Any:
    """``(parameter, gradient, buffers)``, tensors for all of ``params`` at once; ``buffers`` has the names of lists of tensors.

    None if a gradient is missing or of another kind, or something does not lie side by side and cannot be moved.
    """
    grads = [p.grad for p in params]
    for p, grad in zip(params, grads):
        if grad.__class__ is not Tensor or grad._array.dtype != p._array.dtype:
            return None
    lists = {"parameters": params, **buffers}
    rows = [row_of(optimizer, (index, name), tensors) for name, tensors in lists.items()]
    if None in rows:
        return None
    capturing = _capturing()
    if capturing is not None:
        for row, name in zip(rows, lists):
            capturing.touch(row.whole, *row.tensors)
            capturing.called.append((array_of(row.whole), name))
        capturing.touch(*grads)
    first = rows[0]
    slope, parts = first.slope, first.parts
    if slope is None or capturing is not None:
        slope = _wrap(np.empty_like(first.whole._array))
        parts = split(slope._array, params)
    if capturing is None:
        first.slope, first.parts = slope, parts
    else:
        capturing.called.append((array_of(slope), "gradients"))
    for part, grad in zip(parts, grads):
        part[...] = grad._array
    return first.whole, slope, [row.whole for row in rows[1:]]


def parted(optimizer: Any, index: int, name: str, whole: Any) -> Any:
    """Buffers for each of the parameters that ``gathered`` found last, side by side in ``whole``."""
    rows = optimizer.__dict__["_rows"]
    buffers = [_wrap(part) for part in split(whole._array, rows[index, "parameters"].tensors)]
    rows[index, name] = Row(whole, buffers)
    return buffers


def lay_side_by_side(optimizer: Any) -> None:
    """Move the parameters of groups with ``foreach=True``, before a step is captured: while it is, nothing can be moved."""
    for index, group in enumerate(optimizer.param_groups):
        if group.get("foreach"):
            chosen, _ = small(optimizer, index, group["params"], beforehand=True)
            if chosen:
                row_of(optimizer, (index, "parameters"), chosen)
