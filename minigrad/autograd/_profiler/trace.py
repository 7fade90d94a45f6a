"""Traces in the Trace Event Format, which Perfetto and ``chrome://tracing`` show."""

import json
import os
import socket
import threading
from typing import Any

from ..._base.replacing import replacing_text

__all__ = ["write_list", "write_trace"]


def write_trace(events: Any, path: Any, header: Any = None, memory: Any = (), began: int = 0) -> None:
    """Write ``events`` to ``path``, one at a time, so that a long trace needs no memory; gzipped if the name ends in ``.gz``.

    An arrow leads from each operator to the node of the backward pass that it recorded.  ``header``: further entries beside the events;
    ``memory``: (time in microseconds, bytes, thread) of each array that was made or freed; ``began``: when time 0 was, in nanoseconds since 1970.
    """
    path = os.fspath(path)
    head = {
        "schemaVersion": 1,
        "deviceProperties": [],
        "displayTimeUnit": "ms",
        "host_name": socket.gethostname(),
        "traceName": path,
        "baseTimeNanoseconds": began,
        **(header or {}),
    }
    _write(path, json.dumps(head)[:-1] + ', "traceEvents": [', _items(events, memory), "\n]}\n")


def write_list(events, path):
    """Write ``events`` alone, as a list: the other form that viewers read."""
    _write(os.fspath(path), "[", _items(events, ()), "\n]\n")


def _write(path, begin, items, end):
    with replacing_text(path, gzipped=path.endswith(".gz")) as file:
        file.write(begin)
        separator = "\n"
        for item in items:
            file.write(separator)
            file.write(json.dumps(item, default=str))
            separator = ",\n"
        file.write(end)


def _items(events, memory):
    pid = os.getpid()
    threads = sorted({event.thread for event in events} | {thread for _, _, thread in memory}, key=str)
    yield _about(pid, 0, "process_name", name="python")
    yield _about(pid, 0, "process_labels", labels="CPU")
    main = threading.main_thread().name
    for place, thread in enumerate(threads):
        yield _about(
            pid,
            thread,
            "thread_name",
            name=f"thread {thread} ({main})" if thread == 1 else f"thread {thread}",
        )
        yield _about(pid, thread, "thread_sort_index", sort_index=place)
    yield from _of_memory(memory, pid)
    recorded = {}  # sequence number -> the operator that made the node: the innermost of those with it
    arrows = 0
    for number, event in enumerate(events):
        at = {"pid": pid, "tid": event.thread, "ts": round(event.time_range.start, 3)}
        if event.trace_name is None:  # of memory alone
            continue
        category = "user_annotation" if event.is_user_annotation else "cpu_op"
        duration = round(event.time_range.elapsed_us(), 3)
        yield {
            "ph": "X",
            "cat": category,
            "name": event.trace_name,
            **at,
            "dur": duration,
            "args": _arguments(event, number),
        }
        if event.sequence_nr < 0:
            continue
        if event.scope != 1 and not event.fwd_thread:
            recorded[event.sequence_nr] = at
        elif event.scope == 1:
            start = recorded.get(event.sequence_nr)
            if start is not None:
                arrows += 1
                arrow = {"cat": "fwdbwd", "name": "fwdbwd", "id": arrows}
                yield {"ph": "s", **arrow, **start}
                yield {"ph": "f", "bp": "e", **arrow, **at}


def _about(pid, tid, what, **args):
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "ts": 0, "args": args}


def _of_memory(memory, pid):
    total = 0
    for time, nbytes, thread in memory:
        total += nbytes
        what = {"Bytes": nbytes, "Total Allocated": total, "Device Type": 0}
        at = {"pid": pid, "tid": thread, "ts": round(time, 3)}
        yield {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", **at, "args": what}


def _arguments(event, number):
    found = {"External id": event.id, "Ev Idx": number}
    if event.sequence_nr >= 0:
        found["Sequence number"] = event.sequence_nr
        found["Fwd thread id"] = event.fwd_thread or 0
    found["Record function id"] = 0
    if event.structured_input_shapes:
        found["Input Dims"] = event.structured_input_shapes
        found["Input Strides"] = event.structured_input_strides
        found["Input type"] = event.input_dtypes
        found["Concrete Inputs"] = ["" if value is None else str(value) for value in event.concrete_inputs]
    if event.stack:
        found["Call stack"] = ";\n".join(event.stack)
        modules = [entry for entry in event.stack if entry.startswith("nn.Module: ")]
        if modules:
            found["Module Hierarchy"] = ".".join(m.removeprefix("nn.Module: ") for m in reversed(modules))
    if event.flops:
        found["flops"] = event.flops
    if event.cpu_memory_usage:
        found["Bytes"] = event.cpu_memory_usage
    return found
