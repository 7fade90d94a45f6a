"""Pipes of several pipes: one after the other, side by side, in turn; and several pipes of one."""

import collections
import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe, call_of
from ..utils.common import StreamWrapper, check_function, length_of

__all__ = [
    "ConcaterIterDataPipe",
    "DemultiplexerIterDataPipe",
    "ForkerIterDataPipe",
    "MultiplexerIterDataPipe",
    "ZipperIterDataPipe",
]


@functional_datapipe("concat")
class ConcaterIterDataPipe(IterDataPipe):
    """Yields the samples of several pipes one after another.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper("ab").concat(IterableWrapper("c"))]
    ['a', 'b', 'c']
    """

    def __init__(self, *datapipes: Any) -> None:
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        if not all(isinstance(pipe, IterDataPipe) for pipe in datapipes):
            raise TypeError("Expected all inputs to be `IterDataPipe`")
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        for pipe in self.datapipes:
            yield from pipe

    def __len__(self) -> int:
        return sum(length_of(pipe, self) for pipe in self.datapipes)


@functional_datapipe("zip")
class ZipperIterDataPipe(IterDataPipe):
    """Yields tuples of one sample from each pipe, until one of them ends.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper("ab").zip(IterableWrapper([1, 2, 3]))]
    [('a', 1), ('b', 2)]
    """

    def __init__(self, *datapipes: Any) -> None:
        if not all(isinstance(pipe, IterDataPipe) for pipe in datapipes):
            raise TypeError("All inputs are required to be `IterDataPipe` for `ZipIterDataPipe`.")
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[tuple[Any]]:
        yield from zip(*self.datapipes)

    def __len__(self) -> int:
        return min(length_of(pipe, self) for pipe in self.datapipes)


@functional_datapipe("mux")
class MultiplexerIterDataPipe(IterDataPipe):
    """Yields one sample of each pipe in turn, until one of them ends.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> [*IterableWrapper("ab").mux(IterableWrapper([1, 2, 3]))]
    ['a', 1, 'b', 2]
    """

    def __init__(self, *datapipes: Any) -> None:
        self.datapipes = datapipes

    def __iter__(self) -> Iterator[Any]:
        for samples in zip(*self.datapipes):
            yield from samples

    def __len__(self) -> int:
        return min(length_of(pipe, self) for pipe in self.datapipes) * len(self.datapipes)


# Several pipes of one ------------------------------------------------------------------------------------------------


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe):
    """Makes ``num_instances`` pipes that each yield all samples, as a list; for one instance, the pipe itself.

    At most ``buffer_size`` samples wait for the slowest of them (-1: any number); otherwise raises BufferError. Each gets the same
    object, or with ``copy`` a copy, ``"shallow"`` or ``"deep"``.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> one, other = IterableWrapper("ab").fork(2)
    >>> [*one], [*other]
    (['a', 'b'], ['a', 'b'])
    """

    def __new__(
        cls,
        datapipe: Any,
        num_instances: int,
        buffer_size: int = 1000,
        copy: Literal["shallow", "deep"] | None = None,
    ) -> Any:
        _check_count(num_instances)
        if num_instances == 1:
            return datapipe
        main = _ForkerIterDataPipe(datapipe, num_instances, buffer_size, copy)
        return [_ChildDataPipe(main, number) for number in range(num_instances)]


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe):
    """Makes ``num_instances`` pipes, as a list; each sample goes to the one whose index ``classifier_fn`` returns.

    None is not an index, but ``drop_none`` drops such samples. At most ``buffer_size`` samples wait to be requested (-1: any number);
    otherwise raises BufferError.

    >>> from minigrad.utils.data.datapipes.iter import IterableWrapper
    >>> even, odd = IterableWrapper([True, False, True]).demux(2, int)
    >>> [*even], [*odd]
    ([False], [True, True])
    """

    def __new__(
        cls,
        datapipe: Any,
        num_instances: int,
        classifier_fn: Callable[[Any], int | None],
        drop_none: bool = False,
        buffer_size: int = 1000,
    ) -> Any:
        _check_count(num_instances)
        check_function(classifier_fn)
        main = _DemultiplexerIterDataPipe(datapipe, num_instances, classifier_fn, drop_none, buffer_size)
        return [_ChildDataPipe(main, number) for number in range(num_instances)]


def _check_count(number):
    if number < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {number} is found")


