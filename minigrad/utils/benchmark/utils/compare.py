"""``Compare``: tables of measurements."""

import enum
import math
from typing import Any

from .... import _api
from .common import Measurement, log10, ordered_unique, select_unit, trim_sigfig, unit_to_english

__all__ = ["Colorize", "Compare"]
_BOLD, _END = "\033[1m", "\033[0m"
_BEST, _GOOD, _BAD, _VERY_BAD = "\033[92m", "\033[34m", "\033[2m\033[91m", "\033[31m"


class Colorize(enum.Enum):
    """Among which times of a table the best one is found: those of a column, or of a row.

    >>> import minigrad
    >>> minigrad.utils.benchmark.Colorize("rowwise").name
    'ROWWISE'
    """

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class Compare:
    """Tables of measurements, one for each label: a row for each sub-label or statement, a column for each description; those of one task are put together.

    >>> import minigrad
    >>> from minigrad.utils.benchmark import Compare, Measurement, TaskSpec
    >>> times = {"small": 0.001, "large": 0.02}
    >>> tasks = {name: TaskSpec("f(x)", "pass", label="f", description=name) for name in times}
    >>> Compare([Measurement(1, [times[name]], task) for name, task in tasks.items()]).print()
    [------------ f -------------]
                |  small  |  large
    1 threads: -------------------
          f(x)  |   1.0   |   20.0
    <BLANKLINE>
    Times are in milliseconds (ms).
    <BLANKLINE>
    """

    def __init__(self, results: Any) -> None:
        self._results: list[Measurement] = []
        self._trim = self._warn = False
        self._colorize = Colorize.NONE
        self.extend_results(results)

    def __str__(self) -> str:
        tables: dict[Any, Any] = {}
        for result in Measurement.merge(self._results):
            tables.setdefault(result.label, []).append(result)
        return "\n".join(
            _Table(results, self._colorize, self._trim, self._warn).render() for results in tables.values()
        )

    def extend_results(self, results: Any) -> None:
        """Add measurements; ValueError for what is none.

        >>> import minigrad
        >>> minigrad.utils.benchmark.Compare([]).extend_results([1.0])
        Traceback (most recent call last):
        ValueError: Expected an instance of `Measurement`, got <class 'float'> instead.
        """
        for result in results:
            if not isinstance(result, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(result)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self) -> None:
        """Write no more figures than mean something."""
        self._trim = True

    def colorize(self, rowwise: bool = False) -> None:
        """Colour the best, the good and the bad times of each column, or of each row."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Write beside times that differ much from one run to the next by how much."""
        self._warn = True

    def print(self) -> None:
        """Print the tables."""
        print(str(self))


class _Table:
    """The measurements of one label in rows and columns."""

    def __init__(self, results: Any, colorize: Any, trim: Any, warn: Any) -> None:
        self.results, self.colorize, self.trim, self.warn = results, colorize, trim, warn
        self.unit, self.scale = select_unit(min(result.median for result in results))
        self.rows = sorted(ordered_unique(map(_row_of, results)), key=lambda row: row[:2])
        self.columns = ordered_unique(result.description for result in results)
        self.cells = {(_row_of(result), result.description): result for result in results}

    def render(self) -> str:
        """The text of the table."""
        formats = [self.column_format(column) for column in self.columns]
        names = self.row_names()
        header = ["", *("" if column is None else column for column in self.columns)]
        texts = [
            [name, *(form(self.cells.get((row, column))) for form, column in zip(formats, self.columns))]
            for name, row in zip(names, self.rows)
        ]
        widths = [max(map(len, column)) for column in zip(header, *texts)]
        lines = ["  |  ".join(text.center(width) for text, width in zip(header, widths))]
        width = len(lines[0])
        threads = None
        for row, text in zip(self.rows, texts):
            if row[0] != threads:
                threads = row[0]
                lines.append(f"{threads} threads: ".ljust(width, "-"))
            cells = [
                self.coloured(row, column, cell.center(w))
                for column, cell, w in zip(self.columns, text[1:], widths[1:])
            ]
            lines.append("  |  ".join([text[0].ljust(widths[0]), *cells]))
        title = f" {self.results[0].label or ''} "
        note = ""
        if self.warn and any(result.has_warnings for result in self.results):
            note = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n"
        return "\n".join(
            (
                f"[{title.center(width - 2, '-')}]",
                *lines,
                "",
                f"Times are in {unit_to_english(self.unit)}s ({self.unit}).",
                note,
            )
        )

    def row_names(self) -> Any:
        """The names of the rows, with the environment where it begins and there are several."""
        environments = {result.env for result in self.results}
        longest = max(len(str(env)) for env in environments) if len(environments) > 1 else 0
        names, before = [], (None, "")
        for threads, env, name in self.rows:
            shown = f"({env})" if len(environments) > 1 and (threads, env) != before else ""
            before = threads, env
            names.append("  " + shown.ljust(longest + 4) + name)
        return names

    def column_format(self, column: Any) -> Any:
        """The function that writes the measurements of a column, or None, all in the same width."""
        results = [self.cells.get((row, column)) for row in self.rows]
        found = [result for result in results if result is not None]
        digits = {id(r): math.ceil(log10(r.median / self.scale)) for r in found}
        decimals = 1
        if self.trim:
            decimals = min(max(r.significant_figures - digits[id(r)], 0) for r in found)
        width = max(digits.values()) + decimals + bool(decimals)
        warned = self.warn and any(r.has_warnings for r in found)

        def write(value, spread):
            note = f" (! {spread * 100:.0f}%)" if warned and spread is not None else ""
            return f"{value:>{width}.{decimals}f}{note:>{7 if warned else 0}}"

        def form(result):
            if result is None:
                return " " * len(write(1, None))
            value = result.median / self.scale
            if self.trim:
                value = trim_sigfig(value, result.significant_figures)
            return write(value, result.iqr / result.median if result.has_warnings else None)

        return form

    def coloured(self, row: Any, column: Any, text: Any) -> Any:
        """The text of a cell in the colour of its time beside the best one."""
        result = self.cells.get((row, column))
        if result is None or self.colorize is Colorize.NONE:
            return text
        if self.colorize is Colorize.ROWWISE:
            rivals = [self.cells.get((row, other)) for other in self.columns]
        else:
            rivals = [self.cells.get((other, column)) for other in self.rows if other[0] == row[0]]
        best = min(rival.median for rival in rivals if rival is not None)
        time = result.median
        if time <= best * 1.01 or time <= best + 100e-9:
            return _BEST + _BOLD + text + _END * 2
        if time <= best * 1.1:
            return _GOOD + _BOLD + text + _END * 2
        if time >= best * 5:
            return _VERY_BAD + _BOLD + text + _END * 2
        return _BAD + text + _END * 2 if time >= best * 2 else text


def _row_of(result):
    return result.num_threads, result.env, result.as_row_name


_api._lazy.publish_all(globals())
