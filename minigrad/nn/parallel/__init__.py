"""Modules on several devices, of which there is one, and in several processes: ``DistributedDataParallel``, which is imported when it is first used."""

from typing import TYPE_CHECKING, Any

from ..._api import _lazy
from .data_parallel import DataParallel as DataParallel
from .data_parallel import data_parallel as data_parallel

if TYPE_CHECKING:
    from . import distributed as distributed
    from .distributed import DistributedDataParallel as DistributedDataParallel

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]
_later = _lazy.places({"nn.parallel.distributed": "distributed= DistributedDataParallel"})


def __getattr__(name: str) -> Any:
    return _lazy.fetch(name, _later, globals())
