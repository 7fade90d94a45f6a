"""Collectives of any objects that can be pickled: as bytes, whose number is told first.

What comes from another process of the group is unpickled: all of them run one program, which trusts itself.
"""

import pickle
from typing import Any

import numpy as np

from . import _exchanges as exchanges
from ._collectives import _member, launch, peer_of, possible_senders
from ._exchanges import as_bytes
from ._groups import ProcessGroup
from ._work import Work, start_loose

__all__ = [
    "all_gather_object",
    "broadcast_object_list",
    "gather_object",
    "recv_object_list",
    "scatter_object_list",
    "send_object_list",
]


def _pickled(value):
    return np.frombuffer(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL), np.uint8)


def _run(name, group, program):
    launch(name, group, program, (), False, (name,))


def _collect(group, value, root=None):
    """A program that puts the objects of all ranks into the list that it returns at its end: on all ranks, or only at ``root``."""
    data, size = _pickled(value), group._size
    lengths = np.empty(size, np.int64)
    yield from exchanges.all_gather(group, np.array([data.size]), lengths)
    wanted = root is None or root == group._rank
    rows = [np.empty(n if wanted else 0, np.uint8) for n in lengths.tolist()]
    own = rows[group._rank]
    nothing = data[:0]
    if wanted:
        own[:] = data
    parts = [data if root is None or k == root else nothing for k in range(size)]
    yield exchanges._messages(group, parts, rows, 0)
    return [pickle.loads(row) for row in rows] if wanted else None


def all_gather_object(object_list: list[Any], obj: Any, group: ProcessGroup | None = None) -> None:
    """Put the objects of all processes into a list that is as long as the number of processes.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> objects = [None]
    >>> distributed.all_gather_object(objects, {"a": 1})
    >>> objects
    [{'a': 1}]
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "all_gather_object")
    if found is None:
        return

    def program():
        object_list[: found._size] = yield from _collect(found, obj)

    _run("all_gather_object", found, program())


def gather_object(
    obj: Any,
    object_gather_list: list[Any] | None = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    group_dst: int | None = None,
) -> None:
    """Put the objects of all processes into the list that ``dst``, by default rank 0, gives, which is as long as their number.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> objects = [None]
    >>> distributed.gather_object("a", objects, dst=0)
    >>> objects
    ['a']
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "gather_object")
    if found is None:
        return
    root = peer_of(found, dst, group_dst, "dst", default=0)
    if found._rank == root and not object_gather_list:
        raise ValueError("Argument ``object_gather_list`` must be specified on destination rank.")
    if found._rank != root and object_gather_list:
        raise ValueError("Argument ``object_gather_list`` must NOT be specified on non-destination ranks.")

    def program():
        objects = yield from _collect(found, obj, root)
        if objects is not None:
            object_gather_list[: found._size] = objects

    _run("gather_object", found, program())


def broadcast_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_src: int | None = None,
) -> None:
    """Let the list have, on every process, the objects that it has on ``src``, by default rank 0; it has as many items on all.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.broadcast_object_list(["a", 1], src=0)
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "broadcast_object_list")
    if found is None:
        return
    root = peer_of(found, src, group_src, "src", default=0)

    def program():
        is_source = found._rank == root
        data = _pickled(object_list) if is_source else None
        length = np.array([data.size if is_source else 0])
        yield from exchanges.broadcast(found, length, root)
        data = data if is_source else np.empty(length[0], np.uint8)
        yield from exchanges.broadcast(found, data, root)
        if not is_source:
            object_list[:] = pickle.loads(data)

    _run("broadcast_object_list", found, program())


def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: list[Any] | None = None,
    src: int | None = None,
    group: ProcessGroup | None = None,
    group_src: int | None = None,
) -> None:
    """Put into the output list, on process ``k``, the ``k``-th of the objects that ``src``, by default rank 0, gives: as its first item.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = [None]
    >>> distributed.scatter_object_list(out, ["a"], src=0)
    >>> out
    ['a']
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "scatter_object_list")
    if found is None:
        return
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = peer_of(found, src, group_src, "src", default=0)
    if found._rank == root and len(scatter_object_input_list or ()) != found._size:
        raise ValueError(
            f"scatter_object_input_list must have one object for each of the {found._size} processes of the group"
        )

    def program():
        is_source = found._rank == root
        values = [_pickled(value) for value in scatter_object_input_list] if is_source else None
        length = np.empty(1, np.int64)
        lengths = [np.array([value.size]) for value in values] if is_source else None
        yield from exchanges.scatter(found, length, lengths, root)
        data = np.empty(length[0], np.uint8)
        yield from exchanges.scatter(found, data, values, root)
        scatter_object_output_list[0] = pickle.loads(data)

    _run("scatter_object_list", found, program())


def send_object_list(
    object_list: list[Any],
    dst: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_dst: int | None = None,
    use_batch: bool = False,
) -> None:
    """Send a list of objects to process ``dst``, which calls ``recv_object_list`` with a list of as many items.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.send_object_list(["a"], dst=0)
    Traceback (most recent call last):
    ...
    ValueError: Invalid destination rank: destination rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "send_object_list")
    if found is None:
        return
    peer = peer_of(found, dst, group_dst, "dst")
    if peer == found._rank:
        raise ValueError(
            "Invalid destination rank: destination rank should not be the same as the rank of the current process."
        )

    def program():
        yield [found._direct.Isend(as_bytes(_pickled(object_list)), peer, _TAG)]

    name = f"send_object_list to rank {found.ranks[peer]}"
    start_loose(Work(program(), name, found, peers=[peer])).wait()


def recv_object_list(
    object_list: list[Any],
    src: int | None = None,
    group: ProcessGroup | None = None,
    device: Any = None,
    group_src: int | None = None,
    use_batch: bool = False,
) -> int:
    """Receive a list of objects from process ``src``, by default from any, into a list of as many items; returns the rank of the sender.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.recv_object_list([None], src=0)
    Traceback (most recent call last):
    ...
    ValueError: Invalid source rank: source rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "recv_object_list")
    if found is None:
        return -1
    peer = None if src is None and group_src is None else peer_of(found, src, group_src, "src")
    if peer == found._rank:
        raise ValueError(
            "Invalid source rank: source rank should not be the same as the rank of the current process."
        )

    def program():
        probe = exchanges.Probe(found._direct, peer, _TAG)
        yield [probe]
        data = np.empty(probe.length(), np.uint8)
        yield [probe.message.Irecv(data)]
        object_list[:] = pickle.loads(data)
        work._sender = found.ranks[probe.status.Get_source()]

    work = Work(
        program(),
        "recv_object_list",
        found,
        peers=possible_senders(found, peer),
        needs_all=peer is not None,
    )
    start_loose(work).wait()
    return work._sender


#: Not one that sends of tensors have.
_TAG = 30000
