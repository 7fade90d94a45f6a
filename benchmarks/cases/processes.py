"""Tensors that are sent to another process, in fresh processes with the threads that each library takes by itself (see ``sent_tensors.py``)."""

import functools
import json

from benchmarks.registry import Measurement, Subject, compare
from benchmarks.subprocesses import python

processes = Subject("Tensors for another process, default threads")


def sent(library, question, *options):
    """The answer of ``sent_tensors.py`` about a library."""
    return json.loads(
        python("-m", "benchmarks.sent_tensors", library.__name__, question, *options, threads=None)
    )


def race(session, question):
    """The time to send and to hear back; the libraries take turns."""
    times = [[] for _ in session.libraries]
    options = ("--samples", "5") if session.quick else ()
    for _ in range(1 if session.quick else 3):
        turns = [*enumerate(session.libraries), *reversed([*enumerate(session.libraries)])]
        samples = [[] for _ in session.libraries]
        for column, library in turns:
            samples[column].append(sent(library, question, *options))
        for column, found in zip(times, samples, strict=True):
            column.append(min(found))
    return compare(times)


processes.measured("100 MB through a Queue, a glimpse of it back", bar=1.0, unit="s")(
    functools.partial(race, question="large")
)
processes.measured("20 small tensors through a Queue, glimpses of them back", bar=1.0, unit="s")(
    functools.partial(race, question="small")
)


@processes.measured("memory of both processes, against that of the tensor (100 MB)", bar=1.25)
def memory(session):
    return Measurement.single(sent(session.target, "memory"), 1.0)
