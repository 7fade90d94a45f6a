"""Memory that a worker fills and the loader's process reads, without a copy there.

A segment is a file without a name, in memory.  A worker writes a batch into it and sends its descriptor; the loader's process maps it and closes the
descriptor.  So it is gone with the loader's last mapping, however the processes end.  Where descriptors cannot be sent (Windows), batches travel as
bytes.
"""

import ctypes
import mmap
import os
import socket
import sys

import numpy as np

from ...._arrays.shared_memory import nameless_file, write_bytes

#: Whether batches travel in segments.
SHARES = sys.platform != "win32" and hasattr(socket, "send_fds")
_ALIGNMENT = 64


def bytes_at(address, size):
    """The memory of somebody's array, who keeps it alive, as an array of bytes."""
    return np.frombuffer((ctypes.c_ubyte * size).from_address(address), np.uint8)


def segment_with(memories):
    """A new segment holding arrays of bytes one after the other: its descriptor, its size and where each begins."""
    offsets, size = [], 0
    for memory in memories:
        offsets.append(size)
        size += -(-max(memory.size, 1) // _ALIGNMENT) * _ALIGNMENT  # nothing can be mapped of nothing
    descriptor = nameless_file(os.urandom(16))
    try:
        os.ftruncate(descriptor, size)
        for memory, offset in zip(memories, offsets):
            _write(descriptor, memory, offset, size)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, size, offsets


def _write(descriptor, memory, offset, size):
    if not sys.platform.startswith("linux"):  # elsewhere such files can be mapped only
        with mmap.mmap(descriptor, size) as mapping:
            mapping[offset : offset + memory.size] = memory.data
        return
    write_bytes(descriptor, memory, offset)
