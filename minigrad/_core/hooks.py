"""Handles of registered hooks, and the rare state of a node that hooks and other seldom-used features need."""

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .._base.publishing import publish

_ids = itertools.count()
#: How often a hook was registered or removed, whatever kind it is: captured steps look at it.
changes = 0


class RemovableHandle:
    """A handle that removes a hook, by ``remove()`` or at the end of a ``with`` block.

    >>> import minigrad
    >>> x = minigrad.ones(1, requires_grad=True)
    >>> with x.register_hook(lambda g: 2 * g):
    ...     (3 * x).backward()
    >>> x.grad
    tensor([6.])
    """

    id: int
    hooks_dict_ref: Any
    extra_dict_ref: tuple[Any, ...]

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        global changes
        changes += 1
        self.id = next(_ids)
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref = ()
        if extra_dict is not None:
            several = extra_dict if isinstance(extra_dict, list) else [extra_dict]
            self.extra_dict_ref = tuple(weakref.ref(d) for d in several)

    def remove(self) -> None:
        """Take the hook out; does nothing if it is out already."""
        global changes
        changes += 1
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.remove()

    def __getstate__(self) -> Any:
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: dict[str, Any]) -> None:
        global _ids
        hooks, self.id, *extra = state  # type: ignore[assignment]
        hooks = OrderedDict() if hooks is None else hooks  # of an object that is gone
        self.hooks_dict_ref = weakref.ref(hooks)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in (extra[0] if extra else ()) if d is not None)
        _ids = itertools.count(max(next(_ids), self.id + 1))


publish("minigrad.utils.hooks", RemovableHandle)


class Hooks(OrderedDict):
    """Hooks in order of registration, by the handle's id."""

    def add(self, hook: Callable[..., Any]) -> Any:
        """Register ``hook``; returns its handle."""
        handle = RemovableHandle(self)
        self[handle.id] = hook
        return handle


class Extra:
    """What few nodes have: hooks of every kind, metadata, what is odd about a leaf."""

    __slots__ = ("tensor", "retain", "pre", "post", "accumulated", "metadata", "wants", "left", "misfit")

    def __init__(self):
        self.tensor = {}  # output number -> Hooks on the tensor
        self.retain = {}  # output number -> weak reference to the tensor whose .grad is kept
        self.pre = Hooks()
        self.post = Hooks()
        self.accumulated = Hooks()
        self.metadata = None
        self.wants = None  # the NumPy dtype that the gradient of this accumulator's leaf is to have, if it is not the leaf's
        self.misfit = False  # a gradient was assigned to the leaf that is not in the leaf's order in memory
        self.left = False  # the leaf of this accumulator required grad no longer for a while


def unserializable_hook(f: Callable[..., Any]) -> Any:
    """Mark a hook that pickling may leave out without a warning (a decorator).

    >>> import minigrad
    >>> @minigrad.utils.hooks.unserializable_hook
    ... def double(grad):
    ...     return 2 * grad
    """
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f
