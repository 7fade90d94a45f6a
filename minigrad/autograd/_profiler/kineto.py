"""What a profiler noted, by the names of PyTorch's C++ profiler: ``profile.kineto_results``."""

from .build_events import events_of, memory_of
from .enums import DeviceType, ProfilerActivity
from .event_list import EventList
from .trace import write_trace

__all__ = ["_KinetoEvent", "_ProfilerResult"]


class _ProfilerResult:
    """The events of one block, and the trace of them."""

    def __init__(self, recorder, with_flops=False, trace_id=""):
        self._recorder, self._with_flops, self._trace_id = recorder, with_flops, trace_id
        self._saved = False

    def events(self):
        """A list of ``_KinetoEvent``, in the order of their beginning, then one for each array that was made or freed."""
        began = self.trace_start_ns()
        found = [_KinetoEvent(event, began) for event in self._read() if event.trace_name is not None]
        for time_us, nbytes, thread in memory_of(self._recorder):
            found.append(_KinetoMemory(began + int(time_us * 1000), nbytes, thread))
        return found

    def _read(self):
        return events_of(self._recorder, self._with_flops)

    def trace_start_ns(self):
        """When it began, in nanoseconds since 1970."""
        return self._recorder.started_wall

    def trace_activities(self):
        """What was watched."""
        return {ProfilerActivity.CPU}

    def mark_saved(self):
        """Take note that the trace is written.  Raises RuntimeError the second time, as in PyTorch."""
        if self._saved:
            raise RuntimeError("Trace is already saved.")
        self._saved = True

    def save(self, path):
        """Write the trace.  Raises RuntimeError if that has been done already."""
        self.mark_saved()
        header = {"trace_id": self._trace_id}
        write_trace(EventList(self._read()), path, header, memory_of(self._recorder), self.trace_start_ns())


def _reads(name):
    return lambda self: getattr(self._event, name)


class _KinetoEvent:
    """A ``FunctionEvent`` by PyTorch's other names: methods, and times in nanoseconds since 1970."""

    def __init__(self, event, began):
        self._event, self._began = event, began

    for _method, _attribute in (
        ("name", "trace_name"), ("overload_name", "overload_name"), ("fwd_thread_id", "fwd_thread"), ("start_thread_id", "thread"),
        ("end_thread_id", "thread"), ("shapes", "input_shapes"), ("structured_input_shapes", "structured_input_shapes"),
        ("structured_input_strides", "structured_input_strides"), ("dtypes", "input_dtypes"), ("concrete_inputs", "concrete_inputs"),
        ("kwinputs", "kwinputs"), ("stack", "stack"), ("scope", "scope"), ("sequence_nr", "sequence_nr"), ("device_type", "device_type"),
        ("device_index", "device_index"), ("device_resource_id", "device_resource_id"), ("flops", "flops"), ("is_async", "is_async"),
        ("is_user_annotation", "is_user_annotation"), ("is_python_function", "is_python_function"), ("activity_type", "activity_type"),
        ("flow_id", "flow_id"), ("flow_type", "flow_type"), ("flow_start", "flow_start"), ("external_id", "external_id"),
        ("linked_correlation_id", "linked_correlation_id"), ("correlation_id", "id"), ("nbytes", "cpu_memory_usage"),
        ("python_id", "python_id"), ("python_parent_id", "python_parent_id"), ("python_module_id", "python_module_id"),
    ):  # fmt: skip
        vars()[_method] = _reads(_attribute)
    del _method, _attribute

    def start_ns(self):
        return self._began + int(self._event.time_range.start * 1000)

    def end_ns(self):
        return self._began + int(self._event.time_range.end * 1000)

    def duration_ns(self):
        return self.end_ns() - self.start_ns()

    def is_hidden_event(self):
        return False

    def __repr__(self):
        return f"<_KinetoEvent {self.name()}>"


class _KinetoMemory:
    """An array that was made or, with bytes below zero, freed."""

    def __init__(self, time, nbytes, thread):
        self._time, self._nbytes, self._thread = time, nbytes, thread

    def name(self):
        return "[memory]"

    def start_ns(self):
        return self._time

    end_ns = start_ns

    def duration_ns(self):
        return 0

    def start_thread_id(self):
        return self._thread

    end_thread_id = start_thread_id

    def nbytes(self):
        return self._nbytes

    def device_type(self):
        return DeviceType.CPU

    def is_hidden_event(self):
        return False
