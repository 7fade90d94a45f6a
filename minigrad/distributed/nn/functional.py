"""Collectives that can be differentiated: each gives new tensors, and its backward is a collective too, so that all processes call it together."""

from typing import Any

from ..._api import Tensor, cat, empty_like, zeros_like
from ...autograd.function import Function
from .. import _collectives as collectives
from .._groups import ProcessGroup, get_rank, get_world_size
from .._reduce_ops import ReduceOp

__all__ = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "broadcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "scatter",
]


class _AllReduce(Function):
    @staticmethod
    def forward(ctx, op, group, tensor):
        ctx.op, ctx.group = op, group
        out = tensor.detach().clone()
        collectives.all_reduce(out, op, group)
        return out

    @staticmethod
    def backward(ctx, gradient):
        return None, None, _AllReduce.apply(ctx.op, ctx.group, gradient)


class _Broadcast(Function):
    @staticmethod
    def forward(ctx, src, group, tensor):
        ctx.src, ctx.group = src, group
        out = tensor.detach().clone()
        collectives.broadcast(out, src, group)
        return out

    @staticmethod
    def backward(ctx, gradient):
        total = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, gradient)
        return None, None, total if get_rank() == ctx.src else zeros_like(total)


class _Reduce(Function):
    @staticmethod
    def forward(ctx, dst, op, group, tensor):
        ctx.dst, ctx.group = dst, group
        out = tensor.detach().clone()
        collectives.reduce(out, dst, op, group)
        return out

    @staticmethod
    def backward(ctx, gradient):
        return None, None, None, _Broadcast.apply(ctx.dst, ctx.group, gradient)


class _AllToAll(Function):
    @staticmethod
    def forward(ctx, group, shapes, *tensors):
        ctx.group, ctx.shapes = group, [t.shape for t in tensors]
        outs = [tensors[0].new_empty(shape) for shape in shapes]
        collectives.all_to_all(outs, [t.detach().contiguous() for t in tensors], group)
        return tuple(outs)

    @staticmethod
    def backward(ctx, *gradients):
        return None, None, *_AllToAll.apply(ctx.group, ctx.shapes, *gradients)


def all_reduce(tensor: Tensor, op: Any = ReduceOp.SUM, group: ProcessGroup | None = None) -> Tensor:
    """Return the sum (or another reduction ``op``) of the tensors of all processes; its gradient is the sum of the gradients of all.

    Shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.all_reduce(minigrad.ones(2))
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    return _AllReduce.apply(op, group, tensor)


def broadcast(tensor: Tensor, src: int, group: ProcessGroup | None = None) -> Tensor:
    """Return the tensor of process ``src``, of one shape and dtype on all; the sum of all gradients goes there.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.broadcast(minigrad.ones(2), 0)
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    return _Broadcast.apply(src, group, tensor)


def reduce(tensor: Tensor, dst: int, op: Any = ReduceOp.SUM, group: ProcessGroup | None = None) -> Tensor:
    """Return on ``dst`` the sum (or another reduction ``op``) of the tensors of all processes, elsewhere the tensor itself; all get the
    gradient of ``dst``.

    Shapes and dtypes must agree.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.reduce(minigrad.ones(2), 0)
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    return _Reduce.apply(dst, op, group, tensor)


def all_gather(tensor: Tensor, group: ProcessGroup | None = None) -> tuple[Tensor, ...]:
    """Return the tensors of all processes, of one shape and dtype; each gets the sum of the gradients that all have for its own.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.all_gather(minigrad.ones(2))
    (tensor([1., 1.]),)
    >>> distributed.destroy_process_group()
    """
    size = get_world_size(group)
    return _AllToAll.apply(group, [tensor.shape] * size, *[tensor] * size)


def gather(tensor: Tensor, dst: int = 0, group: ProcessGroup | None = None) -> tuple[Tensor, ...]:
    """On ``dst`` the tensors of all processes, of one shape and dtype, elsewhere zeros; each gets the gradient that ``dst`` has for its own.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.gather(minigrad.ones(2))
    (tensor([1., 1.]),)
    >>> distributed.destroy_process_group()
    """
    found = collectives._member(group, "gather")
    parts: Any = all_gather(tensor, group)
    return (
        parts if found is not None and found.ranks[found._rank] == dst else tuple(part * 0 for part in parts)
    )


def scatter(tensors: Any, src: int = 0, group: ProcessGroup | None = None) -> Tensor:
    """Return the tensor that process ``src`` has for this one, of one shape and dtype; its gradient goes there. The others give tensors of that shape.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.scatter([minigrad.ones(2)])
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    found: Any = collectives._member(group, "scatter")
    received = _AllToAll.apply(group, [t.shape for t in tensors], *tensors)
    return received[found.ranks.index(src)]


def reduce_scatter(
    output: Tensor, input_list: Any, op: Any = ReduceOp.SUM, group: ProcessGroup | None = None
) -> Tensor:
    """Return the sum of the tensors that all processes have for this one, of the shape and dtype of ``output``; they all get its gradient.

    Raises RuntimeError for another ``op``.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.reduce_scatter(minigrad.empty(2), [minigrad.ones(2)])
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    if op != ReduceOp.SUM:
        raise RuntimeError(f"the derivative of reduce_scatter is known for sums, not for {op}")
    total, *others = _AllToAll.apply(group, [output.shape] * len(input_list), *input_list)
    for each in others:
        total = total + each
    return total


def all_to_all(
    output_tensor_list: Any, input_tensor_list: Any, group: ProcessGroup | None = None
) -> tuple[Tensor, ...]:
    """Return the tensors that the processes have for this one, of one dtype and the shapes of ``output_tensor_list``; the gradients go back.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.all_to_all([minigrad.empty(2)], [minigrad.ones(2)])
    (tensor([1., 1.]),)
    >>> distributed.destroy_process_group()
    """
    return _AllToAll.apply(group, [t.shape for t in output_tensor_list], *input_tensor_list)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: ProcessGroup | None = None,
) -> Tensor:
    """Return what the processes have for this one in their parts of ``input``, along the first axis, of the shape and dtype of ``output``; the gradients go back.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> minigrad.distributed.nn.functional.all_to_all_single(minigrad.empty(2), minigrad.ones(2))
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    size = get_world_size(group)
    outgoing = input.split(input_split_sizes or input.shape[0] // size)
    incoming = empty_like(output).split(output_split_sizes or output.shape[0] // size)
    return cat(_AllToAll.apply(group, [part.shape for part in incoming], *outgoing))
