"""Collectives of tensors: what all processes of a group do together."""

import warnings
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Any

import numpy as np

from .._api import Tensor
from . import _exchanges as exchanges
from . import _staging as staging
from ._errors import DistBackendError
from ._groups import DebugLevel, ProcessGroup, default_group, get_debug_level, group_of
from ._reduce_ops import ReduceOp, Reduction
from ._work import Work, start, start_loose

__all__ = [
    "all_gather",
    "all_gather_coalesced",
    "all_gather_into_tensor",
    "all_gather_single",
    "all_reduce",
    "all_reduce_coalesced",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "broadcast",
    "gather",
    "monitored_barrier",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_single",
    "reduce_scatter_tensor",
    "scatter",
    "supports_complex",
]


def _member(group, name):
    """The group, or None, with a warning, where this process is not in it."""
    found = group_of(group)
    if found is None:
        warnings.warn(
            f"Running {name} on global rank {default_group()._rank} which does not belong to the given group.",
            stacklevel=3,
        )
    return found


def launch(name, group, program, results, async_op, alike=(), size=0, timeout=None):
    """Start a collective; wait for it, unless ``async_op``.  ``alike`` is what has to be the same on all ranks: tensors, and words."""
    if get_debug_level() == DebugLevel.DETAIL and group._size > 1:
        texts = ", ".join(_description(each) for each in alike)
        group._count += 1
        program = exchanges.agree(group, f"{name}({texts}), number {group._count} in its group", program)
    work = start(Work(program, name, group, results, size))
    if async_op:
        return work
    work.wait(timeout)
    return None


def _description(value):
    return f"{tuple(value.shape)} {value.dtype}" if isinstance(value, Tensor) else str(value)


def _then_deliver(program, tensor, array):
    yield from program
    staging.deliver(tensor, array)


def _then_deliver_all(program, tensors, arrays):
    yield from program
    for tensor, array in zip(tensors, arrays):
        staging.deliver(tensor, array)


def peer_of(group, rank, group_rank, word, default=None):
    """The rank in the group of the process that an argument names by its rank in the world, or in the group."""
    if rank is not None and group_rank is not None:
        raise ValueError(f"Can't specify both group_{word} and {word}")
    if group_rank is not None:
        if not 0 <= group_rank < group._size:
            raise ValueError(f"Group rank {group_rank} is not part of group {group}")
        return group_rank
    if rank is None:
        if default is None:
            raise ValueError(f"Must specify {word} or group_{word}")
        rank = default
    if rank not in group.ranks:
        raise ValueError(f"Global rank {rank} is not part of group {group}")
    return group.ranks.index(rank)


def possible_senders(group, peer):
    """The ranks in the group from which a message may come: one, or, if that is None, any other."""
    return [k for k in range(group._size) if k != group._rank] if peer is None else [peer]


def supports_complex(reduceOp: Any) -> bool:
    """Return whether a reduction supports complex numbers: a sum or an average.

    >>> import minigrad
    >>> minigrad.distributed.supports_complex(minigrad.distributed.ReduceOp.MAX)
    False
    """
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PREMUL_SUM)


def _reduction(name, op, tensor, group):
    if tensor.is_complex() and not supports_complex(op):
        raise ValueError(
            f"{name} does not support {op if not isinstance(op, ReduceOp) else op.op} on complex tensors"
        )
    return Reduction(op, tensor, group._size)


