"""What a profile consists of: ``FunctionEvent``, one thing that ran; ``FunctionEventAvg``, what several have in common."""

import bisect
import json
from collections import defaultdict, namedtuple
from collections.abc import Iterator
from typing import Any

from ..._base.device import Device as _Device
from ..._base.publishing import publish
from ..._display.units import format_time
from .enums import DeviceType

__all__ = [
    "EventMetadata",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]


def _as_text(name):
    return property(lambda self: format_time(getattr(self, name)), doc=f"``{name}`` with its unit.")


def _old(name, new, advice="Use", of=None):
    def read(self):
        import warnings

        text = f"`{name}` is deprecated{',' if advice == 'please use' else '.'} {advice} `{new}` instead."
        warnings.warn(text, FutureWarning, stacklevel=2)
        return getattr(self, of or new)

    return property(read, doc=f"The old name of ``{new}``.")


class FormattedTimesMixin:
    """Averages, and times as text, of what has ``*_time_total`` and ``count``."""

    count: Any
    cpu_time_total: Any
    device_time_total: Any

    cpu_time_str: Any = _as_text("cpu_time")
    device_time_str: Any = _as_text("device_time")
    cpu_time_total_str: Any = _as_text("cpu_time_total")
    device_time_total_str: Any = _as_text("device_time_total")
    self_cpu_time_total_str: Any = _as_text("self_cpu_time_total")
    self_device_time_total_str: Any = _as_text("self_device_time_total")

    @property
    def cpu_time(self) -> Any:
        """The time of one call, in microseconds."""
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    @property
    def device_time(self) -> Any:
        """The time of one call on the device, in microseconds."""
        return 0.0 if self.count == 0 else 1.0 * self.device_time_total / self.count

    cuda_time: Any = _old("cuda_time", "device_time", "please use")


class Interval:
    """From ``start`` to ``end``, in microseconds."""

    def __init__(self, start: Any, end: Any) -> None:
        self.start = start
        self.end = end

    def elapsed_us(self) -> Any:
        """How long it is."""
        return self.end - self.start


Kernel = namedtuple("Kernel", ["name", "device", "duration"])


def _unquoted(text):
    return text.strip('"')


def _truth(text):
    return text in ("1", "true")


#: What devices tell of their kernels: PyTorch's key -> the field's name, and how its text is read.
_METADATA = {
    "registers per thread": ("registers_per_thread", int),
    "shared memory": ("shared_memory", int),
    "grid": ("grid", json.loads),
    "block": ("block", json.loads),
    "priority": ("priority", int),
    "blocks per SM": ("blocks_per_sm", float),
    "warps per SM": ("warps_per_sm", float),
    "occupancy": ("occupancy", json.loads),
    "est. achieved occupancy %": ("est_occupancy_pct", float),
    "queued": ("queued", int),
    "graph id": ("graph_id", int),
    "graph node id": ("graph_node_id", int),
    "stream": ("stream", int),
    "context": ("context", int),
    "channel": ("channel", int),
    "channel_type": ("channel_type", int),
    "bytes": ("bytes", int),
    "memory bandwidth (GB/s)": ("bandwidth_gb_s", float),
    "Collective name": ("collective_name", _unquoted),
    "dtype": ("dtype", _unquoted),
    "In msg nelems": ("in_msg_nelems", int),
    "Out msg nelems": ("out_msg_nelems", int),
    "In split size": ("in_split_size", _unquoted),
    "Out split size": ("out_split_size", _unquoted),
    "Global rank start": ("global_rank_start", int),
    "Global rank stride": ("global_rank_stride", int),
    "Group size": ("group_size", int),
    "Process Group Name": ("process_group_name", _unquoted),
    "Process Group Description": ("process_group_desc", _unquoted),
    "Process Group Ranks": ("group_ranks", _unquoted),
    "Rank": ("rank", int),
    "Src Rank": ("src_rank", int),
    "Dst Rank": ("dst_rank", int),
    "Seq": ("seq", int),
    "Is asynchronized op": ("is_async", _truth),
}
EventMetadata = namedtuple(  # type: ignore[misc]  # mypy wants the fields spelled out
    "EventMetadata", [name for name, _ in _METADATA.values()]
)
EventMetadata.__doc__ = "What devices tell of their kernels, None for what they do not; on the CPU, nothing."


