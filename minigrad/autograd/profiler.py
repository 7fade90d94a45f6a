"""The profiler: which operators and backward nodes a program runs, how long each takes, on what shapes, with how much memory.

``_profiler/`` has its parts; ``minigrad.profiler`` is the same with a schedule for the steps of a training loop.
"""

import contextlib
import copy
import json
import time
import uuid
import warnings
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from .._base import lazy as _lazy
from .._core.modes import thread_state
from ._profiler.build_events import events_of, memory_of
from ._profiler.enums import DeviceType, ProfilerActivity, ProfilerConfig, ProfilerState  # noqa: F401
from ._profiler.event_list import EventList
from ._profiler.event_names import is_hidden as _filter_name  # noqa: F401
from ._profiler.event_names import is_shown_line as _filter_stack_entry  # noqa: F401
from ._profiler.event_names import rewritten as _rewrite_name  # noqa: F401
from ._profiler.kineto import _ProfilerResult
from ._profiler.nvprof import EnforceUnique, parse_nvprof_trace
from ._profiler.ranges import emit_itt, emit_nvtx
from ._profiler.recorder import Recorder
from ._profiler.steps import KinetoStepTracker
from ._profiler.trace import write_trace
from .profiler_util import (  # noqa: F401  (PyTorch has them here too)
    MEMORY_EVENT_NAME,
    OUT_OF_MEMORY_EVENT_NAME,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
    MemRecordsAcc,
    StringTable,
)

__all__ = [
    "EnforceUnique",
    "EventList",
    "FunctionEvent",
    "KinetoStepTracker",
    "MemRecordsAcc",
    "emit_itt",
    "emit_nvtx",
    "load_nvprof",
    "parse_nvprof_trace",
    "profile",
    "record_function",
]

#: The devices whose names ``use_device`` takes, none of which there is here.
_DEVICES = ("cuda", "xpu", "mtia", "hpu")


def kineto_available() -> bool:
    """Return whether profiles come from here rather than from the first generation of profilers: always True.

    >>> import minigrad
    >>> minigrad.autograd.profiler.kineto_available()
    True
    """
    return True


def _supported_activities():
    """What a profiler can watch here."""
    return {ProfilerActivity.CPU}


#: Whether a profiler is on in any thread: for programs that do not want to ask more than that.
_is_profiler_enabled = False


def _set_is_profiler_enabled(enable):
    global _is_profiler_enabled
    _is_profiler_enabled = enable


def _run_on_profiler_start():
    _set_is_profiler_enabled(True)


def _run_on_profiler_stop():
    _set_is_profiler_enabled(False)


class _ExperimentalConfig:
    """Settings of PyTorch's profiler; here ``trace_only`` (no events, only the trace) and ``capture_overload_names`` have an effect.

    The others concern devices.
    """

    def __init__(
        self,
        profiler_metrics: Any = (),
        profiler_measure_per_kernel: bool = False,
        verbose: bool = False,
        performance_events: Any = (),
        enable_cuda_sync_events: bool = False,
        adjust_profiler_step: bool = False,
        disable_external_correlation: bool = False,
        profile_all_threads: bool = False,
        capture_overload_names: bool = False,
        record_python_gc_info: bool = False,
        expose_kineto_event_metadata: bool = False,
        custom_profiler_config: str = "",
        adjust_timestamps: bool = False,
        trace_only: bool = False,
    ) -> None:
        self.trace_only = trace_only
        self.custom_profiler_config = custom_profiler_config
        self._capture_overload_names = capture_overload_names


@dataclass
class _ProfilerStats:
    """How long the profiler itself took."""

    profiling_window_duration_sec: float = 0
    number_of_events: int = 0
    profiler_prepare_call_duration_us: int = 0
    profiler_enable_call_duration_us: int = 0
    profiler_disable_call_duration_us: int = 0
    parse_kineto_call_duration_us: int = 0
    function_events_build_tree_call_duration_us: int = 0


