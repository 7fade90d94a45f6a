"""PowerSGD (Vogels, Karimireddy, Jaggi 2019): gradients travel as products of two thin matrices.

A gradient M, as a matrix, becomes P Q^T: with Q from the iteration before, P = M Q is summed over the processes and made orthonormal, then Q = M^T P is averaged.
What the product leaves out is kept, and added to the next gradient (``use_error_feedback``).
"""

import math
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...._api import Tensor, bmm, cat, empty, manual_seed, no_grad, norm, randn, stack, zeros
from ....futures import Future
from ....linalg import qr
from ....random import fork_rng
from ... import all_reduce
from ..._buckets import GradBucket
from ..._deferred import Deferred
from ..._groups import group_of
from .default_hooks import allreduce_hook

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]


class PowerSGDState:
    """What PowerSGD remembers between iterations, and how much it compresses.

    ``matrix_approximation_rank`` is the number of columns of P and Q. Gradients are sent uncompressed for the first
    ``start_powerSGD_iter`` iterations, and later if compression would save less than a factor of ``min_compression_rate``.
    ``use_error_feedback`` adds the compression error to the next gradient, ``warm_start`` starts from the last Q;
    ``orthogonalization_epsilon`` is added to the lengths of columns, which may be zero. ``batch_tensors_with_same_shape`` multiplies
    gradients of one shape together.

    Raises ValueError if compression would start before the second iteration with error feedback or a warm start.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState
    >>> PowerSGDState(None, matrix_approximation_rank=2, start_powerSGD_iter=10).compression_stats()
    (0, 0, 0)
    """

    def __init__(
        self,
        process_group: Any,
        matrix_approximation_rank: int = 1,
        start_powerSGD_iter: int = 1000,
        min_compression_rate: float = 2,
        use_error_feedback: bool = True,
        warm_start: bool = True,
        orthogonalization_epsilon: float = 0,
        random_seed: int = 0,
        compression_stats_logging_frequency: int = 10_000,
        batch_tensors_with_same_shape: bool = False,
    ) -> None:
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(
                "Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or `warm_start` is enabled, because PowerSGD can only be applied after the first two "
                "iterations in DDP."
            )
        self.process_group = process_group
        self.matrix_approximation_rank = matrix_approximation_rank
        self.start_powerSGD_iter = start_powerSGD_iter
        self.min_compression_rate = min_compression_rate
        self.use_error_feedback = use_error_feedback
        self.warm_start = warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.rng = np.random.RandomState(random_seed)
        self.error_dict: dict[int, Tensor] = {}
        self.p_memory_dict: dict[int, Tensor] = {}
        self.q_memory_dict: dict[int, Tensor] = {}
        self.iter = 0
        self.total_numel_before_compression = 0
        self.total_numel_after_compression = 0
        self.compression_stats_logging_frequency = max(1, compression_stats_logging_frequency)
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape

    def __getstate__(self) -> Any:
        """What is pickled: all but the group."""
        state = dict(self.__dict__)
        del state["process_group"]
        return state

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)
        self.process_group = None

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count an iteration, with its last bucket."""
        self.iter += bucket.is_last()

    def compression_stats(self) -> tuple[float, int, int]:
        """Return how many times fewer numbers travelled than there were; how many there were; how many travelled."""
        before, after = self.total_numel_before_compression, self.total_numel_after_compression
        return before / after if after else 0, before, after


def _made_orthonormal(matrices, epsilon=0.0):
    """Let the columns of each of some matrices, (number, rows, columns), be orthonormal, in place."""
    if matrices.shape[2] > 2 and matrices.element_size() > 2:  # there is no QR of half precision
        matrices.copy_(qr(matrices)[0])
        return
    for k in range(matrices.shape[2]):
        column = matrices[:, :, k : k + 1]
        column.div_(norm(column, dim=1, keepdim=True) + epsilon)
        rest = matrices[:, :, k + 1 :]
        rest.sub_((column * rest).sum(dim=1, keepdim=True) * column)


@contextmanager
def _drawing_alike(state):
    """Let all processes draw the same random numbers, and leave the program's generator as it is."""
    with fork_rng(devices=[]):
        manual_seed(int(state.rng.randint(1_000_000_000)))
        yield


class _Plan:
    """Which gradients of a bucket are sent as matrices, and where their P and Q are."""

    def __init__(self, state, bucket):
        self.plain: list[Any] = []
        by_shape: dict[Any, list[Any]] = {}
        for gradient in bucket.gradients():
            matrix = gradient.reshape(gradient.shape[0] if gradient.dim() else 1, -1)
            n, m = matrix.shape
            after = (n + m) * min(n, m, state.matrix_approximation_rank)
            worth = after * state.min_compression_rate < n * m
            state.total_numel_before_compression += n * m
            state.total_numel_after_compression += after if worth else n * m
            if worth:
                by_shape.setdefault((n, m), []).append(matrix)
            else:
                self.plain.append(gradient)
        together = state.batch_tensors_with_same_shape
        self.batches = [
            part
            for alike in by_shape.values()
            for part in ([alike] if together else [[each] for each in alike])
        ]
        ranks = [min(*batch[0].shape, state.matrix_approximation_rank) for batch in self.batches]
        self.p_shapes = [(len(b), b[0].shape[0], r) for b, r in zip(self.batches, ranks)]
        self.q_shapes = [(len(b), b[0].shape[1], r) for b, r in zip(self.batches, ranks)]

    def matrices(self):
        """The gradients of each batch, as one tensor."""
        return [batch[0].unsqueeze(0) if len(batch) == 1 else stack(batch) for batch in self.batches]


