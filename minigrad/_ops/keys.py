"""Keys, what stands in the brackets of ``x[key]``: read, checked, and taken apart into views and index tensors.

A key of integers, slices, None and ``...`` is a chain of views (``parts.py``).  Index tensors, sequences and masks copy: what is left
of the key after the views is a tuple of tensors, one per dimension or more, with None for dimensions that are not indexed.
"""

import operator
import warnings

import numpy as np

from .._base.callers import level_of_user
from .._base.deprecation import old_form
from .._base.errors import shape_text, type_name
from .._core.tensor import Tensor, of_array, wrap
from .parts import _END, _select, slice_
from .shape import _unsqueeze

__all__ = []

_INT64, _BOOL, _UINT8 = np.dtype("int64"), np.dtype("bool"), np.dtype("uint8")
_MAY_INDEX = {_INT64, np.dtype("int32"), _BOOL, _UINT8}


def views_only(input, keys):
    """``input`` after the views that a tuple of plain keys asks for; None if another key is among them, or one is wrong."""
    out, dim = input, 0
    shape = input._array.shape
    for place, k in enumerate(keys):
        cls = k.__class__
        if cls is int:
            if dim >= len(shape):
                return None
            n = shape[dim]
            if not -n <= k < n:
                return None
            out = _select(out, dim, k + n if k < 0 else k)
            shape = shape[:dim] + shape[dim + 1 :]
        elif cls is slice:
            if dim >= len(shape):
                return None
            start, end, step = k.start, k.stop, k.step
            if start is not None or end is not None or step is not None:
                start, end, step = bounds(k)
                n = shape[dim]
                if step != 1 or end < n or not (start == 0 or start <= -n):
                    out = slice_(out, dim, start, end, step)
                    shape = out._array.shape
            dim += 1
        elif k is None:
            out = _unsqueeze(out, dim)
            dim += 1
            shape = out._array.shape
        elif k is Ellipsis:
            rest = keys[place + 1 :]
            for r in rest:
                if r.__class__ is not int and r.__class__ is not slice and r is not None:
                    return None
            dim = len(shape) - len(rest) + rest.count(None)
            if dim < 0:
                return None
        else:
            return None
    return out


def number_of_data(input, key):
    """``loss.data[0]`` of 2017, when results had one dimension at least: a number; raises IndexError for any other tensor."""
    if key:
        raise out_of_bounds(key, 0, 0)
    if not input._is_data:
        raise no_axis()
    old_form("loss.data[0]", "Use `loss.item()` instead.")
    return input.item()


def no_axis():
    """The error for an index of a 0-dim tensor."""
    return IndexError(
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor "
        "to a number"
    )


def no_slice():
    """The error for a slice of a 0-dim tensor."""
    return IndexError("slice() cannot be applied to a 0-dim tensor.")


def out_of_bounds(index, dim, n):
    """The error for an index that a dimension does not have, or that no tensor can have."""
    if not -(2**63) <= index < 2**63:
        return ValueError("Overflow when unpacking long long")
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {n}")


def bounds(key):
    """(start, end, step) of a slice; raises ValueError for a step that is not positive."""
    start, end, step = key.start, key.stop, key.step
    try:
        start = 0 if start is None else start if start.__class__ is int else operator.index(start)
        end = _END if end is None else end if end.__class__ is int else operator.index(end)
        step = 1 if step is None else step if step.__class__ is int else operator.index(step)
    except TypeError:
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if step <= 0:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    return start, end, step


def as_keys(key):
    """A key as a tuple of keys; a sequence that holds more than numbers counts as a tuple."""
    if key.__class__ is tuple:
        return key
    if isinstance(key, list) and len(key) < 32:
        for k in key:
            if k is None or k is Ellipsis or isinstance(k, (Tensor, slice, list, tuple, np.ndarray)):
                warnings.warn(
                    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch "
                    "2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
                    "x[torch.tensor(seq)]: another result, or an error",
                    stacklevel=level_of_user(),
                )
                return tuple(key)
    return (key,)


