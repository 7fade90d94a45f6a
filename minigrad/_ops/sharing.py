"""How the memory under tensors moves to where other processes can have it too.

A tensor is an array, and nothing keeps a list of the tensors that look at one memory.  Mostly there is but one, which the counts of references tell; otherwise
the others are looked for among all objects that the garbage collector knows.  NumPy arrays outside of tensors stay where they are.
"""

import gc
import sys
import threading
from collections import Counter, defaultdict

import numpy as np

from .._arrays.memory_layout import address, owner_of
from .._arrays.shared_memory import segment_of, shared_copy
from .._arrays.unresolved import seen_as, stored
from .._base.allocator import give_back
from .._base.forking import held_while_forking
from .._core.node import AccumulateGrad
from .._core.tensor import Tensor
from .._core.views import View

__all__: list[str] = []

moving = held_while_forking(threading.RLock())


def move_to_shared_memory(storage, tensor=None, index=None):
    """Move an ``UntypedStorage``, and all tensors that look at it, to memory that processes share.

    Does nothing if it is there.  ``tensor`` is one that looks at it, if the caller knows one; ``index`` a ``TensorIndex`` to go
    by, for callers who move several.
    """
    with moving:
        if segment_of(storage._owner) is not None:
            return
        moved = shared_copy(storage._elements)
        holders = _holders(storage, tensor, TensorIndex() if index is None else index)
        start = address(storage._elements)
        arrays = {}

        def there(array):
            if id(array) not in arrays:
                offset = address(array) - start if array.size else 0
                twin = np.ndarray(array.shape, array.dtype, moved, offset, array.strides)
                arrays[id(array)] = twin, array  # kept, so that its id stays its own
            return arrays[id(array)][0]

        old = storage._owner
        for holder in holders:
            if holder.__class__ is AccumulateGrad:
                holder.array = seen_as(holder.array, there(stored(holder.array)))
                continue
            holder._array = seen_as(holder._array, there(stored(holder._array)))
            if holder._layouts:
                holder._layouts = tuple(
                    (version, there(array) if owner_of(array) is old else array)
                    for version, array in holder._layouts
                )
        storage._rest_on(moved)
        arrays.clear()
        if references([old]) == 1:  # this function's
            give_back(old)


def references(arrays):
    """How many references there are to the only array in a list, but for those that its being here makes."""
    for array in arrays:
        return sys.getrefcount(array) - _UNCOUNTED
    return 0


def _uncounted():
    for array in [np.empty(0)]:
        return sys.getrefcount(array)
    return 0


#: References to the loop's array: those of the list, the variable and the argument, of which newer interpreters count fewer.
_UNCOUNTED = _uncounted()


def _holders(storage, tensor, index):
    """All tensors over ``storage``, and the nodes at the ends of graphs that remember their arrays."""
    holders = []
    if tensor is not None:
        node = tensor._node
        node = node.node if node.__class__ is View else node
        holders = [tensor, node] if node.__class__ is AccumulateGrad else [tensor]
    if _account_for_all(storage, holders):
        return holders
    fresh = index.build_once()
    holders = index.find(storage._owner)
    if not fresh and not _account_for_all(storage, holders):  # some may have come since
        index.build()
        holders = index.find(storage._owner)
    return holders


def all_holders(storage, tensor=None):
    """As ``_holders``; None if somebody else holds the memory, too: a NumPy array, or a node that has saved a result."""
    holders = _holders(storage, tensor, TensorIndex())
    return holders if _account_for_all(storage, holders) else None


def _account_for_all(storage, holders):
    """Whether ``storage`` and ``holders`` account for all references to its memory."""
    owner, elements = storage._owner, storage._elements
    uses = Counter()  # known references, by the ids of what they are to
    between = {}  # what lies between the tensors and the owner: arrays, each the base of another
    for holder in holders:
        for array in arrays_of(holder):
            uses[id(array)] += 1
            while array is not owner and array is not None and id(array) not in between:
                between[id(array)] = array
                array = getattr(array, "base", None)
                uses[id(array)] += 1
    array = holder = None
    expected = 2 + uses[id(owner)]  # the storage's, the variable's
    expected += 1 if elements is owner else elements.base is owner
    del elements
    return references([owner]) == expected and all(
        references([between[key]]) == uses[key] + 1 for key in between
    )


class TensorIndex:
    """Who looks at which memory: all tensors, by the ids of the arrays that own their memory."""

    def __init__(self):
        self._by_owner = None

    def build_once(self):
        """Build it unless it is; returns whether it was built now."""
        if self._by_owner is not None:
            return False
        self.build()
        return True

    def build(self):
        """Go through all objects that there are."""
        classes, found = {AccumulateGrad}, [Tensor]
        while found:
            cls = found.pop()
            classes.add(cls)
            found.extend(cls.__subclasses__())
        self._by_owner = defaultdict(list)
        for each in gc.get_objects():
            if type(each) in classes:
                array = _array_of(each)
                if isinstance(array, np.ndarray):  # else a layer of a transform stands there
                    self._by_owner[id(owner_of(array))].append(each)

    def find(self, owner):
        """The tensors, and nodes at the ends of graphs, over the memory of ``owner``."""
        found = self._by_owner.get(id(owner), ())
        return [each for each in found if owner_of(_array_of(each)) is owner]  # others may have moved since


def arrays_of(holder):
    """The arrays of a tensor, with those that it had before it got another shape in place, or of the node at its end of the graph."""
    if holder.__class__ is AccumulateGrad:
        return [stored(holder.array)]
    return [stored(array) for array in (holder._array, *(before for _, before in holder._layouts))]


def _array_of(holder):
    """The array in memory of a tensor, or of the node at its end of the graph; None if it has none yet."""
    return stored(getattr(holder, "array" if holder.__class__ is AccumulateGrad else "_array", None))
