"""Memory that a worker fills and the loader's process reads, without a copy in between.

A segment is an anonymous file in memory that a worker maps, and whose descriptor it sends along with a batch; the loader's process
maps it and closes the descriptor.  A segment never has a name, so it is gone with its last mapping, however the processes end.

While a worker makes a batch, what is collated is put into a segment at once (``empty``); the rest is copied there when it is sent.
Where there are no such files, or descriptors cannot be sent (Windows), batches travel as bytes: ``Arena.shares`` says which.
"""

import ctypes
import math
import mmap
import os
import socket
import sys
import threading

import numpy as np

from ...._arrays.shared_memory import nameless_file

_PAGE = mmap.PAGESIZE
_ALIGNMENT = 64
_SMALLEST = 1 << 20  # bytes of address space: pages that nobody touches take no memory
_SLACK = 1 << 16

#: The arena of this process if it is a worker.
_arena = None


def in_worker():
    """Whether this process is the worker of a loader."""
    return _arena is not None


def become_worker():
    """Let batches of this process be made in segments from now on; returns the arena."""
    global _arena
    _arena = Arena()
    return _arena


def empty(shape, dtype):
    """A new array, in a worker in shared memory."""
    return np.empty(shape, dtype) if _arena is None else _arena.empty(shape, dtype)


class _Segment:
    """A segment as the worker that fills it has it: ``used`` bytes from its start are taken."""

    def __init__(self, size):
        self.descriptor = nameless_file(os.urandom(16))
        os.ftruncate(self.descriptor, size)
        self.bytes = np.frombuffer(mmap.mmap(self.descriptor, size), np.uint8)
        self.address = self.bytes.ctypes.data
        self.used = 0


class Arena:
    """The segments of the batch that a worker is making."""

    shares = sys.platform != "win32" and hasattr(socket, "send_fds")

    def __init__(self):
        self.segments = []
        self._expected = _SMALLEST
        self._lock = threading.Lock()  # datasets may collate in threads

    def empty(self, shape, dtype):
        """A new array in the segment at hand."""
        size = math.prod(shape) * dtype.itemsize
        if not (self.shares and size):
            return np.empty(shape, dtype)
        number, offset = self._allocate(size)
        return np.ndarray(shape, dtype, self.segments[number].bytes.data, offset)

    def place(self, address, size):
        """Where ``size`` bytes at an address are: (number of the segment, offset); None if they are elsewhere."""
        for number, segment in enumerate(self.segments):
            if segment.address <= address and address + size <= segment.address + segment.used:
                return number, address - segment.address
        return None

    def copied(self, memory):
        """Copy bytes, a contiguous uint8 array; returns the place of the copy."""
        number, offset = self._allocate(memory.size)
        self.segments[number].bytes[offset : offset + memory.size] = memory
        return number, offset

    def _allocate(self, size):
        with self._lock:
            segment = self.segments[-1] if self.segments else None
            if segment is None or segment.used + size > segment.bytes.size:
                size_of_file = -(-max(size + _SLACK, self._expected) // _PAGE) * _PAGE
                segment = _Segment(size_of_file)
                self.segments.append(segment)
            offset = segment.used
            segment.used = -(-(offset + size) // _ALIGNMENT) * _ALIGNMENT
            return len(self.segments) - 1, offset

    def release(self):
        """Forget the segments: the batch is sent.  What the dataset has kept of it stays mapped."""
        with self._lock:
            segments, self.segments = self.segments, []
        if segments:
            self._expected = max(_SMALLEST, sum(segment.used for segment in segments) + _SLACK)
        for segment in segments:
            os.close(segment.descriptor)


def bytes_at(address, size):
    """The memory of somebody's array, who keeps it alive, as an array of bytes."""
    return np.frombuffer((ctypes.c_ubyte * size).from_address(address), np.uint8)
