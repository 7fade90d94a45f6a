"""Traces in the Trace Event Format, which Perfetto and ``chrome://tracing`` show."""

import gzip
import json
import os
import socket
import threading

__all__ = ["write_trace"]


def write_trace(events, path, header=None, memory=()):
    """Write ``events`` to ``path``, one at a time, so that a long trace needs no memory; gzipped if the name ends in ``.gz``.

    An arrow leads from each operator to the node of the backward pass that it recorded.  ``header``: further entries beside the events;
    ``memory``: (time in microseconds, bytes, thread) of each array that was made or freed.
    """
    path = os.fspath(path)
    pid = os.getpid()
    head = {
        "schemaVersion": 1,
        "deviceProperties": [],
        "displayTimeUnit": "ms",
        "host_name": socket.gethostname(),
        "traceName": path,
        **(header or {}),
    }
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "traceEvents": [')
        separator = "\n"
        for item in _items(events, pid, memory):
            file.write(separator)
            file.write(json.dumps(item, default=str))
            separator = ",\n"
        file.write("\n]}\n")


def _items(events, pid, memory):
    yield {"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "ts": 0, "args": {"name": "python"}}
    yield {"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "ts": 0, "args": {"labels": "CPU"}}
    main = threading.main_thread().name
    for thread in sorted({event.thread for event in events}, key=str):
        name = f"thread {thread} ({main})" if thread == 1 else f"thread {thread}"
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": thread, "ts": 0, "args": {"name": name}}
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
