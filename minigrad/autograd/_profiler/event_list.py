"""``EventList``: the events of a profile, as a list that finds their nesting and sums them up."""

from collections import defaultdict
from typing import Any

from ..._base.publishing import publish
from ..._base.replacing import replacing_text
from .events import FunctionEventAvg
from .notebook import events_html
from .table import build_table
from .trace import write_list

__all__ = ["EventList"]

_METRICS = [
    "self_cpu_time_total",
    "self_cuda_time_total",
    "self_xpu_time_total",
    "self_privateuse1_time_total",
]


class EventList(list):
    """A list of events, or of sums over events."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._use_device = kwargs.pop("use_device", None)
        self._profile_memory = kwargs.pop("profile_memory", False)
        self._tree_built = False
        self._with_flops = kwargs.pop("with_flops", False)
        super().__init__(*args, **kwargs)

    def _like(self, events):
        return EventList(
            events,
            use_device=self._use_device,
            profile_memory=self._profile_memory,
            with_flops=self._with_flops,
        )

    def _build_tree(self):
        self._populate_cpu_children()
        self._remove_dup_nodes()
        self._set_backward_stacktraces()
        self._tree_built = True

    def _populate_cpu_children(self):
        """Find for each event the innermost one of its thread that surrounds it."""
        threads = defaultdict(list)
        for event in self:
            if event.counts:
                threads[event.thread, event.node_id].append(event)
        for events in threads.values():
            surrounding = []
            for event in sorted(events, key=lambda e: (e.time_range.start, -e.time_range.end)):
                start, end = event.time_range.start, event.time_range.end
                while surrounding:
                    parent = surrounding[-1]
                    if start < parent.time_range.end and end <= parent.time_range.end:
                        parent.append_cpu_child(event)
                        if event.cpu_parent is not None:
                            raise AssertionError(f"There is already a CPU parent event for {event.key}")
                        event.set_cpu_parent(parent)
                        break
                    surrounding.pop()
                surrounding.append(event)

    def _remove_dup_nodes(self):
        """Drop each event that is all that one of the same name consists of."""
        while True:
            dropped = set()
            for event in self:
                parent = event.cpu_parent
                if parent is not None and parent.name == event.name and len(parent.cpu_children) == 1:
                    parent.cpu_children = event.cpu_children
                    parent.kernels = event.kernels
                    parent.flops = parent.flops or event.flops
                    for child in event.cpu_children:
                        child.cpu_parent = parent
                    dropped.add(id(event))
            if not dropped:
                return
            self[:] = [event for event in self if id(event) not in dropped]

    def _set_backward_stacktraces(self):
        """Give what ran in backward the lines where its node was recorded."""
        recorded, in_backward = {}, []
        for event in self:
            node = event
            while node is not None and node.scope != 1:
                node = node.cpu_parent
            if node is not None:
                in_backward.append((event, node))
            elif event.stack is not None:
                recorded.setdefault((event.sequence_nr, event.thread), event.stack)
        for event, node in in_backward:
            if node.fwd_thread is None:
                raise AssertionError("Expected fwd_thread to be set for backward parent")
            event.stack = recorded.get((node.sequence_nr, node.fwd_thread), [])

    @property
    def self_cpu_time_total(self) -> Any:
        """The sum of all times, each counted once, in microseconds."""
        return sum([event.self_cpu_time_total for event in self])

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self):
        return events_html(self)

    def table(
        self,
        sort_by: Any = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: Any = None,
        top_level_events_only: bool = False,
        time_unit: Any = None,
    ) -> Any:
        """The events as a table: a text with a row for each, at most ``row_limit`` (-1: all).

        ``sort_by`` is the name of an attribute, such as ``"self_cpu_time_total"``, ``"count"`` or ``"cpu_memory_usage"``; ``time_unit`` is ``"s"``,
        ``"ms"`` or ``"us"`` for all times alike.
        """
        return build_table(
            self,
            sort_by=sort_by,
            header=header,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            with_flops=self._with_flops,
            profile_memory=self._profile_memory,
            top_level_events_only=top_level_events_only,
            time_unit=time_unit,
        )

    def export_chrome_trace(self, path: Any) -> None:
        """Write the events as a trace that Perfetto (https://ui.perfetto.dev) opens; gzipped if ``path`` ends in ``.gz``."""
        write_list(self, path)

    def supported_export_stacks_metrics(self) -> Any:
        """The names that ``export_stacks`` takes for ``metric``."""
        return list(_METRICS)

    def export_stacks(self, path: Any, metric: Any) -> None:
        """Write a line for each event with a stack, ``outermost;...;innermost 12``: what flame graph programs read.

        Raises ValueError unless ``metric`` is one of ``supported_export_stacks_metrics()``.
        """
        if metric not in _METRICS:
            raise ValueError("metric should be one of: " + str(_METRICS))
        for device in ("cuda", "xpu", "privateuse1"):
            metric = metric.replace(device, "device")
        plain = str.maketrans(" ;\t\n", "____")
        with replacing_text(path) as file:
            for event in self:
                value = int(getattr(event, metric)) if event.stack else 0
                if value > 0:
                    lines = [entry.translate(plain) for entry in reversed(event.stack)]
                    file.write(f"{';'.join(lines)} {value}\n")

    def key_averages(
        self,
        group_by_input_shapes: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> Any:
        """The events of each name summed up: an ``EventList`` of ``FunctionEventAvg``; on request apart by shapes of inputs, or by that many lines of their stack."""
        if not self._tree_built:
            raise AssertionError("Expected tree to be built before calling key_averages")
        sums = defaultdict(FunctionEventAvg)
        for event in self:
            key = [event.key, event.node_id, event.device_type, event.is_legacy, event.is_user_annotation]
            if group_by_overload_name:
                key.append(event.overload_name)
            if group_by_input_shapes:
                key.append(str(event.input_shapes))
            if group_by_stack_n > 0:
                key += (event.stack or [])[:group_by_stack_n]
            sums[tuple(key)].add(event)
        for average in sums.values():
            average.stack = (average.stack or [])[:group_by_stack_n]
            if not group_by_input_shapes:
                average.input_shapes = ""
            if not group_by_overload_name:
                average.overload_name = ""
        return self._like(sums.values())

    def total_average(self) -> Any:
        """All events summed up, whatever their names: a ``FunctionEventAvg`` with the key ``"Total"``."""
        total = FunctionEventAvg()
        for event in self:
            total += event
            total.key = None
        total.key = "Total"
        return total


publish("minigrad.autograd.profiler_util", EventList)