class profile:
    """Record every operator and backward node that this thread runs within the block.

    ``record_shapes`` records the shapes of inputs, ``with_flops`` counts floating-point operations (and records shapes),
    ``profile_memory`` counts the bytes of arrays that are allocated and freed, ``with_stack`` records the lines of the program,
    ``with_modules`` the modules. ``acc_events`` keeps the events of earlier blocks when the same object is entered again. Only the CPU
    can be profiled: ``use_cuda`` and ``use_device`` warn and have no effect.

    Raises RuntimeError if entered twice, AssertionError if there is nothing to profile (``use_cpu=False``).

    >>> import minigrad
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> with minigrad.autograd.profiler.profile() as prof:
    ...     (x * 3).sum().backward()
    >>> for event in prof.function_events[:5]:
    ...     print(event.name)
    aten::mul
    aten::sum
    autograd::engine::evaluate_function: SumBackward0
    SumBackward0
    autograd::engine::evaluate_function: MulBackward0
    """

    record_shapes: bool
    with_stack: bool
    with_modules: bool
    experimental_config: Any
    activity_filters: Any
    kineto_activities: set[Any]
    use_device: Any
    use_cuda: bool
    entered: bool
    profiling_start_time_ns: int
    kineto_results: Any
    profiling_end_time_ns: int
    trace_id: str

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: Any = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
        experimental_config: Any = None,
        acc_events: bool = False,
        custom_trace_id_callback: Any = None,
        post_processing_timeout_s: float | None = None,
        activity_filters: Any = None,
    ) -> None:
        self.enabled = enabled
        if not enabled:
            return
        self.use_cuda = use_cuda
        if use_cuda:
            text = "The attribute `use_cuda` will be deprecated soon, please use ``use_device = 'cuda'`` instead."
            warnings.warn(text, FutureWarning, stacklevel=2)
            use_device = "cuda"
        self.entered = False
        self.record_shapes = record_shapes or with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack, self.with_modules = with_stack, with_modules
        self.use_cpu = use_cpu
        self.acc_events = acc_events
        self.experimental_config = _checked(experimental_config, with_stack)
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.activity_filters = activity_filters or {}
        self.trace_id = ""
        self.profiling_start_time_ns = self.profiling_end_time_ns = 0
        self.profiler_kind = ProfilerState.KINETO
        self.kineto_activities = {ProfilerActivity.CPU} if use_cpu else set()
        self.kineto_results = None
        self._recorder: Any = None
        self._function_events: Any = None
        self._earlier = []  # the events of earlier blocks, with ``acc_events``
        self._stats = _ProfilerStats()
        if not use_cpu and not use_kineto:
            raise AssertionError("Device-only events supported only with Kineto (use_kineto=True)")
        self.use_device = None
        if use_device is not None:
            self._refuse(use_device)
        if not self.kineto_activities:
            raise AssertionError("No activities specified for the profiler")
        if post_processing_timeout_s is not None and post_processing_timeout_s < 0:
            raise ValueError("post_processing_timeout_s must be non-negative")

    def _refuse(self, device):
        """Say that there is no such device."""
        self.use_cuda = False
        if device == "mtia":
            raise AssertionError(
                "Legacy MTIA profiling is not supported. Requires use_kineto=True on MTIA devices."
            )
        if device in _DEVICES:
            text = f"{device.upper()} is not available, disabling {device.upper()} profiling"
        else:
            text = f"The {device} is not a valid device option."
        warnings.warn(text, stacklevel=3)

    def __enter__(self) -> Any:
        if not self.enabled:
            return None
        if not self.entered:
            self._prepare_trace()
            self._start_trace()
            return self
        raise RuntimeError("Profiler context manager is not reentrant")

    def _prepare_trace(self):
        self.entered = True
        start = time.perf_counter_ns()
        self.trace_id = self.create_trace_id()
        self._recorder: Any = None
        self._stats.profiler_prepare_call_duration_us = (time.perf_counter_ns() - start) // 1000

    def _start_trace(self):
        self.entered = True
        _run_on_profiler_start()
        start = time.perf_counter_ns()
        self._recorder = recorder_of(self.config())
        self._recorder.start()
        self._stats.profiler_enable_call_duration_us = (time.perf_counter_ns() - start) // 1000
        self.profiling_start_time_ns = time.perf_counter_ns()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:
        if not self.enabled:
            return None
        if self.acc_events and self._function_events:
            self._earlier = list(self._function_events)
        self._function_events = None
        _run_on_profiler_stop()
        recorder = self._recorder
        if recorder is not None and not recorder.stopped:
            start = time.perf_counter_ns()
            recorder.stop()
            self._stats.profiler_disable_call_duration_us = (time.perf_counter_ns() - start) // 1000
            self.kineto_results = _ProfilerResult(recorder, self.with_flops, self.trace_id)
            self.profiling_end_time_ns = recorder.stopped
            window = self.profiling_end_time_ns - self.profiling_start_time_ns
            self._stats.profiling_window_duration_sec = window / 1e9
        if self.acc_events and not self.experimental_config.trace_only:
            self._ensure_function_events()
        return False

    def default_trace_id(self) -> str:
        """Return a random identifier for a trace: 32 hexadecimal digits."""
        return f"{uuid.uuid4().int:032X}"

    def create_trace_id(self) -> Any:
        """Return the result of ``custom_trace_id_callback``, or the default."""
        return (self.custom_trace_id_callback or self.default_trace_id)()

    def config(self, create_trace_id: bool = False) -> Any:
        """Return the settings as a ``ProfilerConfig``."""
        if create_trace_id:
            self.trace_id = self.create_trace_id()
        return ProfilerConfig(
            self.profiler_kind,
            self.record_shapes,
            self.profile_memory,
            self.with_stack,
            self.with_flops,
            self.with_modules,
            self.experimental_config,
            self.trace_id,
        )

    def _ensure_function_events(self):
        """Make events of what was noted, when they are first asked for."""
        if self.experimental_config.trace_only:
            raise RuntimeError(
                "events() is not available when trace_only=True in ExperimentalConfig. Use export_chrome_trace() instead."
            )
        recorder = self._recorder
        if self._function_events is not None or recorder is None or not recorder.stopped:
            return
        start = time.perf_counter_ns()
        found = self._read()
        parsed = time.perf_counter_ns()
        found._build_tree()
        self._stats.parse_kineto_call_duration_us = (parsed - start) // 1000
        self._stats.function_events_build_tree_call_duration_us = (time.perf_counter_ns() - parsed) // 1000
        self._stats.number_of_events = self._own = len(found)
        found.extend(self._earlier)
        self._earlier = []
        self._function_events = found

    def _read(self):
        return EventList(
            events_of(self._recorder, self.with_flops, self.post_processing_timeout_s),
            use_device=self.use_device,
            profile_memory=self.profile_memory,
            with_flops=self.with_flops,
        )

    def _events(self):
        self._ensure_function_events()
        if self._function_events is not None:
            return self._function_events
        none_yet = EventList(
            use_device=self.use_device, profile_memory=self.profile_memory, with_flops=self.with_flops
        )
        none_yet._build_tree()
        return none_yet

    def __repr__(self) -> str:
        if not self.enabled:
            return "<disabled torch.autograd.profile>"
        self._ensure_function_events()
        if self._function_events is None:
            return "<unfinished torch.autograd.profile>"
        return repr(self._function_events)

    def __str__(self) -> str:
        if not self.enabled:
            return repr(self)
        self._ensure_function_events()
        return repr(self) if self._function_events is None else str(self._function_events)

    @property
    def function_events(self) -> Any:
        """The recorded events: an ``EventList`` of ``FunctionEvent``, in the order of their start; empty before the end."""
        return self._events()

    def table(
        self,
        sort_by: Any = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: Any = None,
        top_level_events_only: bool = False,
    ) -> Any:
        """Return the events as a table: see ``EventList.table``."""
        return self._events().table(
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            top_level_events_only=top_level_events_only,
        )

    def export_chrome_trace(self, path: Any, metadata: Any = None, use_python_export: bool = False) -> None:
        """Write the latest block's events as a trace for Perfetto (https://ui.perfetto.dev), gzipped if ``path`` ends in ``.gz``.

        ``metadata`` adds entries, as JSON texts. Raises AssertionError before the end, and as in PyTorch RuntimeError when the same trace
        has been written already, unless ``use_python_export`` is set.
        """
        if self.kineto_results is None:
            raise AssertionError("Expected profiling results")
        if not use_python_export:
            self.kineto_results.mark_saved()
        events = self._read() if self.experimental_config.trace_only else self._events()[: self._own]
        wanted = ("record_shapes", "profile_memory", "with_stack", "with_modules", "with_flops")
        header = {"trace_id": self.trace_id, **{name: 1 for name in wanted if getattr(self, name)}}
        header |= {key: json.loads(value) for key, value in (metadata or {}).items()}
        write_trace(events, path, header, memory_of(self._recorder), self._recorder.started_wall)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> Any:
        """Write a line for each event with its stack; see ``EventList.export_stacks``. Raises AssertionError without ``with_stack``."""
        events = self._events()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return events.export_stacks(path, metric)

    def toggle_collection_dynamic(self, enabled: bool, activities: Any) -> None:
        """Stop or resume recording within the block."""
        if self._recorder is not None and ProfilerActivity.CPU in set(activities):
            self._recorder.paused(not enabled)

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> Any:
        """Return the events summed up by name; see ``EventList.key_averages``."""
        return self._events().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def total_average(self) -> Any:
        """Return all events summed up: see ``EventList.total_average``."""
        return self._events().total_average()

    @property
    def self_cpu_time_total(self) -> Any:
        """The time of all events, each counted once, in microseconds."""
        return self._events().self_cpu_time_total