def dims_named(keys):
    """How many dimensions the keys name; a mask names as many as it has."""
    named = 0
    for k in keys:
        if k is None or k is Ellipsis or k is True or k is False:
            continue
        if isinstance(k, Tensor) and k._array.dtype in (_BOOL, _UINT8):
            named += k._array.ndim
        else:
            named += 1
    return named


def views_and_indices(input, keys):
    """``input`` after the views that ``keys`` ask for, and index tensors by dimension of it, or None if there are none."""
    ndim = input._array.ndim
    try:
        keys = [k if k is None or k.__class__ in (int, slice) or k is Ellipsis else as_key(k) for k in keys]
    except TypeError:  # keys are counted before they are read
        if sum(not (k is None or k is Ellipsis or isinstance(k, bool)) for k in keys) > ndim:
            raise IndexError(f"too many indices for tensor of dimension {ndim}") from None
        raise
    named = dims_named(keys)
    if named > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    out, dim, indices = input, 0, None
    for place, k in enumerate(keys):
        cls = k.__class__
        if cls is int:
            n = out._array.shape[dim]
            if not -n <= k < n:
                raise out_of_bounds(k, place, n)
            out = _select(out, dim, k + n if k < 0 else k)
        elif cls is slice:
            start, end, step = bounds(k)
            n = out._array.shape[dim]
            if step != 1 or end < n or not (start == 0 or start <= -n):
                out = slice_(out, dim, start, end, step)
            dim += 1
        elif k is None:
            out = _unsqueeze(out, dim)
            dim += 1
        elif k is Ellipsis:
            dim += ndim - named
            named = ndim  # a second one stands for nothing
        else:
            if cls is bool:
                out, k = _unsqueeze(out, dim), wrap(np.zeros(1 if k else 0, _INT64))
            if indices is None:
                indices = []
            indices += [None] * (dim - len(indices))
            indices.append(k)
            if k._array.dtype is _BOOL or k._array.dtype is _UINT8:
                check_mask(k._array, out._array.shape, dim, len(indices) - 1)
                dim += k._array.ndim
                indices += [SPANNED] * (k._array.ndim - 1)
            else:
                dim += 1
    return out, indices


#: Among indices: a dimension that the mask before it indexes too.
SPANNED = object()


def as_key(k):
    """A key that is neither a plain int, slice, None nor ``...``, as an int, a bool, or an index tensor."""
    if isinstance(k, np.ndarray):
        k = of_array(k)
    if isinstance(k, Tensor):
        array = k._array
        if array.dtype not in _MAY_INDEX and not (array.ndim == 0 and array.dtype.kind in "iu"):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if array.ndim == 0 and not k._wrapped:
            return bool(array) if array.dtype in (_BOOL, _UINT8) else int(array)
        if array.dtype is _UINT8:
            warnings.warn(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.", stacklevel=level_of_user()
            )
        return k
    if k is True or k is False:
        return k
    if hasattr(k, "__index__") and not isinstance(k, np.bool_):
        return operator.index(k)
    if isinstance(k, (list, tuple, range)):
        return as_key(wrap(indices_of(k)))
    if isinstance(k, str):
        raise TypeError("new(): invalid data type 'str'")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
        f"{type_name(k)})"
    )


def indices_of(sequence):
    """Nested sequences of numbers as an array of indices or a mask."""
    found = np.array(plain_numbers(sequence))
    if not found.size:
        return np.zeros(found.shape, _INT64)
    if found.dtype.kind not in "biuf":
        raise TypeError(f"new(): invalid data type '{found.dtype.type.__name__.rstrip('_')}'")
    return found if found.dtype.kind == "b" else found.astype(_INT64)


def plain_numbers(sequence):
    """Nested sequences without tensors."""
    if isinstance(sequence, Tensor):
        return sequence._array
    return [plain_numbers(k) if isinstance(k, (list, tuple, range, Tensor)) else k for k in sequence]


def check_mask(mask, shape, dim, place):
    """Raise IndexError unless a mask has the sizes of the dimensions from ``dim`` on."""
    for d, n in enumerate(mask.shape):
        if dim + d >= len(shape) or shape[dim + d] != n:
            raise IndexError(
                f"The shape of the mask {shape_text(mask.shape)} at index {d} does not match the shape of the indexed tensor "
                f"{shape_text(shape)} at index {dim + d}"
            )
