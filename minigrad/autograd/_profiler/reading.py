"""From what a ``Recorder`` noted to the events that users see."""

import time

from .events import FunctionEvent, MemRecordsAcc
from .flops import flops_of
from .inputs import inputs_of
from .kinds import DeviceType
from .recorder import NODE, OPERATOR, PASSED, RANGE

__all__ = ["MEMORY_EVENT_NAME", "OUT_OF_MEMORY_EVENT_NAME", "events_of", "memory_of"]

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"


class _Memory:
    """A record of memory, as ``MemRecordsAcc`` takes it."""

    __slots__ = ("time", "bytes", "thread")

    def __init__(self, time, nbytes, thread):
        self.time, self.bytes, self.thread = time, nbytes, thread

    def start_ns(self):
        return self.time

    def nbytes(self):
        return self.bytes

    def device_type(self):
        return DeviceType.CPU


class _Threads:
    """Small numbers for threads, from 1, in the order in which they appear."""

    def __init__(self):
        self.numbers = {}

    def __getitem__(self, ident):
        return self.numbers.setdefault(ident, len(self.numbers) + 1)


def events_of(recorder, with_flops=False, timeout_s=None):
    """The events of a recorder's notes, in the order of their beginning: ``FunctionEvent`` objects.

    ``timeout_s``: stop after so many seconds, with what there is by then.
    """
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    threads, began = _Threads(), recorder.started
    records = [[_Memory(*record), False] for record in recorder.memory]
    by_time = MemRecordsAcc(records)
    recorded_in = {}  # sequence number -> the thread of the operator
    applied = {note[5]: note[1] for note in recorder.notes if note[0] == OPERATOR}
    events = []
    # the outermost first of those that begin together: notes are made when things end
    for kind, start, end, ident, what, seq, detail in sorted(recorder.notes, key=lambda n: (n[1], -n[2])):
        if deadline is not None and time.monotonic() >= deadline:
            break
        thread = threads[ident]
        scope, annotation, fwd_thread = 0, False, 0
        inputs = detail["inputs"] if detail and "inputs" in detail else []
        if kind == OPERATOR:
            names = what
            if seq >= 0:
                recorded_in[seq] = thread
        elif kind in (NODE, PASSED):
            names = [f"autograd::engine::evaluate_function: {what}", what][: 1 if kind == PASSED else 2]
            fwd_thread = recorded_in.get(seq, thread) if seq >= 0 else 0
        else:
            names = [what]
            scope, annotation = (7, True) if kind == RANGE else (0, False)
            if applied.get(seq, start) < start:
                seq = -1  # the result is that of an operator before
            elif seq >= 0:
                recorded_in[seq] = thread
        memory = 0
        for record in by_time.in_interval(start, end):
            memory += record[0].nbytes()
            record[1] = True
        for depth, name in enumerate(names):
            innermost = depth == len(names) - 1
            shown = inputs
            if kind == OPERATOR:
                shown = inputs_of(names, depth, inputs)
            elif kind in (NODE, PASSED) and depth == 0:
                shown = []
            flops = _flops(names, inputs) if with_flops and kind == OPERATOR and innermost else 0
            events.append(
                FunctionEvent(
                    id=len(events) + 1,
                    name=_without_number(name),
                    trace_name=name,
                    overload_name="",
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
                    stack=list(detail["stack"]) if detail and "stack" in detail else [],
                    scope=1 if kind == NODE and innermost else scope,
                    cpu_memory_usage=memory,
                    sequence_nr=seq,
                    flops=flops,
                    is_user_annotation=annotation,
                )
            )
    events += _of_memory_alone(records, began, threads, len(events))
    events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
    return events


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


def memory_of(recorder):
    """(time in microseconds, bytes, thread) of each array that was made or freed."""
    threads = _Threads()
    for note in sorted(recorder.notes, key=lambda note: note[1]):
        threads[note[3]]
    return [((time - recorder.started) / 1000, size, threads[ident]) for time, size, ident in recorder.memory]


def _without_number(name):
    return "ProfilerStep*" if name.startswith("ProfilerStep#") else name


def _flops(names, inputs):
    """Of ``linear`` and products of stacks of matrices by the names that take any number of dimensions."""
    name = names[0] if names[0] in ("aten::linear", "aten::matmul") else names[-1]
    if name == "aten::linear":
        inputs = inputs[-2:]  # without the bias
    return flops_of(name, [i[0] for i in inputs], [i[3] for i in inputs])
