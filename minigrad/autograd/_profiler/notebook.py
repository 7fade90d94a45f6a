"""How a list of events looks in a notebook: the table of ``table.py`` as HTML, sums of events with the longest first."""

from ..._display.html import FAINT, element, table
from ..._display.units import format_time, format_time_share
from .events import FunctionEventAvg
from .table import (
    _Column,
    _column_of_flops,
    _column_of_shapes,
    _columns_of_memory,
    _columns_of_times,
)

_ROWS = 100
_LONGEST_SHAPES = 60


def events_html(events):
    """``EventList._repr_html_``: HTML for a notebook; ``str`` stays as it is.

    >>> import minigrad
    >>> with minigrad.autograd.profiler.profile() as prof:
    ...     y = minigrad.ones(2) * 2
    >>> "aten::mul" in prof.key_averages()._repr_html_()
    True
    """
    if not events:
        return element("div", "no events", style=FAINT)
    total = sum([event.self_cpu_time_total for event in events])
    shown = list(events)
    if isinstance(shown[0], FunctionEventAvg):
        shown.sort(key=lambda event: -event.self_cpu_time_total)
    shown = shown[:_ROWS]
    for event in shown:
        event.self_cpu_percent = format_time_share(event.self_cpu_time_total, total)
        event.total_cpu_percent = 0 if event.is_async else format_time_share(event.cpu_time_total, total)
    columns = _columns_of_times(shown, total, None, None)
    if events._profile_memory:
        columns += _columns_of_memory(shown, None)
    columns.append(_Column("# of Calls", lambda event: event.count))
    if events._with_flops:
        columns += _column_of_flops(shown)
    if any(event.input_shapes for event in shown):
        columns.append(_column_of_shapes(shown, _LONGEST_SHAPES))
    rows = [[column.entry(event) for column in columns] for event in shown]
    left_out = f" · {len(events) - _ROWS:,} more events" if len(events) > _ROWS else ""
    below = element("div", f"Self CPU time total: {format_time(total)}{left_out}", style=FAINT)
    return element("div", table([column.header for column in columns], rows), below)
