"""Pipes that give samples in another order."""

from collections.abc import Callable, Iterator
from typing import Any

from ...sampler import SequentialSampler
from .._decorator import functional_datapipe
from .._shuffling import Shuffling
from ..datapipe import IterDataPipe
from ..utils.common import length_of

__all__ = ["SamplerIterDataPipe", "ShufflerIterDataPipe"]


class SamplerIterDataPipe(IterDataPipe):
    """Yields the indices that a sampler of the given class yields for a pipe with a length.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper, Sampler
    >>> [*Sampler(IterableWrapper("abc"))]
    [0, 1, 2]
    """

    sampler_args: tuple[Any, ...]
    sampler_kwargs: dict[Any, Any]
    sampler: Any

    def __init__(
        self,
        datapipe: Any,
        sampler: Callable[..., Any] = SequentialSampler,
        sampler_args: tuple[Any, ...] | None = None,
        sampler_kwargs: dict[Any, Any] | None = None,
    ) -> None:
        if not hasattr(type(datapipe), "__len__"):
            raise AssertionError("Sampler class requires input datapipe implemented `__len__`")
        self.datapipe = datapipe
        self.sampler_args = () if sampler_args is None else sampler_args
        self.sampler_kwargs = {} if sampler_kwargs is None else sampler_kwargs
        self.sampler = sampler(*self.sampler_args, data_source=datapipe, **self.sampler_kwargs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sampler)

    def __len__(self) -> int:
        return length_of(self.sampler, self)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(Shuffling, IterDataPipe):
    """Shuffles the samples: each is drawn from the next ``buffer_size``.

    With ``unbatch_level`` the pipe is unbatched first. A loader decides whether to shuffle (``shuffle=``), and with which seed; elsewhere
    the seed is drawn from the default generator, or set before an iteration by ``set_seed``.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> sorted(IterableWrapper([3, 1, 2]).shuffle())
    [1, 2, 3]
    """

    def __init__(self, datapipe: Any, *, buffer_size: int = 10000, unbatch_level: int = 0) -> None:
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        self.datapipe = datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level=unbatch_level)
        self.buffer_size = buffer_size
        super().__init__()

    def __iter__(self) -> Iterator[Any]:
        if not self._enabled:
            yield from self.datapipe
            return
        waiting = []
        for sample in self.datapipe:
            if len(waiting) < self.buffer_size:
                waiting.append(sample)
                continue
            place = self._random.randint(0, len(waiting) - 1)
            chosen, waiting[place] = waiting[place], sample
            yield chosen
        while waiting:
            yield waiting.pop(self._random.randint(0, len(waiting) - 1))

    def __len__(self) -> int:
        return length_of(self.datapipe, self)
