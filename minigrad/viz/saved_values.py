"""What a node has saved for backward, as plain data: nothing is unpacked or freed by reading it."""

from typing import NamedTuple

import numpy as np

from .._base.dtypes import from_numpy_dtype
from .._core.families import Op, Variadic, ViewOp, is_number
from .._core.saved import FREED, Packed
from .._core.tensor import Tensor
from .._core.views import CopySlices
from .._core.wrapped import Layer
from .statistics import glimpse

__all__ = ["Saved", "dtype_name", "saved_by"]


class Saved(NamedTuple):
    """A tensor that a node saved for backward.

    ``version`` is that of the tensor when it was saved, ``current`` that of now: backward raises if they differ.  Of a freed one nothing is known
    any more; of one that hooks have packed neither shape nor value, as unpacking might cost much.
    """

    name: str
    shape: tuple[int, ...] | None
    dtype: str | None
    bytes: int | None
    version: int | None
    current: int | None
    freed: bool
    packed: bool
    value: str

    def __str__(self):
        if self.freed:
            return f"{self.name} (freed)"
        if self.packed:
            return f"{self.name} (packed by hooks)"
        modified = (
            ""
            if self.version == self.current
            else f", modified: version {self.current}, saved was {self.version}"
        )
        return f"{self.name} {self.dtype}{list(self.shape or ())}{modified}"


def dtype_name(np_dtype):
    """``float32``."""
    return str(from_numpy_dtype(np_dtype)).removeprefix("torch.")


def saved_by(node):
    """The tensors that a node saved, and what else it keeps, as text."""
    if node.__class__ is CopySlices:
        if node.template is None:
            return [], {}
        node = node.inner
    if isinstance(node, Op):
        return _saved_by_op(node)
    kept = getattr(node, "_kept", None)  # a custom Function
    return (_saved_by_function(node) if isinstance(kept, tuple) else []), {}


def _saved_by_op(node):
    arity, results = node.plan.arity, len(node.plan.results)
    held = node.places_held()
    keeps_numbers = not isinstance(node, (ViewOp, Variadic))
    saved, attributes = [], {}
    for name, i in type(node).places().items():
        indices = [place for place in held if place.__class__ is tuple and place[0] == i]
        if name.endswith("_shape"):
            continue  # only minigrad keeps it
        if indices:
            saved += [_saved_value(f"{name}[{place[1]}]", node, place) for place in indices]
        elif i in held:
            saved.append(_saved_value(name, node, i))
        elif i >= arity + results:
            try:
                attributes[name] = text_of(node.value(i))
            except RuntimeError:  # indices that backward has freed
                saved.append(_without_value(name, FREED))
        elif i < arity and keeps_numbers and is_number(node.held(i)):
            attributes[name] = glimpse(node.held(i)._array)
    return saved, attributes


def _saved_value(name, node, place):
    kept = node.held(place)
    if kept is FREED or kept.__class__ is Packed:
        return _without_value(name, kept)
    if place.__class__ is tuple:
        return _with_value(name, kept._array, node.params[0].versions[place[1]], kept._storage.version)
    nr = place - node.plan.arity
    if nr < 0:
        return _with_value(name, kept._array, node.vx[place], kept._storage.version)
    if isinstance(kept, Tensor):
        return _with_value(name, kept._array, node.vz[nr], kept._storage.version)
    storage = node._storage[nr] if node._storage.__class__ is list else node._storage
    return _with_value(name, kept, node.vz[nr], storage.version)


def _saved_by_function(node):
    cls = type(node)  # by way of the class: users put anything on the context of a custom Function
    saved = []
    for place in cls.places_held(node):
        name = f"saved_tensors[{place}]"
        kept = cls.held(node, place)
        if kept is FREED or kept.__class__ is Packed:
            saved.append(_without_value(name, kept))
            continue
        _, version, nr = node._kept[place]
        if nr is None:
            saved.append(_with_value(name, kept._array, version, kept._storage.version))
        else:
            saved.append(_with_value(name, kept, version, node._storages[nr].version))
    return saved


def _with_value(name, array, version, current):
    return Saved(
        name,
        tuple(array.shape),
        dtype_name(array.dtype),
        array.nbytes,
        version,
        current,
        False,
        False,
        "" if isinstance(array, Layer) else glimpse(array),
    )


def _without_value(name, kept):
    freed = kept is FREED
    return Saved(name, None, None, None, None, None, freed, not freed, "")


def text_of(value):
    """What a node keeps beside tensors, as a short text."""
    if isinstance(value, Tensor):
        return f"{dtype_name(value._array.dtype)}{list(value._array.shape)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(text_of, value)) + "]"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