def _views(flat, shapes):
    ends = np.cumsum([0, *map(math.prod, shapes)]).tolist()
    return [flat[a:b].view(shape) for a, b, shape in zip(ends, ends[1:], shapes)]


@no_grad()
def powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future[Any]:
    """Average the gradients by PowerSGD, matrix by matrix, and return a Future of the vector.

    Vectors, and matrices that are too small to gain, are sent uncompressed. [Vogels et al. 2019]

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState, powerSGD_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(8, 8))
    >>> model.register_comm_hook(PowerSGDState(None, start_powerSGD_iter=2), powerSGD_hook)
    >>> model(minigrad.ones(1, 8)).sum().backward()
    >>> distributed.destroy_process_group()
    """
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    group, number, flat = group_of(state.process_group), bucket.index(), bucket.buffer()
    size, before = group.size(), None
    if state.use_error_feedback:
        if number in state.error_dict:
            flat.add_(state.error_dict[number])
        before = flat.clone()
    plan = _Plan(state, bucket)
    fresh = not state.warm_start or number not in state.p_memory_dict
    if fresh:
        for memory, shapes in ((state.p_memory_dict, plan.p_shapes), (state.q_memory_dict, plan.q_shapes)):
            memory[number] = empty(sum(map(math.prod, shapes)), dtype=flat.dtype)
    all_p, all_q = state.p_memory_dict[number], state.q_memory_dict[number]
    ps, qs = _views(all_p, plan.p_shapes), _views(all_q, plan.q_shapes)
    if fresh and qs:
        with _drawing_alike(state):
            for q in qs:
                q.copy_(randn(*q.shape, dtype=flat.dtype))
    for q in qs:
        _made_orthonormal(q, state.orthogonalization_epsilon)
    matrices = plan.matrices()
    for matrix, p, q in zip(matrices, ps, qs):
        p.copy_(bmm(matrix, q))
    plain = cat([each.reshape(-1) for each in plan.plain]) if plan.plain else empty(0, dtype=flat.dtype)

    @no_grad()
    def unpack():
        for gradient, part in zip(plan.plain, _views(plain.div_(size), [g.shape for g in plan.plain])):
            gradient.copy_(part)
        all_reduce(all_p, group=group)
        for p in ps:
            _made_orthonormal(p, state.orthogonalization_epsilon)
        for matrix, p, q in zip(matrices, ps, qs):
            q.copy_(bmm(matrix.transpose(1, 2), p))
        all_reduce(all_q, group=group)
        all_q.div_(size)
        for batch, p, q in zip(plan.batches, ps, qs):
            for gradient, product in zip(batch, bmm(p, q.transpose(1, 2))):
                gradient.copy_(product)
        if before is not None:
            state.error_dict[number] = before - flat
        if not state.warm_start:
            state.p_memory_dict.clear()
            state.q_memory_dict.clear()
        state.maybe_increase_iter(bucket)
        return flat

    return Deferred(all_reduce(plain, group=group, async_op=True), unpack)


@no_grad()
def batched_powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future[Any]:
    """Average the gradients by PowerSGD, with the whole bucket as one square matrix: faster than ``powerSGD_hook``, but less exact.

    Returns a Future of the vector.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState, batched_powerSGD_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(8, 8))
    >>> model.register_comm_hook(PowerSGDState(None, start_powerSGD_iter=2), batched_powerSGD_hook)
    >>> model(minigrad.ones(1, 8)).sum().backward()
    >>> distributed.destroy_process_group()
    """
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_hook(state.process_group, bucket)
    group, number, flat = group_of(state.process_group), bucket.index(), bucket.buffer()
    length, side, rank = flat.numel(), math.ceil(math.sqrt(flat.numel())), state.matrix_approximation_rank
    state.total_numel_before_compression += length
    state.total_numel_after_compression += side * rank * 2
    padded = zeros(side * side, dtype=flat.dtype)
    padded[:length] = flat
    if state.use_error_feedback and number in state.error_dict:
        padded.add_(state.error_dict[number])
    before, matrix = padded.clone(), padded.view(1, side, side)
    if not state.warm_start or number not in state.p_memory_dict:
        state.p_memory_dict[number] = empty(side, rank, dtype=flat.dtype)
        with _drawing_alike(state):
            state.q_memory_dict[number] = randn(side, rank, dtype=flat.dtype)
    p, q = state.p_memory_dict[number].unsqueeze(0), state.q_memory_dict[number].unsqueeze(0)
    _made_orthonormal(q)
    p.copy_(bmm(matrix, q))

    @no_grad()
    def unpack():
        _made_orthonormal(p)
        q.copy_(bmm(matrix.transpose(1, 2), p))
        all_reduce(q, group=group)
        q.div_(group.size())
        matrix.copy_(bmm(p, q.transpose(1, 2)))
        if state.use_error_feedback:
            state.error_dict[number] = before - padded
        if not state.warm_start:
            state.p_memory_dict.clear()
            state.q_memory_dict.clear()
        flat.copy_(padded[:length])
        state.maybe_increase_iter(bucket)
        return flat

    return Deferred(all_reduce(p, group=group, async_op=True), unpack)
