"""What collectives do with arrays: generators that yield lists of MPI's requests (see ``_work.py``).

All arrays are contiguous, and travel as bytes.  Sums are added in the order of the ranks, on each rank a part of them, so that they have the same bits on
every rank and in every run; in large groups, where MPI's own reductions take fewer messages, only in deterministic mode.
"""

from itertools import pairwise

import numpy as np

from .._base.settings import are_deterministic_algorithms_enabled
from ._mpi import load

#: From this number of ranks on, sums are MPI's, unless the mode is deterministic.
LARGE_GROUP = 17
#: Bytes up to which every rank gets all summands.
SMALL = 32768


def as_bytes(array):
    return array.reshape(-1).view(np.uint8)


class Receive:
    """A message that is to come, of a given length: RuntimeError for another one."""

    def __init__(self, comm, data, source, tag):
        self.status = load().Status()
        self.length = data.size
        self.request = comm.Irecv(data, source, tag)

    def Test(self):
        if not self.request.Test(self.status):
            return False
        check_length(self.status, self.length)
        return True


def check_length(status, expected):
    count = status.Get_count(load().BYTE)
    if count != expected:
        raise RuntimeError(
            f"{count} bytes came from rank {status.Get_source()} where {expected} were expected: shapes or dtypes differ between ranks"
        )


class Probe:
    """A message that is to come, of any length, from a rank, or from any (None): when it has come, ``message`` receives it.

    Receives from any rank are made of it: MPICH 5.0 loses messages to ``Irecv`` from any source where some ranks are on this machine and others are not.
    """

    def __init__(self, comm, source, tag):
        MPI = load()
        self.comm, self.source, self.tag = comm, MPI.ANY_SOURCE if source is None else source, tag
        self.status, self.message = MPI.Status(), None

    def Test(self):
        self.message = self.comm.Improbe(self.source, self.tag, self.status)
        return self.message is not None

    def length(self):
        return self.status.Get_count(load().BYTE)


def barrier(group):
    if group._size > 1:
        yield [group._comm.Ibarrier()]


def broadcast(group, array, root):
    if group._size > 1:
        yield [group._comm.Ibcast(as_bytes(array), root)]


def all_reduce(group, array, reduction):
    """In place."""
    flat = array.reshape(-1)
    reduction.before(flat)
    size = group._size
    if size == 1:
        reduction.fold([flat], flat)
        return
    if size >= LARGE_GROUP and not are_deterministic_algorithms_enabled():
        MPI = load()
        op = reduction.of_mpi(MPI, flat.dtype)
        if op is not None:
            yield [group._comm.Iallreduce(MPI.IN_PLACE, flat, op)]
            reduction.after(flat)
            return
    if flat.nbytes <= SMALL:
        rows = np.empty((size, flat.size), flat.dtype)
        yield [group._comm.Iallgather(as_bytes(flat), as_bytes(rows))]
        reduction.fold([*rows], flat)
        return
    bounds = _bounds(flat.size, size)
    parts = [flat[a:b] for a, b in pairwise(bounds)]
    mine = parts[group._rank]
    yield from _fold_parts(group, parts, mine, reduction)
    yield _messages(group, [mine] * size, parts, 1)


def reduce(group, array, root, reduction):
    """In place at ``root``; elsewhere the array keeps its values."""
    rank, size = group._rank, group._size
    flat = array.reshape(-1)
    if rank != root or reduction.factor is not None:
        flat = flat.copy()
    reduction.before(flat)
    bounds = _bounds(flat.size, size)
    parts = [flat[a:b] for a, b in pairwise(bounds)]
    mine = parts[rank]
    yield from _fold_parts(group, parts, mine, reduction)
    nothing = flat[:0]
    if rank == root:
        yield _messages(group, [nothing] * size, parts, 1)
        if not np.shares_memory(flat, array):
            np.copyto(array.reshape(-1), flat)
    else:
        yield _messages(group, [mine if k == root else nothing for k in range(size)], [nothing] * size, 1)


