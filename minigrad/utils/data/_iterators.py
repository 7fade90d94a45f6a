"""What iterating over a loader makes: the iterator that all have in common, and the one that loads in the loader's own process."""

import warnings
from typing import Any

from ..._api import Generator
from ..._core.modes import thread_state
from . import _utils
from ._utils.pipes import is_pipe
from .sampler import draw_seed


class _BaseDataLoaderIter:
    """An epoch over a loader: draws the seed of its workers, asks the sampler for indices and gives batches."""

    _can_go_on: Any

    def __init__(self, loader):
        self._dataset = loader.dataset
        self._shared_seed = None
        self._seed_pipes(loader)
        self._dataset_kind = loader._dataset_kind
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._auto_collation = loader._auto_collation
        self._drop_last = loader.drop_last
        self._index_sampler = loader._index_sampler
        self._num_workers = loader.num_workers
        self._pin_memory = False  # there is no accelerator
        if loader.pin_memory:
            _warn_of_pin_memory(loader.pin_memory_device)
        self._timeout = loader.timeout
        self._collate_fn = loader.collate_fn
        self._sampler_iter = iter(self._index_sampler)
        self._base_seed = draw_seed(loader.generator)
        self._persistent_workers = loader.persistent_workers
        self._num_yielded = 0
        self._profile_name = f"enumerate(DataLoader)#{type(self).__name__}.__next__"

    def __iter__(self):
        return self

    def _reset(self, loader, first_iter=False):
        self._sampler_iter = iter(self._index_sampler)
        self._num_yielded = 0
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        self._seed_pipes(loader)

    def _seed_pipes(self, loader):
        """Draw the seed that the pipes of all workers have in common."""
        if is_pipe(self._dataset, "IterDataPipe"):
            from .graph_settings import apply_random_seed

            self._shared_seed = draw_seed(loader.generator)
            apply_random_seed(self._dataset, Generator().manual_seed(self._shared_seed))

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self):
        raise NotImplementedError

    def __next__(self):
        if thread_state.profiler is None:
            data = self._next_data()
        else:
            from ...autograd.profiler import record_function

            with record_function(self._profile_name):
                data = self._next_data()
        self._num_yielded += 1
        promised = self._IterableDataset_len_called
        if promised is not None and self._num_yielded > promised and self._dataset_kind:
            self._warn_of_length(promised)
        return data

    def _warn_of_length(self, promised):
        why = ""
        if self._num_workers:
            why = (
                "With several workers, each has a copy of the dataset: split it by torch.utils.data.get_worker_info(), or every sample "
                "comes once per worker. "
            )
        warnings.warn(
            f"Length of IterableDataset {self._dataset} was reported to be {promised}(when accessing len(dataloader)), but "
            f"{self._num_yielded} samples have been fetched. {why}",
            stacklevel=3,
        )

    def __len__(self):
        return len(self._index_sampler)

    def __getstate__(self):
        raise NotImplementedError("{} cannot be pickled", type(self).__name__)


def _warn_of_pin_memory(device):
    if device:
        warnings.warn(
            f"pin_memory_device is deprecated, the current accelerator will be used as the device,ignore pin_memory_device='{device}'.",
            stacklevel=5,
        )
    warnings.warn(
        "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
        stacklevel=5,
    )


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Makes each batch when it is asked for."""

    def __init__(self, loader):
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        if self._num_workers != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires num_workers == 0")
        if is_pipe(self._dataset):
            from .graph_settings import apply_sharding

            apply_sharding(self._dataset, 1, 0)
        self._dataset_fetcher = _utils.fetch._DatasetKind.create_fetcher(
            self._dataset_kind, self._dataset, self._auto_collation, self._collate_fn, self._drop_last
        )

    def _next_data(self):
        return self._dataset_fetcher.fetch(self._next_index())
