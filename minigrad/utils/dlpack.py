"""DLPack: tensors that share their memory with other libraries."""

from .._api import from_dlpack
from .._api import to_dlpack as to_dlpack
from .._ops.dlpack import DLDeviceType

__all__ = ["DLDeviceType", "from_dlpack"]
