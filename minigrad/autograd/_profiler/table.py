"""The table of a profile, in PyTorch's layout."""

from ..._display.units import flops_scale, format_memory, format_time, format_time_share
from .enums import DeviceType

_DEVICES = {DeviceType.CUDA, DeviceType.PrivateUse1, DeviceType.MTIA, DeviceType.XPU}
_WIDTH = 12
_GAP = 2


class _Column:
    """A column: its header, its width, how its entry for an event is found."""

    __slots__ = ("header", "width", "entry", "align")

    def __init__(self, header, entry, width=_WIDTH, align=">"):
        self.header, self.entry, self.width, self.align = header, entry, width, align

    def text(self, value):
        return f"{value!s:{self.align}{self.width}}" + " " * _GAP


def build_table(
    events,
    sort_by=None,
    header=None,
    row_limit=100,
    max_src_column_width=75,
    max_name_column_width=55,
    max_shapes_column_width=80,
    with_flops=False,
    profile_memory=False,
    top_level_events_only=False,
    time_unit=None,
):
    """The table of ``events``, a text; see ``EventList.table``."""
    if len(events) == 0:
        return ""
    use_device = events[0].use_device
    on_device = any(event.self_device_time_total > 0 for event in events)
    if not use_device and on_device:
        raise RuntimeError("use_device is None, but there is device performance data.")
    if sort_by is not None:
        for device in ("cuda", "xpu", "privateuse1"):
            sort_by = sort_by.replace(device, "device")
        events = sorted(events, key=lambda event: getattr(event, sort_by), reverse=True)
    total = sum(event.self_cpu_time_total for event in events)
    total_on_device = sum(event.self_device_time_total for event in events if _is_of_device(event))

    columns = _columns_of_times(events, total, max_name_column_width, time_unit)
    if on_device:
        columns += _columns_of_device(use_device.upper(), total_on_device, time_unit)
    if profile_memory:
        columns += _columns_of_memory(events, use_device)
    columns.append(_Column("# of Calls", lambda event: event.count))
    if any(event.node_id != -1 for event in events):
        columns.append(_Column("Node ID", lambda event: event.node_id))
    if any(event.input_shapes for event in events):
        columns.append(_column_of_shapes(events, max_shapes_column_width))
    if with_flops:
        columns += _column_of_flops(events)
    source = _column_of_source(events, max_src_column_width)
    if source is not None:
        # PyTorch's headers have the source before the FLOPs, its rows after them: here both do
        columns.append(source)

    separator = "".join(["-" * column.width + " " * _GAP for column in columns])
    across = "=" * (len(separator) - _GAP)
    lines = [] if header is None else [across, header]
    if top_level_events_only:
        lines += [across, "This report only display top-level ops statistics"]
    lines += [separator, "".join([column.text(column.header) for column in columns]), separator]
    shown = 0
    for event in events:
        if shown == row_limit:
            break
        if top_level_events_only and event.cpu_parent is not None:
            continue
        shown += 1
        event.self_cpu_percent = format_time_share(event.self_cpu_time_total, total)
        event.total_cpu_percent = 0 if event.is_async else format_time_share(event.cpu_time_total, total)
        lines.append("".join([column.text(column.entry(event)) for column in columns]))
        if source is not None:
            before = " " * (len(separator) - source.width - _GAP)
            further = (event.stack or [])[1:]
            lines += [before + source.text(_trimmed(entry, source.width)) for entry in [*further, ""]]
    lines += [separator, f"Self CPU time total: {format_time(total, time_unit)}"]
    if on_device:
        lines.append(f"Self {use_device.upper()} time total: {format_time(total_on_device, time_unit)}")
    return "\n".join(lines) + "\n"


def _is_of_device(event):
    """Whether its time on the device counts in the sum: that of a kernel does, once."""
    if event.device_type is DeviceType.CPU:
        return event.is_legacy
    return event.device_type in _DEVICES and not event.is_user_annotation


def _columns_of_times(events, total, max_width, unit):
    width = max(len(event.key) for event in events) + 4
    width = width if max_width is None else min(width, max_width)
    columns = [_Column("Name", lambda event: _cut(event.key, max_width), width)]
    if any(event.overload_name for event in events):
        columns.append(
            _Column("Overload Name", lambda event: _cut(event.overload_name or "", max_width), width)
        )

    def time(name):
        return lambda event: format_time(getattr(event, name), unit)

    return [
        *columns,
        _Column("Self CPU %", lambda event: event.self_cpu_percent),
        _Column("Self CPU", time("self_cpu_time_total")),
        _Column("CPU total %", lambda event: event.total_cpu_percent),
        _Column("CPU total", time("cpu_time_total")),
        _Column("CPU time avg", time("cpu_time")),
    ]


def _columns_of_device(name, total, unit):
    def share(event):
        event.total_device_percent = format_time_share(event.self_device_time_total, total)
        return event.total_device_percent

    return [
        _Column(f"Self {name}", lambda event: format_time(event.self_device_time_total, unit)),
        _Column(f"Self {name} %", share),
        _Column(f"{name} total", lambda event: format_time(event.device_time_total, unit)),
        _Column(f"{name} time avg", lambda event: format_time(event.device_time, unit)),
    ]


def _columns_of_memory(events, use_device):
    columns = [
        _Column("CPU Mem", lambda event: format_memory(event.cpu_memory_usage)),
        _Column("Self CPU Mem", lambda event: format_memory(event.self_cpu_memory_usage)),
    ]
    if use_device and any(event.self_device_memory_usage > 0 for event in events):
        name = use_device.upper()
        columns += [
            _Column(f"{name} Mem", lambda event: format_memory(event.device_memory_usage)),
            _Column(f"Self {name} Mem", lambda event: format_memory(event.self_device_memory_usage)),
        ]
    return columns


def _column_of_shapes(events, max_width):
    width = max(len(str(event.input_shapes)) for event in events) + 4
    width = width if max_width is None else min(width, max_width)
    return _Column("Input Shapes", lambda event: str(event.input_shapes)[:width], width)


def _column_of_flops(events):
    counted = [event.flops for event in events if event.flops and event.flops > 0]
    if not counted:
        return []
    scale, header = flops_scale(min(counted))

    def entry(event):
        return f"{event.flops * scale:8.3f}" if event.flops and event.flops > 0 else "--"

    return [_Column(f"Total {header}", entry)]


def _column_of_source(events, max_width):
    entries = [entry for event in events for entry in event.stack or ()]
    if not entries:
        return None
    width = max(len(entry) for entry in entries) + 4
    width = width if max_width is None else min(width, max_width)
    return _Column(
        "Source Location", lambda event: _trimmed(event.stack[0], width) if event.stack else "", width, "<"
    )


def _cut(name, max_width):
    return name if max_width is None or len(name) < max_width - 3 else name[: max_width - 3] + "..."


def _trimmed(path, width):
    """The end of a path that is too long."""
    if len(path) <= width:
        return path
    path = path[len(path) - width :]
    return "..." + path[3:] if len(path) > 3 else path
