"""Modules on several devices, of which there is one, and in several processes: ``DistributedDataParallel``, which is imported when it is first used."""

from typing import TYPE_CHECKING, Any

from ..._api import _lazy
from .data_parallel import DataParallel as DataParallel
from .data_parallel import data_parallel as data_parallel
from .parallel_apply import parallel_apply as parallel_apply
from .replicate import replicate as replicate
from .scatter_gather import gather as gather
from .scatter_gather import scatter as scatter

if TYPE_CHECKING:
    from . import distributed as distributed
    from .distributed import DistributedDataParallel as DistributedDataParallel

__all__ = [
    "DataParallel",
    "DistributedDataParallel",
    "data_parallel",
    "gather",
    "parallel_apply",
    "replicate",
    "scatter",
]
_later = _lazy.places({"nn.parallel.distributed": "distributed= DistributedDataParallel"})


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())