def barrier(
    group: ProcessGroup | None = None,
    async_op: bool = False,
    device_ids: Any = None,
    timeout: timedelta | None = None,
) -> Work | None:
    """Wait until every process of the group arrives.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.barrier()
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "barrier")
    if found is None:
        return None
    return launch("barrier", found, exchanges.barrier(found), (), async_op, timeout=timeout)


def monitored_barrier(
    group: ProcessGroup | None = None, timeout: timedelta | None = None, wait_all_ranks: bool = False
) -> None:
    """Wait until every process of the group arrives; on rank 0, raise RuntimeError that names one that does not come in time, or with
    ``wait_all_ranks`` all of them.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.monitored_barrier()
    >>> distributed.destroy_process_group()
    """
    found = _member(group, "monitored_barrier")
    if found is None or found._size == 1:
        return
    token = np.zeros(1, np.uint8)
    comm, tag = found._comm, 2
    if found._rank == 0:
        arriving = {
            k: _one(found, "monitored_barrier", comm.Irecv(np.zeros(1, np.uint8), k, tag), k)
            for k in range(1, found._size)
        }
        missing = []
        for rank, work in arriving.items():
            try:
                work.wait(timeout if not missing else timedelta(seconds=0.1))
            except DistBackendError:
                missing.append(found.ranks[rank])
                if not wait_all_ranks:
                    break
        if missing:
            seconds = found._seconds(timeout)
            raise RuntimeError(
                f"[Rank 0]: Ranks {', '.join(map(str, missing))} failed to pass monitoredBarrier in {seconds * 1000:.0f} ms"
                if wait_all_ranks
                else f"[Rank 0]: Rank {missing[0]} failed to pass monitoredBarrier in {seconds * 1000:.0f} ms"
            )
        for rank in arriving:
            _one(found, "monitored_barrier", comm.Isend(token, rank, tag), rank).wait(timeout)
    else:
        _one(found, "monitored_barrier", comm.Isend(token, 0, tag), 0).wait(timeout)
        _one(found, "monitored_barrier", comm.Irecv(token, 0, tag), 0).wait(timeout)


def _one(group, name, request, peer):
    """A Work that is one request of MPI, outside of the line."""
    return start_loose(Work(iter([[request]]), name, group, peers=[peer]))


def broadcast(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work | None:
    """Copy the tensor of ``src`` (or of ``group_src``, a rank in the group) to every process; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> x = minigrad.ones(2)
    >>> distributed.broadcast(x, src=0)
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "broadcast")
    if found is None:
        return None
    root = peer_of(found, src, group_src, "src")
    array = staging.in_place(tensor) if found._rank == root else staging.target(tensor)
    program = _then_deliver(exchanges.broadcast(found, array, root), tensor, array)
    return launch(
        "broadcast",
        found,
        program,
        [tensor],
        async_op,
        (tensor, f"from rank {found.ranks[root]}"),
        array.nbytes,
    )


def all_reduce(
    tensor: Tensor, op: Any = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Replace the tensor on every process by the sum (or another reduction ``op``) over all processes; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> x = minigrad.ones(2)
    >>> distributed.all_reduce(x)
    >>> x
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "all_reduce")
    if found is None:
        return None
    reduction = _reduction("all_reduce", op, tensor, found)
    array = staging.in_place(tensor)
    program = exchanges.all_reduce(found, array, reduction)
    if array is not tensor._array:
        program = _then_deliver(program, tensor, array)
    return launch("all_reduce", found, program, [tensor], async_op, (tensor, op), array.nbytes)


def all_reduce_coalesced(
    tensors: Any, op: Any = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Apply ``all_reduce`` to several tensors of one dtype at once.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.all_reduce_coalesced([minigrad.ones(2), minigrad.ones(3)])
    >>> distributed.destroy_process_group()
    """
    tensors = [tensors] if isinstance(tensors, Tensor) else tensors
    staging.check_tensors(tensors, "tensors")
    staging.check_dtypes(*tensors)
    found = _member(group, "all_reduce_coalesced")
    if found is None:
        return None
    reduction = _reduction("all_reduce", op, tensors[0], found)
    sources = [staging.source(tensor) for tensor in tensors]
    flat = np.concatenate([array.reshape(-1) for array in sources])
    ends = np.cumsum([array.size for array in sources])[:-1]
    parts = [part.reshape(array.shape) for part, array in zip(np.split(flat, ends), sources)]
    program = _then_deliver_all(exchanges.all_reduce(found, flat, reduction), tensors, parts)
    return launch("all_reduce_coalesced", found, program, tensors, async_op, (*tensors, op), flat.nbytes)


def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: Any = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:
    """Replace the tensor on ``dst`` by the sum (or another reduction ``op``) over all processes; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> distributed.reduce(minigrad.ones(2), dst=0)
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "reduce")
    if found is None:
        return None
    root = peer_of(found, dst, group_dst, "dst")
    reduction = _reduction("reduce", op, tensor, found)
    array = staging.in_place(tensor)
    program = exchanges.reduce(found, array, root, reduction)
    if found._rank == root:
        program = _then_deliver(program, tensor, array)
    return launch(
        "reduce",
        found,
        program,
        [tensor],
        async_op,
        (tensor, op, f"to rank {found.ranks[root]}"),
        array.nbytes,
    )


