"""What a profile is made of: events, sums over them, and lists of both with their table."""

from .._display.units import format_memory as _format_memory  # noqa: F401  (PyTorch's place)
from .._display.units import format_time as _format_time  # noqa: F401
from .._display.units import format_time_share as _format_time_share  # noqa: F401
from ._profiler.enums import DeviceType as DeviceType
from ._profiler.event_list import EventList
from ._profiler.event_names import MEMORY_EVENT_NAME as MEMORY_EVENT_NAME
from ._profiler.event_names import OUT_OF_MEMORY_EVENT_NAME as OUT_OF_MEMORY_EVENT_NAME
from ._profiler.event_names import is_hidden as _filter_name  # noqa: F401
from ._profiler.event_names import is_shown_line as _filter_stack_entry  # noqa: F401
from ._profiler.event_names import rewritten as _rewrite_name  # noqa: F401
from ._profiler.events import _METADATA as _EVENT_METADATA_KEYS  # noqa: F401
from ._profiler.events import (
    EventMetadata,
    FormattedTimesMixin,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
)
from ._profiler.events import _as_text as _attr_formatter  # noqa: F401
from ._profiler.events import metadata_of as _build_metadata  # noqa: F401
from ._profiler.table import build_table as _build_table  # noqa: F401

__all__ = [
    "EventList",
    "EventMetadata",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]
