"""The profiler for training loops: ``profile`` watches some steps and leaves others out, and hands each trace on when it is ready.

``minigrad.autograd.profiler`` says what is noted; ``docs/howto/profiler.md`` shows it.
"""

from typing import TYPE_CHECKING

from .._base import lazy as _lazy
from .._base.publishing import publish
from ..autograd import _supported_activities  # type: ignore[attr-defined]  # found when first used
from ..autograd._profiler.enums import DeviceType, ProfilerActivity, RecordScope
from ..autograd.profiler import KinetoStepTracker, _ExperimentalConfig, kineto_available, record_function
from .execution_trace import ExecutionTraceObserver
from .profiler import (
    ProfilerAction,
    _KinetoProfile,
    profile,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

if TYPE_CHECKING:
    from . import itt as itt

publish(__name__, ExecutionTraceObserver)

#: Imported when first used.
_later = _lazy.places({"profiler.itt": "itt="})


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


__all__ = [
    "DeviceType",
    "ExecutionTraceObserver",
    "ProfilerAction",
    "ProfilerActivity",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]
