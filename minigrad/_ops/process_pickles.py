"""How tensors and storages are pickled for other processes: their memory moves to where both have it, and only its place is sent.

``multiprocessing`` pickles with its ``ForkingPickler``, which asks the reducers here once they are registered.  A segment of shared memory goes along as a
descriptor.  Where a connection of ``minigrad.multiprocessing`` carries the message, the descriptors travel beside it (``pack`` and ``unpacking``): the kernel
keeps them while they are under way, so the sender may end, and nothing is left behind if the receiver does.  On all other ways, such as the queues of
``multiprocessing`` itself, the receiver fetches them from the sender, which has to live until then.
"""

import io
import os
import threading
from contextlib import contextmanager

import numpy as np

from .._arrays.memory_layout import address
from .._arrays.shared_memory import (
    WINDOWS,
    Segment,
    array_in_segment,
    is_mapped,
    map_segment,
    offset_in_segment,
    segment_of,
)
from .._arrays.unresolved import marked, marks_of
from .._core.modes import thread_state
from .._core.tensor import Tensor, new, start_requiring_grad
from .copying import warn_if_has_hooks
from .parameter import Parameter
from .sharing import TensorIndex, move_to_shared_memory
from .storage_classes import TypedStorage, UntypedStorage

__all__: list[str] = []


def share(storage, tensor=None, index=None):
    """Move an ``UntypedStorage`` to shared memory unless it is a file that is mapped, and see to it that it is sent as such.

    ``tensor`` is one that looks at it.
    """
    register()
    if not is_mapped(storage._owner):
        move_to_shared_memory(storage, tensor, index)


def descriptor(storage):
    """The descriptor of the segment under an ``UntypedStorage``, which moves to one if it is not in any."""
    share(storage)
    segment = segment_of(storage._owner)
    if segment is None or segment.descriptor is None or offset_in_segment(storage._owner):
        raise RuntimeError("the storage has no file descriptor: it is a memory-mapped file, or part of other memory")
    return segment.descriptor


# Tensors and storages ------------------------------------------------------------------------------------------------------------


def reduce_tensor(tensor, index=None):
    """Return a function and arguments that rebuild a tensor in another process, over the same memory.

    Raises RuntimeError for a tensor that has a history.

    >>> import minigrad
    >>> x = minigrad.ones(2)
    >>> rebuild, args = minigrad.multiprocessing.reductions.reduce_tensor(x)
    >>> rebuild(*args).is_set_to(x)
    True
    """
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process "
            "boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it on "
            "the queue)."
        )
    warn_if_has_hooks(tensor)
    storage = UntypedStorage.of(tensor._array)
    if storage.nbytes():
        share(storage, tensor, index)
    array = tensor._array
    offset = address(array) - address(storage._elements) if array.size else tensor.storage_offset() * array.itemsize
    metadata = offset, array.shape, array.strides, tensor.dtype, tensor.requires_grad, marks_of(array)
    return rebuild_tensor, (type(tensor), storage, metadata)


def rebuild_tensor(cls, storage, metadata):
    """A tensor of class ``cls`` over ``storage``: what ``reduce_tensor`` has reduced."""
    offset, shape, strides, dtype, requires_grad, marks = metadata
    tensor = new(cls)
    tensor._array = marked(np.ndarray(shape, dtype.np, storage._elements, offset, strides), marks)
    tensor._node = None
    tensor._storage = thread_state.fresh
    if requires_grad:
        start_requiring_grad(tensor)
    return tensor


def reduce_storage(storage, index=None):
    """Return a function and arguments that rebuild an ``UntypedStorage`` in another process, over the same memory.

    >>> import minigrad
    >>> storage = minigrad.ones(2).untyped_storage()
    >>> rebuild, args = minigrad.multiprocessing.reductions.reduce_storage(storage)
    >>> rebuild(*args).data_ptr() == storage.data_ptr()
    True
    """
    if not storage.nbytes():
        return rebuild_storage_empty, (type(storage),)
    if storage.filename is not None and segment_of(storage._owner) is None:  # a file that is mapped, and shared by its name
        return UntypedStorage.from_file, (storage.filename, True, storage.nbytes())
    move_to_shared_memory(storage, index=index)
    owner = storage._owner
    return rebuild_storage, (segment_of(owner), offset_in_segment(owner), storage.nbytes())


def rebuild_storage(segment, offset, nbytes):
    """The storage over a part of a segment."""
    return UntypedStorage.of(array_in_segment(segment, offset, nbytes))


def rebuild_storage_empty(cls):
    """A storage of no bytes."""
    return cls()


