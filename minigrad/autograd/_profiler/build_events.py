"""From what a ``Recorder`` noted to the events that users see."""

import os
import time
from typing import Any

from .enums import DeviceType
from .event_names import MEMORY_EVENT_NAME, class_of, rewritten
from .events import FunctionEvent, MemRecordsAcc
from .flops import flops_of
from .input_shapes import read
from .recorded_inputs import inputs_of, inputs_of_call
from .recorder import CALL, NODE, OPERATOR, PASSED, RANGE

__all__ = ["events_of", "memory_of"]

_NO_DETAIL = (), "", None


class _Memory:
    """A record of memory, as ``MemRecordsAcc`` takes it."""

    __slots__ = ("time", "bytes", "thread")

    def __init__(self, time: Any, nbytes: Any, thread: Any) -> None:
        self.time, self.bytes, self.thread = time, nbytes, thread

    def start_ns(self) -> Any:
        return self.time

    def nbytes(self) -> Any:
        return self.bytes

    def device_type(self) -> Any:
        return DeviceType.CPU


class _Threads:
    """Small numbers for threads, from 1, in the order in which they appear."""

    def __init__(self) -> None:
        self.numbers = {}

    def __getitem__(self, ident: Any) -> Any:
        return self.numbers.setdefault(ident, len(self.numbers) + 1)


def events_of(recorder: Any, with_flops: bool = False, timeout_s: Any = None) -> Any:
    """The events of a recorder's notes, in the order of their beginning: ``FunctionEvent`` objects.

    ``timeout_s``: stop after so many seconds, with what there is by then.
    """
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    threads, began = _Threads(), recorder.started
    records = [[_Memory(*record), False] for record in recorder.memory]
    by_time = MemRecordsAcc(records)
    recorded_in = {}  # sequence number -> the thread of the operator
    applied = {note[5]: note[1] for note in recorder.notes if note[0] == OPERATOR}
    events, pid = [], os.getpid()
    # the outermost first of those that begin together: notes are made when things end
    for kind, start, end, ident, what, seq, detail in sorted(recorder.notes, key=lambda n: (n[1], -n[2])):
        if deadline is not None and time.monotonic() >= deadline:
            break
        thread = threads[ident]
        made, seq = seq, (-2 - seq if seq < -1 else seq)
        scope, annotation, fwd_thread = 0, False, 0
        stack, overload, values, *snapshots = detail or _NO_DETAIL
        inputs = [read(*snapshots[i : i + 3]) for i in range(0, len(snapshots), 3)]
        if kind == OPERATOR:
            names, cls = what, class_of(what)
            if made >= 0:
                recorded_in[seq] = thread
        elif kind in (NODE, PASSED):
            names = [f"autograd::engine::evaluate_function: {what}", what][: 1 if kind == PASSED else 2]
            fwd_thread = recorded_in.get(seq, thread) if seq >= 0 else 0
        else:
            names = [what]
            scope, annotation = (7, True) if kind == RANGE else (0, False)
            if made >= 0 and applied.get(made, start) < start:
                seq = -1  # the result is that of an operator before
            elif made >= 0:
                recorded_in[seq] = thread
        memory = 0
        for record in by_time.in_interval(start, end):
            memory += record[0].nbytes()
            record[1] = True
        for depth, name in enumerate(names):
            innermost = depth == len(names) - 1
            shown = inputs
            if kind == OPERATOR:
                shown = inputs_of(cls, name, inputs)
            elif kind in (NODE, PASSED):
                shown = inputs if depth else []
            elif kind == CALL:
                shown = inputs_of_call(name, inputs)
            counts = with_flops and kind == OPERATOR and depth == cls.counted % len(names)
            flops = flops_of(cls, inputs) if counts and name[-1] != "_" else 0  # in place none, as in PyTorch
            events.append(
                FunctionEvent(
                    id=len(events) + 1,
                    name=rewritten(name, with_wildcard=True),
                    trace_name=name,
                    overload_name=overload if innermost else "",
                    thread=thread,
                    start_us=(start - began) / 1000,
                    end_us=(end - began) / 1000,
                    fwd_thread=fwd_thread,
                    input_shapes=[[] if i[2] == "TensorList" else i[0] for i in shown],
                    structured_input_shapes=[i[0] for i in shown],
                    structured_input_strides=[i[1] for i in shown],
                    input_dtypes=[i[2] for i in shown],
                    concrete_inputs=[i[3] for i in shown],
                    kwinputs={},
                    stack=list(stack),
                    scope=1 if kind == NODE and innermost else scope,
                    cpu_memory_usage=memory,
                    sequence_nr=seq,
                    device_index=pid,
                    flops=flops,
                    is_user_annotation=annotation,
                    activity_type="user_annotation" if annotation else "cpu_op",
                    flow_id=0,
                    flow_type=0,
                    flow_start=False,
                    external_id=len(events) + 1,
                )
            )
            if values:
                events[-1]._values = values
    _link(events)
    events += _of_memory_alone(records, began, threads, len(events))
    events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
    return events


def _link(events):
    """Note which operator recorded the node that ran in backward: both have the node's number as their ``flow_id``.

    Of the events with that number it is the last to begin: the innermost of one call, and operators that recorded nothing had the number before.
    """
    recorded = {}
    for event in events:
        number = event.sequence_nr
        if number < 0 or event.scope == 7:
            continue
        if event.scope == 0 and not event.fwd_thread:
            recorded[number] = event
        elif event.scope == 1 and number in recorded:
            start = recorded[number]
            for linked in (start, event):
                linked.flow_id, linked.flow_type, linked.flow_start = number, 1, linked is start


def _of_memory_alone(records, began, threads, count):
    """Events of the records of memory that lie in no other event."""
    alone = [record for record, seen in records if not seen]
    for number, record in enumerate(alone, count + 1):
        at, thread = (record.start_ns() - began) / 1000, threads[record.thread]
        yield FunctionEvent(
            id=number,
            name=MEMORY_EVENT_NAME,
            overload_name="",
            thread=thread,
            start_us=at,
            end_us=at,
            fwd_thread=thread,
            input_shapes=[],
            stack=[],
            cpu_memory_usage=record.nbytes(),
        )


def memory_of(recorder: Any) -> Any:
    """(time in microseconds, bytes, thread) of each array that was made or freed."""
    threads = _Threads()
    for note in sorted(recorder.notes, key=lambda note: note[1]):
        threads[note[3]]
    return [((time - recorder.started) / 1000, size, threads[ident]) for time, size, ident in recorder.memory]