def _checked(config, with_stack):
    """The settings that hold: stacks need events."""
    if config is None:
        return _ExperimentalConfig()
    if config.trace_only and with_stack:
        warnings.warn(
            "trace_only=True is incompatible with with_stack=True (stack traces require event post-processing). Disabling trace_only.",
            stacklevel=3,
        )
        config = copy.copy(config)
        config.trace_only = False
    return config


def recorder_of(config: Any) -> Any:
    """Return a ``Recorder`` for a ``ProfilerConfig``."""
    return Recorder(
        config.report_input_shapes,
        config.profile_memory,
        config.with_stack,
        config.with_modules,
        config.experimental_config._capture_overload_names,
    )


class record_function(contextlib.ContextDecorator):
    """Label a range in the profile: a ``with`` block, or each call of a decorated function.

    >>> import minigrad
    >>> from minigrad.autograd.profiler import profile, record_function
    >>> @record_function("double")
    ... def double(x):
    ...     return x * 2
    >>> with profile() as prof:
    ...     with record_function("outer"):
    ...         y = double(minigrad.ones(2))
    >>> outer = next(event for event in prof.function_events if event.name == "outer")
    >>> [event.name for event in outer.cpu_children]
    ['aten::ones', 'double']
    """

    record: Any
    run_callbacks_on_exit: bool

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args
        self.run_callbacks_on_exit = True
        self.record = None  # when it began, 0 if nobody watched
        self._starts = []  # a decorated function may call itself

    def __enter__(self) -> Any:
        if self.name.__class__ is not str and not isinstance(self.name, str):
            raise RuntimeError(
                "profiler::_record_function_enter_new() Expected a value of type 'str' for argument 'name' but instead found type "
                f"'{type(self.name).__name__}'.\nPosition: 0\nValue: {self.name}\nDeclaration: profiler::_record_function_enter_new(str name, "
                "str? args=None) -> __torch__.torch.classes.profiler._RecordFunction"
            )
        profiler = thread_state.profiler
        if profiler is None:
            self.record = 0
        else:
            profiler.entered(self.name)
            self.record = time.perf_counter_ns()
        self._starts.append(self.record)
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if self.run_callbacks_on_exit:
            self._end(self._begun())

    def _begun(self):
        """When the innermost of its ranges began."""
        if self.record is None:
            raise AssertionError("Expected record to be set")
        return self._starts.pop() if self._starts else 0

    def _end(self, start):
        if start and thread_state.profiler is not None:
            thread_state.profiler.ranged(self.name, start, self.args)

    def _call_end_callbacks_on_future(self, fut):
        """Let the range last until ``fut``, a future, is done: returns a future with its value, done when the range has ended.

        Raises RuntimeError if called twice.
        """
        if not self.run_callbacks_on_exit:
            raise RuntimeError("_call_end_callbacks_on_future can only be called once.")
        self.run_callbacks_on_exit = False
        start = self._begun()

        def ended(done):
            self._end(start)
            return done.value()

        return fut.then(ended)


