"""Pipes that give samples in another order."""

import random

from ...sampler import draw_seed
from ..datapipe import IterDataPipe, MapDataPipe

__all__ = ["ShufflerIterDataPipe"]


class ShufflerIterDataPipe(IterDataPipe):
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
        self._enabled = True
        self._seed = None
        self._random = random.Random()

    def set_shuffle(self, shuffle=True):
        """Shuffle from the next iteration on, or do not; returns the pipe."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed):
        """Shuffle by this seed in the next iteration; returns the pipe."""
        self._seed = seed
        return self

    def reset(self):
        """Draw a seed, unless there is one."""
        if self._enabled:
            self._random.seed(draw_seed() if self._seed is None else self._seed)
            self._seed = None

    def __iter__(self):
        order = self.indices
        if self._enabled:
            order = reversed(self._random.sample(order, len(order)))
        for index in order:
            yield self.datapipe[index]

    def __len__(self):
        return len(self.datapipe)


MapDataPipe.register_datapipe_as_function("shuffle", ShufflerIterDataPipe)
