"""The sampler of one process among several that share a dataset."""

import math
from collections.abc import Iterator
from typing import Any

from ... import _api
from .dataset import Dataset
from .sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """Yields the indices for process ``rank`` of ``num_replicas``: every ``num_replicas``-th index of an order that all processes share.

    The order is a ``randperm`` under ``seed + epoch`` (``set_epoch`` before each epoch makes it another one), or, without ``shuffle``, the
    dataset's.  Each process gets equally many: the first indices stand at the end once more, or, with ``drop_last``, some are left out.
    Where ``num_replicas`` or ``rank`` is missing it is that of the group of processes; raises ValueError if there is none, and for a rank out of range.

    >>> from minigrad.utils.data.distributed import DistributedSampler
    >>> [[*DistributedSampler(range(5), num_replicas=2, rank=rank, shuffle=False)] for rank in range(2)]
    [[0, 2, 4], [1, 3, 0]]
    """

    dataset: Dataset[Any]
    num_samples: int
    total_size: int
    epoch: int

    def __init__(
        self,
        dataset: Dataset[Any],
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            from ... import distributed

            num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
            rank = distributed.get_rank() if rank is None else rank
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        n = len(dataset)  # type: ignore[arg-type]
        self.num_samples = n // num_replicas if drop_last else math.ceil(n / num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[Any]:
        n = len(self.dataset)  # type: ignore[arg-type]
        if self.shuffle:
            generator = _api.Generator().manual_seed(self.seed + self.epoch)
            order = _api.randperm(n, generator=generator).tolist()
        else:
            order = [*range(n)]
        if self.total_size > n:
            order *= math.ceil(self.total_size / n)
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch that the next iteration shuffles for; use the same number in all processes."""
        self.epoch = epoch
