"""A chain of a million adds, against one of ten thousand, in a process of its own (see ``deep_chain.py``)."""

import functools
import json

from benchmarks.registry import Measurement, Subject
from benchmarks.subprocesses import python

deep = Subject("A chain of 1,000,000 adds, against 10,000 (per op)")


@functools.cache
def found(library, question, *options):
    """The answer of ``deep_chain.py`` about the library of that name."""
    return json.loads(python("-m", "benchmarks.deep_chain", library, question, *options))


def per_op(session, collector, phase):
    """The phase's time per op at a million against that at ten thousand, with the collector "on" or "off"."""
    repeats = "1" if session.quick else "3"
    times = found(session.target.__name__, "times", "--repeats", repeats)[collector]
    return Measurement.single(times["1000000"][phase], times["10000"][phase])


def alive(session, moment):
    """The watched objects that outlived the last name of their graph, as a share of all watched ones."""
    count = found(session.target.__name__, "survivors")[moment]
    return Measurement.single(count["alive"], count["watched"])


for collector in ("on", "off"):
    for phase, bar in (("backward", 1.5), ("build and backward", 1.5), ("build", None), ("free", None)):
        deep.measured(f"{phase}, collector {collector}", bar=bar, unit="s")(
            functools.partial(per_op, collector=collector, phase=phase)
        )
for moment in ("after backward", "without backward"):
    deep.measured(f"share alive when dropped {moment}, collector off", bar=0.0, unit="")(
        functools.partial(alive, moment=moment)
    )
