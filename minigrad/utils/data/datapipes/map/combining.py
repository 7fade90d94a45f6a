"""Pipes of several pipes: one after the other, or side by side."""

import itertools
from bisect import bisect_right
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import MapDataPipe

__all__ = ["ConcaterMapDataPipe", "ZipperMapDataPipe"]


@functional_datapipe("concat")
class ConcaterMapDataPipe(MapDataPipe):
    """Several pipes one after another; raises IndexError for an index out of range.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> SequenceWrapper("ab").concat(SequenceWrapper("c"))[2]
    'c'
    """

    def __init__(self, *datapipes: Any) -> None:
        _check_pipes(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index: Any) -> Any:
        ends = [*itertools.accumulate(map(len, self.datapipes))]
        part = bisect_right(ends, index)
        if part == len(ends):
            raise IndexError(f"Index {index} is out of range.")
        return self.datapipes[part][index - (ends[part - 1] if part else 0)]

    def __len__(self) -> int:
        return sum(map(len, self.datapipes))


@functional_datapipe("zip")
class ZipperMapDataPipe(MapDataPipe):
    """Tuples of one sample from each pipe; raises IndexError if a pipe has no such sample.

    >>> from minigrad.utils.data.datapipes.map import SequenceWrapper
    >>> SequenceWrapper("ab").zip(SequenceWrapper([1, 2, 3]))[1]
    ('b', 2)
    """

    def __init__(self, *datapipes: Any) -> None:
        _check_pipes(datapipes)
        self.datapipes = datapipes

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        samples = []
        for pipe in self.datapipes:
            try:
                samples.append(pipe[index])
            except IndexError as error:
                raise IndexError(
                    f"Index {index} is out of range for one of the input MapDataPipes {pipe}."
                ) from error
        return tuple(samples)

    def __len__(self) -> int:
        return min(map(len, self.datapipes))


def _check_pipes(pipes):
    if not pipes:
        raise ValueError("Expected at least one DataPipe, but got nothing")
    if not all(isinstance(pipe, MapDataPipe) for pipe in pipes):
        raise TypeError("Expected all inputs to be `MapDataPipe`")
    if not all(hasattr(type(pipe), "__len__") for pipe in pipes):
        raise TypeError("Expected all inputs to be `Sized`")
