"""``Timer``: how long a statement of Python takes."""

import enum
import statistics
import sys
import textwrap
import timeit
from collections.abc import Callable
from typing import Any, NoReturn

from .... import _api
from .common import Measurement, TaskSpec, set_torch_threads

__all__ = ["Timer", "timer", "Language"]
_PACKAGE = __name__.partition(".")[0]
_LEAST = 1e-9  # no statement takes less: what is measured can be divided by


def timer() -> float:
    """Seconds, of a clock that only runs forwards.

    >>> import minigrad
    >>> minigrad.utils.benchmark.timer() <= minigrad.utils.benchmark.timer()
    True
    """
    return timeit.default_timer()


class Language(enum.Enum):
    """The languages of statements; C++ is refused.

    >>> import minigrad
    >>> minigrad.utils.benchmark.Language.PYTHON.name
    'PYTHON'
    """

    PYTHON = 0
    CPP = 1


class Timer:
    """Measures the statement ``stmt``, a string, after ``setup``, with the names in ``globals``; ``torch`` is minigrad unless they say otherwise.

    ``label``, ``sub_label``, ``description`` and ``env`` tell measurements apart in ``Compare``: tables, rows, columns, kinds of rows.  Computes by
    ``num_threads`` threads.  ValueError for a statement that is no string, NotImplementedError for C++.

    >>> import minigrad
    >>> from minigrad.utils.benchmark import Timer
    >>> found = Timer("x + x", globals={"x": minigrad.ones(3)}).timeit(10)
    >>> found.number_per_run, found.median > 0
    (10, True)
    """

    _timer_cls = timeit.Timer

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
        language: Any = Language.PYTHON,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language in (Language.CPP, "cpp", "c++"):
            raise NotImplementedError("statements in C++ cannot be compiled here: language has to be Python")
        if language not in (Language.PYTHON, "py", "python"):
            raise ValueError(f"Invalid language `{language}`.")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`. setup does the same in Python")
        self._globals = {"torch": sys.modules[_PACKAGE], **(globals or {})}
        stmt, setup = map(_dedented, (stmt, setup))
        self._timer = self._timer_cls(stmt=stmt, setup=setup, timer=timer, globals=self._globals)
        self._task_spec = TaskSpec(
            stmt=stmt,
            setup=setup,
            label=label,
            sub_label=sub_label,
            description=description,
            env=env,
            num_threads=num_threads,
        )

    def _timeit(self, number):
        return max(self._timer.timeit(number), _LEAST)

    def _measurement(self, number, times):
        return Measurement(number, times, self._task_spec)

    def timeit(self, number: int = 1000000) -> Any:
        """Return one measurement of ``number`` runs, after a hundredth as many to warm up.

        >>> import minigrad
        >>> minigrad.utils.benchmark.Timer("1 + 1").timeit(5).raw_times[0] > 0
        True
        """
        with set_torch_threads(self._task_spec.num_threads):
            self._timeit(max(number // 100, 2))
            return self._measurement(number, [self._timeit(number)])

    def repeat(self, repeat: int = -1, number: int = -1) -> None:
        """Refused: ``blocked_autorange`` repeats."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callable[[int, float], NoReturn] | None = None) -> None:
        """Refused: ``blocked_autorange`` finds the number of runs."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _block_size(self, min_run_time):
        """A number of runs, a power of ten, beside which the clock's own time does not matter."""
        overhead = statistics.median(self._timeit(0) for _ in range(5))
        number = 1
        while number < 2**31 // 10:
            taken = self._timeit(number)
            if taken > min_run_time or (overhead / taken <= 1e-4 and taken >= min_run_time / 1000):
                break
            number *= 10
        return number

    def _measure(self, number, min_run_time, max_run_time, callback, enough):
        """Measurements of ``number`` runs, for ``min_run_time`` and until they are enough."""
        times: list[float] = []
        while sum(times) < min_run_time or not enough(times):
            times.append(self._timeit(number))
            if callback is not None:
                callback(number, times[-1])
            if max_run_time and sum(times) > max_run_time:
                break
        return self._measurement(number, times)

    def blocked_autorange(
        self, callback: Callable[[int, float], NoReturn] | None = None, min_run_time: float = 0.2
    ) -> Any:
        """Measurements for at least ``min_run_time`` seconds, each of so many runs that the clock's own time does not matter.

        ``callback(number, time)`` is told of each.

        >>> import minigrad
        >>> found = minigrad.utils.benchmark.Timer("1 + 1").blocked_autorange(min_run_time=0.001)
        >>> sum(found.raw_times) >= 0.001
        True
        """
        with set_torch_threads(self._task_spec.num_threads):
            number = self._block_size(min_run_time)
            return self._measure(number, min_run_time, None, callback, lambda times: len(times) > 0)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], NoReturn] | None = None,
    ) -> Any:
        """Like ``blocked_autorange``, but until the interquartile range is less than ``threshold`` of the median, or ``max_run_time`` seconds are over.

        >>> import minigrad
        >>> found = minigrad.utils.benchmark.Timer("1 + 1").adaptive_autorange(max_run_time=0.1)
        >>> len(found.raw_times) > 0
        True
        """

        def enough(times):
            return len(times) > 3 and self._measurement(1, times).meets_confidence(threshold)

        with set_torch_threads(self._task_spec.num_threads):
            number = self._block_size(0.05)
            return self._measure(number, min_run_time, max_run_time, callback, enough)

    def collect_callgrind(
        self,
        number: int = 100,
        *,
        repeats: int | None = None,
        collect_baseline: bool = True,
        retain_out_file: bool = False,
    ) -> Any:
        """Refused: instructions of Python under Valgrind are not counted here."""
        raise NotImplementedError(
            "collect_callgrind: instructions are not counted here; blocked_autorange measures time"
        )


def _dedented(text):
    return textwrap.dedent(text).removeprefix("\n").rstrip()


_api._lazy.publish_all(globals())
