"""What a ``Timer`` measured: ``Measurement``, and how numbers of seconds are written."""

import contextlib
import dataclasses
import math
import statistics
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .... import _api
from ...._base.threads import get_num_threads, set_num_threads

__all__ = [
    "TaskSpec",
    "Measurement",
    "select_unit",
    "unit_to_english",
    "trim_sigfig",
    "ordered_unique",
    "set_torch_threads",
]
_MOST_FIGURES = 4
_SMALLEST_INTERVAL = 25e-9  # seconds
#: From which share of the median on the interquartile range is a warning, and what it says.
_SPREADS = (
    (0.25, "This suggests significant environmental influence."),
    (0.1, "This could indicate system fluctuation."),
)


@dataclasses.dataclass(repr=False, frozen=True)
class TaskSpec:
    """What a ``Timer`` measures, without its globals.

    >>> import minigrad
    >>> minigrad.utils.benchmark.TaskSpec("x + y", "pass", sub_label="small").title
    'x + y: small'
    """

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label and the sub-label; without a label the statement."""
        if self.label is not None or "\n" not in self.stmt:
            head = self.stmt if self.label is None else self.label
            return f"{head}: {self.sub_label}" if self.sub_label else head
        sub_label = f" ({self.sub_label})" if self.sub_label else ""
        return f"stmt:{sub_label}\n{textwrap.indent(self.stmt, '  ')}"

    def setup_str(self) -> str:
        """Return what is said of the setup.

        >>> import minigrad
        >>> minigrad.utils.benchmark.TaskSpec("x", "x = 1").setup_str()
        'setup: x = 1'
        """
        if not self.setup or self.setup == "pass":
            return ""
        return (
            f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"
        )

    def summarize(self) -> str:
        r"""Title, description and setup in lines.

        >>> import minigrad
        >>> minigrad.utils.benchmark.TaskSpec("x", "x = 1", description="a number").summarize()
        'x\na number\nsetup: x = 1'
        """
        said = (self.title, self.description, self.setup_str())
        return "\n".join(f"{part}\n" if "\n" in part else part for part in said if part)


_FIELDS = tuple(field.name for field in dataclasses.fields(TaskSpec))


@dataclasses.dataclass(repr=False)
class Measurement:
    """Times of a statement, in seconds: each is of ``number_per_run`` runs.

    >>> import minigrad
    >>> from minigrad.utils.benchmark import Measurement, TaskSpec
    >>> found = Measurement(100, [1.0, 2.0, 3.0], TaskSpec("x + y", "pass"))
    >>> found.median, found.times
    (0.02, [0.01, 0.02, 0.03])
    """

    number_per_run: int
    raw_times: list[Any]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if name in _FIELDS:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def times(self) -> list[float]:
        """Seconds of one run, of each measurement."""
        return [time / self.number_per_run for time in self.raw_times]

    def _quantile(self, q):
        return float(np.quantile(self.times, q))

    @property
    def median(self) -> float:
        """The median of the times."""
        return self._quantile(0.5)

    @property
    def mean(self) -> float:
        """The mean of the times."""
        return float(np.mean(self.times))

    @property
    def iqr(self) -> float:
        """How far the quartiles lie apart."""
        return self._quantile(0.75) - self._quantile(0.25)

    @property
    def significant_figures(self) -> int:
        """How many figures of the median mean something, 1 to 4: by a confidence interval of 90 % from the times between the quartiles."""
        times = sorted(self.times)
        inner = times[len(times) // 4 : math.ceil(3 * len(times) / 4)]
        interval = max(1.645 * statistics.pstdev(inner) / math.sqrt(len(inner)), _SMALLEST_INTERVAL)
        return min(max(math.floor(log10(self.median / interval)), 1), _MOST_FIGURES)

    @property
    def has_warnings(self) -> bool:
        """Whether the times differ so much that ``repr`` warns."""
        return bool(self._warning())

    def _warning(self):
        for spread, advice in _SPREADS:
            if not self.meets_confidence(spread):
                percent = self.iqr / self.median * 100
                return f"  WARNING: Interquartile range is {percent:.1f}% of the median measurement.\n           {advice}"
        return ""

    def meets_confidence(self, threshold: float = 0.1) -> bool:
        """Return whether the interquartile range is less than this share of the median.

        >>> import minigrad
        >>> from minigrad.utils.benchmark import Measurement, TaskSpec
        >>> Measurement(1, [1.0, 1.0, 1.0, 1.01], TaskSpec("x", "pass")).meets_confidence()
        True
        """
        return self.iqr / self.median < threshold

    @property
    def title(self) -> str:
        """The title of the task."""
        return self.task_spec.title

    @property
    def env(self) -> str | None:
        """The environment that the task names, or None."""
        return self.task_spec.env

    @property
    def as_row_name(self) -> str:
        """What the row of a table is called: the sub-label, or else the statement."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __repr__(self) -> str:
        n = len(self.raw_times)
        unit, scale = select_unit(self.median)
        threads = self.task_spec.num_threads
        lines = [object.__repr__(self), self.task_spec.summarize()]
        lines.append(f"  {'Median: ' if n > 1 else ''}{self.median / scale:.2f} {unit}")
        if n >= 4:
            low, high = (self._quantile(q) / scale for q in (0.25, 0.75))
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement,' if n > 1 else ','}"
        lines.append(f"  {n} measurement{'s' * (n > 1)}, {runs} {threads} thread{'s' * (threads > 1)}")
        warning = self._warning()
        return "\n".join(lines + [warning] * bool(warning))

    @staticmethod
    def merge(measurements: Iterable["Measurement"]) -> Any:
        """Return the measurements with those of the same task in one, of one run each.

        >>> import minigrad
        >>> from minigrad.utils.benchmark import Measurement, TaskSpec
        >>> task = TaskSpec("x", "pass")
        >>> Measurement.merge([Measurement(2, [1.0], task), Measurement(1, [3.0], task)])[0].raw_times
        [0.5, 3.0]
        """
        groups: dict[TaskSpec, list[Any]] = {}
        for measurement in measurements:
            groups.setdefault(measurement.task_spec, []).extend(measurement.times)
        return [Measurement(1, times, task) for task, times in groups.items()]


