"""Pipes of batches: of samples that follow each other, or that belong together."""

from collections.abc import Callable, Iterator
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import DataChunk, IterDataPipe
from ..utils.common import check_function, length_of

__all__ = ["BatcherIterDataPipe", "GrouperIterDataPipe", "UnBatcherIterDataPipe"]


@functional_datapipe("batch")
class BatcherIterDataPipe(IterDataPipe):
    """Yields chunks of ``batch_size`` samples, of the class ``wrapper_class``; the last one may be shorter, unless ``drop_last``.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper(range(5)).batch(2)], len(IterableWrapper(range(5)).batch(2, drop_last=True))
    ([[0, 1], [2, 3], [4]], 2)
    """

    def __init__(
        self, datapipe: Any, batch_size: int, drop_last: bool = False, wrapper_class: Any = DataChunk
    ) -> None:
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __iter__(self) -> Iterator[Any]:
        samples = []
        for sample in self.datapipe:
            samples.append(sample)
            if len(samples) == self.batch_size:
                yield self.wrapper_class(samples)
                samples = []
        if samples and not self.drop_last:
            yield self.wrapper_class(samples)

    def __len__(self) -> int:
        n = length_of(self.datapipe, self)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """Yields the samples of batches, which are lists; ``unbatch_level`` says how many levels to undo, -1 all.

    Raises IndexError if there are not as many levels.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper([[1, [2]], [3]]).unbatch()], [*IterableWrapper([[1, [2]], [3]]).unbatch(-1)]
    ([1, [2], 3], [1, 2, 3])
    """

    def __init__(self, datapipe: Any, unbatch_level: int = 1) -> None:
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self) -> Iterator[Any]:
        if self.unbatch_level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        for sample in self.datapipe:
            yield from self._samples(sample, self.unbatch_level)

    def _samples(self, batch, levels):
        if levels == 0 or (levels == -1 and not isinstance(batch, list)):
            yield batch
            return
        if not isinstance(batch, list):
            raise IndexError(f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe")
        for sample in batch:
            yield from self._samples(sample, max(levels - 1, -1))


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe):
    """Groups samples for which ``group_key_fn`` returns the same key, with the key (``keep_key``) or without.

    A chunk is yielded when it has ``group_size`` samples. When ``buffer_size`` samples are waiting, the largest group is yielded as it is
    if it has ``guaranteed_group_size`` samples (``group_size``, if only that is given); otherwise it is dropped (``drop_remaining``), or
    RuntimeError is raised.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper(["a", "bb", "c", "dd", "e"]).groupby(len, group_size=2)]
    [['a', 'c'], ['bb', 'dd'], ['e']]
    """

    def __init__(
        self,
        datapipe: Any,
        group_key_fn: Callable[[Any], Any],
        *,
        keep_key: bool = False,
        buffer_size: int = 10000,
        group_size: int | None = None,
        guaranteed_group_size: int | None = None,
        drop_remaining: bool = False,
    ) -> None:
        check_function(group_key_fn)
        if group_size is not None and buffer_size is not None and not 0 < group_size <= buffer_size:
            raise AssertionError("group_size must be > 0 and <= buffer_size")
        if guaranteed_group_size is not None and (
            group_size is None or not 0 < guaranteed_group_size <= group_size
        ):
            raise AssertionError(
                "guaranteed_group_size must be > 0 and <= group_size and group_size must be set"
            )
        self.datapipe = datapipe
        self.group_key_fn = group_key_fn
        self.keep_key = keep_key
        self.max_buffer_size = buffer_size
        self.group_size = group_size
        self.guaranteed_group_size = guaranteed_group_size
        if guaranteed_group_size is None and buffer_size is not None:
            self.guaranteed_group_size = group_size
        self.drop_remaining = drop_remaining
        self.wrapper_class = DataChunk

    def __iter__(self) -> Iterator[Any]:
        groups, waiting = {}, 0
        for sample in self.datapipe:
            key = self.group_key_fn(sample)
            group = groups.setdefault(key, [])
            group.append(sample)
            waiting += 1
            if len(group) == self.group_size:
                waiting -= len(groups.pop(key))
                yield self._chunk(key, group)
            if waiting == self.max_buffer_size:
                key = max(groups, key=lambda each: len(groups[each]))
                group = groups.pop(key)
                waiting -= len(group)
                if self.guaranteed_group_size is None or len(group) >= self.guaranteed_group_size:
                    yield self._chunk(key, group)
                elif not self.drop_remaining:
                    raise RuntimeError("Failed to group items", str(group))
        for key, group in groups.items():
            yield self._chunk(key, group)

    def _chunk(self, key, group):
        chunk = self.wrapper_class(group)
        return (key, chunk) if self.keep_key else chunk