def metadata_of(extra_meta):
    """An ``EventMetadata`` of a dictionary of texts; None if it has none of the keys."""
    fields = dict.fromkeys(EventMetadata._fields)
    known = {key: text for key, text in extra_meta.items() if key in _METADATA and text is not None}
    for key, text in known.items():
        name, read = _METADATA[key]
        fields[name] = read(text)
    return EventMetadata(**fields) if known else None


class FunctionEvent(FormattedTimesMixin):
    """One thing that ran: an operator, a node of a backward pass, a user's range.

    Times are in microseconds, memory in bytes.  ``scope`` is a ``RecordScope`` as a number, ``sequence_nr`` that of the node that an operator
    recorded, or that ran in backward; ``fwd_thread`` the thread where it was recorded.
    """

    _values: Any

    id: Any
    node_id: int
    name: str
    overload_name: Any
    trace_name: Any
    time_range: Any
    thread: Any
    fwd_thread: Any
    kernels: list[Any]
    cpu_children: list[Any]
    concrete_inputs: Any
    kwinputs: Any
    cpu_memory_usage: int
    device_memory_usage: int
    is_async: bool
    is_remote: bool
    is_legacy: bool
    device_type: Any
    device_index: int
    device_resource_id: Any
    is_user_annotation: bool
    is_python_function: bool
    event_metadata: Any
    flow_id: Any
    flow_type: Any
    flow_start: Any
    external_id: int
    linked_correlation_id: int
    python_id: int
    python_parent_id: int
    python_module_id: int
    cpu_parent: Any

    def __init__(
        self,
        id: Any,
        name: str,
        thread: Any,
        start_us: Any,
        end_us: Any,
        overload_name: Any = None,
        fwd_thread: Any = None,
        input_shapes: Any = None,
        stack: Any = None,
        scope: int = 0,
        use_device: Any = None,
        cpu_memory_usage: int = 0,
        device_memory_usage: int = 0,
        is_async: bool = False,
        is_remote: bool = False,
        sequence_nr: int = -1,
        node_id: int = -1,
        device_type: Any = DeviceType.CPU,
        device_index: int = 0,
        device_resource_id: Any = None,
        is_legacy: bool = False,
        flops: Any = None,
        trace_name: Any = None,
        concrete_inputs: Any = None,
        kwinputs: Any = None,
        is_user_annotation: bool = False,
        is_python_function: bool = False,
        activity_type: Any = None,
        metadata_json: Any = None,
        flow_id: Any = None,
        flow_type: Any = None,
        flow_start: Any = None,
        external_id: int = 0,
        linked_correlation_id: int = 0,
        extra_meta: Any = None,
        structured_input_shapes: Any = None,
        structured_input_strides: Any = None,
        input_dtypes: Any = None,
        python_id: int = -1,
        python_parent_id: int = -1,
        python_module_id: int = -1,
    ) -> None:
        self.id, self.node_id = id, node_id
        self.name, self.overload_name, self.trace_name = name, overload_name, trace_name
        self.time_range = Interval(start_us, end_us)
        self.thread, self.fwd_thread = thread, fwd_thread
        self.kernels = []
        self.count = 1
        self.cpu_children = []
        self.cpu_parent = None
        self.input_shapes = input_shapes
        self.structured_input_shapes = structured_input_shapes
        self.structured_input_strides = structured_input_strides
        self.input_dtypes = input_dtypes
        self.concrete_inputs, self.kwinputs = concrete_inputs, kwinputs
        self.stack = stack
        self.scope = scope
        self.use_device = use_device
        self.cpu_memory_usage, self.device_memory_usage = cpu_memory_usage, device_memory_usage
        self.is_async, self.is_remote, self.is_legacy = is_async, is_remote, is_legacy
        self.sequence_nr = sequence_nr
        self.device_type, self.device_index = device_type, device_index
        self.device_resource_id = thread if device_resource_id is None else device_resource_id
        self.flops = flops
        self.is_user_annotation, self.is_python_function = is_user_annotation, is_python_function
        self.activity_type = activity_type
        self.self_cpu_percent = self.total_cpu_percent = self.total_device_percent = -1
        self._metadata_json = metadata_json
        self.event_metadata = metadata_of(extra_meta) if extra_meta else None
        self.flow_id, self.flow_type, self.flow_start = flow_id, flow_type, flow_start
        self.external_id, self.linked_correlation_id = external_id, linked_correlation_id
        self.python_id, self.python_parent_id, self.python_module_id = (
            python_id,
            python_parent_id,
            python_module_id,
        )

    def append_kernel(self, name: str, device: _Device, duration: Any) -> None:
        """Add something that this event ran on a device."""
        _check_cpu(self, "device_type")
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child: Any) -> None:
        """Add an event that ran directly within this one."""
        _check_cpu(self, "device_type")
        _check_event(child, "child")
        _check_cpu(child, "child device_type")
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent: Any) -> None:
        """Say within which event this one ran directly."""
        _check_cpu(self, "device_type")
        _check_event(parent, "parent")
        _check_cpu(parent, "parent device_type")
        self.cpu_parent = parent

    @property
    def counts(self) -> Any:
        """Whether times and memory of its own are told apart: not of what ends in another thread."""
        return not self.is_async and self.device_type is DeviceType.CPU

    @property
    def cpu_time_total(self) -> Any:
        """The time from its start to its end."""
        return self.time_range.elapsed_us() if self.device_type is DeviceType.CPU else 0

    @property
    def self_cpu_time_total(self) -> Any:
        """That time, without that of the events within."""
        if not self.counts:
            return 0
        return self.cpu_time_total - sum([child.cpu_time_total for child in self.cpu_children])

    @property
    def self_cpu_memory_usage(self) -> Any:
        """The memory it made and did not free, without that of the events within."""
        if not self.counts:
            return 0
        return self.cpu_memory_usage - sum([child.cpu_memory_usage for child in self.cpu_children])

    @property
    def self_device_memory_usage(self) -> Any:
        """The same on the device."""
        if not self.counts:
            return 0
        return self.device_memory_usage - sum([child.device_memory_usage for child in self.cpu_children])

    @property
    def device_time_total(self) -> Any:
        """The time of the kernels that it and the events within ran on a device."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type is not DeviceType.CPU:
            if self.device_type not in _WITH_KERNELS:
                raise AssertionError(
                    f"Expected device_type to be CUDA, PrivateUse1, MTIA, HPU or XPU, but got {self.device_type}"
                )
            return self.time_range.elapsed_us()
        own = sum([kernel.duration for kernel in self.kernels])
        return own if self.is_legacy else own + sum([child.device_time_total for child in self.cpu_children])

    @property
    def self_device_time_total(self) -> Any:
        """The time of the kernels that it ran on a device itself."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type is not DeviceType.CPU:
            return self.device_time_total
        return self.device_time_total - sum([child.device_time_total for child in self.cpu_children])

    metadata_json: Any = _old("metadata_json", "event_metadata", of="_metadata_json")
    cuda_time_total: Any = _old("cuda_time_total", "device_time_total")
    self_cuda_time_total: Any = _old("self_cuda_time_total", "self_device_time_total")
    self_cuda_memory_usage: Any = _old("self_cuda_memory_usage", "self_device_memory_usage")

    @property
    def key(self) -> Any:
        """What events are gathered by."""
        return self.name

    def __repr__(self) -> str:
        device = self.use_device
        children = [child.id for child in self.cpu_children]
        return (
            f"<FunctionEvent id={self.id} name={self.name} overload_name={self.overload_name} device_type={self.device_type} "
            f"node_id={self.node_id} cpu_time={self.cpu_time_str} start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={children} {device}_time={self.device_time_str} name={self.name} thread={self.thread} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage} is_async={self.is_async} is_remote={self.is_remote} "
            f"seq_nr={self.sequence_nr} is_legacy={self.is_legacy}>"
        )


