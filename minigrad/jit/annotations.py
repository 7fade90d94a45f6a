"""The names of types that programs import from here to annotate what is scripted."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035

from .._jit_internal import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
)

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "List",
    "Optional",
    "Tuple",
    "Union",
]
