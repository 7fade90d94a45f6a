"""Messages from one process to another."""

from collections.abc import Sequence
from typing import Any

from .._api import Tensor
from . import _staging as staging
from ._collectives import _member, peer_of, possible_senders
from ._exchanges import Probe, Receive, as_bytes, check_length
from ._groups import ProcessGroup
from ._work import Work, start_loose

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


def isend(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> Work | None:
    """Begin to send a tensor to process ``dst``; it must not change until the Work is complete.

    Raises ValueError for this process itself, and for one that is not in the group.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.isend(minigrad.ones(1), dst=0)
    Traceback (most recent call last):
        ...
    ValueError: Invalid destination rank: destination rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "isend")
    if found is None:
        return None
    peer = peer_of(found, dst, group_dst, "dst")
    if peer == found._rank:
        raise ValueError(
            "Invalid destination rank: destination rank should not be the same as the rank of the current process."
        )
    array = staging.source(tensor)

    def program():
        yield [found._direct.Isend(as_bytes(array), peer, tag)]

    name = f"send to rank {found.ranks[peer]}"
    return start_loose(Work(program(), name, found, [tensor], array.nbytes, peers=[peer]))


def irecv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> Work | None:
    """Begin to receive a tensor, of the shape and dtype in which it was sent, from process ``src``, by default from any.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.irecv(minigrad.ones(1), src=0)
    Traceback (most recent call last):
        ...
    ValueError: Invalid source rank: source rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "irecv")
    if found is None:
        return None
    if src is None and group_src is None:
        peer, name = None, "recv from any rank"
    else:
        peer = peer_of(found, src, group_src, "src")
        name = f"recv from rank {found.ranks[peer]}"
        if peer == found._rank:
            raise ValueError(
                "Invalid source rank: source rank should not be the same as the rank of the current process."
            )
    array = staging.target(tensor)

    def program():
        data = as_bytes(array)
        if peer is None:
            request = Probe(found._direct, None, tag)
            yield [request]
            check_length(request.status, data.size)
            yield [request.message.Irecv(data)]
        else:
            request = Receive(found._direct, data, peer, tag)
            yield [request]
        work._sender = found.ranks[request.status.Get_source()]
        staging.deliver(tensor, array)

    senders = possible_senders(found, peer)
    work = Work(program(), name, found, [tensor], array.nbytes, senders, peer is not None)
    return start_loose(work)


def send(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> None:
    """Send a tensor to process ``dst``, which calls ``recv`` with one of the same shape and dtype and the same ``tag``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.send(minigrad.ones(1), dst=0)
    Traceback (most recent call last):
        ...
    ValueError: Invalid destination rank: destination rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> int:
    """Receive a tensor, of the shape and dtype in which it was sent, from process ``src``, by default from any; returns the rank of the sender.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.recv(minigrad.ones(1), src=0)
    Traceback (most recent call last):
        ...
    ValueError: Invalid source rank: source rank should not be the same as the rank of the current process.
    >>> distributed.destroy_process_group()
    """
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work._sender


class P2POp:
    """One of the sends and receives that ``batch_isend_irecv`` begins: ``isend`` or ``irecv``, the tensor, and the other process.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.P2POp(print, minigrad.ones(1), 0)
    Traceback (most recent call last):
        ...
    ValueError: Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.
    """

    def __init__(
        self,
        op: Any,
        tensor: Tensor,
        peer: int | None = None,
        group: ProcessGroup | None = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> None:
        if op not in (isend, irecv):
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``."
            )
        staging.check_tensor(tensor, "tensor")
        self.op, self.tensor, self.peer = op, tensor, peer
        self.group, self.tag, self.group_peer = group, tag, group_peer


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    """Begin several sends and receives of tensors of any shape; their Works in order.

    Raises RuntimeError if something else is in the list.

    >>> import minigrad
    >>> minigrad.distributed.batch_isend_irecv([1])
    Traceback (most recent call last):
        ...
    RuntimeError: Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.
    """
    if not isinstance(p2p_op_list, (list, tuple)) or not all(isinstance(each, P2POp) for each in p2p_op_list):
        raise RuntimeError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``."
        )
    works = [each.op(each.tensor, each.peer, each.group, each.tag, each.group_peer) for each in p2p_op_list]
    return [work for work in works if work is not None]
