"""Pipes that give samples in another order."""

from collections.abc import Iterator
from typing import Any

from .._shuffling import Shuffling
from ..datapipe import IterDataPipe, MapDataPipe

__all__ = ["ShufflerIterDataPipe"]


class ShufflerIterDataPipe(Shuffling, IterDataPipe):
    """Yields the samples of an indexed pipe in random order. ``indices`` are those of the samples, by default 0, 1, ...

    A loader decides whether to shuffle (``shuffle=``), and with which seed; elsewhere the seed is drawn from the default generator, or
    set before an iteration by ``set_seed``.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> sorted(SequenceWrapper([3, 1, 2]).shuffle())
    [1, 2, 3]
    """

    indices: list[Any]

    def __init__(self, datapipe: Any, *, indices: list[Any] | None = None) -> None:
        self.datapipe = datapipe
        self.indices = [*range(len(datapipe))] if indices is None else indices
        super().__init__()

    def __iter__(self) -> Iterator[Any]:
        order: Any = self.indices
        if self._enabled:
            order = reversed(self._random.sample(order, len(order)))
        for index in order:
            yield self.datapipe[index]

    def __len__(self) -> int:
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
