"""Memory at the worst moment of a training step: what arrays hold beyond parameters, inputs and the state of the optimizer."""

import functools

from benchmarks.cases.models import models
from benchmarks.cases.training_steps import steps
from benchmarks.peak_memory import bytes_at_peak
from benchmarks.registry import Measurement, Subject

memory = Subject("Memory at the peak of a step, beyond parameters, inputs and the optimizer's state")


def peaks(session, path):
    """The peaks of both libraries, each found in a process of its own."""
    target, *reference = [bytes_at_peak(library.__name__, path) for library in session.libraries]
    return Measurement.single(target, *reference or [None])


for benchmark in (*steps.benchmarks, *models.benchmarks):
    memory.measured(benchmark.name, bar=1.0, unit="bytes")(functools.partial(peaks, path=benchmark.path))
