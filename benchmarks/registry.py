"""What a benchmark is, and the one list of them.

A case file in ``cases/`` makes a ``Subject`` and registers its benchmarks with the subject's decorators.
"""

import dataclasses
import functools
from collections.abc import Callable
from types import ModuleType

from benchmarks import timing

#: All subjects, in the order in which their files are imported.
subjects: list["Subject"] = []


@dataclasses.dataclass(frozen=True)
class Session:
    """What is compared, and how thoroughly; ``reference`` is None where PyTorch is not installed."""

    target: ModuleType
    reference: ModuleType | None
    rounds: int
    quick: bool
    threads: int

    @property
    def libraries(self):
        """The library under test and, if there is one, the library it is held against."""
        return (self.target,) if self.reference is None else (self.target, self.reference)


@dataclasses.dataclass(frozen=True)
class Measurement:
    """The library under test against a reference: PyTorch, unless the benchmark's name says otherwise.

    ``ratio`` is of the best values; ``median``, ``low`` and ``high`` (the quartiles) are of the rounds' own
    ratios.  ``agrees`` is False if the two computed different things.
    """

    target: float
    reference: float | None = None
    ratio: float | None = None
    median: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    agrees: bool = True

    @classmethod
    def single(cls, target, reference, note=""):
        """A measurement of something that does not vary from round to round."""
        ratio = target / reference if reference else None
        return cls(target, reference, ratio=ratio, note=note)


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """One row of the table: ``measure(session)`` measures, ``bar`` is the highest ratio allowed."""

    subject: str
    name: str
    measure: Callable[[Session], Measurement]
    bar: float | None
    unit: str

    @property
    def path(self):
        """The name that ``--only`` is matched against."""
        return f"{self.subject}: {self.name}"


class Subject:
    """A group of benchmarks under one heading."""

    def __init__(self, title):
        self.title = title
        self.benchmarks = []
        subjects.append(self)

    def timed(self, name, bar=None):
        """Register ``setup(torch)``, which returns the function to be timed under each library.

        That function returns a tensor; the libraries' first ones are compared: fast and wrong is no merit.
        """

        def register(setup):
            self.benchmarks.append(Benchmark(self.title, name, functools.partial(race, setup), bar, "s"))
            return setup

        return register

    def measured(self, name, bar=None, unit=""):
        """Register ``measure(session)``, which returns a Measurement by its own means."""

        def register(measure):
            self.benchmarks.append(Benchmark(self.title, name, measure, bar, unit))
            return measure

        return register


def race(setup, session):
    """Time ``setup``'s function under both libraries, or under one alone where there is no other."""
    runs = [setup(library) for library in session.libraries]
    note = difference(*(summary(run()) for run in runs))
    times = timing.alternate(
        runs,
        rounds=session.rounds,
        sample_seconds=0.01 if session.quick else 0.025,
        rest=0.05 if session.threads > 1 else 0.0,
    )
    return compare(times, note)


def compare(times, note=""):
    """The Measurement of ``times[library][round]``, seconds for one run each."""
    best = [min(column) for column in times]
    if len(best) == 1:
        return Measurement(best[0])
    ratios = [target / reference for target, reference in zip(*times, strict=True)]
    low, median, high = timing.quartiles(ratios)
    return Measurement(*best, best[0] / best[1], median, low, high, note=note, agrees=not note)


def summary(result):
    """A number that a wrong result would hardly have."""
    return float(abs(result.detach().numpy()).mean(dtype=float))


def difference(first, *others):
    """Words for a disagreement of the libraries' results, or nothing."""
    for other in others:
        if not abs(first - other) <= 1e-4 * max(abs(first), abs(other)):
            return f"results differ: mean magnitude {first:.7g} against {other:.7g}"
    return ""
