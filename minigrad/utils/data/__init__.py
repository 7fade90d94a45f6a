"""Datasets, samplers, and ``DataLoader``, which makes batches of them.  Each is imported when it is first used."""

from typing import TYPE_CHECKING

from ..._api import _lazy

if TYPE_CHECKING:
    from . import backward_compatibility as backward_compatibility
    from . import dataloader as dataloader
    from . import datapipes as datapipes
    from . import dataset as dataset
    from . import distributed as distributed
    from . import graph as graph
    from . import graph_settings as graph_settings
    from . import sampler as sampler
    from ._utils.collate import default_collate as default_collate
    from ._utils.collate import default_convert as default_convert
    from ._utils.worker import get_worker_info as get_worker_info
    from .dataloader import DataLoader as DataLoader
    from .datapipes._decorator import functional_datapipe as functional_datapipe
    from .datapipes.datapipe import DataChunk as DataChunk
    from .datapipes.datapipe import DFIterDataPipe as DFIterDataPipe
    from .datapipes.datapipe import IterDataPipe as IterDataPipe
    from .datapipes.datapipe import MapDataPipe as MapDataPipe
    from .dataset import ChainDataset as ChainDataset
    from .dataset import ConcatDataset as ConcatDataset
    from .dataset import Dataset as Dataset
    from .dataset import IterableDataset as IterableDataset
    from .dataset import StackDataset as StackDataset
    from .dataset import Subset as Subset
    from .dataset import TensorDataset as TensorDataset
    from .dataset import random_split as random_split
    from .distributed import DistributedSampler as DistributedSampler
    from .sampler import BatchSampler as BatchSampler
    from .sampler import RandomSampler as RandomSampler
    from .sampler import Sampler as Sampler
    from .sampler import SequentialSampler as SequentialSampler
    from .sampler import SubsetRandomSampler as SubsetRandomSampler
    from .sampler import WeightedRandomSampler as WeightedRandomSampler

_NAMES = {
    "utils.data.dataloader": "DataLoader _DatasetKind default_collate default_convert get_worker_info",
    "utils.data.datapipes": "DFIterDataPipe DataChunk IterDataPipe MapDataPipe functional_datapipe",
    "utils.data.dataset": (
        "ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset random_split"
    ),
    "utils.data.distributed": "DistributedSampler",
    "utils.data.sampler": (
        "BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler"
    ),
}
_SUBMODULES = (
    "_utils", "backward_compatibility", "dataloader", "datapipes", "dataset", "distributed", "graph", "graph_settings", "sampler",
)  # fmt: skip
_later = _lazy.places(_NAMES) | {name: (f"utils.data.{name}", "") for name in _SUBMODULES}
__all__ = sorted(_lazy.places(_NAMES))
_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
