"""Weak references to tensors, and dictionaries with tensors as keys that do not keep them alive.

Tensors compare element by element, so the standard library's ``WeakKeyDictionary`` cannot have them as keys: here it is identity that counts.
"""

import weakref
from collections.abc import Iterator, Mapping, MutableMapping
from copy import deepcopy
from typing import Any

from .._api import Tensor

__all__ = ["TensorWeakRef", "WeakIdRef", "WeakIdKeyDictionary", "WeakTensorKeyDictionary"]

WeakRef = weakref.ref


class WeakIdRef(weakref.ref):
    """A weak reference that compares by identity: it equals another to the same living object, and its hash is the object's id.

    >>> import minigrad
    >>> from minigrad.utils.weak import WeakIdRef
    >>> x = minigrad.ones(2)
    >>> WeakIdRef(x) == WeakIdRef(x), WeakIdRef(x) == WeakIdRef(minigrad.ones(2)), WeakIdRef(x)() is x
    (True, False, True)
    """

    __slots__ = ("_id",)

    def __init__(self, key: Any, callback: Any = None) -> None:
        super().__init__(key, callback)  # type: ignore[call-arg]
        self._id = id(key)

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        mine, theirs = self(), other()  # type: ignore[operator]
        if mine is None or theirs is None:  # an id may be another object's by now
            return self is other
        return mine is theirs


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary whose keys are compared by identity, and whose entries disappear with their keys.

    ``ref_type`` makes the weak references, whose ``==`` and hash decide which keys are the same.

    >>> import minigrad
    >>> from minigrad.utils.weak import WeakIdKeyDictionary
    >>> x = minigrad.ones(2)
    >>> notes = WeakIdKeyDictionary({x: "mine"})
    >>> notes[x], minigrad.ones(2) in notes
    ('mine', False)
    >>> del x
    >>> len(notes)
    0
    """

    data: dict[Any, Any]

    def __init__(self, dict: Any = None, ref_type: Any = WeakIdRef) -> None:
        self.data = {}
        self.ref_type = ref_type
        own = weakref.ref(self)

        def forget(dead):
            living = own()
            if living is not None:
                living.data.pop(dead, None)

        self._remove = forget
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key: Any) -> Any:
        return self.data[self.ref_type(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key: Any) -> None:
        del self.data[self.ref_type(key)]

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, key: Any) -> bool:
        try:
            return self.ref_type(key) in self.data
        except TypeError:  # there are no weak references to numbers, strings, ...
            return False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def items(self) -> Iterator[Any]:
        """Yield pairs (key, value) for the living keys; keys may die meanwhile."""
        for ref, value in list(self.data.items()):
            key = ref()
            if key is not None:
                yield key, value

    def keys(self) -> Iterator[Any]:
        """Return the living keys."""
        for ref in list(self.data):
            key = ref()
            if key is not None:
                yield key

    __iter__ = keys

    def values(self) -> Iterator[Any]:
        """Return the values of the living keys."""
        for ref, value in list(self.data.items()):
            if ref() is not None:
                yield value

    def keyrefs(self) -> Any:
        """Return the weak references to the keys as a list, which keeps no key alive."""
        return list(self.data)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or ``default`` if there is none."""
        return self.data.get(self.ref_type(key), default)

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove an entry and return its value; raise KeyError if there is none, and no default."""
        return self.data.pop(self.ref_type(key), *default)

    def popitem(self) -> Any:
        """Remove the entry that was added last, and return it as a pair (key, value)."""
        while True:
            ref, value = self.data.popitem()
            key = ref()
            if key is not None:
                return key, value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, after setting it to ``default`` if there is none."""
        return self.data.setdefault(self.ref_type(key, self._remove), default)

    def copy(self) -> Any:
        """Return a new dictionary with the same keys and values."""
        return WeakIdKeyDictionary(self, self.ref_type)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        copied = type(self)(ref_type=self.ref_type)
        for key, value in self.items():
            copied[key] = deepcopy(value, memo)
        return copied

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        merged = type(self)(other)
        merged.update(self)
        return merged

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return {id(key): value for key, value in self.items()} == {
            id(key): value for key, value in other.items()
        }


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor: calling it returns the tensor, or None when it is gone. Raises AssertionError for other objects.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> ref = minigrad.utils.weak.TensorWeakRef(x)
    >>> ref() is x
    True
    """

    ref: Any

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Any:
        return self.ref()
