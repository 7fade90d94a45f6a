"""Datasets: what samples can be taken from, by index or one after the other, and datasets made of datasets."""

import itertools
import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ... import _api
from ..._api import Generator, Tensor

__all__ = [
    "Dataset",
    "IterableDataset",
    "TensorDataset",
    "StackDataset",
    "ConcatDataset",
    "ChainDataset",
    "Subset",
    "random_split",
]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class Dataset(Generic[_T_co]):
    """The base class of datasets.

    A subclass defines ``__getitem__``, and ``__len__`` for samplers and loaders that need the number of samples. It may also define
    ``__getitems__(indices)``, which returns a list of samples: loaders then ask for a batch at once.

    >>> from minigrad.utils.data import Dataset
    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 4
    ...     def __getitem__(self, i):
    ...         return i * i
    >>> Squares()[3]
    9
    """

    def __getitem__(self, index: Any) -> _T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: "Dataset[Any]") -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """The base class of streams of samples; a subclass defines ``__iter__``.

    With several workers each has its own copy, and yields everything that its ``__iter__`` yields: use ``get_worker_info()`` to divide the stream.

    >>> import minigrad
    >>> from minigrad.utils.data import DataLoader, IterableDataset, get_worker_info
    >>> class Numbers(IterableDataset):
    ...     def __iter__(self):
    ...         info = get_worker_info()
    ...         return iter(range(5) if info is None else range(info.id, 5, info.num_workers))
    >>> [batch.tolist() for batch in DataLoader(Numbers(), batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __add__(self, other: Dataset[Any]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[_api.Tensor, ...]]):
    """A dataset of tensors with the same first dimension: sample ``i`` is the tuple of their elements ``i``.

    >>> import minigrad
    >>> from minigrad.utils.data import TensorDataset
    >>> TensorDataset(minigrad.eye(2), minigrad.tensor([5, 6]))[1]
    (tensor([0., 1.]), tensor(6))
    """

    tensors: tuple[_api.Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset):
    """A dataset whose samples are tuples of the samples of others, or dicts if these are given by name; all must have the same length.

    >>> from minigrad.utils.data import StackDataset
    >>> StackDataset([1, 2], "ab")[1], StackDataset(number=[1, 2], letter="ab")[0]
    ((2, 'b'), {'number': 1, 'letter': 'a'})
    """

    datasets: tuple[Any, ...] | dict[Any, Any]

    def __init__(self, *args: Dataset[Any], **kwargs: Dataset[Any]) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both types are given."
            )
        if not (args or kwargs):
            raise ValueError("At least one dataset should be passed")
        parts = args or [*kwargs.values()]
        self._length = len(parts[0])  # type: ignore[arg-type]
        if any(len(part) != self._length for part in parts):  # type: ignore[arg-type]
            raise ValueError("Size mismatch between datasets")
        self.datasets = args or kwargs

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: part[index] for name, part in self.datasets.items()}
        return tuple([part[index] for part in self.datasets])

    def __getitems__(self, indices: list[Any]) -> Any:
        indices = [*indices]  # which each dataset reads
        named = isinstance(self.datasets, dict)
        parts: Any = self.datasets.values() if isinstance(self.datasets, dict) else self.datasets
        samples = zip(*[_samples(part, indices) for part in parts])
        if named:
            return [dict(zip(self.datasets, sample)) for sample in samples]
        return [*samples]

    def __len__(self) -> int:
        return self._length


def _samples(dataset, indices):
    """The samples of one of the datasets in a ``StackDataset``, all at once if it knows how."""
    if not callable(getattr(dataset, "__getitems__", None)):
        return [dataset[index] for index in indices]
    samples = dataset.__getitems__(indices)
    if len(samples) != len(indices):
        raise ValueError(
            f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(samples)}"
        )
    return samples


class ConcatDataset(Dataset[_T_co]):
    """Several datasets one after another; ``+`` of two datasets makes one.

    >>> from minigrad.utils.data import ConcatDataset
    >>> both = ConcatDataset([[1, 2], [3]])
    >>> len(both), both[2], both[-3]
    (3, 3, 1)
    """

    datasets: list[Dataset[_T_co]]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence: Any) -> Any:
        """Return the cumulative lengths of the datasets.

        >>> from minigrad.utils.data import ConcatDataset
        >>> ConcatDataset.cumsum(["ab", "c"])
        [2, 3]
        """
        return [*itertools.accumulate(map(len, sequence))]

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        super().__init__()
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        part = bisect_right(self.cumulative_sizes, idx)
        return self.datasets[part][idx - self.cumulative_sizes[part - 1] if part else idx]

    @property
    def cummulative_sizes(self) -> Any:
        """A deprecated name for ``cumulative_sizes``."""
        warnings.warn(
            "`cummulative_sizes` attribute is renamed to `cumulative_sizes`", FutureWarning, stacklevel=2
        )
        return self.cumulative_sizes


class ChainDataset(IterableDataset):
    """Several streams one after another; ``+`` of two ``IterableDataset`` makes one.

    >>> from minigrad.utils.data import IterableDataset
    >>> class Numbers(IterableDataset):
    ...     def __init__(self, *numbers):
    ...         self.numbers = numbers
    ...     def __iter__(self):
    ...         return iter(self.numbers)
    >>> [*(Numbers(1, 2) + Numbers(3))]
    [1, 2, 3]
    """

    datasets: Iterable[Dataset[Any]]

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        super().__init__()
        self.datasets = datasets

    def _checked(self):
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._checked():
            yield from dataset

    def __len__(self) -> int:
        return sum(map(len, self._checked()))


class Subset(Dataset[_T_co]):
    """A part of a dataset: sample ``i`` is its sample ``indices[i]``.

    Loaders ask for ``__getitems__``: a subclass that defines ``__getitem__`` must define it as well; otherwise it raises NotImplementedError.

    >>> from minigrad.utils.data import Subset
    >>> [*map(Subset("abcdef", [4, 0]).__getitem__, range(2))]
    ['e', 'a']
    """

    dataset: Dataset[_T_co]
    indices: Sequence[int]

    def __init__(self, dataset: Dataset[_T_co], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices
        cls = type(self)
        if cls.__getitem__ is not Subset.__getitem__ and cls.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{cls.__name__} overrides __getitem__ but not __getitems__. Data loaders fetch whole batches, so the new samples would "
                "not be seen: define `def __getitems__(self, indices): return [self[i] for i in indices]` as well."
            )

    def __getitem__(self, idx: int) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        dataset, chosen = self.dataset, [self.indices[i] for i in indices]
        if callable(getattr(dataset, "__getitems__", None)):
            return dataset.__getitems__(chosen)  # type: ignore[attr-defined]
        return [dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[_T], lengths: Sequence[int | float], generator: Generator | None = None
) -> list[Subset[_T]]:
    """Split a dataset into ``Subset`` objects of random samples, of the given lengths or fractions.

    Fractions must sum to 1; samples left over by rounding down go to the first subsets, one each. The order is one ``randperm`` drawn
    from ``generator``. Raises ValueError if the lengths do not sum to that of the dataset.

    >>> import minigrad
    >>> from minigrad.utils.data import random_split
    >>> train, test = random_split(range(10), [0.75, 0.25], minigrad.Generator().manual_seed(0))
    >>> len(train), len(test)
    (8, 2)
    >>> sorted([*train, *test])
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    total = sum(lengths)
    if math.isclose(total, 1) and total <= 1:
        lengths = _lengths_of_fractions(lengths, dataset)
    if sum(lengths) != len(dataset):  # type: ignore[arg-type]
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _api.randperm(sum(lengths), generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]


def _lengths_of_fractions(fractions, dataset):
    lengths = []
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        lengths.append(math.floor(len(dataset) * fraction))
    for i in range(len(dataset) - sum(lengths)):
        lengths[i % len(lengths)] += 1
    for i, length in enumerate(lengths):
        if not length:
            warnings.warn(
                f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=3
            )
    return lengths
