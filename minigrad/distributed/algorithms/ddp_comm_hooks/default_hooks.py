"""Hooks that average gradients: as they are, or in half precision."""

from collections.abc import Callable
from typing import Any

from ...._api import split
from ...._base.dtypes import bfloat16, float16
from ....futures import Future
from ... import all_reduce
from ..._buckets import GradBucket

__all__ = [
    "allreduce_hook",
    "bf16_compress_hook",
    "bf16_compress_wrapper",
    "fp16_compress_hook",
    "fp16_compress_wrapper",
]


def _group_size(group):
    from ... import get_world_size

    return get_world_size(group)


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Future[Any]:
    """Average the gradients over a group, None for all processes: a Future of the vector.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> allreduce_hook(None, distributed.GradBucket(0, minigrad.ones(2), [], [], True)).wait()
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    mean = bucket.buffer().div_(_group_size(process_group))
    work: Any = all_reduce(mean, group=process_group, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])


def _compressed(dtype, process_group, bucket):
    buffer = bucket.buffer()
    small = buffer.to(dtype).div_(_group_size(process_group))
    work: Any = all_reduce(small, group=process_group, async_op=True)
    return work.get_future().then(lambda future: buffer.copy_(future.value()[0]))


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Future[Any]:
    """Average the gradients in float16: half the bytes of float32; a Future of the vector, in its own dtype.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> fp16_compress_hook(None, distributed.GradBucket(0, minigrad.ones(2), [], [], True)).wait()
    tensor([1., 1.])
    >>> distributed.destroy_process_group()
    """
    return _compressed(float16, process_group, bucket)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Future[Any]:
    """Average the gradients in bfloat16: half the bytes of float32; a Future of the vector, in its own dtype.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
    >>> callable(bf16_compress_hook)
    True
    """
    return _compressed(bfloat16, process_group, bucket)


def _wrapped(dtype, hook):
    def compressed(state, bucket):
        original = bucket.buffer()
        small = original.to(dtype)
        gradients = bucket.gradients()
        parts = split(small, [gradient.numel() for gradient in gradients])
        views = [part.view(gradient.shape) for part, gradient in zip(parts, gradients)]
        inner = GradBucket(bucket.index(), small, bucket.parameters(), views, bucket.is_last())
        return hook(state, inner).then(lambda future: original.copy_(_only(future.value())))

    return compressed


def _only(value):
    return value[0] if isinstance(value, (list, tuple)) else value


def fp16_compress_wrapper(hook: Callable[[Any, GradBucket], Any]) -> Callable[[Any, GradBucket], Any]:
    """Return a hook that gives another one the gradients in float16, as a vector.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook, fp16_compress_wrapper
    >>> callable(fp16_compress_wrapper(allreduce_hook))
    True
    """
    return _wrapped(float16, hook)


def bf16_compress_wrapper(hook: Callable[[Any, GradBucket], Any]) -> Callable[[Any, GradBucket], Any]:
    """Return a hook that gives another one the gradients in bfloat16, as a vector.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook, bf16_compress_wrapper
    >>> callable(bf16_compress_wrapper(allreduce_hook))
    True
    """
    return _wrapped(bfloat16, hook)
