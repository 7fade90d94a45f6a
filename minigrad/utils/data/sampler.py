"""Samplers: in which order samples are taken, and how they are put together to batches.

They draw what PyTorch's draw from the generator, in the same places: the same seed gives the same order.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ... import _api
from ..._api import Generator
from ..._base import dtypes

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]

_T_co = TypeVar("_T_co", covariant=True)
_AT_ONCE = 32  # with replacement, so many indices are drawn at a time


class Sampler(Generic[_T_co]):
    """The base class of samplers, which yield indices (or lists of indices).

    A subclass defines ``__iter__``, and ``__len__`` if the loader needs a length.

    >>> from minigrad.utils.data import Sampler
    >>> class ShortestFirst(Sampler):
    ...     def __init__(self, texts):
    ...         self.texts = texts
    ...     def __len__(self):
    ...         return len(self.texts)
    ...     def __iter__(self):
    ...         return iter(sorted(range(len(self)), key=lambda i: len(self.texts[i])))
    >>> [*ShortestFirst(["ccc", "a", "bb"])]
    [1, 2, 0]
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """Yields all indices in order.

    >>> from minigrad.utils.data import SequentialSampler
    >>> [*SequentialSampler("abc")]
    [0, 1, 2]
    """

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def draw_seed(generator: Generator | None = None) -> Any:
    """Return a number of 63 bits, drawn as ``random_()`` draws it."""
    return _api.empty((), dtype=dtypes.int64).random_(generator=generator).item()


class RandomSampler(Sampler[int]):
    """Yields indices in random order: all of them, or ``num_samples``; with ``replacement`` each is drawn from all.

    Without a generator, each iteration draws a seed from the default generator.

    >>> import minigrad
    >>> from minigrad.utils.data import RandomSampler
    >>> sorted(RandomSampler("abc"))
    [0, 1, 2]
    >>> len([*RandomSampler("abc", replacement=True, num_samples=7)])
    7
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={self.num_samples}"
            )

    @property
    def num_samples(self) -> int:
        """The number of indices per iteration, by default the current number of samples."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n, wanted, generator = len(self.data_source), self.num_samples, self.generator
        if generator is None:
            generator = _api.Generator().manual_seed(draw_seed())
        if self.replacement:
            full, rest = divmod(wanted, _AT_ONCE)
            for size in [_AT_ONCE] * full + [rest]:
                yield from _api.randint(n, (size,), dtype=dtypes.int64, generator=generator).tolist()
            return
        for _ in range(wanted // n):
            yield from _api.randperm(n, generator=generator).tolist()
        yield from _api.randperm(n, generator=generator).tolist()[: self.num_samples % n]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Yields the given indices in random order.

    >>> from minigrad.utils.data import SubsetRandomSampler
    >>> sorted(SubsetRandomSampler([7, 1, 5]))
    [1, 5, 7]
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in _api.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Yields ``num_samples`` indices, each drawn with a probability proportional to its weight.

    >>> from minigrad.utils.data import WeightedRandomSampler
    >>> [*WeightedRandomSampler([0., 1., 0.], 4)]
    [1, 1, 1, 1]
    """

    weights: Any

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        if not _is_count(num_samples):
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = _api.as_tensor(weights, dtype=dtypes.float64)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = _api.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Yields lists of ``batch_size`` indices from another sampler or iterable; the last one may be shorter, unless ``drop_last``.

    >>> from minigrad.utils.data import BatchSampler
    >>> [*BatchSampler(range(5), 2, False)], [*BatchSampler(range(5), 2, True)]
    ([[0, 1], [2, 3], [4]], [[0, 1], [2, 3]])
    """

    def __init__(self, sampler: Sampler[int] | Iterable[int], batch_size: int, drop_last: bool) -> None:
        if not _is_count(batch_size):
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := [*itertools.islice(indices, self.batch_size)]:
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        n = len(self.sampler)  # type: ignore[arg-type]
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
