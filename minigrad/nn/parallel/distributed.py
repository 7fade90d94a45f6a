"""``DistributedDataParallel`` where libraries import it from."""

from .data_parallel import DistributedDataParallel as DistributedDataParallel

__all__ = ["DistributedDataParallel"]
