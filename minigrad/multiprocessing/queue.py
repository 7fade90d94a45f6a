"""Queues that tensors travel through: those of the standard library on the pipes of ``connection.py``."""

import multiprocessing
from multiprocessing import queues, reduction
from typing import Any

from .._base.missing import getattr_of as _getattr_of
from .._ops.process_pickles import Message, pack, unpacking
from .connection import PASSES_DESCRIPTORS, Pipe, set_next_message

__all__ = ["Queue", "JoinableQueue", "SimpleQueue"]


def _replaced():
    """What the feeding thread of a queue pickles in the place of a message, which is pickled already."""


def _reduce_message(message):
    set_next_message(message)
    return _replaced, ()


reduction.register(Message, _reduce_message)


class _TensorQueue:
    """What makes a queue carry tensors: messages are packed when they are put, and sent with their descriptors.

    Packed when they are put, not later in the thread that feeds the pipe: from then on the tensor is shared, and nothing that is written to it is lost; and
    what cannot be sent is refused where it was put.
    """

    _closed: Any

    def __init__(self, maxsize: Any = 0, *, ctx: Any = None) -> None:
        super().__init__(maxsize, ctx=multiprocessing.get_context() if ctx is None else ctx)  # type: ignore[call-arg]
        if PASSES_DESCRIPTORS:
            self._reader.close()  # type: ignore[has-type]
            self._writer.close()  # type: ignore[has-type]
            self._reader, self._writer = Pipe(duplex=False)
            self._reset()

    def _reset(self, after_fork=False):
        super()._reset(after_fork)
        if PASSES_DESCRIPTORS and hasattr(self._writer, "send_next"):
            self._send_bytes = self._writer.send_next
            self._recv_bytes = self._reader.recv_message

    def put(self, obj: Any, block: Any = True, timeout: Any = None) -> None:
        """Put an object into the queue; the memory of tensors in it is shared from then on.  Raises queue.Full after ``timeout`` seconds."""
        super().put(pack(obj) if PASSES_DESCRIPTORS and not self._closed else obj, block, timeout)  # type: ignore[misc]

    def get(self, block: Any = True, timeout: Any = None) -> Any:
        """Take the next object out of the queue; raises queue.Empty after ``timeout`` seconds."""
        with unpacking():
            return super().get(block, timeout)  # type: ignore[misc]


class Queue(_TensorQueue, queues.Queue):
    """A queue that several processes put objects into and take them out of; as ``multiprocessing.Queue``, with tensors."""


class JoinableQueue(_TensorQueue, queues.JoinableQueue):
    """A ``Queue`` that can be waited for until all that was put in was taken out and done with."""


class SimpleQueue(queues.SimpleQueue):
    """A queue without a buffer: ``put`` waits while the pipe is full."""

    _rlock: Any
    _wlock: Any

    def __init__(self, *, ctx: Any = None) -> None:
        super().__init__(ctx=multiprocessing.get_context() if ctx is None else ctx)
        if PASSES_DESCRIPTORS:
            self.close()
            self._reader, self._writer = Pipe(duplex=False)
            self._poll = self._reader.poll

    def put(self, obj: Any) -> None:
        """Put an object into the queue; the memory of tensors in it is shared from then on."""
        if not PASSES_DESCRIPTORS:
            super().put(obj)
            return
        message = pack(obj)
        with self._wlock:
            self._writer.send_message(message)

    def get(self) -> Any:
        """Take the next object out of the queue."""
        if not PASSES_DESCRIPTORS:
            return super().get()
        with unpacking():
            with self._rlock:
                message = self._reader.recv_message()
            return reduction.ForkingPickler.loads(message)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