class _Shared(IterDataPipe):
    """What several pipes are made of: the pipe that they read, and what waits for some of them."""

    def __init__(self, datapipe: Any, num_instances: Any, buffer_size: Any, name: str) -> None:
        self.main_datapipe = datapipe
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        if buffer_size < 0:
            warnings.warn(
                f"Unlimited buffer size is set for `{name}`, please be aware of OOM at random places",
                stacklevel=4,
            )
        self.reset()

    def reset(self) -> None:
        self._source = None  # the iterator of the pipe
        self._reading = [False] * self.num_instances
        self._ended = False  # whether the pipe has no more

    def __getstate__(self) -> Any:
        buffers = ("_source", "_reading", "_ended", "_waiting", "_places", "_first")
        return {name: value for name, value in vars(self).items() if name not in buffers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.reset()

    def samples(self, number: Any) -> Iterator[Any]:
        """What the pipe of this number gives."""
        if self._source is None and not self._reading[number]:
            self._source = iter(self.main_datapipe)
            self._reading = [True] * self.num_instances
            self._ended = False
        try:
            while self._reading[number]:
                try:
                    sample = self._next(number)
                except StopIteration:
                    return
                yield sample
        finally:
            self._reading[number] = False
            if not any(self._reading):
                self._source = None
            self._forget(number)

    def _from_source(self):
        if self._source is None:
            raise StopIteration
        try:
            return next(self._source)
        except StopIteration:
            self._source = None
            self._ended = True
            raise

    def is_over(self) -> Any:
        """Whether each of the pipes has given all that it has."""
        return self._ended and not any(self._reading)


class _ForkerIterDataPipe(_Shared):
    def __init__(self, datapipe: Any, num_instances: int, buffer_size: int, copying: Any) -> None:
        ways = {None: _itself, "shallow": copy.copy, "deep": copy.deepcopy}
        if copying not in ways:
            raise ValueError(
                f"Unknown copy method `{copying}` requested, choose one of None, `shallow` or `deep`."
            )
        self.copy_fn = ways[copying]
        super().__init__(datapipe, num_instances, buffer_size, "fork")

    def reset(self) -> None:
        super().reset()
        self._waiting = collections.deque()  # samples that not all have had
        self._first = 0  # how many were before them
        self._places = [0] * self.num_instances  # how many each has had

    def _next(self, number):
        place = self._places[number] - self._first
        if place == len(self._waiting):
            self._waiting.append(self._from_source())
        sample = self._waiting[place]
        self._places[number] += 1
        if min(self._places) > self._first:
            self._waiting.popleft()
            self._first += 1
        if 0 <= self.buffer_size < len(self._waiting):
            raise BufferError(
                f"ForkerIterDataPipe buffer overflow,buffer size {self.buffer_size} is insufficient."
            )
        return self.copy_fn(sample)

    def _forget(self, number):
        if not any(self._reading):
            StreamWrapper.close_streams([*self._waiting])
            self._waiting.clear()

    def length(self) -> int:
        """How many samples each of the pipes has."""
        return len(self.main_datapipe)


def _itself(sample):
    return sample


class _DemultiplexerIterDataPipe(_Shared):
    def __init__(
        self,
        datapipe: Any,
        num_instances: int,
        classifier_fn: Callable[[Any], int | None],
        drop_none: bool,
        buffer_size: int,
    ) -> None:
        self.classifier_fn = classifier_fn
        self.drop_none = drop_none
        super().__init__(datapipe, num_instances, buffer_size, "demux")

    def reset(self) -> None:
        super().reset()
        self._waiting = [collections.deque() for _ in range(self.num_instances)]

    def _next(self, number):
        if self._waiting[number]:
            return self._waiting[number].popleft()
        while True:
            sample = self._from_source()
            goes_to = self.classifier_fn(sample)
            if goes_to is None and self.drop_none:
                StreamWrapper.close_streams(sample)
                continue
            if goes_to is None or not 0 <= goes_to < self.num_instances:
                raise ValueError(
                    f"Output of the classification fn should be between 0 and {self.num_instances - 1}. {goes_to} is returned."
                )
            if goes_to == number:
                return sample
            self._waiting[goes_to].append(sample)
            if 0 <= self.buffer_size < sum(map(len, self._waiting)):
                raise BufferError(
                    f"DemultiplexerIterDataPipe buffer overflow, buffer size {self.buffer_size} is insufficient."
                )

    def _forget(self, number):
        StreamWrapper.close_streams([*self._waiting[number]])
        self._waiting[number].clear()

    def length(self) -> Any:
        """It is not known how many samples go where."""
        raise TypeError("_ChildDataPipe instance doesn't have valid length")


class _ChildDataPipe(IterDataPipe):
    """One of several pipes that read the same one.

    A second iterator of one of them begins anew, and ends the iterators of all; the first iterators of the others then begin with it.
    """

    _valid_iterator_id = -1  # not that of any iterator

    def __init__(self, main_datapipe: Any, instance_id: int) -> None:
        self.main_datapipe = main_datapipe
        self.instance_id = instance_id

    def __iter__(self) -> Iterator[Any]:
        return self.main_datapipe.samples(self.instance_id)

    def __len__(self) -> int:
        return self.main_datapipe.length()

    def _new_iterator(self):
        main = self.main_datapipe
        if self._valid_iterator_id == main._valid_iterator_id:
            main._valid_iterator_id += 1
            if not main.is_over():
                warnings.warn(
                    "Some child DataPipes are not exhausted when __iter__ is called. All of them start again, and samples that are "
                    "waiting are discarded.",
                    stacklevel=3,
                )
            main.reset()
        self._valid_iterator_id = main._valid_iterator_id
        self._number_of_samples_yielded = 0
        return self._valid_iterator_id

    def _is_newest(self, number):
        return number == self._valid_iterator_id == self.main_datapipe._valid_iterator_id

    def _why_invalid(self):
        return (
            "This iterator has been invalidated, because a new iterator has been created from one of the ChildDataPipes of "
            f"{call_of(self.main_datapipe)}."
        )
