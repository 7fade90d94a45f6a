"""``swap_tensors``: two tensors exchange all that they are, and keep their identities."""

import gc
import sys
import weakref
from typing import Any

from .._api import Tensor
from .._base.errors import type_name
from .._base.publishing import publish
from .._core.hooks import Extra
from .._core.node import AccumulateGrad, accumulator, rare
from .._core.tensor import node_and_nr
from .._core.views import View

_CONTENTS = ("_array", "_node", "_storage", "__dict__")


def swap_tensors(t1: Any, t2: Any) -> None:
    """Exchange the contents of two tensors: values, dtype, shape, class, history, gradient and attributes; each name still refers to the
    same object.

    A backward through operations that were recorded with one of them as a leaf raises RuntimeError. Raises RuntimeError if there is a
    weak reference to one of them or a view of it, or if their classes have different slots.

    >>> import minigrad
    >>> a, b = minigrad.ones(2), minigrad.zeros(3, dtype=minigrad.int64)
    >>> minigrad.utils.swap_tensors(a, b)
    >>> a, b
    (tensor([0, 0, 0]), tensor([1., 1.]))
    """
    for name, tensor in (("t1", t1), ("t2", t2)):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"swap_tensors(): {name} must be a Tensor, not {type_name(tensor)}")
        _check_nobody_watches(tensor, name)
    slots = _slots(t1)
    if slots != _slots(t2):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    for tensor in (t1, t2):
        _leave_accumulators(tensor)
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    for slot in (*_CONTENTS, *slots):
        _exchange(t1, t2, slot)
    for tensor in (t1, t2):
        for holder, key in _own_references(tensor):
            _point(holder, key, weakref.ref(tensor))


def _check_nobody_watches(tensor, name):
    """Raise RuntimeError if a weak reference leads to the tensor that is not its own node's, or if it is the base of a view."""
    own = _own_references(tensor)
    for holder, key in own:
        _point(holder, key, None)
    watched = bool(weakref.getweakrefs(tensor))
    for holder, key in own:
        _point(holder, key, weakref.ref(tensor))
    if watched:
        raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    # views share the storage: only where somebody shares it is it worth looking for them
    shared = not tensor._storage.shared and sys.getrefcount(tensor._storage) > 2
    if shared and any(type(x) is View and x.base is tensor for x in gc.get_referrers(tensor)):
        raise RuntimeError(
            f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but there are views of it: make sure you are not "
            "holding references to the tensor in other places."
        )


def _own_references(tensor):
    """Where the tensor's nodes have weak references to it: pairs (an accumulator, None) or (a dictionary of those that retain, a key)."""
    node, nr = node_and_nr(tensor)
    found = [(each, None) for each in (node, tensor._former) if each.__class__ is AccumulateGrad]
    if node is not None and node._extra is not None and nr in node._extra.retain:
        found.append((node._extra.retain, nr))
    return found


def _point(holder, key, ref):
    if key is None:
        holder.leaf = ref
    else:
        holder[key] = ref


def _leave_accumulators(tensor):
    """Give a leaf a new accumulator, with its gradient and hooks; whoever arrives at the old one is told that this is no longer the leaf."""
    node = tensor._node
    old = node.node if node.__class__ is View else node
    if old.__class__ is not AccumulateGrad:
        return
    new = accumulator(tensor)
    new.grad, new._extra, old._extra = old.grad, old._extra, Extra()
    rare(old).pre.add(_refuse)
    if node.__class__ is View:
        node.node = new
    else:
        tensor._node = new


def _refuse(grad_outputs):
    raise RuntimeError(
        "Trying to execute AccumulateGrad node that was poisoned by swap_tensors: the leaf was swapped with another tensor after "
        "this graph was recorded. Convert a module, or load its state, before the forward or after the backward, not in between."
    )


def _slots(tensor):
    """The names of the slots that classes below Tensor have added."""
    found = set()
    for base in type(tensor).__mro__[: type(tensor).__mro__.index(Tensor)]:
        names = vars(base).get("__slots__", ())
        found.update((names,) if isinstance(names, str) else names)
    return found


def _exchange(t1, t2, slot):
    missing = object()
    for tensor, value in ((t1, getattr(t2, slot, missing)), (t2, getattr(t1, slot, missing))):
        if value is not missing:
            setattr(tensor, slot, value)
        elif hasattr(tensor, slot):
            delattr(tensor, slot)


publish("minigrad.utils", swap_tensors)
