"""What nodes keep alive."""

from inspect import ismemberdescriptor

from ..._core.families import Op
from ..._core.node import Node, Port
from ..._core.saved import Saved
from ..._core.tensor import Tensor
from ..._core.views import CopySlices, View
from ..function_context import _FunctionBase

__all__ = ["has_hooks", "is_node", "node_of", "saved_values", "slots_of"]


def saved_values(node):
    """A ``Saved`` for each tensor that a node keeps: those that it saved, but for freed ones, and those among its parameters or its context's attributes."""
    if node.__class__ is CopySlices:
        node = node.inner
    found = [each for each in type(node).saved_values(node) if not each.freed]
    if isinstance(node, Op):
        kept = [(node.names.get(name, name), value) for name, value in zip(node.plan.params, node.params)]
    elif isinstance(node, _FunctionBase):
        kept = [(f"ctx.{name}", value) for name, value in getattr(node, "__dict__", {}).items()]
    else:
        kept = [(name, getattr(node, name, None)) for name in slots_of(type(node))]
    return found + [Saved(name, t, None, None) for name, value in kept for t in _tensors_in(value)]


def slots_of(cls):
    """The names of the slots of a class, but for those in whose place it has a constant."""
    found = []
    for base in cls.__mro__:
        names = base.__dict__.get("__slots__", ())
        found += [names] if isinstance(names, str) else names
    return [name for name in found if not name.startswith("__") and ismemberdescriptor(getattr(cls, name))]


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
