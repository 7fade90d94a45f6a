"""What nodes have saved, without a change to the nodes: not even of their layout."""

from typing import Any, NamedTuple

import numpy as np

from ..._core.families import Op
from ..._core.node import Node, Port
from ..._core.saved import FREED, Packed, is_number
from ..._core.storage import Constant, Storage
from ..._core.tensor import Tensor
from ..._core.views import CopySlices, View
from ..function_context import _FunctionBase

__all__ = ["Saved", "has_hooks", "is_node", "node_of", "saved_values", "twin_of"]


class Saved(NamedTuple):
    """One saved value: its name, what is held (a tensor, a result's array, what hooks made of one), when it was saved and how it is now.

    ``version`` is None where nobody checks it, ``storage`` None where none is known.
    """

    name: str
    held: Any
    version: int | None
    storage: Storage | None

    @property
    def array(self):
        """The value as an array; None for what hooks have packed."""
        if isinstance(self.held, Tensor):
            return self.held._array if isinstance(self.held._array, np.ndarray) else None
        return self.held if isinstance(self.held, np.ndarray) else None

    @property
    def stale(self):
        """Whether it was written to since."""
        return (
            self.version is not None
            and self.storage is not None
            and not isinstance(self.storage, Constant)
            and self.storage.version != self.version
        )


def saved_values(node):
    """The ``Saved`` values of a node that are tensors, or were; those that were freed are left out."""
    if isinstance(node, Op):
        return _of_op(node)
    if node.__class__ is CopySlices:
        return saved_values(node.inner)
    found = []
    if isinstance(node, _FunctionBase):
        for i, (held, version, nr) in enumerate(() if node._freed else node._kept):
            if held is not None:
                storage = node._storages[nr] if nr is not None else getattr(held, "_storage", None)
                found.append(Saved(f"saved_tensors[{i}]", held, version, storage))
        for name, value in vars(node).items() if hasattr(node, "__dict__") else ():
            found += [Saved(f"ctx.{name}", t, None, t._storage) for t in _tensors_in(value)]
    else:
        for name in slots_of(type(node)):
            found += [Saved(name, t, None, t._storage) for t in _tensors_in(getattr(node, name, None))]
    return found


def _of_op(node):
    twin = twin_of(node)
    found = []
    if len(twin.places_held()):
        names = {place: name for name, place in type(twin).places().items()}
        operands = len(twin.x)
        versions = (*twin.vx, *twin.vz)
        for i, held in enumerate((*twin.x, *twin.z)):
            if held is None or held is FREED or is_number(held):
                continue
            storage = getattr(held, "_storage", None)
            if held.__class__ is not Packed and not isinstance(held, Tensor):
                storage = node._storage[i - operands] if isinstance(node._storage, list) else node._storage
            found.append(Saved(names.get(i, f"value {i}"), held, versions[i], storage))
    params = getattr(node, "params", None) or ()
    for name, value in zip(node.plan.params, params):
        tensors = [t for t in getattr(value, "tensors", ()) if isinstance(t, Tensor)]
        versions = getattr(value, "versions", ())
        for t, version in zip(tensors, versions) if len(tensors) == len(versions) else ():
            found.append(Saved(node.names.get(name, name), t, version, t._storage))
        found += [Saved(node.names.get(name, name), t, None, t._storage) for t in _tensors_in(value)]
    return found


def twin_of(node):
    """A copy of a node of an operator, with the same saved values, in the general layout where tensors are saved."""
    twin = object.__new__(type(node))
    for name in slots_of(type(node)):
        if hasattr(node, name):
            setattr(twin, name, getattr(node, name))
    twin._extra = None
    twin.places_held()  # which brings it into the general layout
    return twin


def slots_of(cls):
    """The names of the slots of a class."""
    found = []
    for base in cls.__mro__:
        names = base.__dict__.get("__slots__", ())
        found += [names] if isinstance(names, str) else names
    return [name for name in found if not name.startswith("__")]


def _tensors_in(value):
    """The tensors that a value is or holds, in a list or tuple."""
    if isinstance(value, Tensor):
        return [value]
    if type(value) in (list, tuple):
        return [x for x in value if isinstance(x, Tensor)]
    if type(value) is dict:
        return [x for x in value.values() if isinstance(x, Tensor)]
    return []


def node_of(tensor):
    """The node behind a tensor, a view's as it was last derived: this question derives nothing."""
    node = tensor._node
    if node.__class__ is View:
        node = node.base._node if node.node is None else node.node
    return node.node if node.__class__ is Port else node


def is_node(x):
    """Whether an object of any kind is a node."""
    return issubclass(type(x), Node)


def has_hooks(node):
    """Whether hooks see the gradients of a node."""
    extra = node._extra
    return extra is not None and bool(extra.tensor or extra.pre or extra.post)
