"""How the memory under tensors gets another size: the storage moves, and with it all tensors that look at it.

Only memory at which nobody else looks can move: no NumPy array, no result that a node has saved.  A tensor for which the storage has become too small reads
zeros, and cannot be written to; it remembers where it looked, and looks there again once the storage is large enough.
"""

import numpy as np

from .._arrays.memory_layout import BYTE, address
from .._arrays.unresolved import seen_as
from .._base.errors import type_name
from .._core.node import AccumulateGrad
from .sharing import all_holders, arrays_of, moving
from .storage_classes import checked_size

__all__: list[str] = []

#: Room for one element of any dtype: what tensors look at whose storage is too small.
_ELEMENT = 16


def is_resizable(storage):
    """Whether the memory of an ``UntypedStorage`` is its own to replace: neither a file, nor shared, nor somebody's buffer."""
    owner = storage._owner
    return owner.__class__ is np.ndarray and owner.base is None and owner.flags.owndata


def resize(storage, nbytes, tensor=None):
    """Give an ``UntypedStorage`` another number of bytes; those that it had keep their values as far as there is room, others have any.

    ``tensor`` is one that looks at it, if the caller knows one.  Raises RuntimeError if the memory cannot move.
    """
    if nbytes == storage.nbytes():
        return
    if not is_resizable(storage):
        raise RuntimeError("Trying to resize storage that is not resizable")
    with moving:
        holders = all_holders(storage, tensor)
        if holders is None:
            raise RuntimeError(
                "Trying to resize storage that is not resizable\nA NumPy array, or a result that backward needs, looks at the memory, too."
            )
        start = address(storage._elements)
        places = [[_place(holder, array, start) for array in arrays_of(holder)] for holder in holders]
        fit = [_end(several[0]) <= nbytes for several in places]
        memory = np.empty(nbytes, BYTE) if all(fit) else np.zeros(max(nbytes, _ELEMENT), BYTE)
        kept = min(nbytes, storage.nbytes())
        memory[:kept] = storage._elements[:kept]
        for holder, several, fits in zip(holders, places, fit):
            array, *before = [_window(memory, place, _end(place) <= nbytes) for place in several]
            if holder.__class__ is AccumulateGrad:
                holder.array = seen_as(holder.array, array)
                continue
            holder._array = seen_as(holder._array, array)
            if before:
                holder._layouts = tuple((version, then) for (version, _), then in zip(holder._layouts, before))
            if not fits or holder._beyond is not None:
                holder._beyond = None if fits else (storage, *several[0][2:])
        storage._rest_on(memory, memory[:nbytes])


def _place(holder, array, start):
    """Where an array of a tensor, or of the node at its end of the graph, looks: shape, dtype, offset in bytes, strides in bytes."""
    leaf = holder.leaf() if holder.__class__ is AccumulateGrad else holder
    if leaf is not None and leaf._beyond is not None:
        return array.shape, array.dtype, *leaf._beyond[1:]
    return array.shape, array.dtype, address(array) - start, array.strides


def _end(place):
    """The number of bytes that a storage needs for a place."""
    shape, dtype, offset, strides = place
    if 0 in shape:
        return 0
    return offset + dtype.itemsize + sum((n - 1) * step for n, step in zip(shape, strides))


def _window(memory, place, fits):
    """The array at a place in the memory; zeros to read if it ends beyond."""
    shape, dtype, offset, strides = place
    if fits:
        return np.ndarray(shape, dtype, memory, 0 if 0 in shape else offset, strides)
    array = np.ndarray(shape, dtype, memory, 0, (0,) * len(shape))
    array.flags.writeable = False
    return array


# Methods of storages -------------------------------------------------------------------------------------------------------------


def resizable(self):
    """Whether the storage can get another size: its memory is no file, no shared memory and no other object's buffer, and no NumPy array looks at it."""
    storage = self._untyped_storage
    return is_resizable(storage) and all_holders(storage) is not None


def resize_(self, size):
    """Give the storage another number of elements, and return it; tensors that look at it see the new memory.

    Raises RuntimeError if the memory is not the storage's own, or a NumPy array looks at it.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> x.untyped_storage().resize_(0).nbytes()
    0
    """
    if not isinstance(size, int):
        raise RuntimeError(f"resize_ expects an int, but got {type_name(size)}")
    resize(self._untyped_storage, checked_size("resize_()", size) * self.element_size())
    return self
