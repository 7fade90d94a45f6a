"""Memory that the processes of a machine have in common, and sums in it: each reads what the others have computed where it lies, so no copy of it travels.

The memory is a file of the system's memory that has no name any more as soon as all have it: it is given back when the last array in it is dropped, or the last process
ends.  (A window of MPI would have to be given back by all processes at one time, which those who drop a model do not know.)  MPI still tells the processes when they may
read: what one writes before a barrier is there for the others after it.
"""

import contextlib
import mmap
import os
import tempfile

import numpy as np

from . import _exchanges as exchanges
from ._collectives import launch
from ._reduce_ops import Reduction

_FOLDER = "/dev/shm"
_PATH = 256  # bytes of the message that says where it is
#: Elements that are added at a time: few enough to be in the cache still when the sum is written to the others.
_PIECE = 1 << 15
#: Bytes from which on a common memory is worth two barriers, and ranks up to which each can write to all others.
_LEAST, _MOST_RANKS = 1 << 18, 16


def common_memory(group, size):
    """Arrays of bytes, one of each rank, of so many each, that all of them read and write; None where they are on several machines, or it is not worth it.

    All ranks call this, with the same size.
    """
    count = group._size
    if not (1 < count <= _MOST_RANKS and size >= _LEAST and os.path.isdir(_FOLDER)):
        return None
    size += -size % mmap.PAGESIZE
    token = np.zeros(_PATH, np.uint8)
    memory = None
    with contextlib.ExitStack() as stack:
        if group._rank == 0:
            # Where there is no room for it, this says so; what a mapping would do instead is to end the process.
            with contextlib.suppress(OSError):
                file, path = tempfile.mkstemp(prefix="minigrad-", dir=_FOLDER)
                stack.callback(os.close, file)
                stack.callback(os.unlink, path)
                os.posix_fallocate(file, 0, count * size)
                memory = mmap.mmap(file, count * size)
                memory[:16] = os.urandom(16)
                said = path.encode() + b"\0" + memory[:16]
                token[: len(said)] = np.frombuffer(said, np.uint8)
        launch("broadcast of a common memory", group, exchanges.broadcast(group, token, 0), [], False)
        path, _, mark = token.tobytes().partition(b"\0")
        if group._rank and path:
            with contextlib.suppress(OSError, ValueError):  # on another machine there is none, or another one
                file = os.open(path, os.O_RDWR)
                stack.callback(os.close, file)
                memory = mmap.mmap(file, count * size)
                if memory[:16] != mark[:16]:
                    memory = None
        found = np.array([memory is not None])
        everywhere = exchanges.all_reduce(group, found, Reduction.of(np.logical_and))
        launch("agreement on a common memory", group, everywhere, [], False)
    if memory is None or not found[0]:
        return None
    return [*np.frombuffer(memory, np.uint8).reshape(count, size)]


def all_reduce(group, flats, reduction):
    """``flats[k]`` is the vector of rank ``k``: all become what ``exchanges.all_reduce`` gives, each rank computing a part of it for all."""
    yield from exchanges.barrier(group)
    size, own = group._size, group._rank
    length = flats[own].size
    end = length * (own + 1) // size
    for begin in range(length * own // size, end, _PIECE):
        rows = [flat[begin : min(begin + _PIECE, end)] for flat in flats]
        reduction.fold(rows, rows[own])
        for row in rows:
            if row is not rows[own]:
                np.copyto(row, rows[own])
    yield from exchanges.barrier(group)
