"""Indexing: ``x[key]``, ``x[key] = y`` and the functions that pick or set elements by index or mask."""

import operator

import numpy as np

from .._core.errors import shape_text
from .._core.tensor import Tensor
from .shape import _END, _select, _unsqueeze, alias, slice_

__all__ = []

_NUMBERS = (bool, np.bool_)


# Basic keys: a chain of views ------------------------------------------------------------------------------------------------


def __getitem__(input, key):
    """``input[key]``: a view for integers, slices, None and ``...``; a copy where tensors, sequences or masks take part."""
    cls = key.__class__
    if cls is int:
        shape = input._array.shape
        if not shape:
            raise no_axis()
        n = shape[0]
        if not -n <= key < n:
            raise out_of_bounds(key, 0, n)
        return _select(input, 0, key + n if key < 0 else key)
    if cls is slice:
        if not input._array.ndim:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        return slice_(input, 0, *bounds(key))
    if key is None:
        return _unsqueeze(input, 0)
    if key is Ellipsis:
        return alias(input)
    keys = key if cls is tuple else (key,)
    return basic(input, keys)


def no_axis():
    """The error for an index of a 0-dim tensor."""
    return IndexError(
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor "
        "to a number"
    )


def out_of_bounds(index, dim, n):
    """The error for an index that a dimension does not have."""
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {n}")


def bounds(key):
    """(start, end, step) of a slice; raises ValueError for a step that is not positive."""
    start, end, step = key.start, key.stop, key.step
    start = 0 if start is None else start if start.__class__ is int else operator.index(start)
    end = _END if end is None else end if end.__class__ is int else operator.index(end)
    step = 1 if step is None else step if step.__class__ is int else operator.index(step)
    if step <= 0:
        raise ValueError("step must be greater than zero")
    return start, end, step


def basic(input, keys):
    """A chain of views: a select, slice or unsqueeze per key."""
    ndim = input._array.ndim
    named = 0
    for k in keys:
        if k is not None and k is not Ellipsis:
            named += 1
    if named > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    out = input
    dim = 0
    for k in keys:
        cls = k.__class__
        if cls is int:
            n = out._array.shape[dim]
            if not -n <= k < n:
                raise out_of_bounds(k, dim, n)
            out = _select(out, dim, k + n if k < 0 else k)
        elif cls is slice:
            start, end, step = bounds(k)
            if start or step != 1 or end < out._array.shape[dim]:
                out = slice_(out, dim, start, end, step)
            dim += 1
        elif k is None:
            out = _unsqueeze(out, dim)
            dim += 1
        elif k is Ellipsis:
            dim += ndim - named
        else:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
                f"{type(k).__name__})"
            )
    return alias(input) if out is input else out
