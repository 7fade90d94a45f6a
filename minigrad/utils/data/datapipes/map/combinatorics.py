"""Pipes that give samples in another order."""

from .._shuffling import Shuffling
from ..datapipe import IterDataPipe, MapDataPipe

__all__ = ["ShufflerIterDataPipe"]


class ShufflerIterDataPipe(Shuffling, IterDataPipe):
    """The samples of a pipe with indices, in random order: a stream.  ``indices`` are those of the samples, if not 0, 1, ...

    A loader decides whether to shuffle (``shuffle=``), and with which seed; elsewhere the seed is drawn from the default generator, or set before an
    iteration by ``set_seed``.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> sorted(SequenceWrapper([3, 1, 2]).shuffle())
    [1, 2, 3]
    """

    def __init__(self, datapipe, *, indices=None):
        self.datapipe = datapipe
        self.indices = [*range(len(datapipe))] if indices is None else indices
        super().__init__()

    def __iter__(self):
        order = self.indices
        if self._enabled:
            order = reversed(self._random.sample(order, len(order)))
        for index in order:
            yield self.datapipe[index]

    def __len__(self):
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
