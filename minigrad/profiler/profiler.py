"""``profile`` with a schedule: which steps of a loop are noted, and what is done with each trace."""

import enum
import json
import os
import socket
import time
import warnings
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any

from ..autograd import profiler as prof
from ..autograd._profiler.enums import ProfilerActivity
from ..autograd.profiler import KinetoStepTracker, kineto_available, record_function  # noqa: F401
from .execution_trace import ExecutionTraceObserver, _ITraceObserver  # noqa: F401

__all__ = [
    "ExecutionTraceObserver",
    "ProfilerAction",
    "profile",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]

PROFILER_STEP_NAME = "ProfilerStep"
_DEVICES = {
    ProfilerActivity.CUDA: "cuda",
    ProfilerActivity.XPU: "xpu",
    ProfilerActivity.MTIA: "mtia",
    ProfilerActivity.HPU: "hpu",
}
_WARNINGS_SHOWN: set[Any] = set()
_BY_PROFILER_ALONE = "ProfilerAction.DEVICE_STOPPED is set internally by the profiler and must not be returned by a user-provided schedule"


def supported_activities() -> Any:
    """Return the set of ``ProfilerActivity`` that can be recorded here.

    >>> import minigrad
    >>> minigrad.profiler.supported_activities()
    {<ProfilerActivity.CPU: 0>}
    """
    return prof._supported_activities()


class ProfilerAction(enum.Enum):
    """What a profiler does in a step of the loop."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[..., Any]:
    """Return a function of the step number that says what ``profile`` does in that step.

    After the first ``skip_first`` steps, cycles follow each other: ``wait`` idle steps, ``warmup`` steps that are not kept, and
    ``active`` steps that are recorded, the last of which hands over the trace. There are ``repeat`` cycles, or with 0 as many as fit; if
    ``skip_first_wait`` is not 0, the first cycle has no ``wait``.

    Raises AssertionError for negative numbers.

    >>> import minigrad
    >>> steps = minigrad.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
    >>> [steps(i).name for i in range(5)]
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} (need >= 0), "
            f"active={active} (need > 0), repeat={repeat} (need >= 0), skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warnings.warn("Profiler won't be using warmup, this can skew profiler results", stacklevel=2)
    cycle = wait + warmup + active

    def schedule_fn(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        if repeat > 0 and step >= repeat * cycle:
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return schedule_fn


def _default_schedule_fn(_):
    """The schedule if there is none: every step is noted."""
    return ProfilerAction.RECORD


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False, use_python_export: bool = False
) -> Any:
    """Return a function for ``on_trace_ready`` that writes each trace to a file of its own in the folder ``dir_name``, for TensorBoard.

    ``worker_name`` is ``host_pid`` by default. Raises RuntimeError if the folder cannot be created.

    >>> import minigrad
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with minigrad.profiler.profile(on_trace_ready=minigrad.profiler.tensorboard_trace_handler(folder)):
    ...         y = minigrad.ones(2) + 1
    ...     print(len(os.listdir(folder)))
    1
    """

    def handler_fn(prof):
        try:
            os.makedirs(dir_name, exist_ok=True)
        except OSError as error:
            raise RuntimeError("Can't create directory: " + dir_name) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        prof.export_chrome_trace(os.path.join(dir_name, name), use_python_export=use_python_export)

    return handler_fn


def _parse_activities(activities):
    """Activities, each alone or in a dictionary with what of it is wanted: (a set, a dictionary)."""
    found, filters = set(), {}
    for item in activities:
        if isinstance(item, ProfilerActivity):
            item = {item: None}
        elif not isinstance(item, dict):
            raise TypeError(f"Expected ProfilerActivity or dict, got {type(item)}")
        for activity, wanted in item.items():
            if activity in found:
                raise ValueError(f"Activity {activity} specified more than once")
            found.add(activity)
            if wanted is not None:
                filters[activity] = set(wanted)
    return found, filters


