"""What a node has saved for backward, as plain data: nothing is unpacked or freed by reading it."""

from typing import Any, NamedTuple

import numpy as np

from .._base.dtypes import from_numpy_dtype
from .._core.families import Op
from .._core.saved import is_number
from .._core.tensor import Tensor
from .._core.views import CopySlices
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

    def __str__(self) -> str:
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


def dtype_name(np_dtype: Any) -> Any:
    """``float32``."""
    return str(from_numpy_dtype(np_dtype)).removeprefix("torch.")


def saved_by(node: Any) -> Any:
    """Return the tensors that a node saved, and what else it keeps, as text."""
    saved = [
        _shown(each) for each in type(node).saved_values(node)
    ]  # the class's: users put anything on a custom Function's context
    return saved, _attributes(
        node.inner if node.__class__ is CopySlices and node.template is not None else node
    )


def _shown(saved):
    if saved.freed or saved.packed:
        return Saved(saved.name, None, None, None, None, None, saved.freed, saved.packed, "")
    array = saved.held._array if isinstance(saved.held, Tensor) else saved.held  # or a transform's layer
    return Saved(
        saved.name,
        tuple(array.shape),
        dtype_name(array.dtype),
        array.nbytes,
        saved.version,
        saved.storage.version,
        False,
        False,
        "" if saved.array is None else glimpse(array),
    )


def _attributes(node):
    """The parameters that a node keeps, and the numbers among its operands."""
    if not isinstance(node, Op):
        return {}
    arity, results = node.plan.arity, len(node.plan.results)
    tensors = type(node).names_of_tensors()
    attributes = {}
    for name, i in type(node).places().items():
        if i < arity:
            if node.held(i) is not None and is_number(node.held(i)):
                attributes[name] = glimpse(node.held(i)._array)
        elif (
            i >= arity + results and name not in tensors and not name.endswith("_shape")
        ):  # which only minigrad keeps
            attributes[name] = text_of(node.value(i))
    return attributes


def text_of(value: Any) -> Any:
    """Return what a node keeps beside tensors, as a short text."""
    if isinstance(value, Tensor):
        return f"{dtype_name(value._array.dtype)}{list(value._array.shape)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(text_of, value)) + "]"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
