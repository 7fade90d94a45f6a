"""How a batch travels from a worker to the loader: a small pickle, and segments for all that is large.

Tensors and arrays are pickled without their elements, which lie in segments (see ``segments.py``).  Of a tensor only the memory that the
batch's tensors look at is sent, be the storage as large as it may, and tensors that share memory in the worker do so in the loader.
Nothing large is written into the connection: a worker that is done with a batch goes on to the next, whoever reads and when.
"""

import io
import os
import pickle
import socket
from multiprocessing.reduction import ForkingPickler

import numpy as np

from ...._arrays.memory_layout import address, owner_of
from ...._arrays.shared_memory import map_briefly
from ...._base import dtypes
from ...._core.tensor import Tensor, start_requiring_grad, wrap
from ...._ops.copying import warn_if_has_hooks
from ...._ops.parameter import Parameter
from ...._ops.storage_classes import TypedStorage, UntypedStorage
from ...._utils import attributes, set_attributes
from . import segments

_LARGE_PICKLE = 1 << 14
_SPARSE = 4  # a tensor that spans so many times its own bytes is sent without those between


class Channel:
    """One end of the connection between a loader and a worker."""

    def __init__(self, connection):
        self.connection = connection
        self._socket = None
        if segments.Arena.shares:  # descriptors travel beside the connection's bytes
            self._socket = socket.socket(fileno=os.dup(connection.fileno()))

    def close(self):
        """Close this end; the other one reads the end of the stream."""
        self.connection.close()
        if self._socket is not None:
            self._socket.close()

    def send_batch(self, key, data, arena):
        """Send an object with what it is known by; ``arena`` is empty afterwards."""
        try:
            spans, pickled = _pickled(data)
            owners = [_placed(arena, *memory) for memory in spans.owners]
            if arena.shares and len(pickled) > _LARGE_PICKLE:
                owners.append((*arena.copied(np.frombuffer(pickled, np.uint8)), len(pickled)))
                pickled = None
            descriptors = [segment.descriptor for segment in arena.segments]
            sizes = [segment.used for segment in arena.segments]
            message = pickle.dumps((key, pickled, owners, spans.parts, sizes), pickle.HIGHEST_PROTOCOL)
            self.connection.send_bytes(message)
            if descriptors:
                socket.send_fds(self._socket, [b"."], descriptors)
        finally:
            arena.release()

    def receive(self):
        """What ``send_batch`` has sent: the key, and a function that makes the object."""
        key, pickled, owners, parts, sizes = pickle.loads(self.connection.recv_bytes())
        memories = self._mapped(sizes) if sizes else ()
        return key, lambda: _unpickled(pickled, owners, parts, memories)

    def _mapped(self, sizes):
        _, descriptors, _, _ = socket.recv_fds(self._socket, 1, len(sizes))
        try:
            if len(descriptors) < len(sizes):
                raise RuntimeError(
                    "Too many open files. Communication with the workers is no longer possible. Raise the limit (`ulimit -n`), or keep "
                    "fewer files open."
                )
            return [map_briefly(*segment) for segment in zip(descriptors, sizes)]
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


class _Spans:
    """The memory that a message is about: stretches of it (``owners``), and which part of which stretch each buffer is."""

    def __init__(self):
        self.owners = []  # (address, size, what keeps it alive)
        self.parts = []  # (number of the owner, offset, size, whether it is a tensor's)
        self._known = {}  # id of the owner of tensors -> its number
        self._tensors = {}  # id of a placeholder -> (owner, first address, last address + 1, placeholder)
        self._places = []

    def of_tensor(self, array):
        """A placeholder for the memory of a tensor's array."""
        first = address(array)
        size = array.itemsize + sum((n - 1) * step for n, step in zip(array.shape, array.strides))
        placeholder = pickle.PickleBuffer(
            bytearray()
        )  # of something writable, as the receiver's memory will be
        self._tensors[id(placeholder)] = owner_of(array), first, first + size, placeholder
        return placeholder

    def met(self, buffer):
        """Called for each buffer that is pickled, in order."""
        found = self._tensors.get(id(buffer))
        if found is None:
            memory = np.frombuffer(buffer.raw(), np.uint8)
            first = address(memory)
            self._places.append((len(self.owners), first, memory.size, False))
            self.owners.append([first, first + memory.size, memory])
            return
        owner, first, end, _ = found
        number = self._known.setdefault(id(owner), len(self.owners))
        if number == len(self.owners):
            self.owners.append([first, end, owner])
        known = self.owners[number]
        known[:2] = min(known[0], first), max(known[1], end)
        self._places.append((number, first, end - first, True))

    def finish(self):
        """Reckon places from where the memory of each owner begins; ``owners`` are (address, size, what keeps it alive) from now on."""
        self.parts = [
            (number, first - self.owners[number][0], size, tensor)
            for number, first, size, tensor in self._places
        ]
        self.owners = [(first, end - first, memory) for first, end, memory in self.owners]


class _Pickler(ForkingPickler):
    def __init__(self, file, spans):
        super().__init__(file, pickle.HIGHEST_PROTOCOL, True, spans.met)
        self._spans = spans

    def reducer_override(self, obj):
        cls = type(obj)
        if cls is not Tensor and cls is not Parameter:
            mine = isinstance(obj, (TypedStorage, UntypedStorage))
            return obj.__reduce_ex__(pickle.HIGHEST_PROTOCOL) if mine else NotImplemented
        if obj.requires_grad and not obj.is_leaf:
            raise RuntimeError(
                "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process "
                "boundaries. A worker's batch has values only: detach() the tensor in the dataset, or in collate_fn."
            )
        warn_if_has_hooks(obj)
        array = obj._array
        if not array.size:
            memory = None
        else:
            size = array.itemsize + sum((n - 1) * step for n, step in zip(array.shape, array.strides))
            if size > _SPARSE * array.nbytes:
                array = array.copy()
            memory = self._spans.of_tensor(array)
        state = attributes(obj)
        return _tensor, (memory, cls, array.dtype, array.shape, array.strides, obj.requires_grad, state)


def _tensor(memory, cls, dtype, shape, strides, requires_grad, state):
    dtype = dtypes.from_numpy_dtype(dtype).np
    array = np.empty(shape, dtype) if memory is None else np.ndarray(shape, dtype, memory, 0, strides)
    tensor = wrap(array) if cls is Tensor else Parameter(wrap(array), requires_grad)
    if requires_grad and cls is Tensor:
        start_requiring_grad(tensor)
    return set_attributes(tensor, state) if state else tensor


def _pickled(data):
    spans = _Spans()
    file = io.BytesIO()
    _Pickler(file, spans).dump(data)
    spans.finish()
    return spans, file.getvalue()


def _placed(arena, first, size, keeps):
    """Where a stretch of memory is found by the receiver: (number of a segment, offset, size), or the bytes themselves."""
    if not (arena.shares and size):
        return segments.bytes_at(first, size).tobytes()
    place = arena.place(first, size) or arena.copied(segments.bytes_at(first, size))
    return (*place, size)


def _unpickled(pickled, owners, parts, memories):
    found = []
    for owner in owners:
        if isinstance(owner, bytes):
            found.append(np.frombuffer(bytearray(owner), np.uint8))
        else:
            number, offset, size = owner
            found.append(np.frombuffer(memories[number][offset : offset + size], np.uint8))
    if pickled is None:
        pickled = found.pop()
    buffers = []
    for number, offset, size, tensor in parts:
        part = found[number][offset : offset + size]
        buffers.append(part if tensor else memoryview(part))
    return pickle.loads(pickled, buffers=buffers)