class _KinetoProfile:
    """A profiler without a schedule: ``start`` and ``stop`` as often as wanted."""

    activities: Any
    activity_filters: dict[Any, Any]
    experimental_config: Any
    use_device: str | None
    preset_metadata: dict[Any, Any]
    profiler: Any
    mem_tl: Any

    def __init__(
        self,
        *,
        activities: Any = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        if activities is None:
            self.activities, self.activity_filters = supported_activities(), {}
        else:
            self.activities, self.activity_filters = _parse_activities(activities)
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_flops = with_flops
        self.with_modules = with_modules
        self.experimental_config = (
            None if experimental_config is None else prof._checked(experimental_config, with_stack)
        )
        self.execution_trace_observer = execution_trace_observer
        self.acc_events = acc_events
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.profiler = None
        self.use_device = next((_DEVICES[a] for a in _DEVICES if a in self.activities), None)
        self.preset_metadata = {}
        self._trace_metadata = {}
        self.mem_tl = None

    def start(self) -> None:
        """Begin to note what runs."""
        self.prepare_trace()
        self.start_trace()

    def stop(self) -> None:
        """End."""
        self.stop_trace()

    def prepare_trace(self) -> None:
        """Get ready for the next trace."""
        if self.profiler is not None and not self.acc_events:
            _warn_once(
                "Warning: Profiler clears events at the end of each cycle. What is reported is the last cycle; "
                "acc_events=True keeps all cycles."
            )
        if self.profiler is None or not self.acc_events:
            self.profiler = prof.profile(
                use_cpu=ProfilerActivity.CPU in self.activities,
                use_device=self.use_device,
                record_shapes=self.record_shapes,
                with_flops=self.with_flops,
                profile_memory=self.profile_memory,
                with_stack=self.with_stack,
                with_modules=self.with_modules,
                use_kineto=True,
                experimental_config=self.experimental_config,
                acc_events=self.acc_events,
                custom_trace_id_callback=self.custom_trace_id_callback,
                post_processing_timeout_s=self.post_processing_timeout_s,
                activity_filters=self.activity_filters,
            )
        self.profiler._prepare_trace()

    def start_trace(self) -> None:
        """Begin the trace."""
        if self.execution_trace_observer:
            self.execution_trace_observer.start()
        self._running("starting trace")._start_trace()
        for key, value in self.preset_metadata.items():
            self.add_metadata_json(key, value)

    def stop_trace(self) -> None:
        """End the trace."""
        if self.execution_trace_observer:
            self.execution_trace_observer.stop()
        self._running("stopping trace").__exit__(None, None, None)

    def _running(self, what):
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {what}")
        return self.profiler

    def export_chrome_trace(self, path: str, use_python_export: bool = False) -> Any:
        """Write the latest trace, which Perfetto (https://ui.perfetto.dev) opens; gzipped if ``path`` ends in ``.gz``."""
        profiler = self._running("exporting chrome trace")
        return profiler.export_chrome_trace(path, self._trace_metadata, use_python_export)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> Any:
        """Write a line for each event with its stack: what flame graph programs read."""
        return self._running("exporting stacks").export_stacks(path, metric)

    def toggle_collection_dynamic(self, enable: bool, activities: Any) -> None:
        """Stop to note what runs, or go on, within the trace."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> Any:
        """The events of each name summed up; on request apart by shapes of inputs, or by that many lines of their stack."""
        profiler = self._running("getting key averages")
        return profiler.key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def events(self) -> Any:
        """What was noted: a list of ``FunctionEvent``."""
        return self._running("accessing events").function_events

    def add_metadata(self, key: str, value: str) -> None:
        """Add a text to the trace's header."""
        self.add_metadata_json(key, '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"')

    def add_metadata_json(self, key: str, value: str) -> None:
        """Add to the trace's header what a text in JSON says.  Raises ValueError for other texts."""
        json.loads(value)
        self._trace_metadata[key] = value

    def preset_metadata_json(self, key: str, value: str) -> None:
        """Like ``add_metadata_json``, for each trace to come."""
        self.preset_metadata[key] = value

    def _get_distributed_info(self):
        """What is known of other processes: nothing."""
        return None

    def _memory_profile(self):
        """The arrays that were made and freed, each with what it was for: a ``MemoryProfile``."""
        missing = [
            f"{name}=True"
            for name in ("record_shapes", "profile_memory", "with_stack")
            if not getattr(self, name)
        ]
        if missing:
            raise ValueError(f"{', '.join(missing)} required for memory profiling.")
        if self.profiler is None or self.profiler.kineto_results is None:
            raise AssertionError("Profiler and kineto_results must be initialized for memory profiling")
        from ._memory_profiler import MemoryProfile

        return MemoryProfile(self.profiler.kineto_results)

    def export_memory_timeline(self, path: str, device: str | None = None) -> None:
        """Write how much memory was in use over time, by what it was for: parameters, gradients, activations, ...

        The end of ``path`` says in which form: ``.html`` a page with a picture, ``.json`` or ``.json.gz`` the pair ``[times, sizes]``, ``.raw.json.gz``
        a list of ``[time, action, bytes, category]``.  Needs ``record_shapes``, ``profile_memory`` and ``with_stack``.

        Raises ValueError without them, AssertionError before the end.
        """
        warnings.warn(
            "`export_memory_timeline` is deprecated and will be removed in a future version. Please use "
            "`torch.cuda.memory._record_memory_history` and `torch.cuda.memory._export_memory_snapshot` instead.",
            FutureWarning,
            stacklevel=2,
        )
        from ._memory_profiler import MemoryProfileTimeline

        self.mem_tl = MemoryProfileTimeline(self._memory_profile())
        self.mem_tl.write(path, "cpu" if device is None else device)


def _named(activities):
    """The activities in a list, in which they stand alone or in dictionaries."""
    found = set()
    for item in activities:
        if isinstance(item, (ProfilerActivity, dict)):
            found |= {item} if isinstance(item, ProfilerActivity) else set(item)
    return found


class profile(_KinetoProfile):
    """Record every operator and backward node of this thread within the block, in the steps that ``schedule`` selects; call ``step()`` after each.

    ``on_trace_ready(prof)`` is called at the end of each cycle of the schedule, and at the end. The other arguments are those of
    ``autograd.profiler.profile``. Raises ValueError for an activity given twice, AssertionError if none is left.

    >>> import minigrad
    >>> from minigrad.profiler import profile, schedule
    >>> def show(prof):
    ...     print(prof.step_num, [event.name for event in prof.events() if event.name.startswith("aten")])
    >>> with profile(schedule=schedule(wait=1, warmup=1, active=1), on_trace_ready=show) as prof:
    ...     for _ in range(3):
    ...         y = minigrad.ones(2).neg()
    ...         prof.step()
    3 ['aten::ones', 'aten::neg']
    """

    schedule: Any
    record_steps: bool
    action_map: dict[Any, Any]
    step_num: int
    step_rec_fn: Any

    def __init__(
        self,
        *,
        activities: Any = None,
        schedule: Any = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        wanted = supported_activities() if activities is None else _named(activities)
        if use_cuda is not None:
            text = "`use_cuda` is deprecated, use `activities` argument instead"
            warnings.warn(text, FutureWarning, stacklevel=2)
            wanted = wanted | {ProfilerActivity.CUDA} if use_cuda else wanted - {ProfilerActivity.CUDA}
        if not wanted:
            raise AssertionError("No valid profiler activities found")
        super().__init__(
            activities=activities,
            record_shapes=record_shapes,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_flops=with_flops,
            with_modules=with_modules,
            experimental_config=experimental_config,
            execution_trace_observer=execution_trace_observer
            or ExecutionTraceObserver.build_execution_trace_obs_from_env(),
            acc_events=acc_events,
            custom_trace_id_callback=custom_trace_id_callback,
            post_processing_timeout_s=post_processing_timeout_s,
        )
        self.schedule = schedule or _default_schedule_fn
        self.record_steps = bool(schedule)
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.step_rec_fn = None
        self.current_action = self._action_of(0)
        self.action_map = self._actions()
        KinetoStepTracker.init_step_count(PROFILER_STEP_NAME)

    def _action_of(self, step):
        action = self.schedule(step)
        if action is ProfilerAction.DEVICE_STOPPED:
            raise ValueError(_BY_PROFILER_ALONE)
        return action

    def _actions(self):
        """What is to be done between two steps: (action before, action after, None at the end) -> functions."""
        none, warmup, record, save, stopped = ProfilerAction
        prepare, start, stop, ready = self.prepare_trace, self.start_trace, self.stop_trace, self._trace_ready

        def wrong(text):
            return partial(warnings.warn, f"Incorrect schedule: {text}", stacklevel=4)

        return {
            (none, none): [],
            (none, warmup): [prepare],
            (none, record): [prepare, start],
            (none, save): [prepare, start],
            (warmup, none): [wrong("WARMUP followed by NONE"), start, stop],
            (warmup, warmup): [],
            (warmup, record): [start],
            (warmup, save): [start],
            (record, none): [wrong("RECORD followed by NONE"), stop],
            (record, warmup): [wrong("RECORD followed by WARMUP"), stop],
            (record, record): [],
            (record, save): [],
            (save, none): [stop, ready],
            (save, warmup): [stop, ready, prepare],
            (save, record): [stop, ready, prepare, start],
            (save, save): [stop, ready, prepare, start],
            (warmup, stopped): [start, stop, ready],
            (record, stopped): [stop, ready],
            (stopped, stopped): [],
            (stopped, warmup): [prepare],
            (stopped, none): [],
            (stopped, record): [prepare, start],
            (stopped, save): [prepare, start],
            (none, stopped): [partial(_unreachable_transition, "NONE", "DEVICE_STOPPED")],
            (save, stopped): [partial(_unreachable_transition, "RECORD_AND_SAVE", "DEVICE_STOPPED")],
            (stopped, None): [],
            (warmup, None): [start, stop],
            (record, None): [stop, ready],
            (save, None): [stop, ready],
        }

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)
        if self.execution_trace_observer:
            self.execution_trace_observer.cleanup()

    def start(self) -> None:
        """Begin with the first step."""
        self._transit_action(ProfilerAction.NONE, self.current_action)
        self._begin_step()

    def stop(self) -> None:
        """Stop, within a step or after one."""
        self._end_step()
        self._transit_action(self.current_action, None)

    def step(self) -> None:
        """Mark the end of a step of the loop, and the beginning of the next."""
        self._end_step()
        action = self._action_of(self.step_num + 1)
        before, self.current_action = self.current_action, action
        self.step_num += 1
        self._transit_action(before, action)
        self._begin_step()

    def _begin_step(self):
        if self.record_steps:
            self.step_rec_fn = record_function(f"{PROFILER_STEP_NAME}#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _end_step(self):
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None

    def set_custom_trace_id_callback(self, callback: Any) -> None:
        """Let ``callback()`` make the identifiers of later traces."""
        self.custom_trace_id_callback = callback

    def get_trace_id(self) -> Any:
        """Return the identifier of the trace, or None before the first."""
        return None if self.profiler is None else self.profiler.trace_id

    def _trace_ready(self):
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def _transit_action(self, before, after):
        for action in self.action_map.get((before, after), ()):
            action()

    def _stats(self):
        return None if self.profiler is None else self.profiler._stats


def _unreachable_transition(prev, current):
    raise RuntimeError(f"Profiler internal error: {prev} -> {current} should be unreachable")


def _warn_once(text):
    if text not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(text)
        warnings.warn(text, stacklevel=4)
