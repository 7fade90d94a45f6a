"""Hooks that send gradients as bytes: each process gathers what all have rounded to 256 steps, and adds it up."""

from typing import Any

from ...._api import Tensor, empty, empty_like, stack, zeros
from ...._base.dtypes import float32, uint8
from ....futures import Future
from ....nn.functional import pad
from ... import all_gather
from ..._buckets import GradBucket
from ..._groups import group_of

__all__ = ["quantization_perchannel_hook", "quantization_pertensor_hook"]

_LEAST_STEP = 2.0**-23


def _steps(rows):
    """For each row of a matrix: the length of a step, and the number that stands for zero, so that 0 to 255 reach from the least value to the largest."""
    least, most = rows.amin(1).clamp(max=0), rows.amax(1).clamp(min=0)
    step = ((most - least) / 255).clamp(min=_LEAST_STEP)
    return stack((step, (-(least / step).round()).clamp(0, 255)))


def _mean(process_group, rows, result) -> Future[Any]:
    """A Future of ``result`` of the mean over the processes of a matrix whose rows are rounded each by its own steps."""
    group: Any = group_of(process_group)
    rows = rows.float()
    own = _steps(rows)
    steps = [empty_like(own) for _ in range(group.size())]
    work: Any = all_gather(steps, own, group=group, async_op=True)

    def send(future):
        step, zero = own.unsqueeze(-1)
        small = ((rows / step).round() + zero).clamp(0, 255).to(uint8)
        parts = [empty(small.shape, dtype=uint8) for _ in steps]
        all_gather(parts, small, group=group)
        total = zeros(rows.shape, dtype=float32)
        for part, (step, zero) in zip(parts, (each.unsqueeze(-1) for each in steps)):
            total += step * (part.float() - zero)
        return result(total / group.size())

    return work.get_future().then(send)


def quantization_pertensor_hook(process_group: Any, bucket: GradBucket) -> Future[Any]:
    """Average the gradients over a group (None: all processes), rounded to 256 steps between the least and the largest of a bucket: a Future of a float32 vector.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.quantization_hooks import quantization_pertensor_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> quantization_pertensor_hook(None, distributed.GradBucket(0, minigrad.tensor([0.0, 0.1, 255.0]), [], [], True)).wait()
    tensor([  0.,   0., 255.])
    >>> distributed.destroy_process_group()
    """
    return _mean(process_group, bucket.buffer().unsqueeze(0), lambda mean: mean[0])


def quantization_perchannel_hook(
    process_group: Any, bucket: GradBucket, bucket_size: int = 512
) -> Future[Any]:
    """As ``quantization_pertensor_hook``, with steps of their own for every ``bucket_size`` gradients.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.quantization_hooks import quantization_perchannel_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> quantization_perchannel_hook(None, distributed.GradBucket(0, minigrad.tensor([51.0, 0.2, 255.0]), [], [], True), bucket_size=2).wait()
    tensor([5.1000e+01, 2.0000e-01, 2.5500e+02])
    >>> distributed.destroy_process_group()
    """
    vector: Tensor = bucket.buffer()
    length = vector.numel()
    rows = pad(vector, (0, -length % bucket_size)).view(-1, bucket_size)
    return _mean(process_group, rows, lambda mean: mean.view(-1)[:length])
