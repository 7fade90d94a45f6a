"""How much memory was in use over time, by what it was for: ``profile.export_memory_timeline``."""

import enum
import html
import json
from typing import Any

from .._base.replacing import replacing_text

__all__ = ["Action", "Category", "MemoryProfile", "MemoryProfileTimeline"]


class Category(enum.Enum):
    """The purpose of an array."""

    INPUT = enum.auto()
    TEMPORARY = enum.auto()
    ACTIVATION = enum.auto()
    GRADIENT = enum.auto()
    AUTOGRAD_DETAIL = enum.auto()
    PARAMETER = enum.auto()
    OPTIMIZER_STATE = enum.auto()


class Action(enum.Enum):
    """A change in the life of an array."""

    PREEXISTING = enum.auto()
    CREATE = enum.auto()
    INCREMENT_VERSION = enum.auto()
    DESTROY = enum.auto()


_CATEGORY_TO_COLORS = {
    Category.PARAMETER: "darkgreen",
    Category.OPTIMIZER_STATE: "goldenrod",
    Category.INPUT: "black",
    Category.TEMPORARY: "mediumpurple",
    Category.ACTIVATION: "red",
    Category.GRADIENT: "mediumblue",
    Category.AUTOGRAD_DETAIL: "royalblue",
    None: "grey",
}
_CATEGORY_TO_INDEX = {category: i for i, category in enumerate(_CATEGORY_TO_COLORS)}
_ACTION_TO_INDEX = {action: i for i, action in enumerate(Action)}


class MemoryProfile:
    """The arrays of a profile: ``timeline`` has an entry (time in ns since 1970, action, (number of the array, version), bytes) for each change."""

    def __init__(self, result):
        recorder = result._recorder
        offset = result.trace_start_ns() - recorder.started
        self.categories = {}
        entries = []
        for key, (made, freed, nbytes, purpose) in enumerate(recorder.memory_categories.lives()):
            self.categories[key] = Category[purpose]
            if made is None:
                entries.append((-1, Action.PREEXISTING, (key, 0), nbytes))
            else:
                entries.append((made + offset, Action.CREATE, (key, 0), nbytes))
            if freed is not None and freed <= recorder.stopped:
                entries.append((freed + offset, Action.DESTROY, (key, 0), nbytes))
        self.timeline = tuple(sorted(entries, key=lambda entry: (entry[0], entry[1].value)))


class MemoryProfileTimeline:
    """Writes a ``MemoryProfile`` to files."""

    timeline: Any
    categories: Any

    def __init__(self, memory_profile):
        self.timeline = memory_profile.timeline
        self.categories = memory_profile.categories

    def _changes(self, device):
        """(time, action, bytes that come or go, index of the category) of each change on a device; all are on the CPU."""
        if str(device).partition(":")[0] != "cpu":
            return
        for time, action, (key, _), nbytes in self.timeline:
            sign = -1 if action is Action.DESTROY else 1
            yield time, action, sign * nbytes, _CATEGORY_TO_INDEX[self.categories[key]]

    def _coalesce_timeline(self, device):
        """``[times, sizes]``: times in microseconds; of each, 0 and then the bytes in use for each category."""
        times, sizes = [], []
        for time, _, change, index in self._changes(device):
            time = time if time < 0 else time // 1000
            if not times or time != times[-1]:
                times.append(time)
                sizes.append(sizes[-1].copy() if sizes else [0] * (len(_CATEGORY_TO_INDEX) + 1))
            sizes[-1][index + 1] += change
        first = next((time for time in times if time >= 0), 0)
        return [first if time < 0 else time for time in times], sizes

    def write(self, path, device):
        """Write the format that the ending of ``path`` names."""
        if path.endswith(".html"):
            self.export_memory_timeline_html(path, device)
        elif path.endswith("raw.json.gz"):
            self.export_memory_timeline_raw(path, device)
        else:
            self.export_memory_timeline(path, device)

    def export_memory_timeline(self, path, device):
        """Write ``[times, sizes]`` as JSON."""
        _dump(self._coalesce_timeline(device), path)

    def export_memory_timeline_raw(self, path, device):
        """Write a list of ``[time in ns, index of the action, bytes, index of the category]`` as JSON."""
        raw = [
            (time, _ACTION_TO_INDEX[action], change, index)
            for time, action, change, index in self._changes(device)
        ]
        _dump(raw, path)

    def export_memory_timeline_html(self, path, device, figsize=(20, 12), title=None):
        """Write a page with a plot of the categories, stacked, over time. ``figsize`` is in units of 60 pixels."""
        times, sizes = self._coalesce_timeline(device)
        width, height = figsize[0] * 60, figsize[1] * 60
        with replacing_text(path) as file:
            file.write(_page(times, sizes, width, height, title or "Memory over time"))


def _dump(what, path):
    with replacing_text(path, gzipped=path.endswith(".gz")) as file:
        json.dump(what, file)


def _page(times, sizes, width, height, title):
    first, last = (times[0], times[-1]) if times else (0, 0)
    peak = max(map(sum, sizes), default=0)
    span, unit = max(last - first, 1), max(peak, 1)

    def point(time, size):
        return f"{(time - first) / span * width:.1f},{height - size / unit * height:.1f}"

    areas, legend = [], []
    lower = [0] * len(times)
    for category, colour in _CATEGORY_TO_COLORS.items():
        index = _CATEGORY_TO_INDEX[category] + 1
        upper = [below + size[index] for below, size in zip(lower, sizes)]
        if upper != lower:
            name = "Unknown" if category is None else category.name
            outline = " ".join(_steps(times, upper, point) + _steps(times, lower, point)[::-1])
            areas.append(
                f'<polygon points="{outline}" fill="{colour}" fill-opacity="0.7"><title>{name}</title></polygon>'
            )
            legend.append(f'<span style="color: {colour}">&#9632;</span> {name}')
        lower = upper
    return (
        f'<html><head><meta charset="utf-8"><title>{html.escape(title)}</title></head><body><h3>{html.escape(title)}</h3>\n'
        f"<p>{' &nbsp; '.join(legend)}</p>\n"
        f'<svg width="{width}" height="{height}" style="border: 1px solid">\n{chr(10).join(areas)}\n</svg>\n'
        f"<p>{(last - first) / 1000:.3f} ms; at most {peak / 2**20:.3f} MB</p></body></html>\n"
    )


def _steps(times, heights, point):
    """The corners of a line that stays at each height until the next time."""
    corners = []
    for i, (time, size) in enumerate(zip(times, heights)):
        if i:
            corners.append(point(time, heights[i - 1]))
        corners.append(point(time, size))
    return corners
