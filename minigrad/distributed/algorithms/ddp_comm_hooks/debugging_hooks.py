"""A hook that sends nothing."""

from typing import Any

from ....futures import Future
from ..._buckets import GradBucket

__all__ = ["noop_hook"]


def noop_hook(_: Any, bucket: GradBucket) -> Future[Any]:
    """Leave the gradients as they are in this process, to see what a step costs without communication: a Future of the same vector.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.debugging_hooks import noop_hook
    >>> from minigrad.distributed import GradBucket
    >>> import minigrad
    >>> noop_hook(None, GradBucket(0, minigrad.ones(2), [], [], True)).wait()
    tensor([1., 1.])
    """
    future: Future[Any] = Future()
    future.set_result(bucket.buffer())
    return future
