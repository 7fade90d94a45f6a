"""Metal on Apple's machines."""

from typing import Any

from .._base.missing import getattr_of as _getattr_of
from .._devices.absent import MPS as _MPS
from .._devices.answers import answers as _answers

__all__ = _answers(
    globals(),
    {
        "get_core_count": lambda: _MPS.missing("_mps_get_core_count"),
        "get_name": lambda: _MPS.missing("_mps_get_name"),
        "is_available": lambda: False,
        "is_built": lambda: False,
        "is_macos13_or_newer": lambda minor=0: _MPS.unhooked("isOnMacOSorNewer"),
        "is_macos_or_newer": lambda major, minor: _MPS.unhooked("isOnMacOSorNewer"),
    },
)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
