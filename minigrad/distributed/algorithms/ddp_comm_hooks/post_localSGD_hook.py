"""Gradients that are averaged over all processes at first, and later only within small groups, while models are averaged now and then."""

from typing import Any

from ....futures import Future
from ..._buckets import GradBucket
from ..._groups import new_subgroups
from .debugging_hooks import noop_hook
from .default_hooks import allreduce_hook

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState:
    """From which iteration on, and in which group, gradients are averaged.

    They are averaged over ``process_group`` (None: all processes) for ``start_localSGD_iter`` iterations; then over ``subgroup`` (None: the processes of a machine, by
    ``new_subgroups``), or not at all without ``post_local_gradient_allreduce``.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import PostLocalSGDState
    >>> PostLocalSGDState(None, None, start_localSGD_iter=100).iter
    0
    """

    def __init__(
        self,
        process_group: Any,
        subgroup: Any,
        start_localSGD_iter: int,
        post_local_gradient_allreduce: bool = True,
    ) -> None:
        self.process_group = process_group
        self.subgroup = subgroup
        self.start_localSGD_iter = start_localSGD_iter
        self.post_local_gradient_allreduce = post_local_gradient_allreduce
        self.iter = 0

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count an iteration, with its last bucket."""
        self.iter += bucket.is_last()


def post_localSGD_hook(state: PostLocalSGDState, bucket: GradBucket) -> Future[Any]:
    """Average the gradients as the state says, and return a Future of the vector. ``PostLocalSGDOptimizer`` averages the models.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook import PostLocalSGDState, post_localSGD_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
    >>> model.register_comm_hook(PostLocalSGDState(None, None, 10), post_localSGD_hook)
    >>> model(minigrad.ones(1, 2)).sum().backward()
    >>> distributed.destroy_process_group()
    """
    if state.iter < state.start_localSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    if not state.post_local_gradient_allreduce:
        return noop_hook(None, bucket)
    if state.subgroup is None:
        state.subgroup, _ = new_subgroups()
    return allreduce_hook(state.subgroup, bucket)
