"""How a batch travels from a worker to the loader: a small pickle, and a segment for all that is large.

Tensors and arrays are pickled without their elements, which lie in a segment (see ``segments.py``).  Of a tensor only the memory that the
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
        if segments.SHARES:  # descriptors travel beside the connection's bytes
            self._socket = socket.socket(fileno=os.dup(connection.fileno()))

    def close(self):
        """Close this end; the other one reads the end of the stream."""
        self.connection.close()
        if self._socket is not None:
            self._socket.close()

    def send_batch(self, key, data):
        """Send an object with what it is known by."""
        spans, pickled = _pickled(data)
        memories = [segments.bytes_at(first, size) for first, size, _ in spans.owners]
        if self._socket is None:
            message = key, pickled, None, [memory.tobytes() for memory in memories], spans.parts
            self.connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
            return
        if len(pickled) > _LARGE_PICKLE:
            memories.append(np.frombuffer(pickled, np.uint8))
            pickled = None
        if not memories:
            message = key, pickled, None, [], []
            self.connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
            return
        descriptor, size, offsets = segments.segment_with(memories)
        try:
            owners = [(offset, memory.size) for offset, memory in zip(offsets, memories)]
            message = key, pickled, size, owners, spans.parts
            self.connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))
            socket.send_fds(self._socket, [b"."], [descriptor])
        finally:
            os.close(descriptor)

    def receive(self):
        """What ``send_batch`` has sent: the key, and a function that makes the object."""
        key, pickled, size, owners, parts = pickle.loads(self.connection.recv_bytes())
        if size is None:
            memories = [np.frombuffer(bytearray(owner), np.uint8) for owner in owners]
        else:
            segment = self._receive_segment(size)
            memories = [np.frombuffer(segment[offset : offset + size], np.uint8) for offset, size in owners]
        return key, lambda: _unpickled(pickled, memories, parts)

    def _receive_segment(self, size):
        data, descriptors, _, _ = socket.recv_fds(self._socket, 1, 1)
        if not data:
            raise EOFError  # the worker has died before it could send it
        if not descriptors:
            raise RuntimeError(
                "Too many open files. Communication with the workers is no longer possible. Raise the limit (`ulimit -n`), or keep "
                "fewer files open."
            )
        try:
            return map_briefly(descriptors[0], size)
        finally:
            os.close(descriptors[0])


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
        # of something that can be written to, as the receiver's memory will be
        placeholder = pickle.PickleBuffer(bytearray())
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


def _unpickled(pickled, memories, parts):
    if pickled is None:
        pickled = memories.pop()
    buffers = []
    for number, offset, size, tensor in parts:
        part = memories[number][offset : offset + size]
        buffers.append(part if tensor else memoryview(part))
    return pickle.loads(pickled, buffers=buffers)