def all_gather(
    tensor_list: Any, tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Collect the tensors of all processes in a list on every process; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> parts = [minigrad.zeros(2)]
    >>> distributed.all_gather(parts, minigrad.ones(2))
    >>> parts
    [tensor([1., 1.])]
    >>> distributed.destroy_process_group()
    """
    staging.check_tensors(tensor_list, "tensor_list")
    staging.check_tensor(tensor, "tensor")
    staging.check_dtypes(*tensor_list, tensor)
    found = _member(group, "all_gather")
    if found is None:
        return None
    _check_count(tensor_list, found, "tensor_list")
    for index, each in enumerate(tensor_list):
        _check_shape(each, tensor, index)
    array = staging.source(tensor, copied=async_op)
    rows = np.empty((found._size, *array.shape), array.dtype)
    program = _then_deliver_all(exchanges.all_gather(found, array, rows), tensor_list, rows)
    return launch("all_gather", found, program, tensor_list, async_op, (tensor,), rows.nbytes)


def _check_count(tensors, group, name):
    if len(tensors) != group._size:
        raise ValueError(
            f"{name} must have one tensor for each of the {group._size} processes of the group, not {len(tensors)}"
        )


def _check_shape(tensor, wanted, index):
    if tensor.shape != wanted.shape:
        raise RuntimeError(
            f"invalid tensor size at index {index} (expected {tuple(wanted.shape)}, got {tuple(tensor.shape)})"
        )


def all_gather_coalesced(
    output_tensor_lists: Any,
    input_tensor_list: Any,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Apply ``all_gather`` to several tensors of one dtype at once: ``output_tensor_lists[process][index]``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> parts = [[minigrad.zeros(2), minigrad.zeros(1)]]
    >>> distributed.all_gather_coalesced(parts, [minigrad.ones(2), minigrad.ones(1)])
    >>> parts
    [[tensor([1., 1.]), tensor([1.])]]
    >>> distributed.destroy_process_group()
    """
    staging.check_tensors(input_tensor_list, "input_tensor_list")
    for outputs in output_tensor_lists:
        staging.check_tensors(outputs, "output_tensor_lists")
    staging.check_dtypes(*input_tensor_list, *(each for outputs in output_tensor_lists for each in outputs))
    found = _member(group, "all_gather_coalesced")
    if found is None:
        return None
    _check_count(output_tensor_lists, found, "output_tensor_lists")
    flat = np.concatenate([staging.source(tensor).reshape(-1) for tensor in input_tensor_list])
    rows = np.empty((found._size, flat.size), flat.dtype)
    ends = np.cumsum([tensor.numel() for tensor in input_tensor_list])[:-1]

    def program():
        yield from exchanges.all_gather(found, flat, rows)
        for row, outputs in zip(rows, output_tensor_lists):
            for part, tensor in zip(np.split(row, ends), outputs):
                staging.deliver(tensor, part)

    outputs = [each for outputs in output_tensor_lists for each in outputs]
    return launch("all_gather_coalesced", found, program(), outputs, async_op, input_tensor_list, rows.nbytes)


def all_gather_single(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Collect the tensors of all processes in one tensor, concatenated or stacked along a first dimension; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = minigrad.zeros(2)
    >>> distributed.all_gather_single(out, minigrad.ones(2))
    >>> out
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(output_tensor, "output_tensor")
    staging.check_tensor(input_tensor, "input_tensor")
    staging.check_dtypes(output_tensor, input_tensor)
    found = _member(group, "all_gather_into_tensor")
    if found is None:
        return None
    if output_tensor.numel() != found._size * input_tensor.numel():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    array = staging.source(input_tensor, copied=async_op or _overlap(output_tensor, input_tensor))
    out = staging.target(output_tensor)
    program = _then_deliver(exchanges.all_gather(found, array, out), output_tensor, out)
    return launch(
        "all_gather_into_tensor", found, program, [output_tensor], async_op, (input_tensor,), out.nbytes
    )


def _overlap(a, b):
    return np.may_share_memory(a._array, b._array)


def _renamed(old, new):
    warnings.warn(
        f"`torch.distributed.{old}` is deprecated. Please use `torch.distributed.{new}` instead",
        FutureWarning,
        stacklevel=3,
    )


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Deprecated: ``all_gather_single``.

    >>> import minigrad
    >>> minigrad.distributed.all_gather_into_tensor.__doc__.split(":")[0]
    'Deprecated'
    """
    _renamed("all_gather_into_tensor", "all_gather_single")
    return all_gather_single(output_tensor, input_tensor, group, async_op)


def gather(
    tensor: Tensor,
    gather_list: Any = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:
    """Collect the tensors of all processes in a list on ``dst``, by default rank 0; the others pass no list. Shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> parts = [minigrad.zeros(2)]
    >>> distributed.gather(minigrad.ones(2), parts, dst=0)
    >>> parts
    [tensor([1., 1.])]
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "gather")
    if found is None:
        return None
    root = peer_of(found, dst, group_dst, "dst", default=0)
    array = staging.source(tensor, copied=async_op)
    if found._rank != root:
        if gather_list:
            raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
        rows, outputs = None, []
    else:
        if not gather_list:
            raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
        staging.check_tensors(gather_list, "gather_list")
        staging.check_dtypes(*gather_list, tensor)
        _check_count(gather_list, found, "gather_list")
        for index, each in enumerate(gather_list):
            _check_shape(each, tensor, index)
        rows, outputs = np.empty((found._size, *array.shape), array.dtype), gather_list
    program = exchanges.gather(found, array, rows, root)
    if rows is not None:
        program = _then_deliver_all(program, outputs, rows)
    return launch(
        "gather", found, program, outputs, async_op, (tensor, f"to rank {found.ranks[root]}"), array.nbytes
    )


def scatter(
    tensor: Tensor,
    scatter_list: Any = None,
    src: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Work | None:
    """Copy the ``k``-th tensor of the list on ``src``, by default rank 0, to process ``k``; shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> x = minigrad.zeros(2)
    >>> distributed.scatter(x, [minigrad.ones(2)], src=0)
    >>> x
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(tensor, "tensor")
    found = _member(group, "scatter")
    if found is None:
        return None
    root = peer_of(found, src, group_src, "src", default=0)
    rows = None
    if found._rank != root:
        if scatter_list:
            raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    else:
        if not scatter_list:
            raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
        staging.check_tensors(scatter_list, "scatter_list")
        staging.check_dtypes(*scatter_list, tensor)
        _check_count(scatter_list, found, "scatter_list")
        for index, each in enumerate(scatter_list):
            _check_shape(each, tensor, index)
        rows = [staging.source(each, copied=async_op) for each in scatter_list]
    array = staging.target(tensor)
    program = _then_deliver(exchanges.scatter(found, array, rows, root), tensor, array)
    return launch(
        "scatter",
        found,
        program,
        [tensor],
        async_op,
        (tensor, f"from rank {found.ranks[root]}"),
        array.nbytes,
    )


def reduce_scatter(
    output: Tensor,
    input_list: Any,
    op: Any = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Store in ``output`` on process ``k`` the sum (or another reduction ``op``) of the ``k``-th tensors of all lists; shapes and dtypes
    must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = minigrad.zeros(2)
    >>> distributed.reduce_scatter(out, [minigrad.ones(2)])
    >>> out
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(output, "output")
    staging.check_tensors(input_list, "input_list")
    staging.check_dtypes(output, *input_list)
    found = _member(group, "reduce_scatter")
    if found is None:
        return None
    _check_count(input_list, found, "input_list")
    _check_shape(output, input_list[found._rank], found._rank)
    reduction = _reduction("reduce_scatter", op, output, found)
    parts = [staging.source(each, copied=True) for each in input_list]
    out = staging.target(output)
    program = _then_deliver(exchanges.reduce_scatter(found, parts, out, reduction), output, out)
    return launch(
        "reduce_scatter", found, program, [output], async_op, (*input_list, op), sum(p.nbytes for p in parts)
    )


def reduce_scatter_single(
    output: Tensor,
    input: Tensor,
    op: Any = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Store in ``output`` on process ``k`` the ``k``-th part of the sum (or another reduction ``op``) of all ``input`` tensors; shapes and
    dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = minigrad.zeros(2)
    >>> distributed.reduce_scatter_single(out, minigrad.ones(2))
    >>> out
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(output, "output")
    staging.check_tensor(input, "input")
    staging.check_dtypes(output, input)
    found = _member(group, "reduce_scatter_tensor")
    if found is None:
        return None
    if input.numel() != output.numel() * found._size:
        raise ValueError("input tensor must be the same size as output size times world size")
    reduction = _reduction("reduce_scatter_tensor", op, output, found)
    parts = [*staging.source(input, copied=True).reshape(found._size, -1)]
    out = staging.target(output)
    program = _then_deliver(exchanges.reduce_scatter(found, parts, out, reduction), output, out)
    return launch(
        "reduce_scatter_tensor", found, program, [output], async_op, (input, op), sum(p.nbytes for p in parts)
    )


def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: Any = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Deprecated: ``reduce_scatter_single``.

    >>> import minigrad
    >>> minigrad.distributed.reduce_scatter_tensor.__doc__.split(":")[0]
    'Deprecated'
    """
    _renamed("reduce_scatter_tensor", "reduce_scatter_single")
    return reduce_scatter_single(output, input, op, group, async_op)


def all_to_all(
    output_tensor_list: Any, input_tensor_list: Any, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Send the ``k``-th tensor of the input list to process ``k``, and store the tensor received from it as the ``k``-th output; all of one dtype.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = [minigrad.zeros(2)]
    >>> distributed.all_to_all(out, [minigrad.ones(2)])
    >>> out
    [tensor([1., 1.])]
    >>> distributed.destroy_process_group()
    """
    staging.check_tensors(output_tensor_list, "output_tensor_list")
    staging.check_tensors(input_tensor_list, "input_tensor_list")
    staging.check_dtypes(*output_tensor_list, *input_tensor_list)
    found = _member(group, "all_to_all")
    if found is None:
        return None
    _check_count(output_tensor_list, found, "output_tensor_list")
    _check_count(input_tensor_list, found, "input_tensor_list")
    _check_shape(output_tensor_list[found._rank], input_tensor_list[found._rank], found._rank)
    parts = [staging.source(each, copied=async_op) for each in input_tensor_list]
    rows = [staging.target(each) for each in output_tensor_list]
    program = _then_deliver_all(exchanges.all_to_all(found, parts, rows), output_tensor_list, rows)
    return launch(
        "all_to_all",
        found,
        program,
        output_tensor_list,
        async_op,
        (input_tensor_list[0].dtype,),
        sum(r.nbytes for r in rows),
    )


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Divide ``input`` along its first dimension, send each process its part, and store the received parts in ``output``; all of one dtype.

    The parts are equal, or of the given sizes. Raises RuntimeError if these do not add up.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> out = minigrad.zeros(2)
    >>> distributed.all_to_all_single(out, minigrad.ones(2))
    >>> out
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    staging.check_tensor(output, "output")
    staging.check_tensor(input, "input")
    staging.check_dtypes(output, input)
    found = _member(group, "all_to_all_single")
    if found is None:
        return None
    array, out = staging.source(input, copied=async_op or _overlap(output, input)), staging.target(output)
    parts = _divided(array, input_split_sizes, found)
    rows = _divided(out, output_split_sizes, found)
    if parts[found._rank].size != rows[found._rank].size:
        raise RuntimeError(
            f"rank {found._rank} sends itself {len(parts[found._rank])} rows where it expects {len(rows[found._rank])}"
        )
    program = _then_deliver(exchanges.all_to_all(found, parts, rows), output, out)
    return launch("all_to_all_single", found, program, [output], async_op, (input.dtype,), out.nbytes)


def _divided(array, sizes, group):
    """Views of the parts of an array along its first axis."""
    length = array.shape[0] if array.ndim else 0
    if not sizes:
        if length % group._size:
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        sizes = [length // group._size] * group._size
    if len(sizes) != group._size:
        raise RuntimeError("Number of tensor splits not equal to group size")
    if sum(sizes) != length:
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    ends = [0, *np.cumsum(sizes).tolist()]
    return [array[a:b] for a, b in pairwise(ends)]
