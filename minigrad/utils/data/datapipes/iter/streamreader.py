"""Pipes of what is read from files."""

from collections.abc import Iterator
from typing import Any

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe

__all__ = ["StreamReaderIterDataPipe"]


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe):
    """Yields the contents of each stream with its name: as a whole, or ``chunk`` bytes at a time.

    >>> import io
    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper, StreamReader
    >>> [*StreamReader(IterableWrapper([("a", io.StringIO("text"))]), chunk=3)]
    [('a', 'tex'), ('a', 't')]
    """

    def __init__(self, datapipe: Any, chunk: int | None = None) -> None:
        self.datapipe = datapipe
        self.chunk = chunk

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name, stream in self.datapipe:
            while data := stream.read(self.chunk):
                yield name, data
            stream.close()