_UNITS = {
    "ns": (1e-9, "nanosecond"),
    "us": (1e-6, "microsecond"),
    "ms": (1e-3, "millisecond"),
    "s": (1, "second"),
}


def log10(x: Any) -> float:
    """Return the decimal logarithm in float32: what is a power of ten up to rounding has an integer."""
    return float(np.float32(math.log10(np.float32(x))))


def select_unit(t: float) -> tuple[str, float]:
    """Return the unit in which a number of seconds is neither large nor small, and its length in seconds.

    >>> import minigrad
    >>> minigrad.utils.benchmark.select_unit(0.02)
    ('ms', 0.001)
    """
    power = log10(t) // 3 if t > 0 else -math.inf
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(power, "s")  # type: ignore[call-overload]
    return unit, _UNITS[unit][0]


def unit_to_english(u: str) -> str:
    """Return the name of a unit of time.

    >>> import minigrad
    >>> minigrad.utils.benchmark.unit_to_english("us")
    'microsecond'
    """
    return _UNITS[u][1]


def trim_sigfig(x: float, n: int) -> float:
    """Return a number rounded to ``n`` significant figures.

    >>> import minigrad
    >>> round(minigrad.utils.benchmark.trim_sigfig(3.14159, 3), 4)
    3.14
    """
    if n != int(n):
        raise AssertionError("Number of significant figures must be an integer")
    scale = 10 ** (math.ceil(log10(abs(x))) - n)
    return float(np.float32(round(x / scale)) * scale)


def ordered_unique(elements: Iterable[Any]) -> list[Any]:
    """Return the elements without repetitions, each where it was first.

    >>> import minigrad
    >>> minigrad.utils.benchmark.ordered_unique([2, 1, 2])
    [2, 1]
    """
    return [*dict.fromkeys(elements)]


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """Compute by ``n`` threads in a ``with`` block.

    >>> import minigrad
    >>> with minigrad.utils.benchmark.set_torch_threads(1): minigrad.get_num_threads()
    1
    """
    before = get_num_threads()
    try:
        set_num_threads(n)
        yield
    finally:
        set_num_threads(before)


_api._lazy.publish_all(globals())
