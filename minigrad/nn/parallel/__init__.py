"""Modules on several devices: there is one, the CPU, on which ``DataParallel`` is the module itself."""

from .data_parallel import DataParallel as DataParallel
from .data_parallel import DistributedDataParallel as DistributedDataParallel
from .data_parallel import data_parallel as data_parallel

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]