def reduce_scatter(group, parts, out, reduction):
    """``parts[k]`` is what this rank adds for rank ``k``; ``out`` gets the sum of what all add for this one.  The parts may be overwritten."""
    parts = [part.reshape(-1) for part in parts]
    for part in parts:
        reduction.before(part)
    yield from _fold_parts(group, parts, parts[group._rank], reduction)
    np.copyto(out.reshape(-1), parts[group._rank])


def _fold_parts(group, parts, mine, reduction):
    """Send each rank its part, and fold all that come into this rank's own."""
    size, rank = group._size, group._rank
    inbox = np.empty((size - 1, mine.size), mine.dtype)
    rows = [*inbox[:rank], mine, *inbox[rank:]]
    if size > 1:
        yield _messages(group, parts, rows, 0)
    reduction.fold(rows, mine)


def all_gather(group, array, rows):
    """``rows`` (size, ...) gets the array of each rank."""
    if group._size > 1:
        yield [group._comm.Iallgather(as_bytes(array), as_bytes(rows))]
    else:
        np.copyto(rows.reshape(-1), array.reshape(-1))


def all_to_all(group, parts, rows):
    """``parts[k]`` goes to rank ``k``; ``rows[k]`` gets what comes from there."""
    np.copyto(rows[group._rank].reshape(-1), parts[group._rank].reshape(-1))
    if group._size > 1:
        yield _messages(group, parts, rows, 0)


def gather(group, array, rows, root):
    """At ``root``, ``rows[k]`` gets the array of rank ``k``."""
    if group._rank == root:
        np.copyto(rows[root].reshape(-1), array.reshape(-1))
        if group._size > 1:
            empty = array.reshape(-1)[:0]
            yield _messages(group, [empty] * group._size, rows, 0)
    elif array.size:
        yield [group._comm.Isend(as_bytes(array), root, 0)]


def scatter(group, array, rows, root):
    """The array gets ``rows[rank]`` of ``root``."""
    if group._rank == root:
        np.copyto(array.reshape(-1), rows[root].reshape(-1))
        if group._size > 1:
            empty = array.reshape(-1)[:0]
            yield _messages(group, rows, [empty] * group._size, 0)
    elif array.size:
        yield [Receive(group._comm, as_bytes(array), root, 0)]


def _messages(group, outgoing, incoming, tag):
    """Requests for one message to and from each other rank; what is empty is not sent, on either side."""
    comm, rank, size = group._comm, group._rank, group._size
    requests = []
    for step in range(1, size):
        peer = (rank - step) % size
        if incoming[peer].size:
            requests.append(Receive(comm, as_bytes(incoming[peer]), peer, tag))
    for step in range(1, size):
        peer = (rank + step) % size
        if outgoing[peer].size:
            requests.append(comm.Isend(as_bytes(outgoing[peer]), peer, tag))
    return requests


def _bounds(length, size):
    """Where ``size`` parts of nearly equal length begin and end."""
    return [length * k // size for k in range(size + 1)]


def agree(group, fingerprint, program):
    """The program, after all ranks have compared what they are about to do: RuntimeError where that differs."""
    own = np.zeros(_FINGERPRINT, np.uint8)
    text = fingerprint.encode()[:_FINGERPRINT]
    own[: len(text)] = np.frombuffer(text, np.uint8)
    rows = np.empty((group._size, _FINGERPRINT), np.uint8)
    yield from all_gather(group, own, rows)
    texts = [row.tobytes().rstrip(b"\0").decode(errors="replace") for row in rows]
    other = next((k for k, each in enumerate(texts) if each != texts[0]), None)
    if other is not None:
        raise RuntimeError(
            f"Detected mismatch between collectives on ranks. Rank {group.ranks[0]} is running {texts[0]}, "
            f"but rank {group.ranks[other]} is running {texts[other]}"
        )
    yield from program


_FINGERPRINT = 512