def _record_function_enter(name, args=None):
    """Begin a range; returns what ``_record_function_exit`` takes."""
    return record_function(name, args).__enter__()


def _record_function_exit(record):
    """End a range."""
    record.__exit__(None, None, None)


def _record_function_with_args_enter(name, *args):
    """Begin a range around work on ``args``; returns what ``_record_function_with_args_exit`` takes."""
    return _record_function_enter(name, ", ".join(map(str, args)))


_record_function_with_args_exit = _record_function_exit


def load_nvprof(path: Any) -> Any:
    """Return the ranges in a file written by nvprof, as an ``EventList``; see ``parse_nvprof_trace``."""
    return EventList(parse_nvprof_trace(path))


# What ``profile`` is made of, for programs that use PyTorch's parts of it -----------------------------------------------------


def _prepare_profiler(config, activities, activity_filter=None):
    """Get ready: nothing has to be done."""


def _enable_profiler(config, activities, scopes=()):
    """Begin to note what this thread runs, until ``_disable_profiler``: ``config`` is a ``ProfilerConfig``."""
    recorder = recorder_of(config)
    recorder.with_flops, recorder.trace_id = config.with_flops, config.trace_id
    _enabled.append(recorder)
    recorder.start()


def _disable_profiler():
    """End what ``_enable_profiler`` began: returns a ``_ProfilerResult``.  Raises RuntimeError if nothing was begun."""
    if not _enabled:
        raise RuntimeError("Can't disable Kineto profiler when it's not running")
    recorder = _enabled.pop()
    recorder.stop()
    return _ProfilerResult(recorder, recorder.with_flops, recorder.trace_id)


def _toggle_collection_dynamic(enabled, activities):
    """Let the innermost profiler of this thread stop to note what runs, or go on."""
    if ProfilerActivity.CPU in activities:
        found = _enabled[-1] if _enabled else thread_state.profiler
        if isinstance(found, Recorder):
            found.paused(not enabled)


_enabled: list[Any] = []
_lazy.publish_all(globals())
