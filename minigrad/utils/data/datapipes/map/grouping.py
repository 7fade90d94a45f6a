"""Pipes of batches."""

from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import DataChunk, MapDataPipe
from ..utils.common import length_of

__all__ = ["BatcherMapDataPipe"]


@functional_datapipe("batch")
class BatcherMapDataPipe(MapDataPipe):
    """Chunks of ``batch_size`` samples, of the class ``wrapper_class``; the last one may be shorter, unless ``drop_last``.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> batches = SequenceWrapper(range(5)).batch(2)
    >>> batches[0], batches[2], len(batches)
    ([0, 1], [4], 3)
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

    def __getitem__(self, index: Any) -> Any:
        samples = []
        try:
            for i in range(index * self.batch_size, (index + 1) * self.batch_size):
                samples.append(self.datapipe[i])
        except IndexError as error:
            if not samples or self.drop_last:
                raise IndexError(f"Index {index} is out of bound.") from error
        return self.wrapper_class(samples)

    def __len__(self) -> int:
        n = length_of(self.datapipe, self)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
