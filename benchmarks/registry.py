"""What a benchmark is, and the one list of them.

A case file in ``cases/`` makes a ``Subject`` and registers its benchmarks with the subject's decorators.
"""

import contextlib
import dataclasses
import functools
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

from benchmarks import timing
from benchmarks.runner import Runner

#: All subjects, in the order in which their files are imported: see ``cases``.
subjects: list["Subject"] = []


@dataclasses.dataclass(frozen=True)
class Setting:
    """How many threads both libraries have (None: as many as each takes by itself), and whether another process wants a core as well.

    ``fast``: whether minigrad computes with what its extra ``fast`` installs.
    """

    name: str
    threads: int | None
    busy: bool = False
    fast: bool = False

    @property
    def rest(self):
        """Seconds before each sample."""
        return 0.0 if self.threads == 1 else timing.REST


SETTINGS = (
    Setting("1", 1),
    Setting("all", None),
    Setting("1 busy", 1, busy=True),
    Setting("all busy", None, busy=True),
    Setting("1 fast", 1, fast=True),
    Setting("all fast", None, fast=True),
    Setting("1 busy fast", 1, busy=True, fast=True),
    Setting("all busy fast", None, busy=True, fast=True),
)
#: What switches the extra on, where it is installed; other libraries take no notice.
FAST = "MINIGRAD_ONEDNN"


@contextlib.contextmanager
def beside(busy):
    """With a process that wants a core for itself, if ``busy``."""
    if not busy:
        yield
        return
    loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        loop.kill()
        loop.wait()


@dataclasses.dataclass(frozen=True)
class Session:
    """What is compared, and how thoroughly; ``reference`` is None where PyTorch is not installed."""

    target: ModuleType
    reference: ModuleType | None
    rounds: int
    quick: bool
    settings: tuple[Setting, ...]
    runners: dict = dataclasses.field(default_factory=dict)

    def runner(self, library, threads, fast=False):
        """A process with the library of this name, the same one each time."""
        key = library, threads, fast
        if key not in self.runners:
            self.runners[key] = Runner(library, threads, {FAST: str(int(fast))})
        return self.runners[key]

    def runners_in(self, setting):
        """The processes of the libraries in a setting."""
        target, *others = (library.__name__ for library in self.libraries)
        return [
            self.runner(target, setting.threads, setting.fast),
            *[self.runner(other, setting.threads) for other in others],
        ]

    def close(self):
        """End the processes."""
        for runner in self.runners.values():
            runner.close()
        self.runners.clear()

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
    #: The measurements in further settings, by their names.
    further: dict[str, "Measurement"] = dataclasses.field(default_factory=dict)

    def ratio_in(self, setting):
        """The ratio in one of the further settings; None if there is none."""
        found = self.further.get(setting)
        return None if found is None else found.ratio

    @classmethod
    def single(cls, target, reference, note=""):
        """A measurement of something that does not vary from round to round."""
        ratio = target / reference if reference else None
        return cls(target, reference, ratio=ratio, note=note)


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """One row of the table: ``measure(session)`` measures, ``bar`` is the highest ratio allowed, ``bars`` those in further settings, by their names."""

    subject: str
    name: str
    measure: Callable[[Session], Measurement]
    bar: float | None
    unit: str
    setup: Callable | None = None
    bars: dict[str, float] = dataclasses.field(default_factory=dict)

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

    def path(self, name):
        """The path of the benchmark of this name."""
        return f"{self.title}: {name}"

    def timed(self, name, bar=None, bar_all=None, bar_fast=None):
        """Register ``setup(torch)``, which returns the function to be timed under each library.

        That function returns a tensor; the libraries' first ones are compared: fast and wrong is no merit.  ``bar`` is for one thread, ``bar_all`` for
        as many as the libraries take, ``bar_fast`` (by itself, ``bar_all``) for these with the extra ``fast``; where there is one, nothing may be slower
        than PyTorch on a busy machine.
        """
        bars = {}
        if bar_all is not None:
            bars = {"all": bar_all, "all fast": bar_all if bar_fast is None else bar_fast}
            bars |= {setting.name: 1.0 for setting in SETTINGS if setting.busy}

        def register(setup):
            path = self.path(name)
            self.benchmarks.append(
                Benchmark(self.title, name, functools.partial(race, path), bar, "s", setup, bars)
            )
            return setup

        return register

    def measured(self, name, bar=None, unit=""):
        """Register ``measure(session)``, which returns a Measurement by its own means."""

        def register(measure):
            self.benchmarks.append(Benchmark(self.title, name, measure, bar, unit))
            return measure

        return register


def race(path, session):
    """Time a benchmark's function under both libraries, or under one alone where there is no other, in each setting."""
    found = {setting.name: race_in(setting, path, session) for setting in session.settings}
    first, *others = found
    notes = [each.note for each in found.values() if each.note]
    return dataclasses.replace(
        found[first],
        further={name: found[name] for name in others},
        note=notes[0] if notes else "",
        agrees=not notes,
    )


def race_in(setting, path, session):
    """The measurement in one setting."""
    runners = session.runners_in(setting)
    note = difference(*[runner.ask("set_up", path) for runner in runners])
    with beside(setting.busy):
        times = timing.alternate(
            runners,
            rounds=session.rounds,
            sample_seconds=0.01 if session.quick else 0.025,
            rest=setting.rest,
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


def difference(first, *others):
    """Words for a disagreement of the libraries' results, or nothing."""
    for other in others:
        if not abs(first - other) <= 1e-4 * max(abs(first), abs(other)):
            return f"results differ: mean magnitude {first:.7g} against {other:.7g}"
    return ""
