"""New communicators of MPI, made while collectives are under way.

MPI makes them by calls that wait for other ranks, and those may be waiting for collectives that this rank has started.  So all ranks meet first, in a way that lets
everything else make progress; then the call waits for none.
"""

from . import _work
from ._mpi import load

#: Tags of the messages by which the members of a group to be meet begin here (see ``_exchanges.py`` for the smaller ones).
_FIRST_TAG = 16


def duplicate(group):
    """A communicator of the ranks of a group, which all call this; it takes its turn among their collectives."""
    made = []

    def program():
        comm, request = group._comm.Idup()
        yield [request]
        made.append(comm)

    _work.start(_work.Work(program(), "copying a group", group)).wait()
    return made[0]


def split(group, color, key):
    """A communicator of the ranks with the same color, or None where that is None; all ranks of the group call this, which takes its turn among their collectives."""
    made = []

    def program():
        yield [group._comm.Ibarrier()]
        made.append(group._comm.Split(load().UNDEFINED if color is None else color, key))

    _work.start(_work.Work(program(), "split_group", group)).wait()
    return made[0] if color is not None else None


def of_members(world, members, tag):
    """A communicator of some ranks of a group, which all call this, with a tag of their own."""
    made = []

    def program():
        yield from _meet(world._comm, members, members.index(world._rank), _FIRST_TAG + tag % 16384)
        made.append(world._comm.Create_group(world._comm.Get_group().Incl(members), tag % 32768))

    _work.start_loose(_work.Work(program(), "new_group", world, peers=members)).wait()
    return made[0]


def _meet(comm, members, own, tag):
    """Go on when all members are here: after the k-th exchange each knows of the 2^k before it."""
    size, distance = len(members), 1
    while distance < size:
        after, before = members[(own + distance) % size], members[(own - distance) % size]
        yield [comm.Irecv(bytearray(1), before, tag), comm.Isend(bytearray(1), after, tag)]
        distance *= 2
