"""``DataLoader``: batches of a dataset, in the order of a sampler, made here or by worker processes."""

import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ... import _api
from ..._api import Generator
from ._iterators import _BaseDataLoaderIter, _SingleProcessDataLoaderIter
from ._utils.collate import default_collate, default_convert
from ._utils.fetch import _DatasetKind
from ._utils.pipes import is_pipe
from ._utils.worker import get_worker_info
from .dataset import Dataset, IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, draw_seed

__all__ = ["DataLoader", "get_worker_info", "default_collate", "default_convert"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_worker_init_fn_t: TypeAlias = Callable[[int], None]
_collate_fn_t: TypeAlias = Callable[[list[_T]], Any]


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        found = {
            "_MultiProcessingDataLoaderIter": ("utils.data._multi_process", "_MultiProcessingDataLoaderIter"),
            "IterDataPipe": ("utils.data.datapipes", "IterDataPipe"),
            "MapDataPipe": ("utils.data.datapipes", "MapDataPipe"),
            "_utils": ("utils.data._utils", ""),
        }
        return _api._lazy.fetch(name, found, globals())


def _get_distributed_settings():
    """How many processes share the training, and which of them this is."""
    distributed = sys.modules.get(f"{__name__.partition('.')[0]}.distributed")
    if distributed is None or not distributed.is_initialized():
        return 1, 0
    return distributed.get_world_size(), distributed.get_rank()


def _share_dist_seed(generator, pg):
    """A seed for the pipes of all processes of a group, of which there is one."""
    return draw_seed(generator)


def _sharding_worker_init_fn(worker_init_fn, world_size, rank_id, worker_id):
    """Tell the pipes in a worker which part of the stream is its own, of all workers of all processes; then set it up."""
    from .graph_settings import apply_sharding

    info = get_worker_info()
    if info is None:
        raise AssertionError("Worker info is None in sharding worker init function")
    if not is_pipe(info.dataset):
        raise AssertionError("datapipe must be an instance of IterDataPipe or MapDataPipe")
    apply_sharding(info.dataset, info.num_workers * world_size, worker_id * world_size + rank_id)
    if worker_init_fn is not None:
        worker_init_fn(worker_id)


class _InfiniteConstantSampler(Sampler):
    """None, for ever: the index of samples that come as they come."""

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield None


class DataLoader(Generic[_T_co]):
    """Iterates over a dataset in batches.

    Parameters
    ----------
    dataset
        with ``__getitem__`` and ``__len__``, or an ``IterableDataset``
    batch_size
        the number of samples in a batch; with None, samples are returned one by one, without collating
    shuffle, sampler, batch_sampler
        the order: random, that of an iterable of indices, or that of an iterable of lists of indices (the batches)
    num_workers
        the number of processes that prepare batches; with 0, the calling process prepares each batch when it is requested
    collate_fn
        the function that makes a batch from a list of samples (``default_collate``), or without batches converts each sample (``default_convert``)
    pin_memory, pin_memory_device
        for programs that also run with an accelerator; they have no effect but a warning
    drop_last
        whether to drop the last batch if it is shorter than the others
    timeout
        the number of seconds to wait for a batch from the workers; 0 means for ever
    worker_init_fn
        a function that is called in each worker with its number before it starts
    multiprocessing_context
        how processes start: ``"fork"``, ``"spawn"``, ``"forkserver"``, or a context of ``multiprocessing``
    generator
        the generator that draws the order and the workers' seeds
    prefetch_factor
        the number of batches that each worker prepares in advance (2)
    persistent_workers
        whether workers are kept for the next epoch
    in_order
        whether batches are returned in the sampler's order, or as soon as they are ready

    Raises ValueError for arguments that contradict each other.  An exception in a worker is raised here, with the worker's traceback in its
    text; RuntimeError if a worker dies, or is too slow for ``timeout``.

    >>> import minigrad
    >>> from minigrad.utils.data import DataLoader, TensorDataset
    >>> data = TensorDataset(minigrad.arange(5), minigrad.arange(5) ** 2)
    >>> for numbers, squares in DataLoader(data, batch_size=2):
    ...     print(numbers, squares)
    tensor([0, 1]) tensor([0, 1])
    tensor([2, 3]) tensor([4, 9])
    tensor([4]) tensor([16])
    """

    dataset: Dataset[_T_co]
    batch_size: int | None
    num_workers: int
    pin_memory: bool
    drop_last: bool
    timeout: float
    sampler: Sampler[Any] | Iterable[Any]
    pin_memory_device: str
    prefetch_factor: int | None
    _iterator: _BaseDataLoaderIter | None = None
    __initialized = False

    def __init__(
        self,
        dataset: Dataset[_T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler[Any] | Iterable[Any] | None = None,
        batch_sampler: Sampler[list[Any]] | Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: _worker_init_fn_t | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        iterable = isinstance(dataset, IterableDataset)
        self._dataset_kind = _DatasetKind.Iterable if iterable else _DatasetKind.Map
        if is_pipe(dataset, "IterDataPipe"):
            from .graph_settings import apply_shuffle_settings

            self.dataset = apply_shuffle_settings(dataset, shuffle)
            shuffle = None
        if iterable:
            _check_order_of_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
            )
        if sampler is None:
            if iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler: Sampler[list[Any]] | Iterable[list[Any]] | None = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn: Callable[[list[Any]], Any] | None = collate_fn
        self.persistent_workers = persistent_workers
        self._IterableDataset_len_called: Any = None
        self.__initialized = True
        self.check_worker_number_rationality()

    @property
    def multiprocessing_context(self) -> Any:
        """The context of ``multiprocessing`` that workers are started by; None: the default one."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context: Any) -> None:
        if context is not None:
            if not self.num_workers:
                raise ValueError(
                    "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                    f"num_workers={self.num_workers}"
                )
            context = _context(context)
        self.__multiprocessing_context = context

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__initialized and name in _FIXED:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[Any]:
        if not (self.persistent_workers and self.num_workers):
            return self._get_iterator()
        if self._iterator is None or not self._iterator._can_go_on():
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    def _get_iterator(self):
        if not self.num_workers:
            return _SingleProcessDataLoaderIter(self)
        from ._multi_process import _MultiProcessingDataLoaderIter

        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    @property
    def _auto_collation(self):
        return self.batch_sampler is not None

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self) -> int:
        if self._dataset_kind == _DatasetKind.Map:
            return len(self._index_sampler)
        length = self._IterableDataset_len_called = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else math.ceil(length / self.batch_size)

    def check_worker_number_rationality(self) -> None:
        """Warn if there are more workers than the processors that this process may use.

        >>> import minigrad
        >>> minigrad.utils.data.DataLoader([1, 2]).check_worker_number_rationality()
        """
        known = hasattr(os, "sched_getaffinity")
        processors = len(os.sched_getaffinity(0)) if known else os.cpu_count()
        if not self.num_workers or (processors is not None and self.num_workers <= processors):
            return
        share = "How many processors there are is not known here."
        if processors is not None:
            share = f"This process may use {processors} {'processor' if processors == 1 else 'processors'}{'' if known else ' at most'}."
        warnings.warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {share} Workers that share a processor take turns: "
            "more of them load nothing sooner.",
            stacklevel=3,
        )


#: What cannot be set once a loader is made.
_FIXED = {"batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"}


def _check_workers(num_workers, timeout, prefetch_factor, persistent_workers):
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing. Only workers prefetch batches: set "
            "num_workers, or leave prefetch_factor out."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_order_of_iterable(shuffle, sampler, batch_sampler):
    if shuffle:
        given = f"shuffle option, but got shuffle={shuffle}"
    elif sampler is not None:
        given = f"sampler option, but got sampler={sampler}"
    elif batch_sampler is not None:
        given = f"batch_sampler option, but got batch_sampler={batch_sampler}"
    else:
        return
    raise ValueError(f"DataLoader with IterableDataset: expected unspecified {given}")


def _context(context):
    """A context of ``multiprocessing`` by its name, or as it is."""
    from multiprocessing.context import BaseContext

    from ... import multiprocessing

    if isinstance(context, str):
        known = multiprocessing.get_all_start_methods()
        if context not in known:
            raise ValueError(
                f"multiprocessing_context option should specify a valid start method in {known!r}, but got "
                f"multiprocessing_context={context!r}"
            )
        return multiprocessing.get_context(context)
    if not isinstance(context, BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string specifying the start method, but got "
            f"multiprocessing_context={context}"
        )
    return context
