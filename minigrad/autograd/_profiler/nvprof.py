"""Traces that ``nvprof`` wrote: SQLite files, whose markers are the ranges of ``emit_nvtx``."""

from typing import Any

from ..._base.publishing import publish
from .events import FunctionEvent

__all__ = ["EnforceUnique", "parse_nvprof_trace"]

_RANGES = """
    SELECT begin.id AS id, begin.name AS name, begin.timestamp AS begins, finish.timestamp AS ends
    FROM CUPTI_ACTIVITY_KIND_MARKER AS begin
    JOIN CUPTI_ACTIVITY_KIND_MARKER AS finish ON begin.id = finish.id
    WHERE begin.name != 0 AND finish.name = 0
"""
_KERNELS = """
    SELECT begin.id AS id, launch._id_ AS launch, launch.cbid AS cbid,
           kernel.name AS name, kernel.start AS begins, kernel.end AS ends
    FROM CUPTI_ACTIVITY_KIND_MARKER AS begin
    JOIN CUPTI_ACTIVITY_KIND_MARKER AS finish ON begin.id = finish.id
    JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS launch
        ON begin.timestamp < launch.start AND launch.end < finish.timestamp
    JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel ON kernel.correlationId = launch.correlationId
    WHERE begin.name != 0 AND finish.name = 0
"""
#: The number of cudaLaunchKernel since CUDA 9.2.
_LAUNCH = 211


class EnforceUnique:
    """Raises RuntimeError if a key is seen more than once.

    >>> from minigrad.autograd.profiler import EnforceUnique
    >>> unique = EnforceUnique()
    >>> unique.see("a", 1)
    >>> unique.see("a", 2)
    """

    seen: set[Any]

    def __init__(self) -> None:
        self.seen = set()

    def see(self, *key: Any) -> None:
        """Take note of a key."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


publish("minigrad.autograd.profiler", EnforceUnique)


def parse_nvprof_trace(path: Any) -> Any:
    """The ranges in a file that nvprof wrote, a list of ``FunctionEvent`` in the order of their beginning, with the kernels launched in each.

    Times are as in the file.  Raises RuntimeError if a range or launch stands there twice, AssertionError for launches of another kind.
    """
    import sqlite3

    connection = sqlite3.connect(path)
    try:
        names = dict(connection.execute("SELECT _id_, value FROM StringTable"))
        events = {}
        unique = EnforceUnique()
        for id, name, begins, ends in connection.execute(_RANGES):
            unique.see(id)
            events[id] = FunctionEvent(
                id=id, node_id=0, name=names[name], start_us=begins, end_us=ends, thread=0
            )
        unique = EnforceUnique()
        for id, launch, cbid, name, begins, ends in connection.execute(_KERNELS):
            unique.see(id, launch)
            if cbid != _LAUNCH:
                raise AssertionError(f"Expected cbid to be {_LAUNCH}, but got {cbid}")
            events[id].append_kernel(name, 0, ends - begins)
    finally:
        connection.close()
    return sorted(events.values(), key=lambda event: event.time_range.start)