def reduce_typed_storage(storage):
    """What rebuilds a ``TypedStorage`` in another process, over the same memory: a function and its arguments."""
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def rebuild_typed_storage(storage, dtype):
    """The storage as elements of ``dtype``."""
    return TypedStorage(wrap_storage=storage, dtype=dtype)


# Segments ------------------------------------------------------------------------------------------------------------------------


def reduce_segment(segment):
    """What maps a segment in another process, which fetches the descriptor from this one."""
    from multiprocessing import reduction

    if WINDOWS:
        return _fetch_named, (segment.key, len(segment), _handle_to_send(segment))
    return _fetch_segment, (segment.key, len(segment), reduction.DupFd(segment.descriptor))


def _fetch_segment(key, size, sent):
    return map_segment(key, size, sent.detach())


def _handle_to_send(segment):
    """A handle for the receiver to take: it keeps the mapping alive until then."""
    import _winapi
    from multiprocessing import reduction

    from .._arrays.shared_memory import windows_name

    handle = _winapi.OpenFileMapping(_winapi.FILE_MAP_READ | _winapi.FILE_MAP_WRITE, False, windows_name(segment.key))
    try:
        return reduction.DupHandle(handle, _winapi.DUPLICATE_SAME_ACCESS)
    finally:
        _winapi.CloseHandle(handle)


def _fetch_named(key, size, sent):
    import _winapi

    handle = sent.detach()
    try:
        return map_segment(key, size, None)
    finally:
        _winapi.CloseHandle(handle)


# Messages with descriptors beside them -------------------------------------------------------------------------------------------


class Message:
    """A pickled object, and the segments that have to go along: the bytes end with their number if there are any, and no pickle ends so."""

    __slots__ = ("data", "segments")

    def __init__(self, data, segments):
        self.data, self.segments = data, segments


#: The last byte of a message with descriptors; that of a pickle is a full stop.  Their number stands before it.
_MARK = b"D"
_COUNT = 4


def pack(obj):
    """An object as a ``Message``."""
    from multiprocessing.reduction import ForkingPickler

    register()
    segments, index = [], TensorIndex()

    def reduce_segment_beside(segment):
        segments.append(segment)
        return _rebuild_segment, (segment.key, len(segment), len(segments) - 1)

    def reduce_indexed_tensor(tensor):
        return reduce_tensor(tensor, index)

    def reduce_indexed_storage(storage):
        return reduce_storage(storage, index)

    file = io.BytesIO()
    pickler = ForkingPickler(file)
    pickler.dispatch_table = {
        **pickler.dispatch_table,
        Segment: reduce_segment_beside,
        Tensor: reduce_indexed_tensor,
        Parameter: reduce_indexed_tensor,
        UntypedStorage: reduce_indexed_storage,
    }
    pickler.dump(obj)
    if segments:
        file.write(len(segments).to_bytes(_COUNT, "big") + _MARK)
    return Message(file.getbuffer(), segments)


def count_descriptors(data):
    """How many descriptors belong to the bytes of a message."""
    return int.from_bytes(data[-1 - _COUNT : -1], "big") if data[-1:] == _MARK else 0


class _Received(threading.local):
    descriptors: list | None = None


_received = _Received()


def set_received_descriptors(descriptors):
    """Note what has arrived with the message that this thread is about to unpickle."""
    _received.descriptors = descriptors


@contextmanager
def unpacking():
    """A ``with`` block in which a message arrives and is unpickled; descriptors that nobody takes are closed after it."""
    before, _received.descriptors = _received.descriptors, None
    try:
        yield
    finally:
        for descriptor in _received.descriptors or ():
            if descriptor is not None:
                os.close(descriptor)
        _received.descriptors = before


def _rebuild_segment(key, size, place):
    """The segment whose descriptor has arrived at this place among those of the message."""
    descriptors = _received.descriptors
    if descriptors is None:
        raise RuntimeError(
            "this message was sent over a connection of minigrad.multiprocessing, together with file descriptors: receive it with recv() or get() of that "
            "connection or queue"
        )
    descriptor, descriptors[place] = descriptors[place], None
    return map_segment(key, size, descriptor)


# -----------------------------------------------------------------------------------------------------------------------------------

_registered = False


def register():
    """Let ``multiprocessing`` pickle tensors and storages so."""
    global _registered
    if _registered:
        return
    from multiprocessing.reduction import ForkingPickler

    for cls, reduce in {
        Tensor: reduce_tensor, Parameter: reduce_tensor, UntypedStorage: reduce_storage, TypedStorage: reduce_typed_storage, Segment: reduce_segment,
    }.items():
        ForkingPickler.register(cls, reduce)
    _registered = True
