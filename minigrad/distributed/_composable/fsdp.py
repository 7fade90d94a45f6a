"""``fully_shard`` under its first name."""

from ..fsdp import FSDPModule as FSDPModule
from ..fsdp import fully_shard as fully_shard

__all__ = ["FSDPModule", "fully_shard"]
