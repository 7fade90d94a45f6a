"""Fetching: from what the sampler gives to a batch, in the loader's process or in a worker.

A batch of a ``TensorDataset``, a tensor, or a ``Subset`` of one, that is collated in the usual way is gathered tensor by tensor: the same batch as by
way of its samples, in a tenth of the time.
"""

import numpy as np

from .... import _api
from ...._core import modes
from ..dataset import Subset, TensorDataset
from . import collate


class _BaseDatasetFetcher:
    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index):
        """The batch (or, without batches, the sample) of an index that a sampler gave."""
        raise NotImplementedError


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        super().__init__(dataset, auto_collation, collate_fn, drop_last)
        self.dataset_iter = iter(dataset)
        self.ended = False

    def fetch(self, possibly_batched_index):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))
        samples = []
        try:
            for _ in possibly_batched_index:
                samples.append(next(self.dataset_iter))
        except StopIteration:
            self.ended = True
        if not samples or (self.drop_last and len(samples) < len(possibly_batched_index)):
            raise StopIteration
        return self.collate_fn(samples)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    def fetch(self, possibly_batched_index):
        dataset, index = self.dataset, possibly_batched_index
        if not self.auto_collation:
            return self.collate_fn(dataset[index])
        if self.collate_fn is collate.default_collate and type(index) in (list, tuple, range):
            batch = _gathered(dataset, index)
            if batch is not None:
                return batch
        if getattr(dataset, "__getitems__", None):
            return self.collate_fn(dataset.__getitems__(index))
        return self.collate_fn([dataset[i] for i in index])


class _DatasetKind:
    """Whether samples are asked for by index, or come as they come."""

    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last):
        """What fetches batches from a dataset of the kind."""
        cls = _MapDatasetFetcher if kind == _DatasetKind.Map else _IterableDatasetFetcher
        return cls(dataset, auto_collation, collate_fn, drop_last)


#: The functions of the map that a gathered batch stands for, and the class that must not be in it.
_COLLATED = [*collate.default_collate_fn_map.items()]


def _gathered(dataset, indices):
    """The batch of a dataset of tensors; None where it is to be made of samples, if only for the error that they raise."""
    state = modes.thread_state
    if state.watchers or state.levels or state.profiler is not None:
        return None  # somebody wants to see each operator
    cls = type(dataset)
    while issubclass(cls, Subset):
        if cls.__getitem__ is not Subset.__getitem__ or cls.__getitems__ is not Subset.__getitems__:
            return None
        chosen = dataset.indices
        indices = [chosen[i] for i in indices]
        dataset = dataset.dataset
        cls = type(dataset)
    if cls is _api.Tensor:
        tensors = (dataset,)
    elif getattr(cls, "__getitem__", None) is TensorDataset.__getitem__ and not hasattr(
        dataset, "__getitems__"
    ):
        tensors = dataset.tensors
    else:
        return None
    if [*collate.default_collate_fn_map.items()] != _COLLATED or {*map(type, indices)} != {int}:
        return None
    arrays = []
    for tensor in tensors:
        if type(tensor) is not _api.Tensor or tensor.requires_grad:
            return None
        array = tensor._array
        if not (array.ndim and array.flags.c_contiguous):
            return None
        arrays.append(array)
    rows = np.array(indices)
    first, last = rows.min(), rows.max()
    if rows.dtype != np.intp or any(not -len(array) <= first <= last < len(array) for array in arrays):
        return None
    batch = []
    for array in arrays:
        out = np.empty((len(rows), *array.shape[1:]), array.dtype)
        # out of range would be clipped, but nothing is; NumPy checks by way of a copy of the result
        array.take(rows if first >= 0 else rows % len(array), 0, out, "clip")
        batch.append(_api._wrap(out))
    return batch[0] if cls is _api.Tensor else batch