_WITH_KERNELS = {
    DeviceType.CUDA,
    DeviceType.PrivateUse1,
    DeviceType.MTIA,
    DeviceType.HPU,
    DeviceType.XPU,
}


def _check_cpu(event, what):
    if event.device_type is not DeviceType.CPU:
        raise AssertionError(f"Expected {what} to be CPU")


def _check_event(event, what):
    if not isinstance(event, FunctionEvent):
        raise AssertionError(f"Expected {what} to be a FunctionEvent")


class FunctionEventAvg(FormattedTimesMixin):
    """What several events of one name have in common: sums of times, memory and FLOPs, and how many they are."""

    cpu_memory_usage: Any
    device_memory_usage: Any
    input_shapes: Any
    is_user_annotation: Any
    key: Any
    use_device: Any

    flops: Any

    #: What is taken from the first event.
    _FROM_FIRST = (
        "key", "node_id", "is_async", "is_remote", "cpu_parent", "cpu_children", "overload_name", "input_shapes", "stack", "scope",
        "device_type", "is_legacy", "use_device", "is_user_annotation",
    )  # fmt: skip
    _SUMMED = (
        "cpu_time_total", "device_time_total", "self_cpu_time_total", "self_device_time_total", "cpu_memory_usage",
        "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "count",
    )  # fmt: skip

    def __init__(self) -> None:
        for name in self._FROM_FIRST:
            setattr(self, name, None)
        self.node_id = 0
        del self.is_user_annotation  # known with the first event
        self.is_async = self.is_remote = self.is_legacy = False
        self.device_type = DeviceType.CPU
        for name in self._SUMMED:
            setattr(self, name, 0)
        self.flops = 0

    def add(self, other: Any) -> Any:
        """Take in one more event, or what several have in common; returns itself."""
        if self.key is None:
            for name in self._FROM_FIRST:
                setattr(self, name, getattr(other, name))
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or FunctionEventAvg")
        if other.key != self.key:
            raise AssertionError(f"Expected keys to match, but got {other.key} vs {self.key}")
        for name in self._SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        known = [flops for flops in (self.flops, other.flops) if flops is not None]
        self.flops = sum(known) if known else None
        return self

    def __iadd__(self, other: Any) -> Any:
        return self.add(other)

    def __repr__(self) -> str:
        device = self.use_device or "cuda"
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} cpu_time={self.cpu_time_str} "
            f" self_{device}_time={self.self_device_time_total_str} {device}_time={self.device_time_str} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage}>"
        )


class StringTable(defaultdict):
    """Names as they are to be shown; here, as they are."""

    def __missing__(self, key: Any) -> Any:
        self[key] = key
        return key


class MemRecordsAcc:
    """Finds records of memory by time: each is a list whose first item has ``start_ns()``."""

    def __init__(self, mem_records: Any) -> None:
        self._mem_records = mem_records
        order = sorted((record[0].start_ns(), i) for i, record in enumerate(mem_records))
        self._start_nses = tuple([start for start, _ in order])
        self._indices = tuple([i for _, i in order])

    def in_interval(self, start_ns: Any, end_ns: Any) -> Iterator[Any]:
        """The records from ``start_ns`` to ``end_ns``, both included, in the order of time."""
        begin = bisect.bisect_left(self._start_nses, start_ns)
        end = bisect.bisect_right(self._start_nses, end_ns)
        for i in self._indices[begin:end]:
            yield self._mem_records[i]


publish(
    "minigrad.autograd.profiler_util",
    EventMetadata,
    FormattedTimesMixin,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
)
